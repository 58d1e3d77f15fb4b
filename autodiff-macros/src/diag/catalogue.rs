//! Every refusal, with what is wrong, why, and what to write instead.

/// A construct that is not differentiated.
#[derive(Clone, Debug)]
pub enum Refusal {
    // The attribute and the item.
    UnknownOption { name: String },
    UnknownPlan,
    UnknownOrder,
    SecondOrderRecursion,
    MatrixInLanes,
    NotAFunction,
    NoBody,
    ForeignBlock,
    // The derive.
    DeriveOnUnion,
    EnumIsNoSpace,
    ConstantTakesNothing,
    FieldOption,
    TangentOption,
    UnknownDeriveOption { name: String },
    // The signature.
    Receiver,
    ParameterAttribute,
    ReferenceResult,
    NestedReference,
    UnsupportedType,
    Async,
    Unsafe,
    ForeignAbi,
    GenericType { name: String },
    NothingActive,
    NothingReturned,
    // The body.
    Pattern,
    AssignmentTarget,
    LosesDerivative { name: String },
    UnknownMacro { name: String },
    UnknownExpression,
    ClosureValue,
    ClosureShape,
    ClosureChanged,
    QuestionMark,
    LetCondition,
    UnsafeBlock,
    RangeValue,
    RawPointer,
    ControlInCondition,
    CastOfUnknown,
    InnerAttribute { name: String },
    InnerItem,
    MovingReference,
    MatchOnReference,
    ExitTarget,
    UnknownIterator,
    IteratorValue,
    IteratorMethod { name: String },
    IteratorOption { name: String },
    IteratorFunction,
    IteratorZip,
    IteratorEnd,
    OptionClosure,
    KeptItem,
    CalleeExpression,
    QualifiedCall,
    LocalCallee,
    AssociatedFunction { name: String },
    UnknownMethod { name: String },
    LentView,
    MapFunction,
    MapWrites,
    // After the analyses.
    SaveNeedsAlloc,
    RepeatOfUnknown,
    LostInInactive { name: String },
    ReadsChanging { name: String },
    ShapeUnknown,
}

impl Refusal {
    /// The message: what, why, instead; a line each.
    pub fn text(&self) -> String {
        let (what, why, instead) = self.parts();
        format!("{what}\n  = why: {why}\n  = help: {instead}")
    }

    fn parts(&self) -> (String, &'static str, &'static str) {
        match self {
            Refusal::UnknownOption { name } => (
                format!("`differentiate` has no option `{name}`"),
                "the options are `name = ident`, `crate = path`, `order = 2`, `lanes` and `plan = \"store_all\"`",
                "correct or remove it",
            ),
            Refusal::UnknownPlan => (
                "unknown plan".to_owned(),
                "the plans are \"default\" and \"store_all\"",
                "write `plan = \"store_all\"` to turn every optimisation off, or leave `plan` out",
            ),
            Refusal::UnknownOrder => (
                "unknown order of derivatives".to_owned(),
                "there are first derivatives, `order = 1`, and with them second ones, `order = 2`",
                "write `order = 2`, or leave `order` out",
            ),
            Refusal::SecondOrderRecursion => (
                "a recursive function has no second derivatives".to_owned(),
                "its reverse sweep would have to be boxed with that of its tangents",
                "write a loop, or leave `order = 2` out",
            ),
            Refusal::MatrixInLanes => (
                "nalgebra's matrices have no tangents in lanes".to_owned(),
                "nalgebra multiplies a matrix by matrices of the same scalar type only, and a lane is several",
                "leave `lanes` out, or use arrays and slices",
            ),
            Refusal::NotAFunction => (
                "`#[differentiate]` stands on something that is not an `fn`".to_owned(),
                "a derivative belongs to a function with a body",
                "put the attribute on each `fn` to be differentiated; a type that holds floats takes a `derive` instead",
            ),
            Refusal::NoBody => (
                "`#[differentiate]` stands on a function without a body".to_owned(),
                "the derivative is made from the body",
                "put the attribute where the body is",
            ),
            Refusal::ForeignBlock => (
                "the derivatives of these functions would have no place".to_owned(),
                "they stand in an `impl` block of the type, which must be one of this crate's, by its name",
                "write a free function with `#[differentiate]`, and call it from the method",
            ),
            Refusal::DeriveOnUnion => ("a union has no tangents".to_owned(), "nothing says which of its fields is there", "use an enum"),
            Refusal::EnumIsNoSpace => {
                ("an enum is not its own tangent".to_owned(), "two of its variants have no sum", "leave `tangent = Self` out")
            }
            Refusal::ConstantTakesNothing => (
                "`#[constant]` takes no arguments".to_owned(),
                "it says that the field is inactive, and there is nothing else to say",
                "write `#[constant]`",
            ),
            Refusal::FieldOption => (
                "`#[differentiable(..)]` stands on a field".to_owned(),
                "its options are about the whole type",
                "put it on the type; a field takes `#[constant]`",
            ),
            Refusal::TangentOption => (
                "a tangent can be given as `Self` only".to_owned(),
                "any other type has to be made by the derive, which knows its fields",
                "write `tangent = Self`, or `name = Other` for another name",
            ),
            Refusal::UnknownDeriveOption { name } => (
                format!("`differentiable` has no option `{name}`"),
                "the options are `name = ident`, `tangent = Self` and `crate = path`",
                "correct or remove it",
            ),
            Refusal::Receiver => (
                "this receiver is not supported".to_owned(),
                "a shadow is needed for what is behind it",
                "take `&self`, `&mut self` or `self`",
            ),
            Refusal::ParameterAttribute => (
                "this attribute on a parameter is not supported".to_owned(),
                "it would have to act on every generated function in the same way; only `#[constant]` is known here",
                "put the attribute on the whole function, or write two functions",
            ),
            Refusal::ReferenceResult => (
                "a differentiated function cannot return a reference".to_owned(),
                "its cotangent would have to be added to something that the caller owns",
                "return the value, or write the result through a `&mut` parameter",
            ),
            Refusal::NestedReference => (
                "references inside other types are not supported for active parameters".to_owned(),
                "a shadow is needed for what each reference points to",
                "pass each reference as a parameter of its own, or mark the parameter `#[constant]`",
            ),
            Refusal::UnsupportedType => (
                "this type is not supported in a differentiated function".to_owned(),
                "nothing is known of the derivative of its values",
                "use floats, arrays, slices, tuples or nalgebra's matrices; pass anything else by a plain type that is inactive",
            ),
            Refusal::Async => (
                "async code is not differentiated".to_owned(),
                "the reverse sweep runs over a program that has an end",
                "move the numeric part into a plain function and differentiate that",
            ),
            Refusal::Unsafe => (
                "unsafe functions are not differentiated".to_owned(),
                "what they rely on cannot be checked for the reverse sweep",
                "wrap the unsafe part in a function of its own that carries no derivative",
            ),
            Refusal::ForeignAbi => (
                "functions of a foreign ABI are not differentiated".to_owned(),
                "the generated functions are Rust functions",
                "differentiate a plain function and call it from the `extern` one",
            ),
            Refusal::GenericType { name } => (
                format!("the type parameter `{name}` is not supported yet"),
                "the derivative code would have to know how zero and one of the type are written",
                "write the function for `f64` (or `f32`)",
            ),
            Refusal::NothingActive => (
                "this function has no active parameter".to_owned(),
                "a derivative is taken with respect to floats, or to types made of them, that are not `#[constant]`",
                "remove the attribute, or make a parameter active",
            ),
            Refusal::NothingReturned => (
                "nothing that this function returns can carry a derivative".to_owned(),
                "its result holds no float, and no active parameter is passed by `&mut`",
                "return a float or a type made of floats",
            ),
            Refusal::Pattern => (
                "this pattern is not supported here".to_owned(),
                "each name must be bound to a known part of the value",
                "bind plain names, tuples of names or `&name`; take other parts with `let` afterwards",
            ),
            Refusal::AssignmentTarget => (
                "this is not a place that can be followed backwards".to_owned(),
                "the reverse sweep must find the cotangent of exactly what was written",
                "assign to a variable, or to an element or field of one",
            ),
            Refusal::LosesDerivative { name } => (
                format!("`{name}` would lose the derivative of an active value"),
                "what is made of its bits has no derivative",
                "use the value itself, or say that the loss is meant: `autodiff::detach(x)`",
            ),
            Refusal::UnknownMacro { name } => (
                format!("the macro `{name}!` is not understood"),
                "it may expand to anything; only the standard library's assertions, panics and printers are known to be inactive",
                "write the code that it stands for",
            ),
            Refusal::UnknownExpression => (
                "this expression is not supported".to_owned(),
                "no derivative is known for it",
                "compute it outside, or write it with arithmetic, float methods, indexing, branches and loops",
            ),
            Refusal::ClosureValue => (
                "a closure cannot be a value here".to_owned(),
                "closures are inlined where they are called; one that is stored, returned or passed to a function is called out of sight",
                "call it here, or make it a differentiated function that takes what it captures",
            ),
            Refusal::ClosureShape => (
                "this closure is not understood".to_owned(),
                "a closure is inlined: it must be called with as many arguments as it has parameters, and not be `async`",
                "write a plain closure, or its body in place",
            ),
            Refusal::ClosureChanged => (
                "a variable that this closure captures has been assigned since".to_owned(),
                "if the closure took the old value with it, the body inlined here would see the new one",
                "use another name for the new value",
            ),
            Refusal::QuestionMark => (
                "`?` is not understood here".to_owned(),
                "it leaves early, and neither closures nor results other than `Option<..>` and `Result<..>` say with what",
                "write the result type out as `Option<..>` or `Result<..>`, or use `match`",
            ),
            Refusal::LetCondition => (
                "`if let` and `while let` are not supported yet".to_owned(),
                "the pattern may bind active values",
                "test with a plain condition, or use `match` on something inactive",
            ),
            Refusal::UnsafeBlock => (
                "unsafe blocks are not differentiated".to_owned(),
                "writes through raw pointers cannot be followed backwards",
                "move it into a function that carries no derivative, or use safe code",
            ),
            Refusal::RangeValue => (
                "a range is not supported here".to_owned(),
                "it is understood in `for` and between brackets",
                "write the range where it is used",
            ),
            Refusal::RawPointer => {
                ("raw pointers are not supported".to_owned(), "writes through them cannot be followed backwards", "use references")
            }
            Refusal::ControlInCondition => (
                "this expression steers, so it must be plain".to_owned(),
                "a condition, guard or index with assignments, blocks or exits in it would run in both sweeps",
                "compute it with `let` before",
            ),
            Refusal::CastOfUnknown => (
                "the type of this value is not known, so its cast cannot be turned back".to_owned(),
                "the cotangent of `x as f32` has the type of `x`",
                "write the type: `let x: f64 = ..`",
            ),
            Refusal::InnerAttribute { name } => (
                format!("the attribute `{name}` inside the body is not supported"),
                "it would have to act on both sweeps in the same way, and `cfg` is not resolved yet when the attribute runs",
                "put it on the whole function",
            ),
            Refusal::InnerItem => (
                "items other than `const`, `static` and `use` inside the body are not supported".to_owned(),
                "they would be defined once more in each generated function",
                "move the item out of the function",
            ),
            Refusal::MovingReference => (
                "a reference that is assigned again is not supported".to_owned(),
                "a reference is another name for one place",
                "index with a variable that moves instead",
            ),
            Refusal::MatchOnReference => (
                "`match` on a reference to an active value is not supported".to_owned(),
                "the names in the patterns would be references",
                "match on the value: `match *x { .. }`",
            ),
            Refusal::ExitTarget => (
                "nothing is known that this could leave".to_owned(),
                "`break` and `continue` leave loops of this function; only `loop` has a value",
                "give the loop a label, or use a variable for the value",
            ),
            Refusal::UnknownIterator => (
                "this iterator over active values is not supported".to_owned(),
                "its items must be known to be elements of slices or arrays, numbers of a range, or what adaptors make of these",
                "loop over indices: `for i in 0..xs.len()`",
            ),
            Refusal::IteratorValue => (
                "an iterator over active values cannot be a value here".to_owned(),
                "iterators are lowered to loops where they are consumed; one that is stored, returned or passed to a function is run out of sight",
                "consume it here: with `for`, `sum`, `fold`, ..",
            ),
            Refusal::IteratorMethod { name } => (
                format!("the iterator method `{name}` is not supported over active values"),
                "it is not known as a loop, or not over these items",
                "write the loop: `for x in xs { .. }`",
            ),
            Refusal::IteratorOption { name } => (
                format!("the `Option` that `{name}` returns must be taken apart at once"),
                "an `Option` of an active value is not a value that can be followed",
                "write `.unwrap()`, `.expect(..)` or `.unwrap_or(..)` right after it",
            ),
            Refusal::IteratorFunction => (
                "this is not a function that can be inlined".to_owned(),
                "adaptors take a closure, or the path of a float method or of a differentiated function",
                "write a closure in place: `|x| ..`",
            ),
            Refusal::IteratorZip => (
                "`zip` is not understood here".to_owned(),
                "what is zipped must have items that are found by their number: no `filter`, `flat_map` or closure that changes variables before it",
                "zip first and adapt afterwards, or write the loop with indices",
            ),
            Refusal::IteratorEnd => (
                "this iterator cannot be run from its end".to_owned(),
                "`rev` is understood of sources and their numbered adaptors, and of `map`, `filter`, `inspect` and `chain` of these",
                "write `rev` before the other adaptors, or loop over indices",
            ),
            Refusal::OptionClosure => (
                "this closure that returns an `Option` is not understood".to_owned(),
                "there must be one place where it says `Some(..)`, reached through `if` only",
                "write `if condition { Some(value) } else { None }` or `condition.then(|| value)`; or use `filter` and `map`",
            ),
            Refusal::KeptItem => (
                "this item cannot be kept after the loop".to_owned(),
                "only floats, integers and references to elements of what is outside of the loop can",
                "look for its index instead, and index afterwards",
            ),
            Refusal::CalleeExpression => (
                "the function that is called here is not known by a path".to_owned(),
                "its derivatives are found beside it, by the same path",
                "call a differentiated function by its name",
            ),
            Refusal::QualifiedCall => (
                "calls by a qualified path are not supported".to_owned(),
                "the derivatives are found by the path of a function",
                "call a differentiated function by its name",
            ),
            Refusal::LocalCallee => (
                "calling this local variable is not supported".to_owned(),
                "only closures that are written in this function can be inlined; the derivative of a function pointer is not known",
                "call a differentiated function by its name",
            ),
            Refusal::AssociatedFunction { name } => (
                format!("no derivative is known for `{name}`"),
                "the derivatives of an associated function are found beside it, and this type's have none",
                "use what is understood of it: static matrices by `new` with their components, `Vec::new` and `vec![..]`",
            ),
            Refusal::UnknownMethod { name } => (
                format!("no derivative is known for the method `{name}`"),
                "an unknown operation on an active value would lose its derivative",
                "use arithmetic and the float methods of std, call a function with `#[differentiate]`, or say that a loss is meant: `autodiff::detach(x)`",
            ),
            Refusal::LentView => (
                "a view of a matrix cannot be lent to be changed".to_owned(),
                "its cotangent is a part of that of the matrix, which no function takes",
                "lend the matrix, or change a copy and put it back: `let mut v = m.column(j).into_owned(); ..; m.set_column(j, &v)`",
            ),
            Refusal::MapFunction => (
                "this is not a function that can be differentiated over components".to_owned(),
                "`map` takes a closure written in place, a float method such as `f64::tanh`, or a differentiated function",
                "write `|v| ..` with one parameter for each matrix",
            ),
            Refusal::MapWrites => (
                "the closure of `map` must be an expression of its parameters".to_owned(),
                "it runs once for each component, in both sweeps",
                "write a loop over the components for anything that changes variables",
            ),
            Refusal::SaveNeedsAlloc => (
                "this loop must save values for the reverse sweep, and how many is known only when it runs".to_owned(),
                "without the feature `alloc` there is no heap to save them on",
                "turn on `alloc`, use a literal trip count, or rewrite the loop so that nothing it overwrites is needed",
            ),
            Refusal::RepeatOfUnknown => (
                "the element of this repeated array is not known to be a float".to_owned(),
                "its cotangent is the sum over the array",
                "write the element's type: `let x: f64 = ..`",
            ),
            Refusal::ShapeUnknown => (
                "the shape of this value's cotangent is not known where the reverse sweep begins".to_owned(),
                "a `return`, `break` or `continue` may come before the value, and its type does not say its shape",
                "write the type if it is a float, or compute the value in a differentiated function of its own",
            ),
            Refusal::ReadsChanging { name } => (
                format!("the reverse sweep would have to read `{name}`, which has changed by then"),
                "a use of it was not recognised as a read of that moment; this is a defect of the macro, please report it",
                "bind the value to a name of its own with `let` before it is used",
            ),
            Refusal::LostInInactive { name } => (
                format!("an active value is assigned to `{name}`, which is inactive"),
                "its derivative would be lost",
                "make the variable a float, or take the value from a `#[constant]` parameter",
            ),
        }
    }
}
