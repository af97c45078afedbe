//! `stdio.h` and the descriptors of `unistd.h`.

use crate::Scalar::{self, Ptr};
use crate::kind::{ModelKind, PrintSink, ScanSource};
use crate::{Amount, Answers, Extent, Model, ResultOf, StreamArg, StreamKind, StreamUse};

const SIZE: Scalar = Scalar::SIZE;
const INT: Scalar = Scalar::INT;

/// `BUFSIZ` of glibc.
const BUFSIZ: u64 = 8192;

pub(crate) fn models() -> Vec<Model> {
    let mut all = prints();
    all.extend(scans());
    all.extend(output());
    all.extend(input());
    all.extend(streams());
    all.extend(descriptors());
    all
}

fn output() -> Vec<Model> {
    let text = "Reads a string and writes it out.";
    let mut all = vec![
        Model::new("puts", ModelKind::Puts, INT, &[Ptr], text).reads(0, Extent::Nul),
        Model::new("perror", ModelKind::PrintError, Scalar::Void, &[Ptr], text)
            .reads_unless_null(0, Extent::Nul),
    ];
    for name in ["fputs", "fputs_unlocked"] {
        all.push(
            Model::new(name, ModelKind::PutString, INT, &[Ptr, Ptr], text).reads(0, Extent::Nul).stream(1),
        );
    }
    for name in ["fwrite", "fwrite_unlocked"] {
        let doc = "Reads count items of a size and writes them out.";
        all.push(
            Model::new(name, ModelKind::WriteItems, SIZE, &[Ptr, SIZE, SIZE, Ptr], doc)
                .reads(0, Extent::Product(1, 2))
                .stream(3),
        );
    }
    let one = "Writes one character out.";
    for name in ["putchar", "putchar_unlocked"] {
        all.push(Model::new(name, ModelKind::PutChar { stream: false }, INT, &[INT], one));
    }
    for name in ["putc", "fputc", "_IO_putc", "putc_unlocked", "fputc_unlocked"] {
        all.push(Model::new(name, ModelKind::PutChar { stream: true }, INT, &[INT, Ptr], one).stream(1));
    }
    all
}

fn input() -> Vec<Model> {
    let line = "Null, or writes at most n - 1 characters of input and a NUL.";
    let mut all = vec![
        Model::effect("gets", Ptr, &[Ptr], "Null, or writes any number of characters of input and a NUL.")
            .stores(0, Amount::Unbounded)
            .may_give(0)
            .gives(ResultOf::Arg(0)),
        Model::new("ungetc", ModelKind::PutBack, INT, &[INT, Ptr], "Gives -1 or a character.")
            .stream(1)
            .gives(ResultOf::Between(-1, 255)),
    ];
    for name in ["fgets", "fgets_unlocked"] {
        all.push(
            Model::effect(name, Ptr, &[Ptr, INT, Ptr], line)
                .stores(0, Amount::Line(1))
                .stream(2)
                .may_give(0)
                .gives(ResultOf::Arg(0)),
        );
    }
    for name in ["fread", "fread_unlocked"] {
        all.push(
            Model::effect(name, SIZE, &[Ptr, SIZE, SIZE, Ptr], "Writes at most count items of input.")
                .stores(0, Amount::Items(1, 2))
                .stream(3)
                .gives(ResultOf::Count),
        );
    }
    let get = "Gives -1 or a character as an input.";
    for name in ["getchar", "getchar_unlocked"] {
        all.push(Model::effect(name, INT, &[], get).gives(ResultOf::Between(-1, 255)));
    }
    for name in ["getc", "fgetc", "_IO_getc", "getc_unlocked", "fgetc_unlocked"] {
        all.push(Model::effect(name, INT, &[Ptr], get).stream(0).gives(ResultOf::Between(-1, 255)));
    }
    let doc = "-1, or stores a line of input; a block that is too small is replaced as by realloc. The line has no NUL inside.";
    for (name, delimiter, params) in [
        ("getline", false, &[Ptr, Ptr, Ptr][..]),
        ("getdelim", true, &[Ptr, Ptr, INT, Ptr]),
        ("__getdelim", true, &[Ptr, Ptr, INT, Ptr]),
    ] {
        let mut model = Model::new(name, ModelKind::GetDelim { delimiter }, Scalar::LONG, params, doc)
            .stream(params.len() - 1)
            .may_give(-1);
        model.effect.allocates = true;
        all.push(model);
    }
    all
}

fn streams() -> Vec<Model> {
    let nothing = "Has no effect that matters here and gives 0.";
    let mut flush = Model::effect("fflush", INT, &[Ptr], "Gives 0 or -1.").may_give(-1);
    flush.effect.streams.push(StreamArg {
        arg: 0,
        usage: StreamUse::Moves,
        kind: StreamKind::File,
        nullable: true,
    });
    let buffer = "The stream must be open; the buffer must have room and live for as long as the stream is used. What the \
                  library leaves in the buffer is not modelled.";
    let mut all = vec![
        flush.gives(ResultOf::Number(0)),
        Model::new("setvbuf", ModelKind::SetBuffer, INT, &[Ptr, Ptr, INT, SIZE], buffer)
            .stream_for(0, StreamUse::Asks)
            .writes_unless_null(1, Extent::Arg(3))
            .may_give(-1)
            .gives(ResultOf::Number(0)),
        Model::new("setbuf", ModelKind::SetBuffer, Scalar::Void, &[Ptr, Ptr], buffer)
            .stream_for(0, StreamUse::Asks)
            .writes_unless_null(1, Extent::Bytes(BUFSIZ)),
        Model::new("setbuffer", ModelKind::SetBuffer, Scalar::Void, &[Ptr, Ptr, SIZE], buffer)
            .stream_for(0, StreamUse::Asks)
            .writes_unless_null(1, Extent::Arg(2)),
        Model::effect("setlinebuf", Scalar::Void, &[Ptr], nothing).stream_for(0, StreamUse::Asks),
        Model::effect("clearerr", Scalar::Void, &[Ptr], "What feof and ferror say is asked anew.").stream(0),
        Model::effect("fileno", INT, &[Ptr], "A descriptor; the same for the same stream.")
            .stream_for(0, StreamUse::Asks)
            .gives(ResultOf::Between(0, i64::from(i32::MAX)))
            .answers(Answers::Steady),
    ];
    for name in ["feof", "ferror", "feof_unlocked", "ferror_unlocked"] {
        let doc = "0 or 1; the same until the stream is used.";
        all.push(
            Model::effect(name, INT, &[Ptr], doc)
                .stream_for(0, StreamUse::Asks)
                .gives(ResultOf::Between(0, 1))
                .answers(Answers::SteadyForStream),
        );
    }
    for name in ["flockfile", "funlockfile"] {
        let doc = "Has no effect in a program of one thread.";
        all.push(Model::effect(name, Scalar::Void, &[Ptr], doc).stream_for(0, StreamUse::Asks));
    }
    all
}

fn descriptors() -> Vec<Model> {
    let mut all = vec![
        Model::new(
            "write",
            ModelKind::WriteDescriptor,
            Scalar::LONG,
            &[INT, Ptr, SIZE],
            "Reads n bytes and writes them out, or a part of them, or gives -1.",
        )
        .reads(1, Extent::Arg(2))
        .may_give(-1)
        .gives(ResultOf::UpTo(2)),
        Model::effect("close", INT, &[INT], "0 or -1.").descriptor(0).may_give(-1).gives(ResultOf::Number(0)),
        Model::effect("isatty", INT, &[INT], "0 or 1; the same for the same descriptor.")
            .gives(ResultOf::Between(0, 1))
            .answers(Answers::Steady),
    ];
    for (name, params) in [("read", &[INT, Ptr, SIZE][..]), ("recv", &[INT, Ptr, SIZE, INT])] {
        all.push(
            Model::effect(name, Scalar::LONG, params, "-1, or writes at most n bytes of input.")
                .stores(1, Amount::Bytes(2))
                .may_give(-1)
                .gives(ResultOf::Count),
        );
    }
    all.push(
        Model::effect(
            "getrandom",
            Scalar::LONG,
            &[Ptr, SIZE, Scalar::UINT],
            "-1, or writes at most n bytes.",
        )
        .stores(0, Amount::Bytes(1))
        .may_give(-1)
        .gives(ResultOf::Count),
    );
    let doc = "Reads the path and gives -1 or a descriptor.";
    for (name, params) in
        [("open", &[Ptr, INT][..]), ("open64", &[Ptr, INT]), ("creat", &[Ptr, Scalar::UINT])]
    {
        let mut model = Model::effect(name, INT, params, doc)
            .reads(0, Extent::Nul)
            .gives(ResultOf::Between(-1, i64::from(i32::MAX)));
        model.variadic = name != "creat";
        all.push(model);
    }
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
                PrintSink::Stream => model.stream(0),
                PrintSink::Area => model.writes(0, Extent::Format),
                PrintSink::BoundedArea => model.writes(0, Extent::FormatAtMost(1)),
                PrintSink::NewBlock => model.writes(0, Extent::Pointer).allocates(),
                _ => model,
            });
        }
    }
    all
}

fn scans() -> Vec<Model> {
    let mut all = Vec::new();
    let doc = "Formatted input: each conversion writes its type through its argument; %s without a width any number of \
               characters. Wide characters, %m and numbered arguments are left out.";
    for (names, source, params) in [
        (["scanf", "__isoc99_scanf", "__isoc23_scanf"], ScanSource::Stdin, &[Ptr][..]),
        (["fscanf", "__isoc99_fscanf", "__isoc23_fscanf"], ScanSource::Stream, &[Ptr, Ptr]),
        (["sscanf", "__isoc99_sscanf", "__isoc23_sscanf"], ScanSource::Text, &[Ptr, Ptr]),
    ] {
        for name in names {
            let model = Model::new(name, ModelKind::Scan { source, list: false }, INT, params, doc)
                .format(params.len() - 1)
                .variadic();
            all.push(scan_source(model, source));
        }
    }
    for (names, source, params) in [
        (["vscanf", "__isoc99_vscanf"], ScanSource::Stdin, &[Ptr, Ptr][..]),
        (["vfscanf", "__isoc99_vfscanf"], ScanSource::Stream, &[Ptr, Ptr, Ptr]),
        (["vsscanf", "__isoc99_vsscanf"], ScanSource::Text, &[Ptr, Ptr, Ptr]),
    ] {
        for name in names {
            let model = Model::new(name, ModelKind::Scan { source, list: true }, INT, params, doc)
                .format(params.len() - 2);
            all.push(scan_source(model, source));
        }
    }
    all
}

fn scan_source(model: Model, source: ScanSource) -> Model {
    match source {
        ScanSource::Stdin => model,
        ScanSource::Stream => model.stream(0),
        ScanSource::Text => model.reads(0, Extent::Nul),
    }
}
