//! The same traffic in other files: as pcap and pcapng, cut by a short snaplen, with lost segments, two games in
//! one file, and several carriers at one port. `scripts/engines/test-packets` runs this on fresh captures, too.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    ops::Range,
    path::PathBuf,
};

use serde_json::Value;

use super::{pcapng, run};

/// The longest payload of a segment of TCP.
const SEGMENT: usize = 1400;
/// The bytes of a packet that a short snaplen leaves.
const SNAPLEN: usize = 150;

/// The folder of fresh captures, or of the stored ones.
fn folder() -> PathBuf {
    let fresh = std::env::var_os("GDVAR_CAPTURES").map(PathBuf::from);
    fresh.unwrap_or_else(super::folder)
}

fn is_stream(name: &str) -> bool {
    ["-ws-", "-tcp-", "-debugger"]
        .iter()
        .any(|word| name.contains(word))
}

/// The names of the captures, and the lines of each that `gdvar packets` prints.
fn captures() -> Vec<(String, Vec<String>)> {
    let entries = fs::read_dir(folder()).expect("the captures");
    let names = entries.filter_map(|entry| {
        let name = entry.expect("an entry").file_name().into_string().ok()?;
        Some(name.strip_suffix(".hex")?.to_owned())
    });
    let mut all: Vec<_> = names
        .map(|name| {
            let file = folder().join(format!("{name}.hex"));
            let (lines, account) = read(&file);
            assert_eq!(account["read"], account["packets"], "{name}: {account}");
            assert!(!lines.is_empty(), "{name}");
            (name, lines)
        })
        .collect();
    all.sort();
    all
}

/// A packet of IPv4, and when it came.
type Frame = (u64, Vec<u8>);

/// The packets of a capture. The server is 10.0.0.`server`:7777, and its clients are 10.0.0.9, each with a port.
/// TCP has a handshake, and segments that are as long as usual.
fn frames(name: &str, server: u8) -> Vec<Frame> {
    let text = fs::read_to_string(folder().join(format!("{name}.hex"))).expect("the capture");
    let is_tcp = is_stream(name);
    let mut sequences: BTreeMap<(u16, bool), u32> = BTreeMap::new();
    let mut frames = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<_> = line.split(' ').collect();
        let data = data_encoding::HEXLOWER
            .decode(words[2].as_bytes())
            .expect("hex");
        let is_up = words[1].ends_with(['S', 'E']);
        let number: String = words[1].chars().filter(char::is_ascii_digit).collect();
        let client = 40_000 + number.parse::<u16>().unwrap_or(1);
        let time = (words[0].parse::<f64>().expect("seconds") * 1e6) as u64;
        let mut frame = |is_up: bool, head: &[u8], data: &[u8]| {
            let (from, to) = match is_up {
                true => ([10, 0, 0, 9], [10, 0, 0, server]),
                false => ([10, 0, 0, server], [10, 0, 0, 9]),
            };
            let (source, target): (u16, u16) = if is_up {
                (client, 7777)
            } else {
                (7777, client)
            };
            let len = (20 + 4 + head.len() + data.len()) as u16;
            let mut ip = vec![0x45, 0];
            ip.extend(len.to_be_bytes());
            ip.extend([0, 0, 0, 0, 64, if is_tcp { 6 } else { 17 }, 0, 0]);
            ip.extend([from, to].concat());
            ip.extend([source.to_be_bytes(), target.to_be_bytes()].concat());
            ip.extend([head, data].concat());
            frames.push((time, ip));
        };
        if !is_tcp {
            let len = (8 + data.len()) as u16;
            frame(is_up, &[&len.to_be_bytes()[..], &[0, 0]].concat(), &data);
            continue;
        }
        // The number of the first byte, the acknowledgement, the header's length, the flags, and the rest.
        let tcp = |sequence: u32, flags: u8| {
            [
                &sequence.to_be_bytes()[..],
                &[0, 0, 0, 1, 0x50, flags, 0xff, 0xff, 0, 0, 0, 0],
            ]
            .concat()
        };
        if !sequences.contains_key(&(client, is_up)) {
            for (is_up, flags) in [(true, 0x02), (false, 0x12)] {
                frame(is_up, &tcp(999, flags), b"");
                sequences.insert((client, is_up), 1000);
            }
        }
        for part in data.chunks(SEGMENT) {
            let sequence = sequences.get_mut(&(client, is_up)).expect("opened");
            frame(is_up, &tcp(*sequence, 0x18), part);
            *sequence = sequence.wrapping_add(part.len() as u32);
        }
    }
    frames
}

fn pcap(frames: &[Frame], snaplen: usize) -> Vec<u8> {
    let mut out = vec![
        0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 101, 0, 0, 0,
    ];
    for (time, frame) in frames {
        let kept = frame.len().min(snaplen);
        for word in [
            time / 1_000_000,
            time % 1_000_000,
            kept as u64,
            frame.len() as u64,
        ] {
            out.extend((word as u32).to_le_bytes());
        }
        out.extend(&frame[..kept]);
    }
    out
}

/// What `gdvar packets` prints of a file: a sorted line for each packet of the game, without times and addresses,
/// and the account.
fn read(file: &std::path::Path) -> (Vec<String>, Value) {
    let (text, notes) = run(
        &["packets", file.to_str().expect("a path"), "--json-lines"],
        b"",
    );
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let account = lines
        .next_back()
        .unwrap_or_else(|| panic!("{}: {notes}", file.display()));
    let own = |mut line: Value| {
        let fields = line.as_object_mut().expect("an object");
        fields.retain(|name, _| !["time", "link", "server", "client"].contains(&name.as_str()));
        line.to_string()
    };
    let mut lines: Vec<String> = lines.map(own).collect();
    lines.sort();
    (lines, account)
}

fn read_bytes(bytes: &[u8]) -> (Vec<String>, Value) {
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("capture");
    fs::write(&file, bytes).expect("it is written");
    read(&file)
}

/// Returns the lines of `all` that are not in `some`. `some` has no others.
fn missing(what: &str, all: &[String], some: &[String]) -> Vec<String> {
    let mut left = all.to_vec();
    for line in some {
        let place = left.binary_search(line);
        left.remove(place.unwrap_or_else(|_| panic!("{what}: {line} was never said")));
    }
    left
}

#[test]
fn files_of_tcpdump_and_wireshark_say_what_lines_of_digits_say() {
    for (name, lines) in captures() {
        let frames = frames(&name, 1);
        let bytes = pcap(&frames, usize::MAX);
        for (form, bytes) in [("pcap", bytes.clone()), ("pcapng", pcapng(&bytes))] {
            let (seen, account) = read_bytes(&bytes);
            assert_eq!(
                missing(&format!("{name}, {form}"), &lines, &seen),
                [""; 0],
                "{name}"
            );
            assert_eq!(account["read"], frames.len(), "{name}, {form}: {account}");
            assert_eq!(
                account["packets"],
                frames.len(),
                "{name}, {form}: {account}"
            );
        }
    }
}

/// The node and the peers may be unknown if the packet that named them is missing.
fn without_names(lines: &[String]) -> Vec<String> {
    let own = |line: &String| {
        let mut line: Value = serde_json::from_str(line).expect("JSON");
        let fields = line.as_object_mut().expect("an object");
        fields.retain(|name, _| !["node", "source", "target"].contains(&name.as_str()));
        line.to_string()
    };
    let mut lines: Vec<String> = lines.iter().map(own).collect();
    lines.sort();
    lines
}

#[test]
fn packets_cut_by_the_capture_are_counted_and_nothing_is_invented() {
    for (name, lines) in captures() {
        let frames = frames(&name, 1);
        let bytes = pcap(&frames, SNAPLEN);
        let cut = frames
            .iter()
            .filter(|(_, frame)| frame.len() > SNAPLEN)
            .count();
        for bytes in [bytes.clone(), pcapng(&bytes)] {
            let (seen, account) = read_bytes(&bytes);
            missing(&name, &without_names(&lines), &without_names(&seen));
            let not_read = account["not_read"].as_object().expect("reasons").clone();
            let count = |why: &str| not_read.get(why).and_then(Value::as_u64).unwrap_or(0) as usize;
            assert_eq!(count("cut"), cut, "{name}: {account}");
            let reasons = cut + count("after_gap");
            let not_read: u64 = not_read
                .values()
                .map(|n| n.as_u64().expect("a number"))
                .sum();
            assert_eq!(reasons as u64, not_read, "{name}: {account}");
            assert!(
                is_stream(&name) || count("after_gap") == 0,
                "{name}: {account}"
            );
        }
    }
}

#[test]
fn a_stream_with_lost_segments_says_nothing_that_was_not_sent() {
    let mut after_gap = 0;
    for (name, lines) in captures().into_iter().filter(|(name, _)| is_stream(name)) {
        for every in [3, 7, 20] {
            let kept = frames(&name, 1).into_iter().enumerate();
            // Handshakes and the first messages name the peers.
            let kept: Vec<Frame> = kept
                .filter(|(n, _)| *n < 12 || n % every != 0)
                .map(|(_, frame)| frame)
                .collect();
            let (seen, account) = read_bytes(&pcap(&kept, usize::MAX));
            missing(&name, &without_names(&lines), &without_names(&seen));
            let gaps = account["not_read"]["after_gap"].as_u64().unwrap_or(0);
            let read = account["read"].as_u64().expect("a number");
            assert_eq!(read + gaps, kept.len() as u64, "{name}: {account}");
            after_gap += gaps;
        }
    }
    assert!(after_gap > 0);
}

/// Where ENet's commands of a datagram without compression lie, in the frame.
fn enet_commands(frame: &[u8]) -> Vec<Range<usize>> {
    // Without its data a command of each number has this many bytes.
    const SIZES: [usize; 13] = [0, 8, 48, 44, 8, 4, 6, 8, 24, 8, 12, 16, 24];
    let datagram = 20 + 8;
    // The header has two bytes more if it has a time.
    let mut start = datagram + if frame[datagram] & 0x80 != 0 { 4 } else { 2 };
    let mut commands = Vec::new();
    while start < frame.len() {
        let number = usize::from(frame[start] & 15);
        let len_at = match number {
            6 => Some(start + 4),
            7..=9 | 12 => Some(start + 6),
            _ => None,
        };
        let data = len_at.map_or(0, |at| u16::from_be_bytes([frame[at], frame[at + 1]]));
        let end = start + SIZES[number] + usize::from(data);
        commands.push(start..end);
        start = end;
    }
    commands
}

/// Returns the head of a command up to the offset, which identifies the packet and its piece. `None` if the command
/// brings no piece.
fn enet_piece(frame: &[u8], command: &Range<usize>) -> Option<Vec<u8>> {
    let is_piece = matches!(frame[command.start] & 15, 8 | 12);
    is_piece.then(|| frame[command.start..command.start + 16].to_vec())
}

/// The frames without the piece: without each copy of it, as ENet sends a reliable piece again that was not
/// acknowledged in time.
fn without(frames: &[Frame], piece: &[u8]) -> Vec<Frame> {
    let mut kept = Vec::new();
    for (time, frame) in frames {
        let commands = enet_commands(frame);
        let is_it = |command: &&Range<usize>| enet_piece(frame, command).as_deref() == Some(piece);
        let Some(command) = commands.iter().find(is_it) else {
            kept.push((*time, frame.clone()));
            continue;
        };
        // The other commands of the datagram are not lost.
        if commands.len() > 1 {
            let mut frame = frame.clone();
            frame.drain(command.clone());
            let len = frame.len() as u16;
            frame[2..4].copy_from_slice(&len.to_be_bytes());
            frame[24..26].copy_from_slice(&(len - 20).to_be_bytes());
            kept.push((*time, frame));
        }
    }
    kept
}

#[test]
fn a_packet_without_one_of_its_pieces_is_told() {
    let file = folder().join("g4-enet-big.hex");
    let (lines, account) = read(&file);
    // Of the whole file nothing is told.
    assert_eq!(account["incomplete"], Value::Null);
    let once = frames("g4-enet-big", 1);
    let pieces: BTreeSet<Vec<u8>> = { once.iter() }
        .flat_map(|(_, frame)| {
            let commands = enet_commands(frame).into_iter();
            commands.filter_map(move |command| enet_piece(frame, &command))
        })
        .collect();
    assert!(pieces.len() > 5, "{}", pieces.len());
    // As they came, and as if each piece had come twice.
    let mut twice = Vec::new();
    for frame in &once {
        let commands = enet_commands(&frame.1);
        let has_piece = commands
            .iter()
            .any(|command| enet_piece(&frame.1, command).is_some());
        twice.extend(vec![frame.clone(); if has_piece { 2 } else { 1 }]);
    }
    for frames in [once, twice] {
        let (seen, account) = read_bytes(&pcap(&frames, usize::MAX));
        assert_eq!(missing("g4-enet-big", &lines, &seen), [""; 0]);
        assert_eq!(account["incomplete"], Value::Null);
        for piece in &pieces {
            let kept = without(&frames, piece);
            let (seen, account) = read_bytes(&pcap(&kept, usize::MAX));
            let missing = missing("g4-enet-big", &lines, &seen);
            assert_eq!(missing.len(), 1, "{piece:02x?}: {missing:?}");
            assert_eq!(account["incomplete"], 1, "{account}");
            assert_eq!(account["read"], kept.len());
        }
    }
}

/// Two captures in one file, by time.
fn together(first: Vec<Frame>, second: Vec<Frame>) -> Vec<Frame> {
    let mut all = [first, second].concat();
    all.sort_by_key(|(time, _)| *time);
    all
}

#[test]
fn two_games_at_once_are_read_whole() {
    let captures = captures();
    // Every capture with its neighbour, and with one of another engine or carrier.
    for step in [1, captures.len() / 2] {
        for (n, (name, lines)) in captures.iter().enumerate() {
            let (other, other_lines) = &captures[(n + step) % captures.len()];
            let frames = together(frames(name, 1), frames(other, 2));
            let (seen, account) = read_bytes(&pcap(&frames, usize::MAX));
            let mut lines = [&lines[..], other_lines].concat();
            lines.sort();
            let what = format!("{name} and {other}");
            assert_eq!(missing(&what, &lines, &seen), [""; 0], "{what}");
            assert_eq!(account["read"], frames.len(), "{what}: {account}");
        }
    }
}

#[test]
fn clients_of_one_port_may_have_other_carriers() {
    let captures = captures();
    let streams = captures.iter().filter(|(name, _)| is_stream(name));
    for (n, (name, lines)) in streams.enumerate() {
        let others = captures.iter().filter(|(name, _)| !is_stream(name));
        for (other, other_lines) in others.skip(n).step_by(5) {
            let frames = together(frames(name, 1), frames(other, 1));
            let (seen, account) = read_bytes(&pcap(&frames, usize::MAX));
            let mut lines = [&lines[..], other_lines].concat();
            lines.sort();
            let what = format!("{name} and {other}");
            assert_eq!(missing(&what, &lines, &seen), [""; 0], "{what}");
            assert_eq!(account["read"], frames.len(), "{what}: {account}");
        }
    }
}
