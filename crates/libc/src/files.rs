//! Streams that the program opens itself, and calls of the operating system on files.

use crate::Scalar::{self, Ptr};
use crate::kind::ModelKind;
use crate::{Extent, Model, ResultOf};

const SIZE: Scalar = Scalar::SIZE;
const INT: Scalar = Scalar::INT;
const UINT: Scalar = Scalar::UINT;

pub(crate) fn models() -> Vec<Model> {
    let mut all = streams();
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
        ("rename", 2, &[]),
        ("link", 2, &[]),
        ("symlink", 2, &[]),
        ("fchmod", 0, &[INT, UINT]),
        ("fchown", 0, &[INT, UINT, UINT]),
        ("fsync", 0, &[INT]),
        ("ftruncate", 0, &[INT, Scalar::LONG]),
    ] {
        let params: Vec<Scalar> = [Ptr, Ptr][..paths].iter().chain(others).copied().collect();
        let model = Model::new(name, ModelKind::Status, INT, &params, status);
        all.push((0..paths).fold(model, |model, arg| model.reads(arg, Extent::Nul)));
    }
    for (name, value, params) in [
        ("umask", UINT, &[UINT][..]),
        ("getuid", UINT, &[]),
        ("geteuid", UINT, &[]),
        ("getgid", UINT, &[]),
        ("getegid", UINT, &[]),
        ("dup", INT, &[INT]),
        ("dup2", INT, &[INT, INT]),
        ("lseek", Scalar::LONG, &[INT, Scalar::LONG, INT]),
    ] {
        let kind = ModelKind::Input { value, non_negative: false };
        all.push(Model::new(name, kind, value, params, "Gives any value.").gives(ResultOf::Input));
    }
    let doc = "Reads the path; -1, or writes at most n bytes without a NUL.";
    all.push(
        Model::new("readlink", ModelKind::ReadDescriptor, Scalar::LONG, &[Ptr, Ptr, SIZE], doc)
            .reads(0, Extent::Nul)
            .writes(1, Extent::UpToArg(2)),
    );
    let nothing = "Has no effect that matters here and gives 0.";
    for (name, params) in [("sync", &[][..]), ("closelog", &[]), ("openlog", &[Ptr, INT, INT])] {
        all.push(Model::new(name, ModelKind::Nothing, Scalar::Void, params, nothing).gives(ResultOf::Zero));
    }
    let doc = "The text of an error: any string, the same object every time.";
    all.push(Model::new("strerror", ModelKind::ErrorText, Ptr, &[INT], doc).gives(ResultOf::LibraryObject));
    all
}

fn streams() -> Vec<Model> {
    let opened = "Null, or a new stream, which lives until it is closed. A stream is no heap block here.";
    let mut all = vec![
        Model::new("fopen", ModelKind::OpenStream, Ptr, &[Ptr, Ptr], opened)
            .reads(0, Extent::Nul)
            .reads(1, Extent::Nul)
            .gives(ResultOf::LibraryObject),
        Model::new("fopen64", ModelKind::OpenStream, Ptr, &[Ptr, Ptr], opened)
            .reads(0, Extent::Nul)
            .reads(1, Extent::Nul)
            .gives(ResultOf::LibraryObject),
        Model::new("fdopen", ModelKind::OpenStream, Ptr, &[INT, Ptr], opened)
            .reads(1, Extent::Nul)
            .gives(ResultOf::LibraryObject),
        Model::new("tmpfile", ModelKind::OpenStream, Ptr, &[], opened).gives(ResultOf::LibraryObject),
        Model::new("fclose", ModelKind::CloseStream, INT, &[Ptr], "Ends the life of a stream; 0 or -1."),
        Model::new(
            "fread",
            ModelKind::ReadItems,
            SIZE,
            &[Ptr, SIZE, SIZE, Ptr],
            "Writes at most count items of input.",
        )
        .writes(0, Extent::Product(1, 2)),
    ];
    let any = "Gives any value.";
    for (name, value, params) in [
        ("fseek", INT, &[Ptr, Scalar::LONG, INT][..]),
        ("fseeko", INT, &[Ptr, Scalar::LONG, INT]),
        ("ftell", Scalar::LONG, &[Ptr]),
        ("ftello", Scalar::LONG, &[Ptr]),
    ] {
        let kind = ModelKind::Input { value, non_negative: false };
        all.push(Model::new(name, kind, value, params, any).gives(ResultOf::Input));
    }
    let nothing = "Has no effect that matters here.";
    all.push(Model::new("rewind", ModelKind::Nothing, Scalar::Void, &[Ptr], nothing).gives(ResultOf::Zero));
    all
}
