//! Queries over all games: every position, games that reach a position or match a search, the shortest game to a
//! position, and the moves played in one.

mod all_names;
mod book;
mod build_index;
mod continuations;
mod each_game;
mod explore;
mod explored_position;
mod explorer;
mod final_material;
mod find;
mod followed;
mod games_page;
mod games_with_opening;
mod games_with_texts;
mod hit;
mod hit_summaries;
mod index_plan;
mod indexed;
mod line_tree;
mod matched_names;
mod novelty;
mod opening_counts;
mod openings_of_games;
mod played;
mod polyglot;
mod prepare;
mod repertoire;
mod results;
mod scan;
mod search;
mod shortest_through;
mod watch;
mod years;

pub use all_names::all_names;
pub use book::{Book, BookGame, BookMonth, BookMove, BookOptions, RatingGroups, book};
pub use build_index::{IndexReport, build_index, build_trails, renew_index};
pub use continuations::continuations;
pub use each_game::{NamedGame, each_game};
pub use explore::{
    BestGame, Exploration, ExploredMove, GameSums, NoSuchMove, OpeningName, RatingSum, Tally, Transposition,
    explore, explore_by_scan, explore_with_transpositions,
};
pub(crate) use explore::{performance, rounded};
pub use explored_position::ExploredPosition;
pub use explorer::Explorer;
pub use final_material::final_material;
pub use find::{FindProgress, Hit, Hits, Reached, Target, by_replay, count_reaching, games_reaching, hits};
pub use games_page::{Cursor, GamesPage, NoCursor, early_page, first_page, page_by_id, page_of};
pub use games_with_opening::games_with_opening;
pub use games_with_texts::{TextSearch, games_with_texts};
pub use hit::first_ply;
pub use hit_summaries::hit_summaries;
pub use indexed::{KnownOpenings, PositionIndex};
pub use line_tree::{LineMove, LineTree, TreeOptions, line_tree};
pub use matched_names::MatchedNames;
pub use novelty::{
    Compared, ComparedGame, GameOrder, Novelties, Novelty, NoveltyOptions, NoveltyProgress, NoveltyQueue,
    OtherGames,
};
pub use opening_counts::{OpeningCount, known_opening_games, opening_counts};
pub use openings_of_games::openings_of_games;
pub use played::each_played;
pub use polyglot::{PolyglotBook, PolyglotEntry, PolyglotOptions};
pub use prepare::{Preparation, PrepareOptions, PreparedMove, Rare, prepare};
pub use repertoire::{
    Departure, DepartureKind, DepartureSums, Departures, DeparturesWanted, Repertoire, RepertoireError,
    departures, each_departure,
};
pub use results::Results;
pub use scan::{ScanTotals, ScannedPosition, scan};
pub use search::{
    Course, Line, Match, MaterialRange, MovesRun, Pattern, RankContent, Search, SquareContent, Step, StepWay,
    TrailIndex, games_matching,
};
pub use shortest_through::{GameReaching, shortest_through};
pub use years::years_of;

pub use crate::{
    chess::{SearchPosition, TargetPosition, TargetPositionError},
    record::opening_of,
};
