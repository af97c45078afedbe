//! Built-in equality: union-find over terms `x + c`, with reasons.
//!
//! Every class has a representative `r`, and every member `x` is known as `r + c`. So `p = q` gives `p + 1 = q + 1`
//! without any work, and `p + 1 = p` is seen to be false. Integers are members of the class of [`ZERO`].
//! Merging is undone in reverse order; a forest of the asserted equalities gives the reasons of any equality
//! (Nieuwenhuis and Oliveras, "Proof-producing congruence closure").

use crate::sat::Lit;

/// A variable of the goal, a fresh variable of a rule, or zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(pub u32);

/// The node that is the number 0.
pub const ZERO: Node = Node(0);

/// The value of a node plus a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value {
    /// The node.
    pub base: Node,
    /// What is added to it.
    pub offset: i128,
}

impl Value {
    /// The number `n`.
    pub fn number(n: i128) -> Value {
        Value { base: ZERO, offset: n }
    }

    /// The node itself.
    pub fn node(base: Node) -> Value {
        Value { base, offset: 0 }
    }

    /// This plus a number.
    pub fn plus(self, n: i128) -> Value {
        Value { base: self.base, offset: self.offset + n }
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    to: Node,
    reason: Lit,
}

#[derive(Debug)]
struct Undo {
    child: Node,
    root: Node,
    /// The node whose path in the forest was turned around, and what it pointed to before.
    turned: Vec<(Node, Option<Edge>)>,
}

/// What came of an asserted equality.
#[derive(Debug)]
pub enum Merge {
    /// It was known.
    Known,
    /// These nodes now have another representative.
    Moved(Vec<Node>),
    /// It contradicts what these literals say.
    Conflict(Vec<Lit>),
}

/// The classes.
#[derive(Debug, Default)]
pub struct Equality {
    parent: Vec<Node>,
    /// Value of the node minus value of its parent.
    delta: Vec<i128>,
    members: Vec<Vec<Node>>,
    forest: Vec<Option<Edge>>,
    undo: Vec<Undo>,
}

impl Equality {
    /// One more node, alone in its class.
    pub fn new_node(&mut self) -> Node {
        let node = Node(self.parent.len() as u32);
        self.parent.push(node);
        self.delta.push(0);
        self.members.push(vec![node]);
        self.forest.push(None);
        node
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// The representative with the difference.
    pub fn find(&self, value: Value) -> Value {
        let mut at = value;
        loop {
            let parent = self.parent[at.base.0 as usize];
            if parent == at.base {
                return at;
            }
            at = Value { base: parent, offset: at.offset + self.delta[at.base.0 as usize] };
        }
    }

    /// The known difference `a - b`.
    pub fn difference(&self, a: Value, b: Value) -> Option<i128> {
        let (a, b) = (self.find(a), self.find(b));
        (a.base == b.base).then(|| a.offset - b.offset)
    }

    /// The number that a value is known to be.
    pub fn number(&self, value: Value) -> Option<i128> {
        self.difference(value, Value::number(0))
    }

    /// All nodes of the class of `node`.
    pub fn class(&self, node: Node) -> &[Node] {
        &self.members[self.find(Value::node(node)).base.0 as usize]
    }

    /// Whether `a` and `b` are known to be equal.
    pub fn equal(&self, a: Value, b: Value) -> bool {
        self.difference(a, b) == Some(0)
    }

    /// Asserts `a = b`, because `reason` is true.
    pub fn merge(&mut self, a: Value, b: Value, reason: Lit) -> Merge {
        let (ra, rb) = (self.find(a), self.find(b));
        if ra.base == rb.base {
            if ra.offset == rb.offset {
                return Merge::Known;
            }
            let mut why = vec![reason];
            self.explain(a, b, &mut why);
            return Merge::Conflict(why);
        }
        // The smaller class moves. a = ra, b = rb: root of a = root of b + (rb.offset - ra.offset).
        let small = self.members[ra.base.0 as usize].len() <= self.members[rb.base.0 as usize].len();
        let (child, root, delta, from, to) = if small {
            (ra.base, rb.base, rb.offset - ra.offset, a.base, b.base)
        } else {
            (rb.base, ra.base, ra.offset - rb.offset, b.base, a.base)
        };
        let turned = self.turn(from, Edge { to, reason });
        self.parent[child.0 as usize] = root;
        self.delta[child.0 as usize] = delta;
        let moved = self.members[child.0 as usize].clone();
        self.members[root.0 as usize].extend_from_slice(&moved);
        self.undo.push(Undo { child, root, turned });
        Merge::Moved(moved)
    }

    /// Makes `from` the root of its tree in the forest and hangs it below `edge.to`.
    fn turn(&mut self, from: Node, edge: Edge) -> Vec<(Node, Option<Edge>)> {
        let mut turned = Vec::new();
        let mut at = from;
        let mut next = Some(edge);
        loop {
            let old = self.forest[at.0 as usize];
            turned.push((at, old));
            self.forest[at.0 as usize] = next;
            match old {
                None => return turned,
                Some(e) => {
                    next = Some(Edge { to: at, reason: e.reason });
                    at = e.to;
                }
            }
        }
    }

    /// Adds the literals that make `a` and `b` members of one class.
    pub fn explain(&self, a: Value, b: Value, why: &mut Vec<Lit>) {
        let mut path = vec![a.base];
        let mut at = a.base;
        while let Some(edge) = self.forest[at.0 as usize] {
            at = edge.to;
            path.push(at);
        }
        let mut at = b.base;
        let meet = loop {
            if let Some(position) = path.iter().position(|&n| n == at) {
                break position;
            }
            let edge = self.forest[at.0 as usize].expect("nodes of one class are in one tree");
            why.push(edge.reason);
            at = edge.to;
        };
        for &node in &path[..meet] {
            if let Some(edge) = self.forest[node.0 as usize] {
                why.push(edge.reason);
            }
        }
    }

    /// How many merges stand.
    pub fn mark(&self) -> usize {
        self.undo.len()
    }

    /// Takes back all merges after `mark`.
    pub fn undo_to(&mut self, mark: usize) {
        while self.undo.len() > mark {
            let Some(undo) = self.undo.pop() else { return };
            let moved = self.members[undo.child.0 as usize].len();
            let keep = self.members[undo.root.0 as usize].len() - moved;
            self.members[undo.root.0 as usize].truncate(keep);
            self.parent[undo.child.0 as usize] = undo.child;
            self.delta[undo.child.0 as usize] = 0;
            for (node, old) in undo.turned.into_iter().rev() {
                self.forest[node.0 as usize] = old;
            }
        }
    }
}
