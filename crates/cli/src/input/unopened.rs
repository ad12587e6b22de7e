//! [`Unopened`]: why the contents of a file cannot be opened.

use std::io;

use gdvar_file::PeelError;
use gdvar_io::FileErrorKind;

use crate::terminal::exit::{self, Exit};

/// Why the contents of a file cannot be opened.
pub(crate) enum Unopened {
    /// The password or key could not be read. The text names its source.
    Secret(String, io::Error),
    /// The named key file contains no key.
    BadKey(String),
    /// A layer cannot be taken off.
    Layer(PeelError),
    /// The command cannot be used on this file. The text says why.
    Usage(String),
}

impl Unopened {
    /// Returns the reason as a sentence, without the name of the file.
    pub(crate) fn words(&self) -> String {
        match self {
            Unopened::Secret(what, error) => format!("{what}: {error}"),
            Unopened::BadKey(file) => format!("{file}: {}", FileErrorKind::BadKey),
            Unopened::Usage(text) => text.clone(),
            Unopened::Layer(error) => match error {
                PeelError::Locked => "encrypted; the game's password opens it".to_owned(),
                PeelError::Bytes(error) => error.kind().to_string(),
                PeelError::Constant(number, error) => {
                    format!("constant {number}: {}", error.kind())
                }
                PeelError::Resource(error) => error.kind().to_string(),
                PeelError::NotEncoded(encoding, line) => {
                    format!("line {line}: this is not --encoding {}", encoding.name())
                }
                PeelError::SkipTooLong { skip, len } => {
                    let len = crate::terminal::words::plural(*len as u64, "byte");
                    format!("--skip {skip} is more than there is, {len}")
                }
                error => error.to_string(),
            },
        }
    }

    /// Returns advice on what to do next, unless the message contains it.
    pub(crate) fn help(&self) -> Option<String> {
        let help = match self {
            Unopened::Layer(PeelError::Locked) => {
                "give the game's password with --password, --password-stdin or, for open_encrypted, --key-file"
            }
            Unopened::Layer(PeelError::Resource(error)) => match error.kind() {
                gdvar_resource::ErrorKind::TooLong { limit } => {
                    let more = u64::from(limit) * 4;
                    return Some(format!(
                        "its names are repeated very often; if you trust it, allow it with --max-unpacked {more}"
                    ));
                }
                // The message says enough.
                gdvar_resource::ErrorKind::UnknownFormat { .. }
                | gdvar_resource::ErrorKind::UnknownPackage { .. }
                | gdvar_resource::ErrorKind::NoPackage
                | gdvar_resource::ErrorKind::Encrypted
                | gdvar_resource::ErrorKind::Removed => return None,
                _ => {
                    "the resource is damaged, and gdvar repairs values only: take an older copy, or export it again"
                }
            },
            Unopened::Layer(PeelError::Document(..)) => {
                "open it in a text editor at that line; if the end of the text is missing, take an older copy"
            }
            Unopened::Layer(PeelError::Bytes(error)) => match error.kind() {
                FileErrorKind::WrongKey => {
                    "the password is in the game's scripts, next to open_encrypted_with_pass; if it is right, \
                     gdvar recover reads what is left"
                }
                FileErrorKind::BadBlock { .. } | FileErrorKind::Impossible { .. } => {
                    "gdvar recover takes what can still be unpacked"
                }
                FileErrorKind::WrongChecksum => {
                    "gdvar recover takes all values; look at them, a number among them may be wrong"
                }
                FileErrorKind::TooLong { length, .. } => {
                    return Some(format!(
                        "no engine packs that much into a file of this length; if you trust it, allow \
                         it with --max-unpacked {length}"
                    ));
                }
                FileErrorKind::UnknownVersion { .. } => {
                    "the constants cannot be listed; the save is another file, in the game's user folder"
                }
                FileErrorKind::Truncated { .. } => {
                    "saves end up like this when the game or the machine stopped while writing; gdvar recover takes \
                     what is whole"
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(help.to_owned())
    }

    /// Returns the exit code, and the stable name that programs read.
    pub(crate) fn exit_and_name(&self) -> (Exit, &'static str) {
        match self {
            Unopened::Secret(..) => (Exit::Io, "NoKey"),
            Unopened::BadKey(_) => (Exit::Usage, "BadKey"),
            Unopened::Usage(_) => (Exit::Usage, "NotRead"),
            Unopened::Layer(error) => match error {
                PeelError::Locked => (Exit::Malformed, "Encrypted"),
                PeelError::Bytes(error) => {
                    let exit = match error.kind() {
                        FileErrorKind::TooLong { .. } => Exit::Ambiguous,
                        FileErrorKind::OutOfMemory { .. } => Exit::Io,
                        _ => Exit::Malformed,
                    };
                    (exit, error.kind().name())
                }
                PeelError::Constant(_, error) => {
                    (exit::of_error(error.kind()), error.kind().name())
                }
                PeelError::Resource(error) => {
                    let exit = match error.kind() {
                        gdvar_resource::ErrorKind::TooLong { .. } => Exit::Ambiguous,
                        _ => Exit::Malformed,
                    };
                    (exit, error.kind().name())
                }
                PeelError::NotEncoded(..) => (Exit::Malformed, "NotRead"),
                PeelError::Document(..) => (Exit::Malformed, error.name()),
                PeelError::SkipTooLong { .. } => (Exit::Usage, "NotRead"),
                _ => (Exit::Malformed, "NotRead"),
            },
        }
    }
}
