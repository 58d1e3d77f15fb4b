//! Relative accuracy where values and derivatives are small against what they are computed from.
#![cfg(feature = "std")]

use autodiff_core::*;

#[track_caller]
fn assert_relative(actual: f64, expected: f64, tolerance: f64) {
    assert!((actual / expected - 1.0).abs() <= tolerance, "{actual:e}, not {expected:e}");
}

#[test]
fn gelu_far_below_zero() {
    for x in [-5.0_f64, -8.0, -12.0] {
        let u = (2.0 / std::f64::consts::PI).sqrt() * (x + 0.044_715 * x.powi(3));
        let tail = (2.0 * u).exp();
        let slope = (2.0 / std::f64::consts::PI).sqrt() * (1.0 + 3.0 * 0.044_715 * x * x);
        let (y, dx) = gelu::gradient(x);
        assert_relative(y, x * tail / (1.0 + tail), 1e-12);
        assert_relative(dx, tail / (1.0 + tail) + 2.0 * x * slope * tail / (1.0 + tail).powi(2), 1e-12);
    }
}

#[test]
fn binary_cross_entropy_where_it_fits_well() {
    for x in [40.0_f64, 300.0] {
        let small = (-x).exp();
        let (loss, (slope, _)) = binary_cross_entropy_from_logits::gradient(x, 1.0);
        assert_relative(loss, small, 1e-14);
        assert_relative(slope, -small, 1e-14);
        let (loss, (slope, _)) = binary_cross_entropy_from_logits::gradient(-x, 0.0);
        assert_relative(loss, small, 1e-14);
        assert_relative(slope, small, 1e-14);
    }
    let (loss, (slope, _)) = binary_cross_entropy_from_logits::gradient(17.0_f32, 1.0);
    assert_relative(loss.into(), (-17.0_f64).exp(), 1e-6);
    assert_relative(slope.into(), -(-17.0_f64).exp(), 1e-6);
    assert_eq!(binary_cross_entropy_from_logits(f64::INFINITY, 1.0), 0.0);
    assert_eq!(binary_cross_entropy_from_logits(f64::NEG_INFINITY, 0.0), 0.0);
}

#[test]
fn cross_entropy_where_it_fits_well() {
    let small = (-40.0_f64).exp();
    for top in [0.0, 1000.0] {
        let mut shadow = [0.0; 3];
        let loss = cross_entropy_from_logits::vjp_into(&[top - 40.0, top, top - 40.0], 1, 1.0, &mut shadow);
        assert_relative(loss, 2.0 * small, 1e-14);
        assert_relative(shadow[0], small, 1e-14);
        assert_relative(shadow[1], -2.0 * small, 1e-14);
        assert_relative(log_softmax(&[top, top - 40.0])[0], -small, 1e-14);
    }
}

#[test]
fn logits_with_a_large_common_part() {
    let share = 1.0 / (1.0 + (-1.0_f64).exp());
    for top in [1e4, 1e8] {
        let logits = [top, top - 1.0];
        assert_relative(log_softmax(&logits)[0], share.ln(), 1e-14);
        assert_relative(cross_entropy_from_logits(&logits, 0), -share.ln(), 1e-14);
        let mut shadow = [0.0; 2];
        log_sum_exp::vjp_into(&logits, 1.0, &mut shadow);
        assert_relative(shadow[0], share, 1e-14);
        assert_relative(shadow[1], 1.0 - share, 1e-14);
    }
    assert_relative(log_softmax(&[1e4_f32, 1e4 - 1.0])[0].into(), share.ln(), 1e-6);
}
