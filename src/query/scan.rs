//! Every position of every chess game, replayed on all cores with an incremental Zobrist key.

use std::ops::ControlFlow;

use shakmaty::Position;

use crate::{
    archive::{Archive, ArchiveError, Filter, in_batches},
    chess::{Bitboard, Board, Color, Keyed, Move, QuickChess, RunningKey, TargetPosition, VariantPosition},
    record::{GameId, StoredMoves},
    rules::Rules,
};

/// A position of a stored game.
#[derive(Clone, Copy, Debug)]
pub struct ScannedPosition<'a> {
    /// The game.
    pub game: GameId,
    /// The ply of the position.
    pub ply: usize,
    /// The pieces.
    pub board: &'a Board,
    /// The side to move.
    pub turn: Color,
    /// The rooks with castling rights.
    pub castling: Bitboard,
    /// The Polyglot key: board, side, castling, and the en passant square if the capture is legal.
    pub key: u64,
}

impl ScannedPosition<'_> {
    /// Whether it is one of the target positions.
    pub fn is_one_of(&self, sought: &TargetPosition) -> bool {
        sought.has(self.board, self.turn, self.castling, self.key)
    }
}

/// The extent of a scan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanTotals {
    /// Games replayed.
    pub games: u64,
    /// Positions processed, including the start positions.
    pub positions: u64,
    /// Games that are damaged; their positions before the damage have been processed.
    pub damaged: u64,
}

/// Calls `each` on all cores with every position of the games that match a filter: games in any order, the positions of
/// a game in sequence.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use plybook::{archive::{Archive, Filter}, import::{Options, import_paths}, query};
///
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("games.db");
/// # import_paths(&path, &["data/famous.pgn".into()], &Options::default())?;
/// let archive = Archive::open(&path)?;
/// let after_e4 = AtomicU64::new(0);
/// let extent = query::scan(&archive, &Filter::default(), |position| {
///     if position.key == 0x823c_9b50_fd11_4196 {
///         after_e4.fetch_add(1, Relaxed);
///     }
/// })?;
/// assert_eq!(extent.games, archive.count()?);
/// println!("{} of {} games begin with 1. e4", after_e4.into_inner(), extent.games);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// An SQLite error.
pub fn scan(
    archive: &Archive,
    filter: &Filter,
    each: impl Fn(&ScannedPosition<'_>) + Sync,
) -> Result<ScanTotals, ArchiveError> {
    let mut totals = ScanTotals::default();
    in_batches(
        archive.moves(filter),
        |games| scan_games(&games, &each),
        |part| {
            totals = totals.plus(part);
            ControlFlow::Continue(())
        },
    )?;
    Ok(totals)
}

impl ScanTotals {
    fn plus(self, other: ScanTotals) -> ScanTotals {
        ScanTotals {
            games: self.games + other.games,
            positions: self.positions + other.positions,
            damaged: self.damaged + other.damaged,
        }
    }
}

fn scan_games(games: &[StoredMoves], each: &impl Fn(&ScannedPosition<'_>)) -> ScanTotals {
    let mut extent = ScanTotals::default();
    for game in games {
        let mut positions = 0;
        let mut count = |position: &ScannedPosition<'_>| {
            positions += 1;
            each(position);
        };
        let whole = match game.start() {
            Ok(VariantPosition::Chess(start)) => scan_game(game, QuickChess::from(&start), &mut count),
            Ok(start) => scan_game(game, start, &mut count),
            Err(_) => None,
        };
        extent = extent.plus(ScanTotals { games: 1, positions, damaged: u64::from(whole.is_none()) });
    }
    extent
}

/// `None` if the game is damaged.
fn scan_game<P: Rules<Move = Move> + Keyed>(
    game: &StoredMoves,
    start: P,
    each: &mut impl FnMut(&ScannedPosition<'_>),
) -> Option<()> {
    let mut key = RunningKey::of(&start);
    let mut ply = 0;
    let scanned = game.replay(start).ok()?.run(|position, m| {
        let (board, turn) = (position.board(), Position::turn(position));
        if let Some(m) = m {
            key.advance(m, position);
            ply += 1;
        }
        let castling = position.castles().castling_rights();
        each(&ScannedPosition { game: game.id, ply, board, turn, castling, key: key.get() });
        ControlFlow::Continue(())
    });
    scanned.ok().map(|_| ())
}
