//! `completions`, `man`, `options`: print descriptions of the command line.

use std::{io, path::PathBuf};

use clap::{Args, CommandFactory, builder::StyledStr};
use clap_complete::Shell;

use crate::{app::App, cli::Cli, help, save::output::Output};

#[derive(Args, Debug)]
#[command(after_help = "\
Install them once:
  bash  gdvar completions bash > ~/.local/share/bash-completion/completions/gdvar
  zsh   gdvar completions zsh > ~/.zfunc/_gdvar          with ~/.zfunc in fpath
  fish  gdvar completions fish > ~/.config/fish/completions/gdvar.fish")]
pub(crate) struct CompletionsArgs {
    /// Which shell
    shell: Shell,
}

#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  gdvar man | man -l -
  gdvar man --dir ~/.local/share/man/man1")]
pub(crate) struct ManArgs {
    /// Write a page for every command into a folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// The commands that take paths of values.
const VERBS: &str = "get|view|gron|edit|explain|hex|set|del|insert|append|rename-key";

/// Returns the options that take a value, except `--path`, as a shell pattern: `--color|--dialect`.
fn options_with_values() -> String {
    let command = help::plain_command();
    let all = command
        .get_subcommands()
        .chain([&command])
        .flat_map(|command| command.get_arguments());
    let valued = all.filter(|arg| arg.get_action().takes_values() && !arg.is_positional());
    // Leaves out single letters, because a letter may be a flag of another command. Leaves out --path, because its
    // value is completed.
    let long = valued
        .filter_map(|arg| arg.get_long())
        .filter(|&long| long != "path");
    let long = long.map(|long| format!("--{long}"));
    let mut names: Vec<_> = long
        .chain(["-d", "-f", "-o", "-r"].map(str::to_owned))
        .collect();
    names.sort();
    names.dedup();
    names.join("|")
}

/// Replaces the placeholders in a completion script by the names of commands and options.
fn filled(script: &str) -> String {
    script
        .replace("@VERBS@", VERBS)
        .replace("@OPTIONS@", &options_with_values())
}

/// A function that is appended to the generated completions for bash. It completes the paths of values in the file that
/// the command line names.
const BASH: &str = r#"
_gdvar_with_paths() {
    local file= word cur="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
    case "${COMP_WORDS[1]}" in
        @VERBS@)
            for word in "${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
                word="${word#[\"\']}"
                word="${word%[\"\']}"
                [[ -f $word ]] && file="$word"
            done
            ;;
    esac
    case "$before" in
        # The value of an option, and of path=value.
        @OPTIONS@ | =) file= ;;
    esac
    if [[ -z $file || $cur == -* ]]; then
        _gdvar "$@"
        return
    fi
    local IFS=$'\n'
    COMPREPLY=($(gdvar complete-path "$file" "${cur#[\"\']}" 2>/dev/null))
    compopt -o nospace 2>/dev/null
}

complete -F _gdvar_with_paths -o bashdefault -o default gdvar
"#;

/// A function that is inserted into the generated completions for zsh, after their first line. It completes the paths
/// of values in the file that the command line names.
const ZSH: &str = r#"
_gdvar() {
    local file= word
    case "$words[2]" in
        @VERBS@)
            for word in "${(@Q)words[3,CURRENT-1]}"; do
                [[ -f $word ]] && file="$word"
            done
            ;;
    esac
    case "$words[CURRENT-1]" in
        @OPTIONS@) file= ;;
    esac
    if [[ -z $file || $PREFIX == -* || $PREFIX == *=* ]]; then
        _gdvar_options "$@"
        return
    fi
    compadd -S '' -- ${(f)"$(gdvar complete-path "$file" "${(Q)PREFIX}" 2>/dev/null)"}
}
"#;

pub(crate) fn completions(app: &mut App, args: &CompletionsArgs) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut help::plain_command(), "gdvar", &mut script);
    match args.shell {
        Shell::Bash => {
            app.raw(&script)?;
            app.raw(filled(BASH).as_bytes())
        }
        Shell::Zsh => {
            let script = String::from_utf8_lossy(&script);
            // The shell calls our function, which calls the generated one.
            let theirs = script.replacen("\n_gdvar() {", "\n_gdvar_options() {", 1);
            let (head, body) = theirs.split_once('\n').unwrap_or((&theirs, ""));
            app.raw(format!("{head}\n{}\n{body}", filled(ZSH)).as_bytes())
        }
        _ => app.raw(&script),
    }
}

pub(crate) fn man(app: &mut App, args: &ManArgs) -> io::Result<()> {
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(help::plain_command()).render(&mut page)?;
        return app.raw(&page);
    };
    if let Err(error) = std::fs::create_dir_all(dir) {
        return app.cannot_write(dir, &error);
    }
    let mut command = help::plain_command().disable_help_subcommand(true);
    command.build();
    let mut left = vec![command];
    while let Some(command) = left.pop() {
        let shown = { command.get_subcommands() }.filter(|command| !command.is_hide_set());
        left.extend(shown.cloned());
        let man = clap_mangen::Man::new(command);
        let path = dir.join(man.get_filename());
        let mut page = Vec::new();
        man.render(&mut page)?;
        if let Err(error) = Output::write(app, Some(&path), Vec::new(), &page) {
            return app.cannot_write(&path, &error);
        }
    }
    app.note(&format!("{}: pages written", dir.display()))
}

/// Runs `options`: prints the help of the options that every command has.
pub(crate) fn options(app: &mut App) -> io::Result<()> {
    let mut command = Cli::command()
        .about("Options that go with every command")
        .override_usage("gdvar COMMAND … [OPTIONS]")
        .after_help(StyledStr::new())
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{options}")
        .mut_args(|arg| {
            let is_positional = arg.is_positional();
            arg.hide(is_positional).help_heading(None::<&str>)
        });
    let help = command.render_long_help();
    app.raw(help.to_string().as_bytes())
}
