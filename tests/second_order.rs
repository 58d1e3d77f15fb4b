//! Second derivatives: closed forms, and products with the Hessian against differences of the gradient.

#![allow(clippy::needless_range_loop, clippy::assign_op_pattern, reason = "programs as users write them")]

use autodiff::{Tangent, differentiate, jacobian};
use nalgebra::{DMatrix, DVector, Matrix2, Vector2, Vector3};

/// The derivative of `gradient` at 0, by central differences, extrapolated.
fn difference(gradient: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let central = |h: f64| -> Vec<f64> {
        let (after, before) = (gradient(h), gradient(-h));
        after.iter().zip(&before).map(|(a, b)| (a - b) / (2.0 * h)).collect()
    };
    central(1e-4).iter().zip(central(2e-4)).map(|(fine, coarse)| (4.0 * fine - coarse) / 3.0).collect()
}

#[track_caller]
fn assert_close(got: &[f64], wanted: &[f64]) {
    assert_eq!(got.len(), wanted.len());
    for (g, w) in got.iter().zip(wanted) {
        assert!((g - w).abs() <= 2e-7 * w.abs().max(1.0), "{got:?} but {wanted:?}");
    }
}

/// Functions of floats, each at its points, along several directions.
macro_rules! functions {
    ($( fn $name:ident($($x:ident),* $(; $c:ident: $t:ty)?) at [$($point:tt),*] $body:block )*) => { $(
        #[test]
        fn $name() {
            #[differentiate(order = 2)]
            fn function($($x: f64,)* $($c: $t)?) -> f64 $body
            let check = |point: ($(functions!(@float $x),)* $($t,)?), direction: f64| {
                let ($($x,)* $($c,)?) = point;
                let mut along = direction;
                $( along = (3.7 * along + 0.4).cos(); let $x = ($x, along); )*
                let (value, gradient, product) = function::hvp($($x.0,)* $($c,)? $($x.1),*);
                let (same, first) = function::gradient($($x.0,)* $($c)?);
                assert_eq!(value, same);
                assert_close(&gradient.flatten(), &first.flatten());
                let moved = |h: f64| function::gradient($($x.0 + h * $x.1,)* $($c)?).1.flatten();
                assert_close(&product.flatten(), &difference(moved));
            };
            $( for direction in [0.0, 1.0, 2.0] { check(functions!(@tuple $point), direction); } )*
        }
    )* };
    (@float $x:ident) => { f64 };
    (@tuple ($($part:expr),*)) => { ($($part,)*) };
}

/// The rows of the scalar table.
mod rows {
    use super::*;

    functions! {
        fn sin(x) at [(-2.0), (0.5)] { x.sin() }
        fn cos(x) at [(-2.0), (0.5)] { x.cos() }
        fn tan(x) at [(-0.9), (0.5), (2.5)] { x.tan() }
        fn asin(x) at [(-0.8), (0.0), (0.3)] { x.asin() }
        fn acos(x) at [(-0.8), (0.0), (0.3)] { x.acos() }
        fn atan(x) at [(-2.0), (0.0), (0.7)] { x.atan() }
        fn atan2(x, z) at [(0.3, -0.7), (0.9, 0.2), (-1.0, -1.0), (1.0, -1.0), (0.0, 2.0), (3.0, 0.0)] { x.atan2(z) }
        fn sinh(x) at [(-1.5), (0.0), (0.4)] { x.sinh() }
        fn cosh(x) at [(-1.5), (0.0), (0.4)] { x.cosh() }
        fn tanh(x) at [(-1.5), (0.0), (0.4)] { x.tanh() }
        fn asinh(x) at [(-3.0), (0.0), (0.4)] { x.asinh() }
        fn acosh(x) at [(1.2), (5.0)] { x.acosh() }
        fn atanh(x) at [(-0.8), (0.0), (0.3)] { x.atanh() }
        fn exp(x) at [(-2.0), (0.5)] { x.exp() }
        fn exp2(x) at [(-2.0), (0.5)] { x.exp2() }
        fn exp_m1(x) at [(-2.0), (0.5)] { x.exp_m1() }
        fn ln(x) at [(0.3), (4.0)] { x.ln() }
        fn ln_1p(x) at [(-0.5), (0.0), (4.0)] { x.ln_1p() }
        fn log2(x) at [(0.3), (4.0)] { x.log2() }
        fn log10(x) at [(0.3), (4.0)] { x.log10() }
        fn log(x, base) at [(0.3, 4.0), (5.0, 0.4), (1.0, 2.0)] { x.log(base) }
        fn sqrt(x) at [(0.25), (4.0)] { x.sqrt() }
        fn cbrt(x) at [(-8.0), (0.3)] { x.cbrt() }
        fn powf(x, p) at [(0.7, 2.3), (1.8, -1.5), (2.0, 3.0), (2.0, 0.0), (2.0, 1.0)] { x.powf(p) }
        fn powi(x; n: i32) at [(1.3, 3), (-0.7, 2), (-0.7, -3), (0.4, 1), (0.9, 0), (0.0, 2), (0.0, 1)] { x.powi(n) }
        fn powi_of_literals(x) at [(1.3), (-0.7)] { x.powi(3) + x.powi(2) * x.powi(-2) + x.powi(1) + x.powi(0) + x.powi(-1) }
        fn hypot(x, z) at [(0.3, -0.4), (-2.0, 0.0), (0.0, 3.0), (1.0, 1e-9)] { x.hypot(z) }
        fn recip(x) at [(-2.0), (0.5)] { x.recip() }
        fn abs(x) at [(-2.0), (0.5)] { x.abs() * x }
        fn copysign(x, s) at [(-2.0, 3.0), (0.5, -3.0)] { x.copysign(s) * x }
        fn max(x, z) at [(0.3, -0.7), (-2.0, 1.0)] { (x * z).max(z * z) }
        fn min(x, z) at [(0.3, -0.7), (-2.0, 1.0)] { (x * z).min(z * z) }
        fn against_constants(x) at [(0.3), (-2.0), (4.0)] { (x * x).max(1.0) + (x * x * x).min(2.0) }
        fn clamp(x, low, high) at [(0.3, -0.7, 0.9), (-2.0, -1.0, 1.0), (4.0, -1.0, 1.0)] { (x * x).clamp(low * low, low * low + high * high) }
        fn mul_add(x, a, b) at [(0.3, -0.7, 2.0)] { x.mul_add(a, b) * b }
        fn midpoint(x, z) at [(0.3, -0.7)] { x.midpoint(z) * x }
        fn rem_euclid(x, m) at [(7.3, 2.0), (-7.3, 2.0)] { x.rem_euclid(m) * x * m }
        fn remainder(x, m) at [(7.3, 2.0), (-7.3, 2.0)] { (x % m) * x * m }
        fn fract(x) at [(7.3), (-7.3)] { x.fract() * x }
        fn degrees(x) at [(0.7)] { x.to_degrees().to_radians() * x }
    }

    #[test]
    fn all_of_them_are_here() {
        macro_rules! names {
            ($( $(#[$doc:meta])* fn $name:ident ($($args:tt)*) -> $y:ident { $($partials:tt)* } at [$($points:tt)*] $($flag:ident)*; )*) => {
                [$(stringify!($name)),*]
            };
        }
        let file = include_str!("second_order.rs");
        for name in autodiff::scalar_rules!(names) {
            let called = format!(".{}(", name.trim_end_matches("_constant"));
            assert!(file.contains(&called), "{name}");
        }
    }
}

/// Control flow, state and arrays.
mod programs {
    use super::*;

    functions! {
        fn quotients(x, y) at [(0.7, 1.3), (-0.4, 2.0)] { let z = x / y; (z + 1.0) / (x * x + y / z) - y / 3.0 }
        fn branches(x, y) at [(0.7, 1.3), (-0.4, 2.0), (-1.4, -2.0)] {
            if x > 0.0 { x * y.sin() } else if y > 0.0 { x.exp() / y } else { let z = x * y; z * z * z }
        }
        fn matched(x; n: usize) at [(0.7, 0), (0.7, 1), (0.7, 5)] {
            match n { 0 => x * x, 1 => x.exp() * x, n if n > 3 => { let mut y = x; for _ in 0..n { y *= x; } y } _ => 0.0 }
        }
        fn loops(x, y) at [(0.7, 1.3), (-0.4, 0.5)] {
            let mut s = x;
            for i in 0..4 {
                if i == 2 { s = s * s; continue; }
                s = (s * y).sin() + x / (i as f64 + 2.0);
            }
            s
        }
        fn newton(x) at [(2.0), (7.0)] {
            let mut y = x;
            while (y * y - x).abs() > 1e-14 * x {
                y = 0.5 * (y + x / y);
            }
            y * x
        }
        fn returned_early(x, y) at [(0.7, 1.3), (-0.4, 0.5)] {
            let mut s = x * y;
            for i in 0..10 {
                s *= x + y;
                if s.abs() > 2.0 { return s * s; }
                if i == 5 { break; }
            }
            s.cosh()
        }
        fn arrays(x, y) at [(0.7, 1.3), (-0.4, 0.5)] {
            let mut a = [[x, y], [x * y, 1.0]];
            for i in 0..2 {
                for j in 0..2 {
                    a[i][j] = (a[j][i] * a[i][j]).sin() + x;
                }
            }
            let (p, q) = (a[0][0] * a[1][1], a[1][0]);
            p / (q * q + 1.0)
        }
        fn tuples(x, y) at [(0.7, 1.3)] { let mut t = (x * y, [x, y]); t.0 *= t.1[0]; t.1[1] = t.0 * t.1[1]; t.1[1].ln() * t.0 }
        fn single_precision_inside(x) at [(0.5), (2.0)] { let y = x * x; y * x.max(0.25) }
        fn square_roots_of_sums(x, y) at [(0.7, 1.3), (-0.4, 0.5)] { (x * x + y * y).sqrt() + (1.0 + x * x).sqrt().ln() }
        fn root_of_a_zero_square(x, y) at [(0.7, 1.3)] { ((y - y) / (1.0 + x * x)).powi(2).sqrt().atan() + x * x * y }
        fn linear(x, y) at [(0.7, 1.3)] { 3.0 * x - y / 2.0 }
    }
}

#[test]
fn the_hessian_of_rosenbrock() {
    #[differentiate(order = 2)]
    fn rosenbrock(x: &[f64; 2]) -> f64 {
        100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)
    }
    let x = [-1.2, 1.0];
    let hessian = jacobian::columns(&x, |direction| rosenbrock::hvp(&x, &direction).2);
    let corner = -400.0 * x[0];
    assert_close(&hessian.concat(), &[1200.0 * x[0] * x[0] - 400.0 * x[1] + 2.0, corner, corner, 200.0]);
}

#[test]
fn slices() {
    #[differentiate(order = 2)]
    fn coupled(x: &[f64], k: f64, n: usize) -> f64 {
        let mut energy = 0.0;
        for i in 0..x.len() {
            energy += k * (x[i] - x[(i + n) % x.len()]).cosh() + x[i].powi(4);
        }
        energy
    }
    let (x, v, k) = ([0.3, -0.7, 1.1, 0.2], [1.0, -0.5, 0.25, 2.0], 1.7);
    let (_, (gradient, k_bar), (product, k_product)) = coupled::hvp(&x, k, 1, &v, 0.6);
    assert_eq!(coupled::gradient(&x, k, 1).1, (gradient, k_bar));
    let wanted = difference(|h| {
        let moved: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + h * v).collect();
        coupled::gradient(&moved, k + h * 0.6, 1).1.flatten()
    });
    assert_close(&(product, k_product).flatten(), &wanted);
}

#[test]
fn matrices() {
    #[differentiate(order = 2)]
    fn energy(a: &Matrix2<f64>, v: Vector2<f64>, s: f64) -> f64 {
        let w = a * v * s + v / s;
        w.norm() + w.dot(&v) * w.component_mul(&v).sum() + (a.transpose() * w).norm_squared() + a[(0, 1)] * v.x
    }
    let (a, v, s) = (Matrix2::new(0.4, -0.9, 1.3, 0.2), Vector2::new(0.7, -1.1), 1.4);
    let (da, dv, ds) = (Matrix2::new(0.3, 0.1, -0.6, 0.9), Vector2::new(-0.2, 0.5), 0.8);
    let (value, gradient, product) = energy::hvp(&a, v, s, &da, dv, ds);
    let (same, first) = energy::gradient(&a, v, s);
    assert_eq!(value, same);
    assert_close(&gradient.flatten(), &first.flatten());
    let wanted = difference(|h| energy::gradient(&(a + h * da), v + h * dv, s + h * ds).1.flatten());
    assert_close(&product.flatten(), &wanted);
}

/// The norm at 0 has the slope 0, whatever is done with it.
#[test]
fn the_norm_at_zero() {
    #[differentiate(order = 2)]
    fn length(v: Vector3<f64>, s: f64) -> f64 {
        v.norm() * s + v.norm_squared() * s * s
    }
    let (value, gradient, product) = length::hvp(Vector3::zeros(), 2.0, Vector3::new(1.0, 2.0, 3.0), 1.0);
    assert_eq!((value, gradient), (0.0, (Vector3::zeros(), 0.0)));
    assert_eq!(product, (Vector3::new(8.0, 16.0, 24.0), 0.0));
}

#[test]
fn calls() {
    #[differentiate(order = 2)]
    fn spring(d: Vector3<f64>, k: f64) -> f64 {
        k * (d.norm() - 1.0).powi(2)
    }
    #[differentiate(order = 2)]
    fn shifted(x: &[f64; 2], by: f64) -> [f64; 2] {
        [x[0] * by, x[1] + by * x[0]]
    }
    #[differentiate(order = 2)]
    fn scale(x: &mut [f64; 2], by: f64) {
        x[0] *= by;
        x[1] = x[1] * x[0];
    }
    #[differentiate(order = 2)]
    fn total(x: [f64; 2], k: f64, n: usize) -> f64 {
        let mut y = shifted(&x, k);
        for _ in 0..n {
            y = shifted(&y, 0.5 * k);
            scale(&mut y, k);
        }
        spring(Vector3::new(y[0], y[1], k), k) + y[0]
    }
    let (x, k, dx, dk) = ([0.7, -0.4], 1.3, [0.2, 0.9], -0.5);
    for n in [0, 1, 3] {
        let (value, gradient, product) = total::hvp(x, k, n, dx, dk);
        let (same, first) = total::gradient(x, k, n);
        assert_eq!(value, same);
        assert_close(&gradient.flatten(), &first.flatten());
        let wanted = difference(|h| total::gradient([x[0] + h * dx[0], x[1] + h * dx[1]], k + h * dk, n).1.flatten());
        assert_close(&product.flatten(), &wanted);
    }
}

#[test]
fn single_precision() {
    #[differentiate(order = 2)]
    fn mixed(x: f32, y: f64) -> f64 {
        let z = x * x.log2() + x.exp2() + x.log10() + x.powi(3);
        f64::from(z) * y * (x as f64)
    }
    let (_, _, (_, along_y)) = mixed::hvp(1.5, 2.0, 0.0, 1.0);
    assert_eq!(along_y, 0.0);
    let (_, _, (xx, yx)) = mixed::hvp(1.5, 2.0, 1.0, 0.0);
    // z x with its derivatives, in double precision.
    let (x, ln2, ln10) = (1.5_f64, std::f64::consts::LN_2, std::f64::consts::LN_10);
    let z = x * x.log2() + x.exp2() + x.log10() + x.powi(3);
    let d = x.log2() + 1.0 / ln2 + x.exp2() * ln2 + 1.0 / (x * ln10) + 3.0 * x * x;
    let dd = 1.0 / (x * ln2) + x.exp2() * ln2 * ln2 - 1.0 / (x * x * ln10) + 6.0 * x;
    assert!((f64::from(xx) - 2.0 * (2.0 * d + x * dd)).abs() < 1e-4);
    assert!((yx - (z + x * d)).abs() < 1e-5);
}

#[test]
fn closures_over_components() {
    #[differentiate(order = 2)]
    fn network(w: &DMatrix<f64>, b: &DVector<f64>, x: &DVector<f64>, target: &DVector<f64>, k: f64) -> f64 {
        let hidden = (w * x + b).map(|v| if v > 0.0 { v.tanh() * k } else { (v * k).exp() - 1.0 });
        let mut gated = hidden.zip_map(x, |h, x| h * x * x);
        for _ in 0..2 {
            gated = gated.map(|v| v / (1.0 + v * v));
        }
        (gated - target).norm_squared() + hidden.map(|h| h.sin()).sum()
    }
    let matrix = |from: f64| DMatrix::from_fn(3, 3, |i, j| (from + 1.7 * i as f64 - 0.9 * j as f64).sin());
    let vector = |from: f64| DVector::from_fn(3, |i, _| (from + 1.3 * i as f64).cos());
    let (w, b, x, t, k) = (matrix(0.1), vector(0.4), vector(0.8), vector(1.5), 1.2);
    let (dw, db, dx, dt, dk) = (matrix(2.1), vector(2.4), vector(2.8), vector(3.5), 0.7);
    let (value, gradient, product) = network::hvp(&w, &b, &x, &t, k, &dw, &db, &dx, &dt, dk);
    let (same, first) = network::gradient(&w, &b, &x, &t, k);
    assert_eq!(value, same);
    assert_close(&gradient.flatten(), &first.flatten());
    let moved = |h: f64| network::gradient(&(&w + &dw * h), &(&b + &db * h), &(&x + &dx * h), &(&t + &dt * h), k + h * dk).1.flatten();
    assert_close(&product.flatten(), &difference(moved));
}

/// Ready-made functions.
mod library {
    use super::*;
    use autodiff::{
        binary_cross_entropy_from_logits, cross_entropy_from_logits, detach, elu, gelu, huber, leaky_relu, log_softmax, log_sum_exp,
        mean_squared_error, relu, sigmoid, silu, softmax, softplus, squared_error,
    };

    functions! {
        fn relus(x, a) at [(-1.7, 0.3), (0.4, 0.7)] { relu(x * a) * x + leaky_relu(x, a) * x * a + elu(x, a) * x }
        fn gelus(x) at [(-1.7), (-0.2), (0.4), (2.5)] { gelu(x) }
        fn silus(x) at [(-1.7), (-0.2), (0.4), (2.5)] { silu(x) }
        fn sigmoids(x) at [(-1.7), (-0.2), (0.4), (2.5)] { sigmoid(x) }
        fn softpluses(x) at [(-1.7), (-0.2), (0.4), (2.5)] { softplus(x) }
        fn elus(x, a) at [(-1.7, 0.3), (0.4, 0.7)] { elu(x, a) }
        fn leaky_relus(x, a) at [(-1.7, 0.3), (0.4, 0.7)] { leaky_relu(x, a) }
        fn hubers(r, d) at [(-1.7, 0.3), (0.4, 0.7)] { huber(r, d) }
        fn cross_entropies(x, t) at [(-1.7, 0.3), (0.4, 0.7)] { binary_cross_entropy_from_logits(x, t) }
        fn squares(x, t) at [(-1.7, 0.3)] { squared_error(x, t) }
        fn softmaxes(x, y, z) at [(0.3, -1.2, 2.0)] { let p = softmax(&[x, y, z]); p[0] * p[1] + p[2] * x }
        fn log_softmaxes(x, y, z) at [(0.3, -1.2, 2.0)] { let q = log_softmax(&[x, y, z]); q[0] * q[1] + q[2] * x }
        fn log_sums(x, y, z) at [(0.3, -1.2, 2.0)] { log_sum_exp(&[x * y, y * z, z]) * x }
        fn classes(x, y, z; class: usize) at [(0.3, -1.2, 2.0, 0), (0.3, -1.2, 2.0, 2)] { cross_entropy_from_logits(&[x * y, y, z], class) * z }
        fn means(x, y, z) at [(0.3, -1.2, 2.0)] { mean_squared_error(&[x, y * z], &[z, x * y]) * y }
    }

    /// As it is, a constant: the derivative of `c x² exp(x)` at `c = x`.
    #[test]
    fn detached() {
        #[differentiate(order = 2)]
        fn product(x: f64) -> f64 {
            detach(x) * (x * x * x.exp())
        }
        let (value, first, second) = product::hvp(1.0, 1.0);
        let e = std::f64::consts::E;
        assert_close(&[value, first, second], &[e, 3.0 * e, 7.0 * e]);
    }

    #[test]
    fn far_out() {
        #[differentiate(order = 2)]
        fn all(x: f64) -> f64 {
            gelu(x) + silu(x) + sigmoid(x) + softplus(x)
        }
        for x in [-1e4, -800.0, 800.0, 1e4] {
            assert_eq!(all::hvp(x, 1.0).2, 0.0);
        }
    }
}
