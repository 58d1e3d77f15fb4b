//! What the macro knows of the primitives: core's table of scalar rules, and the list of primitives
//! whose rule the operand types choose.

pub mod matrix;
mod simplify;
pub mod template;

use crate::analyze::Signs;
use crate::ir::Operand;

/// One row of the scalar table.
#[derive(Debug)]
pub struct Row {
    pub name: &'static str,
    pub args: &'static [&'static str],
    pub result: &'static str,
    /// The arguments with a partial derivative, and its formula.
    pub partials: &'static [(&'static str, &'static str)],
    /// The value can be finite where the slope is infinite.
    pub singular: bool,
    /// The slope can be infinite, but only where the value is too.
    pub unbounded: bool,
    /// The partial can be exactly zero because another operand was selected.
    pub selects: bool,
}

macro_rules! table {
    ($( $(#[$doc:meta])* fn $name:ident ($($arg:ident $(: $ty:ty)?),* $(,)?) -> $y:ident { $($a:ident : $p:expr),* $(,)? } at [$($point:tt),* $(,)?] $($flag:ident)*; )*) => {
        static ROWS: &[Row] = &[ $( Row {
            name: stringify!($name),
            args: &[$(stringify!($arg)),*],
            result: stringify!($y),
            partials: &[$((stringify!($a), stringify!($p))),*],
            singular: flagged(&[$(stringify!($flag)),*], "singular"),
            unbounded: flagged(&[$(stringify!($flag)),*], "unbounded"),
            selects: flagged(&[$(stringify!($flag)),*], "selects"),
        } ),* ];
    };
}
autodiff_core::scalar_rules!(table);

const fn flagged(flags: &[&str], wanted: &str) -> bool {
    let mut i = 0;
    while i < flags.len() {
        if same(flags[i], wanted) {
            return true;
        }
        i += 1;
    }
    false
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Rows whose slope is finite where the argument is positive.
const FINITE_ABOVE_ZERO: &[&str] = &["sqrt", "cbrt", "ln", "log2", "log10", "ln_1p"];

impl Row {
    /// Whether the slope surely is finite at these arguments.
    pub fn is_finite(&self, args: &[Operand], signs: &Signs) -> bool {
        let positive = args.first().is_some_and(|arg| signs.of(arg).positive);
        match self.name {
            // A power like a product: infinite only by overflow.
            "powi" => matches!(args.get(1), Some(Operand::Const(n)) if simplify::integer(n).is_some_and(|n| n >= 0)),
            name => positive && FINITE_ABOVE_ZERO.contains(&name),
        }
    }

    /// Whether the slope is infinite at zero only, where the value is zero.
    pub fn is_root(&self) -> bool {
        matches!(self.name, "sqrt" | "cbrt")
    }
}

/// `max` and `min` against an operand without derivative have rows of their own.
pub fn against_constant(row: &'static Row, args: &[Operand], active: impl Fn(&Operand) -> bool) -> (&'static Row, Vec<Operand>) {
    let constant = match row.name {
        "max" => "max_constant",
        "min" => "min_constant",
        _ => return (row, args.to_vec()),
    };
    let [a, b] = args else { return (row, args.to_vec()) };
    match (active(a), active(b), self::row(constant)) {
        (true, false, Some(row)) => (row, vec![a.clone(), b.clone()]),
        (false, true, Some(row)) => (row, vec![b.clone(), a.clone()]),
        _ => (row, args.to_vec()),
    }
}

/// The row of that name.
pub fn row(name: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.name == name)
}

/// The row for a float method called with `arguments` arguments besides its receiver.
pub fn method(name: &str, arguments: usize) -> Option<&'static Row> {
    row(name).filter(|row| row.args.len() == arguments + 1 && !name.ends_with("_constant"))
}

/// Float methods whose derivative is zero everywhere, so that their result is inactive.
pub const ZERO_METHODS: &[&str] = &["signum", "floor", "ceil", "round", "round_ties_even", "trunc", "div_euclid"];

/// Float methods that return integers, booleans or orderings: they steer, they carry no derivative.
pub const STEERING_METHODS: &[&str] = &[
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_normal",
    "is_subnormal",
    "is_sign_positive",
    "is_sign_negative",
    "total_cmp",
    "partial_cmp",
    "cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
];

/// Methods of containers whose result is inactive whatever they hold.
pub const CONTAINER_QUERIES: &[&str] =
    &["len", "is_empty", "nrows", "ncols", "shape", "is_square", "imax", "imin", "iamax", "iamin", "capacity"];

/// A primitive whose rule is chosen by the types of its operands.
#[derive(Debug)]
pub struct Dispatch {
    pub name: &'static str,
    /// Operands, the receiver included.
    pub arity: usize,
    /// Whether the pullback reads the result.
    pub reads_result: bool,
    /// What is known of the result's type.
    pub scalar: bool,
}

/// Those written as methods of matrices; operators have theirs by [`operator`].
static DISPATCHED: &[Dispatch] = &[
    Dispatch { name: "dot", arity: 2, reads_result: false, scalar: true },
    Dispatch { name: "norm", arity: 1, reads_result: true, scalar: true },
    Dispatch { name: "norm_squared", arity: 1, reads_result: false, scalar: true },
    Dispatch { name: "sum", arity: 1, reads_result: false, scalar: true },
    Dispatch { name: "transpose", arity: 1, reads_result: false, scalar: false },
    Dispatch { name: "component_mul", arity: 2, reads_result: false, scalar: false },
    Dispatch { name: "component_div", arity: 2, reads_result: false, scalar: false },
];

static ADD: Dispatch = Dispatch { name: "add", arity: 2, reads_result: false, scalar: false };
static SUB: Dispatch = Dispatch { name: "sub", arity: 2, reads_result: false, scalar: false };
static MUL: Dispatch = Dispatch { name: "mul", arity: 2, reads_result: false, scalar: false };
static DIV: Dispatch = Dispatch { name: "div", arity: 2, reads_result: false, scalar: false };

/// The dispatched primitive of that name and number of arguments besides the receiver.
pub fn dispatch(name: &str, arguments: usize) -> Option<&'static Dispatch> {
    DISPATCHED.iter().find(|rule| rule.name == name && rule.arity == arguments + 1)
}

/// Unary minus.
pub static NEG: Dispatch = Dispatch { name: "neg", arity: 1, reads_result: false, scalar: false };

/// The rule of an operator on operands that are not known to be floats.
pub fn operator(op: crate::ir::Binary) -> Option<&'static Dispatch> {
    match op {
        crate::ir::Binary::Add => Some(&ADD),
        crate::ir::Binary::Sub => Some(&SUB),
        crate::ir::Binary::Mul => Some(&MUL),
        crate::ir::Binary::Div => Some(&DIV),
        crate::ir::Binary::Rem => None,
    }
}

/// Whether evaluating inactive `expr` surely changes nothing: no call but of methods that are known to read only.
pub fn is_pure(expr: &syn::Expr) -> bool {
    struct Search(bool);
    impl<'ast> syn::visit::Visit<'ast> for Search {
        fn visit_expr_call(&mut self, _: &'ast syn::ExprCall) {
            self.0 = false;
        }
        fn visit_expr_macro(&mut self, _: &'ast syn::ExprMacro) {
            self.0 = false;
        }
        fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
            self.0 &= reference.mutability.is_none();
            syn::visit::visit_expr_reference(self, reference);
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            let name = call.method.to_string();
            let reads = [CONTAINER_QUERIES, STEERING_METHODS, ZERO_METHODS].iter().any(|names| names.contains(&name.as_str()));
            self.0 &= reads || name.starts_with("is_") || method(&name, call.args.len()).is_some();
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    let mut search = Search(true);
    syn::visit::Visit::visit_expr(&mut search, expr);
    search.0
}

/// Whether core's trait of floats has this method.
pub fn is_real_method(name: &str, arguments: usize) -> bool {
    let asks = ["is_nan", "is_finite", "is_infinite", "is_sign_positive", "is_sign_negative", "sin_cos"].contains(&name) && arguments == 0;
    asks || method(name, arguments).is_some() || ZERO_METHODS.contains(&name)
}

/// Whether a method of this name and number of arguments is one of floats.
pub fn is_float_method(name: &str, arguments: usize) -> bool {
    method(name, arguments).is_some() || ZERO_METHODS.contains(&name) || STEERING_METHODS.contains(&name) || name == "sin_cos"
}
