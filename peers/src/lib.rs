//! The functions, by this library and by others.

pub mod dual_numbers;
pub mod ours;

/// Where everything is evaluated: a camera, a point, a direction for each, and where the point was seen.
#[allow(clippy::type_complexity)]
pub fn view() -> ([f64; 11], [f64; 3], [f64; 11], [f64; 3], [f64; 2]) {
    let camera = [0.2, -0.1, 0.3, 0.5, -0.4, 0.1, 500.0, 3.0, -2.0, 0.05, 0.003];
    (camera, [0.4, -0.7, 5.0], std::array::from_fn(|i| 1.0 / (i as f64 + 1.5)), [0.3, -0.2, 0.1], [40.0, -15.0])
}
