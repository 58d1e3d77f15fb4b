//! By `num-dual`: the same functions, generic over the number.

use num_dual::DualNum;

pub trait Number: DualNum<Primitive = f64> + Copy {}
impl<D: DualNum<Primitive = f64> + Copy> Number for D {}

pub fn rosenbrock<D: Number>(x: D, y: D) -> D {
    let a = -x + 1.0;
    let b = y - x * x;
    a * a + b * b * 100.0
}

fn pendulum<D: Number>(state: [D; 2]) -> [D; 2] {
    [state[1], state[0].sin() * -9.81 - state[1] * 0.1]
}

pub fn step<D: Number>(state: [D; 2], h: f64) -> [D; 2] {
    let k1 = pendulum(state);
    let k2 = pendulum([state[0] + k1[0] * (0.5 * h), state[1] + k1[1] * (0.5 * h)]);
    let k3 = pendulum([state[0] + k2[0] * (0.5 * h), state[1] + k2[1] * (0.5 * h)]);
    let k4 = pendulum([state[0] + k3[0] * h, state[1] + k3[1] * h]);
    std::array::from_fn(|i| state[i] + (k1[i] + k2[i] * 2.0 + k3[i] * 2.0 + k4[i]) * (h / 6.0))
}

fn cross<D: Number>(a: &[D; 3], b: &[D; 3]) -> [D; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn rotate<D: Number>(rotation: &[D; 3], point: &[D; 3]) -> [D; 3] {
    let square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    if square == 0.0 {
        let across = cross(rotation, point);
        return std::array::from_fn(|i| point[i] + across[i]);
    }
    let angle = square.sqrt();
    let (sine, cosine) = angle.sin_cos();
    let inverse = angle.recip();
    let axis = rotation.map(|r| r * inverse);
    let across = cross(&axis, point);
    let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (-cosine + 1.0);
    std::array::from_fn(|i| point[i] * cosine + across[i] * sine + axis[i] * along)
}

pub fn project<D: Number>(camera: &[D; 11], point: &[D; 3]) -> [D; 2] {
    let seen = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let at = rotate(&[camera[0], camera[1], camera[2]], &seen);
    let (x, y) = (at[0] / at[2], at[1] / at[2]);
    let square = x * x + y * y;
    let distortion = camera[9] * square + camera[10] * square * square + 1.0;
    [x * distortion * camera[6] + camera[7], y * distortion * camera[6] + camera[8]]
}

pub fn cost<D: Number>(camera: &[D; 11], point: &[f64; 3], feature: &[f64; 2]) -> D {
    let image = project(camera, &point.map(D::from));
    ((image[0] - feature[0]).powi(2) + (image[1] - feature[1]).powi(2)) * 0.5
}
