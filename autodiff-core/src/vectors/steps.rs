//! What each operation does to a vector, whatever it holds, and what its pullback does to the cotangents of one.
//!
//! `forward` gives the result and what `back` must know.

use alloc::vec::Vec;

use crate::Tangent;

/// The value at the end.
pub mod push {
    use super::*;

    pub fn forward<E>(x: &mut Vec<E>, value: E) -> ((), ()) {
        x.push(value);
        ((), ())
    }

    pub fn back<E>(x: &mut Vec<E>, (): &(), (): ()) -> E {
        x.pop().expect("as long as after the push")
    }
}

/// The value before element `at`.
pub mod insert {
    use super::*;

    pub fn forward<E>(x: &mut Vec<E>, at: usize, value: E) -> ((), usize) {
        x.insert(at, value);
        ((), at)
    }

    pub fn back<E>(x: &mut Vec<E>, at: &usize, (): ()) -> E {
        x.remove(*at)
    }
}

pub mod pop {
    use super::*;

    pub fn forward<E>(x: &mut Vec<E>) -> (Option<E>, ()) {
        (x.pop(), ())
    }

    pub fn back<E>(x: &mut Vec<E>, (): &(), seed: Option<E>) {
        x.extend(seed);
    }
}

pub mod remove {
    use super::*;

    pub fn forward<E>(x: &mut Vec<E>, at: usize) -> (E, usize) {
        (x.remove(at), at)
    }

    pub fn back<E>(x: &mut Vec<E>, at: &usize, seed: E) {
        x.insert(*at, seed);
    }
}

pub mod swap_remove {
    use super::*;

    pub fn forward<E>(x: &mut Vec<E>, at: usize) -> (E, usize) {
        (x.swap_remove(at), at)
    }

    pub fn back<E>(x: &mut Vec<E>, at: &usize, seed: E) {
        x.push(seed);
        let last = x.len() - 1;
        x.swap(*at, last);
    }
}

pub mod split_off {
    use super::*;

    pub fn forward<E>(x: &mut Vec<E>, at: usize) -> (Vec<E>, ()) {
        (x.split_off(at), ())
    }

    pub fn back<E>(x: &mut Vec<E>, (): &(), seed: Vec<E>) {
        x.extend(seed);
    }
}

pub mod reverse {
    pub fn forward<E>(x: &mut [E]) -> ((), ()) {
        x.reverse();
        ((), ())
    }

    pub fn back<E>(x: &mut [E], (): &(), (): ()) {
        x.reverse();
    }
}

pub mod rotate_left {
    pub fn forward<E>(x: &mut [E], by: usize) -> ((), usize) {
        x.rotate_left(by);
        ((), by)
    }

    pub fn back<E>(x: &mut [E], by: &usize, (): ()) {
        x.rotate_right(*by);
    }
}

pub mod rotate_right {
    pub fn forward<E>(x: &mut [E], by: usize) -> ((), usize) {
        x.rotate_right(by);
        ((), by)
    }

    pub fn back<E>(x: &mut [E], by: &usize, (): ()) {
        x.rotate_left(*by);
    }
}

/// Element `order[i]` comes to `i`.
pub mod permute {
    use super::*;

    pub fn forward<E: Clone>(x: &mut [E], order: Vec<usize>) -> ((), Vec<usize>) {
        let before = x.to_vec();
        x.iter_mut().zip(&order).for_each(|(element, &from)| element.clone_from(&before[from]));
        ((), order)
    }

    pub fn back<E: Clone>(x: &mut [E], order: &Vec<usize>, (): ()) {
        let after = x.to_vec();
        after.into_iter().zip(order).for_each(|(element, &from)| x[from] = element);
    }
}

/// The value in each element.
pub mod fill {
    use super::*;

    pub fn forward<E: Clone>(x: &mut [E], value: E) -> ((), ()) {
        x.fill(value);
        ((), ())
    }

    pub fn back<E: Tangent>(x: &mut [E], (): &(), sum: &mut E) {
        for element in x {
            sum.accumulate(element);
            element.clear();
        }
    }
}

/// The value as often as it takes to be of that length.
pub mod grow {
    use super::*;

    pub fn forward<E: Clone>(x: &mut Vec<E>, length: usize, value: E) -> ((), usize) {
        let before = x.len();
        if length > before {
            x.resize(length, value);
        }
        ((), before)
    }

    pub fn back<E: Tangent>(x: &mut Vec<E>, before: &usize, sum: &mut E) {
        x.drain(*before..).for_each(|element| sum.accumulate(&element));
    }
}

pub mod extend_from_slice {
    use super::*;

    pub fn forward<E: Clone>(x: &mut Vec<E>, slice: &[E]) {
        x.extend_from_slice(slice);
    }

    pub fn back<E: Tangent>(x: &mut Vec<E>, slice: &mut [E]) {
        let added = x.split_off(x.len() - slice.len());
        slice.iter_mut().zip(&added).for_each(|(element, cotangent)| element.accumulate(cotangent));
    }
}

pub mod copy_from_slice {
    use super::*;

    pub fn forward<E: Clone>(x: &mut [E], slice: &[E]) {
        x.clone_from_slice(slice);
    }

    pub fn back<E: Tangent>(x: &mut [E], slice: &mut [E]) {
        for (element, cotangent) in slice.iter_mut().zip(x) {
            element.accumulate(cotangent);
            cotangent.clear();
        }
    }
}
