//! What the derive has to know of a type.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Generics, Member, Path, Type, Visibility, parse_quote};

use crate::diag::{Diagnostics, Origin, Refusal};

/// A type and its tangent's.
pub struct Shape<'a> {
    pub input: &'a DeriveInput,
    pub library: Path,
    pub vis: Visibility,
    pub tangent: Ident,
    /// The type is a vector space itself.
    pub own: bool,
    /// The parameters that the tangent type needs.
    pub generics: Generics,
    pub kind: Kind,
    pub variants: Vec<Variant>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Struct,
    Enum,
}

/// A variant of an enum, or the one of a struct.
pub struct Variant {
    pub name: Ident,
    pub style: Style,
    pub fields: Vec<Field>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Named,
    Tuple,
    Unit,
}

pub struct Field {
    pub member: Member,
    pub vis: Visibility,
    /// The type as written.
    pub ty: Type,
    /// The type of its tangent.
    pub tangent: TokenStream,
    pub constant: bool,
}

struct Options {
    name: Option<Ident>,
    library: Path,
    own: bool,
}

pub fn parse<'a>(input: &'a DeriveInput, diagnostics: &mut Diagnostics) -> Option<Shape<'a>> {
    let options = options(&input.attrs, diagnostics);
    let variants: Vec<Variant> = match &input.data {
        Data::Struct(data) => vec![variant(&input.ident, &data.fields, None, &options, diagnostics)],
        Data::Enum(data) => {
            let public = Some(Visibility::Inherited);
            data.variants.iter().map(|one| variant(&one.ident, &one.fields, public.clone(), &options, diagnostics)).collect()
        }
        Data::Union(data) => {
            diagnostics.refuse(Origin::of(&data.union_token), Refusal::DeriveOnUnion);
            return None;
        }
    };
    if options.own && matches!(input.data, Data::Enum(_)) {
        diagnostics.refuse(Origin::of(&input.ident), Refusal::EnumIsNoSpace);
    }
    let kind = if matches!(input.data, Data::Enum(_)) { Kind::Enum } else { Kind::Struct };
    let tangent = if options.own {
        input.ident.clone()
    } else {
        options.name.unwrap_or_else(|| format_ident!("{}Tangent", input.ident, span = input.ident.span()))
    };
    let generics = if options.own { input.generics.clone() } else { needed(&input.generics, &variants, &options.library) };
    Some(Shape { input, library: options.library, vis: input.vis.clone(), tangent, own: options.own, generics, kind, variants })
}

fn variant(name: &Ident, fields: &Fields, vis: Option<Visibility>, options: &Options, diagnostics: &mut Diagnostics) -> Variant {
    let style = match fields {
        Fields::Named(_) => Style::Named,
        Fields::Unnamed(_) => Style::Tuple,
        Fields::Unit => Style::Unit,
    };
    let fields = fields.iter().enumerate().map(|(index, field)| {
        let constant = is_constant(&field.attrs, diagnostics);
        let member = field.ident.clone().map_or_else(|| Member::Unnamed(index.into()), Member::Named);
        let tangent = if constant { quote!(()) } else { tangent(&field.ty, &options.library) };
        Field { member, vis: vis.clone().unwrap_or_else(|| field.vis.clone()), ty: field.ty.clone(), tangent, constant }
    });
    let fields = fields.collect();
    Variant { name: name.clone(), style, fields }
}

fn is_constant(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> bool {
    let mut constant = false;
    for attribute in attributes {
        if attribute.path().is_ident("constant") {
            if !matches!(attribute.meta, syn::Meta::Path(_)) {
                diagnostics.refuse(Origin::of(attribute), Refusal::ConstantTakesNothing);
            }
            constant = true;
        } else if attribute.path().is_ident("differentiable") {
            diagnostics.refuse(Origin::of(attribute), Refusal::FieldOption);
        }
    }
    constant
}

/// The tangent type of a field; an error about the type stands there.
fn tangent(ty: &Type, library: &Path) -> TokenStream {
    if crate::parse::types::classify(ty).is_float() {
        return quote!(#ty);
    }
    let (owned, span) = (without_lifetimes(ty), ty.span());
    let library = crate::emit::types::at(library, ty);
    quote_spanned!(span=> <#owned as #library::Differentiable>::Tangent)
}

/// The type with `'static` for all lifetimes: tangents own what they hold, so they are the same.
fn without_lifetimes(ty: &Type) -> Type {
    struct Last;
    impl VisitMut for Last {
        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            reference.lifetime = Some(syn::Lifetime::new("'static", reference.and_token.span));
            syn::visit_mut::visit_type_reference_mut(self, reference);
        }
        fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
            *lifetime = syn::Lifetime::new("'static", lifetime.span());
        }
    }
    let mut ty = ty.clone();
    Last.visit_type_mut(&mut ty);
    ty
}

/// The parameters that the tangents of the fields mention, and that those types are differentiable.
fn needed(generics: &Generics, variants: &[Variant], library: &Path) -> Generics {
    let fields = || variants.iter().flat_map(|variant| &variant.fields).filter(|field| !field.constant);
    let mut needed = Generics::default();
    for param in &generics.params {
        let name = match param {
            GenericParam::Type(param) => &param.ident,
            GenericParam::Const(param) => &param.ident,
            GenericParam::Lifetime(_) => continue,
        };
        if !fields().any(|field| mentions(&field.tangent, name)) {
            continue;
        }
        let mut param = param.clone();
        match &mut param {
            GenericParam::Type(param) => {
                param.default = None;
                let name = &param.ident;
                needed.make_where_clause().predicates.push(parse_quote!(#name: #library::Differentiable));
            }
            GenericParam::Const(param) => {
                param.default = None;
            }
            GenericParam::Lifetime(_) => {}
        }
        needed.params.push(param);
    }
    for field in fields() {
        let types = generics.type_params().any(|param| mentions(&field.tangent, &param.ident));
        if types {
            let ty = without_lifetimes(&field.ty);
            needed.make_where_clause().predicates.push(parse_quote!(#ty: #library::Differentiable));
        }
    }
    needed
}

fn mentions(tokens: &TokenStream, name: &Ident) -> bool {
    tokens.clone().into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == *name,
        proc_macro2::TokenTree::Group(group) => mentions(&group.stream(), name),
        _ => false,
    })
}

fn options(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Options {
    let mut options = Options { name: None, library: parse_quote!(::autodiff), own: false };
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("differentiable")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("name") {
                options.name = Some(meta.value()?.parse()?);
            } else if meta.path.is_ident("crate") {
                options.library = meta.value()?.call(Path::parse_mod_style)?;
            } else if meta.path.is_ident("tangent") {
                let value = meta.value()?.call(Ident::parse_any)?;
                options.own = value == "Self";
                if !options.own {
                    diagnostics.refuse(Origin::of(&value), Refusal::TangentOption);
                }
            } else {
                let name = quote::ToTokens::to_token_stream(&meta.path).to_string();
                diagnostics.refuse(Origin::of(&meta.path), Refusal::UnknownDeriveOption { name });
                // Its value is of no interest.
                if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<syn::Expr>()?;
                }
            }
            Ok(())
        });
        if let Err(error) = parsed {
            diagnostics.syntax(error);
        }
    }
    options
}
