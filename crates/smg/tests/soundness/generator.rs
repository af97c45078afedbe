//! Random C programs around lists: a few operations on a few lists, then faults planted in the text.

use super::text::Text;
use fastrand::Rng;

/// How the nodes of a program are linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Links {
    /// `next`, ended by null.
    Single,
    /// `next` and `prev`, ended by null.
    Double,
    /// `next`, the last node leads to the first.
    Ring,
    /// Links embedded in the nodes, around a head of their own, as in Linux.
    Embedded,
}

/// What hangs on each node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Payload {
    None,
    /// A block of its own.
    Own,
    /// A block of its own, or null.
    Optional,
    /// A block that points back to the node.
    Back,
    /// One block for all nodes made after another.
    Shared,
    /// A list of its own.
    List,
}

/// What the data field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Data {
    /// A constant.
    Constant,
    /// One unknown number for all.
    Common,
    /// Any number.
    Any,
    /// 0 or 1.
    Flag,
    /// A number that counts up.
    Counter,
}

struct Generator {
    rng: Rng,
    links: Links,
    payload: Payload,
    data: Data,
    /// Allocation and release are functions.
    functions: bool,
    /// The heads are global variables.
    global: bool,
}

const VARS: [&str; 7] = ["h0", "h1", "h2", "x", "y", "t", "u"];
const N: &str = "__VERIFIER_nondet_int()";

/// The program of a seed.
pub fn generate(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let links = pick(&mut rng, &[Links::Single, Links::Single, Links::Double, Links::Ring, Links::Embedded]);
    let payload = pick(
        &mut rng,
        &[
            Payload::None,
            Payload::None,
            Payload::None,
            Payload::Own,
            Payload::Optional,
            Payload::Back,
            Payload::Shared,
            Payload::List,
        ],
    );
    let data = pick(&mut rng, &[Data::Constant, Data::Common, Data::Any, Data::Flag, Data::Counter]);
    let (functions, global) = (rng.bool(), rng.u8(..4) == 0);
    let mut generator = Generator { rng, links, payload, data, functions, global };
    generator.program()
}

fn pick<T: Copy>(rng: &mut Rng, from: &[T]) -> T {
    from[rng.usize(..from.len())]
}

impl Generator {
    fn program(&mut self) -> String {
        let faults = pick(&mut self.rng, &[0, 1, 1, 1, 2, 2, 3]);
        let mut helpers = self.helpers();
        let mut main = Text::default();
        if self.links == Links::Embedded {
            self.embedded_main(&mut main)
        } else {
            self.main(&mut main)
        }
        for _ in 0..faults {
            if self.rng.u8(..4) == 0 {
                helpers.mutate(&mut self.rng, &["x", "y", "t"]);
            } else {
                main.mutate(&mut self.rng, &VARS);
            }
        }
        let mut text = Text::default();
        text.append(self.prelude());
        text.append(helpers);
        text.add("int main(void) {");
        text.append(main);
        text.add("return 0;\n}");
        text.render()
    }

    fn prelude(&mut self) -> Text {
        let mut text = Text::default();
        text.add(
            "#include <assert.h>
            #include <stddef.h>
            #include <stdlib.h>
            extern int __VERIFIER_nondet_int(void);
            struct m {
            struct m *next;
            struct n *up;
            int v;
            };",
        );
        let mut fields = vec!["struct n *next;", "struct n *prev;", "int d;", "struct m *p;"];
        if self.links == Links::Embedded {
            text.add("struct link {\nstruct link *next, *prev;\n};");
            fields = vec!["struct link l;", "int d;", "struct m *p;", "struct n *next;"];
        }
        self.rng.shuffle(&mut fields);
        text.add("struct n {");
        fields.iter().for_each(|field| text.add(field));
        text.add("};");
        text.add("static int c;\nstatic struct m *shared, *other;");
        if self.global {
            text.add("struct n *h0, *h1, *h2;");
        }
        text
    }

    fn value(&mut self) -> String {
        match self.data {
            Data::Constant => "3".to_owned(),
            Data::Common => "c".to_owned(),
            Data::Any => N.to_owned(),
            Data::Flag => format!("{N} != 0"),
            Data::Counter => "k++".to_owned(),
        }
    }

    fn helpers(&mut self) -> Text {
        let mut text = Text::default();
        text.add(
            "static struct n *make(int d) {\nstruct n *x = malloc(sizeof *x), *y = x, *t = 0;\nx->d = d;",
        );
        match self.payload {
            Payload::None => text.add("x->p = 0;"),
            Payload::Own => text.add("x->p = malloc(sizeof *x->p);\nx->p->v = d;"),
            Payload::Optional => {
                text.add("x->p = 0;\nif (__VERIFIER_nondet_int()) {\nx->p = malloc(sizeof *x->p);\nx->p->v = d;\n}");
            }
            Payload::Back => text.add("x->p = malloc(sizeof *x->p);\nx->p->up = x;"),
            Payload::Shared => text.add("x->p = shared;"),
            Payload::List => text.add(
                "x->p = 0;
                while (__VERIFIER_nondet_int()) {
                struct m *q = malloc(sizeof *q);
                q->v = d;
                q->next = x->p;
                x->p = q;
                }",
            ),
        }
        text.add("return x;\n}");
        text.add("static void drop(struct n *x) {\nstruct n *y = x, *t = x->next;");
        match self.payload {
            Payload::None | Payload::Shared => {}
            Payload::Own | Payload::Optional => text.add("free(x->p);"),
            Payload::Back => text.add("if (x->p->up == x) {\nfree(x->p);\n}"),
            Payload::List => text.add(
                "while (x->p) {
                struct m *q = x->p->next;
                free(x->p);
                x->p = q;
                }",
            ),
        }
        text.add("free(x);\n}");
        if self.links == Links::Embedded {
            text.add(
                "#define NODE(q) ((struct n *)((char *)(q) - offsetof(struct n, l)))
                static void insert(struct link *x, struct link *y, struct link *t) {
                t->prev = x;
                x->next = t;
                x->prev = y;
                y->next = x;
                }
                static void cut(struct link *x) {
                x->next->prev = x->prev;
                x->prev->next = x->next;
                }",
            );
        }
        if self.functions {
            self.list_functions(&mut text);
        }
        text
    }

    fn list_functions(&mut self, text: &mut Text) {
        match self.links {
            Links::Single => text.add(
                "static struct n *push(struct n *t, int d) {
                struct n *x = make(d), *y = x;
                x->next = t;
                return x;
                }
                static void clear(struct n **list) {
                struct n *x = 0, *y = 0, *t = 0;
                while (*list) {
                x = *list;
                *list = x->next;
                drop(x);
                }
                }",
            ),
            Links::Double => text.add(
                "static struct n *push(struct n *t, int d) {
                struct n *x = make(d), *y = x;
                x->next = t;
                x->prev = 0;
                if (t) {
                t->prev = x;
                }
                return x;
                }
                static void clear(struct n **list) {
                struct n *x = 0, *y = 0, *t = 0;
                while (*list) {
                x = *list;
                *list = x->next;
                drop(x);
                }
                }",
            ),
            Links::Ring => text.add(
                "static struct n *push(struct n *t, int d) {
                struct n *x = make(d), *y = x;
                x->next = x;
                if (t) {
                x->next = t->next;
                t->next = x;
                }
                return t ? t : x;
                }
                static void clear(struct n **list) {
                struct n *x = 0, *y = 0, *t = 0;
                if (*list) {
                x = (*list)->next;
                while (x != *list) {
                t = x->next;
                drop(x);
                x = t;
                }
                drop(x);
                *list = 0;
                }
                }",
            ),
            Links::Embedded => {}
        }
    }

    fn head(&mut self) -> &'static str {
        pick(&mut self.rng, &["h0", "h0", "h0", "h1", "h1", "h2"])
    }

    fn main(&mut self, text: &mut Text) {
        text.add("struct n *x = 0, *y = 0, *t = 0, *u = 0;\nint k = 0;");
        if !self.global {
            text.add("struct n *h0 = 0, *h1 = 0, *h2 = 0;");
        }
        text.add(&format!("c = {N};"));
        if self.payload == Payload::Shared {
            text.add("shared = malloc(sizeof *shared);\nshared->v = 0;");
        }
        let build = self.build("h0");
        text.add(&build);
        for _ in 0..self.rng.usize(2..7) {
            let head = self.head();
            let op = self.operation(head);
            text.add(&op);
            if self.rng.u8(..5) == 0 {
                text.add("while (__VERIFIER_nondet_int()) {\n}");
            }
            match self.rng.u8(..8) {
                0 => text.add("c = 0;"),
                1 | 2 => text.add(&format!("c = {N};")),
                3 => text.add("shared = 0;"),
                4 if self.payload == Payload::Shared => {
                    text.add(
                        "if (!other) {\nother = shared;\nshared = malloc(sizeof *shared);\nshared->v = 1;\n}",
                    );
                }
                5 if self.payload == Payload::Shared => text.add("u = h0;\nh0 = h1;\nh1 = u;\nu = 0;"),
                _ => {}
            }
        }
        for head in ["h0", "h1", "h2"] {
            if self.rng.u8(..6) == 0 {
                // The payload of one node is what is left of all.
                text.add(&format!("if ({head}) {{\nshared = {head}->p;\n}}"));
            }
            let destroy = self.destroy(head);
            text.add(&destroy);
        }
        if self.payload == Payload::Shared {
            text.add("free(shared);\nshared = 0;\nfree(other);\nother = 0;");
        }
    }

    fn create(&mut self, var: &str) -> String {
        format!("{var} = make({});", self.value())
    }

    /// A loop that makes a list, perhaps after some nodes for sure.
    fn build(&mut self, h: &str) -> String {
        // Short lists are seen as they are; faults of the abstraction show in lists that are long from the start.
        let first = if self.rng.u8(..5) < 3 { self.rng.usize(1..5) } else { 0 };
        let head = if first > 0 && self.rng.u8(..4) == 0 {
            format!("for (int i = 0; i < {first} || {N}; i++) {{")
        } else {
            format!("while ({N}) {{")
        };
        let body = self.push(h);
        let mut out = String::new();
        if first > 0 && head.starts_with("while") {
            for _ in 0..first {
                out += &body;
                out += "\n";
            }
        }
        if matches!(self.links, Links::Single | Links::Double) && first == 0 && self.rng.u8(..3) == 0 {
            return self.build_back(h);
        }
        out += &format!("{head}\n{body}\n}}");
        out
    }

    fn push(&mut self, h: &str) -> String {
        if self.functions && self.rng.u8(..3) > 0 {
            return format!("{h} = push({h}, {});", self.value());
        }
        let create = self.create("x");
        match self.links {
            Links::Single => format!("{create}\nx->next = {h};\n{h} = x;"),
            Links::Double => {
                format!("{create}\nx->next = {h};\nx->prev = 0;\nif ({h}) {{\n{h}->prev = x;\n}}\n{h} = x;")
            }
            _ => format!(
                "{create}\nif ({h}) {{\nx->next = {h}->next;\n{h}->next = x;\n}} else {{\nx->next = x;\n{h} = x;\n}}"
            ),
        }
    }

    fn build_back(&mut self, h: &str) -> String {
        let create = self.create("x");
        let back = if self.links == Links::Double { "x->prev = t;" } else { "" };
        format!(
            "if (!{h}) {{
            t = 0;
            while ({N}) {{
            {create}
            x->next = 0;
            {back}
            if (t) {{
            t->next = x;
            }} else {{
            {h} = x;
            }}
            t = x;
            }}
            t = 0;
            }}"
        )
    }

    fn destroy(&mut self, h: &str) -> String {
        if self.functions && self.rng.bool() {
            return format!("clear(&{h});");
        }
        match self.links {
            Links::Ring => format!(
                "if ({h}) {{
                x = {h}->next;
                while (x != {h}) {{
                y = x->next;
                drop(x);
                x = y;
                }}
                drop({h});
                {h} = 0;
                }}"
            ),
            _ => format!("while ({h}) {{\nx = {h}->next;\ndrop({h});\n{h} = x;\n}}"),
        }
    }

    /// Something to do with a node `x`.
    fn touch(&mut self) -> String {
        let check = match self.data {
            Data::Constant => "assert(x->d == 3);".to_owned(),
            Data::Common => "assert(x->d == c);".to_owned(),
            Data::Any => format!("x->d = {N};"),
            Data::Flag => "assert(x->d == 0 || x->d == 1);".to_owned(),
            Data::Counter => "assert(x->d >= 0);".to_owned(),
        };
        match self.rng.u8(..12) {
            0..3 => check,
            8 => "assert(x->d == h0->d);".to_owned(),
            9 => "assert(x->p == h0->p);".to_owned(),
            10 if self.links != Links::Embedded => {
                "if (x->next) {\nassert(x->d == x->next->d);\n}".to_owned()
            }
            11 if self.links != Links::Embedded => {
                "if (x->next) {\nassert(x->p != x->next->p);\n}".to_owned()
            }
            3 => "x->d = 3;".to_owned(),
            4 => format!("x->d = {};", self.value()),
            5 if matches!(self.payload, Payload::Own | Payload::Back | Payload::Shared) => {
                "x->p->v = 1;".to_owned()
            }
            5 | 6 => "if (x->p) {\nx->p->v = 1;\n}".to_owned(),
            _ => "k += x->d > 0;".to_owned(),
        }
    }

    fn operation(&mut self, h: &str) -> String {
        if self.links == Links::Ring {
            return self.ring_operation(h);
        }
        let double = self.links == Links::Double;
        let g = ["h0", "h1", "h2"].into_iter().filter(|g| *g != h).nth(self.rng.usize(..2)).unwrap_or("h1");
        let touch = self.touch();
        let key = pick(&mut self.rng, &["0", "1", "3", "c", "k"]);
        let chosen = if self.rng.bool() { N.to_owned() } else { format!("x->d == {key}") };
        let if_double = |line: &str| if double { line.to_owned() } else { String::new() };
        match self.rng.u8(..16) {
            0 | 1 => self.build(h),
            2 | 3 => format!("for (x = {h}; x; x = x->next) {{\n{touch}\n}}"),
            4 => format!(
                "x = {h};\nwhile (x && !({chosen})) {{\nx = x->next;\n}}\nif (x) {{\n{touch}\n}}\nx = 0;"
            ),
            5 => {
                let fix = if_double("if (t) {\nt->prev = y;\n}");
                format!(
                    "y = 0;
                    x = {h};
                    while (x) {{
                    t = x->next;
                    if ({chosen}) {{
                    if (y) {{
                    y->next = t;
                    }} else {{
                    {h} = t;
                    }}
                    {fix}
                    drop(x);
                    }} else {{
                    y = x;
                    }}
                    x = t;
                    }}
                    y = 0;"
                )
            }
            6 => {
                let fix = if_double("if (y) {\ny->prev = t;\n}");
                let last = if_double("if (y) {\ny->prev = 0;\n}");
                format!(
                    "y = 0;
                    while ({h}) {{
                    t = {h};
                    {h} = t->next;
                    t->next = y;
                    {fix}
                    y = t;
                    }}
                    {last}
                    {h} = y;
                    y = 0;
                    t = 0;"
                )
            }
            7 | 8 => {
                let fix = if_double(&format!("if ({g}) {{\n{g}->prev = x;\n}}"));
                format!(
                    "if ({h}) {{
                    x = {h};
                    while (x->next) {{
                    x = x->next;
                    }}
                    x->next = {g};
                    {fix}
                    x = 0;
                    }} else {{
                    {h} = {g};
                    }}
                    {g} = 0;"
                )
            }
            9 => {
                let create = self.create("y");
                let fix = if_double("y->prev = x;\nif (y->next) {\ny->next->prev = y;\n}");
                format!(
                    "x = {h};
                    while (x && {N}) {{
                    x = x->next;
                    }}
                    if (x) {{
                    {create}
                    y->next = x->next;
                    x->next = y;
                    {fix}
                    y = 0;
                    }}
                    x = 0;"
                )
            }
            10 => {
                let fix = if_double(&format!("if ({g}) {{\n{g}->prev = 0;\n}}"));
                format!(
                    "if ({h} && !{g}) {{
                    x = {h};
                    while (x->next && {N}) {{
                    x = x->next;
                    }}
                    {g} = x->next;
                    x->next = 0;
                    {fix}
                    x = 0;
                    }}"
                )
            }
            11 => {
                let fix = if_double(&format!("if ({h}) {{\n{h}->prev = 0;\n}}"));
                format!("if ({h}) {{\nx = {h};\n{h} = x->next;\n{fix}\ndrop(x);\nx = 0;\n}}")
            }
            12 => {
                format!("u = {h};\nwhile (u && {N}) {{\nu = u->next;\n}}\nif (u) {{\nu->d = 3;\n}}\nu = 0;")
            }
            13 => format!("x = {h};\n{h} = {g};\n{g} = x;\nx = 0;"),
            14 => {
                let create = self.create("y");
                let fix = if_double("y->prev = t;\nif (y->next) {\ny->next->prev = y;\n}");
                format!(
                    "{create}
                    t = 0;
                    x = {h};
                    while (x && x->d < y->d) {{
                    t = x;
                    x = x->next;
                    }}
                    y->next = x;
                    {fix}
                    if (t) {{
                    t->next = y;
                    }} else {{
                    {h} = y;
                    }}
                    x = 0;
                    t = 0;
                    y = 0;"
                )
            }
            _ if double => format!(
                "x = {h};
                while (x && x->next) {{
                x = x->next;
                }}
                while (x) {{
                {touch}
                x = x->prev;
                }}"
            ),
            _ => {
                let copy = "y = make(x->d);";
                format!(
                    "for (x = {h}; x; x = x->next) {{
                    {copy}
                    y->next = {g};
                    {g} = y;
                    }}
                    y = 0;"
                )
            }
        }
    }

    fn ring_operation(&mut self, h: &str) -> String {
        let touch = self.touch();
        match self.rng.u8(..6) {
            0 | 1 => self.build(h),
            2 => {
                format!("x = {h};\nif (x) {{\ndo {{\n{touch}\nx = x->next;\n}} while (x != {h});\n}}\nx = 0;")
            }
            3 => format!("if ({h}) {{\n{h} = {h}->next;\n}}"),
            4 => format!(
                "if ({h}) {{
                x = {h}->next;
                if (x == {h}) {{
                {h} = 0;
                }} else {{
                {h}->next = x->next;
                }}
                drop(x);
                x = 0;
                }}"
            ),
            _ => format!(
                "x = {h};
                if (x) {{
                while (x->next != {h} && {N}) {{
                x = x->next;
                }}
                {touch}
                }}
                x = 0;"
            ),
        }
    }

    fn embedded_main(&mut self, text: &mut Text) {
        text.add("struct n *x = 0, *y = 0, *t = 0, *u = 0, *h0 = 0, *h1 = 0, *h2 = 0;\nint k = 0;");
        let storage = if self.rng.bool() { "static " } else { "" };
        text.add(&format!("{storage}struct link a, b;\nstruct link *q, *r;"));
        text.add(&format!("a.next = a.prev = &a;\nb.next = b.prev = &b;\nc = {N};"));
        if self.payload == Payload::Shared {
            text.add("shared = malloc(sizeof *shared);\nshared->v = 0;");
        }
        for _ in 0..self.rng.usize(2..7) {
            let (l, m) = pick(&mut self.rng, &[("a", "b"), ("a", "b"), ("b", "a")]);
            let op = self.embedded_operation(l, m);
            text.add(&op);
            if self.rng.u8(..5) == 0 {
                text.add("while (__VERIFIER_nondet_int()) {\n}");
            }
        }
        for l in ["a", "b"] {
            text.add(&format!(
                "while ({l}.next != &{l}) {{
                x = NODE({l}.next);
                cut(&x->l);
                drop(x);
                }}"
            ));
        }
        if self.payload == Payload::Shared {
            text.add("free(shared);\nshared = 0;");
        }
    }

    fn embedded_operation(&mut self, l: &str, m: &str) -> String {
        let create = self.create("x");
        let touch = self.touch();
        match self.rng.u8(..7) {
            0 | 1 => format!("while ({N}) {{\n{create}\ninsert(&x->l, &{l}, {l}.next);\n}}\nx = 0;"),
            2 => format!("while ({N}) {{\n{create}\ninsert(&x->l, {l}.prev, &{l});\n}}\nx = 0;"),
            3 => format!("for (q = {l}.next; q != &{l}; q = q->next) {{\nx = NODE(q);\n{touch}\n}}\nx = 0;"),
            4 => format!(
                "for (q = {l}.next; q != &{l}; q = r) {{
                r = q->next;
                x = NODE(q);
                if ({N}) {{
                cut(q);
                drop(x);
                }}
                }}
                x = 0;"
            ),
            5 => format!(
                "if ({m}.next != &{m}) {{
                {m}.next->prev = {l}.prev;
                {l}.prev->next = {m}.next;
                {m}.prev->next = &{l};
                {l}.prev = {m}.prev;
                {m}.next = {m}.prev = &{m};
                }}"
            ),
            _ => format!(
                "if ({l}.next != &{l}) {{
                x = NODE({l}.prev);
                cut(&x->l);
                insert(&x->l, &{m}, {m}.next);
                x = 0;
                }}"
            ),
        }
    }
}
