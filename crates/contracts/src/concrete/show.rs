//! A state for people: its objects with their fields, the arguments, and the blocking pointers.

use super::lazy::Generated;
use heapproof_engine::state::{Address, Argument, Content};
use heapproof_ir::{CType, FuncId, Program, TypeId, ctype};
use std::fmt::Write;

/// The state in words.
pub fn describe(program: &Program, func: FuncId, generated: &Generated) -> String {
    let mut out = String::new();
    let state = &generated.state;
    let names: Vec<Option<String>> = match &program.functions[func].body {
        Some(body) => {
            crate::place::parameters(body).into_iter().map(|param| param.map(|(name, _)| name)).collect()
        }
        None => Vec::new(),
    };
    for (index, argument) in state.arguments.iter().enumerate() {
        let name = names.get(index).cloned().flatten().unwrap_or_else(|| format!("argument {}", index + 1));
        let value = match argument {
            Argument::Number(bits) => bits.to_string(),
            Argument::Pointer(address) => self::address(program, *address),
        };
        let _ = writeln!(out, "{name} = {value}");
    }
    let heap: Vec<TypeId> =
        generated.types.iter().filter(|(_, global)| global.is_none()).map(|(ty, _)| *ty).collect();
    for (index, block) in state.objects.iter().enumerate() {
        let fields = block.content.iter().map(|(at, content)| (heap.get(index).copied(), *at, content));
        let _ = writeln!(out, "node{} = {{ {} }}", index + 1, contents(program, fields));
    }
    let mut last = None;
    for (id, _, _) in &state.globals {
        if last == Some(*id) {
            continue;
        }
        last = Some(*id);
        let global = &program.globals[*id];
        let fields = state.globals.iter().filter(|(other, _, _)| other == id);
        let fields = fields.map(|(_, at, content)| (global.ctype, *at, content));
        let _ = writeln!(out, "{} = {{ {} }}", global.name, contents(program, fields));
    }
    let blocking: Vec<String> = generated.blocking().iter().map(|spot| address(program, *spot)).collect();
    let _ = write!(out, "BS = {{ {} }}", blocking.join(", "));
    out
}

fn contents<'c>(
    program: &Program,
    fields: impl Iterator<Item = (Option<TypeId>, u64, &'c Content)>,
) -> String {
    let mut sorted: Vec<_> = fields.collect();
    sorted.sort_by_key(|(_, at, _)| *at);
    let shown = sorted.into_iter().map(|(ty, at, content)| {
        let value = match content {
            Content::Pointer(address) => self::address(program, *address),
            Content::Bytes(bytes) => {
                let bits = bytes.iter().rev().fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
                heapproof_ir::sign_extend(bits, 8 * bytes.len() as u8).to_string()
            }
        };
        format!("{} = {value}", ty.map_or_else(|| format!("+{at}"), |ty| field(program, ty, at)))
    });
    shown.collect::<Vec<String>>().join(", ")
}

/// The name of what lies at an offset of a type.
fn field(program: &Program, ty: TypeId, at: u64) -> String {
    let ty = ctype::strip(&program.types, ty);
    let word = program.target.pointer_bytes();
    let size = ctype::size_of(&program.types, ty, word).unwrap_or(0);
    if size > 0 && at >= size {
        return format!("[{}].{}", at / size, field(program, ty, at % size));
    }
    match &program.types[ty] {
        CType::Struct { members, .. } | CType::Union { members, .. } => {
            let inside = members.iter().find(|member| {
                let start = member.bit_offset / 8;
                at >= start && at < start + ctype::size_of(&program.types, member.ty, word).unwrap_or(0)
            });
            match inside {
                Some(member) => {
                    let name = member.name.clone().unwrap_or_default();
                    let inner = field(program, member.ty, at - member.bit_offset / 8);
                    if inner.is_empty() { name } else { format!("{name}.{inner}") }
                }
                None => format!("+{at}"),
            }
        }
        _ => String::new(),
    }
}

fn address(program: &Program, address: Address) -> String {
    let with = |name: String, offset: i64| {
        if offset == 0 { format!("&{name}") } else { format!("&{name} + {offset}") }
    };
    match address {
        Address::Null => "NULL".to_owned(),
        Address::Object { index, offset } => with(format!("node{}", index + 1), offset),
        Address::Global { global, offset } => with(program.globals[global].name.clone(), offset),
        Address::Function(func) => program.functions[func].name.clone(),
        Address::Unknown => "some address".to_owned(),
    }
}
