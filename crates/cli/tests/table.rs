//! `table`, held against numbers that the test counts by itself while it makes the saves.

mod common;

use std::{fs, path::Path};

use common::{gdvar, path, stderr, stdout};
use gdvar::{Variant, variant, write::Target};

/// What a table of the generated saves must contain. The saves are of two engines, and some are cut
/// off.
#[derive(Default)]
struct Made {
    rows: usize,
    cut: Vec<String>,
    gold: i64,
    levels: i64,
}

fn value(n: usize) -> Variant {
    let n = n as i64;
    variant!({
        "gold": (n * 7 % 1000),
        "name": (format!("player \"{n}\", the great")),
        "party": [{"level": (n % 50), "hp": 1.5}, {"level": 3, "hp": 2.5}],
    })
}

fn framed(value: &Variant, target: Target) -> Vec<u8> {
    let bytes = value.to_vec(target).expect("a value of both engines");
    let mut file = (bytes.len() as u32).to_le_bytes().to_vec();
    file.extend(bytes);
    file
}

fn make(folder: &Path, files: usize) -> Made {
    let mut made = Made::default();
    for n in 0..files {
        let target = if n % 3 == 0 {
            Target::GODOT_3
        } else {
            Target::GODOT_4
        };
        let mut bytes = framed(&value(n), target);
        let path = folder.join(format!("{n:05}.sav"));
        if n % 100 == 99 {
            // In the text of the second key: what stands before cannot be told from what is missing.
            bytes.truncate(30);
            made.cut.push(path.display().to_string());
        } else {
            made.gold += n as i64 * 7 % 1000;
            made.levels += n as i64 % 50 + 3;
        }
        made.rows += 1;
        fs::write(path, bytes).expect("space");
    }
    made
}

const COLUMNS: &str = "gold,name,levels=party[*].level,hp=party[0].hp";

/// The objects of JSON lines.
fn objects(text: &str) -> Vec<serde_json::Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[track_caller]
fn compare(rows: &[serde_json::Value], made: &Made) {
    assert_eq!(rows.len(), made.rows);
    let gold: i64 = rows.iter().filter_map(|row| row["gold"].as_i64()).sum();
    let levels = rows
        .iter()
        .filter_map(|row| row["levels"].as_array())
        .flatten();
    let levels: i64 = levels.filter_map(serde_json::Value::as_i64).sum();
    assert_eq!((gold, levels), (made.gold, made.levels));
    let failed = rows.iter().filter(|row| !row["error"].is_null());
    let failed: Vec<&str> = failed.filter_map(|row| row["file"].as_str()).collect();
    assert_eq!(failed, made.cut);
    let names = rows.iter().filter(|row| {
        row["name"]
            .as_str()
            .is_some_and(|name| name.ends_with("\", the great"))
    });
    assert_eq!(names.count(), made.rows - made.cut.len());
}

#[test]
fn a_row_for_every_save_and_a_reason_for_every_damaged_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let made = make(folder.path(), 1000);
    assert_eq!(made.cut.len(), 10);
    let saves = folder.path().to_str().expect("UTF-8");
    let rows = stdout(
        &[
            "table",
            saves,
            "--columns",
            COLUMNS,
            "--format",
            "json-lines",
        ],
        b"",
        0,
    );
    compare(&objects(&rows), &made);
    let told = stderr(&["table", saves, "--columns", COLUMNS], b"", 0);
    assert!(told.contains("1000 rows, 10 with a reason"), "{told}");
}

#[test]
fn csv_quotes_what_spreadsheets_would_split() {
    let folder = tempfile::tempdir().expect("a folder");
    make(folder.path(), 2);
    let saves = folder.path().to_str().expect("UTF-8");
    let text = stdout(
        &[
            "table",
            saves,
            "--no-origin",
            "--columns",
            "gold,name,levels=party[*].level",
        ],
        b"",
        0,
    );
    assert_eq!(
        text,
        "gold,name,levels,error\n\
         0,\"player \"\"0\"\", the great\",\"[0,3]\",\n\
         7,\"player \"\"1\"\", the great\",\"[1,3]\",\n"
    );
}

#[test]
fn a_long_log_is_read_by_several_threads_in_its_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("game.log");
    let mut bytes = Vec::new();
    let (mut sum, mut records) = (0, 0_usize);
    while bytes.len() < 20 << 20 {
        bytes.extend(framed(&value(records), Target::GODOT_4));
        sum += records as i64 * 7 % 1000;
        records += 1;
    }
    fs::write(&log, &bytes).expect("space");
    let log = log.to_str().expect("UTF-8");
    let text = stdout(
        &[
            "table",
            "-d",
            "godot4",
            "-f",
            "len32",
            log,
            "--columns",
            "gold",
            "--format",
            "tsv",
        ],
        b"",
        0,
    );
    let rows: Vec<Vec<&str>> = text
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), records);
    assert!(
        rows.iter()
            .enumerate()
            .all(|(n, row)| row[1].parse() == Ok(n))
    );
    assert_eq!(
        rows.iter()
            .map(|row| row[2].parse::<i64>().expect("gold"))
            .sum::<i64>(),
        sum
    );
}

#[test]
fn types_that_are_widened_and_values_that_do_not_fit_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    for (n, gold) in [variant!(5), variant!(0.5), variant!("none")]
        .into_iter()
        .enumerate()
    {
        let value = variant!({"gold": gold});
        fs::write(
            folder.path().join(format!("{n}.sav")),
            framed(&value, Target::GODOT_4),
        )
        .expect("space");
    }
    let saves = folder.path().to_str().expect("UTF-8");
    let output = gdvar(&["table", saves, "--no-origin", "--columns", "gold"], b"");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("gold: float64 (int64 in 1 rows, float64 in 1, text in 1)"),
        "{told}"
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..3], ["gold,error", "5.0,", "0.5,"]);
    assert!(
        lines[3].starts_with(",") && lines[3].contains("text"),
        "{text}"
    );
    let asked = stdout(
        &[
            "table",
            saves,
            "--no-origin",
            "--columns",
            "gold",
            "--type",
            "gold=text",
        ],
        b"",
        0,
    );
    assert!(asked.ends_with("none,\n"), "{asked}");
}

#[test]
fn a_table_that_was_stopped_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = folder.path().join("saves");
    fs::create_dir(&saves).expect("a folder");
    make(&saves, 50);
    let parts = folder.path().join("parts");
    let (saves, parts) = (
        saves.to_str().expect("UTF-8"),
        parts.to_str().expect("UTF-8"),
    );
    let out = format!("{parts}/");
    let run = |columns: &str, code| {
        let args = [
            "table",
            saves,
            "--columns",
            columns,
            "--out",
            &out,
            "--format",
            "csv",
            "--resume",
        ];
        stderr(&args, b"", code)
    };
    run("gold,name", 0);
    let part = Path::new(parts).join("part-00000.csv");
    let whole = fs::read(&part).expect("a part");
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 51);
    // What is complete is left alone, what is gone is made again.
    fs::write(&part, b"mine").expect("space");
    assert!(run("gold,name", 0).contains("1 complete parts were left alone"));
    assert_eq!(fs::read(&part).expect("a part"), b"mine");
    fs::remove_file(&part).expect("a part");
    run("gold,name", 0);
    assert_eq!(fs::read(&part).expect("a part"), whole);
    assert!(run("gold", 2).contains("other columns"));
}

/// A log of records with that gold, in a file.
fn log_of(folder: &Path, gold: impl Iterator<Item = Variant>) -> String {
    let path = folder.join("game.log");
    let records = gold.flat_map(|gold| framed(&variant!({"gold": gold}), Target::GODOT_4));
    fs::write(&path, records.collect::<Vec<u8>>()).expect("space");
    path.to_str().expect("UTF-8").to_owned()
}

const ALL_FORMS: [&str; 3] = ["csv", "tsv", "json-lines"];

#[test]
fn one_float_anywhere_makes_a_column_of_floats_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = [0, 1200, 999, 1000, 1001, 2399].map(|place| (2400, place));
    for (count, place) in cases.into_iter().chain([(100_002, 100_000)]) {
        let gold = (0..count).map(|n| match n {
            n if n == place => variant!(0.5),
            n if n % 7 == 3 => variant!(null),
            n => variant!(n),
        });
        let log = log_of(folder.path(), gold);
        let args = [
            "table",
            &log,
            "-d",
            "godot4",
            "--no-origin",
            "--columns",
            "gold",
        ];
        for form in ALL_FORMS {
            let text = stdout(&[&args[..], &["--format", form]].concat(), b"", 0);
            let lines: Vec<&str> = text
                .lines()
                .skip(usize::from(form != "json-lines"))
                .collect();
            assert_eq!(lines.len() as i64, count, "{form} {place}");
            for (n, line) in (0..).zip(lines) {
                let value = match n {
                    n if n == place => "0.5".to_owned(),
                    n if n % 7 == 3 => String::new(),
                    n => format!("{n}.0"),
                };
                let wanted = match form {
                    "csv" => format!("{value},"),
                    "tsv" => format!("{value}\t"),
                    _ if value.is_empty() => r#"{"gold":null,"error":null}"#.to_owned(),
                    _ => format!(r#"{{"gold":{value},"error":null}}"#),
                };
                assert_eq!(line, wanted, "{form}, the float at {place}");
            }
            // The table in a file: it is written at once. If the types turn out to be wrong later,
            // it is written again.
            let out = folder.path().join(format!("out.{form}"));
            let out = out.to_str().expect("UTF-8");
            stdout(
                &[&args[..], &["--format", form, "--out", out]].concat(),
                b"",
                0,
            );
            assert_eq!(fs::read_to_string(out).expect("the table"), text);
        }
        #[cfg(feature = "tables")]
        columnar(&args, folder.path(), count);
        let told = stderr(&args, b"", 0);
        assert!(told.contains("column gold: float64 ("), "{told}");
    }
}

/// The same as Arrow and Parquet, with the types that `gdvar-arrow` finds by itself.
#[cfg(feature = "tables")]
fn columnar(args: &[&str], folder: &Path, count: i64) {
    use gdvar_arrow::{Dialect, Query, Row, schema, types};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    let log = fs::read(folder.join("game.log")).expect("the log");
    let frames = gdvar_columns::frames(&log, gdvar_columns::PrefixOrder::Little);
    let rows = frames.map(|frame| Row::value("", 0, frame.expect("a record").bytes));
    let query = Query::new().column("gold", "gold").expect("a path");
    let wanted = schema(&types(query, Dialect::GODOT_4, rows));
    for form in ["arrow", "parquet"] {
        let out = folder.join(format!("out.{form}"));
        let path = out.to_str().expect("UTF-8");
        stdout(&[args, &["--out", path]].concat(), b"", 0);
        let file = fs::File::open(&out).expect("the table");
        let (schema, rows) = match form {
            "arrow" => {
                let read = arrow_ipc::reader::FileReader::try_new(file, None).expect("Arrow");
                let schema = read.schema();
                (
                    schema,
                    read.map(|batch| batch.expect("rows").num_rows())
                        .sum::<usize>(),
                )
            }
            _ => {
                let read = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
                let rows = read.metadata().file_metadata().num_rows();
                (read.schema().clone(), rows as usize)
            }
        };
        assert_eq!(schema.fields(), wanted.fields(), "{form}");
        assert_eq!(schema.field(0).data_type().to_string(), "Float64");
        assert_eq!(rows as i64, count);
    }
}

#[test]
fn the_type_of_most_rows_counts_and_the_others_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    for (first, last) in [(variant!("x"), variant!(7)), (variant!(7), variant!(true))] {
        // 1100 rows of one type and then 1300 of another, and the same rows in reverse.
        for turned in [false, true] {
            let mut gold: Vec<_> = std::iter::repeat_n(&first, 1100)
                .chain(std::iter::repeat_n(&last, 1300))
                .cloned()
                .collect();
            if turned {
                gold.reverse();
            }
            let log = log_of(folder.path(), gold.into_iter());
            let args = [
                "table",
                &log,
                "-d",
                "godot4",
                "--no-origin",
                "--columns",
                "gold",
            ];
            let text = stdout(&[&args[..], &["--format", "json-lines"]].concat(), b"", 0);
            let rows = objects(&text);
            assert_eq!(rows.len(), 2400);
            let there = rows.iter().filter(|row| !row["gold"].is_null());
            assert_eq!(there.count(), 1300);
            let told = rows.iter().filter(|row| !row["error"].is_null());
            assert!(told.clone().all(|row| row["gold"].is_null()));
            assert_eq!(told.count(), 1100);
        }
    }
}

#[test]
fn parts_have_one_type_even_if_an_earlier_run_had_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let saves = folder.path().join("saves");
    fs::create_dir(&saves).expect("a folder");
    let save = |n: usize, gold: Variant| {
        let bytes = framed(&variant!({"gold": gold}), Target::GODOT_4);
        fs::write(saves.join(format!("{n:05}.sav")), bytes).expect("space");
    };
    (0..10_010).for_each(|n| save(n, variant!(7)));
    let parts = folder.path().join("parts");
    let out = format!("{}/", parts.to_str().expect("UTF-8"));
    let run = || {
        let saves = saves.to_str().expect("UTF-8");
        let args = [
            "table",
            saves,
            "--no-origin",
            "--columns",
            "gold",
            "--out",
            &out,
        ];
        stderr(
            &[&args[..], &["--format", "csv", "--resume"]].concat(),
            b"",
            0,
        )
    };
    let read =
        |n: usize| fs::read_to_string(parts.join(format!("part-{n:05}.csv"))).expect("a part");
    run();
    assert!(read(0).starts_with("gold,error\n7,\n") && read(1).starts_with("gold,error\n7,\n"));
    // Stopped before the second part, in which a float turns up.
    fs::remove_file(parts.join("part-00001.csv")).expect("a part");
    save(10_005, variant!(0.5));
    run();
    for (n, lines) in [(0, 10_001), (1, 11)] {
        let text = read(n);
        assert_eq!(text.lines().count(), lines);
        assert!(text.starts_with("gold,error\n7.0,\n"), "part {n}");
    }
    assert!(read(1).contains("0.5,\n"));
    // A part whose rows have nothing in the column changes no type.
    fs::remove_file(parts.join("part-00001.csv")).expect("a part");
    (10_000..10_010).for_each(|n| save(n, variant!(null)));
    assert!(run().contains("1 complete parts were left alone"));
}

#[test]
fn what_cannot_be_a_table_is_told() {
    let told = |args: &[&str]| stderr(args, b"", 2);
    assert!(told(&["table", "x", "--columns", "gold["]).contains("gold["));
    assert!(told(&["table", "x", "--columns", "gold", "--resume"]).contains("--out parts/"));
    assert!(told(&["table", "x", "--columns", "gold", "--out", "x.doc"]).contains(".parquet"));
}

#[cfg(feature = "tables")]
#[test]
fn parquet_has_the_rows_too() {
    use parquet::{
        file::reader::{FileReader, SerializedFileReader},
        record::RowAccessor,
    };

    let folder = tempfile::tempdir().expect("a folder");
    let saves = folder.path().join("saves");
    fs::create_dir(&saves).expect("a folder");
    let made = make(&saves, 500);
    let out = folder.path().join("out.parquet");
    let (saves, path) = (saves.to_str().expect("UTF-8"), out.to_str().expect("UTF-8"));
    stdout(
        &["table", saves, "--columns", "gold,name", "--out", path],
        b"",
        0,
    );
    let file = fs::File::open(&out).expect("the table");
    let reader = SerializedFileReader::new(file).expect("Parquet");
    let (mut rows, mut gold, mut cut) = (0, 0, Vec::new());
    for row in reader.get_row_iter(None).expect("rows") {
        let row = row.expect("a row");
        rows += 1;
        gold += row.get_long(2).unwrap_or(0);
        if row.get_string(4).is_ok() {
            cut.push(row.get_string(0).expect("a name").clone());
        }
    }
    assert_eq!((rows, gold, cut), (made.rows, made.gold, made.cut));
}

/// JSON (RFC 8259, section 6) has no infinity and NaN, and a missing value is `null` too, so these nulls are counted.
#[test]
fn numbers_that_json_cannot_express_are_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("inf.dat");
    let text =
        b"{\"a\": inf, \"b\": nan, \"c\": Vector2(inf, 1), \"d\": 1.5, \"e\": [inf, {\"f\": nan}]}";
    stdout(&["from-text", "-q", "-", "-o", path(&file)], text, 0);
    let file = path(&file);
    let said = |args: &[&str]| {
        let args: Vec<_> = args
            .iter()
            .map(|&word| if word == "FILE" { file } else { word })
            .collect();
        let done = gdvar(&args, b"");
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        let words = told
            .find("not finite")
            .and_then(|end| told[..end].lines().last());
        words.map(|line| line.split(' ').nth(1).unwrap_or_default().to_owned())
    };
    for (args, count) in [
        (
            &[
                "table",
                "FILE",
                "--columns",
                "a,b,c,d",
                "--format",
                "json-lines",
            ][..],
            Some("3"),
        ),
        (
            &[
                "table",
                "FILE",
                "--columns",
                "d,gone",
                "--format",
                "json-lines",
            ],
            None,
        ),
        (
            &["table", "FILE", "--columns", "a,b,d", "--format", "csv"],
            None,
        ),
        (
            &["table", "FILE", "--columns", "c", "--format", "csv"],
            Some("1"),
        ),
        (
            &[
                "get",
                "FILE",
                "-p",
                "a",
                "-p",
                "b",
                "-p",
                "c",
                "-p",
                "d",
                "--json-lines",
            ],
            Some("3"),
        ),
        (&["get", "FILE", "-p", "e", "--json-lines"], Some("2")),
        (&["get", "FILE", "-p", "c.x", "--json-lines"], Some("1")),
        (
            &["get", "FILE", "-p", "gone", "-p", "d", "--json-lines"],
            None,
        ),
        (&["get", "FILE", "FILE", "-p", "a", "--json"], Some("1")),
        (&["get", "FILE", "a", "--json"], Some("1")),
        (&["get", "FILE", "$", "--json"], Some("5")),
        (&["get", "FILE", "a"], None),
        (&["get", "FILE", "-p", "a", "-p", "b", "--csv"], None),
    ] {
        assert_eq!(said(args).as_deref(), count, "{args:?}");
    }
}
