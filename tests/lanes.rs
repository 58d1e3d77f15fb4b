//! Several tangents at once: each lane is what `jvp` gives, bit for bit.

#![allow(clippy::needless_range_loop, reason = "programs as users write them")]

use autodiff::{Differentiable, InLanes, Laned, Lanes, Tangent, differentiate, jacobian, lanes};

const L: usize = 3;

/// A tangent of the shape of `x` for each lane, irregular ones.
fn tangents<X: InLanes<L, Lanes: Laned<L, Single = X::Tangent>> + Differentiable + ?Sized>(x: &X, from: f64) -> X::Lanes {
    let (mut lanes, mut number) = (x.zero_lanes(), from);
    for lane in 0..L {
        let mut tangent = x.zero_tangent();
        tangent.for_each_mut(&mut |_| {
            number = (7.3 * number + 0.9).sin();
            number
        });
        lanes.set_lane(lane, &tangent);
    }
    lanes
}

/// Compares each lane with a tangent sweep of its own.
macro_rules! assert_lanes {
    ($function:ident($($x:expr => $lanes:ident $(as $by:tt)?),*)) => {{
        $( let $lanes = tangents(&$x, stringify!($lanes).len() as f64); )*
        let (value, pushed) = $function::jvp_lanes($($($by)? $x,)* $($($by)? $lanes),*);
        for lane in 0..L {
            let (same, single) = $function::jvp($($($by)? $x,)* $($($by)? $lanes.lane(lane)),*);
            assert_eq!(value, same);
            assert_eq!(pushed.lane(lane), single, "lane {lane}");
        }
    }};
}

#[differentiate(lanes)]
fn rosenbrock(x: [f64; 2]) -> f64 {
    100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)
}

#[differentiate(lanes)]
fn every_operation(x: f64, y: f64) -> (f64, [f64; 4]) {
    let mut z = x * y + x / y - (x % 2.5);
    z *= -x.sin();
    z /= 2.0 + y.exp();
    z -= x.hypot(y).atan2(3.0);
    let w = 2.0 * x - y * 0.5;
    (z, [w, w.max(z), w.clamp(-1.0, 1.0).powf(2.0), x.powi(3).abs().sqrt()])
}

#[differentiate(lanes)]
fn in_single(x: f32, y: f64) -> f32 {
    let z = f64::from(x) * y;
    (z as f32).tanh() * x + (x as f64 * 0.25) as f32
}

#[differentiate(lanes)]
fn weighted(x: &[f64], weights: &[f64], n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        if x[i] > 0.0 {
            total += x[i].ln_1p() * weights[i];
        } else if weights[i] < 0.0 {
            continue;
        } else {
            total -= x[i];
        }
        if total > 10.0 {
            return total;
        }
    }
    total * 2.0
}

#[differentiate(lanes)]
fn recursive(x: f64, depth: usize) -> f64 {
    if depth == 0 { x.cos() } else { recursive(x * 1.1, depth - 1) * x }
}

#[differentiate(lanes)]
fn calls(x: [f64; 3], k: f64) -> f64 {
    let mut buffer = [0.0; 3];
    for i in 0..3 {
        buffer[i] = recursive(x[i], i) + rosenbrock([k, x[i]]);
    }
    scale(&mut buffer, k);
    scale::<3>(&mut buffer, 2.0);
    weighted(&buffer, &[1.0, 0.5, 0.25], 3) + autodiff::detach(k) * x[0] + autodiff::gelu(k) - autodiff::huber(x[1], 0.3)
}

#[differentiate(lanes)]
fn scale<const N: usize>(values: &mut [f64; N], by: f64) {
    for value in values {
        *value *= by;
    }
}

#[test]
fn straight_line_code() {
    assert_lanes!(rosenbrock([0.3, -0.8] => a));
    for (x, y) in [(0.3, -0.8), (1.7, 0.4), (-2.0, 1.5)] {
        assert_lanes!(every_operation(x => a, y => long));
    }
    assert_lanes!(in_single(0.7_f32 => a, -1.25_f64 => long));
}

#[test]
fn control_flow_and_calls() {
    let (x, weights) = ([0.5, -1.0, 2.0, 3.0], [0.2, 0.1, -0.7, 100.0]);
    let (of_x, of_weights) = (tangents(&x, 0.4), tangents(&weights, 0.7));
    for n in 0..5 {
        let (value, pushed) = weighted::jvp_lanes(&x, &weights, n, &of_x, &of_weights);
        for lane in 0..L {
            let single = weighted::jvp(&x, &weights, n, &of_x.lane(lane), &of_weights.lane(lane));
            assert_eq!((value, pushed.0[lane]), single);
        }
    }
    let of_x = tangents(&0.7, 0.1);
    let (value, pushed) = recursive::jvp_lanes(0.7, 4, of_x);
    for lane in 0..L {
        assert_eq!((value, pushed.0[lane]), recursive::jvp(0.7, 4, of_x.0[lane]));
    }
    assert_lanes!(calls([0.3, -0.8, 1.2] => a, 0.9 => long));
}

#[differentiate(lanes)]
fn losses(logits: &[f64], target: &[f64], class: usize) -> f64 {
    let shares = autodiff::softmax(logits);
    let logs = autodiff::log_softmax(logits);
    let mut sum = 0.0;
    for i in 0..logits.len() {
        sum += shares[i] * shares[i] + 0.1 * logs[i];
    }
    sum + autodiff::cross_entropy_from_logits(logits, class) + autodiff::log_sum_exp(target) + autodiff::mean_squared_error(logits, target)
}

#[test]
fn ready_made_functions_of_vectors() {
    let (logits, target) = ([0.3, -1.1, 0.6], [0.4, 0.0, 1.0]);
    let (of_logits, of_target) = (tangents(&logits, 0.4), tangents(&target, 0.7));
    let (value, pushed) = losses::jvp_lanes(&logits, &target, 2, &of_logits, &of_target);
    for lane in 0..L {
        let (same, single) = losses::jvp(&logits, &target, 2, &of_logits.lane(lane), &of_target.lane(lane));
        assert_eq!(value, same);
        assert!((pushed.0[lane] - single).abs() < 1e-15);
    }
}

#[differentiate(lanes)]
fn overwritten(out: &mut [f64], x: f64) {
    for value in out.iter_mut() {
        *value = *value * x + x;
    }
    out[0] = 1.0;
}

#[test]
fn tangents_of_outputs() {
    let (mut out, mut of_out) = ([0.5, 2.0], [Lanes([1.0, 0.0]), Lanes([0.0, 1.0])]);
    overwritten::jvp_lanes(&mut out, 3.0, &mut of_out, Lanes([1.0, 10.0]));
    assert_eq!(out, [1.0, 9.0]);
    assert_eq!(of_out, [Lanes([0.0, 0.0]), Lanes([3.0, 33.0])]);
}

#[differentiate(lanes)]
fn kinematics(joints: &[f64; 5]) -> [f64; 2] {
    let (mut angle, mut at) = (0.0, [0.0; 2]);
    for joint in joints {
        angle += joint;
        at[0] += angle.cos();
        at[1] += angle.sin();
    }
    at
}

#[test]
fn a_jacobian_in_lanes() {
    let joints = [0.1, -0.4, 0.8, 0.3, -1.2];
    let one_by_one = jacobian::columns(&joints, |direction| kinematics::jvp(&joints, &direction).1);
    assert_eq!(lanes::columns::<1, _, _>(&joints, |directions| kinematics::jvp_lanes(&joints, &directions).1), one_by_one);
    assert_eq!(lanes::columns::<2, _, _>(&joints, |directions| kinematics::jvp_lanes(&joints, &directions).1), one_by_one);
    assert_eq!(lanes::columns::<8, _, _>(&joints, |directions| kinematics::jvp_lanes(&joints, &directions).1), one_by_one);
    let (_, rows) = kinematics::jacobian(&joints);
    for i in 0..2 {
        for j in 0..5 {
            assert!((rows[i][j] - one_by_one[j][i]).abs() < 1e-15);
        }
    }
}

#[differentiate(lanes)]
fn singular(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt() + x.max(0.0)
}

#[test]
fn zero_is_strong_in_every_lane() {
    let (value, pushed) = singular::jvp_lanes(0.0, 0.0, Lanes([1.0, 0.0]), Lanes([0.0, 2.0]));
    assert_eq!((value, pushed), (0.0, Lanes([0.0, 0.0])));
}
