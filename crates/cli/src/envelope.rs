//! Compressed and encrypted files, `project.binary` and compiled scripts, opened as if they were plain
//! values.

use std::{
    fmt, fs,
    io::{self, BufRead, IsTerminal, Read},
    path::Path,
};

use gdvar_io::{
    Envelope, FileErrorKind, Limits, StreamError,
    compressed::{Compressed, Mode, compress},
    encrypted::{self, Form, Key},
    sniff,
};
use gdvar_view::{Dialect, Objects};

use crate::{
    app::App,
    args::Global,
    brief::plural,
    exit::{self, Exit},
    machine,
    records::Framing,
    report::{Note, Report},
    script, settings, threads,
};

/// The layer around the contents of a file.
#[derive(Debug)]
pub(crate) struct Layer {
    kind: LayerKind,
    /// The length of the file itself.
    pub file_len: usize,
    /// A header of the game's own in front of it: `--skip`.
    pub header: Vec<u8>,
}

#[derive(Debug)]
enum LayerKind {
    Compressed {
        mode: Mode,
        block_size: u32,
    },
    Encrypted3(Key),
    Encrypted4(Key),
    Project {
        settings: u32,
        /// The names of those that cannot be read.
        dropped: Vec<String>,
    },
    Script {
        version: u32,
        dialect: Dialect,
        constants: u32,
        names: u32,
        compressed: bool,
    },
}

impl Layer {
    /// The dialect of the contents, if the layer says it.
    pub(crate) fn dialect(&self) -> Option<Dialect> {
        match self.kind {
            LayerKind::Script { dialect, .. } => Some(dialect),
            _ => None,
        }
    }

    /// The framing of the values in the contents, if the layer says it.
    pub(crate) fn framing(&self) -> Option<Framing> {
        match self.kind {
            LayerKind::Project { .. } | LayerKind::Script { .. } => Some(Framing::Bare),
            _ => None,
        }
    }

    /// Which objects the engine lets in, if that is always the same in such a file.
    pub(crate) fn objects(&self) -> Option<Objects> {
        match self.kind {
            LayerKind::Project { .. } => Some(Objects::Inert),
            LayerKind::Script { .. } => Some(Objects::Ids),
            _ => None,
        }
    }

    /// Returns `true` if the contents are a list of what the file holds, to be shown in full.
    pub(crate) fn is_list(&self) -> bool {
        matches!(self.kind, LayerKind::Script { .. })
    }

    /// For machines: `compressed:zstd`, `encrypted:godot4`.
    pub(crate) fn name(&self) -> String {
        match &self.kind {
            LayerKind::Compressed { mode, .. } => format!("compressed:{mode}"),
            LayerKind::Encrypted3(_) => "encrypted:godot3".to_owned(),
            LayerKind::Encrypted4(_) => "encrypted:godot4".to_owned(),
            LayerKind::Project { .. } => "project-settings".to_owned(),
            LayerKind::Script { version, .. } => format!("script:{version}"),
        }
    }

    /// The part that is missing in the contents, because the engine drops it, too.
    pub(crate) fn missing(&self) -> Option<String> {
        const SHOWN: usize = 5;
        let LayerKind::Project { dropped, .. } = &self.kind else {
            return None;
        };
        let shown = dropped.get(..SHOWN).unwrap_or(dropped).join(", ");
        let more = if dropped.len() > SHOWN { ", …" } else { "" };
        let what = plural(dropped.len() as u64, "setting");
        let missing = format!("{what} cannot be read, which the engine leaves out: {shown}{more}");
        (!dropped.is_empty()).then_some(missing)
    }

    /// The container as it was; or why there is none.
    pub(crate) fn same(&self) -> Result<Container, &'static str> {
        self.container(match self.kind {
            LayerKind::Encrypted3(_) => Dialect::GODOT_3,
            _ => Dialect::GODOT_4,
        })
    }

    /// The container that the same values need for an engine, as it was; or why there is none.
    pub(crate) fn container(&self, to: Dialect) -> Result<Container, &'static str> {
        match &self.kind {
            LayerKind::Compressed {
                mode: Mode::Brotli, ..
            } => Err(
                "brotli can be read but not written, as in the engine: add --plain, and gdvar pack \
                 the result in another mode",
            ),
            &LayerKind::Compressed { mode, block_size } => {
                Ok(Container::Compressed { mode, block_size })
            }
            LayerKind::Encrypted3(key) | LayerKind::Encrypted4(key) => Ok(Container::Encrypted {
                key: key.clone(),
                to,
            }),
            LayerKind::Project { .. } => Err(
                "a project.binary is not written by gdvar: add --plain for its settings as a \
                 Dictionary",
            ),
            LayerKind::Script { .. } => Err(
                "a compiled script is not written by gdvar: add --plain for its constants as an \
                 Array",
            ),
        }
    }
}

/// The containers that can be put around values.
pub(crate) enum Container {
    /// Files that `open_compressed` reads.
    Compressed { mode: Mode, block_size: u32 },
    /// Files that `open_encrypted` of that engine reads.
    Encrypted { key: Key, to: Dialect },
}

impl Container {
    /// The file with those contents.
    pub(crate) fn pack(&self, contents: &[u8]) -> Result<Vec<u8>, StreamError> {
        match self {
            Container::Compressed { mode, block_size } => {
                Ok(compress(contents, *mode, *block_size)?)
            }
            Container::Encrypted { key, to } => {
                let form = match *to {
                    Dialect::GODOT_4 => Form::godot4()?,
                    _ => Form::Godot3,
                };
                Ok(encrypted::encrypt(contents, key, form))
            }
        }
    }
}

/// `compressed (zstd)`.
impl fmt::Display for Container {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Container::Compressed { mode, .. } => write!(f, "compressed ({mode})"),
            Container::Encrypted { .. } => f.write_str("encrypted"),
        }
    }
}

/// `compressed (zstd, blocks of 4096 bytes)`.
impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            LayerKind::Compressed { mode, block_size } => {
                let size = plural((*block_size).into(), "byte");
                write!(f, "compressed ({mode}, blocks of {size})")
            }
            LayerKind::Encrypted3(_) => f.write_str("encrypted, in the form of Godot 3"),
            LayerKind::Encrypted4(_) => f.write_str("encrypted, in the form of Godot 4"),
            LayerKind::Project { settings, .. } => {
                let settings = plural((*settings).into(), "setting");
                write!(f, "the settings of a game (project.binary, {settings})")
            }
            LayerKind::Script {
                version,
                constants,
                names,
                compressed,
                ..
            } => {
                let constants = plural((*constants).into(), "constant");
                let names = plural((*names).into(), "name");
                let how = if *compressed { ", compressed" } else { "" };
                write!(
                    f,
                    "a compiled script (.gdc, version {version}{how}): {constants}, {names}"
                )
            }
        }
    }
}

/// Why an envelope could not be opened.
pub(crate) enum Trouble {
    /// The password or key could not be had: what cannot be read, and why.
    Secret(String, io::Error),
    /// The key file holds no key.
    BadKey(String),
    /// It is encrypted, and no password was given.
    Locked,
    /// The file cannot be opened.
    Bytes(gdvar_io::Error),
    /// A constant of a script cannot be read: its number, and why.
    Constant(usize, gdvar_view::Error),
}

impl Trouble {
    /// For people, without the name of the file.
    pub(crate) fn words(&self) -> String {
        match self {
            Trouble::Secret(what, error) => format!("{what}: {error}"),
            Trouble::BadKey(file) => format!("{file}: {}", FileErrorKind::BadKey),
            Trouble::Locked => "encrypted; the game's password opens it".to_owned(),
            Trouble::Bytes(error) => error.kind().to_string(),
            Trouble::Constant(number, error) => format!("constant {number}: {}", error.kind()),
        }
    }

    /// The next thing to do, if the message does not say.
    pub(crate) fn help(&self) -> Option<String> {
        let help = match self {
            Trouble::Locked => {
                "give the game's password with --password, --password-stdin or, for open_encrypted, --key-file"
            }
            Trouble::Bytes(error) => match error.kind() {
                FileErrorKind::WrongKey => {
                    "the password is in the game's scripts, next to open_encrypted_with_pass"
                }
                FileErrorKind::TooLong { length, .. } => {
                    return Some(format!(
                        "no engine packs so much into a file of that length; if you trust it, allow \
                         it with --max-unpacked {length}"
                    ));
                }
                FileErrorKind::UnknownVersion { .. } => {
                    "the constants cannot be listed; the save is another file, in the game's user folder"
                }
                FileErrorKind::Truncated { .. } => {
                    "saves end up like this when the game or the machine stopped while writing"
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(help.to_owned())
    }
}

/// The contents of a file that is compressed or encrypted, a game's settings, or the constants of a
/// script; `None` if it is none of these.
pub(crate) fn open(global: &Global, file: &[u8]) -> Result<Option<(Layer, Vec<u8>)>, Trouble> {
    let limits = match global.max_unpacked {
        Some(most) => Limits::new(most),
        None => Limits::unpacking(file.len()),
    };
    let layer = |kind| Layer {
        kind,
        file_len: file.len(),
        header: Vec::new(),
    };
    let encrypted: fn(Key) -> LayerKind = match sniff(file) {
        Envelope::Compressed { .. } => {
            let opened = Compressed::open(file, limits).map_err(Trouble::Bytes)?;
            let (mode, block_size) = (opened.mode(), opened.block_size());
            let contents = if threads::are_there() {
                opened.to_vec_parallel()
            } else {
                opened.to_vec()
            };
            let contents = contents.map_err(Trouble::Bytes)?;
            return Ok(Some((
                layer(LayerKind::Compressed { mode, block_size }),
                contents,
            )));
        }
        Envelope::Project => {
            let read = settings::read(file, global.dialect.given()).map_err(Trouble::Bytes)?;
            let (settings, dropped) = (read.kept, read.dropped);
            let kind = LayerKind::Project { settings, dropped };
            return Ok(Some((layer(kind), read.dictionary)));
        }
        Envelope::Script => {
            let (array, script) = script::read(file, limits)?;
            let kind = LayerKind::Script {
                version: script.version(),
                dialect: script.dialect(),
                constants: script.constants().left(),
                names: script.identifiers(),
                compressed: script.is_compressed(),
            };
            return Ok(Some((layer(kind), array)));
        }
        Envelope::Encrypted3 => LayerKind::Encrypted3,
        Envelope::Encrypted4 => LayerKind::Encrypted4,
        _ => return Ok(None),
    };
    let key = key(global)?.ok_or(Trouble::Locked)?;
    let contents = encrypted::decrypt(file, &key, limits).map_err(Trouble::Bytes)?;
    Ok(Some((layer(encrypted(key)), contents)))
}

/// The key on the command line, if there is one.
pub(crate) fn key(global: &Global) -> Result<Option<Key>, Trouble> {
    if let Some(password) = &global.password {
        return Ok(Some(Key::from_password(password)));
    }
    if let Some(path) = &global.key_file {
        return key_file(path).map(Some);
    }
    if !global.password_stdin {
        if let Ok(password) = std::env::var("GDVAR_PASSWORD") {
            return Ok(Some(Key::from_password(&password)));
        }
        let typed = (!global.never_ask).then(prompted).flatten();
        return Ok(typed.map(Key::from_password));
    }
    // It is asked for by every encrypted file, and there once.
    static LINE: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    if let Some(line) = LINE.get() {
        return Ok(Some(Key::from_password(line)));
    }
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Trouble::Secret("the password on standard input".to_owned(), error))?;
    let line = line.strip_suffix('\n').unwrap_or(&line);
    let line = line.strip_suffix('\r').unwrap_or(line);
    Ok(Some(Key::from_password(
        LINE.get_or_init(|| line.to_owned()),
    )))
}

/// The password that somebody at a terminal types, unseen; asked for once.
fn prompted() -> Option<&'static str> {
    static TYPED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    let typed = TYPED.get_or_init(|| {
        let is_there = io::stdin().is_terminal() && io::stderr().is_terminal();
        if !is_there {
            return None;
        }
        let typed = rpassword::prompt_password("Password of the encrypted file: ").ok()?;
        (!typed.is_empty()).then_some(typed)
    });
    typed.as_deref()
}

fn key_file(path: &Path) -> Result<Key, Trouble> {
    let name = path.display().to_string();
    let mut contents = Vec::new();
    // No key is longer.
    let read = fs::File::open(path).and_then(|file| file.take(1024).read_to_end(&mut contents));
    if let Err(error) = read {
        return Err(Trouble::Secret(name, error));
    }
    Key::from_file(&contents).map_err(|_| Trouble::BadKey(name))
}

impl App {
    /// Says why a compressed or encrypted file cannot be opened.
    pub(crate) fn trouble(&mut self, name: &str, trouble: &Trouble) -> io::Result<()> {
        let (exit, code, message, place) = match trouble {
            Trouble::Secret(what, error) => {
                self.exit.merge(Exit::Io);
                return self.error(&format!("{what}: {error}"));
            }
            Trouble::BadKey(file) => {
                self.exit.merge(Exit::Usage);
                return self.error(&format!("{file}: {}", FileErrorKind::BadKey));
            }
            Trouble::Locked => (
                Exit::Malformed,
                "Encrypted",
                "this is an encrypted file, as FileAccess.open_encrypted or \
                 open_encrypted_with_pass writes it"
                    .to_owned(),
                name.to_owned(),
            ),
            Trouble::Bytes(error) => (
                match error.kind() {
                    FileErrorKind::TooLong { .. } => Exit::Ambiguous,
                    FileErrorKind::OutOfMemory { .. } => Exit::Io,
                    _ => Exit::Malformed,
                },
                error.kind().name(),
                error.kind().to_string(),
                format!("{name}:{:#x}", error.offset()),
            ),
            Trouble::Constant(number, error) => (
                exit::of_error(error.kind()),
                error.kind().name(),
                format!("constant {number}: {}", error.kind()),
                format!("{name}:{:#x}", error.offset()),
            ),
        };
        self.exit.merge(exit);
        if self.global.json {
            let line = machine::UndecidedLine::bare(name, code);
            return self.error_line(&line);
        }
        self.flush()?;
        let help = trouble.help().map(Note::Help);
        let report = Report {
            code: code.to_owned(),
            message,
            place,
            notes: help.into_iter().collect(),
            ..Report::default()
        };
        report.print(&mut self.err)
    }
}
