//! Where a project's build is described, and its C files if nothing describes it.

use crate::database::{Call, Database};
use std::path::{Path, PathBuf};

/// What `heapproof capture` writes.
pub const RECORD: &str = "heapproof-build.json";
/// What CMake, Meson, bear and others write.
pub const DATABASE: &str = "compile_commands.json";

/// The description of a build in a folder or in its usual build folders.
pub fn database(root: &Path) -> Option<PathBuf> {
    const FOLDERS: [&str; 7] =
        ["", "build", "_build", "builddir", "out", "cmake-build-debug", "cmake-build-release"];
    let places =
        FOLDERS.iter().flat_map(|folder| [RECORD, DATABASE].map(|name| root.join(folder).join(name)));
    places.into_iter().find(|place| place.is_file())
}

/// All C files below a folder, each compiled with folders of headers that are usual. What git ignores is left out.
pub fn all_files(root: &Path) -> Database {
    let mut database = Database::default();
    let includes = [".", "include", "inc", "src"].iter().filter(|name| root.join(name).is_dir());
    let options: Vec<String> = includes.map(|name| format!("-I{}", root.join(name).display())).collect();
    let walk =
        ignore::WalkBuilder::new(root).require_git(false).sort_by_file_name(std::ffi::OsStr::cmp).build();
    for entry in walk.flatten() {
        let is_c = entry.path().extension().is_some_and(|e| e == "c");
        if !is_c || !entry.path().is_file() {
            continue;
        }
        let name = entry.path().display().to_string();
        let object = format!("{name}.o");
        let mut arguments = vec!["cc".to_owned()];
        arguments.extend(options.iter().cloned());
        arguments.extend(["-c".to_owned(), "-o".to_owned(), object, name]);
        database.calls.push(Call { directory: root.to_owned(), arguments, file: None, output: None });
    }
    database
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_git_ignores_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("src/old")).unwrap();
        for name in ["b.c", "src/a.c", "src/old/x.c", "src/a.h"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        std::fs::write(root.join(".gitignore"), "old/\n").unwrap();
        let names: Vec<String> =
            all_files(root).calls.iter().filter_map(|call| call.arguments.last().cloned()).collect();
        assert_eq!(names, ["b.c", "src/a.c"].map(|name| root.join(name).display().to_string()));
        assert_eq!(database(root), None);
        std::fs::create_dir(root.join("build")).unwrap();
        std::fs::write(root.join("build").join(DATABASE), "[]").unwrap();
        assert_eq!(database(root), Some(root.join("build").join(DATABASE)));
    }
}
