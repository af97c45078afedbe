//! Functions as values: those that are given, which touch no nodes, and those of the module.
//!
//! A parameter that is a pointer to a function is a valid function, and so is one that a given node holds. Such a function may be called, handed
//! on, and stored where pointers to functions are kept. Everything else may not: a number or null that is called, a function of the
//! module that changes nodes. A function of the module that is called through a pointer which is known is called as such.

use crate::facts::Facts;
use crate::state::*;
use crate::{Analysis, Stop, Why};
use heapproof_engine::Resolution;
use heapproof_ir::inst::Operand;
use heapproof_ir::nodes::{Field, NodeType};
use heapproof_ir::{Body, CType, FuncId, Reg, Span, TypeId, ctype};

/// What a value is as a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Given {
    /// A valid function that touches no nodes, or null.
    OrNull,
    /// A valid function that touches no nodes.
    Function,
}

impl Analysis<'_> {
    /// The address of a function, the same whenever it is asked for.
    pub(crate) fn function_value(&mut self, state: &mut State, function: FuncId) -> Value {
        let s = self.function_of(format!("function {function:?}"), &[]);
        self.function_names.insert(s, function);
        if self.program.functions[function].body.is_some() {
            state.zero.insert(s, false);
        }
        Value::Sym(s, Hint::None)
    }

    /// The function of the module that a value is known to be.
    pub(crate) fn known_function(&self, value: &Value, args: usize) -> Option<FuncId> {
        let Value::Sym(s, _) = value else { return None };
        let function = *self.function_names.get(s)?;
        // Called with other arguments than it has, it is not that function.
        (self.program.functions[function].params.len() == args).then_some(function)
    }

    /// A callback touches no nodes; it must not see memory of this function either.
    pub(crate) fn call_back(
        &mut self,
        state: &mut State,
        results: &[Reg],
        function: &Value,
        args: &[Value],
        span: Span,
    ) -> Result<(), Stop> {
        if self.given(state, function) != Some(Given::Function) && !fault!(42) {
            return Err(Stop::new(Why::NoFunction, span));
        }
        let seen = |v: &Value| match v {
            Value::Own(..) | Value::Sym(_, Hint::Cell(_)) => true,
            Value::Sym(s, _) => state.cell_of.contains_key(s),
            Value::Bool(_) => false,
        };
        if args.iter().any(seen) {
            return Err(Stop::new(Why::Unsupported("own memory that is passed to a callback"), span));
        }
        let mut hands_over = false;
        for arg in args {
            if let Value::Sym(s, Hint::Node(node, 0)) = arg {
                self.need_node(state, *node, *s, Why::BadArgument, span)?;
                hands_over = true;
            }
        }
        if hands_over {
            self.constraint_holds(state, span)?;
        }
        self.called_back = true;
        self.any_results(state, results);
        Ok(())
    }

    /// What a value is as a function; none if it may be something else.
    pub(crate) fn given(&mut self, state: &State, value: &Value) -> Option<Given> {
        let Value::Sym(s, _) = value else { return None };
        if let Some(&function) = self.function_names.get(s) {
            return self.touches_no_nodes(function).then_some(Given::Function);
        }
        match (state.functions.get(s), state.known_zero(*s)) {
            (Some(Given::Function), _) | (Some(Given::OrNull), Some(false)) => Some(Given::Function),
            (Some(Given::OrNull), _) | (None, Some(true)) => Some(Given::OrNull),
            (None, _) => None,
        }
    }

    /// Whether a function of the module does what is expected of a callback. Then the proof rests on that of the function.
    fn touches_no_nodes(&mut self, function: FuncId) -> bool {
        let info = &self.program.functions[function];
        let plain = matches!(self.resolutions.of(function), Resolution::Body)
            && !self.hands_over(function)
            && !self.environment.requires.contains_key(&info.name)
            && !self.function_writers.contains(&function)
            && !self.freers.contains(&function)
            // Otherwise links are all that it could write.
            && !self.nodes.links.is_empty()
            && self.nodes.slot_types().next().is_none()
            && self.summaries.get(&function).is_some_and(|s| s.changes.is_empty())
            || fault!(43);
        if plain {
            self.uses.insert(function);
            self.called.insert(function);
        }
        plain
    }

    /// A value is kept where a pointer to a function belongs: it has to be one, or null.
    pub(crate) fn need_function(&mut self, state: &State, value: &Value, span: Span) -> Result<(), Stop> {
        match self.given(state, value) {
            Some(_) => Ok(()),
            None => Err(Stop::new(Why::NoFunction, span)),
        }
    }

    /// Data of a node is written: what is a pointer to a function stays one, or null.
    pub(crate) fn keeps_functions(
        &mut self,
        state: &State,
        place: (NodeType, i128, i128),
        value: &Value,
        span: Span,
    ) -> Result<(), Stop> {
        let (node, at, size) = place;
        let overlaps = |f: &&Field| f.function && f.offset < at + size && at < f.offset + f.size;
        let Some(field) = self.nodes.types[node.0].fields.iter().find(overlaps) else { return Ok(()) };
        let whole = field.offset == at && field.size == size;
        self.writes_functions = true;
        if !whole {
            return Err(Stop::new(Why::NoFunction, span));
        }
        self.nulls_functions |= self.given(state, value) != Some(Given::Function);
        self.need_function(state, value, span)
    }

    /// Data that was read from a node: a pointer to a function is one, unless this function may have set it to null.
    pub(crate) fn read_function(&self, state: &mut State, place: (NodeType, i128, i128), value: &Value) {
        let (node, at, size) = place;
        let is = |f: &Field| f.function && f.offset == at && f.size == size;
        if let Value::Sym(s, _) = value
            && self.nodes.types[node.0].fields.iter().any(is)
            && !self.function_names.contains_key(s)
        {
            let given = if self.may_write_functions { Given::OrNull } else { Given::Function };
            state.functions.entry(*s).or_insert(given);
        }
    }

    /// Variables that hold a function which touches no nodes.
    pub(crate) fn function_facts(
        &mut self,
        body: &Body,
        live: &[Reg],
        state: &mut State,
        known: &mut Facts,
        first: bool,
    ) -> Result<(), Stop> {
        if first {
            let is = |r: &&Reg| {
                let variable = body.regs[**r].variable.as_ref();
                self.is_function_pointer(variable.and_then(|v| v.ctype))
            };
            known.functions = live.iter().filter(is).map(|reg| (*reg, Given::Function)).collect();
        }
        for (reg, before) in known.functions.clone() {
            let value = self.eval(state, &Operand::Reg(reg))?;
            match self.given(state, &value) {
                _ if fault!(28) => {}
                Some(given) => {
                    known.functions.insert(reg, given.min(before));
                }
                None => {
                    known.functions.remove(&reg);
                }
            }
        }
        Ok(())
    }

    /// What an argument for a parameter of a function type must be.
    pub(crate) fn callback_of(&self, function: FuncId) -> Given {
        if self.needs_callbacks.contains(&function) { Given::Function } else { Given::OrNull }
    }

    /// Whether a C type is that of a pointer to a function.
    pub(crate) fn is_function_pointer(&self, of: Option<TypeId>) -> bool {
        let types = &self.program.types;
        let to = of.and_then(|t| ctype::pointee(types, t));
        to.is_some_and(|t| matches!(types[ctype::strip(types, t)], CType::Function { .. }))
    }
}
