//! Links the few LLVM libraries that reading bitcode needs, statically.
//!
//! Linking `libLLVM.so` would cost every start of the program about 12 ms of symbol relocation, half of what
//! clang itself takes on a small file; the static parts cost nothing measurable and 4 MB.

use std::path::{Path, PathBuf};
use std::process::Command;

const COMPONENTS: [&str; 4] = ["core", "bitreader", "linker", "target"];

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    let prefix = std::env::var_os("LLVM_SYS_191_PREFIX")
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-19"), PathBuf::from);
    let config = prefix.join("bin/llvm-config");
    let libs = llvm_config(&config, &["--link-static", "--libs"], &COMPONENTS);
    let libdir = llvm_config(&config, &["--libdir"], &[]);
    println!("cargo:rustc-link-search=native={}", libdir.trim());
    for lib in libs.split_whitespace() {
        println!("cargo:rustc-link-lib=static={}", lib.trim_start_matches("-l"));
    }
    for lib in ["stdc++", "z", "zstd"] {
        println!("cargo:rustc-link-lib=dylib={lib}");
    }
}

fn llvm_config(config: &Path, flags: &[&str], components: &[&str]) -> String {
    let output = Command::new(config).args(flags).args(components).output();
    match output {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => {
            println!(
                "cargo:warning=LLVM 19 was not found at {} (run `make setup`, or set LLVM_SYS_191_PREFIX)",
                config.display()
            );
            std::process::exit(1);
        }
    }
}
