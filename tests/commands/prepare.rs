//! `plybook prepare`, compared with `explore`.

use std::fs;

use crate::common::{Bench, terminal::rows, text};
use serde_json::Value;

/// Games against one player, and of others.
fn bench() -> Bench {
    let bench = Bench::new();
    let game = |white: &str, black: &str, year: u32, moves: &str, result: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{year}.??.??\"]\n[WhiteElo \"2400\"]\n[BlackElo \"2500\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n"
        )
    };
    let mut all = String::new();
    for year in 1990..2000 {
        all += &game(
            "A",
            "Target",
            year,
            "1. e4 c5 2. Nf3 d6 3. d4 cxd4",
            if year < 1995 { "0-1" } else { "1/2-1/2" },
        );
        all += &game("C", "Other", year, "1. e4 c5 2. Nf3 d6 3. d4 cxd4", "1-0");
        all += &game("C", "Another", year, "1. d4 d5 2. c4", "1-0");
    }
    for year in 2000..2003 {
        all += &game("B", "Target", year, "1. d4 g5 2. e4", "1-0");
        all += &game("Target", "B", year, "1. b4 e5", "1-0");
    }
    fs::write(bench.path("a.pgn"), all).unwrap();
    bench.import(&["a.pgn"]);
    bench
}

/// Every move of a tree with the moves before it.
fn moves<'a>(lines: &'a Value, before: &str, all: &mut Vec<(String, &'a Value)>) {
    for line in lines.as_array().unwrap() {
        let path = format!("{before} {}", line["san"].as_str().unwrap()).trim().to_owned();
        all.push((path.clone(), line));
        moves(&line["lines"], &path, all);
    }
}

#[test]
fn the_tree_contains_the_games_of_the_opponent_with_the_other_colour() {
    let bench = bench();
    let check = || {
        let printed = bench.json(&["prepare", "--against", "target", "--as", "white", "--format", "json"]);
        assert_eq!(
            (&printed["colour"], &printed["games"], &printed["black"], &printed["draws"], &printed["white"]),
            (&"black".into(), &13.into(), &5.into(), &5.into(), &3.into())
        );
        let mut all = Vec::new();
        moves(&printed["lines"], "", &mut all);
        let at =
            |path: &str| all.iter().find(|(other, _)| other == path).unwrap_or_else(|| panic!("{path}")).1;
        for (path, line) in &all {
            // The counts of explore for the position before it: in the player's games, and in all games.
            let before = path.rsplit_once(' ').map_or("", |(before, _)| before);
            let find = |filter: &[&str]| {
                let position: &[&str] = if before.is_empty() { &[] } else { &[before] };
                let printed = bench.json(&[&["explore", "--format", "json"], position, filter].concat());
                let san = &line["san"];
                let found = printed["moves"].as_array().unwrap().iter().find(|m| m["san"] == *san).cloned();
                (printed["games"].clone(), found.unwrap())
            };
            let (_, own) = find(&["--black", "target"]);
            let own = own.as_object().unwrap();
            assert!(own.iter().all(|(name, value)| line[name] == *value), "{path}: {line}");
            let (here, of_all) = find(&[]);
            assert_eq!(
                (&line["all_here"], &line["all_games"], &line["all_after"]),
                (&here, &of_all["games"], &of_all["reached"]),
                "{path}"
            );
            assert_eq!(line["by_player"], path.split(' ').count() % 2 == 0);
        }
        assert_eq!(at("e4 c5")["rare"], Value::Null);
        // Three games have it, of thirteen with 1. d4.
        assert_eq!(at("d4 g5")["rare"], "position");
        assert_eq!(at("d4 g5 e4")["rare"], Value::Null);
        assert_eq!(at("e4 c5 Nf3 d6 d4 cxd4")["last_year"], 1999);
        let printed = bench.json(&[
            "prepare",
            "--against",
            "target",
            "--as",
            "white",
            "--rare-games",
            "1",
            "--rare-share",
            "30",
            "--format",
            "json",
        ]);
        let mut all = Vec::new();
        moves(&printed["lines"], "", &mut all);
        let rare: Vec<&str> =
            all.iter().filter(|(_, line)| line["rare"] == "move").map(|(path, _)| path.as_str()).collect();
        assert_eq!(rare, ["d4 g5"]);
    };
    check();
    bench.ok(&["index", "--quiet"]);
    check();
}

#[test]
fn a_position_reached_by_other_move_orders_is_not_rare() {
    let bench = Bench::new();
    let game = |white: &str, black: &str, moves: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves} *\n\n")
    };
    let others: String =
        (0..12).map(|number| game(&format!("A{number}"), "Other", "1. c4 Nf6 2. d4 e6")).collect();
    fs::write(bench.path("a.pgn"), others + &game("B", "Target", "1. d4 e6 2. c4 Nf6")).unwrap();
    bench.import(&["a.pgn"]);
    let asked = ["prepare", "1. d4 e6 2. c4", "--against", "target", "--as", "white", "--min-games", "1"];
    let printed = bench.json(&[&asked[..], &["--format", "json"]].concat());
    let line = &printed["lines"][0];
    assert_eq!(
        (&line["san"], &line["all_games"], &line["all_after"]),
        (&"Nf6".into(), &1.into(), &13.into())
    );
    assert_eq!(line["rare"], Value::Null);
}

#[test]
fn the_text_shows_the_score_of_the_opponent() {
    let bench = bench();
    let shown = bench.ok(&["prepare", "1. d4", "--against", "Target", "--as", "white"]);
    assert!(shown.starts_with("Target with Black: 3 games\nwon 0, drawn 0, lost 3: 0%\n"), "{shown}");
    assert!(shown.contains("1... g5") && shown.contains("rare: 3 games"), "{shown}");
    let shown = bench.ok(&["prepare", "--against", "target", "--as", "black"]);
    assert!(shown.starts_with("Target with White: 3 games\nwon 3, drawn 0, lost 0: 100%\n"), "{shown}");
    // If no move has enough games, a message tells how to show all.
    let few = ["prepare", "--against", "Target", "--as", "white", "--date", "1995"];
    let all = [&few[..], &["--min-games", "1", "--min-share", "0"]].concat();
    let hints =
        [&few[..], &all].map(|arguments| text(&bench.run(arguments).stderr).contains("--min-games 1"));
    assert_eq!(hints, [true, false]);
    assert_eq!(bench.run(&["prepare", "--against", "nobody", "--as", "black"]).status.code(), Some(1));
    assert!(
        bench
            .refused(&["prepare", "--against", "target", "--as", "white", "--black", "other"])
            .contains("--against")
    );
    assert!(
        bench.refused(&["prepare", "nonsense", "--against", "target", "--as", "white"]).contains("nonsense")
    );
    let printed = bench.run(&["prepare", "--against", "target", "--as", "white", "--variant", "xelto"]);
    assert_eq!(printed.status.code(), Some(2), "{}", text(&printed.stderr));
}

/// Games of a player under several names, some from set-up positions.
#[test]
fn a_pattern_of_several_names_is_followed_by_all_of_them() {
    let bench = Bench::new();
    let game = |(round, black): (usize, &str), moves: &str| {
        format!("[White \"X\"]\n[Black \"{black}\"]\n[Round \"{round}\"]\n\n{moves}\n\n")
    };
    let long = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 0-1";
    let games = ["Target, A", "Target, A", "Target,B", "Other"];
    let games: String = games.into_iter().enumerate().map(|of| game(of, long)).collect();
    fs::write(bench.path("a.pgn"), games + &game((9, "Target, A"), "1. e4 e5 *")).unwrap();
    bench.import(&["a.pgn"]);
    let ask = |name: &str, options: &[&str]| {
        bench.ok(&[&["prepare", "--against", name, "--as", "white", "--min-games", "1"], options].concat())
    };
    let shown = ask("target", &[]);
    assert!(
        shown.starts_with("target with Black: 4 games\n  Target, A: 3 games\n  Target,B: 1 game\nwon 3,"),
        "{shown}"
    );
    // It fits a terminal, and the name of an opening is not repeated.
    let command = ["prepare", "--against", "target", "--as", "white", "--min-games", "1"];
    if let Some(rows) = rows(&bench, 80, &command) {
        assert!(rows.iter().all(|line| line.chars().count() <= 80), "{rows:?}");
    }
    assert!(shown.contains("5... a6"), "{shown}");
    assert!(
        shown.lines().any(|line| line.contains("2... d6") && line.ends_with("  Modern Variations")),
        "{shown}"
    );
    // With --position, only the games that reach it.
    let open_game =
        bench.run(&["prepare", "1. e4 c5", "--against", "target", "--as", "white", "--min-games", "1"]);
    assert!(text(&open_game.stdout).contains("  Target, A: 2 games\n"), "{}", text(&open_game.stdout));
    assert!(text(&open_game.stderr).contains("Target, A 2"), "{}", text(&open_game.stderr));
    assert!(ask("\"Target,B\"", &[]).starts_with("Target,B with Black: 1 game\nwon 1,"));
    let printed: Value = serde_json::from_str(&ask("target", &["--format", "json"])).unwrap();
    assert_eq!(
        (&printed["player"], &printed["different_names"], &printed["names"][0]["games"]),
        (&"target".into(), &2.into(), &3.into())
    );
    let many: String =
        (0..12).map(|number| game((number, &format!("Many {number:02}")), "1. d4 d5 *")).collect();
    fs::write(bench.path("b.pgn"), many).unwrap();
    bench.import(&["b.pgn"]);
    let shown = ask("many", &[]);
    assert!(shown.matches("  Many ").count() == 10 && shown.contains("\n  and 2 more names\n"), "{shown}");
}

#[test]
fn the_image_has_a_bar_for_each_line_of_up_to_four_plies() {
    let bench = bench();
    let draw =
        |arguments: &[&str]| bench.ok(&[&["prepare", "--format", "svg", "--against"], arguments].concat());
    let svg = draw(&["target", "--as", "white", "--min-games", "1"]);
    assert!(
        svg.starts_with("<svg ") && svg.ends_with("</svg>\n") && svg.contains("Target with Black: 13 games")
    );
    let printed: Vec<&str> =
        svg.split("<title>").skip(1).map(|rest| rest.split("</title>").next().unwrap()).collect();
    assert_eq!(
        printed,
        [
            "1. e4: 10 (+5 =5 -0, 75.0%)",
            "1. e4 c5: 10 (+5 =5 -0, 75.0%)",
            "1. e4 c5 2. Nf3: 10 (+5 =5 -0, 75.0%)",
            "1. e4 c5 2. Nf3 d6: 10 (+5 =5 -0, 75.0%)",
            "1. d4: 3 (+0 =0 -3, 0.0%)",
            "1. d4 g5: 3 (+0 =0 -3, 0.0%)",
            "1. d4 g5 2. e4: 3 (+0 =0 -3, 0.0%)",
        ]
    );
    // If Black moves first, the move number has three dots.
    let svg = bench.ok(&["prepare", "1. d4", "--against", "target", "--as", "white", "--format", "svg"]);
    assert!(svg.contains("<title>1... g5: 3") && svg.contains("<title>1... g5 2. e4: 3"), "{svg}");
    // If there are too many lines, those with most games are shown.
    let squares: Vec<String> =
        "abcdefgh".chars().flat_map(|file| [format!("{file}3"), format!("{file}4")]).collect();
    let mut all = String::new();
    for (number, white) in squares.iter().enumerate() {
        for (other, black) in squares.iter().enumerate() {
            let black = black.replace('3', "6").replace('4', "5");
            let games = 1 + usize::from(other == 0 && number < 9);
            all += &format!(
                "[White \"W\"]\n[Black \"<Many & More>\"]\n[Round \"1\"]\n\n1. {white} {black} 1-0\n\n"
            );
            if games > 1 {
                all += &format!(
                    "[White \"W\"]\n[Black \"<Many & More>\"]\n[Round \"2\"]\n\n1. {white} {black} 1-0\n\n"
                );
            }
        }
    }
    fs::write(bench.path("b.pgn"), all).unwrap();
    bench.import(&["b.pgn"]);
    let svg = draw(&["<many", "--as", "white", "--min-games", "1", "--min-share", "0"]);
    // Sixteen first moves, and the nine replies with two games each.
    assert_eq!(svg.matches("<title>").count(), 25);
    assert!(svg.contains("&lt;Many &amp; More> with Black: 265 games"), "{svg}");
}

#[test]
fn without_a_colour_both_are_shown_from_the_start() {
    let bench = bench();
    let ask = |options: &[&str]| bench.ok(&[&["prepare", "--against", "target"], options].concat());
    let [white, black] = [ask(&["--as", "black"]), ask(&["--as", "white"])];
    assert!(
        white.starts_with("Target with White: 3 games") && black.starts_with("Target with Black: 13 games")
    );
    assert_eq!(ask(&[]), format!("{white}\n{black}"));
    let parsed = |text: String| serde_json::from_str::<Value>(&text).unwrap();
    let one = |colour: &str| parsed(ask(&["--as", colour, "--format", "json"]));
    assert_eq!(parsed(ask(&["--format", "json"])), Value::from(vec![one("black"), one("white")]));
    // A player who had only one of the colours.
    assert!(bench.ok(&["prepare", "--against", "another"]).contains("Another with Black: 10 games"));
    assert_eq!(bench.run(&["prepare", "--against", "nobody"]).status.code(), Some(1));
    assert!(bench.refused(&["prepare", "--against", "target", "--format", "svg"]).contains("--as"));
    assert!(bench.refused(&["prepare", "--against", "target", "--white", "a"]).contains("--against"));
}

#[test]
fn games_with_moves_that_are_not_shown_are_counted() {
    let bench = Bench::new();
    let game = |(round, moves): (usize, &str)| {
        format!(
            "[White \"X\"]\n[Black \"Target\"]\n[Date \"2001.??.??\"]\n[Round \"{round}\"]\n\n{moves} 0-1\n\n"
        )
    };
    // One of them ends before it can leave the tree.
    let games = ["1. e4 e5", "1. e4 e5", "1. e4 c5", "1. e4", "1. d4", "1. c4"];
    fs::write(bench.path("a.pgn"), (1..).zip(games).map(game).collect::<String>()).unwrap();
    bench.import(&["a.pgn"]);
    let shown = |options: &[&str]| {
        bench.ok(&[&["prepare", "--against", "target", "--as", "white"], options].concat())
    };
    let line = "3 of 6 games continue with moves that are not shown";
    assert!(shown(&[]).ends_with(&format!("\n\n{line}\n")), "{}", shown(&[]));
    assert!(shown(&["--format", "markdown"]).ends_with(&format!("\n\n{line}\n")));
    assert!(shown(&["--format", "html"]).contains(&format!("<p>{line}</p>")));
    assert!(shown(&["--tree", "1"]).contains("\n2 of 6 games continue"));
    assert!(shown(&["--min-games", "9"]).contains("\n6 of 6 games continue"));
    assert!(!shown(&["--min-games", "1"]).contains("not shown"));
    // Those who have only the page learn what its columns are.
    let legend = |options: &[&str]| shown(options).contains("perf: the player&#39;s performance rating");
    assert!(legend(&["--format", "html"]) && !legend(&[]) && !legend(&["--format", "markdown"]));
    // A sheet says which games it is about.
    for format in ["text", "html", "markdown"] {
        let sheet = shown(&["--format", format, "--date", "2000..", "--result", "0-1"]);
        assert!(sheet.contains("Only games since 2000: result 0-1"), "{sheet}");
        assert!(!shown(&["--format", format]).contains("Only games"));
    }
}

/// Three of the player's games reach the root position; one reaches only a later one, by other moves.
#[test]
fn a_move_has_at_most_the_games_of_its_parent_and_transpositions_are_separate() {
    let bench = Bench::new();
    let game = |round: usize, moves: &str| {
        format!("[White \"X\"]\n[Black \"Target\"]\n[Round \"{round}\"]\n\n{moves} 0-1\n\n")
    };
    // The last game returns to the root position and then continues differently.
    let games = [
        "1. d4 d5 2. c4 e6",
        "1. d4 d5 2. c4 c6",
        "1. c4 e6 2. d4 d5 3. Nc3",
        "1. d4 d5 2. Nf3 Nf6 3. Ng1 Ng8 4. c4 e6",
    ];
    let games: String = (1..).zip(games).map(|(round, moves)| game(round, moves)).collect();
    fs::write(bench.path("a.pgn"), games).unwrap();
    bench.import(&["a.pgn"]);
    let asked = ["prepare", "1. d4 d5", "--against", "target", "--as", "white", "--min-games", "1"];
    let check = || {
        let printed = bench.json(&[&asked[..], &["--format", "json"]].concat());
        let mut all = Vec::new();
        moves(&printed["lines"], "", &mut all);
        let counts: Vec<(&str, u64, u64)> = all
            .iter()
            .map(|(path, line)| {
                (path.as_str(), line["games"].as_u64().unwrap(), line["by_transposition"].as_u64().unwrap())
            })
            .collect();
        assert_eq!(printed["games"], 3);
        assert_eq!(counts, [("c4", 3, 0), ("c4 e6", 2, 1), ("c4 c6", 1, 0)]);
        for shown in
            [bench.ok(&asked), bench.ok(&["explore", "1. d4 d5", "--tree", "2", "--player", "target"])]
        {
            assert_eq!(shown.matches("+1 by transposition").count(), 1, "{shown}");
        }
    };
    check();
    bench.ok(&["index", "--quiet"]);
    check();
    let picture = bench.ok(&[&asked[..], &["--format", "svg"]].concat());
    assert!(picture.contains("Lines of up to four plies after 1. d4 d5<"), "{picture}");
}

#[test]
fn a_preparation_as_markdown_is_a_nested_list() {
    let bench = bench();
    let prepared = ["prepare", "--against", "target", "--format", "markdown"];
    let text = bench.ok(&prepared);
    let start =
        "# Target with White: 3 games\n\nwon 3, drawn 0, lost 0: 100%\n\n- **1. b4** 3 games (100%), score";
    assert!(text.starts_with(start), "{text}");
    assert!(text.contains("\n\n# Target with Black: 13 games\n"), "{text}");
    assert!(
        text.contains("\n- **1. e4** 10 games (77%), ")
            && text.contains("\n  - **1... c5** 10 games (100%), "),
        "{text}"
    );
    // Every move of the text has an item.
    let is_move = |line: &&str| line.contains(". ") || line.contains("... ");
    let moves = bench.ok(&["prepare", "--against", "target"]).lines().filter(is_move).count();
    assert_eq!(text.matches("- **").count(), moves, "{text}");
}
