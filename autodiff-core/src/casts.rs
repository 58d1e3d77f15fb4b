//! Tangents of numbers that are cast, where generated code does not know the number's type.

/// The tangent of a number: a float, or nothing for an integer.
#[diagnostic::on_unimplemented(message = "a value whose tangent is `{Self}` cannot be cast to a float", note = "only numbers can")]
pub trait NumberTangent: Copy {
    /// As a float; nothing is 0.
    fn widened(self) -> f64;

    /// From a float.
    fn narrowed(value: f64) -> Self;
}

impl NumberTangent for f64 {
    #[inline(always)]
    fn widened(self) -> f64 {
        self
    }

    #[inline(always)]
    fn narrowed(value: f64) -> f64 {
        value
    }
}

impl NumberTangent for f32 {
    #[inline(always)]
    fn widened(self) -> f64 {
        f64::from(self)
    }

    #[inline(always)]
    fn narrowed(value: f64) -> f32 {
        value as f32
    }
}

impl NumberTangent for () {
    #[inline(always)]
    fn widened(self) -> f64 {
        0.0
    }

    #[inline(always)]
    fn narrowed(_: f64) {}
}
