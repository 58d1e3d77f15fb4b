//! nalgebra's matrices: views are places, constructors are loops, and what has derivatives in core is called by its name.

use syn::{Expr, ExprCall, ExprMethodCall, Path, parse_quote};

use super::{Lowering, Value};
use crate::diag::Origin;
use crate::ir::{Argument, Callee, Op, Operand, Place, Projection, Role, Stmt, Ty};
use crate::parse::types::classify;
use crate::rules::matrix::{self, Effect, Method};

impl Lowering<'_> {
    /// `a.column(j)` and the like: a place in the place that is viewed. `None`: it is no view.
    pub(super) fn view(&mut self, call: &ExprMethodCall) -> Option<Value> {
        let (name, mutable) = matrix::view(&call.method.to_string(), call.args.len())?;
        if !matches!(self.guess(&call.receiver), Ty::Matrix | Ty::Unknown) || self.is_of_user(&call.receiver, false) {
            return None;
        }
        let viewed = match self.place(&call.receiver) {
            Some(place) => place,
            None => {
                let value = self.expr(&call.receiver);
                self.lendable(value, Origin::of(&call.receiver))
            }
        };
        let args = call.args.iter().map(|argument| self.steering(argument)).collect();
        let method = syn::Ident::new(name, Origin::of(&call.method).span());
        let place = viewed.project(Projection::View { method, turbofish: call.turbofish.clone(), args });
        Some(Value::Ref { place, mutable })
    }

    /// Whether `expr` is a view.
    pub(super) fn is_view(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_view(&inner.expr),
            Expr::MethodCall(call) => {
                matrix::view(&call.method.to_string(), call.args.len()).is_some()
                    && matches!(self.guess(&call.receiver), Ty::Matrix | Ty::Unknown)
                    && !self.is_of_user(&call.receiver, false)
            }
            _ => false,
        }
    }

    /// `place` as something to refer to: the content of a view, which is no place of Rust's, is taken out.
    pub(super) fn referable(&mut self, place: Place, origin: Origin) -> Place {
        if !place.is_view() {
            return place;
        }
        match self.read(place, origin) {
            Operand::Var(var) => Place::whole(var),
            Operand::Const(_) => unreachable!("what is read is a variable"),
        }
    }

    /// A method whose derivatives are in core, or beside a method of the user's of that name.
    pub(super) fn matrix_method(&mut self, call: &ExprMethodCall, method: &Method) -> Value {
        if method.effect == Effect::Change {
            return self.matrix_change(call);
        }
        let origin = Origin::of(call);
        let receiver = match self.receiver(&call.receiver) {
            Argument::Value(value) => Argument::Ref { place: self.lendable(Value::Operand(value), origin), mutable: false },
            lent => lent,
        };
        let mut args = vec![receiver];
        for argument in &call.args {
            let argument = self.argument(argument);
            args.push(self.steady(argument, origin));
        }
        let callee = Callee::Method { name: call.method.clone(), mutable: false };
        Value::Operand(self.value(origin, method.effect.result(), Op::Call { callee, args, saved: None }))
    }

    fn matrix_change(&mut self, call: &ExprMethodCall) -> Value {
        let origin = Origin::of(call);
        let Some(place) = self.target(&call.receiver) else { return Value::Tuple(Vec::new()) };
        let whole = if place.is_view() { self.taken_out(place.clone(), origin) } else { place.clone() };
        let mut args = vec![Argument::Ref { place: whole.clone(), mutable: true }];
        for argument in &call.args {
            let argument = self.argument(argument);
            args.push(self.steady(argument, origin));
        }
        self.activates(whole.root, &args);
        self.wrote(whole.root);
        let callee = Callee::Method { name: call.method.clone(), mutable: true };
        self.value(origin, Effect::Change.result(), Op::Call { callee, args, saved: None });
        if place.is_view() {
            let changed = self.read(whole, origin);
            self.store(place, changed);
        }
        Value::Tuple(Vec::new())
    }

    /// A variable with the content of a view, to be changed and put back.
    fn taken_out(&mut self, view: Place, origin: Origin) -> Place {
        let content = self.read(view, origin);
        let own = self.vars.named("view", origin, Ty::Matrix, Role::Temporary, true);
        self.push(Stmt::Declare { var: own, init: Some(content) });
        Place::whole(own)
    }

    /// `Matrix3::from_fn(..)` and the other constructors from active values, as loops that fill a matrix. `None`: it is none.
    pub(super) fn matrix_constructor(&mut self, path: &Path, call: &ExprCall) -> Option<Value> {
        let owner = path.segments.iter().rev().nth(1)?;
        let name = path.segments.last()?.ident.to_string();
        let named: Path = owner.ident.clone().into();
        if classify(&parse_quote!(#named)) != Ty::Matrix {
            return None;
        }
        let filling = filling(path, &owner.ident.to_string(), &name, call)?;
        Some(self.expr(&filling))
    }
}

/// The loops of a constructor.
fn filling(path: &Path, owner: &str, name: &str, call: &ExprCall) -> Option<Expr> {
    let mut dimensions: Vec<&Expr> = call.args.iter().collect();
    let source = dimensions.pop()?;
    let of_length = dimensions.is_empty() && matches!(owner, "DVector" | "RowDVector");
    let zeros = |dimensions: &[Expr]| -> Expr {
        let mut path = path.clone();
        if let Some(last) = path.segments.last_mut() {
            *last = syn::Ident::new("from_element", last.ident.span()).into();
        }
        parse_quote!(#path(#(#dimensions,)* 0.0))
    };
    let named: Vec<syn::Ident> = (0..dimensions.len()).map(|number| quote::format_ident!("__size_{number}")).collect();
    let sizes: Vec<Expr> = named.iter().map(|name| parse_quote!(#name)).collect();
    let sized: Vec<syn::Stmt> = named.iter().zip(&dimensions).map(|(name, size)| parse_quote!(let #name = #size;)).collect();
    let filled = |binding: syn::Stmt, zeros: Expr, element: Expr| -> Expr {
        let (rows, columns) = extents(owner);
        parse_quote!({
            #(#sized)*
            #binding
            let mut __filled = #zeros;
            for __column in 0..#columns {
                for __row in 0..#rows {
                    __filled[(__row, __column)] = #element;
                }
            }
            __filled
        })
    };
    let of_source: Expr = parse_quote!(__source.len());
    Some(match name {
        "from_fn" => match source {
            Expr::Path(function) => filled(parse_quote!(let () = ();), zeros(&sizes), parse_quote!(#function(__row, __column))),
            _ => filled(parse_quote!(let __source = #source;), zeros(&sizes), parse_quote!(__source(__row, __column))),
        },
        "from_element" | "repeat" => filled(parse_quote!(let __source = #source;), zeros(&sizes), parse_quote!(__source)),
        "from_row_slice" | "from_column_slice" | "from_vec" | "from_iterator" => {
            let source: Expr = if name == "from_iterator" { parse_quote!(#source.collect::<Vec<_>>()) } else { source.clone() };
            let zeros = if of_length { zeros(&[of_source]) } else { zeros(&sizes) };
            let at: Expr = if name == "from_row_slice" {
                parse_quote!(__source[__row * __filled.ncols() + __column])
            } else {
                parse_quote!(__source[__column * __filled.nrows() + __row])
            };
            filled(parse_quote!(let __source = #source;), zeros, at)
        }
        "from_diagonal" => {
            let zeros = if owner == "DMatrix" { zeros(&[of_source.clone(), of_source]) } else { zeros(&[]) };
            parse_quote!({
                let __source = #source;
                let mut __filled = #zeros;
                for __row in 0..__source.len() {
                    __filled[(__row, __row)] = __source[__row];
                }
                __filled
            })
        }
        "from_diagonal_element" => {
            let zeros = zeros(&sizes);
            parse_quote!({
                #(#sized)*
                let __source = #source;
                let mut __filled = #zeros;
                for __row in 0..usize::min(__filled.nrows(), __filled.ncols()) {
                    __filled[(__row, __row)] = __source;
                }
                __filled
            })
        }
        "from_rows" | "from_columns" => parts(name == "from_rows", source, owner, &zeros)?,
        _ => return None,
    })
}

/// `from_rows(&[a, b])` and `from_columns(&[a, b])`.
fn parts(rows: bool, source: &Expr, owner: &str, zeros: &dyn Fn(&[Expr]) -> Expr) -> Option<Expr> {
    let Expr::Reference(reference) = source else { return None };
    let Expr::Array(array) = &*reference.expr else { return None };
    let set: syn::Ident = if rows { parse_quote!(set_row) } else { parse_quote!(set_column) };
    let names: Vec<syn::Ident> = (0..array.elems.len()).map(|number| quote::format_ident!("__part_{number}")).collect();
    let bound = names.iter().zip(&array.elems).map(|(name, part)| -> syn::Stmt { parse_quote!(let #name = #part;) });
    let (first, count) = (names.first()?, names.len());
    let zeros = match (owner, rows) {
        ("DMatrix", true) => zeros(&[parse_quote!(#count), parse_quote!(#first.len())]),
        ("DMatrix", false) => zeros(&[parse_quote!(#first.len()), parse_quote!(#count)]),
        _ => zeros(&[]),
    };
    let numbers = 0..count;
    Some(parse_quote!({
        #(#bound)*
        let mut __filled = #zeros;
        #(__filled.#set(#numbers, &#names);)*
        __filled
    }))
}

/// The numbers of rows and columns, in literals where the type's name tells.
fn extents(owner: &str) -> (Expr, Expr) {
    match super::calls::dimensions(owner) {
        Some((rows, columns)) => (parse_quote!(#rows), parse_quote!(#columns)),
        None => (parse_quote!(__filled.nrows()), parse_quote!(__filled.ncols())),
    }
}
