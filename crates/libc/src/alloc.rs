//! Allocation and release.

use crate::Scalar::{self, Ptr};
use crate::kind::{Fallible, ModelKind, SizeArg};
use crate::{Extent, Legal, Model, ResultOf};

const SIZE: Scalar = Scalar::SIZE;

fn alloc(
    name: &'static str,
    size: SizeArg,
    zeroed: bool,
    align: Option<usize>,
    params: &[Scalar],
    doc: &'static str,
) -> Model {
    let kind = ModelKind::Alloc { size, zeroed, align, fallible: Fallible::IfAsked };
    let model = Model::new(name, kind, Ptr, params, doc).allocates().gives(ResultOf::NewBlock);
    match align {
        Some(arg) => model.needs(arg, Legal::Alignment),
        None => model,
    }
}

pub(crate) fn models() -> Vec<Model> {
    use SizeArg::{Bytes, Product};
    let plain = "A new uninitialised block. Size 0 gives a live block of size 0.";
    let zero = "A new block of zeros.";
    let flags = "A new uninitialised block; the flags have no meaning.";
    let zero_flags = "A new block of zeros; the flags have no meaning.";
    let gone = "Ends the life of a block; null is fine.";
    let moved =
        "The old block's life ends, moved or not; size 0 frees and gives null; failing keeps the old block.";
    let mut all = vec![
        alloc("malloc", Bytes(0), false, None, &[SIZE], plain),
        alloc("valloc", Bytes(0), false, None, &[SIZE], plain),
        alloc("vmalloc", Bytes(0), false, None, &[SIZE], plain),
        alloc("vzalloc", Bytes(0), true, None, &[SIZE], zero),
        alloc("calloc", Product(0, 1), true, None, &[SIZE, SIZE], zero),
        alloc("aligned_alloc", Bytes(1), false, Some(0), &[SIZE, SIZE], plain),
        alloc("memalign", Bytes(1), false, Some(0), &[SIZE, SIZE], plain),
        alloc("kmalloc", Bytes(0), false, None, &[SIZE, Scalar::UINT], flags),
        alloc("__kmalloc", Bytes(0), false, None, &[SIZE, Scalar::UINT], flags),
        alloc("kvmalloc", Bytes(0), false, None, &[SIZE, Scalar::UINT], flags),
        alloc("kzalloc", Bytes(0), true, None, &[SIZE, Scalar::UINT], zero_flags),
        alloc("kvzalloc", Bytes(0), true, None, &[SIZE, Scalar::UINT], zero_flags),
        alloc("kcalloc", Product(0, 1), true, None, &[SIZE, SIZE, Scalar::UINT], zero_flags),
        alloc("kmalloc_array", Product(0, 1), false, None, &[SIZE, SIZE, Scalar::UINT], flags),
    ];
    for name in ["alloca", "__builtin_alloca"] {
        let doc = "A new uninitialised block that lives until the caller returns.";
        all.push(Model::new(name, ModelKind::Alloca, Ptr, &[SIZE], doc));
    }
    let doc = "Stores the address of a new block; the result is 0 or an error number.";
    all.push(
        Model::new("posix_memalign", ModelKind::PosixMemalign, Scalar::INT, &[Ptr, SIZE, SIZE], doc)
            .needs(1, Legal::WordAlignment)
            .writes(0, Extent::Pointer)
            .allocates(),
    );
    for (name, size, params) in [
        ("realloc", Bytes(1), &[Ptr, SIZE][..]),
        ("krealloc", Bytes(1), &[Ptr, SIZE, Scalar::UINT]),
        ("reallocarray", Product(1, 2), &[Ptr, SIZE, SIZE]),
    ] {
        all.push(
            Model::new(name, ModelKind::Realloc { size }, Ptr, params, moved)
                .allocates()
                .frees(0)
                .gives(ResultOf::NewBlock),
        );
    }
    for name in ["free", "cfree", "kfree", "vfree", "kvfree", "kzfree"] {
        all.push(Model::new(name, ModelKind::Free, Scalar::Void, &[Ptr], gone).frees(0));
    }
    let doc = "A new block with a copy of the string.";
    for (name, bounded, params) in [
        ("strdup", false, &[Ptr][..]),
        ("__strdup", false, &[Ptr]),
        ("kstrdup", false, &[Ptr, Scalar::UINT]),
        ("strndup", true, &[Ptr, SIZE]),
        ("__strndup", true, &[Ptr, SIZE]),
        ("kstrndup", true, &[Ptr, SIZE, Scalar::UINT]),
    ] {
        let extent = if bounded { Extent::NulOrArg(1) } else { Extent::Nul };
        all.push(
            Model::new(name, ModelKind::DupString { bounded }, Ptr, params, doc)
                .reads(0, extent)
                .allocates()
                .gives(ResultOf::NewBlock),
        );
    }
    all
}
