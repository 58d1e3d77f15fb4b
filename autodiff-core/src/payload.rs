//! The payloads of `Option` and `Result`, under the names that derived enums give to theirs.
//!
//! The tangents of a `Result` are those of an `Option`: an error carries no derivative, so `None` stands for it.

// Named as the enums name theirs: by the variant.
#![allow(non_snake_case)]

use crate::Differentiable;

/// What `Some` holds.
pub trait SomePayload {
    /// Its type.
    type Some;

    /// A reference to it. Panics where there is none.
    #[doc(hidden)]
    fn __payload_Some_0(&self) -> &Self::Some;

    /// The same, to be changed.
    #[doc(hidden)]
    fn __payload_Some_0_mut(&mut self) -> &mut Self::Some;
}

/// What `Ok` holds: of a `Result`, or of the tangent of one.
pub trait OkPayload {
    /// Its type.
    type Ok;

    /// A reference to it. Panics where there is none.
    #[doc(hidden)]
    fn __payload_Ok_0(&self) -> &Self::Ok;

    /// The same, to be changed.
    #[doc(hidden)]
    fn __payload_Ok_0_mut(&mut self) -> &mut Self::Ok;
}

#[cold]
fn absent() -> ! {
    unreachable!("there is no payload: a cotangent has the shape of its variable")
}

impl<T> SomePayload for Option<T> {
    type Some = T;

    #[inline]
    fn __payload_Some_0(&self) -> &T {
        self.as_ref().unwrap_or_else(|| absent())
    }

    #[inline]
    fn __payload_Some_0_mut(&mut self) -> &mut T {
        self.as_mut().unwrap_or_else(|| absent())
    }
}

impl<T> OkPayload for Option<T> {
    type Ok = T;

    #[inline]
    fn __payload_Ok_0(&self) -> &T {
        self.__payload_Some_0()
    }

    #[inline]
    fn __payload_Ok_0_mut(&mut self) -> &mut T {
        self.__payload_Some_0_mut()
    }
}

impl<T, E> OkPayload for Result<T, E> {
    type Ok = T;

    #[inline]
    fn __payload_Ok_0(&self) -> &T {
        self.as_ref().unwrap_or_else(|_| absent())
    }

    #[inline]
    fn __payload_Ok_0_mut(&mut self) -> &mut T {
        self.as_mut().unwrap_or_else(|_| absent())
    }
}

impl<T: Differentiable, E> Differentiable for Result<T, E> {
    type Tangent = Option<T::Tangent>;

    #[inline]
    fn zero_tangent(&self) -> Self::Tangent {
        self.as_ref().ok().map(T::zero_tangent)
    }
}

/// `Option` and `Result`, where it makes no difference which.
pub trait Maybe {
    /// The type of the value.
    type Value;

    /// A reference to the value, if there is one.
    fn value(&self) -> Option<&Self::Value>;
}

impl<T> Maybe for Option<T> {
    type Value = T;

    #[inline]
    fn value(&self) -> Option<&T> {
        self.as_ref()
    }
}

impl<T, E> Maybe for Result<T, E> {
    type Value = T;

    #[inline]
    fn value(&self) -> Option<&T> {
        self.as_ref().ok()
    }
}

/// A result taken apart: its value, and its error.
///
/// ```
/// assert_eq!(autodiff_core::payload::split::<f64, _>(Err("negative")), (None, Some("negative")));
/// ```
#[inline]
pub fn split<T, E>(result: Result<T, E>) -> (Option<T>, Option<E>) {
    match result {
        Ok(value) => (Some(value), None),
        Err(error) => (None, Some(error)),
    }
}

/// The error of a result that has no value.
///
/// # Panics
///
/// Where there is none.
#[inline]
pub fn found<E>(error: Option<E>) -> E {
    error.unwrap_or_else(|| absent())
}
