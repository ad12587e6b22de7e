//! Exports batches through the C Data and C Stream interfaces of Apache Arrow, without a copy.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface.html>, <https://arrow.apache.org/docs/format/CStreamInterface.html>,
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>

use std::{
    collections::VecDeque,
    ffi::{CStr, CString, c_char, c_int, c_void},
    ptr,
    sync::Arc,
};

use gdvar_columns::{Array, Batch, Scalar, Type, Values};
use pyo3::{ffi as python, prelude::*};

/// `struct ArrowSchema`.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private: *mut c_void,
}

/// `struct ArrowArray`.
#[repr(C)]
struct Data {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut Data,
    dictionary: *mut Data,
    release: Option<unsafe extern "C" fn(*mut Data)>,
    private: *mut c_void,
}

/// `struct ArrowArrayStream`.
#[repr(C)]
struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Data) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private: *mut c_void,
}

/// `ARROW_FLAG_NULLABLE`: any value may be missing.
const NULLABLE: i64 = 2;

/// The names and types of columns.
pub(crate) type Fields = Arc<Vec<(String, Type)>>;

struct SchemaOwner {
    format: CString,
    name: CString,
    children: Vec<*mut Schema>,
}

struct DataOwner {
    /// Keeps the buffers alive.
    _batch: Arc<Batch>,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Data>,
}

struct StreamOwner {
    fields: Fields,
    batches: VecDeque<Arc<Batch>>,
}

fn format(ty: Type) -> (CString, Option<Type>) {
    let plain = |text: &CStr| (text.to_owned(), None);
    match ty {
        Type::Null => plain(c"n"),
        Type::List(scalar) => (c"+l".to_owned(), Some(Type::One(scalar))),
        Type::One(scalar) => match scalar {
            Scalar::Bool => plain(c"b"),
            Scalar::Int32 => plain(c"i"),
            Scalar::Int64 => plain(c"l"),
            Scalar::Float32 => plain(c"f"),
            Scalar::Float64 => plain(c"g"),
            Scalar::Text => plain(c"u"),
            Scalar::Binary => plain(c"z"),
            Scalar::Fixed(number, len) => {
                let number = match number {
                    gdvar_columns::Number::Int32 => Scalar::Int32,
                    gdvar_columns::Number::Float32 => Scalar::Float32,
                    gdvar_columns::Number::Float64 => Scalar::Float64,
                };
                let text = CString::new(format!("+w:{len}")).unwrap_or_default();
                (text, Some(Type::One(number)))
            }
        },
    }
}

fn schema(format: CString, name: &str, children: Vec<Schema>) -> Schema {
    let children: Vec<_> = children
        .into_iter()
        .map(|child| Box::into_raw(Box::new(child)))
        .collect();
    // A C string ends at its first NUL.
    let name = CString::new(name.split('\0').next().unwrap_or_default()).unwrap_or_default();
    let mut owner = Box::new(SchemaOwner {
        format,
        name,
        children,
    });
    Schema {
        format: owner.format.as_ptr(),
        name: owner.name.as_ptr(),
        metadata: ptr::null(),
        flags: NULLABLE,
        n_children: owner.children.len() as i64,
        children: owner.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_schema),
        private: Box::into_raw(owner).cast(),
    }
}

fn field(name: &str, ty: Type) -> Schema {
    let (format, child) = format(ty);
    let children = child.map(|ty| field("item", ty)).into_iter().collect();
    schema(format, name, children)
}

fn root(fields: &Fields) -> Schema {
    let children = fields.iter().map(|(name, ty)| field(name, *ty)).collect();
    schema(c"+s".to_owned(), "", children)
}

unsafe extern "C" fn release_schema(own: *mut Schema) {
    // SAFETY: the consumer passes a schema that `schema` made and that was not released yet. Children that
    // were moved elsewhere have no release callback any more.
    unsafe {
        let owner = Box::from_raw((*own).private.cast::<SchemaOwner>());
        for &child in &owner.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*own).release = None;
    }
}

fn data(
    batch: &Arc<Batch>,
    length: usize,
    nulls: usize,
    buffers: Vec<*const c_void>,
    children: Vec<Data>,
) -> Data {
    let children: Vec<_> = children
        .into_iter()
        .map(|child| Box::into_raw(Box::new(child)))
        .collect();
    let mut owner = Box::new(DataOwner {
        _batch: Arc::clone(batch),
        buffers,
        children,
    });
    Data {
        length: length as i64,
        null_count: nulls as i64,
        offset: 0,
        n_buffers: owner.buffers.len() as i64,
        n_children: owner.children.len() as i64,
        buffers: owner.buffers.as_mut_ptr(),
        children: owner.children.as_mut_ptr(),
        dictionary: ptr::null_mut(),
        release: Some(release_data),
        private: Box::into_raw(owner).cast(),
    }
}

unsafe extern "C" fn release_data(own: *mut Data) {
    // SAFETY: the consumer passes data that `data` made and that was not released yet. Children that were
    // moved elsewhere have no release callback any more.
    unsafe {
        let owner = Box::from_raw((*own).private.cast::<DataOwner>());
        for &child in &owner.children {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*own).release = None;
    }
}

/// Exports a column without copying its buffers. Recurses as deep as the types are nested, which is at most
/// a list of vectors of numbers.
fn column(batch: &Arc<Batch>, array: &Array) -> Data {
    fn at<T>(values: &[T]) -> *const c_void {
        values.as_ptr().cast()
    }
    let nulls = array.nulls();
    let validity = if nulls == 0 {
        ptr::null()
    } else {
        at(array.validity().as_bytes())
    };
    let (buffers, children) = match array.values() {
        Values::Null => (vec![], vec![]),
        Values::Bool(all) => (vec![validity, at(all.as_bytes())], vec![]),
        Values::Int32(all) => (vec![validity, at(all)], vec![]),
        Values::Int64(all) => (vec![validity, at(all)], vec![]),
        Values::Float32(all) => (vec![validity, at(all)], vec![]),
        Values::Float64(all) => (vec![validity, at(all)], vec![]),
        Values::Text { offsets, data } | Values::Binary { offsets, data } => {
            (vec![validity, at(offsets), at(data)], vec![])
        }
        Values::Fixed { numbers, .. } => (vec![validity], vec![column(batch, numbers)]),
        Values::List { offsets, elements } => {
            (vec![validity, at(offsets)], vec![column(batch, elements)])
        }
    };
    data(batch, array.len(), nulls, buffers, children)
}

fn table(batch: &Arc<Batch>) -> Data {
    let columns = batch
        .columns()
        .iter()
        .map(|own| column(batch, own.array()))
        .collect();
    data(batch, batch.rows(), 0, vec![ptr::null()], columns)
}

unsafe extern "C" fn stream_schema(own: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: the consumer passes a stream that `stream_capsule` made, and room for a schema.
    unsafe {
        let owner = &*(*own).private.cast::<StreamOwner>();
        ptr::write(out, root(&owner.fields));
    }
    0
}

unsafe extern "C" fn stream_next(own: *mut Stream, out: *mut Data) -> c_int {
    // SAFETY: as above. Nothing else uses the stream at the same time.
    unsafe {
        let owner = &mut *(*own).private.cast::<StreamOwner>();
        match owner.batches.pop_front() {
            Some(batch) => ptr::write(out, table(&batch)),
            None => (*out).release = None,
        }
    }
    0
}

unsafe extern "C" fn stream_error(_: *mut Stream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_stream(own: *mut Stream) {
    // SAFETY: as in `release_schema`.
    unsafe {
        drop(Box::from_raw((*own).private.cast::<StreamOwner>()));
        (*own).release = None;
    }
}

macro_rules! capsule {
    ($make:ident, $destroy:ident, $ty:ty, $name:literal) => {
        fn $make<'py>(py: Python<'py>, content: $ty) -> PyResult<Bound<'py, PyAny>> {
            let content = Box::into_raw(Box::new(content));
            // SAFETY: the pointer comes from a box that the destructor takes back. The name is static.
            unsafe {
                let made = python::PyCapsule_New(content.cast(), $name.as_ptr(), Some($destroy));
                Bound::from_owned_ptr_or_err(py, made)
            }
        }

        unsafe extern "C" fn $destroy(capsule: *mut python::PyObject) {
            // SAFETY: Python passes the capsule that was made above. Contents that the consumer moved out
            // have no release callback any more.
            unsafe {
                let content = python::PyCapsule_GetPointer(capsule, $name.as_ptr()).cast::<$ty>();
                if content.is_null() {
                    python::PyErr_WriteUnraisable(capsule);
                    return;
                }
                if let Some(release) = (*content).release {
                    release(content);
                }
                drop(Box::from_raw(content));
            }
        }
    };
}

capsule!(new_schema, destroy_schema, Schema, c"arrow_schema");
capsule!(new_array, destroy_array, Data, c"arrow_array");
capsule!(new_stream, destroy_stream, Stream, c"arrow_array_stream");

/// `__arrow_c_schema__`.
pub(crate) fn schema_capsule<'py>(py: Python<'py>, fields: &Fields) -> PyResult<Bound<'py, PyAny>> {
    new_schema(py, root(fields))
}

/// `__arrow_c_array__`.
pub(crate) fn array_capsules<'py>(
    py: Python<'py>,
    fields: &Fields,
    batch: &Arc<Batch>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    Ok((new_schema(py, root(fields))?, new_array(py, table(batch))?))
}

/// `__arrow_c_stream__`.
pub(crate) fn stream_capsule<'py>(
    py: Python<'py>,
    fields: &Fields,
    batches: impl Iterator<Item = Arc<Batch>>,
) -> PyResult<Bound<'py, PyAny>> {
    let owner = Box::new(StreamOwner {
        fields: Arc::clone(fields),
        batches: batches.collect(),
    });
    new_stream(
        py,
        Stream {
            get_schema: Some(stream_schema),
            get_next: Some(stream_next),
            get_last_error: Some(stream_error),
            release: Some(release_stream),
            private: Box::into_raw(owner).cast(),
        },
    )
}
