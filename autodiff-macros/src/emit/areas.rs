//! The save areas of loops: declared once, a record pushed by each iteration, read backwards.

use std::collections::BTreeMap;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::Path;

use super::forward::{has_placeholder, placeholder};
use super::writer::Writer;
use crate::ir::build::Vars;
use crate::ir::{Body, Loop, LoopId, Stmt, VarId, walk};
use crate::plan::{Area, Capacity, Plan};

/// The names and declarations of all save areas.
pub struct Areas {
    declarations: Vec<TokenStream>,
    names: BTreeMap<LoopId, (Ident, Ident)>,
    exits: BTreeMap<LoopId, VarId>,
}

impl Areas {
    /// Those that `plan` asks for.
    pub fn new(body: &Body, plan: &Plan, vars: &mut Vars, library: &Path) -> Self {
        let mut areas = Areas { declarations: Vec::new(), names: BTreeMap::new(), exits: BTreeMap::new() };
        walk::statements(&body.root, &mut |stmt| {
            if let Stmt::Loop(looping) = stmt {
                areas.exits.insert(looping.id, looping.exit);
            }
        });
        for (&id, area) in &plan.areas {
            let (name, end) = (vars.own("saved"), vars.own("end"));
            let new = declaration(area, vars, library);
            areas.declarations.push(quote!(let mut #name = #new;));
            areas.names.insert(id, (name, end));
        }
        areas
    }

    /// `let mut saved = ..;` for all of them.
    pub fn declare(&self, out: &mut TokenStream) {
        self.declarations.iter().for_each(|declaration| declaration.to_tokens(out));
    }

    /// The variable of a loop's exit code.
    pub fn exit_of(&self, id: LoopId) -> VarId {
        self.exits[&id]
    }

    /// Notes where the records of a nested loop's run begin.
    pub fn note_start(&self, looping: &Loop, plan: &Plan, writer: &Writer<'_>, out: &mut TokenStream) {
        if let Some((area, _)) = self.names.get(&looping.id)
            && plan.needed.contains(&looping.start)
        {
            let start = writer.name(looping.start);
            let hoisted = plan.hoisted.values().flatten().any(|var| *var == looping.start);
            let declares = (!hoisted).then(|| quote!(let));
            quote!(#declares #start = #area.len();).to_tokens(out);
        }
    }

    /// Makes room for all records of a loop that surely runs to its end, where it is not one of many runs.
    pub fn reserve(&self, looping: &Loop, plan: &Plan, range: &TokenStream, out: &mut TokenStream) {
        if let (Some((name, _)), Some(area)) = (self.names.get(&looping.id), plan.areas.get(&looping.id))
            && area.capacity == Capacity::Dynamic
            && !area.nested
            && !looping.abrupt
        {
            quote!(#name.reserve((#range).size_hint().0);).to_tokens(out);
        }
    }

    /// Pushes the record of an iteration.
    pub fn push(&self, id: LoopId, plan: &Plan, writer: &Writer<'_>, out: &mut TokenStream) {
        let (Some((area, _)), Some(planned)) = (self.names.get(&id), plan.areas.get(&id)) else { return };
        let fields = planned.fields.iter().map(|var| writer.slots.get(var).unwrap_or_else(|| writer.name(*var)));
        if planned.fields.len() == 1 {
            quote!(#area.push(#(#fields)*);).to_tokens(out);
        } else {
            quote!(#area.push((#(#fields),*));).to_tokens(out);
        }
    }

    /// The area's name, and that of the variable that holds the end of the records to come.
    pub fn names(&self, id: LoopId) -> Option<&(Ident, Ident)> {
        self.names.get(&id)
    }

    /// `let mut end = saved.len();` for the areas of nested loops.
    pub fn declare_ends(&self, plan: &Plan, out: &mut TokenStream) {
        for (id, area) in &plan.areas {
            if area.nested
                && let Some((name, end)) = self.names.get(id)
            {
                quote!(let mut #end = #name.len();).to_tokens(out);
            }
        }
    }
}

fn declaration(area: &Area, vars: &Vars, library: &Path) -> TokenStream {
    let Capacity::Inline(capacity) = &area.capacity else {
        return quote!(#library::save::Heap::new());
    };
    let types: Vec<_> = area.fields.iter().map(|&var| &vars.get(var).ty).collect();
    if types.iter().all(|ty| has_placeholder(ty)) {
        let fillers = types.iter().map(|ty| placeholder(ty));
        let filler = if types.len() == 1 { quote!(#(#fillers)*) } else { quote!((#(#fillers),*)) };
        quote!(#library::save::Inline::<_, { #capacity }>::new(#filler))
    } else {
        quote!(#library::save::Slots::<_, { #capacity }>::new())
    }
}
