//! The pullbacks of matrices against their definition: the derivative of `<seed, f(a, b)>`.
#![cfg(all(feature = "std", feature = "nalgebra"))]

use autodiff_core::{Differentiable, Tangent, rules};
use nalgebra::{DMatrix, DVector, Matrix2x3, Matrix3, OMatrix, RowDVector, SMatrix, Vector3};

/// Numbers without a pattern.
fn number(i: usize) -> f64 {
    let bits = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23).wrapping_mul(0xD134_2543_DE82_EF95);
    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn filled(rows: usize, columns: usize, from: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |i, j| number(from + 31 * i + 7 * j))
}

/// Asserts that `cotangent` holds the derivatives of `f` with respect to the components of `at`.
#[track_caller]
fn assert_cotangent<M: Tangent, C: Tangent>(f: impl Fn(&M) -> f64, at: &M, cotangent: &C) {
    let (point, cotangent) = (at.flatten(), cotangent.flatten());
    assert_eq!(point.len(), cotangent.len());
    for i in 0..point.len() {
        let moved = |step: f64| {
            let (mut m, mut p) = (at.clone(), point.clone());
            p[i] += step;
            m.assign_flat(&p);
            f(&m)
        };
        let expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((expected - cotangent[i]).abs() < 1e-8, "component {i}: {} but differences give {expected}", cotangent[i]);
    }
}

#[test]
fn product_of_dynamic_matrices() {
    let (a, b, seed) = (filled(3, 4, 0), filled(4, 2, 50), filled(3, 2, 90));
    assert_cotangent(|a| (a * &b).dot(&seed), &a, &rules::mul::pull_0(&a, &b, &seed));
    assert_cotangent(|b| (&a * b).dot(&seed), &b, &rules::mul::pull_1(&a, &b, &seed));
}

#[test]
fn product_with_a_vector_is_an_outer_product_and_a_transposed_product() {
    let (w, x) = (filled(3, 4, 0), DVector::from_fn(4, |i, _| number(i + 70)));
    let delta = DVector::from_fn(3, |i, _| number(i + 90));
    let by_w = rules::mul::pull_0(&w, &x, &delta);
    let by_x = rules::mul::pull_1(&w, &x, &delta);
    assert!((by_w - &delta * x.transpose()).norm() < 1e-15);
    assert!((by_x - w.transpose() * &delta).norm() < 1e-14);
}

#[test]
fn products_of_static_mixed_and_viewed_matrices() {
    let a = Matrix2x3::from_fn(|i, j| number(10 * i + j));
    let (v, seed) = (Vector3::new(0.3, -0.2, 0.9), nalgebra::Vector2::new(1.5, -0.5));
    assert_cotangent(|a| (a * v).dot(&seed), &a, &rules::mul::pull_0(&a, &v, &seed));
    assert_cotangent(|v| (a * v).dot(&seed), &v, &rules::mul::pull_1(&a, &v, &seed));

    let d = filled(3, 2, 40);
    let mixed_seed = (a * &d).map(|v| v + 1.0);
    assert_cotangent(|d| (a * d).dot(&mixed_seed), &d, &rules::mul::pull_1(&a, &d, &mixed_seed));

    let big = filled(5, 5, 3);
    let view = big.view((1, 2), (3, 2));
    let right = filled(2, 2, 8);
    let seed = filled(3, 2, 9);
    let owned = view.clone_owned();
    assert_cotangent(|m| (m * &right).dot(&seed), &owned, &rules::mul::pull_0(&view, &right, &seed));

    let (row, column) = (RowDVector::from_fn(3, |_, j| number(j)), DVector::from_fn(3, |i, _| number(i + 9)));
    let seed = OMatrix::<f64, nalgebra::U1, nalgebra::U1>::new(2.0);
    assert_cotangent(|row| 2.0 * (row * &column)[(0, 0)], &row, &rules::mul::pull_0(&row, &column, &seed));
    assert_cotangent(|column| 2.0 * (&row * column)[(0, 0)], &column, &rules::mul::pull_1(&row, &column, &seed));
}

#[test]
fn scaling() {
    let (a, seed) = (filled(3, 2, 0), filled(3, 2, 20));
    let s = 1.7;
    assert_cotangent(|a| (a * s).dot(&seed), &a, &rules::mul::pull_0(&a, &s, &seed));
    assert_cotangent(|s| (&a * *s).dot(&seed), &s, &rules::mul::pull_1(&a, &s, &seed));
    assert_cotangent(|s| (*s * &a).dot(&seed), &s, &rules::mul::pull_0(&s, &a, &seed));
    assert_cotangent(|a| (s * a).dot(&seed), &a, &rules::mul::pull_1(&s, &a, &seed));
    assert_cotangent(|a| (a / s).dot(&seed), &a, &rules::div::pull_0(&a, &s, &seed));
    assert_cotangent(|s| (&a / *s).dot(&seed), &s, &rules::div::pull_1(&a, &s, &seed));
    assert_eq!(rules::mul::pull_0(&3.0_f32, &2.0_f32, &1.5), 3.0);
    assert_eq!(rules::div::pull_1(&3.0, &2.0, &1.0), -0.75);
}

#[test]
fn reductions() {
    let (a, b) = (filled(3, 2, 0), filled(3, 2, 20));
    let g = 1.3;
    assert_cotangent(|a| g * a.dot(&b), &a, &rules::dot::pull_0(&a, &b, &g));
    assert_cotangent(|b| g * a.dot(b), &b, &rules::dot::pull_1(&a, &b, &g));
    assert_cotangent(|a| g * a.norm(), &a, &rules::norm::pull_0(&a, &a.norm(), &g));
    assert_cotangent(|a| g * a.norm_squared(), &a, &rules::norm_squared::pull_0(&a, &g));
    assert_cotangent(|a| g * a.sum(), &a, &rules::sum::pull_0(&a, &g));
    let zero = Vector3::zeros();
    assert_eq!(rules::norm::pull_0(&zero, &0.0, &1.0), zero);
}

#[test]
fn componentwise_and_transpose() {
    let (a, b, seed) = (filled(3, 2, 0), filled(3, 2, 20).map(|v| v + 2.0), filled(3, 2, 40));
    assert_cotangent(|a| a.component_mul(&b).dot(&seed), &a, &rules::component_mul::pull_0(&a, &b, &seed));
    assert_cotangent(|b| a.component_mul(b).dot(&seed), &b, &rules::component_mul::pull_1(&a, &b, &seed));
    assert_cotangent(|a| a.component_div(&b).dot(&seed), &a, &rules::component_div::pull_0(&a, &b, &seed));
    assert_cotangent(|b| a.component_div(b).dot(&seed), &b, &rules::component_div::pull_1(&a, &b, &seed));
    let seed = filled(2, 3, 60);
    assert_cotangent(|a| a.transpose().dot(&seed), &a, &rules::transpose::pull_0(&a, &seed));
}

#[test]
fn pulling_into_a_shadow_adds() {
    let (a, b, seed) = (Matrix3::identity() * 2.0, Vector3::new(1.0, 2.0, 3.0), Vector3::new(0.5, 0.0, -1.0));
    let mut shadow = Matrix3::from_element(10.0);
    rules::mul::pull_0_into(&a, &b, &seed, &mut shadow);
    assert_eq!(shadow, Matrix3::from_element(10.0) + seed * b.transpose());
    let mut shadow = Vector3::from_element(10.0);
    rules::mul::pull_1_into(&a, &b, &seed, &mut shadow);
    assert_eq!(shadow, Vector3::new(11.0, 10.0, 8.0));
}

#[test]
#[should_panic(expected = "mul: the value is 2x2 but its cotangent is 3x2")]
fn a_shadow_of_another_shape_panics_and_names_the_operation() {
    let (a, b) = (filled(2, 2, 0), filled(2, 2, 5));
    rules::mul::pull_0_into(&a, &b, &filled(2, 2, 9), &mut DMatrix::zeros(3, 2));
}

#[test]
#[should_panic(expected = "Tangent::accumulate: shapes 2x2 and 2x3 differ")]
fn a_sum_of_cotangents_of_different_shapes_panics() {
    filled(2, 2, 0).accumulate(&filled(2, 3, 0));
}

#[test]
fn tangents_of_matrices_go_column_by_column() {
    let m = SMatrix::<f32, 2, 2>::new(1.0, 2.0, 3.0, 4.0);
    assert_eq!(m.flatten(), [1.0, 3.0, 2.0, 4.0]);
    assert_eq!(m.zero_tangent(), SMatrix::<f32, 2, 2>::zeros());
    let mut n = m;
    n.assign_flat(&[5.0, 6.0, 7.0, 8.0]);
    assert_eq!(n, SMatrix::<f32, 2, 2>::new(5.0, 7.0, 6.0, 8.0));
    n.axpy(2.0, &m);
    assert_eq!(Tangent::dot(&n, &m), 7.0 + 11.0 * 2.0 + 12.0 * 3.0 + 16.0 * 4.0);
    assert_eq!(m.negated(), -m);
}
