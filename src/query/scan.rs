//! Every position of every chess game, replayed on all cores with an incremental Zobrist key; and the ply at which a
//! game first reaches a position.

use std::ops::ControlFlow;

use shakmaty::Position;

use super::find::Target;
use crate::{
    archive::{Archive, Filter, Result, in_batches},
    chess::{Bitboard, Board, Color, Keyed, Move, QuickChess, RunningKey, TargetPosition, VariantPosition},
    record::{GameError, GameId, StoredMoves},
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
pub fn scan(
    archive: &Archive,
    filter: &Filter,
    each: impl Fn(&ScannedPosition<'_>) + Sync,
) -> Result<ScanTotals> {
    let mut totals = ScanTotals::default();
    in_batches(
        archive.moves(filter),
        |games| scan_games(&games, &each),
        |part| {
            totals.games += part.games;
            totals.positions += part.positions;
            totals.damaged += part.damaged;
            Ok(())
        },
    )?;
    Ok(totals)
}

fn scan_games(games: &[StoredMoves], each: &impl Fn(&ScannedPosition<'_>)) -> ScanTotals {
    let mut extent = ScanTotals::default();
    for game in games {
        let replayed = follow(game, |position, _| {
            extent.positions += 1;
            each(position);
            ControlFlow::Continue(())
        });
        extent.games += 1;
        extent.damaged += u64::from(replayed.is_err());
    }
    extent
}

/// Replays a game: `each` receives every position and the move that led there, until it breaks.
///
/// # Errors
/// The game is damaged; the positions before the damage have been processed.
pub(super) fn follow(
    game: &StoredMoves,
    each: impl FnMut(&ScannedPosition<'_>, Option<Move>) -> ControlFlow<()>,
) -> Result<(), GameError> {
    match game.start()? {
        VariantPosition::Chess(start) => follow_from(QuickChess::from(&start), game, each),
        start => follow_from(start, game, each),
    }
}

fn follow_from<P: Rules<Move = Move> + Keyed>(
    start: P,
    game: &StoredMoves,
    mut each: impl FnMut(&ScannedPosition<'_>, Option<Move>) -> ControlFlow<()>,
) -> Result<(), GameError> {
    let (mut key, mut ply) = (RunningKey::of(&start), 0);
    let replayed = game.replay(start)?.run(|position, m| {
        let (board, turn) = (position.board(), Position::turn(position));
        if let Some(m) = m {
            key.advance(m, position);
            ply += 1;
        }
        let castling = position.castles().castling_rights();
        each(&ScannedPosition { game: game.id, ply, board, turn, castling, key: key.get() }, m)
    });
    replayed.map(|_| ()).map_err(|error| GameError::Moves(game.id, error))
}

impl Target for TargetPosition {
    /// The game is replayed only as far as it can still reach the position.
    fn first_ply(&self, game: &StoredMoves) -> Result<Option<usize>, GameError> {
        if !self.is_of(game.variant) {
            return Ok(None);
        }
        match game.start()? {
            VariantPosition::Chess(start) => first_ply_from(QuickChess::from(&start), game, self),
            start => first_ply_from(start, game, self),
        }
    }
}

fn first_ply_from<P: Rules<Move = Move> + Keyed>(
    start: P,
    game: &StoredMoves,
    sought: &TargetPosition,
) -> Result<Option<usize>, GameError> {
    let (mut ply, mut first) = (0, None);
    let replayed = game.replay(start)?.run(|position, m| {
        ply += usize::from(m.is_some());
        // Boards are compared, not keys: a comparison costs less than keeping a key up to date after every move.
        first = sought.is_at(position).then_some(ply);
        if first.is_some() || sought.is_behind(position) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    replayed.map(|_| first).map_err(|error| GameError::Moves(game.id, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::{Variant, move_list},
        codec::{
            CodecId,
            game::{self, GameMoves},
        },
        record::Ply,
        rules::Outcome,
    };

    /// The knights go out and back twice, then a pawn is captured.
    const MOVES: &str = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 d5 6. exd5 Qxd5 7. a3";

    fn stored(moves: &str) -> StoredMoves {
        let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(moves).unwrap();
        let (start, plies) = (Variant::Standard.start(), moves.len());
        let line = GameMoves { start, moves, outcome: Outcome::Unknown };
        // One byte per move: the first moves stay valid if the last byte is removed.
        let moves = game::byte::BYTE.encode(&line).unwrap().bits.into_bytes();
        let (variant, codec) = (Variant::Standard, CodecId::Byte);
        StoredMoves { id: 1, variant, codec, moves, plies, result: Outcome::Unknown, setup: None }
    }

    fn at(game: &StoredMoves, ply: usize) -> TargetPosition {
        use shakmaty::{EnPassantMode, Position};
        let position = game.position_at(Ply::After(ply)).unwrap();
        TargetPosition::new(&position.to_setup(EnPassantMode::Always)).unwrap()
    }

    #[test]
    fn the_first_visit_is_found() {
        let game = stored(MOVES);
        let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(MOVES).unwrap();
        for ply in 0..=moves.len() {
            let sought = at(&game, ply);
            // The slow way: compare every position of the game with this one.
            let whole = game.position_at(Ply::After(ply)).unwrap();
            let first = (0..=moves.len()).find(|at| game.position_at(Ply::After(*at)).unwrap() == whole);
            assert_eq!(sought.first_ply(&game).unwrap(), first);
        }
        let elsewhere = at(&stored("1. e4 e5"), 2);
        assert_eq!(elsewhere.first_ply(&game).unwrap(), None);
    }

    #[test]
    fn a_game_is_replayed_no_further_than_necessary() {
        let mut game = stored(MOVES);
        let (first, last) = (at(&game, 3), at(&game, 13));
        game.moves.truncate(5);
        assert_eq!(first.first_ply(&game).unwrap(), Some(3));
        assert!(last.first_ply(&game).is_err());
    }

    #[test]
    fn games_of_other_variants_are_not_hits() {
        let mut game = stored(MOVES);
        let sought = at(&game, 0);
        game.variant = Variant::Chess960;
        assert_eq!(sought.first_ply(&game).unwrap(), Some(0));
        game.variant = Variant::KingOfTheHill;
        assert_eq!(sought.first_ply(&game).unwrap(), None);
        let setup = shakmaty::Setup::initial();
        let sought = TargetPosition::of_variant(Variant::KingOfTheHill, &setup).unwrap();
        assert_eq!(sought.first_ply(&game).unwrap(), Some(0));
    }
}
