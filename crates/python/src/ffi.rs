//! All that is unsafe: buffers of Python's and the C interface of Apache Arrow.

mod arrow;

use std::{
    ffi::{CStr, c_int, c_void},
    ptr,
};

use pyo3::{buffer::PyUntypedBuffer, exceptions::PyBufferError, ffi as python, prelude::*};

pub(crate) use arrow::{Fields, array_capsules, schema_capsule, stream_capsule};

use crate::packed::Item;

/// While it lives the search for garbage rests, if it did not rest before.
pub(crate) struct Paused(bool);

impl Paused {
    pub(crate) fn new(_py: Python<'_>) -> Paused {
        // SAFETY: the interpreter is attached, as the token shows.
        Paused(unsafe { python::PyGC_Disable() } == 1)
    }
}

impl Drop for Paused {
    fn drop(&mut self) {
        if self.0 {
            // SAFETY: it is made with the interpreter attached, and lives on the stack of that call.
            unsafe { python::PyGC_Enable() };
        }
    }
}

/// The shape of a packed array, as views point to it.
pub(crate) struct Layout {
    shape: [isize; 2],
    strides: [isize; 2],
    item: usize,
}

impl Layout {
    /// So many elements of so many numbers of so many bytes.
    pub(crate) fn new(count: usize, parts: usize, item: usize) -> Layout {
        let (count, parts, item) = (count as isize, parts as isize, item as isize);
        Layout {
            shape: [count, parts],
            strides: [parts * item, item],
            item: item as usize,
        }
    }
}

/// Fills a view of those bytes, which can only be read.
///
/// # Safety
/// `view` is null or one to be filled; `bytes` and `layout` live as long as `owner` and are not changed.
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
        // SAFETY: the view is there, and Python wants no owner in one that is not filled.
        unsafe { (*view).obj = ptr::null_mut() };
        return Err(PyBufferError::new_err("packed arrays can only be read"));
    }
    let wants = |flag: c_int| flags & flag == flag;
    let dimensions = if layout.shape[1] == 1 { 1 } else { 2 };
    // SAFETY: the view is there, and all that it points to lives as long as the owner, which it keeps.
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

/// Returns `true` if something lets its memory be looked at.
pub(crate) fn has_buffer(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object lives and the interpreter is attached.
    unsafe { python::PyObject_CheckBuffer(value.as_ptr()) == 1 }
}

fn item_of(format: &CStr, size: usize) -> Option<Item> {
    let text = format.to_str().ok()?;
    let text = match text.strip_prefix(['<', '=', '@', '|']) {
        Some(rest) => rest,
        None => text,
    };
    if cfg!(target_endian = "big") && !format.to_bytes().starts_with(b"<") && size > 1 {
        return None;
    }
    Some(match (text, size) {
        ("B" | "b" | "c" | "?", 1) => Item::Byte,
        ("i" | "l", 4) => Item::Int32,
        ("q" | "l", 8) => Item::Int64,
        ("f", 4) => Item::Float32,
        ("d", 8) => Item::Float64,
        _ => return None,
    })
}

/// The numbers in the memory of something: of what type, how many in a row, and their bytes.
pub(crate) fn read_buffer(value: &Bound<'_, PyAny>) -> PyResult<(Item, usize, Vec<u8>)> {
    let buffer = PyUntypedBuffer::get(value)?;
    let Some(item) = item_of(buffer.format(), buffer.item_size()) else {
        let message = format!(
            "numbers of format {:?} have no packed array",
            buffer.format()
        );
        return Err(PyBufferError::new_err(message));
    };
    let parts = match buffer.shape() {
        [] | [_] => 1,
        [_, parts] => *parts,
        _ => {
            return Err(PyBufferError::new_err(
                "an array of more than two dimensions has no packed array",
            ));
        }
    };
    if !buffer.is_c_contiguous() {
        return Err(PyBufferError::new_err(
            "the numbers do not lie one behind the other; use numpy.ascontiguousarray",
        ));
    }
    let bytes = if buffer.len_bytes() == 0 {
        Vec::new()
    } else {
        // SAFETY: the buffer has so many bytes in a row, and nothing else runs while they are copied.
        unsafe { std::slice::from_raw_parts(buffer.buf_ptr().cast::<u8>(), buffer.len_bytes()) }
            .to_vec()
    };
    Ok((item, parts, bytes))
}

/// Copies the numbers out of the memory of something, if it has just such numbers. `false` if it has none.
pub(crate) fn copy_buffer(
    value: &Bound<'_, PyAny>,
    item: Item,
    parts: usize,
    to: &mut Vec<u8>,
) -> PyResult<bool> {
    if !has_buffer(value) {
        return Ok(false);
    }
    let (found, in_row, bytes) = read_buffer(value)?;
    let fits = found == item && (in_row == parts || in_row == 1);
    if fits {
        to.extend(bytes);
    }
    Ok(fits)
}
