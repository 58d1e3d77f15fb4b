//! Changes of views of matrices, which are no places of Rust's: functions of core take them.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::writer::Writer;
use crate::ir::{Sign, Stmt};

impl Sign {
    /// The function that changes a view by something.
    pub fn of_views(self) -> &'static str {
        match self {
            Sign::Plus => "accumulate",
            Sign::Minus => "deduct",
        }
    }
}

impl Writer<'_> {
    /// The statement, which changes a view as this function does.
    pub fn change_view(&mut self, stmt: &Stmt, function: &str, out: &mut TokenStream) {
        let (Stmt::Store { place, .. } | Stmt::Update { place, .. } | Stmt::Clear(place)) = stmt else { return };
        let value = match stmt {
            Stmt::Store { value, .. } | Stmt::Update { value, .. } => Some(self.borrowed(value)),
            _ => None,
        };
        let at = self.place_mut(place);
        self.before_write(stmt, out);
        let (library, function) = (self.library, format_ident!("{function}"));
        let (before, value) = value.map(|value| place.apart(value)).unzip();
        quote!(#before #library::methods::#function(#at, #value);).to_tokens(out);
    }
}
