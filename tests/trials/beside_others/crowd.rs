//! Readers, writers, an importer, an indexer and a server at the same time: every answer is that of a state that existed.

use std::{
    fs,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use crate::{
    beside_others,
    common::{Bench, server::Served, text, trials},
};
use serde_json::Value;

const READERS: usize = 8;

/// The writers. Each changes the event and the result of all games of its set in one change.
const WRITERS: usize = 5;

/// Games in the set of a writer.
const SET: usize = 40;

/// The results that a writer sets, in turn, and their names in an answer.
const RESULTS: [(&str, &str); 3] = [("1-0", "white"), ("1/2-1/2", "draws"), ("0-1", "black")];

/// One state of the archive: how often each set has been changed.
type State = [usize; WRITERS];

/// What an answer shows of a state.
#[derive(Debug)]
enum Seen {
    /// The events of the sets.
    Events(Vec<String>),
    /// All games by result.
    Results([u64; 3]),
}

fn event(writer: usize, number: usize) -> String {
    format!("set {writer} change {number}")
}

impl Seen {
    /// Whether it is what a state shows, if there are some games by result outside the sets.
    fn is_of(&self, state: &State, others: [u64; 3]) -> bool {
        match self {
            Seen::Events(seen) => {
                let expected = state.iter().enumerate().map(|(writer, number)| event(writer, *number));
                let mut expected: Vec<String> = expected.collect();
                expected.sort();
                *seen == expected
            }
            Seen::Results(seen) => *seen == with_sets(others, state),
        }
    }
}

/// Games by result, with those of the sets.
fn with_sets(mut results: [u64; 3], state: &State) -> [u64; 3] {
    state.iter().for_each(|number| results[number % 3] += SET as u64);
    results
}

fn change(bench: &Bench, writer: usize, number: usize) {
    let games = format!("{}..{}", writer * SET + 1, (writer + 1) * SET);
    let (result, event) = (format!("Result={}", RESULTS[number % 3].0), event(writer, number));
    bench.ok(&["tag", &games, &result, &format!("Event={event}"), "-a", "a.db"]);
}

fn json(bench: &Bench, arguments: &[&str]) -> Value {
    let output = bench.run(&[arguments, &["--format", "json", "-a", "a.db"]].concat());
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Asks the archive or the server in one of several ways.
fn ask(bench: &Bench, server: &Served, way: usize) -> Seen {
    let events = |names: Value| {
        let names =
            names.as_array().unwrap().iter().map(|name| name["name"].as_str().unwrap_or("").to_owned());
        let mut names: Vec<String> = names.filter(|name| name.starts_with("set ")).collect();
        names.sort();
        Seen::Events(names)
    };
    let results = |explored: Value| Seen::Results(RESULTS.map(|(_, name)| explored[name].as_u64().unwrap()));
    match way % 4 {
        0 => events(json(bench, &["names", "--events", "--limit", "1000"])),
        1 => results(json(bench, &["explore"])),
        2 => events(json(bench, &["sql", "SELECT DISTINCT event AS name FROM games"])),
        _ => results(server.json("/masters")),
    }
}

/// The states that existed, in order, by the log of changes.
fn states(bench: &Bench) -> Vec<State> {
    let log = json(bench, &["log"]);
    let mut changes: Vec<_> =
        log.as_array().unwrap().iter().filter(|change| change["import"].is_null()).collect();
    changes.sort_by_key(|change| change["change"].as_i64());
    let mut states = vec![[0; WRITERS]];
    for change in changes {
        let command = change["command"].as_str().unwrap();
        let name = command.split("set ").nth(1).unwrap();
        let mut numbers =
            name.split(|other: char| !other.is_ascii_digit()).filter(|number| !number.is_empty());
        let mut number = || numbers.next().unwrap().parse::<usize>().unwrap();
        let mut state = states[states.len() - 1];
        let (writer, changed) = (number(), number());
        state[writer] = changed;
        states.push(state);
    }
    states
}

#[test]
fn every_answer_beside_a_crowd_is_that_of_a_state_that_existed() {
    let _lock = beside_others();
    let bench = Bench::new();
    bench.ok(&["generate", "--games", "1200", "-o", "games.pgn"]);
    bench.ok(&["import", "games.pgn", "-a", "a.db", "--quiet", "--index"]);
    (0..WRITERS).for_each(|writer| change(&bench, writer, 0));
    bench.ok(&["compact", "--yes", "-a", "a.db"]);
    let server = Served::new(&bench, &["a.db"]);
    let Seen::Results(all) = ask(&bench, &server, 1) else { panic!() };
    let sets = with_sets([0; 3], &[0; WRITERS]);
    let others = [all[0] - sets[0], all[1] - sets[1], all[2] - sets[2]];
    let (until, imports, builds) =
        (Instant::now() + Duration::from_secs(trials(6, 180)), AtomicUsize::new(0), AtomicUsize::new(0));
    let is_over = || Instant::now() >= until;
    let seen: Vec<Vec<Seen>> = thread::scope(|scope| {
        for writer in 0..WRITERS {
            let bench = &bench;
            scope.spawn(move || {
                (1..).take_while(|_| !is_over()).for_each(|number| change(bench, writer, number))
            });
        }
        scope.spawn(|| {
            while !is_over() {
                let number = imports.fetch_add(1, Relaxed);
                // Without a result, so that the answers do not depend on the number of imports.
                let game = format!("[Event \"imported {number}\"]\n\n1. e4 e5 2. Nf3 *\n");
                fs::write(bench.path("more.pgn"), game).unwrap();
                bench.ok(&["import", "more.pgn", "-a", "a.db", "--quiet"]);
            }
        });
        scope.spawn(|| {
            while !is_over() {
                builds.fetch_add(1, Relaxed);
                bench.run(&["index", "--drop", "-a", "a.db"]);
                bench.ok(&["index", "--quiet", "-a", "a.db"]);
            }
        });
        let readers: Vec<_> = (0..READERS)
            .map(|reader| {
                let (bench, server) = (&bench, &server);
                scope.spawn(move || -> Vec<Seen> {
                    (0..).take_while(|_| !is_over()).map(|way| ask(bench, server, reader + way)).collect()
                })
            })
            .collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).collect()
    });
    let states = states(&bench);
    let mut answers = 0;
    for seen in &seen {
        let mut at = 0;
        for seen in seen {
            let later = states[at..].iter().position(|state| seen.is_of(state, others));
            at += later.unwrap_or_else(|| panic!("no state from {at} on shows {seen:?}"));
            answers += 1;
        }
    }
    assert!(bench.ok(&["verify", "-a", "a.db"]).contains("all intact"));
    println!(
        "{answers} answers beside {} changes, {} imports and {} builds",
        states.len() - 1,
        imports.into_inner(),
        builds.into_inner()
    );
}
