//! Random C programs around blocks of bytes: parts of them are written, copied, set and read in all widths, with known and
//! unknown indices and lengths. Every access is guarded, so that most programs can be proved.

use super::text::Text;
use fastrand::Rng;

struct Generator {
    rng: Rng,
    depth: u32,
}

const N: &str = "__VERIFIER_nondet_int()";

/// The program of a seed.
pub fn generate(seed: u64) -> String {
    let mut generator = Generator { rng: Rng::with_seed(seed ^ 0x5eed), depth: 0 };
    generator.program()
}

impl Generator {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.rng.usize(..from.len())]
    }

    fn program(&mut self) -> String {
        let mut text = Text::default();
        text.add(
            "#include <stdlib.h>
            #include <string.h>
            extern int __VERIFIER_nondet_int(void);
            struct rec { int x; short y; char z[6]; unsigned f : 3; int h : 9; void *w; };
            static struct rec g;
            static void *tab[3];",
        );
        let mut helper = Text::default();
        let count = self.rng.u32(1..4);
        self.depth = 1;
        self.statements(&mut helper, count);
        self.depth = 0;
        text.add("static int help(char *p, char *q, char *s, int n, int a, int b, struct rec *r, long *l) {");
        text.add("struct rec t = {0};");
        text.append(helper);
        text.add("return a + r->x;\n}");
        text.add(&format!(
            "int main(void) {{
            int a = {N};
            int b = {N};
            int n = {N};
            if (n < 0 || n > 24) return 0;
            long l[4] = {{0}};
            struct rec t, own;
            struct rec *r = &own;
            memset(&own, 0, sizeof own);
            t = own;",
        ));
        text.add(&format!("char *p = {};", self.pick(&["malloc(16)", "calloc(2, 8)", "calloc(1, 16)"])));
        text.add(&format!("char *q = {};", self.pick(&["malloc(24)", "calloc(3, 8)"])));
        text.add(&format!("char *s = {};", self.pick(&["malloc(n)", "calloc(n, 1)", "malloc(n + 4)"])));
        for _ in 0..self.rng.u32(2..5) {
            let count = self.rng.u32(1..4);
            self.statements(&mut text, count);
            if self.rng.bool() {
                text.add(&format!("while ({N}) {{"));
                let count = self.rng.u32(..3);
                self.depth = 1;
                self.statements(&mut text, count);
                self.depth = 0;
                text.add("}");
            }
        }
        text.add(&format!("while ({N}) {{\nb = a;\n}}"));
        text.add("free(p);\nfree(q);\nfree(s);\nreturn 0;\n}");
        text.render()
    }

    fn statements(&mut self, text: &mut Text, count: u32) {
        for _ in 0..count {
            self.statement(text);
        }
    }

    /// A block of at least 16 bytes.
    fn block(&mut self) -> &'static str {
        self.pick(&["p", "q", "p", "q", "(char *)l", "(char *)r", "(char *)&t", "(char *)&g"])
    }

    fn number(&mut self) -> String {
        match self.rng.u8(..14) {
            0 => "a".to_owned(),
            1 => "b".to_owned(),
            2 => "n".to_owned(),
            3 => format!("a + {}", self.rng.i8(-3..4)),
            4 => format!("(b & {})", self.rng.u8(..20)),
            5 => format!("{}[{}]", self.pick(&["p", "q"]), self.rng.u8(..16)),
            6 => format!("*(int *)({} + {})", self.block(), 4 * self.rng.u8(..4)),
            7 => format!("*(unsigned short *)({} + {})", self.block(), 2 * self.rng.u8(..8)),
            8 => format!("(int)l[{}]", self.rng.u8(..4)),
            9 => self.pick(&["r->x", "t.y", "g.x", "r->z[2]", "t.f", "r->h", "g.h"]).to_owned(),
            10 => format!("(a < {})", self.rng.i8(-3..9)),
            11 => self
                .pick(&["(unsigned char)a", "(short)b", "(a >> 1)", "(b % 7)", "(a / 3)", "-n"])
                .to_owned(),
            12 => "300".to_owned(),
            _ => self.rng.i8(-2..5).to_string(),
        }
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.number(), self.number());
        let op = self.pick(&["<", "==", "!=", ">=", ">"]);
        match self.rng.u8(..6) {
            0 => format!("n {op} {}", self.rng.u8(..16)),
            1 => self
                .pick(&[
                    "t.w == r->w",
                    "t.w == (void *)p",
                    "r->w",
                    "g.w != (void *)&g",
                    "p == q",
                    "tab[a & 1]",
                    "tab[1] == tab[2]",
                    "(char *)tab[0] < p + 4",
                ])
                .to_owned(),
            2 => N.to_owned(),
            3 => format!("(unsigned)({a}) {op} (unsigned)({b})"),
            _ => format!("{a} {op} {b}"),
        }
    }

    fn statement(&mut self, text: &mut Text) {
        let (block, other) = (self.block(), self.block());
        let number = self.number();
        let (off, from) = (self.rng.u8(..9), self.rng.u8(..9));
        let len = self.rng.u8(..8);
        let line = match self.rng.u8(..24) {
            0 | 1 => format!("{}[{}] = {number};", self.pick(&["p", "q"]), self.rng.u8(..16)),
            2 => format!("*(int *)({block} + {}) = {number};", 4 * self.rng.u8(..4)),
            3 => format!("*(short *)({block} + {}) = {number};", self.rng.u8(..15)),
            4 => format!("*(long *)({block} + {}) = {number};", 8 * self.rng.u8(..2)),
            5 => format!("if (a >= 0 && a < 16) ({block})[a] = {number};"),
            6 => format!(
                "if (b > 2 && b < 9) memset({block} + b, {}, {});",
                self.rng.u8(..2),
                self.rng.u8(1..7)
            ),
            7 => format!("memset({block} + {off}, {}, {len});", self.pick(&["0", "0", "1", "a", "-1"])),
            8 => format!("memset(s, {}, n);", self.pick(&["0", "0", "7", "b"])),
            9 => format!("if (n <= 16) memset({block}, {}, n);", self.pick(&["0", "0", "1"])),
            10 | 11 => format!("memmove({block} + {off}, {other} + {from}, {len});"),
            12 => format!("if (n <= 16) memmove(s, {block}, n);"),
            13 => format!("if (n <= 16) memmove({block}, s, n);"),
            14 => {
                let least = self.rng.u8(1..12);
                format!("if (n >= {least}) s[{}] = {number};", self.rng.u8(..least))
            }
            15 => self.pick(&["t = *r;", "*r = t;", "g = t;", "*r = g;"]).to_owned(),
            16 => {
                let to = self.pick(&["r->x", "t.y", "g.x", "t.x", "r->z[2]", "g.y", "t.f", "r->h", "g.f"]);
                format!("{to} = {number};")
            }
            17 => format!("l[a & 3] = {number};"),
            18 => {
                let to = self.pick(&["t.w", "r->w", "g.w", "tab[0]", "tab[1]", "tab[2]"]);
                format!("{to} = {};", self.pick(&["0", "&g", "g.w", "t.w", "r->w", "p + 4", "q", "tab[1]"]))
            }
            19 | 20 => format!("{} = {number};", self.pick(&["a", "b"])),
            21 if self.depth == 0 => format!("p = realloc(p, {});", self.pick(&["16", "20", "32", "n + 16"])),
            22 if self.depth == 0 => {
                format!(
                    "{} = help(p, q, s, n, a, b, {}, l);",
                    self.pick(&["a", "b"]),
                    self.pick(&["r", "&t", "&g"])
                )
            }
            _ if self.depth < 3 => {
                self.branch(text);
                return;
            }
            _ => "b = b + 1;".to_owned(),
        };
        text.add(&line);
    }

    fn branch(&mut self, text: &mut Text) {
        self.depth += 1;
        text.add(&format!("if ({}) {{", self.condition()));
        let count = self.rng.u32(1..3);
        self.statements(text, count);
        if self.rng.bool() {
            text.add("} else {");
            let count = self.rng.u32(1..3);
            self.statements(text, count);
        }
        text.add("}");
        self.depth -= 1;
    }
}
