//! One function for each kind of expansion, in a crate that forbids what a crate can forbid.

use autodiff::differentiate;
use nalgebra::{DMatrix, DVector};

/// A straight line of scalar code.
#[differentiate]
#[must_use]
pub fn straight(x: f64, y: f64) -> f64 {
    let a = x * y - 2.0 * x;
    let mut s = a / y + a.sqrt();
    s *= x;
    s += y.sin().max(0.0);
    s
}

/// Loops with records, nested, and an exit.
#[differentiate]
#[must_use]
pub fn loops(xs: &[f64], limit: f64) -> f64 {
    let mut total = 0.0;
    for (i, x) in xs.iter().enumerate() {
        let mut p = 1.0;
        for y in &xs[..i] {
            p *= x * y;
            if p > limit {
                break;
            }
        }
        total += p;
        if total < -limit {
            return total * limit;
        }
    }
    while total > limit {
        total *= 0.5;
    }
    total
}

/// Branches whose values join.
#[differentiate]
#[must_use]
pub fn branches(x: f64, mode: u8) -> (f64, [f64; 2]) {
    let y = match mode {
        0 => x * x,
        1 | 2 => x.exp(),
        _ => -x,
    };
    let z = if y > x { y - x } else { y.powi(3) };
    (y * z, [z, x])
}

/// What a reference points to is changed.
#[differentiate]
pub fn in_place(xs: &mut [f64; 4], k: f64) {
    for i in 1..4 {
        xs[i] = xs[i] * k + xs[i - 1];
    }
    xs.swap(0, 3);
}

/// Calls by value and by reference.
#[differentiate]
#[must_use]
pub fn calls(xs: &[f64], k: f64) -> f64 {
    let mut work = [k, k * k, 1.0, 2.0];
    in_place(&mut work, k);
    loops(xs, work[0].abs() + 10.0) * straight(k, work[1])
}

/// Matrices, with closures.
#[differentiate]
#[must_use]
pub fn layer(w: &DMatrix<f64>, b: &DVector<f64>, x: &DVector<f64>) -> f64 {
    let h = (w * x + b).map(f64::tanh);
    h.zip_map(x, |p, q| p * q).sum() + h.norm()
}

/// Eight parameters.
#[differentiate]
#[must_use]
#[allow(clippy::too_many_arguments, clippy::many_single_char_names)]
pub fn many(a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64) -> f64 {
    a * b + c * d + e * f + g * h
}

/// Shadowing, late initialisation, casts.
#[differentiate]
#[must_use]
pub fn shadows(x: f32, n: i32) -> f64 {
    let x = x * 2.0;
    let y = if n > 0 { f64::from(x) } else { f64::from(x * x) };
    y * f64::from(n)
}

#[cfg(test)]
mod tests {
    use super::straight;

    #[test]
    fn the_derivatives_are_there() {
        let (value, (dx, _)) = straight::gradient(1.0, 3.0);
        assert!((value - straight(1.0, 3.0)).abs() < 1e-15);
        assert!(dx.is_finite());
    }
}
