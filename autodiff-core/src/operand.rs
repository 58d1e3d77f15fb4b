//! Using a value without giving it away.
//!
//! Generated code holds values whose type it does not know and that it needs again later. A float
//! it would copy, a matrix it must borrow: `operand(&t)` is the one or the other, and stands where
//! the user wrote `t`, since nalgebra's operators take references.

/// A value that can stand in an arithmetic expression while its owner keeps it.
pub trait Operand {
    /// The type that rules dispatch on: the type itself, with references taken off.
    type Value: ?Sized;

    /// What stands in the expression: a copy of a scalar, a reference to anything larger.
    type Ref<'a>
    where
        Self: 'a;

    /// The value behind any references.
    fn value(&self) -> &Self::Value;

    /// The operand for an expression.
    fn operand(&self) -> Self::Ref<'_>;
}

/// `x` as an operand that leaves `x` alive: a copy of a scalar, a reference to a matrix.
///
/// ```
/// use autodiff_core::operand;
///
/// let x = 1.5_f32;
/// assert_eq!(operand(&x) * 2.0, 3.0);
/// assert_eq!(operand(&&x) * 2.0, 3.0);
/// ```
#[inline(always)]
pub fn operand<X: Operand + ?Sized>(x: &X) -> X::Ref<'_> {
    x.operand()
}

/// An operand whose operators have the meaning that they have for numbers: `+` adds. What is generated where rules of the user's
/// cannot be asked (several tangents at once, second derivatives, `+=`) insists on it.
#[diagnostic::on_unimplemented(
    message = "operators of `{Self}` are not differentiated here",
    note = "with `order = 2` or `lanes`, and by `+=` and `-=`, only numbers and matrices are; write `a = a + b`, or call a differentiated function"
)]
pub trait Plain: Operand {}

impl<X: Plain + ?Sized> Plain for &X {}
impl<X: Plain + ?Sized> Plain for &mut X {}

/// [`operand`], of plain operands only.
#[inline(always)]
pub fn plain<X: Plain + ?Sized>(x: &X) -> X::Ref<'_> {
    x.operand()
}

macro_rules! copied {
    ($($t:ty)*) => { $(
        impl Plain for $t {}

        impl Operand for $t {
            type Value = Self;
            type Ref<'a> = Self;

            #[inline(always)]
            fn value(&self) -> &Self {
                self
            }

            #[inline(always)]
            fn operand(&self) -> Self {
                *self
            }
        }
    )* };
}
copied!(() f32 f64 bool char u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize);

/// Types that are borrowed: the operand is `&Self`.
macro_rules! borrowed {
    ($([$($g:tt)*] $t:ty;)*) => { $(
        impl<$($g)*> Plain for $t {}

        impl<$($g)*> Operand for $t {
            type Value = Self;
            type Ref<'a> = &'a Self where Self: 'a;

            #[inline(always)]
            fn value(&self) -> &Self {
                self
            }

            #[inline(always)]
            fn operand(&self) -> &Self {
                self
            }
        }
    )* };
}
borrowed! {
    [T] [T];
    [T, const N: usize] [T; N];
    [A] (A,);
    [A, B] (A, B);
    [A, B, C] (A, B, C);
    [A, B, C, D] (A, B, C, D);
    [T] Option<T>;
}
#[cfg(feature = "alloc")]
borrowed! {
    [T] alloc::vec::Vec<T>;
    [T] alloc::boxed::Box<[T]>;
}
#[cfg(feature = "nalgebra")]
borrowed! {
    [T, R: nalgebra::Dim, C: nalgebra::Dim, S] nalgebra::Matrix<T, R, C, S>;
}

macro_rules! through_reference {
    ($($t:ty),*) => { $(
        impl<X: Operand + ?Sized> Operand for $t {
            type Value = X::Value;
            type Ref<'a> = X::Ref<'a> where Self: 'a;

            #[inline(always)]
            fn value(&self) -> &X::Value {
                X::value(self)
            }

            #[inline(always)]
            fn operand(&self) -> X::Ref<'_> {
                X::operand(self)
            }
        }
    )* };
}
through_reference!(&X, &mut X);
