//! Calls of the operating system about terminals, sockets, paths at a directory, users, limits and processes, and what the parts of
//! the library ask of the environment.

use crate::Scalar::{self, Ptr, Void};
use crate::effect::{Content, Field, LibraryObject, Passing};
use crate::kind::ModelKind;
use crate::{Amount, Answers, Extent, Model, ResultOf};

const SIZE: Scalar = Scalar::SIZE;
const INT: Scalar = Scalar::INT;
const UINT: Scalar = Scalar::UINT;
const LONG: Scalar = Scalar::LONG;
const MOST: i64 = i32::MAX as i64;
/// Two words: `struct timeval`, `struct timespec`, `struct utimbuf`.
const PAIR: Extent = Extent::Sizes(16, 8);
/// Two times.
const PAIRS: Extent = Extent::Sizes(32, 16);
/// `struct termios`.
const TERMIOS: Extent = Extent::Bytes(60);

pub(crate) fn models() -> Vec<Model> {
    let mut all = statuses();
    all.extend(numbers());
    all.extend(structures());
    all.extend(sockets());
    all.extend(descriptors());
    all.extend(names());
    all.extend(for_parts());
    all
}

/// Functions that read strings and give 0 or -1.
fn statuses() -> Vec<Model> {
    let doc = "Reads the paths and gives 0 or -1.";
    let mut all = Vec::new();
    for (name, params) in [
        ("unlinkat", &[INT, Ptr, INT][..]),
        ("mkdirat", &[INT, Ptr, UINT]),
        ("mkfifoat", &[INT, Ptr, UINT]),
        ("faccessat", &[INT, Ptr, INT, INT]),
        ("fchmodat", &[INT, Ptr, UINT, INT]),
        ("fchownat", &[INT, Ptr, UINT, UINT, INT]),
        ("linkat", &[INT, Ptr, INT, Ptr, INT]),
        ("symlinkat", &[Ptr, INT, Ptr]),
        ("renameat", &[INT, Ptr, INT, Ptr]),
        ("lchmod", &[Ptr, UINT]),
        ("initgroups", &[Ptr, UINT]),
        ("flock", &[INT, INT]),
        ("tcflush", &[INT, INT]),
        ("tcdrain", &[INT]),
        ("tcflow", &[INT, INT]),
        ("tcsendbreak", &[INT, INT]),
        ("tcsetpgrp", &[INT, INT]),
        ("setpgid", &[INT, INT]),
        ("setuid", &[UINT]),
        ("setgid", &[UINT]),
        ("seteuid", &[UINT]),
        ("setegid", &[UINT]),
        ("setreuid", &[UINT, UINT]),
        ("setregid", &[UINT, UINT]),
        ("killpg", &[INT, INT]),
        ("setpriority", &[INT, UINT, INT]),
        ("daemon", &[INT, INT]),
        ("listen", &[INT, INT]),
        ("shutdown", &[INT, INT]),
    ] {
        let model = Model::effect(name, INT, params, doc).may_give(-1).gives(ResultOf::Number(0));
        let strings = params.iter().enumerate().filter(|(_, ty)| **ty == Ptr);
        all.push(strings.fold(model, |model, (arg, _)| model.reads(arg, Extent::Nul)));
    }
    let advice = "0 or the number of an error.";
    for name in ["posix_fadvise", "posix_fallocate"] {
        let params = if name == "posix_fadvise" { &[INT, LONG, LONG, INT][..] } else { &[INT, LONG, LONG] };
        all.push(Model::effect(name, INT, params, advice).gives(ResultOf::Between(0, 133)));
    }
    all
}

/// Functions that give any number of a range.
fn numbers() -> Vec<Model> {
    let doc = "Any value of its range.";
    let mut all = Vec::new();
    for (name, result, params, low, high) in [
        ("vfork", INT, &[][..], -1, 1 << 22),
        ("setsid", INT, &[], -1, 1 << 22),
        ("getpgrp", INT, &[], 0, 1 << 22),
        ("getpgid", INT, &[INT], -1, 1 << 22),
        ("getsid", INT, &[INT], -1, 1 << 22),
        ("tcgetpgrp", INT, &[INT], -1, MOST),
        ("nice", INT, &[INT], -20, 19),
        ("getpriority", INT, &[INT, UINT], -20, 20),
        ("sched_get_priority_min", INT, &[INT], -1, 99),
        ("sched_get_priority_max", INT, &[INT], -1, 99),
        ("getdtablesize", INT, &[], 0, MOST),
        ("socket", INT, &[INT, INT, INT], -1, MOST),
        ("epoll_create", INT, &[INT], -1, MOST),
        ("epoll_create1", INT, &[INT], -1, MOST),
        ("inotify_init", INT, &[], -1, MOST),
    ] {
        all.push(Model::effect(name, result, params, doc).gives(ResultOf::Between(low, high)));
    }
    // Linux on these processors has pages of 4096 bytes.
    let page = "4096 on this target.";
    all.push(Model::effect("getpagesize", INT, &[], page).gives(ResultOf::Number(4096)));
    all.push(Model::effect("fpathconf", LONG, &[INT, INT], "-1 or any number.").gives(ResultOf::AtLeast(-1)));
    let pathconf = Model::effect("pathconf", LONG, &[Ptr, INT], "Reads the path; -1 or any number.");
    all.push(pathconf.reads(0, Extent::Nul).gives(ResultOf::AtLeast(-1)));
    let any = "Any number.";
    for (name, result, params) in [
        ("arc4random", UINT, &[][..]),
        ("getauxval", SIZE, &[SIZE]),
        ("gethostid", LONG, &[]),
        ("pthread_self", SIZE, &[]),
    ] {
        let model = Model::effect(name, result, params, any).gives(ResultOf::Input);
        all.push(if name == "arc4random" { model } else { model.answers(Answers::Steady) });
    }
    let nothing = "Has no effect that matters here.";
    for name in ["tzset", "endpwent", "setpwent", "endgrent", "setgrent"] {
        all.push(Model::effect(name, Void, &[], nothing));
    }
    all
}

/// Functions that fill in or read a structure of a fixed size.
fn structures() -> Vec<Model> {
    let filled = "0, or -1; fills in any numbers.";
    let mut all = Vec::new();
    for (name, params, arg, size) in [
        ("getrusage", &[INT, Ptr][..], 1, Extent::Sizes(144, 72)),
        ("sysinfo", &[Ptr], 0, Extent::Sizes(112, 64)),
        ("statvfs", &[Ptr, Ptr], 1, Extent::Sizes(112, 72)),
        ("fstatvfs", &[INT, Ptr], 1, Extent::Sizes(112, 72)),
        ("statfs", &[Ptr, Ptr], 1, Extent::Sizes(120, 64)),
        ("fstatfs", &[INT, Ptr], 1, Extent::Sizes(120, 64)),
        ("tcgetattr", &[INT, Ptr], 1, TERMIOS),
        ("getitimer", &[INT, Ptr], 1, PAIRS),
    ] {
        let model = Model::effect(name, INT, params, filled).writes(arg, size);
        let model = if params[0] == Ptr && arg == 1 { model.reads(0, Extent::Nul) } else { model };
        all.push(model.may_give(-1).gives(ResultOf::Number(0)));
    }
    all.push(
        Model::effect("fstatat", INT, &[INT, Ptr, Ptr, INT], "Fills in what is known about a file.")
            .reads(1, Extent::Nul)
            .fills(2, Extent::Sizes(144, 88), crate::files::STAT_FIELDS)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    let read = "Reads the arguments and gives 0 or -1.";
    all.push(
        Model::effect("tcsetattr", INT, &[INT, INT, Ptr], read)
            .reads(2, TERMIOS)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    for (name, params, path, times, size) in [
        ("utime", &[Ptr, Ptr][..], Some(0), 1, PAIR),
        ("utimes", &[Ptr, Ptr], Some(0), 1, PAIRS),
        ("lutimes", &[Ptr, Ptr], Some(0), 1, PAIRS),
        ("futimes", &[INT, Ptr], None, 1, PAIRS),
        ("futimens", &[INT, Ptr], None, 1, PAIRS),
        ("utimensat", &[INT, Ptr, Ptr, INT], Some(1), 2, PAIRS),
    ] {
        let model = Model::effect(name, INT, params, read).reads_unless_null(times, size);
        let model = match path {
            Some(path) if name == "utimensat" => model.reads_unless_null(path, Extent::Nul),
            Some(path) => model.reads(path, Extent::Nul),
            None => model,
        };
        all.push(model.may_give(-1).gives(ResultOf::Number(0)));
    }
    all.push(
        Model::effect("clock_settime", INT, &[INT, Ptr], read)
            .reads(1, PAIR)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    all.push(
        Model::effect("times", LONG, &[Ptr], "Any numbers.")
            .writes_unless_null(0, PAIRS)
            .gives(ResultOf::Input),
    );
    all.push(
        Model::effect("wait3", INT, &[Ptr, INT, Ptr], "-1 or any process number.")
            .writes_unless_null(0, Extent::Bytes(4))
            .writes_unless_null(2, Extent::Sizes(144, 72))
            .gives(ResultOf::Between(-1, 1 << 22)),
    );
    all
}

fn sockets() -> Vec<Model> {
    let read = "Reads an address or a value of that size; 0 or -1.";
    let mut all = Vec::new();
    for (name, params, arg, size) in [
        ("bind", &[INT, Ptr, UINT][..], 1, 2),
        ("connect", &[INT, Ptr, UINT], 1, 2),
        ("setsockopt", &[INT, INT, INT, Ptr, UINT], 3, 4),
    ] {
        let model = Model::effect(name, INT, params, read).reads_unless_null(arg, Extent::Arg(size));
        all.push(model.may_give(-1).gives(ResultOf::Number(0)));
    }
    let ends = Content::Fields(&[
        Field { at: (0, 0), bytes: (4, 4), low: (0, 0), high: (MOST, MOST) },
        Field { at: (4, 4), bytes: (4, 4), low: (0, 0), high: (MOST, MOST) },
    ]);
    all.push(
        Model::effect("socketpair", INT, &[INT, INT, INT, Ptr], "0 or -1; two descriptors are stored.")
            .fills(3, Extent::Bytes(8), ends)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    let sent = "Reads n bytes and sends them, or a part of them, or gives -1.";
    for (name, params) in [
        ("send", &[INT, Ptr, SIZE, INT][..]),
        ("sendto", &[INT, Ptr, SIZE, INT, Ptr, UINT]),
        ("pwrite", &[INT, Ptr, SIZE, LONG]),
    ] {
        let model = Model::effect(name, LONG, params, sent).reads(1, Extent::Arg(2));
        let model = if name == "sendto" { model.reads_unless_null(4, Extent::Arg(5)) } else { model };
        all.push(model.may_give(-1).gives(ResultOf::UpTo(2)));
    }
    all
}

fn descriptors() -> Vec<Model> {
    let mut all = vec![
        Model::effect("pread", LONG, &[INT, Ptr, SIZE, LONG], "-1, or writes at most n bytes of input.")
            .stores(1, Amount::Bytes(2))
            .may_give(-1)
            .gives(ResultOf::Count),
        Model::effect("readlinkat", LONG, &[INT, Ptr, Ptr, SIZE], "-1, or at most n bytes without a NUL.")
            .reads(1, Extent::Nul)
            .stores(2, Amount::Bytes(3))
            .may_give(-1)
            .gives(ResultOf::Count),
    ];
    let mut openat = Model::effect("openat", INT, &[INT, Ptr, INT], "Reads the path; -1 or a descriptor.")
        .reads(1, Extent::Nul)
        .gives(ResultOf::Between(-1, MOST));
    openat.variadic = true;
    all.push(openat);
    let ends = Content::Rising(&[
        Field { at: (0, 0), bytes: (4, 4), low: (0, 0), high: (MOST - 1, MOST - 1) },
        Field { at: (4, 4), bytes: (4, 4), low: (1, 1), high: (MOST, MOST) },
    ]);
    let doc = "0 or -1; two descriptors are stored, the greater one second.";
    all.push(
        Model::effect("pipe2", INT, &[Ptr, INT], doc)
            .fills(0, Extent::Bytes(8), ends)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    let doc = "Fills n bytes with any numbers.";
    all.push(Model::effect("arc4random_buf", Void, &[Ptr, SIZE], doc).writes(0, Extent::Arg(1)));
    all.push(
        Model::effect("getentropy", INT, &[Ptr, SIZE], doc)
            .writes(0, Extent::Arg(1))
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    all
}

static TERMINAL: LibraryObject = LibraryObject {
    name: "the name of a terminal",
    size: (4096, 4096),
    content: Content::Text,
    single: true,
};
static CONTROLLING: LibraryObject = LibraryObject {
    name: "the name of the controlling terminal",
    size: (16, 16),
    content: Content::LongText(1),
    single: true,
};

fn names() -> Vec<Model> {
    let place = "Replaces the last six characters of the string; -1 or a descriptor.";
    vec![
        Model::effect("mkostemp", INT, &[Ptr, INT], place)
            .fills(0, Extent::Nul, Content::LastCharacters(6))
            .may_give(-1)
            .gives(ResultOf::Between(0, MOST)),
        Model::effect("ttyname", Ptr, &[INT], "Null or any name.")
            .may_give(0)
            .gives(ResultOf::Object(&TERMINAL)),
        Model::effect("ctermid", Ptr, &[Ptr], "The name of the terminal, in the area if there is one.")
            .fills_unless_null(0, Extent::Bytes(9), Content::Text)
            .gives(ResultOf::IntoArgOr(0, &CONTROLLING)),
        Model::effect("ttyname_r", INT, &[INT, Ptr, SIZE], "0 and any name, or the number of an error.")
            .fills(1, Extent::Arg(2), Content::Text)
            .may_give(25)
            .gives(ResultOf::Number(0)),
        // POSIX leaves open whether a name that does not fit is terminated; glibc fails then.
        Model::effect("gethostname", INT, &[Ptr, SIZE], "0 and any name, or -1.")
            .fills(0, Extent::Arg(1), Content::Text)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
        Model::effect("getdomainname", INT, &[Ptr, SIZE], "0 and any name, or -1.")
            .fills(0, Extent::Arg(1), Content::Text)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    ]
}

macro_rules! kept_text {
    ($text:ident, $place:ident, $passing:ident, $name:literal) => {
        static $text: LibraryObject = LibraryObject {
            name: concat!("the ", $name),
            size: (1 << 16, 1 << 16),
            content: Content::Text,
            single: false,
        };
        static $place: LibraryObject = LibraryObject {
            name: concat!("the place of the ", $name),
            size: (8, 4),
            content: Content::Any,
            single: true,
        };
        static $passing: Passing = Passing { text: &$text, translated: &$text, place: &$place };
    };
}

kept_text!(USER, USER_PLACE, USER_KEPT, "name of an account");
kept_text!(SECRET, SECRET_PLACE, SECRET_KEPT, "password of an account");
kept_text!(PERSON, PERSON_PLACE, PERSON_KEPT, "person of an account");
kept_text!(HOME, HOME_PLACE, HOME_KEPT, "home of an account");
kept_text!(SHELL, SHELL_PLACE, SHELL_KEPT, "shell of an account");
kept_text!(GROUP, GROUP_PLACE, GROUP_KEPT, "name of a group");

static MESSAGE: LibraryObject = LibraryObject {
    name: "a text of the library",
    size: (1 << 12, 1 << 12),
    content: Content::Text,
    single: false,
};

/// What the parts of the library that are written in C ask of the environment.
fn for_parts() -> Vec<Model> {
    let doc = "A text of the system, which the next call may end.";
    let mut all = Vec::new();
    for (name, kept) in [
        ("the name of an account", &USER_KEPT),
        ("the password of an account", &SECRET_KEPT),
        ("the person of an account", &PERSON_KEPT),
        ("the home of an account", &HOME_KEPT),
        ("the shell of an account", &SHELL_KEPT),
        ("the name of a group", &GROUP_KEPT),
    ] {
        all.push(Model::effect(name, Ptr, &[], doc).gives(ResultOf::Passing(kept)));
    }
    all.push(Model::effect("a text of the library", Ptr, &[], doc).gives(ResultOf::Object(&MESSAGE)));
    let doc = "1 if the engine knows the number: then the part computes with it, otherwise it answers with anything.";
    all.push(Model::new("whether a number is known", ModelKind::IsKnown, INT, &[LONG], doc));
    let doc = "Fills n bytes with any content.";
    all.push(Model::effect("the kernel", Void, &[Ptr, SIZE], doc).writes(0, Extent::Arg(1)));
    let doc = "Reads n bytes.";
    all.push(Model::effect("the system", Void, &[Ptr, SIZE], doc).reads(0, Extent::Arg(1)));
    let doc = "Fills n bytes with a string that ends there.";
    all.push(Model::effect("the C library", Void, &[Ptr, SIZE], doc).fills(0, Extent::Arg(1), Content::Text));
    let doc = "A descriptor, or -1.";
    all.push(Model::effect("any descriptor", INT, &[], doc).gives(ResultOf::Between(-1, MOST)));
    let doc = "0, or -1 with any reason.";
    all.push(Model::effect("any status", INT, &[], doc).may_give(-1).gives(ResultOf::Number(0)));
    all
}
