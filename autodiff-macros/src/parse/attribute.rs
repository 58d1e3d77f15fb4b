//! The arguments of `#[differentiate(..)]`.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, LitStr, Path, Token};

use crate::diag::{Diagnostics, Origin, Refusal};

/// What the user may ask of the attribute.
#[derive(Clone)]
pub struct Options {
    /// `name = other`: the derivatives live in `other` instead of a type of the function's name.
    pub name: Option<Ident>,
    /// `crate = path`: where this library is found; `::autodiff` without it.
    pub library: Path,
    /// `plan = "store_all"`: every value that the reverse sweep needs is saved, none recomputed.
    pub store_all: bool,
    /// `order = 2`: second derivatives too.
    pub second: bool,
    /// `lanes`: several tangents at once too.
    pub lanes: bool,
}

impl Options {
    /// Whether operators may be the user's own. Second derivatives and several tangents at once are arithmetic of numbers.
    pub fn overloads(&self) -> bool {
        !self.second && !self.lanes
    }
}

enum Argument {
    Name(Ident),
    Library(Path),
    Plan(LitStr),
    Order(LitInt),
    Lanes,
    Unknown(Ident),
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            return Ok(Argument::Library(input.call(Path::parse_mod_style)?));
        }
        let key: Ident = input.parse()?;
        match key.to_string().as_str() {
            "name" => {
                input.parse::<Token![=]>()?;
                Ok(Argument::Name(input.parse()?))
            }
            "plan" => {
                input.parse::<Token![=]>()?;
                Ok(Argument::Plan(input.parse()?))
            }
            "order" => {
                input.parse::<Token![=]>()?;
                Ok(Argument::Order(input.parse()?))
            }
            "lanes" => Ok(Argument::Lanes),
            _ => {
                // The value of an unknown option is of no interest: skip it.
                while !input.is_empty() && !input.peek(Token![,]) {
                    input.parse::<proc_macro2::TokenTree>()?;
                }
                Ok(Argument::Unknown(key))
            }
        }
    }
}

/// Parses the arguments; each wrong one is refused at its own token.
pub fn parse(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Options {
    let mut options =
        Options { name: None, library: syn::parse_quote!(::autodiff), store_all: cfg!(feature = "store_all"), second: false, lanes: false };
    let arguments = match Punctuated::<Argument, Token![,]>::parse_terminated.parse2(tokens) {
        Ok(arguments) => arguments,
        Err(error) => {
            diagnostics.syntax(error);
            return options;
        }
    };
    for argument in arguments {
        match argument {
            Argument::Name(name) => options.name = Some(name),
            Argument::Library(path) => options.library = path,
            Argument::Plan(plan) if plan.value() == "store_all" => options.store_all = true,
            Argument::Plan(plan) if plan.value() == "default" => options.store_all = false,
            Argument::Order(order) => match order.base10_parse() {
                Ok(1) => options.second = false,
                Ok(2) => options.second = true,
                _ => diagnostics.refuse(Origin::of(&order), Refusal::UnknownOrder),
            },
            Argument::Lanes => options.lanes = true,
            Argument::Plan(plan) => diagnostics.refuse(Origin::of(&plan), Refusal::UnknownPlan),
            Argument::Unknown(key) => {
                diagnostics.refuse(Origin::of(&key), Refusal::UnknownOption { name: key.to_string() });
            }
        }
    }
    options
}
