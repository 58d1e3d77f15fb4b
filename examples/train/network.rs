//! The network: one differentiated function, and the parameters that it is trained by.

use autodiff::{cross_entropy_from_logits, differentiate};
use nalgebra::{DMatrix, DVector};

use crate::data::{Random, Wines};

/// The loss of one wine: two layers of tanh, a linear one, cross-entropy against its class.
#[differentiate]
#[allow(clippy::too_many_arguments)]
pub(crate) fn loss(
    w1: &DMatrix<f64>,
    b1: &DVector<f64>,
    w2: &DMatrix<f64>,
    b2: &DVector<f64>,
    w3: &DMatrix<f64>,
    b3: &DVector<f64>,
    #[constant] features: &DVector<f64>,
    class: usize,
) -> f64 {
    let first = (w1 * features + b1).map(|v| v.tanh());
    let second = (w2 * first + b2).map(|v| v.tanh());
    let logits = w3 * second + b3;
    cross_entropy_from_logits(&logits, class)
}

/// The weights and biases; also their gradient, which has the same shape.
#[derive(Clone)]
pub(crate) struct Network {
    w1: DMatrix<f64>,
    b1: DVector<f64>,
    w2: DMatrix<f64>,
    b2: DVector<f64>,
    w3: DMatrix<f64>,
    b3: DVector<f64>,
}

impl Network {
    /// Weights by Glorot and Bengio's rule (2010), biases zero.
    pub(crate) fn new(inputs: usize, hidden: [usize; 2], classes: usize, random: &mut Random) -> Self {
        let mut weights = |rows: usize, columns: usize| {
            let bound = (6.0 / (rows + columns) as f64).sqrt();
            DMatrix::from_fn(rows, columns, |_, _| bound * random.symmetric())
        };
        Self {
            w1: weights(hidden[0], inputs),
            b1: DVector::zeros(hidden[0]),
            w2: weights(hidden[1], hidden[0]),
            b2: DVector::zeros(hidden[1]),
            w3: weights(classes, hidden[1]),
            b3: DVector::zeros(classes),
        }
    }

    /// All parameters, one slice for each matrix and vector.
    pub(crate) fn slices(&mut self) -> [&mut [f64]; 6] {
        [
            self.w1.as_mut_slice(),
            self.b1.as_mut_slice(),
            self.w2.as_mut_slice(),
            self.b2.as_mut_slice(),
            self.w3.as_mut_slice(),
            self.b3.as_mut_slice(),
        ]
    }

    pub(crate) fn parameters(&mut self) -> usize {
        self.slices().iter().map(|slice| slice.len()).sum()
    }

    pub(crate) fn loss(&self, features: &DVector<f64>, class: usize) -> f64 {
        loss(&self.w1, &self.b1, &self.w2, &self.b2, &self.w3, &self.b3, features, class)
    }

    /// Adds the gradient of one wine's loss to `gradient` and returns the loss.
    pub(crate) fn add_gradient(&self, features: &DVector<f64>, class: usize, gradient: &mut Self) -> f64 {
        loss::gradient_into(
            &self.w1,
            &self.b1,
            &self.w2,
            &self.b2,
            &self.w3,
            &self.b3,
            features,
            class,
            &mut gradient.w1,
            &mut gradient.b1,
            &mut gradient.w2,
            &mut gradient.b2,
            &mut gradient.w3,
            &mut gradient.b3,
        )
    }

    /// The class of the least loss, which is that of the largest logit.
    fn classify(&self, features: &DVector<f64>) -> usize {
        (0..self.b3.len()).min_by(|&a, &b| self.loss(features, a).total_cmp(&self.loss(features, b))).expect("there are classes")
    }

    /// The fraction of `wines` that get their own class.
    pub(crate) fn accuracy(&self, wines: &Wines) -> f64 {
        let right = wines.features.iter().zip(&wines.classes).filter(|&(features, &class)| self.classify(features) == class).count();
        right as f64 / wines.len() as f64
    }
}
