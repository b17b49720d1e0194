//! Filters by speed and rated mode.

use std::{collections::BTreeMap, fmt::Write, fs};

use crate::{
    common::{self, Bench, corpus, trials},
    pgn_support::each_game,
};

/// Games with all kinds of time controls and events; `None` means no such tag.
const MADE: [(Option<&str>, &str); 20] = [
    (Some("29+0"), "Rated game"),
    (Some("15"), "Casual"),
    (Some("30+0"), "casual bullet"),
    (Some("59+3"), "CASUAL game"),
    (Some("0+1"), "Not casual"),
    (Some("60+3"), "Rated"),
    (Some("180"), "x"),
    (Some("479"), "Casual Rapid"),
    (Some("300+4"), "x"),
    (Some("300+5"), "x"),
    (Some("1499+0"), "?"),
    (Some("900+15"), "Casual"),
    (Some("1500"), "x"),
    (Some("4294967295+4294967295"), "x"),
    (Some("40/7200:3600"), "x"),
    (Some("?"), "casua"),
    (Some("-"), "casual correspondence"),
    (Some("-"), "Correspondence"),
    (Some("3+"), "x"),
    (None, "Casual"),
];

/// An independent implementation of the rules.
fn speed_of(time_control: Option<&str>) -> &'static str {
    let seconds = |text: &str| -> Option<f64> {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if digits { text.parse().ok() } else { None }
    };
    let text = time_control.unwrap_or("").trim();
    if text == "-" {
        return "correspondence";
    }
    let parts: Vec<Option<f64>> = text.split('+').map(seconds).collect();
    let estimate = match parts[..] {
        [Some(base)] => base,
        [Some(base), Some(increment)] => base + 40.0 * increment,
        _ => f64::INFINITY,
    };
    let limits = [(30.0, "ultraBullet"), (180.0, "bullet"), (480.0, "blitz"), (1500.0, "rapid")];
    limits.into_iter().find(|(limit, _)| estimate < *limit).map_or("classical", |(_, speed)| speed)
}

/// A bench with generated and real games, and the ids of each speed and mode.
fn bench() -> (Bench, BTreeMap<(&'static str, bool), Vec<String>>) {
    let bench = Bench::new();
    let mut pgn = String::new();
    for (number, (time_control, event)) in MADE.iter().enumerate() {
        write!(pgn, "[Event \"{event}\"]\n[White \"{number}\"]\n").unwrap();
        if let Some(time_control) = time_control {
            writeln!(pgn, "[TimeControl \"{time_control}\"]").unwrap();
        }
        writeln!(pgn, "\n1. e4 *\n").unwrap();
    }
    for name in ["lichess.pgn.zst", "otb.pgn.zst"] {
        let Some(path) = corpus(name) else { continue };
        let mut left = trials(1_500, 20_000);
        each_game(&path, 2 * left, |text, game| {
            let text = String::from_utf8_lossy(text);
            // explore counts only games from the usual start position.
            if game.is_ok() && left > 0 && !text.contains("[FEN ") {
                left -= 1;
                write!(pgn, "{}\n\n", text.trim()).unwrap();
            }
        });
    }
    fs::write(bench.path("games.pgn"), &pgn).unwrap();
    bench.import(&["games.pgn"]);
    let mut ids: BTreeMap<_, Vec<String>> = BTreeMap::new();
    let exported = bench.ok(&["export"]);
    let (mut id, mut event, mut time_control) = (0, "", None);
    let tag = |line: &'static str| line.split('"').nth(1).unwrap_or("");
    for line in exported.leak().lines() {
        if line.starts_with("[Event \"") {
            id += 1;
            (event, time_control) = (tag(line), None);
            assert!(!event.is_empty());
        } else if line.starts_with("[TimeControl \"") {
            time_control = Some(tag(line));
        } else if line.is_empty() && !event.is_empty() {
            // The end of the tags.
            let is_casual = event.to_lowercase().starts_with("casual");
            ids.entry((speed_of(time_control), is_casual)).or_default().push(format!("{id}"));
            event = "";
        }
    }
    (bench, ids)
}

#[test]
fn games_are_listed_and_explored_by_speed_and_mode() {
    let (bench, expected) = bench();
    let speeds = ["ultraBullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
    let asked = |options: &[&str]| -> Vec<String> {
        let listed = bench.run(&[&["games", "--format", "ids"], options].concat());
        common::text(&listed.stdout).lines().map(str::to_owned).collect()
    };
    let explored = |options: &[&str]| -> serde_json::Value {
        let printed = bench.run(&[&["explore", "--format", "json"], options].concat());
        serde_json::from_slice(&printed.stdout).unwrap()
    };
    let of = |speeds: &[&str], mode: Option<bool>| -> Vec<String> {
        let passes = |(speed, casual): &(&str, bool)| {
            speeds.contains(speed) && mode.is_none_or(|mode| mode == *casual)
        };
        let mut ids: Vec<String> =
            expected.iter().filter(|(key, _)| passes(key)).flat_map(|(_, ids)| ids.clone()).collect();
        ids.sort_by_key(|id| id.parse::<u64>().unwrap());
        ids
    };
    for is_indexed in [false, true] {
        if is_indexed {
            bench.ok(&["index"]);
        }
        for (mode, option) in [(None, None), (Some(false), Some("--rated")), (Some(true), Some("--casual"))] {
            let with =
                |options: &[&'static str]| -> Vec<&str> { options.iter().copied().chain(option).collect() };
            assert!(asked(&with(&[])) == of(&speeds, mode));
            for speed in speeds {
                let ids = of(&[speed], mode);
                assert!(!ids.is_empty() || mode.is_some(), "{speed}");
                assert!(asked(&with(&["--speed", speed])) == ids, "{speed}");
                assert_eq!(explored(&with(&["--speed", speed]))["games"], ids.len(), "{speed}");
            }
            let several = of(&["rapid", "bullet"], mode);
            assert!(asked(&with(&["--speed", "RAPID, bullet"])) == several);
        }
    }
    let error = bench.refused(&["games", "--speed", "blitz,fast"]);
    assert!(error.contains("invalid speed \"fast\"; use one of ultraBullet, bullet,"), "{error}");
}
