// What C leaves open is made visible in the syntax tree, before code is generated from it: the order of evaluation where it
// matters, what `__builtin_constant_p` answers, and what `{}` says of a union.
//
// Where the right side of an assignment may change where its target is, the target is computed before and after it,
//
//     *(T *)__heapproof_chosen(N, &target) = (__heapproof_target(N, &target), value)
//
// and the lowering lets the program choose if they differ. Where other operands interfere, `__heapproof_open` stands before
// the first of them: no order is known to be that of every compiler.
//
// A compound literal lives as long as the block around it, which code generation does not mark: where its address may be kept it
// becomes `*(T *)__heapproof_literal(first line, column, last line, column, &literal)` with the extent of that block.

#include "open.h"
#include "effects.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/Builtins.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace {

/// Makes nodes of the tree.
class Maker {
public:
  explicit Maker(ASTContext &Context) : Context(Context) {}

  Expr *call(StringRef Name, QualType Result, ArrayRef<Expr *> Arguments, SourceLocation At) {
    FunctionDecl *Function = function(Name, Result, Arguments);
    auto *Named = DeclRefExpr::Create(Context, NestedNameSpecifierLoc(), SourceLocation(), Function, false, At,
                                      Function->getType(), VK_LValue);
    Expr *Callee = cast(Named, Context.getPointerType(Function->getType()), CK_FunctionToPointerDecay);
    return CallExpr::Create(Context, Callee, Arguments, Result, VK_PRValue, At, FPOptionsOverride());
  }

  Expr *cast(Expr *E, QualType To, CastKind Kind) {
    return ImplicitCastExpr::Create(Context, To, Kind, E, nullptr, VK_PRValue, FPOptionsOverride());
  }

  Expr *number(unsigned N, SourceLocation At) {
    return IntegerLiteral::Create(Context, llvm::APInt(Context.getIntWidth(Context.IntTy), N), Context.IntTy, At);
  }

  Expr *unary(UnaryOperatorKind Kind, Expr *E, QualType Type) {
    const ExprValueKind Category = Kind == UO_Deref ? VK_LValue : VK_PRValue;
    return UnaryOperator::Create(Context, E, Kind, Type, Category, OK_Ordinary, E->getExprLoc(), false,
                                 FPOptionsOverride());
  }

  Expr *after(Expr *First, Expr *Second) {
    return BinaryOperator::Create(Context, First, Second, BO_Comma, Second->getType(), VK_PRValue, OK_Ordinary,
                                  Second->getExprLoc(), FPOptionsOverride());
  }

  /// The address of something, as any pointer.
  Expr *address(Expr *Lvalue) {
    Expr *Pointer = unary(UO_AddrOf, Lvalue, Context.getPointerType(Lvalue->getType()));
    return cast(Pointer, Context.VoidPtrTy, CK_BitCast);
  }

private:
  FunctionDecl *function(StringRef Name, QualType Result, ArrayRef<Expr *> Arguments) {
    SmallVector<QualType, 2> Types;
    for (const Expr *Argument : Arguments)
      Types.push_back(Argument->getType());
    const QualType Type = Context.getFunctionType(Result, Types, FunctionProtoType::ExtProtoInfo());
    TranslationUnitDecl *File = Context.getTranslationUnitDecl();
    auto *Function = FunctionDecl::Create(Context, File, SourceLocation(), SourceLocation(),
                                          DeclarationName(&Context.Idents.get(Name)), Type,
                                          Context.getTrivialTypeSourceInfo(Type), SC_Extern);
    SmallVector<ParmVarDecl *, 2> Parameters;
    for (const QualType &Of : Types)
      Parameters.push_back(ParmVarDecl::Create(Context, Function, SourceLocation(), SourceLocation(), nullptr, Of,
                                               Context.getTrivialTypeSourceInfo(Of), SC_None, nullptr));
    Function->setParams(Parameters);
    Function->setImplicit();
    return Function;
  }

  ASTContext &Context;
};

/// True if an expression can be computed twice.
bool isRepeatable(const Stmt *E) {
  if (isa<CallExpr>(E) || isa<StmtExpr>(E) || isa<CompoundLiteralExpr>(E) || isa<OpaqueValueExpr>(E) ||
      isa<BinaryConditionalOperator>(E) || isa<VAArgExpr>(E) || isa<AtomicExpr>(E))
    return false;
  if (const auto *Operation = dyn_cast<BinaryOperator>(E); Operation && Operation->isAssignmentOp())
    return false;
  if (const auto *Operation = dyn_cast<UnaryOperator>(E); Operation && Operation->isIncrementDecrementOp())
    return false;
  for (const Stmt *Child : E->children())
    if (Child && !isRepeatable(Child))
      return false;
  return true;
}

/// Finds what is open in the code of one function, the innermost expressions first.
class Find : public RecursiveASTVisitor<Find> {
public:
  Find(ASTContext &Context, Effects &All, unsigned &Number)
      : Context(Context), All(All), Make(Context), Number(Number) {}

  bool shouldTraversePostOrder() const { return true; }

  // Nothing is computed when the program runs.
  bool TraverseConstantExpr(ConstantExpr *) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) { return true; }
  bool TraverseChooseExpr(ChooseExpr *E) { return TraverseStmt(E->getChosenSubExpr()); }
  bool TraverseGenericSelectionExpr(GenericSelectionExpr *E) { return TraverseStmt(E->getResultExpr()); }
  bool TraverseTypeLoc(TypeLoc) { return true; }
  bool TraverseVarDecl(VarDecl *Variable) {
    return Variable->hasGlobalStorage() || RecursiveASTVisitor::TraverseVarDecl(Variable);
  }

  bool VisitBinaryOperator(BinaryOperator *E) {
    if (E->getOpcode() == BO_Assign)
      assignment(E);
    else if (!E->isAssignmentOp() && !E->isLogicalOp() && E->getOpcode() != BO_Comma && areOpen(E->getLHS(), E->getRHS()))
      E->setLHS(open(E->getLHS(), "the operands of an operator"));
    return true;
  }

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    if (!E->getBase()->getType()->isVectorType() && areOpen(E->getLHS(), E->getRHS()))
      E->setLHS(open(E->getLHS(), "the operands of an operator"));
    return true;
  }

  bool VisitCallExpr(CallExpr *E) {
    if (E->getBuiltinCallee() == Builtin::BI__builtin_constant_p)
      constant(E);
    else
      arguments(E);
    return true;
  }

  /// `{}` says all of a union. clang takes it for its first member.
  bool VisitInitListExpr(InitListExpr *E) {
    if (!E->isSemanticForm() || !E->getType()->getAsUnionType())
      return true;
    const InitListExpr *Written = E->getSyntacticForm() ? E->getSyntacticForm() : E;
    const RecordDecl *Union = E->getType()->getAsRecordDecl();
    if (!Union || Written->getNumInits() > 0)
      return true;
    FieldDecl *Largest = nullptr;
    for (FieldDecl *Field : Union->fields())
      if (!Field->isUnnamedBitField() && !Field->getType()->isIncompleteType() &&
          (!Largest || Context.getTypeSize(Field->getType()) > Context.getTypeSize(Largest->getType())))
        Largest = Field;
    if (!Largest)
      return true;
    E->setInitializedFieldInUnion(nullptr);
    E->setInitializedFieldInUnion(Largest);
    E->resizeInits(Context, 1);
    E->setInit(0, new (Context) ImplicitValueInitExpr(Largest->getType()));
    return true;
  }

private:
  /// gcc computes where a value goes first, clang the value. Of structures both compute the place first, of bit-fields and with
  /// operators such as `+=` the value.
  void assignment(BinaryOperator *E) {
    const bool IsBitField = E->getLHS()->getObjectKind() == OK_BitField;
    if (E->getType()->isRecordType() || IsBitField || isPlain(E->getLHS()))
      return;
    Expr *Target = E->getLHS();
    const bool IsKnown = isRepeatable(Target);
    if (IsKnown && !All.interfere(All.of(Target), All.of(E->getRHS())))
      return;
    if (IsKnown ? !watch(E) : All.interfereVisibly(Target, E->getRHS()))
      E->setRHS(open(E->getRHS(), "the target of an assignment and its right side"));
  }

  /// Computes the target before the value as well.
  bool watch(BinaryOperator *E) {
    Expr *Target = E->getLHS()->IgnoreParens();
    const SourceLocation At = Target->getExprLoc();
    if (Target->getObjectKind() != OK_Ordinary)
      return false;
    Expr *Any = Make.address(Target);
    Expr *Back = Make.cast(chosen(Any, At), Context.getPointerType(Target->getType()), CK_BitCast);
    E->setLHS(Make.unary(UO_Deref, Back, Target->getType()));
    E->setRHS(Make.after(target(Any, At), E->getRHS()));
    ++Number;
    return true;
  }

  Expr *target(Expr *Any, SourceLocation At) {
    return Make.call("__heapproof_target", Context.VoidTy, {Make.number(Number, At), Any}, At);
  }

  Expr *chosen(Expr *Any, SourceLocation At) {
    return Make.call("__heapproof_chosen", Context.VoidPtrTy, {Make.number(Number, At), Any}, At);
  }

  /// True if the order of two operands matters. Compilers compute them from left to right, but gcc may read a variable after a
  /// call that stands to its right.
  bool areOpen(const Expr *A, const Expr *B) {
    const Access Left = All.of(A), Right = All.of(B);
    if (Left.Writes.empty() && Right.Writes.empty())
      return false;
    return All.interfere(Left, variables(B)) || All.interfere(variables(A), Right);
  }

  /// The variables that an operand itself reads and writes.
  Access variables(const Expr *E) {
    Access Found = All.ofItself(E);
    for (std::set<Place> *Places : {&Found.Reads, &Found.Writes})
      for (auto At = Places->begin(); At != Places->end();)
        At = At->What == Place::Variable ? std::next(At) : Places->erase(At);
    return Found;
  }

  /// clang computes arguments from left to right, gcc mostly from right to left.
  void arguments(CallExpr *E) {
    SmallVector<const Expr *, 5> Operands(E->arg_begin(), E->arg_end());
    if (!E->getDirectCallee())
      Operands.push_back(E->getCallee());
    for (unsigned I = 0; I < Operands.size() && E->getNumArgs() > 0; ++I)
      for (unsigned J = 0; J < I; ++J)
        if (All.interfereVisibly(Operands[I], Operands[J])) {
          E->setArg(0, open(E->getArg(0), "the arguments of a call"));
          return;
        }
  }

  Expr *open(Expr *E, StringRef What) {
    const SourceLocation At = E->getExprLoc();
    const std::string Name = ("__heapproof_open " + What).str();
    return Make.after(Make.call(Name, Context.VoidTy, {}, At), E);
  }

  /// A variable of its own has no place that something could change.
  bool isPlain(const Expr *E) { return isa<DeclRefExpr>(E->IgnoreParens()); }

  /// What is not constant for the compiler proper may be so for the optimiser. The operand is never computed.
  void constant(CallExpr *E) {
    Expr::EvalResult Known;
    if (E->isValueDependent() || E->EvaluateAsInt(Known, Context))
      return;
    const bool MayBe = !E->getArg(0)->HasSideEffects(Context) && isKnowable(E->getArg(0));
    Expr *Asked = Make.call(MayBe ? "__heapproof_maybe" : "__heapproof_never", E->getType(), {}, E->getExprLoc());
    E->setCallee(cast<CallExpr>(Asked)->getCallee());
    E->shrinkNumArgs(0);
  }

  /// True if an optimiser may find out the value of an expression.
  bool isKnowable(const Stmt *E) {
    if (isa<CallExpr>(E))
      return false;
    if (const auto *Name = dyn_cast<DeclRefExpr>(E))
      if (const auto *Variable = dyn_cast<VarDecl>(Name->getDecl()))
        return !Variable->getType().isVolatileQualified() &&
               (!Variable->hasExternalFormalLinkage() || Variable->getType().isConstQualified());
    for (const Stmt *Child : E->children())
      if (Child && !isKnowable(Child))
        return false;
    return true;
  }

  ASTContext &Context;
  Effects &All;
  Maker Make;
  unsigned &Number;
};

/// Says of compound literals which block they end with.
class Literals {
public:
  explicit Literals(ASTContext &Context) : Context(Context), Make(Context) {}

  void in(Stmt *S, const Stmt *Block) {
    if (!S)
      return;
    const Stmt *Around = Block;
    if (isa<CompoundStmt>(S) || isa<ForStmt>(S) || isa<WhileStmt>(S) || isa<DoStmt>(S) || isa<IfStmt>(S) ||
        isa<SwitchStmt>(S))
      Block = S;
    if (const auto *Declared = dyn_cast<DeclStmt>(S))
      for (const Decl *D : Declared->decls())
        if (const auto *Variable = dyn_cast<VarDecl>(D); Variable && Variable->hasGlobalStorage())
          return;
    for (Stmt *Child : S->children())
      in(Child, isBody(S, Child) ? Child : Block);
    // The mark holds the literal: it comes last.
    mark(S, Around);
  }

private:
  /// A substatement is a block of its own, with braces or without.
  static bool isBody(const Stmt *S, const Stmt *Child) {
    if (const auto *For = dyn_cast<ForStmt>(S))
      return Child == For->getBody();
    if (const auto *While = dyn_cast<WhileStmt>(S))
      return Child == While->getBody();
    if (const auto *Do = dyn_cast<DoStmt>(S))
      return Child == Do->getBody();
    if (const auto *If = dyn_cast<IfStmt>(S))
      return Child == If->getThen() || Child == If->getElse();
    if (const auto *Switch = dyn_cast<SwitchStmt>(S))
      return Child == Switch->getBody();
    return false;
  }

  void mark(Stmt *S, const Stmt *Block) {
    if (auto *Operation = dyn_cast<UnaryOperator>(S); Operation && Operation->getOpcode() == UO_AddrOf) {
      if (Expr *Marked = marked(Operation->getSubExpr(), Block))
        Operation->setSubExpr(Marked);
    } else if (auto *Cast = dyn_cast<ImplicitCastExpr>(S); Cast && Cast->getCastKind() == CK_ArrayToPointerDecay) {
      if (Expr *Marked = marked(Cast->getSubExpr(), Block))
        Cast->setSubExpr(Marked);
    } else if (auto *Part = dyn_cast<MemberExpr>(S); Part && !Part->isArrow()) {
      if (Expr *Marked = marked(Part->getBase(), Block))
        Part->setBase(Marked);
    } else if (auto *Paren = dyn_cast<ParenExpr>(S)) {
      if (Expr *Marked = marked(Paren->getSubExpr(), Block))
        Paren->setSubExpr(Marked);
    }
  }

  /// The literal with its mark; null for anything else, and where the text does not say where the block is.
  Expr *marked(Expr *E, const Stmt *Block) {
    auto *Literal = dyn_cast<CompoundLiteralExpr>(E);
    if (!Literal || Literal->isFileScope() || !Literal->isLValue() || !Block)
      return nullptr;
    const SourceManager &Sources = Context.getSourceManager();
    const SourceLocation First = Block->getBeginLoc(), Last = Block->getEndLoc(), At = Literal->getBeginLoc();
    if (First.isInvalid() || Last.isInvalid() || First.isMacroID() || Last.isMacroID())
      return nullptr;
    const FileID File = Sources.getFileID(First);
    // Lines that a directive numbers anew need not be in order.
    if (Sources.getSLocEntry(File).getFile().hasLineDirectives())
      return nullptr;
    if (Sources.getFileID(Last) != File || Sources.getFileID(Sources.getExpansionLoc(At)) != File)
      return nullptr;
    SmallVector<Expr *, 5> Arguments;
    for (const SourceLocation &Place : {First, Last}) {
      Arguments.push_back(Make.number(Sources.getSpellingLineNumber(Place), At));
      Arguments.push_back(Make.number(Sources.getSpellingColumnNumber(Place), At));
    }
    Arguments.push_back(Make.address(Literal));
    Expr *Back = Make.cast(Make.call("__heapproof_literal", Context.VoidPtrTy, Arguments, At),
                           Context.getPointerType(Literal->getType()), CK_BitCast);
    return Make.unary(UO_Deref, Back, Literal->getType());
  }

  ASTContext &Context;
  Maker Make;
};

} // namespace

void makeVisible(ASTContext &Context) {
  Effects All(Context);
  unsigned Number = 0;
  std::vector<Stmt *> Bodies;
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (const auto *Function = dyn_cast<FunctionDecl>(D); Function && Function->doesThisDeclarationHaveABody())
      Bodies.push_back(Function->getBody());
  for (Stmt *Body : Bodies)
    Find(Context, All, Number).TraverseStmt(Body);
  for (Stmt *Body : Bodies)
    Literals(Context).in(Body, Body);
}
