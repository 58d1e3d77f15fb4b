//! Adam, and what keeps a step sane.

use crate::network::Network;

/// Adam (Kingma and Ba, 2015, algorithm 1) with decoupled weight decay (Loshchilov and Hutter, 2019).
pub(crate) struct Adam {
    rate: f64,
    decay: f64,
    step: i32,
    mean: Network,
    variance: Network,
}

const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

impl Adam {
    pub(crate) fn new(network: &Network, rate: f64, decay: f64) -> Self {
        let mut zero = network.clone();
        clear(&mut zero);
        Self { rate, decay, step: 0, mean: zero.clone(), variance: zero }
    }

    /// One step against `gradient`.
    pub(crate) fn step(&mut self, network: &mut Network, gradient: &mut Network) {
        self.step += 1;
        let mean_bias = 1.0 - BETA_1.powi(self.step);
        let variance_bias = 1.0 - BETA_2.powi(self.step);
        let moments = self.mean.slices().into_iter().zip(self.variance.slices());
        let parameters = network.slices().into_iter().zip(gradient.slices());
        for ((ms, vs), (ps, gs)) in moments.zip(parameters) {
            for (((m, v), p), &mut g) in ms.iter_mut().zip(vs).zip(ps).zip(gs) {
                *m = BETA_1 * *m + (1.0 - BETA_1) * g;
                *v = BETA_2 * *v + (1.0 - BETA_2) * g * g;
                let direction = (*m / mean_bias) / ((*v / variance_bias).sqrt() + EPSILON);
                *p -= self.rate * (direction + self.decay * *p);
            }
        }
    }
}

/// Sets a gradient to zero, for the next batch to add to.
pub(crate) fn clear(gradient: &mut Network) {
    for slice in gradient.slices() {
        slice.fill(0.0);
    }
}

/// Divides a gradient by the number of samples in it, and shortens it to `limit` if it is longer.
pub(crate) fn average_and_clip(gradient: &mut Network, samples: usize, limit: f64) {
    let mut squares = 0.0;
    for component in gradient.slices().into_iter().flatten() {
        *component /= samples as f64;
        squares += *component * *component;
    }
    let norm = squares.sqrt();
    if norm > limit {
        for component in gradient.slices().into_iter().flatten() {
            *component *= limit / norm;
        }
    }
}
