//! The places in a file and the texts to put in, so that a change becomes a question to the switch.
//!
//! Nothing of a file is taken away: `a + b` becomes `(if on(1) { (a) - (b) } else { (a + b) })`, with the operands
//! of the changed form copied as they stand and those of the unchanged form open to changes inside them.

use std::{collections::HashMap, ops::Range};

use proc_macro2::Span;
use syn::{
    Arm, BinOp, Block, Expr, ExprStruct, ReturnType, Signature, Type,
    spanned::Spanned,
    visit::{self, Visit},
};

use crate::{
    Result,
    list::{Genre, Mutant, Place},
};

/// Text to put in, and the one change it is for.
#[derive(Debug)]
pub struct Piece {
    pub text: String,
    pub mutant: Option<u16>,
}

/// The texts before and behind a range of bytes of the file.
#[derive(Debug)]
pub struct Edit {
    pub range: Range<usize>,
    pub before: Vec<Piece>,
    pub behind: Vec<Piece>,
}

/// The file's own words about a change besides the edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// In a function that only runs.
    Function,
    /// In a `const fn`, which may run while the compiler does.
    ConstFunction,
    /// Replaces the body of a function whose type is `impl`: an early return would have another type than the body, so it
    /// cannot be switched.
    ImplReturn,
    /// In a constant, a static or a length: it cannot be switched.
    CompileTime,
}

/// The fate of the changes in a file.
pub struct Plan {
    pub edits: Vec<Edit>,
    /// Changes not in here were not found in the file.
    pub homes: HashMap<u16, Home>,
}

/// Plans the changes in one file.
pub fn plan(source: &str, mutants: &[&Mutant]) -> Result<Plan> {
    let file = syn::parse_file(source)?;
    let mut wanted = HashMap::<(Genre, Place), Vec<&Mutant>>::new();
    for mutant in mutants {
        wanted
            .entry((mutant.genre, mutant.start))
            .or_default()
            .push(mutant);
    }
    let mut walk = Walk {
        source,
        wanted,
        home: Home::CompileTime,
        plan: Plan {
            edits: Vec::new(),
            homes: HashMap::new(),
        },
    };
    walk.visit_file(&file);
    Ok(walk.plan)
}

struct Walk<'a> {
    source: &'a str,
    wanted: HashMap<(Genre, Place), Vec<&'a Mutant>>,
    home: Home,
    plan: Plan,
}

fn on(mutant: &Mutant) -> String {
    format!("::mutant_switch::on({})", mutant.number)
}

fn plain(text: &str) -> Piece {
    Piece {
        text: text.to_owned(),
        mutant: None,
    }
}

fn of(mutant: &Mutant, text: String) -> Piece {
    Piece {
        text,
        mutant: Some(mutant.number),
    }
}

impl<'a> Walk<'a> {
    /// Takes the changes of a genre that begin there; notes where they are at home. None of those that cannot be
    /// switched.
    fn take(&mut self, genre: Genre, span: Span) -> Vec<&'a Mutant> {
        let start = span.start();
        let found = self.wanted.remove(&(genre, (start.line, start.column)));
        let found = found.unwrap_or_default();
        for mutant in &found {
            self.plan.homes.insert(mutant.number, self.home);
        }
        if self.home == Home::CompileTime {
            return Vec::new();
        }
        found
    }

    fn put(&mut self, range: Range<usize>, before: Vec<Piece>, behind: Vec<Piece>) {
        self.plan.edits.push(Edit {
            range,
            before,
            behind,
        });
    }

    fn text(&self, span: Span) -> &'a str {
        &self.source[span.byte_range()]
    }

    fn at_home(&mut self, home: Home, visit: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.home, home);
        visit(self);
        self.home = outside;
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        let home = match signature.constness {
            Some(_) => Home::ConstFunction,
            None => Home::Function,
        };
        self.at_home(home, |walk| {
            if let Some(first) = block.stmts.first() {
                walk.body(signature, block, first.span());
            }
            visit::visit_block(walk, block);
        });
    }

    fn body(&mut self, signature: &Signature, block: &Block, first: Span) {
        let values = self.take(Genre::FnValue, first);
        if returns_impl(&signature.output) {
            for mutant in &values {
                self.plan.homes.insert(mutant.number, Home::ImplReturn);
            }
            return;
        }
        let pieces = values.iter().map(|mutant| {
            let text = format!(" if {} {{ return {}; }} ", on(mutant), mutant.replacement);
            of(mutant, text)
        });
        let pieces: Vec<Piece> = pieces.collect();
        let at = block.brace_token.span.open().byte_range().end;
        if !pieces.is_empty() {
            self.put(at..at, pieces, Vec::new());
        }
    }

    /// One expression in several forms: `forms` are the changed ones, each for its change.
    fn alternatives(&mut self, whole: Span, forms: Vec<(&Mutant, String)>) {
        if forms.is_empty() {
            return;
        }
        let mut before = vec![plain("(")];
        for (mutant, form) in forms {
            let text = format!("if {} {{ {form} }} else ", on(mutant));
            before.push(of(mutant, text));
        }
        before.push(plain("{ ("));
        self.put(whole.byte_range(), before, vec![plain(") })")]);
    }

    fn binary(&mut self, whole: Span, left: &Expr, operator: &BinOp, right: &Expr) {
        let (left, right) = (self.text(left.span()), self.text(right.span()));
        let found = self.take(Genre::BinaryOperator, operator.span());
        let forms = found.into_iter().map(|mutant| {
            let form = match operator {
                // The left side is a place.
                _ if assigns(operator) => format!("{left} {} ({right})", mutant.replacement),
                _ => format!("({left}) {} ({right})", mutant.replacement),
            };
            (mutant, form)
        });
        let forms = forms.collect();
        self.alternatives(whole, forms);
    }
}

fn assigns(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}

fn returns_impl(output: &ReturnType) -> bool {
    struct Find(bool);
    impl Visit<'_> for Find {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_return_type(output);
    find.0
}

impl<'ast> Visit<'ast> for Walk<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.at_home(Home::CompileTime, |walk| {
            visit::visit_item_const(walk, item)
        });
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.at_home(Home::CompileTime, |walk| {
            visit::visit_item_static(walk, item)
        });
    }

    fn visit_expr_const(&mut self, expr: &'ast syn::ExprConst) {
        self.at_home(Home::CompileTime, |walk| {
            visit::visit_expr_const(walk, expr)
        });
    }

    fn visit_type(&mut self, of: &'ast Type) {
        self.at_home(Home::CompileTime, |walk| visit::visit_type(walk, of));
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.at_home(Home::CompileTime, |walk| {
            visit::visit_generic_argument(walk, argument)
        });
    }

    fn visit_expr_repeat(&mut self, expr: &'ast syn::ExprRepeat) {
        self.visit_expr(&expr.expr);
        self.at_home(Home::CompileTime, |walk| walk.visit_expr(&expr.len));
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        self.binary(expr.span(), &expr.left, &expr.op, &expr.right);
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let operand = self.text(expr.expr.span());
        let found = self.take(Genre::UnaryOperator, expr.op.span());
        let forms = found.into_iter().map(|mutant| (mutant, operand.to_owned()));
        let forms = forms.collect();
        self.alternatives(expr.span(), forms);
        visit::visit_expr_unary(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast Arm) {
        let deleted = self.take(Genre::MatchArm, arm.span());
        let guard = arm.guard.as_ref().map(|(_, guard)| guard.span());
        if let Some(mutant) = deleted.first() {
            let range = guard.map(|guard| guard.byte_range());
            match range {
                Some(range) => {
                    let not = of(mutant, format!("!{} && ", on(mutant)));
                    self.put(range, vec![plain("("), not, plain("(")], vec![plain("))")]);
                }
                None => {
                    let at = arm.pat.span().byte_range().end;
                    let text = format!(" if !{} ", on(mutant));
                    self.put(at..at, vec![of(mutant, text)], Vec::new());
                }
            }
        }
        if let Some(guard) = guard {
            let mut before = vec![plain("(")];
            let found = self.take(Genre::MatchArmGuard, guard);
            for mutant in &found {
                before.push(match mutant.replacement.as_str() {
                    "true" => of(mutant, format!("{} || ", on(mutant))),
                    _ => of(mutant, format!("!{} && ", on(mutant))),
                });
            }
            // `true || !false && guard`: the operators bind as they stand.
            before.sort_by_key(|piece| piece.text.starts_with('!'));
            before.push(plain("("));
            if !found.is_empty() {
                self.put(guard.byte_range(), before, vec![plain("))")]);
            }
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, expr: &'ast ExprStruct) {
        for field in &expr.fields {
            let found = self.take(Genre::StructField, field.span());
            let (Some(mutant), Some(base)) = (found.first(), &expr.rest) else {
                continue;
            };
            let (base, name) = (self.text(base.span()), self.text(field.member.span()));
            let text = format!("if {} {{ ({base}).{name} }} else ", on(mutant));
            let mut before = vec![of(mutant, text), plain("{ ")];
            if field.colon_token.is_none() {
                before.insert(0, plain(&format!("{name}: ")));
            }
            self.put(field.expr.span().byte_range(), before, vec![plain(" }")]);
        }
        visit::visit_expr_struct(self, expr);
    }
}
