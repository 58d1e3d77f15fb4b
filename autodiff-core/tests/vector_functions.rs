//! Softmax and its kind: every kind of vector, Jacobians against differences, the calling convention.
#![cfg(feature = "std")]

use autodiff_core::*;

const V: [f64; 4] = [0.3, -1.2, 2.0, 0.7];
const SEED: [f64; 4] = [1.0, -0.5, 0.25, 2.0];

/// Asserts that `cotangent` holds the derivatives of `f` at `at`.
#[track_caller]
fn assert_gradient<const N: usize>(f: impl Fn(&[f64; N]) -> f64, at: [f64; N], cotangent: [f64; N]) {
    for i in 0..N {
        let moved = |h: f64| {
            let mut point = at;
            point[i] += h;
            f(&point)
        };
        let slope = |h: f64| (moved(h) - moved(-h)) / (2.0 * h);
        let expected = (4.0 * slope(5e-5) - slope(1e-4)) / 3.0;
        assert!((cotangent[i] - expected).abs() < 1e-9, "component {i}: {} but differences give {expected}", cotangent[i]);
    }
}

fn product(a: [f64; 4], b: [f64; 4]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[test]
fn values() {
    let sum: f64 = V.iter().map(|x| x.exp()).sum();
    for (i, x) in V.into_iter().enumerate() {
        assert!((softmax(&V)[i] - x.exp() / sum).abs() < 1e-15);
        assert!((log_softmax(&V)[i] - (x - sum.ln())).abs() < 1e-15);
        assert!((cross_entropy_from_logits(&V, i) - (sum.ln() - x)).abs() < 1e-15);
    }
    assert!((log_sum_exp(&V) - sum.ln()).abs() < 1e-15);
    assert_eq!(mean_squared_error(&[1.0, 2.0, 3.0], &[1.0, 0.0, 6.0]), 13.0 / 3.0);
}

#[test]
fn cotangents() {
    let mut shadow = [0.0; 4];
    softmax::vjp_into(&V, SEED, &mut shadow);
    assert_gradient(|v| product(softmax(v), SEED), V, shadow);
    let mut shadow = [0.0; 4];
    log_softmax::vjp_into(&V, SEED, &mut shadow);
    assert_gradient(|v| product(log_softmax(v), SEED), V, shadow);
    let mut shadow = [0.0; 4];
    log_sum_exp::vjp_into(&V, 1.5, &mut shadow);
    assert_gradient(|v| 1.5 * log_sum_exp(v), V, shadow);
    for class in 0..4 {
        let mut shadow = [0.0; 4];
        cross_entropy_from_logits::vjp_into(&V, class, 1.5, &mut shadow);
        assert_gradient(|v| 1.5 * cross_entropy_from_logits(v, class), V, shadow);
    }
    let (_, back) = mean_squared_error::pullback(&V, &SEED);
    let (mut of_predictions, mut of_targets) = ([0.0; 4], [0.0; 4]);
    back(&V, &SEED, 1.5, &mut of_predictions, &mut of_targets);
    assert_gradient(|v| 1.5 * mean_squared_error(v, &SEED), V, of_predictions);
    assert_gradient(|t| 1.5 * mean_squared_error(&V, t), SEED, of_targets);
}

#[test]
fn one_sweep_serves_many_seeds_and_shadows_are_added_to() {
    let (y, back) = softmax::pullback(&V);
    assert_eq!(y, softmax(&V));
    let (mut once, mut twice) = (softmax::scratch_0(&V), [10.0; 4]);
    assert_eq!(once, [0.0; 4]);
    back(&V, SEED, &mut once);
    back(&V, SEED, &mut twice);
    back(&V, SEED, &mut twice);
    for i in 0..4 {
        assert!((twice[i] - (10.0 + 2.0 * once[i])).abs() < 1e-14);
    }
    let (_, back) = cross_entropy_from_logits::pullback(&V, 1);
    let (mut first, mut second) = ([0.0; 4], [0.0; 4]);
    assert_eq!(back(&V, 1.0, &mut first), ((),));
    assert_eq!(back(&V, -2.0, &mut second), ((),));
    assert_eq!(first.map(|c| -2.0 * c), second);
}

/// All functions of one vector, their values and shadows flattened.
fn everything<X: Vector<Scalar = f64> + ?Sized>(v: &X, seed: &X::Owned, mut shadow: impl FnMut() -> X::Owned) -> Vec<f64>
where
    X::Owned: std::borrow::BorrowMut<X::Shadow> + Differentiable<Tangent = X::Owned>,
{
    use std::borrow::BorrowMut;
    let mut all = Vec::new();
    let mut record = |values: &X::Owned| all.extend(X::owned_components(values).copied());
    let (mut p, mut q, mut s, mut c) = (shadow(), shadow(), shadow(), shadow());
    record(&softmax::vjp_into(v, seed.clone(), p.borrow_mut()));
    record(&log_softmax::vjp_into(v, seed.clone(), q.borrow_mut()));
    let sum = log_sum_exp::vjp_into(v, 1.5, s.borrow_mut());
    let loss = cross_entropy_from_logits::vjp_into(v, 2, 1.5, c.borrow_mut());
    [p, q, s, c].iter().for_each(record);
    all.extend([sum, loss]);
    all
}

#[test]
fn slices_vectors_and_arrays_agree() {
    let array = everything(&V, &SEED, || [0.0; 4]);
    assert_eq!(array.len(), 6 * 4 + 2);
    assert_eq!(everything(&V[..], &SEED.to_vec(), || vec![0.0; 4]), array);
    assert_eq!(everything(&V.to_vec(), &SEED.to_vec(), || vec![0.0; 4]), array);
}

#[cfg(feature = "nalgebra")]
#[test]
fn matrices_and_views_agree_with_arrays() {
    use nalgebra::{DMatrix, DVector, Vector4};
    let array = everything(&V, &SEED, || [0.0; 4]);
    assert_eq!(everything(&Vector4::from(V), &Vector4::from(SEED), Vector4::zeros), array);
    let (v, seed) = (DVector::from_column_slice(&V), DVector::from_column_slice(&SEED));
    assert_eq!(everything(&v, &seed, || DVector::zeros(4)), array);
    // A row of a matrix is a view with a stride.
    let matrix = DMatrix::from_fn(3, 4, |i, j| if i == 1 { V[j] } else { f64::NAN });
    let seed = nalgebra::RowDVector::from_row_slice(&SEED);
    assert_eq!(everything(&matrix.row(1), &seed, || nalgebra::RowDVector::zeros(4)), array);
}

#[test]
fn large_and_infinite_logits() {
    const INF: f64 = f64::INFINITY;
    let far = [1e4, 0.0, -1e4];
    assert_eq!((softmax(&far), log_softmax(&far)), ([1.0, 0.0, 0.0], [0.0, -1e4, -2e4]));
    assert_eq!(log_sum_exp(&far), 1e4);
    let mut shadow = [0.0; 3];
    assert_eq!(cross_entropy_from_logits::vjp_into(&far, 2, 1.0, &mut shadow), 2e4);
    assert_eq!(shadow, [1.0, 0.0, -1.0]);
    let masked = [0.0, -INF, 0.0];
    assert_eq!(softmax(&masked), [0.5, 0.0, 0.5]);
    assert_eq!(log_softmax(&masked)[1], -INF);
    let mut shadow = [0.0; 3];
    log_sum_exp::vjp_into(&masked, 1.0, &mut shadow);
    assert!((shadow[0] - 0.5_f64).abs() < 1e-15 && shadow[1] == 0.0);
    let mut shadow = [0.0; 2];
    assert_eq!(log_sum_exp::vjp_into(&[-INF, -INF], 1.0, &mut shadow), -INF);
    assert_eq!((shadow, log_sum_exp::<[f64]>(&[])), ([0.0; 2], -INF));
    assert!(log_sum_exp(&[f64::NAN, 0.0]).is_nan() && log_sum_exp(&[0.0, f64::NAN]).is_nan());
}

#[test]
#[should_panic(expected = "cross_entropy_from_logits: the class has no logit")]
fn a_class_without_a_logit_panics() {
    let _ = cross_entropy_from_logits::pullback(&V, 4);
}

#[test]
#[should_panic(expected = "mean_squared_error: 4 predictions and 3 targets")]
fn a_mean_over_different_sizes_panics() {
    let _ = mean_squared_error(&V[..], &SEED[..3]);
}

#[test]
#[should_panic(expected = "mean_squared_error: 0 predictions and 0 targets")]
fn a_mean_over_nothing_panics() {
    let _ = mean_squared_error::<[f64; 0]>(&[], &[]);
}

#[test]
#[should_panic(expected = "log_sum_exp: a vector of 3 components has a cotangent or tangent of 2")]
fn a_short_shadow_panics_and_names_the_function() {
    autodiff_core::log_sum_exp::vjp_into(&[1.0, 2.0, 3.0][..], 1.0, &mut [0.0, 0.0][..]);
}

#[test]
#[should_panic(expected = "softmax: a vector of 3 components has a cotangent or tangent of 2")]
fn a_short_seed_panics_and_names_the_function() {
    autodiff_core::softmax::vjp_into(&[1.0, 2.0, 3.0][..], vec![1.0, 0.0], &mut [0.0, 0.0, 0.0][..]);
}
