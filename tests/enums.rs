//! Patterns that choose: enums in `match`, `if let`, `while let` and `let`-`else`.

#![allow(clippy::assign_op_pattern, reason = "programs as users write them")]

use autodiff::check::assert_gradient;
use autodiff::{Differentiable, Tangent, differentiate};

#[derive(Clone, Debug, PartialEq, Differentiable)]
enum Shape {
    Circle { centre: [f64; 2], radius: f64 },
    Box(f64, f64),
    Named(f64, u32, Inner),
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
struct Inner {
    weight: f64,
    at: (f64, f64),
}

#[differentiate]
fn area(shape: &Shape, k: f64) -> f64 {
    match shape {
        Shape::Circle { radius, .. } if *radius < 0.0 => -2.0 * k,
        Shape::Circle { centre: [x, y], radius } => std::f64::consts::PI * radius * radius * k + x * y,
        Shape::Box(a, b) => a * b * k,
        Shape::Named(scale, count, Inner { weight, at: (u, v) }) => scale * f64::from(*count) * weight + u * v * k,
        Shape::Nothing => k * k,
    }
}

#[differentiate]
fn taken(shape: Shape, k: f64) -> f64 {
    let mut total = k;
    if let Shape::Box(width, height) = shape {
        total += width * height * k;
    }
    total
}

#[differentiate]
fn changed(shape: &mut Shape, k: f64) -> f64 {
    match shape {
        Shape::Box(a, b) => {
            *a = *a * k;
            *b += *a;
        }
        Shape::Circle { radius, .. } => *radius *= k,
        _ => {}
    }
    match &*shape {
        Shape::Box(a, b) => a * b,
        Shape::Circle { radius, centre } => radius.powi(2) + centre[0],
        _ => 0.0,
    }
}

fn shapes() -> [Shape; 5] {
    let inner = Inner { weight: 0.7, at: (1.5, -2.5) };
    [
        Shape::Circle { centre: [0.3, -0.4], radius: 1.5 },
        Shape::Circle { centre: [0.3, -0.4], radius: -1.5 },
        Shape::Box(2.0, 3.0),
        Shape::Named(1.25, 3, inner),
        Shape::Nothing,
    ]
}

fn numbers(shape: &Shape) -> Vec<f64> {
    match shape {
        Shape::Circle { centre, radius } => vec![centre[0], centre[1], *radius],
        Shape::Box(a, b) => vec![*a, *b],
        Shape::Named(scale, _, inner) => vec![*scale, inner.weight, inner.at.0, inner.at.1],
        Shape::Nothing => vec![],
    }
}

fn with_numbers(shape: &Shape, v: &[f64]) -> Shape {
    match shape {
        Shape::Circle { .. } => Shape::Circle { centre: [v[0], v[1]], radius: v[2] },
        Shape::Box(..) => Shape::Box(v[0], v[1]),
        Shape::Named(_, count, _) => Shape::Named(v[0], *count, Inner { weight: v[1], at: (v[2], v[3]) }),
        Shape::Nothing => Shape::Nothing,
    }
}

fn flat<T: Tangent>(tangent: &T) -> Vec<f64> {
    tangent.flatten()
}

#[test]
fn matching_references_and_values() {
    for shape in shapes() {
        let k = 0.8;
        let (value, (ds, dk)) = area::gradient(&shape, k);
        assert_eq!(value, area(&shape, k));
        let all = [numbers(&shape), vec![k]].concat();
        let f = |v: &[f64]| area(&with_numbers(&shape, v), v[v.len() - 1]);
        let gradient = [flat(&ds), vec![dk]].concat();
        check(f, &all, &gradient);
        let mut direction = shape.zero_tangent();
        direction.assign_flat(&vec![0.7; direction.flatten().len()]);
        let (_, pushed) = area::jvp(&shape, k, &direction, -0.3);
        assert!((pushed - (ds.dot(&direction) - 0.3 * dk)).abs() < 1e-12);

        let (value, (ds, dk)) = taken::gradient(shape.clone(), k);
        assert_eq!(value, taken(shape.clone(), k));
        check(|v: &[f64]| taken(with_numbers(&shape, v), v[v.len() - 1]), &all, &[flat(&ds), vec![dk]].concat());

        let mut at = shape.clone();
        let mut shadow = shape.zero_tangent();
        let (value, dk) = changed::gradient(&mut at, k, &mut shadow);
        let mut plain = shape.clone();
        assert_eq!(value, changed(&mut plain, k));
        assert_eq!(at, plain);
        check(|v: &[f64]| changed(&mut with_numbers(&shape, v), v[v.len() - 1]), &all, &[flat(&shadow), vec![dk]].concat());
    }
}

#[track_caller]
fn check(f: impl Fn(&[f64]) -> f64, at: &[f64], gradient: &[f64]) {
    assert_eq!(at.len(), gradient.len());
    for i in 0..at.len() {
        let difference = |step: f64| {
            let (mut above, mut below) = (at.to_vec(), at.to_vec());
            above[i] += step;
            below[i] -= step;
            (f(&above) - f(&below)) / (2.0 * step)
        };
        let expected = (4.0 * difference(5e-5) - difference(1e-4)) / 3.0;
        assert!((gradient[i] - expected).abs() < 1e-7 * expected.abs().max(1.0), "{i}: {} but differences give {expected}", gradient[i]);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Differentiable)]
enum Step {
    Scale(f64),
    Shift(f64),
    Both(f64, f64),
}

#[differentiate]
fn run(steps: &[Step], x: f64) -> f64 {
    let mut y = x;
    for step in steps {
        y = match *step {
            Step::Scale(a) => a * y,
            Step::Shift(b) => y + b,
            Step::Both(a, b) => (a * y + b).sin(),
        };
    }
    y
}

#[differentiate]
fn made(a: f64, b: f64, n: usize) -> f64 {
    let mut step = Step::Scale(a);
    let mut total = 0.0;
    for i in 0..n {
        if let Step::Scale(s) = step {
            step = Step::Both(s, b);
            total += s * b;
        } else if let Step::Both(s, t) = step {
            step = if i % 3 == 0 { Step::Scale(t * s) } else { Step::Shift(s - t) };
            total += s / t;
        } else {
            let Step::Shift(s) = step else { return total };
            total += s * s;
            step = Step::Scale(s + 1.0);
        }
    }
    total
}

#[differentiate]
fn leading(steps: &[Step; 4], x: f64) -> f64 {
    let mut at = 0;
    let mut y = x;
    while let Step::Scale(a) = steps[at] {
        y *= a;
        at += 1;
        if at == 4 {
            break;
        }
    }
    let Step::Shift(b) = steps[at % 4] else {
        return y * 10.0;
    };
    y * b
}

#[test]
fn enums_in_loops() {
    let steps = [Step::Scale(1.5), Step::Both(0.3, -0.7), Step::Shift(2.0), Step::Scale(-1.1)];
    let (value, (ds, dx)) = run::gradient(&steps, 0.4);
    assert_eq!(value, run(&steps, 0.4));
    let f = |v: &[f64; 6]| run(&[Step::Scale(v[0]), Step::Both(v[1], v[2]), Step::Shift(v[3]), Step::Scale(v[4])], v[5]);
    let gradient: Vec<f64> = ds.iter().flat_map(flat).chain([dx]).collect();
    let gradient: [f64; 6] = gradient.try_into().unwrap();
    assert_gradient(f, &[1.5, 0.3, -0.7, 2.0, -1.1, 0.4], &gradient, 1e-8);

    for n in [0, 1, 2, 3, 4, 9] {
        let (value, (da, db)) = made::gradient(0.7, -1.3, n);
        assert_eq!(value, made(0.7, -1.3, n));
        assert_gradient(|v: &[f64; 2]| made(v[0], v[1], n), &[0.7, -1.3], &[da, db], 1e-7);
        assert!((made::jvp(0.7, -1.3, n, 1.0, 2.0).1 - (da + 2.0 * db)).abs() < 1e-12 * da.abs().max(1.0));
    }

    let steps = [Step::Scale(1.5), Step::Scale(-0.5), Step::Shift(2.0), Step::Both(1.0, 2.0)];
    let (value, (ds, dx)) = leading::gradient(&steps, 0.4);
    assert!((value - 1.5 * -0.5 * 2.0 * 0.4).abs() < 1e-15);
    assert!((dx - 1.5 * -0.5 * 2.0).abs() < 1e-15);
    assert_eq!(flat(&ds[0]), [-0.5 * 2.0 * 0.4]);
    assert_eq!(flat(&ds[2]), [1.5 * -0.5 * 0.4]);
    assert_eq!(leading(&[Step::Both(1.0, 1.0); 4], 2.0), leading::gradient(&[Step::Both(1.0, 1.0); 4], 2.0).0);
}

#[derive(Clone, Copy)]
enum Mode {
    Sum,
    Power(i32),
    Weighted { by: f64 },
}

#[differentiate]
fn steered(#[constant] mode: Mode, x: f64, y: f64) -> f64 {
    let head = match mode {
        Mode::Sum => x + y,
        Mode::Power(n) if n > 2 => x.powi(n) * y,
        Mode::Power(n) => y.powi(n) * x,
        Mode::Weighted { by } => x * by + y,
    };
    if let Mode::Power(1 | 2) = mode { head * x } else { head }
}

#[test]
fn inactive_scrutinees() {
    for mode in [Mode::Sum, Mode::Power(1), Mode::Power(3), Mode::Weighted { by: 0.4 }] {
        let (value, (dx, dy)) = steered::gradient(mode, 0.6, 1.4);
        assert_eq!(value, steered(mode, 0.6, 1.4));
        assert_gradient(|v: &[f64; 2]| steered(mode, v[0], v[1]), &[0.6, 1.4], &[dx, dy], 1e-8);
    }
}

#[differentiate]
fn of_slices(xs: &[f64], k: f64) -> f64 {
    match xs {
        [] => k,
        [one] => one * k,
        [first, second] => first * second,
        [first, rest @ ..] => first * k + rest[0] * rest[rest.len() - 1],
    }
}

#[differentiate]
fn of_pairs(x: f64, y: f64, kind: u8) -> f64 {
    match (kind, x > y) {
        (0, true) => x,
        (0, false) => y * y,
        (n, _) if n > 3 => x * y * f64::from(n),
        (1 | 2, above) => {
            if above {
                x / y
            } else {
                y / x
            }
        }
        _ => 1.0,
    }
}

#[test]
fn slices_and_tuples() {
    for xs in [&[][..], &[0.5], &[0.5, 1.5], &[0.5, 1.5, -2.0], &[0.5, 1.5, -2.0, 4.0]] {
        let (value, (dx, dk)) = of_slices::gradient(xs, 0.8);
        assert_eq!(value, of_slices(xs, 0.8));
        check(|v: &[f64]| of_slices(&v[..v.len() - 1], v[v.len() - 1]), &[xs, &[0.8]].concat(), &[dx, vec![dk]].concat());
    }
    for kind in 0..6 {
        for (x, y) in [(1.5, 0.7), (0.7, 1.5)] {
            let (value, (dx, dy)) = of_pairs::gradient(x, y, kind);
            assert_eq!(value, of_pairs(x, y, kind));
            assert_gradient(|v: &[f64; 2]| of_pairs(v[0], v[1], kind), &[x, y], &[dx, dy], 1e-8);
        }
    }
}
