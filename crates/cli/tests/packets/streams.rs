//! Streams as tcpdump and tshark see them: segments without payload, and segments with a part of a message.

use std::fs;

use serde_json::Value;

use super::{folder, json_lines, run, stdout};

/// The datagrams or pieces of a capture: time, whether it is to the server, bytes as digits.
fn pieces(name: &str) -> Vec<(String, bool, String)> {
    let text = fs::read_to_string(folder().join(format!("{name}.hex"))).expect("the capture");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    words
        .map(|words| {
            let is_up = words[1].ends_with(['S', 'E']);
            (words[0].clone(), is_up, words[2].clone())
        })
        .collect()
}

#[test]
fn every_datagram_and_segment_with_a_payload_is_counted() {
    for name in [
        "g36-ws-rpc",
        "g3-ws-rpc",
        "g3-ws-relay",
        "g4-tcp-put_var",
        "g4-tcp-chat",
        "g4-debugger",
        "g4-udp-put_var",
        "g4-enet-rpc",
        "g4-enet-zstd",
    ] {
        let pieces = pieces(name);
        let bytes: usize = pieces.iter().map(|(.., hex)| hex.len() / 2).sum();
        let rows = json_lines(name, &["--stats"]);
        let total = rows.iter().find(|row| row["table"] == "total");
        let total = total.expect("a total");
        assert_eq!(total["datagrams"], pieces.len(), "{name}");
        assert_eq!(total["datagram_bytes"], bytes, "{name}");
        // None of them is in the first second after the end.
        let rows = json_lines(name, &["--stats", "--from", "1e6"]);
        let total = rows.iter().find(|row| row["table"] == "total");
        assert_eq!(total.expect("a total")["datagrams"], 0, "{name}");
    }
}

/// The columns that the help names for TCP. The side that receives a segment acknowledges it with one without payload,
/// whose last column is empty.
#[test]
fn columns_of_tshark_may_have_an_empty_payload() {
    for name in ["g36-ws-rpc", "g3-ws-rpc", "g4-ws-rpc"] {
        let mut columns = String::new();
        let mut next = [1_000_u32, 2_000];
        let ends = ["10.0.0.1\t7777", "10.0.0.9\t40000"];
        for (time, is_up, hex) in pieces(name) {
            let (from, to) = (usize::from(is_up), usize::from(!is_up));
            columns += &format!(
                "{time}\t{}\t{}\t{}\t{hex}\n",
                ends[from], ends[to], next[from]
            );
            next[from] += (hex.len() / 2) as u32;
            columns += &format!("{time}\t{}\t{}\t{}\t\n", ends[to], ends[from], next[to]);
        }
        let engine = if name.starts_with("g4") {
            "godot4"
        } else {
            "godot3"
        };
        let args = [
            "packets",
            "-",
            "--json-lines",
            "--carrier",
            "websocket",
            "--engine",
            engine,
        ];
        let text = stdout(&args, columns.as_bytes(), 0);
        let lines = text.lines();
        let mut seen: Vec<Value> = lines
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let account = seen.pop().expect("an account");
        assert_eq!(
            account["not_read"],
            serde_json::json!({}),
            "{name}: {account}"
        );
        let expected = json_lines(name, &[]);
        let said = |lines: &[Value]| {
            let of = |line: &Value| {
                ["command", "method", "args", "value"].map(|field| line[field].clone())
            };
            lines.iter().map(of).collect::<Vec<_>>()
        };
        assert_eq!(said(&seen), said(&expected), "{name}");
    }
}

/// `tshark -r game.pcap` prints every packet, also ARP, and TCP among columns of UDP.
#[test]
fn a_line_of_another_protocol_is_counted() {
    let (_, is_up, hex) = &pieces("g4-enet-rpc")[0];
    assert!(is_up);
    let columns = format!(
        "1.0\t\t\t\t\t\n1.5\t10.0.0.1\t\t10.0.0.9\t\t\n2.0\t10.0.0.9\t40000\t10.0.0.1\t7777\t{hex}\r\n"
    );
    let (_, notes) = run(&["packets", "-", "--all"], columns.as_bytes());
    let said = "read 1 of 3 packets; not read: 2 neither UDP nor TCP";
    assert!(notes.contains(said), "{notes}");
}
