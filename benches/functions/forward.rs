//! Forward mode: three functions, and the same over dual numbers as an expert writes them.

use autodiff::differentiate;

#[path = "bundle.rs"]
#[allow(dead_code, unreachable_pub, clippy::needless_range_loop, reason = "shared; a program as users write it")]
pub(crate) mod bundle;

/// A pendulum: its angle and its velocity change so.
#[differentiate]
pub(crate) fn pendulum(state: [f64; 2]) -> [f64; 2] {
    [state[1], -9.81 * state[0].sin() - 0.1 * state[1]]
}

/// One step of Runge and Kutta's method of order four.
#[differentiate]
pub(crate) fn step(state: [f64; 2], h: f64) -> [f64; 2] {
    let k1 = pendulum(state);
    let k2 = pendulum([state[0] + 0.5 * h * k1[0], state[1] + 0.5 * h * k1[1]]);
    let k3 = pendulum([state[0] + 0.5 * h * k2[0], state[1] + 0.5 * h * k2[1]]);
    let k4 = pendulum([state[0] + h * k3[0], state[1] + h * k3[1]]);
    let mut next = state;
    for i in 0..2 {
        next[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
    }
    next
}

/// Dual numbers, and the functions over them.
pub(crate) mod dual {
    use std::ops::{Add, Div, Mul, Neg, Sub};

    /// `re + eps ε` with `ε² = 0`.
    #[derive(Clone, Copy)]
    pub(crate) struct Dual {
        pub(crate) re: f64,
        pub(crate) eps: f64,
    }

    pub(crate) fn dual(re: f64, eps: f64) -> Dual {
        Dual { re, eps }
    }

    macro_rules! operators {
        ($($trait:ident $method:ident |$a:ident, $b:ident| $eps:expr, $real:expr;)*) => { $(
            impl $trait for Dual {
                type Output = Dual;
                #[inline(always)]
                fn $method(self, other: Dual) -> Dual {
                    let ($a, $b) = (self, other);
                    dual($trait::$method($a.re, $b.re), $eps)
                }
            }
            impl $trait<f64> for Dual {
                type Output = Dual;
                #[inline(always)]
                fn $method(self, $b: f64) -> Dual {
                    let $a = self;
                    dual($trait::$method($a.re, $b), $real)
                }
            }
        )* };
    }
    operators! {
        Add add |a, b| a.eps + b.eps, a.eps;
        Sub sub |a, b| a.eps - b.eps, a.eps;
        Mul mul |a, b| a.eps * b.re + a.re * b.eps, a.eps * b;
        Div div |a, b| (a.eps - a.re / b.re * b.eps) / b.re, a.eps / b;
    }

    impl Neg for Dual {
        type Output = Dual;
        #[inline(always)]
        fn neg(self) -> Dual {
            dual(-self.re, -self.eps)
        }
    }

    impl Dual {
        #[inline(always)]
        fn sin(self) -> Dual {
            dual(self.re.sin(), self.eps * self.re.cos())
        }

        #[inline(always)]
        fn sin_cos(self) -> (Dual, Dual) {
            let (sine, cosine) = self.re.sin_cos();
            (dual(sine, self.eps * cosine), dual(cosine, -self.eps * sine))
        }

        #[inline(always)]
        fn sqrt(self) -> Dual {
            let root = self.re.sqrt();
            dual(root, self.eps * 0.5 / root)
        }
    }

    pub(crate) fn rosenbrock(x: Dual, y: Dual) -> Dual {
        let a = -x + 1.0;
        let b = y - x * x;
        a * a + b * b * 100.0
    }

    #[inline]
    fn pendulum(state: [Dual; 2]) -> [Dual; 2] {
        [state[1], state[0].sin() * -9.81 - state[1] * 0.1]
    }

    pub(crate) fn step(state: [Dual; 2], h: f64) -> [Dual; 2] {
        let k1 = pendulum(state);
        let k2 = pendulum([state[0] + k1[0] * (0.5 * h), state[1] + k1[1] * (0.5 * h)]);
        let k3 = pendulum([state[0] + k2[0] * (0.5 * h), state[1] + k2[1] * (0.5 * h)]);
        let k4 = pendulum([state[0] + k3[0] * h, state[1] + k3[1] * h]);
        std::array::from_fn(|i| state[i] + (k1[i] + k2[i] * 2.0 + k3[i] * 2.0 + k4[i]) * (h / 6.0))
    }

    #[inline]
    fn cross(a: [Dual; 3], b: [Dual; 3]) -> [Dual; 3] {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    }

    #[inline]
    fn rotate(rotation: [Dual; 3], point: [Dual; 3]) -> [Dual; 3] {
        let square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
        if square.re == 0.0 {
            let across = cross(rotation, point);
            return std::array::from_fn(|i| point[i] + across[i]);
        }
        let angle = square.sqrt();
        let (sine, cosine) = angle.sin_cos();
        let inverse = dual(1.0, 0.0) / angle;
        let axis = rotation.map(|r| r * inverse);
        let across = cross(axis, point);
        let along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (-cosine + 1.0);
        std::array::from_fn(|i| point[i] * cosine + across[i] * sine + axis[i] * along)
    }

    pub(crate) fn project(camera: &[Dual; 11], point: &[Dual; 3]) -> [Dual; 2] {
        let seen = [point[0] - camera[3], point[1] - camera[4], point[2] - camera[5]];
        let at = rotate([camera[0], camera[1], camera[2]], seen);
        let (x, y) = (at[0] / at[2], at[1] / at[2]);
        let square = x * x + y * y;
        let distortion = camera[9] * square + camera[10] * square * square + 1.0;
        [x * distortion * camera[6] + camera[7], y * distortion * camera[6] + camera[8]]
    }
}

/// A camera and a point, with a direction for each.
pub(crate) fn view() -> ([f64; 11], [f64; 3], [f64; 11], [f64; 3]) {
    let camera = [0.2, -0.1, 0.3, 0.5, -0.4, 0.1, 500.0, 3.0, -2.0, 0.05, 0.003];
    (camera, [0.4, -0.7, 5.0], std::array::from_fn(|i| 1.0 / (i as f64 + 1.5)), [0.3, -0.2, 0.1])
}
