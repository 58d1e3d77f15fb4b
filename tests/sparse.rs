//! Sparse Jacobians and Hessians against dense ones, and patterns that are wrong.

#![cfg(feature = "sparse")]
#![allow(clippy::needless_range_loop, reason = "programs as users write them")]

use autodiff::sparse::Compression;
use autodiff::{Tangent, differentiate, jacobian};
use nalgebra_sparse::CsrMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

/// The pattern of a matrix whose entries `is` says.
fn pattern(height: usize, width: usize, is: impl Fn(usize, usize) -> bool) -> SparsityPattern {
    let (mut offsets, mut indices) = (vec![0], Vec::new());
    for i in 0..height {
        indices.extend((0..width).filter(|&j| is(i, j)));
        offsets.push(indices.len());
    }
    SparsityPattern::try_from_offsets_and_indices(height, width, offsets, indices).expect("in order")
}

/// Compares with the dense rows, entry by entry.
#[track_caller]
fn assert_same(sparse: &CsrMatrix<f64>, rows: &[Vec<f64>]) {
    assert_eq!(sparse.nrows(), rows.len());
    for (i, row) in rows.iter().enumerate() {
        for (j, &wanted) in row.iter().enumerate() {
            let got = sparse.get_entry(i, j).map_or(0.0, |entry| entry.into_value());
            assert!((got - wanted).abs() <= 1e-13 * wanted.abs().max(1.0), "{i} {j}: {got} but {wanted}");
        }
    }
}

/// Broyden's tridiagonal function.
#[differentiate]
fn broyden(x: &[f64], y: &mut [f64]) {
    let n = x.len();
    for i in 0..n {
        let before = if i > 0 { x[i - 1] } else { 0.0 };
        let after = if i + 1 < n { x[i + 1] } else { 0.0 };
        y[i] = (3.0 - 2.0 * x[i]) * x[i] - before - 2.0 * after + 1.0;
    }
}

fn push(x: &[f64], direction: &[f64]) -> Vec<f64> {
    let (mut y, mut y_dot) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    broyden::jvp(x, &mut y, direction, &mut y_dot);
    y_dot
}

fn pull(x: &[f64], seed: &[f64]) -> Vec<f64> {
    let (mut y, mut y_bar) = (vec![0.0; x.len()], seed.to_vec());
    broyden::vjp(x, &mut y, &mut y_bar).1
}

#[test]
fn a_band_takes_three_sweeps_whatever_its_length() {
    for n in [1, 2, 3, 10, 57] {
        let x: Vec<f64> = (0..n).map(|i| (1.7 * i as f64).sin()).collect();
        let band = pattern(n, n, |i, j| i.abs_diff(j) <= 1);
        let dense: Vec<Vec<f64>> = jacobian::rows(&x, |seed| pull(&x, &seed));
        let columns = Compression::of_columns(band.clone());
        assert_eq!(columns.sweeps(), n.min(3));
        assert_same(&columns.matrix(&x, |direction| push(&x, &direction)), &dense);
        let rows = Compression::of_rows(band);
        assert_eq!(rows.sweeps(), n.min(3));
        assert_same(&rows.matrix(&x, |seed| pull(&x, &seed)), &dense);
    }
}

#[test]
fn a_matrix_is_filled_at_another_point() {
    let at = |shift: f64| -> Vec<f64> { (0..9).map(|i| (1.7 * i as f64 + shift).sin()).collect() };
    let band = Compression::of_columns(pattern(9, 9, |i, j| i.abs_diff(j) <= 1));
    let mut matrix = band.matrix(&at(0.0), |direction| push(&at(0.0), &direction));
    band.fill(&mut matrix, &at(0.5), |direction| push(&at(0.5), &direction));
    assert_eq!(matrix, band.clone().unchecked().matrix(&at(0.5), |direction| push(&at(0.5), &direction)));
}

#[test]
#[should_panic(expected = "the pattern lacks an entry of row 3")]
fn a_missing_entry_is_found_by_columns() {
    let x = [0.3; 8];
    let pattern = pattern(8, 8, |i, j| i.abs_diff(j) <= 1 && (i, j) != (3, 2));
    Compression::of_columns(pattern).matrix(&x, |direction| push(&x, &direction));
}

#[test]
#[should_panic(expected = "the pattern lacks an entry of column 2")]
fn a_missing_entry_is_found_by_rows() {
    let x = [0.3; 8];
    let pattern = pattern(8, 8, |i, j| i.abs_diff(j) <= 1 && (i, j) != (3, 2));
    Compression::of_rows(pattern).matrix(&x, |seed| pull(&x, &seed));
}

#[test]
#[should_panic(expected = "the pattern has room for 7 components")]
fn a_pattern_of_another_size_is_found() {
    let x = [0.3; 8];
    Compression::of_columns(pattern(7, 8, |i, j| i.abs_diff(j) <= 1)).matrix(&x, |direction| push(&x, &direction));
}

/// A linear map of a matrix that is given, so that the Jacobian is known.
#[differentiate]
fn linear(#[constant] a: &[Vec<f64>], x: &[f64]) -> Vec<f64> {
    let mut y = a.iter().map(|_| 0.0).collect::<Vec<f64>>();
    for i in 0..a.len() {
        for j in 0..x.len() {
            y[i] += a[i][j] * x[j];
        }
    }
    y
}

#[test]
fn random_matrices_come_back() {
    let mut state = 1_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2_f64.powi(31)
    };
    for round in 0..200 {
        let (height, width) = (1 + (random() * 12.0) as usize, 1 + (random() * 12.0) as usize);
        let density = 0.05 + 0.5 * random();
        let a: Vec<Vec<f64>> =
            (0..height).map(|_| (0..width).map(|_| if random() < density { 1.0 + random() } else { 0.0 }).collect()).collect();
        let pattern = pattern(height, width, |i, j| a[i][j] != 0.0);
        let widest = (0..height).map(|i| pattern.lane(i).len()).max().unwrap_or(0);
        let x = vec![0.5; width];
        let columns = Compression::of_columns(pattern.clone());
        assert!(columns.sweeps() >= widest, "round {round}");
        assert_same(&columns.matrix(&x, |direction| linear::jvp(&a, &x, &direction).1), &a);
        let (value, saved) = linear::forward(&a, &x);
        assert_same(&Compression::of_rows(pattern).matrix(&value, |seed| linear::adjoint(&saved, seed)), &a);
    }
}

/// A quadratic form of a symmetric matrix that is given.
#[differentiate(order = 2)]
fn form(#[constant] a: &[Vec<f64>], x: &[f64]) -> f64 {
    let mut y = 0.0;
    for i in 0..x.len() {
        for j in 0..x.len() {
            y += 0.5 * a[i][j] * x[i] * x[j];
        }
    }
    y
}

#[test]
fn random_hessians_come_back() {
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / 2_f64.powi(31)
    };
    for _ in 0..200 {
        let n = 1 + (random() * 14.0) as usize;
        let density = 0.05 + 0.4 * random();
        let mut a = vec![vec![0.0; n]; n];
        for i in 0..n {
            for j in 0..=i {
                a[i][j] = if i == j || random() < density { 1.0 + random() } else { 0.0 };
                a[j][i] = a[i][j];
            }
        }
        let pattern = pattern(n, n, |i, j| a[i][j] != 0.0);
        let x = vec![0.5; n];
        let by_columns = Compression::of_columns(pattern.clone());
        let hessian = Compression::of_hessian(pattern);
        assert!(hessian.sweeps() <= by_columns.sweeps(), "symmetry saves sweeps");
        assert_same(&hessian.matrix(&x, |direction| form::hvp(&a, &x, &direction).2), &a);
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
fn the_hessian_of_a_chain_and_of_an_arrow() {
    let x: Vec<f64> = (0..50).map(|i| (0.3 * i as f64).cos()).collect();
    let hessian = Compression::of_hessian(pattern(50, 50, |i, j| i.abs_diff(j) <= 1));
    assert_eq!(hessian.sweeps(), 3);
    let dense: Vec<Vec<f64>> = rosenbrock::hessian(&x).2;
    assert_same(&hessian.matrix(&x, |direction| rosenbrock::hvp(&x, &direction).2), &dense);

    // One row and column are full: by columns that takes as many sweeps as there are columns, by symmetry two.
    let arrow = pattern(20, 20, |i, j| i == j || i == 0 || j == 0);
    assert_eq!(Compression::of_columns(arrow.clone()).sweeps(), 20);
    assert_eq!(Compression::of_hessian(arrow).sweeps(), 2);
}

#[test]
#[should_panic(expected = "the pattern lacks an entry")]
fn a_missing_entry_of_a_hessian_is_found() {
    let x = [0.3; 6];
    let diagonal = Compression::of_hessian(pattern(6, 6, |i, j| i == j));
    diagonal.matrix(&x, |direction| rosenbrock::hvp(&x, &direction).2);
}

/// Several parameters, in single precision.
#[differentiate]
fn pairs(a: &[f32; 3], b: f32) -> [f32; 3] {
    [a[0] * b, a[1].sin(), a[2] * a[2] + b]
}

#[test]
fn components_are_counted_over_all_parameters() {
    let (a, b) = ([0.5, 1.0, 2.0], 3.0);
    let pattern = pattern(3, 4, |i, j| i == j || (j == 3 && i != 1));
    let matrix = Compression::of_columns(pattern).matrix(&(a, b), |(a_dot, b_dot)| pairs::jvp(&a, b, &a_dot, b_dot).1);
    assert_eq!(matrix.values(), [3.0, 0.5, f64::from(1.0_f32.cos()), 4.0, 1.0]);
    assert_eq!(pairs::jacobian(&a, b).1[2].flatten(), [0.0, 0.0, 4.0, 1.0]);
}
