//! Work on all processors.

use std::num::NonZero;
use std::sync::Mutex;

/// Does something with each item.
pub fn in_parallel<T: Send>(items: impl IntoIterator<Item = T, IntoIter: Send>, work: impl Fn(T) + Sync) {
    let queue = Mutex::new(items.into_iter());
    let next = || queue.lock().expect("nobody fails while taking one").next();
    let threads = std::thread::available_parallelism().map_or(2, NonZero::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = next() {
                    work(item);
                }
            });
        }
    });
}
