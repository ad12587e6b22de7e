//! The short help: all commands, grouped by purpose, on one screen.

use std::path::Path;

use clap::{Command, CommandFactory, error::ErrorKind};

use crate::{app::files::is_file, args, cli::Cli, terminal::nearest::nearest};

/// The commands by purpose. Commands that are not listed here follow under "More".
const GROUPS: [(&str, &str); 5] = [
    (
        "Look",
        "info view get grep gron query records packets proxy debug dissector hex stats explain schema table explore",
    ),
    ("Check", "check scan recover"),
    (
        "Change",
        "set del insert append rename-key edit diff patch merge textconv watch",
    ),
    (
        "Convert",
        "convert json from-json text from-text unpack pack",
    ),
    ("Other", "git-setup options completions man help"),
];

const EXAMPLES: &str = "\
Examples:
  gdvar slot1.dat                    what is this file, and what is in it?
  gdvar get slot1.dat player.gold    just that value, for scripts
  gdvar grep -k gold saves/          where is it?
  gdvar set slot1.dat player.gold=999 --in-place
  gdvar check slot1.dat              is it damaged, and where?
  gdvar convert --to godot4 old.dat -o new.dat

gdvar help COMMAND    a command, with examples
gdvar options         options that go with every command: --dialect, --framing, --password …
gdvar --help          exit codes";

/// Returns the command line. The options of [`args::Global`] work with every command, but only `gdvar options` shows
/// their help.
pub(crate) fn plain_command() -> Command {
    Cli::command().mut_args(|arg| {
        let is_global = !arg.is_positional() && arg.get_help_heading() == Some(args::GLOBAL);
        arg.global(is_global)
            .hide_short_help(is_global)
            .hide_long_help(is_global)
    })
}

/// Returns the command line with the short help.
pub(crate) fn command() -> Command {
    let command = plain_command();
    let overview = overview(&command);
    command.help_template(format!(
        "{{about}}\n\nUsage: gdvar FILE\n       gdvar COMMAND …\n\n{overview}\n{EXAMPLES}\n{{after-help}}"
    ))
}

/// Formats the names of the commands, one paragraph for each group.
fn overview(command: &Command) -> String {
    let all: Vec<_> = { command.get_subcommands() }
        .filter(|command| !command.is_hide_set())
        .map(Command::get_name)
        .chain(["help"])
        .collect();
    let listed = || GROUPS.iter().flat_map(|(_, names)| names.split(' '));
    let is_other = |name: &&str| !listed().any(|one| one == *name);
    let others: Vec<_> = all.iter().copied().filter(is_other).collect();
    let others = others.join(" ");
    let groups = GROUPS.iter().copied().chain([("More", others.as_str())]);
    let mut text = "Commands:\n".to_owned();
    for (group, names) in groups {
        let mut column = 0;
        for name in names.split(' ').filter(|name| all.contains(name)) {
            if column == 0 || column + name.len() > 78 {
                let title = if column == 0 { group } else { "" };
                text += if column == 0 { "" } else { "\n" };
                text += &format!("  {title:9}");
                column = 11;
            } else {
                text.push(' ');
                column += 1;
            }
            text += name;
            column += name.len();
        }
        if column > 0 {
            text.push('\n');
        }
    }
    text
}

/// Returns the command whose name is similar to `name`, if there is one.
pub(crate) fn meant(name: &str) -> Option<String> {
    let commands = Cli::command();
    let names = commands.get_subcommands().map(|command| command.get_name());
    nearest(name, names).map(str::to_owned)
}

/// Returns the message that there is no command `name`.
pub(crate) fn unknown(name: &str) -> String {
    match meant(name) {
        Some(command) => format!("there is no command {name}; did you mean gdvar {command}?"),
        None => format!("there is no command {name}; gdvar -h lists them all"),
    }
}

/// Returns the message that the first word is not a command, if that is the mistake. Clap would take the first word
/// for a file, and report the second word as wrong.
pub(crate) fn no_command(error: &clap::Error) -> Option<String> {
    let (ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand) = error.kind() else {
        return None;
    };
    let command = Cli::command();
    let takes_value = |word: &str| {
        command.get_arguments().any(|arg| {
            let long = arg.get_long().map(|long| format!("--{long}"));
            let short = arg.get_short().map(|short| format!("-{short}"));
            let is_it = [long, short].iter().flatten().any(|name| name == word);
            is_it && arg.get_action().takes_values()
        })
    };
    let mut words = std::env::args().skip(1);
    let word = loop {
        let word = words.next()?;
        match word.starts_with('-') {
            true if takes_value(&word) => drop(words.next()),
            true => {}
            false => break word,
        }
    };
    let is_command = command.find_subcommand(&word).is_some() || word == "help";
    (!is_command && !is_file(Path::new(&word))).then(|| unknown(&word))
}
