//! Links the program at a fixed address.
//!
//! It holds clang, whose tables have hundreds of thousands of addresses. To relocate them costs 4 ms at each start, and
//! the program starts itself twice for each file that it compiles.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-link-arg-bins=-no-pie");
}
