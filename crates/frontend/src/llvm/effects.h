// Which objects expressions read and write, by their names, members and types; for the order of evaluation.

#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

/// Some memory, as far as an expression tells.
struct Place {
  enum Kind {
    /// A variable to which something is only added, so that the order of such changes does not matter.
    Counter,
    /// A variable.
    Variable,
    /// A member of any structure.
    Member,
    /// Whatever has a type, through a pointer.
    Through,
    /// All memory that pointers may lead to.
    Anything,
    /// All of that and the variables that other files know.
    Everything,
  };
  Kind What;
  const void *Which;

  bool operator<(const Place &Other) const { return std::tie(What, Which) < std::tie(Other.What, Other.Which); }
};

/// What is read and written.
struct Access {
  std::set<Place> Reads, Writes;

  bool add(const Access &Other) {
    const size_t Before = Reads.size() + Writes.size();
    Reads.insert(Other.Reads.begin(), Other.Reads.end());
    Writes.insert(Other.Writes.begin(), Other.Writes.end());
    return Reads.size() + Writes.size() != Before;
  }
};

/// What the functions of a file do, and what expressions in them do.
class Effects {
public:
  explicit Effects(clang::ASTContext &Context);

  /// What an expression reads and writes, functions that it calls included. The value of an lvalue itself is not read.
  Access of(const clang::Expr *E);

  /// The same without calls and their arguments.
  Access ofItself(const clang::Expr *E) const;

  /// True if one writes what the other reads or writes, so that their order may matter.
  bool interfere(const Access &A, const Access &B) const;

  /// The same as far as the source shows it: one changes a variable of the other, or a variable that leads to memory which
  /// one changes is named in both. That two calls change members of different objects is taken for granted.
  bool interfereVisibly(const clang::Expr *A, const clang::Expr *B);

private:
  friend class Gather;
  friend class Notice;

  /// What one function does by itself, and whom it calls.
  struct Summary {
    Access Own;
    llvm::DenseSet<const clang::FunctionDecl *> Callees;
    bool CallsPointers = false;
  };

  void places(const clang::Expr *Lvalue, std::set<Place> &Into) const;
  const clang::VarDecl *root(const clang::Expr *Lvalue) const;
  bool meet(const Place &Written, const Place &Other) const;
  bool same(clang::QualType A, clang::QualType B) const;
  bool holds(clang::QualType Outer, clang::QualType Inner, unsigned Depth = 0) const;
  bool isExposed(const clang::VarDecl *Variable) const;
  Access library(const clang::FunctionDecl *Function) const;
  bool isFresh(const clang::Expr *Pointer) const;

  clang::ASTContext &Context;
  llvm::DenseMap<const clang::FunctionDecl *, Summary> Functions;
  /// What calls do in all.
  llvm::DenseMap<const clang::FunctionDecl *, Access> Calls;
  Access ByPointer;
  llvm::DenseSet<const clang::FunctionDecl *> Pointed;
  /// Variables and members whose address is taken.
  llvm::DenseSet<const clang::ValueDecl *> Taken;
  /// Variables that hold the addresses of new blocks only, and those that hold others, too.
  llvm::DenseSet<const clang::VarDecl *> Fresh, Stale;
  /// Functions that do not only return new blocks.
  llvm::DenseSet<const clang::FunctionDecl *> NotMakers;
};
