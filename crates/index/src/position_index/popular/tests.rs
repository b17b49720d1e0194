use proptest::prelude::*;

use super::*;
use plybook_record::{RatingSum, Results};

/// Games with ascending sort positions and their moves, adjacent or apart.
fn games(most: usize) -> impl Strategy<Value = Vec<(u32, MoveCode)>> {
    prop::collection::vec((prop_oneof![Just(0u32), 0u32..5, 0u32..3000], 0u16..4), 1..most).prop_map(
        |games| {
            let mut next = 0;
            let game = |(distance, played): (u32, u16)| {
                let rank = next + distance;
                next = rank + 1;
                (rank, MoveCode(played * 4711))
            };
            games.into_iter().map(game).collect()
        },
    )
}

fn sums(ranks: &[u32]) -> GameSums {
    let games = ranks.len() as u64;
    let sum = ranks.iter().map(|rank| u64::from(*rank)).sum();
    GameSums {
        results: Results { games, white: games, ..Results::default() },
        white_elo: RatingSum { games, sum },
        ..GameSums::default()
    }
}

/// The games of a record, one by one.
fn listed(position: &PopularPosition) -> Vec<(u32, MoveCode)> {
    let games = |run: &Run| {
        let code = position.moves[usize::from(run.played)].0;
        (run.first..run.first + run.games).map(move |rank| (rank, code))
    };
    position.runs.iter().flat_map(games).collect()
}

proptest! {
    #[test]
    fn games_of_popular_positions_round_trip(
        positions in prop::collection::btree_map(any::<u64>().prop_map(|key| key >> 30), games(60), 1..30),
        bytes in 20usize..500,
    ) {
        let all = 60 * 3001;
        let records: Vec<(u64, PopularPosition)> =
            positions.iter().map(|(key, games)| (*key, PopularPosition::of(games, sums))).collect();
        let rows = rows(&records, bytes);
        prop_assert!(rows.is_sorted_by(|one, next| one.0 < next.0));
        for (key, games) in &positions {
            let row = rows.iter().rfind(|row| row.0 <= *key).unwrap();
            let found = find(&row.1, *key, all).unwrap();
            prop_assert!(found.iter().any(|position| listed(position) == *games && position.games == games.len() as u32));
        }
        // A key without a record.
        let none = positions.keys().find(|key| !positions.contains_key(&(*key ^ 1))).map(|key| key ^ 1);
        if let Some(row) = none.and_then(|none| rows.iter().rfind(|row| row.0 <= none)) {
            prop_assert_eq!(find(&row.1, none.unwrap(), all), Ok(Vec::new()));
        }
    }

    #[test]
    fn arbitrary_bytes_are_records_or_an_error(bytes: Vec<u8>, key: u64, all in 0u32..1000) {
        for position in find(&bytes, key, all).unwrap_or_default() {
            prop_assert!(position.adds_up() && position.games <= all);
        }
    }

    #[test]
    fn records_with_flipped_bits_are_read_or_rejected(games in games(40), bits in prop::collection::vec(any::<prop::sample::Index>(), 1..4)) {
        let all = 40 * 3001;
        let mut row = rows(&[(5, PopularPosition::of(&games, sums))], 1000).remove(0).1;
        for bit in bits {
            let bit = bit.index(8 * row.len());
            row[bit / 8] ^= 1 << (bit % 8);
        }
        for position in find(&row, 5, all).unwrap_or_default() {
            prop_assert!(position.adds_up() && listed(&position).iter().all(|(rank, _)| *rank < all));
        }
    }
}

#[test]
fn sums_are_stored_for_all_moves_of_positions_with_many_games() {
    let played = |rank| if rank < 2 { MoveCode::ENDED } else { MoveCode(7 + u16::from(rank == 2)) };
    let games: Vec<_> = (0..SUMMED).map(|rank| (rank, played(rank))).collect();
    let position = PopularPosition::of(&games, sums);
    let [(MoveCode::ENDED, None), (_, Some(often)), (_, Some(once))] = position.moves.as_slice() else {
        panic!("{:?}", position.moves)
    };
    assert_eq!((often.games(), once.games(), position.runs.len()), (u64::from(SUMMED) - 3, 1, 3));
    let row = rows(&[(9, position.clone())], 1000).remove(0).1;
    assert_eq!(find(&row, 9, SUMMED), Ok(vec![position]));
    // Sort positions that do not exist in the segment.
    assert_eq!(find(&row, 9, SUMMED - 1), Err(DamagedIndex));
    let fewer = PopularPosition::of(&games[1..], sums);
    assert!(fewer.moves.iter().all(|(_, sums)| sums.is_none()));
}

#[test]
fn endless_records_use_no_memory() {
    // As many records as possible, all with one key and without a length: each would be read from those after it.
    let mut bits = Bits::default();
    bits.push(MOST as u64, 16);
    for _ in 0..MOST {
        bits.push(5, KEY_BITS);
        bits.push_exp_golomb(0, 9);
    }
    assert_eq!(find(&bits.into_bytes(), 5, 1 << 20), Err(DamagedIndex));
    // A record that claims a million runs in a few bytes.
    let mut bits = Bits::default();
    bits.push(1, 16);
    bits.push(5, KEY_BITS);
    bits.push_exp_golomb(64, 9);
    bits.push_exp_golomb(1 << 20, 5);
    bits.push_exp_golomb(0, 1);
    bits.push(0, 13);
    bits.push_exp_golomb(1 << 20, 4);
    assert_eq!(find(&bits.into_bytes(), 5, 1 << 20), Err(DamagedIndex));
}
