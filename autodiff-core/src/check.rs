//! Checking gradients against central differences, in a user's own tests.

use alloc::vec::Vec;

use approx::relative_eq;

use crate::Tangent;

/// The derivatives of `f` at `x` by central differences, extrapolated once (Richardson), in the order of
/// [`Tangent::flatten`]. Good to about ten digits where `f` is smooth over `±step` around `x` and of moderate size.
///
/// ```
/// use autodiff_core::check::differences;
///
/// let slopes = differences(|x: &[f64; 2]| x[0] * x[0] * x[1], &[3.0, 2.0]);
/// assert!((slopes[0] - 12.0).abs() < 1e-8 && (slopes[1] - 9.0).abs() < 1e-8);
/// ```
pub fn differences<X: Tangent>(f: impl Fn(&X) -> f64, x: &X) -> Vec<f64> {
    let point = x.flatten();
    let slope = |component: usize, step: f64| {
        let at = |offset: f64| {
            let (mut moved, mut components) = (x.clone(), point.clone());
            components[component] += offset;
            moved.assign_flat(&components);
            (f(&moved), components[component])
        };
        let ((above, high), (below, low)) = (at(step), at(-step));
        (above - below) / (high - low)
    };
    (0..point.len())
        .map(|component| {
            let step = 1e-4 * point[component].abs().max(1.0);
            (4.0 * slope(component, step / 2.0) - slope(component, step)) / 3.0
        })
        .collect()
}

/// Asserts that `gradient` holds the derivatives of `f` at `x`, as far as central differences can tell: to a relative
/// or absolute error of `tolerance`.
///
/// # Panics
/// Where a component is off; the message gives the first one that is. Where `gradient` has another number of
/// components than `x`.
///
/// ```
/// use autodiff_core::check::assert_gradient;
///
/// assert_gradient(|x: &f64| x.sin(), &0.5, &0.5_f64.cos(), 1e-8);
/// ```
///
/// ```should_panic
/// # use autodiff_core::check::assert_gradient;
/// assert_gradient(|x: &f64| x.sin(), &0.5, &0.5_f64.sin(), 1e-8);
/// ```
#[track_caller]
pub fn assert_gradient<X: Tangent, G: Tangent>(f: impl Fn(&X) -> f64, x: &X, gradient: &G, tolerance: f64) {
    let (expected, gradient) = (differences(f, x), gradient.flatten());
    assert!(expected.len() == gradient.len(), "{} components have {} derivatives", expected.len(), gradient.len());
    for (component, (&expected, &derivative)) in expected.iter().zip(&gradient).enumerate() {
        assert!(
            relative_eq!(expected, derivative, epsilon = tolerance, max_relative = tolerance),
            "derivative {component} is {derivative}, but differences give {expected}"
        );
    }
}
