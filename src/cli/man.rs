//! `plybook man`

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::{Arg, Args, Command};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use super::{
    groups,
    terminal::{self, or_force},
};
use crate::files::{Output, Protected};

/// Print the manual page of plybook, or write those of all commands
///
/// A package of plybook brings them along. They say what --help says.
///
/// Examples:
/// * plybook man | man -l -
/// * plybook man -o ~/.local/share/man/man1
/// * plybook man -o pages --force
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Write a page for plybook and one for each command into this directory, which is made if it is not there
    #[arg(short, long, value_name = "DIRECTORY")]
    output: Option<PathBuf>,
    /// Replace pages that are there
    #[arg(short, long, requires = "output")]
    force: bool,
}

impl ManArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let mut program = super::command().disable_help_subcommand(true);
        // Gives the commands below it their whole names.
        program.build();
        match &self.output {
            Some(folder) => {
                fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                self.write_all(folder, &program)?;
            }
            None => {
                let mut out = terminal::raw_stdout();
                out.write_all(&page(&program)?)?;
                out.flush()?;
            }
        }
        Ok(())
    }

    /// Writes the pages of a command and of those below it.
    fn write_all(&self, folder: &Path, command: &Command) -> anyhow::Result<()> {
        let path = folder.join(Man::new(command.clone()).get_filename());
        let opened = Output::create(&path, self.force, &Protected::default());
        let mut file = opened.map_err(|error| or_force(error, self.force))?;
        file.write_all(&page(command)?)?;
        file.finish()?;
        command.get_subcommands().try_for_each(|below| self.write_all(folder, below))
    }
}

/// The page of a command.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    // What the help leaves to another page, a page does too.
    let shown = |arg: Arg| {
        let is_hidden = arg.is_hide_long_help_set();
        arg.hide(is_hidden)
    };
    let man =
        Man::new(command.clone().mut_args(shown)).source(concat!("plybook ", env!("CARGO_PKG_VERSION")));
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if command.get_arguments().next().is_some() {
        man.render_options_section(&mut page)?;
    }
    if command.get_name() == "plybook" {
        grouped(command).to_writer(&mut page)?;
    } else if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(text) = command.get_after_long_help().or(command.get_after_help()) {
        closing(&text.to_string()).to_writer(&mut page)?;
    }
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// The commands under the headings of their groups, each with its page.
fn grouped(program: &Command) -> Roff {
    let mut roff = Roff::new();
    roff.control("SH", ["COMMANDS"]);
    for (heading, lines) in groups::groups(program) {
        roff.control("SS", [heading]);
        let commands =
            lines.iter().flat_map(|(names, _)| names).filter_map(|name| program.find_subcommand(name));
        for command in commands {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            roff.control("TP", []);
            roff.text([roman(format!("plybook-{}(1)", command.get_name()))]);
            roff.text([roman(about)]);
        }
    }
    roff
}

/// What stands below the options: paragraphs are filled, examples and drawings stay as they are.
fn closing(text: &str) -> Roff {
    let parts = text.split("\n\n").map(|part| match part.split_once('\n') {
        Some(("Examples:", lines)) => ("EXAMPLES", lines),
        _ => ("NOTES", part),
    });
    let mut roff = Roff::new();
    for section in ["NOTES", "EXAMPLES"] {
        let mut begin = ("SH", vec![section]);
        for (_, lines) in parts.clone().filter(|(of, _)| *of == section) {
            roff.control(begin.0, begin.1);
            begin = ("PP", Vec::new());
            let is_drawn = lines.lines().any(|line| line.starts_with(' '));
            if is_drawn {
                roff.control("nf", []);
            }
            for line in lines.lines() {
                roff.text([roman(line)]);
            }
            if is_drawn {
                roff.control("fi", []);
            }
        }
    }
    roff
}
