//! Random C programs with loops, numbers, arrays and lists, and assertions that may hold.

use fastrand::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
struct node { int a; int b; struct node *next; struct node *other; };\nstatic int table[50];\n";

struct Writer {
    rng: Rng,
    out: String,
    depth: usize,
    lists: bool,
    arrays: bool,
    loops: u32,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let (lists, arrays) = (rng.u8(0..3) > 0, rng.u8(0..3) == 0);
    let mut writer = Writer { rng, out: HEAD.to_owned(), depth: 1, lists, arrays, loops: 0 };
    writer.line("int main(void) {");
    writer.line("int x = 0, y = 1, z = __VERIFIER_nondet_int();");
    writer.line("struct node *p = NULL, *q = NULL, *list = NULL;");
    if writer.lists {
        writer.build_list();
    }
    for _ in 0..writer.rng.usize(1..4) {
        writer.statement();
    }
    if writer.arrays {
        writer.fill();
    }
    writer.assertion();
    match writer.rng.u8(0..4) {
        0 | 1 if writer.lists => writer.walk(),
        2 if writer.lists => writer.split(),
        _ => {}
    }
    if writer.arrays {
        writer.visit();
    }
    writer.line("return 0;");
    writer.line("}");
    writer.out
}

/// A program of a seed that builds lists, moves blocks and frees them, rightly or not.
pub fn memory_program(seed: u64) -> String {
    let rng = Rng::with_seed(seed ^ 0x5eed);
    let mut writer = Writer { rng, out: HEAD.to_owned(), depth: 1, lists: true, arrays: false, loops: 0 };
    writer.line("int main(void) {");
    writer.line("struct node *p = NULL, *q = NULL, *n = NULL, *list = NULL, *done = NULL;");
    writer.line("while (__VERIFIER_nondet_int()) {");
    writer.line("    p = malloc(sizeof *p); if (!p) abort();");
    let other = *writer.rng.choice(["q", "list", "NULL", "p"].iter()).expect("there are some");
    writer.line(&format!("    p->a = 0; p->next = list; p->other = {other}; list = p;"));
    if writer.rng.u8(0..3) == 0 {
        writer.line("    q = p;");
    }
    writer.line("}");
    for _ in 0..writer.rng.usize(1..4) {
        writer.memory_statement();
    }
    let end = match writer.rng.u8(0..6) {
        0 => "while (list) { free(list); list = list->next; }",
        1 => "for (p = list; p; p = p->next) p->a = 1;",
        2 => "while (list) { n = list->next; if (__VERIFIER_nondet_int()) free(list); list = n; }",
        _ => "while (list) { n = list->next; free(list); list = n; }",
    };
    writer.line(end);
    if writer.rng.bool() {
        writer.line("while (done) { n = done->next; free(done); done = n; }");
    }
    if writer.rng.u8(0..4) == 0 {
        writer.line("if (q) q->a = 2;");
    }
    writer.line("return 0;");
    writer.line("}");
    writer.out
}

impl Writer {
    fn memory_statement(&mut self) {
        let text = match self.rng.u8(0..10) {
            0 => "for (p = list; p; p = p->next) p->a = 3;",
            1 => "if (list) { n = list->next; free(list); list = n; }",
            2 => "if (list && list->next) { n = list->next; list->next = n->next; free(n); }",
            3 => {
                "while (list && __VERIFIER_nondet_int()) { p = list; list = list->next; p->next = done; done = p; }"
            }
            4 => {
                "while (list && __VERIFIER_nondet_int()) { p = list; list = p->next; if (__VERIFIER_nondet_int()) free(p); else { p->next = done; done = p; } }"
            }
            5 => "if (list && list->next) free(list->next);",
            6 => "for (p = list; p; p = p->next) if (p->other) p->other->a = 4;",
            7 => "if (list) { p = list; while (p->next) p = p->next; p->next = done; }",
            8 => {
                "if (list) { p = list; while (p->next) p = p->next; if (__VERIFIER_nondet_int()) p->next = list; }"
            }
            _ => "if (q) { free(q); }",
        };
        self.line(text);
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:indent$}{text}", "", indent = 4 * self.depth);
    }

    fn variable(&mut self) -> &'static str {
        ["x", "y", "z"][self.rng.usize(0..3)]
    }

    fn constant(&mut self) -> i32 {
        *self.rng.choice([-2, -1, 0, 1, 2, 3, 5, 10, 16, 100].iter()).expect("there are some")
    }

    fn field(&mut self) -> &'static str {
        if self.rng.bool() { "a" } else { "b" }
    }

    fn number(&mut self) -> String {
        let (v, w, c) = (self.variable(), self.variable(), self.constant());
        match self.rng.u8(0..9) {
            0 => c.to_string(),
            1 | 2 => v.to_owned(),
            3 => format!("{v} + {c}"),
            4 => format!("{v} - {w}"),
            5 => format!("{v} + {w}"),
            6 => format!("{v} * {c}"),
            7 => format!("{v} & {}", c & 15),
            _ => "__VERIFIER_nondet_int()".to_owned(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.variable().to_owned(), self.number());
        let op = *self.rng.choice(["<", "<=", "==", "!=", ">", ">="].iter()).expect("there are some");
        match self.rng.u8(0..5) {
            0 => "__VERIFIER_nondet_int()".to_owned(),
            1 if self.lists => {
                let field = self.field();
                format!("p != NULL && p->{field} {op} {b}")
            }
            2 if self.lists => {
                ["p == q", "p == list", "q != NULL", "list == NULL"][self.rng.usize(0..4)].to_owned()
            }
            _ => format!("{a} {op} {b}"),
        }
    }

    fn statement(&mut self) {
        let v = self.variable();
        match self.rng.u8(0..11) {
            0..=2 => {
                let value = self.number();
                self.line(&format!("{v} = {value};"));
            }
            3 | 4 => {
                let condition = self.condition();
                self.block(&format!("if ({condition})"));
            }
            5 | 6 if self.depth < 3 && self.loops < 3 => {
                self.loops += 1;
                let bound = self.rng.u8(2..9);
                let condition = self.condition();
                match self.rng.u8(0..3) {
                    0 => self.block(&format!("for (int i = 0; i < {bound}; i++)")),
                    1 => self.block(&format!("while ({condition} && __VERIFIER_nondet_int())")),
                    _ => self.block("while (__VERIFIER_nondet_int())"),
                }
            }
            7 | 8 if self.arrays => self.array_statement(),
            _ if self.lists => self.list_statement(),
            _ => {
                let c = self.constant();
                self.line(&format!("{v} += {c};"));
            }
        }
    }

    fn block(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        for _ in 0..self.rng.usize(1..4) {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn build_list(&mut self) {
        self.line("while (__VERIFIER_nondet_int()) {");
        self.depth += 1;
        self.line("p = malloc(sizeof *p); if (!p) abort();");
        let (a, b) = (self.number(), self.number());
        self.line(&format!("p->a = {a}; p->b = {b}; p->next = list; p->other = q;"));
        self.line("list = p;");
        if self.rng.bool() {
            self.line("q = p;");
        }
        if self.rng.bool() {
            self.statement();
        }
        self.depth -= 1;
        self.line("}");
    }

    fn list_statement(&mut self) {
        let (field, value, v) = (self.field(), self.number(), self.variable());
        let text = match self.rng.u8(0..12) {
            0 => "p = list;".to_owned(),
            1 => "q = p;".to_owned(),
            2 => "if (p) p = p->next;".to_owned(),
            3 | 4 => format!("if (p) p->{field} = {value};"),
            5 => format!("if (p && q) {{ {v} = p->{field}; q->{field} = {v}; }}"),
            6 => format!("if (p) {v} = p->{field};"),
            7 => "if (p && p->next) p->next->a = p->a;".to_owned(),
            8 => "if (p && q) p->other = q;".to_owned(),
            9 => format!("if (p && p->other) p->other->{field} = {value};"),
            10 => "if (q) { struct node *n = q->next; q->next = p; q = n; }".to_owned(),
            _ => "{ struct node *n = malloc(sizeof *n); if (!n) abort(); *n = (struct node){x, y, list, p}; list = n; }"
                .to_owned(),
        };
        self.line(&text);
    }

    fn array_statement(&mut self) {
        let (v, w, value) = (self.variable(), self.variable(), self.number());
        let text = match self.rng.u8(0..4) {
            0 => format!("table[(unsigned){v} % 50] = {value};"),
            1 => format!("{v} = table[(unsigned){w} % 50];"),
            2 => format!("if (table[(unsigned){v} % 50] < {w}) table[(unsigned){v} % 50] = {w};"),
            _ => "for (int k = 0; k < 50; k++) table[k] = k;".to_owned(),
        };
        self.line(&text);
    }

    /// Fills the array, or a part of it.
    fn fill(&mut self) {
        let (c, value) = (self.constant(), self.number());
        let head = match self.rng.u8(0..3) {
            0 => "for (int k = 0; k < 50; k++)",
            1 => "for (int k = 0; k < 49; k++)",
            _ => "for (int k = 0; k < 50 && __VERIFIER_nondet_int(); k += 1 + (x & 1))",
        };
        let text = match self.rng.u8(0..4) {
            0 => format!("table[k] = {value};"),
            1 => format!("table[k] = k + {c};"),
            2 => format!("if (table[k] < {c}) table[k] = {c};"),
            _ => format!("table[49 - k] = {c};"),
        };
        self.line(&format!("{head} {text}"));
    }

    /// Looks at all elements of the array.
    fn visit(&mut self) {
        let c = self.constant();
        let text = match self.rng.u8(0..5) {
            0 => format!("assert(table[k] <= {c});"),
            1 => format!("assert(table[k] >= {c});"),
            2 => format!("assert(table[k] == k + {c});"),
            3 => "assert(table[k] >= k || table[k] == 0);".to_owned(),
            _ => format!("assert(table[k] == {c} || table[k] == 0);"),
        };
        self.line(&format!("for (int k = 0; k < 50; k++) {text}"));
    }

    /// Moves the nodes to two lists.
    fn split(&mut self) {
        let (field, c) = (self.field(), self.constant());
        self.line("struct node *low = NULL, *high = NULL;");
        self.line("while (list) {");
        self.line("    p = list; list = list->next;");
        self.line(&format!("    if (p->{field} < {c}) {{ p->next = low; low = p; }}"));
        self.line("    else { p->next = high; high = p; }");
        if self.rng.u8(0..3) == 0 {
            self.statement();
        }
        self.line("}");
        let (list, op) = [("low", "<"), ("low", ">="), ("high", ">="), ("high", "<")][self.rng.usize(0..4)];
        self.line(&format!("for (p = {list}; p != NULL; p = p->next) assert(p->{field} {op} {c});"));
    }

    fn walk(&mut self) {
        self.line("for (p = list; p != NULL; p = p->next) {");
        self.depth += 1;
        let (field, c) = (self.field(), self.constant());
        let text = match self.rng.u8(0..6) {
            0 => format!("assert(p->{field} <= {c});"),
            1 => format!("assert(p->{field} >= {c});"),
            2 => "assert(p->a <= p->b);".to_owned(),
            3 => "x = p->a; if (p->next) assert(x == p->next->a);".to_owned(),
            4 => format!("assert(p->{field} == {c});"),
            _ => "if (q) assert(p->a == q->a);".to_owned(),
        };
        self.line(&text);
        self.depth -= 1;
        self.line("}");
    }

    fn assertion(&mut self) {
        let (v, w, c) = (self.variable(), self.variable(), self.constant());
        let text = match self.rng.u8(0..7) {
            0 => format!("assert({v} <= {c});"),
            1 => format!("assert({v} >= {c});"),
            2 => format!("assert({v} <= {w} || {v} > {c});"),
            3 => format!("assert({v} != {c});"),
            4 => format!("assert(({v} & 1) == 0 || {w} >= {c});"),
            5 if self.lists => "assert(list == NULL || list->a <= 100);".to_owned(),
            _ => format!("assert({v} + {w} >= {c});"),
        };
        self.line(&text);
    }
}
