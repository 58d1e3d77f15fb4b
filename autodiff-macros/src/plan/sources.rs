//! Which of the values that the reverse program reads are recomputed.

use std::collections::{BTreeMap, BTreeSet};

use syn::Expr;

use super::sites::Sites;
use crate::ir::{Argument, Binary, Block, Body, Construct, Op, Role, Scope, Stmt, VarId, walk};
use crate::parse::Primal;
use crate::rules;

/// The most operations that are done again instead of saving a number.
const CHEAP: u32 = 4;

/// What the reverse program reads of the primal, and what of that is rebuilt.
pub struct Sources {
    pub needed: BTreeSet<VarId>,
    pub recomputed: BTreeMap<VarId, Op>,
}

/// Decides.
pub fn decide(primal: &Primal, body: &Body, sites: &Sites, reverse: &Block) -> Sources {
    let reads = Reads::of(body, sites, reverse);
    let mut chooser = Chooser { body, sites, read: &reads.read, forced: reads.far.clone(), off: primal.options.store_all };
    // Saving one more value can only be asked for by a recomputation, so this ends.
    loop {
        let sources = chooser.close_over(&reads.read);
        let more: BTreeSet<VarId> = sources
            .recomputed
            .keys()
            .flat_map(|var| reads.hidden.get(var).into_iter().flatten().copied())
            .filter(|var| sources.recomputed.contains_key(var))
            .collect();
        if more.is_empty() {
            return sources;
        }
        chooser.forced.extend(more);
    }
}

/// What the reverse program reads, seen from where it reads it.
struct Reads {
    read: BTreeSet<VarId>,
    /// Read where the run that defines it is not being reversed: to be saved.
    far: BTreeSet<VarId>,
    /// For each value, those operands of its definition that cannot be rebuilt where it would be.
    hidden: BTreeMap<VarId, Vec<VarId>>,
}

impl Reads {
    fn of(body: &Body, sites: &Sites, reverse: &Block) -> Self {
        let mut reads = Reads { read: BTreeSet::new(), far: BTreeSet::new(), hidden: BTreeMap::new() };
        reads.block(body, sites, reverse, &BTreeSet::new());
        reads
    }

    fn block(&mut self, body: &Body, sites: &Sites, block: &Block, outside: &BTreeSet<VarId>) {
        let mut visible = outside.clone();
        for stmt in &block.0 {
            if let Stmt::Recompute(vars) = stmt {
                visible.extend(vars);
                for &var in vars {
                    let mut hidden = Vec::new();
                    if let Some(op) = sites.op(var) {
                        walk::op_reads(op, &mut |read| {
                            if !visible.contains(&read) {
                                hidden.push(read);
                            }
                        });
                    }
                    self.hidden.insert(var, hidden);
                }
                continue;
            }
            let mut note = |var: VarId| {
                let primal = sites.get(var).is_some() || matches!(body.vars.get(var).role, Role::Parameter(_));
                if primal {
                    self.read.insert(var);
                    if !visible.contains(&var) {
                        self.far.insert(var);
                    }
                }
            };
            walk::stmt_reads(stmt, &mut note);
            match stmt {
                Stmt::ReverseMap(reverse) => walk::block_reads(&reverse.body, &mut note),
                Stmt::Unless { scope: Scope::Function, .. } => note(body.exit),
                Stmt::Unless { scope: Scope::Loop(id), .. } => note(sites.looping(*id).exit),
                _ => {}
            }
            if !matches!(stmt, Stmt::ReverseMap(_)) {
                walk::blocks(stmt).into_iter().for_each(|inner| self.block(body, sites, inner, &visible));
            }
        }
    }
}

struct Chooser<'a> {
    body: &'a Body,
    sites: &'a Sites<'a>,
    /// What the reverse program reads itself.
    read: &'a BTreeSet<VarId>,
    /// Not to be recomputed.
    forced: BTreeSet<VarId>,
    off: bool,
}

impl Chooser<'_> {
    /// What is read, and what is read to rebuild that.
    fn close_over(&self, read: &BTreeSet<VarId>) -> Sources {
        let mut sources = Sources { needed: BTreeSet::new(), recomputed: BTreeMap::new() };
        let mut costs = BTreeMap::new();
        let mut open: Vec<VarId> = read.iter().copied().collect();
        while let Some(var) = open.pop() {
            if !sources.needed.insert(var) || self.available(var) || self.cost(var, &mut costs).is_none() {
                continue;
            }
            if let Some(op) = self.sites.op(var) {
                walk::op_reads(op, &mut |operand| open.push(operand));
                sources.recomputed.insert(var, op.clone());
            }
        }
        sources
    }

    /// There anyway.
    fn available(&self, var: VarId) -> bool {
        match self.sites.get(var) {
            None => true,
            Some(site) => site.iterated || (site.scope == Scope::Function && !site.hoisted && !self.borrows(var)),
        }
    }

    /// Whether it is a struct that borrows from a parameter, which the reverse sweep gets once more and must not hold.
    fn borrows(&self, var: VarId) -> bool {
        let from_parameter = |argument: &Argument| matches!(argument, Argument::Ref { place, .. } if matches!(self.body.vars.get(place.root).role, Role::Parameter(_)));
        let borrows = |construct: &Construct| construct.fields.iter().any(|(_, field)| from_parameter(field));
        matches!(self.sites.op(var), Some(Op::Construct(construct)) if borrows(construct))
    }

    /// The operations that rebuild `var`; `None`: it is not to be rebuilt.
    fn cost(&self, var: VarId, costs: &mut BTreeMap<VarId, Option<u32>>) -> Option<u32> {
        if self.available(var) {
            return Some(0);
        }
        if let Some(&cost) = costs.get(&var) {
            return cost;
        }
        let cost = self.cost_of_definition(var, costs).filter(|&cost| cost <= CHEAP);
        costs.insert(var, cost);
        cost
    }

    fn cost_of_definition(&self, var: VarId, costs: &mut BTreeMap<VarId, Option<u32>>) -> Option<u32> {
        let op = self.sites.op(var)?;
        if self.borrows(var) {
            return Some(0);
        }
        if self.off || self.forced.contains(&var) {
            return None;
        }
        let own = match op {
            Op::Copy(_) => 0,
            Op::Neg(_) | Op::Binary(Binary::Add | Binary::Sub | Binary::Mul, ..) if self.body.vars.get(var).ty.is_float() => 1,
            // Only elements of what is there anyway: saving a whole array for them would be dear.
            Op::Read(place) if self.available(place.root) && self.unwritten(place.root) && self.body.vars.get(var).ty.is_copy() => 1,
            Op::Inert { expr, reads } if reads.iter().all(|&read| self.unwritten(read)) && is_plain(expr) => 1,
            _ => return None,
        };
        let mut total = Some(own);
        walk::op_reads(op, &mut |operand| {
            // What is read anyway and cannot be rebuilt will be saved: as an operand it is at hand.
            let cost = self.cost(operand, costs).or_else(|| self.read.contains(&operand).then_some(0));
            total = total.and_then(|total| Some(total + cost?));
        });
        total
    }

    fn unwritten(&self, var: VarId) -> bool {
        !self.body.vars.get(var).writable()
    }
}

/// Arithmetic and queries of a few operations, without effects.
fn is_plain(expr: &Expr) -> bool {
    fn size(expr: &Expr) -> Option<u32> {
        Some(match expr {
            Expr::Lit(_) | Expr::Path(_) => 0,
            Expr::Paren(inner) => size(&inner.expr)?,
            Expr::Group(inner) => size(&inner.expr)?,
            Expr::Unary(unary) => size(&unary.expr)?,
            Expr::Cast(cast) => size(&cast.expr)?,
            Expr::Binary(binary) => 1 + size(&binary.left)? + size(&binary.right)?,
            Expr::Index(index) => 1 + size(&index.expr)? + size(&index.index)?,
            Expr::Field(field) => size(&field.base)?,
            Expr::Tuple(tuple) => tuple.elems.iter().map(size).sum::<Option<u32>>()?,
            Expr::Reference(reference) => size(&reference.expr)?,
            Expr::MethodCall(call) if is_query(&call.method.to_string()) => {
                1 + size(&call.receiver)? + call.args.iter().map(size).sum::<Option<u32>>()?
            }
            _ => return None,
        })
    }
    size(expr).is_some_and(|size| size <= CHEAP)
}

fn is_query(name: &str) -> bool {
    rules::CONTAINER_QUERIES.contains(&name) || rules::STEERING_METHODS.contains(&name) || matches!(name, "abs" | "min" | "max")
}
