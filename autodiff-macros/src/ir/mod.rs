//! The intermediate representation: data types and what they mean, no code.
//!
//! A function body is a tree of [`Block`]s over numbered variables, in A-normal form: each [`Op`] has
//! operands, never nested expressions. The same types serve the primal program and the reverse program
//! that the sweep makes of it, so that passes and the emitter see one language.
//!
//! **Values and cells.** A variable is either a *value* (assigned once, at its `Let`) or a *cell*
//! (declared by `Declare`, written by `Store` and `Update`, read by `Op::Read`). Every read of a cell
//! that an operation uses is a `Let` of its own, so an operand always names a value of one moment:
//! the reverse sweep cannot pick up a later content of the same variable.
//!
//! **Places** stay whole (`a[i].f`): a root variable and projections whose indices are operands.
//!
//! **Exits.** `break`, `continue` and `return` are one statement, [`Stmt::Exit`], with a code. The forward
//! sweep keeps them as jumps; the reverse sweep only ever compares the recorded code of a scope.
//! A *scope* is the function's body or the body of one loop: where an exit code is kept.
//!
//! **Inactive code** that the transformation need not look into is kept as the user's own expression
//! ([`Op::Inert`]) with the variables that it reads.

pub mod build;
pub mod walk;

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, Member, Pat, Path, Type};

use crate::diag::Origin;

/// A variable of a [`Body`], by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct VarId(pub u32);

/// A loop of a [`Body`], by number, in textual order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LoopId(pub u32);

/// What the macro knows of a type. `Unknown` is always sound: the emitted code then dispatches by trait.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    /// `f32` or `f64`, with the width where it is written in the source.
    Float(Option<Width>),
    /// An integer.
    Int,
    Bool,
    /// Not differentiable, and of no further interest: text, ranges, function pointers.
    Inactive,
    /// `[T; N]`; the length as written, where it is.
    Array(Box<Ty>, Option<Length>),
    Slice(Box<Ty>),
    Tuple(Vec<Ty>),
    Option(Box<Ty>),
    /// `Result<T, E>`; the error has no derivative.
    Result(Box<Ty>),
    /// `&T` or `&mut T` of a parameter.
    Ref(Box<Ty>),
    /// A matrix or vector of nalgebra with float components.
    Matrix,
    /// The closure that a callee's forward sweep returned.
    Saved,
    Unknown,
}

/// The width of a float type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    F32,
    F64,
    /// A type parameter.
    Parameter,
}

/// The length of an array type: its tokens, and its value where that is a literal.
#[derive(Clone, Debug)]
pub struct Length {
    pub tokens: TokenStream,
    pub value: Option<u64>,
}

/// What a variable is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// The parameter of this position.
    Parameter(usize),
    /// A `let` of the user's.
    User,
    /// A value between two operations.
    Temporary,
    /// The cotangent of another variable.
    Cotangent(VarId),
    /// A zero of the shape that a cell had in the end.
    Template,
}

/// The facts about one variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its name in all emitted code; unique in the function.
    pub name: Ident,
    pub origin: Origin,
    pub ty: Ty,
    pub role: Role,
    /// Whether it can be written after its declaration.
    pub cell: bool,
    /// A cell that is assigned once on every path before it is read, so that it may be an operand.
    pub late: bool,
    /// A parameter that is a `&mut`.
    pub mutable_reference: bool,
    /// The type that the user wrote on its `let`.
    pub ascription: Option<Type>,
}

/// What an operation works on.
#[derive(Clone, Debug)]
pub enum Operand {
    Var(VarId),
    /// A literal or the path of a constant: evaluated anywhere, any number of times.
    Const(Box<Expr>),
}

/// A variable and the way to a part of it.
#[derive(Clone, Debug)]
pub struct Place {
    pub root: VarId,
    pub projections: Vec<Projection>,
}

/// One step into a place.
#[derive(Clone, Debug)]
pub enum Projection {
    /// `place[i]`; also `place[(i, j)]` with a tuple operand.
    Index(Operand),
    /// `place[low..high]`, of a slice, array or vector.
    Slice {
        low: Option<Operand>,
        high: Option<Operand>,
        inclusive: bool,
    },
    Field(Member),
    /// `place.column(j)` and the like: a part of a matrix as a matrix; `place.column_mut(j)` where it is changed.
    View {
        method: Ident,
        turbofish: Option<syn::AngleBracketedGenericArguments>,
        args: Vec<Operand>,
    },
    /// A field of the enum variant that is there; also of a tuple struct.
    Payload {
        variant: Ident,
        member: Member,
    },
    /// `*place`.
    Deref,
}

/// The arithmetic operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// Which factor of a product of cotangent and slope makes it 0, whatever the other is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strong {
    /// The cotangent: the slope may be infinite.
    Cotangent,
    /// The slope: the cotangent may be infinite.
    Slope,
    Both,
}

impl Strong {
    /// The product in which a cotangent or a slope of exactly 0 makes 0; `None`: a plain one.
    pub fn of(cotangent: bool, slope: bool) -> Option<Strong> {
        match (cotangent, slope) {
            (true, true) => Some(Strong::Both),
            (true, false) => Some(Strong::Cotangent),
            (false, true) => Some(Strong::Slope),
            (false, false) => None,
        }
    }

    /// The function of core that takes such a product.
    pub fn function(self) -> &'static str {
        match self {
            Strong::Cotangent => "strong_cotangent",
            Strong::Slope => "strong_slope",
            Strong::Both => "strong_product",
        }
    }
}

/// Whether a contribution is added or subtracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    Plus,
    Minus,
}

/// One operation of A-normal form.
#[derive(Clone, Debug)]
pub enum Op {
    Copy(Operand),
    Neg(Operand),
    Binary(Binary, Operand, Operand),
    /// A row of the scalar table, called as a method of its first operand.
    Scalar {
        row: &'static crate::rules::Row,
        method: Ident,
        args: Vec<Operand>,
    },
    /// A primitive whose rule the operand types choose (`dot`, `norm`, ...), called as a method.
    Dispatch {
        rule: &'static crate::rules::Dispatch,
        method: Ident,
        args: Vec<Argument>,
    },
    /// `f32`/`f64` conversions of an active value.
    Cast {
        value: Operand,
        ty: Type,
    },
    Read(Place),
    Tuple(Vec<Operand>),
    Array(Vec<Operand>),
    /// A static matrix or vector from its components, row by row: `Matrix2::new(a, b, c, d)`.
    Components {
        constructor: Path,
        args: Vec<Operand>,
        columns: usize,
    },
    /// A struct or an enum variant from its fields.
    Construct(Box<Construct>),
    /// What a pattern bound to `holder`: a copy of the content of `place`.
    Payload {
        holder: VarId,
        place: Place,
    },
    Repeat {
        value: Operand,
        length: Box<Expr>,
    },
    /// A `Result` taken apart: its value as an `Option`, which this defines, and its error as another, in `error`.
    Split {
        value: Operand,
        error: VarId,
    },
    /// A call of a function that has derivatives beside it, if its result is active.
    /// `saved` is the closure of the callee's forward sweep, in the forward program.
    Call {
        callee: Callee,
        args: Vec<Argument>,
        saved: Option<VarId>,
    },
    /// `x.map(|v| ..)` and `x.zip_map(&z, |v, w| ..)` over the components of matrices.
    Map(Box<Map>),
    /// The user's own expression, inactive; `reads` are the variables in it.
    Inert {
        expr: Box<Expr>,
        reads: Vec<VarId>,
    },

    // Only in reverse programs.
    /// A formula of the rule table over primal values and cotangents.
    Formula {
        expr: Box<Expr>,
        reads: Vec<VarId>,
    },
    /// Cotangent times slope, or 0 where a factor is exactly 0.
    StrongProduct(Strong, Operand, Operand),
    /// `a / b`, or 0 where `a` is exactly 0.
    StrongQuotient(Operand, Operand),
    /// A zero cotangent of the variable's shape.
    Zero(VarId),
    /// A zero cotangent of the shape of a place's content.
    ZeroAt(Place),
    /// A zero cotangent of a type that is written down.
    ZeroOf(Ty),
    /// The negative of a cotangent of unknown type.
    Negated(Operand),
    /// The cotangent of operand `index` of a dispatched primitive.
    Pull {
        rule: &'static crate::rules::Dispatch,
        index: usize,
        args: Vec<Argument>,
        result: Option<Operand>,
        cotangent: Operand,
    },
    /// The sum of an array's elements: what a repeated value receives.
    SumOf(VarId),
    /// A cast of a cotangent back to the argument's type.
    CastBack {
        value: Operand,
        /// `None`: rustc knows it.
        width: Option<Width>,
    },
    /// An owned copy of what a reference argument points to.
    Snapshot(Place),

    // Only in tangent programs.
    /// The tangent of an operator of unknown types, by those of its operands.
    Push {
        rule: &'static crate::rules::Dispatch,
        args: Vec<Argument>,
        dots: Vec<Option<Operand>>,
    },
    /// A zero tangent for the argument of a callee at this position, made by the callee: `()` where it is inactive.
    Scratch {
        callee: Callee,
        /// The receiver, of a method.
        receiver: Option<Argument>,
        position: usize,
        of: Operand,
        place: Option<Place>,
    },
}

/// What is called.
#[derive(Clone, Debug)]
pub enum Callee {
    /// A function: its derivatives are functions of the type of its path, `f::pullback`.
    Function(Path),
    /// An associated function: they are beside it in its block, `Type::f_pullback`.
    Associated(Path),
    /// A method of the first argument, `x.f_pullback(..)`. Where that can be written, nothing says whether the method does:
    /// then it is lent as if it did, `x.f_pullback_mut(..)`.
    Method { name: Ident, mutable: bool },
}

impl Callee {
    /// A function of `core::vectors`.
    pub fn of_vectors(library: &Path, name: &str) -> Self {
        let name = Ident::new(name, proc_macro2::Span::mixed_site());
        Callee::Function(syn::parse_quote!(#library::vectors::#name))
    }

    /// Whether the first argument is a receiver.
    pub fn is_method(&self) -> bool {
        matches!(self, Callee::Method { .. })
    }
}

/// A struct literal, or a call of a tuple constructor.
#[derive(Clone, Debug)]
pub struct Construct {
    pub path: Path,
    pub braces: bool,
    /// The variant's name, where it may be one.
    pub variant: Option<Ident>,
    /// References are fields by reference.
    pub fields: Vec<(Member, Argument)>,
    /// `..base`
    pub base: Option<Operand>,
}

impl Construct {
    /// Whether it is an `Err(..)`.
    pub fn is_error(&self) -> bool {
        !self.braces && self.variant.as_ref().is_some_and(|variant| variant == "Err")
    }
}

/// An argument of a call: a value, or a reference to a place.
#[derive(Clone, Debug)]
pub enum Argument {
    Value(Operand),
    Ref { place: Place, mutable: bool },
}

/// An elementwise function over the components of one or more matrices.
#[derive(Clone, Debug)]
pub struct Map {
    pub method: Ident,
    /// The receiver and the other matrices, with the closure's parameter for each.
    pub inputs: Vec<(Argument, VarId)>,
    pub body: Block,
    pub result: Operand,
    /// The closure or function path as the user wrote it, names substituted.
    pub source: Box<Expr>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    Let {
        var: VarId,
        op: Op,
    },
    /// A cell begins; `None`: its first `Store` initialises it.
    Declare {
        var: VarId,
        init: Option<Operand>,
    },
    Store {
        place: Place,
        value: Operand,
    },
    /// `place += value` or `place -= value`: linear, needs no old content.
    Update {
        place: Place,
        sign: Sign,
        value: Operand,
    },
    If {
        cond: Operand,
        then: Block,
        els: Block,
    },
    Match(Box<Match>),
    Loop(Box<Loop>),
    /// Leaves `target` and every scope inside it; `code` identifies it in each of them.
    Exit {
        kind: Exit,
        code: u32,
    },
    /// An inactive statement of the user's (`assert!`, `println!`, an item), names substituted.
    Inert {
        tokens: TokenStream,
        reads: Vec<VarId>,
    },

    // Only in reverse programs.
    /// Sets a place of unknown type to zero.
    Clear(Place),
    /// The reverse of a run of statements begins: what the plan rebuilds of the values that they define, it rebuilds here.
    Recompute(Vec<VarId>),
    /// `if` over the recorded exit code of a scope: run only where it was left later than by `code`, or not at all.
    Unless {
        scope: Scope,
        code: u32,
        body: Block,
    },
    ReverseLoop {
        forward: Box<Loop>,
        body: Block,
    },
    /// `match` over the recorded number of the arm taken.
    ReverseMatch {
        chosen: VarId,
        arms: Vec<Block>,
    },
    /// `Tangent::accumulate` of a pullback in place, without a temporary.
    PullInto {
        rule: &'static crate::rules::Dispatch,
        index: usize,
        args: Vec<Argument>,
        result: Option<Operand>,
        cotangent: Operand,
        place: Place,
    },
    /// A callee's reverse sweep: `results` receive the cotangents of by-value arguments.
    PullCall(Box<PullCall>),
    /// The reverse of a [`Map`]: runs over components.
    ReverseMap(Box<ReverseMap>),

    // Only in tangent programs.
    /// The tangent of a [`Map`]: runs over components.
    TangentMap(Box<TangentMap>),
}

/// How a scope is left early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    Break(LoopId),
    Continue(LoopId),
    Return,
}

/// Where an exit code is kept.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    Function,
    Loop(LoopId),
}

/// A `match`: the user's scrutinee and patterns, our blocks.
#[derive(Clone, Debug)]
pub struct Match {
    pub scrutinee: Box<Expr>,
    pub reads: Vec<VarId>,
    pub arms: Vec<Arm>,
    /// An integer value: the number of the arm taken.
    pub chosen: VarId,
}

#[derive(Clone, Debug)]
pub struct Arm {
    pub pattern: Pat,
    /// The guard as the user wrote it, names substituted.
    pub guard: Option<Box<Expr>>,
    pub reads: Vec<VarId>,
    /// The variables that the pattern binds.
    pub bindings: Vec<VarId>,
    pub body: Block,
}

/// A loop.
#[derive(Clone, Debug)]
pub struct Loop {
    pub id: LoopId,
    pub origin: Origin,
    pub kind: LoopKind,
    pub body: Block,
    /// Whether some exit inside the body names this loop's scope or one around it.
    pub exits: bool,
    /// Whether it can end before its iterator does: a `break` or `return`.
    pub abrupt: bool,
    /// An integer value after the loop: the number of iterations begun.
    pub trips: VarId,
    /// An integer value before the loop: the length of its save area.
    pub start: VarId,
    /// The exit code of an iteration.
    pub exit: VarId,
}

#[derive(Clone, Debug)]
pub enum LoopKind {
    /// `for var in low..high`, or its `.rev()`.
    Range {
        var: VarId,
        low: Operand,
        high: Operand,
        inclusive: bool,
        reversed: bool,
    },
    /// `for pattern in iterator`, all inactive.
    Iterator {
        pattern: Pat,
        bindings: Vec<VarId>,
        iterator: Box<Expr>,
        reads: Vec<VarId>,
    },
    /// `while cond`; the block computes the condition.
    While {
        header: Block,
        cond: Operand,
    },
    Endless,
    /// A labelled block: runs once, and may be left by `break`.
    Once,
}

/// Statements, in order.
#[derive(Clone, Debug, Default)]
pub struct Block(pub Vec<Stmt>);

/// What [`Stmt::PullCall`] needs.
#[derive(Clone, Debug)]
pub struct PullCall {
    pub callee: Callee,
    /// The receiver, of a method that makes a scratch shadow.
    pub receiver: Option<Argument>,
    pub saved: VarId,
    /// The shared references again, or the snapshots of what they pointed to.
    pub references: Vec<Argument>,
    pub seed: Operand,
    pub shadows: Vec<Shadow>,
    /// One for each by-value argument; `None` where nobody wants the cotangent.
    pub results: Vec<Option<VarId>>,
}

/// Where the cotangent of a reference argument goes.
#[derive(Clone, Debug)]
pub enum Shadow {
    Place(Place),
    /// A scratch shadow, made by the callee for its parameter of this position, because the argument is inactive, or
    /// because its shadow is borrowed by another argument already: then it is added to that afterwards.
    Scratch {
        position: usize,
        of: Place,
        /// One that the forward sweep made, to be copied: the receiver, which is asked for it, has changed by now.
        made: Option<VarId>,
        add_to: Option<Place>,
    },
}

/// What [`Stmt::ReverseMap`] needs.
#[derive(Clone, Debug)]
pub struct ReverseMap {
    pub map: Map,
    /// The whole result, if a component of it is needed.
    pub result: Option<VarId>,
    /// The whole cotangent, and the name of one component of it.
    pub cotangent: VarId,
    pub seed: VarId,
    /// The shadow of each input, and the component that the body computes for it.
    pub outputs: Vec<Option<(Place, VarId)>>,
    /// The primal statements of the closure that the reverse needs, then the reverse ones.
    pub body: Block,
}

/// What [`Stmt::TangentMap`] needs.
#[derive(Clone, Debug)]
pub struct TangentMap {
    pub map: Map,
    /// The whole value, and its tangent, which this defines.
    pub value: VarId,
    pub dot: VarId,
    /// The tangent of each input, and the name of one component of it.
    pub inputs: Vec<Option<(Argument, VarId)>>,
    /// The closure's body with its tangents, and the tangent of its result.
    pub body: Block,
    pub result: Operand,
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Body {
    pub vars: build::Vars,
    pub params: Vec<VarId>,
    pub root: Block,
    pub result: Operand,
    /// The exit code of the function.
    pub exit: VarId,
    /// `const`, `static` and `use` of the user's inside the body.
    pub items: Vec<TokenStream>,
}
