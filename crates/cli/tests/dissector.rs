//! `gdvar dissector`: tshark says of every packet of every capture what `gdvar packets` says.

use std::{
    fs,
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use gdvar_packet::capture::{Protocol, Segment, Writer};

const GDVAR: &str = env!("CARGO_BIN_EXE_gdvar");

fn captures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/captures")
}

/// A capture as tcpdump would have made it, with the server at port 7777.
fn write(name: &str, is_tcp: bool, to: &Path) {
    let mut writer = Writer::new(fs::File::create(to).unwrap()).unwrap();
    let text = fs::read_to_string(captures().join(format!("{name}.hex"))).unwrap();
    let mut sequences = std::collections::BTreeMap::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let (from, to) = words[1].split_once('>').unwrap();
        let to_server = matches!(to, "S" | "E");
        let client: u16 = if to_server { from } else { to }.parse().unwrap_or(1);
        let client: SocketAddr = ([127, 0, 0, 1], 40_000 + client).into();
        let server: SocketAddr = ([127, 0, 0, 1], 7777).into();
        let digit = |at: usize| u8::from_str_radix(&words[2][at..at + 2], 16).unwrap();
        let payload: Vec<u8> = (0..words[2].len()).step_by(2).map(digit).collect();
        let time = Duration::from_secs_f64(words[0].parse().unwrap());
        let (source, target) = if to_server {
            (client, server)
        } else {
            (server, client)
        };
        let mut send = |sequence, is_syn, payload: &[u8]| {
            let protocol = match is_tcp {
                false => Protocol::Udp,
                true => Protocol::Tcp {
                    sequence,
                    is_syn,
                    is_ack: !is_syn,
                    is_end: false,
                },
            };
            let segment = Segment {
                source,
                target,
                protocol,
                payload,
            };
            writer.write(time, segment).unwrap();
        };
        let sequence = sequences.entry((source, target)).or_insert_with(|| {
            if is_tcp {
                send(0, true, &[]);
            }
            1_u32
        });
        send(*sequence, false, &payload);
        *sequence += payload.len() as u32;
    }
}

/// Without times, and with one space between words.
fn tidy(line: &str) -> String {
    line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn tshark_agrees_on_every_packet() {
    if Command::new("tshark").arg("--version").output().is_err() {
        eprintln!("SKIPPED: there is no tshark");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("gdvar.lua");
    let made = Command::new(GDVAR).arg("dissector").output().unwrap();
    assert!(made.status.success());
    fs::write(&script, made.stdout).unwrap();
    let mut names: Vec<String> = fs::read_dir(captures())
        .unwrap()
        .filter_map(|entry| {
            Some(
                entry
                    .unwrap()
                    .file_name()
                    .to_str()?
                    .strip_suffix(".hex")?
                    .to_owned(),
            )
        })
        .collect();
    names.sort();
    let mut packets = 0;
    for name in &names {
        let is_godot4 = name.starts_with("g4");
        let (carrier, tcp) = match name.split('-').nth(1) {
            Some("enet") => ("enet", None),
            Some("udp") => ("udp", None),
            Some("ws") => ("websocket", Some("records")),
            Some("tcp") => ("tcp", Some("records")),
            _ => ("debugger", Some("debugger")),
        };
        let file = folder.path().join(format!("{name}.pcap"));
        write(name, tcp.is_some(), &file);
        let ours = Command::new(GDVAR)
            .arg("packets")
            .arg(&file)
            .args([
                "--engine",
                if is_godot4 { "godot4" } else { "godot3" },
                "--carrier",
                carrier,
            ])
            .output()
            .unwrap();
        let ours = String::from_utf8(ours.stdout).unwrap();
        // Behind the time.
        let ours: Vec<String> = ours
            .lines()
            .map(|line| tidy(line.trim_start().split_once(' ').unwrap().1))
            .collect();
        let theirs = Command::new("tshark")
            .arg("-X")
            .arg(format!("lua_script:{}", script.display()))
            .args([
                "-o",
                if is_godot4 {
                    "gdvar.engine:4"
                } else {
                    "gdvar.engine:3"
                },
            ])
            .args(["-o", &format!("gdvar.tcp:{}", tcp.unwrap_or("records"))])
            .args([
                "-T",
                "fields",
                "-e",
                "gdvar.line",
                "-E",
                "aggregator=~",
                "-r",
            ])
            .arg(&file)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&theirs.stderr);
        assert!(theirs.status.success() && !said.contains("Lua"), "{said}");
        let theirs = String::from_utf8_lossy(&theirs.stdout);
        let theirs: Vec<String> = { theirs.lines().flat_map(|line| line.split('~')) }
            .filter(|line| !line.is_empty())
            .map(tidy)
            .collect();
        packets += ours.len();
        if ours != theirs {
            for (ours, theirs) in ours
                .iter()
                .zip(&theirs)
                .filter(|(ours, theirs)| ours != theirs)
                .take(3)
            {
                eprintln!("{name}\n  gdvar  {ours}\n  tshark {theirs}");
            }
            panic!(
                "{name}: {} lines, and {} of tshark",
                ours.len(),
                theirs.len()
            );
        }
    }
    assert_eq!(names.len(), 27);
    assert!(packets > 2000, "{packets}");
}
