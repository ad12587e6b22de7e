//! `--late`: reports which properties come late, and why.

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fmt::{self, Write},
    net::SocketAddr,
    time::Duration,
};

use gdvar_packet::{
    Direction,
    names::Names,
    replication::{Replication, SyncGap},
};

use super::{
    line::{self, number},
    replication::{SynchronizerRow, ms, synchronizers},
    seconds,
};
use crate::{
    show::{rows, value},
    terminal::{safe_text, words},
};

/// The largest number of rows that are shown without `--limit`.
const ROWS: usize = 10;
/// The number of a synchronizer's longest intervals that are explained.
const EXPLAINED: usize = 3;

/// The synchronizers that sent at least two SYNC packets, late or not. Sorted by the longest late interval, the
/// longest first.
pub(super) struct Late<'r> {
    rows: Vec<LateRow<'r>>,
    /// The time of the first packet.
    start: Duration,
}

struct LateRow<'r> {
    row: SynchronizerRow<'r>,
    median: Duration,
    median_frames: u16,
    /// An interval longer than this is late. The limit is 1.5 times the median, or 1.5 times the interval that the
    /// project asks for if that is longer than the median.
    limit: Duration,
    late: u64,
}

impl<'r> LateRow<'r> {
    fn new(row: SynchronizerRow<'r>) -> Option<LateRow<'r>> {
        let intervals = row.seen.intervals();
        let median = intervals.median()?;
        let asked = Duration::try_from_secs_f64(row.asked().unwrap_or(0.0)).unwrap_or_default();
        let limit = median.max(asked).mul_f64(1.5);
        Some(LateRow {
            median,
            median_frames: intervals.median_frames()?,
            limit,
            late: intervals.longer_than(limit),
            row,
        })
    }

    /// Returns the longest intervals that are late.
    fn gaps(&self) -> impl Iterator<Item = &SyncGap> {
        let longest = self.row.seen.intervals().longest().iter();
        longest.take_while(|gap| gap.interval > self.limit)
    }

    /// Explains why the second packet of an interval came late, as far as the packets prove it. Returns a code and a
    /// text.
    fn cause(&self, gap: &SyncGap) -> (&'static str, String) {
        let frames = words::plural(gap.frames.into(), "frame");
        // A relayed packet may have been lost or delayed on its way to the server, too.
        let is_relayed = gap.direction == Direction::ToClient && self.row.seen.source() != Some(1);
        let (code, mut text) = if gap.missing > 0 {
            let lost = words::plural(gap.missing, "packet");
            (
                "lost",
                format!("{lost} of the connection did not come: lost, or dropped by the sender"),
            )
        } else if u32::from(gap.frames) > u32::from(self.median_frames) * 3 / 2 {
            let usual = self.median_frames;
            let lost = if is_relayed {
                ", or it was lost on its way to the server"
            } else {
                ""
            };
            (
                "not_sent",
                format!("the sender ran {frames} without sending it, {usual} are usual{lost}"),
            )
        } else {
            let server = if is_relayed { "the server or " } else { "" };
            let text = format!(
                "the sender ran only {frames} in this time: its frames took long, or {server}the network held the packet up"
            );
            ("slow", text)
        };
        if gap.resent > 0 {
            let again = words::plural(gap.resent, "reliable command");
            text += &format!("; {again} sent again");
        }
        (code, text)
    }

    /// Returns the names of the properties in a SYNC.
    fn properties(&self) -> Vec<String> {
        match self.row.config {
            Some(config) => config.always().map(str::to_owned).collect(),
            None => (0..self.row.seen.always().len())
                .map(|place| format!("SYNC[{place}]"))
                .collect(),
        }
    }
}

impl<'r> Late<'r> {
    pub(super) fn new(
        replication: &'r BTreeMap<SocketAddr, Replication>,
        names: &'r Names,
        start: Duration,
    ) -> Late<'r> {
        let rows = synchronizers(replication, names).into_iter();
        let mut rows: Vec<_> = rows.filter_map(LateRow::new).collect();
        let longest = |row: &LateRow<'_>| row.gaps().next().map(|gap| gap.interval);
        rows.sort_by_key(|row| Reverse(longest(row)));
        Late { rows, start }
    }

    pub(super) fn write(&self, out: &mut String, limit: Option<usize>) -> fmt::Result {
        if self.rows.is_empty() {
            return writeln!(
                out,
                "no MultiplayerSynchronizer (Godot 4) sent two SYNC packets"
            );
        }
        let limit = limit.unwrap_or(ROWS);
        writeln!(
            out,
            "{:>9} {:>9} {:>11} {:>13}  synchronizer: properties",
            "median", "longest", "asked", "late"
        )?;
        for row in self.rows.iter().take(limit) {
            let intervals = row.row.seen.intervals();
            let longest = intervals.longest().first();
            let name = format!("{}: {}", row.row.name, row.properties().join(", "));
            writeln!(
                out,
                "{:>9} {:>9} {:>11} {:>13}  {}",
                ms(row.median),
                longest.map_or_else(String::new, |gap| ms(gap.interval)),
                row.row.asked_text(),
                format!("{} of {}", row.late, intervals.count()),
                safe_text::safe_line(&name)
            )?;
            for gap in row.gaps().take(EXPLAINED) {
                let time = gap.time.saturating_sub(self.start);
                let to = match (gap.direction, gap.target) {
                    (Direction::ToServer, _) => "server".to_owned(),
                    (Direction::ToClient, Some(target)) => target.to_string(),
                    (Direction::ToClient, None) => format!("client {}", gap.link),
                };
                let (_, why) = row.cause(gap);
                writeln!(
                    out,
                    "{:>19} until {} s, to {to}: {why}",
                    ms(gap.interval),
                    seconds(time)
                )?;
            }
        }
        if self.rows.len() > limit {
            let more = words::plural((self.rows.len() - limit) as u64, "row");
            writeln!(out, "{:>19} {more} more", "")?;
        }
        writeln!(
            out,
            "late: half as long again as the interval asked for, or as the median if that is longer"
        )
    }

    pub(super) fn json(&self, limit: Option<usize>) -> Vec<u8> {
        let mut out = Vec::new();
        for row in self.rows.iter().take(limit.unwrap_or(usize::MAX)) {
            let intervals = row.row.seen.intervals();
            let properties = row.properties();
            let properties: Vec<_> = properties.iter().map(|name| value::string(name)).collect();
            let properties = [b"[", &properties.join(&b","[..])[..], b"]"].concat();
            let asked = row.row.asked();
            out.extend(rows::object(&[
                ("table", value::string("late")),
                ("name", value::string(&row.row.name)),
                ("properties", properties),
                ("interval", seconds(row.median).into_bytes()),
                ("interval_asked", asked.map_or("null".into(), number)),
                ("intervals", number(intervals.count())),
                ("late", number(row.late)),
                ("usual_frames", number(row.median_frames)),
            ]));
            for gap in row.gaps() {
                let time = gap.time.saturating_sub(self.start);
                let (cause, text) = row.cause(gap);
                out.extend(rows::object(&[
                    ("table", value::string("late_packet")),
                    ("name", value::string(&row.row.name)),
                    ("time", seconds(time).into_bytes()),
                    ("interval", seconds(gap.interval).into_bytes()),
                    ("link", number(gap.link)),
                    ("direction", line::direction(gap.direction)),
                    ("target", gap.target.map_or("null".into(), number)),
                    ("frames", number(gap.frames)),
                    ("missing", number(gap.missing)),
                    ("resent", number(gap.resent)),
                    ("cause", value::string(cause)),
                    ("text", value::string(&text)),
                ]));
            }
        }
        out
    }
}
