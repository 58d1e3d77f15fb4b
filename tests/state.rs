//! Arrays, slices, tuples and references that change, against central differences.

mod support;

use autodiff::{Differentiable, differentiate};
use support::assert_gradient;

#[differentiate]
fn matrix_powers(a: [[f64; 3]; 3], v: [f64; 3]) -> f64 {
    let mut v = v;
    for _ in 0..3 {
        let mut next = [0.0; 3];
        for i in 0..3 {
            for j in 0..3 {
                next[i] += a[i][j] * v[j];
            }
        }
        v = next;
        v[1] *= v[0];
    }
    v[0] + 2.0 * v[1] * v[2]
}

#[test]
fn arrays_that_are_replaced_and_changed() {
    let a = [[0.3, -0.2, 0.5], [0.1, 0.8, -0.4], [0.6, 0.2, 0.7]];
    let v = [1.0, 0.5, -0.3];
    let (_, (da, dv)) = matrix_powers::gradient(a, v);
    let of_a = |x: &[f64]| matrix_powers(std::array::from_fn(|i| std::array::from_fn(|j| x[3 * i + j])), v);
    assert_gradient(of_a, a.as_flattened(), da.as_flattened());
    assert_gradient(|x| matrix_powers(a, x.try_into().unwrap()), &v, &dv);
}

#[differentiate]
fn prefix(xs: &[f64], out: &mut [f64]) -> f64 {
    let n = xs.len();
    let mut acc = 1.0;
    for i in 0..n {
        acc *= xs[i];
        out[i] = acc + out[i] * 0.5;
    }
    for i in 1..n {
        out[i] *= out[i - 1];
    }
    acc
}

#[test]
fn an_output_slice_carries_its_seed_in_and_its_cotangent_out() {
    let xs = [0.5, 1.5, -0.7, 2.0];
    let start = [0.1, -0.4, 0.3, 0.9];
    let weights = [1.0, -2.0, 0.5, 0.25];
    let weighted = |xs: &[f64], out: &[f64]| {
        let mut out = out.to_vec();
        let acc = prefix(xs, &mut out);
        3.0 * acc + out.iter().zip(weights).map(|(o, w)| o * w).sum::<f64>()
    };
    let mut out = start;
    let mut shadow = weights;
    let (_, dx) = prefix::vjp(&xs, &mut out, 3.0, &mut shadow);
    assert_gradient(|v| weighted(v, &start), &xs, &dx);
    assert_gradient(|v| weighted(&xs, v), &start, &shadow);
}

#[differentiate]
fn scaled(xs: &[f64], s: f64) -> f64 {
    let mut t = 0.0;
    for x in xs {
        t += x * x * s;
    }
    t
}

#[differentiate]
fn pair(a: &[f64], b: &[f64], w: f64) -> f64 {
    let mut t = 0.0;
    for (x, y) in a.iter().zip(b) {
        t += x * y * w;
    }
    t
}

#[differentiate]
fn scale_in_place(xs: &mut [f64], s: f64) {
    for x in xs.iter_mut() {
        *x *= s;
    }
}

#[differentiate]
fn references(xs: &[f64], s: f64) -> f64 {
    let k = xs.len() / 2;
    let whole = scaled(xs, s);
    let halves = scaled(&xs[..k], s * s) - scaled(&xs[k..], s);
    let twice = pair(xs, xs, s) + pair(&xs[..k], &xs[k..], whole);
    let mut work = [0.0; 4];
    for i in 0..4 {
        work[i] = xs[i] * s;
    }
    scale_in_place(&mut work, s);
    scale_in_place(&mut work[1..3], xs[0]);
    let before = scaled(&work, 1.5);
    work[2] = s;
    whole * halves + twice + before * scaled(&work, s)
}

#[test]
fn references_into_calls() {
    let xs = [0.5, -1.5, 0.7, 1.2];
    let (y, (dx, ds)) = references::gradient(&xs, 0.8);
    assert_eq!(y, references(&xs, 0.8));
    assert_gradient(|v| references(v, 0.8), &xs, &dx);
    assert_gradient(|v| references(&xs, v[0]), &[0.8], &[ds]);
    let mut shadows = ([1.0; 4], 2.0);
    references::gradient_into(&xs, 0.8, &mut shadows.0, &mut shadows.1);
    for (shadow, d) in shadows.0.iter().zip(&dx) {
        assert!((shadow - 1.0 - d).abs() < 1e-12, "shadows are added to");
    }
    assert!((shadows.1 - 2.0 - ds).abs() < 1e-12);
}

#[differentiate]
fn tuples(p: (f64, (f64, f64)), n: usize) -> (f64, usize, [f64; 2]) {
    let (a, (b, c)) = p;
    let mut q = (a * b, c);
    for _ in 0..n {
        q = (q.1 * a, q.0 + b);
        q.0 *= c;
    }
    let (u, v) = q;
    (u + a, n, [v, u * v])
}

#[test]
fn nested_tuples_in_and_out() {
    let p = (0.7, (-0.4, 1.3));
    let seed = (1.0, (), [0.5, -2.0]);
    let weighted = |v: &[f64]| {
        let (a, _, [b, c]) = tuples((v[0], (v[1], v[2])), 3);
        a + 0.5 * b - 2.0 * c
    };
    let (y, (da, (db, dc))) = tuples::vjp(p, 3, seed);
    assert_eq!(y, tuples(p, 3));
    assert_gradient(weighted, &[p.0, p.1.0, p.1.1], &[da, db, dc]);
}

#[differentiate]
fn swaps(x: f64, y: f64, z: f64) -> f64 {
    let mut a = [x, y, z];
    let (mut p, mut q) = (x, y);
    for i in 0..5 {
        a.swap(i % 3, (i + 1) % 3);
        std::mem::swap(&mut p, &mut q);
        p += a[0] * q;
    }
    p * a[1] + q
}

#[test]
fn swapped_places() {
    let (_, (dx, dy, dz)) = swaps::gradient(0.3, 0.9, -0.5);
    assert_gradient(|v| swaps(v[0], v[1], v[2]), &[0.3, 0.9, -0.5], &[dx, dy, dz]);
}

#[differentiate]
fn every_assignment(x: f64, y: f64) -> f64 {
    let mut a = x;
    a += y;
    a -= x * y;
    a *= a;
    a /= y + 2.0;
    a %= 1.7;
    a = -a;
    a += a;
    a
}

#[test]
fn every_assignment_operator() {
    for (x, y) in [(2.3, 0.9), (-1.1, 3.2)] {
        let (_, (dx, dy)) = every_assignment::gradient(x, y);
        assert_gradient(|v| every_assignment(v[0], v[1]), &[x, y], &[dx, dy]);
    }
}

#[differentiate]
fn single(x: f32, ys: &[f32; 3]) -> f32 {
    let mut s = x;
    for y in ys {
        s = (s * y).sin() + 1.5;
    }
    (s as f64).sqrt() as f32 * x
}

#[test]
fn single_precision() {
    let (x, ys) = (0.8_f32, [1.1_f32, 0.4, -0.7]);
    let (_, (dx, dys)) = single::gradient(x, &ys);
    let exact = |x: f64, ys: [f64; 3]| {
        let mut s = x;
        for y in ys {
            s = (s * y).sin() + 1.5;
        }
        s.sqrt() * x
    };
    let h = 1e-6;
    let wide = ys.map(f64::from);
    let by_x = (exact(f64::from(x) + h, wide) - exact(f64::from(x) - h, wide)) / (2.0 * h);
    assert!((f64::from(dx) - by_x).abs() < 1e-5, "{dx} {by_x}");
    for (i, dy) in dys.into_iter().enumerate() {
        let moved = |d: f64| std::array::from_fn(|j| wide[j] + if i == j { d } else { 0.0 });
        let by_y = (exact(f64::from(x), moved(h)) - exact(f64::from(x), moved(-h))) / (2.0 * h);
        assert!((f64::from(dy) - by_y).abs() < 1e-5);
    }
}

#[differentiate]
fn unused(x: f64, y: f64, zs: &[f64], ws: [f64; 2]) -> f64 {
    let _ = y;
    x + zs.len() as f64 + ws.len() as f64
}

#[test]
fn unused_parameters_have_cotangent_zero() {
    assert_eq!(unused::gradient(1.0, 2.0, &[3.0, 4.0], [5.0; 2]), (5.0, (1.0, 0.0, vec![0.0; 2], [0.0; 2])));
    assert_eq!([5.0_f64; 2].zero_tangent(), [0.0; 2]);
}

/// A generator that changes with each call.
struct Lcg(u64);

impl Lcg {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 40) as f64 / (1u64 << 24) as f64
    }
}

fn advance(i: &mut usize) -> usize {
    *i += 1;
    *i
}

#[differentiate]
fn inactive_state(xs: &[f64], seed: u64) -> f64 {
    let mut random = Lcg(seed);
    let mut i = 0;
    let mut s = xs[i];
    let last = advance(&mut i);
    s *= xs[i] + last as f64;
    let mut order = vec![2usize, 0, 1];
    order.push(3);
    order.swap(0, 3);
    for _ in 0..3 {
        s = s * random.next() + xs[order[i]] * random.next() - random.next();
        advance(&mut i);
        s += xs[order[i % 4]] * s;
    }
    s
}

#[test]
fn inactive_values_that_change_behind_calls() {
    let xs = [0.4, -0.9, 1.2, 0.7];
    for seed in [1, 77] {
        let (y, dx) = inactive_state::gradient(&xs, seed);
        assert_eq!(y, inactive_state(&xs, seed));
        assert_gradient(|v| inactive_state(v, seed), &xs, &dx);
    }
}
