//! What one call of a compiler, archiver or linker does: which files it compiles, and what it puts together.

use crate::database::Call;
use crate::words::expand;
use crate::{Cause, NotAnalysed};
use std::path::{Component, Path, PathBuf};

/// One compilation of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compile {
    /// The source, as an absolute path.
    pub source: PathBuf,
    /// Where the compiler was started.
    pub directory: PathBuf,
    /// The options, without inputs and output.
    pub options: Vec<String>,
    /// The object that is made; objects that are never seen have a name of their own.
    pub object: PathBuf,
}

/// What is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LinkKind {
    /// A program.
    Program,
    /// A shared library, or objects that become one object.
    Library,
    /// An archive.
    Archive,
}

/// A program or library, and what it is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// What it is.
    pub kind: LinkKind,
    /// The file that is made.
    pub output: PathBuf,
    /// Objects, archives and shared libraries, in order.
    pub inputs: Vec<PathBuf>,
    /// Names after `-l`.
    pub libraries: Vec<String>,
    /// Folders after `-L`.
    pub folders: Vec<PathBuf>,
}

/// What a call does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Files that it compiles.
    pub compiles: Vec<Compile>,
    /// What it puts together.
    pub link: Option<Link>,
    /// What cannot be analysed.
    pub not_analysed: Vec<NotAnalysed>,
    /// A file that is moved, copied or linked to another place: from, to.
    pub moved: Option<(PathBuf, PathBuf)>,
}

/// Programs that start a compiler.
const WRAPPERS: [&str; 6] = ["ccache", "sccache", "distcc", "icecc", "gomacc", "buildcache"];
/// Options of compilers whose value is the next word.
const WITH_VALUE: [&str; 33] = [
    "-include",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-imacros",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-Xclang",
    "-Xpreprocessor",
    "-Xlinker",
    "-Xassembler",
    "-mllvm",
    "-target",
    "-arch",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-T",
    "-u",
    "-z",
    "-I",
    "-D",
    "-U",
    "-F",
    "--param",
    "-aux-info",
    "-e",
    "-rpath",
    "-dumpdir",
];
/// Options that change what a program means, and that clang does not have.
const CHANGE_MEANING: [&str; 4] = ["-funsigned-bitfields", "-fplan9-extensions", "-fsso-struct=", "-mx32"];

/// What a program on a line of a build is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Program {
    /// A compiler of C; for another machine than ours, its name.
    Compiler {
        other_machine: Option<String>,
    },
    /// A compiler of another language.
    OtherLanguage,
    Archiver,
    Linker,
    /// Puts a file at another place.
    Mover,
    Other,
}

/// Says what a call does. `Err` is what is wrong with all of it.
pub fn understand(call: &Call) -> Result<Done, String> {
    let words = expand(&call.arguments, &call.directory)?;
    let words = without_wrappers(&words);
    let Some((program, words)) = words.split_first() else { return Err("its command is empty".to_owned()) };
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    match kind(&name) {
        Program::Archiver => Ok(Done { link: archive(words, &call.directory), ..Done::default() }),
        Program::Mover => Ok(Done { moved: moved(&name, words, &call.directory), ..Done::default() }),
        Program::Linker => {
            let mut line = Line::of(words, call);
            line.links = true;
            Ok(Done { link: line.link(&call.directory), ..Done::default() })
        }
        // An entry of a database says itself that it compiles a file.
        Program::Other if call.file.is_none() => Ok(Done::default()),
        Program::OtherLanguage => {
            Ok(Line::of(words, call).done(call, Some((Cause::OtherLanguage, "it is compiled as C++"))))
        }
        Program::Compiler { other_machine: Some(machine) } => {
            let why = format!("it is compiled for another machine ({machine})");
            Ok(Line::of(words, call).done(call, Some((Cause::OtherCompiler, &why))))
        }
        Program::Compiler { other_machine: None } | Program::Other => {
            Ok(Line::of(words, call).done(call, None))
        }
    }
}

fn without_wrappers(mut words: &[String]) -> &[String] {
    while let [first, rest @ ..] = words {
        let name = Path::new(first).file_name().unwrap_or_default().to_string_lossy();
        let next_is_program = rest.first().is_some_and(|word| !word.starts_with('-'));
        if !(WRAPPERS.contains(&name.as_ref()) && next_is_program) {
            break;
        }
        words = rest;
    }
    words
}

/// True for names of compilers, archivers and linkers.
pub fn is_tool(name: &str) -> bool {
    kind(name) != Program::Other
}

/// What a program is, by its name: `x86_64-linux-gnu-gcc-12` is a compiler.
fn kind(name: &str) -> Program {
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').trim_end_matches('-');
    let (machine, plain) = match unversioned.rsplit_once('-') {
        Some((machine, last)) => (Some(machine), last),
        None => (None, unversioned),
    };
    let is_ours = |machine: &str| {
        let names =
            ["x86_64", "amd64", "i386", "i486", "i586", "i686", "llvm", "gcc", "afl", "musl", "c89", "c99"];
        let others = ["mingw", "cygwin", "windows", "apple", "elf"];
        names.iter().any(|start| machine.starts_with(start))
            && !others.iter().any(|part| machine.contains(part))
    };
    match plain {
        "cc" | "gcc" | "clang" | "tcc" | "icc" | "icx" | "pcc" | "c89" | "c99" => {
            let other_machine = machine.filter(|machine| !is_ours(machine)).map(str::to_owned);
            Program::Compiler { other_machine }
        }
        "c++" | "g++" | "clang++" | "gfortran" | "nvcc" | "cc1plus" => Program::OtherLanguage,
        "ar" => Program::Archiver,
        "ld" | "lld" | "gold" | "mold" | "ld.bfd" | "ld.gold" | "ld.lld" => Program::Linker,
        "mv" | "cp" | "ln" | "install" if unversioned == plain => Program::Mover,
        _ => Program::Other,
    }
}

/// `mv a.o b.lo`: from where and to where an object, archive or library goes.
fn moved(name: &str, words: &[String], folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let mut files = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-m" | "-o" | "-g" | "-S" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            file => files.push(file),
        }
    }
    let [from, to] = files.as_slice() else { return None };
    let mut place = absolute(folder, to);
    if to.ends_with('/') || place.is_dir() {
        place.push(Path::new(from).file_name()?);
    }
    // A symbolic link is relative to its own place.
    let start = if name == "ln" { place.parent()? } else { folder };
    let from = absolute(start, from);
    (is_made(&from) || is_made(&place)).then_some((from, place))
}

/// True for names of objects, archives and libraries.
fn is_made(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.contains(".so.") || [".o", ".lo", ".obj", ".a", ".so"].iter().any(|end| name.ends_with(end))
}

/// True for calls that say how programs are made; programs that move other files do not.
pub fn is_worth_recording(call: &Call) -> bool {
    let Some((program, words)) = call.arguments.split_first() else { return false };
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    kind(&name) != Program::Mover || moved(&name, words, &call.directory).is_some()
}

/// `ar rcs lib.a a.o b.o`: what goes in. Nothing if it only lists or takes out.
fn archive(words: &[String], folder: &Path) -> Option<Link> {
    let mut words = words.iter().filter(|word| !word.starts_with("--"));
    let letters = words.next()?.trim_start_matches('-');
    if !letters.contains(['r', 'q']) {
        return None;
    }
    // `a`, `b` and `i` name a member first.
    if letters.contains(['a', 'b', 'i']) {
        words.next()?;
    }
    let output = absolute(folder, words.next()?);
    let inputs = words.map(|word| absolute(folder, word)).collect();
    Some(Link { kind: LinkKind::Archive, output, inputs, libraries: Vec::new(), folders: Vec::new() })
}

/// The language of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Other,
    Object,
}

/// A line of a compiler, taken apart.
#[derive(Default)]
struct Line {
    inputs: Vec<(PathBuf, Language)>,
    options: Vec<String>,
    output: Option<PathBuf>,
    libraries: Vec<String>,
    folders: Vec<PathBuf>,
    links: bool,
    makes_library: bool,
    /// Only preprocesses or lists dependencies.
    compiles_nothing: bool,
    other_machine: Option<String>,
}

impl Line {
    fn of(words: &[String], call: &Call) -> Line {
        let mut line = Line { links: true, ..Line::default() };
        let mut language = None;
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "-c" | "-S" | "-fsyntax-only" => line.links = false,
                "-E" | "-M" | "-MM" => line.compiles_nothing = true,
                "-shared" | "--shared" | "-r" | "-bundle" | "-dynamiclib" => line.makes_library = true,
                "-o" => line.output = words.next().map(|name| absolute(&call.directory, name)),
                "-x" => language = words.next().cloned(),
                "-l" => line.libraries.extend(words.next().cloned()),
                "-L" => line.folders.extend(words.next().map(|folder| absolute(&call.directory, folder))),
                "-" => {}
                option if WITH_VALUE.contains(&option) => {
                    if matches!(option, "-target" | "--target" | "-arch") {
                        line.machine(words.as_slice().first());
                    }
                    line.options.push(word.clone());
                    line.options.extend(words.next().cloned());
                }
                option if option.starts_with('-') => line.option(option, &mut language, &call.directory),
                input => {
                    let path = absolute(&call.directory, input);
                    let language = language_of(&path, language.as_deref());
                    line.inputs.push((path, language));
                }
            }
        }
        line.only_the_file_of(call, language.as_deref());
        line
    }

    fn option(&mut self, option: &str, language: &mut Option<String>, folder: &Path) {
        if let Some(name) = option.strip_prefix("-o") {
            self.output = Some(absolute(folder, name));
        } else if let Some(name) = option.strip_prefix("-l") {
            self.libraries.push(name.to_owned());
        } else if let Some(place) = option.strip_prefix("-L") {
            self.folders.push(absolute(folder, place));
        } else if let Some(name) = option.strip_prefix("-x") {
            *language = Some(name.to_owned());
        } else {
            if let Some(machine) = option.strip_prefix("--target=") {
                self.machine(Some(&machine.to_owned()));
            }
            self.options.push(option.to_owned());
        }
    }

    fn machine(&mut self, name: Option<&String>) {
        let is_ours = |name: &&String| {
            ["x86_64", "amd64", "i386", "i486", "i586", "i686"].iter().any(|start| name.starts_with(start))
                && !name.contains("windows")
                && !name.contains("apple")
        };
        self.other_machine = name.filter(|name| !is_ours(name)).cloned();
    }

    /// An entry of a database is about one file, which need not be on its line in the same spelling.
    fn only_the_file_of(&mut self, call: &Call, language: Option<&str>) {
        let Some(file) = &call.file else { return };
        let wanted = absolute(&call.directory, &file.to_string_lossy());
        let is_wanted = |path: &Path| same(path, &wanted);
        if !self.inputs.iter().any(|(path, _)| is_wanted(path)) {
            let language = language_of(&wanted, language);
            self.inputs.push((wanted, language));
        }
    }

    /// What the line does; `obstacle` says why none of its files can be analysed.
    fn done(self, call: &Call, obstacle: Option<(Cause, &str)>) -> Done {
        let mut done = Done::default();
        if self.compiles_nothing {
            return done;
        }
        let machine =
            self.other_machine.as_ref().map(|name| format!("it is compiled for another machine ({name})"));
        let machine = machine.as_deref().map(|why| (Cause::OtherCompiler, why));
        let changed =
            self.options.iter().find(|option| CHANGE_MEANING.iter().any(|start| option.starts_with(start)));
        let changed =
            changed.map(|option| format!("`{option}` changes what it means, and clang does not know it"));
        let changed = changed.as_deref().map(|why| (Cause::OtherCompiler, why));
        let obstacle = obstacle.or(machine).or(changed);
        let sources: Vec<_> =
            self.inputs.iter().filter(|(_, language)| *language != Language::Object).collect();
        for (source, language) in &sources {
            let not_c = (*language == Language::Other).then_some((Cause::OtherLanguage, "it is not C"));
            if let Some((cause, why)) = not_c.or(obstacle) {
                done.not_analysed.push(NotAnalysed {
                    cause,
                    subject: source.display().to_string(),
                    reason: why.to_owned(),
                    accepted: false,
                });
                continue;
            }
            let object = match (&self.output, &call.output) {
                _ if self.links => unseen(self.output.as_deref(), source),
                (Some(output), _) if sources.len() == 1 => output.clone(),
                (None, Some(output)) => absolute(&call.directory, &output.to_string_lossy()),
                _ => call.directory.join(source.file_stem().unwrap_or_default()).with_extension("o"),
            };
            done.compiles.push(Compile {
                source: source.clone(),
                directory: call.directory.clone(),
                options: self.options.clone(),
                object,
            });
        }
        done.link = self.link(&call.directory);
        done
    }

    fn link(&self, folder: &Path) -> Option<Link> {
        if !self.links || self.inputs.is_empty() {
            return None;
        }
        let output = self.output.clone().unwrap_or_else(|| folder.join("a.out"));
        let place = self.output.as_deref();
        let inputs = self.inputs.iter().map(|(path, language)| match language {
            Language::Object => path.clone(),
            _ => unseen(place, path),
        });
        Some(Link {
            kind: if self.makes_library { LinkKind::Library } else { LinkKind::Program },
            output,
            inputs: inputs.collect(),
            libraries: self.libraries.clone(),
            folders: self.folders.clone(),
        })
    }
}

/// The name of an object that a compiler makes and removes while it links.
fn unseen(output: Option<&Path>, source: &Path) -> PathBuf {
    let output = output.unwrap_or(Path::new("a.out")).display();
    PathBuf::from(format!("{} for {output}", source.display()))
}

fn language_of(path: &Path, given: Option<&str>) -> Language {
    match given {
        Some("c" | "cpp-output") => return Language::C,
        Some("none") | None => {}
        Some(_) => return Language::Other,
    }
    match path.extension().and_then(|e| e.to_str()) {
        Some("c" | "i") => Language::C,
        Some("o" | "lo" | "obj" | "a" | "so" | "la" | "lib" | "ld" | "lds" | "map" | "ver") => {
            Language::Object
        }
        Some(e) if e.bytes().all(|b| b.is_ascii_digit()) => Language::Object,
        Some(
            "cc" | "cpp" | "cxx" | "C" | "c++" | "m" | "mm" | "s" | "S" | "f" | "f90" | "ii" | "d" | "cu",
        ) => Language::Other,
        Some(_) | None => Language::Object,
    }
}

/// A path from a folder, without `.` and `..`. Links are not followed: names stay those of the build.
pub fn absolute(folder: &Path, name: &str) -> PathBuf {
    normal(&folder.join(name))
}

/// The path without `.` and `..`.
pub fn normal(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(result.components().next_back(), Some(Component::Normal(_))) => {
                result.pop();
            }
            part => result.push(part),
        }
    }
    result
}

fn same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn done(line: &str) -> Done {
        let arguments = line.split(' ').map(str::to_owned).collect();
        understand(&Call { directory: "/b".into(), arguments, file: None, output: None }).unwrap()
    }

    #[test]
    fn a_compilation() {
        let done =
            done("ccache x86_64-linux-gnu-gcc-12 -Wall -I ../inc -DX=1 -c -o o/a.o ../src/a.c -MF a.d -lm");
        let [compile] = done.compiles.as_slice() else { panic!("{done:?}") };
        assert_eq!(compile.source, Path::new("/src/a.c"));
        assert_eq!(compile.object, Path::new("/b/o/a.o"));
        assert_eq!(compile.options, ["-Wall", "-I", "../inc", "-DX=1", "-MF", "a.d"]);
        assert_eq!(done.link, None);
    }

    #[test]
    fn compiling_and_linking_at_once() {
        let done = done("cc -O2 a.c b.o lib/libx.a -Llib -ly -o prog");
        assert_eq!(done.compiles.len(), 1);
        let link = done.link.unwrap();
        assert_eq!((link.kind, link.output.as_path()), (LinkKind::Program, Path::new("/b/prog")));
        assert_eq!(link.inputs, [done.compiles[0].object.clone(), "/b/b.o".into(), "/b/lib/libx.a".into()]);
        assert_eq!((link.libraries, link.folders), (vec!["y".to_owned()], vec![PathBuf::from("/b/lib")]));
    }

    #[test]
    fn archives() {
        let link = done("gcc-ar crs libx.a a.o b.o").link.unwrap();
        assert_eq!((link.kind, link.inputs.len()), (LinkKind::Archive, 2));
        assert_eq!(done("ar t libx.a").link, None);
        assert_eq!(done("ranlib libx.a"), Done::default());
    }

    #[test]
    fn objects_that_are_moved() {
        let moved = |line| done(line).moved.map(|(from, to)| format!("{} {}", from.display(), to.display()));
        assert_eq!(moved("mv -f objs/a.o a.lo").unwrap(), "/b/objs/a.o /b/a.lo");
        assert_eq!(moved("ln -s libz.so.1 lib/libz.so").unwrap(), "/b/lib/libz.so.1 /b/lib/libz.so");
        assert_eq!(moved("install -m 644 libz.a out/").unwrap(), "/b/libz.a /b/out/libz.a");
        assert_eq!(moved("cp a.c b.c"), None);
        assert_eq!(moved("mv a.o b.o c"), None);
    }

    #[test]
    fn what_is_no_compilation() {
        assert_eq!(done("gcc -E a.c"), Done::default());
        assert_eq!(done("gcc -MM a.c"), Done::default());
        assert_eq!(done("echo a.c"), Done::default());
        assert_eq!(done("gcc --version").compiles, []);
    }

    #[test]
    fn what_is_not_c_or_for_another_machine_is_listed() {
        let causes = |line| done(line).not_analysed.iter().map(|entry| entry.cause).collect::<Vec<_>>();
        assert_eq!(causes("g++ -c a.cpp"), [Cause::OtherLanguage]);
        assert_eq!(causes("gcc -c a.S"), [Cause::OtherLanguage]);
        assert_eq!(causes("gcc -x c++ -c a.c"), [Cause::OtherLanguage]);
        assert_eq!(causes("arm-none-eabi-gcc -c a.c"), [Cause::OtherCompiler]);
        assert_eq!(causes("clang --target=riscv64-linux -c a.c"), [Cause::OtherCompiler]);
        assert_eq!(causes("gcc -funsigned-bitfields -c a.c"), [Cause::OtherCompiler]);
        assert_eq!(causes("x86_64-w64-mingw32-gcc -c a.c"), [Cause::OtherCompiler]);
        assert!(causes("i686-linux-gnu-gcc -c a.c").is_empty());
        assert!(causes("c99-gcc -c a.c").is_empty());
    }

    #[test]
    fn an_entry_is_about_its_file() {
        let call = Call {
            directory: "/b".into(),
            arguments: vec!["tool".into(), "-DX".into(), "-c".into()],
            file: Some("a.c".into()),
            output: Some("x/a.o".into()),
        };
        let done = understand(&call).unwrap();
        assert_eq!(done.compiles[0].source, Path::new("/b/a.c"));
        assert_eq!(done.compiles[0].object, Path::new("/b/x/a.o"));
    }
}
