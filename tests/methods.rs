//! Methods and associated functions: their derivatives stand beside them, and calls of them are followed by name.

use autodiff::{Differentiable, differentiate};

#[derive(Differentiable, Clone, Copy, Debug, PartialEq)]
struct Lens {
    focal: f64,
    gain: f64,
}

impl Lens {
    #[differentiate]
    fn power(&self, x: f64) -> f64 {
        self.gain * x * x / self.focal
    }

    #[differentiate]
    fn scaled(self, k: f64) -> Lens {
        Lens { focal: self.focal * k, gain: self.gain.sin() }
    }

    #[differentiate]
    fn bump(&mut self, by: f64) {
        self.focal += by * self.gain;
        self.gain *= by;
    }

    #[differentiate]
    fn ideal(focal: f64) -> Self {
        Self { focal: focal * focal, gain: 1.0 / focal }
    }

    /// Named as a function of matrices.
    #[differentiate]
    fn norm(&self) -> f64 {
        self.focal.hypot(self.gain)
    }

    #[differentiate]
    fn twice(&self) -> f64 {
        self.norm() + Self::ideal(self.gain).power(self.focal)
    }

    #[differentiate]
    fn deep(&self, n: u32) -> f64 {
        if n == 0 { self.gain } else { self.deep(n - 1) * self.focal }
    }
}

/// A receiver that carries nothing.
struct Ramp;

impl Ramp {
    #[differentiate]
    fn at(&self, x: f64) -> f64 {
        if x > 0.0 { x * x } else { 0.0 }
    }
}

const LENS: Lens = Lens { focal: 1.3, gain: 0.7 };
const STEP: f64 = 1e-6;

fn moved(focal: f64, gain: f64) -> Lens {
    Lens { focal: LENS.focal + focal, gain: LENS.gain + gain }
}

/// The gradient of `f` by differences, over the lens and over `x`.
fn differences(f: impl Fn(&Lens, f64) -> f64, x: f64) -> (f64, f64, f64) {
    let quotient = |up: f64, down: f64| (up - down) / (2.0 * STEP);
    (
        quotient(f(&moved(STEP, 0.0), x), f(&moved(-STEP, 0.0), x)),
        quotient(f(&moved(0.0, STEP), x), f(&moved(0.0, -STEP), x)),
        quotient(f(&LENS, x + STEP), f(&LENS, x - STEP)),
    )
}

#[track_caller]
fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-7 * (1.0 + expected.abs()), "{got} is not {expected}");
}

#[test]
fn a_method_has_its_gradient_beside_it() {
    let (value, (lens, x)) = LENS.power_gradient(0.4);
    assert_eq!(value, LENS.power(0.4));
    let (focal, gain, slope) = differences(Lens::power, 0.4);
    close(lens.focal, focal);
    close(lens.gain, gain);
    close(x, slope);
    let (_, dot) = LENS.power_jvp(0.4, &LensTangent { focal: 2.0, gain: -1.0 }, 0.5);
    close(dot, 2.0 * focal - gain + 0.5 * slope);
}

#[test]
fn a_receiver_by_value_and_a_result_that_is_a_struct() {
    let seed = LensTangent { focal: 0.5, gain: 2.0 };
    let (_, (lens, k)) = LENS.scaled_vjp(1.5, seed);
    close(lens.focal, 0.5 * 1.5);
    close(lens.gain, 2.0 * 0.7_f64.cos());
    close(k, 0.5 * 1.3);
}

#[test]
fn a_receiver_that_is_written() {
    let mut lens = LENS;
    let mut shadow = LensTangent { focal: 0.5, gain: 2.0 };
    let ((), by) = lens.bump_vjp(0.2, &mut shadow);
    let mut plain = LENS;
    plain.bump(0.2);
    assert_eq!(lens, plain);
    close(shadow.focal, 0.5);
    close(shadow.gain, 0.5 * 0.2 + 2.0 * 0.2);
    close(by, 0.5 * 0.7 + 2.0 * 0.7);
}

#[test]
fn associated_functions_and_calls_within_the_block() {
    let (lens, tangent) = Lens::ideal_jvp(0.4, 1.0);
    assert_eq!(lens, Lens::ideal(0.4));
    close(tangent.focal, 0.8);
    close(tangent.gain, -6.25);
    let (_, lens) = LENS.twice_gradient();
    let (focal, gain, _) = differences(|lens, _| lens.twice(), 0.0);
    close(lens.focal, focal);
    close(lens.gain, gain);
}

#[test]
fn a_method_that_calls_itself() {
    let (value, lens) = LENS.deep_gradient(3);
    close(value, 0.7 * 1.3_f64.powi(3));
    close(lens.focal, 0.7 * 3.0 * 1.3 * 1.3);
    close(lens.gain, 1.3_f64.powi(3));
}

#[test]
fn a_receiver_without_derivatives() {
    assert_eq!(Ramp.at_gradient(3.0), (9.0, 6.0));
    assert_eq!(Ramp.at_gradient(-3.0), (0.0, 0.0));
}

#[differentiate]
fn everything(lens: &Lens, x: f64) -> f64 {
    let a = lens.power(x);
    let mut c = lens.scaled(x);
    c.bump(x);
    let before = c.power(0.3);
    for _ in 0..3 {
        c.bump(0.3 * a + 1.0);
    }
    Lens::ideal(x * a).power(a) + before * c.power(a) + lens.deep(3)
}

#[test]
fn calls_from_a_function() {
    let (value, (lens, x)) = everything::gradient(&LENS, 0.4);
    assert_eq!(value, everything(&LENS, 0.4));
    let (focal, gain, slope) = differences(everything, 0.4);
    close(lens.focal, focal);
    close(lens.gain, gain);
    close(x, slope);
    let (_, dot) = everything::jvp(&LENS, 0.4, &LensTangent { focal: 2.0, gain: -1.0 }, 0.5);
    close(dot, 2.0 * lens.focal - lens.gain + 0.5 * x);
}

/// A method puts something active into what began without a derivative.
#[derive(Differentiable, Clone, Debug)]
struct Mean {
    total: f64,
    weight: f64,
}

impl Mean {
    #[differentiate]
    fn add(&mut self, x: f64) {
        self.total += x * x;
        self.weight += 1.0;
    }

    #[differentiate]
    fn now(&self) -> f64 {
        if self.weight > 0.0 { self.total / self.weight } else { 0.0 }
    }
}

#[differentiate]
fn running(xs: &[f64]) -> f64 {
    let mut mean = Mean { total: 0.0, weight: 0.0 };
    let mut sum = 0.0;
    for &x in xs {
        let before = mean.now();
        mean.add(x);
        sum += before * x;
    }
    sum + mean.now()
}

#[test]
fn what_a_method_activates_is_active_before_it_in_a_loop() {
    let xs = [0.5, -1.2, 0.8, 2.0];
    let (value, gradient) = running::gradient(&xs);
    assert_eq!(value, running(&xs));
    for k in 0..xs.len() {
        let (mut up, mut down) = (xs, xs);
        up[k] += STEP;
        down[k] -= STEP;
        close(gradient[k], (running(&up) - running(&down)) / (2.0 * STEP));
    }
}

/// The attribute on a whole block: of a trait, generic, and with lifetimes.
mod blocks {
    use super::{STEP, close};
    use autodiff::{Differentiable, differentiate};

    trait Potential {
        const SCALE: f64;

        fn energy(&self, r: f64) -> f64;
    }

    #[derive(Differentiable, Clone)]
    struct Morse {
        depth: f64,
        width: f64,
    }

    #[differentiate]
    impl Potential for Morse {
        const SCALE: f64 = 2.0;

        fn energy(&self, r: f64) -> f64 {
            let e = 1.0 - (-self.width * (r - 1.0)).exp();
            Self::SCALE * self.depth * e * e
        }
    }

    #[derive(Differentiable, Clone)]
    struct Polynomial<const N: usize> {
        coefficients: [f64; N],
    }

    #[differentiate]
    impl<const N: usize> Polynomial<N> {
        fn at(&self, x: f64) -> f64 {
            let mut sum = 0.0;
            for i in (0..N).rev() {
                sum = sum * x + self.coefficients[i];
            }
            sum
        }

        fn step(&mut self, x: f64, #[constant] rate: f64) {
            let value = self.at(x);
            for i in 0..N {
                self.coefficients[i] -= rate * value;
            }
        }

        /// Nothing to differentiate: left alone.
        fn degree(&self) -> usize {
            N - 1
        }
    }

    #[derive(Differentiable)]
    struct Table<'a> {
        values: &'a [f64],
        scale: f64,
    }

    #[differentiate]
    impl<'a> Table<'a> {
        fn new(values: &'a [f64], scale: f64) -> Self {
            Table { values, scale }
        }

        fn at(&self, t: f64) -> f64 {
            let i = t as usize;
            let w = t - i as f64;
            self.scale * ((1.0 - w) * self.values[i] + w * self.values[i + 1])
        }
    }

    #[differentiate]
    fn total(morse: &Morse, polynomial: &Polynomial<3>, r: f64) -> f64 {
        let mut stepped = polynomial.clone();
        stepped.step(r, 0.1);
        morse.energy(r) + stepped.at(morse.energy(r))
    }

    #[test]
    fn methods_of_blocks() {
        let morse = Morse { depth: 1.5, width: 0.8 };
        let polynomial = Polynomial { coefficients: [1.0, 2.0, -0.5] };
        assert_eq!(polynomial.degree(), 2);
        let (value, (d_morse, d_polynomial, dr)) = total::gradient(&morse, &polynomial, 1.7);
        assert_eq!(value, total(&morse, &polynomial, 1.7));
        let difference = |f: &dyn Fn(f64) -> f64| (f(STEP) - f(-STEP)) / (2.0 * STEP);
        close(dr, difference(&|h| total(&morse, &polynomial, 1.7 + h)));
        close(d_morse.width, difference(&|h| total(&Morse { width: 0.8 + h, ..morse.clone() }, &polynomial, 1.7)));
        for k in 0..3 {
            let moved = |h: f64| {
                let mut moved = polynomial.clone();
                moved.coefficients[k] += h;
                total(&morse, &moved, 1.7)
            };
            close(d_polynomial.coefficients[k], difference(&moved));
        }
        let (_, dot) = total::jvp(&morse, &polynomial, 1.7, &d_morse, &d_polynomial, dr);
        let norm = d_polynomial.coefficients.iter().map(|c| c * c).sum::<f64>();
        close(dot, norm + d_morse.depth.powi(2) + d_morse.width.powi(2) + dr * dr);
    }

    #[test]
    fn a_block_with_lifetimes() {
        let values = [1.0, 4.0, 9.0];
        let (value, (table, t)) = Table::new(&values, 2.0).at_gradient(1.25);
        assert_eq!(value, 10.5);
        assert_eq!(table.values, [0.0, 1.5, 0.5]);
        assert_eq!((table.scale, t), (5.25, 10.0));
    }
}

/// Types in types whose methods have one name, called through fields and elements.
mod nested {
    use super::{STEP, close};
    use autodiff::{Differentiable, differentiate};

    #[derive(Differentiable, Clone)]
    struct Ball {
        radius: f64,
    }

    #[derive(Differentiable, Clone)]
    struct Scene {
        first: Ball,
        others: Vec<Ball>,
        stretch: f64,
    }

    impl Ball {
        #[differentiate]
        fn distance(&self, p: &[f64; 2]) -> f64 {
            p[0].hypot(p[1]) - self.radius
        }

        #[differentiate]
        fn grow(&mut self, by: f64) {
            self.radius *= by;
        }
    }

    impl Scene {
        #[differentiate]
        fn distance(&self, p: &[f64; 2]) -> f64 {
            let mut nearest = self.first.distance(p) * self.stretch;
            for ball in &self.others {
                nearest = nearest.min(ball.distance(&[p[0] - 1.0, p[1] * self.stretch]));
            }
            nearest
        }

        #[differentiate]
        fn grown(mut self, by: f64) -> Self {
            self.first.grow(by);
            for ball in self.others.iter_mut() {
                ball.grow(by * by);
            }
            self
        }
    }

    #[differentiate]
    fn march(scene: &Scene, p: [f64; 2], by: f64) -> f64 {
        let scene = scene.clone().grown(by);
        let mut t = 0.1;
        for _ in 0..4 {
            let q = [p[0] + t, p[1] - 0.5 * t];
            t += 0.5 * scene.distance(&q);
        }
        t
    }

    #[test]
    fn methods_of_fields_and_elements() {
        let scene = Scene { first: Ball { radius: 0.5 }, others: vec![Ball { radius: 0.2 }, Ball { radius: 0.3 }], stretch: 1.2 };
        let p = [2.0, 1.5];
        let (value, (d_scene, dp, d_by)) = march::gradient(&scene, p, 0.9);
        assert_eq!(value, march(&scene, p, 0.9));
        let difference = |f: &dyn Fn(f64) -> f64| (f(STEP) - f(-STEP)) / (2.0 * STEP);
        let with = |change: &dyn Fn(&mut Scene)| {
            let mut scene = scene.clone();
            change(&mut scene);
            march(&scene, p, 0.9)
        };
        close(d_scene.stretch, difference(&|h| with(&|scene| scene.stretch += h)));
        close(d_scene.first.radius, difference(&|h| with(&|scene| scene.first.radius += h)));
        for k in 0..2 {
            close(d_scene.others[k].radius, difference(&|h| with(&|scene| scene.others[k].radius += h)));
        }
        close(dp[0], difference(&|h| march(&scene, [p[0] + h, p[1]], 0.9)));
        close(dp[1], difference(&|h| march(&scene, [p[0], p[1] + h], 0.9)));
        close(d_by, difference(&|h| march(&scene, p, 0.9 + h)));
        let (_, dot) = march::jvp(&scene, p, 0.9, &d_scene, dp, d_by);
        let of_balls = d_scene.others.iter().map(|ball| ball.radius.powi(2)).sum::<f64>() + d_scene.first.radius.powi(2);
        close(dot, of_balls + d_scene.stretch.powi(2) + dp[0] * dp[0] + dp[1] * dp[1] + d_by * d_by);
    }
}

/// Lifetimes with names, on methods and on functions: what is lent may be a temporary.
mod lifetimes {
    use autodiff::{Differentiable, differentiate};

    #[derive(Differentiable, Clone)]
    struct Gain {
        gain: f64,
    }

    impl Gain {
        #[differentiate]
        #[allow(clippy::needless_lifetimes, reason = "what is tested")]
        fn total<'a>(&self, xs: &'a [f64]) -> f64 {
            xs.iter().map(|x| x * self.gain).sum()
        }
    }

    #[differentiate]
    fn twice(gain: &Gain, x: f64) -> f64 {
        let mut sum = 0.0;
        for k in 0..2 {
            let pair = [x, x * x];
            sum += gain.total(&pair) * (k as f64 + 1.0);
        }
        sum + gain.total(&[x])
    }

    #[test]
    fn temporaries_are_lent() {
        // 3 g (x + x²) + g x
        let (value, (gain, x)) = twice::gradient(&Gain { gain: 0.5 }, 2.0);
        assert_eq!((value, gain.gain, x), (10.0, 20.0, 8.0));
    }
}
