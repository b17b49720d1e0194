//! The index of positions gives the same results as comparing every position of every game. The same games give the
//! same bytes, in any order, with any number of threads, and in every later version.

use std::{
    collections::{BTreeSet, HashMap},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use crate::common::{Random, data, trials};
use plybook::{
    archive::{Archive, BuiltSegment, Filter, GameNumber, IndexableGame, WritableArchive},
    chess::{Variant, VariantPosition},
    codec::game::Step,
    generate::Generator,
    import::{Options, import_paths},
    position_index::{GameColumns, IndexedGame, SegmentBuilder, SegmentShape},
    query::{
        Context, PositionIndex, RecordedParts, TargetPosition, build_index, count_reaching, explore,
        games_reaching,
    },
    record::{GameId, StoredMoves},
    recording::{IndexParts, Places, Recording},
};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, Move, Position, Square, fen::Fen,
    san::SanPlus,
};
use twox_hash::XxHash3_64;

/// A game: tag pairs and the positions, from the start.
struct Game {
    pgn: String,
    positions: Vec<Chess>,
}

/// The properties that two equal positions share.
type Whole = (Board, Color, Bitboard, Option<Square>);

fn whole(position: &Chess) -> Whole {
    let castling = position.castles().castling_rights();
    (position.board().clone(), position.turn(), castling, position.ep_square(EnPassantMode::Legal))
}

/// Other start positions: two with many ways to castle, one of Chess960, one that leads to en passant captures.
const STARTS: [(&str, &str); 4] = [
    ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", "Standard"),
    ("4k3/1p1p1p2/8/P1P1P3/p1p1p3/8/1P1P1P2/4K3 b - - 0 1", "Standard"),
    ("rk2r3/pp4pp/8/8/8/8/PP4PP/RK2R3 w EAea - 0 1", "Chess960"),
    ("1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1", "Chess960"),
];

/// Games with equal beginnings, so that there are popular positions, common pawn structures and common arrangements,
/// that move back and forth.
fn random_game(random: &mut Random, number: usize) -> Game {
    let start = STARTS.get(random.below(12));
    let mut position = match start {
        None => Chess::default(),
        Some((fen, _)) => fen.parse::<Fen>().unwrap().into_position(CastlingMode::Chess960).unwrap(),
    };
    let mut pgn = tags(random, number);
    if let Some((fen, variant)) = start {
        pgn += &format!("[Variant \"{variant}\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n");
    }
    let (known, plies) = (random.below(14), random.below(60));
    let mut positions = vec![position.clone()];
    pgn += "\n";
    let mut before: [Option<Move>; 2] = [None, None];
    for ply in 0..plies {
        let moves = position.legal_moves();
        let back = |m: &&Move| {
            before[0].is_some_and(|last| last.from() == Some(m.to()) && m.from() == Some(last.to()))
        };
        let castles = moves.iter().find(|m| m.is_castle() || m.is_en_passant());
        let m = match random.below(4) {
            0 | 1 if ply >= known && moves.iter().any(|m| back(&m)) => moves.iter().find(back),
            2 if castles.is_some() => castles,
            // Few choices at first, from the middle of the list: pawns and knights.
            _ if ply < known => moves.get((moves.len() / 2 + random.below(2)).min(moves.len().max(1) - 1)),
            _ => moves.get(random.below(moves.len())),
        };
        let Some(&m) = m else { break };
        pgn += &format!("{} ", SanPlus::from_move(position.clone(), m));
        if ply % 2 == 0 && ply > 40 {
            pgn += "\n";
        }
        before = [before[1], Some(m)];
        position.play_unchecked(m);
        positions.push(position.clone());
    }
    pgn += "*\n\n";
    Game { pgn, positions }
}

fn tags(random: &mut Random, number: usize) -> String {
    let mut tags = format!("[Event \"{number}\"]\n");
    for colour in ["White", "Black"] {
        tags += &format!("[{colour} \"{}\"]\n", ["Tal", "Fischer", "Karpov", "Polgar"][random.below(4)]);
        if random.below(3) > 0 {
            tags += &format!("[{colour}Elo \"{}\"]\n", 2000 + random.below(700));
        }
    }
    let date = ["1958.??.??", "1970.05.01", "????.??.??", "2001.12.31"][random.below(4)];
    let result = ["1-0", "0-1", "1/2-1/2", "*"][random.below(4)];
    tags + &format!("[Date \"{date}\"]\n[Result \"{result}\"]\n")
}

fn random_games(seed: u64, count: usize) -> Vec<Game> {
    let mut random = Random(seed);
    (0..count).map(|number| random_game(&mut random, number)).collect()
}

/// Imports games; ids continue.
fn import(folder: &Path, games: &[Game], number: usize) -> PathBuf {
    let (pgn, path) = (folder.join(format!("{number}.pgn")), folder.join("games.db"));
    std::fs::write(&pgn, games.iter().map(|game| game.pgn.as_str()).collect::<String>()).unwrap();
    let report = import_paths(&path, &[pgn], &Options::default()).unwrap();
    assert_eq!(report.stored, games.len() as u64, "{report:?}");
    path
}

/// Which games have a position, and which have its pieces.
#[derive(Default)]
struct Twin {
    positions: HashMap<Whole, BTreeSet<GameId>>,
    boards: HashMap<Board, BTreeSet<GameId>>,
}

impl Twin {
    fn new(games: &[Game]) -> Twin {
        let mut twin = Twin::default();
        for (id, game) in (1..).zip(games) {
            for position in &game.positions {
                twin.positions.entry(whole(position)).or_default().insert(id);
                twin.boards.entry(position.board().clone()).or_default().insert(id);
            }
        }
        twin
    }

    fn reaching(&self, position: &Chess) -> Vec<GameId> {
        self.positions.get(&whole(position)).into_iter().flatten().copied().collect()
    }

    fn with_pieces(&self, position: &Chess) -> Vec<GameId> {
        self.boards.get(position.board()).into_iter().flatten().copied().collect()
    }
}

fn sought(position: &Chess) -> TargetPosition {
    TargetPosition::new(&position.to_setup(EnPassantMode::Legal)).unwrap()
}

fn found(archive: &Archive, index: &PositionIndex, sought: &TargetPosition) -> Vec<GameId> {
    let all = Filter::default();
    let found = games_reaching(Context::new(archive).with_index(Some(index)), sought, &all).unwrap();
    found.games.ids().to_vec()
}

/// The games of two players with ratings in a range.
fn both_rated(range: std::ops::RangeInclusive<u32>) -> Filter {
    Filter::default().in_range(GameNumber::WhiteElo, range.clone()).in_range(GameNumber::BlackElo, range)
}

#[test]
fn the_index_finds_the_games_that_comparing_complete_positions_finds() {
    for (round, count) in (0..trials(2, 40)).zip([900, 1500].into_iter().cycle()) {
        let folder = tempfile::tempdir().unwrap();
        let games = random_games(10 + round, count);
        let twin = Twin::new(&games);
        // Segments of different sizes, and games in none.
        let cuts = [0, count / 2, count * 3 / 5, count * 19 / 20, count];
        let mut path = PathBuf::new();
        for (number, cut) in cuts.windows(2).enumerate() {
            path = import(folder.path(), &games[cut[0]..cut[1]], number);
            if number < 3 {
                let archive = WritableArchive::create_or_open(&path).unwrap();
                build_index(&archive, IndexParts::POSITIONS, RecordedParts::default(), |_, _| {
                    ControlFlow::Continue(())
                })
                .unwrap();
            }
        }
        let archive = Archive::open(&path).unwrap();
        let index = PositionIndex::open(&archive).unwrap().unwrap();
        let mut random = Random(77 + round);
        let (mut asked, mut popular, mut absent) = (0, 0, 0);
        for _ in 0..trials(2500, 20_000) {
            let game = &games[random.below(games.len())];
            let mut position = game.positions[random.below(game.positions.len())].clone();
            if random.below(3) == 0 {
                let moves = position.legal_moves();
                let Some(&m) = moves.get(random.below(moves.len())) else { continue };
                position.play_unchecked(m);
            }
            let (expected, sought) = (twin.reaching(&position), sought(&position));
            assert_eq!(found(&archive, &index, &sought), expected, "{position:?}");
            let all = Filter::default();
            let count =
                count_reaching(Context::new(&archive).with_index(Some(&index)), &sought, &all).unwrap();
            assert_eq!(count.hits, expected.len() as u64, "{position:?}");
            (asked, popular) = (asked + 1, popular + usize::from(expected.len() >= 48));
            absent += usize::from(expected.is_empty());
            if asked % 10 == 0 {
                let pieces = TargetPosition::board_only(Default::default(), position.board());
                assert_eq!(found(&archive, &index, &pieces), twin.with_pieces(&position), "{position:?}");
            }
        }
        println!("{asked} positions: {popular} popular, {absent} absent");
        assert!(popular > 50 && absent > 50);
    }
}

#[test]
fn exploring_with_the_index_equals_a_scan_with_any_filter() {
    let folder = tempfile::tempdir().unwrap();
    let games = random_games(3, 1200);
    import(folder.path(), &games[..700], 0);
    let path = folder.path().join("games.db");
    build_index(
        &WritableArchive::create_or_open(&path).unwrap(),
        IndexParts::POSITIONS,
        RecordedParts::default(),
        |_, _| ControlFlow::Continue(()),
    )
    .unwrap();
    import(folder.path(), &games[700..], 1);
    let archive = Archive::open(&path).unwrap();
    let index = PositionIndex::open(&archive).unwrap().unwrap();
    let tal = || Some("Tal".to_owned());
    let filters = [
        Filter::default(),
        Filter { player: tal(), ..Filter::default() },
        Filter { white: Some("fischer".to_owned()), ..Filter::default() },
        Filter { player: tal(), opponent: Some("*a*".to_owned()), ..Filter::default() },
        Filter::default().in_range(GameNumber::Date, 1960 << 9..=1999 << 9),
        both_rated(2300..=2600),
        both_rated(0..=2400).in_range(GameNumber::WhiteElo, 2100..=4000),
        Filter { ids: Some(100..=1000), ..Filter::default() }.in_range(GameNumber::Plies, 10..=30),
        Filter::default().with_result(shakmaty::Outcome::Unknown),
        Filter { black: Some("nobody".to_owned()), ..Filter::default() },
    ];
    let mut random = Random(5);
    for (number, filter) in filters.iter().cycle().take(filters.len() * trials(4, 50)).enumerate() {
        let game = &games[random.below(games.len())];
        let most = if number % 2 == 0 { game.positions.len().min(8) } else { game.positions.len() };
        let positions = [
            VariantPosition::Chess(game.positions[random.below(most)].clone()),
            VariantPosition::Chess(game.positions[0].clone()),
        ];
        let by_index = explore(Context::new(&archive).with_index(Some(&index)), &positions, filter).unwrap();
        let by_scan = explore(Context::new(&archive), &positions, filter).unwrap();
        assert_eq!(by_index, by_scan, "{filter:?}");
        for position in &positions {
            let sought = TargetPosition::new(&position.to_setup(EnPassantMode::Legal)).unwrap().mirrored();
            let [by_index, by_scan] = [Some(&index), None].map(|index| {
                games_reaching(Context::new(&archive).with_index(index), &sought, filter).unwrap()
            });
            assert_eq!(by_index, by_scan, "{filter:?}");
        }
    }
}

/// The games of an archive, as a segment is built from them.
fn indexed_games(path: &Path) -> Vec<IndexableGame> {
    let archive = Archive::open(path).unwrap();
    let games = archive.segments().indexable_games((1..=archive.last_id().unwrap()).into());
    games.map(Result::unwrap).collect()
}

/// Adds games to a segment, recorded in some way.
fn add(
    builder: &SegmentBuilder,
    games: &[IndexableGame],
    record: impl Fn(&mut Recording, &IndexableGame) -> Places,
) {
    let mut recording = Recording::of(IndexParts::POSITIONS);
    let indexed = games.iter().map(|game| {
        let positions = record(&mut recording, game).positions.unwrap();
        IndexedGame { id: game.moves.id, facts: game.facts, positions }
    });
    let indexed = indexed.collect();
    builder.add(indexed, recording.positions.unwrap()).unwrap();
}

fn replayed(recording: &mut Recording, game: &IndexableGame) -> Places {
    recording.add_stored(&game.moves)
}

fn built(games: &[IndexableGame], batch: usize, threads: usize) -> BuiltSegment<SegmentShape> {
    built_of(games, replayed, batch, threads)
}

fn built_of(
    games: &[IndexableGame],
    record: impl Fn(&mut Recording, &IndexableGame) -> Places + Copy + Send + Sync,
    batch: usize,
    threads: usize,
) -> BuiltSegment<SegmentShape> {
    let folder = tempfile::tempdir().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        use rayon::prelude::*;
        let builder = SegmentBuilder::new(games.len(), folder.path());
        games.par_chunks(batch).for_each(|games| add(&builder, games, record));
        builder.finish((1..=games.len() as GameId).into(), 1000).unwrap()
    })
}

#[test]
fn the_same_games_give_the_same_segment_in_any_order_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let path = import(folder.path(), &random_games(8, 1500), 0);
    let mut games = indexed_games(&path);
    let one = built(&games, games.len(), 1);
    assert!(one.shape.popular_positions > 50 && one.shape.posting_rows > 10, "{:?}", one.shape);
    let mut random = Random(4);
    for (batch, threads) in [(100, 2), (7, 2), (1, 1), (333, 5)] {
        for place in (1..games.len()).rev() {
            games.swap(place, random.below(place + 1));
        }
        assert!(built(&games, batch, threads) == one, "{batch} at a time on {threads} threads");
    }
    // The control: another game gives another segment.
    games[0].facts = GameColumns { white_elo: 3999, ..games[0].facts };
    assert!(built(&games, 100, 2) != one);
}

#[test]
fn a_game_recorded_while_it_was_read_is_indexed_like_a_replayed_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = import(folder.path(), &random_games(3, 400), 0);
    let games = indexed_games(&path);
    let read = |recording: &mut Recording, game: &IndexableGame| {
        let (stored, mut moves) = (&game.moves, Vec::new());
        let mut replay = stored.replay(stored.start().unwrap()).unwrap();
        while let Step::Move(m) = replay.step().unwrap() {
            moves.push(m);
        }
        recording.add(stored.variant, || stored.start().unwrap(), &moves)
    };
    let segment = built(&games, 100, 2);
    assert!(built_of(&games, read, 100, 2) == segment);
    // A mixture of both.
    let mixed = |recording: &mut Recording, game: &IndexableGame| match game.moves.id % 3 {
        0 => replayed(recording, game),
        _ => read(recording, game),
    };
    assert!(built_of(&games, mixed, 100, 2) == segment);
    // Nothing is recorded for other variants, and a game is not played if nothing of it is wanted.
    let crazyhouse = Variant::Crazyhouse;
    Recording::of(IndexParts::default()).add(crazyhouse, || unreachable!(), &[]);
    assert!(
        Recording::of(IndexParts::POSITIONS).add(crazyhouse, || crazyhouse.start(), &[]).positions.is_none()
    );
}

#[test]
fn games_that_were_left_out_and_added_again_with_many_others_leave_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let path = import(folder.path(), &random_games(6, 1500), 0);
    let games = indexed_games(&path);
    let first = &games[..400];
    // What is taken back is subtracted from the counters, or the rest is counted again if it is too much.
    for (every, all) in [(2, 1500), (3, 1500), (7, 400), (8, 400), (8, 1500), (13, 400), (100, 1500)] {
        let is_other = |game: &&IndexableGame| game.moves.id % every == 0;
        let former = |game: &IndexableGame| {
            let mut game = game.clone();
            if is_other(&&game) {
                let moves = StoredMoves { id: game.moves.id, ..games[0].moves.clone() };
                game = IndexableGame { moves, ..games[0].clone() };
            }
            game
        };
        let (games, others) = (&games[..all], &games[400..all]);
        let builder = SegmentBuilder::new(games.len(), folder.path());
        add(&builder, &first.iter().map(former).collect::<Vec<_>>(), replayed);
        let left_out: Vec<GameId> = first.iter().filter(is_other).map(|game| game.moves.id).collect();
        let builder = builder.without(&left_out).unwrap();
        let again: Vec<_> = first.iter().filter(is_other).chain(others).cloned().collect();
        add(&builder, &again, replayed);
        let segment = builder.finish((1..=games.len() as GameId).into(), 1000).unwrap();
        assert!(segment == built(games, 100, 2), "{every} of {all}");
    }
}

/// Segments are read for years: the bytes of given games and sizes never change without a new format number, so that a
/// segment of an earlier release can be built again. (Other opening names are not another format: then `openings` and that
/// column change.)
#[test]
fn the_blocks_of_known_games_are_frozen() {
    let folder = tempfile::tempdir().unwrap();
    let (generator, mut many) = (Generator::new(7), String::new());
    (0..200).for_each(|event| generator.write_event(event, 50, &mut many));
    std::fs::write(folder.path().join("many.pgn"), many).unwrap();
    let opening = |round: i32| if round % 100 > 0 { "1. e4 e5" } else { "1. d4" };
    let short = (0..8192)
        .map(|round| format!("[Round \"{round}\"]\n[WhiteElo \"2500\"]\n\n{} 1-0\n\n", opening(round)));
    std::fs::write(folder.path().join("short.pgn"), short.collect::<String>()).unwrap();
    let few = [data("famous.pgn"), data("chess960.pgn")];
    for (sources, shape, hash) in [
        (&few[..], FEW, 14688135893896854334),
        (&[folder.path().join("many.pgn")], MANY, 4213257320018056085),
        (&[folder.path().join("short.pgn")], SHORT, 3772629370974768608),
    ] {
        let path = folder.path().join(format!("{hash}.db"));
        import_paths(&path, sources, &Options::default()).unwrap();
        let segment = built(&indexed_games(&path), 100, 2);
        let found = segment.blocks.iter().fold(0, |hash, (part, number, block)| {
            let named = [&[*part], &number.to_le_bytes()[..], block].concat();
            XxHash3_64::oneshot_with_seed(hash, &named)
        });
        assert_eq!((serde_json::to_string(&segment.shape).unwrap().as_str(), found), (shape, hash));
    }
}

const FEW: &str = r#"{"games":63,"popular_positions":4,"popular_rows":1,"posting_rows":1,"postings":{"games":63,"buckets":851,"order":5},"row_bytes":1000,"openings":42774296}"#;
/// With the sums of moves.
const SHORT: &str = r#"{"games":8192,"popular_positions":4,"popular_rows":2,"posting_rows":0,"postings":{"games":8192,"buckets":1,"order":12},"row_bytes":1000,"openings":42774296}"#;
/// With common pawns and arrangements.
const MANY: &str = r#"{"games":3097,"popular_positions":259,"popular_rows":7,"posting_rows":94,"postings":{"games":3097,"buckets":56541,"order":11},"row_bytes":1000,"openings":42774296}"#;
