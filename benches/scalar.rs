//! Gradients of scalar functions beside the same written by hand.
//!
//! ```text
//! cargo bench --bench scalar
//! ```

use std::hint::black_box;

mod functions;

use functions::{by_hand, neuron, rosenbrock, thirty};

const X: f64 = 0.7;
const Y: f64 = 1.3;
const Z: f64 = -0.4;

fn main() {
    divan::main();
}

/// Each group: the function itself, its gradient by the macro, its gradient by hand.
macro_rules! compare {
    ($function:ident($($at:expr),*)) => {
        #[divan::bench_group]
        mod $function {
            use super::*;

            #[divan::bench]
            fn primal() -> f64 {
                super::$function($(black_box($at)),*)
            }

            #[divan::bench]
            fn derived() -> impl Sized {
                super::$function::gradient($(black_box($at)),*)
            }

            #[divan::bench]
            fn by_hand() -> impl Sized {
                super::by_hand::$function($(black_box($at)),*)
            }
        }
    };
}
compare!(neuron(X, Y, Z));
compare!(rosenbrock(X, Y));
compare!(thirty(X, Y, Z));
