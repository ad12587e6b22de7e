//! All unsafe code: the buffer protocol of Python and the C interface of Apache Arrow.

mod arrow;

use std::{
    ffi::{CStr, c_int, c_void},
    ptr,
};

use pyo3::{exceptions::PyBufferError, ffi as python, prelude::*};

pub(crate) use arrow::{Fields, array_capsules, schema_capsule, stream_capsule};

/// Shape and strides of a packed array. Views contain pointers to them.
pub(crate) struct Layout {
    shape: [isize; 2],
    strides: [isize; 2],
    item: usize,
}

impl Layout {
    /// Creates the layout of `count` elements of `parts` numbers of `item` bytes.
    pub(crate) fn new(count: usize, parts: usize, item: usize) -> Layout {
        let (count, parts, item) = (count as isize, parts as isize, item as isize);
        Layout {
            shape: [count, parts],
            strides: [parts * item, item],
            item: item as usize,
        }
    }
}

/// Fills a read-only view of `bytes`.
///
/// # Safety
/// `view` must be null or a view that is to be filled. `bytes` and `layout` must live as long as `owner`, and
/// must not change.
pub(crate) unsafe fn fill_view(
    view: *mut python::Py_buffer,
    flags: c_int,
    owner: &Bound<'_, PyAny>,
    bytes: &[u8],
    layout: &Layout,
    format: &'static CStr,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("there is no view to fill"));
    }
    if flags & python::PyBUF_WRITABLE == python::PyBUF_WRITABLE {
        // SAFETY: the view is not null. Python requires that a view which was not filled has no owner.
        unsafe { (*view).obj = ptr::null_mut() };
        return Err(PyBufferError::new_err("packed arrays can only be read"));
    }
    let wants = |flag: c_int| flags & flag == flag;
    let dimensions = if layout.shape[1] == 1 { 1 } else { 2 };
    // SAFETY: the view is not null. Everything that it points to lives as long as the owner, which it keeps
    // alive.
    unsafe {
        (*view).obj = owner.clone().into_ptr();
        (*view).buf = bytes.as_ptr() as *mut c_void;
        (*view).len = bytes.len() as isize;
        (*view).readonly = 1;
        (*view).itemsize = layout.item as isize;
        (*view).format = if wants(python::PyBUF_FORMAT) {
            format.as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).ndim = dimensions;
        (*view).shape = if wants(python::PyBUF_ND) {
            layout.shape.as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).strides = if wants(python::PyBUF_STRIDES) {
            layout.strides.as_ptr().cast_mut()
        } else {
            ptr::null_mut()
        };
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = ptr::null_mut();
    }
    Ok(())
}

/// Returns `true` if an object exposes its memory.
pub(crate) fn has_buffer(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object is alive and the interpreter is attached.
    unsafe { python::PyObject_CheckBuffer(value.as_ptr()) == 1 }
}
