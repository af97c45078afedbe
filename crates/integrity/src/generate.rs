//! Small graphs: a function is started in states whose links and data are chosen when they are first read.
//!
//! Choices are made one after the other: null, a node that is there already, a new node. So no two states differ in the names of their nodes
//! only. First all choices in order up to a number of runs, then random ones, with at most no node, one, two, …

use crate::formula::{Formula, parse};
use crate::world::{Look, Role, World};
use heapproof_engine::Environment;
use heapproof_engine::state::{Address, Argument, Block, Content, State};
use heapproof_interp::{self as interp, Inputs, Lazy, Outcome, Request, Run, Source};
use heapproof_ir::nodes::{Content as Holds, NodeType, Nodes};
use heapproof_ir::{
    CType, Callee, FloatKind, FuncId, Function, InstKind, Program, Span, Ty, TypeId, ctype, mask,
};
use heapproof_verdict::{ErrorClass, Property, PropertySet};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The most runs for one function.
pub const MOST_RUNS: u32 = 20_000;
/// The most nodes of a state.
const MOST_NODES: usize = 4;
/// Steps of one run.
const STEPS: u64 = 4_000;
/// More choices are not varied.
const MOST_CHOICES: usize = 60;
/// Numbers that are tried.
const NUMBERS: [i128; 5] = [0, 1, 2, 3, -1];
/// Runs in which other errors are looked for when one was found.
const OTHER_RUNS: u32 = 300;
/// The most errors of one function that are told.
const MOST_ERRORS: usize = 4;
/// The most links whose address is tried.
const MOST_PLACES: usize = 6;
/// What uninitialised memory holds.
const FILLER: u128 = 0xa5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5_a5a5;

/// A state in which a function goes wrong.
pub struct Found {
    /// The state, complete.
    pub state: State,
    /// The run in it.
    pub run: Run,
    /// Nodes and arguments for people.
    pub picture: String,
    /// A requirement that the state does not meet.
    pub excluded_by: Option<String>,
    /// The program, with functions for callbacks added.
    pub program: Program,
    /// The environment, which knows these.
    pub environment: Environment,
}

/// Prepared for one function.
pub(crate) struct Generator<'a> {
    nodes: &'a Nodes,
    program: Program,
    options: interp::Options,
    function: FuncId,
    names: Vec<Option<String>>,
    params: Vec<Parameter>,
    requires: Vec<Formula>,
}

/// What is passed for a parameter.
#[derive(Clone, Debug)]
enum Parameter {
    Number(u8),
    Node(NodeType),
    Cell(NodeType),
    /// Any other pointer; memory outside of nodes if that is required: size of an element and how many.
    Pointer(Option<(u64, Count)>),
    Function(FuncId),
}

#[derive(Clone, Debug)]
enum Count {
    Number(u64),
    /// The value of this parameter.
    Parameter(usize),
}

/// Choices of one run, and which ones come next.
#[derive(Default)]
struct Choices {
    taken: Vec<(usize, usize)>,
    at: usize,
    random: Option<fastrand::Rng>,
}

impl Choices {
    fn pick(&mut self, count: usize) -> usize {
        if count <= 1 {
            return 0;
        }
        if let Some(random) = &mut self.random {
            // The first alternative ends things, so it comes more often than the others.
            return if random.u8(0..3) == 0 { 0 } else { random.usize(0..count) };
        }
        if self.at < self.taken.len() {
            self.at += 1;
            return self.taken[self.at - 1].0;
        }
        if self.at >= MOST_CHOICES {
            return 0;
        }
        self.taken.push((0, count));
        self.at += 1;
        0
    }

    /// The next choices; false if there are none.
    fn advance(&mut self) -> bool {
        self.taken.truncate(self.at);
        self.at = 0;
        while let Some((chosen, count)) = self.taken.pop() {
            if chosen + 1 < count {
                self.taken.push((chosen + 1, count));
                return true;
            }
        }
        false
    }
}

/// The state that is being chosen.
struct Draft<'a> {
    nodes: &'a Nodes,
    choices: &'a mut Choices,
    world: World,
    most_nodes: usize,
    word: u64,
    /// Something was read that cannot be made up.
    lost: bool,
}

impl Draft<'_> {
    fn count(&self) -> usize {
        self.world.roles.iter().filter(|r| matches!(r, Role::Node(_))).count()
    }

    /// Null, a node that is there, or a new one. It may be a part of another one.
    fn link(&mut self, node: NodeType) -> Address {
        let mut known = Vec::new();
        // The interpreter finds the type of what is made by its size.
        let told = |(of, at): &(NodeType, i128)| {
            self.nodes.holder(self.nodes.types[of.0].size, *at, node) == Some(*of)
        };
        let holders: Vec<(NodeType, i128)> =
            std::iter::once((node, 0)).chain(self.nodes.containers(node)).filter(told).collect();
        for (index, role) in self.world.roles.iter().enumerate() {
            let here = holders.iter().filter(|(of, _)| *role == Role::Node(*of));
            known.extend(here.map(|(_, at)| Address::Object { index, offset: *at as i64 }));
        }
        let new = if self.count() < self.most_nodes { holders.len() } else { 0 };
        match self.choices.pick(1 + known.len() + new) {
            0 => Address::Null,
            choice if choice <= known.len() => known[choice - 1],
            choice => {
                let (of, at) = holders[choice - known.len() - 1];
                self.new_node(of, at)
            }
        }
    }

    fn new_node(&mut self, node: NodeType, offset: i128) -> Address {
        let index = self.add(Role::Node(node), self.nodes.types[node.0].size as u64);
        Address::Object { index, offset: offset as i64 }
    }

    /// The address of a pointer to nodes: that of a variable, or of a link.
    fn cell(&mut self, to: NodeType) -> Address {
        let mut places = Vec::new();
        for node in (0..self.nodes.types.len()).map(NodeType) {
            let size = self.nodes.types[node.0].size;
            let told = |at: i128| self.nodes.link_holder(size, at, to) == Some(node);
            let links = self.nodes.links_of(node).iter();
            let links = links.filter(|link| link.to == to && told(link.offset));
            places.extend(links.take(MOST_PLACES).map(|link| (node, link.offset)));
        }
        let some = if self.count() < self.most_nodes { places.len().min(MOST_PLACES) } else { 0 };
        match self.choices.pick(1 + some) {
            0 => Address::Object { index: self.add(Role::Cell(to), self.word), offset: 0 },
            choice => self.new_node(places[choice - 1].0, places[choice - 1].1),
        }
    }

    /// The address of a pointer to nodes in a node: null, that of a link that is there, or of a new one.
    fn cell_or_null(&mut self, to: NodeType) -> Address {
        let mut known = Vec::new();
        for (index, role) in self.world.roles.iter().enumerate() {
            match role {
                Role::Node(node) => {
                    let links = self.nodes.links_of(*node).iter().filter(|link| link.to == to);
                    let places = links.take(MOST_PLACES);
                    known.extend(places.map(|l| Address::Object { index, offset: l.offset as i64 }));
                }
                Role::Cell(node) if *node == to => known.push(Address::Object { index, offset: 0 }),
                Role::Cell(_) | Role::Outside => {}
            }
        }
        match self.choices.pick(2 + known.len()) {
            0 => Address::Null,
            choice if choice <= known.len() => known[choice - 1],
            _ => self.cell(to),
        }
    }

    fn add(&mut self, role: Role, size: u64) -> usize {
        self.world.roles.push(role);
        self.world.state.objects.push(Block { size, content: Vec::new() });
        self.world.roles.len() - 1
    }

    /// What a part of an object holds; none if that cannot be said.
    fn choose(&mut self, object: usize, offset: u64, size: u64) -> Option<Content> {
        Some(match self.world.roles[object] {
            Role::Node(node) => match self.nodes.access(node, i128::from(offset), i128::from(size))? {
                Holds::Link(link) => {
                    let info = &self.nodes.links[link.0];
                    Content::Pointer(if info.cell { self.cell_or_null(info.to) } else { self.link(info.to) })
                }
                Holds::Slot(to) => Content::Pointer(self.link(to)),
                Holds::Data => {
                    let (at, bytes) = (i128::from(offset), i128::from(size));
                    let mut over = self.nodes.types[node.0]
                        .fields
                        .iter()
                        .filter(|f| f.offset < at + bytes && at < f.offset + f.size);
                    match over.next() {
                        // An address of something else: nothing is known of it.
                        Some(f) if f.pointer && (f.offset, f.size) == (at, bytes) => {
                            Content::Pointer(Address::Unknown)
                        }
                        Some(f) if f.pointer => return None,
                        Some(f) if (f.offset, f.size) == (at, bytes) => self.number(size),
                        Some(_) => return None,
                        // Bit-fields, or a union: it may hold an address if it is wide enough.
                        None if size < self.word => self.number(size),
                        None => return None,
                    }
                }
            },
            Role::Cell(node) if offset == 0 && size == self.word => Content::Pointer(self.link(node)),
            Role::Outside if size <= 8 => self.number(size),
            Role::Cell(_) | Role::Outside => return None,
        })
    }

    fn number(&mut self, bytes: u64) -> Content {
        let value = NUMBERS[self.choices.pick(NUMBERS.len())];
        Content::Bytes(value.to_le_bytes()[..bytes as usize].to_vec())
    }
}

struct LazyDraft<'d, 'a>(&'d RefCell<Draft<'a>>);

impl Lazy for LazyDraft<'_, '_> {
    fn content(&mut self, object: usize, offset: u64, size: u64) -> Option<Content> {
        let mut draft = self.0.borrow_mut();
        let content = draft.choose(object, offset, size);
        // Nothing sensible can be made up: whatever happens from here on shows nothing.
        draft.lost |= content.is_none();
        let content = content?;
        draft.world.state.objects[object].content.push((offset, content.clone()));
        Some(content)
    }

    fn size(&mut self, object: usize) -> u64 {
        self.0.borrow().world.state.objects[object].size
    }

    fn scalars(&mut self, object: usize) -> Vec<(u64, u64)> {
        let draft = self.0.borrow();
        match draft.world.roles[object] {
            Role::Node(node) => {
                let fields = draft.nodes.types[node.0].fields.iter();
                let mut all: BTreeSet<(u64, u64)> =
                    fields.map(|f| (f.offset as u64, f.size as u64)).collect();
                all.extend(draft.nodes.links_of(node).iter().map(|l| (l.offset as u64, draft.word)));
                all.into_iter().collect()
            }
            Role::Cell(_) => vec![(0, draft.word)],
            Role::Outside => Vec::new(),
        }
    }
}

struct DraftInputs<'d, 'a>(&'d RefCell<Draft<'a>>);

impl Inputs for DraftInputs<'_, '_> {
    fn choose(&mut self, request: &Request) -> u128 {
        let mut draft = self.0.borrow_mut();
        match (request.source, request.range) {
            (Source::Uninitialised, _) => FILLER & mask(request.width),
            (_, Some((low, high))) if high - low < 4 => {
                low + draft.choices.pick((high - low + 1) as usize) as u128
            }
            _ if request.width == 1 => draft.choices.pick(2) as u128,
            _ => (NUMBERS[draft.choices.pick(NUMBERS.len())] as u128) & mask(request.width),
        }
    }
}

/// Gives recorded values again.
struct Replay(std::collections::VecDeque<u128>);

impl Inputs for Replay {
    fn choose(&mut self, request: &Request) -> u128 {
        self.0.pop_front().unwrap_or(if request.source == Source::Uninitialised { FILLER } else { 0 })
            & mask(request.width)
    }
}

impl<'a> Generator<'a> {
    /// None if the function has parameters that cannot be made up, or requirements that are not understood.
    pub(crate) fn new(
        program: &Program,
        nodes: &'a Nodes,
        environment: &Environment,
        function: FuncId,
        names: Vec<Option<String>>,
    ) -> Option<Self> {
        let mut program = program.clone();
        let mut environment = environment.clone();
        let info = program.functions[function].clone();
        let requires = environment.requires.get(&info.name).cloned().unwrap_or_default();
        let requires: Vec<Formula> =
            requires.iter().map(|text| parse(text)).collect::<Result<_, _>>().ok()?;
        let CType::Function { params: types, .. } =
            program.types[ctype::strip(&program.types, info.ctype?)].clone()
        else {
            return None;
        };
        if types.len() != info.params.len() {
            return None;
        }
        let mut params = Vec::new();
        for (index, (of, ty)) in types.iter().zip(&info.params).enumerate() {
            let outside = outside(&requires, &names, index);
            params.push(parameter(&mut program, &mut environment, nodes, *of, *ty, outside)?);
        }
        if requires.iter().any(gives_away) || calls_owner(&program, &environment, function) {
            // Nodes that were given away need not be good while they are taken apart; every access must be.
            environment.properties =
                PropertySet::new("data-structure", [Property::ValidDeref, Property::ValidFree]);
        }
        let options = interp::Options {
            environment,
            max_steps: STEPS,
            max_memory: 1 << 26,
            max_depth: 60,
            deadline: None,
            stop_at_choice: false,
            go_on: false,
            record_path: false,
        };
        Some(Generator { nodes, program, options, function, names, params, requires })
    }

    /// Looks for states in which the function goes wrong, each in another way.
    pub(crate) fn search(&self, over: &dyn Fn() -> bool) -> Vec<Found> {
        let mut found = Vec::new();
        let each = MOST_RUNS / (MOST_NODES as u32 + 1);
        let mut left = MOST_RUNS;
        for most_nodes in 0..=MOST_NODES {
            let mut choices = Choices::default();
            let mut runs = 0;
            let mut all = false;
            while runs < each && left > 0 && !all && !over() {
                runs += 1;
                left -= 1;
                if let Some(new) = self.attempt(&mut choices, most_nodes)
                    && !found.iter().any(|known| is_like(known, &new))
                {
                    found.push(new);
                    left = left.min(OTHER_RUNS);
                    if found.len() == MOST_ERRORS {
                        return found;
                    }
                }
                if choices.random.is_none() {
                    all = !choices.advance();
                    if runs == each / 2 {
                        let random = Some(fastrand::Rng::with_seed(most_nodes as u64));
                        choices = Choices { random, ..Choices::default() };
                    }
                }
            }
        }
        found
    }

    /// One run.
    fn attempt(&self, choices: &mut Choices, most_nodes: usize) -> Option<Found> {
        let word = self.program.target.pointer_bytes();
        let mut draft =
            Draft { nodes: self.nodes, choices, world: World::default(), most_nodes, word, lost: false };
        self.arguments(&mut draft)?;
        let start = draft.world.state.clone();
        let draft = RefCell::new(draft);
        let run = interp::run_lazily(
            &self.program,
            &self.options,
            self.function,
            &start,
            &mut LazyDraft(&draft),
            &mut DraftInputs(&draft),
        )
        .ok()?;
        let Outcome::Violation(violation) = &run.outcome else { return None };
        let draft = draft.into_inner();
        if draft.lost {
            return None;
        }
        let world = draft.world;
        let class = violation.class;
        // Whether a node lies inside of another one is nowhere said: that it does not shows nothing.
        let outside = matches!(class, ErrorClass::OutOfBoundsRead | ErrorClass::OutOfBoundsWrite);
        let alone = |role: &Role| matches!(role, Role::Node(n) if !self.nodes.containers(*n).is_empty());
        if outside && world.roles.iter().any(alone) {
            return None;
        }
        [false, true].into_iter().find_map(|inverse| self.confirm(&world, &run, class, inverse))
    }

    /// Arguments, chosen like everything else. Numbers come first: sizes may depend on them.
    fn arguments(&self, draft: &mut Draft<'_>) -> Option<()> {
        let mut arguments = vec![Argument::Pointer(Address::Null); self.params.len()];
        for (index, parameter) in self.params.iter().enumerate() {
            if let Parameter::Number(width) = parameter {
                let value = NUMBERS[draft.choices.pick(NUMBERS.len())] as u128 & mask(*width);
                arguments[index] = Argument::Number(value);
            }
        }
        for (index, parameter) in self.params.iter().enumerate() {
            let address = match parameter {
                Parameter::Number(_) => continue,
                Parameter::Node(node) => draft.link(*node),
                Parameter::Cell(node) => draft.cell(*node),
                Parameter::Pointer(None) => Address::Unknown,
                Parameter::Pointer(Some((size, count))) => {
                    let count = match count {
                        Count::Number(n) => *n,
                        Count::Parameter(of) => match arguments[*of] {
                            Argument::Number(n) => u64::try_from(n).ok()?,
                            Argument::Pointer(_) => return None,
                        },
                    };
                    if count > 16 {
                        return None;
                    }
                    Address::Object { index: draft.add(Role::Outside, size * count), offset: 0 }
                }
                Parameter::Function(func) => Address::Function(*func),
            };
            arguments[index] = Argument::Pointer(address);
        }
        draft.world.state.arguments = arguments;
        Some(())
    }

    /// Completes a state, looks whether it may be, and runs the function once more in it.
    fn confirm(&self, world: &World, run: &Run, class: ErrorClass, inverse: bool) -> Option<Found> {
        let mut world = world.clone();
        self.complete(&mut world, inverse);
        let look = Look {
            program: &self.program,
            nodes: self.nodes,
            function: self.function,
            names: &self.names,
            world: &world,
        };
        if !self.requires.iter().all(|f| look.holds(f, &BTreeMap::new()) == Some(true)) {
            return None;
        }
        let options = interp::Options { record_path: true, ..self.options.clone() };
        let mut inputs = Replay(run.inputs.iter().map(|r| r.value).collect());
        let again =
            interp::run_from(&self.program, &options, self.function, &world.state, &mut inputs).ok()?;
        let same = matches!(&again.outcome, Outcome::Violation(v) if v.class == class);
        same.then(|| Found {
            picture: crate::picture::picture(&look),
            excluded_by: crate::picture::excluded_by(&look),
            state: world.state.clone(),
            run: again,
            program: self.program.clone(),
            environment: self.options.environment.clone(),
        })
    }

    /// What was never read: null and zero; or, for doubly linked lists, the way back.
    fn complete(&self, world: &mut World, inverse: bool) {
        for index in 0..world.roles.len() {
            match world.roles[index] {
                Role::Node(node) => {
                    for link in self.nodes.links_of(node) {
                        let at = link.offset as u64;
                        if world.content(index, at).is_none() {
                            let back = inverse && link.to == node;
                            let to = if back { self.way_back(world, index, node, at) } else { Address::Null };
                            world.state.objects[index].content.push((at, Content::Pointer(to)));
                        }
                    }
                    for field in &self.nodes.types[node.0].fields {
                        let at = field.offset as u64;
                        if world.content(index, at).is_some() {
                            continue;
                        }
                        let content = match field.content {
                            Holds::Link(_) => Content::Pointer(Address::Null),
                            _ if field.pointer => Content::Pointer(Address::Unknown),
                            _ => Content::Bytes(vec![0; field.size as usize]),
                        };
                        world.state.objects[index].content.push((at, content));
                    }
                }
                Role::Cell(_) if world.content(index, 0).is_none() => {
                    world.state.objects[index].content.push((0, Content::Pointer(Address::Null)));
                }
                Role::Cell(_) | Role::Outside => {}
            }
            world.state.objects[index].content.sort_by_key(|(at, _)| *at);
        }
    }

    /// The node whose other link leads here.
    fn way_back(&self, world: &World, index: usize, node: NodeType, at: u64) -> Address {
        let here = Address::Object { index, offset: 0 };
        let links = self.nodes.links_of(node);
        let mut others = links.iter().filter(|l| l.to == node && l.offset != i128::from(at));
        others
            .find_map(|link| {
                let from = (0..world.roles.len()).find(|&i| {
                    world.roles[i] == Role::Node(node) && world.pointer(i, link.offset as u64) == Some(here)
                });
                from.map(|index| Address::Object { index, offset: 0 })
            })
            .unwrap_or(Address::Null)
    }
}

/// The same error at the same place.
fn is_like(a: &Found, b: &Found) -> bool {
    let place = |found: &Found| match &found.run.outcome {
        Outcome::Violation(v) => Some((v.class, v.location.line)),
        _ => None,
    };
    place(a) == place(b)
}

/// Whether a requirement says that nodes belong to the function.
fn gives_away(formula: &Formula) -> bool {
    match formula {
        Formula::Implies(a, b) | Formula::Or(a, b) | Formula::And(a, b) => gives_away(a) || gives_away(b),
        Formula::Not(a) | Formula::ForAll(_, _, a) => gives_away(a),
        Formula::Shape(name, _) => ["owned", "tree", "dlist"].contains(&name.as_str()),
        Formula::Compare(..) => false,
    }
}

/// Whether a function calls one that nodes are given away to.
fn calls_owner(program: &Program, environment: &Environment, function: FuncId) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![function];
    while let Some(function) = work.pop() {
        let info = &program.functions[function];
        let texts = environment.requires.get(&info.name).into_iter().flatten();
        if texts.filter_map(|text| parse(text).ok()).any(|formula| gives_away(&formula)) {
            return true;
        }
        let Some(body) = info.body.as_ref().filter(|_| seen.insert(function)) else { continue };
        work.extend(body.blocks.values().flat_map(|b| &b.insts).filter_map(|i| match i.kind {
            InstKind::Call { callee: Callee::Direct(f), .. } => Some(f),
            _ => None,
        }));
    }
    false
}

/// How many elements a requirement promises behind a parameter.
fn outside(requires: &[Formula], names: &[Option<String>], index: usize) -> Option<Count> {
    let name = names.get(index)?.as_deref()?;
    requires.iter().find_map(|formula| promised(formula, name, names))
}

fn promised(formula: &Formula, name: &str, names: &[Option<String>]) -> Option<Count> {
    use crate::formula::Term;
    match formula {
        Formula::And(a, b) => promised(a, name, names).or_else(|| promised(b, name, names)),
        Formula::Shape(shape, args) if shape == "outside" => match (&args[0], args.get(1)) {
            (Term::Name(of), Some(Term::Number(n))) if of == name => {
                Some(Count::Number(u64::try_from(*n).ok()?))
            }
            (Term::Name(of), Some(Term::Name(count))) if of == name => {
                names.iter().position(|n| n.as_ref() == Some(count)).map(Count::Parameter)
            }
            _ => None,
        },
        _ => None,
    }
}

fn parameter(
    program: &mut Program,
    environment: &mut Environment,
    nodes: &Nodes,
    of: TypeId,
    ty: Ty,
    outside: Option<Count>,
) -> Option<Parameter> {
    match ty {
        Ty::Int(width) => return Some(Parameter::Number(width)),
        Ty::Float(FloatKind::F32) => return Some(Parameter::Number(32)),
        Ty::Float(FloatKind::F64) => return Some(Parameter::Number(64)),
        Ty::Float(_) => return None,
        Ty::Ptr => {}
    }
    if let Some(node) = nodes.pointer_to(program, of) {
        return Some(Parameter::Node(node));
    }
    if let Some(node) = nodes.link_to(program, of) {
        return Some(Parameter::Cell(node));
    }
    let to = ctype::strip(&program.types, ctype::pointee(&program.types, of)?);
    if let CType::Function { result, params, variadic } = program.types[to].clone() {
        return callback(program, environment, to, result, &params, variadic).map(Parameter::Function);
    }
    let size = ctype::size_of(&program.types, to, program.target.pointer_bytes());
    Some(Parameter::Pointer(size.zip(outside)))
}

/// An external function that gives any result and changes nothing.
fn callback(
    program: &mut Program,
    environment: &mut Environment,
    of: TypeId,
    result: TypeId,
    params: &[TypeId],
    variadic: bool,
) -> Option<FuncId> {
    let name = format!("heapproof_callback_{}", program.functions.len());
    let params: Vec<Ty> = params.iter().map(|t| scalar(program, *t)).collect::<Option<_>>()?;
    let results = match program.types[ctype::strip(&program.types, result)] {
        CType::Void => Vec::new(),
        _ => vec![scalar(program, result)?],
    };
    environment.pure.insert(name.clone());
    let span = Span::NONE;
    Some(program.functions.push(Function {
        name,
        params,
        results,
        variadic,
        internal: false,
        ctype: Some(of),
        span,
        body: None,
    }))
}

fn scalar(program: &Program, of: TypeId) -> Option<Ty> {
    let id = ctype::strip(&program.types, of);
    Some(match &program.types[id] {
        CType::Int { name, size: 1, .. } if name == "_Bool" => Ty::Int(1),
        CType::Int { size, .. } | CType::Enum { size, .. } => Ty::Int((size * 8) as u8),
        CType::Pointer { .. } => Ty::Ptr,
        CType::Float { size: 4, .. } => Ty::Float(FloatKind::F32),
        CType::Float { size: 8, .. } => Ty::Float(FloatKind::F64),
        _ => return None,
    })
}
