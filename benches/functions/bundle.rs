//! Bundle adjustment: the reprojection errors of a standard benchmark, written as its users write them, and the blocks
//! of its Jacobian.
//!
//! A camera is a rotation vector, a centre, a focal length, a principal point and two coefficients of radial
//! distortion. Source: Šrajer, Kukelova, Fitzgibbon, "A benchmark of selected algorithmic differentiation tools" (2018).

use autodiff::differentiate;

pub type Camera = [f64; 11];
pub type Point = [f64; 3];

/// An observation of a point by a camera.
#[derive(Clone, Debug)]
pub struct Observation {
    pub camera: usize,
    pub point: usize,
    pub weight: f64,
    pub feature: [f64; 2],
}

/// The derivatives of the two errors of an observation by its camera, its point and its weight.
pub type Block = [(Camera, Point, f64); 2];

#[differentiate]
pub fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A point turned by a rotation vector. Source: Rodrigues' formula.
#[differentiate]
pub fn rotate(rotation: &[f64; 3], point: &[f64; 3]) -> [f64; 3] {
    let square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    let mut turned = *point;
    if square != 0.0 {
        let angle = square.sqrt();
        let (sine, cosine) = angle.sin_cos();
        let inverse = 1.0 / angle;
        let axis = [rotation[0] * inverse, rotation[1] * inverse, rotation[2] * inverse];
        let across = cross(&axis, point);
        let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1.0 - cosine);
        for i in 0..3 {
            turned[i] = point[i] * cosine + across[i] * sine + axis[i] * along;
        }
    } else {
        let across = cross(rotation, point);
        for i in 0..3 {
            turned[i] = point[i] + across[i];
        }
    }
    turned
}

/// The image of a point.
#[differentiate]
pub fn project(camera: &Camera, point: &Point) -> [f64; 2] {
    let seen = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
    let at = rotate(&[camera[0], camera[1], camera[2]], &seen);
    let (x, y) = (at[0] / at[2], at[1] / at[2]);
    let square = x * x + y * y;
    let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
    [x * distortion * camera[6] + camera[7], y * distortion * camera[6] + camera[8]]
}

/// The weighted error of an image.
#[differentiate]
pub fn error(camera: &Camera, point: &Point, weight: f64, #[constant] feature: &[f64; 2]) -> [f64; 2] {
    let image = project(camera, point);
    [weight * (image[0] - feature[0]), weight * (image[1] - feature[1])]
}

/// Keeps weights near 1.
#[differentiate]
pub fn weight_error(weight: f64) -> f64 {
    1.0 - weight * weight
}

/// Both rows of an observation's part of the Jacobian: one forward sweep, two reverse sweeps.
pub fn block(camera: &Camera, point: &Point, weight: f64, feature: &[f64; 2]) -> ([f64; 2], Block) {
    let (error, saved) = error::forward(camera, point, weight, feature);
    (error, [error::adjoint(&saved, [1.0, 0.0]), error::adjoint(&saved, [0.0, 1.0])])
}

/// The same block as an expert writes it by hand.
pub mod by_hand {
    use super::{Block, Camera, Point};

    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    fn sum(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
        [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
    }

    fn scaled(a: [f64; 3], k: f64) -> [f64; 3] {
        [a[0] * k, a[1] * k, a[2] * k]
    }

    /// A turned point, with what its derivative needs.
    struct Turn {
        rotation: [f64; 3],
        point: [f64; 3],
        /// `None` for no rotation.
        parts: Option<Parts>,
        turned: [f64; 3],
    }

    struct Parts {
        inverse: f64,
        sine: f64,
        cosine: f64,
        axis: [f64; 3],
        across: [f64; 3],
        inner: f64,
    }

    impl Turn {
        fn of(rotation: [f64; 3], point: [f64; 3]) -> Turn {
            let square = dot(rotation, rotation);
            if square == 0.0 {
                return Turn { rotation, point, parts: None, turned: sum(point, cross(rotation, point)) };
            }
            let angle = square.sqrt();
            let (sine, cosine) = angle.sin_cos();
            let inverse = 1.0 / angle;
            let axis = scaled(rotation, inverse);
            let (across, inner) = (cross(axis, point), dot(axis, point));
            let turned = sum(sum(scaled(point, cosine), scaled(across, sine)), scaled(axis, inner * (1.0 - cosine)));
            Turn { rotation, point, parts: Some(Parts { inverse, sine, cosine, axis, across, inner }), turned }
        }

        /// The cotangents of the rotation and of the point.
        fn pull(&self, g: [f64; 3]) -> ([f64; 3], [f64; 3]) {
            let Some(parts) = &self.parts else {
                return (cross(self.point, g), sum(g, cross(g, self.rotation)));
            };
            let Parts { inverse, sine, cosine, axis, across, inner } = *parts;
            let of_across = scaled(g, sine);
            let along = dot(g, axis);
            let of_inner = along * (1.0 - cosine);
            let of_point = sum(sum(scaled(g, cosine), scaled(axis, of_inner)), cross(of_across, axis));
            let of_axis = sum(sum(scaled(g, inner * (1.0 - cosine)), scaled(self.point, of_inner)), cross(self.point, of_across));
            let of_angle = cosine * dot(g, across) - sine * (dot(g, self.point) - along * inner) - inverse * dot(of_axis, axis);
            (sum(scaled(of_axis, inverse), scaled(axis, of_angle)), of_point)
        }
    }

    /// Both rows.
    pub fn block(camera: &Camera, point: &Point, weight: f64, feature: &[f64; 2]) -> ([f64; 2], Block) {
        let seen = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
        let turn = Turn::of([camera[0], camera[1], camera[2]], seen);
        let depth = 1.0 / turn.turned[2];
        let flat = [turn.turned[0] / turn.turned[2], turn.turned[1] / turn.turned[2]];
        let square = flat[0] * flat[0] + flat[1] * flat[1];
        let distortion = 1.0 + camera[9] * square + camera[10] * square * square;
        let bend = camera[9] + 2.0 * camera[10] * square;
        let image: [f64; 2] = core::array::from_fn(|k| flat[k] * distortion * camera[6] + camera[7 + k]);
        let error = core::array::from_fn(|k| weight * (image[k] - feature[k]));
        let row = |k: usize| {
            let of_distortion = weight * camera[6] * flat[k];
            let of_square = 2.0 * of_distortion * bend;
            let mut of_flat = [flat[0] * of_square, flat[1] * of_square];
            of_flat[k] += weight * camera[6] * distortion;
            let of_turned = [of_flat[0] * depth, of_flat[1] * depth, -(of_flat[0] * flat[0] + of_flat[1] * flat[1]) * depth];
            let (of_rotation, of_seen) = turn.pull(of_turned);
            let mut of_camera = [0.0; 11];
            of_camera[..3].copy_from_slice(&of_rotation);
            of_camera[3..6].copy_from_slice(&scaled(of_seen, -1.0));
            of_camera[6] = weight * flat[k] * distortion;
            of_camera[7 + k] = weight;
            of_camera[9] = of_distortion * square;
            of_camera[10] = of_distortion * square * square;
            (of_camera, of_seen, image[k] - feature[k])
        };
        (error, [row(0), row(1)])
    }
}
