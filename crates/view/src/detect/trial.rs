//! [`DialectTrial`]: one record read in one dialect, and where two dialects give different values.

use gdvar_wire::{Dialect, Engine, HeaderWord, Kind, Limits};

use crate::{
    document::Document,
    error::{Error, ErrorKind},
    options::{Objects, ReadOptions},
    walk::event::Event,
};

/// Longer values are at first read only up to this offset. Most dialects have failed by then.
pub(super) const FIRST_BYTES: usize = 1 << 16;

/// The result of reading one record in one dialect.
#[derive(Clone, Copy)]
pub(super) struct DialectTrial {
    pub(super) options: ReadOptions,
    /// The offset after the value, or why it cannot be read.
    pub(super) end: Result<usize, Error>,
    /// True if reading stopped at the limit, inside the value. `end` is the end of the record then.
    pub(super) goes_on: bool,
    pub(super) is_implausible: bool,
}

/// Returns the limits of the engine that reads the deepest values of `dialect`.
fn deepest(dialect: Dialect) -> Limits {
    let engines = Engine::ALL.into_iter();
    let limits = engines.filter(|engine| engine.dialect() == dialect);
    let limits = limits.map(Engine::limits);
    limits
        .max_by_key(|limits| limits.max_depth)
        .unwrap_or(Limits::ENGINE)
}

impl DialectTrial {
    /// Reads the value at the start of `bytes`, up to `limit` bytes of it.
    pub(super) fn new(bytes: &[u8], dialect: Dialect, limit: usize) -> DialectTrial {
        let options = ReadOptions::new(dialect).with_limits(deepest(dialect));
        let trial = DialectTrial::with(bytes, options, limit);
        match trial.end {
            // With objects allowed the engines check some bytes more strictly. So objects are allowed
            // only if the value has one.
            Err(error) if error.kind() == ErrorKind::ObjectsNotAllowed => {
                DialectTrial::with(bytes, options.with_objects(Objects::Inert), limit)
            }
            _ => trial,
        }
    }

    fn with(bytes: &[u8], options: ReadOptions, limit: usize) -> DialectTrial {
        let document = Document::with_options(bytes, options);
        let result = |end, goes_on| DialectTrial {
            options,
            end,
            goes_on,
            is_implausible: false,
        };
        if bytes.len() <= limit {
            return result(document.validate(), false);
        }
        // Most dialects do not even have the type number of the outermost value.
        if let Err(error) = document.root() {
            return result(Err(error), false);
        }
        let mut events = document.events();
        loop {
            match events.try_next() {
                Ok(Some(_)) if events.position() > limit && events.open() > 0 => {
                    return result(Ok(bytes.len()), true);
                }
                Ok(Some(_)) => {}
                Ok(None) => return result(Ok(events.position()), false),
                Err(error) => return result(Err(error), false),
            }
        }
    }

    /// True if a value that is cut off with `error` could have `declared` bytes when it is whole.
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

/// Turns a trial into a failure if it read something implausible and left bytes, while another dialect read
/// further before it failed. The bytes are then a damaged value of the other dialect.
pub(super) fn reject_misreadings(bytes: &[u8], trials: &mut [Option<DialectTrial>]) {
    let furthest = trials
        .iter()
        .flatten()
        .filter_map(|trial| trial.end.err())
        .map(|error| error.offset())
        .max();
    for trial in trials.iter_mut().flatten() {
        if let (Ok(end), true, Some(furthest)) = (trial.end, trial.is_implausible, furthest) {
            if end < bytes.len() && end < furthest {
                let count = u32::try_from(bytes.len() - end).unwrap_or(u32::MAX);
                trial.end = Err(Error::new(end, ErrorKind::TrailingBytes { count }));
            }
        }
    }
}

/// True if all trials read one value of the same kind and length, of a kind without children whose bytes
/// mean the same in all dialects.
pub(super) fn read_as_same_leaf<'a>(
    bytes: &[u8],
    mut trials: impl Iterator<Item = &'a DialectTrial>,
) -> bool {
    let of = |trial: &DialectTrial| {
        let kind = trial.document(bytes).root().ok()?.kind();
        Some((kind, trial.end.ok()?))
    };
    let Some(first) = trials.next().and_then(of) else {
        return false;
    };
    let is_same_everywhere = matches!(
        first.0,
        Kind::Nil | Kind::Bool | Kind::Int | Kind::Float | Kind::String | Kind::Vector2
    );
    is_same_everywhere && trials.all(|trial| of(trial) == Some(first))
}

/// Returns the first offset at which two dialects give different values. Only kinds and offsets are compared:
/// values of one kind over the same bytes are equal in all dialects.
pub(super) fn first_difference(bytes: &[u8], a: DialectTrial, b: DialectTrial) -> Option<usize> {
    if read_as_same_leaf(bytes, [a, b].iter()) {
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
