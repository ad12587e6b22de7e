//! [`Table`]: values pushed one after the other, whose types the first of them decide.

use std::collections::VecDeque;

use gdvar_view::{Document, ReadOptions};

use crate::{
    builder::{BatchSize, Builder, Origin},
    column::Batch,
    query::Query,
    schema::{Sample, Schema},
};

/// The rows that are looked at before the types are fixed, and the bytes of values that are kept for that.
const SAMPLE: (u64, usize) = (1000, 16 << 20);

/// Values in, batches out: the first 1000 rows, or the first 16 MiB of values, decide the types; from then on they
/// are fixed. Memory is bounded by the sample, two batches and one value.
///
/// ```
/// use gdvar_columns::{Dialect, Origin, Query, Table};
///
/// let query = Query::new().column("record", "@record")?.column("gold", "$")?;
/// let mut table = Table::new(query, Dialect::GODOT_4);
/// for (record, gold) in [b"\x02\0\0\0\x05\0\0\0", b"\x03\0\0\0\0\0\0\x3f"].into_iter().enumerate() {
///     let record = record as u64;
///     table.push(Origin { file: "game.log", record }, gold);
///     while let Some(batch) = table.next_full() {
///         println!("{} rows", batch.rows());
///     }
/// }
/// let batch = table.finish().expect("two rows");
/// assert_eq!(batch.column("gold").unwrap().ty().to_string(), "float64");
/// # Ok::<(), gdvar_columns::QueryError>(())
/// ```
#[derive(Debug)]
pub struct Table {
    state: State,
    options: ReadOptions,
    size: BatchSize,
    sample: (u64, usize),
}

#[derive(Debug)]
enum State {
    Sampling {
        sample: Sample,
        kept: VecDeque<Kept>,
        bytes: usize,
    },
    Building {
        schema: Schema,
        builder: Box<Builder>,
    },
}

/// A value of the sample, or why there is none.
#[derive(Debug)]
struct Kept {
    file: String,
    record: u64,
    value: Result<Vec<u8>, String>,
}

impl Table {
    /// Without rows yet.
    #[must_use]
    pub fn new(query: Query, options: impl Into<ReadOptions>) -> Table {
        let options = options.into();
        Table {
            state: State::Sampling {
                sample: Sample::new(query, options),
                kept: VecDeque::new(),
                bytes: 0,
            },
            options,
            size: BatchSize::default(),
            sample: SAMPLE,
        }
    }

    /// With batches of that size; to be said before the first value.
    #[must_use]
    pub fn with_batch_size(mut self, size: BatchSize) -> Table {
        self.size = size;
        self
    }

    /// With another number of rows and of bytes in the sample.
    #[must_use]
    pub fn with_sample_size(mut self, rows: u64, bytes: usize) -> Table {
        self.sample = (rows, bytes);
        self
    }

    /// Adds the rows of a bare value.
    pub fn push(&mut self, origin: Origin<'_>, value: &[u8]) {
        self.add(origin, Ok(value));
    }

    /// Adds a row for something that could not even be opened.
    pub fn push_error(&mut self, origin: Origin<'_>, reason: &str) {
        self.add(origin, Err(reason));
    }

    fn add(&mut self, origin: Origin<'_>, value: Result<&[u8], &str>) {
        match &mut self.state {
            State::Building { builder, .. } => give(builder, origin, value),
            State::Sampling {
                sample,
                kept,
                bytes,
            } => {
                let most = self.sample.0.max(1);
                if let Ok(value) = value {
                    sample.see_document(Document::with_options(value, self.options), most);
                    *bytes = bytes.saturating_add(value.len());
                }
                kept.push_back(Kept {
                    file: origin.file.to_owned(),
                    record: origin.record,
                    value: value.map(<[u8]>::to_vec).map_err(str::to_owned),
                });
                if sample.rows() >= most || *bytes >= self.sample.1 {
                    self.fix();
                }
            }
        }
    }

    /// Ends the sample, if it has not ended yet: the types are those that were seen so far.
    pub fn fix(&mut self) -> Schema {
        match &mut self.state {
            State::Building { schema, .. } => schema.clone(),
            State::Sampling { sample, kept, .. } => {
                let schema = sample.schema();
                let mut builder = Builder::new(&schema, self.options).with_batch_size(self.size);
                for Kept {
                    file,
                    record,
                    value,
                } in std::mem::take(kept)
                {
                    let origin = Origin {
                        file: &file,
                        record,
                    };
                    give(
                        &mut builder,
                        origin,
                        value.as_deref().map_err(String::as_str),
                    );
                }
                self.state = State::Building {
                    schema: schema.clone(),
                    builder: Box::new(builder),
                };
                schema
            }
        }
    }

    /// The types, once they are fixed.
    #[must_use]
    pub fn schema(&self) -> Option<&Schema> {
        match &self.state {
            State::Building { schema, .. } => Some(schema),
            State::Sampling { .. } => None,
        }
    }

    /// The next batch that is full.
    pub fn next_full(&mut self) -> Option<Batch> {
        match &mut self.state {
            State::Building { builder, .. } => builder.next_full(),
            State::Sampling { .. } => None,
        }
    }

    /// The rest, one batch after the other; `None` when there is no more.
    pub fn finish(&mut self) -> Option<Batch> {
        self.fix();
        match &mut self.state {
            State::Building { builder, .. } => builder.finish(),
            State::Sampling { .. } => None,
        }
    }
}

fn give(builder: &mut Builder, origin: Origin<'_>, value: Result<&[u8], &str>) {
    match value {
        Ok(value) => builder.push(origin, value),
        Err(reason) => builder.push_error(origin, reason),
    }
}
