//! Error messages, one sentence each.

use std::fmt;

use crate::{Problem, Undecided, layers::PeelError};

impl fmt::Display for PeelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PeelError::Locked => f.write_str(
                "the file is encrypted, as open_encrypted or open_encrypted_with_pass writes it: a password or a key of 32 bytes is needed",
            ),
            PeelError::Bytes(error) => error.fmt(f),
            PeelError::Constant(number, error) => write!(f, "constant {number}: {error}"),
            #[cfg(feature = "resources")]
            PeelError::Resource(error) => error.fmt(f),
            PeelError::Document(form, error) => {
                let before = match error.entries_before {
                    1 => "1 value".to_owned(),
                    count => format!("{count} values"),
                };
                let what = form.title();
                write!(f, "{what} with an error, {error} (after {before} that can be read)")
            }
            PeelError::NotEncoded(encoding, line) => {
                write!(f, "line {line} is not a {}", encoding.meaning())
            }
            PeelError::TooDeep => write!(
                f,
                "there are more than {} layers of compression and encryption",
                crate::layers::MOST_LAYERS
            ),
            PeelError::SkipTooLong { skip, len } => {
                write!(f, "{skip} bytes to skip are more than there are, {len}")
            }
        }
    }
}

impl std::error::Error for PeelError {}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Undecided::Empty => f.write_str("the file is empty"),
            Undecided::Known(format) => write!(f, "this is {}: {}", format.what, format.help),
            Undecided::Framings(choices) => {
                f.write_str(
                    "the bytes make sense with and without length prefixes: give the framing, ",
                )?;
                let names = choices.iter().map(|(framing, _)| framing.name());
                f.write_str(&names.collect::<Vec<_>>().join(" or "))
            }
            Undecided::Header(header) => write!(
                f,
                "the whole file can be one value, or values after a header of {} bytes: give the framing, or the bytes to skip",
                header.len
            ),
            Undecided::Dialects(_, choices) => {
                f.write_str(
                    "the bytes mean different things to different engines: give the dialect, ",
                )?;
                let names = choices.iter().flat_map(|choice| &choice.dialects);
                let names = names.map(|dialect| dialect.name()).collect::<Vec<_>>();
                f.write_str(&names.join(" or "))
            }
            Undecided::Rest { read, .. } => write!(
                f,
                "the first {read} bytes could be a value, but nearly all of the file comes after it and is nothing known"
            ),
            Undecided::Unreadable(framing) => write!(
                f,
                "no engine reads even the first value (taken as {}, {})",
                framing.name(),
                framing.meaning()
            ),
        }
    }
}

impl std::error::Error for Undecided {}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Frame(error) => error.fmt(f),
            Problem::Blank(blank) => write!(
                f,
                "{} bytes of {:02x} from byte {} on, where a record should be",
                blank.len, blank.byte, blank.start
            ),
            Problem::Hex(column) => write!(f, "character {} is not a hex digit", column + 1),
            Problem::Base64(column) => write!(f, "character {} is not base64", column + 1),
        }
    }
}
