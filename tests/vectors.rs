//! Vectors that grow, shrink and are put in order: a cotangent follows the shape of its vector.

#![allow(clippy::vec_init_then_push, clippy::needless_range_loop, clippy::same_item_push, reason = "programs as users write them")]

use autodiff::check::assert_gradient;
use autodiff::{Differentiable, differentiate};

/// Reverse mode against differences, and forward mode against reverse mode.
macro_rules! agrees {
    ($f:ident, $x:expr) => {{
        let x: Vec<f64> = $x.to_vec();
        let (value, gradient) = $f::gradient(&x);
        assert_eq!(value, $f(&x));
        assert_gradient(|x: &Vec<f64>| $f(x), &x, &gradient, 1e-6);
        let direction: Vec<f64> = (0..x.len()).map(|i| 1.0 + i as f64).collect();
        let along: f64 = gradient.iter().zip(&direction).map(|(a, b)| a * b).sum();
        let (pushed, tangent) = $f::jvp(&x, &direction);
        assert_eq!(pushed, value);
        assert!((tangent - along).abs() <= 1e-12 * (1.0 + along.abs()), "{tangent} in forward mode, {along} in reverse");
    }};
}

const X: [f64; 4] = [0.5, -1.25, 2.0, 0.75];

#[differentiate]
fn pushed_after_the_last_read(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    v.push(x[0] * x[1]);
    v.push(x[1]);
    let s = v[0] * v[1] * v.len() as f64;
    v.push(x[2] * s);
    v.push(s);
    s * x[3]
}

#[differentiate]
fn popped_and_pushed(x: &[f64]) -> f64 {
    let mut stack = vec![x[0], x[1] * x[1]];
    let mut total = 0.0;
    for i in 0..x.len() {
        if let Some(top) = stack.pop() {
            total += top * x[i];
            if i % 2 == 0 {
                stack.push(top * x[i]);
                stack.push(x[i] * x[i]);
            }
        } else {
            stack.push(x[i] + 1.0);
        }
    }
    while let Some(v) = stack.pop() {
        total = total * v + 0.5 * v;
    }
    total
}

#[differentiate]
fn inserted_and_removed(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.insert(1, x[0] * x[3]);
    let a = v.remove(0);
    let b = v.swap_remove(1);
    v.insert(0, a * b);
    let tail = v.split_off(2);
    v.reverse();
    v.rotate_left(1);
    v.iter().zip(&tail).map(|(p, q)| p * q).sum::<f64>() + v[0] * a + tail.len() as f64
}

#[differentiate]
fn resized(x: &[f64]) -> f64 {
    let mut v = Vec::with_capacity(9);
    v.extend_from_slice(&x[1..3]);
    v.resize(5, x[0]);
    let s: f64 = v.iter().map(|a| a * a * a).sum();
    v.truncate(1);
    v.resize(3, 2.0);
    v.extend(x.iter().map(|a| a * s));
    let t: f64 = v.iter().sum();
    v.clear();
    v.push(t * x[3]);
    v.fill(t);
    v[0] * x[2] + s
}

#[differentiate]
fn copied(x: &[f64]) -> f64 {
    let mut a = [0.0; 4];
    a.copy_from_slice(x);
    a[1..3].fill(x[0] * x[3]);
    let mut b = vec![x[2]; 3];
    b[..2].copy_from_slice(&a[1..3]);
    let mut c = a.to_vec();
    c.append(&mut b);
    b.push(1.0);
    c.extend(&b);
    c.iter().enumerate().map(|(i, v)| v * v * (i + 1) as f64).sum()
}

#[differentiate]
fn sorted(x: &[f64]) -> f64 {
    let mut total = 0.0;
    let mut v: Vec<f64> = x.iter().map(|a| a * x[0]).collect();
    for k in 0..3 {
        v.sort_by(|a, b| b.total_cmp(a));
        total += v[0] * v[k] + v[3] * x[k];
        v[0] *= x[k] + 0.1;
    }
    v.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap());
    total + v[1]
}

#[differentiate]
fn rows(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..3 {
        let mut row = vec![x[i]];
        for j in 0..i {
            row.push(rows[j][0] * x[j + 1]);
        }
        rows.push(row);
    }
    let last = rows.pop().unwrap();
    rows[1].push(last[1] * x[0]);
    let flat: Vec<f64> = rows.iter().flat_map(|row| row.iter().map(|v| v * v)).collect();
    flat.iter().sum::<f64>() + last[2]
}

#[differentiate]
fn replaced(x: &[f64]) -> f64 {
    let mut a = vec![x[0], x[1]];
    let mut b = vec![x[2] * x[3]];
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut a, vec![x[1]; 3]);
    let taken = std::mem::take(&mut b);
    b.push(old[0] * taken[1]);
    let (first, rest) = a.split_at(1);
    first[0] * rest[1] * b[0] + taken[0] * b.len() as f64
}

#[differentiate]
fn no_more_than_indices(x: &[f64]) -> f64 {
    let mut order = Vec::new();
    for i in 0..x.len() {
        if x[i] > 0.0 {
            order.push(i);
        }
    }
    order.reverse();
    let mut s = 0.0;
    while let Some(i) = order.pop() {
        s += x[i] * x[(i + 1) % x.len()];
    }
    s
}

#[test]
fn local_vectors() {
    agrees!(pushed_after_the_last_read, X);
    agrees!(popped_and_pushed, X);
    agrees!(inserted_and_removed, X);
    agrees!(resized, X);
    agrees!(copied, X);
    agrees!(sorted, X);
    agrees!(rows, X);
    agrees!(replaced, X);
    agrees!(no_more_than_indices, X);
}

#[derive(Differentiable, Clone)]
struct Log {
    entries: Vec<f64>,
    scale: f64,
}

#[differentiate]
fn logged(x: &[f64]) -> f64 {
    let mut log = Log { entries: Vec::new(), scale: x[0] };
    for v in x {
        log.entries.push(v * log.scale);
        log.scale *= 0.5;
    }
    let mut sum = 0.0;
    for e in &log.entries {
        sum += e * e;
    }
    sum + log.entries.pop().unwrap_or(0.0)
}

#[test]
fn vectors_in_structs() {
    agrees!(logged, X);
}

#[differentiate]
fn appended(x: &[f64], out: &mut Vec<f64>) -> f64 {
    let last = out.pop().unwrap_or(1.0);
    for v in x {
        out.push(v * last);
    }
    out[0]
}

#[test]
fn vectors_that_the_caller_lends() {
    let (mut out, mut bar) = (vec![3.0, 2.0], vec![1.0, 10.0, 100.0]);
    let (value, dx) = appended::vjp(&[5.0, 7.0], &mut out, 0.5, &mut bar);
    assert_eq!((value, out), (3.0, vec![3.0, 10.0, 14.0]));
    assert_eq!((dx, bar), (vec![20.0, 200.0], vec![1.5, 750.0]));
    let (mut out, mut dot) = (vec![3.0, 2.0], vec![1.0, 10.0]);
    let (_, tangent) = appended::jvp(&[5.0, 7.0], &mut out, &[1.0, 0.0], &mut dot);
    assert_eq!((tangent, dot), (1.0, vec![1.0, 52.0, 70.0]));
}

#[differentiate(order = 2)]
fn cubes(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for a in x {
        v.push(a * a);
    }
    v.insert(1, x[0] * x[1]);
    let top = v.pop().unwrap();
    let all = v[0] * top;
    v.fill(all);
    v.iter().sum::<f64>() * top
}

#[test]
fn products_with_the_hessian() {
    let direction = [0.3, -0.2, 0.5, 1.0];
    let x = X.to_vec();
    let (_, _, product) = cubes::hvp(&x, &direction);
    let h = 1e-5;
    let moved = |sign: f64| -> Vec<f64> { x.iter().zip(&direction).map(|(a, d)| a + sign * h * d).collect() };
    let (plus, minus) = (cubes::gradient(&moved(1.0)).1, cubes::gradient(&moved(-1.0)).1);
    for (i, p) in product.iter().enumerate() {
        let difference = (plus[i] - minus[i]) / (2.0 * h);
        assert!((p - difference).abs() < 1e-6 * (1.0 + p.abs()), "{p} and {difference}");
    }
}
