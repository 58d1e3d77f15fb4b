//! How the derivatives of a method are written down: once, for all that is made of them.

/// A trait with the derivatives of one method that reads its receiver.
///
/// Arguments are `(lent b b_dot scratch: B = type)`, a reference; `(value k k_dot scratch: K = type)`, a number; or
/// `(plain i scratch: usize)`, without derivative. `forward` gives the value and a note: what `pull` and `push` are to know.
macro_rules! reads {
    (scratches [$($owner:ident),*] $of:ty where [$($asked:tt)*]; $(
        $(#[$doc:meta])*
        $Trait:ident { $pullback:ident $pushforward:ident $scratch:ident }
        for [$($generic:ident),*] $this:ty,
        ($(
            ($(lent $l:ident $l_dot:ident $l_scratch:ident: $L:ident = $l_ty:ty;)?
             $(value $v:ident $v_dot:ident $v_scratch:ident: $V:ident = $v_ty:ty;)?
             $(plain $p:ident $p_scratch:ident: $p_ty:ty;)?)
        ),*) -> $value:ty, tangent $tangent:ty
        where [$($bounds:tt)*]
        forward |$a:ident| $forward:expr,
        push |$y:ident, $push_note:ident, $dot:ident| $push:expr,
        pull |$note:ident, $seed:ident, $bar:ident| $pull:expr;
    )*) => {
        /// Zero tangents of the receivers and the arguments.
        pub trait Scratches: crate::Differentiable {
            $(
                /// Of the receiver.
                #[inline]
                fn $scratch(&self) -> Self::Tangent {
                    self.zero_tangent()
                }
                $(scratch!($($l_scratch)? $($v_scratch)? $($p_scratch)?);)*
            )*
        }

        impl<$($owner),*> Scratches for $of where $($asked)* {}

        $(
        $(#[$doc])*
        pub trait $Trait<$($($L,)? $($V,)?)*>: crate::Differentiable
        where
            $($($L: crate::Differentiable,)?)*
        {
            /// The value.
            type Value;
            /// The tangent or cotangent of the value.
            type Dot;
            /// The value, and the reverse sweep.
            fn $pullback(&self $($(, $l: &$L)? $(, $v: $V)? $(, $p: $p_ty)?)*) -> (
                Self::Value,
                impl Fn(&Self, $($(&$L,)?)* Self::Dot, &mut Self::Tangent, $($(&mut $L::Tangent,)?)*)
                -> ($($($V,)? $(unit!($p),)?)*) + use<Self $($(, $L)? $(, $V)?)*>,
            );
            /// The value and its tangent.
            fn $pushforward(&self $($(, $l: &$L)? $(, $v: $V)? $(, $p: $p_ty)?)*, $dot: &Self::Tangent
                $($(, $l_dot: &$L::Tangent)? $(, $v_dot: $V)? $(, $p_scratch: unit!($p))?)*
            ) -> (Self::Value, Self::Dot);
        }

        impl<$($generic),*> $Trait<$($($l_ty,)? $($v_ty,)?)*> for $this
        where
            $($bounds)*
        {
            type Value = $value;
            type Dot = $tangent;

            #[inline]
            fn $pullback(&self $($(, $l: &$l_ty)? $(, $v: $v_ty)? $(, $p: $p_ty)?)*) -> (
                $value,
                impl Fn(&Self, $($(&$l_ty,)?)* $tangent, &mut Self::Tangent, $($(&mut <$l_ty as crate::Differentiable>::Tangent,)?)*)
                -> ($($($v_ty,)? $(unit!($p),)?)*) + use<$($generic),*>,
            ) {
                let $a = self;
                let (value, $note) = $forward;
                (value, move |$a: &Self, $($($l: &$l_ty,)?)* $seed: $tangent, $bar: &mut Self::Tangent,
                    $($($l_dot: &mut <$l_ty as crate::Differentiable>::Tangent,)?)*| {
                    let _ = ($a, &$note $($(, $l)?)*);
                    $pull
                })
            }

            #[inline]
            fn $pushforward(&self $($(, $l: &$l_ty)? $(, $v: $v_ty)? $(, $p: $p_ty)?)*, $dot: &Self::Tangent
                $($(, $l_dot: &<$l_ty as crate::Differentiable>::Tangent)? $(, $v_dot: $v_ty)? $(, $p_scratch: unit!($p))?)*
            ) -> ($value, $tangent) {
                let $a = self;
                let ($y, $push_note) = $forward;
                let _ = (&$push_note $($(, $p_scratch)?)*);
                let pushed = $push;
                ($y, pushed)
            }
        }
        )*
    };
}

/// A trait with the derivatives of one method that changes its receiver: as `reads`, where `pull` turns the shadow of the
/// receiver's new content into that of its old one.
macro_rules! changes {
    (scratches [$($owner:ident),*] $of:ty where [$($asked:tt)*]; $(
        $(#[$doc:meta])*
        $Trait:ident { $pullback:ident $pushforward:ident $scratch:ident }
        for [$($generic:ident),*] $this:ty,
        ($(
            ($(lent $l:ident $l_dot:ident $l_scratch:ident: $L:ident = $l_ty:ty;)?
             $(value $v:ident $v_dot:ident $v_scratch:ident: $V:ident = $v_ty:ty;)?
             $(plain $p:ident $p_scratch:ident: $p_ty:ty;)?)
        ),*)
        where [$($bounds:tt)*]
        forward |$a:ident| $forward:expr,
        push |$push_note:ident, $dot:ident| $push:expr,
        pull |$note:ident, $bar:ident| $pull:expr;
    )*) => {
        /// Zero tangents of the receivers and the arguments.
        pub trait Scratches: crate::Differentiable {
            $(
                /// Of the receiver.
                #[inline]
                fn $scratch(&self) -> Self::Tangent {
                    self.zero_tangent()
                }
                $(scratch!($($l_scratch)? $($v_scratch)? $($p_scratch)?);)*
            )*
        }

        impl<$($owner),*> Scratches for $of where $($asked)* {}

        $(
        $(#[$doc])*
        pub trait $Trait<$($($L,)? $($V,)?)*>: crate::Differentiable
        where
            $($($L: crate::Differentiable,)?)*
        {
            /// Changes the receiver; the reverse sweep.
            fn $pullback(&mut self $($(, $l: &$L)? $(, $v: $V)? $(, $p: $p_ty)?)*) -> (
                (),
                impl Fn($($(&$L,)?)* (), &mut Self::Tangent, $($(&mut $L::Tangent,)?)*)
                -> ($($($V,)? $(unit!($p),)?)*) + use<Self $($(, $L)? $(, $V)?)*>,
            );
            /// Changes the receiver and its tangent.
            fn $pushforward(&mut self $($(, $l: &$L)? $(, $v: $V)? $(, $p: $p_ty)?)*, $dot: &mut Self::Tangent
                $($(, $l_dot: &$L::Tangent)? $(, $v_dot: $V)? $(, $p_scratch: unit!($p))?)*
            ) -> ((), ());
        }

        impl<$($generic),*> $Trait<$($($l_ty,)? $($v_ty,)?)*> for $this
        where
            $($bounds)*
        {
            #[inline]
            fn $pullback(&mut self $($(, $l: &$l_ty)? $(, $v: $v_ty)? $(, $p: $p_ty)?)*) -> (
                (),
                impl Fn($($(&$l_ty,)?)* (), &mut Self::Tangent, $($(&mut <$l_ty as crate::Differentiable>::Tangent,)?)*)
                -> ($($($v_ty,)? $(unit!($p),)?)*) + use<$($generic),*>,
            ) {
                let $a = self;
                let $note = $forward;
                ((), move |$($($l: &$l_ty,)?)* (), $bar: &mut Self::Tangent, $($($l_dot: &mut <$l_ty as crate::Differentiable>::Tangent,)?)*| {
                    let _ = (&$note $($(, $l)?)*);
                    $pull
                })
            }

            #[inline]
            fn $pushforward(&mut self $($(, $l: &$l_ty)? $(, $v: $v_ty)? $(, $p: $p_ty)?)*, $dot: &mut Self::Tangent
                $($(, $l_dot: &<$l_ty as crate::Differentiable>::Tangent)? $(, $v_dot: $v_ty)? $(, $p_scratch: unit!($p))?)*
            ) -> ((), ()) {
                let $a = self;
                let $push_note = $forward;
                let _ = (&$push_note $($(, $p_scratch)?)*);
                $push;
                ((), ())
            }
        }
        )*
    };
}

/// The cotangent of an argument without derivative.
macro_rules! unit {
    ($any:ident) => {
        ()
    };
}

/// A zero tangent of an argument.
macro_rules! scratch {
    ($scratch:ident) => {
        /// A zero tangent of an argument.
        #[inline]
        fn $scratch<Argument: crate::Differentiable + ?Sized>(&self, argument: &Argument) -> Argument::Tangent {
            argument.zero_tangent()
        }
    };
}
