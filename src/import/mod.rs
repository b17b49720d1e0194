//! Importing PGN and the records of other games: read → parse and encode on all cores → one writer.
//!
//! The archive does not depend on the number of threads: one reader splits the games in order, and one writer stores
//! them in the same order.

mod archives;
mod error;
mod format;
mod index;
mod memory_budget;
mod options;
mod parse;
mod part_sink;
mod pipeline;
mod protect;
mod read_games;
mod recorder;
mod recording;
mod rejects;
mod report;
mod resume;
mod source_reader;
mod workers;
mod writer;

pub use error::ImportError;
pub(crate) use index::{build_indexes, go_on};
pub use options::{IndexProgress, Options, Progress};
pub use part_sink::PartSink;
pub use pipeline::{import_into_sink, import_paths, import_with_progress, source_names};
pub use protect::with_sources;
pub use read_games::{ReadGame, ReadGamesError, read_games, read_games_of_text};
pub(crate) use recorder::Recorder;
pub(crate) use recording::RecordingOptions;
pub use report::{ImportProblem, Report, Unconfirmed};
pub use resume::{KnownSourceReport, ResumeOutcome};
