//! An archive that is opened once and queried by several threads while others write.

use std::{
    fs,
    ops::ControlFlow::{Break, Continue},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
};

use crate::common::{Bench, data, many_games};
use plybook::{
    archive::{Archive, ArchiveError, Filter, GameNumber},
    chess::{Variant, VariantPosition, move_list},
    import::{Options, import_paths},
    query::{
        Context, Exploration, Explorer, Reached, TargetPosition, Watch, count_reaching, explore,
        games_reaching,
    },
    rules::Rules,
};
use shakmaty::EnPassantMode;

fn after(moves: &str) -> VariantPosition {
    let (start, moves): (shakmaty::Chess, Vec<_>) = move_list(moves).unwrap();
    let mut position = VariantPosition::Chess(start);
    moves.into_iter().for_each(|m| position.make(m));
    position
}

fn sought(position: &VariantPosition) -> TargetPosition {
    TargetPosition::new(&shakmaty::Position::to_setup(position, EnPassantMode::Legal)).unwrap()
}

fn scanned(archive: &Archive, position: &VariantPosition, filter: &Filter) -> Exploration {
    let printed = explore(Context::new(archive), std::slice::from_ref(position), filter);
    printed.unwrap().remove(0)
}

/// The exploration of a position over a connection of the explorer.
fn explored(
    explorer: &Explorer,
    position: &VariantPosition,
    filter: &Filter,
    watch: &Watch<'_>,
) -> Option<Exploration> {
    let position = std::slice::from_ref(position);
    asked(explorer, watch, |context| explore(context, position, filter)).map(|mut answer| answer.remove(0))
}

/// The answer to a question; `None` if the watch stopped it.
fn asked<T>(
    explorer: &Explorer,
    watch: &Watch<'_>,
    ask: impl FnOnce(Context<'_>) -> Result<T, ArchiveError>,
) -> Option<T> {
    let answer = explorer.ask(|context| ask(context.watched_by(watch)));
    match answer {
        Err(ArchiveError::Stopped) => None,
        answer => Some(answer.unwrap()),
    }
}

fn games(
    explorer: &Explorer,
    sought: &TargetPosition,
    filter: &Filter,
    watch: &Watch<'_>,
) -> Option<Reached> {
    asked(explorer, watch, |context| games_reaching(context, sought, filter))
}

fn count(explorer: &Explorer, sought: &TargetPosition, filter: &Filter, watch: &Watch<'_>) -> Option<u64> {
    asked(explorer, watch, |context| count_reaching(context, sought, filter)).map(|counted| counted.hits)
}

#[test]
fn every_result_during_writes_comes_from_one_snapshot() {
    let bench = Bench::new();
    let games = many_games(2_000);
    let half = games.match_indices("[Event ").nth(700).unwrap().0;
    fs::write(bench.path("a.pgn"), &games[..half]).unwrap();
    fs::write(bench.path("b.pgn"), &games[half..]).unwrap();
    bench.import(&["a.pgn", "--index"]);
    let path = bench.path("plybook.db");
    let explorer = Explorer::open(&path).unwrap();
    let (start, is_over) = (Variant::Standard.start(), AtomicBool::new(false));
    let mut printed: Vec<Exploration> = thread::scope(|threads| {
        let ask = || {
            let mut printed = Vec::new();
            while !is_over.load(Relaxed) {
                printed.push(explored(&explorer, &start, &Filter::default(), &|_| Continue(())).unwrap());
            }
            printed
        };
        let asking = [threads.spawn(ask), threads.spawn(ask), threads.spawn(ask)];
        let options = Options { commit_every: 50, ..Options::default() };
        let imported = import_paths(&path, &[bench.path("b.pgn")], &options);
        is_over.store(true, Relaxed);
        let printed = asking.into_iter().flat_map(|asking| asking.join().unwrap()).collect();
        assert!(imported.unwrap().index.unwrap().built > 0);
        printed
    });
    // Added games are visible to the next query.
    printed.push(explored(&explorer, &start, &Filter::default(), &|_| Continue(())).unwrap());
    printed.sort_by_key(|printed| printed.results.games);
    let archive = Archive::open(&path).unwrap();
    assert_eq!(printed.last().unwrap().results.games, archive.last_id().unwrap().unsigned_abs());
    let asked = printed.len();
    printed.dedup();
    println!("{asked} answers of {} states", printed.len());
    // Every game begins at the start position, so each result shows how many games there were.
    for (number, printed) in printed.iter().enumerate() {
        let filter = Filter { ids: Some(1..=printed.results.games.cast_signed()), ..Filter::default() };
        assert_eq!(*printed, scanned(&archive, &start, &filter), "{number}");
    }
}

#[test]
fn queries_work_with_and_without_an_index() {
    for index in [false, true] {
        let bench = Bench::new();
        let path = bench.path("plybook.db");
        let options = Options { index, ..Options::default() };
        import_paths(&path, &[data("famous.pgn"), data("setup.pgn")], &options).unwrap();
        let (explorer, archive) = (Explorer::open(&path).unwrap(), Archive::open(&path).unwrap());
        let some = Filter::default().in_range(GameNumber::Date, Filter::dates("1850..1900").unwrap());
        for moves in ["1. e4", "1. e4 e5 2. f4 exf4", "1. d4 d5", "1. h4"] {
            let position = after(moves);
            let sought = sought(&position);
            for filter in [&Filter::default(), &some] {
                let printed = explored(&explorer, &position, filter, &|_| Continue(())).unwrap();
                assert_eq!(printed, scanned(&archive, &position, filter));
                let reached = games_reaching(Context::new(&archive), &sought, filter);
                let found = games(&explorer, &sought, filter, &|_| Continue(()));
                assert_eq!(found, reached.ok());
                assert_eq!(found.unwrap().games.len() as u64, printed.results.games);
                let count = count(&explorer, &sought, filter, &|_| Continue(()));
                assert_eq!(count, Some(printed.results.games));
            }
        }
    }
}

#[test]
fn a_cancelled_query_does_not_affect_others() {
    let bench = Bench::with_games();
    let explorer = Explorer::open(bench.path("plybook.db")).unwrap();
    let (start, all) = (Variant::Standard.start(), Filter::default());
    for _ in 0..3 {
        assert_eq!(explored(&explorer, &start, &all, &|_| Break(())), None);
        assert_eq!(games(&explorer, &sought(&start), &all, &|_| Break(())), None);
        assert_eq!(count(&explorer, &sought(&start), &all, &|_| Break(())), None);
    }
    assert_eq!(count(&explorer, &sought(&start), &all, &|_| Continue(())), Some(62));
}

#[test]
fn an_archive_of_an_older_version_is_queried_and_its_growth_is_visible() {
    let bench = Bench::new();
    let path = bench.path("plybook.db");
    fs::copy(data("archives/v1.db"), &path).unwrap();
    let explorer = Explorer::open(&path).unwrap();
    let count = || {
        let printed = explored(&explorer, &Variant::Standard.start(), &Filter::default(), &|_| Continue(()));
        printed.unwrap().results.games
    };
    let before = count();
    assert!(before > 0 && count() == before);
    fs::write(bench.path("new.pgn"), "[White \"Quite new\"]\n\n1. a4 h5 2. Ra3 1-0\n").unwrap();
    bench.import(&["new.pgn", "--index"]);
    assert_eq!(count(), before + 1);
}
