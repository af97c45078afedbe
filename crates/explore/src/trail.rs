//! How a state was reached: the marks of the states before it.

use std::rc::Rc;

/// A path, shared with the paths that branch off it.
#[derive(Debug)]
pub struct Trail<M> {
    last: Option<Rc<Link<M>>>,
}

#[derive(Debug)]
struct Link<M> {
    mark: M,
    before: Option<Rc<Link<M>>>,
    len: usize,
}

impl<M> Trail<M> {
    /// The path that has not begun.
    pub fn new() -> Self {
        Trail { last: None }
    }

    /// This path and one more step.
    pub fn then(&self, mark: M) -> Self {
        let link = Link { mark, before: self.last.clone(), len: self.len() + 1 };
        Trail { last: Some(Rc::new(link)) }
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.last.as_ref().map_or(0, |link| link.len)
    }

    /// True if there are no steps.
    pub fn is_empty(&self) -> bool {
        self.last.is_none()
    }

    /// The marks, the last one first.
    pub fn backwards(&self) -> impl Iterator<Item = &M> {
        std::iter::successors(self.last.as_deref(), |link| link.before.as_deref()).map(|link| &link.mark)
    }
}

impl<M> Default for Trail<M> {
    fn default() -> Self {
        Trail::new()
    }
}

impl<M> Clone for Trail<M> {
    fn clone(&self) -> Self {
        Trail { last: self.last.clone() }
    }
}

impl<M> Drop for Trail<M> {
    /// Link by link: a long path must not need a deep stack.
    fn drop(&mut self) {
        let mut link = self.last.take();
        while let Some(mut inner) = link.and_then(|link| Rc::try_unwrap(link).ok()) {
            link = inner.before.take();
        }
    }
}
