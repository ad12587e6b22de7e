//! Tables of generated values: every cell holds what the generator put there, computed
//! independently of the columns.

use gdvar_columns::{Array, Batch, BatchSize, Dialect, Query, Row, Table, Values};
use gdvar_write::{ElementType, Target, Writer, wire::Kind, wire::math::Vector3};

/// The numbers of a linear congruential generator: the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// What the generator knows about a row.
#[derive(Clone, Debug, PartialEq)]
struct Player {
    name: Option<String>,
    gold: Option<i64>,
    ratio: f64,
    alive: bool,
    pos: [f32; 3],
    levels: Vec<i64>,
    samples: Vec<f32>,
}

fn player(numbers: &mut Numbers) -> Player {
    let name = (numbers.below(5) > 0).then(|| "n\u{e9}".repeat(numbers.below(9) as usize));
    Player {
        name,
        gold: (numbers.below(7) > 0).then(|| numbers.below(1 << 31) as i64 * 3 - (1 << 31)),
        ratio: numbers.below(1000) as f64 / 8.0,
        alive: numbers.below(2) == 1,
        pos: [1.0, 2.0, numbers.below(100) as f32],
        levels: (0..numbers.below(4)).map(|n| n as i64 * 5).collect(),
        samples: (0..numbers.below(20)).map(|n| n as f32 / 2.0).collect(),
    }
}

/// Returns the player as bytes, with keys in changing order and many that no column asks for.
fn encoded(player: &Player, turn: usize) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    let mut fields = vec![
        "name", "gold", "ratio", "alive", "pos", "party", "samples", "noise",
    ];
    fields.retain(|field| *field != "gold" || player.gold.is_some());
    let len = fields.len();
    fields.rotate_left(turn % len);
    writer.begin_dict(fields.len()).unwrap();
    for field in fields {
        if turn % 3 == 0 {
            writer.string_name(field).unwrap();
        } else {
            writer.string(field).unwrap();
        }
        match field {
            "name" => match &player.name {
                Some(name) => writer.string(name).unwrap(),
                None => writer.nil().unwrap(),
            },
            "gold" => writer.int(player.gold.unwrap()).unwrap(),
            "ratio" => writer.float(player.ratio).unwrap(),
            "alive" => writer.bool(player.alive).unwrap(),
            "pos" => writer.vector3(Vector3::from(player.pos)).unwrap(),
            "party" => {
                writer.begin_array(player.levels.len()).unwrap();
                for level in &player.levels {
                    writer.begin_dict(2).unwrap();
                    writer.string("class").unwrap();
                    writer.string("mage").unwrap();
                    writer.string("level").unwrap();
                    writer.int(*level).unwrap();
                    writer.end().unwrap();
                }
                writer.end().unwrap();
            }
            "samples" => writer.packed_f32(&player.samples).unwrap(),
            _ => {
                writer
                    .begin_typed_array(ElementType::Builtin(Kind::Int), 3)
                    .unwrap();
                (0..3).for_each(|n| writer.int(n).unwrap());
                writer.end().unwrap();
            }
        }
    }
    writer.end().unwrap();
    writer.finish().unwrap()
}

fn query() -> Query {
    Query::new()
        .column("file", "@file")
        .and_then(|query| query.column("record", "@record"))
        .and_then(|query| query.column("element", "@element"))
        .and_then(|query| query.column("name", "name"))
        .and_then(|query| query.column("gold", "gold"))
        .and_then(|query| query.column("ratio", "ratio"))
        .and_then(|query| query.column("alive", "alive"))
        .and_then(|query| query.column("pos", "pos"))
        .and_then(|query| query.column("z", "pos.z"))
        .and_then(|query| query.column("levels", "party[*].level"))
        .and_then(|query| query.column("samples", "samples"))
        .unwrap()
}

fn one<T: Copy>(array: &Array, values: &[T], at: usize) -> Option<T> {
    array.validity().get(at).then(|| values[at])
}

fn list<T: Copy>(array: &Array, at: usize, of: impl Fn(&Values) -> Vec<T>) -> Vec<T> {
    let Values::List { offsets, elements } = array.values() else {
        panic!("no list");
    };
    assert_eq!(elements.nulls(), 0);
    of(elements.values())[offsets[at] as usize..offsets[at + 1] as usize].to_vec()
}

/// Returns the rows of a batch, read from the buffers independently of the library.
fn players(batch: &Batch) -> Vec<Player> {
    (0..batch.rows()).map(|at| player_at(batch, at)).collect()
}

fn player_at(batch: &Batch, at: usize) -> Player {
    let array = |name: &str| batch.column(name).unwrap().array();
    let (gold, ratio, alive) = (array("gold"), array("ratio"), array("alive"));
    let Values::Int64(golds) = gold.values() else {
        panic!()
    };
    let Values::Float64(ratios) = ratio.values() else {
        panic!()
    };
    let Values::Bool(alives) = alive.values() else {
        panic!()
    };
    let Values::Fixed { len: 3, numbers } = array("pos").values() else {
        panic!()
    };
    let Values::Float32(numbers) = numbers.values() else {
        panic!()
    };
    let Values::Float64(z) = array("z").values() else {
        panic!()
    };
    assert_eq!(z[at], f64::from(numbers[3 * at + 2]));
    Player {
        name: array("name").text(at).map(str::to_owned),
        gold: one(gold, golds, at),
        ratio: one(ratio, ratios, at).unwrap(),
        alive: alives.get(at),
        pos: numbers[3 * at..3 * at + 3].try_into().unwrap(),
        levels: list(array("levels"), at, |values| match values {
            Values::Int64(all) => all.clone(),
            Values::Null => Vec::new(),
            other => panic!("{other:?}"),
        }),
        samples: list(array("samples"), at, |values| match values {
            Values::Float32(all) => all.clone(),
            other => panic!("{other:?}"),
        }),
    }
}

#[test]
fn every_cell_is_what_the_generator_put_there() {
    let mut numbers = Numbers(1);
    let all: Vec<Player> = (0..5000).map(|_| player(&mut numbers)).collect();
    let size = BatchSize {
        rows: 700,
        bytes: 1 << 20,
    };
    let rows = all.iter().enumerate();
    let rows = rows.map(|(n, player)| Row::value("game.log", n as u64, encoded(player, n)));
    let batches = Table::read(query(), Dialect::GODOT_4, size, rows).into_batches();
    assert_eq!(batches.iter().map(Batch::rows).max(), Some(700));
    let rows: Vec<Player> = batches.iter().flat_map(players).collect();
    assert_eq!(rows.len(), all.len());
    for (n, (row, player)) in rows.iter().zip(&all).enumerate() {
        assert_eq!(row, player, "row {n}");
    }
    let mut record = 0;
    for batch in &batches {
        let column = |name: &str| batch.column(name).unwrap().array();
        let (Values::Int64(records), Values::Int64(elements)) =
            (column("record").values(), column("element").values())
        else {
            panic!();
        };
        for at in 0..batch.rows() {
            assert_eq!((records[at], elements[at]), (record, 0));
            assert_eq!(column("file").text(at), Some("game.log"));
            assert_eq!(column("error").text(at), None);
            record += 1;
        }
    }
}

#[test]
fn the_elements_of_one_value_are_the_same_rows() {
    let mut numbers = Numbers(2);
    let all: Vec<Player> = (0..300).map(|_| player(&mut numbers)).collect();
    for form in 0..3 {
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        writer.begin_dict(1).unwrap();
        writer.string("players").unwrap();
        match form {
            0 => writer.begin_array(all.len()).unwrap(),
            1 => writer.begin_dict(all.len()).unwrap(),
            _ => writer
                .begin_array(1)
                .and_then(|()| writer.begin_array(all.len()))
                .unwrap(),
        }
        for (n, player) in all.iter().enumerate() {
            if form == 1 {
                writer.int(n as i64).unwrap();
            }
            writer.raw_bytes(&encoded(player, n)).unwrap();
        }
        if form == 2 {
            writer.end().unwrap();
        }
        writer.end().unwrap();
        writer.end().unwrap();
        let value = writer.finish().unwrap();
        let each = if form == 2 { "players[*]" } else { "players" };
        let size = BatchSize {
            rows: 128,
            bytes: usize::MAX,
        };
        let query = query().each(each).unwrap();
        let batches = Table::read(query, Dialect::GODOT_4, size, [Row::value("", 0, &value)]);
        let batches = batches.into_batches();
        let sizes: Vec<usize> = batches.iter().map(Batch::rows).collect();
        assert_eq!(sizes, [128, 128, 44]);
        let rows: Vec<Player> = batches.iter().flat_map(players).collect();
        assert_eq!(rows, all);
        let Values::Int64(elements) = batches[2].column("element").unwrap().array().values() else {
            panic!();
        };
        assert_eq!((elements[0], elements[43]), (256, 299));
    }
}

#[test]
fn a_damaged_value_is_a_row_with_its_error() {
    let mut numbers = Numbers(3);
    let player = player(&mut numbers);
    let whole = encoded(&player, 1);
    let cuts = (0..whole.len()).map(|len| Row::value("cut", len as u64, &whole[..len]));
    let rows = std::iter::once(Row::value("whole", 0, &whole)).chain(cuts);
    let rows = rows.chain([Row::error("none", 0, "permission denied")]);
    let table = Table::read(query(), Dialect::GODOT_4, BatchSize::default(), rows);
    let batch = &table.batches()[0];
    assert_eq!(batch.rows(), whole.len() + 2);
    let error = batch.column("error").unwrap().array();
    assert_eq!(player_at(batch, 0), player);
    assert_eq!(error.text(0), None);
    for at in 1..=whole.len() {
        let reason = error.text(at).expect("every cut is told");
        assert!(reason.contains(" in $"), "{at}: {reason}");
        for name in ["name", "gold", "pos", "levels", "samples"] {
            assert!(
                !batch.column(name).unwrap().array().validity().get(at),
                "{at} {name}"
            );
        }
        assert_eq!(batch.column("file").unwrap().array().text(at), Some("cut"));
    }
    assert_eq!(error.text(whole.len() + 1), Some("permission denied"));
}

#[test]
fn a_dictionary_that_looks_like_another_engines_vector_is_no_empty_row() {
    // {"gold": 5, "noise": "…"} of Godot 3: its type number, 18, is a Transform3D (48 bytes) in
    // Godot 4.
    let mut save = b"\x12\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0gold\x02\0\0\0\x05\0\0\0".to_vec();
    save.extend(b"\x04\0\0\0\x05\0\0\0noise\0\0\0\x04\0\0\0\x10\0\0\0 and a good deal.");
    let errors = |query: Query, value: &[u8], dialect| {
        let row = Row::value("", 0, value);
        let table = Table::read(query, dialect, BatchSize::default(), [row]);
        let error = table.batches()[0].column("error").unwrap().array();
        error.text(0).map(str::to_owned)
    };
    let gold = || Query::new().column("gold", "gold").unwrap();
    let told = errors(gold(), &save, Dialect::GODOT_4).expect("a reason");
    assert!(
        told.contains("Transform3D") && told.contains("another engine"),
        "{told}"
    );
    let levels = gold().column("levels", "party[*].level").unwrap();
    let told = errors(levels, &save, Dialect::GODOT_4).expect("a reason");
    assert!(told.contains("another engine"), "{told}");
    let each = || gold().each("party").unwrap();
    let told = errors(each(), &save, Dialect::GODOT_4).expect("a reason");
    assert!(told.contains("another engine"), "{told}");
    // The engine that wrote it finds the gold, and every engine ignores bytes after a value.
    assert_eq!(errors(gold(), &save, Dialect::GODOT_3), None);
    save.extend([0xee; 8]);
    assert_eq!(errors(gold(), &save, Dialect::GODOT_3), None);
    let all = Query::new().column("all", "..gold").unwrap();
    assert_eq!(errors(all, &save, Dialect::GODOT_3), None);
    // If nothing follows a value without these columns, they are missing without a reason.
    assert_eq!(
        errors(gold(), b"\x01\0\0\0\x01\0\0\0", Dialect::GODOT_4),
        None
    );
}
