//! The initial inputs for the fuzz targets that read packets: captures of live engines, and texts.

use gdvar::Dialect;

use super::seeds::joined;
use crate::{reference::Rules, vectors::testdata};

/// Returns the datagrams or pieces of all captures of a kind, each with `true` for Godot 3.
fn pieces(kind: &str) -> Vec<(bool, Vec<u8>)> {
    let mut pieces = Vec::new();
    let folder = std::fs::read_dir(testdata("captures")).expect("captures");
    let mut names: Vec<_> = folder
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    for path in names {
        let name = path
            .file_name()
            .and_then(|name| name.to_str())
            .expect("a name");
        if !name.ends_with(".hex") || !name.contains(kind) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a capture");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let hex = line.rsplit(' ').next().expect("hex");
            let byte = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex");
            let bytes: Vec<u8> = (0..hex.len()).step_by(2).map(byte).collect();
            pieces.push((!name.starts_with("g4"), bytes));
        }
    }
    pieces
}

/// Returns the packets of uncompressed datagrams without envelopes, each with `true` for Godot 3.
fn packets() -> Vec<(bool, Vec<u8>)> {
    let mut packets = Vec::new();
    for (is_godot3, bytes) in pieces("enet") {
        let datagram = gdvar_packet::enet::Datagram::parse(&bytes).expect("a datagram");
        for command in datagram.commands().into_iter().flatten() {
            use gdvar_packet::enet::Body;
            if let Body::Reliable(packet)
            | Body::Unreliable { packet, .. }
            | Body::Unsequenced { packet, .. } = command.expect("a command").body
            {
                let envelope = if is_godot3 { 8 } else { 0 };
                packets.push((
                    is_godot3,
                    packet.get(envelope..).unwrap_or_default().to_vec(),
                ));
            }
        }
    }
    packets
}

fn pcap(datagram: &[u8]) -> Vec<u8> {
    let mut out = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    out.extend([0xff, 0xff, 0, 0, 101, 0, 0, 0]);
    let len = 28 + datagram.len() as u32;
    out.extend([0; 8]);
    out.extend([len.to_le_bytes(), len.to_le_bytes()].concat());
    let [high, low] = (len as u16).to_be_bytes();
    out.extend([
        0x45, 0, high, low, 0, 1, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
    ]);
    let [high, low] = (8 + datagram.len() as u16).to_be_bytes();
    out.extend([0x9c, 0x40, 0x1e, 0x61, high, low, 0, 0]);
    out.extend(datagram);
    out
}

/// Returns filters with every field, operator and type of literal.
fn filters() -> Vec<String> {
    let fields = [
        "command",
        "carrier",
        "direction",
        "from",
        "to",
        "link",
        "channel",
        "delivery",
        "fragments",
        "resent",
        "relayed",
        "size",
        "node",
        "method",
        "args",
        "args[0]",
        "args[1][0].id",
        "rpc.args[0].damage",
        "value.a",
        "message",
    ];
    let operators = ["==", "!=", "<", "<=", ">", ">=", "contains", "starts_with"];
    let literals = [
        "1",
        "-2.5",
        "\"CALL\"",
        "\"a\\\"b\"",
        "true",
        "false",
        "null",
    ];
    let mut filters = Vec::new();
    for field in fields {
        for operator in operators {
            for literal in literals {
                filters.push(format!("{field} {operator} {literal}"));
            }
        }
        filters.push(format!("not ({field} or size > 3) and link"));
    }
    filters
}

/// Returns the inputs of a target that reads packets, or `None` for any other target.
pub(super) fn seeds(target: &str) -> Option<Vec<Vec<u8>>> {
    let seed = |is_godot3: bool, choice: usize, bytes: &[u8]| {
        let rules = Rules {
            strict: is_godot3,
            ..Rules::new(Dialect::GODOT_4)
        };
        joined(rules, choice as u16, bytes)
    };
    let behind_len = |bytes: &[u8]| [&(bytes.len() as u16).to_le_bytes(), bytes].concat();
    let seeds: Vec<Vec<u8>> = match target {
        "packet4" | "packet3" => {
            let own = packets().into_iter();
            let own = own.filter(|(is_godot3, _)| *is_godot3 == (target == "packet3"));
            let all: Vec<_> = own
                .flat_map(|(three, bytes)| (0..5).map(move |n| seed(three, n, &bytes)))
                .collect();
            all
        }
        "enet" => {
            let all = pieces("enet");
            let pairs = all.windows(3).enumerate();
            pairs
                .map(|(n, three)| {
                    let bytes: Vec<u8> = three
                        .iter()
                        .flat_map(|(_, bytes)| behind_len(bytes))
                        .collect();
                    seed(three[0].0, n * 67, &bytes)
                })
                .collect()
        }
        "stream" => {
            let mut all = Vec::new();
            for (kind, carrier) in [("-ws-", 0), ("tcp", 1), ("debugger", 2)] {
                for (n, (three, bytes)) in pieces(kind).into_iter().enumerate() {
                    let head = if carrier == 0 && !bytes.windows(4).any(|end| end == b"\r\n\r\n") {
                        &b"HTTP/1.1 101\r\n\r\n"[..]
                    } else {
                        b""
                    };
                    let bytes = [head, &bytes[..bytes.len().min(2000)]].concat();
                    for way in 0..8 {
                        all.push(seed(three, carrier + 3 * (way * 71 + n), &bytes));
                    }
                }
            }
            all
        }
        "multiplayer" => {
            let all = packets().into_iter();
            let all = all.filter(|(is_godot3, bytes)| !is_godot3 && bytes.len() < 0x1000);
            let all: Vec<Vec<u8>> = all.map(|(_, bytes)| behind_len(&bytes)).collect();
            // First all packets from the server, then from several senders in turn.
            let ways = (0..6).flat_map(|way| all.chunks(8).map(move |packets| (way, packets)));
            let joined = ways.map(|(way, packets)| {
                let mut packets = packets.to_vec();
                for (at, packet) in packets.iter_mut().enumerate() {
                    packet[1] |= ((way * at) as u8) << 4;
                }
                packets.concat()
            });
            joined.map(|bytes| seed(false, 0, &bytes)).collect()
        }
        "debugger" => {
            let mut all = Vec::new();
            for name in ["godot4.6.bin", "godot3.6.bin"] {
                let bytes = std::fs::read(testdata("debugger").join(name)).expect("a recording");
                let mut rest = &bytes[..];
                // Several records in a row, starting at each one, in pieces of several sizes.
                while let Some((prefix, _)) = rest.split_first_chunk() {
                    for size in [0, 6, 63, 999] {
                        all.push(seed(false, size, &rest[..rest.len().min(700)]));
                    }
                    let len = 4 + u32::from_le_bytes(*prefix) as usize;
                    rest = rest.get(len..).unwrap_or_default();
                }
            }
            all
        }
        "rewrite" => {
            let kinds = [
                ("enet", 0),
                ("-ws-", 4),
                ("udp", 5),
                ("tcp", 6),
                ("debugger", 7),
            ];
            let mut all = Vec::new();
            for (kind, carrier) in kinds {
                for (n, three) in pieces(kind).chunks(4).enumerate() {
                    let head = match carrier {
                        4 => behind_len(b"HTTP/1.1 101\r\n\r\n"),
                        _ => Vec::new(),
                    };
                    let bytes = three.iter().flat_map(|(_, bytes)| behind_len(bytes));
                    let bytes: Vec<u8> = head.into_iter().chain(bytes).collect();
                    // Each mode of treating packets, and each compression.
                    all.extend(
                        (0..4).map(|mode| {
                            seed(three[0].0, carrier + 8 * mode + 32 * (n % 64), &bytes)
                        }),
                    );
                }
            }
            all
        }
        "capture" => {
            let all = pieces("enet").into_iter();
            all.enumerate()
                .map(|(n, (three, bytes))| seed(three, n, &pcap(&bytes)))
                .collect()
        }
        "filter" => {
            let packets: Vec<_> = packets().into_iter().filter(|(three, _)| !three).collect();
            let texts = filters().into_iter().enumerate();
            texts
                .map(|(n, text)| {
                    let packet = &packets[n % packets.len()].1;
                    seed(false, text.len(), &[text.as_bytes(), packet].concat())
                })
                .collect()
        }
        _ => return None,
    };
    Some(seeds)
}
