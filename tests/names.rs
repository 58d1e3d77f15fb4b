//! Where the derivatives live and what they are called.

use autodiff::differentiate;

mod taken {
    pub(crate) mod energy {
        pub(crate) const UNIT: f64 = 2.0;
    }

    /// A module of the function's name exists already.
    #[autodiff::differentiate(name = energy_derivatives)]
    pub(crate) fn energy(x: f64) -> f64 {
        energy::UNIT * x * x
    }

    #[autodiff::differentiate(name = power_derivatives)]
    pub(crate) fn power(x: f64, n: u32) -> f64 {
        if n == 0 { 1.0 } else { x * power(x, n - 1) }
    }
}

#[test]
fn another_name() {
    assert_eq!(taken::energy_derivatives::gradient(3.0), (18.0, 12.0));
    assert_eq!(taken::power_derivatives::gradient(2.0, 3), (8.0, 12.0));
    assert_eq!(taken::power_derivatives::jvp(2.0, 3, 0.5), (8.0, 6.0));
}

mod reexport {
    pub(crate) mod deep {
        pub(crate) use autodiff as ad;
    }
}

#[differentiate(crate = crate::reexport::deep::ad, plan = "store_all")]
fn through_a_reexport(x: f64, y: f64) -> f64 {
    let mut s = x;
    for i in 0..3 {
        s = s * y + (i as f64).sqrt() * x.abs();
    }
    s.max(0.0)
}

#[test]
fn another_path_and_plan() {
    let (value, (dx, dy)) = through_a_reexport::gradient(2.0, 0.5);
    assert_eq!(value, through_a_reexport(2.0, 0.5));
    autodiff::check::assert_gradient(|v: &[f64; 2]| through_a_reexport(v[0], v[1]), &[2.0, 0.5], &[dx, dy], 1e-8);
}

macro_rules! polynomial {
    ($name:ident, $x:ident, $($c:literal),+) => {
        #[differentiate]
        pub(crate) fn $name($x: f64) -> f64 {
            let mut s = 0.0;
            $( s = s * $x + $c; )+
            s
        }
    };
}
polynomial!(from_a_macro, x, 2.0, -1.0, 0.5);

#[test]
fn a_function_made_by_a_macro() {
    assert_eq!(from_a_macro::gradient(3.0), (15.5, 11.0));
}

#[test]
fn a_function_local_to_a_body() {
    #[differentiate]
    fn local(x: f64) -> f64 {
        x.exp() * x
    }
    assert_eq!(local::gradient(0.0), (0.0, 1.0));
}

/// Names that generated code might have chosen.
#[differentiate]
#[allow(clippy::just_underscores_and_digits)]
fn collisions(__x_bar: f64, __t1: f64, value: f64, back: f64) -> f64 {
    let __seed = __x_bar * __t1;
    let __saved = __seed.sin() + value;
    let __t2 = __saved * back;
    let x_bar = __t2 * __t2;
    x_bar + __t1
}

#[test]
fn names_of_the_user_come_first() {
    let at = [0.3, -0.8, 1.1, 0.6];
    let (_, (a, b, c, d)) = collisions::gradient(at[0], at[1], at[2], at[3]);
    autodiff::check::assert_gradient(|v: &[f64; 4]| collisions(v[0], v[1], v[2], v[3]), &at, &[a, b, c, d], 1e-8);
}

/// Everything of a signature carries over.
#[differentiate]
#[must_use]
#[inline(never)]
pub fn signature<'a, const N: usize>(xs: &'a [f64; N], (a, [b, _]): (f64, [f64; 2]), r#type: f64, _: bool) -> f64
where
    [f64; N]: Sized + 'a,
{
    let mut s = a * r#type;
    for x in xs {
        s += x * b;
    }
    s
}

#[test]
fn signatures_carry_over() {
    let (value, (dxs, (da, db), dtype)) = signature::gradient(&[1.0, 2.0], (3.0, [4.0, 5.0]), 6.0, true);
    assert_eq!(value, 30.0);
    assert_eq!((dxs, da, db, dtype), ([4.0, 4.0], 6.0, [3.0, 0.0], 3.0));
}

mod rules {
    /// A function that shadows a name of the library's, in a module that does too.
    #[autodiff::differentiate]
    pub(crate) fn relu(x: f64) -> f64 {
        if x > 0.0 { 2.0 * x } else { 0.0 }
    }
}

#[differentiate]
fn own_function_first(x: f64) -> f64 {
    rules::relu(x) + autodiff::relu(x)
}

#[test]
fn paths_mean_what_they_mean_to_the_user() {
    assert_eq!(own_function_first::gradient(2.0), (6.0, 3.0));
}

/// Parameters called like what is derived from others.
#[differentiate(order = 2)]
#[allow(clippy::too_many_arguments)]
fn derived_names(x: f64, x_dot: f64, x_bar: f64, _y: f64, y: f64, r#type: f64, x_tangent: f64, x_shadow: f64) -> f64 {
    x * x_dot * x_bar * y * r#type + x_tangent * x_shadow * _y
}

#[test]
fn parameters_called_like_tangents() {
    let (value, gradient) = derived_names::gradient(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0);
    assert_eq!(value, 404.0);
    assert_eq!(gradient, (180.0, 90.0, 60.0, 56.0, 36.0, 30.0, 32.0, 28.0));
    let (_, tangent) = derived_names::jvp(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0);
    assert_eq!(tangent, 236.0);
    let (_, _, product) = derived_names::hvp(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0);
    assert_eq!(product, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 7.0));
}
