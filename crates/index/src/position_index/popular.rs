//! Popular positions: those that many games reach. Each has a record: the moves played there, and the games that played
//! them, as runs of sort positions. Games are sorted by their moves, so games that reached a position by the same moves
//! are adjacent, and among them those that continued with the same move.
//!
//! A row: the number of its records (16 bits), then each record: the lowest 24 bits of its key, the length of the rest
//! in bits (Exp-Golomb, order 9), and the rest: the number of games (order 5), the number of different moves minus one
//! (order 1); each move, whether its sums follow (in positions of 8,192 games or more, except for the end), and the
//! sums; then the runs: their number (order 4), the order of the codes of their distances (6 bits), and for each run
//! whether it follows immediately, otherwise its distance minus one; its length minus one (order 0); the index of its
//! move in the list (in the minimum number of bits).

use super::{
    DamagedIndex, NamedRow,
    move_code::MoveCode,
    sums::{self, take},
};
use crate::width;
use plybook_chess::bits::{BitReader, Bits};
use plybook_record::GameSums;

/// The sums of the moves of a position, except for the end, are stored from this many games on.
// Without sums, every explorer query would add up the columns of all games. For fewer games than this that is fast
// enough. Rare moves have sums too: they take 0.04 bytes per game, and without them the explorer would read a page of
// each column for each of these moves.
pub(super) const SUMMED: u32 = 8192;

/// Bits of the key in a record; the row determines the others.
// Rows are found by their first keys, so the upper bits are nearly determined. A wrong match costs time only, because
// the first game of a record is replayed before the answer is used.
const KEY_BITS: usize = 24;

/// Most records in a row, and most moves in a record.
const MOST: usize = u16::MAX as usize;

/// Most records in a row with the same lowest bits of their keys. More cannot occur by chance.
// A forged row could otherwise make a lookup decode thousands of records.
const MOST_ALIKE: usize = 8;

/// Minimum bits of a move and a run.
const MOVE_BITS: usize = 14;
const RUN_BITS: usize = 2;

/// Games with consecutive sort positions that played the same move in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The sort position of the first game.
    pub first: u32,
    /// The number of games.
    pub games: u32,
    /// The index of the move in the list of the record.
    pub played: u16,
}

impl Run {
    /// The sort positions of its games.
    pub fn ranks(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.games
    }
}

/// The games of a popular position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PopularPosition {
    /// The number of games.
    pub games: u32,
    /// The different moves that were played at the last occurrence of the position, with sums over their games if the
    /// position has many.
    pub moves: Vec<(MoveCode, Option<GameSums>)>,
    /// The games, by sort position.
    pub runs: Vec<Run>,
}

impl PopularPosition {
    /// From games with ascending sort positions and their moves.
    pub(super) fn of(games: &[(u32, MoveCode)], sums: impl Fn(&[u32]) -> GameSums) -> PopularPosition {
        let mut codes: Vec<MoveCode> = games.iter().map(|(_, code)| *code).collect();
        codes.sort_unstable();
        codes.dedup();
        let mut position = PopularPosition { games: games.len() as u32, ..PopularPosition::default() };
        for &(rank, code) in games {
            let played = codes.binary_search(&code).unwrap_or_default() as u16;
            match position.runs.last_mut() {
                Some(run) if run.played == played && run.first + run.games == rank => run.games += 1,
                _ => position.runs.push(Run { first: rank, games: 1, played }),
            }
        }
        let sums_of = |code: MoveCode| {
            let ranks = games.iter().filter(|game| game.1 == code).map(|game| game.0);
            sums(&ranks.collect::<Vec<_>>())
        };
        // Games that ended here may have moved from here before, so their sums would be of no use.
        let is_summed = |code: MoveCode| position.games >= SUMMED && code != MoveCode::ENDED;
        position.moves =
            codes.into_iter().map(|code| (code, is_summed(code).then(|| sums_of(code)))).collect();
        position
    }

    /// Encodes the record, without its key and length.
    fn to_bits(&self) -> Bits {
        let mut bits = Bits::default();
        bits.push_exp_golomb(self.games.into(), 5);
        bits.push_exp_golomb(self.moves.len().saturating_sub(1) as u64, 1);
        for (code, sums) in &self.moves {
            code.write(&mut bits);
            bits.push_bit(sums.is_some());
            if let Some(sums) = sums {
                sums::write(sums, &mut bits);
            }
        }
        // One order per record, because distances differ widely: the start position has a run per move, while a rare
        // position has single games far apart.
        let order = best_order(&distances(&self.runs).filter(|distance| *distance > 0).collect::<Vec<_>>());
        bits.push_exp_golomb(self.runs.len() as u64, 4);
        bits.push(order as u64, 6);
        let width = width(self.moves.len());
        for (run, distance) in self.runs.iter().zip(distances(&self.runs)) {
            bits.push_bit(distance == 0);
            if distance > 0 {
                bits.push_exp_golomb(u64::from(distance) - 1, order);
            }
            bits.push_exp_golomb(u64::from(run.games) - 1, 0);
            bits.push(run.played.into(), width);
        }
        bits
    }

    /// Reads a record of a segment with this many games.
    fn read(bits: &mut BitReader<'_>, all: u32) -> Result<PopularPosition, DamagedIndex> {
        let games = take(bits, 5)?;
        let count = bits.take_exp_golomb(1)? as usize + 1;
        // Checked before allocating: a few bytes could otherwise claim millions of moves.
        if count > MOST.min(bits.left() / MOVE_BITS) {
            return Err(DamagedIndex);
        }
        let mut moves = Vec::with_capacity(count);
        for _ in 0..count {
            let code = MoveCode::read(bits)?;
            moves.push((code, if bits.bit()? { Some(sums::read(bits)?) } else { None }));
        }
        let runs = read_runs(bits, all, count)?;
        // Counts are answered from the record alone, so a record that contradicts itself must not be believed.
        Some(PopularPosition { games, moves, runs }).filter(PopularPosition::adds_up).ok_or(DamagedIndex)
    }

    /// Whether the runs contain the stated number of games, and those of each move as many as its sums.
    fn adds_up(&self) -> bool {
        let mut games = vec![0; self.moves.len()];
        for run in &self.runs {
            if let Some(games) = games.get_mut(usize::from(run.played)) {
                *games += run.games;
            }
        }
        let mut moves = games.iter().zip(&self.moves);
        games.iter().sum::<u32>() == self.games
            && moves.all(|(games, (_, sums))| sums.is_none_or(|sums| sums::may_be_of(&sums, *games)))
    }
}

fn read_runs(bits: &mut BitReader<'_>, all: u32, moves: usize) -> Result<Vec<Run>, DamagedIndex> {
    let count = bits.take_exp_golomb(4)? as usize;
    let order = bits.take(6)? as usize;
    if count > bits.left() / RUN_BITS || count > all as usize {
        return Err(DamagedIndex);
    }
    let width = width(moves);
    let (mut runs, mut next) = (Vec::with_capacity(count), 0u32);
    for _ in 0..count {
        if !bits.bit()? {
            let distance = u32::try_from(bits.take_exp_golomb(order)?).map_err(|_| DamagedIndex)?;
            next = next.checked_add(distance).and_then(|next| next.checked_add(1)).ok_or(DamagedIndex)?;
        }
        let games = take(bits, 0)?.checked_add(1).ok_or(DamagedIndex)?;
        let played = bits.take(width)? as u16;
        if usize::from(played) >= moves || all.checked_sub(next).is_none_or(|left| games > left) {
            return Err(DamagedIndex);
        }
        runs.push(Run { first: next, games, played });
        next += games;
    }
    Ok(runs)
}

/// The distance of each run from the end of the previous one.
fn distances(runs: &[Run]) -> impl Iterator<Item = u32> {
    let ends = std::iter::once(0).chain(runs.iter().map(|run| run.first + run.games));
    runs.iter().zip(ends).map(|(run, end)| run.first - end)
}

fn best_order(distances: &[u32]) -> usize {
    let cost = |order: usize| -> u64 {
        let bits = |distance: &u32| {
            let high = (u64::from(*distance) - 1 >> order) + 1;
            2 * u64::from(high.ilog2()) + 1 + order as u64
        };
        distances.iter().map(bits).sum()
    };
    (0..32).step_by(2).min_by_key(|&order| cost(order)).unwrap_or(0)
}

/// Writes records with ascending keys as rows of about this many bytes, exceeded only if a record is longer. Returns
/// the first key of each row, and the rows.
pub(super) fn rows(records: &[(u64, PopularPosition)], bytes: usize) -> Vec<NamedRow> {
    // The first key, the number of records, and the records.
    let mut rows: Vec<(u64, u16, Bits)> = Vec::new();
    for (key, position) in records {
        let record = record(*key, position);
        match rows.last_mut() {
            Some((_, count, bits))
                if 16 + bits.len() + record.len() <= 8 * bytes && usize::from(*count) < MOST =>
            {
                *count += 1;
                bits.append(&record);
            }
            _ => rows.push((*key, 1, record)),
        }
    }
    let finished = |(first, count, bits): (u64, u16, Bits)| {
        (first, [&count.to_be_bytes()[..], &bits.into_bytes()].concat())
    };
    rows.into_iter().map(finished).collect()
}

fn record(key: u64, position: &PopularPosition) -> Bits {
    let rest = position.to_bits();
    let mut bits = Bits::default();
    bits.push(key, KEY_BITS);
    // The length allows a lookup to skip a record without decoding its runs.
    bits.push_exp_golomb(rest.len() as u64, 9);
    bits.append(&rest);
    bits
}

/// The positions of a row that may have a key, nearly always one or none, in a segment with this many games. Of all
/// other records only the length is read.
pub(super) fn find(row: &[u8], key: u64, all: u32) -> Result<Vec<PopularPosition>, DamagedIndex> {
    let mut bits = BitReader::new(row);
    let mut found = Vec::new();
    for _ in 0..bits.take(16)? {
        let own = bits.take(KEY_BITS)?;
        let length = bits.take_exp_golomb(9)? as usize;
        let record = bits.part(length)?;
        if own == key & ((1 << KEY_BITS) - 1) {
            found.push(record);
        }
    }
    if found.len() > MOST_ALIKE {
        return Err(DamagedIndex);
    }
    found.iter_mut().map(|record| PopularPosition::read(record, all)).collect()
}

#[cfg(test)]
mod tests;
