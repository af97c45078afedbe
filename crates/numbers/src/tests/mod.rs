//! Laws by brute force on small widths.

mod relations;
mod single;
mod systems;
