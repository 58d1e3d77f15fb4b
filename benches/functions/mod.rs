//! Three functions to differentiate, and their gradients as an expert writes them by hand:
//! every common subexpression once, nothing computed that the gradient does not use.
//!
//! Shared by the benchmark, which takes seconds, and the test, which counts instructions.

use autodiff::differentiate;

#[allow(dead_code, reason = "counted, not timed")]
pub(crate) mod forward;

/// One neuron.
#[differentiate]
pub(crate) fn neuron(x: f64, w: f64, b: f64) -> f64 {
    (w * x + b).max(0.0)
}

/// Rosenbrock's valley.
#[differentiate]
pub(crate) fn rosenbrock(x: f64, y: f64) -> f64 {
    let a = 1.0 - x;
    let b = y - x * x;
    a * a + 100.0 * (b * b)
}

/// Thirty operations, five of them transcendental.
#[differentiate]
pub(crate) fn thirty(x: f64, y: f64, z: f64) -> f64 {
    let a = x * y + z;
    let b = a.sin();
    let c = b * x - y;
    let d = c.exp();
    let e = d / (1.0 + d);
    let f = e * e + z * z;
    let g = f.sqrt();
    let h = g * a + b * c;
    let i = h.tanh();
    let j = i * y - e * z;
    let k = (1.0 + j * j).ln();
    let l = k * g + i * h;
    let m = l.atan();
    m * k + l * x - d
}

/// The same gradients by hand; each gives the value first.
pub(crate) mod by_hand {
    pub(crate) fn neuron(x: f64, w: f64, b: f64) -> (f64, (f64, f64, f64)) {
        let sum = w * x + b;
        // Two products by the gate take fewer instructions than a branch or three selects.
        let gate = if sum > 0.0 { 1.0 } else { 0.0 };
        (sum.max(0.0), (gate * w, gate * x, gate))
    }

    /// As it is published: the formulas of SciPy's `rosen_der`, with the common subexpressions shared.
    pub(crate) fn rosenbrock(x: f64, y: f64) -> (f64, (f64, f64)) {
        let a = 1.0 - x;
        let b = y - x * x;
        (a * a + 100.0 * (b * b), (-400.0 * x * b - 2.0 * a, 200.0 * b))
    }

    pub(crate) fn thirty(x: f64, y: f64, z: f64) -> (f64, (f64, f64, f64)) {
        let a = x * y + z;
        let b = a.sin();
        let c = b * x - y;
        let d = c.exp();
        let e_below = 1.0 + d;
        let e = d / e_below;
        let f = e * e + z * z;
        let g = f.sqrt();
        let h = g * a + b * c;
        let i = h.tanh();
        let j = i * y - e * z;
        let k_inner = 1.0 + j * j;
        let k = k_inner.ln();
        let l = k * g + i * h;
        let m = l.atan();
        let value = m * k + l * x - d;

        let dl = x + k / (1.0 + l * l);
        let dk = m + dl * g;
        let dj = dk * (j + j) / k_inner;
        let di = dl * h + dj * y;
        let dh = dl * i + di * (1.0 - i * i);
        let dg = dl * k + dh * a;
        let df = dg * 0.5 / g;
        let de = df * (e + e) - dj * z;
        let dd = de * (1.0 - e) / e_below - 1.0;
        let dc = dh * b + dd * d;
        let db = dh * c + dc * x;
        let da = dh * g + db * a.cos();
        let dx = l + dc * b + da * y;
        let dy = dj * i - dc + da * x;
        let dz = df * (z + z) - dj * e + da;
        (value, (dx, dy, dz))
    }
}
