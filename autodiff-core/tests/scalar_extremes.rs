//! Rows of the scalar table in `f32` and where formulas break: kinks, poles, overflow, infinities.
#![cfg(feature = "std")]

/// `max` and `min` against a constant are the same functions with rows of their own.
trait AgainstConstant {
    fn max_constant(self, c: Self) -> Self;
    fn min_constant(self, c: Self) -> Self;
}

macro_rules! against_constant {
    ($($t:ident)*) => { $(
        impl AgainstConstant for $t {
            fn max_constant(self, c: Self) -> Self {
                self.max(c)
            }
            fn min_constant(self, c: Self) -> Self {
                self.min(c)
            }
        }
    )* };
}
against_constant!(f32 f64);

/// For each row a function of its arguments that gives all its partials.
macro_rules! rows {
    ($t:ident $( $(#[$doc:meta])* fn $name:ident ($first:ident $(: $first_ty:ty)? $(, $arg:ident $(: $ty:ty)?)*) -> $y:ident
        { $($of:ident : $partial:expr),* $(,)? } at [$($point:tt),*] $($flag:ident)*; )*) => {
        $(
            #[allow(unused_variables, clippy::all)]
            pub(super) fn $name($first: $t $(, $arg: rows!(@type $t $($ty)?))*) -> Vec<$t> {
                let $y: $t = $first.$name($($arg),*);
                vec![$($partial),*]
            }
        )*
    };
    (@type $t:ident) => { $t };
    (@type $t:ident $ty:ty) => { $ty };
}

macro_rules! f32_rows {
    ($($row:tt)*) => { rows! { f32 $($row)* } };
}
macro_rules! f64_rows {
    ($($row:tt)*) => { rows! { f64 $($row)* } };
}

mod single {
    use super::AgainstConstant;
    use autodiff_core::Real;
    autodiff_core::scalar_rules!(f32_rows);
}
mod double {
    use super::AgainstConstant;
    use autodiff_core::Real;
    autodiff_core::scalar_rules!(f64_rows);
}

#[track_caller]
fn assert_rounded(name: &str, single: &[f32], double: &[f64]) {
    assert_eq!(single.len(), double.len());
    for (&s, &d) in single.iter().zip(double) {
        let error = (f64::from(s) - d).abs();
        assert!(error <= 4e-6 * d.abs() + 1e-37, "{name}: {single:?} but in double precision {double:?}");
    }
}

/// Calls each row at its points in both precisions; the double one gets the rounded arguments.
macro_rules! in_both_precisions {
    ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident $(: $ty:ty)?),*) -> $y:ident
        { $($of:ident : $partial:expr),* $(,)? } at [$($point:tt),*] $($flag:ident)*; )*) => {
        let mut compared = 0;
        $( {
            // Closures: the points and the arguments do not repeat together.
            #[allow(unused_parens, clippy::all)]
            let mut compare = |args| {
                let ($($arg),*) = args;
                assert_rounded(stringify!($name), &single::$name($($arg),*), &double::$name($($arg.into()),*));
                compared += 1;
            };
            $( compare($point); )*
        } )*
        assert!(compared > 80, "{compared}");
    };
}

#[test]
fn single_precision_agrees_with_double_precision() {
    autodiff_core::scalar_rules!(in_both_precisions);
}

#[test]
fn functions_of_the_zero_table_are_constant_around_a_point() {
    macro_rules! constant {
        ($( $(#[$doc:meta])* fn $name:ident ($x:ident $(, $m:ident)?); )*) => { $({
            let f = |$x: f64 $(, $m: f64)?| $x.$name($($m)?);
            let near = |x: f64| f(x $(, { let $m = 2.0; $m })?);
            assert_eq!(near(5.3 - 1e-3), near(5.3 + 1e-3), stringify!($name));
            assert_ne!(near(5.3), near(-5.3), stringify!($name));
        })* };
    }
    autodiff_core::zero_rules!(constant);
}

#[track_caller]
fn assert_close(actual: &[f64], expected: &[f64]) {
    assert_eq!(actual.len(), expected.len());
    for (&a, &e) in actual.iter().zip(expected) {
        assert!(a == e || (a - e).abs() <= 4e-15 * e.abs(), "{actual:?}, not {expected:?}");
    }
}

const HUGE: f64 = 1e300;
const INF: f64 = f64::INFINITY;

#[test]
fn kinks() {
    for zero in [0.0, -0.0] {
        assert_eq!(double::abs(zero), [0.0]);
        assert_eq!(double::copysign(zero, 1.0), [0.0, 0.0]);
        assert_eq!(double::hypot(zero, 0.0), [0.0, 0.0]);
        assert_eq!(double::sqrt(zero)[0].abs(), INF);
        assert_eq!(double::cbrt(zero), [INF]);
    }
    assert_eq!(double::copysign(2.0, -0.0), [-1.0, 0.0]);
    assert_eq!((double::max(2.0, 2.0), double::min(2.0, 2.0)), (vec![0.5, 0.5], vec![0.5, 0.5]));
    assert_eq!((double::max_constant(0.0, 0.0), double::min_constant(0.0, 0.0)), (vec![0.0], vec![1.0]));
    assert_eq!(double::clamp(-1.0, -1.0, 1.0), [1.0, 0.0, 0.0]);
    assert_eq!(double::clamp(1.0, -1.0, 1.0), [1.0, 0.0, 0.0]);
    assert_eq!(double::clamp(-1.5, -1.0, 1.0), [0.0, 1.0, 0.0]);
    assert_eq!(double::clamp(1.5, -1.0, 1.0), [0.0, 0.0, 1.0]);
}

#[test]
fn the_operand_beside_nan_is_selected() {
    assert_eq!((double::max(f64::NAN, 1.0), double::max(1.0, f64::NAN)), (vec![0.0, 1.0], vec![1.0, 0.0]));
    assert_eq!((double::min(f64::NAN, 1.0), double::min(1.0, f64::NAN)), (vec![0.0, 1.0], vec![1.0, 0.0]));
}

#[test]
fn infinities() {
    for x in [INF, -INF] {
        assert_eq!(double::atan(x), [0.0]);
        assert_eq!(double::tanh(x), [0.0]);
        assert_eq!(double::asinh(x), [0.0]);
        assert_eq!(double::recip(x), [0.0]);
        assert_eq!(double::abs(x), [x.signum()]);
        assert_eq!(double::hypot(x, 1.0), [x.signum(), 0.0]);
    }
    assert_eq!((double::exp(-INF), double::exp(INF)), (vec![0.0], vec![INF]));
    assert_eq!((double::ln(INF), double::ln(0.0)), (vec![0.0], vec![INF]));
    assert_eq!((double::sqrt(INF), double::cbrt(INF)), (vec![0.0], vec![0.0]));
}

#[test]
fn nothing_overflows_before_the_slope_does() {
    assert_close(&double::atan2(HUGE, HUGE), &[0.5 / HUGE, -0.5 / HUGE]);
    assert_close(&double::atan2(1e-300, HUGE), &[1.0 / HUGE, 0.0]);
    assert_close(&double::atan2(1e-200, 1.0), &[1.0, -1e-200]);
    let half = 0.5_f64.sqrt();
    assert_close(&double::hypot(HUGE, HUGE), &[half, half]);
    // The length overflows, its slopes do not.
    assert_close(&double::hypot(1.5e308, -1.5e308), &[half, -half]);
    assert_close(&double::asinh(HUGE), &[1.0 / HUGE]);
    assert_close(&double::acosh(HUGE), &[1.0 / HUGE]);
    assert_close(&double::powf(1e200, 2.0)[..1], &[2e200]);
    assert_close(&double::powf(1e-200, 2.0), &[2e-200, 0.0]);
}

#[test]
fn nothing_cancels_near_a_singularity() {
    let gap = 2.0_f64.powi(-50);
    let root = (gap * (2.0 - gap)).sqrt();
    assert_close(&double::asin(1.0 - gap), &[1.0 / root]);
    assert_close(&double::acos(1.0 - gap), &[-1.0 / root]);
    assert_close(&double::atanh(1.0 - gap), &[1.0 / (gap * (2.0 - gap))]);
    assert_close(&double::acosh(1.0 + gap), &[1.0 / (gap * (2.0 + gap)).sqrt()]);
    assert_close(&double::exp_m1(-40.0), &[(-40.0_f64).exp()]);
    assert_close(&double::ln_1p(1e-300), &[1.0]);
}

#[test]
fn powers_at_the_edge() {
    assert_eq!(double::powf(0.0, 2.0), [0.0, 0.0]);
    assert_eq!(double::powf(0.0, 1.0), [1.0, 0.0]);
    assert_eq!(double::powf(0.0, 0.0), [0.0, 0.0]);
    assert_eq!(double::powf(0.0, 0.5), [INF, 0.0]);
    assert_eq!(double::powf(-2.0, 3.0)[0], 12.0);
    assert_eq!(double::powi(0.0, 0), [0.0]);
    assert_eq!(double::powi(0.0, 1), [1.0]);
    assert_eq!(double::powi(0.0, 2), [0.0]);
    assert_eq!(double::powi(1.0, i32::MIN), [-2_147_483_648.0]);
    assert_eq!(double::log(1.0, 1.0)[1], 0.0);
    assert_eq!(double::rem_euclid(-7.5, 2.0), [1.0, 4.0]);
    assert_eq!(double::mul_add(2.0, 3.0, 4.0), [3.0, 2.0, 1.0]);
}
