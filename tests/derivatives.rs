//! Differentiated functions as type parameters: `Derivatives` and `Gradient` against the namespaces' own functions,
//! and in code that knows no function.

use autodiff::{Derivatives, Gradient, Tangent, differentiate};
use nalgebra::{DMatrix, DVector, Vector3};

#[differentiate]
fn rosenbrock(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        sum += 100.0 * (x[i] - x[i - 1] * x[i - 1]).powi(2) + (1.0 - x[i - 1]).powi(2);
    }
    sum
}

#[differentiate]
fn least_squares(a: &DMatrix<f64>, x: &DVector<f64>, #[constant] b: &DVector<f64>) -> f64 {
    (a * x - b).norm_squared()
}

#[differentiate]
fn cubic(x: f64) -> f64 {
    x * x * x - 2.0 * x - 5.0
}

#[differentiate]
fn weighted<const N: usize>(x: &[f64; N], weight: f64, power: i32) -> f64 {
    let mut sum = 0.0;
    for xi in x {
        sum += xi.powi(power);
    }
    weight * sum
}

#[differentiate]
fn bounds(v: &Vector3<f64>, scale: f64) -> (f64, Vector3<f64>) {
    (v.norm() * scale, *v * scale)
}

/// Called like its parameter, and with a parameter called like a trait's function.
#[differentiate]
fn vjp(vjp: f64, value: [f64; 2]) -> f64 {
    vjp * value[0] + value[1]
}

#[cfg(any())]
#[differentiate]
fn absent(x: f64) -> f64 {
    x
}

fn descend<F, X>(mut x: X, rate: f64, steps: usize) -> X
where
    X: Tangent,
    F: for<'a> Gradient<(&'a X,), Value = f64, Tangent = X>,
{
    for _ in 0..steps {
        let (_, slope) = F::gradient((&x,));
        x.axpy(-rate, &slope);
    }
    x
}

fn root<F: Gradient<(f64,), Value = f64, Tangent = f64>>(mut x: f64) -> f64 {
    for _ in 0..20 {
        let (y, slope) = F::gradient((x,));
        x -= y / slope;
    }
    x
}

/// How far `u · J v` is from `Jᵀ u · v`, for a function of which only the types are known.
fn dot_product_test<F, Args>(args: Args, direction: &F::Tangent, seed: F::ValueTangent) -> f64
where
    F: Derivatives<Args>,
    Args: Copy,
{
    let forward = F::jvp(args, direction).1.dot(&seed);
    let reverse = F::vjp(args, seed).1.dot(direction);
    (forward - reverse).abs() / forward.abs().max(1.0)
}

#[differentiate]
fn bowl(x: &[f64; 2]) -> f64 {
    (x[0] - 1.0).powi(2) + 3.0 * (x[1] + 0.5).powi(2)
}

#[test]
fn a_minimum_is_found() {
    let x = descend::<bowl, _>([4.0, 4.0], 0.2, 200);
    assert!((x[0] - 1.0).abs() < 1e-12 && (x[1] + 0.5).abs() < 1e-12, "{x:?}");
}

#[test]
fn a_root_is_found() {
    // Wallis's equation; its root is known to many digits.
    assert!((root::<cubic>(2.0) - 2.094_551_481_542_326_5).abs() < 1e-15);
}

#[test]
fn the_trait_gives_what_the_namespace_gives() {
    let x = [0.3, -0.7, 1.4, 0.2];
    assert_eq!(<rosenbrock as Gradient<(&[f64],)>>::gradient((&x,)), rosenbrock::gradient(&x));
    assert_eq!(<rosenbrock as Derivatives<(&[f64],)>>::value((&x,)), rosenbrock(&x));

    let a = DMatrix::from_row_slice(2, 3, &[1.0, -2.0, 0.5, 0.3, 0.7, -1.1]);
    let (x, b) = (DVector::from_vec(vec![0.4, 0.8, -0.6]), DVector::from_vec(vec![1.0, 2.0]));
    let (value, (a_bar, x_bar)) = <least_squares as Gradient<_>>::gradient((&a, &x, &b));
    // 2 r xᵀ and 2 aᵀ r.
    let residual = &a * &x - &b;
    assert!((value - residual.norm_squared()).abs() < 1e-14);
    assert!((a_bar - 2.0 * &residual * x.transpose()).norm() < 1e-14);
    assert!((x_bar - 2.0 * a.transpose() * &residual).norm() < 1e-14);

    let (_, (x_bar, weight_bar)) = <weighted as Gradient<_>>::gradient((&[2.0, 3.0], 0.5, 3));
    assert_eq!((x_bar, weight_bar), ([6.0, 13.5], 35.0));

    assert_eq!(<vjp as Gradient<_>>::gradient((3.0, [2.0, 1.0])), (7.0, (2.0, [3.0, 1.0])));
}

#[test]
fn both_modes_agree_through_the_trait() {
    let v = Vector3::new(0.2, -1.3, 0.6);
    let (direction, seed) = ((Vector3::new(0.5, 0.1, -0.9), 0.7), (1.2, Vector3::new(-0.3, 0.8, 0.4)));
    assert!(dot_product_test::<bounds, _>((&v, 1.7), &direction, seed) < 1e-14);
    assert!(dot_product_test::<rosenbrock, (&[f64],)>((&[0.3, -0.7, 1.4],), &vec![0.5, 0.1, -0.9], 1.3) < 1e-14);
    assert!(dot_product_test::<weighted, _>((&[0.3, -0.7, 1.4], 0.4, 2), &([0.5, 0.1, -0.9], 0.6), 1.3) < 1e-14);
    assert!(dot_product_test::<vjp, _>((0.3, [0.4, 2.0]), &(0.6, [0.5, 0.1]), 1.3) < 1e-14);
}

/// Signatures whose types need care where generated code repeats them.
mod signatures {
    use super::*;
    use nalgebra::DVectorView;

    #[differentiate]
    fn unnamed_lifetime(x: DVectorView<'_, f64>, k: f64) -> f64 {
        x.norm() * k
    }

    #[differentiate]
    fn named_lifetime<'a>(x: DVectorView<'a, f64>, k: &'a f64) -> f64 {
        x.norm() * *k
    }

    #[differentiate]
    fn rows(#[constant] data: &[&[f64]], #[constant] scale: (&f64, Vec<&f64>), k: f64) -> f64 {
        let mut sum = k;
        for row in data {
            sum += row[0] * k * sum * *scale.0 * *scale.1[0];
        }
        sum
    }

    #[differentiate]
    fn with_callback(#[constant] report: Option<&dyn Fn(f64)>, k: f64) -> f64 {
        let _ = report;
        k * k
    }

    #[deprecated]
    #[differentiate]
    fn deprecated(x: f64) -> f64 {
        x * x
    }

    type Thirteen = (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64);

    /// Longer than the tuples that have traits: it has its functions, and no `Derivatives`.
    #[differentiate]
    #[allow(clippy::type_complexity)]
    fn thirteen(a: f64) -> (f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64, f64) {
        (a, a, a, a, a, a, a, a, a, a, a, a, 2.0 * a)
    }

    #[test]
    fn are_repeated_with_care() {
        let v = DVector::from_vec(vec![3.0, 4.0]);
        let (value, (v_bar, k_bar)) = unnamed_lifetime::gradient(v.as_view(), 2.0);
        assert_eq!((value, k_bar), (10.0, 5.0));
        assert!((&v_bar - &v * 0.4).norm() < 1e-15);
        assert_eq!(named_lifetime::gradient(v.as_view(), &2.0), (10.0, (v_bar.clone(), 5.0)));
        assert_eq!(<unnamed_lifetime as Gradient<_>>::gradient((v.as_view(), 2.0)), (10.0, (v_bar, 5.0)));
        // k + 2 k², and k times that again: 1 + 6 k + 6 k².
        assert_eq!(rows::gradient(&[&[2.0], &[1.0]], (&0.5, vec![&2.0]), 3.0), (84.0, 73.0));
        assert_eq!(with_callback::gradient(None, 3.0), (9.0, 6.0));
        let seed: Thirteen = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0);
        assert_eq!(thirteen::vjp(0.5, seed).1, 3.0);
        #[allow(deprecated)]
        let gradient = deprecated::gradient(3.0);
        assert_eq!(gradient, (9.0, 6.0));
    }
}
