//! The command line, one file per subcommand. Each parses its arguments, calls the library and prints the result.
//!
//! Exit codes: 0 success; 1 something was rejected or not found; 2 the command failed; 130 the command was interrupted.

/// A group of commands: the enum that clap parses into, and a method that runs the parsed command.
macro_rules! commands {
    ($(#[doc = $about:literal])* enum $group:ident {
        $($(#[cfg($($when:tt)*)])? $(#[command($($below:tt)*)])? $name:ident($command:ty),)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, clap::Subcommand)]
        pub(in crate::cli) enum $group {
            $($(#[cfg($($when)*)])? $(#[command($($below)*)])? $name(crate::cli::arranged::Arranged<$command>),)*
        }

        impl $group {
            pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
                match self {
                    $($(#[cfg($($when)*)])? $group::$name(command) => command.0.run().map(Into::into),)*
                }
            }
        }
    };
}

mod advice;
mod annotate;
mod answer;
mod archive_arg;
mod arranged;
mod backup;
mod board;
mod book;
mod catalogue;
mod codecs;
mod completions;
mod duplicates;
mod edit;
mod explore;
mod export;
mod filter;
mod filters;
mod find;
mod game;
mod games;
mod generate;
mod groups;
mod import;
mod index;
mod info;
mod interrupt;
mod man;
mod merge;
mod migrate;
mod names;
mod novelty;
mod pages;
mod path;
mod picture;
mod position;
mod position_arg;
mod prepare;
mod reading;
mod recompress;
mod rejects;
mod repertoire;
mod report;
mod requested_games;
mod retry;
mod salvage;
#[cfg(feature = "web")]
mod serve;
mod show;
mod split;
mod sql;
mod stats;
mod step;
mod terminal;
mod verify;
mod xelto;

use std::{ffi::OsString, process::ExitCode};

use clap::{CommandFactory, FromArgMatches, Parser};

use answer::with_format;
use archive_arg::{ArchiveArg, OneArchiveArg};

/// Keep chess games in one small file, and find any game or position in it
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:
  plybook import games.pgn.zst                import a collection into plybook.db
  plybook games --player kasparov --date 1999 list games
  plybook show 1 --ply 12w                    show a position of game 1
  plybook board '1. e4 c5' --format svg       draw a position
  plybook stats                               measure how few bits games take
  plybook position compare '1. e4 c5'         encode a position in every way
  plybook export --eco B90 > najdorf.pgn      write games as PGN

plybook help filters describes the options that select games.

The archive is plybook.db in the current directory, unless -a FILE or the environment variable PLYBOOK_ARCHIVE
names another one.

In text for people, control characters and invisible characters from tags, comments and file names are escaped
(\\u{1b}). JSON, CSV, PGN and FEN contain them as those formats require.

Exit codes: 0 success; 1 something was rejected or not found; 2 failure; 130 interrupted with Ctrl-C."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

commands! {
    // In the order of the groups: shells complete them so.
    enum Command {
        Import(import::Import),
        Add(edit::Add),
        Rejects(rejects::Rejects),
        Retry(retry::Retry),
        Merge(merge::Merge),
        Copy(edit::Copy),
        Split(split::Split),
        Catalogue(catalogue::CatalogueArgs),
        Edit(edit::Edit),
        Tag(edit::Tag),
        Comment(edit::CommentArgs),
        Glyph(edit::Glyph),
        Remove(edit::Remove),
        Log(edit::Log),
        Undo(edit::Undo),
        Redo(edit::Redo),
        Games(games::Games),
        Names(names::Names),
        Duplicates(duplicates::Duplicates),
        Show(show::Show),
        Board(board::Board),
        Info(info::Info),
        #[cfg(feature = "web")]
        Serve(serve::Serve),
        Find(find::Find),
        Sql(sql::Sql),
        Explore(explore::Explore),
        Report(report::Report),
        Prepare(prepare::PrepareArgs),
        Repertoire(repertoire::RepertoireArgs),
        Novelty(novelty::Novelty),
        Annotate(annotate::AnnotateArgs),
        Export(export::Export),
        Book(book::BookArgs),
        Index(index::Index),
        Verify(verify::Verify),
        Backup(backup::Backup),
        Salvage(salvage::Salvage),
        Migrate(migrate::Migrate),
        Recompress(recompress::Recompress),
        Compact(edit::Compact),
        Completions(completions::Completions),
        Man(man::ManArgs),
        Stats(stats::Stats),
        Codecs(codecs::Codecs),
        #[command(subcommand)]
        Position(position::Position),
        #[command(subcommand)]
        Game(game::Game),
        Path(path::Path),
        Generate(generate::Generate),
        #[command(subcommand)]
        Xelto(xelto::Xelto),
        Filters(filters::Filters),
    }
}

impl Command {
    /// Whether the command handles Ctrl-C itself.
    fn has_own_end(&self) -> bool {
        #[cfg(feature = "web")]
        if matches!(self, Command::Serve(_)) {
            return true;
        }
        matches!(
            self,
            Command::Import(_) | Command::Split(_) | Command::Merge(_) | Command::Sql(_) | Command::Show(_)
        )
    }
}

/// How a successful command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ExitStatus {
    /// Everything succeeded.
    Complete,
    /// Something was rejected or not found.
    Partial,
}

/// A command that either succeeds or fails.
impl From<()> for ExitStatus {
    fn from((): ()) -> ExitStatus {
        ExitStatus::Complete
    }
}

impl ExitStatus {
    fn complete_if(complete: bool) -> ExitStatus {
        if complete { ExitStatus::Complete } else { ExitStatus::Partial }
    }
}

/// The command line, as help, completions and manual pages describe it.
fn command() -> clap::Command {
    arranged::build_all(program)
}

/// The command line, with the arguments of all commands or of those that are parsed.
fn program() -> clap::Command {
    let command = Cli::command().arg(archive_arg::before_command());
    let template = groups::help_template(&command);
    command.help_template(template)
}

/// Parses the arguments of this process. Reports errors, and returns the exit code for them.
fn parse() -> Result<Cli, ExitCode> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let mut command = if arranged::needs_all(&arguments) { command() } else { program() };
    let arguments = archive_arg::behind_command(arguments, &command);
    let arguments = with_format(arguments, &command).map_err(|error| {
        terminal::tell_error("", &error);
        ExitCode::from(2)
    })?;
    let matches = command.try_get_matches_from_mut(&arguments);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
        let code = u8::try_from(error.exit_code()).unwrap_or(2);
        advice::report_usage(error, &command, &arguments);
        ExitCode::from(code)
    })
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    interrupt::report_size_limit();
    if !cli.command.has_own_end() {
        interrupt::end_at_once();
    }
    match cli.command.run() {
        Ok(ExitStatus::Complete) => ExitCode::SUCCESS,
        Ok(ExitStatus::Partial) => ExitCode::from(1),
        Err(error) if terminal::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            terminal::tell_error("", &error);
            ExitCode::from(2)
        }
    }
}
