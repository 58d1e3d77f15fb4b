//! The stages in order.

mod block;
mod operator;

use proc_macro2::TokenStream;

use crate::diag::{Diagnostics, Origin, Refusal};
use crate::emit::{self, Program, Swept};
use crate::ir::Body;
use crate::sweep::tangent::Space;
use crate::{analyze, lower, parse, plan, second, sweep};

/// Expands the attribute on `item`.
pub fn expand(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    if let Ok(block) = syn::parse2(item.clone()) {
        let options = parse::attribute::parse(arguments, &mut diagnostics);
        return block::expand(&options, block, &mut diagnostics);
    }
    let Some(mut primal) = parse::parse(arguments, item.clone(), &mut diagnostics) else {
        let errors = diagnostics.into_tokens();
        return quote::quote!(#item #errors);
    };
    let derivatives = derivatives(&mut primal, &mut diagnostics);
    let (item, errors) = (&primal.item, diagnostics.into_tokens());
    quote::quote!(#item #derivatives #errors)
}

/// The derivatives of a function, without it; where there are refusals, they are only there to be named.
fn derivatives(primal: &mut parse::Primal, diagnostics: &mut Diagnostics) -> TokenStream {
    let mut found = Diagnostics::default();
    let refused = primal.sound == parse::Soundness::Refused;
    let program = if refused {
        // For the refusals in the body.
        lower::lower(primal, &mut found);
        None
    } else {
        differentiate(primal, &mut found)
    };
    let clean = found.is_clean();
    diagnostics.append(found);
    let derivatives = match program {
        Some(program) if clean => emit::emit(primal, program),
        _ => {
            // Their types would be errors of rustc's.
            primal.options.lanes &= !primal.mentions_matrices();
            emit::stubs(primal)
        }
    };
    match &primal.float {
        Some(float) => parse::generic::unmarked(derivatives, float, &primal.options.library),
        None => derivatives,
    }
}

fn differentiate(primal: &mut parse::Primal, diagnostics: &mut Diagnostics) -> Option<Program> {
    let (body, activity) = lowered(primal, diagnostics)?;
    let primal = &*primal;
    analyze::losses(primal, &body, &activity, diagnostics);
    if !diagnostics.is_clean() {
        return None;
    }
    let pushed = sweep::tangent::tangent(primal, body.clone(), &activity, Space::single(&primal.options.library));
    let lanes = if primal.options.lanes { in_lanes(primal, &body, &activity, diagnostics) } else { None };
    let second = if primal.options.second { second_order(primal, pushed.clone(), diagnostics) } else { None };
    let sweeps = reverse_mode(primal, body, &activity, diagnostics);
    Some(Program { pushed, lanes, sweeps, second })
}

/// The body and what is active in it. A parameter of a type that is not known, on which nothing active depends, is inactive:
/// an enum that only chooses, say, need not be differentiable.
fn lowered(primal: &mut parse::Primal, diagnostics: &mut Diagnostics) -> Option<(Body, analyze::Activity)> {
    loop {
        let body = lower::lower(primal, diagnostics);
        if !diagnostics.is_clean() {
            return None;
        }
        let activity = analyze::activity(primal, &body);
        let idle = |param: &parse::Param, var| param.active && param.known.is_unknown() && !activity.active(var);
        let idle: Vec<bool> = primal.params.iter().zip(&body.params).map(|(param, &var)| idle(param, var)).collect();
        if !idle.contains(&true) {
            return Some((body, activity));
        }
        primal.params.iter_mut().zip(idle).for_each(|(param, idle)| param.active &= !idle);
    }
}

/// The tangent program of several tangents at once.
fn in_lanes(
    primal: &parse::Primal,
    body: &Body,
    activity: &analyze::Activity,
    diagnostics: &mut Diagnostics,
) -> Option<sweep::tangent::Pushed> {
    let unknown = sweep::lanes::matrices(body, activity);
    for &origin in &unknown {
        diagnostics.refuse(origin, Refusal::MatrixInLanes);
    }
    let space = Space::lanes(&primal.options.library);
    unknown.is_empty().then(|| sweep::tangent::tangent(primal, body.clone(), activity, space))
}

/// Reverse mode of the tangent program.
fn second_order(primal: &parse::Primal, pushed: sweep::tangent::Pushed, diagnostics: &mut Diagnostics) -> Option<(parse::Primal, Swept)> {
    if primal.is_recursive() {
        let name = &primal.function.sig.ident;
        diagnostics.refuse(Origin::of(name), Refusal::SecondOrderRecursion);
        return None;
    }
    let (primal, body) = second::second(primal, pushed);
    let activity = analyze::activity(&primal, &body);
    let sweeps = reverse_mode(&primal, body, &activity, diagnostics);
    Some((primal, sweeps))
}

fn reverse_mode(primal: &parse::Primal, mut body: Body, activity: &analyze::Activity, diagnostics: &mut Diagnostics) -> Swept {
    let provisions = sweep::forward::forward(primal, &mut body, activity);
    let mut reverse = sweep::reverse(primal, &mut body, activity, &provisions, diagnostics);
    let plan = plan::plan(primal, &body, &mut reverse, diagnostics);
    sweep::drop_unneeded(&mut body.root, &body.vars, &plan.needed);
    Swept { body, reverse, plan }
}
