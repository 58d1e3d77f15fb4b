//! Gradients of scalars, arrays, tuples and static matrices never touch the heap.

use std::hint::black_box;

use allocation_counter::measure;
use approx::assert_relative_eq;
use autodiff::differentiate;
use nalgebra::{SMatrix, SVector};

mod support;

/// Runs `f`, demands that it does not allocate, and hands on its result.
#[track_caller]
fn without_heap<T>(f: impl FnOnce() -> T) -> T {
    let mut result = None;
    let counted = measure(|| result = Some(black_box(f())));
    assert_eq!(counted.count_total, 0, "heap allocations");
    result.expect("the function was run")
}

#[test]
fn the_counter_counts() {
    assert_eq!(measure(|| drop(black_box(vec![1.0; 8]))).count_total, 1);
}

#[differentiate]
fn scalar(x: f64, y: f64) -> f64 {
    (x * y).sin() + (x / y).exp()
}

#[test]
fn scalars() {
    let (x, y): (f64, f64) = (0.7, 1.3);
    let value = (x * y).sin() + (x / y).exp();
    let dx = y * (x * y).cos() + (x / y).exp() / y;
    let dy = x * (x * y).cos() - x / (y * y) * (x / y).exp();
    let check = |(result, (by_x, by_y)): (f64, (f64, f64)), seed: f64| {
        assert_eq!(result, value);
        assert_relative_eq!(by_x, seed * dx, max_relative = 1e-14);
        assert_relative_eq!(by_y, seed * dy, max_relative = 1e-14);
    };
    check(without_heap(|| scalar::gradient(x, y)), 1.0);
    check(without_heap(|| scalar::vjp(x, y, -2.0)), -2.0);
    let (mut by_x, mut by_y) = (0.0, 0.0);
    let result = without_heap(|| scalar::gradient_into(x, y, &mut by_x, &mut by_y));
    check((result, (by_x, by_y)), 1.0);
    let swept = without_heap(|| {
        let (result, saved) = scalar::forward(x, y);
        (result, scalar::adjoint(&saved, 1.0), scalar::adjoint(&saved, 3.0))
    });
    check((swept.0, swept.1), 1.0);
    check((swept.0, swept.2), 3.0);
}

/// Every element is overwritten in every round, by itself and its neighbour.
#[differentiate]
fn array(x: [f64; 4], k: f64) -> f64 {
    let mut state = x;
    for _ in 0..3 {
        for j in 1..4 {
            state[j] = state[j].sin() * state[j - 1] + k * state[j];
        }
        state[0] *= state[3];
    }
    state[0] + state[1] * state[2]
}

#[test]
fn arrays_overwritten_in_nested_loops() {
    let (x, k) = ([0.3, -0.8, 1.1, 0.6], 0.9);
    let value = array(x, k);
    let check = |(result, (by_x, by_k)): (f64, ([f64; 4], f64))| {
        assert_eq!(result, value);
        let at = |p: &[f64]| array([p[0], p[1], p[2], p[3]], p[4]);
        let gradient = [by_x[0], by_x[1], by_x[2], by_x[3], by_k];
        support::assert_gradient(at, &[x[0], x[1], x[2], x[3], k], &gradient);
    };
    check(without_heap(|| array::gradient(x, k)));
    let (_, tangent) = without_heap(|| array::jvp(x, k, [1.0, 0.0, -1.0, 2.0], 0.5));
    let (_, (by_x, by_k)) = array::gradient(x, k);
    assert_relative_eq!(tangent, by_x[0] - by_x[2] + 2.0 * by_x[3] + 0.5 * by_k, max_relative = 1e-12);
    check(without_heap(|| array::vjp(x, k, 1.0)));
    let (mut by_x, mut by_k) = ([0.0; 4], 0.0);
    let result = without_heap(|| array::gradient_into(x, k, &mut by_x, &mut by_k));
    check((result, (by_x, by_k)));
    check(without_heap(|| {
        let (result, saved) = array::forward(x, k);
        (result, array::adjoint(&saved, 1.0))
    }));
}

/// The same by reference: the shadow is the caller's.
#[differentiate]
fn borrowed(x: &[f64; 4]) -> f64 {
    let mut product = 1.0;
    for factor in x {
        product *= factor;
    }
    product
}

#[test]
fn borrowed_arrays() {
    let x = [2.0, 3.0, 5.0, 7.0];
    let expected = (210.0, [105.0, 70.0, 42.0, 30.0]);
    assert_eq!(without_heap(|| borrowed::gradient(&x)), expected);
    assert_eq!(without_heap(|| borrowed::vjp(&x, 1.0)), expected);
    let mut by_x = [1.0; 4];
    let result = without_heap(|| borrowed::gradient_into(&x, &mut by_x));
    assert_eq!((result, by_x), (210.0, [106.0, 71.0, 43.0, 31.0]));
    let swept = without_heap(|| {
        let (result, saved) = borrowed::forward(&x);
        (result, borrowed::adjoint(&saved, 1.0))
    });
    assert_eq!(swept, expected);
}

/// Polar coordinates of a point.
#[differentiate]
fn tuple(point: (f64, f64)) -> (f64, f64) {
    let (x, y) = point;
    ((x * x + y * y).sqrt(), y.atan2(x))
}

#[test]
fn tuples() {
    // The radius 5 has the gradient (3, 4) / 5, the angle (-4, 3) / 25.
    let check = |(dx, dy): (f64, f64), expected: (f64, f64)| {
        assert_relative_eq!(dx, expected.0, max_relative = 1e-15);
        assert_relative_eq!(dy, expected.1, max_relative = 1e-15);
    };
    let (polar, radius) = without_heap(|| tuple::vjp((3.0, 4.0), (1.0, 0.0)));
    assert_eq!(polar, (5.0, 4.0_f64.atan2(3.0)));
    check(radius, (0.6, 0.8));
    let (radius, angle) = without_heap(|| {
        let (_, saved) = tuple::forward((3.0, 4.0));
        (tuple::adjoint(&saved, (1.0, 0.0)), tuple::adjoint(&saved, (0.0, 1.0)))
    });
    check(radius, (0.6, 0.8));
    check(angle, (-0.16, 0.12));
}

/// A quadratic form.
#[differentiate]
fn matrix(m: &SMatrix<f64, 3, 3>, v: &SVector<f64, 3>) -> f64 {
    let image = m * v;
    v.dot(&image)
}

#[test]
fn static_matrices() {
    let m = SMatrix::<f64, 3, 3>::new(1.0, 2.0, -1.0, 0.5, 3.0, 4.0, -2.0, 1.5, 0.25);
    let v = SVector::<f64, 3>::new(2.0, -1.0, 3.0);
    // v'Mv has the gradients vv' and (M + M')v.
    let expected = (v.dot(&(m * v)), (v * v.transpose(), (m + m.transpose()) * v));
    assert_eq!(without_heap(|| matrix::gradient(&m, &v)), expected);
    assert_eq!(without_heap(|| matrix::vjp(&m, &v, 1.0)), expected);
    let (mut by_m, mut by_v) = (SMatrix::zeros(), SVector::zeros());
    let result = without_heap(|| matrix::gradient_into(&m, &v, &mut by_m, &mut by_v));
    assert_eq!((result, (by_m, by_v)), expected);
    let swept = without_heap(|| {
        let (result, saved) = matrix::forward(&m, &v);
        (result, matrix::adjoint(&saved, 1.0))
    });
    assert_eq!(swept, expected);
}

#[differentiate]
fn branches(x: f64, kind: usize) -> f64 {
    let y = if x > 1.0 { x * x } else { -x };
    match kind {
        0 => y,
        1 => y.exp(),
        _ => x * y,
    }
}

#[test]
fn branches_taken() {
    let cases = [(3.0, 0, 9.0, 6.0), (0.5, 0, -0.5, -1.0), (0.0, 1, 1.0, -1.0), (3.0, 2, 27.0, 27.0), (0.5, 2, -0.25, -1.0)];
    for (x, kind, value, slope) in cases {
        let expected = (value, slope);
        assert_eq!(without_heap(|| branches::gradient(x, kind)), expected);
        assert_eq!(without_heap(|| branches::vjp(x, kind, 2.0)), (value, 2.0 * slope));
        let mut by_x = 0.0;
        let result = without_heap(|| branches::gradient_into(x, kind, &mut by_x));
        assert_eq!((result, by_x), expected);
        let swept = without_heap(|| {
            let (result, saved) = branches::forward(x, kind);
            (result, branches::adjoint(&saved, 1.0))
        });
        assert_eq!(swept, expected);
    }
}
