//! Measuring how fast a file is read and written anew.

use std::{
    hint::black_box,
    time::{Duration, Instant},
};

use gdvar_view::{Document, Event, Limits, ReadOptions};
use gdvar_write::{Target, Writer, transcode};
use serde::Serialize;

use crate::{
    clock,
    records::{Framing, records},
};

/// At most so many rounds.
const ROUNDS: usize = 21;

/// No further round after this.
const PATIENCE: Duration = Duration::from_millis(400);

/// At least so long for one way in one round: small files are passed more than once.
const SAMPLE: Duration = Duration::from_millis(1);

/// The ways that are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    Limit,
    Skip,
    Check,
    Walk,
    Rewrite,
}

impl Way {
    /// In the order of the rows; the limit is the first.
    pub(crate) const ALL: [Way; 5] = [Way::Limit, Way::Skip, Way::Check, Way::Walk, Way::Rewrite];

    /// For people and machines.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Way::Limit => "limit",
            Way::Skip => "skip",
            Way::Check => "check",
            Way::Walk => "walk",
            Way::Rewrite => "rewrite",
        }
    }

    /// For people.
    pub(crate) fn meaning(self) -> &'static str {
        match self {
            Way::Limit => "all bytes added up: as fast as memory is read",
            Way::Skip => "to the end of each record",
            Way::Check => "is all of it in order, text too?",
            Way::Walk => "value by value, checking",
            Way::Rewrite => "read, and written again into memory",
        }
    }
}

/// The file that is passed, again and again.
pub(crate) struct File<'f> {
    pub(crate) bytes: &'f [u8],
    pub(crate) framing: Framing,
    pub(crate) options: ReadOptions,
    pub(crate) target: Target,
    pub(crate) limits: Limits,
    pub(crate) buffer: Vec<u8>,
}

impl File<'_> {
    /// One pass. Returns how many values a walk meets, and something of no use else; none if the
    /// values cannot be written.
    fn pass(&mut self, way: Way) -> Option<u64> {
        if way == Way::Limit {
            return Some(sum(self.bytes));
        }
        let mut result = 0;
        for record in records(self.bytes, self.framing) {
            let document = Document::with_options(&record.bytes, self.options);
            result += match way {
                Way::Limit => 0,
                Way::Skip => document.root().and_then(|root| root.end()).ok()? as u64,
                Way::Check => document.validate().ok()? as u64,
                Way::Walk => values(document)?,
                Way::Rewrite => {
                    self.buffer.clear();
                    let mut writer =
                        Writer::with_limits(&mut self.buffer, self.target, self.limits);
                    transcode(document, &mut writer).ok()?;
                    writer.finish().ok()?;
                    self.buffer.len() as u64
                }
            };
        }
        Some(result)
    }
}

/// The sum of all words: nothing that looks at every byte is faster.
fn sum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8);
    let rest = words.remainder().iter().copied().map(u64::from);
    let words = words.map(|word| word.try_into().map_or(0, u64::from_le_bytes));
    words.chain(rest).fold(0, u64::wrapping_add)
}

fn values(document: Document<'_>) -> Option<u64> {
    let mut events = document.events();
    let mut values = 0;
    while let Some(event) = events.try_next().ok()? {
        values += u64::from(matches!(event, Event::Value(_) | Event::Begin(_)));
    }
    Some(values)
}

/// The findings.
pub(crate) struct Found {
    /// Bytes of all values with their length prefixes.
    pub(crate) bytes: usize,
    pub(crate) records: u64,
    pub(crate) values: u64,
    pub(crate) rounds: usize,
    pub(crate) rows: Vec<Row>,
}

/// The measurement of one way.
#[derive(Clone, Copy, Serialize)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The time of one pass: the median of all rounds.
    pub(crate) nanoseconds: f64,
    pub(crate) bytes_per_second: f64,
    pub(crate) nanoseconds_per_value: f64,
    /// The limit's time divided by this one.
    pub(crate) share_of_limit: f64,
    #[serde(skip)]
    pub(crate) meaning: &'static str,
}

/// Passes the file in all ways, in turn, round after round. Less than a second, unless a pass in
/// each way takes longer.
pub(crate) fn measure(file: &mut File<'_>) -> Found {
    let started = Instant::now();
    // The first pass is for the caches. It shows who can take part, and how often in a round.
    let mut ways = Vec::new();
    let mut values = 0;
    for way in Way::ALL {
        let start = clock::now();
        let Some(result) = black_box(file.pass(way)) else {
            continue;
        };
        if way == Way::Walk {
            values = result;
        }
        let once = clock::now().saturating_sub(start);
        let fitting = SAMPLE.as_nanos() / once.as_nanos().max(10);
        // A pass that takes so long is as good as any other.
        let samples = if once > PATIENCE / 4 {
            vec![once]
        } else {
            Vec::new()
        };
        ways.push((way, fitting.clamp(1, 1_000_000) as u32, samples));
    }
    for _ in 0..ROUNDS {
        let enough = ways.iter().all(|(_, _, samples)| !samples.is_empty());
        if enough && started.elapsed() > PATIENCE {
            break;
        }
        for (way, passes, samples) in &mut ways {
            let start = clock::now();
            for _ in 0..*passes {
                black_box(file.pass(*way));
            }
            samples.push(clock::now().saturating_sub(start) / *passes);
        }
    }
    let rounds = ways.iter().map(|(_, _, samples)| samples.len()).min();
    let size = file.bytes.len();
    let mut limit = None;
    let row = |(way, _, samples): (Way, u32, Vec<Duration>)| {
        let time = median(samples);
        Row {
            name: way.name(),
            nanoseconds: time,
            bytes_per_second: size as f64 / time * 1e9,
            nanoseconds_per_value: time / values as f64,
            share_of_limit: *limit.get_or_insert(time) / time,
            meaning: way.meaning(),
        }
    };
    Found {
        bytes: size,
        records: records(file.bytes, file.framing).count() as u64,
        values,
        rounds: rounds.unwrap_or(0),
        rows: ways.into_iter().map(row).collect(),
    }
}

/// In nanoseconds; never nothing, so that it can be divided by.
fn median(mut samples: Vec<Duration>) -> f64 {
    samples.sort_unstable();
    let median = samples.get(samples.len() / 2).copied();
    median.map_or(0.1, |time| (time.as_secs_f64() * 1e9).max(0.1))
}
