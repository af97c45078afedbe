//! Random functions over random node types, as text of `ir`: no compiler is needed.
//!
//! A program has a function `f`, which may call `g`. Both follow and change links, allocate nodes, branch on data and run
//! through loops; they take addresses of links and have nodes on the stack. Some statements are wrong on purpose.

use std::fmt::Write;

/// The links of a node type: the types that they lead to. A number comes first in a node.
type Links = Vec<usize>;

/// What a variable holds: a pointer to a node of a type, or the address of such a pointer.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Node(usize),
    Cell(usize),
}

/// Registers of a function: parameters, a number, then variables, then the number again, then temporaries.
struct Maker<'t> {
    random: &'t mut fastrand::Rng,
    types: &'t [Links],
    /// What `g` takes and gives, where it may be called.
    callee: Option<(&'t [Of], usize)>,
    variables: Vec<Of>,
    /// Node types of locals.
    locals: Vec<usize>,
    params: usize,
    text: String,
    registers: usize,
    blocks: usize,
    /// Statements that may still be made.
    left: usize,
}

/// A function as text.
struct Made {
    params: Vec<Of>,
    result: usize,
    text: String,
}

fn structure(node: usize) -> usize {
    10 + 3 * node
}

fn type_of(of: Of) -> usize {
    match of {
        Of::Node(node) => structure(node) + 1,
        Of::Cell(node) => structure(node) + 2,
    }
}

impl Maker<'_> {
    fn register(&mut self) -> usize {
        self.registers += 1;
        self.registers - 1
    }

    fn block(&mut self) -> usize {
        self.blocks += 1;
        self.blocks - 1
    }

    fn line(&mut self, text: String) {
        let _ = writeln!(self.text, "  {text}");
    }

    fn begin(&mut self, block: usize) {
        let _ = writeln!(self.text, "b{block}:");
    }

    fn one_in(&mut self, n: u8) -> bool {
        self.random.u8(0..n) == 0
    }

    /// The register of a variable.
    fn name(&self, variable: usize) -> String {
        format!("r{}", self.params + 1 + variable)
    }

    fn number(&self) -> String {
        format!("r{}", self.params + 1 + self.variables.len())
    }

    /// Some variable that holds this.
    fn of(&mut self, of: Of) -> Option<usize> {
        let all: Vec<usize> = (0..self.variables.len()).filter(|&v| self.variables[v] == of).collect();
        if all.is_empty() { None } else { Some(all[self.random.usize(0..all.len())]) }
    }

    fn some_node(&mut self) -> Option<(usize, usize)> {
        let all: Vec<usize> =
            (0..self.variables.len()).filter(|&v| matches!(self.variables[v], Of::Node(_))).collect();
        let v = all.get(self.random.usize(0..all.len().max(1))).copied()?;
        match self.variables[v] {
            Of::Node(node) => Some((v, node)),
            Of::Cell(_) => None,
        }
    }

    /// The address of a link.
    fn link(&mut self, variable: usize, node: usize, link: usize) -> usize {
        let at = self.register();
        let base = self.name(variable);
        self.line(format!("r{at} = ptradd {base} + {} in t{}", 8 + 8 * link, structure(node)));
        at
    }

    /// Goes on only if the variable is not null, most of the time.
    fn guarded(&mut self, variable: usize, inside: impl FnOnce(&mut Self)) {
        if self.one_in(12) {
            return inside(self);
        }
        let (test, then, after) = (self.register(), self.block(), self.block());
        let name = self.name(variable);
        self.line(format!("r{test} = cmp ne ptr {name}, null"));
        self.line(format!("br r{test} ? b{then} : b{after}"));
        self.begin(then);
        inside(self);
        self.line(format!("jump b{after}"));
        self.begin(after);
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.random.usize(1..=4) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let Some((x, node)) = self.some_node() else { return };
        let link = self.random.usize(0..self.types[node].len());
        let target = self.types[node][link];
        match self.random.u8(0..20) {
            0..=3 => self.follow(x, node, link, target),
            4..=7 => self.set_link(x, node, link, target),
            8 => {
                if let Some(y) = self.of(Of::Node(node)) {
                    let (x, y) = (self.name(x), self.name(y));
                    self.line(format!("{x} = copy ptr {y}"));
                }
            }
            9 | 10 => self.allocate(x, node),
            11 | 12 if depth < 3 => self.branch(x, node, depth),
            13 | 14 if depth < 2 => self.each(x, node, depth),
            15 => self.call(),
            16 | 17 => self.cell(x, node, link, target),
            18 => self.stack(node, x),
            19 if self.one_in(3) => {
                let x = self.name(x);
                self.line(format!("call f4({x})"));
            }
            _ => self.follow(x, node, link, target),
        }
    }

    /// `y = x->link`
    fn follow(&mut self, x: usize, node: usize, link: usize, target: usize) {
        let Some(y) = self.of(Of::Node(target)) else { return };
        self.guarded(x, |me| {
            let at = me.link(x, node, link);
            let y = me.name(y);
            me.line(format!("{y} = load ptr r{at}"));
        });
    }

    /// `x->link = y`, or null; seldom something of another type.
    fn set_link(&mut self, x: usize, node: usize, link: usize, target: usize) {
        let other = if self.one_in(14) {
            Some(self.random.usize(0..self.variables.len()))
        } else {
            self.of(Of::Node(target))
        };
        let value = match other {
            Some(y) if self.random.u8(0..5) > 0 => self.name(y),
            _ => "null".to_owned(),
        };
        self.guarded(x, |me| {
            let at = me.link(x, node, link);
            me.line(format!("store ptr {value} -> r{at}"));
        });
    }

    /// `c = &x->link`, `y = *c` or `*c = y`
    fn cell(&mut self, x: usize, node: usize, link: usize, target: usize) {
        let Some(c) = self.of(Of::Cell(target)) else { return };
        let name = self.name(c);
        match self.random.u8(0..3) {
            0 => self.guarded(x, |me| {
                let at = me.link(x, node, link);
                me.line(format!("{name} = copy ptr r{at}"));
            }),
            1 => {
                if let Some(y) = self.of(Of::Node(target)) {
                    let y = self.name(y);
                    self.line(format!("{y} = load ptr {name}"));
                }
            }
            _ => {
                let value = match self.of(Of::Node(target)) {
                    Some(y) if !self.one_in(4) => self.name(y),
                    _ => "null".to_owned(),
                };
                self.line(format!("store ptr {value} -> {name}"));
            }
        }
    }

    /// `x = &local`, which has all links set, most of the time; its scope may end soon.
    fn stack(&mut self, node: usize, x: usize) {
        let local = self.locals.len();
        self.locals.push(node);
        self.line(format!("scope_start l{local}"));
        for link in 0..self.types[node].len() {
            if !self.one_in(8) {
                let at = self.register();
                self.line(format!("r{at} = ptradd l{local} + {} in t{}", 8 + 8 * link, structure(node)));
                self.line(format!("store ptr null -> r{at}"));
            }
        }
        let name = self.name(x);
        self.line(format!("{name} = copy ptr l{local}"));
        if self.one_in(2) {
            self.left = self.left.saturating_sub(1);
            let link = self.random.usize(0..self.types[node].len());
            let target = self.types[node][link];
            self.follow(x, node, link, target);
            self.set_link(x, node, link, target);
            if !self.one_in(3) {
                self.line(format!("{name} = copy ptr null"));
            }
            self.line(format!("scope_end l{local}"));
        }
    }

    /// `if (x != NULL && x->number < n) … else …`
    fn branch(&mut self, x: usize, node: usize, depth: usize) {
        let (some, then, otherwise, after) = (self.block(), self.block(), self.block(), self.block());
        let (test, at, value, less) = (self.register(), self.register(), self.register(), self.register());
        let (name, number) = (self.name(x), self.number());
        self.line(format!("r{test} = cmp ne ptr {name}, null"));
        self.line(format!("br r{test} ? b{some} : b{otherwise}"));
        self.begin(some);
        self.line(format!("r{at} = ptradd {name} in t{}", structure(node)));
        self.line(format!("r{value} = load i64 r{at}"));
        self.line(format!("r{less} = cmp slt i64 r{value}, {number}"));
        self.line(format!("br r{less} ? b{then} : b{otherwise}"));
        self.begin(then);
        self.statements(depth + 1);
        self.line(format!("jump b{after}"));
        self.begin(otherwise);
        self.statements(depth + 1);
        self.line(format!("jump b{after}"));
        self.begin(after);
    }

    /// `while (x != NULL) { …; x = x->link; }`
    fn each(&mut self, x: usize, node: usize, depth: usize) {
        let (head, body, after) = (self.block(), self.block(), self.block());
        self.line(format!("jump b{head}"));
        self.begin(head);
        let (test, name) = (self.register(), self.name(x));
        self.line(format!("r{test} = cmp ne ptr {name}, null"));
        self.line(format!("br r{test} ? b{body} : b{after}"));
        self.begin(body);
        self.statements(depth + 1);
        match self.types[node].iter().position(|t| *t == node) {
            Some(own) => self.guarded(x, |me| {
                let at = me.link(x, node, own);
                me.line(format!("{name} = load ptr r{at}"));
            }),
            None => self.line(format!("{name} = copy ptr null")),
        }
        self.line(format!("jump b{head}"));
        self.begin(after);
    }

    /// `y = g(…)`
    fn call(&mut self) {
        let Some((params, result)) = self.callee else { return };
        let mut args = Vec::new();
        for param in params {
            match (self.of(*param), param) {
                (Some(v), _) => args.push(self.name(v)),
                (None, Of::Node(_)) => args.push("null".to_owned()),
                (None, Of::Cell(_)) => return,
            }
        }
        let number = self.number();
        args.push(number);
        let to = match self.of(Of::Node(result)) {
            Some(y) => self.name(y),
            None => format!("r{}: ptr", self.register()),
        };
        self.line(format!("{to} = call f3({})", args.join(", ")));
    }

    /// `x = malloc(…)`; some or all of its links are set, seldom it is too small.
    fn allocate(&mut self, x: usize, node: usize) {
        let size = 8 + 8 * self.types[node].len() - if self.one_in(15) { 8 } else { 0 };
        let name = self.name(x);
        self.line(format!("{name} = call f1(i64 {size})"));
        if !self.one_in(12) {
            let (test, failed, given) = (self.register(), self.block(), self.block());
            self.line(format!("r{test} = cmp eq ptr {name}, null"));
            self.line(format!("br r{test} ? b{failed} : b{given}"));
            self.begin(failed);
            self.line("call f2()".to_owned());
            self.line("unreachable".to_owned());
            self.begin(given);
        }
        for link in 0..self.types[node].len() {
            if self.one_in(8) {
                continue;
            }
            let value = match self.of(Of::Node(self.types[node][link])) {
                Some(y) if self.random.bool() && y != x => self.name(y),
                _ => "null".to_owned(),
            };
            let at = self.link(x, node, link);
            self.line(format!("store ptr {value} -> r{at}"));
        }
    }

    /// The whole function.
    fn function(mut self, id: &str, name: &str, ctype: usize) -> Made {
        for param in 0..self.params {
            let variable = self.name(param);
            self.line(format!("{variable} = copy ptr r{param}"));
        }
        let number = self.number();
        self.line(format!("{number} = copy i64 r{}", self.params));
        for variable in self.params..self.variables.len() {
            if !self.one_in(6) {
                let variable = self.name(variable);
                self.line(format!("{variable} = copy ptr null"));
            }
        }
        self.statements(0);
        let (result, node) = self.some_node().unwrap_or((0, 0));
        let value = self.name(result);
        self.line(format!("return {value}"));
        let params: Vec<Of> = self.variables[..self.params].to_vec();
        let text = self.written(id, name, ctype);
        Made { params, result: node, text }
    }

    fn written(&self, id: &str, name: &str, ctype: usize) -> String {
        let mut params: Vec<String> = (0..self.params).map(|p| format!("r{p}: ptr")).collect();
        params.push(format!("r{}: i64", self.params));
        let mut out =
            format!("\nfunc {id} \"{name}\"({}) -> (ptr) type t{ctype} @0:1:0 {{\n", params.join(", "));
        for (index, of) in self.variables.iter().enumerate() {
            let (reg, ctype) = (self.params + 1 + index, type_of(*of));
            let _ = writeln!(out, "  reg r{reg}: ptr var \"v{index}\" type t{ctype} @0:1:0");
        }
        let _ = writeln!(out, "  reg {}: i64 var \"n\" type t0 @0:1:0", self.number());
        for (index, node) in self.locals.iter().enumerate() {
            let (size, ctype) = (8 + 8 * self.types[*node].len(), structure(*node));
            let _ = writeln!(
                out,
                "  local l{index} size {size} align 8 scoped var \"t{index}\" type t{ctype} @0:1:0"
            );
        }
        out + &in_order(&format!("b0:\n{}", self.text)) + "}\n"
    }
}

/// The blocks numbered in the order in which they stand.
fn in_order(text: &str) -> String {
    let names: Vec<&str> = text.lines().filter_map(|line| line.strip_suffix(':')).collect();
    let number = |word: &str| match names.iter().position(|name| *name == word) {
        Some(place) => format!("b{place}"),
        None => word.to_owned(),
    };
    let mut out = String::new();
    for line in text.lines() {
        match line.strip_suffix(':') {
            Some(name) => out += &(number(name) + ":"),
            None => out += &line.split(' ').map(number).collect::<Vec<_>>().join(" "),
        }
        out.push('\n');
    }
    out
}

fn make(
    random: &mut fastrand::Rng,
    types: &[Links],
    callee: Option<(&[Of], usize)>,
    (id, name, ctype): (&str, &str, usize),
) -> Made {
    let params = random.usize(1..=3);
    let mut variables: Vec<Of> = Vec::new();
    for index in 0..params + random.usize(0..=2) {
        let node = random.usize(0..types.len());
        // At least one variable is a node.
        let cell = index > 0 && index < params && random.u8(0..4) == 0;
        variables.push(if cell { Of::Cell(node) } else { Of::Node(node) });
    }
    let registers = params + 1 + variables.len() + 1;
    let left = random.usize(3..=14);
    let locals = Vec::new();
    let text = String::new();
    let maker = Maker { random, types, callee, variables, locals, params, text, registers, blocks: 1, left };
    maker.function(id, name, ctype)
}

/// A program with the functions `f` and `g`.
pub fn program(seed: u64) -> String {
    let mut random = fastrand::Rng::with_seed(seed);
    let count = random.usize(1..=3);
    let types: Vec<Links> =
        (0..count).map(|_| (0..random.usize(1..=3)).map(|_| random.usize(0..count)).collect()).collect();
    let g = make(&mut random, &types, None, ("f3", "g", 7));
    let f = make(&mut random, &types, Some((&g.params, g.result)), ("f0", "f", 3));
    let mut out = String::from("target lp64\nfile file0 \"a.c\"\n");
    out.push_str("type t0 = int \"long\" size 8 signed\ntype t1 = void\ntype t2 = pointer t1\n");
    let signature = |made: &Made| {
        let mut list: Vec<String> = made.params.iter().map(|p| format!("t{}", type_of(*p))).collect();
        list.push("t0".to_owned());
        format!("function t{}({})", type_of(Of::Node(made.result)), list.join(", "))
    };
    let _ = writeln!(out, "type t3 = {}", signature(&f));
    out.push_str("type t4 = function t2(t0)\ntype t5 = function t1()\ntype t6 = function t1(t2)\n");
    let _ = writeln!(out, "type t7 = {}\ntype t8 = void\ntype t9 = void", signature(&g));
    for (node, links) in types.iter().enumerate() {
        let mut members = String::from("0 \"v\" t0");
        for (index, to) in links.iter().enumerate() {
            let _ = write!(members, "; {} \"l{index}\" t{}", 64 + 64 * index, type_of(Of::Node(*to)));
        }
        let (own, size) = (structure(node), 8 + 8 * links.len());
        let _ = writeln!(out, "type t{own} = struct \"s{node}\" size {size} @0:1:0 {{ {members} }}");
        let _ = writeln!(out, "type t{} = pointer t{own}\ntype t{} = pointer t{}", own + 1, own + 2, own + 1);
    }
    out.push_str(&f.text);
    out.push_str("\nfunc f1 \"malloc\"(i64) -> (ptr) type t4 @0:1:0\n\nfunc f2 \"abort\"() type t5 @0:1:0\n");
    out.push_str(&g.text);
    out.push_str("\nfunc f4 \"free\"(ptr) type t6 @0:1:0\n");
    out
}
