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
            $($(#[cfg($($when)*)])? $(#[command($($below)*)])? $name($command),)*
        }

        impl $group {
            pub(in crate::cli) fn run(self) -> anyhow::Result<ExitStatus> {
                match self {
                    $($(#[cfg($($when)*)])? $group::$name(command) => command.run(),)*
                }
            }
        }
    };
}

mod advice;
mod annotate;
mod answer;
mod archive_arg;
mod asked_games;
mod backup;
mod board;
mod book;
mod catalogue;
mod code_format;
mod codecs;
mod completions;
mod explore;
mod export;
mod filter;
mod filter_options;
mod filters;
mod find;
mod format;
mod format_by_ending;
mod game;
mod games;
mod generate;
mod import;
mod index;
mod info;
mod interrupt;
mod man;
mod merge;
mod migrate;
mod names;
mod novelty;
mod open_index;
mod opening;
mod path;
mod picture;
mod position;
mod position_arg;
mod prepare;
mod repertoire;
mod report;
mod salvage;
#[cfg(feature = "web")]
mod serve;
mod show;
mod split;
mod sql;
mod stats;
mod step;
mod terminal;
mod usage;
mod verify;
mod xelto;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use archive_arg::{ArchiveArg, OneArchiveArg};
use format_by_ending::with_format;

/// A chess game archive: each game one integer in a SQLite file, any position of any game back at once.
#[derive(Debug, Parser)]
#[command(
    version,
    propagate_version = true,
    arg_required_else_help = true,
    after_help = "Examples:
  plybook import games.pgn.zst                import a collection into plybook.db
  plybook games --player kasparov --date 1999 list games
  plybook show 1 --ply 12w                    a position of game 1
  plybook board '1. e4 c5' --format svg       a picture of a position
  plybook stats                               how few bits a game takes
  plybook position compare '1. e4 c5'         a position in every encoding
  plybook export --eco B90 > najdorf.pgn      games as PGN again

Options that choose games are described by: plybook help filters

The archive is plybook.db in the current folder, unless -a names another one, or the variable PLYBOOK_ARCHIVE.

Text for people shows control characters and invisible ones of tags, comments and file names escaped (\\u{1b}),
on a terminal and elsewhere; JSON, CSV, PGN and FEN hold them as their formats do.

Exit codes: 0 done; 1 done, but something was rejected or not found; 2 it could not be done;
130 it was stopped with Ctrl-C."
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

commands! {
    enum Command {
        Import(import::Import),
        Index(index::Index),
        Info(info::Info),
        Show(show::Show),
        Board(board::Board),
        Games(games::Games),
        Names(names::Names),
        Find(find::Find),
        Sql(sql::Sql),
        Explore(explore::Explore),
        Novelty(novelty::Novelty),
        Repertoire(repertoire::RepertoireArgs),
        Prepare(prepare::PrepareArgs),
        Annotate(annotate::AnnotateArgs),
        #[cfg(feature = "web")]
        Serve(serve::Serve),
        Stats(stats::Stats),
        Report(report::Report),
        Export(export::Export),
        Book(book::BookArgs),
        Verify(verify::Verify),
        Migrate(migrate::Migrate),
        Backup(backup::Backup),
        Split(split::Split),
        Merge(merge::Merge),
        Catalogue(catalogue::CatalogueArgs),
        Salvage(salvage::Salvage),
        Codecs(codecs::Codecs),
        #[command(subcommand)]
        Position(position::Position),
        #[command(subcommand)]
        Game(game::Game),
        Path(path::Path),
        Generate(generate::Generate),
        #[command(subcommand)]
        Xelto(xelto::Xelto),
        Completions(completions::Completions),
        Man(man::ManArgs),
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

impl ExitStatus {
    fn complete_if(complete: bool) -> ExitStatus {
        if complete { ExitStatus::Complete } else { ExitStatus::Partial }
    }
}

/// The command line as completions and manual pages describe it.
fn command() -> clap::Command {
    filters::summarized(Cli::command()).arg(archive_arg::before_command())
}

/// Parses the arguments of this process. Reports errors, and returns the exit code for them.
fn parse() -> Result<Cli, ExitCode> {
    let mut command = command();
    let arguments = archive_arg::behind_command(std::env::args_os().collect(), &command);
    let arguments = with_format(arguments, &command);
    let matches = command.try_get_matches_from_mut(&arguments);
    matches.and_then(|matches| Cli::from_arg_matches(&matches)).map_err(|error| {
        let code = u8::try_from(error.exit_code()).unwrap_or(2);
        usage::report(error, &command, &arguments);
        ExitCode::from(code)
    })
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = match parse() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
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
