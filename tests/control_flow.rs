//! Branches, loops and exits against central differences, on every path.

mod support;

use autodiff::differentiate;
use support::assert_gradient;

#[differentiate]
fn nested_exits(x: f64, limit: usize) -> f64 {
    let mut s = x;
    'outer: for i in 0..6 {
        let mut r = s * 0.5;
        for j in 0..5 {
            r += x.sin() * (i + j) as f64;
            if j == limit {
                continue 'outer;
            }
            if r > 4.0 {
                s += 0.1 * r;
                break;
            }
            if i * j == 8 {
                s *= 0.5 + 0.01 * r;
                break 'outer;
            }
            r *= x;
        }
        s += r.cos() * x;
        if i == limit {
            return s * s * 0.1;
        }
    }
    s * x
}

#[test]
fn exits_of_nested_loops() {
    for limit in 0..7 {
        for x in [0.3, 0.6, 0.9, 1.1, -0.7] {
            let (y, dx) = nested_exits::gradient(x, limit);
            assert_eq!(y, nested_exits(x, limit));
            assert_gradient(|v| nested_exits(v[0], limit), &[x], &[dx]);
        }
    }
}

#[differentiate]
fn while_in_for(x: f64, y: f64, n: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        let mut z = x + i as f64;
        let mut steps = 0;
        while z > 1.0 {
            z = z * y / (1.0 + x * x);
            steps += 1;
            if steps == 7 {
                break;
            }
        }
        total += z * (steps as f64) * x;
    }
    total
}

#[test]
fn a_while_loop_in_a_for_loop() {
    for n in [0, 1, 4, 9] {
        for (x, y) in [(0.4, 0.9), (1.3, 2.0), (0.9, 0.3)] {
            let (_, (dx, dy)) = while_in_for::gradient(x, y, n);
            assert_gradient(|v| while_in_for(v[0], v[1], n), &[x, y], &[dx, dy]);
        }
    }
}

#[differentiate]
fn late_and_shadowed(x: f64, y: f64, mode: i32) -> f64 {
    let a;
    let b: f64;
    if mode > 0 {
        a = x * y;
        if mode > 1 {
            b = a * a;
        } else {
            b = x.exp();
        }
    } else {
        a = y.sin();
        b = a - x;
    }
    let a = a * b;
    let c = {
        let a = a + y;
        a * x
    };
    a * c + b
}

#[test]
fn late_initialisation_and_shadowing() {
    for mode in [-1, 1, 2] {
        let (x, y) = (0.7, -1.2);
        let (_, (dx, dy)) = late_and_shadowed::gradient(x, y, mode);
        assert_gradient(|v| late_and_shadowed(v[0], v[1], mode), &[x, y], &[dx, dy]);
    }
}

#[differentiate]
fn loop_with_value(x: f64, n: u32) -> f64 {
    let mut z = x;
    let mut k = 0;
    let found = loop {
        z = z * z * 0.3 + x;
        k += 1;
        if k > n {
            break z * k as f64;
        }
        if z > 3.0 {
            break x / z;
        }
    };
    found * found
}

#[test]
fn a_loop_that_breaks_with_a_value() {
    for n in [0, 1, 3, 8] {
        for x in [0.2, 0.8, 1.9] {
            let (_, dx) = loop_with_value::gradient(x, n);
            assert_gradient(|v| loop_with_value(v[0], n), &[x], &[dx]);
        }
    }
}

#[differentiate]
fn matches(x: f64, y: f64, op: (u8, bool), n: usize) -> f64 {
    let mut acc = y;
    for i in 0..n {
        let step = match op {
            (0, flag) if flag || i > 2 => x * acc,
            (k @ 1..=3, _) => x.powi(i32::from(k)) + acc,
            (7, _) => return acc * acc,
            (_, true) => {
                if acc > 2.0 {
                    break;
                }
                acc + x
            }
            _ => continue,
        };
        acc += step * 0.5;
    }
    acc * x
}

#[test]
fn match_with_guards_bindings_and_exits() {
    for op in [(0, true), (0, false), (1, true), (2, false), (3, true), (7, false), (9, true), (9, false)] {
        let (x, y) = (1.3, 0.6);
        let (_, (dx, dy)) = matches::gradient(x, y, op, 5);
        assert_gradient(|v| matches(v[0], v[1], op, 5), &[x, y], &[dx, dy]);
    }
}

#[differentiate]
fn both_branches_write(x: f64, y: f64) -> f64 {
    let mut a = x;
    let mut b = y;
    for i in 0..4 {
        if a > b {
            a -= b * 0.5;
            b = a * x;
        } else if i % 2 == 0 {
            b *= 0.7;
            (a, b) = (b, a);
        } else {
            let t = a;
            a = b * t;
        }
    }
    a * b + a
}

#[test]
fn branches_that_overwrite() {
    for (x, y) in [(0.4, 1.7), (2.1, 0.3), (-0.6, 0.2)] {
        let (_, (dx, dy)) = both_branches_write::gradient(x, y);
        assert_gradient(|v| both_branches_write(v[0], v[1]), &[x, y], &[dx, dy]);
    }
}

#[differentiate]
fn cubed(v: f64) -> f64 {
    v * v * v
}

#[differentiate]
fn calls_in_branches(x: f64, n: usize) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        if i == 4 {
            return s;
        }
        if i % 2 == 1 {
            let t = cubed(s * x);
            s = t + cubed(x) * 0.1;
        } else {
            s += x;
        }
    }
    if s > 1.0 { cubed(s) } else { s }
}

#[test]
fn calls_where_control_may_not_come() {
    for n in 0..7 {
        let (_, dx) = calls_in_branches::gradient(0.6, n);
        assert_gradient(|v| calls_in_branches(v[0], n), &[0.6], &[dx]);
    }
}

#[differentiate]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 {
        return 1.0;
    }
    let half = power(x, n / 2);
    if n.is_multiple_of(2) { half * half } else { half * half * x }
}

#[test]
fn recursion() {
    for n in [0, 1, 2, 5, 10] {
        let (y, dx) = power::gradient(1.1, n);
        assert!((y - 1.1_f64.powi(n as i32)).abs() < 1e-12);
        assert!((dx - f64::from(n) * 1.1_f64.powi(n as i32 - 1)).abs() < 1e-12);
    }
}

#[differentiate]
fn backwards_and_inclusive(xs: [f64; 5]) -> f64 {
    let mut acc = 1.0;
    for i in (1..=4).rev() {
        acc = acc * xs[i] + xs[i - 1];
        for j in (0..i).rev() {
            acc += xs[j] * acc * 0.1;
        }
    }
    for (i, x) in xs.iter().enumerate().rev() {
        acc = acc * 0.9 + x * i as f64;
    }
    acc
}

#[test]
fn ranges_backwards_and_inclusive() {
    let xs = [0.3, -0.7, 1.1, 0.4, -1.3];
    let (_, g) = backwards_and_inclusive::gradient(xs);
    assert_gradient(|v| backwards_and_inclusive(v.try_into().unwrap()), &xs, &g);
}

#[differentiate]
fn float_steps(x: f64, y: f64) -> f64 {
    let mut t = 0.0;
    let mut s = 0.0;
    while t < 1.0 {
        let h = 0.25;
        s += (x * t).exp() * y * h;
        t += h;
    }
    let mut u = x;
    let w = loop {
        let next = 0.5 * (u + y / u);
        if (next - u).abs() < 1e-13 {
            break next;
        }
        u = next;
    };
    s * w
}

#[test]
fn loops_over_floats() {
    let (_, (dx, dy)) = float_steps::gradient(0.8, 1.9);
    assert_gradient(|v| float_steps(v[0], v[1]), &[0.8, 1.9], &[dx, dy]);
}

#[differentiate]
fn overwritten_in_one_arm(x: f64) -> f64 {
    let mut v = x.sin();
    let mut r = 1.0;
    for i in 0..2 {
        for j in 0..3 {
            let w = 2.0 * v;
            match j {
                0 => r *= w.cos(),
                1 if i == 0 => v = 0.7 + r,
                _ => {}
            }
        }
    }
    r
}

#[test]
fn a_variable_that_one_branch_of_a_loop_overwrites() {
    // What is left of its cotangent after the branch adds to what other iterations left.
    let (_, dx) = overwritten_in_one_arm::gradient(0.4);
    assert_gradient(|v| overwritten_in_one_arm(v[0]), &[0.4], &[dx]);
}

#[differentiate]
fn labelled_blocks(x: f64, y: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        let step = 'found: {
            if s > 2.0 {
                break 'found y * s;
            }
            let t = s * x;
            for j in 0..3 {
                if j == i {
                    break 'found t * j as f64;
                }
                if t > 1.5 {
                    s += 0.1 * t;
                    continue;
                }
                if j > 1 {
                    break;
                }
            }
            t.sin()
        };
        s += step * 0.5;
        'skip: {
            if i == 1 {
                break 'skip;
            }
            s *= y;
        }
        if s < -3.0 {
            break;
        }
    }
    'last: {
        if n == 2 {
            return s * s;
        }
        if s > 0.0 {
            break 'last;
        }
        s = -s * y;
    }
    s
}

#[test]
fn blocks_that_are_left_by_their_label() {
    for n in 0..6 {
        for (x, y) in [(0.7, 1.1), (1.9, -0.8), (-0.6, 0.4)] {
            let (value, (dx, dy)) = labelled_blocks::gradient(x, y, n);
            assert_eq!(value, labelled_blocks(x, y, n));
            assert_gradient(|v| labelled_blocks(v[0], v[1], n), &[x, y], &[dx, dy]);
            let (_, tangent) = labelled_blocks::jvp(x, y, n, 0.5, -2.0);
            assert!((tangent - 0.5 * dx + 2.0 * dy).abs() < 1e-12 * tangent.abs().max(1.0));
        }
    }
}
