//! The dialogue with real engines: what they are asked (`testdata/oracle` has the scripts that ask), and how
//! their answers are judged.
//!
//! [`Asked`] is an engine. Three things are put to it, each by a program in `src/bin`: values that the writer made
//! (`engine_blobs`, `engine_project`, for `scripts/test-engines`), damaged bytes ([`mutants`], `scripts/engines/compare-engines`)
//! and damaged texts and ConfigFiles ([`mod@texts`], [`configs`], `scripts/engines/compare-texts`). The tests of this
//! package need no engine: they judge answers that are stored in `testdata`.
//!
//! A [`Blob`] is a value the writer made, with what an engine should make of it. [`sources`] has
//! the vectors and saves, written again or for the other engine; [`generate`] has values that
//! never were bytes before. [`files`] keeps blobs between the runs, [`compare`] judges answers.

pub mod compare;
pub mod configs;
pub mod files;
pub mod generate;
pub mod mutants;
mod random;
pub mod sources;
pub mod texts;

use std::io;

use gdvar::{
    Dialect, Document, Error, ErrorKind, Kind, Limits, Objects, ReadOptions,
    detect::Engine,
    walk::Event,
    write::{Precision, Report, Target, TranscodeError, Writer, transcode},
};

/// An engine that can be asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Its name here and in `install-engines.sh`.
    pub name: &'static str,
    /// Which release it is.
    pub engine: Engine,
    /// For whom the writer writes: the engines asked are of single precision.
    pub target: Target,
}

/// Godot 4.6, Godot 3.2 and Godot 3.6.
pub const ASKED: [Asked; 3] = [
    Asked {
        name: "godot4",
        engine: Engine::GODOT_4_6,
        target: Target::GODOT_4.with_precision(Precision::Single),
    },
    Asked {
        name: "godot3",
        engine: Engine::GODOT_3_2,
        target: Target::GODOT_3.with_precision(Precision::Single),
    },
    Asked {
        name: "godot3.6",
        engine: Engine::GODOT_3_6,
        target: Target::GODOT_3.with_precision(Precision::Single),
    },
];

impl Asked {
    /// The series that its scripts are called after: those of 3.6 are those of 3.
    #[must_use]
    pub fn series(self) -> &'static str {
        if self.target.dialect() == Dialect::GODOT_3 {
            "3"
        } else {
            "4"
        }
    }

    /// Its number in `run-engine.sh`.
    #[must_use]
    pub fn number(self) -> &'static str {
        self.name.trim_start_matches("godot")
    }

    /// The release, as the names of vectors begin: `3.6`.
    #[must_use]
    pub fn release(self) -> &'static str {
        self.engine.name().trim_start_matches("godot")
    }

    /// Returns `true` if this release can be asked about a blob.
    ///
    /// Properties of classes differ between 3.2 and 3.6, so whole objects are asked of the release that
    /// wrote them; generated ones and saves have the classes of 3.2. Godot 3.6 makes other text of
    /// surrogates (`docs/FORMAT.md` §6, row 12), and it nests 1024 levels, one of which the script takes that asks how
    /// many bytes were used.
    #[must_use]
    pub fn suits(self, blob: &Blob) -> bool {
        let dialect = self.target.dialect();
        let is_3_6 = self.engine == Engine::GODOT_3_6;
        let from_3_6 = blob.id.contains(" of 3.6");
        if dialect == Dialect::GODOT_3 && blob.full_objects && from_3_6 != is_3_6 {
            return false;
        }
        let mut limits = self.engine.limits();
        if is_3_6 {
            limits.max_depth -= 1;
        }
        let document = Document::new(&blob.bytes, dialect).with_objects(Objects::Inert);
        let is_wide = |error: Error| matches!(error.kind(), ErrorKind::InvalidUtf8);
        document.with_limits(limits).validate().is_ok()
            && !(is_3_6 && document.strict().validate().is_err_and(is_wide))
    }

    /// The engine of that name.
    ///
    /// # Errors
    /// If there is none.
    pub fn by_name(name: &str) -> io::Result<Asked> {
        let names = ASKED.map(|asked| asked.name).join(", ");
        let asked = ASKED.into_iter().find(|asked| asked.name == name);
        asked.ok_or_else(|| {
            io::Error::other(format!("there is no engine {name}; there are {names}"))
        })
    }
}

/// A value that the writer made, and what an engine should say to it.
#[derive(Clone, Debug)]
pub struct Blob {
    /// Its name, and behind ` of ` where it is from; before it [what was reported](sources::blobs).
    pub id: String,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// To be read with leave for whole objects.
    pub full_objects: bool,
    /// The value as tagged JSON: text, for its nesting may be deeper than parsers of JSON like.
    pub value: String,
    /// The bytes that the engine writes after reading, if they are others.
    pub again: Option<Vec<u8>>,
}

impl Blob {
    /// The bytes that the engine should write after reading.
    #[must_use]
    pub fn expected(&self) -> &[u8] {
        self.again.as_deref().unwrap_or(&self.bytes)
    }
}

/// As deep as any engine of a dialect goes: Godot 3.2 goes deeper than 3.6.
fn limits(dialect: Dialect) -> Limits {
    match dialect {
        Dialect::GODOT_3 => Limits::GODOT_3_2,
        _ => Limits::ENGINE,
    }
}

/// Any bytes of a dialect, whole objects allowed.
#[must_use]
pub fn open(bytes: &[u8], dialect: Dialect) -> Document<'_> {
    let options = ReadOptions::new(dialect).with_limits(limits(dialect));
    Document::with_options(bytes, options.with_objects(Objects::Inert))
}

/// A writer into memory.
#[must_use]
pub fn writer(target: Target) -> Writer<Vec<u8>> {
    Writer::with_limits(Vec::new(), target, limits(target.dialect()))
}

/// The value for a target.
///
/// # Errors
/// The error of the reader or the writer.
pub fn rewrite(
    from: Document<'_>,
    target: Target,
) -> Result<(Vec<u8>, Report), TranscodeError<std::convert::Infallible>> {
    let mut writer = writer(target);
    let report = transcode(from, &mut writer)?;
    Ok((writer.finish()?, report))
}

/// Returns `true` if a value holds an object that is more than an id.
///
/// # Errors
/// If it cannot be read.
pub fn has_whole_objects(document: Document<'_>) -> Result<bool, Error> {
    let mut events = document.events();
    while let Some(event) = events.try_next()? {
        if matches!(event, Event::Begin(value) if value.kind() == Kind::Object) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The bytes that a single-precision engine writes after reading wide reals, if they are others.
///
/// # Errors
/// The error of the reader or the writer.
pub fn narrowed(
    bytes: &[u8],
    target: Target,
) -> Result<Option<Vec<u8>>, TranscodeError<std::convert::Infallible>> {
    let single = target.with_precision(Precision::Single);
    let (again, _) = rewrite(open(bytes, target.dialect()), single)?;
    Ok((again != bytes).then_some(again))
}
