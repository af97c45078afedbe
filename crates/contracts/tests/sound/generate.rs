//! Random annotated functions whose contracts are sometimes wrong.

use std::fmt::Write;

const HEAD: &str = "#include <stdlib.h>
struct node { int data; struct node *next; struct node *prev; };
struct node *top;
int g;
/*@ predicate ends(struct node *x) = x == NULL || (!BS(x) && block(x, struct node.next) == NULL); */
/*@ requires alloc(p);
    modifies {&p->data};
    ensures p->data == n; */
void set(struct node *p, int n) { p->data = n; }
/*@ requires BS(NULL) && ends(p) && (p == NULL || alloc(p)) && alloc(q) && BS(q);
    requires p == NULL || Obj(p) != Obj(q);
    requires !in(q, list(p, struct node.next));
    modifies {&q->next, q};
    ensures q->next == p && !BS(q) && block(q, struct node.next) == NULL; */
void push(struct node *p, struct node *q)
{
    q->next = p;
    //@ ghost BS -= q;
    q->data = q->data;
}
";

const REQUIRES: [&str; 14] = [
    "alloc(p)",
    "alloc(q)",
    "p == NULL || alloc(p)",
    "alloc(p) && alloc(q) && Obj(p) != Obj(q)",
    "BS(NULL)",
    "BS(NULL) && alloc(p) && ends(p)",
    "BS(NULL) && ends(p) && (\\forall struct node *x \\in list(p, struct node.next); x == NULL || alloc(x))",
    "p != q",
    "n > 0",
    "n >= 0 && n < 10",
    "alloc(p) && alloc(p->next)",
    "alloc(p) && BS(p) && block(p, struct node.next) == p",
    "in(q, list(p, struct node.next))",
    "alloc(p) && Off(p) == 0",
];

const STATEMENTS: [&str; 30] = [
    "p->data = n;",
    "p->next = q;",
    "q->next = p;",
    "p->next = NULL;",
    "p->prev = p->next;",
    "*((char *)&p->data + 1) = 1;",
    "*(short *)((char *)&p->data + 2) = -1;",
    "*(long *)&p->next = n;",
    "q->data = p->data + 1;",
    "n = n + 1;",
    "n = n - p->data;",
    "g = n;",
    "top = p;",
    "if (n > 2) p->data = 3;",
    "if (p == q) n = 0;",
    "if (p->next != NULL) p->next->data = 5;",
    "*p = *q;",
    "free(q);",
    "//@ ghost BS += p;",
    "//@ ghost BS -= p;",
    "//@ ghost BS += q;",
    "//@ ghost BS -= q;",
    "set(p, n);",
    "push(p, q);",
    "q = p->next;",
    "p->data = (char)n;",
    "n = n / 2;",
    "n = (unsigned)n >> 1;",
    "q = malloc(sizeof(struct node)); if (q == NULL) return 0;",
    "LOOP",
];

const LOOPS: [&str; 4] = [
    "//@ loop invariant 0 <= i;\n    while (i < n) {\n        i = i + 1;\n        if (i == 5) break;\n    }",
    "//@ loop invariant i >= 0;\n    while (i < 3) {\n        p->data = i;\n        i = i + 1;\n    }",
    "//@ loop invariant i <= 3 || i == n;\n    while (i < 3) {\n        if (i == n) break;\n        i = i + 1;\n    }",
    "//@ loop invariant 0 <= i && i <= 4;\n    while (i < 4) {\n        g = g + i;\n        i = i + 1;\n    }",
];

const ENSURES: [&str; 22] = [
    "p->data == n",
    "p->data == \\old(p->data)",
    "q->data == \\old(q->data)",
    "p->next == q",
    "p->next == \\old(p->next)",
    "q->next == \\old(q->next)",
    "\\result == n",
    "\\result >= 0",
    "\\result > n",
    "g == n",
    "g == \\old(g)",
    "top == p",
    "BS(p) == \\old(BS(p))",
    "!BS(p)",
    "BS(q)",
    "block(p, struct node.next) == NULL",
    "block(p, struct node.next) == \\old(block(p, struct node.next))",
    "in(q, list(p, struct node.next))",
    "\\forall struct node *x \\in list(p, struct node.next); in(x, \\old(list(p, struct node.next)))",
    "\\forall struct node *x \\in \\old(list(p, struct node.next)); in(x, list(p, struct node.next))",
    "alloc(q)",
    "p->data < 100",
];

const KEPT: [&str; 6] = [
    "p->prev == \\old(p->prev)",
    "q->prev == \\old(q->prev)",
    "top == \\old(top)",
    "p->next == \\old(p->next) || p->next == q || p->next == NULL",
    "BS(NULL) == \\old(BS(NULL))",
    "block(q, struct node.next) == \\old(block(q, struct node.next))",
];

const MODIFIES: [&str; 8] = [
    "{&p->data}",
    "{&p->next}",
    "{&q->next, &q->data, q}",
    "{&p->data, &p->next, &p->prev, p}",
    "{&g}",
    "{&top}",
    "{&q->data}",
    "{&p->prev}",
];

/// Numbers that look random and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 17) as usize % limit
    }

    fn of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }
}

/// A module with so many functions.
pub fn module(seed: u64, functions: u64) -> String {
    let mut dice = Dice::new(seed);
    let mut text = HEAD.to_owned();
    for index in 0..functions {
        function(&mut dice, index, &mut text);
    }
    text
}

fn function(dice: &mut Dice, index: u64, text: &mut String) {
    text.push_str("/*@ ");
    // Most functions get what their accesses need.
    if dice.below(4) > 0 {
        text.push_str("requires alloc(p) && alloc(q); ");
    }
    for _ in 0..dice.below(3) {
        let _ = writeln!(text, "requires {};", dice.of(&REQUIRES));
    }
    text.push_str("    modifies {&g};\n");
    // Often everything may be changed: then other clauses are looked at.
    if dice.below(3) > 0 {
        text.push_str("    modifies {&p->data, &p->next, &p->prev, p, &q->data, &q->next, &q->prev, q, &g, &top, &p->next->data};\n");
    }
    for _ in 0..dice.below(3) {
        let _ = writeln!(text, "    modifies {};", dice.of(&MODIFIES));
    }
    if dice.below(2) == 0 {
        text.push_str("    frees {q};\n");
    }
    for _ in 0..1 + dice.below(2) {
        let clause = dice.of(&ENSURES);
        // What nobody touches is kept: such clauses are often right.
        let clause = if dice.below(3) == 0 { dice.of(&KEPT) } else { clause };
        let _ = writeln!(text, "    ensures {clause};");
    }
    let _ = writeln!(
        text,
        "*/\nint f{index}(struct node *p, struct node *q, int n)\n{{\n    int i = 0;\n    g = g;"
    );
    for _ in 0..dice.below(4) {
        let statement = match dice.of(&STATEMENTS) {
            "LOOP" => dice.of(&LOOPS),
            other => other,
        };
        // Between statements something stands on a line of its own, so that ghosts have a clear place.
        let _ = writeln!(text, "    {statement}\n    g = g;");
    }
    let _ = writeln!(text, "    return n + i;\n}}");
}
