//! `pull_i` and `pull_i_into` are one rule, for every kind of storage, and shapes that do not fit panic.
#![cfg(all(feature = "std", feature = "nalgebra"))]

use autodiff_core::{Tangent, rules};
use nalgebra::{DMatrix, DVector, Matrix2x3, Matrix3x2, MatrixXx3, RowVector3, SMatrix, Vector2, Vector3};

/// Numbers without a pattern.
fn number(i: usize) -> f64 {
    let bits = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23).wrapping_mul(0xD134_2543_DE82_EF95);
    (bits >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn filled(rows: usize, columns: usize, from: usize) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |i, j| number(from + 31 * i + 7 * j))
}

/// A fraction that no rounding spoils: multiples of 1/8 of small size add and multiply exactly.
fn coarse(rows: usize, columns: usize, from: usize) -> DMatrix<f64> {
    filled(rows, columns, from).map(|x| (x * 16.0).round() / 8.0)
}

#[track_caller]
fn assert_close<M: Tangent, N: Tangent>(actual: &M, expected: &N) {
    let (actual, expected) = (actual.flatten(), expected.flatten());
    assert_eq!(actual.len(), expected.len());
    for (a, e) in actual.iter().zip(&expected) {
        assert!((a - e).abs() <= 1e-13 * e.abs().max(1.0), "{actual:?}, not {expected:?}");
    }
}

/// Pulls an owned cotangent and pulls twice into a shadow that is not zero.
macro_rules! assert_adds {
    ($rule:ident, $pull:ident, $into:ident, ($($arg:expr),+), $expected:expr) => {{
        let expected = $expected;
        let owned = rules::$rule::$pull($($arg),+);
        assert_close(&owned, &expected);
        let mut shadow = owned.clone();
        shadow.for_each_mut(&mut |_| 10.0);
        let mut wanted = shadow.clone();
        rules::$rule::$into($($arg,)+ &mut shadow);
        rules::$rule::$into($($arg,)+ &mut shadow);
        wanted.axpy(2.0, &owned);
        assert_close(&shadow, &wanted);
    }};
}

#[test]
fn every_rule_adds_what_it_pulls() {
    let (a, b, g) = (filled(3, 2, 0), filled(2, 4, 40), filled(3, 4, 80));
    assert_adds!(mul, pull_0, pull_0_into, (&a, &b, &g), &g * b.transpose());
    assert_adds!(mul, pull_1, pull_1_into, (&a, &b, &g), a.transpose() * &g);

    let (c, h, s, e) = (filled(3, 2, 20).map(|x| x + 2.0), filled(3, 2, 60), 1.75_f64, -0.5_f64);
    assert_adds!(mul, pull_0, pull_0_into, (&a, &s, &h), &h * s);
    assert_adds!(mul, pull_1, pull_1_into, (&a, &s, &h), a.dot(&h));
    assert_adds!(mul, pull_0, pull_0_into, (&s, &a, &h), a.dot(&h));
    assert_adds!(mul, pull_1, pull_1_into, (&s, &a, &h), &h * s);
    assert_adds!(div, pull_0, pull_0_into, (&a, &s, &h), &h / s);
    assert_adds!(div, pull_1, pull_1_into, (&a, &s, &h), -a.dot(&h) / (s * s));
    assert_adds!(mul, pull_0, pull_0_into, (&s, &e, &3.0), 3.0 * e);
    assert_adds!(mul, pull_1, pull_1_into, (&s, &e, &3.0), 3.0 * s);
    assert_adds!(div, pull_0, pull_0_into, (&s, &e, &3.0), 3.0 / e);
    assert_adds!(div, pull_1, pull_1_into, (&s, &e, &3.0), -3.0 * s / (e * e));

    assert_adds!(dot, pull_0, pull_0_into, (&a, &c, &s), &c * s);
    assert_adds!(dot, pull_1, pull_1_into, (&a, &c, &s), &a * s);
    assert_adds!(norm, pull_0, pull_0_into, (&a, &a.norm(), &s), &a * (s / a.norm()));
    assert_adds!(norm_squared, pull_0, pull_0_into, (&a, &s), &a * (2.0 * s));
    assert_adds!(sum, pull_0, pull_0_into, (&a, &s), DMatrix::from_element(3, 2, s));
    assert_adds!(transpose, pull_0, pull_0_into, (&a, &h.transpose()), h.clone());
    assert_adds!(component_mul, pull_0, pull_0_into, (&a, &c, &h), h.component_mul(&c));
    assert_adds!(component_mul, pull_1, pull_1_into, (&a, &c, &h), h.component_mul(&a));
    assert_adds!(component_div, pull_0, pull_0_into, (&a, &c, &h), h.component_div(&c));
    let by_divisor = -h.component_mul(&a).component_div(&c.component_mul(&c));
    assert_adds!(component_div, pull_1, pull_1_into, (&a, &c, &h), by_divisor);
}

#[test]
fn single_precision() {
    let (a, g) = (SMatrix::<f32, 2, 2>::new(1.0, 2.0, 3.0, 4.0), SMatrix::<f32, 2, 2>::new(0.5, 1.0, -1.0, 0.25));
    assert_eq!(rules::mul::pull_0(&a, &2.0_f32, &g), g * 2.0);
    assert_eq!(rules::mul::pull_0(&2.0_f32, &a, &g), 0.5 + 2.0 - 3.0 + 1.0);
    assert_eq!(rules::div::pull_1(&a, &2.0_f32, &g), -0.125);
    assert_eq!(rules::mul::pull_1(&a, &a, &g), a.transpose() * g);
    assert_eq!(rules::norm::pull_0(&Vector2::new(3.0_f32, 4.0), &5.0, &10.0), Vector2::new(6.0, 8.0));
}

#[test]
fn operands_of_any_reference_and_storage_give_the_same() {
    let (mut a, b, g) = (coarse(3, 2, 0), coarse(2, 4, 40), coarse(3, 4, 80));
    let expected = &g * b.transpose();
    assert_eq!(rules::mul::pull_0(&&a, &&&b, &g), expected);
    assert_eq!(rules::mul::pull_0(&a.rows(0, 3), &b, &g), expected);
    assert_eq!(rules::mul::pull_0(&&mut a, &b, &g), expected);
    // Views with gaps between their columns.
    let mut big = DMatrix::from_element(7, 9, f64::NAN);
    big.view_mut((2, 1), (3, 2)).copy_from(&a);
    big.view_mut((5, 4), (2, 4)).copy_from(&b);
    let (va, vb) = (big.view((2, 1), (3, 2)), big.view((5, 4), (2, 4)));
    assert_eq!(rules::mul::pull_0(&va, &vb, &g), expected);
    assert_eq!(rules::mul::pull_1(&va, &vb, &g), a.transpose() * &g);
    let seed = va.clone_owned();
    assert_eq!(rules::component_mul::pull_1(&va, &va, &seed), a.component_mul(&a));
    assert_eq!(rules::norm_squared::pull_0(&va, &2.0), &a * 4.0);
    assert_eq!(rules::transpose::pull_0(&va, &seed.transpose()), a);
    assert_eq!(rules::mul::pull_0(&va, &2.0, &seed), &a * 2.0);
    assert_eq!(rules::dot::pull_0(&va, &a, &2.0), &a * 2.0);
}

#[test]
fn static_and_dynamic_dimensions_mix() {
    let (a, b) = (Matrix2x3::from_fn(|i, j| (2 * i + j) as f64), coarse(3, 4, 9));
    // 2 rows known, 4 columns not.
    let g = (a * &b).map(|x| x + 0.5);
    assert_eq!(rules::mul::pull_0(&a, &b, &g), &g * b.transpose());
    assert_eq!(rules::mul::pull_1(&a, &b, &g), a.transpose() * &g);
    let (tall, v) = (MatrixXx3::from_fn(5, |i, j| (i + 2 * j) as f64), Vector3::new(1.0, -2.0, 0.5));
    let g = DVector::from_fn(5, |i, _| i as f64 - 1.0);
    assert_eq!(rules::mul::pull_0(&tall, &v, &g), &g * v.transpose());
    assert_eq!(rules::mul::pull_1(&tall, &v, &g), tall.transpose() * &g);
    let (dynamic, fixed) = (DVector::from_vec(vec![1.0, 2.0, 3.0]), Vector3::new(4.0, 5.0, 6.0));
    assert_eq!(rules::dot::pull_0(&dynamic, &fixed, &2.0), DVector::from_vec(vec![8.0, 10.0, 12.0]));
    assert_eq!(rules::dot::pull_1(&dynamic, &fixed, &2.0), Vector3::new(2.0, 4.0, 6.0));
}

#[test]
fn a_row_times_a_column_and_a_column_times_a_row() {
    let (row, column) = (RowVector3::new(1.0, 2.0, 3.0), Vector3::new(4.0, 5.0, 6.0));
    let one = SMatrix::<f64, 1, 1>::new(2.0);
    assert_eq!(rules::mul::pull_0(&row, &column, &one), RowVector3::new(8.0, 10.0, 12.0));
    assert_eq!(rules::mul::pull_1(&row, &column, &one), Vector3::new(2.0, 4.0, 6.0));
    let seed = column * row;
    assert_eq!(rules::mul::pull_0(&column, &row, &seed), column * 14.0);
    assert_eq!(rules::mul::pull_1(&column, &row, &seed), row * 77.0);
}

#[test]
fn empty_matrices_have_empty_cotangents() {
    let (a, b, g) = (DMatrix::zeros(2, 0), DMatrix::zeros(0, 3), DMatrix::from_element(2, 3, 1.0));
    assert_eq!(rules::mul::pull_0(&a, &b, &g).shape(), (2, 0));
    assert_eq!(rules::mul::pull_1(&a, &b, &g).shape(), (0, 3));
    assert_eq!(rules::norm::pull_0(&a, &0.0, &1.0), a);
}

/// One test for each way in which shapes do not fit.
macro_rules! panics {
    ($($name:ident $message:literal $call:expr;)*) => { $(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let _ = $call;
        }
    )* };
}

fn d(rows: usize, columns: usize) -> DMatrix<f64> {
    DMatrix::from_element(rows, columns, 1.0)
}

mod shapes {
    use super::{DMatrix, Matrix3x2, d, rules};

    panics! {
        mul_operands "mul: factors of shapes 2x3 and 2x3" rules::mul::pull_0(&d(2, 3), &d(2, 3), &d(2, 3));
        mul_mixed_operands "mul: factors of shapes 3x2 and 3x3" rules::mul::pull_1(&Matrix3x2::<f64>::zeros(), &d(3, 3), &(Matrix3x2::<f64>::zeros() * d(2, 3)));
        mul_wide_seed "mul: the result is 2x2 but its cotangent is 2x3" rules::mul::pull_0(&d(2, 2), &d(2, 2), &d(2, 3));
        mul_narrow_seed "mul: the result is 2x2 but its cotangent is 1x2" rules::mul::pull_1(&d(2, 2), &d(2, 2), &d(1, 2));
        mul_shadow_of_left "mul: the value is 2x2 but its cotangent is 2x1" rules::mul::pull_0_into(&d(2, 2), &d(2, 2), &d(2, 2), &mut d(2, 1));
        mul_shadow_of_right "mul: the value is 2x2 but its cotangent is 3x2" rules::mul::pull_1_into(&d(2, 2), &d(2, 2), &d(2, 2), &mut d(3, 2));
        scaling_seed "mul: the result is 2x2 but its cotangent is 2x3" rules::mul::pull_0(&d(2, 2), &2.0, &d(2, 3));
        scaling_seed_of_factor "mul: the result is 2x2 but its cotangent is 1x4" rules::mul::pull_1(&d(2, 2), &2.0, &d(1, 4));
        div_seed "div: the result is 2x2 but its cotangent is 2x3" rules::div::pull_0(&d(2, 2), &2.0, &d(2, 3));
        div_seed_of_divisor "div: the result is 2x2 but its cotangent is 4x1" rules::div::pull_1(&d(2, 2), &2.0, &d(4, 1));
        dot_operands "dot: operands of shapes 3x1 and 2x1" rules::dot::pull_0(&d(3, 1), &d(2, 1), &1.0);
        dot_shadow "dot: the value is 3x1 but its cotangent is 2x1" rules::dot::pull_0_into(&d(3, 1), &d(3, 1), &1.0, &mut d(2, 1));
        norm_shadow "norm: the value is 3x1 but its cotangent is 1x3" rules::norm::pull_0_into(&d(3, 1), &1.7, &1.0, &mut d(1, 3));
        norm_squared_shadow "norm_squared: the value is 3x1 but its cotangent is 4x1" rules::norm_squared::pull_0_into(&d(3, 1), &1.0, &mut d(4, 1));
        sum_shadow "sum: the value is 3x1 but its cotangent is 4x1" rules::sum::pull_0_into(&d(3, 1), &1.0, &mut d(4, 1));
        transpose_seed "transpose: the result is 3x2 but its cotangent is 2x3" rules::transpose::pull_0(&d(2, 3), &d(2, 3));
        component_mul_operands "component_mul: operands of shapes 2x2 and 2x1" rules::component_mul::pull_0(&d(2, 2), &d(2, 1), &d(2, 2));
        component_mul_seed "component_mul: the result is 2x2 but its cotangent is 1x2" rules::component_mul::pull_0(&d(2, 2), &d(2, 2), &d(1, 2));
        component_div_seed "component_div: the result is 2x2 but its cotangent is 1x2" rules::component_div::pull_1(&d(2, 2), &d(2, 2), &d(1, 2));
        component_div_shadow "component_div: the value is 2x2 but its cotangent is 4x1" rules::component_div::pull_1_into(&d(2, 2), &d(2, 2), &d(2, 2), &mut DMatrix::zeros(4, 1));
    }
}
