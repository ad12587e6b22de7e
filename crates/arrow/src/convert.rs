//! Converts the types and buffers of columns to Arrow's.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, FixedSizeListArray, Float32Array, Float64Array,
    Int32Array, Int64Array, ListArray, NullArray, RecordBatch, StringArray,
};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Schema, SchemaRef};
use gdvar_columns::{Array, Batch, Bits, Number, Scalar, Type, Values};

/// Returns the Arrow type of a column, as in the table of the crate's documentation.
#[must_use]
pub fn data_type(ty: Type) -> DataType {
    match ty {
        Type::Null => DataType::Null,
        Type::One(scalar) => of_scalar(scalar),
        Type::List(scalar) => DataType::List(element(of_scalar(scalar))),
    }
}

fn of_scalar(scalar: Scalar) -> DataType {
    match scalar {
        Scalar::Bool => DataType::Boolean,
        Scalar::Int32 => DataType::Int32,
        Scalar::Int64 => DataType::Int64,
        Scalar::Float32 => DataType::Float32,
        Scalar::Float64 => DataType::Float64,
        Scalar::Text => DataType::Utf8,
        Scalar::Binary => DataType::Binary,
        Scalar::Fixed(number, len) => {
            let number = match number {
                Number::Int32 => DataType::Int32,
                Number::Float32 => DataType::Float32,
                Number::Float64 => DataType::Float64,
            };
            DataType::FixedSizeList(number_of(number), i32::from(len))
        }
    }
}

/// Returns the element field of a list; elements may be missing.
fn element(ty: DataType) -> FieldRef {
    Arc::new(Field::new("item", ty, true))
}

/// Returns the element field of a vector, whose numbers are never missing.
fn number_of(ty: DataType) -> FieldRef {
    Arc::new(Field::new("item", ty, false))
}

/// Returns the Arrow schema of columns; the column of errors is last.
#[must_use]
pub fn schema(schema: &gdvar_columns::Schema) -> SchemaRef {
    let fields = schema.fields().iter();
    let fields = fields.map(|field| Field::new(field.name(), data_type(field.ty()), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

/// Converts a batch to Arrow's record batch. Numbers and texts are not copied, but Arrow checks
/// once more that text is UTF-8.
///
/// # Errors
///
/// Batches of `gdvar-columns` cause no error. Arrow checks its own rules and would report a
/// violation.
pub fn record_batch(batch: Batch) -> Result<RecordBatch, ArrowError> {
    let rows = batch.rows();
    let mut fields = Vec::new();
    let mut arrays = Vec::new();
    for column in batch.into_columns() {
        let (name, ty, values) = column.into_parts();
        fields.push(Field::new(name, data_type(ty), true));
        arrays.push(array(values)?);
    }
    let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows));
    RecordBatch::try_new_with_options(Arc::new(Schema::new(fields)), arrays, &options)
}

fn bits(bits: Bits) -> BooleanBuffer {
    let len = bits.len();
    BooleanBuffer::new(Buffer::from_vec(bits.into_bytes()), 0, len)
}

fn offsets(offsets: Vec<i32>) -> OffsetBuffer<i32> {
    OffsetBuffer::new(ScalarBuffer::from(offsets))
}

fn array(array: Array) -> Result<ArrayRef, ArrowError> {
    let len = array.len();
    let (validity, values) = array.into_parts();
    let nulls = (validity.zeros() > 0).then(|| NullBuffer::new(bits(validity)));
    Ok(match values {
        Values::Null => Arc::new(NullArray::new(len)),
        Values::Bool(values) => Arc::new(BooleanArray::new(bits(values), nulls)),
        Values::Int32(values) => Arc::new(Int32Array::new(values.into(), nulls)),
        Values::Int64(values) => Arc::new(Int64Array::new(values.into(), nulls)),
        Values::Float32(values) => Arc::new(Float32Array::new(values.into(), nulls)),
        Values::Float64(values) => Arc::new(Float64Array::new(values.into(), nulls)),
        Values::Text { offsets: at, data } => Arc::new(StringArray::try_new(
            offsets(at),
            Buffer::from_vec(data),
            nulls,
        )?),
        Values::Binary { offsets: at, data } => Arc::new(BinaryArray::try_new(
            offsets(at),
            Buffer::from_vec(data),
            nulls,
        )?),
        Values::Fixed { len, numbers } => {
            let numbers = self::array(*numbers)?;
            let field = number_of(numbers.data_type().clone());
            Arc::new(FixedSizeListArray::try_new(
                field,
                i32::from(len),
                numbers,
                nulls,
            )?)
        }
        Values::List {
            offsets: at,
            elements,
        } => {
            let elements = self::array(*elements)?;
            let field = element(elements.data_type().clone());
            Arc::new(ListArray::try_new(field, offsets(at), elements, nulls)?)
        }
    })
}
