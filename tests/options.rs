//! `Option` and `Result`: as parameters, results and values between, their methods, and `?`.

#![allow(
    clippy::needless_range_loop,
    clippy::or_then_unwrap,
    clippy::unnecessary_lazy_evaluations,
    reason = "programs as users write them"
)]

use autodiff::check::assert_gradient;
use autodiff::differentiate;

#[differentiate]
fn square_of_positive(x: f64) -> Option<f64> {
    if x < 0.0 {
        return None;
    }
    Some(x * x)
}

#[differentiate]
fn checked(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err(format!("{x} is negative"));
    }
    Ok(x * x)
}

#[differentiate]
fn product(x: f64) -> Result<f64, String> {
    let a = checked(x)?;
    let b = checked(x - 1.0)?;
    Ok(a * b)
}

#[differentiate]
fn all_positive(x: &[f64]) -> Option<f64> {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += square_of_positive(x[i])? * x[0];
    }
    Some(sum)
}

#[test]
fn the_question_mark_leaves_with_the_error() {
    assert_eq!(product::vjp(3.0, Some(1.0)), (Ok(36.0), 60.0));
    assert_eq!(product::jvp(3.0, 1.0), (Ok(36.0), Some(60.0)));
    assert_eq!(product::vjp(0.5, None), (Err("-0.5 is negative".to_owned()), 0.0));
    assert_eq!(product::jvp(0.5, 1.0), (Err("-0.5 is negative".to_owned()), None));
    assert_eq!(all_positive::vjp(&[1.0, 2.0], Some(1.0)), (Some(5.0), vec![7.0, 4.0]));
    assert_eq!(all_positive::jvp(&[1.0, 2.0], &[1.0, 0.0]), (Some(5.0), Some(7.0)));
    assert_eq!(all_positive::vjp(&[1.0, -2.0], None), (None, vec![0.0, 0.0]));
}

#[differentiate]
fn methods(x: f64, k: Option<f64>) -> f64 {
    let c = k.map(|d| d * d).unwrap_or(x);
    let d = k.map_or(0.0, |d| d * x) + square_of_positive(x).map_or_else(|| x, |v| v * c);
    let e = square_of_positive(2.0 * x).unwrap_or_else(|| x * x * x) + square_of_positive(x).unwrap_or(3.0 * x);
    let f = k.and_then(|v| if v > 0.0 { Some(v * x) } else { None }).or(Some(x)).unwrap();
    c * d + e * f + checked(x + 9.0).expect("positive") + checked(x).unwrap_or_else(|_| 2.0 * x)
}

#[differentiate]
fn patterns(x: f64, k: &Option<f64>) -> f64 {
    let Some(k) = k else { return x * x };
    let outer = match checked(x) {
        Ok(v) => v * k,
        Err(_) => -x * k,
    };
    if let Some(t) = square_of_positive(x - 1.0) {
        return outer * t;
    }
    outer
}

#[test]
fn methods_and_patterns() {
    for (x, k) in [(1.5, Some(0.7)), (1.5, None), (-1.5, Some(-0.3)), (-1.5, None), (0.4, Some(2.0))] {
        let (value, (dx, dk)) = methods::gradient(x, k);
        assert_eq!(value, methods(x, k));
        assert_gradient(|x| methods(*x, k), &x, &dx, 1e-7);
        assert_eq!(dk.is_some(), k.is_some());
        assert!((methods::jvp(x, k, 1.0, k.map(|_| 0.0)).1 - dx).abs() < 1e-12 * dx.abs().max(1.0));
        if let (Some(k), Some(dk)) = (k, dk) {
            assert_gradient(|k| methods(x, Some(*k)), &k, &dk, 1e-7);
            assert!((methods::jvp(x, Some(k), 0.0, Some(1.0)).1 - dk).abs() < 1e-12 * dk.abs().max(1.0));
        }

        let (value, (dx, dk)) = patterns::gradient(x, &k);
        assert_eq!(value, patterns(x, &k));
        assert_gradient(|x| patterns(*x, &k), &x, &dx, 1e-7);
        if let (Some(k), Some(dk)) = (k, dk) {
            assert_gradient(|k| patterns(x, &Some(*k)), &k, &dk, 1e-7);
        }
    }
}

#[differentiate]
fn several_exits(xs: &[f64], k: f64) -> f64 {
    let mut total = 0.0;
    for i in 0..xs.len() {
        if xs[i] == 0.0 {
            continue;
        }
        let Some(root) = square_of_positive(xs[i]) else { continue };
        let scaled = root * k;
        if scaled > 50.0 {
            break;
        }
        total += scaled * root;
        if total > 1e3 {
            return total * k;
        }
    }
    total
}

/// What is made after one exit and used after the next.
#[test]
fn values_between_exits() {
    for (xs, k) in [(vec![1.0, 0.0, -2.0, 2.0], 1.5), (vec![1.0, 9.0, 2.0], 2.0), (vec![5.0, 6.0, 1.0], 1.9), (vec![6.5, 7.0, 1.0], 1.0)] {
        let (value, (dxs, dk)) = several_exits::gradient(&xs, k);
        assert_eq!(value, several_exits(&xs, k));
        assert_gradient(|k| several_exits(&xs, *k), &k, &dk, 1e-6);
        for (i, slope) in dxs.iter().enumerate().filter(|&(i, _)| xs[i] != 0.0) {
            let at = |x: &f64| {
                let mut xs = xs.clone();
                xs[i] = *x;
                several_exits(&xs, k)
            };
            assert_gradient(at, &xs[i], slope, 1e-6);
        }
        assert_eq!(several_exits::jvp(&xs, k, &vec![0.0; xs.len()], 1.0).0, value);
        assert!((several_exits::jvp(&xs, k, &vec![0.0; xs.len()], 1.0).1 - dk).abs() < 1e-12 * dk.abs().max(1.0));
    }
}

#[test]
#[should_panic(expected = "called `Option::unwrap()` on a `None` value")]
fn unwrap_panics_like_std() {
    #[differentiate]
    fn demand(x: f64) -> f64 {
        square_of_positive(x).unwrap()
    }
    assert_eq!(demand::gradient(3.0), (9.0, 6.0));
    let _ = demand::gradient(-1.0);
}

/// An error with a number in it, which carries no derivative.
#[derive(Debug, PartialEq)]
enum Fault {
    Negative(f64),
}

#[differentiate]
fn weighted_root(x: f64, weights: &[f64]) -> Result<f64, Fault> {
    if x < 0.0 {
        return Err(Fault::Negative(x));
    }
    Ok(x.sqrt() * weights.iter().sum::<f64>())
}

#[differentiate]
fn squared_root(x: f64) -> Result<f64, Fault> {
    let root = weighted_root(x, &[1.0, 2.0])?;
    Ok(root * root)
}

#[test]
fn the_gradient_of_a_result_is_a_result() {
    assert_eq!(weighted_root::gradient(4.0, &[1.0, 2.0]), Ok((6.0, (0.75, vec![2.0, 2.0]))));
    assert_eq!(weighted_root::gradient(-4.0, &[1.0, 2.0]), Err(Fault::Negative(-4.0)));
    assert_eq!(squared_root::gradient(4.0), Ok((36.0, 9.0)));
    assert_eq!(squared_root::gradient(-4.0), Err(Fault::Negative(-4.0)));
}

#[test]
fn the_gradient_of_an_option_is_an_option() {
    assert_eq!(square_of_positive::gradient(3.0), Some((9.0, 6.0)));
    assert_eq!(square_of_positive::gradient(-3.0), None);
}
