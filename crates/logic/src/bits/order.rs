//! The variables that wait for a decision, the most active first: a binary heap that knows where each of them is.

/// Not in the heap.
const NOWHERE: u32 = u32::MAX;

/// See the module.
#[derive(Debug, Default)]
pub struct Order {
    heap: Vec<u32>,
    places: Vec<u32>,
    activity: Vec<f64>,
    increment: f64,
}

impl Order {
    /// One more variable.
    pub fn add(&mut self) {
        if self.increment == 0.0 {
            self.increment = 1.0;
        }
        self.places.push(NOWHERE);
        self.activity.push(0.0);
    }

    /// Forgets which variables wait.
    pub fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.places[var as usize] = NOWHERE;
        }
    }

    /// A variable waits.
    pub fn insert(&mut self, var: u32) {
        if self.places[var as usize] == NOWHERE {
            self.places[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.up(self.heap.len() - 1);
        }
    }

    /// The most active one that waits; it waits no more.
    pub fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        let last = self.heap.pop().expect("there is one");
        self.places[top as usize] = NOWHERE;
        if last != top {
            self.heap[0] = last;
            self.places[last as usize] = 0;
            self.down(0);
        }
        Some(top)
    }

    /// A variable took part in a conflict.
    pub fn bump(&mut self, var: u32) {
        self.activity[var as usize] += self.increment;
        if self.activity[var as usize] > 1e100 {
            self.activity.iter_mut().for_each(|activity| *activity *= 1e-100);
            self.increment *= 1e-100;
        }
        let place = self.places[var as usize];
        if place != NOWHERE {
            self.up(place as usize);
        }
    }

    /// Earlier conflicts count less from now on.
    pub fn decay(&mut self) {
        self.increment /= 0.95;
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn up(&mut self, mut at: usize) {
        let var = self.heap[at];
        while at > 0 {
            let above = (at - 1) / 2;
            if !self.is_before(var, self.heap[above]) {
                break;
            }
            self.put(at, self.heap[above]);
            at = above;
        }
        self.put(at, var);
    }

    fn down(&mut self, mut at: usize) {
        let var = self.heap[at];
        loop {
            let mut below = 2 * at + 1;
            if below >= self.heap.len() {
                break;
            }
            if below + 1 < self.heap.len() && self.is_before(self.heap[below + 1], self.heap[below]) {
                below += 1;
            }
            if !self.is_before(self.heap[below], var) {
                break;
            }
            self.put(at, self.heap[below]);
            at = below;
        }
        self.put(at, var);
    }

    fn put(&mut self, at: usize, var: u32) {
        self.heap[at] = var;
        self.places[var as usize] = at as u32;
    }
}
