//! The library, built without `std` and without an allocator, gives the right numbers on the host.

use differentiated_no_std::{distance, neuron, quadratic_form, smoothed, wave};
use nalgebra::{SMatrix, SVector};

#[test]
fn gradients_without_std() {
    assert_eq!(neuron::gradient(2.0, 3.0, -4.0), (2.0, (3.0, 2.0, 1.0)));
    assert_eq!(wave::gradient(0.0, 3.0), (0.0, (3.0, 0.0)));

    assert_eq!(distance::gradient(0.0, 0.0), (0.0, (0.0, 0.0)));
    let (value, (dx, dy)) = distance::gradient(3.0, 4.0);
    assert_eq!(value, 5.0);
    assert!((dx - 0.6).abs() < 1e-15 && (dy - 0.8).abs() < 1e-15);

    // By the last element: every round is linear in it, and it is 1.
    let (value, slope) = smoothed::gradient([0.0, 1.0, 0.0, 1.0]);
    assert_eq!(value, smoothed([0.0, 1.0, 0.0, 1.0]));
    assert_eq!(slope[3], value);

    let (m, v) = (SMatrix::identity(), SVector::from([1.0, 2.0, 3.0]));
    let expected = (14.0, (v * v.transpose(), 2.0 * v));
    assert_eq!(quadratic_form::gradient(&m, &v), expected);
}
