//! Random C programs around blocks of unknown size: indices, pointers and lengths that run through them, strings with a NUL
//! somewhere. Bounds are wrong by one now and then, so that many programs have an error and many have none.

use super::text::Text;
use fastrand::Rng;

struct Generator {
    rng: Rng,
    /// How often a bound is wrong, of 100.
    wrong: u8,
}

const N: &str = "__VERIFIER_nondet_int()";

/// The program of a seed.
pub fn generate(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed ^ 0x0b0f_fe45);
    let wrong = [0, 0, 8, 25][rng.usize(..4)];
    Generator { rng, wrong }.program()
}

impl Generator {
    fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.rng.usize(..from.len())]
    }

    /// The right text, or now and then a wrong one.
    fn or<'t>(&mut self, right: &'t str, wrong: &[&'t str]) -> &'t str {
        if self.rng.u8(..100) < self.wrong { self.pick(wrong) } else { right }
    }

    fn program(&mut self) -> String {
        let mut text = Text::default();
        text.add(
            "#include <stdlib.h>
            #include <string.h>
            #include <assert.h>
            extern int __VERIFIER_nondet_int(void);",
        );
        let mut helper = Text::default();
        for _ in 0..self.rng.u32(1..3) {
            self.statement(&mut helper);
        }
        text.add("static int help(int *a, int n, int *b, int m, char *s, char *t, int x) {");
        text.add("int i = 0, j = 0, k = 0; char *u = s; char *v = t; int *p = a; int *q = b; long d = 0;");
        text.append(helper);
        text.add("return i + j + k + (int) d + (p == q) + (u == v);\n}");
        let most = self.pick(&["12", "100", "100000"]);
        text.add(&format!(
            "int main(void) {{
            int n = {N};
            int m = {N};
            int x = {N};
            if (n < 1 || n > {most} || m < 1 || m > {most}) return 0;
            int i = 0, j = 0, k = 0;
            long d = 0;"
        ));
        if self.rng.bool() {
            text.add(self.pick(&[
                "if (n > m) return 0;",
                "if (n + 3 > m) return 0;",
                "if (m < 2 * n) return 0;",
            ]));
        }
        let (size, count) =
            (self.or("n * sizeof(int)", &["(n - 1) * sizeof(int)"]), self.or("m", &["m - 1"]));
        text.add(&format!("int *a = malloc({size});\nint *b = calloc({count}, sizeof(int));"));
        text.add(&format!("char *s = {};", self.pick(&["malloc(n)", "calloc(n, 1)", "malloc(n + m)"])));
        text.add(&format!("char *t = {};", self.pick(&["malloc(m)", "calloc(m, 1)"])));
        text.add("char *u = s; char *v = t; int *p = a; int *q = b;");
        if self.rng.u8(..4) > 0 {
            text.add("memset(s, 'a', n);\nmemset(t, 'b', m);");
        }
        text.add(self.or("s[n - 1] = 0;\nt[m - 1] = 0;", &["t[m - 1] = 0;", "s[n - 1] = 0;"]));
        for _ in 0..self.rng.u32(1..5) {
            self.statement(&mut text);
        }
        if self.rng.bool() {
            text.add("x = help(a, n, b, m, s, t, x);");
        }
        for _ in 0..self.rng.u32(0..3) {
            self.statement(&mut text);
        }
        text.add("free(a);\nfree(b);\nfree(s);\nfree(t);\nreturn 0;\n}");
        text.render()
    }

    fn statement(&mut self, text: &mut Text) {
        match self.rng.u8(..13) {
            0 | 1 => self.count(text),
            2 => self.run(text),
            3 => self.scan(text),
            4 => self.copy(text),
            5 => self.guarded(text),
            6 => self.meet(text),
            7 => self.numbers(text),
            8 => self.library(text),
            9 => {
                text.add(&format!("while (u[0] && {N}) {{\nu++;\n}}"));
                text.add("d = u - s;");
            }
            10 => {
                let end = self.or("0", &["1", "'z'"]);
                text.add(&format!("if (x > 0 && x < n) {{\ns[x] = {end};\n}}"));
            }
            11 => {
                let claim = self.pick(&["i <= n + m + 1", "j >= -1", "d >= 0", "k <= n + m", "x != 77"]);
                text.add(&format!("assert({claim});"));
            }
            _ => {
                text.add(&format!("if ({N}) {{"));
                self.statement(text);
                text.add("}");
            }
        }
    }

    /// An index runs up or down.
    fn count(&mut self, text: &mut Text) {
        let (array, size) = if self.rng.bool() { ("a", "n") } else { ("b", "m") };
        let below = self.or("<", &["<="]);
        let least = self.or("0", &["-1"]);
        match self.rng.u8(..4) {
            0 => text.add(&format!("for (i = 0; i {below} {size}; i++) {{")),
            1 => text.add(&format!("for (i = {size} - 1; i >= {least}; i--) {{")),
            2 => text.add(&format!("for (i = 0; i {below} {size}; i += 2) {{")),
            _ => text.add(&format!("for (i = 0; i + 1 {below} {size}; i++) {{")),
        }
        match self.rng.u8(..4) {
            0 => text.add(&format!("{array}[i] = i;")),
            1 => text.add(&format!("if ({array}[i] > 3) {{\nbreak;\n}}")),
            2 => {
                text.add(&format!("j = i;\nwhile (j > 0 && {N}) {{\n{array}[j] = {array}[j - 1];\nj--;\n}}"));
            }
            _ => text.add(&format!("k = i;\n{array}[k]++;")),
        }
        text.add("}");
    }

    /// A pointer runs to an end, or as long as a counter says.
    fn run(&mut self, text: &mut Text) {
        let (start, size, p) = if self.rng.bool() { ("a", "n", "p") } else { ("b", "m", "q") };
        match self.rng.u8(..3) {
            0 => {
                let (not, end) = (self.pick(&["!=", "<"]), self.or("", &[" + 1"]));
                text.add(&format!(
                    "for ({p} = {start}; {p} {not} {start} + {size}{end}; {p}++) {{\n*{p} = 1;\n}}"
                ));
            }
            1 => {
                let more = self.or("> 0", &[">= 0"]);
                text.add(&format!("{p} = {start};\nk = {size};\nwhile (k-- {more}) {{\n*{p}++ = k;\n}}"));
            }
            _ => {
                let first = self.or(" - 1", &[""]);
                text.add(&format!(
                    "{p} = {start} + {size}{first};\nwhile ({p} > {start} && {N}) {{\n{p}--;\n*{p} = 2;\n}}"
                ));
            }
        }
    }

    /// A scan to the first NUL.
    fn scan(&mut self, text: &mut Text) {
        let (start, u) = if self.rng.bool() { ("s", "u") } else { ("t", "v") };
        let end = self.or("", &[" != 'q'"]);
        match self.rng.u8(..4) {
            0 => text.add(&format!("{u} = {start};\nwhile (*{u}{end}) {{\n{u}++;\n}}\nd = {u} - {start};")),
            1 => text.add(&format!("i = 0;\nwhile ({start}[i]{end} && {start}[i] != 'x') {{\ni++;\n}}")),
            2 => text.add(&format!("{u} = {start};\nwhile (*{u}++{end}) {{\nd++;\n}}")),
            _ => text
                .add(&format!("for ({u} = {start}; *{u}{end}; {u}++) {{\nif ({N}) {{\n*{u} = 'c';\n}}\n}}")),
        }
    }

    /// One string is copied over the other.
    fn copy(&mut self, text: &mut Text) {
        let room = self.or("n <= m", &["n <= m + 1"]);
        text.add(&format!("if ({room}) {{"));
        match self.rng.u8(..3) {
            0 => text.add("u = s;\nv = t;\nwhile ((*v++ = *u++) != 0) {\nj++;\n}"),
            1 => text.add("for (i = 0; i < n; i++) {\nt[i] = s[i];\n}"),
            _ => {
                let cap = self.or("m - 1", &["m"]);
                text.add(&format!("i = 0;\nwhile (i < {cap} && s[i]) {{\nt[i] = s[i];\ni++;\n}}\nt[i] = 0;"));
            }
        }
        text.add("}");
    }

    fn guarded(&mut self, text: &mut Text) {
        let low = self.or("x >= 0", &["x >= -1", "1"]);
        let high = self.or("x < n", &["x <= n"]);
        let use_it = self.pick(&["a[x] = 5;", "k = a[x];", "s[x] = 'd';", "p = a + x;\n*p = 1;"]);
        text.add(&format!("if ({low} && {high}) {{\n{use_it}\n}}"));
    }

    fn meet(&mut self, text: &mut Text) {
        let last = self.or("n - 1", &["n"]);
        text.add(&format!(
            "i = 0;\nj = {last};\nwhile (i < j) {{\nk = a[i];\na[i] = a[j];\na[j] = k;\ni++;\nj--;\n}}"
        ));
    }

    fn numbers(&mut self, text: &mut Text) {
        let line = self.pick(&[
            "k = (n + m) / 2;\nif (k < n) {\na[k] = 1;\n}",
            "if (x >= 0) {\nk = x % n;\na[k] = 2;\n}",
            "i = 0;\nj = n;\nwhile (i < j) {\nk = i + (j - i) / 2;\nif (a[k] < x) {\ni = k + 1;\n} else {\nj = k;\n}\n}",
            "k = n - 1 - (x & 3);\nif (k >= 0) {\na[k]++;\n}",
            "if (x > 0 && x <= n) {\na[n - x] = 3;\n}",
            "k = n < m ? n : m;\nfor (i = 0; i < k; i++) {\na[i] = b[i];\n}",
        ]);
        text.add(line);
    }

    fn library(&mut self, text: &mut Text) {
        let line = match self.rng.u8(..5) {
            0 => "d = strlen(s);\ns[d] = 0;".to_owned(),
            1 => format!("if (n {} m) {{\nstrcpy(t, s);\n}}", self.or("<=", &[">="])),
            2 => format!("if (x >= 0 && x {} n) {{\nmemset(s, 'e', x);\n}}", self.or("<", &["<="])),
            3 => format!("if (n {} m) {{\nmemcpy(t, s, n);\n}}", self.or("<=", &[">="])),
            _ => "u = strchr(s, 'a');\nif (u) {\n*u = 'f';\n} else {\nu = s;\n}".to_owned(),
        };
        text.add(&line);
    }
}
