//! `stdio.h` and the descriptors of `unistd.h`.

use crate::Scalar::{self, Ptr};
use crate::kind::{ModelKind, PrintSink};
use crate::{Extent, Model, ResultOf};

const SIZE: Scalar = Scalar::SIZE;
const INT: Scalar = Scalar::INT;

pub(crate) fn models() -> Vec<Model> {
    let mut all = prints();
    let text = "Reads a string and writes it out.";
    all.extend([
        Model::new("puts", ModelKind::Puts, INT, &[Ptr], text).reads(0, Extent::Nul),
        Model::new("fputs", ModelKind::PutString, INT, &[Ptr, Ptr], text).reads(0, Extent::Nul),
        Model::new("perror", ModelKind::PrintError, Scalar::Void, &[Ptr], text).reads(0, Extent::Nul),
        Model::new(
            "fwrite",
            ModelKind::WriteItems,
            SIZE,
            &[Ptr, SIZE, SIZE, Ptr],
            "Reads count items of a size and writes them out.",
        )
        .reads(0, Extent::Product(1, 2)),
        Model::new(
            "write",
            ModelKind::WriteDescriptor,
            Scalar::LONG,
            &[INT, Ptr, SIZE],
            "Reads n bytes and writes all of them out.",
        )
        .reads(1, Extent::Arg(2)),
        Model::new(
            "fgets",
            ModelKind::GetLine,
            Ptr,
            &[Ptr, INT, Ptr],
            "Null, or writes at most n - 1 characters of input and a NUL.",
        )
        .writes(0, Extent::UpToArg(1))
        .gives(ResultOf::IntoArg(0)),
        Model::new(
            "gets",
            ModelKind::GetLineUnbounded,
            Ptr,
            &[Ptr],
            "Null, or writes any number of characters of input and a NUL.",
        )
        .writes(0, Extent::Unbounded)
        .gives(ResultOf::IntoArg(0)),
        Model::new(
            "read",
            ModelKind::ReadDescriptor,
            Scalar::LONG,
            &[INT, Ptr, SIZE],
            "-1, or writes at most n bytes of input.",
        )
        .writes(1, Extent::UpToArg(2)),
    ]);
    let one = "Writes one character out.";
    for name in ["putchar", "putchar_unlocked"] {
        all.push(Model::new(name, ModelKind::PutChar { stream: false }, INT, &[INT], one));
    }
    for name in ["putc", "fputc", "_IO_putc", "putc_unlocked"] {
        all.push(Model::new(name, ModelKind::PutChar { stream: true }, INT, &[INT, Ptr], one));
    }
    let get = "Gives -1 or a character as an input.";
    for (name, params) in [
        ("getchar", &[][..]),
        ("getchar_unlocked", &[]),
        ("getc", &[Ptr]),
        ("fgetc", &[Ptr]),
        ("_IO_getc", &[Ptr]),
    ] {
        all.push(Model::new(name, ModelKind::GetChar, INT, params, get).gives(ResultOf::Input));
    }
    let nothing = "Has no effect that matters here and gives 0.";
    for (name, ret, params) in [
        ("fflush", INT, &[Ptr][..]),
        ("setvbuf", INT, &[Ptr, Ptr, INT, SIZE]),
        ("setbuf", Scalar::Void, &[Ptr, Ptr]),
        ("setlinebuf", Scalar::Void, &[Ptr]),
        ("clearerr", Scalar::Void, &[Ptr]),
    ] {
        all.push(Model::new(name, ModelKind::Nothing, ret, params, nothing).gives(ResultOf::Zero));
    }
    let any = "Gives any value.";
    for (name, params) in
        [("feof", &[Ptr][..]), ("ferror", &[Ptr]), ("fileno", &[Ptr]), ("close", &[INT]), ("isatty", &[INT])]
    {
        let kind = ModelKind::Input { value: INT, non_negative: false };
        all.push(Model::new(name, kind, INT, params, any).gives(ResultOf::Input));
    }
    let kind = ModelKind::Input { value: INT, non_negative: false };
    all.push(
        Model::new("open", kind, INT, &[Ptr, INT], "Reads the path and gives any descriptor.")
            .reads(0, Extent::Nul)
            .gives(ResultOf::Input)
            .variadic(),
    );
    all
}

fn prints() -> Vec<Model> {
    let mut all = Vec::new();
    for (plain, listed, sink, params) in [
        ("printf", "vprintf", PrintSink::Stdout, &[Ptr][..]),
        ("fprintf", "vfprintf", PrintSink::Stream, &[Ptr, Ptr]),
        ("dprintf", "vdprintf", PrintSink::Descriptor, &[INT, Ptr]),
        ("syslog", "vsyslog", PrintSink::Log, &[INT, Ptr]),
        ("sprintf", "vsprintf", PrintSink::Area, &[Ptr, Ptr]),
        ("snprintf", "vsnprintf", PrintSink::BoundedArea, &[Ptr, SIZE, Ptr]),
        ("asprintf", "vasprintf", PrintSink::NewBlock, &[Ptr, Ptr]),
    ] {
        let format = params.len() - 1;
        for (name, list) in [(plain, false), (listed, true)] {
            let mut params = params.to_vec();
            if list {
                params.push(Ptr);
            }
            let doc = "Formatted output; reads the strings of %s, writes through %n.";
            let mut model =
                Model::new(name, ModelKind::Print { sink, list }, INT, &params, doc).format(format);
            model.variadic = !list;
            all.push(match sink {
                PrintSink::Area => model.writes(0, Extent::Format),
                PrintSink::BoundedArea => model.writes(0, Extent::FormatAtMost(1)),
                PrintSink::NewBlock => model.writes(0, Extent::Pointer).allocates(),
                _ => model,
            });
        }
    }
    all
}
