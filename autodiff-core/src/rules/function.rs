//! Ready-made differentiated functions: a function, and the type of its name with its derivatives.
//!
//! They follow the convention of what `#[differentiate]` generates, so differentiated code calls them by
//! the same path.

/// Functions of floats: each argument with a name for its tangent, the value, and the partial derivative by each
/// argument, which may use the value `y`; then the second ones, of two arguments those by both the first, by one of each
/// and by both the second.
macro_rules! scalar_functions {
    ($( $(#[$doc:meta])* $name:ident($($x:ident $dx:ident),+) -> $y:ident { $value:expr } { $($partial:expr),+ } [ $($second:expr),+ ] )*) => { $(
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

            #[doc(hidden)]
            #[inline]
            pub fn pushforward_lanes<T: Real, const L: usize>($($x: T,)+ $($dx: crate::Lanes<T, L>),+) -> (T, crate::Lanes<T, L>) {
                let $y = $name($($x),+);
                let mut tangent = crate::Lanes::ZERO;
                $( tangent += crate::lanes::rules::strong_cotangent($dx, $partial); )+
                ($y, tangent)
            }

            /// The value, and its tangent for tangents of the arguments.
            #[inline]
            pub fn jvp<T: Real>($($x: T,)+ $($dx: T),+) -> (T, T) {
                Self::pushforward($($x,)+ $($dx),+)
            }

            scalar_functions!(@order_2 $name($($x $dx),+) -> $y { $($partial),+ } [ $($second),+ ]);
            scalar_functions!(@scratch scratch_0 scratch_1 scratch_2 scratch_3);
            scalar_functions!(@scratch_lanes scratch_lanes_0 scratch_lanes_1);

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
    (@order_2 $name:ident($x:ident $dx:ident) -> $y:ident { $by_x:expr } [ $xx:expr ]) => {
        #[doc(hidden)]
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn order_2<T: Real>($x: T, $dx: T) -> ((T, T), impl Fn((T, T)) -> (T, T) + use<T>) {
            let $y = $name($x);
            let (by_x, xx) = ($by_x, $xx);
            (($y, strong_product($dx, by_x)), move |(seed, seed_dot): (T, T)| {
                (strong_product(seed, by_x) + strong_product(seed_dot, strong_product(xx, $dx)), strong_product(seed_dot, by_x))
            })
        }
    };
    (@order_2 $name:ident($x:ident $dx:ident, $z:ident $dz:ident) -> $y:ident { $by_x:expr, $by_z:expr } [ $xx:expr, $xz:expr, $zz:expr ]) => {
        #[doc(hidden)]
        #[inline]
        #[allow(clippy::type_complexity)]
        pub fn order_2<T: Real>($x: T, $z: T, $dx: T, $dz: T) -> ((T, T), impl Fn((T, T)) -> (T, T, T, T) + use<T>) {
            let $y = $name($x, $z);
            let (by_x, by_z) = ($by_x, $by_z);
            let of_x: T = strong_product($xx, $dx) + strong_product($xz, $dz);
            let of_z: T = strong_product($xz, $dx) + strong_product($zz, $dz);
            (($y, strong_product($dx, by_x) + strong_product($dz, by_z)), move |(seed, seed_dot): (T, T)| {
                (
                    strong_product(seed, by_x) + strong_product(seed_dot, of_x),
                    strong_product(seed, by_z) + strong_product(seed_dot, of_z),
                    strong_product(seed_dot, by_x),
                    strong_product(seed_dot, by_z),
                )
            })
        }
    };
    (@type $x:ident $t:ty) => { $t };
    (@scratch_lanes $($name:ident)*) => { $(
        #[doc(hidden)]
        #[inline]
        pub fn $name<T: Real, const L: usize>(_: &T) -> crate::Lanes<T, L> {
            crate::Lanes::ZERO
        }
    )* };
    (@scratch $($name:ident)*) => { $(
        #[doc(hidden)]
        #[inline]
        pub fn $name<T: Real>(_: &T) -> T {
            T::ZERO
        }
    )* };
}
