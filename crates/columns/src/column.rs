//! [`Batch`] and [`Column`]: the finished buffers.

use crate::{
    bits::Bits,
    ty::{Scalar, Type},
};

/// Rows, stored by columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    pub(crate) rows: usize,
    pub(crate) columns: Vec<Column>,
}

impl Batch {
    /// Returns the number of rows, which is the number of values in each column.
    #[must_use]
    pub const fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the columns in the order of the query, followed by the column of errors.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Returns the column with the name `name`.
    #[must_use]
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Consumes the batch and returns its columns.
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
    /// Returns the column's name, by which [`Batch::column`] finds it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the type of the values.
    #[must_use]
    pub const fn ty(&self) -> Type {
        self.ty
    }

    /// Returns the values, and which of them are present.
    #[must_use]
    pub const fn array(&self) -> &Array {
        &self.array
    }

    /// Consumes the column and returns its name, type and buffers.
    #[must_use]
    pub fn into_parts(self) -> (String, Type, Array) {
        (self.name, self.ty, self.array)
    }
}

/// Values, and which of them are present.
///
/// The buffers have the layout of Apache Arrow's columnar format. Bits of validity and of bools
/// begin with the lowest bit of the first byte. Offsets have 32 bits, and there is one more of them
/// than values. Numbers are in the host's byte order. On a little-endian host the Arrow C Data
/// interface can pass the buffers on unchanged.
#[derive(Clone, PartialEq, Debug)]
pub struct Array {
    pub(crate) validity: Bits,
    pub(crate) values: Values,
}

/// The values of an [`Array`]. A missing value has a placeholder: zero, false, or nothing.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// All values are missing.
    Null,
    /// One bit a row.
    Bool(Bits),
    /// 32-bit integers.
    Int32(Vec<i32>),
    /// 64-bit integers.
    Int64(Vec<i64>),
    /// 32-bit floats.
    Float32(Vec<f32>),
    /// 64-bit floats.
    Float64(Vec<f64>),
    /// Texts in UTF-8: value n is `data[offsets[n]..offsets[n + 1]]`.
    Text {
        /// Where each text begins, and where the last one ends.
        offsets: Vec<i32>,
        /// All texts, one after the other.
        data: Vec<u8>,
    },
    /// Bytes, stored like texts.
    Binary {
        /// Where each value begins, and where the last one ends.
        offsets: Vec<i32>,
        /// All values, one after the other.
        data: Vec<u8>,
    },
    /// Values of `len` numbers each, one value after the other.
    Fixed {
        /// How many numbers a value has.
        len: u8,
        /// The numbers. None is missing.
        numbers: Box<Array>,
    },
    /// Lists: value n consists of the elements `offsets[n]..offsets[n + 1]`.
    List {
        /// Where each list begins, and where the last one ends.
        offsets: Vec<i32>,
        /// The elements of all lists.
        elements: Box<Array>,
    },
}

impl Array {
    /// Returns the number of values, missing ones included.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.validity.len()
    }

    /// Returns `true` if there are no values.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one bit for each value, set if the value is present.
    #[must_use]
    pub const fn validity(&self) -> &Bits {
        &self.validity
    }

    /// Returns the number of missing values.
    #[must_use]
    pub fn nulls(&self) -> usize {
        self.validity.zeros()
    }

    /// Returns the values of all rows, by the type of the column.
    #[must_use]
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// Consumes the array and returns its validity and values.
    #[must_use]
    pub fn into_parts(self) -> (Bits, Values) {
        (self.validity, self.values)
    }

    /// Returns the text of value `at`, or `None` if the value is missing or is not a text.
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

    /// Returns the size of all buffers in bytes.
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
    /// Creates an empty buffer.
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
    /// Creates an array without values.
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

    /// Appends a missing value.
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

    /// Removes everything after the first `len` values, half-written values included.
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
