//! [`Census`]: the types of a column's rows, and the type that holds most of them.

use crate::ty::{Scalar, Type};

/// The most kinds of content of one column that are listed. Further kinds are not listed.
const LISTED: usize = 16;

/// What a row has in a column.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum RowContent {
    /// Nothing.
    Missing,
    /// A list without elements, or only with missing ones. Every type of lists holds it.
    HollowList,
    /// One value or a list. `is_large` is `true` if it has an int that `float64` does not hold.
    Values { ty: Type, is_large: bool },
}

/// Rows whose types have a type in common that holds each of them exactly.
#[derive(Clone, PartialEq, Debug)]
struct Family {
    /// The widest type.
    ty: Type,
    rows: u64,
    /// How many of the rows have an int that `float64` does not hold.
    large: u64,
}

impl Family {
    /// Returns `true` if the type may come from lists without values, which say nothing about the
    /// lists after them.
    fn is_hollow(&self) -> bool {
        self.ty == Census::HOLLOW && self.rows == 0
    }
}

/// A kind of content of a row.
#[derive(Clone, PartialEq, Debug)]
enum ContentKind {
    Type(Type),
    /// The name of a value that no column can hold.
    Other(String),
}

impl std::fmt::Display for ContentKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ContentKind::Type(ty) => ty.fmt(f),
            ContentKind::Other(name) => f.write_str(name),
        }
    }
}

/// The types that occurred in a column.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Census {
    /// Ints and floats are two families, because a float holds not every int.
    families: Vec<Family>,
    /// The number of lists without values.
    hollow: u64,
    /// Everything that occurred, each with its number of rows, in the order in which it first occurred.
    kinds: Vec<(ContentKind, u64)>,
}

impl Census {
    /// The type of a column in which all lists are without values.
    const HOLLOW: Type = Type::List(Scalar::Int64);

    /// Counts the type that the column has so far, with no rows. It stays if nothing else occurs.
    pub(crate) fn assume(&mut self, ty: Type) {
        self.count_type(ty, 0, 0);
    }

    /// Counts the value of a row by its type, or by its name if no column can hold it.
    pub(crate) fn count_named(&mut self, content: &Result<RowContent, String>) {
        match content {
            Ok(content) => self.count(*content),
            Err(what) => self.count_kind(&ContentKind::Other(what.clone()), 1),
        }
    }

    /// Counts the value of a row by its type.
    #[inline]
    pub(crate) fn count(&mut self, content: RowContent) {
        match content {
            RowContent::Missing => {}
            RowContent::HollowList => self.hollow += 1,
            RowContent::Values { ty, is_large } => {
                self.count_type(ty, 1, is_large.into());
                self.count_kind(&ContentKind::Type(ty), 1);
            }
        }
    }

    /// Counts rows of a type, `large` of them with an int that `float64` does not hold.
    fn count_type(&mut self, ty: Type, rows: u64, large: u64) {
        if ty == Type::Null {
            return;
        }
        for family in &mut self.families {
            if is_float(family.ty) != is_float(ty) {
                continue;
            }
            let new = Family { ty, rows, large };
            if let Some(both) = family.ty.join(ty) {
                family.ty = match both {
                    _ if family.is_hollow() => ty,
                    _ if new.is_hollow() => family.ty,
                    both => both,
                };
                family.rows += rows;
                family.large += large;
                return;
            }
        }
        self.families.push(Family { ty, rows, large });
    }

    #[inline]
    fn count_kind(&mut self, kind: &ContentKind, rows: u64) {
        if let Some((_, count)) = self.kinds.iter_mut().find(|(own, _)| own == kind) {
            *count += rows;
        } else if self.kinds.len() < LISTED {
            self.kinds.push((kind.clone(), rows));
        }
    }

    /// Adds the rows of another part of the same column.
    pub(crate) fn add(&mut self, other: &Census) {
        for family in &other.families {
            self.count_type(family.ty, family.rows, family.large);
        }
        self.hollow += other.hollow;
        for (kind, rows) in &other.kinds {
            self.count_kind(kind, *rows);
        }
    }

    /// Returns the type that holds the most rows, whatever their order. If two hold equally many,
    /// numbers come before bools, then texts, bytes, vectors and lists, and floats before ints. If
    /// no list has a value, lists are `list<int64>`.
    pub(crate) fn ty(&self) -> Type {
        let has_lists = { self.families.iter() }.any(|own| matches!(own.ty, Type::List(_)));
        let hollow = (self.hollow > 0 && !has_lists).then_some((Census::HOLLOW, 0));
        let held = self.families.iter().map(|own| self.widened(own));
        let held = held.chain(hollow).map(|(ty, rows)| match ty {
            Type::List(_) => (ty, rows + self.hollow),
            _ => (ty, rows),
        });
        let best =
            held.max_by_key(|(ty, rows)| (*rows, std::cmp::Reverse(rank(*ty)), is_float(*ty)));
        best.map_or(Type::Null, |(ty, _)| ty)
    }

    /// Returns the type of a family, and the number of rows that it holds: floats hold ints too, if
    /// these are not too large.
    fn widened(&self, own: &Family) -> (Type, u64) {
        let others = self
            .families
            .iter()
            .filter(|other| is_float(own.ty) && !is_float(other.ty) && !other.is_hollow());
        let mut joined = others.filter_map(|other| Some((own.ty.join(other.ty)?, other)));
        match joined.next() {
            Some((both, ints)) => (both, own.rows + ints.rows - ints.large),
            None => (own.ty, own.rows),
        }
    }

    /// Returns the names of everything that occurred, each with its number of rows. The names in
    /// `earlier`, from a pass that saw fewer rows, come first.
    pub(crate) fn names(&self, earlier: &[(String, u64)]) -> Vec<(String, u64)> {
        let mut all = earlier.to_vec();
        for (kind, rows) in &self.kinds {
            let name = kind.to_string();
            match all.iter_mut().find(|(own, _)| *own == name) {
                Some((_, count)) => *count = (*count).max(*rows),
                None => all.push((name, *rows)),
            }
        }
        all
    }
}

/// Returns `true` for floats and lists of floats, but not for vectors.
fn is_float(ty: Type) -> bool {
    matches!(ty, Type::One(scalar) | Type::List(scalar) if matches!(scalar, Scalar::Float32 | Scalar::Float64))
}

/// Returns the rank of a type among types that hold equally many rows, one number for each family.
fn rank(ty: Type) -> u16 {
    let of = |scalar: Scalar| match scalar {
        Scalar::Int32 | Scalar::Int64 | Scalar::Float32 | Scalar::Float64 => 0,
        Scalar::Bool => 1,
        Scalar::Text => 2,
        Scalar::Binary => 3,
        Scalar::Fixed(_, len) => 4 + u16::from(len),
    };
    match ty {
        Type::Null => u16::MAX,
        Type::One(scalar) => of(scalar),
        Type::List(scalar) => 300 + of(scalar),
    }
}
