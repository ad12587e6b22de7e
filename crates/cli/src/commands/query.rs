//! `query`: runs a filter in the language of jq over values.

use std::{
    io::{self, Write},
    path::{Path as FilePath, PathBuf},
    thread,
};

use clap::Args;
use gdvar_json::{Style, WriteError};
use gdvar_view::{Found, Path, VariantRef};
use jaq_core::{
    Compiler, Ctx, Vars,
    data::JustLut,
    load::{self, Arena, File, Loader},
};
use jaq_json::{Num, Val};

use crate::{
    app::App,
    diagnose::whole_record,
    locate::lookup::{Lookup, lookup},
    show::value,
    terminal::{exit::Exit, words},
};

#[derive(Args, Debug)]
#[command(after_help = "\
The filter is what jq takes (by jaq); what it works on is the plain JSON of `gdvar json`, which for \
large saves is large: --at names the part that is turned into JSON. Each result is a line. Ints are exact, \
however large they become. A filter \
that calls itself without end, as `def f: [f]; f`, uses up the stack and ends the program.

Examples:
  gdvar query '.party[] | {name, hp}' slot1.dat
  gdvar query -r '.party | sort_by(.hp) | .[].name' slot1.dat
  gdvar query --at world.chunks 'map(select(.dirty)) | length' big.sav")]
pub(crate) struct QueryArgs {
    /// The filter to compute; '.' is everything
    filter: String,
    /// Files and folders; - is standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Work on what is at that path
    #[arg(
        long,
        value_name = "PATH",
        default_value = "$",
        hide_default_value = true
    )]
    at: String,
    /// Only that record, counted from 0; -1 is the last
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    record: Option<i64>,
    /// Print texts without quotes
    #[arg(short, long)]
    raw_output: bool,
    /// Refuse parts whose JSON is longer
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = crate::args::size::<usize>)]
    max_json: usize,
    /// Stop after this many results of a record
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_results: usize,
}

/// The stack size of the thread that runs the filter. Values may be nested deeply, and jaq processes them recursively.
const STACK: usize = 512 << 20;

pub(crate) fn run(app: &mut App, args: &QueryArgs) -> io::Result<()> {
    let Some(path) = app.parse_path(&args.at)? else {
        return Ok(());
    };
    let wrong = results(b"null", args, true).err();
    if let Some(Wrong::Filter(message)) = wrong {
        return app.usage(&message);
    }
    let files = app.files(&args.files)?;
    app.each(&files, |app, file| one(app, args, &path, file))?;
    Ok(())
}

fn one(app: &mut App, args: &QueryArgs, path: &Path<'_>, file: &FilePath) -> io::Result<()> {
    let Some((input, decision)) = app.open_decided(file)? else {
        return Ok(());
    };
    let Some(records) = app.chosen(&input, &decision, args.record)? else {
        return Ok(());
    };
    app.each_record((&input, &decision), records, App::inert, |app, record, options| {
        let json = match lookup(whole_record::root(record, options)?, path)? {
            Lookup::Missing(missing) => {
                app.not_found(path, &missing)?;
                return Ok(record.end()?);
            }
            Lookup::Found(Found::Value(value), _) => json(value, args.max_json),
            Lookup::Found(part, _) => value::json(part).map_err(WriteError::Read),
        };
        let json = match json {
            Ok(json) => json,
            Err(WriteError::Read(error)) => return Err(error.into()),
            Err(WriteError::Io(_)) => {
                let most = words::count(args.max_json as u64);
                let name = input.shown().into_owned();
                return Ok(app.fail(Exit::Ambiguous, &format!(
                    "{name}: the JSON is longer than {most} bytes; choose a part with --at, or raise --max-json"
                ))?);
            }
        };
        match results(&json, args, false) {
            Ok(text) => app.raw(&text)?,
            Err(wrong) => {
                let (exit, message) = match wrong {
                    Wrong::Filter(message) | Wrong::Data(message) => (Exit::Findings, message),
                    Wrong::Limit(message) => (Exit::Ambiguous, message),
                };
                app.fail(exit, &format!("{}: {message}", input.name))?;
            }
        }
        Ok(record.end()?)
    })
}

/// Returns the value as plain JSON. Fails if it is longer than `most` bytes.
fn json(value: VariantRef<'_>, most: usize) -> Result<Vec<u8>, WriteError> {
    struct Bounded {
        json: Vec<u8>,
        most: usize,
    }
    impl Write for Bounded {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.json.len() + bytes.len() > self.most {
                return Err(io::Error::other("too long"));
            }
            self.json.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut out = Bounded {
        json: Vec::new(),
        most,
    };
    gdvar_json::write(value, Style::Plain, &mut out)?;
    Ok(out.json)
}

/// The reason why there is no result.
enum Wrong {
    /// The filter does not compile.
    Filter(String),
    /// The filter cannot be applied to this value.
    Data(String),
    /// The filter has too many results.
    Limit(String),
}

/// Returns the results, one per line. With `only_compile`, only checks that the filter compiles.
fn results(json: &[u8], args: &QueryArgs, only_compile: bool) -> Result<Vec<u8>, Wrong> {
    let compute = || compute(json, args, only_compile);
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, compute);
        let thread = thread.map_err(|error| Wrong::Data(error.to_string()))?;
        let result = thread.join();
        result.unwrap_or_else(|_| Err(Wrong::Data("the filter could not be computed".to_owned())))
    })
}

/// Describes each mistake in a filter.
fn syntax(error: load::Error<&str>) -> Vec<String> {
    let found = |expected: &str, found: &str| match found.split_whitespace().next() {
        Some(word) if expected == "nothing" => format!("{word} was not expected there"),
        Some(word) => format!("expected {expected}, found {word}"),
        None => format!("expected {expected}, found the end"),
    };
    match error {
        load::Error::Io(errors) => {
            let texts = errors
                .into_iter()
                .map(|(path, error)| format!("{path}: {error}"));
            texts.collect()
        }
        load::Error::Lex(errors) => { errors.into_iter() }
            .map(|(expected, rest)| match expected {
                load::lex::Expect::Delim(open) => format!("no end of {open}"),
                expected => found(expected.as_str(), rest),
            })
            .collect(),
        load::Error::Parse(errors) => { errors.into_iter() }
            .map(|(expected, rest)| found(expected.as_str(), rest))
            .collect(),
    }
}

fn compute(json: &[u8], args: &QueryArgs, only_compile: bool) -> Result<Vec<u8>, Wrong> {
    let arena = Arena::default();
    let defs = jaq_core::defs().chain(jaq_std::defs());
    let loader = Loader::new(defs.chain(jaq_json::defs()));
    let file = File {
        code: args.filter.as_str(),
        path: (),
    };
    let wrong = |what: String| Wrong::Filter(format!("{:?} is not a filter: {what}", args.filter));
    let modules = loader.load(&arena, file).map_err(|errors| {
        let errors: Vec<_> = { errors.into_iter() }
            .flat_map(|(_, error)| syntax(error))
            .collect();
        wrong(errors.join("; "))
    })?;
    let funs = jaq_core::funs().chain(jaq_std::funs());
    let compiler = Compiler::default().with_funs(funs.chain(jaq_json::funs()));
    let filter = compiler.compile(modules).map_err(|errors| {
        let names = errors.into_iter().flat_map(|(_, errors)| errors);
        let names: Vec<_> = names
            .map(|(name, what)| format!("{name}: undefined {}", what.as_str()))
            .collect();
        wrong(names.join(", "))
    })?;
    if only_compile {
        return Ok(Vec::new());
    }
    let input = jaq_json::read::parse_single(json);
    let input = input.map_err(|error| Wrong::Data(error.to_string()))?;
    let context = Ctx::<JustLut<Val>>::new(&filter.lut, Vars::new([]));
    let mut text = Vec::new();
    for (n, result) in filter.id.run((context, input)).enumerate() {
        if n == args.max_results {
            return Err(Wrong::Limit(format!(
                "more than {n} results; raise --max-results"
            )));
        }
        match result {
            Ok(Val::TStr(one)) if args.raw_output => text.extend_from_slice(&one),
            Ok(one) => print(&one, &mut text)?,
            Err(exception) => match exception.get_err() {
                Ok(error) => return Err(Wrong::Data(error.to_string())),
                // The filter called `halt`.
                Err(_) => break,
            },
        }
        text.push(b'\n');
    }
    Ok(text)
}

/// Appends a result as JSON. NaN and infinity become `null`, as in the JSON that the filter reads. Fails for results
/// that JSON cannot express.
fn print(value: &Val, out: &mut Vec<u8>) -> Result<(), Wrong> {
    match value {
        Val::Num(Num::Float(float)) if !float.is_finite() => out.extend_from_slice(b"null"),
        Val::Arr(items) => {
            out.push(b'[');
            for (n, item) in items.iter().enumerate() {
                if n > 0 {
                    out.push(b',');
                }
                print(item, out)?;
            }
            out.push(b']');
        }
        Val::Obj(pairs) => {
            out.push(b'{');
            for (n, (key, value)) in pairs.iter().enumerate() {
                if !matches!(key, Val::TStr(_)) {
                    return Err(Wrong::Data(format!(
                        "a result has the key {key}, and keys in JSON are texts"
                    )));
                }
                if n > 0 {
                    out.push(b',');
                }
                print(key, out)?;
                out.push(b':');
                print(value, out)?;
            }
            out.push(b'}');
        }
        Val::BStr(_) => {
            return Err(Wrong::Data(
                "a result is bytes, which JSON has not".to_owned(),
            ));
        }
        value => out.extend_from_slice(value.to_string().as_bytes()),
    }
    Ok(())
}
