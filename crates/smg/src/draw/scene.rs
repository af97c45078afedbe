//! A configuration as it is shown: variables, boxes with rows, and where they point to.

use super::fields::{self, Content};
use crate::graph::{Def, ObjId, Object, Seg, State, Storage, SymId, Tg, Val};
use crate::number::Range;
use crate::tree::Kids;
use heapproof_ir::describe::{member_at, type_name};
use heapproof_ir::{CType, FuncId, GlobalInit, Program, TypeId, ctype, sign_extend};
use heapproof_numbers::{Constraint, Relation};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Rows without a pointer that are shown of one object.
const MOST_ROWS: usize = 10;

/// A configuration as it is shown.
#[derive(Debug)]
pub struct Scene {
    pub vars: Vec<Var>,
    pub nodes: Vec<Node>,
    /// What holds of several numbers together.
    pub relations: Vec<String>,
}

/// A variable outside of the boxes.
#[derive(Debug)]
pub struct Var {
    pub name: String,
    /// It stands for something that only the callers hold.
    pub caller: bool,
    pub value: Shown,
}

/// An object.
#[derive(Debug)]
pub struct Node {
    /// The C type or the name of the variable.
    pub title: String,
    pub size: String,
    pub seg: Option<Seg>,
    pub maybe: bool,
    pub freed: bool,
    pub variable: bool,
    pub level: u32,
    /// The node below whose parts it is nested.
    pub parent: Option<usize>,
    pub rows: Vec<Row>,
    /// How many rows are not shown.
    pub more: usize,
}

/// A field of an object.
#[derive(Debug)]
pub struct Row {
    pub offset: u64,
    pub name: String,
    pub value: Shown,
    pub link: Link,
}

/// What a field is to its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    No,
    Next,
    Prev,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Shown {
    Plain(String),
    Pointer { to: usize, offset: i64, index: String, tg: Tg },
}

struct Maker<'a> {
    program: &'a Program,
    state: &'a State,
    /// The numbers of the boxes.
    numbers: BTreeMap<ObjId, usize>,
    order: Vec<(ObjId, Option<usize>)>,
    /// Symbols that are seen more than once.
    names: BTreeMap<SymId, String>,
}

/// Makes the scene of a configuration.
pub fn make(program: &Program, state: &State) -> Scene {
    let mut maker =
        Maker { program, state, numbers: BTreeMap::new(), order: Vec::new(), names: BTreeMap::new() };
    let (mut vars, mut objects) = (Vec::new(), Vec::new());
    maker.frames(&mut vars, &mut objects);
    maker.globals(&mut objects);
    maker.number(&vars, &mut objects);
    maker.name_symbols(&vars, &objects);
    let mut shown: Vec<Var> = Vec::new();
    for (name, ty, val, bytes, caller) in vars {
        let value = maker.value(val, bytes, ty);
        shown.push(Var { name, caller, value });
    }
    for id in objects {
        let (name, ty) = (maker.title(id), fields::type_of(program, state, id));
        let value = match fields::of(program, state.object(id), ty).first() {
            Some(field) => maker.content(field.content, ty),
            None => Shown::Plain("?".to_owned()),
        };
        shown.push(Var { name, caller: false, value });
    }
    let relations = maker.relations();
    Scene { vars: shown, nodes: maker.nodes(), relations }
}

/// A variable in a register: name, type, value, bytes, and whether callers hold it.
type Register = (String, Option<TypeId>, Val, u64, bool);

impl Maker<'_> {
    fn frames(&self, vars: &mut Vec<Register>, objects: &mut Vec<ObjId>) {
        let last = self.state.frames.len().saturating_sub(1);
        for (depth, frame) in self.state.frames.iter().enumerate().rev() {
            if frame.cut {
                for val in frame.regs.iter().flatten().filter(|val| self.state.target(**val).is_some()) {
                    vars.push(("caller".to_owned(), None, *val, self.state.pointer_bytes(), true));
                }
                continue;
            }
            let function = &self.program.functions[frame.func];
            let Some(body) = &function.body else { continue };
            for (info, val) in body.regs.values().zip(&frame.regs) {
                let Some(val) = *val else { continue };
                let bytes = u64::from(info.ty.bits(self.program.target)).div_ceil(8);
                let (name, ty) = match &info.variable {
                    Some(variable) => (variable.name.clone(), variable.ctype),
                    None if self.state.target(val).is_some() => ("(temporary)".to_owned(), None),
                    None => continue,
                };
                let name = if depth == last { name } else { format!("{}: {name}", function.name) };
                vars.push((name, ty, val, bytes, false));
            }
            objects.extend(frame.locals.values());
            objects.extend(&frame.allocas);
        }
    }

    /// The globals that belong to the heap: they hold pointers.
    fn globals(&self, objects: &mut Vec<ObjId>) {
        for (&global, &id) in &self.state.globals {
            let global = &self.program.globals[global];
            let object = self.state.object(id);
            let points = object.cells.values().any(|cell| self.state.target(cell.val).is_some());
            let may_point = global.ctype.is_some_and(|ty| self.is_pointer(ty));
            if !global.constant && (points || may_point) {
                objects.push(id);
            }
        }
    }

    fn is_pointer(&self, ty: TypeId) -> bool {
        matches!(self.program.types[ctype::strip(&self.program.types, ty)], CType::Pointer { .. })
    }

    fn is_scalar(&self, id: ObjId) -> bool {
        let types = &self.program.types;
        fields::type_of(self.program, self.state, id).is_some_and(|ty| {
            !matches!(
                types[ctype::strip(types, ty)],
                CType::Struct { .. } | CType::Union { .. } | CType::Array { .. }
            )
        })
    }

    /// Numbers the boxes from the variables on; leaves in `objects` the scalars that need no box.
    fn number(&mut self, vars: &[Register], objects: &mut Vec<ObjId>) {
        let state = self.state;
        let mut held: BTreeSet<ObjId> = vars.iter().filter_map(|var| state.target(var.2)).collect();
        let targets = |id: ObjId| {
            let cells: Vec<ObjId> = state.targets(id).collect();
            cells
        };
        held.extend(state.objects.keys().flat_map(|id| targets(*id)));
        let (boxes, plain): (Vec<ObjId>, Vec<ObjId>) =
            objects.iter().partition(|id| held.contains(id) || !self.is_scalar(**id));
        // Boxes of variables and what they lead to come first, then what pointers of variables lead to.
        let mut roots: VecDeque<ObjId> = boxes.into();
        roots.extend(plain.iter().flat_map(|id| targets(*id)));
        let (callers, own): (Vec<_>, Vec<_>) = vars.iter().partition(|var| var.4);
        roots.extend(own.iter().chain(&callers).filter_map(|var| state.target(var.2)));
        let mut queue: VecDeque<(ObjId, Option<usize>)> = VecDeque::new();
        // Links back are followed last, so that lists are numbered from front to back.
        let mut back: VecDeque<(ObjId, Option<usize>)> = VecDeque::new();
        loop {
            let root = |roots: &mut VecDeque<ObjId>| roots.pop_front().map(|id| (id, None));
            let next = queue.pop_front().or_else(|| root(&mut roots)).or_else(|| back.pop_front());
            let Some((id, from)) = next else { break };
            if self.numbers.contains_key(&id) {
                continue;
            }
            let number = self.order.len();
            self.numbers.insert(id, number);
            self.order.push((id, from));
            for (&offset, cell) in &state.object(id).cells {
                if let Some(to) = state.target(cell.val) {
                    let late = self.link(id, offset) == Link::Prev;
                    if late { &mut back } else { &mut queue }.push_back((to, Some(number)));
                }
            }
            queue.extend(state.object(id).kinds.iter().map(|kind| (*kind, Some(number))));
        }
        *objects = plain;
    }

    /// The symbol that a symbol is made from, and what is added to it.
    fn source(&self, id: SymId) -> (SymId, i128) {
        match self.state.syms[&id].def {
            Def::Plus(from, by) => {
                let (root, more) = self.source(from);
                (root, more + by)
            }
            Def::Same(from) => self.source(from),
            Def::At(..) | Def::Times(..) | Def::Free => (id, 0),
        }
    }

    fn name_symbols(&mut self, vars: &[Register], objects: &[ObjId]) {
        let mut values: Vec<Val> = vars.iter().map(|var| var.2).collect();
        for id in objects.iter().chain(self.order.iter().map(|(id, _)| id)) {
            let object = self.state.object(*id);
            values.extend(object.measures().map(Val::Sym));
            values.extend(object.cells.values().map(|cell| cell.val));
        }
        let each = self.state.objects.values().flat_map(|object| object.each_dimensions());
        let related: Vec<Val> =
            self.state.relations.dimensions().into_iter().chain(each).map(Val::Sym).collect();
        values.extend(related.iter().chain(&related));
        let (mut once, mut order) = (BTreeSet::new(), Vec::new());
        for val in values {
            let Val::Sym(mut id) = val else { continue };
            if let Def::At(_, index, _) = self.state.syms[&self.source(id).0].def {
                id = index;
            }
            let root = self.source(id).0;
            if !once.insert(root) && !order.contains(&root) {
                order.push(root);
            }
        }
        for (index, root) in order.into_iter().enumerate() {
            let letter = char::from(b'a' + (index % 26) as u8);
            let turn = if index < 26 { String::new() } else { (index / 26).to_string() };
            self.names.insert(root, format!("?{letter}{turn}"));
        }
    }

    /// The relations, each as a sum that is zero or not negative.
    fn relations(&self) -> Vec<String> {
        let name = |id: SymId| self.names.get(&id).map_or("?", String::as_str);
        let sum = |constraint: &Constraint<SymId>| {
            let form = constraint.form();
            let parts = form.factors().map(|(id, factor)| match factor {
                1 => format!("+ {} ", name(id)),
                -1 => format!("- {} ", name(id)),
                0.. => format!("+ {factor}·{} ", name(id)),
                _ => format!("- {}·{} ", -factor, name(id)),
            });
            let sign = if constraint.relation() == Relation::Zero { "=" } else { "≥" };
            let text: String = parts.collect();
            format!("{} {sign} {}", text.trim_start_matches("+ ").trim_end(), -form.offset())
        };
        let all = self.state.relations.constraints().map(sum);
        let each = self.state.objects.values().filter_map(|object| object.each.as_ref());
        let nodes = each.flat_map(|each| each.constraints().map(|c| format!("in each node {}", sum(c))));
        all.chain(nodes).collect()
    }

    /// How many nodes a segment has, if they are counted, and which numbers they have one after the other.
    fn length(&self, object: &Object) -> String {
        let nodes = match object.length {
            Some(Val::Int(nodes)) => format!(", {nodes} nodes"),
            Some(Val::Sym(id)) => format!(", {} nodes", self.symbol(id)),
            _ => String::new(),
        };
        let tags = object.tags.as_ref().map_or_else(String::new, |tags| format!("; {tags}"));
        let orders = object.orders.iter().map(|order| format!("; {order}"));
        nodes + &tags + &orders.collect::<String>()
    }

    fn symbol(&self, id: SymId) -> String {
        let (root, by) = self.source(id);
        let name = self.names.get(&root).map_or("?", String::as_str);
        let sym = &self.state.syms[&id];
        let mut text = match by {
            0 => name.to_owned(),
            _ if name == "?" => "?".to_owned(),
            1.. => format!("{name} + {by}"),
            _ => format!("{name} - {}", by.unsigned_abs()),
        };
        if !sym.functions.is_empty() {
            let shown = |function: &Option<FuncId>| match function {
                Some(function) => format!("&{}", self.program.functions[*function].name),
                None => "NULL".to_owned(),
            };
            let names: Vec<String> = sym.functions.iter().map(shown).collect();
            return format!("{name} in {{{}}}", names.join(", "));
        }
        let (full, range) = (Range::full(sym.width), self.state.range(Val::Sym(id), sym.width));
        if range.lo == range.hi {
            return range.lo.to_string();
        }
        match (range.lo > full.lo, range.hi < full.hi) {
            (true, true) => text.push_str(&format!(" in {}..{}", range.lo, range.hi)),
            (true, false) => text.push_str(&format!(" ≥ {}", range.lo)),
            (false, true) => text.push_str(&format!(" ≤ {}", range.hi)),
            (false, false) => {}
        }
        for number in sym.not.iter().filter(|n| range.lo <= **n && **n <= range.hi).take(3) {
            text.push_str(&format!(" ≠ {number}"));
        }
        text
    }

    fn value(&self, val: Val, bytes: u64, ty: Option<TypeId>) -> Shown {
        match val {
            Val::Int(bits) => {
                let number = sign_extend(bits, (8 * bytes).clamp(1, 128) as u8);
                let wide = number.unsigned_abs() > 9_999_999_999;
                let null = number == 0 && ty.is_some_and(|ty| self.is_pointer(ty));
                Shown::Plain(match (null, wide) {
                    (true, _) => "NULL".to_owned(),
                    (_, true) => format!("{bits:#x}"),
                    (_, false) => number.to_string(),
                })
            }
            Val::Func(func) => Shown::Plain(format!("&{}", self.program.functions[func].name)),
            Val::Addr(addr) => self.pointer(addr.obj, addr.off, String::new(), addr.tg),
            Val::Sym(id) => {
                let (root, by) = self.source(id);
                match self.state.syms[&root].def {
                    Def::At(base, index, scale) => {
                        let times = if scale == 1 { String::new() } else { format!("·{scale}") };
                        let index = format!("({}){times}", self.symbol(index));
                        self.pointer(base.obj, base.off + by as i64, index, base.tg)
                    }
                    _ => Shown::Plain(self.symbol(id)),
                }
            }
        }
    }

    fn pointer(&self, obj: ObjId, offset: i64, index: String, tg: Tg) -> Shown {
        match self.numbers.get(&obj) {
            Some(&to) => {
                let tg = match tg {
                    Tg::First if self.is_reversed(obj) => Tg::Last,
                    Tg::Last if self.is_reversed(obj) => Tg::First,
                    _ => tg,
                };
                Shown::Pointer { to, offset, index, tg }
            }
            None => Shown::Plain("→ ?".to_owned()),
        }
    }

    fn content(&self, content: Content, ty: Option<TypeId>) -> Shown {
        match content {
            Content::Value(val, bytes) => self.value(val, bytes, ty),
            Content::Zero if ty.is_some_and(|ty| self.is_pointer(ty)) => Shown::Plain("NULL".to_owned()),
            Content::Zero => Shown::Plain("0".to_owned()),
            Content::Unset => Shown::Plain("unset".to_owned()),
            Content::Elsewhere => Shown::Plain("one of the others".to_owned()),
            Content::Unknown | Content::Same(_) => Shown::Plain("?".to_owned()),
        }
    }

    fn title(&self, id: ObjId) -> String {
        match self.state.object(id).storage {
            Storage::Global(global, _) => {
                let global = &self.program.globals[global];
                match &global.init {
                    GlobalInit::Data { bytes, .. } if global.anonymous => literal(bytes),
                    _ => global.name.clone(),
                }
            }
            Storage::Local | Storage::Constant => match fields::variable(self.program, self.state, id) {
                Some(variable) => variable.name.clone(),
                None if self.is_own(id) => "(temporary)".to_owned(),
                None => "variable of a caller".to_owned(),
            },
            Storage::Alloca => "alloca".to_owned(),
            Storage::Stream(kind) => kind.name().to_owned(),
            Storage::Foreign => "string of the environment".to_owned(),
            Storage::Arguments => "argv".to_owned(),
            Storage::Kind => "kind of node".to_owned(),
            Storage::Part => "elements".to_owned(),
            Storage::Heap => match self.state.object(id).used_as {
                Some(ty) => type_name(&self.program.types, ty),
                None => "block".to_owned(),
            },
        }
    }

    fn is_own(&self, id: ObjId) -> bool {
        self.state.frames.iter().any(|frame| frame.locals.values().any(|at| *at == id))
    }

    /// True for a doubly linked segment whose next goes through what C calls prev. It is shown the other way round.
    fn is_reversed(&self, id: ObjId) -> bool {
        let Some(Seg { next, prev: Some(prev), .. }) = self.state.object(id).seg else { return false };
        self.is_backward(id, next) && !self.is_backward(id, prev)
    }

    /// True for members whose names say that they lead back.
    fn is_backward(&self, id: ObjId, offset: u64) -> bool {
        is_backward(&self.member(id, offset))
    }

    /// What C calls a field of an object.
    fn member(&self, id: ObjId, offset: u64) -> String {
        let ty = fields::type_of(self.program, self.state, id);
        let name = ty.and_then(|ty| member_at(&self.program.types, ty, offset, self.state.pointer_bytes()));
        name.unwrap_or_default()
    }

    /// What a field is to its list, in the direction in which C sees the list.
    fn link(&self, id: ObjId, offset: u64) -> Link {
        let (mut next, mut prev) = self.state.object(id).seg.map_or((None, None), |s| (Some(s.next), s.prev));
        if self.is_reversed(id) {
            std::mem::swap(&mut next, &mut prev);
        }
        match Some(offset) {
            at if at == next => Link::Next,
            at if at == prev => Link::Prev,
            _ if self.is_backward(id, offset) => Link::Prev,
            _ => Link::No,
        }
    }

    fn nodes(&self) -> Vec<Node> {
        let mut nodes: Vec<Node> = Vec::new();
        for (id, from) in &self.order {
            let object = self.state.object(*id);
            let mut parent = *from;
            while let Some(up) = parent.filter(|up| nodes[*up].level >= object.level) {
                parent = nodes[up].parent;
            }
            if object.level == 0 {
                parent = None;
            }
            nodes.push(self.node(*id, object, parent));
        }
        nodes
    }

    fn node(&self, id: ObjId, object: &Object, parent: Option<usize>) -> Node {
        let ty = fields::type_of(self.program, self.state, id);
        let (mut rows, mut more, mut plain) = (Vec::new(), 0, 0);
        let constant = matches!(object.storage, Storage::Global(_, true));
        for field in fields::of(self.program, object, ty) {
            let value = match field.content {
                Content::Same(link) => Shown::Plain(self.member(id, link)),
                content => self.content(content, None),
            };
            let link = self.link(id, field.offset);
            if object.valid || matches!(value, Shown::Pointer { .. }) {
                if matches!(value, Shown::Plain(_)) && link == Link::No {
                    plain += 1;
                    if plain > MOST_ROWS || constant {
                        more += 1;
                        continue;
                    }
                }
                rows.push(Row { offset: field.offset, name: field.name, value, link });
            }
        }
        let each = if object.seg.is_some() { " each" } else { "" };
        let size = match object.size_sym {
            Some(sym) if !object.exact => self.symbol(sym),
            _ if object.exact => object.size.to_string(),
            _ => format!("≥ {}", object.size),
        };
        Node {
            title: self.title(id),
            size: match object.begin {
                Some(begin) => format!("bytes {} to {size}{each}{}", self.symbol(begin), self.length(object)),
                None => format!("{size} bytes{each}{}", self.length(object)),
            },
            seg: object.seg,
            maybe: object.maybe,
            freed: !object.valid,
            variable: !matches!(object.storage, Storage::Heap | Storage::Kind),
            level: object.level,
            parent,
            rows,
            more: if constant { 0 } else { more },
        }
    }
}

/// True for names of members that lead back. This only decides how the picture is laid out.
fn is_backward(name: &str) -> bool {
    let last = name.rsplit('.').next().unwrap_or(name).to_ascii_lowercase();
    last.contains("prev") || last == "blink"
}

/// A string literal in short.
fn literal(bytes: &[u8]) -> String {
    let text: Vec<u8> = bytes.iter().copied().take_while(|b| *b != 0).collect();
    if text.iter().all(|b| (b' '..=b'~').contains(b)) {
        let short: String = text.iter().take(20).map(|b| char::from(*b)).collect();
        let dots = if text.len() > 20 { "…" } else { "" };
        format!("\"{short}{dots}\"")
    } else {
        "constant".to_owned()
    }
}

/// A segment in short: its kind and how many nodes it has at least.
pub fn segment(seg: Seg) -> String {
    let kind = match seg.prev {
        _ if seg.kids != Kids::NONE => "tree",
        Some(_) => "DLS",
        None => "SLS",
    };
    format!("{kind} {}+", seg.min)
}
