//! Differentiated functions for a target without operating system and without allocator.
#![no_std]
#![forbid(unsafe_code)]

use autodiff::{Real, differentiate};
use nalgebra::{SMatrix, SVector};

/// One neuron, which needs no more than `core`.
#[differentiate]
pub fn neuron(x: f64, w: f64, b: f64) -> f64 {
    (w * x + b).max(0.0)
}

/// Transcendental functions, which come from `libm`.
#[differentiate]
pub fn wave(x: f32, k: f32) -> f32 {
    (k * x).sin() * (-x).exp()
}

/// A slope that is infinite where its value is zero.
#[differentiate]
pub fn distance(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// A loop over an array that is overwritten.
#[differentiate]
pub fn smoothed(x: [f64; 4]) -> f64 {
    let mut state = x;
    for _ in 0..3 {
        for j in 1..4 {
            state[j] = 0.5 * (state[j] + state[j] * state[j - 1]);
        }
    }
    state[3]
}

/// Matrices of static size.
#[differentiate]
pub fn quadratic_form(m: &SMatrix<f64, 3, 3>, v: &SVector<f64, 3>) -> f64 {
    let image = m * v;
    v.dot(&image)
}
