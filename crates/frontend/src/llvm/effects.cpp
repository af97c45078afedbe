// Which objects expressions read and write, by their names, members and types; for the order of evaluation.

#include "effects.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtVisitor.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace {

const Expr *plain(const Expr *E) { return E->IgnoreParens(); }

/// The array whose element or member an expression names without a pointer, or null.
const Expr *decayed(const Expr *E) {
  const auto *Cast = dyn_cast<ImplicitCastExpr>(plain(E));
  return Cast && Cast->getCastKind() == CK_ArrayToPointerDecay ? plain(Cast->getSubExpr()) : nullptr;
}

bool allocates(StringRef Name) {
  return Name == "malloc" || Name == "calloc" || Name == "alloca" || Name == "__builtin_alloca" ||
         Name == "__builtin_malloc" || Name == "__builtin_calloc" || Name == "strdup" || Name == "aligned_alloc";
}

bool isUnion(const MemberExpr *E) {
  const auto *Field = dyn_cast<FieldDecl>(E->getMemberDecl());
  return !Field || Field->getParent()->isUnion();
}

} // namespace

/// Collects the facts about a whole file: addresses that are taken, variables that hold new blocks only.
class Notice : public RecursiveASTVisitor<Notice> {
public:
  explicit Notice(Effects &All) : All(All) {}

  bool TraverseFunctionDecl(FunctionDecl *Function) {
    const FunctionDecl *Before = Inside;
    Inside = Function->getCanonicalDecl();
    const bool More = RecursiveASTVisitor::TraverseFunctionDecl(Function);
    Inside = Before;
    return More;
  }

  bool VisitUnaryOperator(UnaryOperator *E) {
    if (E->getOpcode() == UO_AddrOf)
      taken(E->getSubExpr());
    return true;
  }

  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    if (const Expr *Array = decayed(E->getBase()))
      Indexed.insert(Array);
    return true;
  }

  bool VisitImplicitCastExpr(ImplicitCastExpr *E) {
    if (E->getCastKind() == CK_ArrayToPointerDecay && !Indexed.count(plain(E->getSubExpr())))
      taken(E->getSubExpr());
    return true;
  }

  bool VisitCallExpr(CallExpr *E) {
    Called.insert(E->getCallee()->IgnoreParenImpCasts());
    return true;
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) {
    const auto *Function = dyn_cast<FunctionDecl>(E->getDecl());
    if (Function && !Called.count(E))
      All.Pointed.insert(Function->getCanonicalDecl());
    return true;
  }

  bool VisitVarDecl(VarDecl *Variable) {
    if (const Expr *Value = Variable->getInit())
      Values.push_back({Variable, Value});
    if (!Variable->isLocalVarDecl() || Variable->isStaticLocal())
      All.Stale.insert(Variable);
    return true;
  }

  bool VisitBinaryOperator(BinaryOperator *E) {
    const auto *Name = dyn_cast<DeclRefExpr>(plain(E->getLHS()));
    const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
    if (Variable && E->isAssignmentOp()) {
      if (E->getOpcode() == BO_Assign)
        Values.push_back({Variable, E->getRHS()});
      else
        All.Stale.insert(Variable);
    }
    return true;
  }

  bool VisitReturnStmt(ReturnStmt *S) {
    if (S->getRetValue())
      Results.push_back({Inside, S->getRetValue()});
    return true;
  }

  /// Finds out which variables hold new blocks only: all are thought to, until something speaks against it.
  void settle() {
    for (const auto &[Variable, Value] : Values)
      All.Fresh.insert(Variable);
    for (const ValueDecl *Declared : All.Taken)
      if (const auto *Variable = dyn_cast<VarDecl>(Declared))
        All.Stale.insert(Variable);
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const auto &[Variable, Value] : Values)
        if (!All.isFresh(Value))
          Changed |= All.Stale.insert(Variable).second;
      for (const auto &[Function, Value] : Results)
        if (!All.isFresh(Value))
          Changed |= All.NotMakers.insert(Function).second;
    }
  }

private:
  void taken(const Expr *Lvalue) {
    for (const Expr *E = plain(Lvalue);;) {
      if (const auto *Member = dyn_cast<MemberExpr>(E)) {
        All.Taken.insert(Member->getMemberDecl());
        if (Member->isArrow())
          return;
        E = plain(Member->getBase());
      } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
        const Expr *Array = decayed(Element->getBase());
        if (!Array)
          return;
        E = Array;
      } else {
        if (const auto *Name = dyn_cast<DeclRefExpr>(E))
          All.Taken.insert(Name->getDecl());
        return;
      }
    }
  }

  Effects &All;
  const FunctionDecl *Inside = nullptr;
  llvm::DenseSet<const Expr *> Indexed, Called;
  std::vector<std::pair<const VarDecl *, const Expr *>> Values;
  std::vector<std::pair<const FunctionDecl *, const Expr *>> Results;
};

/// Gathers what an expression or statement reads and writes by itself, and whom it calls.
class Gather : public ConstStmtVisitor<Gather> {
public:
  Gather(const Effects &All, Effects::Summary &Into, bool SkipsCalls = false)
      : All(All), Into(Into), SkipsCalls(SkipsCalls) {}

  void VisitStmt(const Stmt *S) {
    for (const Stmt *Child : S->children())
      if (Child)
        Visit(Child);
  }

  void VisitCompoundStmt(const CompoundStmt *S) {
    for (const Stmt *Child : S->body())
      if (!count(Child))
        Visit(Child);
  }

  void VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr *) {}
  void VisitConstantExpr(const ConstantExpr *) {}
  void VisitChooseExpr(const ChooseExpr *E) { Visit(E->getChosenSubExpr()); }
  void VisitGenericSelectionExpr(const GenericSelectionExpr *E) { Visit(E->getResultExpr()); }

  void VisitDeclStmt(const DeclStmt *S) {
    for (const Decl *D : S->decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D))
        if (Variable->getInit() && !Variable->isStaticLocal())
          Visit(Variable->getInit());
  }

  void VisitImplicitCastExpr(const ImplicitCastExpr *E) {
    if (E->getCastKind() == CK_LValueToRValue)
      All.places(E->getSubExpr(), Into.Own.Reads);
    VisitStmt(E);
  }

  void VisitBinaryOperator(const BinaryOperator *E) {
    if (E->isAssignmentOp()) {
      All.places(E->getLHS(), Into.Own.Writes);
      if (E->isCompoundAssignmentOp())
        All.places(E->getLHS(), Into.Own.Reads);
    }
    VisitStmt(E);
  }

  void VisitUnaryOperator(const UnaryOperator *E) {
    if (E->isIncrementDecrementOp()) {
      All.places(E->getSubExpr(), Into.Own.Writes);
      All.places(E->getSubExpr(), Into.Own.Reads);
    }
    VisitStmt(E);
  }

  void VisitVAArgExpr(const VAArgExpr *E) {
    // A list of arguments has no memory in common with anything else.
    const Expr *List = E->getSubExpr()->IgnoreParenImpCasts();
    if (const VarDecl *Variable = All.root(List))
      Into.Own.Writes.insert({Place::Variable, Variable});
    else
      All.places(List, Into.Own.Writes);
  }

  void VisitCallExpr(const CallExpr *E) {
    const FunctionDecl *Function = E->getDirectCallee();
    if (SkipsCalls || (Function && Function->getBuiltinID() == Builtin::BI__builtin_constant_p))
      return;
    if (Function)
      Into.Callees.insert(Function->getCanonicalDecl());
    else
      Into.CallsPointers = true;
    VisitStmt(E);
  }

  void VisitGCCAsmStmt(const GCCAsmStmt *) { Into.Own.Writes.insert({Place::Everything, nullptr}); }

private:
  /// A statement that only adds to an integer variable.
  bool count(const Stmt *S) {
    const auto *Step = dyn_cast<UnaryOperator>(S);
    const auto *Sum = dyn_cast<CompoundAssignOperator>(S);
    const bool IsStep = Step && Step->isIncrementDecrementOp();
    const bool IsSum = Sum && (Sum->getOpcode() == BO_AddAssign || Sum->getOpcode() == BO_SubAssign);
    if (!IsStep && !IsSum)
      return false;
    const auto *Name = dyn_cast<DeclRefExpr>(plain(IsStep ? Step->getSubExpr() : Sum->getLHS()));
    const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
    if (!Variable || !Variable->getType()->isIntegerType() || All.isExposed(Variable))
      return false;
    Into.Own.Writes.insert({Place::Counter, Variable});
    if (IsSum)
      Visit(Sum->getRHS());
    return true;
  }

  const Effects &All;
  Effects::Summary &Into;
  bool SkipsCalls;
};

Effects::Effects(ASTContext &Context) : Context(Context) {
  Notice Facts(*this);
  Facts.TraverseDecl(Context.getTranslationUnitDecl());
  Facts.settle();
  for (Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function || !Function->doesThisDeclarationHaveABody())
      continue;
    Summary &Found = Functions[Function->getCanonicalDecl()];
    Gather(*this, Found).Visit(Function->getBody());
    // Its own variables are others at each call.
    auto IsOwn = [](const Place &P) {
      return P.What <= Place::Variable && static_cast<const VarDecl *>(P.Which)->hasLocalStorage();
    };
    for (std::set<Place> *Places : {&Found.Own.Reads, &Found.Own.Writes})
      for (auto At = Places->begin(); At != Places->end();)
        At = IsOwn(*At) ? Places->erase(At) : std::next(At);
  }
  for (auto &[Function, Found] : Functions)
    Calls[Function] = Found.Own;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (auto &[Function, Found] : Functions) {
      if (Pointed.count(Function))
        Changed |= ByPointer.add(Calls[Function]);
      for (const FunctionDecl *Callee : Found.Callees)
        Changed |= Calls[Function].add(Functions.count(Callee) ? Access(Calls[Callee]) : library(Callee));
      if (Found.CallsPointers)
        Changed |= Calls[Function].add(ByPointer);
    }
  }
}

Access Effects::of(const Expr *E) {
  Summary Found;
  Gather(*this, Found).Visit(E);
  for (const FunctionDecl *Callee : Found.Callees)
    Found.Own.add(Functions.count(Callee) ? Calls[Callee] : library(Callee));
  if (Found.CallsPointers)
    Found.Own.add(ByPointer);
  return Found.Own;
}

Access Effects::ofItself(const Expr *E) const {
  Summary Found;
  Gather(*this, Found, /*SkipsCalls=*/true).Visit(E);
  return Found.Own;
}

/// What a function without code does. The C library knows no variable of the program, and writes through pointers only.
Access Effects::library(const FunctionDecl *Function) const {
  Access Found;
  const StringRef Name = Function->getDeclName().isIdentifier() ? Function->getName() : "";
  const bool IsLibrary = Function->getBuiltinID() || Name.starts_with("__VERIFIER_") || Name.starts_with("__builtin_") ||
                         Context.getSourceManager().isInSystemHeader(Function->getLocation());
  // Our own marks, see `open.cpp`, do nothing.
  if (allocates(Name) || Function->isNoReturn() || Name.starts_with("__heapproof_"))
    return Found;
  if (!IsLibrary) {
    Found.Reads.insert({Place::Everything, nullptr});
    Found.Writes.insert({Place::Everything, nullptr});
    return Found;
  }
  bool Writes = Name.contains("scanf");
  for (const ParmVarDecl *Parameter : Function->parameters()) {
    const QualType Type = Parameter->getType();
    if (!Type->isAnyPointerType())
      continue;
    Found.Reads.insert({Place::Anything, nullptr});
    // A `FILE` and the like is nothing that the program sees.
    const QualType To = Type->getPointeeType();
    const auto *Record = To->getAsRecordDecl();
    const bool IsOpaque = Record && Context.getSourceManager().isInSystemHeader(Record->getLocation());
    Writes |= !To.isConstQualified() && !IsOpaque;
  }
  if (Writes)
    Found.Writes.insert({Place::Anything, nullptr});
  return Found;
}

/// True for the address of a block that is new, or null.
bool Effects::isFresh(const Expr *Pointer) const {
  const Expr *E = Pointer->IgnoreParenCasts();
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Function = Call->getDirectCallee();
    if (!Function || !Function->getDeclName().isIdentifier())
      return false;
    return allocates(Function->getName()) ||
           (Function->hasBody() && !NotMakers.count(Function->getCanonicalDecl()));
  }
  if (const auto *Name = dyn_cast<DeclRefExpr>(E)) {
    const auto *Variable = dyn_cast<VarDecl>(Name->getDecl());
    return Variable && !isa<ParmVarDecl>(Variable) && Fresh.count(Variable) && !Stale.count(Variable);
  }
  return E->isNullPointerConstant(Context, Expr::NPC_ValueDependentIsNotNull) != Expr::NPCK_NotNull;
}

/// The variable that an lvalue is a part of.
const VarDecl *Effects::root(const Expr *Lvalue) const {
  for (const Expr *E = plain(Lvalue);;) {
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (Member->isArrow())
        return nullptr;
      E = plain(Member->getBase());
    } else if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E)) {
      const Expr *Array = decayed(Element->getBase());
      if (!Array)
        return nullptr;
      E = Array;
    } else if (const auto *Part = dyn_cast<UnaryOperator>(E);
               Part && (Part->getOpcode() == UO_Real || Part->getOpcode() == UO_Imag)) {
      E = plain(Part->getSubExpr());
    } else {
      const auto *Name = dyn_cast<DeclRefExpr>(E);
      return Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
    }
  }
}

/// True if pointers may lead to a variable.
bool Effects::isExposed(const VarDecl *Variable) const {
  if (Taken.count(Variable))
    return true;
  return Variable->hasGlobalStorage() && Variable->hasExternalFormalLinkage() && !Variable->hasInit() &&
         Variable->hasExternalStorage();
}

/// Where an lvalue is.
void Effects::places(const Expr *Lvalue, std::set<Place> &Into) const {
  const Expr *E = plain(Lvalue);
  if (isa<CompoundLiteralExpr>(E) || isa<StringLiteral>(E) || isa<PredefinedExpr>(E))
    return;
  const VarDecl *Variable = root(E);
  if (Variable)
    Into.insert({Place::Variable, Variable});
  if (Variable && !isExposed(Variable))
    return;
  bool InUnion = false;
  const Expr *At = E;
  while (const auto *Member = dyn_cast<MemberExpr>(At)) {
    InUnion |= isUnion(Member);
    At = plain(Member->getBase());
    if (Member->isArrow()) {
      if (isFresh(At))
        return;
      break;
    }
  }
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E); Element && !decayed(Element->getBase()) && isFresh(Element->getBase()))
    return;
  if (const auto *Pointed = dyn_cast<UnaryOperator>(E);
      Pointed && Pointed->getOpcode() == UO_Deref && isFresh(Pointed->getSubExpr()))
    return;
  if (InUnion)
    Into.insert({Place::Anything, nullptr});
  else if (const auto *Member = dyn_cast<MemberExpr>(E); Member && !E->getType()->isRecordType())
    Into.insert({Place::Member, Member->getMemberDecl()});
  else
    Into.insert({Place::Through, E->getType().getCanonicalType().getUnqualifiedType().getTypePtr()});
}

/// True if an object of one type may be seen as one of another.
bool Effects::same(QualType A, QualType B) const {
  if (A->isAnyCharacterType() || B->isAnyCharacterType() || A->isVoidType() || B->isVoidType())
    return true;
  if (A->isAnyPointerType() && B->isAnyPointerType())
    return true;
  if (A->isIntegralOrEnumerationType() && B->isIntegralOrEnumerationType())
    return Context.getTypeSize(A) == Context.getTypeSize(B);
  return Context.hasSameUnqualifiedType(A, B);
}

/// True if an object of one type has one of the other inside.
bool Effects::holds(QualType Outer, QualType Inner, unsigned Depth) const {
  if (Outer->isIncompleteType() || Inner->isIncompleteType() || Depth > 8)
    return true;
  if (same(Outer, Inner))
    return true;
  if (const ArrayType *Array = Context.getAsArrayType(Outer))
    return holds(Array->getElementType(), Inner, Depth + 1);
  if (const auto *Record = Outer->getAsRecordDecl())
    for (const FieldDecl *Field : Record->fields())
      if (holds(Field->getType(), Inner, Depth + 1))
        return true;
  return false;
}

bool Effects::meet(const Place &Written, const Place &Other) const {
  const Place *A = &Written, *B = &Other;
  if (A->What > B->What)
    std::swap(A, B);
  auto TypeOf = [](const Place &P) { return QualType(static_cast<const Type *>(P.Which), 0); };
  switch (A->What) {
  case Place::Counter:
    return B->What == Place::Variable ? A->Which == B->Which : B->What == Place::Everything;
  case Place::Variable: {
    const auto *Variable = static_cast<const VarDecl *>(A->Which);
    switch (B->What) {
    case Place::Counter:
    case Place::Variable:
      return A->Which == B->Which;
    case Place::Member:
      return false; // A variable that pointers lead to is listed by its members, too.
    case Place::Through:
      return isExposed(Variable) && holds(Variable->getType(), TypeOf(*B));
    case Place::Anything:
      return isExposed(Variable);
    case Place::Everything:
      return isExposed(Variable) || (Variable->hasGlobalStorage() && Variable->hasExternalFormalLinkage());
    }
    return true;
  }
  case Place::Member: {
    const auto *Field = dyn_cast<FieldDecl>(static_cast<const ValueDecl *>(A->Which));
    if (B->What == Place::Member)
      return A->Which == B->Which;
    if (B->What != Place::Through || !Field)
      return true;
    const QualType Type = TypeOf(*B);
    if (Type->isRecordType())
      return holds(Type, Context.getRecordType(Field->getParent()));
    return Taken.count(Field) && holds(Field->getType(), Type);
  }
  case Place::Through:
    return B->What != Place::Through || holds(TypeOf(*A), TypeOf(*B)) || holds(TypeOf(*B), TypeOf(*A));
  default:
    return true;
  }
}

bool Effects::interfere(const Access &A, const Access &B) const {
  auto Hits = [&](const std::set<Place> &Writes, const std::set<Place> &Others) {
    for (const Place &Write : Writes)
      for (const Place &Other : Others)
        if (meet(Write, Other))
          return true;
    return false;
  };
  return Hits(A.Writes, B.Reads) || Hits(A.Writes, B.Writes) || Hits(B.Writes, A.Reads);
}

namespace {

/// The variables that an expression names.
void named(const Stmt *E, llvm::DenseSet<const ValueDecl *> &Into) {
  if (const auto *Name = dyn_cast<DeclRefExpr>(E); Name && isa<VarDecl>(Name->getDecl()))
    Into.insert(Name->getDecl());
  for (const Stmt *Child : E->children())
    if (Child)
      named(Child, Into);
}

} // namespace

bool Effects::interfereVisibly(const Expr *A, const Expr *B) {
  Access One = of(A), Other = of(B);
  if ((One.Writes.empty() && Other.Writes.empty()) || !interfere(One, Other))
    return false;
  llvm::DenseSet<const ValueDecl *> In, Too;
  named(A, In);
  named(B, Too);
  for (const ValueDecl *Variable : In) {
    const QualType To = Variable->getType()->getPointeeType();
    const bool Leads = !To.isNull() && !To->isFunctionType() && !To->isVoidType() && !To.isConstQualified();
    if (Too.count(Variable) && (Leads || Taken.count(Variable)))
      return true;
  }
  // What is left are variables that the source names.
  for (std::set<Place> *Places : {&One.Reads, &One.Writes, &Other.Reads, &Other.Writes})
    for (auto At = Places->begin(); At != Places->end();)
      At = At->What > Place::Variable ? Places->erase(At) : std::next(At);
  return interfere(One, Other);
}
