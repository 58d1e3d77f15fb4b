//! What a forward sweep leaves behind for the reverse sweep.

/// A saved forward sweep: maps the cotangent of the result to the cotangents of the arguments.
///
/// Pulling back borrows the saved data, so one forward sweep serves many seeds. Every closure
/// of one argument is an `Adjoint`; nothing is boxed and nothing is named.
///
/// ```
/// use autodiff_core::Adjoint;
///
/// /// The forward sweep of `x * x`.
/// fn square(x: f64) -> (f64, impl Adjoint<f64, Cotangents = f64>) {
///     (x * x, move |y_bar: f64| 2.0 * x * y_bar)
/// }
///
/// let (y, saved) = square(3.0);
/// assert_eq!(y, 9.0);
/// assert_eq!(saved.pull_back(1.0), 6.0);
/// assert_eq!(saved.pull_back(-0.5), -3.0);
/// ```
pub trait Adjoint<Seed> {
    /// The cotangents of the arguments.
    type Cotangents;

    /// The cotangents of the arguments, for the cotangent `seed` of the result.
    fn pull_back(&self, seed: Seed) -> Self::Cotangents;
}

impl<F, Seed, C> Adjoint<Seed> for F
where
    F: Fn(Seed) -> C,
{
    type Cotangents = C;

    #[inline]
    fn pull_back(&self, seed: Seed) -> C {
        self(seed)
    }
}
