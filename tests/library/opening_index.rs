//! The openings of games from the index equal those of a replay, whatever part of the games is indexed.

use std::{
    cell::Cell,
    fs,
    ops::ControlFlow::Continue,
    path::{Path, PathBuf},
};

use crate::common::{Bench, Random, corpus, data};
use plybook::{
    archive::{Archive, Filter, GameNumber, Sort, WritableArchive},
    chess::VariantPosition,
    import::{Options, import_paths},
    openings::{OpeningId, Openings},
    position_index::{ColumnOf, Part},
    query::{
        Context, FindProgress, PositionIndex, RecordedParts, build_index, explore, games_with_opening,
        opening_counts, opening_of,
    },
    record::{GameRange, StoredMoves},
    recording::IndexParts,
};
use shakmaty::{Outcome, Position, san::SanPlus};

/// A game that begins with the line of an opening and continues randomly, sometimes back and forth.
fn game(random: &mut Random, number: usize) -> String {
    let openings = Openings::standard();
    let place = u16::try_from(random.below(openings.iter().count())).unwrap();
    let opening = openings.get(OpeningId(place)).unwrap();
    let (mut position, mut moves) = (opening.position(), opening.moves.to_owned());
    let mut before = [None, None];
    for _ in 0..random.below(20) {
        let legal = position.legal_moves();
        let back = legal.iter().find(|m| {
            before[0].is_some_and(|(from, to)| m.from() == Some(to) && m.to() == from && random.below(2) == 0)
        });
        let Some(&m) = back.or_else(|| legal.get(random.below(legal.len().max(1)))) else { break };
        moves += &format!(" {}", SanPlus::from_move(position.clone(), m));
        before = [before[1], m.from().map(|from| (from, m.to()))];
        position.play_unchecked(m);
    }
    let tag = |name: &str, value: &str| format!("[{name} \"{value}\"]\n");
    let white = ["Tal", "Fischer", "Karpov"][random.below(3)];
    let result = ["1-0", "0-1", "1/2-1/2", "*"][random.below(4)];
    let elo = (2000 + random.below(700)).to_string();
    let date = format!("{}.??.??", 1950 + random.below(60));
    [
        tag("Event", &number.to_string()),
        tag("White", white),
        tag("WhiteElo", &elo),
        tag("Date", &date),
        tag("Result", result),
        format!("\n{moves} {result}\n\n"),
    ]
    .concat()
}

/// Imports random games between games of other variants, start positions and families; ids continue.
fn import(folder: &Path, number: usize) {
    let mut random = Random(number as u64 + 1);
    let mut games = fs::read_to_string(data(["famous.pgn", "setup.pgn"][number % 2])).unwrap();
    games += "\n";
    games += &(0..300).map(|game_number| game(&mut random, number * 1000 + game_number)).collect::<String>();
    games += "[Event \"?\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *\n\n[Event \"no name\"]\n\n*\n\n";
    games += &fs::read_to_string(data("chess960.pgn")).unwrap();
    let pgn = folder.join(format!("{number}.pgn"));
    fs::write(&pgn, games).unwrap();
    let xelto = if number == 0 { vec![data("xelto")] } else { Vec::new() };
    let report =
        import_paths(&folder.join("plybook.db"), &[vec![pgn], xelto].concat(), &Options::default()).unwrap();
    assert!(report.stored >= 300, "{report:?}");
}

fn index(path: &Path) {
    let archive = WritableArchive::create_or_open(path).unwrap();
    build_index(&archive, IndexParts::POSITIONS, RecordedParts::default(), |_, _| Continue(())).unwrap();
}

/// Indexes the games in a range of ids in a segment.
fn index_part(path: &Path, games: GameRange) {
    let archive = WritableArchive::create_or_open(path).unwrap();
    let built = archive.segments().build_positions(games, None, 1000, |_| Continue(())).unwrap();
    assert!(archive.segments().add(games, &[], built, &archive).unwrap());
}

/// Damages a game so that it has an opening, but cannot be replayed to its end.
fn damage(path: &Path) {
    let archive = Archive::open(path).unwrap();
    for mut game in archive.moves(&Filter { ids: Some(1..=250), ..Filter::default() }).map(Result::unwrap) {
        for bit in 0..8 * game.moves.len() {
            game.moves[bit / 8] ^= 1 << (bit % 8);
            if plays_to_the_end(&game) == Some(false) && opening_of(&game).is_ok_and(|id| id.is_some()) {
                let db = rusqlite::Connection::open(path).unwrap();
                let sql = "UPDATE game SET moves = ?2 WHERE id = ?1";
                assert_eq!(db.execute(sql, (game.id, &game.moves)).unwrap(), 1);
                return;
            }
            game.moves[bit / 8] ^= 1 << (bit % 8);
        }
    }
    panic!("every game can be replayed");
}

/// `None` for a game of another variant.
fn plays_to_the_end(game: &StoredMoves) -> Option<bool> {
    let VariantPosition::Chess(start) = game.start().unwrap() else { return None };
    Some(game.replay(start).is_ok_and(|replay| replay.run(|_, _| Continue(())).is_ok()))
}

/// An archive of which the first part is indexed, in two segments; with a damaged game in it.
fn half_indexed() -> (tempfile::TempDir, PathBuf) {
    half_indexed_after(damage)
}

/// The same, with a change before it is indexed.
fn half_indexed_after(change: impl FnOnce(&Path)) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plybook.db");
    (0..3).for_each(|number| import(folder.path(), number));
    change(&path);
    index_part(&path, (1..=250).into());
    index_part(&path, (251..=600).into());
    (folder, path)
}

fn filters() -> Vec<Filter> {
    let all = Filter::default();
    let among = (1..900).step_by(3).collect();
    vec![
        all.clone(),
        Filter { player: Some("tal".to_owned()), ..all.clone() },
        all.clone().with_result(Outcome::Unknown),
        all.clone()
            .in_range(GameNumber::WhiteElo, 2300..=2600)
            .in_range(GameNumber::Date, 1960 << 9..=1990 << 9),
        Filter { ids: Some(50..=800), ..all.clone() }.in_range(GameNumber::Plies, 10..=30),
        Filter { among: Some(among), chess: true, ..all.clone() },
        Filter { limit: Some(100), ..all.clone() },
        Filter { limit: Some(400), offset: 150, sort: Sort::Elo, descending: true, ..all.clone() },
        Filter { limit: Some(50), offset: 10, white: Some("fischer".to_owned()), sort: Sort::Date, ..all },
    ]
}

/// Asserts that all results by the index and by a replay are equal.
fn answers_alike(path: &Path) {
    let archive = Archive::open(path).unwrap();
    let index = PositionIndex::open(&archive).unwrap().unwrap();
    let by = [Some(&index), None];
    let known = index.known_openings(&archive).unwrap();
    for game in archive.moves(&Filter::default()).map(Result::unwrap) {
        if let Some(opening) = known.of(game.id) {
            assert_eq!(opening, opening_of(&game).unwrap(), "game {}", game.id);
        }
    }
    for filter in filters() {
        let [one, other] =
            by.map(|index| opening_counts(Context::new(&archive).with_index(index), &filter).unwrap());
        assert_eq!(one, other, "{filter:?}");
        for text in ["B", "sicilian", "C30..C39", "najdorf", "e97", "indian", "gambit"] {
            let openings = Openings::standard().search(text);
            let [one, other] = by.map(|index| {
                games_with_opening(Context::new(&archive).with_index(index), &openings, &filter).unwrap()
            });
            assert_eq!(one, other, "{text} {filter:?}");
        }
    }
}

#[test]
fn the_index_agrees_with_a_replay() {
    let (_folder, path) = half_indexed();
    answers_alike(&path);
    index(&path);
    answers_alike(&path);
    let archive = Archive::open(&path).unwrap();
    let known = PositionIndex::open(&archive).unwrap().unwrap().known_openings(&archive).unwrap();
    let named = (1..=archive.last_id().unwrap()).filter(|id| known.of(*id).flatten().is_some()).count();
    assert!(named > 800, "{named}");
    // A game that cannot be replayed to its end is in no segment, but still has an opening.
    let mut games = archive.moves(&Filter::default()).map(Result::unwrap);
    let damaged = games.find(|game| plays_to_the_end(game) == Some(false)).unwrap();
    assert!(known.of(damaged.id).is_none() && opening_of(&damaged).unwrap().is_some());
}

#[test]
fn indexed_games_are_not_replayed() {
    let (_folder, path) = half_indexed();
    let archive = Archive::open(&path).unwrap();
    let replayed = |filter: &Filter| {
        let seen = Cell::new(0);
        let watch = |progress: FindProgress| {
            seen.set(progress.games);
            Continue(())
        };
        let (index, openings) = (PositionIndex::open(&archive).unwrap(), Openings::standard().search("B"));
        let context = Context::new(&archive).with_index(index.as_ref()).watched_by(&watch);
        opening_counts(context, filter).unwrap();
        let counted = seen.replace(0);
        games_with_opening(context, &openings, filter).unwrap();
        [counted, seen.get()]
    };
    let others = archive.count().unwrap() - 600;
    let all = replayed(&Filter::default());
    assert!(all.iter().all(|games| (others..others + 20).contains(games)), "{all:?} of {others}");
    // In the indexed part: the damaged game, and those of other variants.
    let indexed = replayed(&Filter { ids: Some(1..=600), ..Filter::default() });
    assert!(indexed.iter().all(|games| (1..20).contains(games)), "{indexed:?}");
}

#[test]
fn the_commands_agree_with_and_without_an_index() {
    let (folder, _) = half_indexed();
    let half = Bench { folder };
    let [none, whole] = [half.twin(), half.twin()];
    none.ok(&["index", "--drop"]);
    whole.ok(&["index"]);
    for command in [
        &["games", "--opening", "sicilian"][..],
        &["games", "--opening", "B20..B99", "--sort", "date", "--desc", "--limit", "9", "--offset", "3"],
        &["games", "--opening-names", "--format", "json"],
        &["games", "--opening-names", "--sort", "elo", "--limit", "20", "--offset", "7"],
        &["games", "--opening", "indian", "--opening-names", "--player", "tal"],
        &["export", "--opening", "gambit", "--result", "1-0"],
        &["stats", "--openings", "--format", "csv"],
        &["stats", "--openings", "--limit", "100", "--offset", "50"],
        &["stats", "--opening", "french", "--format", "csv"],
        &["find", "1. e4 e5", "--opening", "king's gambit", "--format", "csv"],
        &["find", "1. e4", "--opening", "sicilian", "--count"],
        &["explore", "1. e4", "--opening", "sicilian", "--format", "json"],
    ] {
        let expected = none.ok(command);
        assert!(expected.len() > 2, "{command:?}");
        assert_eq!(half.ok(command), expected, "{command:?}");
        assert_eq!(whole.ok(command), expected, "{command:?}");
    }
}

#[test]
fn a_position_is_explored_the_same_among_some_games() {
    let (_folder, path) = half_indexed_after(|_| ());
    let archive = Archive::open(&path).unwrap();
    let index = PositionIndex::open(&archive).unwrap();
    let start = [VariantPosition::default()];
    for step in [1, 2, 7, 1000] {
        let some = Filter { among: Some((-5..5000).step_by(step).collect()), ..Filter::default() };
        for filter in [some.clone(), some.in_range(GameNumber::Plies, 0..=20)] {
            let by_index =
                explore(Context::new(&archive).with_index(index.as_ref()), &start, &filter).unwrap();
            assert_eq!(by_index, explore(Context::new(&archive), &start, &filter).unwrap());
        }
    }
}

#[test]
fn openings_of_another_table_are_found_by_a_replay_and_are_no_fault() {
    let (_folder, path) = half_indexed_after(|_| ());
    let archive = WritableArchive::create_or_open(&path).unwrap();
    let olds = archive.segments().positions().unwrap();
    for old in &olds {
        // As if built with another table: other numbers in the column.
        let games = (old.first..=old.last).into();
        let mut built = archive.segments().build_positions(games, None, 1000, |_| Continue(())).unwrap();
        built.shape.openings ^= 1;
        let opening = Part::Column(ColumnOf::Opening).number();
        let column = built.blocks.iter_mut().filter(|(part, ..)| *part == opening);
        column.for_each(|(_, _, block)| block.fill(0));
        assert!(archive.segments().add(games, std::slice::from_ref(old), built, &archive).unwrap());
    }
    answers_alike(&path);
    assert_eq!(archive.maintenance().verify(|_| ()).unwrap().first, []);
}

#[test]
fn the_openings_of_a_collection_equal_those_of_a_replay() {
    let Some(pgn) = corpus("lichess.pgn.zst") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plybook.db");
    import_paths(&path, &[pgn], &Options { index: true, ..Options::default() }).unwrap();
    answers_alike(&path);
}
