//! Activations and losses, called in differentiated code, against central differences and in the tails.

mod support;

use autodiff::*;
use nalgebra::{DVector, Vector3};
use support::assert_gradient;

#[differentiate]
fn activations(x: f64, a: f64) -> f64 {
    relu(x) + 2.0 * leaky_relu(x, a) - elu(x, a) + gelu(x) * silu(x) + softplus(x * a) * sigmoid(x) + x.tanh()
}

#[test]
fn scalar_activations() {
    for (x, a) in [(-1.7, 0.3), (-0.2, 1.5), (0.4, 0.7), (2.5, -0.6)] {
        let (y, (dx, da)) = activations::gradient(x, a);
        assert_eq!(y, activations(x, a));
        assert_gradient(|v| activations(v[0], v[1]), &[x, a], &[dx, da]);
    }
}

#[test]
fn activations_far_out() {
    for x in [-1e4_f64, -800.0, 800.0, 1e4] {
        let (above, positive) = (f64::from(x > 0.0), x.max(0.0));
        assert_eq!(relu::gradient(x), (positive, above));
        assert_eq!(gelu::gradient(x), (positive, above));
        assert_eq!(silu::gradient(x), (positive, above));
        assert_eq!(softplus::gradient(x), (positive, above));
        assert_eq!(sigmoid::gradient(x), (above, 0.0));
    }
    assert_eq!(elu::gradient(-800.0, 2.0), (-2.0, (0.0, -1.0)));
    // Not 0, as y (1 - y) would be.
    assert!((sigmoid::gradient(40.0_f64).1 / (-40.0_f64).exp() - 1.0).abs() < 1e-12);
}

#[test]
fn kinks_follow_the_conventions() {
    assert_eq!(relu::gradient(0.0), (0.0, 0.0));
    assert_eq!(leaky_relu::gradient(0.0, 0.1), (0.0, (0.1, 0.0)));
    assert_eq!(elu::gradient(0.0, 1.0), (0.0, (1.0, 0.0)));
    assert_eq!(huber::gradient(1.0, 1.0), (0.5, (1.0, 0.0)));
}

#[differentiate]
fn of_vector(v: &DVector<f64>, weights: &DVector<f64>, class: usize) -> f64 {
    let p = softmax(v);
    let q = log_softmax(v);
    p.dot(weights) + q.dot(weights) * 0.5 + log_sum_exp(v) + cross_entropy_from_logits(v, class) + mean_squared_error(v, weights)
}

#[test]
fn softmax_and_its_kind_on_nalgebra_vectors() {
    let v = DVector::from_vec(vec![0.3, -1.2, 2.0, 0.7]);
    let w = DVector::from_vec(vec![1.0, -0.5, 0.25, 2.0]);
    for class in 0..4 {
        let (y, (dv, dw)) = of_vector::gradient(&v, &w, class);
        assert_eq!(y, of_vector(&v, &w, class));
        assert_gradient(|x| of_vector(&DVector::from_column_slice(x), &w, class), v.as_slice(), dv.as_slice());
        assert_gradient(|x| of_vector(&v, &DVector::from_column_slice(x), class), w.as_slice(), dw.as_slice());
    }
}

#[differentiate]
fn of_slice(xs: &[f64], ys: &[f64; 3], n: usize) -> f64 {
    let mut total = log_sum_exp(xs);
    for i in 0..n {
        total += cross_entropy_from_logits(&xs[i..], 1) * total;
    }
    total + cross_entropy_from_logits(ys, 2) + mean_squared_error(&xs[1..], &xs[..3])
}

#[test]
fn softmax_and_its_kind_on_slices_and_arrays() {
    let (xs, ys) = ([0.3, -1.2, 2.0, 0.7], [1.0, 0.5, -0.5]);
    let (y, (dx, dy)) = of_slice::gradient(&xs, &ys, 2);
    assert_eq!(y, of_slice(&xs, &ys, 2));
    assert_gradient(|v| of_slice(v, &ys, 2), &xs, &dx);
    assert_gradient(|v| of_slice(&xs, v.try_into().unwrap(), 2), &ys, &dy);
}

#[test]
fn large_logits() {
    let logits = Vector3::new(1e4, 0.0, -1e4);
    let mut shadow = Vector3::zeros();
    assert_eq!(cross_entropy_from_logits::vjp_into(&logits, 2, 1.0, &mut shadow), 2e4);
    assert_eq!(shadow, Vector3::new(1.0, 0.0, -1.0));
    assert_eq!(log_softmax(&logits), Vector3::new(0.0, -1e4, -2e4));
    assert_eq!(softmax(&logits), Vector3::new(1.0, 0.0, 0.0));
}

#[test]
#[should_panic(expected = "cross_entropy_from_logits: the class has no logit")]
fn a_class_without_a_logit_panics() {
    let _ = cross_entropy_from_logits(&[0.0, 1.0], 2);
}

#[differentiate]
fn losses(x: f64, t: f64, d: f64) -> f64 {
    squared_error(x, t) + binary_cross_entropy_from_logits(x, t) * 0.5 + huber(x - t, d)
}

#[test]
fn scalar_losses() {
    for (x, t, d) in [(0.4, 0.9, 1.2), (3.0, 0.1, 0.7), (-2.0, 0.5, 0.3)] {
        let (_, (dx, dt, dd)) = losses::gradient(x, t, d);
        assert_gradient(|v| losses(v[0], v[1], v[2]), &[x, t, d], &[dx, dt, dd]);
    }
    assert_eq!(binary_cross_entropy_from_logits::gradient(-1e4, 0.0), (0.0, (0.0, 1e4)));
}

#[differentiate]
fn detached(x: f64) -> f64 {
    detach(x * x) * x
}

#[test]
fn a_detached_value_has_no_derivative() {
    assert_eq!(detached::gradient(3.0), (27.0, 9.0));
}
