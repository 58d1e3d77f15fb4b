//! By `autodiff`.

use autodiff::differentiate;

/// Rosenbrock's valley.
#[differentiate]
pub fn rosenbrock(x: f64, y: f64) -> f64 {
    let a = 1.0 - x;
    let b = y - x * x;
    a * a + 100.0 * (b * b)
}

/// A pendulum: its angle and its velocity change so.
#[differentiate]
pub fn pendulum(state: [f64; 2]) -> [f64; 2] {
    [state[1], -9.81 * state[0].sin() - 0.1 * state[1]]
}

/// One step of Runge and Kutta's method of order four.
#[differentiate]
pub fn step(state: [f64; 2], h: f64) -> [f64; 2] {
    let k1 = pendulum(state);
    let k2 = pendulum([state[0] + 0.5 * h * k1[0], state[1] + 0.5 * h * k1[1]]);
    let k3 = pendulum([state[0] + 0.5 * h * k2[0], state[1] + 0.5 * h * k2[1]]);
    let k4 = pendulum([state[0] + h * k3[0], state[1] + h * k3[1]]);
    [state[0] + h / 6.0 * (k1[0] + 2.0 * k2[0] + 2.0 * k3[0] + k4[0]), state[1] + h / 6.0 * (k1[1] + 2.0 * k2[1] + 2.0 * k3[1] + k4[1])]
}

#[differentiate(order = 2)]
fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[differentiate(order = 2)]
fn rotate(rotation: &[f64; 3], point: &[f64; 3]) -> [f64; 3] {
    let square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    if square == 0.0 {
        let across = cross(rotation, point);
        return [point[0] + across[0], point[1] + across[1], point[2] + across[2]];
    }
    let angle = square.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let inverse = 1.0 / angle;
    let axis = [rotation[0] * inverse, rotation[1] * inverse, rotation[2] * inverse];
    let across = cross(&axis, point);
    let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1.0 - cosine);
    [
        point[0] * cosine + across[0] * sine + axis[0] * along,
        point[1] * cosine + across[1] * sine + axis[1] * along,
        point[2] * cosine + across[2] * sine + axis[2] * along,
    ]
}

/// The image of a point.
#[differentiate(order = 2)]
pub fn project(camera: &[f64; 11], point: &[f64; 3]) -> [f64; 2] {
    let seen = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let at = rotate(&[camera[0], camera[1], camera[2]], &seen);
    let (x, y) = (at[0] / at[2], at[1] / at[2]);
    let square = x * x + y * y;
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    [x * distortion * camera[6] + camera[7], y * distortion * camera[6] + camera[8]]
}

/// The squared error of an image.
#[differentiate(order = 2)]
pub fn cost(camera: &[f64; 11], #[constant] point: &[f64; 3], #[constant] feature: &[f64; 2]) -> f64 {
    let image = project(camera, point);
    0.5 * ((image[0] - feature[0]).powi(2) + (image[1] - feature[1]).powi(2))
}
