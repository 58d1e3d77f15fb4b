//! The `#[differentiate]` attribute of the `autodiff` crate: a small compiler.
//!
//! `parse` → `lower` → `analyze` → `sweep` → `plan` → `emit`, each from plain data to plain data; see
//! ARCHITECTURE.md at the top of the repository.

mod analyze;
mod derive;
mod diag;
mod emit;
mod ir;
mod lower;
mod parse;
mod pipeline;
mod plan;
mod rules;
mod second;
mod sweep;

use proc_macro::TokenStream;

/// Differentiates a function: emits it as it stands, and beside it a type of its name with its derivatives.
///
/// ```text
/// #[differentiate]
/// fn f(x: f64, ys: &[f64], n: usize) -> f64 { .. }
///
/// let (value, (dx, dys)) = f::gradient(x, &ys, n);           // dys: Vec<f64>
/// let value = f::gradient_into(x, &ys, n, &mut dx, &mut dys); // adds to the shadows
/// let (value, (dx, dys)) = f::vjp(x, &ys, n, seed);           // any cotangent of the result
/// let (value, tangent) = f::jvp(x, &ys, n, x_dot, &ys_dot);   // along a direction
/// let (value, saved) = f::forward(x, &ys, n);
/// let (dx, dys) = f::adjoint(&saved, seed);                   // as often as wanted
///
/// // With `order = 2`: the gradient, and the product of the Hessian with a direction.
/// let (value, (dx, dys), (hx, hys)) = f::hvp(x, &ys, n, x_dot, &ys_dot);
/// ```
///
/// `gradient` and `gradient_into` exist where the result is one float (`gradient_into` also where it is `()`); `forward` and
/// `adjoint` where no active parameter is a `&mut`; `hvp` where both is so, and of functions that do not call themselves. What allocates owned cotangents of slices needs the feature `alloc`.
///
/// # Arguments
///
/// - `name = other`: the derivatives live in the type `other`;
/// - `crate = path`: where the crate `autodiff` is found, `::autodiff` without it;
/// - `order = 2`: second derivatives too; functions that are called need them as well;
/// - `plan = "store_all"`: the reverse sweep saves every value that it needs and recomputes none.
///
/// A parameter marked `#[constant]` is inactive.
///
/// # Errors
///
/// What is not understood is a compile error at the user's own tokens, with the reason and what to write instead. A wrong or
/// missing derivative is never the answer.
#[proc_macro_attribute]
pub fn differentiate(attribute: TokenStream, item: TokenStream) -> TokenStream {
    pipeline::expand(attribute.into(), item.into()).into()
}

/// Tangents for a struct or an enum of yours, so that it can be a parameter, a local value or the result of a differentiated
/// function.
///
/// ```text
/// #[derive(Differentiable)]
/// struct Layer { weight: Matrix2<f64>, bias: [f64; 2], #[constant] name: &'static str }
///
/// // pub struct LayerTangent { weight: Matrix2<f64>, bias: [f64; 2], name: () }
/// let (loss, gradient) = loss::gradient(&layer);
/// layer.bias[0] -= rate * gradient.bias[0];
/// ```
///
/// The type of the tangents is called `NameTangent`. It has the fields of the type with the tangents of their types (those of integers and
/// the like are `()`), implements `Tangent`, `Clone`, `Debug`, `PartialEq`, `Copy` and `Default` where its fields do, and `+`, `-` and `* f64`.
/// Tangents of an enum have its variants; two of different variants have no sum, which panics.
///
/// A field marked `#[constant]` is inactive and may be of any type.
///
/// # Arguments
///
/// `#[differentiable(..)]` on the type takes
///
/// - `name = Other`: the type of the tangents is called so;
/// - `tangent = Self`: the type, a struct all of whose fields are their own tangents (floats, arrays, matrices), is its own tangent;
/// - `crate = path`: where the crate `autodiff` is found.
///
/// # Errors
///
/// A field whose type has no tangents is an error at that type.
#[proc_macro_derive(Differentiable, attributes(constant, differentiable))]
pub fn derive_differentiable(item: TokenStream) -> TokenStream {
    derive::expand(item.into()).into()
}
