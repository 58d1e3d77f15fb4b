//! Dense Jacobians and Hessians of all shapes, in both modes.

#![allow(clippy::needless_range_loop, reason = "programs as users write them")]

use autodiff::check::assert_gradient;
use autodiff::{Tangent, differentiate, jacobian};
use nalgebra::{DMatrix, DVector, Matrix2, Matrix2x3, Vector2, Vector3};

/// Cartesian coordinates: two to three.
#[differentiate]
fn sphere(angles: [f64; 2]) -> [f64; 3] {
    let [inclination, azimuth] = angles;
    [inclination.sin() * azimuth.cos(), inclination.sin() * azimuth.sin(), inclination.cos()]
}

/// Angles of them: three to two.
#[differentiate]
fn angles(at: [f64; 3]) -> [f64; 2] {
    [at[0].hypot(at[1]).atan2(at[2]), at[1].atan2(at[0])]
}

#[test]
fn forward_where_the_result_is_longer_and_reverse_where_it_is_shorter() {
    let at = [0.7, 0.4];
    let (value, tall) = sphere::jacobian(at);
    assert_eq!(value, sphere(at));
    let (back, wide) = angles::jacobian(value);
    assert!((back[0] - at[0]).abs() < 1e-15 && (back[1] - at[1]).abs() < 1e-15);
    // The functions undo each other, so do the Jacobians on the sphere.
    for i in 0..2 {
        for j in 0..2 {
            let product: f64 = (0..3).map(|k| wide[i][k] * tall[k][j]).sum();
            assert!((product - f64::from(u8::from(i == j))).abs() < 1e-15, "{i} {j}: {product}");
        }
    }
    let (_, saved) = sphere::forward(at);
    assert_eq!(tall, jacobian::rows(&value, |seed| sphere::adjoint(&saved, seed)));
}

/// Several parameters of several kinds, several results.
#[differentiate]
fn mixed(a: &[f64], scale: f64, n: usize, m: &Matrix2x3<f64>, v: Vector3<f64>) -> (f64, Vector2<f64>, [f64; 2]) {
    let mut sum = 0.0;
    for i in 0..n {
        sum += a[i].sin() * scale;
    }
    let y = m * v * scale;
    (sum, y, [sum * sum, a[0] / scale])
}

#[test]
fn of_several_parameters_and_results() {
    let (a, scale, v) = ([0.3, -0.8, 1.1], 1.7, Vector3::new(0.2, 0.5, -1.0));
    let m = Matrix2x3::new(1.0, 2.0, 3.0, -0.5, 0.1, 0.7);
    let (value, rows) = mixed::jacobian(&a, scale, 3, &m, v);
    assert_eq!(value, mixed(&a, scale, 3, &m, v));
    assert_eq!(rows.len(), 5);
    for (i, (da, dscale, dm, dv)) in rows.iter().enumerate() {
        let component = |a: &[f64], scale, m: &_, v| mixed(a, scale, 3, m, v).flatten()[i];
        assert_gradient(|a: &Vec<f64>| component(a, scale, &m, v), &a.to_vec(), da, 1e-8);
        assert_gradient(|scale| component(&a, *scale, &m, v), &scale, dscale, 1e-8);
        assert_gradient(|m| component(&a, scale, m, v), &m, dm, 1e-8);
        assert_gradient(|v| component(&a, scale, &m, *v), &v, dv, 1e-8);
    }
}

/// One number to many.
#[differentiate]
fn powers(x: f32) -> [f32; 5] {
    let mut y = [1.0; 5];
    for i in 1..5 {
        y[i] = y[i - 1] * x;
    }
    y
}

#[differentiate]
fn system(x: &DVector<f64>, a: &DMatrix<f64>) -> DVector<f64> {
    (a * x).map(|y| y.tanh())
}

#[test]
fn of_one_number_and_of_dynamic_vectors() {
    assert_eq!(powers::jacobian(2.0), ([1.0, 2.0, 4.0, 8.0, 16.0], vec![0.0, 1.0, 4.0, 12.0, 32.0]));

    for height in [0, 1, 2, 9] {
        let a = DMatrix::from_fn(height, 2, |i, j| 0.3 * i as f64 - 0.4 * j as f64 + 0.1);
        let x = DVector::from_vec(vec![0.5, -0.3]);
        let (value, rows) = system::jacobian(&x, &a);
        assert_eq!(rows.len(), height);
        for (i, (dx, da)) in rows.iter().enumerate() {
            let slope = 1.0 - value[i] * value[i];
            for j in 0..2 {
                assert!((dx[j] - slope * a[(i, j)]).abs() < 1e-15);
                for k in 0..height {
                    let expected = if k == i { slope * x[j] } else { 0.0 };
                    assert!((da[(k, j)] - expected).abs() < 1e-15);
                }
            }
        }
    }
}

#[differentiate(order = 2)]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += 100.0 * (x[i] - x[i - 1] * x[i - 1]).powi(2) + (1.0 - x[i - 1]).powi(2);
    }
    sum
}

#[test]
fn the_hessian_of_a_slice() {
    let x = [0.3, -0.7, 1.2, 0.9];
    let (value, gradient, hessian) = rosenbrock::hessian(&x);
    assert_eq!((value, gradient), rosenbrock::gradient(&x));
    // In closed form: tridiagonal.
    let n = x.len();
    for i in 0..n {
        for j in 0..n {
            let mut expected = 0.0;
            if i == j {
                expected += if i > 0 { 200.0 } else { 0.0 };
                expected += if i + 1 < n { 1200.0 * x[i] * x[i] - 400.0 * x[i + 1] + 2.0 } else { 0.0 };
            }
            if i.abs_diff(j) == 1 {
                expected = -400.0 * x[i.min(j)];
            }
            assert!((hessian[i][j] - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{i} {j}: {} {expected}", hessian[i][j]);
            assert_eq!(hessian[i][j], hessian[j][i]);
        }
    }
    let (same, _, diagonal) = rosenbrock::hessian_diagonal(&x);
    assert_eq!(same, value);
    assert!((0..n).all(|i| diagonal[i] == hessian[i][i]));
    let (value, gradient, hessian) = rosenbrock::hessian(&[]);
    assert_eq!((value, gradient, hessian), (0.0, vec![], vec![]));
}

#[differentiate(order = 2)]
fn quadratic(x: Vector2<f64>, b: f64, #[constant] a: Matrix2<f64>, twice: bool) -> f64 {
    let y = x.dot(&(a * x)) * 0.5 + b * b * x[0];
    if twice { 2.0 * y } else { y }
}

#[test]
fn the_hessian_of_several_parameters() {
    let (a, x, b) = (Matrix2::new(2.0, 0.5, 0.3, 1.0), Vector2::new(0.7, -0.2), 1.5);
    for (twice, factor) in [(false, 1.0), (true, 2.0)] {
        let (_, gradient, hessian) = quadratic::hessian(x, b, a, twice);
        assert_eq!(gradient, quadratic::gradient(x, b, a, twice).1);
        let flat: Vec<f64> = hessian.iter().flat_map(Tangent::flatten).collect();
        let expected = [2.0, 0.4, 3.0, 0.4, 1.0, 0.0, 3.0, 0.0, 1.4].map(|entry| entry * factor);
        assert_eq!(flat.len(), 9);
        for (got, wanted) in flat.iter().zip(expected) {
            assert!((got - wanted).abs() < 1e-14, "{flat:?}");
        }
        let (_, _, (dx, db)) = quadratic::hessian_diagonal(x, b, a, twice);
        assert_eq!((dx[0], dx[1], db), (flat[0], flat[4], flat[8]));
    }
}

/// What cannot be passed twice.
struct Table(Vec<f64>);

#[differentiate(order = 2)]
fn looked_up(x: f64, #[constant] table: Table) -> f64 {
    x * x * table.0[0]
}

#[differentiate]
fn pair(x: f64, #[constant] table: Table) -> (f64, f64) {
    (x * table.0[0], x * x)
}

#[test]
fn parameters_that_are_not_clone_take_no_derivative_away() {
    let table = || Table(vec![3.0]);
    assert_eq!(looked_up::hvp(2.0, table(), 1.0), (12.0, 12.0, 6.0));
    assert_eq!(looked_up::gradient(2.0, table()), (12.0, 12.0));
    assert_eq!(pair::vjp(2.0, table(), (1.0, 10.0)), ((6.0, 4.0), 43.0));
}
