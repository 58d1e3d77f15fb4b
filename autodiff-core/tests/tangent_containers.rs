//! The vector space of tangents: every operation on every container, order of components, shapes that differ.
#![cfg(feature = "std")]

use autodiff_core::{Differentiable, Tangent, accumulate_slice, deduct_slice, zero_slice};

/// All operations of the trait, on components that add and multiply exactly.
#[track_caller]
fn assert_vector_space<X: Tangent>(x: &X, components: &[f64]) {
    assert_eq!(x.flatten(), components);
    let each = |f: &dyn Fn(f64) -> f64| components.iter().map(|&c| f(c)).collect::<Vec<_>>();
    let after = |change: &dyn Fn(&mut X)| {
        let mut y = x.clone();
        change(&mut y);
        y.flatten()
    };
    let mut other = x.clone();
    other.for_each_mut(&mut |c| 2.0 * c + 1.0);
    assert_eq!(other.flatten(), each(&|c| 2.0 * c + 1.0));
    assert_eq!(after(&|y| y.accumulate(&other)), each(&|c| 3.0 * c + 1.0));
    assert_eq!(after(&|y| y.deduct(&other)), each(&|c| -c - 1.0));
    assert_eq!(after(&|y| y.axpy(-0.5, &other)), each(&|_| -0.5));
    assert_eq!(after(&|y| y.scale(4.0)), each(&|c| 4.0 * c));
    assert_eq!(after(&|y| y.clear()), each(&|_| 0.0));
    assert_eq!(x.negated().flatten(), each(&|c| -c));
    assert_eq!(x.dot(&other), components.iter().map(|c| c * (2.0 * c + 1.0)).sum::<f64>());
    let reversed: Vec<f64> = components.iter().rev().copied().collect();
    assert_eq!(after(&|y| y.assign_flat(&reversed)), reversed);
    let norm = components.iter().map(|c| c * c).sum::<f64>().sqrt();
    assert!((x.norm() - norm).abs() <= 1e-15 * norm);
}

#[test]
fn containers_are_vector_spaces() {
    assert_vector_space(&2.0_f64, &[2.0]);
    assert_vector_space(&2.0_f32, &[2.0]);
    assert_vector_space(&(), &[]);
    assert_vector_space(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]);
    assert_vector_space(&[[1.0_f32, 2.0], [3.0, 4.0]], &[1.0, 2.0, 3.0, 4.0]);
    assert_vector_space(&(1.0, [2.0_f32, 3.0], (), vec![4.0]), &[1.0, 2.0, 3.0, 4.0]);
    assert_vector_space(&Some(1.5), &[1.5]);
    assert_vector_space(&None::<f64>, &[]);
    assert_vector_space(&vec![(1.0, ()), (2.0, ())], &[1.0, 2.0]);
    assert_vector_space(&vec![1.0, 2.0].into_boxed_slice(), &[1.0, 2.0]);
    assert_vector_space(&vec![vec![1.0], vec![], vec![2.0, 3.0]], &[1.0, 2.0, 3.0]);
    let twelve = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0);
    assert_vector_space(&twelve, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
}

#[test]
fn zero_tangents_have_the_shape_of_the_value() {
    assert_eq!((1.0, 2_usize, 'x', true, [1.0_f32; 2]).zero_tangent(), (0.0, (), (), (), [0.0_f32; 2]));
    assert_eq!((Some(2.5), None::<f64>).zero_tangent(), (Some(0.0), None));
    assert_eq!(vec![(1.0, 7_u8)].zero_tangent(), vec![(0.0, ())]);
    assert_eq!([1.0, 2.0][..].zero_tangent(), vec![0.0; 2]);
    assert_eq!(zero_slice(&[[1.0; 2]; 3]), vec![[0.0; 2]; 3]);
    assert_eq!(Box::new(3.0).zero_tangent(), 0.0);
    assert_eq!((&&2.0, &mut [1.0]).zero_tangent(), (0.0, [0.0]));
    "text".zero_tangent();
}

#[test]
fn norms_neither_overflow_nor_underflow() {
    for scale in [1e-300, 1e-200, 1.0, 1e200, 1e300] {
        assert!(([3.0 * scale, 4.0 * scale].norm() / (5.0 * scale) - 1.0).abs() < 1e-14, "{scale:e}");
    }
    assert_eq!((Tangent::norm(&[0.0; 3]), [1.0, f64::INFINITY].norm()), (0.0, f64::INFINITY));
    assert!([f64::NAN, f64::INFINITY].norm().is_nan());
}

#[test]
fn slices_are_combined_in_place() {
    let mut shadow = [1.0, 2.0];
    accumulate_slice(&mut shadow, &[0.5, 0.25]);
    assert_eq!(shadow, [1.5, 2.25]);
    deduct_slice(&mut shadow, &[1.0, 1.0]);
    assert_eq!(shadow, [0.5, 1.25]);
}

/// One test for each way in which shapes differ.
macro_rules! panics {
    ($($name:ident $message:literal $call:expr;)*) => { $(
        #[test]
        #[should_panic(expected = $message)]
        fn $name() {
            let _ = $call;
        }
    )* };
}

panics! {
    accumulate_vectors "Tangent::accumulate: lengths 1 and 2 differ" vec![1.0].accumulate(&vec![1.0, 2.0]);
    deduct_vectors "Tangent::deduct: lengths 2 and 1 differ" vec![1.0, 2.0].deduct(&vec![1.0]);
    axpy_vectors "Tangent::axpy: lengths 1 and 2 differ" vec![1.0].axpy(1.0, &vec![1.0, 2.0]);
    dot_vectors "Tangent::dot: lengths 1 and 2 differ" vec![1.0].dot(&vec![1.0, 2.0]);
    accumulate_nested "Tangent::accumulate: lengths 1 and 0 differ" vec![vec![1.0]].accumulate(&vec![vec![]]);
    accumulate_options "Tangent::accumulate: `Some` and `None` differ" Some(1.0).accumulate(&None);
    deduct_options "Tangent::deduct: `Some` and `None` differ" None.deduct(&Some(1.0));
    axpy_options "Tangent::axpy: `Some` and `None` differ" Some(1.0).axpy(1.0, &None);
    dot_options "Tangent::dot: `Some` and `None` differ" Some(1.0).dot(&None);
    assign_too_few "Tangent::assign_flat: lengths 3 and 2 differ" [0.0; 3].assign_flat(&[1.0, 2.0]);
    assign_too_many "Tangent::assign_flat: lengths 1 and 2 differ" 0.0_f64.assign_flat(&[1.0, 2.0]);
    accumulate_slices "accumulate_slice: lengths 1 and 2 differ" accumulate_slice(&mut [1.0], &[1.0, 2.0]);
    deduct_slices "deduct_slice: lengths 2 and 1 differ" deduct_slice(&mut [1.0, 2.0], &[1.0]);
}
