//! Terms: immutable, shared nodes. Two terms with the same structure are the same node, so equality and hashing cost
//! nothing, and a term may be handed to another thread.
//!
//! The nodes are kept in one table for the whole process, split in shards with a lock each. The table drops nodes that
//! nobody else holds when it has grown to twice its size. It never holds two nodes of the same structure, and as it
//! holds the arguments of each node, too, dropping a deep term is no recursion.

mod op;
mod sort;

pub use op::{BvOp, BvRel, Op};
pub use sort::{MAX_WIDTH, Sort};

use hashbrown::HashTable;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// The name of a variable. Variables of equal name and sort are the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// A text; any characters.
    Text(Arc<str>),
    /// A word and a number: cheap to make.
    Numbered(&'static str, u64),
    /// A variable that a quantifier binds. Such variables never occur outside of one when a solver is asked.
    Bound(u64),
}

impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::Text(text.into())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Text(text) => f.write_str(text),
            Name::Numbered(word, number) => write!(f, "{word}{number}"),
            Name::Bound(number) => write!(f, "?{number}"),
        }
    }
}

/// An uninterpreted function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Function(Arc<Signature>);

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Signature {
    name: Name,
    args: Vec<Sort>,
    result: Sort,
}

impl Function {
    /// The function of a name, from some sorts to another one.
    pub fn new(name: impl Into<Name>, args: Vec<Sort>, result: Sort) -> Function {
        Function(Arc::new(Signature { name: name.into(), args, result }))
    }

    /// Its name.
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// The sorts that it takes.
    pub fn args(&self) -> &[Sort] {
        &self.0.args
    }

    /// The sort that it gives.
    pub fn result(&self) -> &Sort {
        &self.0.result
    }

    /// The function applied to arguments.
    ///
    /// # Panics
    /// If the arguments have other sorts.
    pub fn apply(&self, args: impl IntoIterator<Item = Term>) -> Term {
        let args: Args = args.into_iter().collect();
        let fits =
            args.len() == self.0.args.len() && args.iter().zip(&self.0.args).all(|(a, s)| a.sort() == s);
        assert!(fits, "`{}` is applied to arguments of other sorts", self.name());
        Term::intern(Kind::Call(self.clone()), self.0.result.clone(), args)
    }
}

/// What a quantifier binds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Binder {
    /// For all values, not for some.
    pub for_all: bool,
    /// The variables, all of them [`Name::Bound`].
    pub vars: Vec<Term>,
    /// How many terms each trigger has. The terms follow the body in the arguments.
    triggers: Vec<usize>,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A variable.
    Var(Name),
    /// A truth value.
    Bool(bool),
    /// A bit vector.
    Bits(u128),
    /// An integer.
    Int(i128),
    /// An operator, applied to the arguments.
    Op(Op),
    /// An uninterpreted function, applied to the arguments.
    Call(Function),
    /// A quantifier. The first argument is its body, the others are the terms of the triggers.
    Quantifier(Arc<Binder>),
}

/// The arguments of a node.
pub(crate) type Args = SmallVec<[Term; 3]>;

#[derive(Debug)]
struct Node {
    hash: u64,
    kind: Kind,
    sort: Sort,
    args: Args,
    /// Has a variable that a quantifier outside of it has to bind.
    open: bool,
}

/// A term. Cloning it copies a pointer. See the methods of `build` for making one.
///
/// The order of terms is fixed by their structure (it does not depend on when they were made), but has no meaning.
#[derive(Clone)]
pub struct Term(Arc<Node>);

impl Term {
    /// What the node is.
    pub fn kind(&self) -> &Kind {
        &self.0.kind
    }

    /// The sort of its value.
    pub fn sort(&self) -> &Sort {
        &self.0.sort
    }

    /// What the node is applied to.
    pub fn args(&self) -> &[Term] {
        &self.0.args
    }

    /// The operator with its arguments.
    pub fn as_op(&self) -> Option<(Op, &[Term])> {
        match self.0.kind {
            Kind::Op(op) => Some((op, &self.0.args)),
            _ => None,
        }
    }

    /// The arguments if the node has this operator.
    pub(crate) fn args_of(&self, wanted: Op) -> Option<&[Term]> {
        self.as_op().filter(|(op, _)| *op == wanted).map(|(_, args)| args)
    }

    /// The truth value that the term is.
    pub fn as_bool(&self) -> Option<bool> {
        match self.0.kind {
            Kind::Bool(value) => Some(value),
            _ => None,
        }
    }

    /// The bit vector that the term is.
    pub fn as_bits(&self) -> Option<u128> {
        match self.0.kind {
            Kind::Bits(value) => Some(value),
            _ => None,
        }
    }

    /// The integer that the term is.
    pub fn as_int(&self) -> Option<i128> {
        match self.0.kind {
            Kind::Int(value) => Some(value),
            _ => None,
        }
    }

    /// True for a value that is written out.
    pub fn is_constant(&self) -> bool {
        matches!(self.0.kind, Kind::Bool(_) | Kind::Bits(_) | Kind::Int(_))
    }

    /// True for a variable.
    pub fn is_var(&self) -> bool {
        matches!(self.0.kind, Kind::Var(_))
    }

    /// True if a variable in it has to be bound by a quantifier outside.
    pub fn is_open(&self) -> bool {
        self.0.open
    }

    /// The width of a bit vector.
    ///
    /// # Panics
    /// If the term is no bit vector.
    pub fn width(&self) -> u8 {
        self.sort().width().unwrap_or_else(|| panic!("no bit vector: {self}"))
    }

    /// The triggers of a quantifier, each with its terms.
    pub fn triggers(&self) -> Vec<&[Term]> {
        let Kind::Quantifier(binder) = self.kind() else { return Vec::new() };
        let mut rest = &self.args()[1..];
        let mut triggers = Vec::new();
        for count in &binder.triggers {
            let (trigger, others) = rest.split_at(*count);
            triggers.push(trigger);
            rest = others;
        }
        triggers
    }

    /// An operator applied to arguments, as it stands: nothing is simplified.
    ///
    /// # Panics
    /// If the arguments have the wrong sorts: a mistake of the caller.
    pub fn raw(op: Op, args: impl IntoIterator<Item = Term>) -> Term {
        let args: Args = args.into_iter().collect();
        match op.result(&args) {
            Ok(sort) => Term::intern(Kind::Op(op), sort, args),
            Err(why) => {
                let sorts: Vec<String> = args.iter().map(|arg| arg.sort().to_string()).collect();
                panic!("{op:?} of {}: {why}", sorts.join(", "))
            }
        }
    }

    /// A quantifier, as it stands.
    pub(crate) fn quantifier(for_all: bool, vars: Vec<Term>, triggers: &[Vec<Term>], body: Term) -> Term {
        assert!(*body.sort() == Sort::Bool, "the body of a quantifier is no truth value");
        assert!(
            vars.iter().all(|var| matches!(var.kind(), Kind::Var(Name::Bound(_)))),
            "not made to be bound"
        );
        let counts = triggers.iter().map(Vec::len).collect();
        let args = std::iter::once(body).chain(triggers.iter().flatten().cloned()).collect();
        let binder = Arc::new(Binder { for_all, vars, triggers: counts });
        Term::intern(Kind::Quantifier(binder), Sort::Bool, args)
    }

    /// The node of this structure, from the table or new.
    pub(crate) fn intern(kind: Kind, sort: Sort, args: Args) -> Term {
        let hash = structure(&kind, &sort, &args);
        let mut shard = TABLE[(hash >> 58) as usize].lock().unwrap_or_else(PoisonError::into_inner);
        let same = |term: &Term| {
            let node = &term.0;
            node.hash == hash && node.args == args && node.kind == kind && node.sort == sort
        };
        if let Some(term) = shard.terms.find(hash, same) {
            return term.clone();
        }
        shard.sweep_if_full();
        let open = is_open(&kind, &args);
        let term = Term(Arc::new(Node { hash, kind, sort, args, open }));
        shard.terms.insert_unique(hash, term.clone(), |term| term.0.hash);
        term
    }

    /// All terms in `roots`, each once, arguments before what uses them.
    pub fn dag<'a>(roots: impl IntoIterator<Item = &'a Term>) -> Vec<Term> {
        let mut order = Vec::new();
        let mut seen: HashSet<Term> = HashSet::new();
        let mut stack: Vec<(&Term, usize)> = Vec::new();
        for root in roots {
            if seen.insert(root.clone()) {
                stack.push((root, 0));
            }
            while let Some((term, next)) = stack.pop() {
                match term.args().get(next) {
                    Some(arg) => {
                        stack.push((term, next + 1));
                        if seen.insert(arg.clone()) {
                            stack.push((arg, 0));
                        }
                    }
                    None => order.push(term.clone()),
                }
            }
        }
        order
    }
}

fn is_open(kind: &Kind, args: &[Term]) -> bool {
    match kind {
        Kind::Var(name) => matches!(name, Name::Bound(_)),
        Kind::Quantifier(binder) => {
            args.iter().any(|arg| arg.is_open()) && has_free_bound(&binder.vars, args)
        }
        _ => args.iter().any(|arg| arg.is_open()),
    }
}

/// True if an argument has a variable for a quantifier other than those of `bound`.
fn has_free_bound(bound: &[Term], args: &[Term]) -> bool {
    let mut seen = HashSet::new();
    let mut stack: Vec<(Term, Vec<Term>)> = args.iter().map(|arg| (arg.clone(), bound.to_vec())).collect();
    while let Some((term, bound)) = stack.pop() {
        if !term.is_open() || bound.contains(&term) || !seen.insert((term.clone(), bound.clone())) {
            continue;
        }
        match term.kind() {
            Kind::Var(_) => return true,
            Kind::Quantifier(binder) => {
                let bound: Vec<Term> = bound.iter().chain(&binder.vars).cloned().collect();
                stack.extend(term.args().iter().map(|arg| (arg.clone(), bound.clone())));
            }
            _ => stack.extend(term.args().iter().map(|arg| (arg.clone(), bound.clone()))),
        }
    }
    false
}

impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Term {}

impl Hash for Term {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.hash);
    }
}

impl Ord for Term {
    fn cmp(&self, other: &Term) -> Ordering {
        if self == other {
            return Ordering::Equal;
        }
        let (a, b) = (&self.0, &other.0);
        // The rest matters only for different terms with the same hash.
        a.hash.cmp(&b.hash).then_with(|| (&a.kind, &a.sort, &a.args).cmp(&(&b.kind, &b.sort, &b.args)))
    }
}

impl PartialOrd for Term {
    fn partial_cmp(&self, other: &Term) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const SHARDS: usize = 64;
const SMALLEST: usize = 1 << 10;

static TABLE: LazyLock<Vec<Mutex<Shard>>> = LazyLock::new(|| {
    let shard = || Mutex::new(Shard { terms: HashTable::new(), full: SMALLEST });
    std::iter::repeat_with(shard).take(SHARDS).collect()
});

struct Shard {
    terms: HashTable<Term>,
    /// With so many nodes those that nobody holds are dropped.
    full: usize,
}

impl Shard {
    fn sweep_if_full(&mut self) {
        if self.terms.len() >= self.full {
            // Only through the table, which is locked, could a node with one owner get another one.
            self.terms.retain(|term| Arc::strong_count(&term.0) > 1);
            self.full = SMALLEST.max(2 * self.terms.len());
        }
    }
}

/// How many nodes the table holds.
pub fn nodes() -> usize {
    TABLE.iter().map(|shard| shard.lock().unwrap_or_else(PoisonError::into_inner).terms.len()).sum()
}

/// A hash that is the same in every run and on every thread.
fn structure(kind: &Kind, sort: &Sort, args: &[Term]) -> u64 {
    let mut mixer = Mixer(args.len() as u64);
    kind.hash(&mut mixer);
    sort.hash(&mut mixer);
    args.iter().for_each(|arg| mixer.write_u64(arg.0.hash));
    mixer.finish()
}

struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(number.into());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0.rotate_left(25) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        let folded = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        folded ^ (folded >> 32)
    }
}
