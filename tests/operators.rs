//! Operators of types of one's own, against central differences and forward mode against reverse mode.

mod support;

use std::ops::{Add, Div, Mul, Neg, Sub};

use autodiff::{Differentiable, Tangent, differentiate};
use nalgebra::{Matrix2, Vector2};
use support::assert_gradient;

#[derive(Clone, Copy, Differentiable)]
struct Complex {
    re: f64,
    im: f64,
}

#[differentiate]
impl Add for Complex {
    type Output = Complex;
    fn add(self, other: Complex) -> Complex {
        Complex { re: self.re + other.re, im: self.im + other.im }
    }
}

#[differentiate]
impl Sub<&Complex> for &Complex {
    type Output = Complex;
    fn sub(self, other: &Complex) -> Complex {
        Complex { re: self.re - other.re, im: self.im - other.im }
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, other: Complex) -> Complex {
        let (left, right) = (&self, &other);
        left - right
    }
}

#[differentiate]
impl Mul for Complex {
    type Output = Self;
    fn mul(self, Complex { re, im }: Self) -> Self::Output {
        Self { re: self.re * re - self.im * im, im: self.re * im + self.im * re }
    }
}

#[differentiate]
impl Mul<f64> for Complex {
    type Output = Self;
    fn mul(mut self, k: f64) -> Self {
        self.re *= k;
        self.im *= k;
        self
    }
}

#[differentiate]
impl Mul<Complex> for f64 {
    type Output = Complex;
    fn mul(self, z: Complex) -> Complex {
        z * self
    }
}

#[differentiate]
impl Div for Complex {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let scale = 1.0 / (other.re * other.re + other.im * other.im);
        self * Complex { re: other.re, im: -other.im } * scale
    }
}

#[differentiate]
impl Div<usize> for Complex {
    type Output = Self;
    fn div(self, count: usize) -> Self {
        self * (1.0 / count as f64)
    }
}

#[differentiate]
impl Neg for Complex {
    type Output = Self;
    fn neg(self) -> Self {
        Self { re: -self.re, im: -self.im }
    }
}

fn complex(v: &[f64]) -> Complex {
    Complex { re: v[0], im: v[1] }
}

fn flat<T: Tangent>(tangent: &T) -> Vec<f64> {
    let mut components = Vec::new();
    tangent.for_each(&mut |x| components.push(x));
    components
}

#[differentiate]
fn julia(z: Complex, c: Complex, k: f64, n: usize) -> f64 {
    let mut w = z;
    for _ in 0..3 {
        w = w * w + c * k;
    }
    let v = -(2.0 * w - c / z) * 3.0;
    let v = v + z / n;
    v.re * v.re + w.im * v.im
}

#[test]
fn iterated_in_a_loop() {
    let (z, c, k) = ([0.3, -0.2], [-0.4, 0.5], 0.8);
    let (value, (dz, dc, dk)) = julia::gradient(complex(&z), complex(&c), k, 2);
    assert_eq!(value, julia(complex(&z), complex(&c), k, 2));
    assert_gradient(|v| julia(complex(v), complex(&c), k, 2), &z, &flat(&dz));
    assert_gradient(|v| julia(complex(&z), complex(v), k, 2), &c, &flat(&dc));
    assert_gradient(|v| julia(complex(&z), complex(&c), v[0], 2), &[k], &[dk]);
    let (pushed_value, pushed) =
        julia::jvp(complex(&z), complex(&c), k, 2, ComplexTangent { re: 1.0, im: 2.0 }, ComplexTangent { re: -1.0, im: 0.5 }, 0.25);
    assert_eq!(pushed_value, value);
    let along = dz.re + 2.0 * dz.im - dc.re + 0.5 * dc.im + 0.25 * dk;
    assert!((pushed - along).abs() < 1e-12 * along.abs());
}

/// A sum that is not linear.
#[derive(Clone, Copy, Differentiable)]
struct LogProbability(f64);

#[differentiate]
impl Add for LogProbability {
    type Output = LogProbability;
    fn add(self, other: LogProbability) -> LogProbability {
        let most = self.0.max(other.0);
        LogProbability(most + ((self.0 - most).exp() + (other.0 - most).exp()).ln())
    }
}

#[differentiate]
fn evidence(a: LogProbability, b: LogProbability, prior: f64) -> f64 {
    let joint = LogProbability(a.0 + prior);
    let sum = joint + b + a;
    sum.0
}

#[test]
fn a_sum_with_a_meaning_of_its_own() {
    let at = [-1.0, 0.3, 0.5];
    let (_, (da, db, dp)) = evidence::gradient(LogProbability(at[0]), LogProbability(at[1]), at[2]);
    let f = |v: &[f64]| evidence(LogProbability(v[0]), LogProbability(v[1]), v[2]);
    assert_gradient(f, &at, &[da.0, db.0, dp]);
}

#[derive(Clone, Copy, Differentiable)]
struct Edge {
    from: Complex,
    to: Complex,
    weight: f64,
}

#[differentiate]
impl Edge {
    fn span(&self) -> Complex {
        self.to - self.from * self.weight
    }

    fn energy(&self, other: &Edge) -> f64 {
        let both = self.span() * other.span();
        both.re + both.im * self.weight
    }
}

#[test]
fn operands_that_are_fields_and_results_of_methods() {
    let edge = |v: &[f64]| Edge { from: complex(v), to: complex(&v[2..]), weight: v[4] };
    let (a, b) = ([0.1, 0.2, -0.3, 0.7, 1.5], [1.0, -0.4, 0.2, 0.6, -0.5]);
    let (_, (da, db)) = edge(&a).energy_gradient(&edge(&b));
    assert_gradient(|v| edge(v).energy(&edge(&b)), &a, &flat(&da));
    assert_gradient(|v| edge(&a).energy(&edge(v)), &b, &flat(&db));
}

type Pose = Matrix2<f64>;
type Scalar = f64;

#[differentiate]
fn aliases(pose: Pose, shift: Pose, k: Scalar) -> f64 {
    let moved = pose * shift + shift * 2.0 - -pose / k;
    (moved * Vector2::new(k, 1.0)).norm_squared() * (k + 1.0)
}

#[test]
fn names_for_matrices_and_floats() {
    let (pose, shift, k) = (Matrix2::new(0.1, 0.2, 0.3, 0.4), Matrix2::new(1.0, -0.5, 0.2, 0.3), 0.7);
    let (_, (dpose, dshift, dk)) = aliases::gradient(pose, shift, k);
    assert_gradient(|v| aliases(Matrix2::from_column_slice(v), shift, k), pose.as_slice(), dpose.as_slice());
    assert_gradient(|v| aliases(pose, Matrix2::from_column_slice(v), k), shift.as_slice(), dshift.as_slice());
    assert_gradient(|v| aliases(pose, shift, v[0]), &[k], &[dk]);
    let (_, pushed) = aliases::jvp(pose, shift, k, Matrix2::repeat(1.0), Matrix2::identity(), 0.5);
    let along = dpose.sum() + dshift.trace() + 0.5 * dk;
    assert!((pushed - along).abs() < 1e-12 * along.abs());
}
