// What C leaves open is made visible in the syntax tree, before code is generated from it.

#pragma once

#include "clang/AST/ASTContext.h"

/// Rewrites the functions of a file. Calls of functions whose names begin with `__heapproof_` are left in the tree, for the
/// lowering to understand.
void makeVisible(clang::ASTContext &Context);
