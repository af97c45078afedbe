//! The client as C text.

use crate::facts::Ends;
use crate::roles::{Callback, Family, Inferred, Key, Outcome, Plan, Role, Success, is_const_pointer};
use crate::spell::Speller;
use heapproof_ir::Program;
use heapproof_ir::ctype::{CType, TypeId, pointee, strip};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The last part of a key, as a part of names.
fn ident(key: &str) -> String {
    key.rsplit(' ').next().unwrap_or(key).to_owned()
}

pub(crate) struct Writer<'a> {
    program: &'a Program,
    inferred: &'a Inferred,
    plans: Vec<&'a Plan>,
    spell: Speller<'a>,
    /// Comparisons are consistent.
    consistent: bool,
    helpers: BTreeSet<&'static str>,
    callbacks: BTreeMap<String, String>,
    /// Pointers that are not used in all the ways that there are.
    limited: BTreeSet<Key>,
    /// Functions that end as well as those that are called in sessions only.
    reached: BTreeSet<String>,
}

/// A pointer that is good for a while, with the handle that it belongs to.
struct Session<'a> {
    key: &'a str,
    handle: Option<&'a str>,
}

impl<'a> Writer<'a> {
    pub fn new(
        program: &'a Program,
        inferred: &'a Inferred,
        only: Option<&BTreeSet<String>>,
        consistent: bool,
        given: bool,
    ) -> Self {
        let plans =
            inferred.plans.iter().filter(|plan| only.is_none_or(|only| only.contains(&plan.name))).collect();
        Writer {
            program,
            inferred,
            plans,
            spell: Speller::new(program, given),
            consistent,
            helpers: BTreeSet::new(),
            callbacks: BTreeMap::new(),
            limited: BTreeSet::new(),
            reached: BTreeSet::new(),
        }
    }

    /// The text, and the names of the functions that it calls.
    pub fn write(mut self, headers: &[String], about: &str) -> (String, BTreeSet<String>) {
        let mut keys: BTreeMap<Key, Family> = BTreeMap::new();
        for plan in &self.plans {
            for role in &plan.roles {
                match role {
                    Role::Pick { key, .. }
                    | Role::HandleAddress { key, .. }
                    | Role::CellAddress { key, .. }
                    | Role::New { key }
                    | Role::NewHandle { key } => drop(keys.insert(key.clone(), self.inferred.families[key])),
                    _ => {}
                }
            }
            if let Outcome::Handle(key) | Outcome::Lent(key) = &plan.outcome {
                keys.insert(key.clone(), self.inferred.families[key]);
            }
        }
        let listed: Vec<(Key, Family)> = keys
            .iter()
            .filter(|(_, family)| matches!(family, Family::Handle | Family::Object | Family::Cell))
            .map(|(key, family)| (key.clone(), *family))
            .collect();
        let mut operations = Vec::new();
        let mut calls = String::new();
        for (key, family) in &listed {
            if *family == Family::Cell {
                operations.push(format!("new_{}", ident(key)));
            }
        }
        let sessions: Vec<Key> = keys
            .iter()
            .filter(|(_, f)| matches!(f, Family::Cursor | Family::Lent))
            .map(|(key, _)| key.clone())
            .collect();
        for key in &sessions {
            calls.push_str(&self.session(key));
        }
        for plan in self.plans.clone() {
            let is_of_session = plan
                .roles
                .iter()
                .any(|role| matches!(role, Role::Pick { family: Family::Cursor | Family::Lent, .. }));
            if !is_of_session {
                operations.push(format!("call_{}", plan.name));
                self.reached.insert(plan.name.clone());
                calls.push_str(&self.function(plan));
            }
        }
        let mut ends = String::new();
        let mut endings = Vec::new();
        for (key, _) in &listed {
            match self.destroyer(key) {
                Some(plan) => {
                    let name = ident(key);
                    let body = self.body(plan, Some(key), None, "        ");
                    let _ = write!(
                        ends,
                        "static void end_{name}(void)\n{{\n    while (all_{name} != NULL) {{\n{body}    }}\n}}\n\n"
                    );
                    endings.push(name);
                }
                None => {
                    let _ = writeln!(
                        ends,
                        "/* No function is known that destroys a {key}: what is left is kept to the end. */\n"
                    );
                }
            }
        }
        // Everything is known now that has to be declared.
        let mut prototypes = String::new();
        for plan in &self.plans {
            if let Some(ctype) = self.program.functions[plan.func].ctype {
                let line = self.spell.declare(ctype, &plan.name);
                let _ = writeln!(prototypes, "extern {line};");
            }
        }
        for (key, family) in &keys {
            if matches!(family, Family::Object | Family::Cursor) {
                self.spell.complete(self.inferred.types[key]);
            }
        }
        let mut lists = String::new();
        for (key, family) in &listed {
            lists.push_str(&list(key, *family));
        }
        let mut text = format!("/* {about} */\n");
        for header in ["stdlib.h", "stddef.h"]
            .into_iter()
            .chain(self.spell.headers.iter().copied())
            .collect::<BTreeSet<_>>()
        {
            let _ = writeln!(text, "#include <{header}>");
        }
        for header in headers {
            let _ = writeln!(text, "#include \"{header}\"");
        }
        text.push_str(PRELUDE);
        if headers.is_empty() {
            text.push_str("\n/* The library. */\n");
            for tag in &self.spell.named {
                let _ = writeln!(text, "{tag};");
            }
            text.push_str(&self.spell.definitions);
            text.push_str(&prototypes);
        }
        text.push_str("\n/* What the client holds: lists of any length. */\n\n");
        text.push_str(&lists);
        for helper in &self.helpers {
            text.push_str(helper);
        }
        for callback in self.callbacks.values() {
            text.push_str(callback);
        }
        text.push_str("/* One function for each function of the library. */\n\n");
        text.push_str(&calls);
        text.push_str(&ends);
        let choice = if operations.len() > 200 { "uint" } else { "uchar" };
        let _ = write!(
            text,
            "int main(void)\n{{\n    while (__VERIFIER_nondet_bool()) {{\n        switch (__VERIFIER_nondet_{choice}()) {{\n"
        );
        for (at, operation) in operations.iter().enumerate() {
            let _ = write!(text, "        case {at}:\n            {operation}();\n            break;\n");
        }
        for plan in &self.plans {
            if self.limited.iter().any(|key| uses(plan, key)) {
                self.reached.remove(&plan.name);
            }
        }
        text.push_str("        }\n    }\n");
        for ending in &endings {
            let _ = writeln!(text, "    end_{ending}();");
        }
        text.push_str("    return 0;\n}\n");
        (text, self.reached)
    }

    /// The function that ends the use of one of these and needs nothing else from the client.
    fn destroyer(&self, key: &str) -> Option<&'a Plan> {
        let ends = |role: &Role| match role {
            Role::Pick { key: of, ends, .. } => of == key && *ends == Ends::Always,
            Role::HandleAddress { key: of, ends } | Role::CellAddress { key: of, ends } => of == key && *ends,
            _ => false,
        };
        let is_of_client = |role: &Role| {
            matches!(
                role,
                Role::Pick { .. } | Role::HandleAddress { .. } | Role::CellAddress { .. } | Role::New { .. }
            )
        };
        self.plans.iter().copied().find(|plan| {
            plan.roles.iter().filter(|role| is_of_client(role)).count() == 1
                && plan.roles.iter().any(ends)
                && !matches!(plan.outcome, Outcome::Renewed(_))
        })
    }

    fn function(&mut self, plan: &'a Plan) -> String {
        let mut text = String::new();
        for note in &plan.notes {
            let _ = writeln!(text, "/* {}: {note} */", plan.name);
        }
        let body = self.body(plan, None, None, "    ");
        let _ = write!(text, "static void call_{}(void)\n{{\n{body}}}\n\n", plan.name);
        text
    }

    /// The handle that pointers of a session belong to.
    fn owner(&self, key: &str) -> Option<Key> {
        let makes = |plan: &&&Plan| {
            plan.roles.iter().any(|role| matches!(role, Role::New { key: of } if of == key))
                || (matches!(&plan.outcome, Outcome::Lent(of) if of == key) && !uses(plan, key))
        };
        let plan = self.plans.iter().find(makes)?;
        plan.roles.iter().find_map(|role| match role {
            Role::Pick { key, family: Family::Handle | Family::Object | Family::Cell, .. } => {
                Some(key.clone())
            }
            _ => None,
        })
    }

    /// What is done with a pointer as long as it is good.
    fn session(&mut self, key: &Key) -> String {
        let name = ident(key);
        let owner = self.owner(key);
        let plans: Vec<&Plan> = self.plans.iter().copied().filter(|plan| uses(plan, key)).collect();
        let mut cases = String::new();
        let mut count = 0;
        for plan in plans {
            let foreign = plan.roles.iter().any(|role| match role {
                Role::Pick { key: of, family: Family::Cursor | Family::Lent, .. } => of != key,
                Role::Pick { key: of, .. } => owner.as_ref() != Some(of),
                Role::HandleAddress { .. }
                | Role::CellAddress { .. }
                | Role::New { .. }
                | Role::NewHandle { .. } => true,
                _ => false,
            });
            if foreign {
                continue;
            }
            self.reached.insert(plan.name.clone());
            for note in &plan.notes {
                let _ = writeln!(cases, "        /* {}: {note} */", plan.name);
            }
            let session = Session { key, handle: owner.as_deref() };
            let body = self.body(plan, None, Some(&session), "            ");
            let _ = write!(cases, "        case {count}: {{\n{body}            break;\n        }}\n");
            count += 1;
        }
        let of = owner.as_ref().map_or(String::new(), |owner| format!(", {owner} *of"));
        format!(
            "/* A {key} is good until something is changed by another way. */\nstatic void use_{name}({key} *it{of})\n{{\n    while (__VERIFIER_nondet_bool()) {{\n        switch (__VERIFIER_nondet_uchar()) {{\n{cases}        }}\n    }}\n}}\n\n"
        )
    }

    /// The statements of one call.
    fn body(
        &mut self,
        plan: &'a Plan,
        first: Option<&Key>,
        session: Option<&Session<'_>>,
        pad: &str,
    ) -> String {
        let mut before = String::new();
        let mut after = String::new();
        let mut late = String::new();
        let mut args: Vec<String> = vec![String::new(); plan.roles.len()];
        // What was taken out of lists has to go back if the call cannot be made.
        let mut taken: Vec<String> = Vec::new();
        let exit = match (first, session) {
            (Some(_), _) | (None, Some(_)) => "break;",
            (None, None) => "return;",
        };
        let leave = |taken: &[String]| match taken.is_empty() {
            true => exit.to_owned(),
            false => format!("{{ {} {exit} }}", taken.join(" ")),
        };
        let renewed = match plan.outcome {
            Outcome::Renewed(at) => Some(at),
            _ => None,
        };
        // First what leaves its list.
        for (at, role) in plan.roles.iter().enumerate() {
            let (key, null, ends) = match role {
                Role::Pick { key, family: Family::Handle | Family::Object | Family::Cell, null, ends }
                    if *ends != Ends::Never =>
                {
                    (key, *null, *ends)
                }
                Role::HandleAddress { key, .. } => (key, false, Ends::Sometimes),
                Role::CellAddress { key, ends: true } => (key, false, Ends::Always),
                _ => continue,
            };
            if session.is_some_and(|session| session.handle == Some(key.as_str())) {
                continue;
            }
            let name = ident(key);
            let family = self.inferred.families[key];
            let var = format!("c{at}");
            match first {
                Some(_) => {
                    let _ = writeln!(
                        before,
                        "{pad}struct client_{name} *{var} = all_{name};\n{pad}all_{name} = {var}->next;"
                    );
                }
                None => {
                    let chosen = if null {
                        format!("__VERIFIER_nondet_bool() ? NULL : take_{name}()")
                    } else {
                        format!("take_{name}()")
                    };
                    let _ = writeln!(before, "{pad}struct client_{name} *{var} = {chosen};");
                    if !null {
                        let _ = writeln!(before, "{pad}if ({var} == NULL)\n{pad}    {}", leave(&taken));
                    }
                }
            }
            taken.push(match null {
                true => format!("if ({var} != NULL) back_{name}({var});"),
                false => format!("back_{name}({var});"),
            });
            match (role, family) {
                (Role::HandleAddress { ends, .. }, _) => {
                    args[at] = format!("&{var}->it");
                    let _ = match ends {
                        true => writeln!(after, "{pad}free({var});"),
                        false => writeln!(
                            after,
                            "{pad}if ({var}->it != NULL)\n{pad}    back_{name}({var});\n{pad}else\n{pad}    free({var});"
                        ),
                    };
                }
                (Role::CellAddress { .. }, _) => {
                    args[at] = format!("&{var}->it");
                    let _ = writeln!(after, "{pad}free({var});");
                }
                (_, Family::Object) => {
                    args[at] = if null {
                        format!("{var} == NULL ? NULL : &{var}->it")
                    } else {
                        format!("&{var}->it")
                    };
                    let _ = writeln!(after, "{pad}free({var});");
                }
                _ if ends == Ends::Always && renewed.is_none() => {
                    let value =
                        if null { format!("{var} == NULL ? NULL : {var}->it") } else { format!("{var}->it") };
                    let _ = writeln!(late, "{pad}{key} *p{at} = {value};\n{pad}free({var});");
                    args[at] = format!("p{at}");
                }
                _ => {
                    let value =
                        if null { format!("{var} == NULL ? NULL : {var}->it") } else { format!("{var}->it") };
                    let _ = writeln!(late, "{pad}{key} *p{at} = {value};");
                    args[at] = format!("p{at}");
                    let back = format!("back_{name}({var});");
                    let guard = if null { format!("{var} != NULL && ") } else { String::new() };
                    if renewed == Some(at) {
                        let lost = if null {
                            format!("if ({var} != NULL)\n{pad}        free({var});")
                        } else {
                            format!("free({var});")
                        };
                        let kept = if null {
                            format!(
                                "if ({var} == NULL) {{\n{pad}        {var} = malloc(sizeof *{var});\n{pad}        __VERIFIER_assume({var} != NULL);\n{pad}    }}\n{pad}    "
                            )
                        } else {
                            String::new()
                        };
                        let _ = writeln!(
                            after,
                            "{pad}if (r != NULL) {{\n{pad}    {kept}{var}->it = r;\n{pad}    {back}\n{pad}}} else if ({guard}__heapproof_is_live(p{at})) {{\n{pad}    {back}\n{pad}}} else {{\n{pad}    {lost}\n{pad}}}"
                        );
                    } else {
                        let _ = writeln!(
                            after,
                            "{pad}if ({guard}__heapproof_is_live(p{at}))\n{pad}    {back}\n{pad}else\n{pad}    free({var});"
                        );
                    }
                }
            }
        }
        // Then what stays.
        for (at, role) in plan.roles.iter().enumerate() {
            match role {
                Role::Pick { key, family: Family::Cursor | Family::Lent, .. }
                    if session.is_some_and(|s| s.key == key) =>
                {
                    args[at] = "it".to_owned();
                }
                Role::Pick { key, .. } if session.is_some_and(|s| s.handle == Some(key.as_str())) => {
                    args[at] = "of".to_owned();
                }
                Role::Pick { key, family, null, ends: Ends::Never } => {
                    let name = ident(key);
                    let var = format!("c{at}");
                    let chosen = if *null {
                        format!("__VERIFIER_nondet_bool() ? NULL : some_{name}()")
                    } else {
                        format!("some_{name}()")
                    };
                    let _ = writeln!(before, "{pad}struct client_{name} *{var} = {chosen};");
                    if !null {
                        let _ = writeln!(before, "{pad}if ({var} == NULL)\n{pad}    {}", leave(&taken));
                    }
                    if *family == Family::Cell && !null {
                        // An empty list is a null pointer.
                        let leave = leave(&taken);
                        let _ = writeln!(before, "{pad}if ({var}->it == NULL)\n{pad}    {leave}");
                    }
                    let inner =
                        if *family == Family::Object { format!("&{var}->it") } else { format!("{var}->it") };
                    args[at] = if *null { format!("{var} == NULL ? NULL : {inner}") } else { inner };
                }
                Role::CellAddress { key, ends: false } => {
                    let name = ident(key);
                    let _ = writeln!(
                        before,
                        "{pad}struct client_{name} *c{at} = some_{name}();\n{pad}if (c{at} == NULL)\n{pad}    {}",
                        leave(&taken)
                    );
                    args[at] = format!("&c{at}->it");
                }
                _ => {}
            }
        }
        let mut open_session = None;
        for (at, role) in plan.roles.iter().enumerate() {
            match role {
                Role::New { key } if self.inferred.families[key] == Family::Cursor => {
                    let _ = writeln!(late, "{pad}{key} cursor;");
                    args[at] = "&cursor".to_owned();
                    open_session = Some((key.clone(), "&cursor".to_owned()));
                }
                Role::New { key } => {
                    let name = ident(key);
                    let _ = writeln!(
                        late,
                        "{pad}struct client_{name} *n{at} = malloc(sizeof *n{at});\n{pad}__VERIFIER_assume(n{at} != NULL);"
                    );
                    args[at] = format!("&n{at}->it");
                    let test = match plan.success {
                        Some(Success::Zero) => Some("r == 0"),
                        Some(Success::NotZero) => Some("r != 0"),
                        None => None,
                    };
                    let _ = match test {
                        Some(test) => writeln!(
                            after,
                            "{pad}if ({test})\n{pad}    back_{name}(n{at});\n{pad}else\n{pad}    free(n{at});"
                        ),
                        None => writeln!(after, "{pad}back_{name}(n{at});"),
                    };
                }
                Role::NewHandle { key } => {
                    let name = ident(key);
                    let _ = writeln!(
                        late,
                        "{pad}{key} *h{at} = NULL;\n{pad}struct client_{name} *n{at} = malloc(sizeof *n{at});\n{pad}__VERIFIER_assume(n{at} != NULL);"
                    );
                    args[at] = format!("&h{at}");
                    let test = match plan.success {
                        Some(Success::Zero) => "r == 0 && ",
                        Some(Success::NotZero) => "r != 0 && ",
                        None => "",
                    };
                    let _ = writeln!(
                        after,
                        "{pad}if ({test}h{at} != NULL) {{\n{pad}    n{at}->it = h{at};\n{pad}    back_{name}(n{at});\n{pad}}} else {{\n{pad}    free(n{at});\n{pad}}}"
                    );
                }
                Role::Text { null, kept } => {
                    self.helpers.insert(STRING);
                    let chosen = if *null {
                        "__VERIFIER_nondet_bool() ? NULL : client_string()"
                    } else {
                        "client_string()"
                    };
                    let _ = writeln!(late, "{pad}char *s{at} = {chosen};");
                    args[at] = format!("s{at}");
                    if *kept {
                        self.helpers.insert(KEEP);
                        let _ = writeln!(late, "{pad}client_keep(s{at});");
                    } else {
                        let _ = writeln!(after, "{pad}free(s{at});");
                    }
                }
                Role::Buffer { element } => {
                    self.helpers.insert(BUFFER);
                    let size = match element {
                        Some(ty) => format!("sizeof({})", self.spell.declare(*ty, "")),
                        None => "1".to_owned(),
                    };
                    let length = self.nondet(plan.params[at + 1]);
                    let of = self.spell.declare(plan.params[at + 1], &format!("n{at}"));
                    let _ = writeln!(
                        late,
                        "{pad}{of} = {length};\n{pad}void *b{at} = client_buffer(n{at}, {size});"
                    );
                    args[at] = format!("b{at}");
                    args[at + 1] = format!("n{at}");
                    let _ = writeln!(after, "{pad}free(b{at});");
                }
                Role::Length => {}
                Role::Out { of, null, owned } => {
                    let of = unqualified(self.program, *of);
                    let line = self.spell.declare(of, &format!("o{at}"));
                    if *owned {
                        let _ = writeln!(late, "{pad}{line} = NULL;");
                        let _ = writeln!(after, "{pad}free((void *)o{at});");
                    } else {
                        let _ = writeln!(late, "{pad}{line};");
                    }
                    args[at] = if *null {
                        format!("__VERIFIER_nondet_bool() ? NULL : &o{at}")
                    } else {
                        format!("&o{at}")
                    };
                }
                Role::Function { callback, null } => {
                    let name = self.callback(plan.params[at], *callback);
                    args[at] = if *null { format!("__VERIFIER_nondet_bool() ? NULL : {name}") } else { name };
                }
                Role::Data => {
                    self.helpers.insert(DATA);
                    args[at] = "client_data()".to_owned();
                }
                Role::Value => args[at] = self.nondet(plan.params[at]),
                _ => {}
            }
        }
        // What is done with the result.
        let mut call = format!("{}({})", plan.name, args.join(", "));
        let needs_result = !after.is_empty() && (after.contains("(r ") || after.contains("r != NULL"));
        match &plan.outcome {
            Outcome::Handle(key) => {
                let name = ident(key);
                let _ = writeln!(
                    late,
                    "{pad}struct client_{name} *n = malloc(sizeof *n);\n{pad}__VERIFIER_assume(n != NULL);"
                );
                call = format!("{key} *r = {call}");
                let _ = writeln!(
                    after,
                    "{pad}if (r != NULL) {{\n{pad}    n->it = r;\n{pad}    back_{name}(n);\n{pad}}} else {{\n{pad}    free(n);\n{pad}}}"
                );
            }
            Outcome::Block => {
                call = format!("void *r = (void *){call}");
                let _ = writeln!(after, "{pad}free(r);");
            }
            Outcome::Lent(key) if session.is_some_and(|s| s.key == key.as_str()) => {
                call = format!("it = ({key} *){call}");
                let _ = writeln!(after, "{pad}if (it == NULL)\n{pad}    return;");
            }
            Outcome::Lent(key) if session.is_none() => {
                call = format!("{key} *r = ({key} *){call}");
                open_session = Some((key.clone(), "r".to_owned()));
            }
            Outcome::Renewed(at) => {
                if let Some(Role::Pick { key, .. }) = plan.roles.get(*at) {
                    call = format!("{key} *r = {call}");
                }
            }
            Outcome::Nothing if pointee(&self.program.types, plan.result).is_some() && session.is_none() => {
                // The client holds what it is lent until the end of the call.
                let line = self.spell.declare(unqualified(self.program, plan.result), "r");
                call = format!("{line} = {call}");
                let _ = writeln!(after, "{pad}(void)r;");
            }
            _ if needs_result => {
                let line = self.spell.declare(unqualified(self.program, plan.result), "r");
                call = format!("{line} = {call}");
            }
            _ => {}
        }
        if let (Some((key, var)), None) = (open_session, session) {
            let owner = self.owner(&key);
            let at = plan
                .roles
                .iter()
                .position(|role| matches!(role, Role::Pick { key: of, .. } if Some(of) == owner.as_ref()));
            let of = at.map_or(String::new(), |at| format!(", {}", args[at]));
            let guard = if var == "r" { format!("{pad}if (r != NULL)\n    ") } else { String::new() };
            if owner.is_some() == at.is_some() {
                let _ = writeln!(after, "{guard}{pad}use_{}({var}{of});", ident(&key));
            } else {
                self.limited.insert(key);
            }
        }
        // A call that changes what a session rests on ends it.
        if let Some(session) = session {
            let changes = plan.roles.iter().enumerate().any(|(at, role)| match role {
                Role::Pick { key, ends, .. } if key == session.key => *ends != Ends::Never,
                Role::Pick { .. } => !is_const_pointer(self.program, plan.params[at]),
                _ => false,
            });
            if changes {
                let _ = writeln!(after, "{pad}return;");
            }
        }
        format!("{before}{late}{pad}{call};\n{after}")
    }

    /// Any value of a type.
    fn nondet(&mut self, ty: TypeId) -> String {
        let types = &self.program.types;
        let name = match &types[strip(types, ty)] {
            CType::Int { name, .. } if name == "_Bool" || name == "bool" => "bool",
            CType::Int { size: 1, signed: true, .. } => "char",
            CType::Int { size: 1, .. } => "uchar",
            CType::Int { size: 2, signed: true, .. } => "short",
            CType::Int { size: 2, .. } => "ushort",
            CType::Int { size: 4, signed: true, .. } | CType::Enum { .. } => "int",
            CType::Int { size: 4, .. } => "uint",
            CType::Int { signed: true, name, .. } if name.contains("long long") => "longlong",
            CType::Int { signed: true, .. } => "long",
            CType::Int { name, .. } if name.contains("long long") => "ulonglong",
            CType::Float { size: 4, .. } => "float",
            CType::Float { .. } => "double",
            _ => "ulong",
        };
        format!("__VERIFIER_nondet_{name}()")
    }

    /// A function for a parameter, defined once for each type.
    fn callback(&mut self, ty: TypeId, callback: Callback) -> String {
        let types = &self.program.types;
        let target = pointee(types, ty).map(|to| strip(types, to));
        let Some(CType::Function { result, params, .. }) = target.map(|target| &types[target]) else {
            return "NULL".to_owned();
        };
        let (result, params) = (*result, params.clone());
        let shown: Vec<String> =
            params.iter().enumerate().map(|(at, ty)| self.spell.declare(*ty, &format!("a{at}"))).collect();
        let what = match callback {
            Callback::Compare => "compare",
            Callback::Destroy => "destroy",
            Callback::Visit => "visit",
        };
        let signature = format!("{}|{}|{what}", self.spell.declare(result, ""), shown.join(", "));
        let count = self.callbacks.len();
        let name = match self.callbacks.keys().position(|known| *known == signature) {
            Some(_) => self.callbacks[&signature]
                .split('(')
                .next()
                .and_then(|head| head.rsplit([' ', '*']).next())
                .unwrap_or_default()
                .to_owned(),
            None => format!("client_{what}{count}"),
        };
        if self.callbacks.contains_key(&signature) {
            return name;
        }
        let parameters = if shown.is_empty() { "void".to_owned() } else { shown.join(", ") };
        let head = self.spell.declare(result, &format!("{name}({parameters})"));
        let is_void = matches!(types[strip(types, result)], CType::Void);
        let body = match callback {
            Callback::Destroy => self.destroy(&params),
            _ if is_void => String::new(),
            Callback::Compare if self.consistent => compare(self.program, &params),
            _ => {
                let value = self.nondet(result);
                format!("    return {value};\n")
            }
        };
        let unused: String = (0..params.len()).map(|at| format!("    (void)a{at};\n")).collect();
        self.callbacks.insert(signature, format!("static {head}\n{{\n{unused}{body}}}\n\n"));
        name
    }

    /// A function that frees its last argument, if it is the client's, or does nothing.
    fn destroy(&mut self, params: &[TypeId]) -> String {
        let Some(last) = params.len().checked_sub(1) else { return String::new() };
        let types = &self.program.types;
        let to = pointee(types, params[last]).map(|to| strip(types, to));
        match to.map(|to| &types[to]) {
            Some(CType::Void) => {
                self.helpers.insert(DATA);
                format!(
                    "    if (client_watched != NULL && a{last} == (void *)client_watched && __VERIFIER_nondet_bool())\n        free(client_watched);\n"
                )
            }
            Some(CType::Struct { name: Some(tag), .. }) => {
                let key = format!("struct {tag}");
                let is_object = self.inferred.families.get(&key) == Some(&Family::Object);
                let is_used = self.plans.iter().any(|plan| {
                    plan.roles.iter().any(|role| matches!(role, Role::New { key: of } if *of == key))
                });
                if !is_object || !is_used {
                    return String::new();
                }
                format!(
                    "    if (__VERIFIER_nondet_bool())\n        return;\n    for (struct client_{tag} **link = &all_{tag}; *link != NULL; link = &(*link)->next)\n        if (&(*link)->it == a{last}) {{\n            struct client_{tag} *c = *link;\n            *link = c->next;\n            free(c);\n            return;\n        }}\n"
                )
            }
            _ => String::new(),
        }
    }
}

fn uses(plan: &Plan, key: &str) -> bool {
    plan.roles.iter().any(
        |role| matches!(role, Role::Pick { key: of, family: Family::Cursor | Family::Lent, .. } if of == key),
    )
}

fn unqualified(program: &Program, mut ty: TypeId) -> TypeId {
    while let CType::Qualified { of, .. } = &program.types[ty] {
        ty = *of;
    }
    ty
}

/// A consistent comparison of the first two arguments.
fn compare(program: &Program, params: &[TypeId]) -> String {
    let types = &program.types;
    match params.first().map(|ty| &types[strip(types, *ty)]) {
        Some(CType::Int { .. } | CType::Float { .. } | CType::Enum { .. }) => "    return (a0 > a1) - (a0 < a1);\n".to_owned(),
        Some(CType::Pointer { to }) if matches!(types[strip(types, *to)], CType::Int { size: 1, .. }) => {
            "    while (*a0 != 0 && *a0 == *a1) {\n        a0++;\n        a1++;\n    }\n    return (*a0 > *a1) - (*a0 < *a1);\n".to_owned()
        }
        _ => "    return 0;\n".to_owned(),
    }
}

/// The list of what the client holds of a structure.
fn list(key: &str, family: Family) -> String {
    let name = ident(key);
    let member = match family {
        Family::Object => format!("{key} it;"),
        _ => format!("{key} *it;"),
    };
    let mut text = format!(
        "struct client_{name} {{\n    struct client_{name} *next;\n    {member}\n}};\nstatic struct client_{name} *all_{name};\n\n\
         /* any of them, NULL if there is none */\nstatic inline struct client_{name} *some_{name}(void)\n{{\n    struct client_{name} *c = all_{name};\n    while (c != NULL && c->next != NULL && __VERIFIER_nondet_bool())\n        c = c->next;\n    return c;\n}}\n\n\
         /* any of them leaves the list */\nstatic inline struct client_{name} *take_{name}(void)\n{{\n    struct client_{name} **link = &all_{name};\n    while (*link != NULL && (*link)->next != NULL && __VERIFIER_nondet_bool())\n        link = &(*link)->next;\n    struct client_{name} *c = *link;\n    if (c != NULL)\n        *link = c->next;\n    return c;\n}}\n\n\
         static inline void back_{name}(struct client_{name} *c)\n{{\n    c->next = all_{name};\n    all_{name} = c;\n}}\n\n"
    );
    if family == Family::Cell {
        let _ = write!(
            text,
            "/* a new variable of the client */\nstatic void new_{name}(void)\n{{\n    struct client_{name} *c = malloc(sizeof *c);\n    __VERIFIER_assume(c != NULL);\n    c->it = NULL;\n    back_{name}(c);\n}}\n\n"
        );
    }
    text
}

const PRELUDE: &str = "
/* Any value, of each type; an execution in which something assumed does not hold does not count. */
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned long long __VERIFIER_nondet_ulonglong(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
/* True if the block that p points to was not freed. */
extern _Bool __heapproof_is_live(const void *p);
";

const STRING: &str = "/* a string of any length with any characters */
static char *client_string(void)
{
    unsigned long n = __VERIFIER_nondet_ulong();
    __VERIFIER_assume(n < (unsigned long)-1 / 4);
    char *s = malloc(n + 1);
    __VERIFIER_assume(s != NULL);
    s[n] = '\\0';
    return s;
}

";

const BUFFER: &str = "/* a block of n elements with any content */
static void *client_buffer(unsigned long n, unsigned long size)
{
    __VERIFIER_assume(n < (unsigned long)-1 / 4 / size);
    void *b = malloc(n * size);
    __VERIFIER_assume(b != NULL);
    return b;
}

";

const KEEP: &str = "/* what the library may keep stays as long as the program runs */
struct client_kept {
    struct client_kept *next;
    void *block;
};
static struct client_kept *client_kept;
static void client_keep(void *block)
{
    struct client_kept *k = malloc(sizeof *k);
    __VERIFIER_assume(k != NULL);
    k->block = block;
    k->next = client_kept;
    client_kept = k;
}

";

const DATA: &str = "/* A pointer for the library to store: NULL, an object, or once in a while the one block that is watched. The
   library gets that block once; a callback that destroys may free it, and must not get it again. */
static char client_object[2];
static char *client_watched;
static void *client_data(void)
{
    if (__VERIFIER_nondet_bool())
        return NULL;
    if (client_watched == NULL && __VERIFIER_nondet_bool()) {
        client_watched = malloc(1);
        __VERIFIER_assume(client_watched != NULL);
        return client_watched;
    }
    return __VERIFIER_nondet_bool() ? &client_object[0] : &client_object[1];
}

";
