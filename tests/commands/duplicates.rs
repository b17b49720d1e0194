//! Near duplicates: each kind is found, and games that only resemble each other are not.

use std::fs;

use crate::common::{Bench, corpus, text};
use serde_json::Value;

/// A game of the open line that few others play.
pub const LONG: &str = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 h5 7. a4 g6 8. Ra3 Bg7 9. Be2 Nc6 10. Nb3 Be6 \
     11. Bg5 Rc8 12. f4 Qb6 13. Qd2 O-O 14. Nd5 Bxd5 15. exd5 Nb4 16. c3 Qg1+ 17. Bf1 Ne4";

/// The same with the sixteenth move of White earlier, and the fifteenth later.
const TRANSPOSED: &str = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. a4 h5 7. h4 g6 8. Ra3 Bg7 9. Be2 Nc6 10. Nb3 Be6 \
     11. Bg5 Rc8 12. f4 Qb6 13. Qd2 O-O 14. Nd5 Bxd5 15. exd5 Nb4 16. c3 Qg1+ 17. Bf1 Ne4";

pub const OTHER_ENDING: &str = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 h5 7. a4 g6 8. Ra3 Bg7 9. Be2 Nc6 10. Nb3 Be6 \
     11. Bg5 Rc8 12. f4 Qb6 13. Qd2 O-O 14. Nd5 Bxd5 15. exd5 Nb4 16. Nc1 Nxc2+ 17. Kf1";

pub const SHORT: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7";

pub struct Game<'a> {
    pub white: &'a str,
    pub black: &'a str,
    pub date: &'a str,
    pub event: &'a str,
    pub round: &'a str,
    pub result: &'a str,
    pub moves: &'a str,
}

pub const GAME: Game<'_> = Game {
    white: "Yusupov, Artur",
    black: "Korchnoi, Viktor",
    date: "1988.03.07",
    event: "Open",
    round: "3",
    result: "1-0",
    moves: LONG,
};

impl Game<'_> {
    pub fn pgn(&self) -> String {
        let Game { white, black, date, event, round, result, moves } = self;
        format!(
            "[Event \"{event}\"]\n[Site \"Basel\"]\n[Date \"{date}\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n\
             [Black \"{black}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    }
}

pub fn bench(games: &[Game<'_>]) -> Bench {
    let bench = Bench::new();
    fs::write(bench.path("a.pgn"), games.iter().map(Game::pgn).collect::<String>()).unwrap();
    assert_eq!(bench.import(&["a.pgn"])["stored"], games.len());
    bench
}

/// The pairs found: ids, differences, shared plies.
pub fn pairs(bench: &Bench, arguments: &[&str]) -> Vec<(i64, i64, String, u64)> {
    let output = bench.run(&[&["duplicates", "--format", "jsonl"], arguments].concat());
    let pair = |line: &str| {
        let row: Value = serde_json::from_str(line).unwrap();
        let id = |place: usize| row["games"][place]["id"].as_i64().unwrap();
        let words: Vec<&str> =
            row["differences"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        (id(0), id(1), words.join(" "), row["shared_plies"].as_u64().unwrap())
    };
    text(&output.stdout).lines().map(pair).collect()
}

/// What is found of a game and another one.
fn found(one: Game<'_>, two: Game<'_>) -> Option<(String, u64)> {
    let found = pairs(&bench(&[one, two]), &[]);
    assert!(found.len() <= 1);
    found.into_iter().next().map(|(_, _, differences, shared)| (differences, shared))
}

/// Of a game whose day is not known: otherwise an import makes one game of both.
pub const UNDATED: Game<'_> = Game { date: "1988.03.??", ..GAME };

fn is_found(other: Game<'_>, differences: &str, shared: u64) {
    assert_eq!(found(GAME, other), Some((differences.to_owned(), shared)));
}

#[test]
fn the_same_moves_under_other_names_are_found() {
    for (white, black) in [
        ("Artur Yusupov", "V. Korchnoi"),
        ("Jussupow,A", "Kortschnoj"),
        ("YUSUPOV", "Korchnoi, Victor"),
        ("Юсупов, Артур", "Корчной, Виктор"),
        ("Yusupvo, Artur", "Korchnoi, Viktor"),
    ] {
        is_found(Game { white, black, ..GAME }, "names", 34);
    }
}

#[test]
fn the_beginning_of_a_game_is_found() {
    let moves = &LONG[..LONG.find("13.").unwrap()];
    for (moves, shared) in [(moves, 24), ("1. e4", 1)] {
        let other = Game { moves, ..UNDATED };
        assert_eq!(found(UNDATED, other), Some(("shorter".to_owned(), shared)));
    }
}

#[test]
fn another_ending_is_found() {
    is_found(Game { moves: OTHER_ENDING, ..GAME }, "ending", 30);
}

#[test]
fn transposed_moves_are_found() {
    is_found(Game { moves: TRANSPOSED, ..GAME }, "transposed", 34);
}

#[test]
fn a_mistaken_date_is_found() {
    for date in ["1988.07.03", "1987.03.07", "1989.03.07", "1988.03.??", "1988.??.??", "????.??.??"] {
        is_found(Game { date, ..GAME }, "date", 34);
    }
}

#[test]
fn another_result_is_found() {
    for result in ["0-1", "1/2-1/2", "*"] {
        assert_eq!(found(UNDATED, Game { result, ..UNDATED }), Some(("result".to_owned(), 34)));
    }
}

#[test]
fn several_differences_together_are_found() {
    let moves = &LONG[..LONG.find("16. c3").unwrap()];
    is_found(
        Game { white: "Jussupow,A", date: "1989.03.07", moves, result: "*", ..GAME },
        "names shorter date result",
        30,
    );
}

#[test]
fn a_short_line_that_many_play_is_no_pair_unless_the_rest_agrees() {
    let short = || Game { moves: SHORT, ..GAME };
    assert!(found(short(), Game { white: "Adams, Michael", ..short() }).is_none());
    assert!(found(short(), Game { date: "1994.10.01", event: "Cup", ..short() }).is_none());
    assert!(found(short(), Game { round: "5", date: "1988.03.09", ..short() }).is_none());
    assert_eq!(found(short(), Game { white: "Jussupow,A", ..short() }), Some(("names".to_owned(), 10)));
}

#[test]
fn games_of_a_blitz_match_are_no_pairs() {
    let blitz = |moves, round| Game { moves, round, ..GAME };
    assert!(
        found(blitz(SHORT, "?"), blitz("1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. d3 Bc5 5. c3 O-O", "?")).is_none()
    );
    assert!(
        found(blitz(SHORT, "1"), blitz("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5", "2"))
            .is_none()
    );
}

#[test]
fn a_rematch_that_repeats_a_line_is_no_pair() {
    let again = Game { date: "1990.05.01", event: "Cup", round: "1", moves: OTHER_ENDING, ..GAME };
    assert!(found(GAME, again).is_none());
}

#[test]
fn filters_order_limit_and_offset_apply_to_pairs() {
    let games = ["1987.03.07", "1985.02.02", "1984.01.01"].map(|date| {
        [
            Game { date, event: date, ..GAME },
            Game { date, event: date, white: "Jussupow,A", result: "*", ..GAME },
        ]
    });
    let moves = [LONG, SHORT, "1. d4 d5 2. Bf4 Nf6 3. e3 g6 4. h4 h5 5. Nf3 Bg7"];
    let games: Vec<Game<'_>> = games
        .into_iter()
        .zip(moves)
        .flat_map(|(pair, moves)| pair.map(|game| Game { moves, ..game }))
        .collect();
    let bench = bench(&games);
    let ids = |arguments: &[&str]| -> Vec<[i64; 2]> {
        pairs(&bench, arguments).into_iter().map(|(one, two, ..)| [one, two]).collect()
    };
    assert_eq!(ids(&[]), [[1, 2], [3, 4], [5, 6]]);
    assert_eq!(ids(&["--sort", "date"]), [[5, 6], [3, 4], [1, 2]]);
    assert_eq!(ids(&["--offset", "1", "--limit", "1"]), [[3, 4]]);
    assert_eq!(ids(&["--date", "1985", "--result", "*"]), [[3, 4]]);
    assert_eq!(bench.ok(&["duplicates", "--count"]), "3\n");
    assert_eq!(bench.run(&["duplicates", "--date", "1970"]).status.code(), Some(1));
    assert!(bench.refused(&["duplicates", "--count", "--format", "csv"]).contains("--count"));
}

#[test]
fn every_format_shows_both_games() {
    let bench = bench(&[GAME, Game { white: "Jussupow,A", ..GAME }]);
    for format in ["table", "csv", "json", "jsonl", "markdown", "html"] {
        let list = bench.ok(&["duplicates", "--format", format]);
        assert!(list.contains("Yusupov, Artur") && list.contains("Jussupow,A"), "{format}: {list}");
    }
    let row = text(&bench.run(&["duplicates", "--format", "csv"]).stdout);
    assert!(row.lines().nth(1).unwrap().starts_with("1,2,names,34,"), "{row}");
}

#[test]
fn several_archives_are_compared_as_one() {
    let bench = bench(&[GAME]);
    fs::write(bench.path("b.pgn"), Game { white: "Jussupow,A", ..GAME }.pgn()).unwrap();
    bench.import(&["-a", "b.db", "b.pgn"]);
    assert_eq!(pairs(&bench, &["-a", "plybook.db", "-a", "b.db"]), [(1, 2, "names".to_owned(), 34)]);
}

#[test]
fn planted_games_of_a_real_collection_are_found_with_any_number_of_threads() {
    let Some(lichess) = corpus("lichess.pgn.zst") else { return };
    let bench = Bench::new();
    bench.import(&[lichess.to_str().unwrap()]);
    let games = bench.ok(&["export", "--plies", "40..", "--sample", "300"]);
    // The last word of the moves is the result.
    let planted: String = games
        .lines()
        .map(|line| {
            // Without addresses, by which an import would know them.
            if ["[UTCDate", "[Date", "[Site", "[GameId"].iter().any(|tag| line.starts_with(tag)) {
                String::new()
            } else {
                format!("{line}\n")
            }
        })
        .collect();
    fs::write(bench.path("planted.pgn"), planted).unwrap();
    assert_eq!(bench.import(&["planted.pgn"])["stored"], 300);
    let found = [1, 2].map(|threads| {
        let mut command = bench.command(&["duplicates", "--format", "csv", "--id", "9823.."]);
        text(&command.env("RAYON_NUM_THREADS", threads.to_string()).output().unwrap().stdout)
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].lines().count(), 301, "{}", found[0]);
}
