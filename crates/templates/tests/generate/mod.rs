//! Random C programs with loops, numbers and lists, and assertions that may hold.

use fastrand::Rng;
use std::fmt::Write;

/// What every program begins with.
pub const HEAD: &str = "#include <assert.h>\n#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
struct node { int a; int b; struct node *next; struct node *other; };\n";

struct Writer {
    rng: Rng,
    out: String,
    depth: usize,
    lists: bool,
    loops: u32,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let lists = rng.u8(0..3) > 0;
    let mut writer = Writer { rng, out: HEAD.to_owned(), depth: 1, lists, loops: 0 };
    writer.line("int main(void) {");
    writer.line("int x = 0, y = 1, z = __VERIFIER_nondet_int();");
    writer.line("struct node *p = NULL, *q = NULL, *list = NULL;");
    if writer.lists {
        writer.build_list();
    }
    for _ in 0..writer.rng.usize(1..4) {
        writer.statement();
    }
    writer.assertion();
    if writer.lists && writer.rng.bool() {
        writer.walk();
    }
    writer.line("return 0;");
    writer.line("}");
    writer.out
}

impl Writer {
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
