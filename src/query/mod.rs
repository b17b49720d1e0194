//! Queries over all games: every position, games that reach a position or match a search, the shortest game to a
//! position, and the moves played in one.

mod batches;
mod book;
mod build_index;
mod context;
mod duplicates;
mod explore;
mod explored_position;
mod explorer;
mod final_material;
mod find;
mod games_page;
mod games_with_texts;
mod indexed;
mod line_tree;
mod names;
mod novelty;
mod openings;
mod played;
mod polyglot;
mod prepare;
mod repertoire;
mod scan;
mod search;
mod shortest_through;
mod top;
mod watch;

#[cfg(feature = "web")]
pub(crate) use self::names::{EventGames, event_games, event_names, occasions};
pub(crate) use self::{batches::in_batches, names::Occasion, top::Top};
pub use self::{
    book::{Book, BookGame, BookMove, BookOptions, RatingGroups, book},
    build_index::{IndexReport, IndexReports, RecordedParts, build_index, renew_index, repair_index},
    context::{Context, FindProgress, Watch},
    duplicates::{Difference, Marked, NearDuplicate, NearDuplicates, near_duplicates},
    explore::{
        Exploration, ExploredMove, OpeningName, Tally, Transposition, explore, explore_with_transpositions,
    },
    explored_position::ExploredPosition,
    explorer::Explorer,
    final_material::final_material,
    find::{
        Hit, HitSummary, Hits, Reached, Target, by_replay, count_reaching, games_reaching, hit_summaries,
        hits,
    },
    games_page::{Cursor, GamesPage, NoCursor, early_page, first_page, page_at, page_by_id, page_of},
    games_with_texts::{TextSearch, games_with_texts},
    indexed::{KnownOpenings, PositionIndex},
    line_tree::{ComparedMove, LineMove, LineTree, Rare, TreeOptions, continuations, line_tree},
    names::{MatchedNames, all_names},
    novelty::{
        Compared, ComparedGame, GameOrder, Novelties, Novelty, NoveltyOptions, NoveltyQueue, OtherGames,
    },
    openings::{
        OpeningCount, each_opening, games_with_opening, known_opening_games, opening_counts,
        openings_of_games,
    },
    played::{NamedGame, each_game, each_length, each_played, years_of},
    polyglot::{PolyglotBook, PolyglotEntry, PolyglotOptions},
    prepare::{Preparation, PrepareOptions, prepare},
    repertoire::{
        Departure, DepartureKind, DepartureSums, Departures, DeparturesWanted, Repertoire, RepertoireError,
        departures, each_departure,
    },
    scan::{ScanTotals, ScannedPosition, scan},
    search::{
        Course, Line, Match, MaterialRange, MovesRun, Pattern, RankContent, Search, SquareContent, Step,
        StepWay, TrailIndex, games_matching,
    },
    shortest_through::{GameReaching, shortest_through},
};
pub(crate) use crate::record::performance;
pub use crate::{
    chess::{SearchPosition, TargetPosition, TargetPositionError},
    record::{BestGame, GameSums, RatingSum, Results, opening_of},
};
