//! Which annotation belongs to which function, loop and instruction: by position in the source.

use crate::annotation::{
    Branches, Clause, Comment, Expr, ExprKind, Mistake, Position, Predicate, Statement, StatementKind,
    comments, parse_contract, parse_predicates, parse_statement,
};
use crate::code::{Code, Codes, source_name};
use crate::prototype::parameter_names;
use crate::typed::{LinkField, is_type, link_field, same_type};
use heapproof_ir::cfg::Cfg;
use heapproof_ir::dominators::Dominators;
use heapproof_ir::loops::{Loop, Loops};
use heapproof_ir::{BlockId, Body, CType, FileId, FuncId, InstKind, Operand, Program, Span, TypeId, ctype};
use std::collections::{BTreeMap, BTreeSet};

/// The contract of a function.
#[derive(Clone, Debug, Default)]
pub struct Contract {
    /// Its clauses.
    pub clauses: Vec<Clause>,
    /// The names of the parameters of a prototype.
    pub names: Vec<String>,
}

/// What is annotated of a function.
#[derive(Clone, Debug, Default)]
pub struct Annotated {
    /// Its contract, if it has one.
    pub contract: Option<Contract>,
    /// The file that it is annotated in.
    pub file: Option<String>,
    /// Invariants of loops, by the block at their head.
    pub invariants: BTreeMap<BlockId, Vec<Statement>>,
    /// Statements, by the instruction before which they stand.
    pub statements: BTreeMap<(BlockId, usize), Vec<Statement>>,
}

/// The annotations of a program.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// By function.
    pub functions: BTreeMap<FuncId, Annotated>,
    /// The link fields that contracts speak of.
    pub fields: Vec<LinkField>,
    /// Formulas with names.
    pub predicates: Vec<Predicate>,
    /// Mistakes, with the file that they are in.
    pub mistakes: Vec<(String, Mistake)>,
    /// The texts of the files.
    pub codes: Codes,
}

/// The loops of a body.
pub fn loops(body: &Body) -> Loops {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    Loops::new(&cfg, &dominators)
}

impl Annotations {
    /// Reads the annotations of a program from its files, given by name and text.
    pub fn read(program: &Program, sources: &[(&str, &str)]) -> Annotations {
        let mut all = Annotations::default();
        for (name, text) in sources {
            let file = program.files.iter().find(|(_, known)| known.as_str() == *name).map(|(id, _)| id);
            let Some(file) = file else { continue };
            all.codes.add(file, text);
            let branches = Branches::new(text);
            let compiled = compiled(program, file);
            for comment in comments(text) {
                if !branches.is_active(comment.start.line, compiled.iter().copied()) {
                    let message = "this annotation stands in a part that may not be compiled";
                    let mistake = Mistake::new(comment.start, message)
                        .with("put it where its function is, not into another branch of `#if`");
                    all.mistakes.push(((*name).to_owned(), mistake));
                    continue;
                }
                if let Err(mistake) = all.add(program, file, text, &comment) {
                    all.mistakes.push(((*name).to_owned(), mistake));
                }
            }
        }
        all
    }

    /// True if there is any contract.
    pub fn has_contracts(&self) -> bool {
        self.functions.values().any(|function| function.contract.is_some())
    }

    /// Adds what the user requires of a function besides its contract (`--requires`).
    pub fn require(&mut self, program: &Program, name: &str, formulas: &[String]) {
        for formula in formulas {
            if let Err(mistake) = self.require_one(program, name, formula) {
                self.mistakes.push((format!("--requires '{name}: {formula}'"), mistake));
            }
        }
    }

    fn require_one(&mut self, program: &Program, name: &str, formula: &str) -> Result<(), Mistake> {
        let start = Position { line: 1, column: 1 };
        let text = format!("requires {formula};");
        let comment = Comment { start, end_line: 1, text, is_block: true };
        let clauses = parse_contract(&comment, &|name| is_type(program, name))?;
        let func = program.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id);
        if let Some(func) = func {
            for clause in &clauses {
                self.note_fields(program, program.functions[func].span.file, &clause.expr)?;
            }
        }
        let contract = func.and_then(|func| self.functions.get_mut(&func)?.contract.as_mut());
        let Some(contract) = contract else {
            return Err(Mistake::new(start, format!("there is no function `{name}` with a contract"))
                .with("annotate the function, or name another one"));
        };
        contract.clauses.extend(clauses);
        Ok(())
    }

    fn add(&mut self, program: &Program, file: FileId, text: &str, comment: &Comment) -> Result<(), Mistake> {
        let is_type = |name: &str| is_type(program, name);
        let inside = function_around(program, file, comment.start.line);
        match (inside, comment.is_block) {
            (None, _) => {
                if let Some(predicates) = parse_predicates(comment, &is_type)? {
                    for mut predicate in predicates {
                        predicate.file = Some(file);
                        self.note_fields(program, file, &predicate.body)?;
                        if self.predicates.iter().any(|known| known.name == predicate.name) {
                            let message = format!("there are two predicates `{}`", predicate.name);
                            return Err(Mistake::new(predicate.at, message).with("choose another name"));
                        }
                        self.predicates.push(predicate);
                    }
                    return Ok(());
                }
                let clauses = parse_contract(comment, &is_type)?;
                let Some(func) = function_after(program, file, text, comment)? else { return Ok(()) };
                for clause in &clauses {
                    self.note_fields(program, file, &clause.expr)?;
                }
                let names = prototype_names(program, func, text, comment)?;
                let annotated = self.functions.entry(func).or_default();
                annotated.file = program.files.get(file).cloned();
                let contract = annotated.contract.get_or_insert_with(Contract::default);
                contract.clauses.extend(clauses);
                contract.names = names;
            }
            (Some(func), _) => {
                for statement in parse_statement(comment, &is_type)? {
                    self.note_fields(program, file, &statement.expr)?;
                    let body = program.functions[func].body.as_ref().expect("it has a body");
                    let annotated = self.functions.entry(func).or_default();
                    if statement.kind == StatementKind::LoopInvariant {
                        let header = loop_after(body, file, statement.at)?;
                        annotated.invariants.entry(header).or_default().push(statement);
                    } else {
                        let returns = !program.functions[func].results.is_empty();
                        let code = self.codes.of(file);
                        if code.is_some_and(|code| is_never_reached(code, statement.at, returns)) {
                            continue;
                        }
                        let place = statement_place(body, file, statement.at, code)?;
                        annotated.statements.entry(place).or_default().push(statement);
                    }
                }
            }
        }
        Ok(())
    }

    /// Keeps the link fields of an expression.
    fn note_fields(&mut self, program: &Program, file: FileId, expr: &Expr) -> Result<(), Mistake> {
        if let ExprKind::Block(_, field) | ExprKind::List(_, field) = &expr.kind {
            let (owner, offset) = link_field(program, Some(file), field)?;
            if !self.fields.iter().any(|known| (known.owner, known.offset) == (owner, offset)) {
                self.fields.push(LinkField { owner, offset, name: field.field.clone() });
            }
        }
        expr.children().into_iter().try_for_each(|child| self.note_fields(program, file, child))
    }
}

/// Lines of a file that something of the program comes from.
fn compiled(program: &Program, file: FileId) -> BTreeSet<u32> {
    let bodies =
        program.functions.values().filter_map(|function| Some((function.span, function.body.as_ref()?)));
    bodies
        .flat_map(|(span, body)| spans(body).chain([span]))
        .filter(|span| span.file == file)
        .map(|span| span.line)
        .collect()
}

/// The lines of a function in a file: from its name to its last instruction.
fn lines_of(program: &Program, func: FuncId, file: FileId) -> Option<(u32, u32)> {
    let function = &program.functions[func];
    let body = function.body.as_ref()?;
    if function.span.file != file || !function.span.is_known() {
        return None;
    }
    let last = spans(body).filter(|span| span.file == file).map(|span| span.line).max().unwrap_or(0);
    Some((function.span.line, last.max(function.span.line)))
}

fn spans(body: &Body) -> impl Iterator<Item = Span> + '_ {
    body.blocks
        .values()
        .flat_map(|block| block.insts.iter().map(|inst| inst.span).chain([block.term_span]))
        .filter(|span| span.is_known())
}

fn function_around(program: &Program, file: FileId, line: u32) -> Option<FuncId> {
    program.functions.keys().find(|func| {
        lines_of(program, *func, file).is_some_and(|(first, last)| first <= line && line <= last)
    })
}

/// The line where a function begins in a file: its definition, or its prototype if there is none.
fn line_in(program: &Program, func: FuncId, file: FileId) -> Option<u32> {
    let function = &program.functions[func];
    match function.body {
        Some(_) => lines_of(program, func, file).map(|(first, _)| first),
        None => (function.span.file == file && function.span.is_known()).then_some(function.span.line),
    }
}

/// The function that a contract stands directly before; none if it is a prototype of a function that nobody calls.
fn function_after(
    program: &Program,
    file: FileId,
    text: &str,
    comment: &Comment,
) -> Result<Option<FuncId>, Mistake> {
    let next = program
        .functions
        .keys()
        .filter_map(|func| Some((line_in(program, func, file)?, func)))
        .filter(|(line, _)| *line >= comment.end_line)
        .min();
    let nothing = || {
        Mistake::new(comment.start, "no function follows this contract").with(
            "a contract stands directly before a function, where it is defined or else where it is declared",
        )
    };
    let after = after_comment(text, comment);
    let head = &after[..after.find([';', '{', '}']).unwrap_or(after.len())];
    if let Some((line, func)) = next
        && (line - comment.end_line) as usize <= head.matches('\n').count()
    {
        return Ok(Some(func));
    }
    // What looks like a prototype is one of a function that this program does not call, or that is defined elsewhere.
    let name = head.split('(').next().unwrap_or_default().trim_end();
    let name = &name[name.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_').map_or(0, |at| at + 1)..];
    let is_prototype = head.contains('(')
        && !head.contains("(*")
        && !head.contains('=')
        && !name.is_empty()
        && !is_type(program, name)
        && after[head.len()..].starts_with(';');
    let is_defined = program.functions.values().any(|known| known.name == name && known.body.is_some());
    match (is_prototype, is_defined) {
        (true, true) => Err(Mistake::new(comment.start, format!("`{name}` is defined in this program"))
            .with("put the contract directly before its definition")),
        (true, false) => Ok(None),
        (false, _) => Err(nothing()),
    }
}

/// The text after a comment.
fn after_comment<'a>(text: &'a str, comment: &Comment) -> &'a str {
    let from: usize = text.split_inclusive('\n').take(comment.end_line as usize - 1).map(str::len).sum();
    let rest = &text[from.min(text.len())..];
    let end = if comment.is_block { rest.find("*/").map(|at| at + 2) } else { rest.find('\n') };
    &rest[end.unwrap_or(0)..]
}

/// The names of the parameters of a function without a body.
fn prototype_names(
    program: &Program,
    func: FuncId,
    text: &str,
    comment: &Comment,
) -> Result<Vec<String>, Mistake> {
    let function = &program.functions[func];
    let names =
        parameter_names(after_comment(text, comment), source_name(&function.name)).unwrap_or_default();
    if function.body.is_some() {
        return Ok(names);
    }
    let count = match function.ctype.map(|ty| &program.types[ctype::strip(&program.types, ty)]) {
        Some(CType::Function { params, .. }) => params.len(),
        _ => 0,
    };
    if names.len() != count {
        let message = format!("the parameters of `{}` cannot be read here", function.name);
        return Err(Mistake::new(comment.start, message).with("declare it as `T NAME(T x, T y);`"));
    }
    Ok(names)
}

/// The first line of a loop.
pub fn first_line(body: &Body, file: FileId, this: &Loop) -> Option<u32> {
    this.blocks
        .iter()
        .flat_map(|block| {
            let block = &body.blocks[*block];
            block.insts.iter().map(|inst| inst.span).chain([block.term_span])
        })
        .filter(|span| span.is_known() && span.file == file)
        .map(|span| span.line)
        .min()
}

fn loop_after(body: &Body, file: FileId, at: Position) -> Result<BlockId, Mistake> {
    let loops = loops(body);
    let next = loops
        .iter()
        .filter_map(|(_, this)| Some((first_line(body, file, this)?, this.header)))
        .filter(|(line, _)| *line > at.line)
        .min();
    match next {
        Some((_, header)) => Ok(header),
        None => {
            Err(Mistake::new(at, "no loop follows this invariant").with("it stands directly before a loop"))
        }
    }
}

/// The instruction before which a statement stands: between two lines of one block.
fn statement_place(
    body: &Body,
    file: FileId,
    at: Position,
    code: Option<&Code>,
) -> Result<(BlockId, usize), Mistake> {
    let mut places = Vec::new();
    for (id, block) in body.blocks.iter() {
        let mut before = None;
        let spans = block.insts.iter().map(|inst| inst.span).chain([block.term_span]);
        for (index, span) in spans.enumerate() {
            if !span.is_known() || span.file != file {
                continue;
            }
            if before.is_some_and(|line| line < at.line) && span.line > at.line {
                places.push((id, index));
            }
            before = Some(span.line);
        }
    }
    if places.is_empty() {
        places.extend(code.and_then(|code| block_after(body, file, at, code)));
    }
    match places.as_slice() {
        [place] => Ok(*place),
        _ => Err(Mistake::new(at, "it is not clear when this happens")
            .with("put it on a line of its own between two statements that follow each other")),
    }
}

/// True for a statement that control does not come to: the one before it jumps away, or the function ends without the result that
/// it has to return.
fn is_never_reached(code: &Code, at: Position, returns: bool) -> bool {
    code.follows_jump(at) || (returns && code.ends_function(at))
}

/// The block that begins with the statement after a line, if that is clear: nothing ends in between, and it is no loop.
fn block_after(body: &Body, file: FileId, at: Position, code: &Code) -> Option<(BlockId, usize)> {
    let lines = |span: &Span| span.is_known() && span.file == file && span.line > at.line;
    let next = spans(body).filter(lines).map(|span| span.line).min()?;
    let column =
        spans(body).filter(|span| span.file == file && span.line == next).map(|span| span.column).min()?;
    // A block ends, or control comes from elsewhere, too.
    let between = code.between(at, Position { line: next, column: column.max(1) });
    if between.contains(['{', '}', ':']) {
        return None;
    }
    let mut starts = body.blocks.iter().filter(|(_, block)| {
        let mut all = block.insts.iter().map(|inst| inst.span).chain([block.term_span]);
        all.find(|span| span.is_known()).is_some_and(|span| span.file == file && span.line == next)
    });
    let (Some((id, _)), None) = (starts.next(), starts.next()) else { return None };
    let is_head = loops(body).iter().any(|(_, this)| this.header == id);
    (!is_head).then_some((id, 0))
}

/// The names and types of parameters, by the variables that they are put into at the entry.
pub fn parameters(body: &Body) -> Vec<Option<(String, Option<TypeId>)>> {
    let entry = &body.blocks[Body::ENTRY];
    let of = |param: heapproof_ir::Reg| {
        if let Some(variable) = &body.regs[param].variable {
            return Some((variable.name.clone(), variable.ctype));
        }
        entry
            .insts
            .iter()
            .find_map(|inst| match &inst.kind {
                InstKind::Copy { dst, src: Operand::Reg(source) }
                | InstKind::Cast { dst, a: Operand::Reg(source), .. }
                    if *source == param =>
                {
                    body.regs[*dst].variable.as_ref()
                }
                InstKind::Store { value: Operand::Reg(source), ptr: Operand::Local(local), .. }
                    if *source == param =>
                {
                    body.locals[*local].variable.as_ref()
                }
                _ => None,
            })
            .map(|variable| (variable.name.clone(), variable.ctype))
    };
    body.params.iter().map(|param| of(*param)).collect()
}

/// The place in a structure that an address names: `p->f` and `s.f`, not `*pp`.
pub fn place_of(program: &Program, body: &Body, operand: &Operand) -> Option<(TypeId, i128)> {
    match operand {
        Operand::Global(id) => program.globals[*id].ctype.map(|ty| (ty, 0)),
        Operand::Local(local) => body.locals[*local].variable.as_ref()?.ctype.map(|ty| (ty, 0)),
        Operand::Reg(reg) if body.regs[*reg].variable.is_none() => {
            let insts = body.blocks.values().flat_map(|block| &block.insts);
            let mut defs = insts.filter(|inst| inst.kind.defs().contains(reg));
            let (Some(def), None) = (defs.next(), defs.next()) else { return None };
            match &def.kind {
                InstKind::PtrAdd { within: Some(ty), offset, .. } => Some((*ty, i128::from(*offset))),
                InstKind::PtrAdd { base, offset, index: None, .. } => {
                    place_of(program, body, base).map(|(ty, at)| (ty, at + i128::from(*offset)))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// True if an offset in a type is that of a link field.
pub fn names_field(program: &Program, ty: TypeId, at: i128, owner: TypeId, offset: i128) -> bool {
    let ty = ctype::strip(&program.types, ty);
    if same_type(program, ty, owner) {
        return at == offset;
    }
    if let Some(element) = ctype::element(&program.types, ty) {
        let size = ctype::size_of(&program.types, element, program.target.pointer_bytes()).unwrap_or(0);
        return size > 0 && names_field(program, element, at.rem_euclid(size.into()), owner, offset);
    }
    ctype::members(&program.types, ty).iter().any(|member| {
        let start = i128::from(member.bit_offset / 8);
        let size = ctype::size_of(&program.types, member.ty, program.target.pointer_bytes()).unwrap_or(0);
        at >= start
            && at < start + i128::from(size)
            && names_field(program, member.ty, at - start, owner, offset)
    })
}
