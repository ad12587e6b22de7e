//! `grep`: prints keys and values that match, with their paths.

use std::{
    io,
    path::{Path as FilePath, PathBuf},
};

use clap::Args;
use gdvar_file::records::Record;
use gdvar_text::Notation;
use gdvar_view::{Kind, PathTarget, VariantRef};
use regex::bytes::{Regex, RegexBuilder};

use crate::{
    app::{App, records::Stop},
    args::{Json, RecordArg},
    diagnose::whole_record,
    input::bytes::Input,
    locate::paths::{PathEvent, Paths},
    show::{
        notation, rows,
        summary::{self, Cut, Item},
        value,
    },
    terminal::{exit::Exit, safe_text},
};

#[derive(Args, Debug)]
#[command(after_help = "\
The pattern is a regular expression (the syntax of Rust's regex crate, as in ripgrep). It is looked for \
in keys, in the names of properties, and in values: texts unchanged, other values in Godot's \
notation. All that is found is printed with its path. Of packed arrays only texts are searched, and with \
--range numbers; each element counts as a String, Int or Float of its own.

The exit code is 1 if nothing was found.

Examples:
  gdvar grep Aldis slot1.dat
  gdvar grep -k '^gold$' saves/
  gdvar grep --type Vector2i '' slot1.dat          every value of a type
  gdvar grep --range 900..1000 '' slot1.dat        numbers from 900 to 1000
  gdvar grep -l 'res://mods/' saves/               only the names of the files")]
pub(crate) struct GrepArgs {
    /// The pattern to look for; '' matches everything
    pattern: String,
    /// Files and folders; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Upper and lower case are the same
    #[arg(short, long)]
    ignore_case: bool,
    /// The pattern is text, no regular expression
    #[arg(short = 'F', long)]
    fixed_strings: bool,
    /// Look at keys and names of properties only
    #[arg(short, long, conflicts_with = "values")]
    keys: bool,
    /// Look at values only
    #[arg(long)]
    values: bool,
    /// Only values of that type, such as Int or Vector2i
    #[arg(long = "type", value_name = "TYPE", value_parser = kind)]
    kind: Option<Kind>,
    /// Only numbers in that range, both ends included; either may be left out
    #[arg(long, value_name = "A..B", value_parser = range, allow_hyphen_values = true)]
    range: Option<(Number, Number)>,
    #[command(flatten)]
    record: RecordArg,
    /// Print what does not match
    #[arg(short = 'v', long)]
    invert_match: bool,
    /// Print only the names of files with a match
    #[arg(short = 'l', long, group = "what")]
    files_with_matches: bool,
    /// Print only how many matches a file has
    #[arg(short, long, group = "what")]
    count: bool,
    /// Print matches as one JSON object a line
    #[arg(long, group = "what")]
    json_lines: bool,
}

fn kind(name: &str) -> Result<Kind, String> {
    let all = Kind::ALL.iter().copied();
    // `Quat` and `PoolByteArray` of Godot 3 are names, too.
    let names = |kind: Kind| [kind.name(), kind.name_in(Notation::Godot3_6)];
    let mut same = all.filter(|kind| {
        names(*kind)
            .iter()
            .any(|own| own.eq_ignore_ascii_case(name))
    });
    same.next().ok_or_else(|| {
        let names: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("there is no such type; there are {}", names.join(", "))
    })
}

/// A number of a save or of `--range`. An int keeps all of its 64 bits.
#[derive(Clone, Copy, Debug)]
enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    /// Returns the number that a value is; `None` for other values.
    fn of(value: VariantRef<'_>) -> Option<Number> {
        match value.as_i64() {
            Some(int) => Some(Number::Int(int)),
            None => value.as_number().map(Number::Float),
        }
    }

    /// Compares exactly: not every int is a float, so an int is compared with the nearest int of a float.
    fn is_at_most(self, other: Number) -> bool {
        /// 2 to the power of 63, the first float that is larger than every int.
        const END: f64 = 9_223_372_036_854_775_808.0;
        match (self, other) {
            (Number::Int(one), Number::Int(other)) => one <= other,
            (Number::Float(one), Number::Float(other)) => one <= other,
            (Number::Int(one), Number::Float(other)) => {
                other >= END || (other >= -END && one <= other.floor() as i64)
            }
            (Number::Float(one), Number::Int(other)) => {
                one < -END || (one < END && one.ceil() as i64 <= other)
            }
        }
    }

    fn is_in(self, (from, to): (Number, Number)) -> bool {
        from.is_at_most(self) && self.is_at_most(to)
    }
}

fn range(text: &str) -> Result<(Number, Number), String> {
    let (from, to) = text.split_once("..").ok_or("a range has two dots: 1..10")?;
    let end = |text: &str, none| match (text, text.parse(), text.parse()) {
        ("", ..) => Ok(Number::Float(none)),
        (_, Ok(int), _) => Ok(Number::Int(int)),
        (_, _, Ok(float)) if !f64::is_nan(float) => Ok(Number::Float(float)),
        _ => Err(format!("{text:?} is not a number")),
    };
    let ends = (end(from, f64::NEG_INFINITY)?, end(to, f64::INFINITY)?);
    if !ends.0.is_at_most(ends.1) {
        return Err(format!(
            "no number is in it: expected the smaller end first, as in {to}..{from}"
        ));
    }
    Ok(ends)
}

impl GrepArgs {
    pub(crate) fn json(&self) -> Json {
        if self.count || self.files_with_matches {
            return Json::Refused("-c and -l print lines of their own; leave one of them out");
        }
        Json::Lines
    }
}

pub(crate) fn run(app: &mut App, args: &GrepArgs) -> io::Result<()> {
    let pattern = if args.fixed_strings {
        regex::escape(&args.pattern)
    } else {
        args.pattern.clone()
    };
    let regex = RegexBuilder::new(&pattern)
        .case_insensitive(args.ignore_case)
        .build();
    let regex = match regex {
        Ok(regex) => regex,
        Err(error) => {
            return app.usage(&error.to_string());
        }
    };
    let files = app.files(&args.files)?;
    let grep = Grep {
        args,
        regex,
        name_files: files.len() > 1,
    };
    let counts = app.each(&files, |app, file| grep.file(app, file))?;
    if counts.iter().all(|&count| count == 0) {
        app.exit.merge(Exit::Findings);
    }
    Ok(())
}

struct Grep<'g> {
    args: &'g GrepArgs,
    regex: Regex,
    name_files: bool,
}

impl Grep<'_> {
    /// Searches a file. Returns the number of matches.
    fn file(&self, app: &mut App, file: &FilePath) -> io::Result<u64> {
        let Some((input, decision)) = app.open_decided(file)? else {
            return Ok(0);
        };
        let mut count = 0;
        let Some(records) = app.chosen(&input, &decision, self.args.record.record)? else {
            return Ok(0);
        };
        let file = (&input, &decision);
        app.each_record(file, records, App::inert, |app, record, options| {
            let root = whole_record::root(record, options)?;
            self.record(app, &input, record, root, &mut count)?;
            Ok(record.end()?)
        })?;
        let name = safe_text::safe_line(&input.name).into_owned();
        if self.args.files_with_matches && count > 0 {
            app.raw(format!("{name}\n").as_bytes())?;
        }
        if self.args.count {
            let before = if self.name_files {
                name + ": "
            } else {
                String::new()
            };
            app.raw(format!("{before}{count}\n").as_bytes())?;
        }
        Ok(count)
    }

    fn record(
        &self,
        app: &mut App,
        input: &Input,
        record: &Record<'_>,
        root: VariantRef<'_>,
        count: &mut u64,
    ) -> Result<(), Stop> {
        let mut paths = Paths::new(root, "");
        // `true` if the key of the next value matches.
        let mut key = false;
        while let Some(place) = paths.try_next()? {
            let value = match place {
                PathEvent::Key(one) => {
                    key = self.in_key(one);
                    continue;
                }
                PathEvent::Property(name) => {
                    key = self.regex.is_match(name.as_bytes());
                    continue;
                }
                PathEvent::Value(value) => value,
            };
            let by_key = std::mem::take(&mut key) && !self.args.values;
            // What has elements of its own is no match of `--invert-match`; its elements are.
            let has_elements = match value.packed_len().filter(|_| !self.args.keys) {
                Some(len) => {
                    let array = (value, len, paths.path());
                    self.packed(app, input, record, array, count)?
                }
                None => value.has_children(),
            };
            let found = self.fits(value) && (by_key || self.in_value(value));
            if found != self.args.invert_match && (found || !has_elements) {
                *count += 1;
                self.print(app, input, record, paths.path(), value)?;
            }
            if *count > 0 && self.args.files_with_matches {
                return Err(Stop::Enough);
            }
        }
        Ok(())
    }

    fn in_key(&self, key: VariantRef<'_>) -> bool {
        match key.as_text() {
            Some(text) => self.regex.is_match(text.as_bytes()),
            None => notation::line(key).is_ok_and(|text| self.regex.is_match(&text)),
        }
    }

    /// Returns `true` if `value` has the wanted type and is in the wanted range.
    fn fits(&self, value: VariantRef<'_>) -> bool {
        let in_range = |range| Number::of(value).is_some_and(|number| number.is_in(range));
        self.args.kind.is_none_or(|kind| value.kind() == kind)
            && self.args.range.is_none_or(in_range)
    }

    fn in_value(&self, value: VariantRef<'_>) -> bool {
        if self.args.keys {
            return false;
        }
        if value.has_children() || value.packed_len().is_some() {
            // An empty pattern matches all values of the wanted type.
            return self.args.kind.is_some() && self.regex.is_match(b"");
        }
        match value.as_text() {
            Some(text) => self.regex.is_match(text.as_bytes()),
            // What was printed can be looked for, too: `-0.0` is `0.0` in the notation, and `1e300` is `1e+300`.
            None => {
                notation::line(value).is_ok_and(|text| self.regex.is_match(&text))
                    || self.regex.is_match(summary::leaf(value, CUT).as_bytes())
            }
        }
    }

    /// Searches the elements of a packed array: texts, or numbers if `--range` is given. Returns `false` if the array
    /// has other elements.
    fn packed(
        &self,
        app: &mut App,
        input: &Input,
        record: &Record<'_>,
        (array, len, path): (VariantRef<'_>, usize, &str),
        count: &mut u64,
    ) -> io::Result<bool> {
        let mut one = |n: usize, kind: Kind, is_match: bool, text: &dyn Fn() -> String| {
            let fits = self.args.kind.is_none_or(|wanted| wanted == kind);
            if (fits && is_match) == self.args.invert_match {
                return Ok(());
            }
            *count += 1;
            let path = format!("{path}[{n}]");
            self.line(app, input, record, &path, &text(), kind.name())
        };
        let Some(range) = self.args.range else {
            let Some(strings) = array.as_strings() else {
                return Ok(false);
            };
            for (n, text) in strings.iter().flatten().enumerate() {
                let is_match = self.regex.is_match(text.as_bytes());
                one(n, Kind::String, is_match, &|| summary::quoted(text, CUT))?;
            }
            return Ok(true);
        };
        for n in 0..len {
            let Some(part) = array.part(gdvar_view::Step::Index(n as i64)) else {
                return Ok(false);
            };
            let (number, kind) = match &part {
                PathTarget::Int(int) => (Number::Int(*int), Kind::Int),
                PathTarget::Math(math) if math.len() == 1 => {
                    let number = math.iter().next().unwrap_or(f64::NAN);
                    (Number::Float(number), Kind::Float)
                }
                _ => return Ok(false),
            };
            let text = Item::of(part).text(CUT);
            let is_match = number.is_in(range) && self.regex.is_match(text.as_bytes());
            one(n, kind, is_match, &|| text.clone())?;
        }
        Ok(true)
    }

    fn print(
        &self,
        app: &mut App,
        input: &Input,
        record: &Record<'_>,
        path: &str,
        value: VariantRef<'_>,
    ) -> io::Result<()> {
        let text = summary::leaf(value, CUT);
        self.line(app, input, record, path, &text, value.kind().name())
    }

    fn line(
        &self,
        app: &mut App,
        input: &Input,
        record: &Record<'_>,
        path: &str,
        text: &str,
        kind: &str,
    ) -> io::Result<()> {
        if self.args.files_with_matches || self.args.count {
            return Ok(());
        }
        if self.args.json_lines || app.global.json {
            let line = rows::object(&[
                ("file", value::string(&input.name)),
                ("record", record.index.to_string().into_bytes()),
                ("path", value::string(path)),
                ("type", value::string(kind)),
                ("text", value::string(text)),
            ]);
            return app.raw(&line);
        }
        let mut line = String::new();
        if self.name_files {
            line = format!("{}: ", safe_text::safe_line(&input.name));
        }
        if record.index > 0 {
            line += &format!("record {}: ", record.index);
        }
        app.raw(format!("{line}{path} = {text}\n").as_bytes())
    }
}

/// Limits how much of a matching value is shown.
const CUT: Cut = Cut {
    text: 200,
    items: 8,
};
