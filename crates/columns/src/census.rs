//! [`Census`]: the types of a column's rows, and the type that holds most of them.

use crate::ty::{Scalar, Type};

/// The most kinds of content of one column that are listed by name. Further kinds are not listed.
const NAMED: usize = 16;

/// The types that occurred in a column.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Census {
    /// The widest type of each family, such as numbers or texts, and the number of rows that it
    /// would hold. Types of different families have nothing in common.
    families: Vec<(Type, u64)>,
    /// Everything that occurred, by name.
    names: Vec<(String, u64)>,
}

impl Census {
    /// Counts the value of a row: its type, or its name if no column can hold it.
    pub(crate) fn count(&mut self, ty: &Result<Type, String>) {
        match ty {
            Ok(Type::Null) => {}
            Ok(ty) => {
                self.count_name(&ty.to_string(), 1);
                self.count_type(*ty, 1);
            }
            Err(what) => self.count_name(what, 1),
        }
    }

    /// Counts rows of a type, which may be wider than their values. A type with no rows becomes the
    /// column's type if nothing else occurs.
    pub(crate) fn count_type(&mut self, ty: Type, rows: u64) {
        if ty == Type::Null {
            return;
        }
        for (own, count) in &mut self.families {
            if let Some(both) = own.join(ty) {
                (*own, *count) = (both, *count + rows);
                return;
            }
        }
        self.families.push((ty, rows));
    }

    fn count_name(&mut self, name: &str, rows: u64) {
        if let Some((_, count)) = self.names.iter_mut().find(|(own, _)| own == name) {
            *count += rows;
        } else if self.names.len() < NAMED {
            self.names.push((name.to_owned(), rows));
        }
    }

    /// Adds the rows of another part of the same column.
    pub(crate) fn add(&mut self, other: &Census) {
        for (ty, rows) in &other.families {
            self.count_type(*ty, *rows);
        }
        for (name, rows) in &other.names {
            self.count_name(name, *rows);
        }
    }

    /// Returns the type that holds the most rows, whatever their order. If two hold equally many,
    /// numbers come before bools, then texts, bytes, vectors and lists.
    pub(crate) fn ty(&self) -> Type {
        let best = self
            .families
            .iter()
            .max_by_key(|(ty, rows)| (*rows, std::cmp::Reverse(rank(*ty))));
        best.map_or(Type::Null, |(ty, _)| *ty)
    }

    /// Returns the names of everything that occurred, each with its number of rows. The names in
    /// `earlier`, from a pass that saw fewer rows, come first.
    pub(crate) fn names(&self, earlier: &[(String, u64)]) -> Vec<(String, u64)> {
        let mut all = earlier.to_vec();
        for (name, rows) in &self.names {
            match all.iter_mut().find(|(own, _)| own == name) {
                Some((_, count)) => *count = (*count).max(*rows),
                None => all.push((name.clone(), *rows)),
            }
        }
        all
    }
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
