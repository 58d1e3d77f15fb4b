//! Tangents of arrays, tuples, options and heap slices: component by component.

use crate::Tangent;

impl<T: Tangent, const N: usize> Tangent for [T; N] {
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        for (a, b) in self.iter_mut().zip(other) {
            a.accumulate(b);
        }
    }

    #[inline]
    fn deduct(&mut self, other: &Self) {
        for (a, b) in self.iter_mut().zip(other) {
            a.deduct(b);
        }
    }

    #[inline]
    fn negated(&self) -> Self {
        core::array::from_fn(|i| self[i].negated())
    }

    #[inline]
    fn scale(&mut self, factor: f64) {
        self.iter_mut().for_each(|a| a.scale(factor));
    }

    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        for (s, x) in self.iter_mut().zip(x) {
            s.axpy(a, x);
        }
    }

    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        self.iter().zip(other).map(|(a, b)| a.dot(b)).sum()
    }

    #[inline]
    fn clear(&mut self) {
        self.iter_mut().for_each(T::clear);
    }

    #[inline]
    fn for_each<F: FnMut(f64)>(&self, visit: &mut F) {
        self.iter().for_each(|a| a.for_each(visit));
    }

    #[inline]
    fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F) {
        self.iter_mut().for_each(|a| a.for_each_mut(update));
    }
}

macro_rules! tuples {
    ($($($t:ident $i:tt)*;)*) => { $(
        impl<$($t: Tangent),*> Tangent for ($($t,)*) {
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                $( self.$i.accumulate(&other.$i); )*
            }

            #[inline]
            fn deduct(&mut self, other: &Self) {
                $( self.$i.deduct(&other.$i); )*
            }

            #[inline]
            fn negated(&self) -> Self {
                ($(self.$i.negated(),)*)
            }

            #[inline]
            fn scale(&mut self, factor: f64) {
                $( self.$i.scale(factor); )*
            }

            #[inline]
            fn axpy(&mut self, a: f64, x: &Self) {
                $( self.$i.axpy(a, &x.$i); )*
            }

            #[inline]
            fn dot(&self, other: &Self) -> f64 {
                0.0 $( + self.$i.dot(&other.$i) )*
            }

            #[inline]
            fn clear(&mut self) {
                $( self.$i.clear(); )*
            }

            #[inline]
            fn for_each<Visit: FnMut(f64)>(&self, visit: &mut Visit) {
                $( self.$i.for_each(visit); )*
            }

            #[inline]
            fn for_each_mut<Update: FnMut(f64) -> f64>(&mut self, update: &mut Update) {
                $( self.$i.for_each_mut(update); )*
            }
        }
    )* };
}
tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11;
}

/// `None` is the tangent of `None`; it has no component and combines only with itself.
impl<T: Tangent> Tangent for Option<T> {
    #[inline]
    fn accumulate(&mut self, other: &Self) {
        if let Some((a, b)) = both("accumulate", self.as_mut(), other.as_ref()) {
            a.accumulate(b);
        }
    }

    #[inline]
    fn deduct(&mut self, other: &Self) {
        if let Some((a, b)) = both("deduct", self.as_mut(), other.as_ref()) {
            a.deduct(b);
        }
    }

    #[inline]
    fn negated(&self) -> Self {
        self.as_ref().map(T::negated)
    }

    #[inline]
    fn scale(&mut self, factor: f64) {
        self.iter_mut().for_each(|a| a.scale(factor));
    }

    #[inline]
    fn axpy(&mut self, a: f64, x: &Self) {
        if let Some((s, x)) = both("axpy", self.as_mut(), x.as_ref()) {
            s.axpy(a, x);
        }
    }

    #[inline]
    fn dot(&self, other: &Self) -> f64 {
        both("dot", self.as_ref(), other.as_ref()).map_or(0.0, |(a, b)| a.dot(b))
    }

    #[inline]
    fn clear(&mut self) {
        self.iter_mut().for_each(T::clear);
    }

    #[inline]
    fn for_each<F: FnMut(f64)>(&self, visit: &mut F) {
        self.iter().for_each(|a| a.for_each(visit));
    }

    #[inline]
    fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F) {
        self.iter_mut().for_each(|a| a.for_each_mut(update));
    }
}

/// The payloads of two options of the same shape.
#[track_caller]
#[inline]
fn both<A, B>(operation: &str, a: Option<A>, b: Option<B>) -> Option<(A, B)> {
    assert!(a.is_some() == b.is_some(), "Tangent::{operation}: `Some` and `None` differ in shape");
    a.zip(b)
}

/// Slices on the heap, which agree in everything but how they own their elements.
#[cfg(feature = "alloc")]
macro_rules! heap_slices {
    ($($t:ty),*) => { $(
        impl<T: Tangent> Tangent for $t {
            #[inline]
            fn accumulate(&mut self, other: &Self) {
                super::same_length("accumulate", self.len(), other.len());
                for (a, b) in self.iter_mut().zip(other.iter()) {
                    a.accumulate(b);
                }
            }

            #[inline]
            fn deduct(&mut self, other: &Self) {
                super::same_length("deduct", self.len(), other.len());
                for (a, b) in self.iter_mut().zip(other.iter()) {
                    a.deduct(b);
                }
            }

            #[inline]
            fn negated(&self) -> Self {
                self.iter().map(T::negated).collect()
            }

            #[inline]
            fn scale(&mut self, factor: f64) {
                self.iter_mut().for_each(|a| a.scale(factor));
            }

            #[inline]
            fn axpy(&mut self, a: f64, x: &Self) {
                super::same_length("axpy", self.len(), x.len());
                for (s, x) in self.iter_mut().zip(x.iter()) {
                    s.axpy(a, x);
                }
            }

            #[inline]
            fn dot(&self, other: &Self) -> f64 {
                super::same_length("dot", self.len(), other.len());
                self.iter().zip(other.iter()).map(|(a, b)| a.dot(b)).sum()
            }

            #[inline]
            fn clear(&mut self) {
                self.iter_mut().for_each(T::clear);
            }

            #[inline]
            fn for_each<F: FnMut(f64)>(&self, visit: &mut F) {
                self.iter().for_each(|a| a.for_each(visit));
            }

            #[inline]
            fn for_each_mut<F: FnMut(f64) -> f64>(&mut self, update: &mut F) {
                self.iter_mut().for_each(|a| a.for_each_mut(update));
            }
        }
    )* };
}
#[cfg(feature = "alloc")]
heap_slices!(alloc::vec::Vec<T>, alloc::boxed::Box<[T]>);
