//! Compiles `clang.cpp` and `debug.cpp` and links the parts of clang and LLVM that are needed, statically.
//!
//! Linking their shared libraries would cost every start of the program about 25 ms of relocation, which is most of what
//! the program clang takes on a small file. Of the static libraries only what is used is linked: about 60 MB.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What we use of LLVM, and what clang's libraries use of it.
const COMPONENTS: [&str; 20] = [
    "core",
    "bitreader",
    "bitwriter",
    "linker",
    "target",
    "option",
    "frontendopenmp",
    "frontendhlsl",
    "frontendoffloading",
    "frontenddriver",
    "windowsdriver",
    "targetparser",
    "profiledata",
    "coverage",
    "instrumentation",
    "ipo",
    "coroutines",
    "mcparser",
    "analysis",
    "transformutils",
];

/// The libraries of clang, each before those that it uses.
const CLANG: [&str; 14] = [
    "clangFrontend",
    "clangDriver",
    "clangCodeGen",
    "clangParse",
    "clangSerialization",
    "clangSema",
    "clangAPINotes",
    "clangEdit",
    "clangAnalysis",
    "clangASTMatchers",
    "clangAST",
    "clangSupport",
    "clangLex",
    "clangBasic",
];

fn main() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    println!("cargo:rerun-if-changed=build.rs");
    let prefix = std::env::var_os("LLVM_SYS_191_PREFIX")
        .map_or_else(|| PathBuf::from("/usr/lib/llvm-19"), PathBuf::from);
    println!("cargo:rustc-env=HEAPPROOF_LLVM={}", prefix.display());
    if is_clippy() {
        // Nothing is linked, so nothing needs to be there; and cargo does not share what was built for clippy.
        return;
    }
    let config = prefix.join("bin/llvm-config");
    compile_shim(&prefix, &config);
    let libs = llvm_config(&config, &["--link-static", "--libs"], &COMPONENTS);
    let libdir = llvm_config(&config, &["--libdir"], &[]);
    println!("cargo:rustc-link-search=native={}", libdir.trim());
    for lib in CLANG {
        println!("cargo:rustc-link-lib=static:-bundle={lib}");
    }
    for lib in libs.split_whitespace() {
        println!("cargo:rustc-link-lib=static:-bundle={}", lib.trim_start_matches("-l"));
    }
    for lib in ["stdc++", "z", "zstd"] {
        println!("cargo:rustc-link-lib=dylib={lib}");
    }
}

/// True if only clippy looks at the crate.
fn is_clippy() -> bool {
    let wrapper = std::env::var_os("RUSTC_WORKSPACE_WRAPPER").map(PathBuf::from);
    wrapper.is_some_and(|wrapper| wrapper.file_stem().is_some_and(|name| name == "clippy-driver"))
}

/// What is written in C++, with the flags that LLVM wants.
fn compile_shim(prefix: &Path, config: &Path) {
    const FILES: [&str; 4] =
        ["src/llvm/clang.cpp", "src/llvm/debug.cpp", "src/llvm/effects.cpp", "src/llvm/open.cpp"];
    for file in FILES.iter().chain(&["src/llvm/effects.h", "src/llvm/open.h"]) {
        println!("cargo:rerun-if-changed={file}");
    }
    let include = llvm_config(config, &["--includedir"], &[]);
    if !Path::new(include.trim()).join("clang/Frontend/CompilerInstance.h").is_file() {
        println!(
            "cargo:warning=the libraries of clang 19 were not found (run `make setup`: libclang-19-dev)"
        );
        std::process::exit(1);
    }
    cc::Build::new()
        .cpp(true)
        .compiler(prefix.join("bin/clang++"))
        .files(FILES)
        .include(include.trim())
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        // Their headers have some.
        .flag("-Wno-unused-parameter")
        .debug(false)
        .opt_level(1)
        .compile("heapproof_clang");
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
