//! `string.h`, `strings.h`, `ctype.h` and the conversions of strings to numbers.

use crate::Scalar::{self, Ptr};
use crate::effect::Content;
use crate::kind::{CharClass, CompareCase, CopyResult, FindFrom, ModelKind, SpanKind};
use crate::{Extent, Legal, Model, ResultOf};

const SIZE: Scalar = Scalar::SIZE;
const INT: Scalar = Scalar::INT;

pub(crate) fn models() -> Vec<Model> {
    let mut all = blocks();
    all.extend(strings());
    all.extend(searches());
    all.extend(characters());
    all.extend(numbers());
    all
}

fn blocks() -> Vec<Model> {
    let copy = |name, overlap, swapped, result, doc| {
        let ret = if result == CopyResult::Nothing { Scalar::Void } else { Ptr };
        let (to, from) = if swapped { (1, 0) } else { (0, 1) };
        let model =
            Model::new(name, ModelKind::CopyBytes { overlap, swapped, result }, ret, &[Ptr, Ptr, SIZE], doc)
                .reads(from, Extent::Arg(2))
                .writes(to, Extent::Arg(2));
        match result {
            CopyResult::Start => model.gives(ResultOf::Arg(0)),
            CopyResult::End => model.gives(ResultOf::IntoArg(0)),
            CopyResult::Nothing => model,
        }
    };
    let disjoint = "Copies n bytes between areas that must not overlap.";
    let any = "Copies n bytes between areas that may overlap.";
    vec![
        copy("memcpy", false, false, CopyResult::Start, disjoint),
        copy("__memcpy", false, false, CopyResult::Start, disjoint),
        copy("mempcpy", false, false, CopyResult::End, disjoint),
        copy("__mempcpy", false, false, CopyResult::End, disjoint),
        copy("memmove", true, false, CopyResult::Start, any),
        copy("bcopy", true, true, CopyResult::Nothing, any),
        Model::new("memset", ModelKind::Fill { zero: false }, Ptr, &[Ptr, INT, SIZE], "Sets n bytes.")
            .writes(0, Extent::Arg(2))
            .gives(ResultOf::Arg(0)),
        Model::new(
            "bzero",
            ModelKind::Fill { zero: true },
            Scalar::Void,
            &[Ptr, SIZE],
            "Sets n bytes to zero.",
        )
        .writes(0, Extent::Arg(1)),
        Model::new(
            "explicit_bzero",
            ModelKind::Fill { zero: true },
            Scalar::Void,
            &[Ptr, SIZE],
            "Sets n bytes to zero.",
        )
        .writes(0, Extent::Arg(1)),
        compare_bytes("memcmp"),
        compare_bytes("bcmp"),
        Model::new(
            "memchr",
            ModelKind::FindByte { from: FindFrom::Front },
            Ptr,
            &[Ptr, INT, SIZE],
            "Reads up to the first occurrence, at most n bytes.",
        )
        .reads(0, Extent::UpToArg(2))
        .or_gives(0)
        .gives(ResultOf::IntoArg(0)),
        Model::new(
            "memrchr",
            ModelKind::FindByte { from: FindFrom::Back },
            Ptr,
            &[Ptr, INT, SIZE],
            "Reads n bytes and gives the last occurrence.",
        )
        .reads(0, Extent::Arg(2))
        .or_gives(0)
        .gives(ResultOf::IntoArg(0)),
    ]
}

fn compare_bytes(name: &'static str) -> Model {
    Model::new(name, ModelKind::CompareBytes, INT, &[Ptr, Ptr, SIZE], "Reads all n bytes of both areas.")
        .reads(0, Extent::Arg(2))
        .reads(1, Extent::Arg(2))
}

fn strings() -> Vec<Model> {
    let mut all = vec![
        Model::new("strlen", ModelKind::StrLen { bounded: false }, SIZE, &[Ptr], "Reads up to the NUL.")
            .reads(0, Extent::Nul),
        Model::new(
            "strnlen",
            ModelKind::StrLen { bounded: true },
            SIZE,
            &[Ptr, SIZE],
            "Reads up to the NUL, at most n bytes.",
        )
        .reads(0, Extent::NulOrArg(1)),
        Model::new(
            "strncpy",
            ModelKind::StrCopy { bounded: true, result: CopyResult::Start },
            Ptr,
            &[Ptr, Ptr, SIZE],
            "Always writes n bytes, NUL behind the string.",
        )
        .reads(1, Extent::NulOrArg(2))
        .writes(0, Extent::Arg(2))
        .gives(ResultOf::Arg(0)),
        Model::new(
            "strcat",
            ModelKind::StrCat { bounded: false },
            Ptr,
            &[Ptr, Ptr],
            "Appends a string with its NUL.",
        )
        .reads(0, Extent::Nul)
        .reads(1, Extent::Nul)
        .fills(0, Extent::AppendStringOf(1), Content::WholeText)
        .gives(ResultOf::Arg(0)),
        Model::new(
            "strncat",
            ModelKind::StrCat { bounded: true },
            Ptr,
            &[Ptr, Ptr, SIZE],
            "Appends at most n characters and a NUL.",
        )
        .reads(0, Extent::Nul)
        .reads(1, Extent::NulOrArg(2))
        .fills(0, Extent::AppendStringOfAtMost(1, 2), Content::WholeText)
        .gives(ResultOf::Arg(0)),
    ];
    for (name, result) in
        [("strcpy", CopyResult::Start), ("stpcpy", CopyResult::End), ("__stpcpy", CopyResult::End)]
    {
        let kind = ModelKind::StrCopy { bounded: false, result };
        let gives = if result == CopyResult::Start { ResultOf::Arg(0) } else { ResultOf::IntoArg(0) };
        all.push(
            Model::new(name, kind, Ptr, &[Ptr, Ptr], "Copies a string with its NUL.")
                .reads(1, Extent::Nul)
                .fills(0, Extent::StringOf(1), Content::WholeText)
                .gives(gives),
        );
    }
    for (name, bounded, case) in [
        ("strcmp", false, CompareCase::Exact),
        ("strncmp", true, CompareCase::Exact),
        ("strcasecmp", false, CompareCase::Folded),
        ("strncasecmp", true, CompareCase::Folded),
    ] {
        let extent = if bounded { Extent::NulOrArg(2) } else { Extent::Nul };
        let params = if bounded { &[Ptr, Ptr, SIZE][..] } else { &[Ptr, Ptr] };
        let doc = "Reads both strings up to the first difference.";
        all.push(
            Model::new(name, ModelKind::StrCompare { bounded, case }, INT, params, doc)
                .reads(0, extent)
                .reads(1, extent),
        );
    }
    all
}

fn searches() -> Vec<Model> {
    let mut all = Vec::new();
    for (name, from) in [
        ("strchr", FindFrom::Front),
        ("index", FindFrom::Front),
        ("strchrnul", FindFrom::FrontOrEnd),
        ("strrchr", FindFrom::Back),
        ("rindex", FindFrom::Back),
    ] {
        let doc = "Finds a character in a string.";
        let model = Model::new(name, ModelKind::StrFind { from }, Ptr, &[Ptr, INT], doc)
            .reads(0, Extent::Nul)
            .gives(ResultOf::IntoArg(0));
        all.push(if from == FindFrom::FrontOrEnd { model } else { model.or_gives(0) });
    }
    for (name, case) in [("strstr", CompareCase::Exact), ("strcasestr", CompareCase::Folded)] {
        let doc = "Finds a string in a string.";
        all.push(
            Model::new(name, ModelKind::StrStr { case }, Ptr, &[Ptr, Ptr], doc)
                .reads(0, Extent::Nul)
                .reads(1, Extent::Nul)
                .or_gives(0)
                .gives(ResultOf::IntoArg(0)),
        );
    }
    for (name, span, ret) in [
        ("strspn", SpanKind::Accept, SIZE),
        ("strcspn", SpanKind::Reject, SIZE),
        ("strpbrk", SpanKind::Find, Ptr),
    ] {
        let model =
            Model::new(name, ModelKind::StrSpan(span), ret, &[Ptr, Ptr], "Reads both strings up to the NUL.")
                .reads(0, Extent::Nul)
                .reads(1, Extent::Nul);
        all.push(match ret {
            Ptr => model.or_gives(0).gives(ResultOf::IntoArg(0)),
            // At most the length of the string.
            _ => model.gives(ResultOf::LengthIn(0)),
        });
    }
    let cut = "Cuts the next token out of the string and remembers where to go on.";
    all.push(
        Model::new("strtok", ModelKind::StrTok { reentrant: false }, Ptr, &[Ptr, Ptr], cut)
            .reads(1, Extent::Nul)
            .reads_unless_null(0, Extent::Nul)
            .writes_unless_null(0, Extent::Nul)
            .gives(ResultOf::IntoArg(0)),
    );
    for name in ["strtok_r", "__strtok_r"] {
        all.push(
            Model::new(name, ModelKind::StrTok { reentrant: true }, Ptr, &[Ptr, Ptr, Ptr], cut)
                .reads(1, Extent::Nul)
                .reads_unless_null(0, Extent::Nul)
                .writes_unless_null(0, Extent::Nul)
                .writes(2, Extent::Pointer)
                .gives(ResultOf::IntoArg(0)),
        );
    }
    all.push(
        Model::new(
            "strsep",
            ModelKind::StrSep,
            Ptr,
            &[Ptr, Ptr],
            "Cuts the next token and moves the pointer.",
        )
        .reads(0, Extent::Pointer)
        .reads(1, Extent::Nul)
        .writes(0, Extent::Pointer),
    );
    all
}

fn characters() -> Vec<Model> {
    let mut all = Vec::new();
    for (name, class) in [
        ("isalpha", CharClass::Alpha),
        ("isdigit", CharClass::Digit),
        ("isalnum", CharClass::Alnum),
        ("isupper", CharClass::Upper),
        ("islower", CharClass::Lower),
        ("isspace", CharClass::Space),
        ("isblank", CharClass::Blank),
        ("ispunct", CharClass::Punct),
        ("isprint", CharClass::Print),
        ("isgraph", CharClass::Graph),
        ("iscntrl", CharClass::Cntrl),
        ("isxdigit", CharClass::XDigit),
        ("isascii", CharClass::Ascii),
    ] {
        let doc = "Tells whether a character belongs to a class, in the C locale.";
        let model = Model::new(name, ModelKind::IsChar(class), INT, &[INT], doc);
        // All numbers may be asked whether they are ASCII.
        all.push(if class == CharClass::Ascii { model } else { model.needs(0, Legal::Character) });
    }
    for (name, kind, doc) in [
        ("tolower", ModelKind::ToLower, "Lower case in the C locale."),
        ("toupper", ModelKind::ToUpper, "Upper case in the C locale."),
    ] {
        all.push(Model::new(name, kind, INT, &[INT], doc).needs(0, Legal::Character));
    }
    all
}

fn numbers() -> Vec<Model> {
    let mut all = Vec::new();
    let doc = "Reads a number from a string.";
    for (name, value) in
        [("atoi", INT), ("atol", Scalar::LONG), ("atoll", Scalar::LLONG), ("atoq", Scalar::LLONG)]
    {
        let kind = ModelKind::ParseInt { value, full: false };
        all.push(Model::new(name, kind, value, &[Ptr], doc).reads(0, Extent::Nul));
    }
    for (name, value) in [
        ("strtol", Scalar::LONG),
        ("strtoul", Scalar::SIZE),
        ("strtoll", Scalar::LLONG),
        ("strtoull", Scalar::ULLONG),
        ("__isoc23_strtol", Scalar::LONG),
        ("__isoc23_strtoul", Scalar::SIZE),
        ("__isoc23_strtoll", Scalar::LLONG),
        ("__isoc23_strtoull", Scalar::ULLONG),
        ("strtoimax", Scalar::LLONG),
        ("strtoumax", Scalar::ULLONG),
    ] {
        let kind = ModelKind::ParseInt { value, full: true };
        all.push(
            Model::new(name, kind, value, &[Ptr, Ptr, INT], doc)
                .needs(2, Legal::Base)
                .reads(0, Extent::Nul)
                .fills_unless_null(1, Extent::Pointer, Content::PlaceIn(0)),
        );
    }
    let kind = ModelKind::ParseFloat { value: Scalar::Double, full: false };
    all.push(Model::new("atof", kind, Scalar::Double, &[Ptr], doc).reads(0, Extent::Nul));
    for (name, value) in
        [("strtod", Scalar::Double), ("strtof", Scalar::Float), ("strtold", Scalar::LongDouble)]
    {
        let kind = ModelKind::ParseFloat { value, full: true };
        all.push(Model::new(name, kind, value, &[Ptr, Ptr], doc).reads(0, Extent::Nul).fills_unless_null(
            1,
            Extent::Pointer,
            Content::PlaceIn(0),
        ));
    }
    for (name, value) in
        [("abs", INT), ("labs", Scalar::LONG), ("llabs", Scalar::LLONG), ("imaxabs", Scalar::LLONG)]
    {
        all.push(Model::new(name, ModelKind::Abs, value, &[value], "The absolute value; the least wraps."));
    }
    all
}
