//! Checks whether a new value is allowed in its place.

use gdvar_view::{Document, Kind, Limits, Mode, ReadOptions, VariantRef};

use crate::{
    container::{Container, Name},
    error::EditErrorKind,
};

/// Reads `bytes` as one value that lies inside `depth` containers. Refuses bytes after the value
/// and missing padding.
pub(crate) fn value(
    bytes: &[u8],
    options: ReadOptions,
    depth: u16,
) -> Result<VariantRef<'_>, EditErrorKind> {
    let Some(max_depth) = options.max_depth().checked_sub(depth) else {
        // Too deep even for a value without children. A nested array with a limit of 0 gives this
        // error.
        let none = options.with_limits(Limits::ENGINE.with_max_depth(0));
        let nested = Document::with_options(b"\x1c\0\0\0\x01\0\0\0\0\0\0\0", none);
        return match nested.validate() {
            Err(error) => Err(EditErrorKind::Value(error)),
            Ok(_) => Err(EditErrorKind::TooLarge),
        };
    };
    let document = Document::with_options(
        bytes,
        options.with_limits(Limits::ENGINE.with_max_depth(max_depth)),
    );
    // Strict mode refuses bytes after the value, too.
    let end = document.validate().map_err(EditErrorKind::Value)?;
    // Engine mode accepts missing padding; then the bytes are shorter than the value.
    match bytes.len().checked_sub(end) {
        Some(0) if bytes.len() % 4 == 0 || options.dialect().leaves_padding_unset() => {}
        Some(0) | None => {
            let strict = Document::with_options(bytes, options.strict()).validate();
            strict.map_err(EditErrorKind::Value)?;
        }
        Some(count) => return Err(EditErrorKind::Trailing { count }),
    }
    document.root().map_err(EditErrorKind::Value)
}

/// Checks that the types and keys of `container` allow `value` under the key or name `name`.
pub(crate) fn admits(
    container: Container<'_>,
    name: Option<Name<'_>>,
    value: VariantRef<'_>,
) -> Result<(), EditErrorKind> {
    let kind = value.kind();
    if !container.value_type().admits(kind) {
        return Err(EditErrorKind::ElementType { kind });
    }
    let Some(Name::Property(name)) = name else {
        return Ok(());
    };
    let is_script = name == *"script" && value.dialect().has_typed_containers();
    if is_script && container.value.options().mode() == Mode::Strict {
        let is_path = |text: &str| text.starts_with("res://");
        let good = kind == Kind::Nil || kind == Kind::String && value.as_str().is_some_and(is_path);
        return if good {
            Ok(())
        } else {
            Err(EditErrorKind::Script)
        };
    }
    Ok(())
}
