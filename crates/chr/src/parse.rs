//! Reads rules and goals from text.

use crate::lex::{Token, tokens};
use crate::syntax::{
    Comparison, Constraint, Formula, Goal, Guard, Head, Position, Rule, Rules, Term, TypeDeclaration,
};

/// A text that could not be read, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{at}: {message}")]
pub struct SyntaxError {
    /// Where.
    pub at: Position,
    /// What is wrong.
    pub message: String,
}

impl SyntaxError {
    pub(crate) fn new(at: Position, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at, message: message.into() }
    }
}

/// Reads a file of rules.
pub fn rules(text: &str) -> Result<Rules, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let mut all = Rules::default();
    while parser.peek() != &Token::End {
        if parser.peek() == &Token::Name("type".to_owned()) {
            all.types.push(parser.type_declaration()?);
        } else {
            all.rules.push(parser.rule()?);
        }
    }
    Ok(all)
}

/// Reads a file of goals, each ended by `;` (the last one need not be).
pub fn goals(text: &str) -> Result<Vec<Goal>, SyntaxError> {
    let mut parser = Parser::new(text)?;
    let mut all = Vec::new();
    while parser.peek() != &Token::End {
        let at = parser.at();
        let formula = parser.formula()?;
        all.push(Goal { formula, at });
        if parser.peek() != &Token::End {
            parser.expect(";")?;
        }
    }
    Ok(all)
}

/// Nesting deeper than this is refused, so that no text can exhaust the stack.
const DEEPEST: u32 = 200;

enum Bracket {
    Formula,
    Term,
    Pair,
}

fn continues_term(token: &Token) -> bool {
    match token {
        Token::Sign(s) => ["=", "!=", "<", "<=", ">", ">=", "+", "-", "*", "in", "notin", "~="].contains(s),
        Token::Name(n) => n == "in",
        _ => false,
    }
}

/// For every opening bracket the index of the token that closes it.
fn closing(tokens: &[(Token, Position)]) -> Vec<Option<usize>> {
    let mut open = Vec::new();
    let mut closing = vec![None; tokens.len()];
    for (index, (token, _)) in tokens.iter().enumerate() {
        match token {
            Token::Sign("(") => open.push(index),
            Token::Sign(")") => {
                if let Some(start) = open.pop() {
                    closing[start] = Some(index);
                }
            }
            _ => {}
        }
    }
    closing
}

struct Parser {
    tokens: Vec<(Token, Position)>,
    closing: Vec<Option<usize>>,
    next: usize,
    depth: u32,
}

impl Parser {
    fn new(text: &str) -> Result<Parser, SyntaxError> {
        let tokens = tokens(text)?;
        let closing = closing(&tokens);
        Ok(Parser { tokens, closing, next: 0, depth: 0 })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].0
    }

    fn at(&self) -> Position {
        self.tokens[self.next].1
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.next].0.clone();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        token
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = match self.peek() {
            Token::Sign(s) => *s == sign,
            Token::Name(n) => n == sign,
            _ => false,
        };
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), SyntaxError> {
        if self.accept(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> SyntaxError {
        SyntaxError::new(self.at(), format!("expected {wanted}, found {}", self.peek()))
    }

    fn name(&mut self, wanted: &str) -> Result<String, SyntaxError> {
        match self.peek() {
            Token::Name(_) | Token::Quoted(_) => match self.advance() {
                Token::Name(n) | Token::Quoted(n) => Ok(n),
                _ => Err(self.unexpected(wanted)),
            },
            _ => Err(self.unexpected(wanted)),
        }
    }

    fn type_declaration(&mut self) -> Result<TypeDeclaration, SyntaxError> {
        let at = self.at();
        self.expect("type")?;
        let name = self.name("the name of a constraint")?;
        self.expect("(")?;
        let mut sorts = Vec::new();
        loop {
            let mut sort = self.name("a sort")?;
            if sort == "var" && self.accept("of") {
                sort = self.name("a sort")?;
            }
            sorts.push(sort);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(TypeDeclaration { name, sorts, at })
    }

    fn rule(&mut self) -> Result<Rule, SyntaxError> {
        let at = self.at();
        let first = self.heads()?;
        let (kept, removed) = if self.accept("\\") {
            let second = self.heads()?;
            self.expect("<=>")?;
            (first, second)
        } else if self.accept("==>") || self.accept("-->") {
            (first, Vec::new())
        } else if self.accept("<=>") {
            (Vec::new(), first)
        } else {
            return Err(self.unexpected("`==>`, `<=>`, `-->` or `\\`"));
        };
        let guards = self.guards()?;
        let body = self.formula()?;
        self.expect(";")?;
        Ok(Rule { kept, removed, guards, body, at })
    }

    fn heads(&mut self) -> Result<Vec<Head>, SyntaxError> {
        let mut heads = Vec::new();
        loop {
            let at = self.at();
            let mut formula = self.unary()?;
            let negated = matches!(formula, Formula::Not(_));
            if let Formula::Not(inner) = formula {
                formula = *inner;
            }
            match formula {
                Formula::Holds(constraint) => heads.push(Head { negated, constraint }),
                _ => return Err(SyntaxError::new(at, "a head is a constraint or the negation of one")),
            }
            if !self.accept("/\\") && !self.accept(",") {
                return Ok(heads);
            }
        }
    }

    /// The guards, if a `|` comes before the end of the rule.
    fn guards(&mut self) -> Result<Vec<Guard>, SyntaxError> {
        let rest = &self.tokens[self.next..];
        let bar = rest.iter().position(|(t, _)| *t == Token::Sign("|"));
        let end = rest.iter().position(|(t, _)| *t == Token::Sign(";")).unwrap_or(rest.len());
        if bar.is_none_or(|b| b > end) {
            return Ok(Vec::new());
        }
        let mut guards = Vec::new();
        loop {
            let at = self.at();
            let left = self.term()?;
            if self.accept(":=") {
                match left {
                    Term::Var(name) => guards.push(Guard::Let(name, self.term()?)),
                    _ => return Err(SyntaxError::new(at, "only a variable can be given a value")),
                }
            } else {
                match self.comparison() {
                    Some(op) => guards.push(Guard::Known(op, left, self.term()?)),
                    None => return Err(self.unexpected("a comparison")),
                }
            }
            if !self.accept("/\\") {
                break;
            }
        }
        self.expect("|")?;
        Ok(guards)
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let op = match self.peek() {
            Token::Sign("=") => Comparison::Equal,
            Token::Sign("!=") => Comparison::Differs,
            Token::Sign("<") => Comparison::Less,
            Token::Sign("<=") => Comparison::AtMost,
            Token::Sign(">") => Comparison::Greater,
            Token::Sign(">=") => Comparison::AtLeast,
            _ => return None,
        };
        self.advance();
        Some(op)
    }

    fn deeper<T>(&mut self, f: impl FnOnce(&mut Parser) -> Result<T, SyntaxError>) -> Result<T, SyntaxError> {
        if self.depth >= DEEPEST {
            return Err(SyntaxError::new(self.at(), "this is nested too deep"));
        }
        self.depth += 1;
        let result = f(self);
        self.depth -= 1;
        result
    }

    /// `/\` and then `\/` bind tighter than `->`, `xor`, `<->`.
    fn formula(&mut self) -> Result<Formula, SyntaxError> {
        self.deeper(|p| {
            // As in the original system an implication is weaker than a conjunction on its right side
            // only where brackets say so: `a -> b /\ c -> d` is a conjunction of implications.
            let mut all = vec![p.arrow()?];
            while p.accept("/\\") {
                all.push(p.arrow()?);
            }
            let mut whole = one_or(all, Formula::And);
            if p.peek() == &Token::Sign("\\/") {
                let mut sides = vec![whole];
                while p.accept("\\/") {
                    let mut side = vec![p.arrow()?];
                    while p.accept("/\\") {
                        side.push(p.arrow()?);
                    }
                    sides.push(one_or(side, Formula::And));
                }
                whole = Formula::Or(sides);
            }
            Ok(whole)
        })
    }

    fn arrow(&mut self) -> Result<Formula, SyntaxError> {
        let left = self.unary()?;
        if self.accept("->") {
            Ok(left.implies(self.deeper(Parser::arrow)?))
        } else if self.accept("<->") {
            Ok(Formula::Iff(Box::new(left), Box::new(self.deeper(Parser::arrow)?)))
        } else if self.accept("xor") {
            Ok(Formula::Iff(Box::new(left), Box::new(self.deeper(Parser::arrow)?)).negated())
        } else {
            Ok(left)
        }
    }

    fn unary(&mut self) -> Result<Formula, SyntaxError> {
        if self.accept("not") {
            return Ok(self.deeper(Parser::unary)?.negated());
        }
        let at = self.at();
        match self.bracket() {
            Some(Bracket::Pair) => self.pair_in(at),
            Some(Bracket::Formula) => {
                self.advance();
                let formula = self.formula()?;
                self.expect(")")?;
                Ok(formula)
            }
            Some(Bracket::Term) | None => self.comparing(at),
        }
    }

    /// What the bracket that comes next holds: known from what follows its end.
    fn bracket(&self) -> Option<Bracket> {
        let end = self.closing[self.next]?;
        let element =
            |t: &Token| matches!(t, Token::Sign("in" | "notin")) || *t == Token::Name("in".to_owned());
        let after = &self.tokens[end + 1].0;
        Some(match after {
            t if element(t) && self.has_comma(end) => Bracket::Pair,
            t if element(t) || continues_term(t) => Bracket::Term,
            _ => Bracket::Formula,
        })
    }

    /// Whether there is a comma between the bracket that comes next and its end, outside of further brackets.
    fn has_comma(&self, end: usize) -> bool {
        let mut at = self.next + 1;
        while at < end {
            match self.closing[at] {
                Some(inner) => at = inner,
                None if self.tokens[at].0 == Token::Sign(",") => return true,
                None => {}
            }
            at += 1;
        }
        false
    }

    /// `(p, v) in H`.
    fn pair_in(&mut self, at: Position) -> Result<Formula, SyntaxError> {
        self.expect("(")?;
        let p = self.term()?;
        self.expect(",")?;
        let v = self.term()?;
        self.expect(")")?;
        let negated = self.accept("notin");
        if !negated {
            self.expect("in")?;
        }
        let heap = self.term()?;
        let inside = Formula::Holds(Constraint { name: "in".to_owned(), args: vec![heap, p, v], at });
        Ok(if negated { inside.negated() } else { inside })
    }

    fn comparing(&mut self, at: Position) -> Result<Formula, SyntaxError> {
        if self.accept("true") {
            return Ok(Formula::Bool(true));
        }
        if self.accept("false") {
            return Ok(Formula::Bool(false));
        }
        if let Token::Name(name) | Token::Quoted(name) = self.peek().clone() {
            let start = self.next;
            self.advance();
            if self.accept("(") {
                let args = self.arguments()?;
                return Ok(Formula::Holds(Constraint { name, args, at }));
            }
            if !continues_term(self.peek()) {
                return Ok(Formula::Holds(Constraint { name, args: Vec::new(), at }));
            }
            self.next = start;
        }
        let left = self.term()?;
        if self.accept("~=") {
            let mut args = vec![left];
            loop {
                args.push(self.product_free()?);
                if !self.accept("*") {
                    break;
                }
            }
            let name = if args.len() == 2 { "eq" } else { "sep" };
            return Ok(Formula::Holds(Constraint { name: name.to_owned(), args, at }));
        }
        let negated = self.peek() == &Token::Sign("notin");
        if negated || self.peek() == &Token::Sign("in") || self.peek() == &Token::Name("in".to_owned()) {
            self.advance();
            self.expect("dom")?;
            self.expect("(")?;
            let heap = self.term()?;
            self.expect(")")?;
            let inside = Formula::Holds(Constraint { name: "dom".to_owned(), args: vec![heap, left], at });
            return Ok(if negated { inside.negated() } else { inside });
        }
        match self.comparison() {
            Some(op) => Ok(Formula::Compare(op, left, self.term()?)),
            None => Err(self.unexpected("a comparison")),
        }
    }

    fn product_free(&mut self) -> Result<Term, SyntaxError> {
        self.name("the name of a heap").map(Term::Var)
    }

    fn arguments(&mut self) -> Result<Vec<Term>, SyntaxError> {
        let mut args = Vec::new();
        if self.accept(")") {
            return Ok(args);
        }
        loop {
            args.push(self.term()?);
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    fn term(&mut self) -> Result<Term, SyntaxError> {
        self.deeper(|p| {
            let mut left = p.factor()?;
            loop {
                if p.accept("+") {
                    left = Term::Add(Box::new(left), Box::new(p.factor()?));
                } else if p.accept("-") {
                    left = Term::Sub(Box::new(left), Box::new(p.factor()?));
                } else {
                    return Ok(left);
                }
            }
        })
    }

    fn factor(&mut self) -> Result<Term, SyntaxError> {
        let mut left = self.primary()?;
        while self.accept("*") {
            left = Term::Mul(Box::new(left), Box::new(self.primary()?));
        }
        Ok(left)
    }

    fn primary(&mut self) -> Result<Term, SyntaxError> {
        if self.accept("(") {
            let term = self.term()?;
            self.expect(")")?;
            return Ok(term);
        }
        if self.accept("-") {
            return Ok(match self.deeper(Parser::primary)? {
                Term::Int(n) => Term::Int(-n),
                term => Term::Sub(Box::new(Term::Int(0)), Box::new(term)),
            });
        }
        match self.peek().clone() {
            Token::Int(n) => {
                self.advance();
                Ok(Term::Int(n))
            }
            Token::Name(name) if name == "_" => {
                self.advance();
                Ok(Term::Any)
            }
            Token::Name(_) | Token::Quoted(_) => self.name("a term").map(Term::Var),
            _ => Err(self.unexpected("a term")),
        }
    }
}

fn one_or(mut items: Vec<Formula>, make: impl FnOnce(Vec<Formula>) -> Formula) -> Formula {
    if items.len() == 1 { items.remove(0) } else { make(items) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_reads_back() {
        let text = "closed(f, g) /\\ in(g, p, v) ==> node(v, f, g);\n\
                    node(p, f, g) ==> p = 0 \\/ dom(f, p) /\\ dom(g, p + 1);\n\
                    not closed(f, g) <=> in(g, s, t) /\\ t != 0 /\\ (not dom(f, t) \\/ not dom(g, t + 1));\n\
                    a(x) \\ b(x, _) <=> x > 3 /\\ y := x - 1 | c(y) <-> d(2 * x - (y + 1));\n";
        let first = rules(text).unwrap();
        let printed = first.to_string();
        let second = rules(&printed).unwrap();
        assert_eq!(printed, second.to_string());
        assert_eq!(printed, text);
    }

    #[test]
    fn the_signs_of_the_paper_mean_the_plain_ones() {
        let paper = rules("closed(F, G) ∧ (p, v) ∈ G ⟹ v = 0 ∨ v + 1 ∈ dom(G) ∧ H ≃ F * G;").unwrap();
        assert_eq!(
            paper.to_string(),
            "closed(F, G) /\\ in(G, p, v) ==> v = 0 \\/ dom(G, v + 1) /\\ sep(H, F, G);\n"
        );
    }

    #[test]
    fn errors_name_the_place() {
        let error = rules("p(x) ==>\n  q(x;").unwrap_err();
        assert_eq!(error.to_string(), "2:6: expected `)`, found `;`");
        let error = goals("x = 99999999999999999999").unwrap_err();
        assert_eq!(error.to_string(), "1:5: this number does not fit into 64 bits");
        assert!(goals(&"(".repeat(5000)).is_err());
        assert!(goals(&"not ".repeat(5000)).is_err());
        assert!(rules("p(x) => q(x);").is_err());
    }
}
