//! Streams that the program opens itself, directories, and calls of the operating system on files.

use crate::Scalar::{self, Ptr};
use crate::effect::{Content, Field, LibraryObject, Passing};
use crate::kind::ModelKind;
use crate::{Amount, Answers, Extent, Model, ResultOf, StreamKind, StreamUse};

const SIZE: Scalar = Scalar::SIZE;
const INT: Scalar = Scalar::INT;
const UINT: Scalar = Scalar::UINT;
const MOST: i64 = i32::MAX as i64;

const fn error_text(size: u64) -> LibraryObject {
    let content = Content::LongText(1);
    LibraryObject { name: "the text of an error", size: (size, size), content, single: false }
}
static ERROR_TEXT: LibraryObject = error_text(64);
static TRANSLATED: LibraryObject = error_text(1 << 12);
static TEXT_PLACE: LibraryObject = LibraryObject {
    name: "the place of the text of an error",
    size: (8, 4),
    content: Content::Any,
    single: true,
};
static ERROR: Passing = Passing { text: &ERROR_TEXT, translated: &TRANSLATED, place: &TEXT_PLACE };

/// `struct stat`: a size is not negative.
const STAT: Extent = Extent::Sizes(144, 88);
pub(crate) const STAT_FIELDS: Content =
    Content::Fields(&[Field { at: (48, 44), bytes: (8, 4), low: (0, 0), high: (LARGEST_FILE, MOST) }]);
/// No file is larger: the size and one more is a number of its type.
const LARGEST_FILE: i64 = 1 << 62;

pub(crate) fn models() -> Vec<Model> {
    let mut all = streams();
    all.extend(directories());
    all.extend(calls());
    all.extend(paths());
    all
}

fn calls() -> Vec<Model> {
    let mut all = Vec::new();
    let status = "Reads the paths and gives 0 or -1.";
    // The number of paths in front, then other parameters.
    for (name, paths, others) in [
        ("unlink", 1, &[][..]),
        ("remove", 1, &[]),
        ("rmdir", 1, &[]),
        ("chdir", 1, &[]),
        ("chroot", 1, &[]),
        ("access", 1, &[INT]),
        ("mkdir", 1, &[UINT]),
        ("mkfifo", 1, &[UINT]),
        ("chmod", 1, &[UINT]),
        ("chown", 1, &[UINT, UINT]),
        ("lchown", 1, &[UINT, UINT]),
        ("mknod", 1, &[UINT, Scalar::ULLONG]),
        ("truncate", 1, &[Scalar::LONG]),
        ("rename", 2, &[]),
        ("link", 2, &[]),
        ("symlink", 2, &[]),
        ("fchmod", 0, &[INT, UINT]),
        ("fchown", 0, &[INT, UINT, UINT]),
        ("fchdir", 0, &[INT]),
        ("fsync", 0, &[INT]),
        ("fdatasync", 0, &[INT]),
        ("ftruncate", 0, &[INT, Scalar::LONG]),
    ] {
        let params: Vec<Scalar> = [Ptr, Ptr][..paths].iter().chain(others).copied().collect();
        let model = Model::effect(name, INT, &params, status).may_give(-1).gives(ResultOf::Number(0));
        all.push((0..paths).fold(model, |model, arg| model.reads(arg, Extent::Nul)));
    }
    for (name, result, params, low, high) in
        [("umask", UINT, &[UINT][..], 0, 0o777), ("dup", INT, &[INT], -1, MOST)]
    {
        let doc = "Any value of its range.";
        all.push(Model::effect(name, result, params, doc).gives(ResultOf::Between(low, high)));
    }
    let doc = "The second descriptor, or -1.";
    let dup2 = Model::effect("dup2", INT, &[INT, INT], doc).may_give(-1).gives(ResultOf::Arg(1));
    all.push(dup2.descriptor(0).descriptor(1));
    let params = [INT, Scalar::LONG, INT];
    all.push(
        Model::effect("lseek", Scalar::LONG, &params, "Any place in a file, or -1.")
            .gives(ResultOf::Between(-1, LARGEST_FILE)),
    );
    for name in ["getuid", "geteuid", "getgid", "getegid"] {
        let doc = "Any number, the same every time.";
        all.push(Model::effect(name, UINT, &[], doc).gives(ResultOf::Input).answers(Answers::Steady));
    }
    all.push(
        Model::effect(
            "readlink",
            Scalar::LONG,
            &[Ptr, Ptr, SIZE],
            "Reads the path; -1, or at most n bytes without a NUL.",
        )
        .reads(0, Extent::Nul)
        .stores(1, Amount::Bytes(2))
        .may_give(-1)
        .gives(ResultOf::Count),
    );
    let doc = "Fills in what is known about a file: any numbers; the size is not negative.";
    for (name, params) in [("stat", &[Ptr, Ptr][..]), ("lstat", &[Ptr, Ptr]), ("fstat", &[INT, Ptr])] {
        let model = Model::effect(name, INT, params, doc)
            .fills(1, STAT, STAT_FIELDS)
            .may_give(-1)
            .gives(ResultOf::Number(0));
        all.push(if params[0] == Ptr { model.reads(0, Extent::Nul) } else { model });
    }
    // The least numbers that are free are taken.
    let doc = "0 or -1; two descriptors are stored, the greater one second.";
    let ends = Content::Rising(&[
        Field { at: (0, 0), bytes: (4, 4), low: (0, 0), high: (MOST - 1, MOST - 1) },
        Field { at: (4, 4), bytes: (4, 4), low: (1, 1), high: (MOST, MOST) },
    ]);
    all.push(
        Model::effect("pipe", INT, &[Ptr], doc)
            .fills(0, Extent::Bytes(8), ends)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    );
    let mut control = Model::new(
        "ioctl",
        ModelKind::Control,
        INT,
        &[INT, SIZE],
        "-1, or what the request says; only requests about the size of a terminal and pending input are modelled.",
    )
    .variadic();
    control.effect.failure = crate::Failure::Gives(-1);
    all.push(control);
    let doc = "Any number from -1 on for commands that take a number; locks are read and stored. No other commands.";
    all.push(Model::new("fcntl", ModelKind::FileControl, INT, &[INT, INT], doc).variadic());
    all.push(Model::effect("sync", Scalar::Void, &[], "Has no effect that matters here."));
    let doc = "The log keeps the pointer to its name, which is read with every message.";
    for (name, params) in [("closelog", &[][..]), ("openlog", &[Ptr, INT, INT])] {
        all.push(Model::new(name, ModelKind::LogName, Scalar::Void, params, doc));
    }
    let doc = "The text of an error: any string, which is only read and may be gone after the next call.";
    for name in ["the text of an unknown error", "strsignal"] {
        all.push(Model::effect(name, Ptr, &[INT], doc).gives(ResultOf::Passing(&ERROR)));
    }
    all
}

fn paths() -> Vec<Model> {
    let mut all = Vec::new();
    for (name, result) in [("mkstemp", INT), ("mkdtemp", Ptr)] {
        let doc = "Replaces the last six characters of the string; fails or gives what is new.";
        let model =
            Model::effect(name, result, &[Ptr], doc).fills(0, Extent::Nul, Content::LastCharacters(6));
        all.push(match result {
            Ptr => model.may_give(0).gives(ResultOf::Arg(0)),
            _ => model.may_give(-1).gives(ResultOf::Between(0, MOST)),
        });
    }
    let doc = "GNU's: what is behind the last slash of a path.";
    all.push(
        Model::new("basename", ModelKind::PathPart, Ptr, &[Ptr], doc)
            .reads(0, Extent::Nul)
            .gives(ResultOf::IntoArg(0)),
    );
    let doc = "Null, or writes a path from the root on; a new block if there is no area.";
    let mut add = |name, params: &[Scalar], area, size| {
        let kind = ModelKind::GetPath { area, size };
        let mut model = Model::new(name, kind, Ptr, params, doc).may_give(0);
        model.effect.allocates = true;
        all.push(if area == 1 { model.reads_unless_null(0, Extent::Nul) } else { model });
    };
    add("getcwd", &[Ptr, SIZE], 0, Some(1));
    add("realpath", &[Ptr, Ptr], 1, None);
    all
}

fn streams() -> Vec<Model> {
    let opened = "Null, or a new stream, which lives until it is closed. A stream is no heap block here.";
    let open = |name, params: &[Scalar]| {
        let strings = params.iter().enumerate().filter(|(_, ty)| **ty == Ptr);
        let model =
            Model::effect(name, Ptr, params, opened).may_give(0).gives(ResultOf::Stream(StreamKind::File));
        strings.fold(model, |model, (arg, _)| model.reads(arg, Extent::Nul))
    };
    let mut all = vec![
        open("fopen", &[Ptr, Ptr]),
        open("fopen64", &[Ptr, Ptr]),
        open("fdopen", &[INT, Ptr]).descriptor(0),
        open("popen", &[Ptr, Ptr]),
        open("tmpfile", &[]),
        Model::effect("freopen", Ptr, &[Ptr, Ptr, Ptr], "Null, or the stream; it stays open in both cases.")
            .reads_unless_null(0, Extent::Nul)
            .reads(1, Extent::Nul)
            .stream(2)
            .may_give(0)
            .gives(ResultOf::Arg(2)),
    ];
    let closed = "Ends the life of a stream, whatever it gives.";
    for (name, high) in [("fclose", 0), ("pclose", 0xffff)] {
        all.push(
            Model::effect(name, INT, &[Ptr], closed)
                .stream_for(0, StreamUse::Closes)
                .gives(ResultOf::Between(-1, high)),
        );
    }
    for name in ["fseek", "fseeko"] {
        all.push(
            Model::effect(name, INT, &[Ptr, Scalar::LONG, INT], "0 or -1.")
                .stream(0)
                .may_give(-1)
                .gives(ResultOf::Number(0)),
        );
    }
    for name in ["ftell", "ftello"] {
        let model = Model::effect(name, Scalar::LONG, &[Ptr], "Any place in a file, or -1.");
        all.push(model.stream_for(0, StreamUse::Asks).gives(ResultOf::Between(-1, LARGEST_FILE)));
    }
    // A place in a file is what the library makes of it.
    const PLACE: Extent = Extent::Sizes(16, 12);
    for name in ["fgetpos", "fgetpos64"] {
        let model = Model::effect(name, INT, &[Ptr, Ptr], "-1, or 0 and a place in a file is stored.");
        let model = model.stream_for(0, StreamUse::Asks).writes(1, PLACE);
        all.push(model.may_give(-1).gives(ResultOf::Number(0)));
    }
    for name in ["fsetpos", "fsetpos64"] {
        let model = Model::effect(name, INT, &[Ptr, Ptr], "0 or -1.").reads(1, PLACE).stream(0);
        all.push(model.may_give(-1).gives(ResultOf::Number(0)));
    }
    all.push(Model::effect("rewind", Scalar::Void, &[Ptr], "Moves the stream.").stream(0));
    all
}

fn directories() -> Vec<Model> {
    let entry = "Null, or an entry, which the next call may overwrite and which lives as long as the directory is open.";
    vec![
        Model::effect("opendir", Ptr, &[Ptr], "Null, or an open directory, which lives until it is closed.")
            .reads(0, Extent::Nul)
            .may_give(0)
            .gives(ResultOf::Stream(StreamKind::Directory)),
        Model::effect(
            "fdopendir",
            Ptr,
            &[INT],
            "Null, or an open directory, which lives until it is closed.",
        )
        .may_give(0)
        .gives(ResultOf::Stream(StreamKind::Directory)),
        Model::new("readdir", ModelKind::ReadEntry, Ptr, &[Ptr], entry)
            .directory(0, StreamUse::Moves)
            .may_give(0),
        Model::effect("closedir", INT, &[Ptr], "Ends the life of an open directory.")
            .directory(0, StreamUse::Closes)
            .gives(ResultOf::Between(-1, 0)),
        Model::effect("rewinddir", Scalar::Void, &[Ptr], "Moves the directory.")
            .directory(0, StreamUse::Moves),
        Model::effect("dirfd", INT, &[Ptr], "A descriptor.")
            .directory(0, StreamUse::Asks)
            .gives(ResultOf::Between(0, MOST))
            .answers(Answers::Steady),
    ]
}
