// clang inside this program: reads the arguments of a command line and writes bitcode to standard output, or gives it to
// the caller.
//
// The command line is clang's own, and so are all messages. Only the last step differs: the module is written as the
// code generator left it, since no pass of LLVM is wanted.

#include "open.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/Stack.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/TargetParser/Host.h"

#include <cstdlib>
#include <functional>
#include <set>
#include <string>
#include <unistd.h>

using namespace clang;

namespace {

/// The exit status of a clang that found itself broken.
constexpr int Broken = 70;

void brokenBy(void *, const char *Reason, bool) {
  llvm::errs() << "fatal error: " << Reason << '\n';
  llvm::errs().flush();
  _exit(Broken);
}

/// Lets the code generator wait until the whole file is read, and what C leaves open is visible in it.
class Delayed : public ASTConsumer {
public:
  Delayed(CodeGenerator *Next, bool HasLibrary) : Next(Next), HasLibrary(HasLibrary) {}

  void Initialize(ASTContext &Context) override { Next->Initialize(Context); }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    Waiting.push_back([=] { Next->HandleTopLevelDecl(Group); });
    return true;
  }
  void HandleInlineFunctionDefinition(FunctionDecl *Function) override {
    Waiting.push_back([=] { Next->HandleInlineFunctionDefinition(Function); });
  }
  void HandleTagDeclDefinition(TagDecl *Tag) override {
    Waiting.push_back([=] { Next->HandleTagDeclDefinition(Tag); });
  }
  void HandleTagDeclRequiredDefinition(const TagDecl *Tag) override {
    Waiting.push_back([=] { Next->HandleTagDeclRequiredDefinition(Tag); });
  }
  void CompleteTentativeDefinition(VarDecl *Variable) override {
    Waiting.push_back([=] { Next->CompleteTentativeDefinition(Variable); });
  }
  void CompleteExternalDeclaration(DeclaratorDecl *Declared) override {
    Waiting.push_back([=] { Next->CompleteExternalDeclaration(Declared); });
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    if (!Context.getDiagnostics().hasErrorOccurred())
      makeVisible(Context);
    // The parser knows the functions of the library, so that those without a declaration have one. Their calls are calls.
    if (HasLibrary)
      const_cast<LangOptions &>(Context.getLangOpts()).NoBuiltin = true;
    for (const std::function<void()> &Call : Waiting)
      Call();
    Next->HandleTranslationUnit(Context);
  }

private:
  std::unique_ptr<CodeGenerator> Next;
  bool HasLibrary;
  std::vector<std::function<void()>> Waiting;
};

/// The file system, which remembers what it was asked: a compilation depends on the content of the files that were opened,
/// on what was found, and on what was looked for in vain.
class RecordingFileSystem : public llvm::vfs::ProxyFileSystem {
public:
  RecordingFileSystem() : ProxyFileSystem(llvm::vfs::getRealFileSystem()) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const Twine &Path) override {
    auto Found = ProxyFileSystem::status(Path);
    note(Found ? 'S' : 'N', Path);
    return Found;
  }

  bool exists(const Twine &Path) override {
    const bool Exists = ProxyFileSystem::exists(Path);
    note(Exists ? 'S' : 'N', Path);
    return Exists;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const Twine &Path) override {
    auto Opened = ProxyFileSystem::openFileForRead(Path);
    note(Opened ? 'F' : 'N', Path);
    return Opened;
  }

  llvm::vfs::directory_iterator dir_begin(const Twine &Path, std::error_code &Error) override {
    auto Iterator = ProxyFileSystem::dir_begin(Path, Error);
    note(Error ? 'N' : 'D', Path);
    return Iterator;
  }

  void symbol(char Kind, StringRef Name) { Entries.insert(std::string(1, Kind) + Name.str()); }

  /// Writes all entries, each ended by a NUL; false if that failed.
  bool write(const char *Place) const {
    std::error_code Error;
    llvm::raw_fd_ostream Out(Place, Error);
    if (Error)
      return false;
    for (const std::string &Entry : Entries)
      Out << Entry << '\0';
    Out.close();
    const bool Failed = Out.has_error();
    Out.clear_error();
    return !Failed;
  }

private:
  std::set<std::string> Entries;

  void note(char Kind, const Twine &Path) { Entries.insert(std::string(1, Kind) + Path.str()); }
};

/// The symbols that a linker would see: defined, defined weakly, and used.
void recordSymbols(const llvm::Module &Module, RecordingFileSystem &Files) {
  for (const llvm::GlobalValue &Value : Module.global_values()) {
    StringRef Name = Value.getName();
    if (Value.hasLocalLinkage() || Name.empty() || Name.starts_with("llvm."))
      continue;
    Name.consume_front("\01");
    if (Value.isDeclarationForLinker())
      Files.symbol('u', Name);
    else
      Files.symbol(Value.isInterposable() || Value.hasLinkOnceLinkage() || Value.hasWeakLinkage() ? 'w' : 'd', Name);
  }
}

/// Parses a file and keeps the module that the code generator makes of it.
class MakeModule : public ASTFrontendAction {
public:
  std::unique_ptr<llvm::Module> take() { return std::move(Made); }

private:
  // The context outlives the module, so it stands first.
  llvm::LLVMContext Context;
  std::unique_ptr<llvm::Module> Made;
  CodeGenerator *Generator = nullptr;

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Clang, StringRef File) override {
    Context.setDiscardValueNames(Clang.getCodeGenOpts().DiscardValueNames);
    Generator = CreateLLVMCodeGen(Clang.getDiagnostics(), File, &Clang.getVirtualFileSystem(),
                                  Clang.getHeaderSearchOpts(), Clang.getPreprocessorOpts(),
                                  Clang.getCodeGenOpts(), Context);
    // It is told here for all calls that they are no builtins, once the parser is done.
    LangOptions &Language = Clang.getLangOpts();
    const bool HasLibrary = Language.NoBuiltin && !Language.Freestanding;
    if (HasLibrary)
      Language.NoBuiltin = false;
    return std::make_unique<Delayed>(Generator, HasLibrary);
  }

  void EndSourceFileAction() override {
    if (Generator)
      Made.reset(Generator->ReleaseModule());
  }
};

/// What the command line asks of the compiler proper, or nothing; then it was said why.
std::shared_ptr<CompilerInvocation> understand(ArrayRef<const char *> Arguments, llvm::raw_ostream &Messages,
                                               IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = nullptr) {
  IntrusiveRefCntPtr<DiagnosticOptions> Options = CreateAndPopulateDiagOpts(Arguments);
  auto *Printer = new TextDiagnosticPrinter(Messages, &*Options);
  Printer->setPrefix("clang");
  IntrusiveRefCntPtr<DiagnosticsEngine> Diagnostics =
      CompilerInstance::createDiagnostics(&*Options, Printer, /*ShouldOwnClient=*/true);

  driver::Driver Driver(Arguments[0], llvm::sys::getDefaultTargetTriple(), *Diagnostics, "clang LLVM compiler",
                        std::move(Files));
  Driver.setCheckInputsExist(false);
  std::unique_ptr<driver::Compilation> Compilation(Driver.BuildCompilation(Arguments));
  if (!Compilation || Compilation->containsError() || Diagnostics->hasErrorOccurred())
    return nullptr;
  const driver::JobList &Jobs = Compilation->getJobs();
  if (Jobs.size() != 1 || StringRef(Jobs.begin()->getCreator().getName()) != "clang") {
    Messages << "clang: error: these options ask for more than to compile a file\n";
    return nullptr;
  }
  auto Invocation = std::make_shared<CompilerInvocation>();
  if (!CompilerInvocation::CreateFromArgs(*Invocation, Jobs.begin()->getArguments(), *Diagnostics, Arguments[0]))
    return nullptr;
  const FrontendOptions &Front = Invocation->getFrontendOpts();
  if (Front.ProgramAction != frontend::EmitBC || !Front.Plugins.empty() || !Front.LLVMArgs.empty()) {
    Messages << "clang: error: these options need the program clang; name one with --clang\n";
    return nullptr;
  }
  return Invocation;
}

} // namespace

/// Compiles as clang would; the first argument is where clang would be, which tells where its headers are. What the result
/// depends on is written to the file `Record`, unless it is null.
extern "C" int heapproof_clang(int Count, const char *const *Words, const char *Record) {
  noteBottomOfStack();
  llvm::install_fatal_error_handler(brokenBy);
  // Tells what was compiled when clang crashes.
  llvm::PrettyStackTraceProgram Trace(Count, Words);
  SmallVector<const char *, 64> Arguments(Words, Words + Count);
  IntrusiveRefCntPtr<RecordingFileSystem> Files;
  if (Record)
    Files = new RecordingFileSystem();
  auto Recorded = [&] {
    if (!Record || Files->write(Record))
      return true;
    llvm::errs() << "clang: error: cannot write " << Record << '\n';
    return false;
  };
  std::shared_ptr<CompilerInvocation> Invocation = understand(Arguments, llvm::errs(), Files);
  if (!Invocation)
    return Recorded() ? 1 : Broken;
  CompilerInstance Clang;
  Clang.setInvocation(std::move(Invocation));
  Clang.createDiagnostics();
  if (Files)
    Clang.createFileManager(Files);
  MakeModule Action;
  const bool Succeeded = Clang.ExecuteAction(Action);
  std::unique_ptr<llvm::Module> Module = Action.take();
  if (Succeeded && Module && Files)
    recordSymbols(*Module, *Files);
  if (!Recorded())
    return Broken;
  if (!Succeeded || !Module)
    return 1;
  llvm::WriteBitcodeToFile(*Module, llvm::outs());
  llvm::outs().flush();
  // Nothing is worth freeing any more.
  _exit(llvm::outs().has_error() ? 1 : 0);
}

/// The same in a process that goes on, in any thread. Both texts are the caller's until `heapproof_clang_forget`.
struct Result {
  int Status;
  const char *Bitcode;
  size_t BitcodeLength;
  const char *Messages;
  size_t MessagesLength;
  void *Owner;
};

namespace {

struct Texts {
  SmallVector<char, 0> Bitcode;
  std::string Messages;
};

int compileInto(ArrayRef<const char *> Arguments, Texts &Made) {
  llvm::raw_string_ostream Messages(Made.Messages);
  std::shared_ptr<CompilerInvocation> Invocation = understand(Arguments, Messages);
  if (!Invocation)
    return 1;
  // The command line is that of a process that ends after this.
  Invocation->getFrontendOpts().DisableFree = false;
  Invocation->getCodeGenOpts().DisableFree = false;
  CompilerInstance Clang;
  Clang.setInvocation(std::move(Invocation));
  Clang.createDiagnostics(new TextDiagnosticPrinter(Messages, &Clang.getDiagnosticOpts()));
  Clang.setVerboseOutputStream(Messages);
  MakeModule Action;
  const bool Succeeded = Clang.ExecuteAction(Action);
  std::unique_ptr<llvm::Module> Module = Action.take();
  if (!Succeeded || !Module)
    return 1;
  llvm::raw_svector_ostream Bitcode(Made.Bitcode);
  llvm::WriteBitcodeToFile(*Module, Bitcode);
  return 0;
}

} // namespace

extern "C" void heapproof_clang_here(int Count, const char *const *Words, Result *Out) {
  noteBottomOfStack();
  auto *Made = new Texts();
  const int Status = compileInto(ArrayRef<const char *>(Words, Count), *Made);
  *Out = {Status, Made->Bitcode.data(), Made->Bitcode.size(), Made->Messages.data(), Made->Messages.size(), Made};
}

extern "C" void heapproof_clang_forget(void *Owner) { delete static_cast<Texts *>(Owner); }
