//! Comments of engine games: their evaluations and clocks are shown and exported as numbers, and the comments stay as they
//! were.

use crate::common::{Bench, corpus};

const GAME: &str = r#"[Event "Match"]
[Result "0-1"]

{WhiteEngineOptions: Hash=16;, BlackEngineOptions: Hash=8;} 1. e4 {book} e5
{d=38, sd=66, tl=1508721, pv=e5 Nf3, wv=0.87, mb=+0+0+0+0+0,} 2. Nf3 {-M4/30 0.05s} Nc6 {+0.25/9 1.5s,
tl=9.5s, n=81} 3. Bb5 {+0.31/23 was better} a6 {-1.20/31 12s, White resigns} 0-1
"#;

fn bench() -> Bench {
    let bench = Bench::new();
    std::fs::write(bench.path("match.pgn"), GAME).unwrap();
    bench.import(&["match.pgn"]);
    bench
}

/// The comments of a PGN, with single spaces.
fn comments(pgn: &str) -> Vec<String> {
    let ends = pgn.split('{').skip(1).map(|text| text.split_once('}').unwrap().0);
    ends.map(|comment| comment.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn show_has_evaluations_and_clocks_of_engine_games_and_exports_have_the_comments_unchanged() {
    let bench = bench();
    let shown = comments(&bench.ok(&["show", "1"]));
    let expected = [
        "book",
        "[%eval 0.87] [%clk 0:25:08.721]",
        "[%eval #-2]",
        "[%eval -0.25] [%clk 0:00:09.500]",
        "+0.31/23 was better",
        "[%eval 1.20] White resigns",
    ];
    assert_eq!(shown, expected);
    for pgn in [&["show", "1", "--format", "pgn"][..], &["export"]] {
        assert_eq!(comments(&bench.ok(pgn)), comments(GAME), "{pgn:?}");
    }
    assert!(bench.ok(&["show", "1", "--ply", "6"]).ends_with("\n[%eval 1.20] White resigns\n"));
    let json = bench.json(&["show", "1", "--format", "json"]);
    let moves = json["tree"]["moves"].as_array().unwrap();
    let said = |name: &str| -> Vec<_> { moves.iter().map(|m| m[name].as_str().unwrap_or("")).collect() };
    assert_eq!(said("eval"), ["", "0.87", "#-2", "-0.25", "", "1.20"]);
    assert_eq!(said("clock"), ["", "0:25:08.721", "", "0:00:09.500", "", ""]);
    assert_eq!(moves[0]["comments"][0], "book");
}

/// A number that follows a name in a comment, as a text.
fn after<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    let (_, value) = comment.split_once(name)?;
    value.split(',').next().map(str::trim)
}

#[test]
fn every_evaluation_and_clock_of_tcec_is_that_of_its_comment() {
    let Some(tcec) = corpus("tcec.pgn.zst") else { return };
    let bench = Bench::new();
    bench.import(&[tcec.to_str().unwrap()]);
    let numbers = |comment: &String| {
        let score = after(comment, "wv=")?;
        let (mate, pawns) = (score.contains('M'), score.replace('M', "").parse::<f64>().unwrap());
        let left = after(comment, "tl=").unwrap();
        let clock = if left.contains(':') {
            left.split(':').fold(0.0, |sum, part| 60.0 * sum + part.parse::<f64>().unwrap())
        } else {
            left.parse::<f64>().unwrap() / 1000.0
        };
        // A mate takes two plies per move, and the last one takes one.
        Some((
            mate,
            if mate { (pawns / 2.0).abs().ceil() * pawns.signum() } else { 100.0 * pawns }.round(),
            clock,
        ))
    };
    let wanted: Vec<_> = comments(&bench.ok(&["export"])).iter().filter_map(numbers).collect();
    let rows = bench.ok(&["export", "--positions", "--format", "csv"]);
    let mut lines = rows.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let names = lines.next().unwrap();
    let [clock, eval, mate] =
        ["clock", "eval", "mate"].map(|name| names.iter().position(|n| *n == name).unwrap());
    let number = |text: &str| text.parse::<f64>().ok();
    let read = lines.filter_map(|row| {
        let is_mate = number(row[mate]).is_some();
        Some((is_mate, number(row[mate]).or(number(row[eval]))?, number(row[clock])?))
    });
    let read: Vec<_> = read.collect();
    assert_eq!((read.len(), wanted.len()), (65_452, 65_452));
    let differs = |(read, wanted): &(&(bool, f64, f64), &(bool, f64, f64))| read != wanted;
    assert_eq!(read.iter().zip(&wanted).find(differs), None);
}
