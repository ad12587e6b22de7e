//! [`Batch`] and [`Column`]: the finished buffers.

use crate::{
    bits::Bits,
    ty::{Scalar, Type},
};

/// Rows, column by column.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Column>,
}

impl Batch {
    /// The number of rows; every column has as many values.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// The columns in the order in which they were asked for, and behind them the column of errors.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The column of that name.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The columns, to be taken apart.
    #[must_use]
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }
}

/// The values of one column.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) array: Array,
}

impl Column {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of its values.
    #[must_use]
    pub const fn ty(&self) -> Type {
        self.ty
    }

    /// The buffers.
    #[must_use]
    pub const fn array(&self) -> &Array {
        &self.array
    }

    /// Name, type and buffers.
    #[must_use]
    pub fn into_parts(self) -> (String, Type, Array) {
        (self.name, self.ty, self.array)
    }
}

/// Values and which of them are there.
///
/// The buffers lie as Apache Arrow's columnar format has them: the bits of validity and of bools with the
/// first in the lowest bit of the first byte, offsets of 32 bits of which there is one more than values, numbers
/// in the order of the host's bytes. On a little-endian host the Arrow C Data interface can hand them on as they are.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub(crate) validity: Bits,
    pub(crate) values: Values,
}

/// The values of an [`Array`]. A missing value has a value all the same: zero, false, or nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// No value is there.
    Null,
    /// Bools.
    Bool(Bits),
    /// Ints of 32 bits.
    Int32(Vec<i32>),
    /// Ints of 64 bits.
    Int64(Vec<i64>),
    /// Floats of 32 bits.
    Float32(Vec<f32>),
    /// Floats of 64 bits.
    Float64(Vec<f64>),
    /// Texts in UTF-8: value n is `data[offsets[n]..offsets[n + 1]]`.
    Text {
        /// The places where the texts begin and end.
        offsets: Vec<i32>,
        /// All of them in a row.
        data: Vec<u8>,
    },
    /// Bytes, laid as texts are.
    Binary {
        /// The places where the values begin and end.
        offsets: Vec<i32>,
        /// All of them in a row.
        data: Vec<u8>,
    },
    /// So many numbers in each value, one value behind the other.
    Fixed {
        /// The number of components.
        len: u8,
        /// The numbers, all of which are there.
        numbers: Box<Array>,
    },
    /// Lists: value n is elements `offsets[n]..offsets[n + 1]`.
    List {
        /// The places where the lists begin and end.
        offsets: Vec<i32>,
        /// The elements of all of them.
        elements: Box<Array>,
    },
}

impl Array {
    /// The number of values.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.validity.len()
    }

    /// True if there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which values are there: a bit for each, set if it is.
    #[must_use]
    pub const fn validity(&self) -> &Bits {
        &self.validity
    }

    /// The number of values that are missing.
    #[must_use]
    pub fn nulls(&self) -> usize {
        self.validity.zeros()
    }

    /// The number of values that are there.
    pub(crate) fn valid(&self) -> u64 {
        (self.len() - self.nulls()) as u64
    }

    /// The values.
    #[must_use]
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// Validity and values.
    #[must_use]
    pub fn into_parts(self) -> (Bits, Values) {
        (self.validity, self.values)
    }

    /// The text at that place, if it is one.
    #[must_use]
    pub fn text(&self, at: usize) -> Option<&str> {
        let Values::Text { offsets, data } = &self.values else {
            return None;
        };
        if !self.validity.get(at) {
            return None;
        }
        let (&from, &to) = (offsets.get(at)?, offsets.get(at + 1)?);
        std::str::from_utf8(data.get(from as usize..to as usize)?).ok()
    }

    /// The bytes of all buffers.
    #[must_use]
    pub fn size(&self) -> usize {
        let values = match &self.values {
            Values::Null => 0,
            Values::Bool(bits) => bits.as_bytes().len(),
            Values::Int32(all) => 4 * all.len(),
            Values::Float32(all) => 4 * all.len(),
            Values::Int64(all) => 8 * all.len(),
            Values::Float64(all) => 8 * all.len(),
            Values::Text { offsets, data } | Values::Binary { offsets, data } => {
                4 * offsets.len() + data.len()
            }
            Values::Fixed { numbers, .. } => numbers.size(),
            Values::List { offsets, elements } => 4 * offsets.len() + elements.size(),
        };
        values + self.validity.as_bytes().len()
    }
}

impl Values {
    /// None yet.
    pub(crate) fn new(scalar: Scalar) -> Values {
        match scalar {
            Scalar::Bool => Values::Bool(Bits::default()),
            Scalar::Int32 => Values::Int32(Vec::new()),
            Scalar::Int64 => Values::Int64(Vec::new()),
            Scalar::Float32 => Values::Float32(Vec::new()),
            Scalar::Float64 => Values::Float64(Vec::new()),
            Scalar::Text => Values::Text {
                offsets: vec![0],
                data: Vec::new(),
            },
            Scalar::Binary => Values::Binary {
                offsets: vec![0],
                data: Vec::new(),
            },
            Scalar::Fixed(number, len) => Values::Fixed {
                len,
                numbers: Box::new(Array::new(Type::One(number.scalar()))),
            },
        }
    }
}

impl Array {
    /// Without values.
    pub(crate) fn new(ty: Type) -> Array {
        let values = match ty {
            Type::Null => Values::Null,
            Type::One(scalar) => Values::new(scalar),
            Type::List(scalar) => Values::List {
                offsets: vec![0],
                elements: Box::new(Array::new(Type::One(scalar))),
            },
        };
        Array {
            validity: Bits::default(),
            values,
        }
    }

    /// Puts a missing value at the end.
    pub(crate) fn push_null(&mut self) {
        self.push_blank(false);
    }

    fn push_blank(&mut self, is_there: bool) {
        self.validity.push(is_there);
        match &mut self.values {
            Values::Null => {}
            Values::Bool(all) => all.push(false),
            Values::Int32(all) => all.push(0),
            Values::Int64(all) => all.push(0),
            Values::Float32(all) => all.push(0.0),
            Values::Float64(all) => all.push(0.0),
            Values::Text { offsets, .. }
            | Values::Binary { offsets, .. }
            | Values::List { offsets, .. } => {
                offsets.push(offsets.last().copied().unwrap_or(0));
            }
            Values::Fixed { len, numbers } => {
                for _ in 0..*len {
                    numbers.push_blank(true);
                }
            }
        }
    }

    /// Takes away all behind the first so many, whole or half.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.validity.truncate(len);
        match &mut self.values {
            Values::Null => {}
            Values::Bool(all) => all.truncate(len),
            Values::Int32(all) => all.truncate(len),
            Values::Int64(all) => all.truncate(len),
            Values::Float32(all) => all.truncate(len),
            Values::Float64(all) => all.truncate(len),
            Values::Text { offsets, data } | Values::Binary { offsets, data } => {
                offsets.truncate(len + 1);
                data.truncate(offsets.last().map_or(0, |&end| end as usize));
            }
            Values::Fixed { len: each, numbers } => numbers.truncate(len * usize::from(*each)),
            Values::List { offsets, elements } => {
                offsets.truncate(len + 1);
                elements.truncate(offsets.last().map_or(0, |&end| end as usize));
            }
        }
    }
}
