//! `unpack` and `pack`: extract the contents of a compressed or encrypted file, and make one.

use std::{io, path::PathBuf};

use clap::{Args, ValueEnum};
use gdvar_file::Layer;
use gdvar_io::{Envelope, compressed::Mode, sniff};
use gdvar_view::Dialect;

use crate::{
    app::{App, size},
    args::{OutputArg, engine},
    input::{bytes::Input, header, key::key, layers},
    save::output::{Output, TO_FILE},
    terminal::exit::Exit,
};

#[derive(Args, Debug)]
#[command(after_help = "\
The other commands open such files by themselves, and convert leaves them what they are; this is \
for other tools.

Examples:
  gdvar unpack slot1.dat -o slot1.plain
  gdvar unpack --password 'correct horse' slot1.dat -o slot1.plain")]
pub(crate) struct UnpackArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
}

#[derive(Args, Debug)]
#[command(after_help = "\
With --mode it becomes what open_compressed reads, of Godot 3 and of Godot 4. With a password or key \
it becomes what open_encrypted_with_pass or open_encrypted of the engine named by --to reads.

Examples:
  gdvar pack --mode zstd slot1.plain -o slot1.dat
  gdvar pack --password 'correct horse' --to godot4 slot1.plain -o slot1.dat")]
pub(crate) struct PackArgs {
    /// A file; - is standard input
    #[arg(default_value = "-", hide_default_value = true)]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: OutputArg,
    /// How to compress; the engines' default is fastlz
    #[arg(long, value_name = "MODE")]
    pub(crate) mode: Option<ModeArg>,
    /// The number of bytes to compress at a time; the engines take 4096
    #[arg(long, value_name = "BYTES", default_value_t = gdvar_io::compressed::BLOCK_SIZE,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) block_size: u32,
    /// Which engine shall decrypt it: godot3 (Pandemonium too) or godot4
    #[arg(long, value_name = "ENGINE", value_parser = engine())]
    pub(crate) to: Option<Dialect>,
}

/// How to compress.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ModeArg {
    /// FastLZ: fast, the engines' default
    Fastlz,
    /// Deflate, as zlib writes it
    Deflate,
    /// Zstandard
    Zstd,
    /// gzip
    Gzip,
}

impl From<ModeArg> for Mode {
    fn from(mode: ModeArg) -> Mode {
        match mode {
            ModeArg::Fastlz => Mode::FastLz,
            ModeArg::Deflate => Mode::Deflate,
            ModeArg::Zstd => Mode::Zstd,
            ModeArg::Gzip => Mode::Gzip,
        }
    }
}

pub(crate) fn unpack(app: &mut App, args: &UnpackArgs) -> io::Result<()> {
    let Some(input) = app.open(&args.file)? else {
        return Ok(());
    };
    if input.peeled.layers.is_empty() {
        let text = format!(
            "{}: is neither compressed nor encrypted by the engine, nor a project.binary; there is nothing to unpack",
            input.name
        );
        return app.fail(Exit::Malformed, &text);
    }
    // The header and trailer in the contents stay.
    if let Some(left_out) = header::left_out(&input.peeled.layers, 0, 0) {
        app.note(&format!("{}: {left_out}", input.short_name()))?;
    }
    let text = format!("was {}", layers::describe_all(&input.peeled.layers));
    write(app, &args.output, input, None, &text)
}

pub(crate) fn pack(app: &mut App, args: &PackArgs) -> io::Result<()> {
    let Some(input) = app.open_as_it_is(&args.file)? else {
        return Ok(());
    };
    if sniff(&input) != Envelope::Other {
        return app.usage(&format!(
            "{}: is compressed, encrypted or compiled already, and no engine reads one in another; \
             use gdvar unpack first",
            input.name
        ));
    }
    let key = match key(&app.global) {
        Ok(key) => key,
        Err(unopened) => return app.unopened(&input.name, &unopened),
    };
    let layer = match (key, args.mode, args.to) {
        (Some(_), Some(_), _) => {
            Err("the engines compress or encrypt, not both: leave --mode or the password out")
        }
        (None, None, _) => {
            Err("say what to do: --mode to compress, or a password or key to encrypt")
        }
        (None, Some(mode), _) => Ok(Layer::compressed(mode.into(), args.block_size)),
        (Some(_), None, None) => {
            Err("Godot 3 and 4 encrypt differently: add --to godot3 or --to godot4")
        }
        (Some(key), None, Some(to)) => Ok(Layer::encrypted(key, to)),
    };
    let layer = match layer {
        Ok(layer) => layer,
        Err(text) => return app.usage(text),
    };
    match layer.wrap(&input, None) {
        Ok(packed) => write(
            app,
            &args.output,
            input,
            Some(packed),
            &layers::describe_all(&[layer]),
        ),
        Err(error) => app.fail(
            Exit::Io,
            &format!("{}: cannot be packed: {error}", input.name),
        ),
    }
}

/// Writes `result`, or the contents of `input` if it is `None`.
fn write(
    app: &mut App,
    output: &OutputArg,
    input: Input,
    result: Option<Vec<u8>>,
    text: &str,
) -> io::Result<()> {
    if app.was_cut(&input)? {
        return Ok(());
    }
    let bytes = result.as_deref().unwrap_or(&input);
    let path = output.path();
    if app.refuses_bytes(path, TO_FILE)? {
        return Ok(());
    }
    let len = bytes.len();
    let begun = Output::new(app, path, Vec::new()).and_then(|mut output| {
        output.put(app, bytes)?;
        Ok(output)
    });
    // The input may be the very file that is replaced, and some systems do not replace a file
    // that is mapped.
    drop(input);
    let written = begun.and_then(|output| output.finish(app));
    app.report_written(path, written, &format!("{}, {text}", size(len)))
}
