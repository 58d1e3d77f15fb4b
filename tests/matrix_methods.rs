//! nalgebra's methods in differentiated code: reverse mode against central differences and against forward mode, for static and
//! for dynamic sizes; the value bit for bit.

mod support;

use autodiff::differentiate;
use nalgebra::{DMatrix, DVector, Matrix2, Matrix3, RowVector3, SMatrix, Vector2, Vector3};
use support::assert_gradient;

fn matrix(from: f64) -> DMatrix<f64> {
    // The diagonal makes it regular, and positive definite with its transpose.
    DMatrix::from_fn(3, 3, |i, j| 0.4 * (from + 1.7 * i as f64 - 0.9 * j as f64).sin() + if i == j { 1.5 } else { 0.0 })
}

/// Functions of two 3 by 3 matrices and a number.
macro_rules! cases {
    ($($name:ident |$a:ident, $b:ident, $k:ident| $body:block)*) => { $(
        mod $name {
            use super::*;

            #[differentiate]
            fn of_dynamic($a: &DMatrix<f64>, $b: &DMatrix<f64>, $k: f64) -> f64 $body

            #[differentiate]
            fn of_static($a: &Matrix3<f64>, $b: &Matrix3<f64>, $k: f64) -> f64 $body

            #[test]
            fn derivatives() {
                let (a, b, k) = (matrix(0.3), matrix(1.1), 0.7);
                let (value, (da, db, dk)) = of_dynamic::gradient(&a, &b, k);
                assert_eq!(value.to_bits(), of_dynamic(&a, &b, k).to_bits());
                assert_gradient(|v| of_dynamic(&DMatrix::from_column_slice(3, 3, v), &b, k), a.as_slice(), da.as_slice());
                assert_gradient(|v| of_dynamic(&a, &DMatrix::from_column_slice(3, 3, v), k), b.as_slice(), db.as_slice());
                assert_gradient(|v| of_dynamic(&a, &b, v[0]), &[k], &[dk]);
                let (a_dot, b_dot, k_dot) = (matrix(2.2).transpose(), matrix(-0.4), 0.3);
                let (pushed_value, pushed) = of_dynamic::jvp(&a, &b, k, &a_dot, &b_dot, k_dot);
                assert_eq!(pushed_value, value);
                let along = da.dot(&a_dot) + db.dot(&b_dot) + dk * k_dot;
                assert!((pushed - along).abs() <= 1e-12 * along.abs().max(1.0), "{pushed} and {along}");

                let (a, b) = (Matrix3::from_column_slice(a.as_slice()), Matrix3::from_column_slice(b.as_slice()));
                let (value, (sa, sb, sk)) = of_static::gradient(&a, &b, k);
                assert_eq!(value.to_bits(), of_static(&a, &b, k).to_bits());
                assert!((sk - dk).abs() <= 1e-12 * dk.abs().max(1.0));
                assert!((DMatrix::from_column_slice(3, 3, sa.as_slice()) - da).norm() < 1e-12);
                assert!((DMatrix::from_column_slice(3, 3, sb.as_slice()) - db).norm() < 1e-12);
            }
        }
    )* };
}

cases! {
    trace |a, b, k| { a.trace() * (b * k).trace() }
    mean |a, b, k| { (a * b).mean() * k }
    variance |a, b, k| { (a * b).variance() + a.variance() * k }
    product |a, b, k| { a.product() * k + b.row(1).product() }
    largest |a, b, k| { a.max() * b.min() + (a * k).amax() * (b * -k).amin() + (a * -k).amax() }
    row_sum |a, b, k| { a.row_sum().dot(&b.row(1)) * k + b.column_sum().dot(&a.column(2)) }
    row_mean |a, b, k| { a.row_mean().dot(&b.row(0)) * k + b.column_mean().norm_squared() }
    metric_distance |a, b, k| { a.metric_distance(b) * k }
    diagonal |a, b, k| { a.diagonal().dot(&b.diagonal()) * k }
    triangles |a, b, k| { (a.upper_triangle() * b.lower_triangle() * k).norm_squared() }
    add_scalar |a, b, k| { a.add_scalar(k).component_mul(&b.scale(k)).sum() - a.unscale(k).dot(b) }
    normalize |a, b, k| { a.normalize().dot(b) * k + b.column(1).normalize()[0] }
    cross |a, b, k| { a.column(0).cross(&b.column(1)).dot(&a.column(2)) * k }
    tr_mul |a, b, k| { (a.tr_mul(b) * k).norm_squared() + a.tr_dot(b) }
    kronecker |a, b, k| { a.kronecker(b).column(4).norm_squared() * k }
    determinant |a, b, k| { (a * k).determinant() * b.determinant() }
    inverse |a, b, k| { (a.clone_owned().try_inverse().unwrap() * b).norm_squared() * k }
    solve_triangular |a, b, k| {
        let lower = a.solve_lower_triangular(&b.column(0)).unwrap();
        let upper = b.solve_upper_triangular(a).unwrap();
        lower.norm_squared() * k + upper.norm_squared()
    }
    cholesky |a, b, k| {
        let spd = a.transpose() * a + b.transpose() * b;
        let chol = spd.cholesky().unwrap();
        chol.solve(&a.column(1)).norm_squared() * k + chol.ln_determinant() + (chol.l() * b).sum()
            - chol.inverse().norm_squared() + chol.determinant() * k
    }
    cholesky_of_any_upper_triangle |a, b, k| {
        // It reads the lower triangle only.
        let chol = (a.clone_owned() * 2.0).cholesky().unwrap();
        (chol.unpack() * b).sum() * k
    }
    lu |a, b, k| {
        let lu = (a * k + b).lu();
        let x = lu.solve(&b.column(2)).unwrap();
        x.norm_squared() + lu.determinant() * k + (lu.try_inverse().unwrap() * a).trace()
    }
    views |a, b, k| {
        let corner = a.fixed_view::<2, 2>(1, 0);
        let tail = b.fixed_rows::<2>(1);
        let some = a.rows(0, 2);
        (corner * tail).norm_squared() * k + (some * b.columns(1, 2)).sum() + a.view((0, 1), (2, 2)).norm() + b.row(2)[1]
    }
    lines |a, b, k| {
        let mut sum = 0.0;
        for (i, column) in a.column_iter().enumerate() {
            sum += column.dot(&b.column(i)) * k;
        }
        for row in b.row_iter() {
            sum += row.norm() * row[0];
        }
        sum + a.column_iter().map(|c| c.sum() * c.max()).sum::<f64>()
    }
    set |a, b, k| {
        let mut m = a.clone_owned();
        m.set_column(1, &(b.column(0) * k));
        m.set_row(2, &a.row(0));
        m.set_diagonal(&b.column(2));
        m.swap_rows(0, 1);
        m.swap_columns(1, 2);
        m.fill_column(0, k);
        m[(1, 1)] *= k;
        (m * b).norm_squared()
    }
    fill |a, b, k| {
        let mut m = a.clone_owned();
        m.fill_row(0, k * k);
        m.fill_diagonal(k);
        m.add_scalar_mut(k);
        m.scale_mut(k);
        m.neg_mut();
        m.unscale_mut(k + 2.0);
        m.component_mul_assign(b);
        m.component_div_assign(&a.add_scalar(3.0));
        let s = m.sum();
        m.fill(k);
        m.copy_from(&(b * k));
        s + m.norm_squared()
    }
    products_in_place |a, b, k| {
        let mut y = a.column(0).into_owned();
        y.axpy(k, &b.column(1), 0.5);
        y.gemv(k, a, &b.column(2), k * k);
        let mut m = a.clone_owned();
        m.gemm(k, a, b, 0.3);
        m.ger(k, &y, &a.column(1), k + 1.0);
        y.norm_squared() + m.norm_squared()
    }
    changed_views |a, b, k| {
        let mut m = a.clone_owned();
        m.column_mut(0).copy_from(&b.column(1));
        m.row_mut(1).scale_mut(k);
        m.fixed_view_mut::<2, 2>(0, 1).copy_from(&b.fixed_view::<2, 2>(1, 1));
        m.column_mut(2).axpy(k, &a.column(0), 2.0);
        m.view_mut((1, 1), (2, 1)).fill(k);
        let mut last = m.row_mut(2);
        last *= k;
        last[0] += k;
        for mut column in m.column_iter_mut() {
            column *= k;
        }
        m.norm_squared()
    }
    from_fn |a, b, k| {
        let m = Matrix3::from_fn(|i, j| a[(i, j)] * k + b[(j, i)]);
        let d = DMatrix::from_fn(2, 3, |i, j| a[(i, j)] * b[(j, i)]);
        let v = DVector::from_fn(4, |i, _| k * a[i]);
        m.norm_squared() + d.norm_squared() + v.norm()
    }
    from_elements |a, b, k| {
        let m = Matrix2::from_element(k) * Matrix2::from_row_slice(&[a[0], k, b[1], 2.0]);
        let c = SMatrix::<f64, 3, 2>::from_column_slice(&[a[0], k, b[1], 2.0, k * k, b[3]]);
        let d = DMatrix::from_vec(2, 2, vec![a[3], k, b[4], 1.0]);
        let v = DVector::from_vec(vec![k, a[2]]);
        let e = Matrix2::from_diagonal(&Vector2::new(k, a[5]));
        let r = Matrix3::from_rows(&[RowVector3::new(k, a[1], 2.0), RowVector3::new(1.0, k, a[1]), RowVector3::new(1.0, 2.0, 3.0)]);
        let s = Matrix3::from_columns(&[Vector3::new(k, 2.0, 1.0), Vector3::new(b[2], k, 0.5), Vector3::new(3.0, 1.0, b[7])]);
        (m * e).norm_squared() + c.norm_squared() * d.determinant() + v.norm() + (r * s).trace()
    }
}

#[differentiate]
fn determinant_of(a: &DMatrix<f64>) -> f64 {
    a.determinant()
}

#[test]
fn the_determinant_of_a_singular_matrix_has_cofactors_for_derivatives() {
    for n in 1..6 {
        let mut a = DMatrix::from_fn(n, n, |i, j| (1.0 + 1.7 * i as f64 - 0.9 * j as f64 * (i + 1) as f64).sin());
        if n > 1 {
            let first = a.row(0).into_owned();
            a.set_row(n - 1, &(first * 2.0));
        }
        let (_, da) = determinant_of::gradient(&a);
        assert_gradient(|v| determinant_of(&DMatrix::from_column_slice(n, n, v)), a.as_slice(), da.as_slice());
    }
}

#[differentiate]
fn inverse_or_zero(a: &Matrix2<f64>) -> f64 {
    match a.try_inverse() {
        Some(inverse) => inverse.norm_squared(),
        None => a.sum(),
    }
}

#[test]
fn an_inverse_that_is_not_there() {
    let (value, da) = inverse_or_zero::gradient(&Matrix2::new(1.0, 2.0, 2.0, 4.0));
    assert_eq!((value, da), (9.0, Matrix2::repeat(1.0)));
    let a = Matrix2::new(1.0, 2.0, 3.0, 4.0);
    let (_, da) = inverse_or_zero::gradient(&a);
    assert_gradient(|v| inverse_or_zero(&Matrix2::from_column_slice(v)), a.as_slice(), da.as_slice());
}

#[differentiate]
fn single(a: &Matrix2<f32>, k: f32) -> f32 {
    let mut m = a.try_inverse().unwrap();
    m.scale_mut(k);
    m.trace() + a.determinant()
}

#[test]
fn single_precision() {
    let (value, (da, dk)) = single::gradient(&Matrix2::new(2.0, 0.0, 0.0, 4.0), 2.0);
    assert_eq!((value, dk), (9.5, 0.75));
    assert_eq!(da, Matrix2::new(3.5, 0.0, 0.0, 1.875));
}

/// Methods of a user's type with the names of a matrix's.
mod own {
    use autodiff::{Differentiable, differentiate};

    #[derive(Differentiable, Clone, Copy)]
    pub(super) struct Pair {
        pub(super) a: f64,
        pub(super) b: f64,
    }

    impl Pair {
        #[differentiate]
        pub(super) fn trace(&self) -> f64 {
            self.a * self.b
        }

        #[differentiate]
        pub(super) fn cross(&self, other: &Pair) -> f64 {
            self.a * other.b - self.b * other.a
        }
    }
}

fn pair(a: f64, b: f64) -> own::Pair {
    own::Pair { a, b }
}

#[differentiate]
fn of_pairs(a: f64, b: f64) -> f64 {
    let (p, q) = (own::Pair { a, b }, own::Pair { a: b, b: a * a });
    p.trace() + p.cross(&q)
}

#[test]
fn methods_of_a_type_of_ones_own() {
    let (value, (da, db)) = of_pairs::gradient(2.0, 3.0);
    assert_eq!(value, pair(2.0, 3.0).trace() + pair(2.0, 3.0).cross(&pair(3.0, 4.0)));
    assert_eq!((da, db), (3.0 + 12.0, 2.0 - 6.0));
}
