//! Imports under conditions: they store the games that a search would find, and say what they left out.

use std::fs;

use crate::common::{Bench, data, text};

/// Conditions of every kind, with the option of `import` that differs.
const CONDITIONS: [&[&str]; 13] = [
    &["--player", "morphy"],
    &["--player", "anderssen", "--result", "1-0"],
    &["--white", "k*", "--date", "..1990"],
    &["--event", "*ch*"],
    &["--eco", "C"],
    &["--opening", "king's gambit"],
    &["--variant", "chess960"],
    &["--plies", "..45"],
    &["--tag", "ECO=B*"],
    &["--comment", "mate"],
    &["--position", "1. e4 e5 2. Nf3"],
    &["--material", "KR* KB*", "--min-plies", "4"],
    &["--pattern", "*/*/*/*/???P*/*/*/*", "--not-pattern", "*/*/*/???P*/*/*/*/*"],
];

const SOURCES: [&str; 4] = ["famous.pgn", "annotated.pgn", "chess960.pgn", "setup.pgn"];

fn at_import<'a>(condition: &[&'a str]) -> Vec<&'a str> {
    condition.iter().map(|word| if *word == "--variant" { "--only-variant" } else { *word }).collect()
}

impl Bench {
    /// Imports under conditions, and returns the report.
    fn under(&self, archive: &str, source: &str, condition: &[&str]) -> serde_json::Value {
        let rest = ["import", "--format", "json", "-a", archive, source];
        self.json(&[&rest, &*at_import(condition)].concat())
    }
}

fn counts(report: &serde_json::Value) -> [i64; 4] {
    ["seen", "stored", "duplicate", "unmatched"].map(|name| report[name].as_i64().unwrap_or(0))
}

#[test]
fn an_import_stores_the_games_that_a_search_finds() {
    let bench = Bench::new();
    let joined: String = SOURCES.iter().map(|name| fs::read_to_string(data(name)).unwrap() + "\n").collect();
    fs::write(bench.path("all.pgn"), joined).unwrap();
    bench.ok(&["import", "--quiet", "all.pgn", "-a", "all.db"]);
    let games: i64 = bench.ok(&["games", "-a", "all.db", "--count"]).trim().parse().unwrap();
    for condition in CONDITIONS {
        let found = bench.ok(&[&["export", "-a", "all.db"], condition].concat());
        let matching = found.matches("[Event ").count() as i64;
        assert!((1..games).contains(&matching), "{condition:?}: {matching}");
        // From text, and from an archive, whose rows could be copied.
        for source in ["all.pgn", "all.db"] {
            let archive = format!("{matching}-{}.db", source.replace('.', "-"));
            let report = bench.under(&archive, source, condition);
            let [seen, stored, duplicate, unmatched] = counts(&report);
            assert_eq!(
                (stored, seen - duplicate - unmatched),
                (matching, matching),
                "{condition:?}: {report}"
            );
            assert_eq!(bench.ok(&["export", "-a", &archive]), found, "{condition:?}");
            fs::remove_file(bench.path(&archive)).unwrap();
        }
    }
}

#[test]
fn a_source_is_resumed_under_the_same_conditions_only() {
    let bench = Bench::new();
    let all = fs::read_to_string(data("famous.pgn")).unwrap();
    let half = all.match_indices("\n[Event ").nth(30).unwrap().0 + 1;
    fs::write(bench.path("games.pgn"), &all[..half]).unwrap();
    let morphy = ["--player", "morphy"];
    let first = bench.under("plybook.db", "games.pgn", &morphy);
    let [seen, stored, _, unmatched] = counts(&first);
    assert!(stored > 0 && unmatched > 0 && seen == stored + unmatched, "{first}");

    fs::write(bench.path("games.pgn"), &all).unwrap();
    let grown = bench.under("plybook.db", "games.pgn", &morphy);
    assert_eq!(grown["met"][0]["how"], "grown", "{grown}");
    let again = bench.under("plybook.db", "games.pgn", &morphy);
    assert_eq!((counts(&again), again["met"][0]["how"].as_str()), ([0; 4], Some("done")), "{again}");

    // Numbers of games in the source count those that were left out.
    let number = "SELECT max(number) FROM source_span";
    let last: i64 = bench.ok(&["sql", number, "--format", "csv"]).lines().last().unwrap().parse().unwrap();
    assert!(last > stored + counts(&grown)[1], "{last}");

    let others = bench.under("plybook.db", "games.pgn", &["--player", "anderssen"]);
    assert_eq!(others["met"][0]["how"], "changed", "{others}");
    assert!(counts(&others)[1] > 0);
    let rest = bench.under("plybook.db", "games.pgn", &[]);
    assert_eq!(rest["met"][0]["how"], "changed", "{rest}");
    let every = Bench::with_games();
    assert_eq!(bench.ok(&["games", "--count"]), every.ok(&["games", "--count"]));
    assert!(text(&bench.run(&["verify"]).stdout).contains("all intact"));
}

#[test]
fn an_import_under_conditions_is_undone_and_redone_and_survives_compacting() {
    let bench = Bench::new();
    let famous = data("famous.pgn").display().to_string();
    let report = bench.ok(&["import", &famous, "--player", "morphy", "--plies", "20.."]);
    assert!(report.contains("unmatched ") && report.contains("do not meet the conditions"), "{report}");
    let before = bench.ok(&["export"]);
    bench.ok(&["undo"]);
    assert_eq!(text(&bench.run(&["games", "--count"]).stdout).trim(), "0");
    bench.ok(&["redo"]);
    assert_eq!(bench.ok(&["export"]), before);
    bench.ok(&["compact", "--yes"]);
    assert_eq!(bench.ok(&["export"]), before);
    let again = bench.ok(&["import", &famous, "--player", "morphy", "--plies", "20.."]);
    assert!(again.contains("already imported"), "{again}");
    assert!(text(&bench.run(&["verify"]).stdout).contains("all intact"));
}

#[test]
fn conditions_on_stored_games_are_refused_before_anything_is_read() {
    let bench = Bench::with_games();
    let before = fs::read(bench.path("plybook.db")).unwrap();
    let annotated = data("annotated.pgn").display().to_string();
    for (condition, why) in [
        (["--position", "3:12w"], "position refers to games that are already stored"),
        (["--opening", "no such opening"], "unknown opening"),
        (["--pattern", "9/9"], "invalid pattern"),
        (["--colour", "white"], "--player"),
        (["--id", "3"], "unexpected argument"),
    ] {
        let refused = bench.run(&["import", &annotated, condition[0], condition[1]]);
        let said = text(&refused.stderr);
        assert!(!refused.status.success() && said.contains(why), "{said}");
    }
    assert_eq!(fs::read(bench.path("plybook.db")).unwrap(), before);
}
