//! Emission: the primal as the user wrote it, and beside it a type of its name with the derivatives.
//!
//! [`pullback`](items) is the one function that holds the sweeps; all others are made of it, and everything is
//! inlined together.

mod areas;
mod callee;
mod code;
mod components;
mod fold;
mod forward;
mod items;
mod reverse;
mod space;
mod spans;
pub mod types;
mod views;
mod writer;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};
use space::Space;
use spans::{Locals, located};
use syn::spanned::Spanned;

use crate::ir::build::Vars;
use crate::ir::{Body, Operand, VarId};
use crate::parse::{Primal, Soundness};
use crate::plan::Plan;
use crate::sweep::Reverse;
use crate::sweep::tangent::Pushed;

/// A differentiated function, ready to be written.
pub struct Program {
    pub pushed: Pushed,
    /// The tangent program of several tangents at once.
    pub lanes: Option<Pushed>,
    pub sweeps: Swept,
    /// The tangent program as a function, and its sweeps.
    pub second: Option<(Primal, Swept)>,
}

/// The programs of reverse mode, and the plan between them.
pub struct Swept {
    pub body: Body,
    pub reverse: Reverse,
    pub plan: Plan,
}

/// The sweeps as tokens.
struct Sweeps {
    forward: TokenStream,
    result: TokenStream,
    reverse: TokenStream,
    /// One for each by-value parameter.
    cotangents: Vec<TokenStream>,
    /// The names of the parameters, the seed and the shadows.
    names: Names,
}

/// The tangent sweep as tokens.
struct TangentSweep {
    statements: TokenStream,
    /// The value and its tangent.
    result: TokenStream,
    dots: Vec<Ident>,
}

/// The tangent sweeps; `None` where there is only a signature to be written.
struct Tangents {
    single: Option<TangentSweep>,
    lanes: Option<TangentSweep>,
}

/// The names that signatures use.
pub struct Names {
    pub params: Vec<Ident>,
    pub bars: Vec<Ident>,
    pub seed: Ident,
}

/// The derivatives of a function, to stand beside it.
pub fn emit(primal: &Primal, program: Program) -> TokenStream {
    let Program { pushed, lanes, sweeps: swept, second } = program;
    let mut locals = Locals::new(primal);
    let tangents = Tangents {
        single: Some(tangent(primal, pushed, Space::Single, &mut locals)),
        lanes: lanes.map(|pushed| tangent(primal, pushed, Space::Lanes, &mut locals)),
    };
    let first = sweeps(primal, swept, "pullback", &mut locals);
    let second = second.map(|(primal, swept)| {
        let sweeps = sweeps(&primal, swept, "order_2", &mut locals);
        (primal, sweeps)
    });
    located(items::items(primal, &first, &tangents, second.as_ref()), &locals)
}

/// Derivatives that are only there to be named: an error has been reported.
pub fn stubs(primal: &Primal) -> TokenStream {
    match primal.sound {
        Soundness::Sound => located(items::stubs(primal), &Locals::new(primal)),
        Soundness::Refused => located(items::nameless(primal), &Locals::new(primal)),
    }
}

/// `function` is what a callee's sweeps are called.
fn sweeps(primal: &Primal, swept: Swept, function: &'static str, locals: &mut Locals) -> Sweeps {
    let Swept { mut body, reverse, plan } = swept;
    let library = &primal.options.library;
    let mut vars = std::mem::take(&mut body.vars);
    let names = names(primal, &body, &reverse, &mut vars);
    let slots = slots(&body, &plan, &mut vars);
    let areas = areas::Areas::new(&body, &plan, &mut vars, library);

    let mut named: BTreeSet<VarId> = plan.needed.iter().copied().filter(|var| !plan.recomputed.contains_key(var)).collect();
    named.extend(plan.hoisted.values().flatten());
    named.extend(variable(&body.result));
    let mut forward_writer = writer::Writer::new(&body.root, &vars, library, &named);
    forward_writer.slots.clone_from(&slots);
    forward_writer.method_paths = function == "order_2" || primal.float.is_some();
    forward_writer.overloads = primal.options.overloads();
    forward_writer.single = primal.is_single();
    let mut forward = forward::Forward::new(primal, function, &body, &plan, &areas, forward_writer);
    let forward_tokens = forward.function();
    let kept = variable(&body.result).is_some_and(|result| plan.needed.contains(&result));
    let result =
        if kept { forward.writer.operand(&body.result, writer::Use::Value).tokens } else { forward.writer.last(&body.result).tokens };
    let mut rest = TokenStream::new();
    forward.writer.settle_all(&mut rest);

    let keep: BTreeSet<VarId> = reverse.cotangents.iter().flatten().copied().collect();
    let mut reverse_writer = writer::Writer::new(&reverse.block, &vars, library, &keep);
    reverse_writer.slots = slots;
    reverse_writer.method_paths = function == "order_2" || primal.float.is_some();
    reverse_writer.overloads = primal.options.overloads();
    reverse_writer.single = primal.is_single();
    let mut backward = reverse::Backward::new(&body, &plan, &areas, reverse_writer);
    let mut reverse_tokens = backward.function(&reverse);
    backward.writer.settle_all(&mut reverse_tokens);
    let cotangents = cotangents(primal, &body, &reverse, &vars, library);
    locals.extend(&vars);
    let scope = callee::scope(&body.root, library);
    Sweeps { forward: quote!(#scope #forward_tokens #rest), result, reverse: reverse_tokens, cotangents, names }
}

fn variable(operand: &Operand) -> Option<VarId> {
    match operand {
        Operand::Var(var) => Some(*var),
        Operand::Const(_) => None,
    }
}

fn tangent(primal: &Primal, pushed: Pushed, space: Space, locals: &mut Locals) -> TangentSweep {
    let Pushed { mut body, result, params: dots } = pushed;
    let library = &primal.options.library;
    let mut vars = std::mem::take(&mut body.vars);
    let plan = Plan::nothing();
    let areas = areas::Areas::new(&body, &plan, &mut vars, library);
    let params: Vec<Ident> = body.params.iter().map(|&var| vars.get(var).name.clone()).collect();
    let dots = dots.iter().zip(&params).map(|(dot, param)| match dot {
        Some(dot) => vars.get(*dot).name.clone(),
        None => vars.own(&format!("{}_dot", param.to_string().trim_start_matches("r#"))),
    });
    let dots = dots.collect();
    let named: BTreeSet<VarId> = result.iter().chain([&body.result]).filter_map(variable).collect();
    let mut writer = writer::Writer::new(&body.root, &vars, library, &named);
    writer.space = space;
    writer.method_paths = primal.float.is_some();
    writer.overloads = primal.options.overloads();
    writer.single = primal.is_single();
    let mut forward = forward::Forward::new(primal, space.pushforward(), &body, &plan, &areas, writer);
    let statements = forward.function();
    let value = forward.writer.last(&body.result).tokens;
    let mut rest = TokenStream::new();
    let result = match &result {
        Some(dot) => {
            let dot = forward.writer.operand(dot, writer::Use::Value).tokens;
            quote!((#value, #dot))
        }
        None => {
            let zero = space.zero_of_value(library, &quote!(&__value));
            quote!({ let __value = #value; let __dot = #zero; (__value, __dot) })
        }
    };
    forward.writer.settle_all(&mut rest);
    locals.extend(&vars);
    let scope = callee::scope(&body.root, library);
    TangentSweep { statements: quote!(#scope #statements #rest), result, dots }
}

fn names(primal: &Primal, body: &Body, reverse: &Reverse, vars: &mut Vars) -> Names {
    let params: Vec<Ident> = body.params.iter().map(|&var| vars.get(var).name.clone()).collect();
    let bars = (0..primal.params.len())
        .map(|position| match reverse.cotangents[position] {
            Some(bar) => vars.get(bar).name.clone(),
            None => vars.own(&format!("{}_bar", params[position])),
        })
        .collect();
    let seed = match reverse.seed {
        Some(seed) => vars.get(seed).name.clone(),
        None => vars.own("seed"),
    };
    Names { params, bars, seed }
}

/// Hoisted values that no placeholder of their type can stand for, or that a pattern binds.
fn slots(body: &Body, plan: &Plan, vars: &mut Vars) -> BTreeMap<VarId, Ident> {
    let mut bound = BTreeSet::new();
    crate::ir::walk::statements(&body.root, &mut |stmt| {
        if let crate::ir::Stmt::Match(matching) = stmt {
            bound.extend(matching.arms.iter().flat_map(|arm| arm.bindings.iter().copied()));
        }
    });
    let mut slots = BTreeMap::new();
    for &var in plan.hoisted.values().flatten() {
        if bound.contains(&var) || !forward::has_placeholder(&vars.get(var).ty) {
            let hint = format!("{}_slot", vars.get(var).name.to_string().trim_start_matches("r#"));
            slots.insert(var, vars.own(&hint));
        }
    }
    slots
}

/// The cotangents of the by-value parameters, in order.
fn cotangents(primal: &Primal, body: &Body, reverse: &Reverse, vars: &Vars, library: &syn::Path) -> Vec<TokenStream> {
    let mut cotangents = Vec::new();
    for (position, param) in primal.params.iter().enumerate() {
        if param.passing != crate::parse::Passing::Value {
            continue;
        }
        let var = body.params[position];
        let facts = vars.get(var);
        cotangents.push(match reverse.cotangents[position] {
            Some(bar) => {
                let name = &vars.get(bar).name;
                quote!(#name)
            }
            None if !param.active => quote!(()),
            None if crate::sweep::forward::literal_zero(&facts.ty) => writer::zero_of(&facts.ty),
            None => {
                let name = &facts.name;
                let ty = &param.ty;
                let library = types::at(library, ty);
                quote_spanned!(ty.span()=> <#ty as #library::Differentiable>::zero_tangent(&#name))
            }
        });
    }
    cotangents
}
