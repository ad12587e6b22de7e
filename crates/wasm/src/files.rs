//! The layers around values in files: compression, encryption, the settings of a project.

use std::fmt::Write;

use gdvar_io::{
    Envelope, Error, Limits,
    compressed::{BLOCK_SIZE, Compressed, Mode, compress},
    encrypted::{Form, Key, decrypt, encrypt},
    project::{Project, ProjectWriter},
    script::Script,
    sniff,
};
use gdvar_write::Target;

use crate::failure::{Failure, quote};

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let mut failure = Failure::new(error.kind().name(), error.kind());
        failure.offset = Some(error.offset());
        failure
    }
}

/// Which envelope bytes have: its number (0 none, 1 compressed, 2 encrypted by Godot 3, 3 encrypted by Godot 4, 4 the settings
/// of a project, 5 a compiled script), and the mode of compression.
pub(crate) fn envelope(bytes: &[u8]) -> (u32, u32) {
    match sniff(bytes) {
        Envelope::Compressed { mode } => (1, mode),
        Envelope::Encrypted3 => (2, 0),
        Envelope::Encrypted4 => (3, 0),
        Envelope::Project => (4, 0),
        Envelope::Script => (5, 0),
        _ => (0, 0),
    }
}

/// The contents of a compressed file.
pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Failure> {
    let opened = Compressed::open(bytes, Limits::unpacking(bytes.len()))?;
    Ok(opened.to_vec()?)
}

/// A compressed file with those contents. Zstandard and Brotli can only be read here.
pub(crate) fn pack(contents: &[u8], mode: u32) -> Result<Vec<u8>, Failure> {
    let Some(mode) = Mode::from_number(mode) else {
        return Err(Failure::new(
            "UnknownMode",
            "there is no such mode of compression",
        ));
    };
    Ok(compress(contents, mode, BLOCK_SIZE)?)
}

/// A key: a password, or 32 bytes.
fn key(secret: &[u8], is_key: bool) -> Result<Key, Failure> {
    if is_key {
        return Ok(Key::from_file(secret)?);
    }
    let password = std::str::from_utf8(secret);
    let password =
        password.map_err(|_| Failure::new("InvalidText", "the password is not UTF-8"))?;
    Ok(Key::from_password(password))
}

/// The contents of an encrypted file.
pub(crate) fn open(bytes: &[u8], secret: &[u8], is_key: bool) -> Result<Vec<u8>, Failure> {
    let limits = Limits::new(bytes.len().min(u32::MAX as usize) as u32);
    Ok(decrypt(bytes, &key(secret, is_key)?, limits)?)
}

/// An encrypted file with those contents; 16 bytes that no two files share make it one of Godot 4.
pub(crate) fn close(
    contents: &[u8],
    secret: &[u8],
    is_key: bool,
    iv: Option<[u8; 16]>,
) -> Result<Vec<u8>, Failure> {
    let form = iv.map_or(Form::Godot3, |iv| Form::Godot4 { iv });
    Ok(encrypt(contents, &key(secret, is_key)?, form))
}

/// The settings of a project, or the constants of a script, as JSON: name, offset and length of each. Those of a script stand
/// in `out`, as it may be compressed.
pub(crate) fn entries(bytes: &[u8], out: &mut Vec<u8>) -> Result<String, Failure> {
    let mut json = String::from("[");
    if matches!(sniff(bytes), Envelope::Script) {
        let script = Script::open(bytes, Limits::unpacking(bytes.len()))?;
        let mut constants = script.constants();
        let mut number = 0;
        while let Some(constant) = constants.try_next()? {
            let comma = if number > 0 { "," } else { "" };
            let (at, len) = (out.len(), constant.bytes.len());
            let _ = write!(
                json,
                "{comma}{{\"name\":\"constant {number}\",\"at\":{at},\"length\":{len}}}"
            );
            out.extend_from_slice(constant.bytes);
            number += 1;
        }
        json.push(']');
        return Ok(json);
    }
    let mut project = Project::open(bytes)?;
    let mut first = true;
    while let Some(entry) = project.try_next()? {
        json.push_str(if first { "{\"name\":" } else { ",{\"name\":" });
        first = false;
        quote(entry.key, &mut json);
        let (at, len) = (out.len(), entry.bytes.len());
        out.extend_from_slice(entry.bytes);
        let _ = write!(json, ",\"at\":{at},\"length\":{len}}}");
    }
    json.push(']');
    Ok(json)
}

/// A `project.binary` out of names and values, each behind its length.
pub(crate) fn project(mut rest: &[u8]) -> Result<Vec<u8>, Failure> {
    let broken = || {
        Failure::new(
            "BrokenList",
            "the list of settings is not in order; please report this",
        )
    };
    let mut field = || {
        let (len, tail) = rest.split_first_chunk()?;
        let (bytes, tail) = tail.split_at_checked(u32::from_le_bytes(*len) as usize)?;
        rest = tail;
        Some((bytes, tail.is_empty()))
    };
    let mut file = ProjectWriter::new(Target::GODOT_4);
    loop {
        let (name, _) = field().ok_or_else(broken)?;
        let (value, last) = field().ok_or_else(broken)?;
        file.setting_bytes(std::str::from_utf8(name).map_err(|_| broken())?, value);
        if last {
            return Ok(file.finish());
        }
    }
}
