//! The table of connections: commands without an acknowledgement, and clients that connect again.

use std::fs;

use serde_json::Value;

use super::{folder, stdout};

/// The rows of the connections in lines of digits.
fn rows(lines: &str) -> Vec<Value> {
    let args = ["-q", "packets", "-", "--stats", "--json-lines"];
    let text = stdout(&args, lines.as_bytes(), 0);
    let rows = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.filter(|row| row["table"] == "connection").collect()
}

/// The last two datagrams of a client of 4.6.3 that left: a PING (number 4), then in one datagram a DISCONNECT without
/// an acknowledgement (number 5) and a PING (number 6). Every number is there.
const LEAVES: [&str; 2] = [
    "7.396646 1>S 800001d585ff0004",
    "7.396767 1>S 800001d544ff00050000000085ff0006",
];

#[test]
fn a_disconnect_has_a_number_although_it_wants_no_acknowledgement() {
    let [ping, leaves] = LEAVES;
    for (lines, gaps) in [
        (format!("{ping}\n{leaves}\n"), 0),
        // The network delivers a datagram twice.
        (format!("{ping}\n{leaves}\n{leaves}\n"), 0),
        // The same without the DISCONNECT.
        (format!("{ping}\n7.396767 1>S 800001d585ff0006\n"), 1),
    ] {
        let rows = rows(&lines);
        assert_eq!(rows.len(), 1, "{lines}");
        assert_eq!(rows[0]["gaps"], gaps, "{lines}");
        assert_eq!(rows[0]["missing"], 0, "{lines}");
    }
}

/// The datagrams of a capture with one client, `seconds` later.
fn later(name: &str, seconds: f64) -> String {
    let text = fs::read_to_string(folder().join(format!("{name}.hex"))).expect("the capture");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let shifted = lines.map(|line| {
        let (time, rest) = line.split_once(' ').expect("a time");
        let time: f64 = time.parse().expect("seconds");
        format!("{:.6} {rest}\n", time + seconds)
    });
    shifted.collect()
}

#[test]
fn a_client_that_connects_again_from_its_port_has_a_row_of_its_own() {
    let games = ["g4-enet-rpc", "g4-enet-nodes", "g4-enet-repl"];
    let mut all = String::new();
    let mut alone = Vec::new();
    for (n, name) in games.iter().enumerate() {
        let game = later(name, 100.0 * n as f64);
        alone.extend(rows(&game));
        all += &game;
    }
    assert_eq!(alone.len(), 6);
    let mut together = rows(&all);
    // Each capture names its client 1, so the three connections have the same ends.
    assert!(together.iter().all(|row| row["client"] == "0.0.0.0:1"));
    let key = |row: &Value| row.to_string();
    alone.sort_by_key(key);
    together.sort_by_key(key);
    assert_eq!(together, alone);
    // A CONNECT that is sent again is of the same connection.
    let once = later("g4-enet-rpc", 0.0);
    let twice: String = { once.lines() }
        .map(|line| format!("{line}\n{line}\n"))
        .collect();
    assert_eq!(rows(&twice).len(), 2);
}
