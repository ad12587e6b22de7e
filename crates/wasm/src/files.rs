//! Opens files with `gdvar-file`, and writes them again after a change.

use std::{cell::RefCell, collections::BTreeMap, collections::VecDeque, fmt::Write};

use gdvar_file::{
    Choice, Decision, Encoding, Engines, Framing, Hints, Layer, LayerKind, Peeled, Undecided,
    layers::{SecretKey, WrapError, peel_text},
    peel,
    records::records_after,
    with_values,
};
use gdvar_io::{
    Error,
    compressed::{BLOCK_SIZE, Mode},
    encrypted::Key,
};
use gdvar_text::{LineOptions, write_line};
use gdvar_view::{Dialect, Document, Engine, Found, Path};

use crate::{
    failure::{Failure, quote},
    state::State,
};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let mut failure = Failure::new(error.kind().name(), error.kind());
        failure.offset = Some(error.offset());
        failure
    }
}

impl From<gdvar_file::PeelError> for Failure {
    fn from(error: gdvar_file::PeelError) -> Failure {
        match error {
            gdvar_file::PeelError::Bytes(own) => own.into(),
            error => Failure::new(error.name(), error),
        }
    }
}

impl From<WrapError> for Failure {
    fn from(error: WrapError) -> Failure {
        match error {
            WrapError::Bytes(own) => own.into(),
            error => Failure::new("ReadOnly", error),
        }
    }
}

/// The arguments that JavaScript wrote into the scratch buffer: numbers of four bytes, and byte strings after their
/// lengths.
pub(crate) struct Script<'a>(pub(crate) &'a [u8]);

impl<'a> Script<'a> {
    fn number(&mut self) -> Result<u32, Failure> {
        let (number, rest) = self.0.split_first_chunk().ok_or_else(broken)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*number))
    }

    fn bytes(&mut self) -> Result<&'a [u8], Failure> {
        let len = self.number()? as usize;
        let (bytes, rest) = self.0.split_at_checked(len).ok_or_else(broken)?;
        self.0 = rest;
        Ok(bytes)
    }

    /// Reads a name. Returns `None` if it is empty.
    fn name(&mut self) -> Result<Option<&'a str>, Failure> {
        let name = std::str::from_utf8(self.bytes()?).map_err(|_| broken())?;
        Ok(Some(name).filter(|name| !name.is_empty()))
    }

    /// Reads a name and finds the item with this name. Returns `None` if the name is empty.
    fn one_of<T: Copy>(
        &mut self,
        what: &str,
        all: &[T],
        own: impl Fn(T) -> &'static str,
    ) -> Result<Option<T>, Failure> {
        let Some(name) = self.name()? else {
            return Ok(None);
        };
        let found = all.iter().copied().find(|&one| own(one) == name);
        let unknown = || {
            let names: Vec<_> = all.iter().map(|&one| own(one)).collect();
            Failure::new(
                "BadOption",
                format!("{what} is {}, not {name}", names.join(" or ")),
            )
        };
        found.map(Some).ok_or_else(unknown)
    }

    /// Reads a key: a password, or 32 bytes.
    fn key(&mut self) -> Result<Key, Failure> {
        let is_key = self.number()? != 0;
        let secret = self.bytes()?;
        if is_key {
            return Ok(Key::from_file(secret)?);
        }
        let password = std::str::from_utf8(secret);
        let password =
            password.map_err(|_| Failure::new("InvalidText", "the password is not UTF-8"))?;
        Ok(Key::from_password(password))
    }
}

fn broken() -> Failure {
    Failure::new(
        "BrokenScript",
        "the question is malformed; please report this",
    )
}

/// Opens a file. The script holds: 1 to find out how the contents are read, or 0 only to remove the layers;
/// the names of the dialect, the framing and the encoding; the number of bytes to skip, or `u32::MAX` if it
/// is not given; the maximum size of an unpacked layer, or `u32::MAX`; the number of secrets, and each secret
/// in the form of [`Script::key`].
///
/// `out` receives the contents, the files of the layers, the decoded lines of text, a table, and a
/// description as JSON. The table has four numbers for each value: its offset, its length, the length that it
/// should have, and the index of its record. Word 0 is the offset of the description, and word 2 the end of
/// the contents. If the contents are the file itself, they are omitted and word 1 is 1.
pub(crate) fn open(file: &[u8], script: &mut Script<'_>, state: &mut State) -> Result<(), Failure> {
    let decides = script.number()? != 0;
    let name = script.name()?;
    let given = name.filter(|name| !["auto", "any"].contains(name));
    let mut hints = Hints::new();
    hints.engines = match given {
        Some(name) => Engines::Given(dialect(name)?),
        None if name == Some("any") => Engines::Any,
        None => Engines::Auto,
    };
    hints.framing = script.one_of("framing", &Framing::ALL, Framing::name)?;
    hints.encoding = script.one_of("encoding", &Encoding::ALL, Encoding::name)?;
    hints.skip = Some(script.number()?)
        .filter(|&skip| skip != u32::MAX)
        .map(|skip| skip as usize);
    hints.max_unpacked = Some(script.number()?).filter(|&max| max != u32::MAX);
    let secrets = script.number()?;
    let keys = (0..secrets).map(|_| script.key());
    let keys = RefCell::new(keys.collect::<Result<VecDeque<_>, _>>()?);
    let ask = || keys.borrow_mut().pop_front();
    let hints = hints.with_key(&ask);

    let peeled = peel(file, &hints)?;
    let contents = peeled.contents(file);
    let decision = match decides {
        false => None,
        true => match gdvar_file::decide(file, &peeled, &hints) {
            Ok(decision) => Some(decision),
            Err(undecided) => return Err(refused(&undecided, &peeled, file)),
        },
    };
    state.words[1] = peeled.unpacked.is_none().into();
    if let Some(own) = &peeled.unpacked {
        state.out.extend_from_slice(own);
    }
    state.words[2] = state.out.len() as u32;
    let mut json = format!(
        "{{\"header\":{},\"trailer\":{},\"layers\":[",
        peeled.header_len, peeled.trailer_len
    );
    for (n, layer) in peeled.layers.iter().enumerate() {
        json.push_str(if n > 0 { ",{" } else { "{" });
        describe_layer(layer, &mut json, &mut state.out);
        json.push('}');
    }
    json.push(']');
    if let Some(decision) = &decision {
        describe_values(contents, &peeled, decision, &mut json, &mut state.out);
    }
    json.push('}');
    state.words[0] = state.out.len() as u32;
    state.out.extend_from_slice(json.as_bytes());
    Ok(())
}

fn dialect(name: &str) -> Result<Dialect, Failure> {
    let release = Engine::from_name(name).map(Engine::dialect);
    let named = || {
        Dialect::ALL
            .into_iter()
            .find(|dialect| dialect.name() == name)
    };
    let unknown = || Failure::new("UnknownDialect", format!("there is no dialect {name}"));
    release.or_else(named).ok_or_else(unknown)
}

/// Describes a layer whose contents are written back into its whole file. Appends this file to `out`.
fn describe_file(
    kind: &str,
    dialect: Dialect,
    file: &[u8],
    json: &mut String,
    out: &mut Vec<u8>,
) -> std::fmt::Result {
    let at = out.len();
    out.extend_from_slice(file);
    let dialect = dialect.name();
    let size = file.len();
    write!(
        json,
        ",\"kind\":\"{kind}\",\"dialect\":\"{dialect}\",\"at\":{at},\"size\":{size}"
    )
}

/// Describes a layer in the form that `close` reads.
fn describe_layer(layer: &Layer, json: &mut String, out: &mut Vec<u8>) {
    let _ = write!(json, "\"name\":\"{}\"", layer.name());
    let _ = match &layer.kind {
        LayerKind::Text {
            encoding, is_lines, ..
        } => {
            let encoding = encoding.name();
            write!(
                json,
                ",\"kind\":\"text\",\"encoding\":\"{encoding}\",\"lines\":{is_lines}"
            )
        }
        LayerKind::Compressed { mode, block_size } => {
            write!(
                json,
                ",\"kind\":\"compressed\",\"mode\":\"{mode}\",\"blockSize\":{block_size}"
            )
        }
        LayerKind::Packed { mode, size_len } => {
            write!(
                json,
                ",\"kind\":\"packed\",\"mode\":\"{mode}\",\"sizeBytes\":{size_len}"
            )
        }
        LayerKind::Encrypted { is_godot4, .. } => {
            write!(
                json,
                ",\"kind\":\"encrypted\",\"form\":{}",
                if *is_godot4 { 4 } else { 3 }
            )
        }
        LayerKind::Project(project) => {
            describe_file("project", project.dialect, project.file(), json, out)
        }
        LayerKind::Document(file) => {
            describe_file("document", file.dialect, file.text().as_bytes(), json, out)
        }
        LayerKind::Json(_) => write!(json, ",\"kind\":\"json\""),
        LayerKind::Script { .. } => write!(json, ",\"kind\":\"script\""),
        _ => Ok(()),
    };
    if !layer.header.is_empty() {
        let _ = write!(
            json,
            ",\"header\":{:?},\"length\":{},\"contentsLength\":{}",
            layer.header, layer.len, layer.contents_len
        );
    }
    if !layer.trailer.is_empty() {
        let _ = write!(json, ",\"trailer\":{:?}", layer.trailer);
    }
}

/// Describes how the contents are read, and lists the ranges of the values.
fn describe_values(
    contents: &[u8],
    peeled: &Peeled,
    decision: &Decision,
    json: &mut String,
    out: &mut Vec<u8>,
) {
    let framing = decision.framing;
    let start = out.len();
    let mut table = Vec::new();
    for record in records_after(peeled.values(contents), framing, peeled.header_len) {
        let is_empty_line = framing.is_text() && record.bytes.is_empty();
        if record.problem.is_some() || is_empty_line {
            continue;
        }
        let len = record.bytes.len() as u32;
        let at = match framing.is_text() {
            false => record.place.base(),
            true => {
                out.extend_from_slice(&record.bytes);
                out.len() - record.bytes.len() - start
            }
        };
        table.extend([
            at as u32,
            len,
            record.cut.unwrap_or(len),
            record.index as u32,
        ]);
    }
    let _ = write!(
        json,
        ",\"framing\":\"{}\",\"dialect\":\"{}\",\"certainty\":\"{}\",\"same\":[",
        framing.name(),
        decision.dialect.name(),
        decision.certainty.name()
    );
    for (n, same) in decision.same.iter().enumerate() {
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(json, "{comma}\"{}\"", same.name());
    }
    let _ = write!(
        json,
        "],\"text\":{start},\"table\":{},\"count\":{}",
        out.len(),
        table.len() / 4
    );
    out.extend(table.iter().flat_map(|number: &u32| number.to_le_bytes()));
}

/// Lists the records that cannot be read, as JSON. `contents` includes the header and the trailer. The script holds
/// their lengths and the name of the framing.
pub(crate) fn damage(
    contents: Document<'_>,
    script: &mut Script<'_>,
    state: &mut State,
) -> Result<(), Failure> {
    let (header, trailer) = (script.number()? as usize, script.number()? as usize);
    let framing = script.one_of("framing", &Framing::ALL, Framing::name)?;
    let framing = framing.ok_or_else(broken)?;
    let bytes = contents.bytes();
    let values = bytes.get(header..bytes.len().saturating_sub(trailer));
    let mut json = String::from("[");
    for record in records_after(values.unwrap_or_default(), framing, header) {
        if framing.is_text() && record.bytes.is_empty() && record.problem.is_none() {
            continue;
        }
        let Err(fault) = record.read(contents.options()) else {
            continue;
        };
        let comma = if json.len() > 1 { "," } else { "" };
        let (index, code, offset) = (record.index, fault.name(), fault.offset(&record));
        let _ = write!(
            json,
            "{comma}{{\"record\":{index},\"code\":\"{code}\",\"offset\":{offset},\"path\":"
        );
        let document = Document::with_options(&record.bytes, contents.options());
        quote(&fault.path(document), &mut json);
        json.push_str(",\"message\":");
        quote(&fault.message(&record), &mut json);
        json.push('}');
    }
    json.push(']');
    state.out = json.into_bytes();
    Ok(())
}

/// Creates the error for a file that can be read in several ways, or cannot be read. Lists the possible ways.
fn refused(undecided: &Undecided, peeled: &Peeled, file: &[u8]) -> Failure {
    let mut message = undecided.to_string();
    let mut json = String::from("[");
    for (n, choice) in undecided.choices().into_iter().enumerate() {
        let reads = line(peeled, file, choice).unwrap_or_default();
        let quoted = |name, own: &str| format!("\"{name}\":\"{own}\"");
        let skip = choice.skip.map(|skip| format!("\"skip\":{skip}"));
        let framing = choice.framing.map(|own| quoted("framing", own.name()));
        let dialect = choice.dialect.map(|own| quoted("dialect", own.name()));
        let options: Vec<_> = [skip, framing, dialect].into_iter().flatten().collect();
        let options = options.join(",");
        let _ = write!(message, "; {{{options}}} reads {reads}");
        let comma = if n > 0 { "," } else { "" };
        let _ = write!(json, "{comma}{{\"options\":{{{options}}},\"reads\":");
        quote(&reads, &mut json);
        json.push('}');
    }
    json.push(']');
    let mut failure = Failure::new(undecided.name(), message);
    failure.choices = json;
    failure
}

/// Returns the value in which `choice` differs from the other ways to read the file, on one line with its path.
/// `None` if it cannot be read.
fn line(peeled: &Peeled, file: &[u8], choice: Choice) -> Option<String> {
    let (record, options) = choice.record(peeled, file)?;
    let document = Document::with_options(&record.bytes, options);
    let root = document.root().ok()?;
    let place = document.locate(choice.offset).to_string();
    let path = Path::parse(&place).ok();
    let found = path.and_then(|path| root.find_path(&path).ok().flatten());
    let (mut text, value) = match found {
        Some(Found::Value(value)) if place != "$" => (format!("{place} = "), value),
        _ => (String::new(), root),
    };
    write_line(&mut text, value, LineOptions::new().with_max_len(60)).ok()?;
    Some(text)
}

/// Returns the contents with some values replaced. The script holds the length of the header, the name of the
/// framing, and for each change the index of the record and the new bytes.
pub(crate) fn splice(contents: &[u8], script: &mut Script<'_>) -> Result<Vec<u8>, Failure> {
    let header = script.number()? as usize;
    let framing = script.one_of("framing", &Framing::ALL, Framing::name)?;
    let framing = framing.ok_or_else(broken)?;
    let mut changes = BTreeMap::new();
    while !script.0.is_empty() {
        let number = script.number()?;
        changes.insert(u64::from(number), script.bytes()?);
    }
    with_values(contents, header, framing, &changes)
        .map_err(|error| Failure::new(error.name(), error))
}

/// Wraps changed contents in their layers again. The script holds the lengths of the header and the trailer,
/// the length of the contents before the change, and then each layer in the form of [`layer`], outermost
/// first.
pub(crate) fn close(contents: Vec<u8>, script: &mut Script<'_>) -> Result<Vec<u8>, Failure> {
    let mut mended = Peeled::default();
    mended.header_len = script.number()? as usize;
    mended.trailer_len = script.number()? as usize;
    let old_len = script.number()? as usize;
    let mut contents = mended.replace(old_len, contents, None)?;
    let mut layers = Vec::new();
    while !script.0.is_empty() {
        layers.push(layer(script)?);
    }
    for (layer, iv) in layers.into_iter().rev() {
        contents = layer.wrap(&contents, Some(iv))?;
    }
    Ok(contents)
}

/// Reads a layer: its kind, the settings of this kind, its header, its original length, the length of its
/// contents, and its trailer. An encrypted layer also has an initialisation vector of 16 bytes, which must be
/// different for every file. For other layers the returned vector is zero.
fn layer(script: &mut Script<'_>) -> Result<(Layer, [u8; 16]), Failure> {
    let mut iv = [0; 16];
    let kind = match script.name()?.unwrap_or_default() {
        "text" => {
            let mut hints = Hints::new();
            hints.encoding = script.one_of("encoding", &Encoding::ALL, Encoding::name)?;
            // Contents with one value in each line cannot be written again.
            if script.number()? == 0 {
                hints.framing = Some(Framing::Bare);
            }
            let text = peel_text(script.bytes()?, &hints)?;
            text.ok_or_else(|| Failure::new("ReadOnly", "the layer is not text"))?
        }
        "compressed" => LayerKind::Compressed {
            mode: mode(script)?,
            block_size: match script.number()? {
                0 => BLOCK_SIZE,
                own => own,
            },
        },
        "packed" => LayerKind::Packed {
            mode: mode(script)?,
            size_len: script.number()? as usize,
        },
        "encrypted" => {
            let is_godot4 = script.number()? != 3;
            let key = SecretKey(script.key()?);
            iv = script.bytes()?.try_into().map_err(|_| broken())?;
            LayerKind::Encrypted { is_godot4, key }
        }
        "project" | "document" => {
            let name = script.name()?.unwrap_or("godot4");
            let hints = Hints::new().with_dialect(dialect(name)?);
            let mut peeled = peel(script.bytes()?, &hints)?;
            match peeled.layers.pop() {
                Some(layer) => layer.kind,
                None => return Err(Failure::new("ReadOnly", "the layer is not such a file")),
            }
        }
        "script" => {
            return Err(Failure::new(
                "ReadOnly",
                WrapError::ReadOnly("a compiled script"),
            ));
        }
        "json" => {
            return Err(Failure::new(
                "ReadOnly",
                WrapError::ReadOnly("JSON of JSON.from_native"),
            ));
        }
        other => {
            return Err(Failure::new(
                "BadOption",
                format!("there is no layer of kind {other}"),
            ));
        }
    };
    let header = script.bytes()?.to_vec();
    let len = script.number()? as usize;
    let contents_len = script.number()? as usize;
    let trailer = script.bytes()?.to_vec();
    let layer = Layer::found(kind, header, len)
        .with_contents_len(contents_len)
        .with_trailer(trailer);
    Ok((layer, iv))
}

fn mode(script: &mut Script<'_>) -> Result<Mode, Failure> {
    match script.one_of("mode", &Mode::ALL, Mode::name)? {
        // The package has no C compiler's library, and the one in Rust only reads.
        Some(Mode::Zstd) => Err(Failure::new(
            "ReadOnly",
            "Zstandard is only read here, not written: give close() the layer with another mode, such as deflate, which \
             FileAccess.open_compressed finds out itself when it reads; or change the file with the command gdvar",
        )),
        Some(mode) => Ok(mode),
        None => Err(Failure::new("BadOption", "a compressed layer has a mode")),
    }
}
