//! Answers as data and text, for every front end: the command line, a server, SQL, another language.
//!
//! [`request`](crate::request) and [`conditions`](crate::conditions) read what is asked for, in words. Each answer is then one call: a type that serializes to JSON
//! and, where people read it too, writes itself as text. Lists have [formats](list) of their own. Nothing here
//! knows a command line, a terminal or a network; no answer names a command or an option.

mod annotate;
mod annotated_game;
mod archive_info;
mod archive_overview;
mod blocks;
mod board_picture;
mod book;
mod branch;
mod chart;
mod codecs;
mod comment_commands;
mod comparison;
mod encoded_game;
mod encoded_position;
mod error;
mod explore;
mod export;
mod export_lines;
mod export_rows;
mod find;
mod game;
mod game_tree;
mod games;
mod games_page;
pub mod list;
mod markdown;
mod matched_names;
mod movetext;
mod named_games;
mod names;
mod novelty;
mod numbered;
mod prepare;
mod proof_game;
mod repertoire;
mod report;
mod sql;
mod stacked;
mod stats;
mod unknown_name;

pub use annotate::{Annotate, AnnotateOptions, GameToAnnotate};
pub use archive_info::{ArchiveInfo, VariantGames, archive_info};
pub use archive_overview::{ArchiveOverview, SourceOverview, archive_overview};
pub use board_picture::{BoardPicture, Brush, Shape, Theme, shapes_of};
pub use book::{
    BookAnswer, BookGameAnswer, BookRequest, Dialect, ListedGame, MonthAnswer, MoveAnswer, PlayerAnswer,
    book_answer, public_id, read_public_id,
};
pub use codecs::{CodecBits, CodecEntry, codecs};
pub use comparison::{Cost, GameCost, PositionCost, compare_game, compare_position};
pub use encoded_game::{GameStart, decode_game, encode_game, game_prefix};
pub use encoded_position::{decode_position, encode_position};
pub use error::PresentError;
pub use explore::{ExploredPosition, explore, line_tree, write_exploration, write_line_tree};
pub use export::{Export, ExportCounts, GameForm, game_pgn};
pub use export_lines::LineForm;
pub use export_rows::{
    ListRows, MovesForm, Partition, PartitionKey, PositionForm, RowsOf, export_rows, partitions,
};
pub use find::{FoundFormat, FoundGame, FoundWriter};
pub use game::{
    ChessPly, ChessReplay, GameAnswer, LastMove, Replay, ShownPly, XeltoPly, game, replay, write_xelto_board,
};
pub use game_tree::{GameTree, TreeLine, TreeMove, game_tree};
pub use games::{games, known_date, write_games, write_ids};
pub use games_page::{Cursor, GamesPage, first_page, page_by_id, page_of, sorted_games};
pub use matched_names::MatchedNames;
pub use movetext::{Movetext, MovetextItem, MovetextMove, Place, ShownPosition};
pub use named_games::{NamedGame, write_named_games};
pub use names::names;
pub use novelty::{AskedGame, GameHead, KnownGame, NoveltyList, NoveltyRow};
pub use prepare::PreparationAnswer;
pub use proof_game::{ProofGame, ReachingGame, progress_text, proof_game_target, reaching_game};
pub use repertoire::{
    DepartureRow, DeparturesWanted, GameDeparture, RepertoireAnswer, write_game_departures,
};
pub use report::{
    CrosstableRow, OverviewRow, PictureWords, PlayerRow, band_name, crosstable_rows, difference_name,
    length_name, overview_picture, overview_rows, period_name, player_picture, player_rows, reported_player,
    write_crosstables, write_overview, write_player_report,
};

pub use sql::write_sql;
pub use stats::{
    ArchiveSizes, BitSpread, CodecLengths, CodecPositions, GameLengths, HistogramBar, HuffmanSymbol,
    HuffmanTable, KindLengths, OpeningGames, PlyPositions, PositionStats, PositionsRow, SizePart,
    archive_sizes, codec_lengths, game_lengths, opening_games, position_stats,
};
pub use unknown_name::UnknownName;

pub use crate::{
    chess::{BoardStyle, board, board_of_setup},
    conditions::FilterText,
    request::{PositionText, RequestError},
};
