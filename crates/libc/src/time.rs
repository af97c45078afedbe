//! `time.h` and the clocks of POSIX.

use crate::Scalar::{self, Ptr};
use crate::effect::{Content, Field, LibraryObject};
use crate::kind::ModelKind;
use crate::{Extent, Model, ResultOf};

const INT: Scalar = Scalar::INT;
const LONG: Scalar = Scalar::LONG;
const MOST: i64 = i32::MAX as i64;
const LEAST: i64 = i32::MIN as i64;

const fn int(at: u64, low: i64, high: i64) -> Field {
    Field { at: (at, at), bytes: (4, 4), low: (low, low), high: (high, high) }
}

/// `struct tm`.
const TM: Extent = Extent::Sizes(56, 44);
const TM_FIELDS: Content = Content::Fields(&[
    int(0, 0, 60),
    int(4, 0, 59),
    int(8, 0, 23),
    int(12, 1, 31),
    int(16, 0, 11),
    int(20, LEAST, MOST),
    int(24, 0, 6),
    int(28, 0, 365),
    int(32, -1, 1),
]);

/// Seconds and parts of a second. The kernel takes no time before 1970; 32 bits wrap in 2038.
const fn since(parts: i64) -> [Field; 2] {
    [
        Field { at: (0, 0), bytes: (8, 4), low: (0, LEAST), high: (i64::MAX, MOST) },
        Field { at: (8, 4), bytes: (8, 4), low: (0, 0), high: (parts, parts) },
    ]
}
static MICROSECONDS: [Field; 2] = since(999_999);
static NANOSECONDS: [Field; 2] = since(999_999_999);
const PAIR: Extent = Extent::Sizes(16, 8);

/// What `gmtime` and `localtime` give.
pub static BROKEN_DOWN: LibraryObject =
    LibraryObject { name: "the broken-down time", size: (56, 44), content: TM_FIELDS, single: true };
/// A year has up to 11 characters, and glibc has room for other parts that are out of range.
static TIME_TEXT: LibraryObject = LibraryObject {
    name: "the text of a time",
    size: (114, 114),
    content: Content::LongText(SHORTEST),
    single: true,
};
/// The length of the text of a time whose year has one digit.
const SHORTEST: u64 = 22;

pub(crate) fn models() -> Vec<Model> {
    let mut all = clocks();
    let broken =
        "Null, or the parts of a time, each in its range; whether they belong to the given time is left out.";
    for (name, params) in [("localtime", &[Ptr][..]), ("gmtime", &[Ptr])] {
        all.push(
            Model::new(name, ModelKind::BreakTime { local: name == "localtime" }, Ptr, params, broken)
                .reads(0, Extent::Word)
                .may_give(0)
                .gives(ResultOf::Object(&BROKEN_DOWN)),
        );
    }
    for name in ["localtime_r", "gmtime_r"] {
        all.push(
            Model::new(name, ModelKind::BreakTime { local: name == "localtime_r" }, Ptr, &[Ptr, Ptr], broken)
                .reads(0, Extent::Word)
                .fills(1, TM, TM_FIELDS)
                .may_give(0)
                .gives(ResultOf::Arg(1)),
        );
    }
    let made = "-1, or any time, and the parts are brought into their ranges.";
    for name in ["mktime", "timegm"] {
        all.push(
            Model::new(name, ModelKind::MakeTime { local: name == "mktime" }, LONG, &[Ptr], made)
                .reads(0, TM)
                .fills(0, TM, TM_FIELDS)
                .may_give(-1)
                .gives(ResultOf::Input),
        );
    }
    let text = "Null, or the text of a time.";
    for (name, from) in [("asctime", TM), ("ctime", Extent::Word)] {
        all.push(
            Model::new(name, ModelKind::TimeText { local: name == "ctime" }, Ptr, &[Ptr], text)
                .reads(0, from)
                .may_give(0)
                .gives(ResultOf::Object(&TIME_TEXT)),
        );
    }
    for (name, from) in [("asctime_r", TM), ("ctime_r", Extent::Word)] {
        all.push(
            Model::new(name, ModelKind::TimeText { local: name == "ctime_r" }, Ptr, &[Ptr, Ptr], text)
                .reads(0, from)
                .fills(1, Extent::Bytes(26), Content::LongText(SHORTEST))
                .may_give(0)
                .gives(ResultOf::Arg(1)),
        );
    }
    all
}

fn clocks() -> Vec<Model> {
    let mut all = vec![
        Model::new("time", ModelKind::Time, LONG, &[Ptr], "Any time, also stored unless null.")
            .writes_unless_null(0, Extent::Word)
            .gives(ResultOf::AtLeast(-1)),
        Model::new("difftime", ModelKind::DiffTime, Scalar::Double, &[LONG, LONG], "The difference."),
        Model::effect("clock", LONG, &[], "Any time that is not before the last one; 32 bits wrap.")
            .gives(ResultOf::Input),
        Model::effect("gettimeofday", INT, &[Ptr, Ptr], "Stores any time.")
            .fills_unless_null(0, PAIR, Content::Fields(&MICROSECONDS))
            .writes_unless_null(1, Extent::Bytes(8))
            .gives(ResultOf::Number(0)),
        Model::effect("nanosleep", INT, &[Ptr, Ptr], "0 or -1; what is left is stored only where it fails.")
            .reads(0, PAIR)
            .fills_unless_null(1, PAIR, Content::Kept)
            .may_give(-1)
            .gives(ResultOf::Number(0)),
    ];
    for name in ["clock_gettime", "clock_getres", "timespec_get"] {
        let params = if name == "timespec_get" { [Ptr, INT] } else { [INT, Ptr] };
        let (arg, gives, fails) = if name == "timespec_get" { (0, 1, 0) } else { (1, 0, -1) };
        let mut model = Model::effect(name, INT, &params, "Stores any time.")
            .fills(arg, PAIR, Content::Fields(&NANOSECONDS))
            .may_give(fails)
            .gives(ResultOf::Number(gives));
        // Whether there is such a clock can be asked without a place for its resolution.
        model.effect.writes[0].nullable = name == "clock_getres";
        all.push(model);
    }
    let nothing = "Takes time, which does not matter here, and gives 0.";
    for (name, ret, params) in [
        ("usleep", INT, &[Scalar::UINT][..]),
        ("sleep", Scalar::UINT, &[Scalar::UINT]),
        ("sched_yield", INT, &[]),
    ] {
        all.push(Model::effect(name, ret, params, nothing).gives(ResultOf::Number(0)));
    }
    all
}
