//! What can be read off a type as it is written.

use quote::quote;
use syn::{Expr, GenericArgument, Lit, PathArguments, Type, TypePath};

use crate::ir::{Length, Ty, Width};

const INTEGERS: &[&str] = &["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

/// The names under which nalgebra's matrices and vectors are written.
const MATRICES: &[&str] = &[
    "DMatrix",
    "SMatrix",
    "OMatrix",
    "Matrix",
    "MatrixN",
    "MatrixMN",
    "DVector",
    "SVector",
    "OVector",
    "Vector",
    "RowDVector",
    "RowSVector",
    "RowOVector",
    "RowVector",
    "DMatrixView",
    "SMatrixView",
    "MatrixView",
    "DVectorView",
    "SVectorView",
    "VectorView",
    "Vector1",
    "Vector2",
    "Vector3",
    "Vector4",
    "Vector5",
    "Vector6",
    "RowVector1",
    "RowVector2",
    "RowVector3",
    "RowVector4",
    "RowVector5",
    "RowVector6",
    "Matrix1",
    "Matrix2",
    "Matrix3",
    "Matrix4",
    "Matrix5",
    "Matrix6",
    "Matrix1x2",
    "Matrix1x3",
    "Matrix1x4",
    "Matrix1x5",
    "Matrix1x6",
    "Matrix2x1",
    "Matrix2x3",
    "Matrix2x4",
    "Matrix2x5",
    "Matrix2x6",
    "Matrix3x1",
    "Matrix3x2",
    "Matrix3x4",
    "Matrix3x5",
    "Matrix3x6",
    "Matrix4x1",
    "Matrix4x2",
    "Matrix4x3",
    "Matrix4x5",
    "Matrix4x6",
    "Matrix5x1",
    "Matrix5x2",
    "Matrix5x3",
    "Matrix5x4",
    "Matrix5x6",
    "Matrix6x1",
    "Matrix6x2",
    "Matrix6x3",
    "Matrix6x4",
    "Matrix6x5",
];

/// Classifies a type by its syntax.
pub fn classify(ty: &Type) -> Ty {
    match ty {
        Type::Paren(inner) => classify(&inner.elem),
        Type::Group(inner) => classify(&inner.elem),
        Type::Array(array) => Ty::Array(Box::new(classify(&array.elem)), Some(Length::of(&array.len))),
        Type::Slice(slice) => Ty::Slice(Box::new(classify(&slice.elem))),
        Type::Tuple(tuple) => Ty::Tuple(tuple.elems.iter().map(classify).collect()),
        Type::Reference(reference) => Ty::Ref(Box::new(classify(&reference.elem))),
        Type::Path(path) if path.qself.is_none() => classify_path(path),
        Type::FnPtr(_) | Type::Ptr(_) | Type::Never(_) => Ty::Inactive,
        _ => Ty::Unknown,
    }
}

fn classify_path(path: &TypePath) -> Ty {
    let Some(segment) = path.path.segments.last() else { return Ty::Unknown };
    let name = segment.ident.to_string();
    match name.as_str() {
        "f32" => Ty::Float(Some(Width::F32)),
        "f64" => Ty::Float(Some(Width::F64)),
        "bool" => Ty::Bool,
        "char" | "str" | "String" | "Ordering" => Ty::Inactive,
        "Vec" => first_argument(&segment.arguments).map_or(Ty::Unknown, Ty::Slice),
        "Option" => first_argument(&segment.arguments).map_or(Ty::Unknown, Ty::Option),
        "Result" => first_argument(&segment.arguments).map_or(Ty::Unknown, Ty::Result),
        name if super::generic::is_float(name) => Ty::Float(Some(Width::Parameter)),
        name if INTEGERS.contains(&name) => Ty::Int,
        name if MATRICES.contains(&name) => matrix(&segment.arguments),
        _ => Ty::Unknown,
    }
}

/// The first type argument.
fn first_argument(arguments: &PathArguments) -> Option<Box<Ty>> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(first)) => Some(Box::new(classify(first))),
        _ => None,
    }
}

/// A matrix of integers or booleans is inactive.
fn matrix(arguments: &PathArguments) -> Ty {
    if let PathArguments::AngleBracketed(arguments) = arguments
        && let Some(element) = arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::Type(ty) => Some(classify(ty)),
            _ => None,
        })
        && matches!(element, Ty::Int | Ty::Bool)
    {
        return Ty::Inactive;
    }
    Ty::Matrix
}

impl Length {
    /// The length written as `expr`.
    pub fn of(expr: &Expr) -> Self {
        let value = match expr {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(int) => int.base10_parse().ok(),
                _ => None,
            },
            Expr::Group(group) => return Length::of(&group.expr),
            _ => None,
        };
        Length { tokens: quote!(#expr), value }
    }
}

impl PartialEq for Length {
    fn eq(&self, other: &Self) -> bool {
        self.tokens.to_string() == other.tokens.to_string()
    }
}

impl Ty {
    /// Whether a value of this type can carry a derivative.
    pub fn differentiable(&self) -> bool {
        match self {
            Ty::Float(_) | Ty::Matrix | Ty::Unknown => true,
            Ty::Array(element, _) | Ty::Slice(element) | Ty::Ref(element) | Ty::Option(element) | Ty::Result(element) => {
                element.differentiable()
            }
            Ty::Tuple(elements) => elements.iter().any(Ty::differentiable),
            Ty::Int | Ty::Bool | Ty::Inactive | Ty::Saved => false,
        }
    }

    /// Whether it is one float.
    pub fn is_float(&self) -> bool {
        matches!(self, Ty::Float(_))
    }

    /// Whether a value of this type is surely `Copy`.
    pub fn is_copy(&self) -> bool {
        match self {
            Ty::Float(_) | Ty::Int | Ty::Bool => true,
            Ty::Array(element, _) | Ty::Option(element) => element.is_copy(),
            Ty::Tuple(elements) => elements.iter().all(Ty::is_copy),
            Ty::Slice(_) | Ty::Ref(_) | Ty::Result(_) | Ty::Matrix | Ty::Unknown | Ty::Inactive | Ty::Saved => false,
        }
    }

    /// Whether nothing says that values of this type, or what they are made of, carry a derivative.
    pub fn is_unknown(&self) -> bool {
        match self.peeled() {
            Ty::Unknown => true,
            Ty::Slice(element) | Ty::Array(element, _) | Ty::Option(element) => element.is_unknown(),
            _ => false,
        }
    }

    /// The type behind a reference, or the type itself.
    pub fn peeled(&self) -> &Ty {
        match self {
            Ty::Ref(inner) => inner.peeled(),
            other => other,
        }
    }
}
