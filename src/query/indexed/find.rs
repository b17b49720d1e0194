//! Finds and counts the games that match a filter, or reach a position, with the index.

use super::{
    PositionIndex,
    filter_mask::{FilterMask, SegmentFilter, ones},
    range::SegmentReader,
};
use crate::{
    archive::{Archive, Filter, GameSet, Result},
    chess::{
        Bitboard, Board, CastlingSide, Color, File, Piece, Rank, Role, Square, castling_key, en_passant_key,
        men_key, turn_key, whole_key,
    },
    position_index::PositionKeys,
    query::{Context, Reached, SearchPosition, Target, TargetPosition, find::all, in_batches},
    record::{GameId, StoredMoves},
};

impl PositionIndex {
    /// The chess games that match the conditions of a filter and reach a position. The watch receives the number of
    /// games replayed because they are not indexed.
    pub(in crate::query) fn games_reaching(
        &self,
        context: Context<'_>,
        sought: &TargetPosition,
        filter: &Filter,
    ) -> Result<Reached> {
        let archive = context.archive;
        let mask = FilterMask::new(archive, filter)?;
        let (mut found, mut damaged) = (Vec::new(), 0);
        let mut add = |(ids, passed_over): (Vec<GameId>, u64)| {
            found.extend(ids);
            damaged += passed_over;
        };
        let segments = self.ask(archive, |reader| {
            let mask = mask.of_segment(reader)?;
            in_segment(&reader, sought, mask.as_ref())
        })?;
        segments.into_iter().flatten().for_each(&mut add);
        let work = |games: Vec<StoredMoves>| {
            let (mut ids, mut damaged) = (Vec::new(), 0);
            for game in &games {
                match sought.first_ply(game) {
                    Ok(ply) => ids.extend(ply.map(|_| game.id)),
                    Err(_) => damaged += 1,
                }
            }
            (ids, damaged)
        };
        let filters = self.not_indexed(filter);
        let games = filters.iter().flat_map(|filter| archive.moves(filter));
        in_batches(context, games, work, add)?;
        Ok(Reached { games: found.into_iter().collect(), damaged })
    }

    /// The number of games that match the conditions of a filter and reach each of some positions, if every segment can
    /// tell without reading games; otherwise `None`.
    pub(in crate::query) fn known_counts(
        &self,
        archive: &Archive,
        sought: &[TargetPosition],
        filter: &Filter,
    ) -> Result<Vec<Option<u64>>> {
        // Otherwise preparing the filter would be in vain.
        if !self.is_complete() || sought.iter().all(|sought| sought.targets().len() != 1) {
            return Ok(vec![None; sought.len()]);
        }
        // Listing ids only to count them would decode the order of all games. The length of a stored list is known
        // without it: a popular position is counted in some 25 microseconds, replay of one game included.
        let mask = FilterMask::new(archive, filter)?;
        let counts = self.ask(archive, |reader| {
            let mask = mask.of_segment(reader)?;
            sought.iter().map(|sought| known_count(reader, sought, mask.as_ref())).collect()
        })?;
        let counts: Vec<Vec<Option<u64>>> = counts.concat();
        let sum = |place: usize| counts.iter().map(|of| of.get(place).copied().flatten()).sum();
        Ok((0..sought.len()).map(sum).collect())
    }

    /// The games of standard chess and Chess960 that match the conditions of a filter; order, limit and offset are
    /// ignored. The archive is queried for games that are not indexed yet, and for conditions without a column.
    pub fn games_passing(&self, archive: &Archive, filter: &Filter) -> Result<GameSet> {
        let mask = FilterMask::new(archive, filter)?;
        let mut ids = self.ask(archive, |reader| passing_in_segment(&reader, &mask))?.concat().concat();
        for filter in self.not_indexed(&all(filter)) {
            for id in archive.list::<GameId>(&filter) {
                ids.push(id?);
            }
        }
        Ok(ids.into_iter().collect())
    }
}

/// The ids of the games of a segment that match and reach a position, and the number of candidates that are damaged.
fn in_segment(
    reader: &SegmentReader<'_>,
    sought: &TargetPosition,
    mask: Option<&SegmentFilter<'_>>,
) -> Result<(Vec<GameId>, u64)> {
    let (mut ranks, mut rare) = (Vec::new(), Vec::new());
    for target in sought.targets() {
        for keys in keys_of(target) {
            match reader.popular(&target.board, keys.whole)? {
                // A popular list is exact, so none of its games is replayed. The candidates of all other keys are
                // looked up together below: keys of the same board share the postings of its pawn structure.
                Some(position) => position.runs.iter().for_each(|run| match mask {
                    Some(mask) => mask.for_each(run, |rank| ranks.push(rank)),
                    None => ranks.extend(run.ranks()),
                }),
                None => rare.push(keys),
            }
        }
    }
    ranks.sort_unstable();
    ranks.dedup();
    let (popular, mut damaged) = (ranks.len(), 0);
    for rank in reader.candidates(&rare)? {
        // The filter comes first: it is a few loads, a replay with its row from SQLite takes 10 to 15 microseconds.
        let may_be =
            mask.is_none_or(|mask| mask.passes(rank)) && ranks[..popular].binary_search(&rank).is_err();
        if !may_be {
            continue;
        }
        match sought.first_ply(&reader.moves(rank)?) {
            Ok(ply) => ranks.extend(ply.map(|_| rank)),
            Err(_) => damaged += 1,
        }
    }
    Ok((reader.ids(&ranks)?, damaged))
}

/// The same for one position in a segment.
fn known_count(
    reader: SegmentReader<'_>,
    sought: &TargetPosition,
    mask: Option<&SegmentFilter<'_>>,
) -> Result<Option<u64>> {
    // Only a single position with a single key can be counted without reading games. With several keys (mirrored,
    // or the pieces alone) the same game may be in several lists, and must not be counted twice.
    let [target] = sought.targets() else { return Ok(None) };
    let keys = keys_of(target);
    let ([keys], Some(_)) = (keys.as_slice(), target.state) else {
        return Ok(None);
    };
    reader.count_popular(&target.board, keys.whole, mask)
}

impl SegmentReader<'_> {
    /// The number of matching games that reach a position, if it is popular.
    pub(super) fn count_popular(
        &self,
        board: &Board,
        whole: u64,
        mask: Option<&SegmentFilter<'_>>,
    ) -> Result<Option<u64>> {
        let Some(mask) = mask else { return Ok(self.popular_count(board, whole)?.map(u64::from)) };
        // With a filter, the stored count is useless, but the runs are not: the mask is counted over them, still
        // without reading games.
        let popular = self.popular(board, whole)?;
        Ok(popular.map(|popular| popular.runs.iter().map(|run| mask.count(run)).sum()))
    }
}

/// The matching games of a segment, in order.
pub(super) fn passing_in_segment(reader: &SegmentReader<'_>, mask: &FilterMask) -> Result<Vec<GameId>> {
    let (first, order) = (reader.range.stored.first, reader.order()?);
    // Games are stored by move sequence, not by id. Scattering them into a bit set and reading it in order sorts them
    // in linear time.
    let mut bits = vec![0u64; (reader.range.stored.last - first) as usize / 64 + 1];
    mask.in_segment(*reader)?.for_all(|rank| {
        let place = order.get(rank) as usize;
        if let Some(word) = bits.get_mut(place / 64) {
            *word |= 1 << (place % 64);
        }
    });
    let mut ids = Vec::new();
    for (place, word) in (first..).step_by(64).zip(bits) {
        ids.extend(ones(word).map(|at| place + GameId::from(at)));
    }
    Ok(ids)
}

/// The keys of a position. If only the pieces count: those with either side to move and every possible combination of
/// castling rights and en passant square, including some that no game has.
fn keys_of(target: &SearchPosition) -> Vec<PositionKeys> {
    let board = &target.board;
    let wholes = match target.state {
        Some((_, key)) => vec![whole_key(key, target.castling)],
        None => every_state(board),
    };
    wholes.into_iter().map(|whole| PositionKeys::of(board, whole)).collect()
}

fn every_state(board: &Board) -> Vec<u64> {
    let men = men_key(board);
    let mut wholes = Vec::new();
    let rights = castling_rights(board);
    for turn in Color::ALL {
        let side = men ^ turn_key(turn);
        let captures = en_passant_files(board, turn).map(en_passant_key);
        for en_passant in [0].into_iter().chain(captures) {
            for &(key, rooks) in &rights {
                wholes.push(whole_key(side ^ en_passant ^ key, rooks));
            }
        }
    }
    wholes.sort_unstable();
    wholes.dedup();
    wholes
}

/// Every combination of castling rights that the pieces allow: its part of the key, and the rooks.
fn castling_rights(board: &Board) -> Vec<(u64, Bitboard)> {
    let mut all = vec![(0, Bitboard::EMPTY)];
    for color in Color::ALL {
        for side in CastlingSide::ALL {
            let with = castling_rooks(board, color, side);
            let added: Vec<_> = all
                .iter()
                .flat_map(|&(key, rooks): &(u64, Bitboard)| {
                    with.into_iter().map(move |rook| (key ^ castling_key(color, side), rooks.with(rook)))
                })
                .collect();
            all.extend(added);
        }
    }
    all
}

/// The rooks on one side of a king on its first rank.
fn castling_rooks(board: &Board, color: Color, side: CastlingSide) -> Bitboard {
    let back = Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth));
    let kings = board.by_piece(Piece { color, role: Role::King }) & back;
    let Some(king) = kings.first() else { return Bitboard::EMPTY };
    let rooks = board.by_piece(Piece { color, role: Role::Rook }) & back;
    rooks.into_iter().filter(|&rook| CastlingSide::from_king_side(king < rook) == side).collect()
}

/// The files on which a side may capture en passant.
fn en_passant_files(board: &Board, turn: Color) -> impl Iterator<Item = File> {
    let (rank, beyond) = turn.fold_wb((Rank::Fifth, Rank::Sixth), (Rank::Fourth, Rank::Third));
    let own = board.by_piece(Piece { color: turn, role: Role::Pawn });
    let theirs = board.by_piece(Piece { color: !turn, role: Role::Pawn });
    let occupied = board.occupied();
    File::ALL.into_iter().filter(move |&file| {
        let neighbours = [file.offset(-1), file.offset(1)].into_iter().flatten();
        theirs.contains(Square::from_coords(file, rank))
            && !occupied.contains(Square::from_coords(file, beyond))
            && neighbours.into_iter().any(|near| own.contains(Square::from_coords(near, rank)))
    })
}
