//! `completions`, `man`, `options`: what the command line says about itself.

use std::{
    io,
    path::{Path, PathBuf},
};

use clap::{Args, CommandFactory, builder::StyledStr};
use clap_complete::Shell;

use crate::{app::App, args::Cli, exit::Exit};

/// The arguments of `completions`.
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

/// The arguments of `man`.
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

/// Runs `completions`.
pub(crate) fn completions(app: &mut App, args: &CompletionsArgs) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "gdvar", &mut script);
    app.raw(&script)
}

/// Runs `man`.
pub(crate) fn man(app: &mut App, args: &ManArgs) -> io::Result<()> {
    let Some(dir) = &args.dir else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        return app.raw(&page);
    };
    match pages(dir) {
        Ok(()) => app.note(&format!("{}: pages written", dir.display())),
        Err(error) => {
            app.exit.merge(Exit::Io);
            app.error(&format!("{}: {error}", dir.display()))
        }
    }
}

fn pages(dir: &Path) -> io::Result<()> {
    std::fs::create_dir_all(dir)?;
    clap_mangen::generate_to(Cli::command().disable_help_subcommand(true), dir)
}

/// Runs `options`: the page of the options that go with every command.
pub(crate) fn options(app: &mut App) -> io::Result<()> {
    let mut command = Cli::command()
        .about("Options that go with every command")
        .override_usage("gdvar COMMAND … [OPTIONS]")
        .after_help(StyledStr::new())
        .help_template("{about}\n\n{usage-heading} {usage}\n\n{options}");
    let ids: Vec<_> = command
        .get_arguments()
        .map(|arg| arg.get_id().clone())
        .collect();
    for id in ids {
        command = command.mut_arg(id, |arg| {
            let positional = arg.is_positional();
            arg.hide_short_help(false)
                .hide_long_help(false)
                .hide(positional)
                .help_heading(None::<&str>)
        });
    }
    let help = command.render_long_help();
    app.raw(help.to_string().as_bytes())
}
