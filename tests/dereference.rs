//! `*r` of a shared reference to a matrix, wherever it is used as a value, against central differences.
#![allow(clippy::needless_late_init, reason = "late initialisation is one of the cases")]

mod support;

use autodiff::{Tangent, differentiate};
use nalgebra::{Matrix3, Vector3};
use support::assert_gradient;

type V = Vector3<f64>;

#[differentiate]
fn length_of(s: V, k: f64) -> f64 {
    s.norm() * k
}

#[differentiate]
fn opposite(s: &V, k: f64) -> V {
    if k < -0.5 {
        return *s;
    }
    if k > 0.0 { *s } else { -*s * k }
}

#[differentiate]
fn with_factor(s: &V, k: f64) -> (V, f64) {
    (*s, k)
}

macro_rules! scalar_cases {
    ($($name:ident = |$s:ident, $k:ident| $body:block)*) => {
        mod function {
            use super::*;
            $(
                #[differentiate]
                pub(super) fn $name($s: &V, $k: f64) -> f64 $body
            )*
        }
        $(
            #[test]
            fn $name() {
                let s = V::new(0.7, -1.2, 0.4);
                for k in [1.3, -0.4, -0.9] {
                    let (y, (ds, dk)) = function::$name::gradient(&s, k);
                    assert_eq!(y, function::$name(&s, k));
                    assert_gradient(|x| function::$name(&V::from_column_slice(x), k), s.as_slice(), &ds.flatten());
                    assert_gradient(|x| function::$name(&s, x[0]), &[k], &[dk]);
                    let direction = V::new(0.3, 0.8, -0.5);
                    let (_, along) = function::$name::jvp(&s, k, &direction, 0.6);
                    assert!((along - (ds.dot(&direction) + dk * 0.6)).abs() < 1e-12);
                }
            }
        )*
    };
}

scalar_cases! {
    mutable_binding = |s, k| { let mut v = *s; v *= k; v.norm() }
    assignment = |s, k| { let mut v = V::zeros(); if k > 0.0 { v = *s; } v += *s * k; v.norm() }
    tuple_pattern = |s, k| { let (mut v, w) = (*s, k); v *= w; v.norm() }
    tuple_field = |s, k| { let t = (*s, k); t.0.norm() * t.1 }
    array = |s, k| { let vs = [*s, *s * k]; vs[0].dot(&vs[1]) }
    argument_by_value = |s, k| { length_of(*s, k) }
    named_argument = |s, k| { let v = *s; length_of(v, k) }
    copied_again = |s, k| { let v = *s; let mut w = v; w += v * k; w.norm() }
    branches = |s, k| { let v: V = if k > 0.0 { *s } else { -*s }; (v * k).sum() }
    late = |s, k| { let v; if k > 0.0 { v = *s; } else { v = *s * k; } v.norm() }
    broken_out_of_a_loop = |s, k| { let mut n = 0; let v = loop { n += 1; if n > 3 { break *s; } }; v.norm() * k }
    block = |s, k| { let v = { *s }; let mut w = v; w *= k; w.norm() }
    second_reference = |s, k| { let r = s; let mut v = *r; v[0] = k; v.norm() }
    element_written = |s, k| { let mut v = *s; v[1] *= k * s[0]; v.dot(s) }
    returned_early = |s, k| { opposite(s, k).dot(&V::new(1.0, 2.0, 3.0)) }
    returned_in_a_tuple = |s, k| { let (v, w) = with_factor(s, k); v.norm() * w }
    written_in_a_loop = |s, k| {
        let mut v = *s;
        for _ in 0..3 {
            v = v * k + *s;
            v /= v.norm();
        }
        v.dot(&V::new(1.0, -2.0, 0.5))
    }
}

#[differentiate]
fn total(vs: &[V], k: f64) -> f64 {
    let mut sum = 0.0;
    for v in vs {
        let mut w = *v;
        w *= k;
        sum += w.norm();
    }
    sum
}

#[differentiate]
fn mixed(vs: &[V; 2], k: f64) -> f64 {
    let mut ws = *vs;
    ws[0] = ws[1] * k;
    ws[0].norm() + ws[1].dot(&vs[0])
}

#[test]
fn elements() {
    let vs = [V::new(0.7, -1.2, 0.4), V::new(-0.3, 0.9, 1.1)];
    let flat: Vec<f64> = vs.iter().flat_map(|v| v.iter().copied()).collect();
    let pair = |x: &[f64]| [V::from_column_slice(&x[..3]), V::from_column_slice(&x[3..])];
    let (_, (dvs, dk)) = total::gradient(&vs, 1.7);
    assert_gradient(|x| total(&pair(x), 1.7), &flat, &dvs.flatten());
    assert_gradient(|x| total(&vs, x[0]), &[1.7], &[dk]);
    let (_, (dvs, dk)) = mixed::gradient(&vs, 1.7);
    assert_gradient(|x| mixed(&pair(x), 1.7), &flat, &dvs.flatten());
    assert_gradient(|x| mixed(&vs, x[0]), &[1.7], &[dk]);
}

#[differentiate]
fn scaled_in_place(s: &mut V, k: f64) {
    let v = *s;
    *s = v * k + v.component_mul(&v);
}

#[differentiate]
fn copied(s: &V, out: &mut V) {
    *out = *s;
}

#[differentiate]
fn through_places(s: &V, k: f64) -> f64 {
    let mut v = *s;
    scaled_in_place(&mut v, k);
    let mut out = V::zeros();
    copied(&v, &mut out);
    out.dot(s)
}

#[test]
fn mutable_references() {
    let s = V::new(0.7, -1.2, 0.4);
    let (_, (ds, dk)) = through_places::gradient(&s, 1.3);
    assert_gradient(|x| through_places(&V::from_column_slice(x), 1.3), s.as_slice(), &ds.flatten());
    assert_gradient(|x| through_places(&s, x[0]), &[1.3], &[dk]);
}

#[differentiate]
fn rayleigh_quotient(start: &V, a: &Matrix3<f64>) -> f64 {
    let mut v = *start;
    for _ in 0..3 {
        v = a * v;
        v /= v.norm();
    }
    v.dot(&(a * v))
}

#[test]
fn power_iteration() {
    let (s, a) = (V::new(1.0, 2.0, 2.0), Matrix3::new(2.0, 1.0, 0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0));
    let (_, (ds, da)) = rayleigh_quotient::gradient(&s, &a);
    assert_gradient(|x| rayleigh_quotient(&V::from_column_slice(x), &a), s.as_slice(), &ds.flatten());
    assert_gradient(|x| rayleigh_quotient(&s, &Matrix3::from_column_slice(x)), a.as_slice(), &da.flatten());
}
