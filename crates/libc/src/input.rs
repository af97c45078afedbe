//! Functions whose result is an input: `__VERIFIER_nondet_*`, `rand`, the clock and the environment.

use crate::Scalar::{self, Ptr};
use crate::effect::{Content, LibraryObject, Passing};
use crate::kind::ModelKind;
use crate::{Answers, Extent, Model, ResultOf};

const INT: Scalar = Scalar::INT;

fn int(bits: u8, signed: bool) -> Scalar {
    Scalar::Int { bits, signed }
}

pub(crate) fn models() -> Vec<Model> {
    let any = "Any value of the type.";
    let mut all = Vec::new();
    for (name, value) in [
        ("__VERIFIER_nondet_bool", int(1, false)),
        ("__VERIFIER_nondet__Bool", int(1, false)),
        ("__VERIFIER_nondet_char", int(8, true)),
        ("__VERIFIER_nondet_schar", int(8, true)),
        ("__VERIFIER_nondet_uchar", int(8, false)),
        ("__VERIFIER_nondet_unsigned_char", int(8, false)),
        ("__VERIFIER_nondet_short", int(16, true)),
        ("__VERIFIER_nondet_ushort", int(16, false)),
        ("__VERIFIER_nondet_unsigned_short", int(16, false)),
        ("__VERIFIER_nondet_int", INT),
        ("__VERIFIER_nondet", INT),
        ("__VERIFIER_nondet_uint", Scalar::UINT),
        ("__VERIFIER_nondet_unsigned", Scalar::UINT),
        ("__VERIFIER_nondet_unsigned_int", Scalar::UINT),
        ("__VERIFIER_nondet_long", Scalar::LONG),
        ("__VERIFIER_nondet_ulong", Scalar::SIZE),
        ("__VERIFIER_nondet_unsigned_long", Scalar::SIZE),
        ("__VERIFIER_nondet_longlong", Scalar::LLONG),
        ("__VERIFIER_nondet_ulonglong", Scalar::ULLONG),
        ("__VERIFIER_nondet_size_t", Scalar::SIZE),
        ("__VERIFIER_nondet_ssize_t", Scalar::LONG),
        ("__VERIFIER_nondet_ptrdiff_t", Scalar::LONG),
        ("__VERIFIER_nondet_intptr_t", Scalar::LONG),
        ("__VERIFIER_nondet_uintptr_t", Scalar::SIZE),
        ("__VERIFIER_nondet_off_t", Scalar::LONG),
        ("__VERIFIER_nondet_loff_t", Scalar::LLONG),
        ("__VERIFIER_nondet_sector_t", Scalar::SIZE),
        ("__VERIFIER_nondet_pthread_t", Scalar::SIZE),
        ("__VERIFIER_nondet_s8", int(8, true)),
        ("__VERIFIER_nondet_s16", int(16, true)),
        ("__VERIFIER_nondet_s32", INT),
        ("__VERIFIER_nondet_s64", Scalar::LLONG),
        ("__VERIFIER_nondet_u8", int(8, false)),
        ("__VERIFIER_nondet_u16", int(16, false)),
        ("__VERIFIER_nondet_u32", Scalar::UINT),
        ("__VERIFIER_nondet_u64", Scalar::ULLONG),
        ("__VERIFIER_nondet_int8_t", int(8, true)),
        ("__VERIFIER_nondet_int16_t", int(16, true)),
        ("__VERIFIER_nondet_int32_t", INT),
        ("__VERIFIER_nondet_int64_t", Scalar::LLONG),
        ("__VERIFIER_nondet_uint8_t", int(8, false)),
        ("__VERIFIER_nondet_uint16_t", int(16, false)),
        ("__VERIFIER_nondet_uint32_t", Scalar::UINT),
        ("__VERIFIER_nondet_uint64_t", Scalar::ULLONG),
        ("__VERIFIER_nondet_int128", int(128, true)),
        ("__VERIFIER_nondet_uint128", int(128, false)),
        ("__VERIFIER_nondet_float", Scalar::Float),
        ("__VERIFIER_nondet_double", Scalar::Double),
        ("__VERIFIER_nondet_pointer", Ptr),
        ("__VERIFIER_nondet_pchar", Ptr),
        ("__VERIFIER_nondet_charp", Ptr),
    ] {
        let doc = if value == Ptr { "Any address; it belongs to no object." } else { any };
        all.push(Model::effect(name, value, &[], doc).gives(ResultOf::Input));
    }
    let doc = "True if the object that the pointer came from was not freed. For clients of libraries: whether a call took a handle over.";
    all.push(Model::new("__heapproof_is_live", ModelKind::IsLive, int(1, false), &[Ptr], doc));
    all.extend(random());
    all.extend(environment());
    all
}

/// `RAND_MAX` of glibc.
const RAND_MAX: i64 = i32::MAX as i64;
/// The greatest process number of Linux.
const PID_MAX: i64 = 1 << 22;

fn random() -> Vec<Model> {
    let mut all = Vec::new();
    for (name, value) in [("rand", INT), ("random", Scalar::LONG)] {
        let doc = "Any number of 31 bits; the sequence that a seed gives is left out.";
        all.push(Model::effect(name, value, &[], doc).gives(ResultOf::Between(0, RAND_MAX)));
    }
    let doc = "Reads and writes its state; gives any number of 31 bits.";
    all.push(
        Model::effect("rand_r", INT, &[Ptr], doc)
            .reads(0, Extent::Bytes(4))
            .writes(0, Extent::Bytes(4))
            .gives(ResultOf::Between(0, RAND_MAX)),
    );
    let nothing = "Has no effect: what follows is any number anyhow.";
    for name in ["srand", "srandom"] {
        all.push(Model::effect(name, Scalar::Void, &[Scalar::UINT], nothing));
    }
    all
}

static VARIABLE: LibraryObject = LibraryObject {
    name: "a string of the environment",
    size: (1 << 17, 1 << 17),
    content: Content::Text,
    single: false,
};
/// A path for each of the twelve categories.
static LOCALE_NAME: LibraryObject = LibraryObject {
    name: "the name of a locale",
    size: (1 << 16, 1 << 16),
    content: Content::LongText(1),
    single: false,
};
static LOCALE_PLACE: LibraryObject = LibraryObject {
    name: "the place of the name of a locale",
    size: (8, 4),
    content: Content::Any,
    single: true,
};
static LOCALE: Passing = Passing { text: &LOCALE_NAME, translated: &LOCALE_NAME, place: &LOCALE_PLACE };
static LOGIN: LibraryObject =
    LibraryObject { name: "the name of a user", size: (256, 256), content: Content::Text, single: true };

fn environment() -> Vec<Model> {
    let doc =
        "Null or a string of the environment; the same for the same name, until the environment is changed.";
    let mut all = Vec::new();
    for name in ["getenv", "secure_getenv"] {
        all.push(
            Model::new(name, ModelKind::GetEnv, Ptr, &[Ptr], doc)
                .reads(0, Extent::Nul)
                .may_give(0)
                .gives(ResultOf::Object(&VARIABLE)),
        );
    }
    let doc = "0 or -1; afterwards getenv may give anything.";
    for (name, params) in
        [("setenv", &[Ptr, Ptr, INT][..]), ("unsetenv", &[Ptr]), ("clearenv", &[]), ("putenv", &[Ptr])]
    {
        let strings = params.iter().filter(|ty| **ty == Ptr).count();
        let model =
            Model::new(name, ModelKind::SetEnv, INT, params, doc).may_give(-1).gives(ResultOf::Number(0));
        all.push((0..strings).fold(model, |model, arg| model.reads(arg, Extent::Nul)));
    }
    let doc = "Any process number, the same every time.";
    all.push(
        Model::effect("getpid", INT, &[], doc).gives(ResultOf::Between(1, PID_MAX)).answers(Answers::Steady),
    );
    all.push(Model::effect("getppid", INT, &[], "Any process number.").gives(ResultOf::Between(0, PID_MAX)));
    all.push(
        Model::effect(
            "a locale of the environment",
            Ptr,
            &[INT, Ptr],
            "Null or any name: a locale that setlocale was asked for.",
        )
        .reads_unless_null(1, Extent::Nul)
        .may_give(0)
        .gives(ResultOf::Passing(&LOCALE)),
    );
    all.push(
        Model::effect("getlogin", Ptr, &[], "Null or any name.").may_give(0).gives(ResultOf::Object(&LOGIN)),
    );
    let doc = "Any option of the string, or -1; sets optarg, optind and optopt.";
    all.push(
        Model::new("getopt", ModelKind::GetOpt { long: false }, INT, &[INT, Ptr, Ptr], doc)
            .reads(2, Extent::Nul),
    );
    for name in ["getopt_long", "getopt_long_only"] {
        all.push(
            Model::new(name, ModelKind::GetOpt { long: true }, INT, &[INT, Ptr, Ptr, Ptr, Ptr], doc)
                .reads(2, Extent::Nul),
        );
    }
    all
}
