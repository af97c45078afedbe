// What LLVM's C API does not say about nodes of debug information.

#include "llvm/IR/DebugInfoMetadata.h"

/// True for the variable of a parameter, however the argument is passed.
extern "C" bool heapproof_is_parameter(LLVMMetadataRef Node) {
  const auto *Variable = llvm::dyn_cast<llvm::DILocalVariable>(llvm::unwrap(Node));
  return Variable && Variable->isParameter();
}
