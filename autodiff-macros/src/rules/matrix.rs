//! nalgebra's methods whose derivatives are in `core::methods`, by name: types are rustc's matter.

use crate::ir::Ty;

/// A method with derivatives beside it.
#[derive(Debug)]
pub struct Method {
    pub name: &'static str,
    /// Besides the receiver.
    pub arguments: usize,
    pub effect: Effect,
}

/// What a method does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Gives a number.
    Number,
    /// Gives a matrix.
    Matrix,
    /// Gives something else, an `Option` or a decomposition.
    Other,
    /// Changes its receiver.
    Change,
}

impl Effect {
    /// What is known of the result.
    pub fn result(self) -> Ty {
        match self {
            Effect::Number => Ty::Float(None),
            Effect::Matrix => Ty::Matrix,
            Effect::Other => Ty::Unknown,
            Effect::Change => Ty::Tuple(Vec::new()),
        }
    }
}

macro_rules! methods {
    ($($effect:ident { $($name:literal $arguments:literal,)* })*) => {
        &[$($(Method { name: $name, arguments: $arguments, effect: Effect::$effect },)*)*]
    };
}

static METHODS: &[Method] = methods! {
    Number {
        "trace" 0, "mean" 0, "variance" 0, "product" 0, "max" 0, "min" 0, "amax" 0, "amin" 0, "metric_distance" 1, "tr_dot" 1,
        "determinant" 0, "ln_determinant" 0, "dot" 1, "norm" 0, "norm_squared" 0, "sum" 0,
    }
    Matrix {
        "row_sum" 0, "row_mean" 0, "column_sum" 0, "column_mean" 0, "diagonal" 0, "upper_triangle" 0, "lower_triangle" 0, "add_scalar" 1,
        "scale" 1, "unscale" 1, "normalize" 0, "cross" 1, "tr_mul" 1, "kronecker" 1, "l" 0, "unpack" 0, "inverse" 0,
        "transpose" 0, "component_mul" 1, "component_div" 1,
    }
    Other {
        "try_inverse" 0, "solve_lower_triangular" 1, "solve_upper_triangular" 1, "cholesky" 0, "lu" 0, "solve" 1,
    }
    Change {
        "axpy" 3, "gemv" 4, "gemm" 4, "ger" 4, "component_mul_assign" 1, "component_div_assign" 1, "copy_from" 1, "set_column" 2,
        "set_row" 2, "set_diagonal" 1, "fill" 1, "fill_diagonal" 1, "fill_column" 2, "fill_row" 2, "add_scalar_mut" 1, "scale_mut" 1,
        "unscale_mut" 1, "neg_mut" 0, "swap_rows" 2, "swap_columns" 2,
    }
};

/// The method of that name and number of arguments besides the receiver.
pub fn method(name: &str, arguments: usize) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name && method.arguments == arguments)
}

/// Methods that give a part of a matrix as a view, with the number of their arguments.
const VIEWS: &[(&str, usize)] = &[
    ("column", 1),
    ("row", 1),
    ("columns", 2),
    ("rows", 2),
    ("columns_range", 1),
    ("rows_range", 1),
    ("fixed_columns", 1),
    ("fixed_rows", 1),
    ("fixed_view", 2),
    ("view", 2),
    ("view_range", 2),
];

/// The name of a view without its `_mut`, and whether that is there.
pub fn view(name: &str, arguments: usize) -> Option<(&'static str, bool)> {
    let (plain, mutable) = name.strip_suffix("_mut").map_or((name, false), |plain| (plain, true));
    VIEWS.iter().find(|view| **view == (plain, arguments)).map(|&(name, _)| (name, mutable))
}
