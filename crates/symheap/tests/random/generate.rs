//! Random C programs with few paths: arrays, unions, bit fields, pointers and blocks at places that depend on inputs.

use fastrand::Rng;
use std::fmt::Write;

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
union wide { int i[2]; short h[4]; unsigned char b[8]; long l; };
struct mixed { signed char c; int x : 5; unsigned y : 3; int *p; short z[3]; };
static int counter;
static int twice(int n) { counter++; return n + n; }
static int bump(int *at, int by) { *at += by; return *at; }
static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1); }
";

/// The names of numbers.
const NUMBERS: [&str; 6] = ["a", "b", "u", "c", "s", "l"];

struct Generator {
    rng: Rng,
    out: String,
    indent: usize,
    /// Loops around what is written.
    loops: usize,
}

/// The program of a seed.
pub fn program(seed: u64) -> String {
    let mut generator = Generator { rng: Rng::with_seed(seed), out: HEAD.to_owned(), indent: 1, loops: 0 };
    generator.main();
    generator.out
}

impl Generator {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{}{text}", "    ".repeat(self.indent));
    }

    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.rng.usize(0..words.len())]
    }

    fn main(&mut self) {
        self.out.push_str("int main(void)\n{\n");
        for line in [
            "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_uchar() & 15;",
            "unsigned u = 7; signed char c = 3; short s = -2; long l = 40;",
            "int t[6] = {1, 2, 3, 4, 5, 6}, *p = t, *q[3] = {t, t + 2, &a};",
            "unsigned char m[8] = {9, 8, 7, 6, 5, 4, 3, 0};",
            "union wide w; w.l = 0x0102030405060708;",
            "struct mixed r = {1, 2, 3, t, {4, 5, 6}};",
            "unsigned char *h = malloc(8); memset(h, 1, 8);",
        ] {
            self.line(line);
        }
        for _ in 0..self.rng.usize(3..9) {
            self.statement(2);
        }
        let check = self.check();
        self.line(&check);
        if self.rng.u8(0..12) > 0 {
            self.line("free(h);");
        }
        self.line("return a + b + (int)u + c + s + (int)l + *p + t[0] + m[0] + w.b[1] + r.c + *q[0];");
        self.out.push_str("}\n");
    }

    fn expression(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u8(0..4) == 0 {
            return match self.rng.u8(0..16) {
                0..=6 => self.pick(&NUMBERS).to_owned(),
                7 => self.pick(&["0", "1", "2", "7", "8", "-1", "100", "255", "0x7fffffff"]).to_owned(),
                8 => format!("t[{}]", self.index(6)),
                9 => format!("m[{}]", self.index(8)),
                10 => format!("w.b[{}]", self.index(8)),
                11 => self.pick(&["w.h[1]", "w.i[1]", "(int)w.l", "w.h[b & 3]"]).to_owned(),
                12 => self.pick(&["r.x", "r.y", "r.c", "r.z[b % 3]"]).to_owned(),
                13 => "*p".to_owned(),
                14 => format!("*q[{}]", self.index(3)),
                _ => format!("h[{}]", self.index(8)),
            };
        }
        let (x, y) = (self.expression(depth - 1), self.expression(depth - 1));
        match self.rng.u8(0..14) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} - {y})"),
            2 => format!("({x} * {y})"),
            3 => format!("({x} & {y})"),
            4 => format!("({x} | {y})"),
            5 => format!("({x} ^ {y})"),
            6 => format!("({x} << (({y}) & 7))"),
            7 => format!("({x} >> (({y}) & 7))"),
            8 => format!("({x} / (({y}) | 1))"),
            9 => format!("({x} % ((({y}) & 7) + 1))"),
            10 => {
                let ty = self.pick(&["signed char", "unsigned char", "short", "unsigned", "long"]);
                format!("({ty})({x})")
            }
            11 => {
                let condition = self.condition();
                format!("({condition} ? {x} : {y})")
            }
            12 => format!("twice({x})"),
            _ => format!("(~{x})"),
        }
    }

    /// An index that is nearly always below a number.
    fn index(&mut self, below: u32) -> String {
        let inner = self.pick(&["a", "b", "u", "c", "l", "b + 1", "a + b", "s"]).to_owned();
        match self.rng.u8(0..12) {
            0..=2 => self.rng.u32(0..below).to_string(),
            3..=9 => format!("(unsigned)({inner}) % {below}"),
            10 => format!("({inner}) & {}", below.next_power_of_two() / 2 - 1),
            _ => format!("({inner}) & {}", below.next_power_of_two() - 1),
        }
    }

    fn condition(&mut self) -> String {
        let (x, y) = (self.expression(1), self.expression(1));
        let op = self.pick(&["<", "<=", "==", "!=", ">", ">="]);
        match self.rng.u8(0..6) {
            0 => format!("({x} {op} {y} && b < 9)"),
            1 => format!("({x} {op} {y} || a == 5)"),
            _ => format!("({x} {op} {y})"),
        }
    }

    fn check(&mut self) -> String {
        let x = self.expression(2);
        match self.rng.u8(0..6) {
            0 => format!("assert((({x}) & 7) < 8);"),
            1 => format!("assert(({x}) != 12345);"),
            2 => "assert(b >= 0 && b < 16);".to_owned(),
            3 => format!("assert(((unsigned char)({x})) <= 255);"),
            4 => format!("assert({});", self.condition()),
            _ => "assert(r.y < 8 && r.x >= -16 && r.x < 16);".to_owned(),
        }
    }

    fn block(&mut self, head: &str, depth: u32) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
        for _ in 0..self.rng.usize(1..3) {
            self.statement(depth - 1);
        }
        self.indent -= 1;
        self.line("}");
    }

    fn statement(&mut self, depth: u32) {
        let x = self.expression(2);
        let text = match self.rng.u8(0..24) {
            0..=2 => format!("{} = {x};", self.pick(&NUMBERS)),
            3 => format!("t[{}] = {x};", self.index(6)),
            4 => format!("m[{}] = {x};", self.index(8)),
            5 => format!("w.b[{}] = {x};", self.index(8)),
            6 => format!("{} = {x};", self.pick(&["w.h[2]", "w.i[0]", "w.l", "w.h[b & 3]"])),
            7 => format!("{} = {x};", self.pick(&["r.x", "r.y", "r.c", "r.z[1]"])),
            8 => format!("p = &t[{}];", self.index(6)),
            9 => "*p = b;".to_owned(),
            10 => format!("q[{}] = &t[{}];", self.index(3), self.index(6)),
            11 => format!("*q[{}] = {x};", self.index(3)),
            12 => format!("bump(q[{}], {x});", self.index(3)),
            13 => format!("memcpy(&w.b[{}], &m[{}], {});", self.index(4), self.index(4), self.rng.u8(1..5)),
            14 => format!("memmove(&m[{}], &m[{}], {});", self.index(4), self.index(4), self.rng.u8(1..5)),
            15 => format!("memset(&m[{}], {}, {});", self.index(4), self.rng.u8(0..3), self.rng.u8(1..5)),
            16 => format!("h[{}] = {x};", self.index(8)),
            17 => self
                .pick(&[
                    "h = realloc(h, 16);",
                    "h = realloc(h, 8 + b);",
                    "free(h); h = malloc(8 + b); memset(h, 0, 8);",
                ])
                .to_owned(),
            18 => format!("a = (int)strlen((char *)&m[{}]);", self.index(8)),
            19 => self
                .pick(&[
                    "r.p = p; p = r.p;",
                    "p = *(int **)((char *)&r + 8);",
                    "b = depth(b);",
                    "counter = b;",
                    "memcpy(&p, &r.p, sizeof p);",
                ])
                .to_owned(),
            20 | 21 if depth > 0 => {
                let condition = self.condition();
                self.block(&format!("if {condition}"), depth);
                return;
            }
            22 if depth > 0 && self.loops < 2 => {
                let name = ["i", "j"][self.loops];
                self.loops += 1;
                let bound = self.rng.u8(1..4);
                self.block(&format!("for (int {name} = 0; {name} < {bound}; {name}++)"), depth);
                self.loops -= 1;
                return;
            }
            23 => self.check(),
            _ => format!("b = ({x}) & 15;"),
        };
        self.line(&text);
    }
}
