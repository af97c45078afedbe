//! Random functions over random node types, as text of `ir`: no compiler is needed.
//!
//! A program has a function `f`, which may call `g`. Both follow and change links, allocate nodes, branch on data and run
//! through loops; they take addresses of links and have nodes on the stack. They use arrays of links by index, unions, nodes inside of nodes and the way back
//! to the node around, and they free nodes. Some statements are wrong on purpose.

mod types;

use std::fmt::Write;
use types::{Type, structure};

/// What a variable holds: a pointer to a node of a type, or the address of such a pointer.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Node(usize),
    Cell(usize),
}

/// Registers of a function: parameters, a number, then variables, then the number again, then temporaries.
struct Maker<'t> {
    random: &'t mut fastrand::Rng,
    types: &'t [Type],
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
        let (offset, _) = self.types[node].links[link];
        self.line(format!("r{at} = ptradd {base} + {offset} in t{}", structure(node)));
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
        let link = self.random.usize(0..self.types[node].links.len());
        let target = self.types[node].links[link].1;
        if self.one_in(4) && self.special(x, node) {
            return;
        }
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

    /// Something with an array, a union or a part of the node; false if it has none of these.
    fn special(&mut self, x: usize, node: usize) -> bool {
        let own = &self.types[node];
        let (arrays, unions, parts) = (own.arrays.len(), own.unions.len(), own.parts.len());
        let all = 2 * arrays + unions + parts;
        if !own.cells.is_empty() && self.one_in(2) {
            let cell = self.random.usize(0..own.cells.len());
            self.pointer_to_link(x, node, self.types[node].cells[cell]);
            return true;
        }
        if all == 0 {
            return false;
        }
        match self.random.usize(0..all) {
            n if n < arrays => self.indexed(x, node, self.types[node].arrays[n]),
            n if n < 2 * arrays => self.each_element(x, node, self.types[node].arrays[n - arrays]),
            n if n < 2 * arrays + unions => self.union(x, node, self.types[node].unions[n - 2 * arrays]),
            n => self.part(x, node, self.types[node].parts[n - 2 * arrays - unions]),
        }
        true
    }

    /// `x->pp = &y->link`, `x->pp = c`, or `*x->pp` is read or written.
    fn pointer_to_link(&mut self, x: usize, node: usize, (at, to): (usize, usize)) {
        let cell = self.of(Of::Cell(to)).map(|c| self.name(c));
        let value = self.of(Of::Node(to)).map(|y| self.name(y));
        let other = self.some_node().and_then(|(y, of)| {
            let links = &self.types[of].links;
            let found = links.iter().position(|(_, t)| *t == to || self.random.u8(0..20) == 0)?;
            Some((y, of, found))
        });
        let what = self.random.u8(0..5);
        let unguarded = self.one_in(8);
        self.guarded(x, |me| {
            let (place, name) = (me.register(), me.name(x));
            me.line(format!("r{place} = ptradd {name} + {at} in t{}", structure(node)));
            match (what, cell, other, value) {
                (0, Some(cell), ..) => me.line(format!("store ptr {cell} -> r{place}")),
                (0 | 1, _, Some((y, of, link)), _) => me.guarded(y, |me| {
                    let link = me.link(y, of, link);
                    me.line(format!("store ptr r{link} -> r{place}"));
                }),
                (2 | 3, .., Some(value)) => {
                    let (led, test, some, after) = (me.register(), me.register(), me.block(), me.block());
                    me.line(format!("r{led} = load ptr r{place}"));
                    let null = if unguarded { "r".to_owned() + &led.to_string() } else { "null".to_owned() };
                    let op = if unguarded { "eq" } else { "ne" };
                    me.line(format!("r{test} = cmp {op} ptr r{led}, {null}"));
                    me.line(format!("br r{test} ? b{some} : b{after}"));
                    me.begin(some);
                    match what {
                        2 => me.line(format!("{value} = load ptr r{led}")),
                        _ => me.line(format!("store ptr {value} -> r{led}")),
                    }
                    me.line(format!("jump b{after}"));
                    me.begin(after);
                }
                _ => me.line(format!("store ptr null -> r{place}")),
            }
        });
    }

    /// The address of an element of an array.
    fn element(&mut self, x: usize, node: usize, at: usize, index: usize) -> usize {
        let (array, element, name) = (self.register(), self.register(), self.name(x));
        self.line(format!("r{array} = ptradd {name} + {at} in t{}", structure(node)));
        self.line(format!("r{element} = ptradd r{array} + r{index} * 8"));
        element
    }

    /// `x->array[n % count]`, read or written; seldom the index may be too large or negative.
    fn indexed(&mut self, x: usize, node: usize, (at, count, to): (usize, usize, usize)) {
        let (index, number) = (self.register(), self.number());
        let wrong = usize::from(self.one_in(10));
        match self.random.u8(0..3) {
            0 => self.line(format!("r{index} = and i64 {number}, {}", count - 1 + wrong * count)),
            1 => self.line(format!("r{index} = urem i64 {number}, {}", count + wrong)),
            _ => {
                let (low, high, inside, after) =
                    (self.register(), self.register(), self.block(), self.block());
                let middle = self.block();
                let op = if wrong == 1 { "sle" } else { "slt" };
                self.line(format!("r{index} = copy i64 0"));
                self.line(format!("r{low} = cmp sge i64 {number}, 0"));
                self.line(format!("br r{low} ? b{middle} : b{after}"));
                self.begin(middle);
                self.line(format!("r{high} = cmp {op} i64 {number}, {count}"));
                self.line(format!("br r{high} ? b{inside} : b{after}"));
                self.begin(inside);
                self.line(format!("r{index} = copy i64 {number}"));
                self.line(format!("jump b{after}"));
                self.begin(after);
            }
        }
        let y = self.of(Of::Node(to)).map(|y| self.name(y));
        let cell = self.of(Of::Cell(to)).map(|c| self.name(c));
        let what = self.random.u8(0..5);
        self.guarded(x, |me| {
            let element = me.element(x, node, at, index);
            match (what, y, cell) {
                (0 | 1, Some(y), _) => me.line(format!("{y} = load ptr r{element}")),
                (2, _, Some(cell)) => me.line(format!("{cell} = copy ptr r{element}")),
                (3, Some(y), _) => me.line(format!("store ptr {y} -> r{element}")),
                _ => me.line(format!("store ptr null -> r{element}")),
            }
        });
    }

    /// `for (i = 0; i < count; i++) x->array[i] = y`; seldom once too often.
    fn each_element(&mut self, x: usize, node: usize, (at, count, to): (usize, usize, usize)) {
        let (index, test) = (self.register(), self.register());
        let value = self.of(Of::Node(to)).map_or("null".to_owned(), |y| self.name(y));
        let value = if self.one_in(2) { "null".to_owned() } else { value };
        let op = if self.one_in(8) { "sle" } else { "slt" };
        self.guarded(x, |me| {
            let (head, body, after) = (me.block(), me.block(), me.block());
            me.line(format!("r{index} = copy i64 0"));
            me.line(format!("jump b{head}"));
            me.begin(head);
            me.line(format!("r{test} = cmp {op} i64 r{index}, {count}"));
            me.line(format!("br r{test} ? b{body} : b{after}"));
            me.begin(body);
            let element = me.element(x, node, at, index);
            me.line(format!("store ptr {value} -> r{element}"));
            me.line(format!("r{index} = add i64 r{index}, 1"));
            me.line(format!("jump b{head}"));
            me.begin(after);
        });
    }

    /// `x->u.p = y; z = x->u.p`; seldom only one of these, or a number in between.
    fn union(&mut self, x: usize, node: usize, (at, to): (usize, usize)) {
        let (Some(y), Some(z)) = (self.of(Of::Node(to)), self.of(Of::Node(to))) else { return };
        let (y, z, number) = (self.name(y), self.name(z), self.number());
        let (writes, reads, breaks) = (!self.one_in(6), self.one_in(2), self.one_in(6));
        self.guarded(x, |me| {
            let (place, name) = (me.register(), me.name(x));
            me.line(format!("r{place} = ptradd {name} + {at} in t{}", structure(node)));
            if writes {
                me.line(format!("store ptr {y} -> r{place}"));
            }
            if breaks {
                me.line(format!("store i64 {number} -> r{place}"));
            }
            if reads {
                me.line(format!("{z} = load ptr r{place}"));
            }
        });
    }

    /// `y = &x->part`, and the way back: `z = container_of(y)`; seldom from somewhere else.
    fn part(&mut self, x: usize, node: usize, (at, inner): (usize, usize)) {
        let Some(y) = self.of(Of::Node(inner)) else { return };
        let z = self.of(Of::Node(node)).map(|z| self.name(z));
        let y = self.name(y);
        let (there, back) = (!self.one_in(10), self.one_in(2));
        self.guarded(x, |me| {
            let name = me.name(x);
            if there {
                me.line(format!("{y} = ptradd {name} + {at} in t{}", structure(node)));
            }
            if let Some(z) = z.filter(|_| back) {
                me.line(format!("{z} = ptradd {y} - {at}"));
            }
        });
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
        if self.has_slots(node) && !self.one_in(8) {
            let size = self.types[node].size;
            self.line(format!("fillblock l{local} <- 0, {size}"));
        }
        let own = &self.types[node];
        let fields: Vec<usize> = own.links.iter().chain(&own.cells).map(|(offset, _)| *offset).collect();
        for offset in fields {
            if !self.one_in(8) {
                let at = self.register();
                self.line(format!("r{at} = ptradd l{local} + {offset} in t{}", structure(node)));
                self.line(format!("store ptr null -> r{at}"));
            }
        }
        let name = self.name(x);
        self.line(format!("{name} = copy ptr l{local}"));
        if self.one_in(2) {
            self.left = self.left.saturating_sub(1);
            let link = self.random.usize(0..self.types[node].links.len());
            let target = self.types[node].links[link].1;
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
        match self.types[node].links.iter().position(|(_, t)| *t == node) {
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
        let size = self.types[node].size - if self.one_in(15) { 8 } else { 0 };
        let name = self.name(x);
        let zeroed = self.has_slots(node) && !self.one_in(8);
        match zeroed {
            true => self.line(format!("{name} = call f5(i64 1, i64 {size})")),
            false => self.line(format!("{name} = call f1(i64 {size})")),
        }
        if !self.one_in(12) {
            let (test, failed, given) = (self.register(), self.block(), self.block());
            self.line(format!("r{test} = cmp eq ptr {name}, null"));
            self.line(format!("br r{test} ? b{failed} : b{given}"));
            self.begin(failed);
            self.line("call f2()".to_owned());
            self.line("unreachable".to_owned());
            self.begin(given);
        }
        for link in 0..self.types[node].links.len() {
            if self.one_in(8) {
                continue;
            }
            let value = match self.of(Of::Node(self.types[node].links[link].1)) {
                Some(y) if self.random.bool() && y != x => self.name(y),
                _ => "null".to_owned(),
            };
            let at = self.link(x, node, link);
            self.line(format!("store ptr {value} -> r{at}"));
        }
        for (offset, _) in self.types[node].cells.iter() {
            if !self.one_in(8) {
                let at = self.register();
                self.line(format!("r{at} = ptradd {name} + {offset} in t{}", structure(node)));
                self.line(format!("store ptr null -> r{at}"));
            }
        }
        if self.one_in(5) {
            self.line(format!("call f4({name})"));
            if !self.one_in(4) {
                self.line(format!("{name} = copy ptr null"));
            }
        }
    }

    /// Whether a node has an array of many links.
    fn has_slots(&self, node: usize) -> bool {
        self.types[node].arrays.iter().any(|(_, count, _)| *count > 8)
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
            let (size, ctype) = (self.types[*node].size, structure(*node));
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
    types: &[Type],
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
    let (types, described) = types::types(&mut random);
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
    let _ = writeln!(out, "type t7 = {}\ntype t8 = function t2(t0, t0)\ntype t9 = void", signature(&g));
    out.push_str(&described);
    out.push_str(&f.text);
    out.push_str("\nfunc f1 \"malloc\"(i64) -> (ptr) type t4 @0:1:0\n\nfunc f2 \"abort\"() type t5 @0:1:0\n");
    out.push_str(&g.text);
    out.push_str("\nfunc f4 \"free\"(ptr) type t6 @0:1:0\n");
    out.push_str("\nfunc f5 \"calloc\"(i64, i64) -> (ptr) type t8 @0:1:0\n");
    out
}
