//! `debug`: does what the editor does in Godot's remote debugger.

use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    time::Duration,
};

use clap::Args;
use gdvar_packet::Engine;

use self::{console::Console, game::Game, link::Link, verb::Verb};
use super::{
    packets::{Failure, engine_parser},
    proxy::address,
};
use crate::{app::App, terminal::interrupt::Interrupt};

mod console;
mod game;
mod link;
mod measure;
mod print;
mod scene;
mod verb;

/// The arguments of `debug`.
#[derive(Args, Debug)]
#[command(after_help = "\
A game that was started with --remote-debug tcp://127.0.0.1:6007 (Godot 3: 127.0.0.1:6007) connects to \
this command instead of the editor. After -- the command starts the game itself, on a free port, and ends \
it at the end. What the game prints, its errors and its breaks are printed as they come; --quiet leaves \
them out.

Verbs, for --exec and for the prompt that a terminal gets:
  tree                      the scene tree
  inspect NODE              its properties; NODE.property is one value
  set NODE.property=VALUE   change a property; values are written as in Godot
  break, continue           stop the game, let it go on
  step, next, out           go on to the next line, also into functions; in this function; to its end
  stack, locals [LEVEL]     the running functions, and the variables of one
  breakpoint FILE:LINE      stop there; `breakpoint FILE:LINE off` removes it
  evaluate EXPR             compute an expression in a break (Godot 4)
  monitors [COUNT]          the performance monitors, once; COUNT times as CSV
  profile SECONDS           the functions that take longest
  wait SECONDS              print what comes

NODE is a name, a path such as Main/Player or /root/Main, or #ID. With --exec, verbs that need a break \
wait for one, for --timeout seconds.

The protocol has no authentication: who reaches the port can pose as the game, and nothing is encrypted.

Examples:
  gdvar debug                                        wait for a game, then ask at the prompt
  gdvar debug -- godot --path mygame
  gdvar debug --exec tree --exec 'inspect Player.position' -- godot --headless --path mygame
  gdvar debug --exec 'breakpoint main.gd:24' --exec locals --exec continue --json-lines -- godot --path mygame")]
pub(crate) struct DebugArgs {
    /// The address that the game connects to: a port, or HOST:PORT (default: 127.0.0.1:6007, or a free
    /// port for a game after --)
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Do this, then what the next --exec says, then end
    #[arg(long, value_name = "VERB")]
    exec: Vec<String>,
    /// Print a JSON object for every message and answer, a line each
    #[arg(long)]
    json_lines: bool,
    /// Wait this long for an answer, and with --exec for the game and for a break
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    /// The engine of the game after --, which decides how the address is written
    #[arg(long, value_name = "ENGINE", default_value = "godot4", value_parser = engine_parser())]
    engine: Engine,
    /// The game to start: the engine and its arguments
    #[arg(last = true, value_name = "GAME")]
    game: Vec<OsString>,
}

/// The port that the editor listens on by default.
const PORT: &str = "127.0.0.1:6007";

/// Runs the command.
///
/// # Errors
/// Returns the error of the output.
pub(crate) fn run(app: &mut App, args: &DebugArgs) -> io::Result<()> {
    debug(app, args).or_else(|failure| failure.report(app))
}

fn debug(app: &mut App, args: &DebugArgs) -> Result<(), Failure> {
    let verbs: Result<Vec<_>, String> = args.exec.iter().map(|text| Verb::parse(text)).collect();
    let verbs = verbs.map_err(Failure::usage)?;
    let listen = match (&args.listen, args.game.is_empty()) {
        (Some(listen), _) => address(listen)?,
        (None, true) => address(PORT)?,
        (None, false) => address("127.0.0.1:0")?,
    };
    let listener = link::listen(listen)?;
    let local = listener.local_addr();
    let local = local.map_err(|error| Failure::io(&listen.to_string(), &error))?;
    if !local.ip().is_loopback() {
        app.warn(&format!(
            "warning: whoever reaches {local} can pose as the game; 127.0.0.1 is this machine alone"
        ))?;
    }
    let interrupt = Interrupt::catch().map_err(|error| Failure::io("signals", &error))?;
    let mut game = match args.game.is_empty() {
        true => None,
        false => Some(Game::start(&args.game, local, args.engine)?),
    };
    if game.is_none() {
        app.note(&format!("{local}: waiting for a game"))?;
    }
    let timeout = Duration::from_secs(args.timeout.into());
    let patience = (!verbs.is_empty()).then_some(timeout);
    let stream = link::accept(&listener, &mut game, &interrupt, patience)?;
    drop(listener);
    let has_prompt = verbs.is_empty() && io::stdin().is_terminal() && io::stdout().is_terminal();
    let link = Link::new(stream, has_prompt)?;
    let mut console = Console::new(app, link, interrupt, game, timeout, args.json_lines);
    if has_prompt {
        return console.prompt();
    }
    if verbs.is_empty() {
        return console.follow();
    }
    for verb in &verbs {
        console.run(verb, true)?;
    }
    Ok(())
}
