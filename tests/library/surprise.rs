//! Surprise is summed up by ply, rating and year as the bits of each move say, and games are sorted by it.

use std::collections::BTreeMap;

use crate::common::{Bench, data, text};
use plybook::{archive::Archive, chess::Color, codec::game::model::MODEL, record::StoredGame};
use serde_json::Value;

fn archive() -> Bench {
    let bench = Bench::new();
    bench.ok(&["import", "--quiet", data("").to_str().unwrap()]);
    let rated = "[Date \"2024.??.??\"]\n[WhiteElo \"2650\"]\n[BlackElo \"950\"]\n[FEN \"4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7\"]\n\n7... e5 8. e4 Kd7 9. Kd2 *\n";
    bench.feed(&["import", "-", "--quiet"], rated.as_bytes());
    bench
}

/// The games that have a model.
fn games(bench: &Bench) -> Vec<StoredGame> {
    let archive = Archive::open(bench.path("plybook.db")).unwrap();
    let games = (1..=archive.last_id().unwrap()).map(|id| archive.game(id).unwrap());
    games.filter(|game| ["Standard", "Chess960"].contains(&game.kind.name())).collect()
}

/// Sums of plies and bits.
type Sums = BTreeMap<u64, (u64, f64)>;

fn add(sums: &mut Sums, group: u64, bits: f64) {
    let (plies, all) = sums.entry(group).or_default();
    (*plies, *all) = (*plies + 1, *all + bits);
}

fn check(groups: &Value, sums: &Sums) {
    let groups = groups.as_array().unwrap();
    assert_eq!(groups.len(), sums.len());
    for (group, (from, (plies, bits))) in groups.iter().zip(sums) {
        assert_eq!((&group["from"], &group["plies"]), (&(*from).into(), &(*plies).into()));
        let difference = group["bits_per_ply"].as_f64().unwrap() - bits / *plies as f64;
        assert!(difference.abs() < 1e-5, "{group}: {difference}");
    }
}

#[test]
fn the_groups_of_surprise_are_sums_over_the_moves() {
    let bench = archive();
    let [mut by_ply, mut by_rating, mut by_year] = [Sums::new(), Sums::new(), Sums::new()];
    let (mut all, mut plies) = (0.0, 0);
    for game in games(&bench) {
        let start = game.start().unwrap();
        for (number, bits) in game.move_bits().unwrap().into_iter().enumerate() {
            add(&mut by_ply, number as u64 + 1, bits);
            let first = shakmaty::Position::turn(&start);
            let mover = if number % 2 == 0 { first } else { !first };
            let tag = if mover == Color::White { "WhiteElo" } else { "BlackElo" };
            if let Some(rating) = game.tags.get(tag).and_then(|rating| rating.parse::<u64>().ok()) {
                add(&mut by_rating, rating / 100 * 100, bits);
            }
            let year = game.tags.get("Date").and_then(|date| date.get(..4)?.parse().ok());
            year.into_iter().for_each(|year| add(&mut by_year, year, bits));
            (all, plies) = (all + bits, plies + 1);
        }
    }
    let said = bench.json(&["stats", "--surprise", "--format", "json"]);
    assert_eq!((&said["games"], &said["plies"]), (&games(&bench).len().into(), &plies.into()));
    assert!((said["bits_per_ply"].as_f64().unwrap() - all / f64::from(plies)).abs() < 1e-5);
    check(&said["by_ply"], &by_ply);
    check(&said["by_rating"], &by_rating);
    check(&said["by_year"], &by_year);
    let csv = bench.ok(&["stats", "--surprise", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 2 + by_ply.len() + by_rating.len() + by_year.len());
    let svg = bench.ok(&["stats", "--surprise", "--format", "svg"]);
    assert_eq!(by_rating.keys().collect::<Vec<_>>(), [&900, &2600]);
    assert_eq!((svg.matches("<svg").count(), svg.matches("<polyline").count()), (4, 3), "{svg}");
    let text = bench.ok(&["stats", "--surprise"]);
    assert!(text.contains("1 bit if half of all players would make the\nmove, 3 bits"), "{text}");
    assert!(text.contains("\n ply  plies  bits per ply\n"), "{text}");
}

#[test]
fn games_are_sorted_by_what_the_model_takes_for_them_whatever_their_codec() {
    let bench = archive();
    let mut expected: Vec<(i64, f64)> = Vec::new();
    for game in games(&bench).iter().filter(|game| game.plies > 0) {
        let bits = MODEL.encode(&game.line().unwrap()).unwrap().bits.len();
        expected.push((game.id, (bits - 16) as f64 / game.plies as f64));
    }
    expected.sort_by(|one, other| one.1.total_cmp(&other.1).then(one.0.cmp(&other.0)));
    let listed = |more: &[&str]| -> Vec<i64> {
        let list = bench.json(&[&["games", "--sort", "surprise", "--format", "json"], more].concat());
        list.as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()).collect()
    };
    let ids: Vec<i64> = expected.iter().map(|(id, _)| *id).collect();
    expected.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
    let most: Vec<i64> = expected.iter().skip(2).take(3).map(|(id, _)| *id).collect();
    for _ in 0..2 {
        assert_eq!(listed(&[]), ids);
        assert_eq!(listed(&["--desc", "--offset", "2", "--limit", "3"]), most);
        bench.ok(&["recompress"]);
    }
    let table = bench.ok(&["games", "--sort", "surprise", "--limit", "1"]);
    assert!(table.lines().next().unwrap().ends_with("bits/ply"), "{table}");
    let shown = format!("{:.3}", expected.last().unwrap().1);
    assert!(table.lines().nth(1).unwrap().ends_with(&shown), "{table} {shown}");
}

#[test]
fn what_cannot_be_sorted_or_weighed_is_refused() {
    let bench = archive();
    for (command, what) in [
        (&["games", "--sort", "surprise", "--count"][..], "cannot be combined with --count"),
        (&["games", "--sort", "surprise", "--format", "ids"], "or --format ids"),
        (&["games", "--sort", "surprise", "--sample", "3"], "cannot be combined with --sample"),
        (&["export", "--sort", "surprise"], "only for plybook games"),
        (&["stats", "--surprise", "--variant", "xelto"], "no model of how people play Xelto"),
    ] {
        let said = bench.refused(command);
        assert!(said.contains(what), "{command:?}: {said}");
    }
    let hill = "[Variant \"King of the Hill\"]\n\n1. e4 e5 *\n";
    bench.feed(&["import", "-", "--quiet", "-a", "hill.db"], hill.as_bytes());
    let output = bench.run(&["stats", "--surprise", "-a", "hill.db"]);
    assert!(text(&output.stdout).contains("1 game of variants skipped"), "{}", text(&output.stdout));
    assert_eq!(output.status.code(), Some(1));
    let svg = text(&bench.run(&["stats", "--surprise", "--format", "svg", "-a", "hill.db"]).stdout);
    assert!(svg.contains("no games"), "{svg}");
    // A game without moves belongs to no group.
    bench.feed(&["import", "-", "--quiet", "-a", "empty.db"], b"[Date \"1990.01.01\"]\n\n1-0\n");
    let none = bench.ok(&["stats", "--surprise", "-a", "empty.db"]);
    assert!(none.contains("1 game, 0 plies") && !none.contains("NaN") && !none.contains("1990"), "{none}");
}

#[test]
fn the_bits_of_moves_are_the_same_in_json_and_in_sql() {
    let bench = archive();
    for game in games(&bench).iter().take(12) {
        let bits = game.move_bits().unwrap();
        let id = game.id.to_string();
        let shown = bench.json(&["show", &id, "--bits", "--format", "json"]);
        let rounded: Vec<f64> = bits.iter().map(|bits| (bits * 100.0).round() / 100.0).collect();
        assert_eq!(shown["move_bits"], Value::from(rounded), "game {id}");
        let sql = "SELECT positions.ply AS ply, move_bits(moves, positions.ply, games.fen, variant) AS bits
                   FROM games, positions(moves, games.fen, variant) WHERE id = :id";
        let rows = bench.json(&["sql", sql, "--param", &format!("id={id}"), "--format", "json"]);
        let rows = rows.as_array().unwrap();
        assert!(rows.len() == bits.len() + 1 && rows[0]["bits"].is_null(), "game {id}");
        for (row, bits) in rows[1..].iter().zip(&bits) {
            assert!((row["bits"].as_f64().unwrap() - bits).abs() < 1e-9, "game {id}: {row} {bits}");
        }
    }
    let part = bench.json(&["show", "1", "--bits", "--ply", "3", "--format", "json"]);
    assert_eq!(part["move_bits"].as_array().unwrap().len(), 3);
    assert!(bench.json(&["show", "1", "--format", "json"]).get("move_bits").is_none());
    assert!(bench.refused(&["show", "67", "--bits", "--format", "json"]).contains("Xelto"));
}
