//! Importing games from sources of all kinds: read → parse and encode on all cores → one writer.
//!
//! The archive does not depend on the number of threads: one reader passes on the games of the sources in order, in
//! batches, and one writer stores them in the same order. A kind of source is one file in `source`.

mod condition;
mod error;
mod games;
mod index;
mod memory_budget;
mod options;
mod part_sink;
mod pipeline;
mod protect;
mod read_games;
mod readers;
mod recorder;
mod rejects;
mod report;
mod resume;
mod retry;
mod sink;
mod source;
mod source_reader;
mod text_format;
mod workers;
mod writer;

pub use condition::ImportCondition;
pub use error::ImportError;
use games::Games;
pub(crate) use index::{build_indexes, go_on};
pub use options::{IndexProgress, Options, Progress};
pub use part_sink::PartSink;
pub use pipeline::{import_into_sink, import_paths, import_with_progress, source_names};
pub use protect::with_sources;
pub use read_games::{ReadGame, ReadGamesError, read_games, read_games_of_text};
pub(crate) use recorder::Recorder;
pub use rejects::write_reject;
pub use report::{ImportProblem, Note, Report, Unconfirmed};
pub use resume::{KnownSourceReport, ResumeOutcome};
pub use retry::retry;
