//! How one dialect reads one record, and in which places two readings differ.

use gdvar_wire::{Dialect, HeaderWord, Kind, Limits};

use crate::{
    document::Document,
    error::{Error, ErrorKind},
    options::{Objects, ReadOptions},
    walk::event::Event,
};

/// A longer value is read so far at first: most readings have ended by then.
pub(super) const FIRST_LOOK: usize = 1 << 16;

/// How one dialect reads one record.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) options: ReadOptions,
    /// The end of the value, or why there is none.
    pub(super) end: Result<usize, Error>,
    /// True if the end was not looked for: the value goes on behind [`FIRST_LOOK`].
    pub(super) goes_on: bool,
    pub(super) odd: bool,
}

impl Look {
    /// Reads a value, but one that is longer only up to the limit.
    pub(super) fn at(bytes: &[u8], dialect: Dialect, limit: usize) -> Look {
        let options = ReadOptions::new(dialect).with_limits(match dialect {
            Dialect::GODOT_3 => Limits::GODOT_3_2,
            _ => Limits::ENGINE,
        });
        let look = Look::with(bytes, options, limit);
        match look.end {
            // The engines look closer at some bytes once objects are let in, so objects are let in only
            // where there are some.
            Err(error) if error.kind() == ErrorKind::ObjectsNotAllowed => {
                Look::with(bytes, options.with_objects(Objects::Inert), limit)
            }
            _ => look,
        }
    }

    fn with(bytes: &[u8], options: ReadOptions, limit: usize) -> Look {
        let document = Document::with_options(bytes, options);
        let look = |end, goes_on| Look {
            options,
            end,
            goes_on,
            odd: false,
        };
        if bytes.len() <= limit {
            return look(document.validate(), false);
        }
        // Most dialects do not even have the type that stands first.
        if let Err(error) = document.root() {
            return look(Err(error), false);
        }
        let mut events = document.events();
        loop {
            match events.try_next() {
                Ok(Some(_)) if events.position() > limit && events.open() > 0 => {
                    return look(Ok(bytes.len()), true);
                }
                Ok(Some(_)) => {}
                Ok(None) => return look(Ok(events.position()), false),
                Err(error) => return look(Err(error), false),
            }
        }
    }

    /// True if a value that was cut off could be one of that many bytes.
    pub(super) fn would_fill(self, bytes: &[u8], declared: usize, error: Error) -> bool {
        let ErrorKind::Truncated { missing } = error.kind() else {
            return false;
        };
        let least = bytes.len().saturating_add(missing as usize);
        let Some(header) = bytes
            .first_chunk()
            .map(|word| HeaderWord(u32::from_le_bytes(*word)))
        else {
            return true;
        };
        let dialect = self.options.dialect();
        match dialect.fixed_payload(header.type_id(), dialect.is_wide(header)) {
            Some(_) => least == declared,
            None => least <= declared,
        }
    }

    pub(super) fn document(self, bytes: &[u8]) -> Document<'_> {
        Document::with_options(bytes, self.options)
    }
}

/// A reading that something speaks against and that leaves bytes is none, where another one goes on
/// behind its end, even if that meets damage later: the first is a misreading of a damaged value.
pub(super) fn forget_misreadings(bytes: &[u8], looks: &mut [Option<Look>]) {
    let furthest = looks
        .iter()
        .flatten()
        .filter_map(|look| look.end.err())
        .map(|error| error.offset())
        .max();
    for look in looks.iter_mut().flatten() {
        if let (Ok(end), true, Some(furthest)) = (look.end, look.odd, furthest) {
            if end < bytes.len() && end < furthest {
                let count = u32::try_from(bytes.len() - end).unwrap_or(u32::MAX);
                look.end = Err(Error::new(end, ErrorKind::TrailingBytes { count }));
            }
        }
    }
}

/// True if all readings are of one value without children, of a type that is the same everywhere.
pub(super) fn all_plain<'a>(bytes: &[u8], mut looks: impl Iterator<Item = &'a Look>) -> bool {
    let of = |look: &Look| Some((look.document(bytes).root().ok()?.kind(), look.end.ok()?));
    let Some(first) = looks.next().and_then(of) else {
        return false;
    };
    let is_plain = matches!(
        first.0,
        Kind::Nil | Kind::Bool | Kind::Int | Kind::Float | Kind::String | Kind::Vector2
    );
    is_plain && looks.all(|look| of(look) == Some(first))
}

/// The first place at which two readings give different values. One kind over equal bytes is one value in all
/// dialects.
pub(super) fn first_difference(bytes: &[u8], a: Look, b: Look) -> Option<usize> {
    if all_plain(bytes, [a, b].iter()) {
        return None;
    }
    let mut left = a.document(bytes).events();
    let mut right = b.document(bytes).events();
    loop {
        let start = left.position();
        match (left.try_next(), right.try_next()) {
            (Ok(None), Ok(None)) | (Err(_), Err(_)) => return None,
            (Ok(Some(a)), Ok(Some(b)))
                if same_event(a, b) && left.position() == right.position() => {}
            _ => return Some(start),
        }
    }
}

fn same_event(a: Event<'_>, b: Event<'_>) -> bool {
    match (a, b) {
        (Event::Value(a), Event::Value(b)) | (Event::Begin(a), Event::Begin(b)) => {
            a.kind() == b.kind() && a.offset() == b.offset()
        }
        (Event::Property(a), Event::Property(b)) => a == b,
        (Event::End, Event::End) => true,
        _ => false,
    }
}
