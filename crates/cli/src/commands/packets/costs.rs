//! `--stats`: bytes and packets of each command and method.

use std::{cmp::Reverse, collections::BTreeMap, fmt::Write, time::Duration};

use gdvar_packet::{Carrier, Engine, Item};

use super::{line, source::Heard};
use crate::brief;

/// The most rows that are told apart; what comes later counts as others.
const ROWS: usize = 10_000;

/// The counts.
#[derive(Default)]
pub(super) struct Costs {
    rows: BTreeMap<String, Row>,
    all: Row,
    datagrams: u64,
    carried: u64,
    times: Option<(Duration, Duration)>,
    last: Option<(Duration, usize)>,
}

#[derive(Clone, Copy, Default)]
struct Row {
    packets: u64,
    bytes: u64,
    largest: u64,
}

impl Row {
    fn add(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
    }
}

impl Costs {
    /// Counts the datagram or segment that brought an item. One with several items is told of several times.
    pub(super) fn hear(&mut self, heard: Heard) {
        if self.last.replace((heard.time, heard.payload_len))
            != Some((heard.time, heard.payload_len))
        {
            self.datagrams += 1;
            self.carried += heard.payload_len as u64;
        }
        let (first, _) = *self.times.get_or_insert((heard.time, heard.time));
        self.times = Some((first, heard.time.max(first)));
    }

    /// Counts an item.
    pub(super) fn add(&mut self, item: &Item<'_>, name: Option<&str>) {
        let mut key = item.message.name().to_owned();
        if let Some(method) = line::method(item, name) {
            key = format!("{key} {}.{method}", item.node_path().unwrap_or("?"));
        }
        if self.rows.len() >= ROWS && !self.rows.contains_key(&key) {
            key = "others".to_owned();
        }
        let bytes = item.bytes.len() as u64;
        self.rows.entry(key).or_default().add(bytes);
        self.all.add(bytes);
    }

    /// The table, the costliest first.
    pub(super) fn table(&self, engine: Engine, carrier: Carrier) -> Vec<u8> {
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|(_, row)| Reverse(row.bytes));
        let (first, last) = self.times.unwrap_or_default();
        let seconds = (last - first).as_secs_f64();
        let mut out = format!(
            "{} over {}, {seconds:.1} s: {} of {} bytes, in {} datagrams or segments of {} bytes\n\n",
            match engine {
                Engine::Godot4 => "Godot 4",
                Engine::Godot3 => "Godot 3",
            },
            match carrier {
                Carrier::Enet => "ENet",
                Carrier::WebSocket => "WebSocket",
                Carrier::Values => "put_var in datagrams",
                Carrier::Records => "put_var in a stream",
                Carrier::Debugger => "the debugger's stream",
            },
            brief::plural(self.all.packets, "packet"),
            brief::count(self.all.bytes),
            brief::count(self.datagrams),
            brief::count(self.carried),
        );
        let _ = writeln!(
            out,
            "{:>10} {:>9} {:>8} {:>6}  command",
            "bytes", "packets", "largest", "share"
        );
        for (name, row) in rows {
            let share = 100.0 * row.bytes as f64 / self.all.bytes.max(1) as f64;
            let _ = writeln!(
                out,
                "{:>10} {:>9} {:>8} {share:>5.1}%  {}",
                row.bytes,
                row.packets,
                row.largest,
                brief::tame_line(name)
            );
        }
        out.into_bytes()
    }
}
