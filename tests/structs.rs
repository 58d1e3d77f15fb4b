//! Structs in differentiated functions: parameters, fields, literals, patterns.

#![allow(clippy::needless_range_loop, clippy::assign_op_pattern, clippy::manual_is_multiple_of, reason = "programs as users write them")]

use autodiff::check::assert_gradient;
use autodiff::{Differentiable, Tangent, differentiate};
use nalgebra::{Matrix2, Vector2};

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Copy, Differentiable)]
struct Body {
    mass: f64,
    at: Point,
    id: usize,
    fixed: bool,
}

#[derive(Clone, Copy, Differentiable)]
struct Scale(f64, usize);

#[derive(Clone, Differentiable)]
struct Layer {
    weight: Matrix2<f64>,
    bias: Vector2<f64>,
    gains: [f64; 2],
    #[constant]
    #[allow(dead_code)]
    name: &'static str,
}

fn body(mass: f64, x: f64, y: f64, id: usize) -> Body {
    Body { mass, at: Point { x, y }, id, fixed: id == 7 }
}

#[differentiate]
fn attraction(a: &Body, b: Body, g: f64) -> f64 {
    let dx = a.at.x - b.at.x;
    let dy = a.at.y - b.at.y;
    let distance = (dx * dx + dy * dy).sqrt();
    if a.fixed { 0.0 } else { -g * a.mass * b.mass / distance * a.id as f64 }
}

#[test]
fn fields_by_reference_and_by_value() {
    let (a, b, g) = (body(2.0, 0.3, -0.5, 3), body(1.5, -1.0, 0.8, 7), 6.7);
    let (value, (da, db, dg)) = attraction::gradient(&a, b, g);
    assert_eq!(value, attraction(&a, b, g));
    assert_gradient(|v: &[f64; 3]| attraction(&body(v[0], v[1], v[2], 3), b, g), &[2.0, 0.3, -0.5], &[da.mass, da.at.x, da.at.y], 1e-8);
    assert_gradient(|v: &[f64; 3]| attraction(&a, body(v[0], v[1], v[2], 7), g), &[1.5, -1.0, 0.8], &[db.mass, db.at.x, db.at.y], 1e-8);
    assert!((dg - value / g).abs() < 1e-12);
    let (mut a_dot, mut b_dot) = (a.zero_tangent(), b.zero_tangent());
    a_dot.assign_flat(&[1.0, -2.0, 0.5]);
    b_dot.assign_flat(&[0.1, 0.2, 3.0]);
    let (_, pushed) = attraction::jvp(&a, b, g, &a_dot, b_dot, 1.5);
    assert!((pushed - (da.dot(&a_dot) + db.dot(&b_dot) + dg * 1.5)).abs() < 1e-12);
    assert_eq!(attraction::gradient(&b, a, g), (0.0, (b.zero_tangent(), a.zero_tangent(), 0.0)));
}

#[differentiate]
fn polar(x: f64, y: f64) -> Point {
    let p = Point { x: x.hypot(y), y: y.atan2(x) };
    let doubled = Point { x: 2.0 * p.x, ..p };
    Point { y: doubled.y * p.x, ..doubled }
}

#[test]
fn literals_and_updates_as_results() {
    let (x, y) = (0.6, -0.8);
    let seed = PointTangent { x: 2.0, y: -3.0 };
    let (value, (dx, dy)) = polar::vjp(x, y, seed);
    assert_eq!(value, polar(x, y));
    let weighted = |x: f64, y: f64| polar(x, y).x * 2.0 - polar(x, y).y * 3.0;
    assert_gradient(|x| weighted(*x, y), &x, &dx, 1e-8);
    assert_gradient(|y| weighted(x, *y), &y, &dy, 1e-8);
    let (_, pushed) = polar::jvp(x, y, 0.4, 1.7);
    assert!((pushed.dot(&seed) - (0.4 * dx + 1.7 * dy)).abs() < 1e-13);
}

#[differentiate]
fn moved(body: Body, step: f64) -> Body {
    let mut next = body;
    next.at.x += step * body.mass;
    next.at.y = next.at.y * step;
    next.mass *= 2.0;
    next.id += 1;
    next
}

#[differentiate]
fn path(start: Body, steps: usize, step: f64) -> f64 {
    let mut now = start;
    let mut length = 0.0;
    for _ in 0..steps {
        let before = now.at;
        now = moved(now, step);
        if now.id % 3 == 0 {
            continue;
        }
        let Point { x, y } = now.at;
        length += (x - before.x).powi(2) + (y - before.y).powi(2);
    }
    length + now.mass
}

#[test]
fn structs_that_change() {
    for steps in [0, 1, 4] {
        let start = |v: &[f64; 3]| body(v[0], v[1], v[2], 0);
        let v = [0.5, 0.3, -0.7];
        let (value, (dstart, dstep)) = path::gradient(start(&v), steps, 0.9);
        assert_eq!(value, path(start(&v), steps, 0.9));
        assert_gradient(|v: &[f64; 3]| path(start(v), steps, 0.9), &v, &[dstart.mass, dstart.at.x, dstart.at.y], 1e-7);
        assert_gradient(|step| path(start(&v), steps, *step), &0.9, &dstep, 1e-7);
        let mut direction = dstart.zero_tangent();
        direction.assign_flat(&[0.3, -1.0, 2.0]);
        let (_, pushed) = path::jvp(start(&v), steps, 0.9, direction, 0.5);
        let expected = dstart.dot(&direction) + 0.5 * dstep;
        assert!((pushed - expected).abs() <= 1e-12 * expected.abs().max(1.0));
    }
}

#[differentiate]
fn centre(bodies: &[Body], Scale(factor, power): Scale) -> [f64; 2] {
    let (mut total, mut sum) = (0.0, Point { x: 0.0, y: 0.0 });
    for Body { mass, at, .. } in bodies {
        total += mass;
        sum.x += mass * at.x;
        sum.y += mass * at.y;
    }
    let factor = factor.powi(power as i32);
    [sum.x / total * factor, sum.y / total * factor]
}

#[test]
fn slices_of_structs_and_patterns() {
    let flat = [1.0, 0.2, 0.3, 2.0, -0.5, 0.7, 0.5, 1.0, -1.0];
    let bodies = |v: &[f64; 9]| -> Vec<Body> { v.chunks(3).enumerate().map(|(i, v)| body(v[0], v[1], v[2], i)).collect() };
    let seed = [1.0, -2.0];
    let (value, (dbodies, dscale)) = centre::vjp(&bodies(&flat), Scale(1.5, 2), seed);
    assert_eq!(value, centre(&bodies(&flat), Scale(1.5, 2)));
    let weighted = |v: &[f64; 9], s: f64| {
        let [x, y] = centre(&bodies(v), Scale(s, 2));
        x - 2.0 * y
    };
    assert_gradient(|v: &[f64; 9]| weighted(v, 1.5), &flat, &dbodies, 1e-8);
    assert_gradient(|s| weighted(&flat, *s), &1.5, &dscale.0, 1e-8);
}

#[differentiate]
fn forward(layer: &Layer, x: &Vector2<f64>) -> f64 {
    let Layer { weight, bias, gains, .. } = layer;
    let h = (weight * x + bias).map(|v| v.tanh());
    let k = (layer.weight * h + layer.bias).map(|v| v.tanh());
    h[0] * gains[0] + k[1] * layer.gains[1]
}

#[test]
fn structs_of_matrices() {
    let layer = |v: &[f64; 8]| Layer {
        weight: Matrix2::new(v[0], v[2], v[1], v[3]),
        bias: Vector2::new(v[4], v[5]),
        gains: [v[6], v[7]],
        name: "one",
    };
    let (v, x) = ([0.4, -0.3, 0.8, 0.1, 0.2, -0.6, 1.5, -0.7], Vector2::new(0.9, -0.2));
    let (value, (dlayer, dx)) = forward::gradient(&layer(&v), &x);
    assert_eq!(value, forward(&layer(&v), &x));
    assert_gradient(|v: &[f64; 8]| forward(&layer(v), &x), &v, &dlayer, 1e-8);
    assert_gradient(|x| forward(&layer(&v), x), &x, &dx, 1e-8);
}

#[differentiate]
fn relax(points: &mut [Point], pull: f64) {
    for i in 1..points.len() {
        points[i].x -= pull * (points[i].x - points[i - 1].x);
        points[i].y *= pull;
    }
    points[0] = Point { x: pull, ..points[0] };
}

#[test]
fn structs_in_place() {
    let start = || [Point { x: 1.0, y: 2.0 }, Point { x: 3.0, y: 4.0 }, Point { x: -1.0, y: 0.5 }];
    let pull = 0.3;
    let mut points = start();
    let mut seed: Vec<PointTangent> = (1..4).map(|i| PointTangent { x: f64::from(i), y: -0.5 * f64::from(i) }).collect();
    let weights = seed.clone();
    let ((), dpull) = relax::vjp(&mut points, pull, &mut seed);
    let run = |v: &[f64; 6], pull: f64| -> f64 {
        let mut points: Vec<Point> = v.chunks(2).map(|v| Point { x: v[0], y: v[1] }).collect();
        relax(&mut points, pull);
        points.iter().zip(&weights).map(|(p, w)| p.x * w.x + p.y * w.y).sum()
    };
    let flat = [1.0, 2.0, 3.0, 4.0, -1.0, 0.5];
    assert_gradient(|v| run(v, pull), &flat, &seed, 1e-8);
    assert_gradient(|pull| run(&flat, *pull), &pull, &dpull, 1e-8);
}
