//! Derivatives inside of differentiated functions: losses of gradients, steps along them.

use autodiff::check::assert_gradient;
use autodiff::differentiate;
use nalgebra::{DVector, Matrix2, Vector2};

/// A small network of one input.
#[differentiate(order = 2)]
fn network(x: f64, w: &[f64], v: [f64; 3], n: usize) -> f64 {
    let mut y = 0.0;
    for i in 0..n {
        y += v[i] * (w[i] * x).tanh();
    }
    y
}

/// How badly the network solves `u' = -u`, `u(0) = 1`.
#[differentiate]
fn residual(xs: &[f64], w: &[f64], v: [f64; 3]) -> f64 {
    let mut total = 0.0;
    for &x in xs {
        let (u, (slope, _, _)) = network::gradient(x, w, v, 3);
        total += (u + slope).powi(2);
    }
    let start = network(0.0, w, v, 3) - 1.0;
    total + start * start
}

#[test]
fn a_loss_of_a_gradient() {
    let (xs, w, v) = ([0.1, 0.5, -0.3], vec![0.3, -0.7, 1.2], [0.4, 1.5, -0.2]);
    let (value, (dxs, dw, dv)) = residual::gradient(&xs, &w, v);
    assert_eq!(value, residual(&xs, &w, v));
    assert_gradient(|xs| residual(xs, &w, v), &xs, &dxs, 1e-7);
    assert_gradient(|w| residual(&xs, w, v), &w, &dw, 1e-7);
    assert_gradient(|v| residual(&xs, &w, *v), &v, &dv, 1e-7);

    let (value_too, along) = residual::jvp(&xs, &w, v, &[1.0, -2.0, 0.0], &[0.0, 0.5, 0.0], [0.0, 1.0, 3.0]);
    let expected = dxs[0] - 2.0 * dxs[1] + 0.5 * dw[1] + dv[1] + 3.0 * dv[2];
    assert_eq!(value_too, value);
    assert!((along - expected).abs() <= 1e-12 * expected.abs(), "{along} against {expected}");
}

#[differentiate(order = 2)]
fn bowl(x: &[f64; 2], k: f64) -> f64 {
    k * x[0].powi(4) + x[0] * x[1] * x[1]
}

/// Steps of gradient descent, seen as a function of the rate and the start.
#[differentiate]
fn descent(rate: f64, start: [f64; 2], steps: usize) -> f64 {
    let mut x = start;
    for _ in 0..steps {
        let slope = bowl::gradient(&x, 2.0).1.0;
        for i in 0..2 {
            x[i] -= rate * slope[i];
        }
    }
    bowl(&x, 2.0)
}

#[test]
fn a_gradient_through_steps_along_gradients() {
    for steps in [0, 1, 5] {
        let (rate, start) = (0.03, [0.5, 0.7]);
        let (value, (drate, dstart)) = descent::gradient(rate, start, steps);
        assert_eq!(value, descent(rate, start, steps));
        assert_gradient(|rate| descent(*rate, start, steps), &rate, &drate, 1e-7);
        assert_gradient(|start| descent(rate, *start, steps), &start, &dstart, 1e-7);
        let (_, along) = descent::jvp(rate, start, steps, 1.0, [2.0, -1.0]);
        let expected = drate + 2.0 * dstart[0] - dstart[1];
        assert!((along - expected).abs() <= 1e-12 * (1.0 + expected.abs()), "{along} against {expected}");
    }
}

mod inner {
    pub(crate) mod functions {
        use autodiff::differentiate;

        #[differentiate(order = 2)]
        pub(crate) fn cube(x: f64) -> f64 {
            x * x * x
        }
    }
}

#[differentiate]
fn slope(x: f64) -> f64 {
    let (_, slope) = inner::functions::cube::gradient(x);
    slope
}

#[differentiate]
fn slope_squared(x: f64) -> f64 {
    use inner::functions::cube;
    cube::gradient(x).1.powi(2)
}

#[differentiate]
fn value_and_slope(x: f64) -> (f64, f64) {
    inner::functions::cube::gradient(x)
}

#[test]
fn derivatives_of_derivatives_in_closed_form() {
    assert_eq!(slope::gradient(2.0), (12.0, 12.0));
    assert_eq!(slope::jvp(2.0, 3.0), (12.0, 36.0));
    assert_eq!(slope_squared::gradient(2.0), (144.0, 288.0));
    assert_eq!(value_and_slope::vjp(2.0, (1.0, 10.0)), ((8.0, 12.0), 12.0 + 10.0 * 12.0));
    assert_eq!(value_and_slope::jvp(2.0, 0.5), ((8.0, 12.0), (6.0, 6.0)));
}

#[differentiate(order = 2)]
fn energy(a: &Matrix2<f64>, x: Vector2<f64>, #[constant] stiffness: &[f64]) -> f64 {
    let y = a * x;
    stiffness[0] * y.dot(&x) + stiffness[1] * y.norm_squared().powi(2)
}

/// The squared force, of matrices.
#[differentiate]
fn force(a: &Matrix2<f64>, x: Vector2<f64>) -> f64 {
    let (_, (_, force)) = energy::gradient(a, x, &[0.5, 0.1]);
    force.norm_squared()
}

#[test]
fn gradients_of_matrices() {
    let (a, x) = (Matrix2::new(1.0, 0.3, -0.2, 0.8), Vector2::new(0.4, -0.9));
    let (value, (da, dx)) = force::gradient(&a, x);
    assert_eq!(value, force(&a, x));
    assert_gradient(|a| force(a, x), &a, &da, 1e-7);
    assert_gradient(|x| force(&a, *x), &x, &dx, 1e-7);
}

#[differentiate(order = 2)]
fn logistic(w: &DVector<f64>, x: &DVector<f64>, label: bool) -> f64 {
    let score = w.dot(x);
    if label { autodiff::softplus(-score) } else { autodiff::softplus(score) }
}

/// Penalises the sensitivity of the loss to its input.
#[differentiate]
fn robust(w: &DVector<f64>, x: &DVector<f64>, label: bool) -> f64 {
    let (loss, (_, sensitivity)) = logistic::gradient(w, x, label);
    loss + 3.0 * sensitivity.norm()
}

#[test]
fn a_penalty_on_a_gradient_that_owns_memory() {
    let (w, x) = (DVector::from_vec(vec![0.5, -1.0, 2.0]), DVector::from_vec(vec![1.0, 0.2, -0.4]));
    for label in [true, false] {
        let (value, (dw, dx)) = robust::gradient(&w, &x, label);
        assert_eq!(value, robust(&w, &x, label));
        assert_gradient(|w| robust(w, &x, label), &w, &dw, 1e-7);
        assert_gradient(|x| robust(&w, x, label), &x, &dx, 1e-7);
    }
}

#[differentiate(order = 2)]
fn polynomial<const N: usize>(c: &[f32; N], x: f32) -> f32 {
    let mut y = 0.0;
    for i in (0..N).rev() {
        y = y * x + c[i];
    }
    y
}

#[differentiate]
fn steepness(c: &[f32; 4], x: f32) -> f32 {
    let (_, (_, slope)) = polynomial::gradient::<4>(c, x);
    let (_, (_, same)) = polynomial::gradient(c, x);
    slope * same
}

#[test]
fn constants_and_single_precision() {
    let (c, x) = ([1.0, -2.0, 0.5, 3.0], 2.0_f32);
    // p' = -2 + x + 9 x^2, p'' = 1 + 18 x.
    let slope = -2.0 + 2.0 + 36.0;
    let (value, (dc, dx)) = steepness::gradient(&c, x);
    assert_eq!(value, slope * slope);
    assert_eq!(dx, 2.0 * slope * 37.0);
    assert_eq!(dc, [0.0, 2.0 * slope, 2.0 * slope * 4.0, 2.0 * slope * 12.0]);
}

#[differentiate]
fn when_steep(x: f64) -> f64 {
    let mut total = 0.0;
    let mut y = x;
    while y < 10.0 {
        let (value, slope) = inner::functions::cube::gradient(y);
        if slope > 3.0 {
            total += slope * value;
        } else {
            total -= y;
        }
        y *= 2.0;
    }
    total
}

#[test]
fn in_branches_and_loops() {
    for x in [0.3, 0.8, 1.7] {
        let (value, slope) = when_steep::gradient(x);
        assert_eq!(value, when_steep(x));
        assert_gradient(|x| when_steep(*x), &x, &slope, 1e-7);
    }
}
