//! Functions and types that are generic over the float type, by the traits of several crates: against central differences, and
//! forward mode against reverse mode.

mod support;

use std::ops::{Add, Mul, Neg};

use autodiff::{Differentiable, Real, Tangent, differentiate};
use nalgebra::RealField;
use num_traits::Float;
use support::assert_gradient;

#[differentiate]
fn norm<T: Float>(v: &[T], p: T) -> T {
    let mut sum = T::zero();
    for &x in v {
        sum = sum + x.abs().powf(p);
    }
    sum.powf(T::one() / p)
}

#[test]
fn by_num_traits() {
    let (v, p) = ([0.5, -1.5, 2.0], 3.0);
    let (value, (dv, dp)) = norm::gradient(&v, p);
    assert_eq!(value, norm(&v, p));
    assert_gradient(|x| norm(x, p), &v, &dv);
    assert_gradient(|x| norm(&v, x[0]), &[p], &[dp]);
    let (_, pushed) = norm::jvp(&v, p, &[1.0, 2.0, 3.0], 0.5);
    let along = dv[0] + 2.0 * dv[1] + 3.0 * dv[2] + 0.5 * dp;
    assert!((pushed - along).abs() < 1e-13 * along.abs());
}

#[test]
fn in_single_precision() {
    let (value, (dv, dp)) = norm::gradient(&[3.0_f32, 4.0], 2.0);
    assert_eq!((value, dv), (5.0, vec![0.6, 0.8]));
    let (_, (_, exact)) = norm::gradient(&[3.0, 4.0], 2.0);
    assert!((f64::from(dp) - exact).abs() < 1e-5);
}

/// Branches, loops, conversions, paths of traits and literals of the user's own.
#[differentiate]
fn mixed<T: Float>(x: T, y: T, #[constant] weight: f64) -> T {
    let (low, high) = (T::from(-1.0).unwrap(), T::from(2).unwrap());
    let scale = T::from(weight * 2.0).unwrap();
    let clamped = if x > high { high } else { x.max(low) };
    let (mut power, mut count) = (clamped, 0);
    while power.abs() < T::from(10.0).unwrap() && count < 5 && !power.is_nan() {
        power = power * power + y;
        count += 1;
    }
    let (sine, cosine) = y.sin_cos();
    power.ln() * scale + Float::sqrt(y * y + T::epsilon()) + sine * cosine - T::min(x, y)
}

#[test]
fn with_everything_that_a_function_does() {
    let at = [1.2, 0.9];
    let (value, (dx, dy)) = mixed::gradient(at[0], at[1], 0.75);
    assert_eq!(value, mixed(at[0], at[1], 0.75));
    assert_gradient(|v| mixed(v[0], v[1], 0.75), &at, &[dx, dy]);
}

#[differentiate]
fn decay<T: Real, const N: usize>(start: [T; N], rate: T, steps: usize) -> [T; N] {
    let (step, half) = (T::from_f64(0.1), T::HALF);
    let mut y = start;
    for _ in 0..steps {
        for v in y.iter_mut() {
            let first = -rate * *v;
            *v += step * -rate * (*v + step * half * first);
        }
    }
    y
}

#[test]
fn by_the_trait_of_this_library() {
    let (start, rate) = ([1.0, 2.0], 0.5);
    let (_, (dstart, drate)) = decay::vjp(start, rate, 3, [1.0, -2.0]);
    let weighed = |y: [f64; 2]| y[0] - 2.0 * y[1];
    assert_gradient(|v| weighed(decay([v[0], v[1]], rate, 3)), &start, &dstart);
    assert_gradient(|v| weighed(decay(start, v[0], 3)), &[rate], &[drate]);
}

#[differentiate]
fn logistic<T>(weights: &[T], x: &[T]) -> T
where
    T: RealField + Copy,
{
    let z = weights.iter().zip(x).map(|(&a, &b)| a * b).fold(T::zero(), |sum, term| sum + term);
    T::one() / (T::one() + (-z).exp())
}

#[test]
fn by_nalgebra() {
    let (weights, x) = ([0.3, -0.7], [1.5, 0.4]);
    let (_, (dweights, dx)) = logistic::gradient(&weights, &x);
    assert_gradient(|v| logistic(v, &x), &weights, &dweights);
    assert_gradient(|v| logistic(&weights, v), &x, &dx);
}

#[derive(Clone, Copy, Differentiable)]
struct Vec3<T> {
    x: T,
    y: T,
    z: T,
}

#[differentiate]
impl<T: Float> Add for Vec3<T> {
    type Output = Vec3<T>;
    fn add(self, other: Self) -> Self {
        Vec3 { x: self.x + other.x, y: self.y + other.y, z: self.z + other.z }
    }
}

#[differentiate]
impl<T: Float> Mul<T> for Vec3<T> {
    type Output = Self;
    fn mul(self, k: T) -> Self::Output {
        Self { x: self.x * k, y: self.y * k, z: self.z * k }
    }
}

#[differentiate]
impl<T> Neg for Vec3<T>
where
    T: Float,
{
    type Output = Self;
    fn neg(self) -> Self {
        self * -T::one()
    }
}

#[differentiate]
impl<T: Float> Vec3<T> {
    fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }

    fn dot(&self, other: &Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn norm(&self) -> T {
        self.dot(self).sqrt()
    }

    fn lerp(self, other: Self, t: T) -> Self {
        self * (T::one() - t) + -other * -t
    }
}

/// The attribute on one method of a generic block.
impl<T: Float> Vec3<T> {
    #[differentiate]
    fn height_over(&self, ground: T) -> T {
        (self.z - ground).max(T::zero()) * self.x
    }
}

#[differentiate]
fn path(a: Vec3<f64>, b: Vec3<f64>, t: f64) -> f64 {
    let middle = a.lerp(b, t);
    middle.norm() + Vec3::new(t, a.x, 1.0).norm() * middle.height_over(0.1)
}

#[test]
fn types_with_operators_and_methods() {
    let vector = |v: &[f64]| Vec3 { x: v[0], y: v[1], z: v[2] };
    let flat = |tangent: Vec3Tangent<f64>| {
        let mut components = Vec::new();
        tangent.for_each(&mut |x| components.push(x));
        components
    };
    let (a, b, t) = ([1.0, 0.2, 0.5], [-0.3, 2.0, 1.5], 0.3);
    let (_, (da, db, dt)) = path::gradient(vector(&a), vector(&b), t);
    assert_gradient(|v| path(vector(v), vector(&b), t), &a, &flat(da));
    assert_gradient(|v| path(vector(&a), vector(v), t), &b, &flat(db));
    assert_gradient(|v| path(vector(&a), vector(&b), v[0]), &[t], &[dt]);
}

#[differentiate]
fn nested<T: Float>(x: T, y: T) -> T {
    norm(&[x, y * y], T::one() + T::one()) * mixed::<T>(x, y, 0.5)
}

#[differentiate]
fn at_a_type(x: f64) -> f64 {
    nested(x, 1.5) + f64::from(nested(x as f32, 1.5_f32))
}

#[test]
fn calls_among_them() {
    let at = [0.7, 1.1];
    let (_, (dx, dy)) = nested::gradient(at[0], at[1]);
    assert_gradient(|v| nested(v[0], v[1]), &at, &[dx, dy]);
    let (_, dx) = at_a_type::gradient(0.8);
    let (_, (exact, _)) = nested::gradient(0.8, 1.5);
    assert!((dx - 2.0 * exact).abs() < 1e-5 * exact.abs());
}
