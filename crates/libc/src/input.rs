//! Functions whose result is an input: `__VERIFIER_nondet_*`, `rand`, the clock and the environment.

use crate::Scalar::{self, Ptr};
use crate::kind::ModelKind;
use crate::{Extent, Model, ResultOf};

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
        let kind = ModelKind::Input { value, non_negative: false };
        let doc = if value == Ptr { "Any address; it belongs to no object." } else { any };
        all.push(Model::new(name, kind, value, &[], doc).gives(ResultOf::Input));
    }
    for (name, value) in [
        ("rand", INT),
        ("random", Scalar::LONG),
        ("lrand48", Scalar::LONG),
        ("clock", Scalar::LONG),
        ("getpid", INT),
        ("getppid", INT),
    ] {
        let kind = ModelKind::Input { value, non_negative: true };
        let doc = "Any value of the type that is not negative.";
        all.push(Model::new(name, kind, value, &[], doc).gives(ResultOf::NonNegativeInput));
    }
    let kind = ModelKind::Input { value: INT, non_negative: true };
    let doc = "Reads and writes its state; gives any value that is not negative.";
    all.push(Model::new("rand_r", kind, INT, &[Ptr], doc).writes(0, Extent::Bytes(4)));
    let nothing = "Has no effect that matters here and gives 0.";
    for (name, ret, params) in [
        ("srand", Scalar::Void, &[Scalar::UINT][..]),
        ("srandom", Scalar::Void, &[Scalar::UINT]),
        ("srand48", Scalar::Void, &[Scalar::LONG]),
        ("usleep", INT, &[Scalar::UINT]),
        ("sleep", Scalar::UINT, &[Scalar::UINT]),
    ] {
        all.push(Model::new(name, ModelKind::Nothing, ret, params, nothing).gives(ResultOf::Zero));
    }
    all.push(
        Model::new("time", ModelKind::Time, Scalar::LONG, &[Ptr], "Any time, also stored unless null.")
            .writes_unless_null(0, Extent::Word)
            .gives(ResultOf::Input),
    );
    all.push(
        Model::new("getenv", ModelKind::GetEnv, Ptr, &[Ptr], "Null or a string of the environment.")
            .reads(0, Extent::Nul)
            .gives(ResultOf::LibraryStringOrNull),
    );
    let doc = "The address of the thread's error number, whose content is any value.";
    all.push(
        Model::new("__errno_location", ModelKind::ErrnoLocation, Ptr, &[], doc)
            .gives(ResultOf::LibraryObject),
    );
    all
}
