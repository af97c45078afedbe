//! The roles that parameters and results have for a client, inferred from types, names and from what the code does.

use crate::annotations::{Annotations, Word};
use crate::facts::{self, Ends, Facts, Use};
use heapproof_ir::ctype::{CType, Qualifier, TypeId, pointee, size_of, strip};
use heapproof_ir::{Body, Callee, CmpOp, FuncId, InstKind, Operand, Program, Reg, Ty};
use std::collections::{BTreeMap, BTreeSet};

/// A structure of the library, by its C name.
pub(crate) type Key = String;

/// How a client comes by objects of a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// The library creates them and gives pointers.
    Handle,
    /// The client declares them and has them initialised.
    Object,
    /// The client has pointers to the first one; the library changes them through `T **`.
    Cell,
    /// The client declares one for a while, on top of another handle: an iterator.
    Cursor,
    /// The library lends pointers.
    Lent,
}

/// What a callback is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Callback {
    /// It compares its two arguments.
    Compare,
    /// It frees its argument or does nothing.
    Destroy,
    /// It looks at its arguments and answers anything.
    Visit,
}

/// What a client passes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Role {
    /// Any value.
    Value,
    /// A pointer from the list of a family.
    Pick { key: Key, family: Family, null: bool, ends: Ends },
    /// The address of the handle, which the function may take over.
    HandleAddress { key: Key, ends: bool },
    /// The address of a variable that holds the first element.
    CellAddress { key: Key, ends: bool },
    /// A new object, to be initialised.
    New { key: Key },
    /// The address of a variable that gets a new handle.
    NewHandle { key: Key },
    /// A string.
    Text { null: bool, kept: bool },
    /// A block of as many elements as the next argument says.
    Buffer { element: Option<TypeId> },
    /// The number of elements.
    Length,
    /// The address of a variable.
    Out { of: TypeId, null: bool, owned: bool },
    /// A function.
    Function { callback: Callback, null: bool },
    /// Any pointer, which the library does not look past.
    Data,
}

/// What a client does with a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Outcome {
    Nothing,
    /// A new handle, for the list.
    Handle(Key),
    /// A block, which the client frees.
    Block,
    /// A pointer that is good until something changes.
    Lent(Key),
    /// The handle that was passed has become this one.
    Renewed(usize),
}

/// A function and how it is called.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub func: FuncId,
    pub name: String,
    pub params: Vec<TypeId>,
    pub roles: Vec<Role>,
    pub result: TypeId,
    pub outcome: Outcome,
    /// Zero says that an initialiser succeeded; otherwise any value does. None: it cannot fail, or its objects are good in any case.
    pub success: Option<Success>,
    /// What was inferred, in words.
    pub notes: Vec<String>,
    /// The result is lent, as far as the code says, but its type would let the client free it.
    pub may_give: bool,
    /// What well-behaved clients do and this one does not: nothing is proved then.
    pub limit: Option<String>,
    /// Globals that may change are used.
    pub globals: BTreeSet<u32>,
}

/// What an initialiser returns if it succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Success {
    Zero,
    NotZero,
}

/// Everything that was inferred.
pub(crate) struct Inferred {
    pub plans: Vec<Plan>,
    /// Functions that no client is known for, with what has to be said.
    pub asked: Vec<(FuncId, String)>,
    pub families: BTreeMap<Key, Family>,
    /// A type of each key, for definitions.
    pub types: BTreeMap<Key, TypeId>,
}

/// Parts of names that say that something ends.
const ENDINGS: [&str; 20] = [
    "fini",
    "free",
    "destroy",
    "deinit",
    "dispose",
    "cleanup",
    "close",
    "done",
    "term",
    "release",
    "uninit",
    "delete",
    "del",
    "drop",
    "dtor",
    "destructor",
    "finalize",
    "finish",
    "kill",
    "shutdown",
];

/// Parts of names of numbers of elements.
const LENGTHS: [&str; 13] = [
    "len", "length", "n", "size", "sz", "count", "num", "cap", "capacity", "bytes", "nbytes", "buflen",
    "nmemb",
];

/// The parts of a name: `list_push`, `listPush`.
fn parts(name: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut before_lower = false;
    for c in name.chars() {
        if c == '_' || (c.is_uppercase() && before_lower) {
            parts.push(String::new());
        }
        before_lower = c.is_lowercase();
        if c.is_alphanumeric() {
            parts.last_mut().expect("never empty").extend(c.to_lowercase());
        }
    }
    parts
}

fn is_ending(name: &str) -> bool {
    parts(name)
        .iter()
        .any(|part| ENDINGS.iter().any(|ending| part == ending || (part.len() > 5 && part.ends_with(ending))))
}

fn is_length(name: &str) -> bool {
    parts(name)
        .iter()
        .any(|part| LENGTHS.contains(&part.as_str()) || part.ends_with("len") || part.ends_with("size"))
}

pub(crate) struct Inference<'a> {
    pub program: &'a Program,
    pub annotations: &'a Annotations,
    /// Functions whose results turned out to be the client's.
    pub owned: &'a BTreeSet<String>,
    facts: BTreeMap<FuncId, Facts>,
    families: BTreeMap<Key, Family>,
    types: BTreeMap<Key, TypeId>,
    initialisers: BTreeMap<FuncId, usize>,
    guarded: bool,
}

struct Signature {
    func: FuncId,
    name: String,
    params: Vec<TypeId>,
    names: Vec<String>,
    result: TypeId,
}

impl<'a> Inference<'a> {
    pub fn new(program: &'a Program, annotations: &'a Annotations, owned: &'a BTreeSet<String>) -> Self {
        let facts = facts::of(program);
        Inference {
            program,
            annotations,
            owned,
            facts,
            families: BTreeMap::new(),
            types: BTreeMap::new(),
            initialisers: BTreeMap::new(),
            guarded: guards_callbacks(program),
        }
    }

    /// Infers how these functions are called.
    pub fn infer(mut self, functions: &[FuncId]) -> Inferred {
        let mut asked = Vec::new();
        let mut signatures = Vec::new();
        for func in functions {
            match self.signature(*func) {
                Ok(signature) => signatures.push(signature),
                Err(why) => asked.push((*func, why)),
            }
        }
        self.find_families(&signatures);
        let mut plans = Vec::new();
        for signature in &signatures {
            match self.plan(signature) {
                Ok(plan) => plans.push(plan),
                Err(why) => asked.push((signature.func, why)),
            }
        }
        // A function whose handles no function gives is out of reach.
        loop {
            let made: BTreeSet<Key> = plans.iter().flat_map(gives).collect();
            let missing = |plan: &Plan| {
                plan.roles.iter().find_map(|role| match role {
                    Role::Pick { key, family, .. } if *family != Family::Cell && !made.contains(key) => {
                        Some(key.clone())
                    }
                    Role::HandleAddress { key, .. } if !made.contains(key) => Some(key.clone()),
                    _ => None,
                })
            };
            let Some(at) = plans.iter().position(|plan| missing(plan).is_some()) else { break };
            let plan = plans.remove(at);
            let key = missing(&plan).unwrap_or_default();
            asked.push((plan.func, format!("no function that a client can call gives a `{key} *`")));
        }
        asked.sort_by_key(|(func, _)| *func);
        Inferred { plans, asked, families: self.families, types: self.types }
    }

    fn signature(&self, func: FuncId) -> Result<Signature, String> {
        let function = &self.program.functions[func];
        let name = function.name.clone();
        if self.annotations.of(&name).any(|word| matches!(word, Word::Skip)) {
            return Err("left out by `//@ client`".to_owned());
        }
        let Some(ctype) = function.ctype else { return Err("its C type is not known".to_owned()) };
        let CType::Function { result, params, variadic } =
            &self.program.types[strip(&self.program.types, ctype)]
        else {
            return Err("its C type is not known".to_owned());
        };
        if *variadic {
            return Err(format!(
                "`{name}` takes any number of arguments: write the calls into a client of your own"
            ));
        }
        let body = function.body.as_ref().ok_or("it is not defined")?;
        let by_value = params.iter().chain([result]).any(|ty| {
            matches!(
                self.program.types[strip(&self.program.types, *ty)],
                CType::Struct { .. } | CType::Union { .. }
            )
        });
        if by_value || body.params.len() != params.len() {
            return Err(format!("`{name}` takes or returns a structure by value, which is not covered"));
        }
        let names = body
            .params
            .iter()
            .enumerate()
            .map(|(at, param)| name_of(body, *param).unwrap_or(format!("p{at}")));
        Ok(Signature { func, name, params: params.clone(), names: names.collect(), result: *result })
    }

    /// The structure that a type is, as C text without qualifiers.
    fn key(&mut self, ty: TypeId) -> Option<Key> {
        let mut at = ty;
        let mut alias = None;
        loop {
            match &self.program.types[at] {
                CType::Typedef { name, of } => {
                    alias = Some(name.clone());
                    at = *of;
                }
                CType::Qualified { of, .. } => at = *of,
                _ => break,
            }
        }
        let key = match &self.program.types[at] {
            CType::Struct { name: Some(tag), .. } => format!("struct {tag}"),
            CType::Union { name: Some(tag), .. } => format!("union {tag}"),
            CType::Struct { name: None, .. } | CType::Union { name: None, .. } => alias?,
            _ => return None,
        };
        if key == "struct _IO_FILE" || key.contains("va_list") {
            return None;
        }
        let is_complete = |ty: TypeId| size_of(&self.program.types, ty, 8).is_some();
        let named = if key.contains(' ') { at } else { unqualified(self.program, ty) };
        let known = self.types.get(&key).copied();
        if known.is_none_or(|known| !is_complete(known)) {
            self.types.insert(key.clone(), named);
        }
        Some(key)
    }

    fn pointer_key(&mut self, ty: TypeId) -> Option<Key> {
        let to = pointee(&self.program.types, ty)?;
        self.key(to)
    }

    fn double_key(&mut self, ty: TypeId) -> Option<Key> {
        let to = pointee(&self.program.types, ty)?;
        self.pointer_key(to)
    }

    fn usage(&self, func: FuncId, at: usize) -> Use {
        self.facts.get(&func).and_then(|facts| facts.params.get(at)).cloned().unwrap_or_default()
    }

    fn find_families(&mut self, signatures: &[Signature]) {
        let mut created = BTreeSet::new();
        let mut lent = BTreeSet::new();
        let mut cells = BTreeSet::new();
        let mut out = BTreeSet::new();
        let mut passed: BTreeSet<Key> = BTreeSet::new();
        for signature in signatures {
            if let Some(key) = self.pointer_key(signature.result) {
                let origin = self.facts[&signature.func].result.clone();
                let gives = self.annotations.of(&signature.name).any(|word| matches!(word, Word::Gives));
                if origin.fresh || gives {
                    created.insert(key);
                } else if origin.loaded || origin.inside {
                    lent.insert(key);
                }
            }
            for (at, ty) in signature.params.iter().enumerate() {
                if let Some(key) = self.double_key(*ty) {
                    let usage = self.usage(signature.func, at);
                    if usage.reads_first {
                        cells.insert(key);
                    } else if usage.writes {
                        out.insert(key);
                    }
                } else if let Some(key) = self.pointer_key(*ty) {
                    passed.insert(key);
                }
            }
        }
        let mut objects: BTreeMap<Key, Vec<(FuncId, usize)>> = BTreeMap::new();
        for signature in signatures {
            for (at, ty) in signature.params.clone().iter().enumerate() {
                let Some(key) = self.pointer_key(*ty) else { continue };
                let is_const = is_const_pointer(self.program, *ty);
                let usage = self.usage(signature.func, at);
                let complete = size_of(&self.program.types, self.types[&key], 8).is_some();
                let pointers = pointer_offsets(self.program, self.types[&key]);
                if complete
                    && !is_const
                    && usage.writes
                    && !usage.reads_first
                    && !usage.keeps_only()
                    && pointers.is_subset(&usage.sets)
                    && !pointers.is_empty()
                {
                    objects.entry(key).or_default().push((signature.func, at));
                }
            }
        }
        for key in created.iter().chain(out.difference(&cells)) {
            self.families.insert(key.clone(), Family::Handle);
        }
        for (key, initialisers) in objects {
            if self.families.contains_key(&key) {
                continue;
            }
            let is_cursor = initialisers.iter().any(|(func, at)| {
                let facts = &self.facts[func];
                facts
                    .params
                    .iter()
                    .enumerate()
                    .any(|(other, usage)| other != *at && usage.keeps && !usage.calls)
                    && signatures.iter().filter(|s| s.func == *func).any(|s| s.params.len() > 1)
            }) && self.cursor_keeps_handle(&initialisers, signatures, &key);
            self.families.insert(key, if is_cursor { Family::Cursor } else { Family::Object });
            self.initialisers.extend(initialisers);
        }
        for key in cells {
            self.families.entry(key).or_insert(Family::Cell);
        }
        for key in lent {
            self.families.entry(key).or_insert(Family::Lent);
        }
    }

    /// True if an initialiser keeps a pointer to another structure.
    fn cursor_keeps_handle(
        &mut self,
        initialisers: &[(FuncId, usize)],
        signatures: &[Signature],
        key: &Key,
    ) -> bool {
        initialisers.iter().any(|(func, at)| {
            let Some(signature) = signatures.iter().find(|s| s.func == *func) else { return false };
            (0..signature.params.len()).any(|other| {
                other != *at
                    && self.usage(*func, other).keeps
                    && self.pointer_key(signature.params[other]).is_some_and(|kept| kept != *key)
            })
        })
    }

    fn plan(&mut self, signature: &Signature) -> Result<Plan, String> {
        let mut notes = Vec::new();
        let mut roles = Vec::new();
        let mut skip = false;
        for at in 0..signature.params.len() {
            if skip {
                skip = false;
                roles.push(Role::Length);
                continue;
            }
            let role = self.role(signature, at, &mut notes)?;
            skip = matches!(role, Role::Buffer { .. });
            roles.push(role);
        }
        let outcome = self.outcome(signature, &roles, &mut notes)?;
        let success = roles.iter().any(|role| matches!(role, Role::New { .. } | Role::NewHandle { .. }));
        let success = if success { self.success(signature, &mut notes) } else { None };
        self.has_no_other_handle(signature, &roles)?;
        let limit = self.limit(signature, &roles, &outcome);
        let may_give = outcome == Outcome::Nothing && self.may_give(signature);
        let globals = used_globals(self.program, signature.func);
        let Signature { func, name, params, result, .. } = signature;
        let (name, params) = (name.clone(), params.clone());
        Ok(Plan {
            func: *func,
            name,
            params,
            roles,
            result: *result,
            outcome,
            success,
            notes,
            may_give,
            limit,
            globals,
        })
    }

    fn role(&mut self, signature: &Signature, at: usize, notes: &mut Vec<String>) -> Result<Role, String> {
        let types = &self.program.types;
        let (ty, name, function) =
            (signature.params[at], signature.names[at].as_str(), signature.name.as_str());
        let usage = self.usage(signature.func, at);
        let words: Vec<Word> = self.annotations.of_parameter(function, name).cloned().collect();
        let null = match () {
            () if words.contains(&Word::NotNull) => false,
            () if words.contains(&Word::Null) => true,
            () => usage.takes_null,
        };
        let ask =
            |what: &str, word: &str| Err(format!("{what}; say so: `//@ client {function}: {word} {name}`"));
        let bare = strip(types, ty);
        let to = match &types[bare] {
            CType::Enum { .. } if !words.contains(&Word::Any) => {
                return ask(
                    &format!("which values of an enumeration `{function}` allows for `{name}` is not known"),
                    "any",
                );
            }
            CType::Int { .. } | CType::Enum { .. } | CType::Float { .. } => {
                if usage.is_index && !usage.is_compared && !words.contains(&Word::Any) {
                    let what = format!(
                        "`{function}` uses `{name}` as an index or size and compares it with nothing: it has a precondition, or any value is allowed"
                    );
                    return ask(&what, "any");
                }
                return Ok(Role::Value);
            }
            CType::Pointer { to } => *to,
            _ => return Err(format!("`{name}` of `{function}` has a type that is not covered")),
        };
        let null_note =
            if null { format!("`{name}` may be NULL: it is compared with NULL") } else { String::new() };
        let target = strip(types, to);
        let is_const = is_const_pointer(self.program, ty);
        if let CType::Function { result, params, .. } = &types[target] {
            let callback = self.callback(name, *result, params)?;
            let null = null || (usage.keeps && !usage.calls && self.guarded);
            notes.push(match callback {
                Callback::Compare => format!("`{name}` compares its arguments"),
                Callback::Destroy => format!("`{name}` frees its argument or does nothing"),
                Callback::Visit => format!("`{name}` looks at its arguments and answers anything"),
            });
            if null {
                notes.push(format!("`{name}` may be NULL: it is compared with NULL before calls"));
            }
            return Ok(Role::Function { callback, null });
        }
        if let Some(key) = self.key(to) {
            let role = self.structure(signature, at, &key, &usage, null, &words, notes)?;
            if !null_note.is_empty() {
                notes.push(null_note);
            }
            return Ok(role);
        }
        if let Some(key) = self.pointer_key(to) {
            let family = self.families.get(&key).copied();
            return match family {
                Some(Family::Cell) if usage.keeps => Err(format!(
                    "`{function}` keeps the address `{name}` of a variable: how long what it makes is good is not clear"
                )),
                Some(Family::Cell) => {
                    let ends = usage.frees_inside && is_ending(function);
                    notes.push(format!("`{name}` points to a variable of the client that holds a list"));
                    Ok(Role::CellAddress { key, ends })
                }
                Some(Family::Handle) if usage.reads_first => {
                    Ok(Role::HandleAddress { key, ends: usage.frees_inside && is_ending(function) })
                }
                Some(Family::Handle) => {
                    notes.push(format!("`*{name}` becomes a new `{key} *`"));
                    Ok(Role::NewHandle { key })
                }
                _ if !usage.reads_first => Ok(Role::Out { of: to, null, owned: false }),
                _ => Err(format!("what `{name}` of `{function}` points to is not clear")),
            };
        }
        let next_is_length = signature.params.get(at + 1).is_some_and(|next| {
            matches!(types[strip(types, *next)], CType::Int { size, .. } if size >= 4)
                && is_length(&signature.names[at + 1])
        });
        match &types[target] {
            CType::Void if usage.ends != Ends::Never => {
                Err(format!("`{function}` frees `{name}`: whose memory that is, is not clear"))
            }
            CType::Void | CType::Int { .. } | CType::Float { .. } if next_is_length && !usage.keeps => {
                let element = (types[target] != CType::Void).then_some(target);
                let length = &signature.names[at + 1];
                notes.push(format!("`{name}` points to `{length}` elements"));
                Ok(Role::Buffer { element })
            }
            CType::Void if usage.reads || usage.writes || usage.indexes || usage.outside => {
                Err(format!("`{function}` looks at what `{name}` points to: how large that is, is not clear"))
            }
            CType::Void => {
                notes.push(format!("`{name}` is any pointer, the module does not look past it"));
                Ok(Role::Data)
            }
            CType::Int { size: 1, .. } if is_const || (usage.outside && !usage.writes) => {
                notes.push(format!("`{name}` is a string{}", if null { " or NULL" } else { "" }));
                Ok(Role::Text { null, kept: usage.keeps })
            }
            CType::Int { .. } | CType::Float { .. } | CType::Enum { .. } | CType::Pointer { .. } => {
                let is_character =
                    matches!(&types[target], CType::Int { size: 1, name, .. } if name.contains("char"));
                if is_character && (usage.reads || usage.writes || usage.outside) {
                    return Err(format!(
                        "whether `{name}` of `{function}` is a string, an area or one character is not clear"
                    ));
                }
                if usage.indexes || usage.outside {
                    return Err(format!(
                        "how many elements `{name}` of `{function}` points to is not clear; say so: `//@ client {function}: skip`"
                    ));
                }
                if usage.keeps {
                    return Err(format!("`{function}` keeps `{name}`: how long it has to live is not clear"));
                }
                if matches!(types[target], CType::Pointer { .. }) && usage.reads_first {
                    return Err(format!("what `*{name}` of `{function}` points to is not clear"));
                }
                if !null_note.is_empty() {
                    notes.push(null_note);
                }
                let owned = self.owned.contains(function);
                Ok(Role::Out { of: to, null, owned })
            }
            _ => Err(format!("`{name}` of `{function}` has a type that is not covered")),
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn structure(
        &mut self,
        signature: &Signature,
        at: usize,
        key: &Key,
        usage: &Use,
        null: bool,
        words: &[Word],
        notes: &mut Vec<String>,
    ) -> Result<Role, String> {
        let (name, function) = (&signature.names[at], &signature.name);
        let Some(family) = self.families.get(key).copied() else {
            return Err(format!("no function of the module gives a `{key} *` for `{name}` of `{function}`"));
        };
        if self.initialisers.get(&signature.func) == Some(&at) {
            notes
                .push(format!("`{name}` is an object that the client declares; `{function}` initialises it"));
            return Ok(Role::New { key: key.clone() });
        }
        let mut ends = usage.ends;
        if words.contains(&Word::Consumes) {
            ends = Ends::Always;
        }
        if words.contains(&Word::Keeps) {
            ends = Ends::Never;
        }
        let is_settled = words.contains(&Word::Consumes) || words.contains(&Word::Keeps);
        match family {
            Family::Object if usage.frees_inside && is_ending(function) => {
                notes.push(format!("`{function}` ends the use of `{name}`"));
                ends = Ends::Always;
            }
            Family::Handle if usage.keeps && !is_settled && ends == Ends::Never => {
                // What an iterator keeps is the iterator's business.
                let is_cursor =
                    signature.params.iter().enumerate().any(|(other, _)| {
                        other != at && self.initialisers.get(&signature.func) == Some(&other)
                    });
                if !is_cursor {
                    return Err(format!(
                        "`{function}` keeps `{name}`: it takes it over, or it has to live on; say so: `//@ client {function}: consumes {name}` or `//@ client {function}: keeps {name}`"
                    ));
                }
            }
            _ => {}
        }
        if family == Family::Object && usage.ends != Ends::Never {
            return Err(format!("`{function}` frees `{name}`, which is an object of the client"));
        }
        match ends {
            Ends::Always if family == Family::Handle => {
                notes.push(format!("`{function}` takes `{name}` over"))
            }
            Ends::Sometimes => {
                notes.push(format!("`{function}` may take `{name}` over: `__heapproof_is_live` decides"))
            }
            _ => {}
        }
        Ok(Role::Pick { key: key.clone(), family, null, ends })
    }

    fn callback(&self, name: &str, result: TypeId, params: &[TypeId]) -> Result<Callback, String> {
        let types = &self.program.types;
        let is_pointer = |ty: &TypeId| matches!(types[strip(types, *ty)], CType::Pointer { .. });
        match &types[strip(types, result)] {
            CType::Void => {
                let last = params.last().filter(|ty| is_pointer(ty) && !is_const_pointer(self.program, **ty));
                let destroys = last.is_some() && parts(name).iter().any(|part| is_ending(part));
                Ok(if destroys { Callback::Destroy } else { Callback::Visit })
            }
            CType::Int { .. } | CType::Enum { .. } | CType::Float { .. } => {
                let alike = params.len() >= 2 && strip_equal(self.program, params[0], params[1]);
                let compares = parts(name)
                    .iter()
                    .any(|part| part.starts_with("cmp") || part.ends_with("cmp") || part.starts_with("comp"));
                Ok(if alike || (compares && params.len() >= 2) { Callback::Compare } else { Callback::Visit })
            }
            _ => Err(format!("what the callback `{name}` returns is not clear")),
        }
    }

    fn outcome(
        &mut self,
        signature: &Signature,
        roles: &[Role],
        notes: &mut Vec<String>,
    ) -> Result<Outcome, String> {
        let types = &self.program.types;
        let function = &signature.name;
        let origin = self.facts[&signature.func].result.clone();
        let gives = self.annotations.of(function).any(|word| matches!(word, Word::Gives));
        let lends = self.annotations.of(function).any(|word| matches!(word, Word::Lends));
        let Some(to) = pointee(types, signature.result) else { return Ok(Outcome::Nothing) };
        let owned = !lends && (gives || self.owned.contains(function) || origin.fresh);
        let renewed = roles.iter().enumerate().find_map(|(at, role)| match role {
            Role::Pick { key, ends, .. } if *ends != Ends::Never => Some((at, key.clone())),
            _ => None,
        });
        if let Some(key) = self.key(to) {
            let family = self.families.get(&key).copied();
            if let Some((at, kept)) = renewed
                && kept == key
                && (owned || origin.params.contains(&at))
            {
                notes.push(format!("`{}` becomes the result", signature.names[at]));
                return Ok(Outcome::Renewed(at));
            }
            return Ok(match family {
                Some(Family::Handle) if owned => {
                    notes.push(format!("gives a new `{key} *` or NULL"));
                    Outcome::Handle(key)
                }
                Some(Family::Lent) => {
                    notes.push("lends a pointer until the next call that changes something".to_owned());
                    Outcome::Lent(key)
                }
                _ => Outcome::Nothing,
            });
        }
        if matches!(types[strip(types, to)], CType::Function { .. }) {
            return Ok(Outcome::Nothing);
        }
        if owned {
            notes.push("gives a block that the client frees with free()".to_owned());
            return Ok(Outcome::Block);
        }
        notes.push("lends what it returns".to_owned());
        Ok(Outcome::Nothing)
    }

    /// A function that takes one handle over and gets another: the two may have to belong together.
    fn has_no_other_handle(&self, signature: &Signature, roles: &[Role]) -> Result<(), String> {
        let is_handle = |role: &Role| {
            matches!(
                role,
                Role::Pick { family: Family::Handle | Family::Object | Family::Cell, .. }
                    | Role::CellAddress { .. }
            )
        };
        let others = roles.iter().filter(|role| is_handle(role)).count() > 1;
        let has_list = roles.iter().any(|role| matches!(role, Role::CellAddress { .. }));
        for (at, role) in roles.iter().enumerate() {
            let (function, name) = (&signature.name, &signature.names[at]);
            if has_list && matches!(role, Role::Pick { family: Family::Cell, .. }) {
                return Err(format!(
                    "`{name}` of `{function}` may have to be of the list that is passed with it"
                ));
            }
            let takes =
                matches!(role, Role::Pick { family: Family::Handle, ends, .. } if *ends != Ends::Never);
            let is_said = self.annotations.of_parameter(function, name).any(|word| *word == Word::Consumes);
            if takes && others && !is_said {
                return Err(format!(
                    "`{function}` takes `{name}` over, and it may have to belong to another argument; if it need not, say so: `//@ client {function}: consumes {name}`"
                ));
            }
        }
        Ok(())
    }

    /// Pointers that a client may pass on and that this one does not.
    fn limit(&mut self, signature: &Signature, roles: &[Role], outcome: &Outcome) -> Option<String> {
        let function = &signature.name;
        if *outcome == Outcome::Nothing
            && let Some(key) = self.pointer_key(signature.result)
        {
            return Some(format!("no client passes on the `{key} *` that `{function}` lends"));
        }
        roles.iter().find_map(|role| match role {
            Role::Out { of, .. } => {
                let key = self.pointer_key(*of)?;
                Some(format!("no client passes on the `{key} *` that `{function}` stores"))
            }
            _ => None,
        })
    }

    /// True if a result that the code reads from memory could be the client's nevertheless.
    fn may_give(&self, signature: &Signature) -> bool {
        let types = &self.program.types;
        let Some(to) = pointee(types, signature.result) else { return false };
        let is_plain =
            matches!(types[strip(types, to)], CType::Void | CType::Int { .. } | CType::Float { .. });
        let lends = self.annotations.of(&signature.name).any(|word| matches!(word, Word::Lends));
        let origin = &self.facts[&signature.func].result;
        is_plain && !lends && origin.loaded && !is_const_pointer(self.program, signature.result)
    }

    /// What an initialiser that can fail returns if it succeeded.
    fn success(&self, signature: &Signature, notes: &mut Vec<String>) -> Option<Success> {
        let types = &self.program.types;
        if !matches!(types[strip(types, signature.result)], CType::Int { .. } | CType::Enum { .. }) {
            return None;
        }
        let body = self.program.functions[signature.func].body.as_ref()?;
        let values = constants_returned(body);
        let success = if values.contains(&0) && !values.iter().any(|value| *value > 0) {
            if values.len() < 2 {
                return None;
            }
            Success::Zero
        } else if values.contains(&0) && values.contains(&1) && values.len() == 2 {
            Success::NotZero
        } else {
            Success::Zero
        };
        let shown = if success == Success::Zero { "0" } else { "nonzero" };
        notes.push(format!("the object is used only if the result is {shown}"));
        Some(success)
    }
}

impl Use {
    /// It is stored, and nothing is written through it.
    fn keeps_only(&self) -> bool {
        self.keeps && !self.writes
    }
}

/// The structures of which a call makes the client have one more.
pub(crate) fn gives(plan: &Plan) -> Vec<Key> {
    let mut keys: Vec<Key> = plan
        .roles
        .iter()
        .filter_map(|role| match role {
            Role::New { key } | Role::NewHandle { key } => Some(key.clone()),
            _ => None,
        })
        .collect();
    if let Outcome::Handle(key) | Outcome::Lent(key) = &plan.outcome {
        keys.push(key.clone());
    }
    keys
}

fn unqualified(program: &Program, mut ty: TypeId) -> TypeId {
    while let CType::Qualified { of, .. } = &program.types[ty] {
        ty = *of;
    }
    ty
}

/// True for a pointer to something constant.
pub(crate) fn is_const_pointer(program: &Program, ty: TypeId) -> bool {
    let Some(mut to) = pointee(&program.types, ty) else { return false };
    loop {
        match &program.types[to] {
            CType::Qualified { qualifier: Qualifier::Const, .. } => return true,
            CType::Qualified { of, .. } | CType::Typedef { of, .. } => to = *of,
            _ => return false,
        }
    }
}

fn strip_equal(program: &Program, a: TypeId, b: TypeId) -> bool {
    let (a, b) = (strip(&program.types, a), strip(&program.types, b));
    match (&program.types[a], &program.types[b]) {
        (CType::Pointer { to: x }, CType::Pointer { to: y }) => {
            strip(&program.types, *x) == strip(&program.types, *y)
        }
        _ => a == b,
    }
}

/// Where a structure holds pointers, in bytes.
fn pointer_offsets(program: &Program, ty: TypeId) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    let mut todo = vec![(ty, 0u64)];
    while let Some((ty, at)) = todo.pop() {
        for member in heapproof_ir::ctype::members(&program.types, ty) {
            let offset = at + member.bit_offset / 8;
            match &program.types[strip(&program.types, member.ty)] {
                CType::Pointer { .. } => drop(found.insert(offset as i64)),
                CType::Struct { .. } => todo.push((member.ty, offset)),
                _ => {}
            }
        }
    }
    found
}

/// The name of the parameter that arrives in a register.
fn name_of(body: &Body, param: Reg) -> Option<String> {
    if let Some(variable) = &body.regs[param].variable {
        return Some(variable.name.clone());
    }
    let first = body.blocks.values().next()?;
    first.insts.iter().find_map(|inst| match &inst.kind {
        InstKind::Copy { dst, src: Operand::Reg(src) } if *src == param => {
            body.regs[*dst].variable.as_ref().map(|variable| variable.name.clone())
        }
        InstKind::Store { value: Operand::Reg(src), ptr: Operand::Local(local), .. } if *src == param => {
            body.locals[*local].variable.as_ref().map(|variable| variable.name.clone())
        }
        _ => None,
    })
}

/// Integer constants that a function returns.
fn constants_returned(body: &Body) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    let mut regs = BTreeSet::new();
    let take = |operand: &Operand, regs: &mut BTreeSet<Reg>, found: &mut BTreeSet<i64>| match operand {
        Operand::Reg(reg) => regs.insert(*reg),
        Operand::Int { bits, width } => found.insert(heapproof_ir::sign_extend(*bits, *width) as i64),
        _ => false,
    };
    for block in body.blocks.values() {
        if let heapproof_ir::Terminator::Return(values) = &block.term {
            values.iter().for_each(|value| {
                take(value, &mut regs, &mut found);
            });
        }
    }
    for _ in 0..4 {
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            match &inst.kind {
                InstKind::Copy { dst, src } if regs.contains(dst) => {
                    take(src, &mut regs, &mut found);
                }
                InstKind::Select { dst, a, b, .. } if regs.contains(dst) => {
                    take(a, &mut regs, &mut found);
                    take(b, &mut regs, &mut found);
                }
                _ => {}
            }
        }
    }
    found
}

/// Every call through a pointer that was read from memory is in a function that compares such a pointer with NULL.
fn guards_callbacks(program: &Program) -> bool {
    let mut is_called = false;
    for body in program.functions.values().filter_map(|function| function.body.as_ref()) {
        let insts = || body.blocks.values().flat_map(|block| &block.insts);
        let place = |reg: &Reg| {
            insts().find_map(|inst| match &inst.kind {
                InstKind::Load { dst, ptr: Operand::Reg(ptr), .. } if dst == reg => {
                    insts().find_map(|inst| match &inst.kind {
                        InstKind::PtrAdd { dst, offset, .. } if dst == ptr => Some(*offset),
                        _ => None,
                    })
                }
                _ => None,
            })
        };
        let compared: BTreeSet<i64> = insts()
            .filter_map(|inst| match &inst.kind {
                InstKind::Cmp {
                    op: CmpOp::Eq | CmpOp::Ne,
                    ty: Ty::Ptr,
                    a: Operand::Reg(reg),
                    b: Operand::Null,
                    ..
                } => place(reg),
                _ => None,
            })
            .collect();
        for inst in insts() {
            if let InstKind::Call { callee: Callee::Indirect(Operand::Reg(reg)), .. } = &inst.kind
                && let Some(offset) = place(reg)
            {
                is_called = true;
                if !compared.contains(&offset) {
                    return false;
                }
            }
        }
    }
    is_called
}

/// The globals that may change and that a function or its callees use.
fn used_globals(program: &Program, func: FuncId) -> BTreeSet<u32> {
    let mut seen = BTreeSet::new();
    let mut todo = vec![func];
    let mut found = BTreeSet::new();
    while let Some(func) = todo.pop() {
        if !seen.insert(func) {
            continue;
        }
        let Some(body) = &program.functions[func].body else { continue };
        for inst in body.blocks.values().flat_map(|block| &block.insts) {
            inst.kind.for_each_use(|operand| match operand {
                Operand::Global(global) if !program.globals[*global].constant => {
                    found.insert(global.as_u32());
                }
                Operand::Func(func) => todo.push(*func),
                _ => {}
            });
            if let InstKind::Call { callee: Callee::Direct(callee), .. } = &inst.kind {
                todo.push(*callee);
            }
        }
    }
    found
}
