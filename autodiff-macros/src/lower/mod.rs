//! Lowering: the user's syntax becomes IR.
//!
//! One file for each kind of surface construct. Nothing that is not understood gets past here: every `syn`
//! node is either lowered, kept whole because it is inactive ([`inert`]), or refused at its own tokens.

mod aggregate;
mod arrays;
mod assign;
mod branch;
mod calls;
mod cases;
mod chain;
mod closure;
mod expr;
mod guess;
mod inert;
mod iterate;
mod look;
mod loops;
mod macros;
mod map;
mod matrices;
mod maybe;
mod methods;
mod pattern;
mod place;
mod steer;
mod stmt;
mod unify;
mod user;
mod vectors;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::visit::Visit;

use crate::diag::{Diagnostics, Origin, Refusal};
use crate::ir::build::Vars;
use crate::ir::{Block, Body, LoopId, Op, Operand, Place, Projection, Role, Stmt, Ty, VarId, walk};
use crate::parse::{Passing, Primal};

/// What an expression denotes.
#[derive(Clone, Debug)]
enum Value {
    Operand(Operand),
    /// A tuple that has not been put together: most never are.
    Tuple(Vec<Value>),
    /// A struct that has not been put together.
    Struct(Box<Struct>),
    /// A reference: another name for a place.
    Ref {
        place: Place,
        mutable: bool,
    },
    /// A place that is read when its value is asked for.
    Place(Place),
    /// A reference to something that is no place: to a tuple that has not been put together, to a reference.
    Borrow(Box<Value>),
    /// A closure, to be inlined where it is called.
    Closure(Rc<closure::Closure>),
    /// An iterator, to be run where it is consumed.
    Chain(Rc<chain::Chain>),
    /// The expression does not end.
    Never,
}

/// A struct literal or a call of a tuple constructor.
#[derive(Clone, Debug)]
struct Struct {
    path: syn::Path,
    braces: bool,
    fields: Vec<(syn::Member, Value)>,
    /// `..base`
    base: Option<Value>,
}

/// What a name in scope stands for.
#[derive(Clone, Debug)]
enum Binding {
    Cell(VarId),
    Value(Value),
}

/// The names in scope, innermost last.
type Scopes = Vec<BTreeMap<String, Binding>>;

/// A loop being lowered.
struct Frame {
    id: LoopId,
    label: Option<String>,
    /// Some exit inside leaves this loop's scope.
    exits: bool,
    abrupt: bool,
    /// Some `break` leaves this very loop.
    breaks: bool,
    /// Where `break value` of a `loop` puts its value.
    result: Option<VarId>,
    /// A labelled block, which is left only by its label.
    block: bool,
    /// The frame of a block of its own around the body, which `continue` leaves.
    body: Option<usize>,
}

/// The state of lowering one function.
struct Lowering<'a> {
    diagnostics: &'a mut Diagnostics,
    library: &'a syn::Path,
    /// Whether the float type is a parameter, which has its functions from several traits.
    generic: bool,
    /// Whether operators and methods may be the user's own wherever a type is not known.
    overloads: bool,
    vars: Vars,
    scopes: Scopes,
    /// What the closures that are being inlined are called from.
    callers: Vec<closure::Caller>,
    /// Where `return` leads to in the closure that is being inlined.
    returns: Option<closure::Return>,
    /// How often each variable has been assigned as a whole.
    versions: BTreeMap<VarId, u32>,
    /// The blocks that are open, innermost last.
    blocks: Vec<Vec<Stmt>>,
    frames: Vec<Frame>,
    /// Variables that surely carry no derivative, whatever their type.
    constants: BTreeSet<VarId>,
    /// Names that are assigned to, or lent to be changed, anywhere in the function.
    assigned: BTreeSet<String>,
    /// What a lowering before this one found out.
    learned: Learned,
    /// Vectors of which that was not known at first.
    unlearned: BTreeMap<VarId, String>,
    /// Variables in `constants` that can change, by their names.
    unwritten: BTreeMap<VarId, String>,
    /// The types of parameters and variables, where they are written.
    written_types: BTreeMap<VarId, syn::Type>,
    /// Values of types of the user's, as far as that is known.
    users: BTreeSet<VarId>,
    /// Places whose content is known to be in a value: key, root, value.
    known: Vec<(String, VarId, VarId)>,
    /// Roots written since a point of interest; see [`Lowering::branching`].
    written: BTreeSet<VarId>,
    /// The result, where `return` may set it.
    result: Option<VarId>,
    /// The same for the `loop` expression that is about to be lowered.
    loop_result: Option<VarId>,
    /// Whether the loop that is about to be lowered is a labelled block.
    labelled_block: bool,
    /// Whether the closure of a `map` is being lowered.
    in_closure: bool,
    /// `const`, `static` and `use` inside the body.
    items: Vec<TokenStream>,
    loops: u32,
    exits: u32,
}

/// What is found out too late by a lowering, for the next one.
#[derive(Clone, Default, PartialEq)]
struct Learned {
    /// What the elements of vectors are, by the names of these.
    elements: BTreeMap<String, Ty>,
    /// Variables that began without a derivative, and that a method gave one.
    activated: BTreeSet<String>,
}

/// Lowers the body of `primal`. What was refused is in `diagnostics`, and the result is then of no use.
pub fn lower(primal: &Primal, diagnostics: &mut Diagnostics) -> Body {
    let mut learned = Learned::default();
    loop {
        let mut found = Diagnostics::default();
        let mut lowering = Lowering::new(primal, learned.clone(), &mut found);
        let body = lowering.function(primal);
        let now = lowering.learned;
        if now == learned {
            diagnostics.append(found);
            return body;
        }
        // What was learned late may have been wanted early.
        learned = now;
    }
}

impl<'a> Lowering<'a> {
    fn new(primal: &'a Primal, learned: Learned, diagnostics: &'a mut Diagnostics) -> Self {
        Lowering {
            diagnostics,
            library: &primal.options.library,
            generic: primal.float.is_some(),
            overloads: primal.options.overloads(),
            vars: Vars::new(&primal.function.to_token_stream()),
            scopes: vec![BTreeMap::new()],
            callers: Vec::new(),
            returns: None,
            versions: BTreeMap::new(),
            blocks: vec![Vec::new()],
            frames: Vec::new(),
            constants: BTreeSet::new(),
            assigned: assigned(&primal.function.block).into_iter().chain(learned.activated.clone()).collect(),
            learned,
            unlearned: BTreeMap::new(),
            unwritten: BTreeMap::new(),
            written_types: BTreeMap::new(),
            users: BTreeSet::new(),
            known: Vec::new(),
            written: BTreeSet::new(),
            result: None,
            loop_result: None,
            labelled_block: false,
            in_closure: false,
            items: Vec::new(),
            loops: 0,
            exits: 0,
        }
    }
}

impl Lowering<'_> {
    fn function(&mut self, primal: &Primal) -> Body {
        let params: Vec<VarId> = (0..primal.params.len()).map(|position| self.param(primal, position)).collect();
        for (param, &var) in primal.params.iter().zip(&params) {
            self.bind_param(param, var);
        }
        let origin = Origin::of(&primal.function.sig.ident);
        let returns = has_return(&primal.function.block);
        if returns {
            let var = self.vars.named("y", origin, primal.result.known.clone(), Role::Temporary, true);
            let facts = self.vars.get_mut(var);
            facts.late = true;
            // What the first `return` gives may leave the type open: `None`, `Err(..)`.
            facts.ascription = matches!(facts.ty, Ty::Unknown | Ty::Option(_) | Ty::Result(_)).then(|| primal.result.ty.clone());
            self.result = Some(var);
            self.push(Stmt::Declare { var, init: None });
        }
        let (exit, body) = (self.vars.named("exit", origin, Ty::Int, Role::Temporary, true), &*primal.function.block);
        let value = self.block_statements(arrays::with_last(body, &primal.result.known).as_ref().unwrap_or(body));
        let result = self.finish(value, &primal.result.known, origin);
        let mut root = Block(self.blocks.pop().expect("the function's own block is open"));
        walk::number_exits(&mut root, self.exits);
        unify::unify(&root, &mut self.vars);
        Body { vars: std::mem::take(&mut self.vars), params, root, result, exit, items: std::mem::take(&mut self.items) }
    }

    fn finish(&mut self, value: Value, known: &Ty, origin: Origin) -> Operand {
        let unit = matches!(known, Ty::Tuple(elements) if elements.is_empty());
        match (value, self.result) {
            (Value::Never, Some(result)) => Operand::Var(result),
            (value, Some(result)) => {
                let value = self.operand(value, origin);
                self.push(Stmt::Store { place: Place::whole(result), value });
                Operand::Var(result)
            }
            (Value::Never, None) => unit_operand(),
            (_, None) if unit => unit_operand(),
            (value, None) => {
                let operand = self.operand(value, origin);
                self.refine(&operand, known);
                operand
            }
        }
    }

    fn param(&mut self, primal: &Primal, position: usize) -> VarId {
        let param = &primal.params[position];
        let role = Role::Parameter(position);
        let id = match &param.pattern {
            syn::Pat::Ident(ident) => {
                let cell = ident.mutability.is_some();
                self.vars.user(&ident.ident, param.known.clone(), role, cell)
            }
            other => self.vars.named("argument", Origin::of(other), param.known.clone(), role, false),
        };
        self.vars.get_mut(id).mutable_reference = param.passing == Passing::Mutable;
        self.written_types.insert(id, param.ty.clone());
        if !param.active && !self.vars.get(id).writable() {
            self.constants.insert(id);
        }
        id
    }

    fn bind_param(&mut self, param: &crate::parse::Param, var: VarId) {
        let value = match param.passing {
            Passing::Value => Value::Operand(Operand::Var(var)),
            Passing::Shared | Passing::Mutable => {
                Value::Ref { place: Place { root: var, projections: vec![Projection::Deref] }, mutable: param.passing == Passing::Mutable }
            }
        };
        match &param.pattern {
            syn::Pat::Ident(ident) if self.vars.get(var).cell && param.passing == Passing::Value => {
                self.define(&ident.ident, Binding::Cell(var));
            }
            syn::Pat::Ident(ident) => self.define(&ident.ident, Binding::Value(value)),
            syn::Pat::Wild(_) => {}
            other => self.bind(other, value),
        }
    }

    fn refuse(&mut self, node: &impl ToTokens, refusal: Refusal) -> Value {
        self.diagnostics.refuse(Origin::of(node), refusal);
        Value::Operand(placeholder())
    }

    fn push(&mut self, stmt: Stmt) {
        self.blocks.last_mut().expect("a block is open").push(stmt);
    }

    /// A new value defined by `op`.
    fn value(&mut self, origin: Origin, ty: Ty, op: Op) -> Operand {
        let var = self.vars.temporary(origin, ty);
        self.push(Stmt::Let { var, op });
        Operand::Var(var)
    }

    /// Runs `body` in a block and a scope of its own.
    fn nested<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        self.blocks.push(Vec::new());
        self.scopes.push(BTreeMap::new());
        let result = body(self);
        self.scopes.pop();
        (Block(self.blocks.pop().expect("opened above")), result)
    }

    /// Runs `body`, which may or may not be executed, so that what it learns of places is forgotten after it.
    fn branching<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let known = self.known.clone();
        let before = std::mem::take(&mut self.written);
        let result = body(self);
        let written = std::mem::replace(&mut self.written, before);
        self.known = known.into_iter().filter(|(_, root, _)| !written.contains(root)).collect();
        self.written.extend(written);
        result
    }

    /// Forgets the contents of everything that can be written: a loop's body begins.
    fn forget_mutable(&mut self) {
        let vars = &self.vars;
        self.known.retain(|(_, root, _)| !vars.get(*root).writable());
    }

    /// Notes a write to `root`.
    fn wrote(&mut self, root: VarId) {
        self.known.retain(|(_, known, _)| *known != root);
        self.written.insert(root);
    }

    fn define(&mut self, name: &syn::Ident, binding: Binding) {
        self.scopes.last_mut().expect("a scope is open").insert(name_of(name), binding);
    }

    fn lookup(&self, name: &syn::Ident) -> Option<&Binding> {
        let name = name_of(name);
        self.scopes.iter().rev().find_map(|scope| scope.get(&name))
    }

    /// Whether a read of `var` can be active.
    fn can_be_active(&self, var: VarId) -> bool {
        !self.constants.contains(&var) && self.vars.get(var).ty.differentiable()
    }
}

fn name_of(name: &syn::Ident) -> String {
    syn::ext::IdentExt::unraw(name).to_string()
}

/// What stands for a value after a refusal.
fn placeholder() -> Operand {
    Operand::Const(Box::new(syn::parse_quote!(0.0)))
}

fn unit_operand() -> Operand {
    Operand::Const(Box::new(syn::parse_quote!(())))
}

/// Whether `return` occurs in the block outside closures and items.
fn has_return(block: &syn::Block) -> bool {
    finds_return(|search| search.visit_block(block))
}

/// The same for an expression.
fn returns(expr: &syn::Expr) -> bool {
    finds_return(|search| search.visit_expr(expr))
}

fn finds_return(visit: impl FnOnce(&mut ReturnSearch)) -> bool {
    let mut search = ReturnSearch(false);
    visit(&mut search);
    search.0
}

struct ReturnSearch(bool);

impl<'ast> Visit<'ast> for ReturnSearch {
    fn visit_expr_return(&mut self, _: &'ast syn::ExprReturn) {
        self.0 = true;
    }
    fn visit_expr_try(&mut self, _: &'ast syn::ExprTry) {
        self.0 = true;
    }
    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The names at the roots of everything that is assigned to or borrowed mutably.
fn assigned(block: &syn::Block) -> BTreeSet<String> {
    struct Search(BTreeSet<String>);
    impl Search {
        fn root(&mut self, expr: &syn::Expr) {
            use syn::Expr;
            match expr {
                Expr::Path(path) => self.0.extend(path.path.get_ident().map(name_of)),
                Expr::Index(index) => self.root(&index.expr),
                Expr::Field(field) => self.root(&field.base),
                Expr::Unary(unary) => self.root(&unary.expr),
                Expr::Paren(inner) => self.root(&inner.expr),
                Expr::Tuple(tuple) => tuple.elems.iter().for_each(|element| self.root(element)),
                Expr::MethodCall(call) => self.root(&call.receiver),
                _ => {}
            }
        }
    }
    impl<'ast> Visit<'ast> for Search {
        fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
            self.root(&assign.left);
            syn::visit::visit_expr_assign(self, assign);
        }
        fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
            if inert::is_assignment(&binary.op) {
                self.root(&binary.left);
            }
            syn::visit::visit_expr_binary(self, binary);
        }
        fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
            if reference.mutability.is_some() {
                self.root(&reference.expr);
            }
            syn::visit::visit_expr_reference(self, reference);
        }
        fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
            if call.method.to_string().ends_with("_mut") {
                self.root(&call.receiver);
            }
            syn::visit::visit_expr_method_call(self, call);
        }
    }
    let mut search = Search(BTreeSet::new());
    search.visit_block(block);
    search.0
}
