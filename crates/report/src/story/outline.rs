//! Which statement a branch belongs to, and which way it went, found in the text of the file.
//!
//! The text is not parsed: brackets and keywords around the place of the branch are enough. Where they are not, as inside of
//! macros that hold statements, nothing is claimed.

use super::tokens::Tokens;
use heapproof_verdict::{Fork, Place};
use std::ops::Range;

/// The longest quote from the source.
const LONGEST: usize = 60;

/// Statements deeper inside of others without braces are not looked at.
const DEEPEST: usize = 100;

/// What a branch says to the reader of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// The condition of a statement went one way; with the part of it that decided, if that is known.
    If { head: String, holds: bool, because: Option<(String, bool)> },
    /// A loop goes round, or ends.
    Loop { head: String, again: bool },
    /// A `switch` goes to a label; none if no case matches.
    Switch { head: String, label: Option<String> },
    /// An operand of `?:`, `&&` or `||` has this truth.
    Operand { text: String, holds: bool },
    /// `assert(…)` holds.
    Assert { text: String },
    /// A part of a condition, which is told when all of it is decided.
    Part,
}

/// A statement with a condition.
struct Statement {
    kind: Kind,
    /// The keyword and what stands in parentheses.
    head: Range<usize>,
    /// What is evaluated to decide; of a `for` only the middle part.
    condition: Range<usize>,
    /// The statement that the condition guards.
    body: Range<usize>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    If,
    While,
    For,
    Do,
    Switch,
}

/// Where a place lies, seen from a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Holds,
    Fails,
    Inside,
}

/// What the branch at a place says; none if the text does not tell.
pub fn tell(tokens: &Tokens, at: Place, fork: &Fork) -> Option<Told> {
    let branch = tokens.at(at)?;
    if let Some(statement) = do_without_braces(tokens, branch, fork).or_else(|| statement(tokens, branch)) {
        return tell_statement(tokens, branch, &statement, fork);
    }
    assertion(tokens, branch, fork).or_else(|| operand(tokens, branch, fork))
}

/// The `do` loop around a single statement: its branch stands at the start of that statement. One way leads back there, the
/// other one out; a branch of the statement itself stays inside.
fn do_without_braces(tokens: &Tokens, branch: usize, fork: &Fork) -> Option<Statement> {
    if tokens.before(branch) != "do" || tokens.get(branch) == "{" {
        return None;
    }
    let found = do_loop(tokens, branch - 1)?;
    let leaves = |place: &Place| {
        let inside = |target: usize| found.body.contains(&target) || found.head.contains(&target);
        tokens.around(*place).is_some_and(|target| !inside(target))
    };
    fork.goes_on.iter().chain(&fork.instead).any(leaves).then_some(found)
}

fn tell_statement(tokens: &Tokens, branch: usize, statement: &Statement, fork: &Fork) -> Option<Told> {
    let head = shortened(&tokens.quote(statement.head.clone()));
    if statement.kind == Kind::Switch {
        let target = tokens.around(fork.goes_on?)?;
        let label = label(tokens, statement, target);
        return Some(Told::Switch { head, label });
    }
    let side = |place: Place| side(statement, branch, tokens.around(place)?);
    // Where one way does not say, the other does.
    let opposite = || match fork.instead.as_slice() {
        [other] => side(*other).and_then(|side| match side {
            Side::Holds => Some(Side::Fails),
            Side::Fails => Some(Side::Holds),
            Side::Inside => None,
        }),
        _ => None,
    };
    let holds = match fork.goes_on.and_then(side).or_else(opposite)? {
        Side::Inside => return Some(Told::Part),
        side => side == Side::Holds,
    };
    Some(match statement.kind {
        Kind::If => {
            let because = decisive(tokens, branch, statement);
            Told::If { head, holds, because }
        }
        _ => Told::Loop { head, again: holds },
    })
}

/// The statement whose condition holds a token.
fn statement(tokens: &Tokens, branch: usize) -> Option<Statement> {
    if let Some(found) = statement_of(tokens, branch) {
        return Some(found);
    }
    // The branch of a `do` loop stands at the end of its body.
    if matches!(tokens.get(branch), "}" | ";") && tokens.get(branch + 1) == "while" {
        return statement_of(tokens, branch + 1).filter(|found| found.kind == Kind::Do);
    }
    let mut here = branch;
    loop {
        here = enclosing(tokens, here)?;
        let keyword = here.checked_sub(1)?;
        if let Some(found) = statement_of(tokens, keyword) {
            return found.condition.contains(&branch).then_some(found);
        }
    }
}

/// The parenthesis or bracket around a token, within a statement.
fn enclosing(tokens: &Tokens, from: usize) -> Option<usize> {
    let mut here = from;
    loop {
        here = here.checked_sub(1)?;
        match tokens.get(here) {
            "(" | "[" => return Some(here),
            ")" | "]" => here = tokens.partner(here)?,
            "{" | "}" => return None,
            _ => {}
        }
    }
}

/// The statement that a keyword begins; that of a `do` loop also from its `while`.
fn statement_of(tokens: &Tokens, keyword: usize) -> Option<Statement> {
    let kind = match tokens.get(keyword) {
        "if" => Kind::If,
        "while" => Kind::While,
        "for" => Kind::For,
        "switch" => Kind::Switch,
        "do" => return do_loop(tokens, keyword),
        _ => return None,
    };
    if kind == Kind::While
        && let Some(start) = do_before(tokens, keyword)
    {
        return do_loop(tokens, start);
    }
    let open = keyword + 1;
    let close = if tokens.get(open) == "(" { tokens.partner(open)? } else { return None };
    let condition = match kind {
        Kind::For => middle(tokens, open, close)?,
        _ => open + 1..close,
    };
    let body = close + 1..statement_end(tokens, close + 1)?;
    Some(Statement { kind, head: keyword..close + 1, condition, body })
}

fn do_loop(tokens: &Tokens, start: usize) -> Option<Statement> {
    let end = statement_end(tokens, start + 1)?;
    let open = end + 1;
    if tokens.get(end) != "while" || tokens.get(open) != "(" {
        return None;
    }
    let close = tokens.partner(open)?;
    Some(Statement { kind: Kind::Do, head: end..close + 1, condition: open + 1..close, body: start + 1..end })
}

/// The `do` whose loop a `while` ends.
fn do_before(tokens: &Tokens, keyword: usize) -> Option<usize> {
    let end = keyword.checked_sub(1)?;
    let start = match tokens.get(end) {
        "}" => tokens.partner(end)?.checked_sub(1)?,
        ";" => {
            let mut here = end;
            loop {
                here = here.checked_sub(1)?;
                match tokens.get(here) {
                    "do" => break here,
                    ")" => here = tokens.partner(here)?,
                    ";" | "{" | "}" => return None,
                    _ => {}
                }
            }
        }
        _ => return None,
    };
    (tokens.get(start) == "do").then_some(start)
}

/// What stands between the semicolons of a `for`.
fn middle(tokens: &Tokens, open: usize, close: usize) -> Option<Range<usize>> {
    let mut semicolons = Vec::new();
    let mut here = open + 1;
    while here < close {
        match tokens.get(here) {
            "(" | "[" | "{" => here = tokens.partner(here)?,
            ";" => semicolons.push(here),
            _ => {}
        }
        here += 1;
    }
    match semicolons.as_slice() {
        [first, second] => Some(first + 1..*second),
        _ => None,
    }
}

/// The token after a statement.
fn statement_end(tokens: &Tokens, start: usize) -> Option<usize> {
    nested_end(tokens, start, 0)
}

/// The same, for a statement that stands without braces in this many others.
fn nested_end(tokens: &Tokens, start: usize, depth: usize) -> Option<usize> {
    if depth > DEEPEST {
        return None;
    }
    let mut here = start;
    loop {
        match tokens.get(here) {
            "" => return None,
            "{" => return Some(tokens.partner(here)? + 1),
            "if" | "while" | "for" | "switch" if tokens.get(here + 1) == "(" => {
                let is_if = tokens.get(here) == "if";
                let end = nested_end(tokens, tokens.partner(here + 1)? + 1, depth + 1)?;
                if !is_if || tokens.get(end) != "else" {
                    return Some(end);
                }
                here = end + 1;
            }
            "do" => {
                let end = nested_end(tokens, here + 1, depth + 1)?;
                let close = if tokens.get(end + 1) == "(" { tokens.partner(end + 1)? } else { return None };
                return Some(close + 2);
            }
            "case" | "default" => here = after_label(tokens, here)?,
            _ => return simple_end(tokens, here),
        }
    }
}

/// The token after a statement that ends in a semicolon.
fn simple_end(tokens: &Tokens, start: usize) -> Option<usize> {
    let mut here = start;
    loop {
        match tokens.get(here) {
            "" | "}" | ")" | "]" => return None,
            ";" => return Some(here + 1),
            "(" | "[" | "{" => here = tokens.partner(here)? + 1,
            _ => here += 1,
        }
    }
}

/// The token after the colon of a label.
fn after_label(tokens: &Tokens, start: usize) -> Option<usize> {
    let mut choices = 0;
    for here in start..tokens.len() {
        match tokens.get(here) {
            "?" => choices += 1,
            ":" if choices == 0 => return Some(here + 1),
            ":" => choices -= 1,
            ";" | "{" | "}" => return None,
            _ => {}
        }
    }
    None
}

/// Where a token lies, seen from the branch of a statement.
fn side(statement: &Statement, branch: usize, target: usize) -> Option<Side> {
    let in_head = statement.head.contains(&target);
    let in_body = statement.body.contains(&target);
    Some(match statement.kind {
        Kind::If if in_body => Side::Holds,
        Kind::If if in_head => Side::Inside,
        // What follows the end of the body is the condition, or what comes after the loop.
        Kind::Do if in_body => Side::Holds,
        Kind::Do if in_head => Side::Inside,
        Kind::While | Kind::For if in_body => Side::Holds,
        Kind::While | Kind::For if in_head => {
            // An empty body: the loop is where it began. Inside of the condition the next operand comes later.
            let part = statement.condition.contains(&branch) && target > branch;
            if part && statement.condition.contains(&target) { Side::Inside } else { Side::Holds }
        }
        Kind::Switch => return None,
        _ => Side::Fails,
    })
}

/// The label in a `switch` in front of a token.
fn label(tokens: &Tokens, statement: &Statement, target: usize) -> Option<String> {
    if !statement.body.contains(&target) {
        return None;
    }
    let mut found = None;
    let mut here = statement.body.start + 1;
    while here <= target {
        match tokens.get(here) {
            // A switch inside of this one has its own labels.
            "switch" => here = statement_of(tokens, here).map_or(here, |inner| inner.body.end - 1),
            "case" | "default" => {
                let end = after_label(tokens, here)?;
                found = Some(here..end);
                here = end - 1;
            }
            _ => {}
        }
        here += 1;
    }
    found.map(|range| shortened(&tokens.quote(range)))
}

/// The operand that decided a condition: where an `&&` ends it, the operand before is false, at an `||` it is true.
fn decisive(tokens: &Tokens, branch: usize, statement: &Statement) -> Option<(String, bool)> {
    let holds = match tokens.get(branch) {
        "&&" => false,
        "||" => true,
        _ => return None,
    };
    let start = left_operand(tokens, branch, statement.condition.start);
    Some((shortened(&tokens.quote(start..branch)), holds))
}

/// Where the operand before `&&` or `||` begins.
fn left_operand(tokens: &Tokens, operator: usize, first: usize) -> usize {
    let mut start = operator;
    while start > first {
        match tokens.before(start) {
            ")" | "]" => match tokens.partner(start - 1) {
                Some(open) => start = open,
                None => break,
            },
            "(" | "[" | "{" | "}" | "&&" | "||" | "?" | ":" | "," | ";" | "=" | "return" => break,
            _ => start -= 1,
        }
    }
    start
}

/// `assert(…)` that does not fail.
fn assertion(tokens: &Tokens, branch: usize, fork: &Fork) -> Option<Told> {
    if tokens.get(branch) != "assert" || tokens.get(branch + 1) != "(" {
        return None;
    }
    let close = tokens.partner(branch + 1)?;
    let target = tokens.around(fork.goes_on?)?;
    (target > close).then(|| Told::Assert { text: shortened(&tokens.quote(branch..close + 1)) })
}

/// An operand of `?:`, `&&` or `||` outside of the condition of a statement.
fn operand(tokens: &Tokens, branch: usize, fork: &Fork) -> Option<Told> {
    let (text, right, holds_on_the_right) = match tokens.get(branch) {
        mark @ ("&&" | "||") => {
            let end = expression_end(tokens, branch + 1)?;
            (left_operand(tokens, branch, 0)..branch, branch + 1..end, mark == "&&")
        }
        _ => {
            let question = question(tokens, branch)?;
            (branch..question, question + 1..after_label(tokens, question + 1)? - 1, true)
        }
    };
    let is_right = |place: &Place| tokens.around(*place).is_some_and(|target| right.contains(&target));
    let goes_right = fork.goes_on.as_ref().is_some_and(is_right);
    let other_right = fork.instead.iter().any(is_right);
    (goes_right != other_right).then(|| Told::Operand {
        text: shortened(&tokens.quote(text)),
        holds: goes_right == holds_on_the_right,
    })
}

/// The `?` after a condition that begins at a token.
fn question(tokens: &Tokens, start: usize) -> Option<usize> {
    let mut here = start;
    let mut called = false;
    loop {
        let token = tokens.get(here);
        match token {
            "?" => return (here > start).then_some(here),
            "" | ";" | "," | ")" | "]" | "{" | "}" | ":" | "=" => return None,
            "(" | "[" => {
                let named = here > start && is_word(tokens.before(here));
                here = tokens.partner(here)?;
                called = named;
            }
            // A call followed by a name is a macro with a statement, not a part of an expression.
            _ if called && is_word(token) => return None,
            _ => called = false,
        }
        here += 1;
    }
}

/// The token after an operand.
fn expression_end(tokens: &Tokens, start: usize) -> Option<usize> {
    let mut here = start;
    loop {
        match tokens.get(here) {
            "" | "{" | "}" => return None,
            "?" | ":" | ";" | "," | ")" | "]" => return Some(here),
            "(" | "[" => here = tokens.partner(here)? + 1,
            _ => here += 1,
        }
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// A quote that fits into a message: what is too long loses its middle.
fn shortened(text: &str) -> String {
    let length = text.chars().count();
    if length <= LONGEST {
        return text.to_owned();
    }
    let half = (LONGEST - 3) / 2;
    let start: String = text.chars().take(half).collect();
    let end: String = text.chars().skip(length - half).collect();
    format!("{} … {}", start.trim_end(), end.trim_start())
}
