//! All libraries give the same numbers, and so do differences.

use nalgebra::SVector;
use num_dual::{Dual64, hessian};
use peers::{dual_numbers, ours, view};

#[track_caller]
fn close(got: f64, wanted: f64, tolerance: f64) {
    assert!((got - wanted).abs() <= tolerance * wanted.abs().max(1.0), "{got} but {wanted}");
}

#[test]
fn forward_mode() {
    let dual = Dual64::new;
    let (value, tangent) = ours::rosenbrock::jvp(0.7, 1.3, 0.5, -0.3);
    let other = dual_numbers::rosenbrock(dual(0.7, 0.5), dual(1.3, -0.3));
    close(value, other.re, 1e-14);
    close(tangent, other.eps, 1e-13);

    let (state, tangent) = ours::step::jvp([0.7, 1.3], 0.01, [0.5, -0.3], 0.0);
    let other = dual_numbers::step([dual(0.7, 0.5), dual(1.3, -0.3)], 0.01);
    let (camera, point, camera_dot, point_dot, _) = view();
    let (image, image_dot) = ours::project::jvp(&camera, &point, &camera_dot, &point_dot);
    let cameras = std::array::from_fn(|i| dual(camera[i], camera_dot[i]));
    let projected = dual_numbers::project(&cameras, &std::array::from_fn(|i| dual(point[i], point_dot[i])));
    for i in 0..2 {
        close(state[i], other[i].re, 1e-14);
        close(tangent[i], other[i].eps, 1e-13);
        close(image[i], projected[i].re, 1e-13);
        close(image_dot[i], projected[i].eps, 1e-12);
    }
}

#[test]
fn second_order() {
    let (camera, point, _, _, feature) = view();
    let (value, gradient, rows) = ours::cost::hessian(&camera, &point, &feature);
    let at = SVector::from(camera);
    let (same, other_gradient, other) = hessian(|c: SVector<_, 11>| dual_numbers::cost(&c.into(), &point, &feature), &at);
    close(value, same, 1e-13);
    let largest = other.amax();
    for i in 0..11 {
        close(gradient[i], other_gradient[i], 1e-10);
        for j in 0..11 {
            assert!((rows[i][j] - other[(i, j)]).abs() <= 1e-12 * largest, "{i} {j}: {} but {}", rows[i][j], other[(i, j)]);
            close(rows[i][j], other[(i, j)], 1e-10);
            let slope = |h: f64| {
                let mut moved = camera;
                moved[j] += h;
                ours::cost::gradient(&moved, &point, &feature).1[i]
            };
            let h = 1e-5 * camera[j].abs().max(1.0);
            let difference = (slope(h) - slope(-h)) / (2.0 * h);
            assert!((rows[i][j] - difference).abs() <= 1e-6 * largest.min(rows[i][j].abs().max(1e3)), "{i} {j}: {difference}");
        }
    }
}
