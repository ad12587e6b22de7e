//! Captures of live engines: `testdata/captures`.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::{fs, path::PathBuf};

use gdvar_packet::{
    Dialect, Direction, Engine, Transport, Value, ValueContent,
    gdvar_view::{Document, Objects, ReadOptions},
    gdvar_write::{Target, Writer, transcode, transcode_value},
};

/// The folder of fresh captures by `scripts/engines/test-packets`, if there is one.
pub(crate) fn fresh() -> Option<PathBuf> {
    std::env::var_os("GDVAR_CAPTURES").map(PathBuf::from)
}

pub(crate) fn folder() -> PathBuf {
    if let Some(fresh) = fresh() {
        return fresh;
    }
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/captures")
}

/// A capture of the traffic between clients and a server.
pub(crate) struct Capture {
    pub(crate) name: String,
    pub(crate) engine: Engine,
    pub(crate) transport: Transport,
    pub(crate) pieces: Vec<Piece>,
}

/// A datagram, or a piece of a stream.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) seconds: f64,
    pub(crate) link: u32,
    pub(crate) direction: Direction,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn unhex(hex: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&hex[at..at + 2], 16).expect("hex digits");
    (0..hex.len()).step_by(2).map(digit).collect()
}

pub(crate) fn read(name: &str) -> String {
    let path = folder().join(name);
    let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The names of all captures.
pub(crate) fn names() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("testdata/captures");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .filter_map(|entry| {
            name(entry)
                .to_str()?
                .strip_suffix(".hex")
                .map(str::to_owned)
        })
        .collect();
    names.sort();
    names
}

impl Capture {
    pub(crate) fn load(name: &str) -> Capture {
        let file = name.rsplit('/').next().expect("a name");
        let engine = if file.starts_with("g4-") {
            Engine::Godot4
        } else {
            Engine::Godot3
        };
        let transport = match file.split('-').nth(1) {
            Some("enet") => Transport::Enet,
            Some("ws") => Transport::WebSocket,
            Some("udp") => Transport::Values,
            Some("tcp") => Transport::Records,
            Some("debugger") => Transport::Debugger,
            other => panic!("{name}: {other:?}"),
        };
        let text = read(&format!("{name}.hex"));
        let pieces = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| {
                let mut words = line.split(' ');
                let mut word = || words.next().expect("three words");
                let (seconds, way, hex) = (word(), word(), word());
                let (from, to) = way.split_once('>').expect("from>to");
                let to_server = to == "S" || to == "E";
                let client = if to_server { from } else { to };
                Piece {
                    seconds: seconds.parse().expect("seconds"),
                    link: client.parse().unwrap_or(1),
                    direction: if to_server {
                        Direction::ToServer
                    } else {
                        Direction::ToClient
                    },
                    bytes: unhex(hex),
                }
            })
            .collect();
        Capture {
            name: name.to_owned(),
            engine,
            transport,
            pieces,
        }
    }

    pub(crate) fn dialect(&self) -> Dialect {
        match self.engine {
            Engine::Godot4 => Dialect::GODOT_4,
            Engine::Godot3 => Dialect::GODOT_3,
        }
    }

    /// The log of the server, or of a client.
    pub(crate) fn log(&self, role: &str) -> Log {
        Log(read(&format!("{}.{role}.log", self.name)))
    }

    /// The logs of the clients, by link.
    pub(crate) fn client_logs(&self) -> Vec<(u32, Log)> {
        let exists = |role: &str| folder().join(format!("{}.{role}.log", self.name)).exists();
        [(1, "client"), (2, "client2"), (3, "client3")]
            .into_iter()
            .filter(|(_, role)| exists(role))
            .map(|(link, role)| (link, self.log(role)))
            .collect()
    }
}

/// The output of an engine.
pub(crate) struct Log(pub String);

/// A call that an engine executed: sender, method, arguments as an encoded Array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Received {
    pub(crate) from: i32,
    pub(crate) method: String,
    pub(crate) args: Vec<u8>,
}

impl Log {
    pub(crate) fn lines_after<'a>(&'a self, start: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .lines()
            .filter_map(move |line| line.strip_prefix(start))
    }

    /// The calls, without the ones that the peer made to itself.
    pub(crate) fn received(&self, own_id: i32) -> Vec<Received> {
        self.lines_after("RECV from=")
            .map(|line| {
                let (from, rest) = line.split_once(' ').expect("from method");
                let (method, _) = rest.split_once(' ').expect("method");
                let (_, hex) = rest.rsplit_once("hex=").expect("hex");
                Received {
                    from: from.parse().expect("an id"),
                    method: method.to_owned(),
                    args: unhex(hex),
                }
            })
            .filter(|call| call.from != own_id && call.from != 0)
            .collect()
    }

    /// The client's own id.
    pub(crate) fn id(&self) -> i32 {
        let id = self.lines_after("ID ").next().expect("ID");
        id.parse().expect("an id")
    }
}

/// A value in the canonical bytes of `gdvar-write`, whatever its padding was.
pub(crate) fn canonical(bytes: &[u8], dialect: Dialect) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    let options = ReadOptions::new(dialect).with_objects(Objects::Inert);
    let document = Document::with_options(bytes, options);
    let report = transcode(document, &mut writer).expect("a value");
    assert!(report.is_empty());
    writer.finish().expect("a value")
}

/// Values as the elements of an encoded Array.
pub(crate) fn as_array(values: &[Value<'_>], dialect: Dialect) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), Target::from(dialect));
    writer.begin_array(values.len()).expect("an array");
    for value in values {
        match value.content() {
            ValueContent::Bool(value) => writer.bool(value).expect("a bool"),
            ValueContent::Int(value) => writer.int(value).expect("an int"),
            ValueContent::Bytes(bytes) => writer.packed_bytes(bytes).expect("bytes"),
            ValueContent::Variant(value) => {
                transcode_value(value, &mut writer).expect("a value");
            }
        }
    }
    writer.end().expect("the end");
    writer.finish().expect("an array")
}
