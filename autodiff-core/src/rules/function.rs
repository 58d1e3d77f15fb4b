//! Ready-made differentiated functions: a function, and the type of its name with its derivatives.
//!
//! They follow the convention of what `#[differentiate]` generates, so differentiated code calls them by
//! the same path.

/// Functions of floats: each argument with a name for its tangent, the value, and the partial derivative by each
/// argument, which may use the value `y`.
macro_rules! scalar_functions {
    ($( $(#[$doc:meta])* $name:ident($($x:ident $dx:ident),+) -> $y:ident { $value:expr } { $($partial:expr),+ } )*) => { $(
        $(#[$doc])*
        #[inline]
        #[must_use]
        pub fn $name<T: Real>($($x: T),+) -> T {
            $value
        }

        #[doc = concat!("The derivatives of [`", stringify!($name), "`](fn@", stringify!($name), ").")]
        #[allow(non_camel_case_types)]
        pub enum $name {}

        #[allow(unused_parens)]
        impl $name {
            #[doc(hidden)]
            #[inline]
            pub fn pullback<T: Real>($($x: T),+) -> (T, impl Fn(T) -> ($(scalar_functions!(@type $x T),)+) + use<T>) {
                let $y = $name($($x),+);
                ($y, move |seed: T| {
                    let _ = $y;
                    ($(crate::rules::strong_cotangent(seed, $partial),)+)
                })
            }

            #[doc(hidden)]
            #[inline]
            pub fn pushforward<T: Real>($($x: T,)+ $($dx: T),+) -> (T, T) {
                let $y = $name($($x),+);
                let mut tangent = T::ZERO;
                $( tangent += crate::rules::strong_cotangent($dx, $partial); )+
                ($y, tangent)
            }

            /// The value, and its tangent for tangents of the arguments.
            #[inline]
            pub fn jvp<T: Real>($($x: T,)+ $($dx: T),+) -> (T, T) {
                Self::pushforward($($x,)+ $($dx),+)
            }

            scalar_functions!(@scratch scratch_0 scratch_1);

            /// The value, and the cotangents of the arguments for any cotangent of the value.
            #[inline]
            pub fn vjp<T: Real>($($x: T,)+ seed: T) -> (T, ($(scalar_functions!(@type $x T)),+)) {
                let (value, back) = Self::pullback($($x),+);
                let ($($x,)+) = back(seed);
                (value, ($($x),+))
            }

            /// The value, and its derivatives by the arguments.
            #[inline]
            pub fn gradient<T: Real>($($x: T),+) -> (T, ($(scalar_functions!(@type $x T)),+)) {
                Self::vjp($($x,)+ T::ONE)
            }
        }
    )* };
    (@type $x:ident $t:ty) => { $t };
    (@scratch $($name:ident)*) => { $(
        #[doc(hidden)]
        #[inline]
        pub fn $name<T: Real>(_: &T) -> T {
            T::ZERO
        }
    )* };
}
