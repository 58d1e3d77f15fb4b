//! nalgebra's matrices in differentiated code, against central differences.

mod support;

use autodiff::{Tangent, differentiate};
use nalgebra::{DMatrix, DVector, Matrix2x3, Matrix3, RowVector3, SMatrix, Vector2, Vector3};
use support::assert_gradient;

fn matrix(rows: usize, columns: usize, from: f64) -> DMatrix<f64> {
    DMatrix::from_fn(rows, columns, |i, j| (from + 1.7 * i as f64 - 0.9 * j as f64).sin())
}

fn vector(rows: usize, from: f64) -> DVector<f64> {
    DVector::from_fn(rows, |i, _| (from + 1.3 * i as f64).cos())
}

#[differentiate]
fn network(w1: &DMatrix<f64>, b1: &DVector<f64>, w2: &DMatrix<f64>, x: &DVector<f64>, target: &DVector<f64>) -> f64 {
    let hidden = (w1 * x + b1).map(|v| v.tanh());
    let output = w2 * hidden;
    let error = output - target;
    0.5 * error.norm_squared()
}

#[test]
fn a_network_with_dynamic_sizes() {
    let (w1, b1, w2) = (matrix(4, 3, 0.1), vector(4, 0.5), matrix(2, 4, 0.7));
    let (x, t) = (vector(3, 0.2), vector(2, 1.1));
    let (y, (dw1, db1, dw2, dx, dt)) = network::gradient(&w1, &b1, &w2, &x, &t);
    assert_eq!(y, network(&w1, &b1, &w2, &x, &t));
    assert_gradient(|v| network(&DMatrix::from_column_slice(4, 3, v), &b1, &w2, &x, &t), w1.as_slice(), &dw1.flatten());
    assert_gradient(|v| network(&w1, &DVector::from_column_slice(v), &w2, &x, &t), b1.as_slice(), &db1.flatten());
    assert_gradient(|v| network(&w1, &b1, &DMatrix::from_column_slice(2, 4, v), &x, &t), w2.as_slice(), &dw2.flatten());
    assert_gradient(|v| network(&w1, &b1, &w2, &DVector::from_column_slice(v), &t), x.as_slice(), &dx.flatten());
    assert_gradient(|v| network(&w1, &b1, &w2, &x, &DVector::from_column_slice(v)), t.as_slice(), &dt.flatten());
}

#[test]
fn the_gradient_of_a_layer_is_an_outer_product() {
    let (w1, b1, w2) = (matrix(4, 3, 0.1), vector(4, 0.5), matrix(2, 4, 0.7));
    let (x, t) = (vector(3, 0.2), vector(2, 1.1));
    let (_, (dw1, db1, dw2, dx, _)) = network::gradient(&w1, &b1, &w2, &x, &t);
    let hidden = (&w1 * &x + &b1).map(f64::tanh);
    let delta2 = &w2 * &hidden - &t;
    let delta1 = (w2.transpose() * &delta2).component_mul(&hidden.map(|h| 1.0 - h * h));
    assert!((dw2 - &delta2 * hidden.transpose()).norm() < 1e-14);
    assert!((dw1 - &delta1 * x.transpose()).norm() < 1e-14);
    assert!((db1 - &delta1).norm() < 1e-14);
    assert!((dx - w1.transpose() * &delta1).norm() < 1e-14);
}

#[differentiate]
fn recurrent(m: Matrix3<f64>, v: Vector3<f64>, s: f64, n: usize) -> f64 {
    let mut h = v;
    let mut total = 0.0;
    for i in 0..n {
        let next = m * h * s + v;
        if i % 2 == 0 {
            h = next / (1.0 + s * s);
        } else {
            h -= next.map(|c| c.sin() * s);
            total += h.dot(&v);
        }
    }
    h.norm() + total + h.component_mul(&v).sum() + m[(0, 1)] * v.x - v[2]
}

#[test]
fn static_matrices_in_a_loop_with_branches() {
    let m = Matrix3::from_fn(|i, j| 0.3 * i as f64 - 0.25 * j as f64 + 0.1);
    let v = Vector3::new(0.4, -0.2, 0.6);
    for n in [0, 1, 2, 5] {
        let (y, (dm, dv, ds)) = recurrent::gradient(m, v, 0.8, n);
        assert_eq!(y, recurrent(m, v, 0.8, n));
        assert_gradient(|x| recurrent(SMatrix::from_column_slice(x), v, 0.8, n), m.as_slice(), &dm.flatten());
        assert_gradient(|x| recurrent(m, Vector3::from_column_slice(x), 0.8, n), v.as_slice(), &dv.flatten());
        assert_gradient(|x| recurrent(m, v, x[0], n), &[0.8], &[ds]);
    }
}

#[differentiate]
fn everything(a: Matrix2x3<f64>, b: &Matrix2x3<f64>, r: RowVector3<f64>, s: f64) -> Vector2<f64> {
    let c = a.component_mul(b) - a.component_div(b) * s;
    let d = -c.zip_map(b, |x, y| x * y.exp() + s);
    let e = d * r.transpose();
    let scale = 2.0 * a.norm_squared() / b.norm();
    s * e + e * scale - e.map(|v| v * v / s)
}

#[test]
fn every_operation_with_a_matrix_result() {
    let a = Matrix2x3::new(0.5, -0.3, 0.8, 1.1, 0.2, -0.7);
    let b = Matrix2x3::new(1.5, 0.9, -1.2, 0.8, 2.0, 1.3);
    let (r, s, seed) = (RowVector3::new(0.4, -0.9, 0.6), 0.7, Vector2::new(1.0, -0.5));
    let weighted = |a, b: &_, r, s| everything(a, b, r, s).dot(&seed);
    let (y, (da, db, dr, ds)) = everything::vjp(a, &b, r, s, seed);
    assert_eq!(y, everything(a, &b, r, s));
    assert_gradient(|v| weighted(Matrix2x3::from_column_slice(v), &b, r, s), a.as_slice(), &da.flatten());
    assert_gradient(|v| weighted(a, &Matrix2x3::from_column_slice(v), r, s), b.as_slice(), &db.flatten());
    assert_gradient(|v| weighted(a, &b, RowVector3::from_column_slice(v), s), r.as_slice(), &dr.flatten());
    assert_gradient(|v| weighted(a, &b, r, v[0]), &[s], &[ds]);
}

#[differentiate]
fn entries(out: &mut DMatrix<f64>, x: f64, n: usize) -> f64 {
    for i in 0..n {
        for j in 0..n {
            out[(i, j)] = out[(i, j)] * x + (i + 2 * j) as f64 * x;
        }
        out[(i, i)] *= x;
    }
    out.sum()
}

#[test]
fn entries_written_in_place() {
    let (start, x, n) = (matrix(3, 3, 0.3), 0.6, 3);
    let seed = matrix(3, 3, 2.0);
    let weighted = |m: &DMatrix<f64>, x: f64| {
        let mut out = m.clone();
        2.0 * entries(&mut out, x, n) + out.dot(&seed)
    };
    let (mut out, mut shadow) = (start.clone(), seed.clone());
    let (_, dx) = entries::vjp(&mut out, x, n, 2.0, &mut shadow);
    assert_gradient(|v| weighted(&start, v[0]), &[x], &[dx]);
    assert_gradient(|v| weighted(&DMatrix::from_column_slice(3, 3, v), x), start.as_slice(), &shadow.flatten());
}

#[differentiate]
fn layer(w: &DMatrix<f64>, x: &DVector<f64>) -> DVector<f64> {
    (w * x).map(autodiff::relu)
}

#[differentiate]
fn stacked(w: &DMatrix<f64>, x: &DVector<f64>, deep: bool) -> f64 {
    let mut h = layer(w, x);
    if deep {
        h = layer(w, &h);
    }
    let g = layer(w, &h);
    g.dot(&h) + x.sum()
}

#[test]
fn calls_that_take_and_return_matrices() {
    let (w, x) = (matrix(3, 3, 0.6), vector(3, 0.1));
    for deep in [false, true] {
        let (y, (dw, dx)) = stacked::gradient(&w, &x, deep);
        assert_eq!(y, stacked(&w, &x, deep));
        assert_gradient(|v| stacked(&DMatrix::from_column_slice(3, 3, v), &x, deep), w.as_slice(), &dw.flatten());
        assert_gradient(|v| stacked(&w, &DVector::from_column_slice(v), deep), x.as_slice(), &dx.flatten());
    }
}

#[test]
#[should_panic(expected = "Gemv: dimensions mismatch")]
fn a_shape_mismatch_panics_as_in_nalgebra() {
    let _ = layer::vjp(&matrix(2, 2, 0.0), &vector(3, 0.0), vector(2, 0.0));
}

#[differentiate]
fn in_single_precision(w: &DMatrix<f32>, x: &DVector<f32>) -> f32 {
    (w * x).map(|v| v.exp()).sum()
}

#[test]
fn single_precision() {
    let (w, x) = (matrix(2, 2, 0.4).map(|v| v as f32), vector(2, 0.3).map(|v| v as f32));
    let (_, (dw, dx)) = in_single_precision::gradient(&w, &x);
    let delta = (&w * &x).map(f32::exp);
    assert!((dw - &delta * x.transpose()).norm() < 1e-6);
    assert!((dx - w.transpose() * &delta).norm() < 1e-6);
}

#[differentiate]
fn captures(v: &DVector<f64>, x: f64) -> f64 {
    let mut s = x * x;
    let a = v.map(|c| c * s + c.sin());
    s += 1.0;
    let b = a.zip_map(v, |p, q| if p > s { p * q } else { q * s * s });
    s *= x;
    b.sum() * s
}

#[test]
fn closures_capture_variables_that_change() {
    let (v, x) = (vector(4, 0.2), 0.9);
    let (y, (dv, dx)) = captures::gradient(&v, x);
    assert_eq!(y, captures(&v, x));
    assert_gradient(|p| captures(&DVector::from_column_slice(p), x), v.as_slice(), &dv.flatten());
    assert_gradient(|p| captures(&v, p[0]), &[x], &[dx]);
}

#[differentiate]
fn by_reference(w: &DMatrix<f64>, b: &DVector<f64>, #[constant] c: &DVector<f64>, x: &DVector<f64>) -> DVector<f64> {
    let shifted = c + x;
    let y = -(w * &shifted) - b;
    let z = y.component_div(c) * y.norm() + c - x;
    z.zip_map(x, |p, q| p * q) + x
}

#[test]
fn forward_mode_is_the_transpose_of_reverse_mode() {
    let (w, b, c, x) = (matrix(3, 3, 0.2), vector(3, 0.4), vector(3, 0.9), vector(3, 1.7));
    let (dw, db, dx) = (matrix(3, 3, 3.0), vector(3, 2.0), vector(3, 4.0));
    let seed = vector(3, 5.0);
    let (y, dy) = by_reference::jvp(&w, &b, &c, &x, &dw, &db, &dx);
    let (_, (gw, gb, gx)) = by_reference::vjp(&w, &b, &c, &x, seed.clone());
    assert_eq!(y, by_reference(&w, &b, &c, &x));
    let (pushed, pulled) = (dy.dot(&seed), gw.dot(&dw) + gb.dot(&db) + gx.dot(&dx));
    assert!((pushed - pulled).abs() < 1e-12 * pulled.abs().max(1.0), "{pushed} and {pulled}");
}

#[test]
fn forward_mode_through_loops_branches_and_calls() {
    let (w, x) = (matrix(3, 3, 0.6), vector(3, 0.1));
    let (dw, dx) = (matrix(3, 3, 3.0), vector(3, 4.0));
    for deep in [false, true] {
        let (_, tangent) = stacked::jvp(&w, &x, deep, &dw, &dx);
        let (_, (gw, gx)) = stacked::gradient(&w, &x, deep);
        assert!((tangent - gw.dot(&dw) - gx.dot(&dx)).abs() < 1e-12);
    }
    let (m, v) = (Matrix3::from_fn(|i, j| 0.3 * i as f64 - 0.25 * j as f64 + 0.1), Vector3::new(0.4, -0.2, 0.6));
    let (dm, dv, ds) = (Matrix3::from_element(0.3), Vector3::new(1.0, -1.0, 0.5), 0.7);
    let (_, tangent) = recurrent::jvp(m, v, 0.8, 5, dm, dv, ds);
    let (_, (gm, gv, gs)) = recurrent::gradient(m, v, 0.8, 5);
    assert!((tangent - gm.dot(&dm) - gv.dot(&dv) - gs * ds).abs() < 1e-12);
}

#[differentiate]
fn from_components(x: f64, y: f64, k: f64) -> f64 {
    let rotation = Matrix3::new(x.cos(), -x.sin(), 0.0, x.sin(), x.cos(), y * k, 1.0, 0.0, k);
    let v = Vector3::new(x, y * y, 1.0);
    let w = nalgebra::RowVector3::new(k, 2.0, x) * rotation;
    (rotation * v).norm() + w[1] + Vector2::new(k, x).dot(&Vector2::new(y, 1.0))
}

#[test]
fn matrices_from_their_components() {
    let (x, y, k) = (0.4, -0.7, 1.3);
    let (value, (dx, dy, dk)) = from_components::gradient(x, y, k);
    assert_eq!(value, from_components(x, y, k));
    assert_gradient(|v| from_components(v[0], v[1], v[2]), &[x, y, k], &[dx, dy, dk]);
    let (_, tangent) = from_components::jvp(x, y, k, 1.0, -2.0, 0.5);
    assert!((tangent - (dx - 2.0 * dy + 0.5 * dk)).abs() < 1e-12);
}

#[differentiate]
fn scaled_by_a_power(v: Vector3<f64>, x: f64) -> f64 {
    let w = v / (2.0 + x.powi(3));
    (w * x).map(|c| c.exp()).sum() * x.exp()
}

#[test]
fn tangents_of_matrices_take_no_strong_products() {
    let (v, x) = (Vector3::new(0.3, -0.8, 1.2), 0.7);
    let (_, (dv, dx)) = scaled_by_a_power::gradient(v, x);
    assert_gradient(|p| scaled_by_a_power(Vector3::from_column_slice(&p[..3]), p[3]), &[0.3, -0.8, 1.2, 0.7], &[dv.x, dv.y, dv.z, dx]);
    let (_, tangent) = scaled_by_a_power::jvp(v, x, Vector3::new(1.0, 2.0, -1.0), 0.5);
    assert!((tangent - (dv.x + 2.0 * dv.y - dv.z + 0.5 * dx)).abs() < 1e-12);
}

#[differentiate]
fn moves(w: DMatrix<f64>, x: DVector<f64>, b: &DVector<f64>, n: usize) -> DVector<f64> {
    let start = x.clone();
    let mut h = x;
    let mut last = start.clone();
    for i in 0..n {
        let z = &w * &h + b;
        if i == 2 {
            last = z;
            continue;
        }
        let a = z.map(f64::tanh);
        h = a - last * 0.5;
        last = &h + &start;
        if h[0] > 0.9 {
            break;
        }
    }
    let total = h.dot(&last);
    h * total + start
}

#[test]
fn values_that_are_moved() {
    let (w, x, b, seed) = (matrix(3, 3, 0.2), vector(3, 0.3), vector(3, 1.4), vector(3, 2.2));
    for n in [0, 1, 2, 3, 5] {
        let weighted = |w: &DMatrix<f64>, x: &DVector<f64>, b: &DVector<f64>| moves(w.clone(), x.clone(), b, n).dot(&seed);
        let (y, (dw, dx, db)) = moves::vjp(w.clone(), x.clone(), &b, n, seed.clone());
        assert_eq!(y, moves(w.clone(), x.clone(), &b, n));
        assert_gradient(|v| weighted(&DMatrix::from_column_slice(3, 3, v), &x, &b), w.as_slice(), &dw.flatten());
        assert_gradient(|v| weighted(&w, &DVector::from_column_slice(v), &b), x.as_slice(), &dx.flatten());
        assert_gradient(|v| weighted(&w, &x, &DVector::from_column_slice(v)), b.as_slice(), &db.flatten());
        let (ew, ex, eb) = (matrix(3, 3, 5.0), vector(3, 6.0), vector(3, 7.0));
        let (_, pushed) = moves::jvp(w.clone(), x.clone(), &b, n, ew.clone(), ex.clone(), &eb);
        let pulled = dw.dot(&ew) + dx.dot(&ex) + db.dot(&eb);
        assert!((pushed.dot(&seed) - pulled).abs() < 1e-11 * pulled.abs().max(1.0));
    }
}

#[test]
fn rows_and_columns_of_a_jacobian_agree() {
    let (a, s) = (Matrix2x3::new(0.5, -0.3, 0.8, 1.1, 0.2, -0.7), 0.7);
    let (b, r) = (Matrix2x3::new(1.5, 0.9, -1.2, 0.8, 2.0, 1.3), RowVector3::new(0.4, -0.9, 0.6));
    let (y, saved) = everything::forward(a, &b, r, s);
    let rows = autodiff::jacobian::rows(&y, |seed| everything::adjoint(&saved, seed).0);
    let none = (Matrix2x3::zeros(), RowVector3::zeros());
    let columns = autodiff::jacobian::columns(&a, |da| everything::jvp(a, &b, r, s, da, &none.0, none.1, 0.0).1);
    assert_eq!((rows.len(), columns.len()), (2, 6));
    for (i, row) in rows.iter().enumerate() {
        for (j, column) in columns.iter().enumerate() {
            assert!((row[j] - column[i]).abs() < 1e-12);
        }
    }
}
