//! `unpack` and `pack`: the contents of a compressed or encrypted file, and the way back.

use std::io::{self, IsTerminal};

use gdvar_io::{Envelope, sniff};

use crate::{
    app::{App, size},
    args::{OutputArg, PackArgs, UnpackArgs},
    envelope::{self, Container},
    exit::Exit,
    input::Input,
    output::Output,
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
    let container = match (key, args.mode, args.to) {
        (Some(_), Some(_), _) => {
            Err("the engines compress or encrypt, not both: leave --mode or the password out")
        }
        (None, None, _) => {
            Err("say what to do: --mode to compress, or a password or key to encrypt")
        }
        (None, Some(mode), _) => Ok(Container::Compressed {
            mode: mode.into(),
            block_size: args.block_size,
        }),
        (Some(_), None, None) => {
            Err("Godot 3 and 4 encrypt differently: add --to godot3 or --to godot4")
        }
        (Some(key), None, Some(to)) => Ok(Container::Encrypted { key, to }),
    };
    let container = match container {
        Ok(container) => container,
        Err(text) => return usage(app, text),
    };
    match container.pack(&input) {
        Ok(packed) => write(
            app,
            &args.output,
            input,
            Some(packed),
            &container.to_string(),
        ),
        Err(error) => {
            app.exit.merge(Exit::Io);
            app.error(&format!("{}: cannot be packed: {error}", input.name))
        }
    }
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
    if app.was_cut(&input)? {
        return Ok(());
    }
    let bytes = result.as_deref().unwrap_or(&input);
    let path = output.path();
    if path.is_none() && io::stdout().is_terminal() {
        return usage(
            app,
            "the result is not text: write it to a file with -o FILE",
        );
    }
    let len = bytes.len();
    let begun = Output::new(path, None).and_then(|mut output| {
        output.put(app, bytes)?;
        Ok(output)
    });
    // The input may be the very file that is replaced, and some systems do not replace a file
    // that is mapped.
    drop(input);
    let written = begun.and_then(|output| output.finish(app));
    match (path, written) {
        (None, written) => written,
        (Some(path), Ok(())) => app.note(&format!("{}: {}, {text}", path.display(), size(len))),
        (Some(path), Err(error)) => app.cannot_write(path, &error),
    }
}
