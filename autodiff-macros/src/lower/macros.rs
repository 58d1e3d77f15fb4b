//! Macro calls: the standard library's assertions and printers are inactive statements, the panicking ones
//! end the path; anything else could hide code that touches active values, and is refused.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Expr, Macro, Token};

use super::{Binding, Lowering, Value};
use crate::diag::{Origin, Refusal};
use crate::ir::{Operand, Place, Stmt, VarId};

const STATEMENTS: &[&str] =
    &["assert", "assert_eq", "assert_ne", "debug_assert", "debug_assert_eq", "debug_assert_ne", "print", "println", "eprint", "eprintln"];
const PANICS: &[&str] = &["panic", "unreachable", "todo", "unimplemented"];
const VALUES: &[&str] = &["matches", "format", "format_args", "concat", "stringify", "line", "file"];

impl Lowering<'_> {
    /// A macro call as a statement or an expression.
    pub(super) fn macro_call(&mut self, mac: &Macro) -> Value {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if STATEMENTS.contains(&name.as_str()) || PANICS.contains(&name.as_str()) {
            let (tokens, reads) = self.macro_tokens(mac);
            let path = &mac.path;
            self.push(Stmt::Inert { tokens: quote!(#path!(#tokens);), reads });
            return if PANICS.contains(&name.as_str()) { Value::Never } else { Value::Tuple(Vec::new()) };
        }
        if VALUES.contains(&name.as_str()) || (name == "vec" && !self.reads_active(&whole(mac))) {
            return Value::Operand(self.inert_value(&whole(mac)));
        }
        if name == "vec" {
            return self.active_vector(mac);
        }
        self.refuse(mac, Refusal::UnknownMacro { name })
    }

    /// The arguments of a macro with IR variables in them, and the variables read.
    pub(super) fn macro_tokens(&mut self, mac: &Macro) -> (TokenStream, Vec<VarId>) {
        let name = mac.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        if name == "matches" {
            return self.matches_tokens(mac);
        }
        if name == "vec"
            && let Ok(repeat) = syn::parse2::<syn::ExprRepeat>(bracketed(mac))
        {
            let (repeat, reads) = self.substitute(&Expr::Repeat(repeat));
            let Expr::Repeat(syn::ExprRepeat { expr, len, .. }) = repeat else { return (TokenStream::new(), reads) };
            return (quote!(#expr; #len), reads);
        }
        let known =
            STATEMENTS.contains(&name.as_str()) || PANICS.contains(&name.as_str()) || VALUES.contains(&name.as_str()) || name == "vec";
        let arguments = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(mac.tokens.clone());
        let (true, Ok(arguments)) = (known, arguments) else {
            self.diagnostics.refuse(Origin::of(mac), Refusal::UnknownMacro { name });
            return (TokenStream::new(), Vec::new());
        };
        let mut reads = Vec::new();
        let mut tokens = TokenStream::new();
        let mut captured = Vec::new();
        for argument in &arguments {
            let plain = match argument {
                Expr::Assign(named) => &*named.right,
                other => other,
            };
            if self.steers(plain) {
                self.refuse(plain, Refusal::ControlInCondition);
            }
            if let Expr::Lit(literal) = argument
                && let syn::Lit::Str(text) = &literal.lit
            {
                captured.extend(self.captures(&text.value()));
            }
            // `name = value`: the name belongs to the format string.
            let argument = match argument {
                Expr::Assign(assign) => {
                    captured.retain(|name| assign.left.to_token_stream().to_string() != *name);
                    let (value, read) = self.substitute(&assign.right);
                    reads.extend(read);
                    let name = &assign.left;
                    quote!(#name = #value)
                }
                other => {
                    let (value, read) = self.substitute(other);
                    reads.extend(read);
                    quote!(#value)
                }
            };
            quote!(#argument,).to_tokens(&mut tokens);
        }
        self.capture(captured, &mut tokens, &mut reads);
        (tokens, reads)
    }

    /// Gives the format string's inline captures as named arguments, where the emitted name is another.
    fn capture(&mut self, names: Vec<String>, tokens: &mut TokenStream, reads: &mut Vec<VarId>) {
        for name in names {
            let ident = syn::Ident::new(&name, proc_macro2::Span::call_site());
            let Some(binding) = self.lookup(&ident).cloned() else { continue };
            let value = match binding {
                Binding::Cell(var) => Value::Place(Place::whole(var)),
                Binding::Value(value) => value,
            };
            if let Value::Place(Place { root, projections }) = &value
                && projections.is_empty()
                && self.vars.get(*root).name == name
            {
                reads.push(*root);
                continue;
            }
            if let Value::Operand(Operand::Var(var)) = &value
                && self.vars.get(*var).name == name
            {
                reads.push(*var);
                continue;
            }
            let expr = self.spell(&value, reads);
            quote!(#ident = #expr,).to_tokens(tokens);
        }
    }

    /// The names in scope that a format string captures.
    fn captures(&self, text: &str) -> Vec<String> {
        let text = text.replace("{{", "");
        let mut names: Vec<String> = Vec::new();
        for piece in text.split('{').skip(1) {
            for candidate in piece.split('}').next().unwrap_or("").split([':', '$', '.']) {
                let candidate = candidate.trim();
                if syn::parse_str::<syn::Ident>(candidate).is_ok() && !names.iter().any(|name| name == candidate) {
                    names.push(candidate.to_owned());
                }
            }
        }
        names
    }

    /// `matches!(value, pattern if guard)`: the pattern stays as it is.
    fn matches_tokens(&mut self, mac: &Macro) -> (TokenStream, Vec<VarId>) {
        let mut scrutinee = TokenStream::new();
        let mut rest = mac.tokens.clone().into_iter();
        for token in rest.by_ref() {
            if matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',') {
                break;
            }
            scrutinee.extend([token]);
        }
        match syn::parse2::<Expr>(scrutinee) {
            Ok(scrutinee) => {
                let (scrutinee, reads) = self.substitute(&scrutinee);
                let rest: TokenStream = rest.collect();
                (quote!(#scrutinee, #rest), reads)
            }
            Err(_) => {
                self.diagnostics.refuse(Origin::of(mac), Refusal::UnknownMacro { name: "matches".to_owned() });
                (TokenStream::new(), Vec::new())
            }
        }
    }
}

/// The macro call as an expression.
fn whole(mac: &Macro) -> Expr {
    Expr::Macro(syn::ExprMacro { attrs: Vec::new(), mac: mac.clone() })
}

fn bracketed(mac: &Macro) -> TokenStream {
    let tokens = &mac.tokens;
    quote!([#tokens])
}
