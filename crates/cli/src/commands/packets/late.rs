//! `--late`: reports which properties come late, and why.

use std::{cmp::Reverse, collections::BTreeMap, net::SocketAddr, time::Duration};

use gdvar_packet::{
    Direction,
    names::Names,
    replication::{Replication, SyncGap},
};

use super::{
    line::{self, number},
    replication::{SynchronizerRow, synchronizers},
    seconds,
    tables::{RowDetail, StatRow, StatTable, ms},
};
use crate::{show::value, terminal::words};

/// The number of rows that text shows without `--limit`.
const ROWS: usize = 10;
/// The number of a synchronizer's longest intervals that text explains.
const EXPLAINED: usize = 3;

/// A synchronizer that sent at least two SYNC packets.
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

    /// Returns the row of the table. Times are counted from `start`.
    fn row(&self, start: Duration) -> StatRow {
        let intervals = self.row.seen.intervals();
        let longest = intervals.longest().first();
        let properties = self.properties();
        let json: Vec<_> = properties.iter().map(|name| value::string(name)).collect();
        let asked = self.row.asked();
        let row = StatRow::new(
            [
                ms(self.median),
                longest.map_or_else(String::new, |gap| ms(gap.interval)),
                self.row.asked_text(),
                format!("{} of {}", self.late, intervals.count()),
            ]
            .map(Into::into),
            format!("{}: {}", self.row.name, properties.join(", ")),
            [
                ("table", value::string("late")),
                ("name", value::string(&self.row.name)),
                (
                    "properties",
                    [b"[", &json.join(&b","[..])[..], b"]"].concat(),
                ),
                ("interval", seconds(self.median).into_bytes()),
                ("interval_asked", asked.map_or("null".into(), number)),
                ("intervals", number(intervals.count())),
                ("late", number(self.late)),
                ("usual_frames", number(self.median_frames)),
            ],
        );
        StatRow {
            details: self.gaps().map(|gap| self.detail(gap, start)).collect(),
            ..row
        }
    }

    /// Describes a late interval.
    fn detail(&self, gap: &SyncGap, start: Duration) -> RowDetail {
        let time = gap.time.saturating_sub(start);
        let (cause, why) = self.cause(gap);
        let to = match (gap.direction, gap.target) {
            (Direction::ToServer, _) => "server".to_owned(),
            (Direction::ToClient, Some(target)) => target.to_string(),
            (Direction::ToClient, None) => {
                format!("client {}, whose CONNECT is not in the capture", gap.link)
            }
        };
        RowDetail {
            value: ms(gap.interval),
            text: format!("until {} s, to {to}: {why}", seconds(time)),
            fields: vec![
                ("table", value::string("late_packet")),
                ("name", value::string(&self.row.name)),
                ("time", seconds(time).into_bytes()),
                ("interval", seconds(gap.interval).into_bytes()),
                ("link", number(gap.link)),
                ("direction", line::direction(gap.direction)),
                ("target", gap.target.map_or("null".into(), number)),
                ("frames", number(gap.frames)),
                ("missing", number(gap.missing)),
                ("resent", number(gap.resent)),
                ("cause", value::string(cause)),
                ("text", value::string(&why)),
            ],
        }
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

/// Makes the table of the synchronizers that sent at least two SYNC packets, late or not. Sorts them by their longest
/// late interval, the longest first. Times are counted from `start`.
pub(super) fn table(
    replication: &BTreeMap<SocketAddr, Replication>,
    names: &Names,
    start: Duration,
) -> StatTable {
    let rows = synchronizers(replication, names).into_iter();
    let mut rows: Vec<_> = rows.filter_map(LateRow::new).collect();
    let longest = |row: &LateRow<'_>| row.gaps().next().map(|gap| gap.interval);
    rows.sort_by_key(|row| Reverse(longest(row)));
    StatTable {
        id: "late",
        heading: "Late synchronizers",
        columns: &[("median", 9), ("longest", 9), ("asked", 11), ("late", 13)],
        title: "synchronizer: properties",
        rows: rows.iter().map(|row| row.row(start)).collect(),
        shown: Some(ROWS),
        shown_details: EXPLAINED,
        unit: "row",
        if_empty: "no MultiplayerSynchronizer (Godot 4) sent two SYNC packets".to_owned(),
        footnote: "late: half as long again as the interval asked for, or as the median if that is longer",
        legend: "The times between two SYNC packets of a MultiplayerSynchronizer at a receiver. Each late interval is \
            explained as far as the packets prove it.",
        ..StatTable::default()
    }
}
