//! Commands of several processes at the same time: at every moment, the answers with an index are those of a scan, and
//! each command that takes long sees one state of the archive.

use plybook::archive::Archive;
use std::{collections::BTreeMap, fs, process::Stdio, thread::sleep, time::Duration};

use crate::{
    beside_others,
    common::{
        Bench, Random,
        questions::{QUESTIONS, answer},
        text, trials,
    },
};

const GAMES: usize = 1500;

/// The number of rounds; `PLYBOOK_ROUNDS` sets another one.
fn rounds(short: usize) -> usize {
    let rounds = std::env::var("PLYBOOK_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    rounds.unwrap_or(trials(short, 40))
}

/// An archive of generated games with an index.
fn indexed() -> Bench {
    let bench = Bench::new();
    bench.ok(&["generate", "--games", &GAMES.to_string(), "-o", "games.pgn"]);
    bench.ok(&["import", "games.pgn", "-a", "a.db", "--quiet", "--index"]);
    bench
}

/// A command that builds segments, if there is something to build.
fn build(random: &mut Random, bench: &Bench) -> Vec<String> {
    let command = match random.below(6) {
        0 => "index --only trails --quiet",
        1 => "index --only positions --quiet",
        2 => "index --check --quiet",
        3 => "compact --yes",
        4 => {
            // A large source is recorded for the index while it is read.
            let (games, seed) = (["40", "2000"][random.below(2)], random.below(1 << 20).to_string());
            bench.ok(&["generate", "--games", games, "--seed", &seed, "-o", "more.pgn", "--force"]);
            "import more.pgn --quiet --index"
        }
        _ => "index --quiet",
    };
    command.split(' ').map(str::to_owned).collect()
}

/// A command that changes games.
fn change(random: &mut Random, number: usize) -> Vec<String> {
    let first = 1 + random.below(GAMES);
    let games = [1, 10, 100, 400][random.below(4)];
    let range = format!("{first}..{}", first + games);
    let command = match random.below(9) {
        0 => format!("remove {range} --yes"),
        1 => "undo".to_owned(),
        2 => format!("undo --games {range}"),
        3 => "redo".to_owned(),
        4 => format!("tag {range} Result=1-0 --yes"),
        5 => format!("tag {range} White=Edited,{number} --yes"),
        6 => format!("tag {range} WhiteElo={} --yes", 1000 + number % 1900),
        7 => format!("recompress --codec {}", ["index", "model"][number % 2]),
        _ => format!("tag {range} Date=19{:02}.05.06 Event=Changed{number} --yes", number % 100),
    };
    command.split(' ').map(str::to_owned).collect()
}

/// Starts a command on the archive.
fn start(bench: &Bench, command: &[String]) -> std::process::Child {
    let arguments: Vec<&str> = command.iter().map(String::as_str).chain(["-a", "a.db"]).collect();
    bench.command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for a command. A change may be refused, because there is nothing to undo or no game to change.
fn end(child: std::process::Child, command: &[String], may_be_refused: bool) {
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    let refused = [
        "no change to",
        "cannot be undone",
        "changed none of these games",
        "cannot be redone",
        "already in the archive",
        "equal",
        "no games",
    ];
    let is_refused = may_be_refused && refused.iter().any(|why| said.contains(why));
    assert!(output.status.success() || is_refused, "{command:?}: {said}");
}

/// Compares all answers with those of a copy without an index.
fn equals_a_scan(bench: &Bench, place: &str) {
    let verified = bench.run(&["verify", "-a", "a.db"]);
    assert!(text(&verified.stdout).contains("all intact"), "{place}: {}", text(&verified.stdout));
    let _ = fs::remove_file(bench.path("scan.db"));
    bench.ok(&["backup", "scan.db", "-a", "a.db"]);
    bench.run(&["index", "--drop", "-a", "scan.db"]);
    let same = (1..1 << 16).map(|id| (id, id)).collect::<BTreeMap<_, _>>();
    for question in QUESTIONS {
        let expected = answer(bench, "scan.db", question, &same);
        assert_eq!(answer(bench, "a.db", question, &same), expected, "{place}: {question:?}");
    }
}

#[test]
fn answers_with_an_index_equal_a_scan_whatever_changes_while_it_is_built() {
    let _lock = beside_others();
    let (mut bench, mut random) = (indexed(), Random(65));
    let (mut overlaps, mut kills, rounds) = (0, 0, rounds(6));
    for round in 0..rounds {
        if Archive::open(bench.path("a.db")).unwrap().last_id().unwrap() > 3 * GAMES as i64 {
            bench = indexed();
        }
        if random.below(2) == 0 {
            bench.run(&["index", "--drop", "-a", "a.db"]);
        }
        let built = build(&mut random, &bench);
        let mut building = start(&bench, &built);
        let is_killed = random.below(4) == 0;
        let mut changes = Vec::new();
        for _ in 0..=random.below(3) {
            sleep(Duration::from_millis(random.below(120) as u64));
            overlaps += usize::from(building.try_wait().unwrap().is_none());
            let command = change(&mut random, round);
            end(start(&bench, &command), &command, true);
            changes.push(command.join(" "));
        }
        if is_killed {
            kills += usize::from(building.try_wait().unwrap().is_none());
            building.kill().unwrap();
            building.wait().unwrap();
        } else {
            end(building, &built, false);
            assert!(!bench.path("a.db-wal").exists(), "round {round}");
        }
        let built = built.join(" ");
        equals_a_scan(&bench, &format!("round {round}, {built} (killed: {is_killed}) beside {changes:?}"));
    }
    assert!(overlaps > rounds / 4, "only {overlaps} changes of {rounds} rounds began during a build");
    println!("{rounds} rounds, {overlaps} changes during builds, {kills} builds killed, 0 differences");
}
