//! Describes the layers around a file's contents, and takes them off with the options of the command line.

use std::cell::Cell;

use gdvar_file::{Hints, Layer, LayerKind, PeelError, Peeled, WrapError};
use gdvar_io::compressed::Mode;
use gdvar_view::Dialect;

use crate::{
    args::Global,
    input::{key::key, unopened::Unopened},
    terminal::{safe_text, threads, words::plural},
};

/// Takes off all layers of a file, with the options of the command line.
///
/// # Errors
/// Fails if a layer cannot be taken off, or the key cannot be read.
pub(crate) fn peel(global: &Global, file: &[u8]) -> Result<Peeled, Unopened> {
    take_off(global, file, false)
}

/// Takes off all layers of a file, and of damaged ones what is left, with the options of the command line.
///
/// # Errors
/// Fails if there is no key, if the key cannot be read, or if a layer is larger than the limits allow.
pub(crate) fn peel_damaged(global: &Global, file: &[u8]) -> Result<Peeled, Unopened> {
    take_off(global, file, true)
}

fn take_off(global: &Global, file: &[u8], damaged: bool) -> Result<Peeled, Unopened> {
    let no_key = Cell::new(None);
    let ask = || {
        key(global).unwrap_or_else(|error| {
            no_key.set(Some(error));
            None
        })
    };
    let mut hints = Hints::new()
        .with_engines(global.dialect.engines())
        .with_key(&ask);
    hints.framing = global.framing.get();
    hints.encoding = global.encoding();
    hints.skip = Some(global.skip).filter(|&skip| skip > 0);
    hints.max_unpacked = global.max_unpacked;
    hints.parallel = Some(threads::are_there);
    hints.damaged = damaged;
    let peeled = gdvar_file::peel(file, &hints);
    match no_key.take() {
        Some(unopened) => Err(unopened),
        None => peeled.map_err(Unopened::Layer),
    }
}

/// Describes all layers of a file, the outermost first: `compressed (zstd, blocks of 4096 bytes)`.
pub(crate) fn describe_all(layers: &[Layer]) -> String {
    let all: Vec<_> = layers.iter().map(describe).collect();
    all.join(", in it ")
}

/// Returns a message that the layers of a file are left out, and what puts them back: a command for the file that
/// `back`, the command that reads the result, writes. Returns `None` if there are no layers. `dialect` is the dialect
/// of the contents.
pub(crate) fn left_out(layers: &[Layer], dialect: Dialect, back: &str) -> Option<String> {
    let pack = match layers {
        [] => return None,
        [layer] => packing(layer),
        // The engines compress or encrypt, so `gdvar pack` makes one layer only.
        _ => None,
    };
    let is_writable = layers
        .iter()
        .all(|layer| layer.is_writable(dialect).is_ok());
    let put_back = match pack {
        Some(pack) => format!(
            "{pack} puts it around the file that `{back}` makes; gdvar edit, set and patch keep it"
        ),
        None if is_writable => "gdvar edit, set and patch keep it".to_owned(),
        None => "gdvar cannot write it".to_owned(),
    };
    let layers = describe_all(layers);
    Some(format!(
        "the result lacks what is around the values: {layers}; {put_back}"
    ))
}

/// Returns the `gdvar pack` command that makes a layer. Returns `None` for layers that it cannot make.
fn packing(layer: &Layer) -> Option<String> {
    match &layer.kind {
        LayerKind::Compressed {
            mode: Mode::Brotli, ..
        } => None,
        LayerKind::Compressed {
            mode,
            block_size: 4096,
        } => Some(format!("`gdvar pack --mode {mode}`")),
        LayerKind::Compressed { mode, block_size } => Some(format!(
            "`gdvar pack --mode {mode} --block-size {block_size}`"
        )),
        LayerKind::Encrypted { is_godot4, .. } => {
            let engine = if *is_godot4 { "godot4" } else { "godot3" };
            Some(format!(
                "`gdvar pack --to {engine}` with the same password or key"
            ))
        }
        _ => None,
    }
}

/// Describes a layer: `compressed (zstd, blocks of 4096 bytes)`.
fn describe(layer: &Layer) -> String {
    match &layer.kind {
        LayerKind::Compressed { mode, block_size } => {
            let size = plural((*block_size).into(), "byte");
            format!("compressed ({mode}, blocks of {size})")
        }
        LayerKind::Packed {
            mode: Mode::Deflate,
            size_len: 0,
        } => "compressed as a whole (zlib)".to_owned(),
        LayerKind::Packed { mode, size_len: 0 } => format!("compressed as a whole ({mode})"),
        LayerKind::Packed { mode, size_len } => {
            let size = plural(*size_len as u64, "byte");
            format!("compressed as a whole ({mode}, after its size in {size})")
        }
        LayerKind::Encrypted { is_godot4, .. } => {
            let engine = if *is_godot4 { 4 } else { 3 };
            format!("encrypted, in the form of Godot {engine}")
        }
        LayerKind::Project(project) => {
            let settings = plural(project.kept.into(), "setting");
            format!("the settings of a game (project.binary, {settings})")
        }
        LayerKind::Document(file) => {
            let entries = plural(file.entries.into(), "value");
            format!("{} (text, {entries})", file.form.title())
        }
        LayerKind::Json(_) => "JSON of JSON.from_native (text)".to_owned(),
        LayerKind::Script {
            version,
            constants,
            names,
            is_compressed,
            ..
        } => {
            let constants = plural((*constants).into(), "constant");
            let names = plural((*names).into(), "name");
            let how = if *is_compressed { ", compressed" } else { "" };
            format!("a compiled script (.gdc, version {version}{how}): {constants}, {names}")
        }
        LayerKind::Resource(resource) => describe_resource(resource),
        _ => format!("text ({})", layer.name()),
    }
}

/// Describes a resource: `a binary resource (Gradient, format 6 of Godot 4.6): 2 resources, and 1 in other files`.
fn describe_resource(resource: &gdvar_file::layers::Resource) -> String {
    let header = &resource.header;
    let mut text = format!(
        "a binary resource ({}, format {} of Godot {}.{}",
        safe_text::short_name(&header.class),
        header.format,
        header.major,
        header.minor
    );
    if let Some(class) = &header.script_class {
        text += &format!(", class_name {}", safe_text::short_name(class));
    }
    if let Some(uid) = gdvar_resource::uid_text(header.uid) {
        text += &format!(", {uid}");
    }
    if header.is_big_endian {
        text += ", big-endian";
    }
    if let Some(mode) = resource.mode {
        text += &format!(", compressed by {mode}");
    }
    text += &format!("): {}", plural(resource.internals as u64, "resource"));
    if resource.externals > 0 {
        text += &format!(", and {} in other files", resource.externals);
    }
    text
}

/// Returns `true` if the contents are a binary resource.
pub(crate) fn are_resource(layers: &[Layer]) -> bool {
    let last = layers.last().map(|layer| &layer.kind);
    matches!(last, Some(LayerKind::Resource(_)))
}

/// Returns the stable names of all layers, which programs read, the outermost first: `gzip, compressed:zstd`. `None`
/// if there are no layers.
pub(crate) fn names(layers: &[Layer]) -> Option<String> {
    let all: Vec<_> = layers.iter().map(Layer::name).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Returns `true` if the contents are the list of a script's constants, which is always shown completely.
pub(crate) fn is_list(layers: &[Layer]) -> bool {
    let last = layers.last().map(|layer| &layer.kind);
    matches!(last, Some(LayerKind::Script { .. }))
}

/// Returns the text of a text document. `None` for other contents.
pub(crate) fn text(layers: &[Layer]) -> Option<&str> {
    match layers.last().map(|layer| &layer.kind) {
        Some(LayerKind::Document(file)) => Some(file.text()),
        _ => None,
    }
}

/// Checks whether an engine loads the resource or scene that the contents come from. `Ok` for other contents.
///
/// # Errors
/// Returns the first reason why no engine loads it.
pub(crate) fn check_loading(layers: &[Layer]) -> Result<(), PeelError> {
    match layers.last().map(|layer| &layer.kind) {
        Some(LayerKind::Document(file)) => { file.check_loading() }
            .map_err(|error| PeelError::Document(file.form, Box::new(error))),
        _ => Ok(()),
    }
}

/// Returns the JSON that the contents were made of. `None` for other contents.
pub(crate) fn json(layers: &[Layer]) -> Option<&[u8]> {
    match layers.last().map(|layer| &layer.kind) {
        Some(LayerKind::Json(file)) => Some(file.text()),
        _ => None,
    }
}

/// Returns `true` if the contents are the settings of a game (`project.binary`).
pub(crate) fn are_settings(layers: &[Layer]) -> bool {
    let last = layers.last().map(|layer| &layer.kind);
    matches!(last, Some(LayerKind::Project(_)))
}

/// Returns a message about settings that cannot be read and are missing in the contents. The engine drops them too.
pub(crate) fn missing(layers: &[Layer]) -> Option<String> {
    const SHOWN: usize = 5;
    let Some(LayerKind::Project(project)) = layers.last().map(|layer| &layer.kind) else {
        return None;
    };
    let dropped = &project.dropped;
    let names = dropped.iter().take(SHOWN);
    let shown: Vec<_> = names.map(|name| safe_text::short_name(name)).collect();
    let shown = shown.join(", ");
    let more = if dropped.len() > SHOWN { ", …" } else { "" };
    let what = plural(dropped.len() as u64, "setting");
    let missing = format!("{what} cannot be read, which the engine leaves out: {shown}{more}");
    (!dropped.is_empty()).then_some(missing)
}

/// Returns `true` if a layer is text that can be read but not written: a dump with an unknown layout, or lines of a
/// log.
pub(crate) fn is_lost_text(layer: &Layer) -> bool {
    matches!(layer.kind, LayerKind::Text { layout: None, .. })
}

/// Returns `true` if a layer is a text document.
pub(crate) fn is_document(layer: &Layer) -> bool {
    matches!(layer.kind, LayerKind::Document(_))
}

/// Returns the layers to put around changed contents. Text that cannot be written is left out, so that a dump becomes
/// the bytes that it shows.
///
/// # Errors
/// Fails if a layer cannot be written for `engine`. The message says what to do.
pub(crate) fn to_write(layers: &[Layer], engine: Dialect) -> Result<Vec<Layer>, String> {
    let kept = layers.iter().filter(|layer| !is_lost_text(layer));
    let kept: Vec<_> = kept.cloned().collect();
    match kept.iter().try_for_each(|layer| layer.is_writable(engine)) {
        Ok(()) => Ok(kept),
        Err(WrapError::ReadOnly("Brotli")) => Err(
            "brotli can be read but not written, as in the engine: add --plain, and gdvar pack \
             the result in another mode"
                .to_owned(),
        ),
        Err(error) if json(&kept).is_some() => Err(format!(
            "{error}: make a save of it that can be changed, gdvar from-json --style native FILE -o SAVE, and then JSON \
             again, gdvar json --style native SAVE"
        )),
        Err(error) => Err(format!(
            "{error}: add --plain for its values alone, as binary data"
        )),
    }
}
