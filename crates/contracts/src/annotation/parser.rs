//! From words to annotations.

use super::ast::{
    BinaryOp, Clause, ClauseKind, Expr, ExprKind, FieldRef, Predicate, SetOp, Statement, StatementKind,
    TypeName, UnaryOp,
};
use super::lexer::{Token, lex};
use super::{Comment, Mistake, Position};

/// Deeper nesting is refused.
const DEEPEST: u32 = 200;

/// Reads the contract in a comment. `is_type` tells which names are names of types.
pub fn parse_contract(comment: &Comment, is_type: &dyn Fn(&str) -> bool) -> Result<Vec<Clause>, Mistake> {
    let mut parser = Parser::new(comment, is_type)?;
    let mut clauses = Vec::new();
    while parser.peek() != &Token::End {
        clauses.push(parser.clause()?);
    }
    Ok(clauses)
}

/// Reads the predicates of a comment; none if it is a contract.
pub fn parse_predicates(
    comment: &Comment,
    is_type: &dyn Fn(&str) -> bool,
) -> Result<Option<Vec<Predicate>>, Mistake> {
    let mut parser = Parser::new(comment, is_type)?;
    let mut all = Vec::new();
    while parser.peek() == &Token::Word("predicate".to_owned()) {
        all.push(parser.predicate()?);
    }
    match parser.peek() {
        Token::End if !all.is_empty() => Ok(Some(all)),
        _ if all.is_empty() => Ok(None),
        _ => Err(Mistake::new(parser.at(), "a comment with predicates holds nothing else")
            .with("put the contract into a comment of its own, directly before the function")),
    }
}

/// Reads an annotation in a body.
pub fn parse_statement(comment: &Comment, is_type: &dyn Fn(&str) -> bool) -> Result<Vec<Statement>, Mistake> {
    let mut parser = Parser::new(comment, is_type)?;
    let mut statements = Vec::new();
    while parser.peek() != &Token::End {
        statements.push(parser.statement()?);
    }
    Ok(statements)
}

struct Parser<'a> {
    tokens: Vec<(Position, Token)>,
    next: usize,
    depth: u32,
    is_type: &'a dyn Fn(&str) -> bool,
}

impl<'a> Parser<'a> {
    fn new(comment: &Comment, is_type: &'a dyn Fn(&str) -> bool) -> Result<Self, Mistake> {
        Ok(Parser { tokens: lex(&comment.text, comment.start)?, next: 0, depth: 0, is_type })
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    fn peek_after(&self, ahead: usize) -> &Token {
        &self.tokens[(self.next + ahead).min(self.tokens.len() - 1)].1
    }

    fn at(&self) -> Position {
        self.tokens[self.next].0
    }

    fn take(&mut self) -> Token {
        let token = self.peek().clone();
        if self.next + 1 < self.tokens.len() {
            self.next += 1;
        }
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Token::Sign(found) if *found == sign)
    }

    fn accept(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.take();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Mistake> {
        if self.accept(sign) {
            return Ok(());
        }
        let found = shown(self.peek());
        Err(Mistake::new(self.at(), format!("`{sign}` is expected here, not {found}")))
    }

    fn word(&mut self, what: &str) -> Result<String, Mistake> {
        let at = self.at();
        match self.take() {
            Token::Word(word) => Ok(word),
            other => Err(Mistake::new(at, format!("{what} is expected here, not {}", shown(&other)))),
        }
    }

    fn clause(&mut self) -> Result<Clause, Mistake> {
        let at = self.at();
        let word = self.word("a clause")?;
        let kind = match word.as_str() {
            "requires" => ClauseKind::Requires,
            "ensures" => ClauseKind::Ensures,
            "modifies" | "assigns" => ClauseKind::Modifies,
            "frees" => ClauseKind::Frees,
            _ => return Err(unknown_clause(at, &word)),
        };
        let expr = match kind {
            ClauseKind::Requires | ClauseKind::Ensures => self.expr()?,
            ClauseKind::Modifies | ClauseKind::Frees => self.set()?,
        };
        if let Token::Escape(word) = self.peek() {
            let message = format!("`\\{word}` does not belong to this language");
            return Err(Mistake::new(self.at(), message).with("end the clause with `;` here"));
        }
        self.end_of_clause()?;
        Ok(Clause { at, kind, expr })
    }

    fn predicate(&mut self) -> Result<Predicate, Mistake> {
        let at = self.at();
        self.take();
        let name = self.word("the name of the predicate")?;
        let reserved = [
            "alloc", "BS", "in", "Obj", "Off", "block", "list", "array", "incr", "decr", "deref", "union",
            "inter", "diff",
        ];
        if reserved.contains(&name.as_str()) {
            return Err(
                Mistake::new(at, format!("`{name}` has a meaning already")).with("choose another name")
            );
        }
        self.expect("(")?;
        let mut params = Vec::new();
        while !self.accept(")") {
            if !params.is_empty() {
                self.expect(",")?;
            }
            let ty = self.type_name()?;
            params.push((ty, self.word("the name of a parameter")?));
        }
        if !self.accept("=") {
            return Err(Mistake::new(self.at(), "`=` is expected here")
                .with("write `predicate NAME(T x) = FORMULA;`"));
        }
        let body = self.expr()?;
        self.end_of_clause()?;
        Ok(Predicate { at, name, params, body, file: None })
    }

    fn end_of_clause(&mut self) -> Result<(), Mistake> {
        if self.accept(";") {
            return Ok(());
        }
        let found = shown(self.peek());
        Err(Mistake::new(self.at(), format!("`;` is expected here, not {found}"))
            .with("each clause ends with `;`"))
    }

    fn statement(&mut self) -> Result<Statement, Mistake> {
        let at = self.at();
        let word = self.word("an annotation")?;
        let (kind, expr) = match word.as_str() {
            "loop" => {
                let at = self.at();
                let word = self.word("`invariant`")?;
                if word != "invariant" {
                    let message = format!("`loop {word}` is not known");
                    return Err(Mistake::new(at, message).with("loops have `loop invariant FORMULA;`"));
                }
                (StatementKind::LoopInvariant, self.expr()?)
            }
            "ghost" => {
                let at = self.at();
                if self.word("`BS`")? != "BS" {
                    return Err(Mistake::new(at, "only `BS` can be changed by a ghost statement")
                        .with("write `ghost BS += E;` or `ghost BS -= E;`"));
                }
                let kind = if self.accept("+=") {
                    StatementKind::Block
                } else {
                    self.expect("-=")?;
                    StatementKind::Unblock
                };
                (kind, self.expr()?)
            }
            "assert" => (StatementKind::Assert, self.expr()?),
            "assume" => (StatementKind::Assume, self.expr()?),
            "requires" | "ensures" | "modifies" | "assigns" | "frees" => {
                let message = format!("`{word}` belongs to the contract of a function");
                return Err(Mistake::new(at, message)
                    .with("write it in a comment `/*@ … */` directly before the function"));
            }
            _ => {
                let known = ["loop invariant", "ghost", "assert", "assume"];
                return Err(Mistake::new(at, format!("the annotation `{word}` is not known"))
                    .with(format!("known are {}", known.map(|word| format!("`{word}`")).join(", "))));
            }
        };
        self.end_of_clause()?;
        Ok(Statement { at, kind, expr })
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Mistake>) -> Result<T, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(Mistake::new(self.at(), "this is nested too deeply"));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// A formula or a value.
    fn expr(&mut self) -> Result<Expr, Mistake> {
        self.nested(|parser| {
            if parser.peek() == &Token::Escape("forall".to_owned()) {
                return parser.forall();
            }
            if parser.peek() == &Token::Escape("let".to_owned()) {
                return parser.binding();
            }
            let left = parser.or()?;
            if !parser.accept("==>") {
                return Ok(left);
            }
            let right = parser.expr()?;
            Ok(binary(BinaryOp::Implies, left, right))
        })
    }

    fn forall(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        self.take();
        let ty = self.type_name()?;
        let var = self.word("a variable")?;
        if self.peek() != &Token::Escape("in".to_owned()) {
            return Err(Mistake::new(self.at(), "`\\in` and a set are expected here")
                .with("write `\\forall T x \\in S; F`: every variable runs over a set"));
        }
        self.take();
        let set = Box::new(self.set()?);
        self.expect(";")?;
        let body = Box::new(self.expr()?);
        Ok(Expr { at, kind: ExprKind::Forall { ty, var, set, body } })
    }

    /// `\\let x = E; F`
    fn binding(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        self.take();
        let var = self.word("a variable")?;
        if !self.accept("=") {
            return Err(Mistake::new(self.at(), "`=` is expected here").with("write `\\let x = E; F`"));
        }
        let value = Box::new(self.expr()?);
        self.expect(";")?;
        let body = Box::new(self.expr()?);
        Ok(Expr { at, kind: ExprKind::Let { var, value, body } })
    }

    fn or(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.and()?;
        while self.accept("||") {
            let right =
                if self.peek() == &Token::Escape("forall".to_owned()) { self.forall()? } else { self.and()? };
            left = binary(BinaryOp::Or, left, right);
        }
        Ok(left)
    }

    fn and(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.comparison()?;
        while self.accept("&&") {
            let right = if self.peek() == &Token::Escape("forall".to_owned()) {
                self.forall()?
            } else {
                self.comparison()?
            };
            left = binary(BinaryOp::And, left, right);
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Expr, Mistake> {
        let left = self.sum()?;
        let op = match self.peek() {
            Token::Sign("==") => BinaryOp::Eq,
            Token::Sign("!=") => BinaryOp::Ne,
            Token::Sign("<=") => BinaryOp::Le,
            Token::Sign(">=") => BinaryOp::Ge,
            Token::Sign("<") => BinaryOp::Lt,
            Token::Sign(">") => BinaryOp::Gt,
            Token::Sign("=") => {
                return Err(
                    Mistake::new(self.at(), "an annotation changes nothing").with("did you mean `==`?")
                );
            }
            _ => return Ok(left),
        };
        self.take();
        let right = self.sum()?;
        if matches!(self.peek(), Token::Sign("==" | "!=" | "<=" | ">=" | "<" | ">")) {
            return Err(
                Mistake::new(self.at(), "comparisons do not chain").with("join two comparisons by `&&`")
            );
        }
        Ok(binary(op, left, right))
    }

    fn sum(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.product()?;
        loop {
            let op = match self.peek() {
                Token::Sign("+") => BinaryOp::Add,
                Token::Sign("-") => BinaryOp::Sub,
                _ => return Ok(left),
            };
            self.take();
            left = binary(op, left, self.product()?);
        }
    }

    fn product(&mut self) -> Result<Expr, Mistake> {
        let mut left = self.unary()?;
        loop {
            let op = match self.peek() {
                Token::Sign("*") => BinaryOp::Mul,
                Token::Sign("/") => BinaryOp::Div,
                Token::Sign("%") => BinaryOp::Mod,
                _ => return Ok(left),
            };
            self.take();
            left = binary(op, left, self.unary()?);
        }
    }

    fn unary(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        let op = match self.peek() {
            Token::Sign("!") => Some(UnaryOp::Not),
            Token::Sign("-") => Some(UnaryOp::Minus),
            Token::Sign("*") => Some(UnaryOp::Deref),
            Token::Sign("&") => Some(UnaryOp::Address),
            _ => None,
        };
        if let Some(op) = op {
            self.take();
            let operand = self.nested(Parser::unary)?;
            return Ok(Expr { at, kind: ExprKind::Unary(op, Box::new(operand)) });
        }
        if self.is_sign("(") && self.begins_type(1) {
            self.take();
            let ty = self.type_name()?;
            self.expect(")")?;
            let operand = self.nested(Parser::unary)?;
            return Ok(Expr { at, kind: ExprKind::Cast(ty, Box::new(operand)) });
        }
        let primary = self.primary()?;
        self.postfix(primary)
    }

    fn postfix(&mut self, mut expr: Expr) -> Result<Expr, Mistake> {
        loop {
            let at = expr.at;
            let kind = if self.is_sign(".") || self.is_sign("->") {
                let arrow = self.take() == Token::Sign("->");
                ExprKind::Member { of: Box::new(expr), field: self.word("a field")?, arrow }
            } else if self.accept("[") {
                let index = self.expr()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr), Box::new(index))
            } else {
                return Ok(expr);
            };
            expr = Expr { at, kind };
        }
    }

    fn begins_type(&self, ahead: usize) -> bool {
        match self.peek_after(ahead) {
            Token::Word(word) => is_type_word(word) || (self.is_type)(word),
            _ => false,
        }
    }

    fn type_name(&mut self) -> Result<TypeName, Mistake> {
        let at = self.at();
        let mut words: Vec<String> = Vec::new();
        while let Token::Word(word) = self.peek() {
            let last_is_tag =
                words.last().is_some_and(|word| ["struct", "union", "enum"].contains(&word.as_str()));
            let goes_on = last_is_tag
                || is_type_word(word)
                || (words.iter().all(|word| word == "const") && (self.is_type)(word));
            if !goes_on {
                break;
            }
            words.push(word.clone());
            self.take();
            if last_is_tag {
                break;
            }
        }
        words.retain(|word| word != "const");
        if words.is_empty() {
            return Err(Mistake::new(at, format!("a type is expected here, not {}", shown(self.peek())))
                .with("the types of the program can be used: `struct NAME`, names of typedefs, `int`, …"));
        }
        let mut stars = 0;
        while self.accept("*") {
            stars += 1;
        }
        Ok(TypeName { at, name: words.join(" "), stars })
    }

    fn field(&mut self) -> Result<FieldRef, Mistake> {
        let at = self.at();
        let owner = self.type_name()?;
        if !self.accept(".") {
            return Err(
                Mistake::new(self.at(), "a field is expected here").with("write it as `struct NAME.FIELD`")
            );
        }
        Ok(FieldRef { at, owner, field: self.word("a field")? })
    }

    fn primary(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        let make = |kind| Ok(Expr { at, kind });
        match self.take() {
            Token::Number(number) => make(ExprKind::Number(number)),
            Token::Escape(word) => match word.as_str() {
                "result" => make(ExprKind::Result),
                "old" => {
                    self.expect("(")?;
                    let inner = if self.begins_set() { self.set()? } else { self.expr()? };
                    self.expect(")")?;
                    make(ExprKind::Old(Box::new(inner)))
                }
                "valid" => self.argument().and_then(|argument| make(ExprKind::Alloc(argument))),
                "forall" => {
                    self.next -= 1;
                    self.forall()
                }
                "nothing" => make(ExprKind::Nothing),
                "exists" => {
                    Err(Mistake::new(at, "there is no `\\exists`").with("write `!(\\forall T x \\in S; !F)`"))
                }
                _ => Err(Mistake::new(at, format!("`\\{word}` is not known")).with(
                    "known are `\\forall`, `\\in`, `\\let`, `\\old`, `\\result`, `\\nothing`, `\\valid`",
                )),
            },
            Token::Sign("(") => {
                let inner = self.expr()?;
                self.expect(")")?;
                Ok(Expr { at, ..inner })
            }
            Token::Word(word) => match (word.as_str(), self.is_sign("(")) {
                ("sizeof", true) => {
                    self.take();
                    let ty = self.type_name()?;
                    self.expect(")")?;
                    make(ExprKind::SizeOf(ty))
                }
                ("Obj", true) => self.argument().and_then(|argument| make(ExprKind::Obj(argument))),
                ("Off", true) => self.argument().and_then(|argument| make(ExprKind::Off(argument))),
                ("alloc", true) => self.argument().and_then(|argument| make(ExprKind::Alloc(argument))),
                ("BS", true) => self.argument().and_then(|argument| make(ExprKind::Blocking(argument))),
                ("block", true) => {
                    self.take();
                    let from = Box::new(self.expr()?);
                    self.expect(",")?;
                    let field = self.field()?;
                    self.expect(")")?;
                    make(ExprKind::Block(from, field))
                }
                ("in", true) => {
                    self.take();
                    let element = Box::new(self.expr()?);
                    self.expect(",")?;
                    let set = Box::new(self.set()?);
                    self.expect(")")?;
                    make(ExprKind::In(element, set))
                }
                ("list" | "array" | "incr" | "decr" | "deref" | "union" | "inter" | "diff", true) => {
                    Err(Mistake::new(at, format!("`{word}` is a set, not a value"))
                        .with("ask for members by `in(E, S)`"))
                }
                (_, true) => {
                    self.take();
                    let mut args = Vec::new();
                    while !self.accept(")") {
                        if !args.is_empty() {
                            self.expect(",")?;
                        }
                        args.push(self.expr()?);
                    }
                    make(ExprKind::Call(word, args))
                }
                _ => make(ExprKind::Name(word)),
            },
            other => Err(Mistake::new(at, format!("a value is expected here, not {}", shown(&other)))),
        }
    }

    fn argument(&mut self) -> Result<Box<Expr>, Mistake> {
        self.expect("(")?;
        let argument = self.expr()?;
        self.expect(")")?;
        Ok(Box::new(argument))
    }

    fn begins_set(&self) -> bool {
        match self.peek() {
            Token::Sign("{") => true,
            Token::Escape(word) => word == "nothing",
            Token::Word(word) => {
                let sets = ["list", "array", "incr", "decr", "deref", "union", "inter", "diff"];
                let is_called = matches!(self.peek_after(1), Token::Sign("("));
                (is_called && sets.contains(&word.as_str())) || (word == "BS" && !is_called)
            }
            _ => false,
        }
    }

    fn set(&mut self) -> Result<Expr, Mistake> {
        self.nested(Parser::set_inner)
    }

    fn set_inner(&mut self) -> Result<Expr, Mistake> {
        let at = self.at();
        let make = |kind| Ok(Expr { at, kind });
        match self.take() {
            Token::Escape(word) if word == "nothing" => make(ExprKind::Nothing),
            Token::Escape(word) if word == "old" => {
                self.expect("(")?;
                let inner = self.set()?;
                self.expect(")")?;
                make(ExprKind::Old(Box::new(inner)))
            }
            Token::Sign("{") => {
                let mut elements = vec![self.expr()?];
                while self.accept(",") {
                    elements.push(self.expr()?);
                }
                self.expect("}")?;
                make(ExprKind::Elements(elements))
            }
            Token::Sign("(") => {
                let inner = self.set()?;
                self.expect(")")?;
                Ok(inner)
            }
            Token::Word(word) => {
                if word == "BS" {
                    return make(ExprKind::BlockingSet);
                }
                let known = ["list", "array", "incr", "decr", "deref", "union", "inter", "diff"];
                if !known.contains(&word.as_str()) {
                    let mistake = Mistake::new(at, format!("a set is expected here, not `{word}`"));
                    return Err(mistake.with(format!("the set of one value is `{{{word}}}`")));
                }
                self.expect("(")?;
                let kind = match word.as_str() {
                    "list" => {
                        let from = Box::new(self.expr()?);
                        self.expect(",")?;
                        ExprKind::List(from, self.field()?)
                    }
                    "array" => {
                        let from = Box::new(self.expr()?);
                        self.expect(",")?;
                        ExprKind::Array(from, Box::new(self.expr()?))
                    }
                    "incr" | "decr" => {
                        let set = Box::new(self.set()?);
                        self.expect(",")?;
                        let at = self.at();
                        let Token::Number(by) = self.take() else {
                            return Err(Mistake::new(at, "a number of bytes is expected here"));
                        };
                        ExprKind::Shift { set, by: if word == "incr" { by } else { -by } }
                    }
                    "deref" => ExprKind::DerefSet(Box::new(self.set()?)),
                    _ => {
                        let left = Box::new(self.set()?);
                        self.expect(",")?;
                        let right = Box::new(self.set()?);
                        let op = match word.as_str() {
                            "union" => SetOp::Union,
                            "inter" => SetOp::Inter,
                            _ => SetOp::Diff,
                        };
                        ExprKind::Sets(op, left, right)
                    }
                };
                self.expect(")")?;
                make(kind)
            }
            other => Err(Mistake::new(at, format!("a set is expected here, not {}", shown(&other))).with(
                "sets are `\\nothing`, `{E, …}`, `BS`, `list(…)`, `array(…)`, `incr(…)`, `union(…)`, …",
            )),
        }
    }
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr { at: left.at, kind: ExprKind::Binary(op, Box::new(left), Box::new(right)) }
}

fn is_type_word(word: &str) -> bool {
    const WORDS: [&str; 14] = [
        "struct", "union", "enum", "void", "char", "short", "int", "long", "signed", "unsigned", "float",
        "double", "_Bool", "const",
    ];
    WORDS.contains(&word)
}

fn unknown_clause(at: Position, word: &str) -> Mistake {
    let mistake = Mistake::new(at, format!("the clause `{word}` is not known"));
    match word {
        "decreases" | "terminates" => mistake.with("termination is not claimed: leave it out"),
        "behavior" | "assumes" | "complete" | "disjoint" => {
            mistake.with("write the cases with `==>` in `ensures`")
        }
        "loop" | "ghost" | "assert" | "assume" | "invariant" => {
            mistake.with("this belongs into the body of the function, in a comment `//@ …`")
        }
        _ => mistake.with("known are `requires`, `ensures`, `modifies` (or `assigns`), `frees`"),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Word(word) => format!("`{word}`"),
        Token::Escape(word) => format!("`\\{word}`"),
        Token::Number(number) => format!("`{number}`"),
        Token::Sign(sign) => format!("`{sign}`"),
        Token::End => "the end of the comment".to_owned(),
    }
}
