//! The ways users write the same things: each function is compiled and compared with central differences.

// What Clippy would rather have written otherwise is among them.
#![allow(clippy::all)]

mod support;

use autodiff::differentiate;
use support::assert_gradient;

const SCALE: f64 = 1.5;
static TABLE: [f64; 4] = [0.5, -1.0, 2.0, 0.25];

/// Checks the gradient of a function of a slice.
macro_rules! check_slice {
    ($($name:ident),*) => { $(
        #[test]
        fn $name() {
            let xs = [0.7, -1.2, 0.4, 1.6, 0.9];
            let (y, g) = super::$name::gradient(&xs);
            assert_eq!(y, super::$name(&xs));
            super::assert_gradient(|v| super::$name(v), &xs, &g);
            let (_, tangent) = super::$name::jvp(&xs, &[1.0, -2.0, 0.5, 0.25, 3.0]);
            let inner = g[0] - 2.0 * g[1] + 0.5 * g[2] + 0.25 * g[3] + 3.0 * g[4];
            assert!((tangent - inner).abs() < 1e-11 * inner.abs().max(1.0));
        }
    )* };
}

#[differentiate]
fn elements(xs: &[f64]) -> f64 {
    let mut s = 0.0;
    for x in xs {
        s += x * x;
    }
    for &x in xs {
        s += x.sin();
    }
    for x in xs.iter().rev() {
        s = s * 0.5 + *x;
    }
    for (i, &x) in xs.iter().enumerate() {
        s += x * i as f64;
    }
    for (x, y) in xs.iter().zip(xs[1..].iter()) {
        s += x * y;
    }
    for x in xs.iter().copied() {
        s *= x.cos();
    }
    s
}

#[differentiate]
fn indices(xs: &[f64]) -> f64 {
    let n = xs.len();
    let mut s = xs[0] * xs[n - 1];
    for i in (0..n).step_by(2) {
        s += xs[i] * SCALE;
    }
    for i in (1..n).rev() {
        s += xs[i] * xs[i - 1] * TABLE[i % 4];
    }
    for i in 0..n {
        for j in i + 1..n {
            s += (xs[i] - xs[j]).powi(2) / (1 + i + j) as f64;
        }
        let k = i.min(n - 2);
        s -= xs[k] * xs[n - 1 - i];
    }
    let tail = &xs[2..];
    let (head, mut last) = (xs[1], tail.len());
    while last > 0 {
        last -= 1;
        s += head * tail[last];
    }
    s
}

#[differentiate]
fn nested(xs: &[f64]) -> f64 {
    let mut grid = [[0.0; 3]; 2];
    for i in 0..2 {
        for j in 0..3 {
            grid[i][j] = xs[i] * xs[j + 2] + (i * j) as f64;
        }
    }
    let row = grid[1];
    grid[0][1] *= row[2];
    let mut s = 0.0;
    for r in &grid {
        for v in r {
            s += v * v;
        }
    }
    for (i, r) in grid.iter().enumerate() {
        for (j, &v) in r.iter().enumerate() {
            s -= v * (i + j) as f64;
        }
    }
    for r in grid.iter_mut() {
        for v in r.iter_mut() {
            *v = v.sin() * 2.0;
        }
        r[0] += 1.0;
    }
    s + grid[0][0] * grid[1][2]
}

#[differentiate]
fn functions(xs: &[f64]) -> f64 {
    use std::f64::consts::PI;
    const HALF: f64 = 0.5;
    let (x, y) = (xs[0], xs[3]);
    let (s, c) = (x * PI).sin_cos();
    let a = f64::sqrt(y) + f64::powi(x, 3) + x.mul_add(y, 2.0) + f64::max(x, y).min(10.0);
    let b = 2f64.powf(x) + y.powf(HALF) + y.ln_1p() + x.exp_m1() + x.hypot(y) + x.atan2(y);
    let d = x.abs() + y.recip() + x.copysign(-1.0) + y.clamp(0.0, 5.0) + x.to_degrees() / 90.0 + y.fract();
    s * a + c * b - d + y.log(3.0) + y.log2() + y.log10() + x.cbrt() + x.rem_euclid(0.3) + y % 0.7
}

#[differentiate]
fn integers(xs: &[f64]) -> f64 {
    let mut count = 0;
    let mut s = 0.0;
    for x in xs {
        if *x > 0.5 && x.is_finite() || count == 1 {
            count += 1;
            s += x * count as f64;
        } else if count % 2 == 0 {
            s -= x * f64::from(count);
        }
    }
    let half = (xs.len() + 1) / 2;
    let k = half.pow(2).saturating_sub(7);
    match k {
        0 | 1 => s * xs[k],
        2..=4 => s + xs[k],
        n if n.is_multiple_of(2) => -s,
        _ => s,
    }
}

#[differentiate]
fn branches(xs: &[f64]) -> f64 {
    let (x, y) = (xs[0], xs[1]);
    let sign = match x > y {
        true => 1.0,
        false => -1.0,
    };
    let z = if x < 0.0 {
        -x
    } else if y > 0.0 {
        x * y
    } else {
        let t = y.exp();
        t * x
    };
    let w;
    if z > 1.0 {
        w = z;
    } else {
        w = z * z + sign * y;
    }
    assert!(w.is_finite(), "w is {w}, of {x} and {y:?}");
    let v = {
        let t = w - 1.0;
        t * t
    };
    debug_assert!(v >= 0.0);
    v * z
        + match (x > 0.0, xs.len()) {
            (true, 5) => xs[4],
            (_, n) if n > 3 => xs[2],
            _ => 0.0,
        }
}

#[differentiate]
fn patterns(xs: &[f64]) -> f64 {
    let p = [xs[0], xs[1], xs[2]];
    let [a, b, c] = p;
    let [first, .., last] = [xs[1], xs[2], xs[3], xs[4]];
    let ((d, e), mut f) = ((a * b, c), xs[4]);
    let (g, ..) = (d * e, 1, "text");
    let (x, y): (f64, f64) = (g, f);
    (f, _) = (x * y + first, last);
    f += last * a;
    f
}

mod inner {
    #[autodiff::differentiate]
    pub(crate) fn square(x: f64) -> f64 {
        x * x
    }

    #[autodiff::differentiate]
    pub(super) fn sums<const N: usize>(xs: &[f64; N], k: f64) -> [f64; N] {
        let mut out = [0.0; N];
        for i in 0..N {
            out[i] = k * xs[i] + if i > 0 { out[i - 1] } else { 0.0 };
        }
        out
    }
}

#[differentiate]
fn paths(xs: &[f64]) -> f64 {
    let t = inner::square(xs[0]) + crate::inner::square(xs[1] * xs[2]);
    let [a, b, c] = inner::sums(&[t, xs[3], xs[4]], xs[0]);
    let d = inner::sums::<2>(&[a, b], c);
    d[0] * d[1]
}

mod slices {
    check_slice!(elements, indices, nested, functions, integers, branches, patterns, paths);
}

#[differentiate]
fn scalars_by_reference(x: &f64, out: &mut f64, pair: &mut (f64, f64)) {
    *out += *x * *x;
    pair.0 *= *out;
    pair.1 = pair.0 * x - pair.1;
}

#[test]
fn references_to_scalars_and_tuples() {
    let weights = (2.0, (-1.0, 0.5));
    let weighted = |v: &[f64]| {
        let (mut out, mut pair) = (v[1], (v[2], v[3]));
        scalars_by_reference(&v[0], &mut out, &mut pair);
        weights.0 * out + weights.1.0 * pair.0 + weights.1.1 * pair.1
    };
    let (x, mut out, mut pair) = (0.7, 0.4, (1.3, -0.2));
    let (mut out_bar, mut pair_bar) = weights;
    let ((), dx) = scalars_by_reference::vjp(&x, &mut out, &mut pair, &mut out_bar, &mut pair_bar);
    assert_gradient(weighted, &[0.7, 0.4, 1.3, -0.2], &[dx, out_bar, pair_bar.0, pair_bar.1]);
}

#[differentiate]
fn overwritten(mut x: f64, mut ys: [f64; 3], k: i32) -> f64 {
    x = x.sin() + ys[0];
    ys[1] = x * ys[1];
    let x0 = x;
    x = -x.powi(2) * ys[2].powi(k);
    ys = [x, ys[1] * x0, ys[0]];
    ys[0] * ys[1] + ys[2] * x
}

#[test]
fn parameters_that_are_overwritten() {
    for k in [-2, 0, 1, 3] {
        let (x, ys) = (0.7, [0.4, 1.3, 0.9]);
        let (_, (dx, dys)) = overwritten::gradient(x, ys, k);
        assert_gradient(|v| overwritten(v[0], [v[1], v[2], v[3]], k), &[0.7, 0.4, 1.3, 0.9], &[dx, dys[0], dys[1], dys[2]]);
    }
}
