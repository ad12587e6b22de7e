//! What is chosen and sorted, and the tables of `--stats`.

use std::fs;

use serde_json::Value;

use super::{common, enet_captures, folder, stdout};

#[test]
fn percentages_add_up_under_every_compression() {
    for name in enet_captures() {
        let path = folder().join(format!("{name}.hex"));
        let stats = stdout(
            &["packets", path.to_str().expect("a path"), "--stats"],
            b"",
            0,
        );
        let percent = |word: &str| word.strip_suffix('%')?.parse::<f64>().ok();
        for word in stats.split_whitespace() {
            assert!(
                percent(word).is_none_or(|share| share <= 100.0),
                "{name}: {stats}"
            );
        }
        let is_compressed = ["range", "fastlz", "zlib", "zstd", "g36-enet-objects"];
        let is_compressed = is_compressed.iter().any(|how| name.contains(how));
        assert_eq!(
            stats.contains("packets are counted unpacked"),
            is_compressed,
            "{name}: {stats}"
        );
        assert_eq!(
            stats.contains("% of them packets"),
            !is_compressed,
            "{name}: {stats}"
        );
        let tables = stats.split("\n\n").skip(1);
        let has_shares = |table: &&str| {
            table
                .lines()
                .next()
                .is_some_and(|line| line.contains("share"))
        };
        for table in tables.filter(has_shares) {
            let rows = table.lines().skip(1);
            let shares = rows.filter_map(|row| percent(row.split_whitespace().nth(3)?));
            let shares: Vec<f64> = shares.collect();
            // Each is rounded to a tenth.
            let sum: f64 = shares.iter().sum();
            let most = 0.05 * shares.len() as f64 + 0.01;
            assert!(
                !shares.is_empty() && (sum - 100.0).abs() <= most,
                "{name}: {sum} in {table}"
            );
        }
    }
}

#[test]
fn connections_have_round_trips_resends_and_losses() {
    let text = fs::read_to_string(folder().join("g4-enet-repl.hex")).expect("the capture");
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    /// The row of a direction.
    fn row(lines: &[String], direction: &str) -> Value {
        let input = lines.join("\n");
        let args = ["-q", "packets", "-", "--stats", "--json-lines"];
        let text = stdout(&args, input.as_bytes(), 0);
        let rows = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let mut rows =
            rows.filter(|row| row["table"] == "connection" && row["direction"] == direction);
        let found = rows.next().expect("a row");
        assert!(rows.next().is_none());
        found
    }
    let owned = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| (*line).to_owned())
            .collect::<Vec<_>>()
    };
    let whole = owned(&lines);
    let (up, down) = (row(&whole, "to server"), row(&whole, "to client"));
    for row in [&up, &down] {
        for none in ["sent_again", "came_twice", "missing", "gaps"] {
            assert_eq!(row[none], 0, "{row}");
        }
        assert!(row["packets"].as_u64().expect("a number") >= 2, "{row}");
    }
    // What the server sends 80 ms later comes 80 ms later, acknowledgements too.
    let late = |line: &&str| {
        let (time, rest) = line.split_once(' ').expect("a time");
        let time: f64 = time.parse().expect("seconds");
        match rest.starts_with("S>") {
            true => format!("{:.6} {rest}", time + 0.08),
            false => (*line).to_owned(),
        }
    };
    let mut delayed: Vec<String> = lines.iter().map(late).collect();
    delayed.sort_by(|a, b| {
        let time = |line: &str| {
            line.split_once(' ')
                .expect("a time")
                .0
                .parse::<f64>()
                .expect("seconds")
        };
        time(a).total_cmp(&time(b))
    });
    let median = |row: &Value| row["round_trip"].as_f64().expect("seconds");
    let more = median(&row(&delayed, "to server")) - median(&up);
    assert!((0.07..0.09).contains(&more), "{more}");
    // Each datagram twice: as many resends and duplicates as there are packets.
    let twice: Vec<String> = lines
        .iter()
        .flat_map(|line| [(*line).to_owned(), (*line).to_owned()])
        .collect();
    let doubled = row(&twice, "to client");
    let [again, came_twice] =
        ["sent_again", "came_twice"].map(|name| doubled[name].as_u64().expect("a number"));
    assert!(again > 5 && came_twice > 5, "{doubled}");
    assert!(
        again + came_twice >= down["packets"].as_u64().expect("a number"),
        "{doubled} {down}"
    );
    assert_eq!(
        (&doubled["missing"], &doubled["gaps"]),
        (&down["missing"], &down["gaps"])
    );
    // Every third SYNC, which the server sends outside all order (0x49), is lost.
    let is_sync = |line: &&str| {
        line.contains(" S>1 ") && line.split(' ').nth(2).is_some_and(|hex| hex[4..6] == *"49")
    };
    let syncs: Vec<&str> = lines.iter().copied().filter(is_sync).collect();
    let lost: Vec<&str> = syncs[1..syncs.len() - 1]
        .iter()
        .copied()
        .step_by(3)
        .collect();
    assert!(lost.len() >= 4);
    let kept: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !lost.contains(line))
        .collect();
    assert_eq!(row(&owned(&kept), "to client")["missing"], lost.len());
    // For people, too.
    let args = ["-q", "packets", "-", "--stats"];
    let text = stdout(&args, owned(&kept).join("\n").as_bytes(), 0);
    let table = text.split("\n\n").last().expect("a table");
    assert!(table.starts_with("round trip"), "{text}");
    let line = table
        .lines()
        .find(|line| line.contains("server > "))
        .expect("a row");
    assert_eq!(
        line.split_whitespace().nth(6),
        Some(&*lost.len().to_string()),
        "{text}"
    );
    // A reliable packet of the server's on channel 0 that the capture does not have.
    let is_fifth = |line: &&str| line.contains(" S>1 ") && line.contains("86000005");
    assert_eq!(lines.iter().filter(|line| is_fifth(line)).count(), 1);
    let kept: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !is_fifth(line))
        .collect();
    assert_eq!(row(&owned(&kept), "to client")["gaps"], 1);
}

#[test]
fn statistics_as_json_have_what_the_tables_have() {
    for name in [
        "g4-enet-rpc",
        "g4-enet-zlib",
        "g3-ws-relay",
        "g4-udp-put_var",
    ] {
        let path = folder().join(format!("{name}.hex"));
        let path = path.to_str().expect("a path");
        let stats = stdout(&["packets", path, "--stats"], b"", 0);
        let json = stdout(&["packets", path, "--stats", "--json-lines"], b"", 0);
        let mut rows: Vec<Value> = json
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect();
        let account = rows.pop().expect("an account");
        assert_eq!(account["read"], account["packets"], "{name}");
        let total = rows.remove(0);
        assert_eq!(
            (&total["table"], &total["compressed"]),
            (&"total".into(), &name.contains("zlib").into())
        );
        let game = total["game"].as_str().expect("a game");
        assert!(stats.starts_with(game), "{name}: {game}");
        for field in ["packets", "bytes"] {
            let commands = rows.iter().filter(|row| row["table"] == "command");
            let sum: u64 = commands
                .map(|row| row[field].as_u64().expect("a number"))
                .sum();
            assert_eq!(total[field], sum, "{name}");
        }
        let is_cost = |row: &&Value| row["table"] == "command" || row["table"] == "peers";
        for row in rows.iter().filter(is_cost) {
            let [bytes, packets, largest] =
                ["bytes", "packets", "largest"].map(|name| row[name].as_u64().expect("a number"));
            let shown = format!("{bytes:>10} {packets:>9} {largest:>8} ");
            let name = row["name"].as_str().expect("a name");
            assert!(
                stats
                    .lines()
                    .any(|line| line.starts_with(&shown) && line.ends_with(name)),
                "{row}"
            );
        }
        let connections = rows
            .iter()
            .filter(|row| row["table"] == "connection")
            .count();
        assert_eq!(
            connections,
            if name.contains("enet") { 2 } else { 0 },
            "{name}"
        );
    }
}

#[test]
fn packets_are_chosen_by_time_and_put_in_order() {
    let path = folder().join("g4-enet-rpc.hex");
    let path = path.to_str().expect("a path");
    let lines = |more: &[&str]| {
        let args = [&["-q", "packets", path], more].concat();
        let text = stdout(&args, b"", 0);
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&[]);
    let time = |line: &String| -> f64 {
        let word = line.split_whitespace().next().expect("a time");
        word.parse().expect("seconds")
    };
    let size = |line: &String| -> u64 {
        let words: Vec<&str> = line.split_whitespace().collect();
        let unit = words.iter().position(|word| *word == "B").expect("a unit");
        words[unit - 1].parse().expect("a size")
    };
    // From a packet in the middle to another one, both included, by options and by a filter.
    let (from, to) = (all.len() / 3, 2 * all.len() / 3);
    let [from, to] = [from, to].map(|n| all[n].split_whitespace().next().expect("a time"));
    let [first, last] = [from, to].map(|word| word.parse::<f64>().expect("seconds"));
    let is_within = |line: &&String| (first..=last).contains(&time(line));
    let expected: Vec<String> = all.iter().filter(is_within).cloned().collect();
    assert!(expected.len() > 10 && expected.len() < all.len() / 2);
    assert_eq!(lines(&["--from", from, "--to", to]), expected);
    let filter = format!("time >= {from} and time <= {to}");
    assert_eq!(lines(&["--filter", &filter]), expected);
    assert_eq!(
        lines(&["--filter", &format!("time == {from}")])[0],
        expected[0]
    );
    // The first ones, and the largest ones; equal ones in the order of time.
    assert_eq!(lines(&["--limit", "7"]), all[..7]);
    let mut largest = all.clone();
    largest.sort_by_key(|line| std::cmp::Reverse(size(line)));
    assert_eq!(lines(&["--sort", "size"]), largest);
    assert_eq!(lines(&["--sort", "size", "--limit", "5"]), largest[..5]);
    assert_eq!(lines(&["--sort", "time"]), all);
    let json = lines(&["--sort", "size", "--limit", "1", "--json-lines"]);
    assert!(
        json[0].contains(&format!("\"bytes\":{}", size(&largest[0]))),
        "{json:?}"
    );
    // The statistics of that time alone, and the rows in other orders.
    let stats = |more: &[&str]| {
        let rows = lines(&[&["--stats"], more].concat());
        let table = rows.iter().skip_while(|row| !row.ends_with("  command"));
        let rows = table.skip(1).take_while(|row| !row.is_empty());
        rows.cloned().collect::<Vec<_>>()
    };
    let column = |row: &String, n: usize| -> u64 {
        let word = row.split_whitespace().nth(n).expect("a column");
        word.parse().expect("a number")
    };
    let part = stats(&["--from", from, "--to", to]);
    assert_eq!(
        part.iter().map(|row| column(row, 1)).sum::<u64>(),
        expected.len() as u64
    );
    for (sort, n) in [("size", 0), ("packets", 1), ("largest", 2)] {
        let rows = stats(&["--sort", sort]);
        assert!(
            rows.len() > 5 && rows.is_sorted_by_key(|row| std::cmp::Reverse(column(row, n))),
            "{rows:?}"
        );
        // Two rows, and one for the rest.
        let few = stats(&["--sort", sort, "--limit", "2"]);
        assert_eq!(few[..2], rows[..2]);
        assert!(
            few.len() == 3 && few[2].contains(&format!("in {} rows more", rows.len() - 2)),
            "{few:?}"
        );
    }
    let names = stats(&["--sort", "name"]);
    let name = |row: &String| row.split_whitespace().skip(5).collect::<Vec<_>>().join(" ");
    assert!(names.is_sorted_by_key(name), "{names:?}");
    for wrong in [
        &["--sort", "packets"][..],
        &["--stats", "--sort", "time"],
        &["--from", "-1"],
        &["--to", "soon"],
    ] {
        let output = common::gdvar(&[&["packets", path], wrong].concat(), b"");
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}
