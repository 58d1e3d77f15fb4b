//! Differentiated functions as type parameters.

use crate::{Real, Tangent};

/// The derivatives of a function of `Args`, for code that takes any differentiated function.
///
/// `#[differentiate]` implements it for the namespace of each function without `&mut` parameters. `Args` is the tuple
/// of all parameters, with references as they are: `(&[f64], usize)`. A function that borrows is taken for every
/// lifetime, `F: for<'a> Derivatives<(&'a [f64],)>`.
///
/// ```
/// use autodiff_core::Derivatives;
///
/// /// One step of Newton's method towards a root.
/// fn newton<F: Derivatives<(f64,), Value = f64, Tangent = f64, ValueTangent = f64>>(x: f64) -> f64 {
///     let (y, slope) = F::vjp((x,), 1.0);
///     x - y / slope
/// }
/// # // By hand here: the macro is in another crate.
/// # enum Square {}
/// # impl Derivatives<(f64,)> for Square {
/// #     type Value = f64;
/// #     type Tangent = f64;
/// #     type ValueTangent = f64;
/// #     fn value((x,): (f64,)) -> f64 { x * x - 2.0 }
/// #     fn vjp((x,): (f64,), seed: f64) -> (f64, f64) { (x * x - 2.0, 2.0 * x * seed) }
/// #     fn jvp((x,): (f64,), direction: &f64) -> (f64, f64) { (x * x - 2.0, 2.0 * x * direction) }
/// # }
/// # assert_eq!(newton::<Square>(1.0), 1.5);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a differentiated function of `{Args}`",
    note = "the parameters are one tuple, `(f64,)` or `(&[f64], usize)`",
    note = "put `#[differentiate]` on the function; one with `&mut` parameters has no `Derivatives`"
)]
pub trait Derivatives<Args> {
    /// What the function returns.
    type Value;
    /// The tangents of the active parameters: of one as it is, of several in a tuple. Cotangents live there too.
    type Tangent: Tangent;
    /// The tangent of the value.
    type ValueTangent: Tangent;

    /// The function itself.
    fn value(args: Args) -> Self::Value;

    /// The value, and the cotangents of the active parameters for the cotangent `seed` of the value.
    fn vjp(args: Args, seed: Self::ValueTangent) -> (Self::Value, Self::Tangent);

    /// The value, and its tangent along `direction`.
    ///
    /// # Panics
    /// Where `direction` does not have the shape of the active parameters.
    fn jvp(args: Args, direction: &Self::Tangent) -> (Self::Value, Self::ValueTangent);
}

/// The gradient of a function that returns a float; every such [`Derivatives`] has it.
///
/// ```
/// use autodiff_core::{Gradient, Tangent};
///
/// /// Gradient descent.
/// fn minimise<F, X>(mut x: X, rate: f64, steps: usize) -> X
/// where
///     X: Tangent,
///     F: for<'a> Gradient<(&'a X,), Value = f64, Tangent = X>,
/// {
///     for _ in 0..steps {
///         let (_, slope) = F::gradient((&x,));
///         x.axpy(-rate, &slope);
///     }
///     x
/// }
/// ```
pub trait Gradient<Args>: Derivatives<Args, Value: Real> {
    /// The value, and its derivatives by the active parameters.
    fn gradient(args: Args) -> (Self::Value, Self::Tangent);
}

impl<F, Args> Gradient<Args> for F
where
    F: Derivatives<Args, Value: Real, ValueTangent = <F as Derivatives<Args>>::Value>,
{
    #[inline]
    fn gradient(args: Args) -> (Self::Value, Self::Tangent) {
        Self::vjp(args, Self::Value::ONE)
    }
}
