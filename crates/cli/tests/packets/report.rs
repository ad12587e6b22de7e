//! The page of `--html`: it has every number of `--stats --json-lines`, and nothing that a browser would load or run.

use std::{collections::BTreeMap, fs, path::Path};

use serde_json::Value;

use super::{common, folder, page::Page};

/// Runs `packets … --json-lines --html` once. Returns the rows and the page.
fn both(args: &[&str], exits: &[i32]) -> (Vec<Value>, String) {
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("report.html");
    let more = ["--json-lines", "--html", common::path(&file)];
    let output = common::gdvar(&[&["packets"], args, &more].concat(), b"");
    let code = output.status.code().expect("an exit code");
    assert!(exits.contains(&code), "{args:?}: {output:?}");
    let lines = String::from_utf8(output.stdout).expect("UTF-8");
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"));
    (lines.collect(), fs::read_to_string(file).expect("the page"))
}

fn captures() -> Vec<String> {
    let mut all = vec![common::path(&folder().join("arena/g4-enet-arena.hex")).to_owned()];
    for entry in fs::read_dir(folder()).expect("the captures") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "hex") {
            all.push(common::path(&path).to_owned());
        }
    }
    assert!(all.len() == 35, "{}", all.len());
    all
}

fn whole(row: &Value, field: &str) -> u64 {
    row[field]
        .as_u64()
        .unwrap_or_else(|| panic!("{field} in {row}"))
}

/// Milliseconds with a digit after the point, or `-`.
fn ms(seconds: &Value) -> String {
    match seconds.as_f64() {
        Some(seconds) => format!("{:.1} ms", 1e3 * seconds),
        None => "-".to_owned(),
    }
}

/// The numbers that a row of JSON has for the page: the table, the cells, and the start of the name.
fn expected(row: &Value, total: &Value) -> (&'static str, Vec<String>, String) {
    let n = |field: &str| whole(row, field);
    let text = |field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let seconds = total["seconds"].as_f64().expect("seconds").max(0.001);
    let rate = |bytes: u64| format!("{:.0}", bytes as f64 / seconds);
    let saved = |field: &str| {
        row[field]
            .as_u64()
            .map_or("-".into(), |saved| format!("-{saved}"))
    };
    let strings = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>();
    match row["table"].as_str().unwrap_or("cheats") {
        table @ ("command" | "peers") => {
            let bytes = n("bytes");
            let share = 100.0 * bytes as f64 / whole(total, "bytes").max(1) as f64;
            let mut cells = strings(&[bytes, n("packets"), n("largest")]);
            cells.extend([format!("{share:.1}%"), rate(bytes)]);
            (
                if table == "peers" { "peers" } else { "command" },
                cells,
                text("name"),
            )
        }
        "synchronizer" => {
            let bytes = n("sync_bytes") + n("delta_bytes");
            let mut cells = strings(&[bytes, n("sync_entries") + n("delta_entries")]);
            let asked = match row["interval_asked"].as_f64() {
                None => "-".to_owned(),
                Some(0.0) => "every frame".to_owned(),
                Some(seconds) => format!("{} ms", (1e6 * seconds).round() / 1e3),
            };
            cells.extend([
                rate(bytes),
                ms(&row["interval"]),
                ms(&row["longest_interval"]),
                asked,
            ]);
            ("synchronizer", cells, text("name"))
        }
        "replication_headers" => {
            let bytes = n("bytes");
            let cells = [bytes.to_string(), String::new(), rate(bytes)];
            let cells = cells.into_iter().chain([const { String::new() }; 3]);
            (
                "synchronizer",
                cells.collect(),
                "(the first bytes".to_owned(),
            )
        }
        "property" => {
            let bytes = n("bytes");
            let mut cells = strings(&[bytes, n("values")]);
            cells.extend([rate(bytes), n("unchanged").to_string()]);
            cells.extend([saved("on_change_saves"), saved("smaller_type_saves")]);
            let name = format!("{}: {} ({}", text("of"), text("property"), text("type"));
            ("property", cells, name)
        }
        "spawn" => {
            let fields = ["spawn_bytes", "spawns", "despawn_bytes", "despawns"];
            ("spawn", strings(&fields.map(n)), text("name"))
        }
        "connection" => {
            let mut cells = vec![ms(&row["round_trip"]), ms(&row["longest_round_trip"])];
            cells.extend(strings(&[
                n("sent_again"),
                n("came_twice"),
                n("missing") + n("gaps"),
            ]));
            ("connection", cells, text("name"))
        }
        "late" => {
            let late = format!("{} of {}", n("late"), n("intervals"));
            (
                "late",
                vec![ms(&row["interval"]), late],
                format!("{}: ", text("name")),
            )
        }
        "cheats" => {
            let name = format!("packet {}, {} s: ", n("packet"), seconds_of(&row["time"]));
            ("cheats", Vec::new(), name)
        }
        other => panic!("a table {other}"),
    }
}

fn seconds_of(time: &Value) -> String {
    format!("{:.6}", time.as_f64().expect("seconds"))
}

fn without_spaces(number: &str) -> String {
    number.replace(' ', "")
}

/// Compares a page with the lines of JSON.
fn compare(name: &str, lines: &[Value], page: &Page) {
    let (total, rest) = lines.split_first().expect("a total");
    let (coverage, rows) = rest.split_last().expect("an account");
    let bytes = whole(total, "bytes");
    for (figure, expected) in [
        ("packets", whole(total, "packets")),
        ("bytes", bytes),
        ("B/s at most", whole(total, "peak")),
        ("datagrams or segments", whole(total, "datagrams")),
        ("bytes in them", whole(total, "datagram_bytes")),
    ] {
        assert_eq!(
            without_spaces(&page.figures[figure]),
            expected.to_string(),
            "{name}: {figure}"
        );
    }
    let seconds = total["seconds"].as_f64().expect("seconds");
    assert_eq!(page.figures["seconds"], format!("{seconds:.1}"), "{name}");
    let rate = |count: u64| count as f64 / seconds.max(0.001);
    assert_eq!(page.figures["B/s"], format!("{:.0}", rate(bytes)), "{name}");
    let packets = rate(whole(total, "packets"));
    assert_eq!(page.figures["packets/s"], format!("{packets:.1}"), "{name}");
    if let Some(wire) = page.figures.get("bytes with IP and UDP") {
        let sum = whole(total, "datagram_bytes") + 28 * whole(total, "datagrams");
        assert_eq!(without_spaces(wire), sum.to_string(), "{name}");
    }
    if whole(total, "reliable") > whole(total, "reliable_batches") {
        let [reliable, batches] = ["reliable", "reliable_batches"].map(|field| whole(total, field));
        let text = without_spaces(&page.text);
        assert!(text.contains(&format!(
            "{reliable}reliablepacketswouldfitinto{batches}datagrams"
        )));
    }
    assert!(
        page.text.contains(total["game"].as_str().expect("a game")),
        "{name}"
    );
    let read = format!(
        "read{}of{}packet",
        whole(coverage, "read"),
        whole(coverage, "packets")
    );
    assert!(without_spaces(&page.text).contains(&read), "{name}: {read}");
    // All bytes are in the chart: a capture of less than 51.2 s has pieces of 0.1 s.
    let longest = page
        .text
        .split_once("The longest bar is ")
        .expect("a chart")
        .1;
    let longest: f64 = longest
        .split_once(' ')
        .expect("a rate")
        .0
        .parse()
        .expect("a rate");
    let drawn = page.heights.iter().sum::<f64>() / 150.0 * longest * 0.1;
    assert!(
        (drawn - bytes as f64).abs() <= 1.0 + 0.01 * bytes as f64,
        "{name}: {drawn} {bytes}"
    );

    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut details = 0;
    for row in rows {
        if row["table"] == "late_packet" {
            let place = seen["late"] - 1;
            let (value, text) = &page.tables["late"][place].details[details];
            details += 1;
            assert_eq!(*value, ms(&row["interval"]), "{name}: {row}");
            let why = row["text"].as_str().expect("a text");
            let until = format!(" until {} s, to ", seconds_of(&row["time"]));
            assert!(
                text.starts_with(&until) && text.ends_with(why),
                "{name}: {text} {row}"
            );
            continue;
        }
        details = 0;
        let (table, cells, start) = expected(row, total);
        let place = seen.entry(table).or_default();
        let shown = &page.tables[table][*place];
        assert!(shown.name.starts_with(&start), "{name}: {shown:?} {row}");
        let found = page.cells(table, *place);
        match table {
            "late" => assert_eq!([found[0], found[3]], *cells, "{name}: {row}"),
            _ => assert_eq!(found, *cells, "{name}: {row}"),
        }
        *place += 1;
    }
    for (table, rows) in &page.tables {
        assert_eq!(seen.get(&**table), Some(&rows.len()), "{name}: {table}");
    }
}

#[test]
fn a_page_has_every_number_of_the_rows() {
    let arena = folder().join("arena");
    let mut tables: BTreeMap<String, usize> = BTreeMap::new();
    for path in captures() {
        for project in [None, Some(common::path(&arena))] {
            let project: Vec<&str> = project
                .iter()
                .flat_map(|path| ["--project", *path])
                .collect();
            let forms = ["--stats", "--late", "--cheats"];
            let args = [&[&*path], &forms[..], &project].concat();
            let (lines, html) = both(&args, &[0, 1]);
            let page = Page::parse(&html);
            compare(&path, &lines, &page);
            for (table, rows) in &page.tables {
                *tables.entry(table.clone()).or_default() += rows.len();
            }
            if !path.contains("arena") {
                // Another game's project adds nothing.
                break;
            }
        }
    }
    let all = [
        "cheats",
        "command",
        "connection",
        "late",
        "peers",
        "property",
        "spawn",
        "synchronizer",
    ];
    assert_eq!(tables.keys().collect::<Vec<_>>(), all);
    // --stats alone has neither findings nor late synchronizers, and --limit holds for each table.
    let (lines, html) = both(&[&captures()[0], "--stats", "--limit", "3"], &[0]);
    let page = Page::parse(&html);
    compare("--limit", &lines, &page);
    assert!(!page.tables.contains_key("cheats") && !page.tables.contains_key("late"));
    assert_eq!(page.tables["command"].len(), 3);
    assert!(page.text.contains(" rows more"));
}

/// A datagram of ENet with a reliable call of Godot 3, as a line of a capture.
fn call3(number: u16, node: &str, method: &str) -> String {
    let mut packet = [[2, 0, 0, 0], [1, 0, 0, 0]].concat();
    packet.push(0);
    let path = 4 + method.len() + 1 + 1;
    packet.extend((0x8000_0000 | (1 + path as u32)).to_le_bytes());
    packet.extend([method.as_bytes(), &[0, 0], node.as_bytes(), &[0]].concat());
    let mut datagram = vec![0x80, 0, 0, 1, 0x86, 1];
    datagram.extend(number.to_be_bytes());
    datagram.extend((packet.len() as u16).to_be_bytes());
    datagram.extend(packet);
    format!(
        "{}.25 1>S {}\n",
        number,
        data_encoding::HEXLOWER.encode(&datagram)
    )
}

#[test]
fn a_hostile_name_is_only_text() {
    let scratch = tempfile::tempdir().expect("a folder");
    let file = scratch.path().join("<b>&\"'.hex");
    let hostile = [
        ("Net", "<script>alert(\"1\")</script>"),
        (
            "</th></tr></table><img src=x onerror='alert(2)'>",
            "&lt;a&amp;",
        ),
        ("Net\u{202e}", "\" onload=\"alert(3)\n"),
        ("]]>--><!--", "</style></title>"),
    ];
    let lines = hostile.iter().zip(1..);
    let lines: String = lines
        .map(|((node, method), n)| call3(n, node, method))
        .collect();
    fs::write(&file, lines).expect("a capture");
    let args = [
        common::path(&file),
        "--stats",
        "--cheats",
        "--engine",
        "godot3",
        "--carrier",
        "enet",
    ];
    let (lines, html) = both(&args, &[0]);
    let page = Page::parse(&html);
    for (node, method) in hostile {
        let name = format!("CALL {node}.{method}");
        assert!(
            lines.iter().any(|row| row["name"] == name),
            "{name}: {lines:?}"
        );
        let shown = name.replace('\u{202e}', "\\u{202e}").replace('\n', "\\n");
        let rows = &page.tables["command"];
        assert!(rows.iter().any(|row| row.name == shown), "{name}: {rows:?}");
    }
    assert!(
        page.text.starts_with("\n\n") && page.text.contains("<b>&\"'.hex"),
        "{}",
        page.text
    );
    // The command can be pasted into a shell.
    let quoted = common::path(&file).replace('\'', "'\\''");
    let command =
        format!("gdvar packets '{quoted}' --stats --cheats --engine godot3 --carrier enet");
    assert!(page.text.contains(&command), "{}", page.text);
    for no in ["<script", "<img", "<b>&", "\u{202e}"] {
        assert!(!html.contains(no), "{no}");
    }
}

#[test]
fn pictures_and_pages_are_refused_where_they_would_be_wrong() {
    let capture = captures().remove(0);
    let scratch = tempfile::tempdir().expect("a folder");
    for option in ["--html", "--svg"] {
        let file = scratch.path().join("old");
        fs::write(&file, "old").expect("a file");
        let path = common::path(&file);
        let other = if option == "--svg" { "--html" } else { "--svg" };
        for (args, says) in [
            (&[&*capture, option, path][..], "--stats"),
            (&[&*capture, "--late", option, path], "--stats"),
            (&[&*capture, "--cheats", option, path], "--stats"),
            (&[&*capture, "--late", "--cheats", option, path], "--stats"),
            (&[&*capture, "--hex", option, path], "--hex"),
            (&[&*capture, "--hex", "--stats", option, path], "--hex"),
            (
                &[&*capture, "--stats", "--follow", option, path],
                "--follow",
            ),
            (&[&*capture, "--stats", option, path, other, "new"], other),
            (
                &[&*capture, &*capture, "--stats", option, path],
                "run it once for each",
            ),
            (&[&*capture, "--stats", option, "-"], "the name of a file"),
        ] {
            let output = common::gdvar(&[&["packets"], args].concat(), b"");
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(text.contains(says), "{args:?}: {text}");
            assert!(output.stdout.is_empty(), "{args:?}");
            assert_eq!(
                fs::read_to_string(&file).expect("the file"),
                "old",
                "{args:?}"
            );
        }
    }
    assert!(!Path::new("-").exists() && !Path::new("new").exists());
}
