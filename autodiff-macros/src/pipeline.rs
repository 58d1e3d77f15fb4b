//! The stages in order.

use proc_macro2::TokenStream;

use crate::diag::Diagnostics;
use crate::emit::{self, Program};
use crate::{analyze, lower, parse, plan, sweep};

/// Expands the attribute on `item`.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let Some(primal) = parse::parse(arguments, item.clone(), &mut diagnostics) else {
        let errors = diagnostics.into_tokens();
        return quote::quote!(#item #errors);
    };
    match differentiate(&primal, &mut diagnostics) {
        Some(program) if diagnostics.is_clean() => emit::emit(&primal, program),
        _ => emit::stubs(&primal, &diagnostics.into_tokens()),
    }
}

fn differentiate(primal: &parse::Primal, diagnostics: &mut Diagnostics) -> Option<Program> {
    let mut body = lower::lower(primal, diagnostics);
    if !diagnostics.is_clean() {
        return None;
    }
    let activity = analyze::activity(primal, &body);
    analyze::losses(primal, &body, &activity, diagnostics);
    if !diagnostics.is_clean() {
        return None;
    }
    let pushed = sweep::tangent::tangent(primal, body.clone(), &activity);
    let provisions = sweep::forward::forward(primal, &mut body, &activity);
    let mut reverse = sweep::reverse(primal, &mut body, &activity, &provisions, diagnostics);
    let plan = plan::plan(primal, &body, &mut reverse, diagnostics);
    Some(Program { pushed, body, reverse, plan })
}
