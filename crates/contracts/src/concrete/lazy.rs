//! States that satisfy what a function requires: small heaps whose contents are chosen when a formula first asks for them, so
//! that only those choices are made which matter. All choices are gone through in order, a wrong one is taken back.

use super::eval::{Evaluator, holds};
use super::script::Script;
use super::world::{Ghosts, Spot, World};
use crate::place::{names_field, parameters};
use crate::spec::{ContractSpec, Spec};
use crate::typed::{Form, Int, Var};
use heapproof_engine::state::{Address, Argument, Block, Content, State};
use heapproof_interp::Snapshot;
use heapproof_ir::{CType, FuncId, GlobalId, GlobalInit, LocalId, Operand, Program, Ty, TypeId, ctype, mask};
use std::collections::{BTreeMap, BTreeSet};

/// Elements of an array of scalars or of nodes.
const ELEMENTS: u64 = 4;
/// Attempts for each number of objects and each order of choices.
pub const MANY: u64 = 30_000;
/// Attempts if some states are enough.
pub const SOME: u64 = 1_000;
/// Attempts for each number of objects and each order before any of them gets more.
const FIRST_TURN: u64 = 400;
/// Attempts for each number of objects and each order if one state is enough.
const SOON: u64 = 500;
/// The same if it has to be found.
const LATER: u64 = 8_000;
/// States for each number of objects and each order of choices.
const STATES: u64 = 40;
/// States that differ only in numbers that nobody asked about.
const VARIANTS: u64 = 6;
/// Orders in which choices are gone through.
const ORDERS: u64 = 4;
/// Numbers at the ends of ranges.
const ENDS: [i128; 8] = [-1, 127, 128, 255, 65_536, i32::MAX as i128, i32::MIN as i128, i64::MAX as i128];
/// Numbers that are tried because clauses speak of them, and a few others.
const CLAUSES: usize = 16;
/// The most heap objects.
const OBJECTS: usize = 4;

/// What lies at an offset of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    Pointer(TypeId),
    Int(u8),
    /// `_Bool`: 0 or 1.
    Bool,
}

impl Leaf {
    /// The size of a number.
    fn bytes(self) -> u8 {
        match self {
            Leaf::Int(bytes) => bytes,
            Leaf::Bool | Leaf::Pointer(_) => 1,
        }
    }
}

/// An object of a state.
#[derive(Clone, Debug)]
struct Thing {
    ty: TypeId,
    count: u64,
    size: u64,
    global: Option<GlobalId>,
    /// It is a constant: it has the content that it starts with, and nothing leads to it, because it cannot be changed.
    fixed: bool,
}

/// A state that satisfies what the function requires.
#[derive(Clone, Debug)]
pub struct Generated {
    /// Memory and arguments.
    pub state: State,
    /// What each object is made of, for people: its type and whether it is a global.
    pub(super) types: Vec<(TypeId, Option<GlobalId>)>,
    globals: usize,
    blocking: BTreeMap<Spot, bool>,
    links: BTreeSet<(usize, Spot)>,
}

impl Generated {
    /// What annotations know of the state when it is run.
    pub fn ghosts(&self, heap: &[u32], snapshot: &Snapshot) -> Ghosts {
        let moved = |spot: &Spot| {
            let object = spot.object.and_then(|object| {
                let (_, global) = self.types.get(object as usize)?;
                match global {
                    Some(id) => snapshot.globals.get(id).map(|object| object.0),
                    None => heap.get(object as usize - self.globals).copied(),
                }
            });
            Spot { object, ..*spot }
        };
        Ghosts {
            blocking: self.blocking.iter().map(|(spot, is)| (moved(spot), *is)).collect(),
            fresh: BTreeSet::new(),
            links: self.links.iter().map(|(field, spot)| (*field, moved(spot))).collect(),
        }
    }

    /// The pointers that are blocking, as addresses of the state.
    pub(super) fn blocking(&self) -> Vec<Address> {
        self.blocking.iter().filter(|(_, is)| **is).map(|(spot, _)| self.address(*spot)).collect()
    }

    fn address(&self, spot: Spot) -> Address {
        address(&self.types, self.globals, spot)
    }
}

fn address(types: &[(TypeId, Option<GlobalId>)], globals: usize, spot: Spot) -> Address {
    let Some(object) = spot.object else { return Address::Null };
    match types.get(object as usize) {
        Some((_, Some(global))) => Address::Global { global: *global, offset: spot.offset as i64 },
        Some((_, None)) => Address::Object { index: object as usize - globals, offset: spot.offset as i64 },
        None => Address::Null,
    }
}

/// Types that something may be part of, and numbers that the program knows.
struct Kinds<'a> {
    program: &'a Program,
    spec: &'a Spec,
    numbers: Vec<i128>,
    structures: Vec<TypeId>,
}

impl<'a> Kinds<'a> {
    fn new(program: &'a Program, spec: &'a Spec, func: FuncId) -> Kinds<'a> {
        let mut numbers: Vec<i128> = vec![0, 1, 2, 3];
        for value in spec.contract(func).map(numbers_of).unwrap_or_default() {
            if !numbers.contains(&value) && numbers.len() < CLAUSES {
                numbers.push(value);
            }
        }
        let most = numbers.len() + 3;
        if let Some(body) = &program.functions[func].body {
            for inst in body.blocks.values().flat_map(|block| &block.insts) {
                inst.kind.for_each_use(|operand| {
                    if let Operand::Int { bits, width } = operand
                        && *width > 1
                        && *width <= 64
                    {
                        let value = heapproof_ir::sign_extend(*bits, *width);
                        if value.abs() <= 1 << 20 && !numbers.contains(&value) && numbers.len() < most {
                            numbers.push(value);
                        }
                    }
                });
            }
        }
        let is_structure = |ty: &CType| matches!(ty, CType::Struct { size: Some(_), .. });
        let structures = program.types.iter().filter(|(_, ty)| is_structure(ty)).map(|(id, _)| id).collect();
        Kinds { program, spec, numbers, structures }
    }

    /// A number for what nobody asked about: small, one that the program knows, or at the end of a range.
    fn any_number(&self, random: &mut Random) -> i128 {
        let all = self.numbers.len() + ENDS.len();
        let taken = random.below(all);
        self.numbers.get(taken).copied().unwrap_or_else(|| ENDS[taken - self.numbers.len()])
    }

    fn size(&self, ty: TypeId) -> Option<u64> {
        ctype::size_of(&self.program.types, ty, self.program.target.pointer_bytes()).filter(|size| *size > 0)
    }

    /// The scalar at an offset of a type.
    fn leaf(&self, ty: TypeId, offset: u64) -> Option<Leaf> {
        let ty = ctype::strip(&self.program.types, ty);
        match &self.program.types[ty] {
            CType::Pointer { to } if offset == 0 => Some(Leaf::Pointer(*to)),
            CType::Int { name, .. } if offset == 0 && name == "_Bool" => Some(Leaf::Bool),
            CType::Int { size, .. } | CType::Enum { size, .. } if offset == 0 => Some(Leaf::Int(*size as u8)),
            CType::Array { element, .. } => self.leaf(*element, offset % self.size(*element)?),
            CType::Struct { members, .. } | CType::Union { members, .. } => {
                members.iter().find_map(|member| {
                    let start = member.bit_offset / 8;
                    let end = start + self.size(member.ty)?;
                    if member.bit_width.is_some() || offset < start || offset >= end {
                        return None;
                    }
                    self.leaf(member.ty, offset - start)
                })
            }
            _ => None,
        }
    }

    /// The offsets at which a type lies in another one.
    fn inside(&self, outer: TypeId, inner: TypeId) -> Vec<u64> {
        let types = &self.program.types;
        let (outer, inner) = (ctype::strip(types, outer), ctype::strip(types, inner));
        if outer == inner {
            return vec![0];
        }
        match &types[outer] {
            CType::Struct { members, .. } | CType::Union { members, .. } => members
                .iter()
                .filter(|member| member.bit_width.is_none())
                .flat_map(|member| {
                    let start = member.bit_offset / 8;
                    self.inside(member.ty, inner).into_iter().map(move |offset| offset + start)
                })
                .collect(),
            CType::Array { element, count } => {
                let size = self.size(*element).unwrap_or(1);
                let all = self.inside(*element, inner);
                let count = count.unwrap_or(0).min(ELEMENTS);
                (0..count).flat_map(|index| all.iter().map(move |offset| offset + index * size)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// Something that was chosen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Chosen {
    Word(u32, u64),
    Int(u32, u64),
    Blocking(Spot),
    Arg(usize),
}

/// A state that is made up while it is asked.
#[derive(Clone)]
struct Lazy<'a> {
    kinds: &'a Kinds<'a>,
    script: Script,
    things: Vec<Thing>,
    globals: usize,
    most: usize,
    words: BTreeMap<(u32, u64), Spot>,
    ints: BTreeMap<(u32, u64), (i128, u8)>,
    blocking: BTreeMap<Spot, bool>,
    params: Vec<Option<TypeId>>,
    args: Vec<Option<Spot>>,
    /// The choices that made something what it is.
    since: BTreeMap<Chosen, BTreeSet<usize>>,
    /// The choices that made heap objects.
    makers: BTreeSet<usize>,
    /// The choices that what was asked since the last reset depends on.
    matter: BTreeSet<usize>,
}

impl<'a> Lazy<'a> {
    fn new(kinds: &'a Kinds<'a>, func: FuncId, most: usize, script: Script) -> Lazy<'a> {
        let program = kinds.program;
        let mut things = Vec::new();
        for (id, global) in program.globals.iter() {
            if let (Some(ty), false) = (global.ctype, global.anonymous) {
                let fixed = global.constant;
                things.push(Thing { ty, count: 1, size: global.size, global: Some(id), fixed });
            }
        }
        let body = program.functions[func].body.as_ref();
        let params: Vec<Option<TypeId>> = body
            .map(|body| parameters(body).into_iter().map(|param| param.and_then(|(_, ty)| ty)).collect())
            .unwrap_or_default();
        Lazy {
            kinds,
            script,
            globals: things.len(),
            things,
            most,
            words: BTreeMap::new(),
            ints: BTreeMap::new(),
            blocking: BTreeMap::new(),
            args: vec![None; params.len()],
            params,
            since: BTreeMap::new(),
            makers: BTreeSet::new(),
            matter: BTreeSet::new(),
        }
    }

    /// Something was made up by the choices from one on. What a pointer may lead to depends on which objects there are.
    fn made(&mut self, what: Chosen, from: usize, is_pointer: bool) {
        let mut because: BTreeSet<usize> = (from..self.script.next_choice()).collect();
        if is_pointer {
            because.extend(&self.makers);
        }
        self.matter.extend(&because);
        self.since.insert(what, because);
    }

    /// Something that was made up before is looked at.
    fn looked(&mut self, what: Chosen) {
        self.matter.extend(self.since.get(&what).into_iter().flatten());
    }

    /// A pointer to a type: null, into something that is there, or to something new.
    fn pointer_to(&mut self, to: TypeId) -> Spot {
        let kinds = self.kinds;
        let types = &kinds.program.types;
        let to = ctype::strip(types, to);
        let mut options = vec![Spot::NULL];
        for (index, thing) in self.things.iter().enumerate().filter(|(_, thing)| !thing.fixed) {
            let size = kinds.size(thing.ty).unwrap_or(1);
            for element in 0..thing.count {
                for offset in kinds.inside(thing.ty, to) {
                    options
                        .push(Spot { object: Some(index as u32), offset: (offset + element * size).into() });
                }
            }
        }
        let mut new: Vec<(TypeId, u64, u64)> = Vec::new();
        if self.things.len() - self.globals < self.most {
            if matches!(types[to], CType::Struct { .. } | CType::Union { .. }) {
                for ty in &kinds.structures {
                    for offset in kinds.inside(*ty, to) {
                        new.push((*ty, offset, 1));
                    }
                }
                new.push((to, 0, ELEMENTS));
            } else if kinds.size(to).is_some() {
                new.push((to, 0, ELEMENTS));
            } else if types[to] == CType::Void
                && let Some(byte) = types.iter().find(|(_, ty)| matches!(ty, CType::Int { size: 1, .. }))
            {
                new.push((byte.0, 0, 8 * ELEMENTS));
            }
        }
        let number = self.script.next_choice();
        let taken = self.script.choose(options.len() + new.len());
        if let Some(spot) = options.get(taken) {
            return *spot;
        }
        let (ty, offset, count) = new[taken - options.len()];
        let size = kinds.size(ty).unwrap_or(1) * count;
        self.things.push(Thing { ty, count, size, global: None, fixed: false });
        self.makers.insert(number);
        Spot { object: Some(self.things.len() as u32 - 1), offset: offset.into() }
    }

    fn number(&mut self, bytes: u8) -> i128 {
        let taken = self.script.choose(self.kinds.numbers.len());
        super::world::signed(self.kinds.numbers[taken] as u128, bytes)
    }

    fn leaf(&self, at: Spot) -> Option<(u32, u64, Leaf)> {
        let object = at.object?;
        let thing = self.things.get(object as usize)?;
        let offset = u64::try_from(at.offset).ok().filter(|offset| *offset < thing.size)?;
        let size = self.kinds.size(thing.ty)?;
        Some((object, offset, self.kinds.leaf(thing.ty, offset % size)?))
    }

    /// The number in some bytes of a constant; none outside of constants, and no number where it holds an address.
    fn constant(&self, at: Spot, bytes: u8) -> Option<Option<i128>> {
        let thing = at.object.and_then(|object| self.things.get(object as usize))?;
        let global = &self.kinds.program.globals[thing.global.filter(|_| thing.fixed)?];
        let GlobalInit::Data { bytes: content, relocs } = &global.init else { return Some(None) };
        let start = u64::try_from(at.offset).ok().filter(|at| at + u64::from(bytes) <= thing.size);
        let Some(start) = start else { return Some(None) };
        let end = start + u64::from(bytes);
        let word = self.kinds.program.target.pointer_bytes();
        if relocs.iter().any(|reloc| reloc.offset < end && start < reloc.offset + word) {
            return Some(None);
        }
        let byte = |at: u64| u128::from(content.get(at as usize).copied().unwrap_or(0));
        let bits = (start..end).rev().fold(0, |bits, at| bits << 8 | byte(at));
        Some(Some(super::world::signed(bits, bytes)))
    }

    /// A number whose bytes are parts of scalars of other sizes.
    fn parts(&mut self, at: Spot, bytes: u8) -> Option<i128> {
        let word = self.kinds.program.target.pointer_bytes() as u8;
        let mut bits = 0u128;
        for index in 0..bytes {
            let place = at.at(index.into());
            let mut starts = (0..i128::from(word)).map(|back| (place.at(-back), back));
            let (start, leaf, back) = starts.find_map(|(start, back)| {
                let (_, _, leaf) = self.leaf(start)?;
                let size = if matches!(leaf, Leaf::Pointer(_)) { word } else { leaf.bytes() };
                (back < i128::from(size)).then_some((start, leaf, back))
            })?;
            let value = match leaf {
                Leaf::Pointer(_) => self.word(start).filter(|spot| spot.object.is_none())?.offset,
                _ => self.int(start, leaf.bytes())?,
            };
            bits |= (value as u128 >> (8 * back) & 0xff) << (8 * index);
        }
        Some(super::world::signed(bits, bytes))
    }

    /// The cells that are links, by field and pointer.
    fn links(&self) -> BTreeSet<(usize, Spot)> {
        let word = self.kinds.program.target.pointer_bytes();
        let mut all = BTreeSet::new();
        for (index, thing) in self.things.iter().enumerate().filter(|(_, thing)| !thing.fixed) {
            for cell in (0..thing.size / word).map(|cell| cell * word) {
                for field in 0..self.kinds.spec.fields.len() {
                    let offset = self.kinds.spec.fields[field].offset;
                    let p = Spot { object: Some(index as u32), offset: i128::from(cell) - offset };
                    if self.is_link(field, p) {
                        all.insert((field, p));
                    }
                }
            }
        }
        all
    }

    fn is_link(&self, field: usize, p: Spot) -> bool {
        let field = &self.kinds.spec.fields[field];
        let Some(thing) = p.object.and_then(|object| self.things.get(object as usize)) else { return false };
        let cell = p.offset + field.offset;
        let word = i128::from(self.kinds.program.target.pointer_bytes());
        if cell < 0 || cell + word > i128::from(thing.size) || cell % word != 0 {
            return false;
        }
        let size = i128::from(self.kinds.size(thing.ty).unwrap_or(1));
        names_field(self.kinds.program, thing.ty, cell % size, field.owner, field.offset)
    }

    /// Chooses what nobody asked about, and gives the state; none if a list has no end.
    fn finish(mut self, func: FuncId, random: &mut Random) -> Option<Generated> {
        for index in 0..self.things.len() {
            let thing = self.things[index].clone();
            if thing.fixed {
                continue;
            }
            let mut offset = 0;
            while offset < thing.size {
                let spot = Spot { object: Some(index as u32), offset: offset.into() };
                match self.leaf(spot) {
                    Some((object, at, Leaf::Pointer(_))) => {
                        self.words.entry((object, at)).or_insert(Spot::NULL);
                        offset += self.kinds.program.target.pointer_bytes();
                    }
                    Some((object, at, leaf @ (Leaf::Int(_) | Leaf::Bool))) => {
                        let bytes = leaf.bytes();
                        if thing.global.is_none() || self.ints.contains_key(&(object, at)) {
                            let value = self.kinds.any_number(random);
                            let value = if leaf == Leaf::Bool { value & 1 } else { value };
                            let value = super::world::signed(value as u128, bytes);
                            self.ints.entry((object, at)).or_insert((value, bytes));
                        }
                        offset += u64::from(bytes.max(1));
                    }
                    None => offset += 1,
                }
            }
        }
        self.most = 0;
        let types: Vec<(TypeId, Option<GlobalId>)> =
            self.things.iter().map(|thing| (thing.ty, thing.global)).collect();
        let params = self.kinds.program.functions[func].params.clone();
        let mut arguments = Vec::new();
        for (index, ty) in params.iter().enumerate() {
            let spot = match (self.args.get(index).copied().flatten(), ty) {
                (Some(spot), _) => spot,
                (None, Ty::Ptr) => Spot::NULL,
                (None, _) => Spot { object: None, offset: self.kinds.any_number(random) },
            };
            arguments.push(match ty {
                Ty::Ptr => Argument::Pointer(address(&types, self.globals, spot)),
                _ => Argument::Number(spot.offset as u128 & mask(ty.bits(self.kinds.program.target))),
            });
        }
        let links = self.links();
        for (field, p) in &links {
            let spec = self.kinds.spec;
            Evaluator::new(&spec.fields, &mut self, None).list(*p, *field, false)?;
        }
        let mut blocks = vec![Vec::new(); self.things.len()];
        for ((object, at), spot) in &self.words {
            blocks[*object as usize].push((*at, Content::Pointer(address(&types, self.globals, *spot))));
        }
        for ((object, at), (value, bytes)) in &self.ints {
            let bits = (*value as u128).to_le_bytes()[..usize::from(*bytes)].to_vec();
            blocks[*object as usize].push((*at, Content::Bytes(bits)));
        }
        let mut state = State { arguments, ..State::default() };
        for (thing, content) in self.things.iter().zip(blocks) {
            match thing.global {
                Some(id) => state.globals.extend(content.into_iter().map(|(at, content)| (id, at, content))),
                None => state.objects.push(Block { size: thing.size, content }),
            }
        }
        Some(Generated { state, types, globals: self.globals, blocking: self.blocking, links })
    }
}

impl World for Lazy<'_> {
    fn word(&mut self, at: Spot) -> Option<Spot> {
        let bytes = self.kinds.program.target.pointer_bytes() as u8;
        if let Some(number) = self.constant(at, bytes) {
            return number.map(|offset| Spot { object: None, offset });
        }
        match self.leaf(at)? {
            (object, offset, Leaf::Pointer(to)) => {
                if let Some(spot) = self.words.get(&(object, offset)).copied() {
                    self.looked(Chosen::Word(object, offset));
                    return Some(spot);
                }
                let from = self.script.next_choice();
                let spot = self.pointer_to(to);
                self.made(Chosen::Word(object, offset), from, true);
                self.words.insert((object, offset), spot);
                Some(spot)
            }
            (_, _, Leaf::Bool) => None,
            (_, _, Leaf::Int(bytes)) => {
                if u64::from(bytes) != self.kinds.program.target.pointer_bytes() {
                    return None;
                }
                Some(Spot { object: None, offset: self.int(at, bytes)? })
            }
        }
    }

    fn int(&mut self, at: Spot, bytes: u8) -> Option<i128> {
        if let Some(number) = self.constant(at, bytes) {
            return number;
        }
        match self.leaf(at) {
            Some((object, offset, leaf @ (Leaf::Int(_) | Leaf::Bool))) if leaf.bytes() == bytes => {
                if let Some((value, _)) = self.ints.get(&(object, offset)).copied() {
                    self.looked(Chosen::Int(object, offset));
                    return Some(value);
                }
                let from = self.script.next_choice();
                let value = match leaf {
                    Leaf::Bool => self.script.choose(2) as i128,
                    _ => self.number(bytes),
                };
                self.made(Chosen::Int(object, offset), from, false);
                self.ints.insert((object, offset), (value, bytes));
                Some(value)
            }
            _ => self.parts(at, bytes),
        }
    }

    fn allocated(&mut self, object: u32) -> Option<u64> {
        self.things.get(object as usize).map(|thing| thing.size)
    }

    fn blocking(&mut self, p: Spot) -> Option<bool> {
        if let Some(is) = self.blocking.get(&p).copied() {
            self.looked(Chosen::Blocking(p));
            return Some(is);
        }
        let from = self.script.next_choice();
        let is = if self.most == 0 { false } else { (self.script.choose(2) == 0) == (p == Spot::NULL) };
        self.made(Chosen::Blocking(p), from, false);
        self.blocking.insert(p, is);
        Some(is)
    }

    fn all_blocking(&mut self) -> Option<Vec<Spot>> {
        None
    }

    fn link(&mut self, field: usize, p: Spot) -> bool {
        self.is_link(field, p)
    }

    fn global(&mut self, id: GlobalId) -> Option<u32> {
        self.things.iter().position(|thing| thing.global == Some(id)).map(|index| index as u32)
    }

    fn local(&mut self, _: LocalId) -> Option<u32> {
        None
    }

    fn var(&mut self, var: Var) -> Option<Spot> {
        let Var::Param(index) = var else { return None };
        if let Some(spot) = self.args.get(index).copied().flatten() {
            self.looked(Chosen::Arg(index));
            return Some(spot);
        }
        let ty = ctype::strip(&self.kinds.program.types, self.params.get(index).copied().flatten()?);
        let from = self.script.next_choice();
        let spot = match &self.kinds.program.types[ty] {
            CType::Pointer { to } => self.pointer_to(*to),
            CType::Int { name, .. } if name == "_Bool" => {
                Spot { object: None, offset: self.script.choose(2) as i128 }
            }
            CType::Int { size, .. } | CType::Enum { size, .. } => {
                Spot { object: None, offset: self.number(*size as u8) }
            }
            _ => return None,
        };
        self.made(Chosen::Arg(index), from, true);
        self.args[index] = Some(spot);
        Some(spot)
    }

    fn result(&mut self) -> Option<Spot> {
        None
    }
}

/// Numbers that look random and are the same in every run.
pub struct Random(u64);

impl Random {
    /// From a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) | 1)
    }

    /// One below a limit.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }
}

/// True if a state is found, soon or with more attempts, that satisfies what a function requires.
pub fn has_state(program: &Program, spec: &Spec, func: FuncId, soon: bool) -> bool {
    let mut found = false;
    let attempts = if soon { SOON } else { LATER };
    states(program, spec, func, attempts, |_| {
        found = true;
        false
    });
    found
}

/// Gives small states that satisfy what a function requires, until somebody has seen enough.
pub fn states(
    program: &Program,
    spec: &Spec,
    func: FuncId,
    attempts: u64,
    mut each: impl FnMut(Generated) -> bool,
) {
    let kinds = Kinds::new(program, spec, func);
    let requires = spec.contract(func).map(|contract| contract.requires.as_slice()).unwrap_or_default();
    let mut forms: Vec<&Form> = requires.iter().flat_map(|claim| conjuncts(&claim.form)).collect();
    // What speaks of few things comes first: it says which states are worth looking at.
    forms.sort_by_key(|form| matches!(form, Form::Forall(..)));
    let mut random = Random::new(1);
    let mut lines: Vec<Line> = (1..=OBJECTS)
        .flat_map(|most| (0..ORDERS).map(move |order| Line { most, script: Script::new(order), found: 0 }))
        .collect();
    // All get a few attempts before one gets many.
    let mut turn = FIRST_TURN.min(attempts);
    let mut spent = 0;
    while spent < attempts && !lines.is_empty() {
        let mut left = Vec::new();
        for mut line in lines {
            match line.go_on(&kinds, func, &forms, turn, &mut random, &mut each) {
                Some(true) => left.push(line),
                Some(false) => {}
                None => return,
            }
        }
        lines = left;
        spent += turn;
        turn *= 4;
    }
}

/// The numbers in what a function requires, and their neighbours.
fn numbers_of(contract: &ContractSpec) -> Vec<i128> {
    let mut found = BTreeSet::new();
    contract.requires.iter().for_each(|claim| constants(&claim.form, &mut found));
    let mut all: Vec<i128> = found.iter().copied().collect();
    all.extend(found.iter().flat_map(|value| [value + 1, value - 1]));
    all.push(-1);
    all
}

/// The constants of a formula.
fn constants(form: &Form, all: &mut BTreeSet<i128>) {
    match form {
        Form::Not(a) | Form::Old(a) | Form::Forall(_, _, a) => constants(a, all),
        Form::And(a, b) | Form::Or(a, b) | Form::Implies(a, b) | Form::Same(a, b) => {
            constants(a, all);
            constants(b, all);
        }
        Form::IntEq(a, b) | Form::IntLt(a, b) | Form::IntLe(a, b) => {
            constants_of(a, all);
            constants_of(b, all);
        }
        _ => {}
    }
}

fn constants_of(int: &Int, all: &mut BTreeSet<i128>) {
    match int {
        Int::Const(value) => drop(all.insert(*value)),
        Int::Op(_, a, b) => {
            constants_of(a, all);
            constants_of(b, all);
        }
        Int::Cast(a, ..) | Int::Enum(a, _) | Int::Old(a) => constants_of(a, all),
        Int::Truth(form) => constants(form, all),
        _ => {}
    }
}

/// The parts of a conjunction.
fn conjuncts(form: &Form) -> Vec<&Form> {
    match form {
        Form::And(a, b) => [conjuncts(a), conjuncts(b)].concat(),
        other => vec![other],
    }
}

/// States with at most so many heap objects, in one order of choices.
struct Line {
    most: usize,
    script: Script,
    found: u64,
}

impl Line {
    /// Goes on for some attempts. False if there is nothing left, none if somebody has seen enough.
    fn go_on(
        &mut self,
        kinds: &Kinds<'_>,
        func: FuncId,
        forms: &[&Form],
        attempts: u64,
        random: &mut Random,
        each: &mut dyn FnMut(Generated) -> bool,
    ) -> Option<bool> {
        for _ in 0..attempts {
            let mut lazy = Lazy::new(kinds, func, self.most, std::mem::take(&mut self.script));
            lazy.script.restart();
            let fits = forms.iter().all(|form| {
                lazy.matter.clear();
                holds(&kinds.spec.fields, form, &mut lazy, None) == Some(true)
            });
            self.script = lazy.script.clone();
            // Only choices that the clause depends on can make it true.
            let because = (!fits).then(|| std::mem::take(&mut lazy.matter));
            // Fewer objects were tried before.
            let is_new = self.most == 1 || lazy.things.len() - lazy.globals == self.most;
            if fits && is_new {
                self.found += 1;
                for _ in 0..VARIANTS {
                    if let Some(generated) = lazy.clone().finish(func, random)
                        && !each(generated)
                    {
                        return None;
                    }
                }
            }
            let goes_on = match because {
                Some(because) => self.script.failed(because),
                None => self.script.another(),
            };
            if !goes_on || self.found >= STATES {
                return Some(false);
            }
        }
        Some(true)
    }
}
