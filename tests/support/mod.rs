//! Central differences, which know nothing of the library.

/// Asserts that `gradient` is the gradient of `f` at `x`, as far as central differences can tell.
#[track_caller]
pub(crate) fn assert_gradient(f: impl Fn(&[f64]) -> f64, x: &[f64], gradient: &[f64]) {
    assert_eq!(x.len(), gradient.len(), "a derivative for each component");
    for i in 0..x.len() {
        let difference = |step: f64| {
            let (mut above, mut below) = (x.to_vec(), x.to_vec());
            above[i] += step;
            below[i] -= step;
            (f(&above) - f(&below)) / (above[i] - below[i])
        };
        // Richardson's extrapolation of two central differences.
        let step = 1e-4 * x[i].abs().max(1.0);
        let expected = (4.0 * difference(step / 2.0) - difference(step)) / 3.0;
        let error = (gradient[i] - expected).abs();
        assert!(error <= 1e-6 * expected.abs().max(1.0), "derivative {i}: {} but differences give {expected}", gradient[i]);
    }
}
