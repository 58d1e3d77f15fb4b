//! Activations and scalar losses: derivatives against differences, both precisions, and the calling convention.
#![cfg(feature = "std")]

use autodiff_core::{detach, elu, gelu, huber, relu, sigmoid, silu, softplus};

const POINTS: [f64; 10] = [-30.0, -6.0, -2.5, -1.0, -0.3, 0.2, 0.9, 3.0, 7.0, 30.0];

/// The derivative of `f` at `x` by central differences, extrapolated once.
fn difference(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let slope = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    (4.0 * slope(5e-5) - slope(1e-4)) / 3.0
}

#[track_caller]
fn assert_near(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual - expected).abs() <= tolerance * expected.abs().max(1.0), "{actual}, not {expected}");
}

macro_rules! of_one_argument {
    ($($name:ident)*) => { $(
        #[test]
        fn $name() {
            for x in POINTS {
                let (y, slope) = autodiff_core::$name::gradient(x);
                assert_eq!(y, autodiff_core::$name(x));
                assert_near(slope, difference(autodiff_core::$name::<f64>, x), 1e-8);
                let (single, single_slope) = autodiff_core::$name::gradient(x as f32);
                let (double, double_slope) = autodiff_core::$name::gradient(f64::from(x as f32));
                assert_near(single.into(), double, 2e-6);
                assert_near(single_slope.into(), double_slope, 2e-6);
                // One forward sweep serves many seeds, and a zero seed gives zero.
                let (value, back) = autodiff_core::$name::pullback(x);
                assert_eq!((value, back(2.0), back(-0.5), back(0.0)), (y, (2.0 * slope,), (-0.5 * slope,), (0.0,)));
                assert_eq!(autodiff_core::$name::vjp(x, 3.0), (y, 3.0 * slope));
            }
        }
    )* };
}
mod one_argument {
    use super::{POINTS, assert_near, difference};
    of_one_argument!(relu gelu silu sigmoid softplus);
}

macro_rules! of_two_arguments {
    ($($name:ident $second:expr;)*) => { $(
        #[test]
        fn $name() {
            for x in POINTS {
                let z = $second;
                let (y, (dx, dz)) = autodiff_core::$name::gradient(x, z);
                assert_eq!(y, autodiff_core::$name(x, z));
                assert_near(dx, difference(|x| autodiff_core::$name(x, z), x), 1e-7);
                assert_near(dz, difference(|z| autodiff_core::$name(x, z), z), 1e-7);
                let (single, (dx32, dz32)) = autodiff_core::$name::gradient(x as f32, z as f32);
                assert_near(single.into(), y, 2e-6);
                assert_near(dx32.into(), dx, 2e-6);
                assert_near(dz32.into(), dz, 2e-6);
                let (_, back) = autodiff_core::$name::pullback(x, z);
                assert_eq!((back(2.0), back(-0.5)), ((2.0 * dx, 2.0 * dz), (-0.5 * dx, -0.5 * dz)));
                assert_eq!(autodiff_core::$name::vjp(x, z, 3.0), (y, (3.0 * dx, 3.0 * dz)));
            }
        }
    )* };
}
mod two_arguments {
    use super::{POINTS, assert_near, difference};
    of_two_arguments! {
        leaky_relu 0.25;
        elu 1.5;
        squared_error 0.75;
        binary_cross_entropy_from_logits 0.25;
        huber 1.25;
    }
}

#[test]
fn known_values() {
    assert_near(sigmoid(1.0), 0.731_058_578_630_004_9, 1e-15);
    assert_near(softplus(1.0), 1.313_261_687_518_222_8, 1e-15);
    assert_near(silu(1.0), 0.731_058_578_630_004_9, 1e-15);
    assert_near(gelu(1.0), 0.841_191_990_607_477_2, 1e-8);
    assert_near(elu(-1.0, 1.0), -0.632_120_558_828_557_7, 1e-15);
    assert_near(softplus(0.0), std::f64::consts::LN_2, 1e-15);
}

#[test]
fn infinities_have_limits() {
    const INF: f64 = f64::INFINITY;
    assert_eq!((relu::gradient(INF), relu::gradient(-INF)), ((INF, 1.0), (0.0, 0.0)));
    assert_eq!((gelu::gradient(INF).0, gelu::gradient(-INF).0), (INF, 0.0));
    assert_eq!((sigmoid::gradient(INF), sigmoid::gradient(-INF)), ((1.0, 0.0), (0.0, 0.0)));
    assert_eq!((softplus::gradient(INF), softplus::gradient(-INF)), ((INF, 1.0), (0.0, 0.0)));
    assert_eq!((silu::gradient(INF), silu::gradient(-INF)), ((INF, 1.0), (0.0, 0.0)));
    assert_eq!(elu::gradient(-INF, 2.0), (-2.0, (0.0, -1.0)));
    for value in [sigmoid(f64::NAN), softplus(f64::NAN), silu(f64::NAN), gelu(f64::NAN), huber(f64::NAN, 1.0)] {
        assert!(value.is_nan());
    }
}

#[test]
fn far_below_zero_nothing_is_rounded_away() {
    let e = |x: f64| x.exp();
    for x in [-40.0, -300.0, -700.0] {
        assert_near(softplus(x) / e(x), 1.0, 1e-14);
        assert_near(sigmoid(x) / e(x), 1.0, 1e-14);
        assert_near(sigmoid::gradient(x).1 / e(x), 1.0, 1e-14);
        assert_near(sigmoid::gradient(-x).1 / e(x), 1.0, 1e-14);
        assert_near(silu::gradient(x).1 / (e(x) * (1.0 + x)), 1.0, 1e-14);
    }
}

#[test]
fn a_detached_value_keeps_its_shape_and_loses_its_derivative() {
    let (value, back) = detach::pullback([1.5, 2.5]);
    assert_eq!((value, back([7.0, 8.0])), ([1.5, 2.5], ([0.0, 0.0],)));
    let (value, back) = detach::pullback(vec![1.5_f32]);
    assert_eq!((value, back(vec![7.0])), (vec![1.5], (vec![0.0],)));
}
