//! Measures how many records and bytes a second become columns: three of the five fields of 100 000
//! records like `{id, name, hp, x, alive}`, best of nine.
//!
//! ```text
//! cargo run --release -p gdvar-columns --example rate
//! ```

use std::time::{Duration, SystemTime};

use gdvar_columns::{Batch, BatchSize, Dialect, Document, PrefixOrder, Query, Row, Table, frames};
use gdvar_write::{Target, Writer};

const RECORDS: i64 = 100_000;

fn log() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut log = Vec::new();
    for n in 0..RECORDS {
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        let mut player = writer.root().dict(5)?;
        player.key("id")?.int(n)?;
        player.key("name")?.string(&format!("player_{n}"))?;
        player.key("hp")?.int(n % 100)?;
        player.key("x")?.float(n as f64 / 3.0)?;
        player.key("alive")?.bool(n % 3 > 0)?;
        player.end()?;
        let value = writer.finish()?;
        log.extend((value.len() as u32).to_le_bytes());
        log.extend(value);
    }
    Ok(log)
}

/// Returns the processor time of this thread on Linux, elsewhere the time of day.
fn now() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    match told.split(' ').next().map(str::parse) {
        Some(Ok(nanos)) => Duration::from_nanos(nanos),
        _ => SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default(),
    }
}

fn best(mut of: impl FnMut() -> usize) -> Duration {
    let times = (0..9).map(|_| {
        let start = now();
        assert_eq!(of(), RECORDS as usize);
        now() - start
    });
    times.min().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let log = log()?;
    let query = Query::new()
        .column("name", "name")?
        .column("hp", "hp")?
        .column("x", "x")?;
    let columns = best(|| {
        let rows = (0..).zip(frames(&log, PrefixOrder::Little).flatten());
        let rows = rows.map(|(record, frame)| Row::value("log", record, frame.bytes));
        let table = Table::read(query.clone(), Dialect::GODOT_4, BatchSize::default(), rows);
        table.batches().iter().map(Batch::rows).sum()
    });
    let validate = best(|| {
        let records = frames(&log, PrefixOrder::Little).flatten();
        let whole = records.filter(|frame| {
            Document::new(frame.bytes, Dialect::GODOT_4)
                .validate()
                .is_ok()
        });
        whole.count()
    });
    for (what, time) in [("three columns", columns), ("validation alone", validate)] {
        let seconds = time.as_secs_f64();
        println!(
            "{what}: {:.1} ms, {:.1} million records/s, {:.0} MB/s",
            seconds * 1e3,
            RECORDS as f64 / seconds / 1e6,
            log.len() as f64 / seconds / 1e6
        );
    }
    Ok(())
}
