//! Iterator chains: values as std has them, bit for bit, gradients against central differences, forward against
//! reverse mode. Every function takes a slice and a float.

#![allow(clippy::all, reason = "programs as users write them")]

mod support;

use autodiff::differentiate;
use support::assert_gradient;

/// Checks a function at these points.
macro_rules! check {
    ($f:ident; $($xs:expr, $k:expr);+ $(;)?) => {{ $(
        let (xs, k): (&[f64], f64) = (&$xs, $k);
        let value = $f(xs, k);
        let (y, (dx, dk)) = $f::gradient(xs, k);
        assert_eq!(y.to_bits(), value.to_bits(), "{}: {y} and not {value}", stringify!($f));
        let all = [xs, &[k]].concat();
        assert_gradient(|v| $f(&v[..xs.len()], v[xs.len()]), &all, &[dx.as_slice(), &[dk]].concat());
        let direction: Vec<f64> = (0..xs.len()).map(|i| 0.3 + 0.7 * i as f64).collect();
        let (y, pushed) = $f::jvp(xs, k, &direction, -0.4);
        assert_eq!(y.to_bits(), value.to_bits());
        let expected = dx.iter().zip(&direction).map(|(d, v)| d * v).sum::<f64>() - 0.4 * dk;
        assert!((pushed - expected).abs() <= 1e-12 * expected.abs().max(1.0), "{}: {pushed}, {expected}", stringify!($f));
    )+ }};
}

const FIVE: [f64; 5] = [0.71, -1.31, 2.13, 0.43, -0.62];

#[differentiate]
fn squares(xs: &[f64], k: f64) -> f64 {
    xs.iter().map(|x| k * x * x).sum()
}

#[differentiate]
fn products(xs: &[f64], k: f64) -> f64 {
    let all: f64 = xs.iter().product();
    all * xs.iter().copied().map(|x| x + k).product::<f64>()
}

#[differentiate]
fn plain_sums(xs: &[f64], k: f64) -> f64 {
    let s: f64 = xs.iter().sum();
    k * s + xs.iter().copied().sum::<f64>() * xs.iter().rev().cloned().sum::<f64>() + [k, k * s].iter().sum::<f64>()
}

#[test]
fn sums_and_products() {
    check!(squares; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(products; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(plain_sums; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    let (y, _) = squares::gradient(&[], 1.0);
    assert!(y == 0.0 && y.is_sign_negative(), "as std has it");
    let (y, (dx, dk)) = squares::gradient(&[1.0, 2.0, -3.0], 2.0);
    assert_eq!((y, dx, dk), (28.0, vec![4.0, 8.0, -12.0], 14.0));
}

#[differentiate]
fn folds(xs: &[f64], k: f64) -> f64 {
    let horner = xs.iter().fold(0.0, |acc, &x| acc * k + x);
    let top = xs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let low = xs.iter().fold(f64::MAX, |m, &x| x.min(m));
    if xs.is_empty() { horner } else { horner * top + low * k }
}

#[differentiate]
fn tuple_fold(xs: &[f64], k: f64) -> f64 {
    let (sum, squares, count) = xs.iter().fold((0.0, k, 0), |(s, q, n), x| (s + x * k, q * 0.9 + x * x, n + 1));
    sum * squares / (1 + count) as f64
}

#[differentiate]
fn fold_that_swaps(xs: &[f64], k: f64) -> f64 {
    let (a, b) = xs.iter().fold((k, 1.0), |(a, b), &x| (b * x, a + 0.5 * b));
    a * b
}

#[differentiate]
fn fold_over_arrays(xs: &[f64], k: f64) -> f64 {
    let sums = xs.iter().enumerate().fold([0.0, k], |mut sums, (i, x)| {
        sums[i % 2] += x * k;
        sums
    });
    sums[0] * sums[1]
}

#[test]
fn folding() {
    check!(folds; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(tuple_fold; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(fold_that_swaps; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(fold_over_arrays; FIVE, 0.8; [], 1.2; [3.0], -0.5);
}

#[differentiate]
fn ranges(xs: &[f64], k: f64) -> f64 {
    let n = xs.len();
    let a: f64 = (0..n).map(|i| xs[i] * (i + 1) as f64).sum();
    let b: f64 = (1..=n).rev().map(|i| xs[i - 1].sin() * k.powi(i as i32)).sum();
    let c: f64 = (0..n).step_by(2).map(|i| xs[i] * k).sum();
    let d = (0..n).filter(|i| i % 3 != 1).map(|i| xs[i]).fold(1.0, |p, x| p * (k + x));
    let e: f64 = (1..).take(n).zip(xs).map(|(i, x)| x * i as f64 * k).sum();
    let f: f64 = (1..=3).map(|power| k.powi(power)).sum();
    a * b + c - d * e + f
}

#[differentiate]
fn numbered(xs: &[f64], k: f64) -> f64 {
    let a: f64 = xs.iter().enumerate().map(|(i, x)| x * k.powi(i as i32)).sum();
    let b: f64 = xs.iter().enumerate().rev().map(|(i, &x)| (x * i as f64 + k).sin()).sum();
    let c: f64 = xs.iter().rev().enumerate().map(|(i, &x)| (x * i as f64 - k).cos()).sum();
    let d = xs.iter().map(|x| x * k).enumerate().fold(k, |acc, (i, x)| acc * 0.5 + x * i as f64);
    let e: f64 = xs.iter().filter(|x| **x > 0.0).enumerate().map(|(i, x)| x.powi(i as i32 + 1)).sum();
    a * b + c * d + e
}

#[differentiate]
fn parts(xs: &[f64], k: f64) -> f64 {
    let a: f64 = xs.iter().skip(1).zip(xs).map(|(next, x)| (next - x * k).powi(2)).sum();
    let b: f64 = xs.iter().take(3).map(|x| x.exp() * k).sum();
    let c: f64 = xs.iter().rev().skip(1).take(2).map(|x| x * x * k).sum();
    let d: f64 = xs.iter().step_by(2).map(|x| k / (2.0 + x * x)).sum();
    let e: f64 = xs.iter().skip(1).step_by(2).rev().enumerate().map(|(i, x)| x * i as f64).sum();
    let f: f64 = xs.iter().take(9).skip(2).rev().map(|x| x.sin()).sum();
    a * b + c * d + e * f
}

#[test]
fn numbers_and_parts() {
    check!(ranges; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(numbered; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(parts; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.0, 2.0], 0.3);
}

#[differentiate]
fn zips(xs: &[f64], k: f64) -> f64 {
    let half = xs.len() / 2;
    let (a, b) = (&xs[..half], &xs[half..]);
    let dot: f64 = a.iter().zip(b).map(|(x, y)| x * y).sum();
    let ends: f64 = a.iter().zip(b.iter()).rev().enumerate().map(|(i, (x, y))| (x - y) * i as f64).sum();
    let back: f64 = a.iter().zip(b.iter().rev()).map(|(&x, &y)| (x * y * k).sin()).sum();
    let three = xs.iter().zip(xs.iter().skip(1)).zip(xs.iter().skip(2)).map(|((x, y), z)| x * y * z).fold(k, |acc, t| acc + t * t);
    let mapped: f64 = a.iter().map(|x| x * k).zip(b.iter().map(|y| y + k)).map(|(x, y)| x / (1.0 + y * y)).sum();
    let ranged: f64 = xs.iter().zip(1..).map(|(x, i)| x.powi(i) * k).sum();
    let streamed: f64 = xs.iter().filter(|&&x| x > 0.0).zip(b).map(|(x, y)| x * y + k).sum();
    let again: f64 = std::iter::zip(xs, xs.iter().rev()).map(|(x, y)| x * y * y).sum();
    dot * ends + back * three - mapped + ranged * k + streamed + again
}

#[test]
fn zipping() {
    check!(zips; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
}

#[differentiate]
fn windows(xs: &[f64], k: f64) -> f64 {
    let rough: f64 = xs.windows(2).map(|w| (w[1] - k * w[0]).powi(2)).sum();
    let smooth: f64 = xs.windows(3).rev().enumerate().map(|(i, w)| (w[0] - 2.0 * w[1] + w[2]) * i as f64).sum();
    let pairs: f64 = xs.chunks(2).map(|c| c.iter().product::<f64>() * k).sum();
    let exact: f64 = xs.chunks_exact(2).map(|c| c[0] * c[1] + c.len() as f64 * k).sum();
    let ends = xs.chunks(2).rev().map(|c| c[c.len() - 1]).fold(1.0, |p, x| p * (x + k));
    let mut s = 0.0;
    for (i, w) in xs.windows(2).enumerate() {
        s += w.iter().map(|x| x * i as f64).sum::<f64>();
    }
    rough * smooth + pairs * exact + ends * s
}

#[test]
fn sub_slices() {
    check!(windows; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
}

#[differentiate]
fn filters(xs: &[f64], k: f64) -> f64 {
    let a: f64 = xs.iter().filter(|&&x| x > k).map(|x| (x - k).ln()).sum();
    let b: f64 = xs.iter().copied().filter(|x| *x < 0.0).map(|x| x * x * k).sum();
    let c: f64 = xs.iter().filter_map(|&x| if x > 0.0 { Some(x.sqrt() * k) } else { None }).sum();
    let d: f64 = xs.iter().filter_map(|x| (*x != 0.4).then(|| x * 3.0)).sum();
    let e: f64 = xs
        .iter()
        .filter_map(|x| {
            let y = x * k;
            if y < 0.1 {
                None
            } else if y > 1.5 {
                None
            } else {
                let z = y.sin();
                Some(z * z)
            }
        })
        .sum();
    let f: f64 = xs.iter().rev().filter(|x| x.abs() > 0.5).map(|x| x * k).skip(1).step_by(2).sum();
    let g: f64 = xs.iter().filter(|x| **x > 0.0).take(2).map(|x| x.exp()).sum();
    a + b * c - d * e + f * g
}

#[differentiate]
fn whiles(xs: &[f64], k: f64) -> f64 {
    let a: f64 = xs.iter().take_while(|x| **x > -1.0).map(|x| x * k).sum();
    let b: f64 = xs.iter().skip_while(|x| **x > 0.0).map(|x| x * x * k).sum();
    let c: f64 = xs.iter().map_while(|x| if *x < 2.0 { Some(x * x + k) } else { None }).product();
    let d: f64 = xs.iter().rev().skip_while(|&&x| x < 0.0).take_while(|&x| *x > 0.0).map(|x| x.cos()).sum();
    a * b + c * d
}

#[test]
fn choosing_items() {
    check!(filters; FIVE, 0.35; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    check!(whiles; FIVE, 0.8; [], 1.2; [3.0], -0.5; [-2.0, 1.0, 0.5], 0.3);
}

#[differentiate]
fn chained(xs: &[f64], k: f64) -> f64 {
    let a: f64 = xs.iter().chain(std::iter::once(&k)).map(|x| x * x).sum();
    let b = xs.iter().chain(xs).rev().fold(k, |acc, x| 0.5 * acc + x);
    let c: f64 = std::iter::once(k).chain(xs.iter().copied()).enumerate().map(|(i, x)| x * i as f64).sum();
    let d: f64 = xs.iter().chain(&[k, 2.0 * k]).take(4).map(|x| x.sin()).sum();
    let e: f64 = xs.iter().map(|x| x * k).chain(xs.iter().rev().map(|x| x - k)).take_while(|x| *x > -2.0).product();
    let f: f64 = std::iter::repeat(k).take(3).chain(std::iter::empty()).map(|x| x * x).sum();
    a * b + c * d - e * f
}

#[differentiate]
fn flattened(xs: &[f64], k: f64) -> f64 {
    let pairs: f64 = xs.iter().enumerate().flat_map(|(i, a)| xs[i + 1..].iter().map(move |b| a * b * k)).sum();
    let rows = [[k, 1.0, k * k], [0.5, k, 2.0]];
    let flat: f64 = rows.iter().flatten().map(|x| x * x).sum();
    let grid: f64 = (0..xs.len()).flat_map(|i| (0..i).map(move |j| (i, j))).map(|(i, j)| xs[i] / (2.0 + xs[j] * xs[j])).sum();
    let first: f64 = xs.chunks(2).flat_map(|c| c.iter().rev()).take(3).map(|x| x * k).sum();
    let count = xs
        .iter()
        .flat_map(|x| {
            let y = x * k;
            [y, y * y]
        })
        .filter(|y| *y > 0.3)
        .count();
    pairs * flat + grid * first * count as f64
}

#[differentiate]
fn scanned(xs: &[f64], k: f64) -> f64 {
    let running: f64 = xs
        .iter()
        .scan(k, |state, x| {
            *state = *state * 0.5 + x;
            Some(*state * k)
        })
        .map(|y| y * y)
        .sum();
    let until: f64 = xs
        .iter()
        .scan(1.0, |p, &x| {
            *p *= x;
            if *p > -1.5 { Some(*p + k) } else { None }
        })
        .sum();
    running * until
}

#[differentiate]
fn cycled(xs: &[f64], k: f64) -> f64 {
    let weights = [k, 2.0, k * k];
    let a: f64 = xs.iter().zip(weights.iter().cycle()).map(|(x, w)| x * w).sum();
    let b: f64 = xs.iter().cycle().take(7).map(|x| x * k).sum();
    a * b
}

#[test]
fn several_iterators() {
    check!(chained; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    check!(flattened; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    check!(scanned; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    check!(cycled; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
}

#[differentiate]
fn loops(xs: &[f64], k: f64) -> f64 {
    let mut s = k;
    for x in xs.iter().filter(|x| **x > -1.0) {
        s = s * 0.5 + x * x;
    }
    for (i, x) in xs.iter().rev().skip(1).enumerate() {
        if i == 3 {
            break;
        }
        s *= 1.0 + 0.1 * x;
    }
    'all: for x in xs.iter().chain(xs.iter().rev()) {
        if *x < -1.0 {
            continue;
        }
        s += 0.3 * x * k;
        for y in xs.iter().take(2) {
            if y > x {
                continue 'all;
            }
            s += x * y;
        }
        if s > 50.0 {
            break;
        }
        s *= k;
    }
    for x in xs.iter().map(|x| x * k).filter(|x| *x > 0.0).take(2) {
        if x > 1.6 {
            continue;
        }
        s = s * x + 1.0;
    }
    for y in xs.iter().flat_map(|x| [x * 0.5, x * x]) {
        if y < 0.0 {
            continue;
        }
        if y > 2.0 {
            break;
        }
        s = (s * y).sin();
    }
    s
}

#[differentiate]
fn returned_from_loops(xs: &[f64], k: f64) -> f64 {
    let mut s = k;
    for x in xs.iter().chain(std::iter::once(&k)).filter(|x| **x != 0.0) {
        s += x * x;
        if s > 3.0 {
            return s * x;
        }
    }
    s * k
}

#[differentiate]
fn changed_in_place(xs: &[f64], k: f64) -> f64 {
    let mut v = [k, 2.0, 3.0, k * k];
    v.iter_mut().zip(xs).for_each(|(a, x)| *a = *a * x + k);
    for c in v.chunks_exact_mut(2) {
        c[0] += c[1] * c[1];
    }
    v.iter_mut().enumerate().filter(|(i, _)| i % 2 == 0).for_each(|(i, a)| *a *= i as f64 + k);
    for a in v.iter_mut().rev().skip(1) {
        *a = a.sin();
    }
    v.iter().product()
}

#[test]
fn for_loops() {
    check!(loops; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    check!(returned_from_loops; FIVE, 0.8; [], 1.2; [3.0], -0.5; [0.1, 0.2], 0.3);
    check!(changed_in_place; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
}

#[differentiate]
fn effects(xs: &[f64], k: f64) -> f64 {
    let mut total = k;
    let mut seen = 0;
    let s: f64 = xs
        .iter()
        .map(|x| {
            total = total * 0.5 + x;
            x * total
        })
        .filter(|y| *y > 0.0)
        .inspect(|_| seen += 1)
        .map(|y| y.sqrt())
        .sum();
    let mut calls = 1.0;
    let t: f64 = xs
        .iter()
        .map(|x| {
            calls += 1.0;
            x * calls
        })
        .skip(1)
        .step_by(2)
        .sum();
    let mut last = k;
    let u: f64 = xs
        .iter()
        .map(|x| {
            last = x * k;
            last + 1.0
        })
        .take(2)
        .sum();
    s * total + seen as f64 * k + t * calls + u * last
}

#[test]
fn closures_with_effects() {
    check!(effects; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
}

#[differentiate]
fn queries(xs: &[f64], k: f64) -> f64 {
    let sign = |x: f64| if x < 0.0 { -1.0 } else { 1.0 };
    let mut s = k;
    if xs.iter().any(|x| sign(*x) * x > 2.0) {
        s *= xs[0];
    }
    if xs.iter().all(|x| {
        let y = x * x;
        y < 4.0
    }) {
        s += xs.iter().count() as f64 * k * k;
    }
    if xs.iter().any(|&x| x < 0.0) && xs.iter().map(|x| x * k).sum::<f64>() > 0.2 {
        s = s.sin();
    }
    let at = xs.iter().position(|&x| x > 1.0).unwrap_or(0);
    while xs.iter().map(|x| x * s).sum::<f64>() > 0.5 {
        s *= 0.5;
    }
    if at > 0 { s * xs[at] } else { s }
}

#[test]
fn questions() {
    check!(queries; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
}

#[differentiate]
fn found(xs: &[f64], k: f64) -> f64 {
    let (at, top) = xs.iter().enumerate().max_by(|a, b| a.1.partial_cmp(b.1).unwrap()).unwrap();
    let low = xs.iter().copied().min_by(f64::total_cmp).unwrap();
    let near = xs.iter().min_by(|a, b| (*a - k).abs().total_cmp(&(*b - k).abs())).expect("not empty");
    let scaled = xs.iter().map(|x| x * k).max_by(|a, b| a.total_cmp(b)).unwrap_or(0.0);
    let furthest = (0..xs.len()).max_by(|&a, &b| xs[a].abs().total_cmp(&xs[b].abs())).unwrap();
    let reduced = xs.iter().copied().reduce(|a, b| a * 0.5 + b).unwrap();
    let last = xs.iter().filter(|x| **x > -1.0).last().copied().unwrap_or(k);
    let second = xs.iter().map(|x| x * x).nth(1).unwrap_or(k);
    let big = xs.iter().find(|x| **x > 1.0).map_or(k, |x| x * k);
    let wide = xs.windows(2).max_by(|v, w| (v[1] - v[0]).total_cmp(&(w[1] - w[0]))).map_or(1.0, |w| w[0] * w[1]);
    let first = *xs.iter().next().unwrap();
    let one = top * (1.0 + at as f64) * low * k + near * near + scaled;
    one + xs[furthest] * reduced + last * second + big * wide + first
}

#[differentiate]
fn ties(xs: &[f64], k: f64) -> f64 {
    let weights = [k, 2.0 * k, 3.0 * k];
    let (first, _) = xs.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    let (last, _) = xs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).unwrap();
    weights[first] + 10.0 * weights[last]
}

#[test]
fn one_item() {
    check!(found; FIVE, 0.8; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    assert_eq!(ties(&[1.0, 1.0, 1.0], 1.0), 31.0, "the first of the least, the last of the greatest");
    assert_eq!(ties::gradient(&[1.0, 1.0, 1.0], 1.0), (31.0, (vec![0.0; 3], 31.0)));
}

#[test]
#[should_panic(expected = "called `Option::unwrap()` on a `None` value")]
fn nothing_found() {
    found::gradient(&[], 1.0);
}

#[differentiate]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiate]
fn scaled_sum(xs: &[f64], k: f64) -> f64 {
    xs.iter().map(|x| x * k).sum()
}

#[differentiate]
fn functions(xs: &[f64], k: f64) -> f64 {
    let a: f64 = xs.iter().copied().map(f64::sin).map(square).sum();
    let b: f64 = xs.windows(2).map(|w| scaled_sum(w, k)).map(|s| s * s).sum();
    let c = xs.iter().copied().map(square).fold(k, f64::max);
    a * b + c
}

#[differentiate]
fn inactive_sources(xs: &[f64], k: f64) -> f64 {
    let order: [usize; 3] = [2, 0, 1];
    let a: f64 = order.iter().filter(|&&i| i < xs.len()).map(|&i| xs[i] * k).sum();
    let b: f64 = xs.iter().zip(order.iter()).map(|(x, &i)| x * i as f64).sum();
    let c: f64 = "abc".chars().zip(xs).map(|(c, x)| if c == 'b' { x * k } else { *x }).sum();
    let names = ["one", "two", "three"];
    let d: f64 = names.iter().map(|name| name.len() as f64 * k).sum();
    let e: f64 = xs.iter().zip(names.iter().rev()).map(|(x, name)| x * name.len() as f64).sum();
    let pairs = [(0usize, 2usize), (1, 0)];
    let f: f64 = pairs.iter().filter(|(i, j)| *i < xs.len() && *j < xs.len()).map(|&(i, j)| xs[i] * xs[j]).sum();
    a * b + c * d + e + f
}

#[differentiate]
fn kept_iterators(xs: &[f64], k: f64) -> f64 {
    let scaled = xs.iter().map(|x| x * k);
    let pairs = xs.iter().zip(xs.iter().skip(1));
    let total: f64 = scaled.sum();
    total * pairs.map(|(a, b)| a * b).sum::<f64>()
}

#[differentiate]
fn nested(xs: &[f64], k: f64) -> f64 {
    let mut total = 0.0;
    for round in 0..3 {
        let mean = xs.iter().sum::<f64>() / xs.len().max(1) as f64;
        let weight = k + round as f64 * mean;
        total += xs.iter().map(|x| xs.iter().map(|y| (x - y * weight).powi(2)).sum::<f64>().sqrt()).sum::<f64>();
        if total > 20.0 {
            total = xs.iter().fold(total, |t, x| t * 0.9 + x);
        }
    }
    total
}

#[test]
fn other_sources() {
    check!(functions; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.05, 2.1, 0.55, -1.5], 0.3);
    check!(inactive_sources; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.0, 2.0], 0.3);
    check!(kept_iterators; FIVE, 0.8; [], 1.2; [3.0], -0.5);
    check!(nested; FIVE, 0.8; [], 1.2; [3.0], -0.5; [1.0, 2.0], 0.3);
}

#[differentiate]
fn tuples(points: &[(f64, f64)], k: f64) -> f64 {
    let a: f64 = points.iter().map(|(x, y)| x * y * k).sum();
    let b: f64 = points.iter().map(|p| p.0 - p.1).sum();
    let c: f64 = points.iter().filter(|(x, _)| *x > 0.0).map(|&(x, y)| x.powi(2) + y).sum();
    let (sx, sy) = points.iter().copied().fold((k, 1.0), |(sx, sy), (x, y)| (sx + x, sy * y));
    a * b + c * sx * sy
}

#[test]
fn items_that_are_tuples() {
    let (points, k) = ([(0.3, -1.2), (1.4, 0.8), (-0.7, 2.0)], 0.6);
    let (y, (dp, dk)) = tuples::gradient(&points, k);
    assert_eq!(y, tuples(&points, k));
    let flat = [0.3, -1.2, 1.4, 0.8, -0.7, 2.0, 0.6];
    let f = |v: &[f64]| tuples(&[(v[0], v[1]), (v[2], v[3]), (v[4], v[5])], v[6]);
    assert_gradient(f, &flat, &[dp[0].0, dp[0].1, dp[1].0, dp[1].1, dp[2].0, dp[2].1, dk]);
}

#[differentiate]
fn single(xs: &[f32; 3], k: f32) -> f32 {
    xs.iter().map(|x| x * k).sum::<f32>() * xs.iter().fold(0.0, |a, x| a + x * x) + xs.iter().map(|x| x / k).product::<f32>()
}

#[test]
fn single_precision() {
    let (y, (dx, dk)) = single::gradient(&[1.0, 2.0, 3.0], 2.0);
    assert_eq!(y, single(&[1.0, 2.0, 3.0], 2.0));
    assert_eq!((y, dx, dk), (168.75, [52.75 - 0.0, 76.375, 100.25], 84.0 - 1.125));
}

mod arrays {
    use autodiff::check::assert_gradient;
    use autodiff::differentiate;

    #[differentiate]
    fn mapped(x: [f64; 4], k: f64) -> f64 {
        let y: [f64; 4] = core::array::from_fn(|i| x[i] * x[3 - i] + k);
        let z = y.map(|v| v.sin() * k).map(f64::exp);
        let r = &x;
        let w = r.map(|v| v * v);
        z.iter().zip(&w).map(|(a, b)| a * b).sum()
    }

    #[differentiate(lanes, order = 2)]
    fn cubes<const N: usize>(x: [f64; N]) -> f64 {
        x.map(|v| v * v * v).iter().sum()
    }

    #[test]
    fn map_and_from_fn() {
        let (x, k) = ([0.3, -0.5, 0.8, 1.1], 0.7);
        let (value, (dx, dk)) = mapped::gradient(x, k);
        assert_eq!(value, mapped(x, k));
        assert_gradient(|x| mapped(*x, k), &x, &dx, 1e-8);
        assert_gradient(|k| mapped(x, *k), &k, &dk, 1e-8);
        let (_, dot) = mapped::jvp(x, k, dx, dk);
        assert!((dot - dx.iter().map(|d| d * d).sum::<f64>() - dk * dk).abs() < 1e-12);
        assert_eq!(cubes::hvp([1.0, 2.0], [1.0, 0.0]), (9.0, [3.0, 12.0], [6.0, 0.0]));
    }
}
