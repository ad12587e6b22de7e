//! `unpack` and `pack`: the contents of a compressed or encrypted file, and the way back.

use std::io::{self, IsTerminal, Write};

use gdvar_io::{
    Envelope,
    compressed::compress,
    encrypted::{Form, encrypt},
    replace::Replacement,
    sniff,
};
use gdvar_view::Dialect;

use crate::{
    app::{App, size},
    args::{OutputArg, PackArgs, UnpackArgs},
    envelope,
    exit::Exit,
    input::Input,
};

/// Runs `unpack`.
pub(crate) fn unpack(app: &mut App, args: &UnpackArgs) -> io::Result<()> {
    let Some(input) = app.open(&args.file)? else {
        return Ok(());
    };
    let Some(layer) = &input.layer else {
        app.exit.merge(Exit::Malformed);
        let text = format!(
            "{}: is neither compressed nor encrypted by the engine, nor a project.binary; there is nothing to unpack",
            input.name
        );
        return app.error(&text);
    };
    let text = format!("was {layer}");
    write(app, &args.output, input, None, &text)
}

/// Runs `pack`.
pub(crate) fn pack(app: &mut App, args: &PackArgs) -> io::Result<()> {
    let Some(input) = app.open_as_it_is(&args.file)? else {
        return Ok(());
    };
    if sniff(&input) != Envelope::Other {
        app.exit.merge(Exit::Usage);
        let text = format!(
            "{}: is compressed, encrypted or compiled already, and no engine reads one in another; \
             use gdvar unpack first",
            input.name
        );
        return app.error(&text);
    }
    let key = match envelope::key(&app.global) {
        Ok(key) => key,
        Err(trouble) => return app.trouble(&input.name, &trouble),
    };
    let (packed, text) = match (key, args.mode) {
        (Some(_), Some(_)) => {
            return usage(
                app,
                "the engines compress or encrypt, not both: leave --mode or the password out",
            );
        }
        (None, None) => {
            return usage(
                app,
                "say what to do: --mode to compress, or a password or key to encrypt",
            );
        }
        (None, Some(mode)) => {
            let mode = mode.into();
            match compress(&input, mode, args.block_size) {
                Ok(packed) => (packed, format!("compressed ({mode})")),
                Err(error) => return usage(app, &error.kind().to_string()),
            }
        }
        (Some(key), None) => {
            let form = match args.to {
                Some(Dialect::GODOT_4) => Form::godot4(),
                Some(_) => Ok(Form::Godot3),
                None => {
                    return usage(
                        app,
                        "Godot 3 and 4 encrypt differently: add --to godot3 or --to godot4",
                    );
                }
            };
            match form {
                Ok(form) => (encrypt(&input, &key, form), "encrypted".to_owned()),
                Err(error) => {
                    app.exit.merge(Exit::Io);
                    return app.error(&format!("no random numbers: {error}"));
                }
            }
        }
    };
    write(app, &args.output, input, Some(packed), &text)
}

fn usage(app: &mut App, text: &str) -> io::Result<()> {
    app.exit.merge(Exit::Usage);
    app.error(text)
}

/// Writes the result, or the contents of the input itself.
fn write(
    app: &mut App,
    output: &OutputArg,
    input: Input,
    result: Option<Vec<u8>>,
    text: &str,
) -> io::Result<()> {
    let bytes = result.as_deref().unwrap_or(&input);
    let Some(path) = output.path() else {
        if io::stdout().is_terminal() {
            return usage(
                app,
                "the result is not text: write it to a file with -o FILE",
            );
        }
        return app.raw(bytes);
    };
    let len = bytes.len();
    let begun = Replacement::new(path).and_then(|mut file| {
        file.write_all(bytes)?;
        Ok(file)
    });
    // The input may be the very file that is replaced, and some systems do not replace a file that
    // is mapped.
    drop(input);
    let written = begun.and_then(Replacement::finish);
    if let Err(error) = written {
        return app.cannot_write(path, &error);
    }
    app.note(&format!("{}: {}, {text}", path.display(), size(len)))
}
