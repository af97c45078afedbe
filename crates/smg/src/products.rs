//! Products of two unknown numbers: `rows * cols`, `i * cols + j`.
//!
//! A product of linear forms is a sum of products of two free symbols. Each of these is a symbol of its own that the configuration remembers as
//! such (a [`Term`]), so that the product that is computed again is the same number. Products are products of whole numbers:
//! they are made only where the operation does not wrap. What follows for linear relations is noted when a product is made, and when one
//! of its factors is compared: of `i + 1 <= rows` and `0 <= cols` that `i * cols + cols <= rows * cols`.

use crate::graph::{Def, State, SymId, Val};
use crate::number::Range;
use crate::relation::Form;
use crate::terms::{Operation, Term};
use heapproof_ir::CmpOp;
use heapproof_numbers::Linear;
use std::collections::BTreeSet;

/// The width in which products are kept.
pub const WIDTH: u8 = 64;

/// Of forms with more parts than these no products are made.
const MOST_PARTS: usize = 3;

/// More products than these are not kept.
const MOST_PRODUCTS: usize = 12;

/// Factors apart by more than this say nothing of use.
const FARTHEST: i128 = 1 << 20;

/// A product of two free symbols, the first not after the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// The factors.
    pub of: [SymId; 2],
    /// Their product: a symbol, or a known number of 64 bits.
    pub result: Val,
}

impl Product {
    /// The product that a term is.
    pub fn of_term(term: &Term) -> Option<Product> {
        match (term.op, term.of, term.result) {
            (Operation::Product, [Val::Sym(a), Val::Sym(b)], result @ (Val::Sym(_) | Val::Int(_))) => {
                Some(Product { of: [a, b], result })
            }
            _ => None,
        }
    }

    /// It as a term.
    pub fn term(self) -> Term {
        let [a, b] = self.of;
        Term { op: Operation::Product, of: [a.min(b), a.max(b)].map(Val::Sym), result: self.result }
    }

    /// Both ways to see it as a multiple of a factor: the other factor first.
    fn ways(self) -> [(SymId, SymId); 2] {
        let [a, b] = self.of;
        [(a, b), (b, a)]
    }
}

/// What is noted of products.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Facts {
    /// Which of them are larger than others.
    Order,
    /// Everything.
    All,
}

impl Facts {
    /// How far apart factors are, as far as it is noted.
    fn of_use(self, range: Range) -> Option<Range> {
        let far = Range::full(WIDTH);
        match self {
            Facts::All => Some(range),
            Facts::Order if range.lo >= 0 => Some(Range { hi: far.hi, ..range }),
            Facts::Order if range.hi <= 0 => Some(Range { lo: far.lo, ..range }),
            Facts::Order => None,
        }
    }
}

/// The range of a product.
pub fn product_range(x: Range, y: Range) -> Option<Range> {
    let mut ends = [0; 4];
    for (end, (a, b)) in ends.iter_mut().zip([(x.lo, y.lo), (x.lo, y.hi), (x.hi, y.lo), (x.hi, y.hi)]) {
        *end = a.checked_mul(b)?;
    }
    Some(Range { lo: ends.into_iter().min()?, hi: ends.into_iter().max()? })
}

impl State {
    /// The products that are known.
    pub fn products(&self) -> Vec<Product> {
        self.terms.iter().filter_map(Product::of_term).collect()
    }

    /// `a * b` for two numbers, if that does not wrap.
    pub fn product(&mut self, width: u8, a: Val, b: Val) -> Option<Val> {
        if !self.relates || width > WIDTH {
            return None;
        }
        let (a, b) = (self.form(a, width)?, self.form(b, width)?);
        if a.is_constant() || b.is_constant() || !self.fits(&a, &b, width) {
            return None;
        }
        let form = expand(&a, &b, |x, y| self.monomial(x, y))?;
        let full = Range::full(if fault!(106) { WIDTH } else { width });
        let fits = self.bounds(&form).is_some_and(|range| full.covers(range));
        fits.then(|| self.number_of(&form, width))
    }

    /// True if a product of forms that are short surely fits a width.
    fn fits(&self, a: &Form, b: &Form, width: u8) -> bool {
        let short = |form: &Form| form.factors().count() <= MOST_PARTS;
        let range = self.bounds(a).zip(self.bounds(b)).and_then(|(x, y)| product_range(x, y));
        let full = Range::full(if fault!(106) { WIDTH } else { width });
        short(a) && short(b) && range.is_some_and(|range| full.covers(range))
    }

    /// The product of two forms that is known already.
    pub fn known_product(&self, a: &Form, b: &Form) -> Option<Form> {
        let products = self.products();
        // The state is not changed.
        let known = |x: SymId, y: SymId| {
            let product = products.iter().find(|product| product.of == [x.min(y), x.max(y)])?;
            self.form(product.result, WIDTH)
        };
        let (a, b) = (self.resolved(a)?, self.resolved(b)?);
        expand(&a, &b, known)
    }

    /// A form without symbols that are known numbers.
    pub fn resolved(&self, form: &Form) -> Option<Form> {
        let start = Linear::constant(form.offset());
        form.factors().try_fold(start, |sum: Form, (id, factor)| sum.plus(&self.form_of(id)?, factor))
    }

    /// The product of two free symbols: the one that is known, or a new one.
    fn monomial(&mut self, x: SymId, y: SymId) -> Option<Form> {
        if let Some(known) = self.known_product(&Linear::dimension(x), &Linear::dimension(y)) {
            return Some(known);
        }
        let of = [x.min(y), x.max(y)];
        let [a, b] = of.map(|id| self.range(Val::Sym(id), self.syms[&id].width));
        let range = product_range(a, b).filter(|range| Range::full(WIDTH).covers(*range))?;
        let result = self.derived(WIDTH, range, Def::Free);
        let product = Product { of, result };
        self.forget_oldest();
        self.terms.push(product.term());
        self.note_product(product, Facts::Order);
        self.form(result, WIDTH)
    }

    fn forget_oldest(&mut self) {
        if self.products().len() >= MOST_PRODUCTS
            && let Some(at) = self.terms.iter().position(Term::is_product)
        {
            self.terms.remove(at);
        }
    }

    /// What is known of the factors of a product says something of it and of those that share a factor with it.
    fn note_product(&mut self, product: Product, facts: Facts) {
        let Some(result) = self.form(product.result, WIDTH) else { return };
        for (moving, common) in product.ways() {
            if !self.is_factor(moving) || !self.is_factor(common) {
                continue;
            }
            if !self.is_never_negative(&Linear::dimension(common)) && !fault!(107) {
                continue;
            }
            if facts == Facts::All {
                let range = self.range(Val::Sym(moving), WIDTH);
                self.note_multiple(&result, common, range);
            }
            for other in self.products() {
                let shares = |(_, factor): &(SymId, SymId)| *factor == common;
                let Some((apart, _)) = other.ways().into_iter().find(shares) else { continue };
                if other == product {
                    continue;
                }
                let factors = Linear::dimension(apart).plus(&Linear::dimension(moving), -1);
                let results = self.form(other.result, WIDTH).and_then(|other| other.plus(&result, -1));
                let (Some(factors), Some(results)) = (factors, results) else { continue };
                if let Some(range) = self.bounds(&factors).and_then(|range| facts.of_use(range)) {
                    self.note_multiple(&results, common, range);
                }
            }
        }
    }

    /// True if a symbol is a number that may be a factor still.
    fn is_factor(&self, id: SymId) -> bool {
        self.syms.contains_key(&id) && self.form_of(id).is_some_and(|form| !form.is_constant())
    }

    /// A form is a multiple of a number that is not negative, by how much lies in a range.
    fn note_multiple(&mut self, form: &Form, common: SymId, times: Range) {
        let bound = |times: i128| Linear::dimension(common).times(times);
        if times.lo.unsigned_abs() < FARTHEST.unsigned_abs()
            && let Some(least) = bound(times.lo + i128::from(fault!(108)))
            && !self.is_at_most(&least, form, 0)
        {
            self.assume_forms(CmpOp::Sle, &least, form);
        }
        if times.hi.unsigned_abs() < FARTHEST.unsigned_abs()
            && let Some(most) = bound(times.hi)
            && !self.is_at_most(form, &most, 0)
        {
            self.assume_forms(CmpOp::Sle, form, &most);
        }
    }

    /// After a comparison of numbers: what it says of products of these.
    pub fn note_products_of(&mut self, numbers: [Val; 2], width: u8) {
        if self.terms.is_empty() || !self.relates {
            return;
        }
        let forms = numbers.into_iter().filter_map(|val| self.form(val, width));
        let compared: BTreeSet<SymId> =
            forms.flat_map(|form| form.factors().map(|(id, _)| id).collect::<Vec<_>>()).collect();
        self.settle_products();
        for product in self.products() {
            if product.of.iter().any(|id| compared.contains(id)) {
                self.note_product(product, Facts::Order);
            }
        }
    }

    /// Of the range of a product that is not negative follow ranges of factors that are positive.
    fn narrow_factors(&mut self, product: Product) {
        let known = self.range(product.result, WIDTH);
        for (moving, common) in product.ways() {
            let by = self.range(Val::Sym(common), WIDTH);
            if known.lo >= 0 && by.lo > 0 {
                let lo = if fault!(110) { known.lo } else { -(-known.lo).div_euclid(by.hi) };
                // What contradicts other things is found by whoever asks for these.
                self.restrict(moving, Range { lo, hi: known.hi / by.lo });
            }
        }
    }

    /// The same with all that is known of products; nothing if there are none. It is for one question: to keep it all is too much.
    pub fn with_facts_of_products(&self) -> Option<State> {
        let products = self.products();
        if products.is_empty() {
            return None;
        }
        let mut state = self.clone();
        products.into_iter().for_each(|product| state.note_product(product, Facts::All));
        Some(state)
    }

    /// A product with a factor that is known by now is a linear form.
    pub fn settle_products(&mut self) {
        for product in self.products() {
            self.narrow_factors(product);
            let factors = product.of.map(|id| self.form_of(id));
            let [Some(a), Some(b)] = factors else { continue };
            let linear = match (a.is_constant(), b.is_constant()) {
                (true, _) => b.times(a.offset()),
                (_, true) => a.times(b.offset()),
                _ => continue,
            };
            if let (Some(linear), Some(result)) = (linear, self.form(product.result, WIDTH)) {
                self.assume_forms(CmpOp::Eq, &result, &linear);
            }
            self.terms.retain(|term| Product::of_term(term) != Some(product));
        }
    }

    /// Keeps only products that are well formed, one of the same numbers: terms that got other names may be none, or the same.
    pub fn keep_products(&mut self) {
        let free = |id: SymId| self.syms.get(&id).is_some_and(|sym| sym.level == 0 && sym.def == Def::Free);
        let mut seen: Vec<Product> = Vec::new();
        let mut same: Vec<(Val, Val)> = Vec::new();
        let mut terms = std::mem::take(&mut self.terms);
        terms.retain_mut(|term| {
            let Some(product) = Product::of_term(term) else { return !term.is_product() };
            *term = product.term();
            let Some(product) = Product::of_term(term) else { return false };
            let known = seen.iter().find(|known| known.of == product.of);
            let new = known.is_none();
            same.extend(known.map(|known| (known.result, product.result)));
            seen.push(product);
            new && product.of.into_iter().all(free) && !matches!(product.result, Val::Sym(id) if !free(id))
        });
        self.terms = terms;
        for (a, b) in same.into_iter().filter(|(a, b)| a != b) {
            if let (Some(a), Some(b)) = (self.form(a, WIDTH), self.form(b, WIDTH)) {
                self.assume_forms(CmpOp::Eq, &a, &b);
            }
        }
    }
}

/// The product of two forms, of the products of their symbols.
fn expand(a: &Form, b: &Form, mut monomial: impl FnMut(SymId, SymId) -> Option<Form>) -> Option<Form> {
    let mut form = Linear::constant(a.offset().checked_mul(b.offset())?);
    for (x, factor) in a.factors() {
        form = form.plus(&Linear::dimension(x), factor.checked_mul(b.offset())?)?;
        for (y, other) in b.factors() {
            form = form.plus(&monomial(x, y)?, factor.checked_mul(other)?)?;
        }
    }
    for (y, other) in b.factors() {
        form = form.plus(&Linear::dimension(y), other.checked_mul(a.offset())?)?;
    }
    Some(form)
}
