//! Which functions may set `errno`.

use crate::kind::{MathFunction, ModelKind};
use crate::{Model, Scalar};

impl Model {
    /// True if `errno` may be another number after a call. C lets any function change it whose description does not speak of
    /// it; those that only compute on memory, characters and numbers have no reason to.
    pub fn may_set_errno(&self) -> bool {
        use ModelKind::*;
        match self.kind {
            CopyBytes { .. } | Fill { .. } | CompareBytes | FindByte { .. } => false,
            StrLen { .. } | StrCopy { .. } | StrCat { .. } | StrCompare { .. } | StrFind { .. } => false,
            StrStr { .. } | StrSpan(_) | StrTok { .. } | StrSep => false,
            IsChar(_) | ToLower | ToUpper | Abs | DiffTime | IsLive => false,
            Math { function, .. } => function.may_fail(),
            IsKnown | Assume | Assert | AssertFail { .. } | ReachError | Abort | Exit { .. } => false,
            Effect => !self.name.starts_with("__VERIFIER_"),
            _ => true,
        }
    }
}

impl MathFunction {
    /// False if it has a result for all numbers.
    fn may_fail(self) -> bool {
        use MathFunction::*;
        !matches!(self, Cbrt | Fabs | Floor | Ceil | Trunc | Round | Rint | Fmin | Fmax | Copysign)
    }

    /// The error, if any, that a call with these arguments may report by `errno`. Whether it does is up to the library; nothing is
    /// said of errors that it has to report.
    pub fn error(self, value: Scalar, args: &[f64], result: f64) -> Option<u32> {
        let least = if value == Scalar::Float { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        // A long argument may be too large for the number that stands for it here.
        let finite = args.iter().all(|arg| arg.is_finite() || value == Scalar::LongDouble && !arg.is_nan());
        let pole = self == MathFunction::Pow && args[0] == 0.0;
        if !self.may_fail() || args.iter().any(|arg| arg.is_nan()) {
            None
        } else if result.is_nan() {
            Some(EDOM)
        } else if result.is_infinite() {
            (finite || pole).then_some(ERANGE)
        } else if result == 0.0 {
            (self.vanishes() && finite && args.iter().all(|arg| *arg != 0.0)).then_some(ERANGE)
        } else {
            (result.abs() <= least).then_some(ERANGE)
        }
    }

    /// True if the result may be too small for the type although the arguments are not.
    fn vanishes(self) -> bool {
        use MathFunction::*;
        matches!(self, Exp | Exp2 | Pow | Atan2 | Fma)
    }
}

/// An argument is not in the domain of a function.
pub const EDOM: u32 = 33;
/// A result is out of range.
pub const ERANGE: u32 = 34;
/// An argument is invalid.
pub const EINVAL: u32 = 22;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_may_set_it() {
        let may = |name: &str| crate::lookup(name).unwrap().may_set_errno();
        for name in ["strlen", "memcpy", "isalpha", "abs", "fabs", "floor", "__VERIFIER_nondet_int", "exit"] {
            assert!(!may(name), "{name}");
        }
        for name in ["sqrt", "pow", "strtol", "atoi", "strtod", "printf", "malloc", "fopen", "isatty"] {
            assert!(may(name), "{name}");
        }
    }

    #[test]
    fn errors_of_functions_on_numbers() {
        use MathFunction::*;
        let error =
            |function: MathFunction, args: &[f64], result: f64| function.error(Scalar::Double, args, result);
        assert_eq!(error(Sqrt, &[-1.0], f64::NAN), Some(EDOM));
        assert_eq!(error(Sqrt, &[f64::NAN], f64::NAN), None);
        assert_eq!(error(Sqrt, &[f64::INFINITY], f64::INFINITY), None);
        assert_eq!(error(Sqrt, &[4.0], 2.0), None);
        assert_eq!(error(Exp, &[1000.0], f64::INFINITY), Some(ERANGE));
        assert_eq!(error(Exp, &[-1000.0], 0.0), Some(ERANGE));
        assert_eq!(error(Exp, &[f64::NEG_INFINITY], 0.0), None);
        assert_eq!(error(Log, &[0.0], f64::NEG_INFINITY), Some(ERANGE));
        assert_eq!(error(Log, &[1.0], 0.0), None);
        assert_eq!(error(Pow, &[0.0, f64::NEG_INFINITY], f64::INFINITY), Some(ERANGE));
        assert_eq!(error(Sin, &[0.0], 0.0), None);
        assert_eq!(error(Sin, &[1e-310], 1e-310), Some(ERANGE));
        assert_eq!(error(Fmod, &[1.0, 0.0], f64::NAN), Some(EDOM));
        assert_eq!(Exp.error(Scalar::Float, &[-88.0], 6e-39), Some(ERANGE));
    }
}
