//! Values that steer a program and carry no derivative.

/// Types whose values choose, count and order: nothing is lost where a derivative does not pass through them.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` is taken for one that only steers, but it may carry a derivative",
    label = "this should be a truth value, an integer, an ordering or the like",
    note = "give the function that makes it a name of its own and `#[differentiate]`, or wrap its argument in `detach`"
)]
pub trait Steering {}

macro_rules! steering {
    ($($t:ty),*) => { $( impl Steering for $t {} )* };
}
steering!((), bool, char, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, str, core::cmp::Ordering);
#[cfg(feature = "alloc")]
steering!(alloc::string::String);

impl<T: Steering + ?Sized> Steering for &T {}
impl<T: Steering> Steering for Option<T> {}
impl<T: Steering> Steering for [T] {}
impl<T: Steering, const N: usize> Steering for [T; N] {}
impl<A: Steering, B: Steering> Steering for (A, B) {}
impl<A: Steering, B: Steering, C: Steering> Steering for (A, B, C) {}
impl<T: Steering> Steering for core::ops::Range<T> {}
impl<T: Steering> Steering for core::ops::RangeInclusive<T> {}
#[cfg(feature = "alloc")]
impl<T: Steering> Steering for alloc::vec::Vec<T> {}

/// `value` itself, which must be one that only steers.
///
/// ```
/// use autodiff_core::steering;
///
/// assert!(steering(1.5_f64.is_finite()));
/// ```
#[inline(always)]
pub fn steering<T: Steering>(value: T) -> T {
    value
}
