//! Every row of the scalar table against central differences, at its own points and at extremes.
#![cfg(feature = "std")]

use autodiff_core::Real;

/// `max` and `min` against a constant are the same functions with rows of their own.
trait AgainstConstant {
    fn max_constant(self, c: Self) -> Self;
    fn min_constant(self, c: Self) -> Self;
}

impl AgainstConstant for f64 {
    fn max_constant(self, c: Self) -> Self {
        self.max(c)
    }
    fn min_constant(self, c: Self) -> Self {
        self.min(c)
    }
}

fn assert_slope(name: &str, argument: &str, partial: f64, f: impl Fn(f64) -> f64, at: f64) {
    let step = 1e-5 * at.abs().max(1e-15);
    let step = if at == 0.0 { 1e-6 } else { step };
    let difference = |h: f64| (f(at + h) - f(at - h)) / (2.0 * h);
    let expected = (4.0 * difference(step / 2.0) - difference(step)) / 3.0;
    let error = (partial - expected).abs() / expected.abs().max(1e-3);
    assert!(error < 1e-6, "d {name} / d {argument} at {at}: {partial} but differences give {expected}");
}

macro_rules! rows {
    ($( $(#[$doc:meta])* fn $name:ident ($first:ident $(: $first_ty:ty)? $(, $arg:ident $(: $ty:ty)?)* $(,)?) -> $y:ident
        { $($of:ident : $partial:expr),* $(,)? } at [$($point:tt),* $(,)?] $($flag:ident)*; )*) => {
        $(
            #[test]
            #[allow(unused_variables, unused_parens, clippy::all)]
            fn $name() {
                let check = |args| {
                    let ($first $(, $arg)*) = args;
                    rows!(@typed $first $(: $first_ty)?);
                    $( rows!(@typed $arg $(: $ty)?); )*
                    let $y: f64 = rows!(@call $name ($first $(, $arg)*));
                    rows!(@slopes $name ($first $(, $arg)*); $($of: $partial),*);
                };
                $( check($point); )*
            }
        )*
    };
    (@typed $arg:ident) => { let _: f64 = $arg; };
    (@typed $arg:ident : $ty:ty) => { let _: $ty = $arg; };
    (@call $name:ident ($first:ident $(, $arg:ident)*)) => { $first.$name($($arg),*) };
    // The list of arguments is one token tree here, so that it can stand in each repetition.
    (@slopes $name:ident $args:tt; $($of:ident : $partial:expr),*) => {
        $(
            let partial: f64 = $partial;
            assert_slope(stringify!($name), stringify!($of), partial, |$of: f64| rows!(@call $name $args), $of);
        )*
    };
}

mod at_points {
    use super::{AgainstConstant, Real, assert_slope};
    autodiff_core::scalar_rules!(rows);
}

#[test]
fn the_table_has_every_function_of_std_with_a_derivative() {
    macro_rules! names {
        ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident $(: $ty:ty)?),* $(,)?) -> $y:ident
            { $($of:ident : $partial:expr),* $(,)? } at [$($point:tt),* $(,)?] $($flag:ident)*; )*) => {
            [$(stringify!($name)),*]
        };
    }
    let names = autodiff_core::scalar_rules!(names);
    let wanted = "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp_m1 ln ln_1p log log2 log10 \
                  sqrt cbrt powf powi hypot abs copysign recip max min clamp mul_add rem_euclid fract to_radians to_degrees";
    for name in wanted.split_whitespace() {
        assert!(names.contains(&name), "{name}");
    }
}
