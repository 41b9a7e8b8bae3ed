//! The methods of numbers that programs call by name, as Rust's own compute them.

use crate::value::{within, Val};
use looplets_core::ops::Method;
use looplets_core::types::Ty;

/// `method` of values, the first one of type `own`.
pub fn call(method: Method, args: &[Val], own: &Ty) -> Result<Val, String> {
    let none = || format!("`{}` of `{}` is not evaluated here", method.name(), own.text());
    if own.is_float() {
        let single = *own == Ty::named("f32");
        let of: Vec<f64> = args.iter().map(Val::float).collect();
        let power = args.get(1).map_or(0, |v| v.int() as i32);
        return match single {
            true => narrow(method, &of, power),
            false => wide(method, &of, power),
        }
        .ok_or_else(none);
    }
    whole(method, args, own)?.ok_or_else(none)
}

macro_rules! floats {
    ($name:ident $t:ty) => {
        fn $name(method: Method, of: &[f64], power: i32) -> Option<Val> {
            use Method::*;
            let at = |k: usize| of.get(k).copied().unwrap_or(f64::NAN) as $t;
            let x = at(0);
            let plain: Option<fn($t) -> $t> = match method {
                Sqrt => Some(<$t>::sqrt),
                Cbrt => Some(<$t>::cbrt),
                Exp => Some(<$t>::exp),
                Exp2 => Some(<$t>::exp2),
                ExpM1 => Some(<$t>::exp_m1),
                Ln => Some(<$t>::ln),
                Ln1p => Some(<$t>::ln_1p),
                Log2 => Some(<$t>::log2),
                Log10 => Some(<$t>::log10),
                Sin => Some(<$t>::sin),
                Cos => Some(<$t>::cos),
                Tan => Some(<$t>::tan),
                Asin => Some(<$t>::asin),
                Acos => Some(<$t>::acos),
                Atan => Some(<$t>::atan),
                Sinh => Some(<$t>::sinh),
                Cosh => Some(<$t>::cosh),
                Tanh => Some(<$t>::tanh),
                Asinh => Some(<$t>::asinh),
                Acosh => Some(<$t>::acosh),
                Atanh => Some(<$t>::atanh),
                Floor => Some(<$t>::floor),
                Ceil => Some(<$t>::ceil),
                Round => Some(<$t>::round),
                RoundTiesEven => Some(<$t>::round_ties_even),
                Trunc => Some(<$t>::trunc),
                Fract => Some(<$t>::fract),
                Recip => Some(<$t>::recip),
                ToDegrees => Some(<$t>::to_degrees),
                ToRadians => Some(<$t>::to_radians),
                Abs => Some(<$t>::abs),
                Signum => Some(<$t>::signum),
                _ => None,
            };
            let given = match (plain, method) {
                (Some(f), _) => f(x),
                (_, Atan2) => x.atan2(at(1)),
                (_, Powi) => x.powi(power),
                (_, Powf) => x.powf(at(1)),
                (_, MulAdd) => x.mul_add(at(1), at(2)),
                (_, Copysign) => x.copysign(at(1)),
                (_, RemEuclid) => x.rem_euclid(at(1)),
                (_, DivEuclid) => x.div_euclid(at(1)),
                (_, IsNan) => return Some(Val::Bool(x.is_nan())),
                (_, IsInfinite) => return Some(Val::Bool(x.is_infinite())),
                (_, IsFinite) => return Some(Val::Bool(x.is_finite())),
                (_, IsSignNegative) => return Some(Val::Bool(x.is_sign_negative())),
                (_, IsSignPositive) => return Some(Val::Bool(x.is_sign_positive())),
                _ => return None,
            };
            Some(Val::Float(f64::from(given)))
        }
    };
}
floats!(wide f64);
floats!(narrow f32);

/// Those of whole numbers; `None` if it is none that is evaluated.
fn whole(method: Method, args: &[Val], own: &Ty) -> Result<Option<Val>, String> {
    use Method::*;
    let Some((least, Some(most))) = own.integers() else { return Ok(None) };
    let at = |k: usize| args.get(k).map_or(0, Val::int);
    let (a, b) = (at(0), at(1));
    let width = 128 - (most - least).leading_zeros();
    let bits = (a as u128) & ((most - least) as u128);
    let divided = |n: Option<i128>| {
        n.ok_or_else(|| "the kernel would panic here: a division by 0".to_owned())
    };
    let round = |n: i128| Val::Int(n).cast(own);
    let cut = |n: Option<i128>, negative: bool| {
        let beyond = if negative { least } else { most };
        Val::Int(n.map_or(beyond, |n| n.clamp(least, most)))
    };
    let kept = |n: i128| within(n, own).map(Val::Int);
    Ok(Some(match method {
        Abs => kept(a.abs())?,
        Signum => Val::Int(a.signum()),
        RemEuclid => kept(divided(a.checked_rem_euclid(b))?)?,
        DivEuclid => kept(divided(a.checked_div_euclid(b))?)?,
        Ilog2 | Ilog10 if a <= 0 => {
            return Err(
                "the kernel would panic here: a logarithm of what is not positive".to_owned()
            )
        }
        Ilog2 => Val::Int(a.ilog2().into()),
        Ilog10 => Val::Int(a.ilog10().into()),
        AbsDiff => Val::Int((a - b).abs()),
        UnsignedAbs => Val::Int(a.abs()),
        IsPowerOfTwo => Val::Bool(a > 0 && a & (a - 1) == 0),
        NextPowerOfTwo => kept((a.max(1) as u128).next_power_of_two() as i128)?,
        CountOnes => Val::Int(bits.count_ones().into()),
        CountZeros => Val::Int((width - bits.count_ones()).into()),
        LeadingZeros => Val::Int((bits.leading_zeros() + width - 128).into()),
        TrailingZeros => Val::Int(bits.trailing_zeros().min(width).into()),
        TrailingOnes => Val::Int(bits.trailing_ones().into()),
        WrappingAdd => round(a + b),
        WrappingSub => round(a - b),
        WrappingMul => round(a.wrapping_mul(b)),
        WrappingNeg => round(-a),
        WrappingAbs => round(a.abs()),
        WrappingDiv => round(divided(a.checked_div(b))?),
        WrappingRem => round(divided(a.checked_rem(b))?),
        SaturatingAdd => cut(Some(a + b), false),
        SaturatingSub => cut(Some(a - b), false),
        SaturatingMul => cut(a.checked_mul(b), (a < 0) != (b < 0)),
        SaturatingAbs => cut(Some(a.abs()), false),
        SaturatingNeg => cut(Some(-a), false),
        _ => return Ok(None),
    }))
}
