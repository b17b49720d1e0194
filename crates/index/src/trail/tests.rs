use std::ops::ControlFlow::{Break, Continue};

use super::*;
use crate::{
    BuiltSegment,
    recording::{IndexParts, Recording},
};
use plybook_chess::{
    chess::{Color, Move, Position, Role, Variant, VariantPosition, move_list},
    codec::{
        CodecId,
        game::{self, GameMoves},
    },
    rules::Outcome,
};
use plybook_record::StoredMoves;

fn stored(id: i64, moves: Vec<Move>) -> StoredMoves {
    let (start, plies) = (Variant::Standard.start(), moves.len());
    let line = GameMoves { start, moves, outcome: Outcome::Unknown };
    let moves = game::byte::BYTE.encode(&line).unwrap().bits.into_bytes();
    let (variant, codec, result) = (Variant::Standard, CodecId::Byte, Outcome::Unknown);
    StoredMoves { id, variant, codec, moves, plies, result, setup: None }
}

fn listed(moves: &str) -> Vec<Move> {
    let (_, moves): (shakmaty::Chess, Vec<Move>) = move_list(moves).unwrap();
    moves
}

/// A game of random moves, with a preference for captures and pawn moves.
fn random(seed: u64) -> Vec<Move> {
    let (mut position, mut seed, mut moves) = (shakmaty::Chess::default(), seed, Vec::new());
    for _ in 0..300 {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mut pick = || {
            seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            legal[(seed >> 33) as usize % legal.len()]
        };
        let picks = [pick(), pick(), pick()];
        let m = picks.into_iter().find(|m| m.role() == Role::Pawn || m.is_capture()).unwrap_or(picks[0]);
        position.play_unchecked(m);
        moves.push(m);
    }
    moves
}

/// The distinct moments of a game in order, from its positions.
fn replayed(moves: &[Move]) -> Vec<Moment> {
    let mut position = shakmaty::Chess::default();
    let of = |position: &shakmaty::Chess| Moment {
        material: Material::of(position.board()),
        pawns: Pawns::of(position.board()),
        pieces: position.board().occupied().count() as u8 - 2,
        by: !position.turn(),
    };
    let mut moments = vec![of(&position)];
    for m in moves {
        position.play_unchecked(*m);
        moments.push(of(&position));
    }
    moments.dedup_by_key(|moment| (moment.material, moment.pawns));
    moments
}

fn push(builder: &mut TrailBuilder, games: &[StoredMoves]) {
    let mut recording = Recording::of(IndexParts::TRAILS);
    for game in games {
        recording.add_stored(game);
    }
    builder.push(games.iter().map(|game| game.id), &recording.trails.unwrap());
}

fn built(games: &[StoredMoves]) -> Trails {
    let mut builder = TrailBuilder::new(1);
    push(&mut builder, games);
    trails(&builder.finish(games.len() as i64, 100))
}

fn trails(built: &BuiltSegment<TrailShape>) -> Trails {
    let of = |part: Part| -> Vec<u8> {
        built
            .blocks
            .iter()
            .filter(|(of, ..)| *of == part.number())
            .flat_map(|(_, _, data)| data.clone())
            .collect()
    };
    Trails::new(1, built.shape, Part::ALL.map(of)).unwrap()
}

#[test]
fn trails_contain_every_moment_of_a_game() {
    let games: Vec<Vec<Move>> = (0..3000).map(random).collect();
    let stored: Vec<StoredMoves> = (1..).zip(&games).map(|(id, moves)| stored(id, moves.clone())).collect();
    let trails = built(&stored);
    let rows: Vec<TrailRow<'_>> = (0..trails.rows()).map(|row| trails.row(row).unwrap()).collect();
    assert_eq!(rows.iter().map(|row| row.first).collect::<Vec<_>>(), [1, 1025, 2049]);
    let found: Vec<_> = rows.iter().flat_map(|row| row.games()).map(Result::unwrap).collect();
    assert_eq!(found.len(), games.len());
    let mut kinds = [0; 3];
    for ((id, trail), moves) in found.into_iter().zip(&games) {
        let mut moments = Vec::new();
        let whole = trail.unwrap().moments(|moment| {
            moments.push(*moment);
            Continue(())
        });
        assert_eq!(whole, Ok(()));
        assert_eq!(moments, replayed(moves), "game {id}");
        let of_kind: [fn(&&Move) -> bool; 3] =
            [|m| m.is_en_passant(), |m| m.is_promotion(), |m| m.is_promotion() && m.is_capture()];
        for (count, is) in kinds.iter_mut().zip(of_kind) {
            *count += moves.iter().filter(is).count();
        }
    }
    assert!(kinds.iter().all(|count| *count > 100), "{kinds:?}");
}

#[test]
fn facts_describe_the_entire_game() {
    let facts = |moves: &str| built(&[stored(1, listed(moves))]).facts(1);
    let mate = facts("1. f3 e5 2. g4 Qh4#");
    assert!(mate.are_known() && mate.ends_in(Final::Mate) && !mate.ends_in(Final::Repetition));
    assert_eq!([Color::White, Color::Black].map(|color| mate.castled(color)), [Castled::No; 2]);
    let castled = facts("1. e4 e5 2. Nf3 Nc6 3. Bb5 d6 4. O-O Bd7 5. Re1 Qe7 6. d3 O-O-O");
    assert_eq!(castled.castled(Color::White), Castled::Short);
    assert_eq!(castled.castled(Color::Black), Castled::Long);
    assert!(Final::ALL.into_iter().all(|kind| !castled.ends_in(kind)));
    let two = facts("1. e4 f5 2. Qh5+ g6 3. Qxg6+ hxg6 4. e5 e6 5. Bb5 c6");
    assert_eq!((two.checks(), mate.checks(), castled.checks()), (2, 1, 0));
    let many = format!(
        "1. e4 e5 2. Qg4{}",
        (3..=9).map(|n| format!(" Ke7 {n}. Qg5+ Ke6 {n}. Qg4+")).collect::<String>()
    );
    assert_eq!((facts(&many).checks(), MOST_CHECKS), (7, 7));
    let passing = facts("1. e4 a6 2. e5 d5 3. exd6");
    assert!(passing.took_en_passant(Color::White) && !passing.took_en_passant(Color::Black));
    let back = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1";
    assert!(!facts(back).ends_in(Final::Repetition));
    assert!(facts(&format!("{back} Ng8")).ends_in(Final::Repetition));
    // After 2. e4 en passant was possible, later it was not: the position occurs twice.
    let twice = "1. Nf3 d5 2. Ng1 d4 3. e4 Nf6 4. Nf3 Ng8 5. Ng1 Nf6 6. Nf3 Ng8 7. Ng1";
    assert!(!facts(twice).ends_in(Final::Repetition));
    assert!(facts(&format!("{twice} Nf6 8. Nf3 Ng8 9. Ng1")).ends_in(Final::Repetition));
}

#[test]
fn checks_at_the_end_of_a_game_do_not_count_in_the_next() {
    let moves = listed("1. f3 e5 2. g4 Qh4#");
    let (before, last) = moves.split_at(3);
    let mut position = shakmaty::Chess::default();
    before.iter().for_each(|m| position.play_unchecked(*m));
    let mut recording = Recording::of(IndexParts::TRAILS);
    recording.add(Variant::Standard, VariantPosition::default, &moves);
    recording.add(Variant::Standard, || VariantPosition::Chess(position.clone()), last);
    let mut builder = TrailBuilder::new(1);
    builder.push([1, 2], &recording.trails.unwrap());
    let trails = trails(&builder.finish(2, 100));
    assert_eq!([1, 2].map(|id| trails.facts(id).checks()), [1, 1]);
}

#[test]
fn games_without_a_trail_are_skipped() {
    let mut games = [stored(2, listed("1. e4")), stored(3, listed("1. d4")), stored(5, listed("1. c4"))];
    games[1].variant = Variant::Atomic;
    let mut builder = TrailBuilder::new(1);
    push(&mut builder, &games);
    let trails = trails(&builder.finish(6, 100));
    let found: Vec<bool> = trails.row(0).unwrap().games().map(|game| game.unwrap().1.is_some()).collect();
    assert_eq!(found, [false, true, false, false, true, false]);
    let known: Vec<bool> = (0..8).map(|id| trails.facts(id).are_known()).collect();
    assert_eq!(known, [false, false, true, false, false, true, false, false]);
    let start = VariantPosition::default();
    assert!(start.board().occupied().count() == 32);
}

#[test]
fn arbitrary_bytes_never_panic() {
    let whole = built(&(0..50).map(|seed| stored(seed + 1, random(seed as u64))).collect::<Vec<_>>());
    let row = whole.row(0).unwrap();
    let games: Vec<_> = row.games().map(|game| game.unwrap().1.unwrap()).collect();
    let mut damaged = 0;
    for (number, trail) in games.iter().enumerate() {
        for bit in (number % 7..8 * trail.pawns.len()).step_by(7) {
            let mut pawns = trail.pawns.to_vec();
            pawns[bit / 8] ^= 0x80 >> (bit % 8);
            let trail = TrailReader { pawns: &pawns, ..*trail };
            let mut moments = 0;
            let read = trail.moments(|_| {
                moments += 1;
                if moments < 1000 { Continue(()) } else { Break(()) }
            });
            damaged += usize::from(read.is_err());
            assert!(moments < 300, "{moments}");
        }
        for cut in 0..trail.materials.len() {
            let trail = TrailReader { materials: &trail.materials[..cut], ..*trail };
            assert!(trail.moments(|_| Continue(())).is_err());
        }
    }
    assert!(damaged > 100, "{damaged}");
}
