//! Sparse Jacobians and Hessians, where the pattern of what is not zero is known.
//!
//! Columns of a Jacobian that have no row in common can be had by one forward sweep, as their sum; rows that have no
//! column in common by one reverse sweep (Curtis, Powell, Reid, "On the estimation of sparse Jacobian matrices",
//! 1974). Which belong together is a colouring of a graph. A tridiagonal matrix of any size takes three sweeps.

mod colour;

use alloc::vec;
use alloc::vec::Vec;

use nalgebra_sparse::CsrMatrix;
use nalgebra_sparse::pattern::SparsityPattern;

use crate::{Differentiable, Tangent};
use colour::Colouring;

/// A pattern with the sweeps that it takes. It is made once and used at as many points as wanted.
///
/// A pattern's major lanes are the rows, as in a [`CsrMatrix`]; components of arguments and values are counted as by
/// [`Tangent::flatten`].
///
/// An entry that the pattern lacks would be added to others without a word. So each matrix is compared with the
/// function once more, along an irregular direction, unless it is [`unchecked`](Self::unchecked).
///
/// ```
/// use autodiff_core::sparse::Compression;
/// use nalgebra_sparse::pattern::SparsityPattern;
///
/// // y_i = x_i x_{i+1}, with the tangent that `#[differentiate]` would write.
/// let x = [1.0, 2.0, 3.0, 4.0];
/// let push = |d: [f64; 4]| [x[0] * d[1] + d[0] * x[1], x[1] * d[2] + d[1] * x[2], x[2] * d[3] + d[2] * x[3]];
///
/// let pattern = SparsityPattern::try_from_offsets_and_indices(3, 4, vec![0, 2, 4, 6], vec![0, 1, 1, 2, 2, 3]).unwrap();
/// let columns = Compression::of_columns(pattern);
/// assert_eq!(columns.sweeps(), 2);
/// assert_eq!(columns.matrix(&x, push).values(), [2.0, 1.0, 3.0, 2.0, 4.0, 3.0]);
/// ```
#[derive(Clone, Debug)]
pub struct Compression {
    pattern: SparsityPattern,
    colouring: Colouring,
    kind: Kind,
    checked: bool,
}

/// What a sweep gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Columns,
    Rows,
    Symmetric,
}

impl Compression {
    /// For a Jacobian by sums of columns: forward mode, `|direction| f::jvp(&x, &direction).1`.
    #[must_use]
    pub fn of_columns(pattern: SparsityPattern) -> Self {
        let colouring = Colouring::of_columns(&pattern);
        Compression { pattern, colouring, kind: Kind::Columns, checked: true }
    }

    /// For a Jacobian by sums of rows: reverse mode, `|seed| f::adjoint(&saved, seed)`, of one forward sweep.
    #[must_use]
    pub fn of_rows(pattern: SparsityPattern) -> Self {
        let colouring = Colouring::of_rows(&pattern);
        Compression { pattern, colouring, kind: Kind::Rows, checked: true }
    }

    /// For a Hessian, by fewer sums of columns than a Jacobian of the same pattern would need, as it is symmetric:
    /// `|direction| f::hvp(&x, &direction).2`.
    ///
    /// # Panics
    /// Unless the pattern is square and symmetric.
    #[must_use]
    pub fn of_hessian(pattern: SparsityPattern) -> Self {
        assert!(pattern == pattern.transpose(), "the pattern of a Hessian is symmetric");
        let colouring = Colouring::of_symmetric(&pattern);
        Compression { pattern, colouring, kind: Kind::Symmetric, checked: true }
    }

    /// The same without the comparison that finds entries which the pattern lacks: one sweep less for each matrix.
    #[must_use]
    pub fn unchecked(mut self) -> Self {
        self.checked = false;
        self
    }

    /// How many sweeps a matrix takes, the comparison not counted.
    #[must_use]
    pub fn sweeps(&self) -> usize {
        self.colouring.colours
    }

    /// The matrix. `sweep` makes of a tangent of `at` the derivative along it: `at` is the argument for columns and
    /// Hessians, the value for rows.
    ///
    /// # Panics
    /// Where the components of `at` or of what `sweep` gives are not as many as the pattern says, and where the pattern lacks
    /// an entry that matters.
    pub fn matrix<S: Differentiable, D: Tangent>(&self, at: &S, sweep: impl FnMut(S::Tangent) -> D) -> CsrMatrix<f64> {
        let zeros = vec![0.0; self.pattern.nnz()];
        let mut matrix =
            CsrMatrix::try_from_pattern_and_values(self.pattern.clone(), zeros).expect("there is a value for each entry of the pattern");
        self.fill(&mut matrix, at, sweep);
        matrix
    }

    /// The same into a matrix that [`matrix`](Self::matrix) has made.
    ///
    /// # Panics
    /// As `matrix` does, and where `matrix` has another pattern.
    pub fn fill<S: Differentiable, D: Tangent>(&self, matrix: &mut CsrMatrix<f64>, at: &S, mut sweep: impl FnMut(S::Tangent) -> D) {
        assert!(matrix.pattern() == &self.pattern, "the matrix has another pattern");
        let (height, width) = (self.pattern.major_dim(), self.pattern.minor_dim());
        let (inputs, outputs) = if self.kind == Kind::Rows { (height, width) } else { (width, height) };
        let zero = at.zero_tangent();
        let mut along = |components: &[f64]| {
            let mut direction = zero.clone();
            direction.assign_flat(components);
            let out = sweep(direction).flatten();
            assert!(out.len() == outputs, "the pattern has room for {outputs} components of a derivative of {}", out.len());
            out
        };
        for colour in 0..self.colouring.colours {
            let seeds: Vec<f64> = (0..inputs).map(|i| if self.colouring.of[i] == colour { 1.0 } else { 0.0 }).collect();
            let sums = along(&seeds);
            for (value, &(component, its)) in matrix.values_mut().iter_mut().zip(&self.colouring.entries) {
                if its == colour {
                    *value = sums[component];
                }
            }
        }
        if self.checked {
            let direction: Vec<f64> = (0..inputs).map(irregular).collect();
            self.compare(matrix, &direction, &along(&direction), tolerance(&zero));
        }
    }

    /// Panics where the matrix times `direction` is not `derivative`.
    fn compare(&self, matrix: &CsrMatrix<f64>, direction: &[f64], derivative: &[f64], tolerance: f64) {
        let mut products = vec![(0.0, 0.0_f64); derivative.len()];
        for (row, column, value) in matrix.triplet_iter() {
            let (from, to) = if self.kind == Kind::Rows { (row, column) } else { (column, row) };
            products[to].0 += value * direction[from];
            products[to].1 += (value * direction[from]).abs();
        }
        let lane = if self.kind == Kind::Rows { "column" } else { "row" };
        for (i, (&(product, size), &wanted)) in products.iter().zip(derivative).enumerate() {
            // What is not finite cannot be compared.
            let wrong = (product - wanted).abs() > tolerance * (size + wanted.abs());
            assert!(
                !wrong || !size.is_finite() || !wanted.is_finite(),
                "the pattern lacks an entry of {lane} {i}: its entries give {product} along a direction, the function gives {wanted}"
            );
        }
    }
}

/// Numbers between 1/2 and 3/2 of no regularity that a function could share.
fn irregular(component: usize) -> f64 {
    let turns = (component as f64 + 1.0) * 0.618_033_988_749_894_9;
    0.5 + (turns - turns.trunc())
}

/// How far rounding may bring a product off: more for single precision, which does not keep a seed as it is.
fn tolerance<T: Tangent>(zero: &T) -> f64 {
    let mut probe = zero.clone();
    probe.for_each_mut(&mut |_| 0.1);
    let mut kept = true;
    probe.for_each(&mut |x| kept &= x == 0.1);
    if kept { 1e-6 } else { 1e-2 }
}
