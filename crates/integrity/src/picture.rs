//! States for people: nodes and arguments as text, and what would have to be required to exclude them.

use crate::formula::parse;
use crate::world::{Look, Role};
use heapproof_engine::state::{Address, Argument, Content};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The arguments and the nodes, a line each.
pub(crate) fn picture(look: &Look<'_>) -> String {
    let mut out = String::new();
    for (index, argument) in look.world.state.arguments.iter().enumerate() {
        let name =
            look.names.get(index).cloned().flatten().unwrap_or_else(|| format!("argument {}", index + 1));
        let value = match argument {
            Argument::Number(bits) => format!("{}", *bits as i64),
            Argument::Pointer(address) => shown(look, *address),
        };
        let _ = writeln!(out, "{name} = {value}");
    }
    for (index, block) in look.world.state.objects.iter().enumerate() {
        let Some(Role::Node(node)) = look.world.roles.get(index) else {
            if let Some(Content::Pointer(address)) = look.world.content(index, 0) {
                let _ = writeln!(out, "{}: {}", name_of(look, index), shown(look, *address));
            }
            continue;
        };
        let info = &look.nodes.types[node.0];
        let mut fields = Vec::new();
        for (at, content) in &block.content {
            let Some(field) = info.fields.iter().find(|f| f.offset == i128::from(*at)) else { continue };
            let value = match content {
                Content::Pointer(address) => shown(look, *address),
                Content::Bytes(bytes) => {
                    let negative = bytes.last().is_some_and(|b| b & 0x80 != 0);
                    let mut all = [if negative { 0xff } else { 0 }; 8];
                    let len = bytes.len().min(8);
                    all[..len].copy_from_slice(&bytes[..len]);
                    i64::from_le_bytes(all).to_string()
                }
            };
            fields.push(format!("{} = {value}", field.name));
        }
        let _ = writeln!(out, "{}: struct {} {{ {} }}", name_of(look, index), info.name, fields.join(", "));
    }
    out
}

fn name_of(look: &Look<'_>, index: usize) -> String {
    match look.world.roles.get(index) {
        Some(Role::Node(_)) => format!("n{index}"),
        Some(Role::Cell(_)) => format!("link{index}"),
        _ => format!("memory{index}"),
    }
}

fn shown(look: &Look<'_>, address: Address) -> String {
    match address {
        Address::Null => "NULL".to_owned(),
        Address::Unknown => "some address".to_owned(),
        Address::Object { index, offset: 0 } => format!("&{}", name_of(look, index)),
        Address::Object { index, offset } => format!("&{} + {offset}", name_of(look, index)),
        Address::Global { global, .. } => format!("&{}", look.program.globals[global].name),
        Address::Function(func) => look.program.functions[func].name.clone(),
    }
}

/// The first of some usual requirements that the state does not meet.
pub(crate) fn excluded_by(look: &Look<'_>) -> Option<String> {
    let pointers: Vec<(usize, &String)> = (0..look.names.len())
        .filter(|&i| matches!(look.world.state.arguments.get(i), Some(Argument::Pointer(_))))
        .filter_map(|i| Some((i, look.names[i].as_ref()?)))
        .collect();
    let mut candidates: Vec<String> = pointers.iter().map(|(_, name)| format!("{name} != NULL")).collect();
    for (index, name) in &pointers {
        let Some(Argument::Pointer(Address::Object { index: to, offset: 0 })) =
            look.world.state.arguments.get(*index)
        else {
            continue;
        };
        match look.world.roles.get(*to) {
            Some(Role::Node(node)) => {
                let links = look.nodes.links_of(*node);
                candidates.extend(links.iter().map(|link| format!("{name}->{} != NULL", link.field)));
                candidates.push(format!("tree({name})"));
            }
            Some(Role::Cell(_)) => {
                candidates.push(format!("*{name} != NULL"));
                candidates.push(format!("tree(*{name})"));
            }
            _ => {}
        }
    }
    candidates
        .into_iter()
        .find(|text| parse(text).is_ok_and(|formula| look.holds(&formula, &BTreeMap::new()) == Some(false)))
}
