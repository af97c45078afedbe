//! `math.h`.

use crate::Model;
use crate::Scalar;
use crate::kind::{MathFunction, ModelKind};

pub(crate) fn models() -> Vec<Model> {
    use MathFunction::*;
    let doc = "Computed as glibc does; of a long double only where the result is exact.";
    let mut all = Vec::new();
    let mut add = |function, arity: usize, names: [&'static str; 3]| {
        for (name, value) in names.into_iter().zip([Scalar::Double, Scalar::Float, Scalar::LongDouble]) {
            let params = [value, value, value];
            let kind = ModelKind::Math { function, value };
            all.push(Model::new(name, kind, value, &params[..arity], doc));
        }
    };
    add(Sqrt, 1, ["sqrt", "sqrtf", "sqrtl"]);
    add(Cbrt, 1, ["cbrt", "cbrtf", "cbrtl"]);
    add(Fabs, 1, ["fabs", "fabsf", "fabsl"]);
    add(Floor, 1, ["floor", "floorf", "floorl"]);
    add(Ceil, 1, ["ceil", "ceilf", "ceill"]);
    add(Trunc, 1, ["trunc", "truncf", "truncl"]);
    add(Round, 1, ["round", "roundf", "roundl"]);
    add(Rint, 1, ["rint", "rintf", "rintl"]);
    add(Exp, 1, ["exp", "expf", "expl"]);
    add(Exp2, 1, ["exp2", "exp2f", "exp2l"]);
    add(Log, 1, ["log", "logf", "logl"]);
    add(Log2, 1, ["log2", "log2f", "log2l"]);
    add(Log10, 1, ["log10", "log10f", "log10l"]);
    add(Sin, 1, ["sin", "sinf", "sinl"]);
    add(Cos, 1, ["cos", "cosf", "cosl"]);
    add(Tan, 1, ["tan", "tanf", "tanl"]);
    add(Asin, 1, ["asin", "asinf", "asinl"]);
    add(Acos, 1, ["acos", "acosf", "acosl"]);
    add(Atan, 1, ["atan", "atanf", "atanl"]);
    add(Sinh, 1, ["sinh", "sinhf", "sinhl"]);
    add(Cosh, 1, ["cosh", "coshf", "coshl"]);
    add(Tanh, 1, ["tanh", "tanhf", "tanhl"]);
    add(Pow, 2, ["pow", "powf", "powl"]);
    add(Atan2, 2, ["atan2", "atan2f", "atan2l"]);
    add(Fmod, 2, ["fmod", "fmodf", "fmodl"]);
    add(Hypot, 2, ["hypot", "hypotf", "hypotl"]);
    add(Fmin, 2, ["fmin", "fminf", "fminl"]);
    add(Fmax, 2, ["fmax", "fmaxf", "fmaxl"]);
    add(Copysign, 2, ["copysign", "copysignf", "copysignl"]);
    add(Fma, 3, ["fma", "fmaf", "fmal"]);
    add(Expm1, 1, ["expm1", "expm1f", "expm1l"]);
    add(Log1p, 1, ["log1p", "log1pf", "log1pl"]);
    all
}
