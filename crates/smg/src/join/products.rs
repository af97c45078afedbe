//! Join of products of unknown numbers: what is a product on one side has to be the product of the same numbers on the other side. It need
//! not be remembered as one there: it is a linear form where a factor is known.

use super::relations::Tie;
use super::{Growth, Joiner, Side};
use crate::graph::{State, Val};
use crate::number::Range;
use crate::products::{Product, WIDTH};
use crate::relation::Form;
use heapproof_numbers::Linear;

impl Side {
    fn form(self, tie: &Tie) -> &Form {
        match self {
            Side::Left => &tie.left,
            Side::Right => &tie.right,
        }
    }
}

impl Joiner<'_> {
    /// The products of both sides. A side with others says more than the result. Where numbers grow in leaps the right side brings only
    /// products of which the left one knew a factor, so that it ends: it is known no longer.
    pub(super) fn products(&mut self) {
        for side in [Side::Left, Side::Right] {
            for product in self.side(side).state.products() {
                let joined = self.joined_product(side, product).map(Product::term);
                let known = joined.is_some_and(|term| self.out.terms.contains(&term));
                match joined {
                    Some(term) if !known => self.out.terms.push(term),
                    Some(_) => {}
                    None => self.side_mut(side).keeps = false,
                }
            }
        }
    }

    /// The product of the result that one of a side becomes.
    fn joined_product(&mut self, side: Side, product: Product) -> Option<Product> {
        let ties = self.ties();
        let own = |form: &Form| {
            let form = form.clone();
            ties.iter().filter(move |tie| *side.form(tie) == form)
        };
        let (state, other) = (self.side(side).state, self.side(side.other()).state);
        let form = state.form(product.result, WIDTH)?;
        let [x, y] = product.of.map(Linear::dimension);
        for (a, b) in own(&x).flat_map(|a| own(&y).map(move |b| (a, b))) {
            let theirs = [a, b].map(|tie| side.other().form(tie));
            let leaps = side == Side::Right && matches!(self.growth, Growth::Thresholds(_));
            let may_be_new = !leaps || theirs.into_iter().any(|form| other.is_known(form));
            let Some(expected) = other.known_product(theirs[0], theirs[1]) else { continue };
            let is_it = |tie: &&Tie| fault!(109) || other.are_equal(side.other().form(tie), &expected);
            let result = match own(&form).find(is_it) {
                Some(tie) => Val::Sym(tie.id),
                None if !may_be_new => continue,
                None if form == expected && form.is_constant() => product.result,
                None => self.new_product(side, form.clone(), expected)?,
            };
            let joined = Product { of: [a.id, b.id], result };
            if may_be_new || self.out.terms.contains(&joined.term()) {
                return Some(joined);
            }
        }
        None
    }

    /// A number of the result that is a product on one side and a form on the other one.
    fn new_product(&mut self, side: Side, own: Form, expected: Form) -> Option<Val> {
        let (left, right) = side.ordered(own, expected);
        let (a, b) = (self.left.state.bounds(&left)?, self.right.state.bounds(&right)?);
        let width = self.out.pointer_bits();
        let range = self.grown(a, b, width);
        Range::full(width).covers(a.hull(b)).then(|| Val::Sym(self.index(left, right, range, 0)))
    }
}

impl State {
    /// True if a form is a known number.
    fn is_known(&self, form: &Form) -> bool {
        self.resolved(form).is_some_and(|form| form.is_constant())
    }

    /// True if two forms are surely the same number.
    fn are_equal(&self, a: &Form, b: &Form) -> bool {
        a == b || self.is_at_most(a, b, 0) && self.is_at_most(b, a, 0)
    }
}
