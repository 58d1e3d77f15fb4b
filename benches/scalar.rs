//! Gradients of scalar functions beside the same written by hand.
//!
//! ```text
//! cargo bench --bench scalar
//! ```

mod functions;

const X: f64 = 0.7;
const Y: f64 = 1.3;
const Z: f64 = -0.4;

fn main() {
    divan::main();
}

/// Each group: the function itself, its gradient by the macro, its gradient by hand.
macro_rules! compare {
    ($function:ident($($at:ident),*)) => {
        #[divan::bench_group]
        mod $function {
            use std::hint::black_box;

            use crate::functions::{self, by_hand};

            #[divan::bench(sample_size = 1000)]
            fn primal() -> f64 {
                functions::$function($(black_box(crate::$at)),*)
            }

            #[divan::bench(sample_size = 1000)]
            fn derived() -> impl Sized {
                functions::$function::gradient($(black_box(crate::$at)),*)
            }

            #[divan::bench(sample_size = 1000)]
            fn by_hand() -> impl Sized {
                by_hand::$function($(black_box(crate::$at)),*)
            }
        }
    };
}
compare!(neuron(X, Y, Z));
compare!(rosenbrock(X, Y));
compare!(thirty(X, Y, Z));
