//! The variables of a body, and the names they carry into the emitted code.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::Member;
use syn::ext::IdentExt;

use super::{Argument, Operand, Place, Projection, Role, TangentMap, Ty, Var, VarId};
use crate::diag::Origin;

/// All variables of a body, and the one place that gives names.
///
/// A user's variable keeps its name; where that is taken (shadowing) it gets a number. Our own names
/// start with two underscores, so that they read well (`__x_bar`) and meet no constant or unit struct
/// of the user's, which a pattern would otherwise refer to whatever the hygiene of its span.
#[derive(Clone, Debug, Default)]
pub struct Vars {
    vars: Vec<Var>,
    /// Every identifier in the user's function, and every name given.
    taken: BTreeSet<String>,
    /// The next number to try for each name.
    next: BTreeMap<String, u32>,
    /// Names that the user's first binding of them may still take.
    offered: BTreeSet<String>,
}

impl Vars {
    /// No variables yet; the identifiers of `function` are kept free for the user.
    pub fn new(function: &TokenStream) -> Self {
        let mut vars = Vars::default();
        vars.offer(function.clone());
        vars
    }

    fn offer(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    self.offered.insert(ident.unraw().to_string());
                }
                TokenTree::Group(group) => self.offer(group.stream()),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }

    /// The facts about `id`.
    pub fn get(&self, id: VarId) -> &Var {
        &self.vars[id.0 as usize]
    }

    /// The facts about `id`, to be refined.
    pub fn get_mut(&mut self, id: VarId) -> &mut Var {
        &mut self.vars[id.0 as usize]
    }

    /// The names of all of them.
    pub fn names(&self) -> impl Iterator<Item = &Ident> {
        self.vars.iter().map(|var| &var.name)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.vars.len()
    }

    fn push(&mut self, name: Ident, origin: Origin, ty: Ty, role: Role, cell: bool) -> VarId {
        let id = VarId(u32::try_from(self.vars.len()).expect("fewer than 2^32 variables"));
        self.vars.push(Var { name, origin, ty, role, cell, late: false, mutable_reference: false, ascription: None });
        id
    }

    /// A variable that the user bound with `name`.
    pub fn user(&mut self, name: &Ident, ty: Ty, role: Role, cell: bool) -> VarId {
        let text = name.unraw().to_string();
        let mut ident = name.clone();
        if self.offered.contains(&text) && self.taken.insert(text.clone()) {
            ident.set_span(local_span(name.span()));
        } else {
            ident = self.free(&text, "_");
            ident.set_span(local_span(name.span()));
        }
        self.push(ident, Origin::of(name), ty, role, cell)
    }

    /// Makes a temporary the user's variable `name`.
    pub fn rename(&mut self, id: VarId, name: &Ident) {
        let renamed = self.user(name, Ty::Unknown, Role::User, false);
        let Var { name, origin, .. } = self.vars.pop().expect("just pushed");
        debug_assert_eq!(renamed.0 as usize, self.vars.len());
        let var = self.get_mut(id);
        (var.name, var.origin, var.role) = (name, origin, Role::User);
    }

    /// A value between two operations.
    pub fn temporary(&mut self, origin: Origin, ty: Ty) -> VarId {
        self.named("t", origin, ty, Role::Temporary, false)
    }

    /// A variable of ours called after `hint`.
    pub fn named(&mut self, hint: &str, origin: Origin, ty: Ty, role: Role, cell: bool) -> VarId {
        let name = self.own(hint);
        self.push(name, origin, ty, role, cell)
    }

    /// A free name of ours that is no variable: a label, a save area.
    pub fn own(&mut self, hint: &str) -> Ident {
        let hint = format!("__{}", hint.trim_start_matches('_'));
        if hint != "__t" && !self.offered.contains(&hint) && self.taken.insert(hint.clone()) {
            return format_ident!("{hint}", span = Span::mixed_site());
        }
        self.free(&hint, "")
    }

    /// The cotangent of `of`.
    pub fn cotangent(&mut self, of: VarId, ty: Ty, cell: bool) -> VarId {
        let var = self.get(of);
        let (hint, origin) = (format!("{}_bar", var.name.unraw()), var.origin);
        self.named(&hint, origin, ty, Role::Cotangent(of), cell)
    }

    /// What is known of the type of a place's content.
    pub fn place_type(&self, place: &Place) -> Ty {
        let mut ty = self.get(place.root).ty.clone();
        for projection in &place.projections {
            ty = match (projection, ty.peeled().clone()) {
                (Projection::Deref, inner) => inner,
                (Projection::Index(_), Ty::Array(element, _) | Ty::Slice(element)) => *element,
                (Projection::Index(_), Ty::Matrix) => Ty::Float(None),
                (Projection::View { .. }, _) => Ty::Matrix,
                (Projection::Slice { .. }, Ty::Array(element, _) | Ty::Slice(element)) => Ty::Slice(element),
                (Projection::Field(Member::Unnamed(index)), Ty::Tuple(elements)) => {
                    elements.get(index.index as usize).cloned().unwrap_or(Ty::Unknown)
                }
                (Projection::Payload { variant, .. }, Ty::Option(inner)) if variant == "Some" => *inner,
                (Projection::Payload { variant, .. }, Ty::Result(inner)) if variant == "Ok" => *inner,
                (Projection::Field(Member::Named(name)), Ty::Matrix) if is_component(name) => Ty::Float(None),
                _ => Ty::Unknown,
            };
        }
        ty
    }

    fn free(&mut self, text: &str, separator: &str) -> Ident {
        let first = 1 + u32::from(!separator.is_empty());
        let mut number = *self.next.entry(format!("{text}{separator}")).or_insert(first);
        loop {
            let name = format!("{text}{separator}{number}");
            self.next.insert(format!("{text}{separator}"), number + 1);
            if !self.offered.contains(&name) && self.taken.insert(name.clone()) {
                return format_ident!("{name}", span = Span::mixed_site());
            }
            number += 1;
        }
    }
}

/// The method that gives a reference to a field of an enum variant.
pub fn accessor(variant: &Ident, member: &Member, mutable: bool) -> Ident {
    let member = member.to_token_stream().to_string();
    let suffix = if mutable { "_mut" } else { "" };
    format_ident!("__payload_{}_{}{suffix}", variant.unraw(), member.trim_start_matches("r#"), span = Span::mixed_site())
}

/// The span of a token that goes into a copy of the user's code: resolved as ours, so that no lint of the
/// user's crate speaks of it, and located at the user's token, so that rustc's errors point there.
pub fn local_span(user: Span) -> Span {
    Span::mixed_site().located_at(user)
}

impl TangentMap {
    /// Everything that is gone through, with the closure's name for a component of it.
    pub fn elements(&self) -> Vec<(Argument, VarId)> {
        self.map.inputs.iter().cloned().chain(self.inputs.iter().flatten().cloned()).collect()
    }
}

impl Var {
    /// Whether its content can change after it was first read.
    pub fn writable(&self) -> bool {
        (self.cell && !self.late) || self.mutable_reference
    }
}

impl Projection {
    /// What decides where it goes.
    pub fn operands(&self) -> Vec<&Operand> {
        match self {
            Projection::Index(index) => vec![index],
            Projection::Slice { low, high, .. } => low.iter().chain(high).collect(),
            Projection::View { args, .. } => args.iter().collect(),
            Projection::Field(_) | Projection::Payload { .. } | Projection::Deref => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn operands_mut(&mut self) -> Vec<&mut Operand> {
        match self {
            Projection::Index(index) => vec![index],
            Projection::Slice { low, high, .. } => low.iter_mut().chain(high).collect(),
            Projection::View { args, .. } => args.iter_mut().collect(),
            Projection::Field(_) | Projection::Payload { .. } | Projection::Deref => Vec::new(),
        }
    }
}

impl Place {
    /// Whether it is a view of a matrix, which is no place of Rust's.
    pub fn is_view(&self) -> bool {
        matches!(self.projections.last(), Some(Projection::View { .. }))
    }

    /// A text that two places share exactly if they are written alike.
    pub fn key(&self, vars: &Vars) -> String {
        let spell = |operand: &Operand| match operand {
            Operand::Var(var) => vars.get(*var).name.to_string(),
            Operand::Const(expr) => expr.to_token_stream().to_string(),
        };
        let mut key = vars.get(self.root).name.to_string();
        for projection in &self.projections {
            key += &match projection {
                Projection::Index(index) => format!("[{}]", spell(index)),
                Projection::Slice { low, high, inclusive } => {
                    let bound = |bound: &Option<Operand>| bound.as_ref().map(spell).unwrap_or_default();
                    format!("[{}..{}{}]", bound(low), if *inclusive { "=" } else { "" }, bound(high))
                }
                Projection::Field(member) => format!(".{}", member.to_token_stream()),
                Projection::View { method, turbofish, args } => {
                    let args: Vec<String> = args.iter().map(spell).collect();
                    format!(".{method}{}({})", turbofish.to_token_stream(), args.join(", "))
                }
                Projection::Payload { variant, member } => format!(".{variant}.{}", member.to_token_stream()),
                Projection::Deref => ".*".to_owned(),
            };
        }
        key
    }
}

/// nalgebra's names of vector components.
fn is_component(name: &syn::Ident) -> bool {
    matches!(
        name.to_string().as_str(),
        "x" | "y" | "z" | "w" | "a" | "b" | "m11" | "m12" | "m13" | "m21" | "m22" | "m23" | "m31" | "m32" | "m33"
    )
}
