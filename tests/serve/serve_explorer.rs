//! The explorer routes, compared with the test's own count: every game is played with shakmaty, and each figure is
//! counted separately. With and without an index.
#![cfg(feature = "web")]

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write,
};

use crate::common::{
    Bench, Random,
    server::{Reply, Served},
};
use serde_json::Value;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, fen::Epd, san::SanPlus, uci::UciMove};

/// A game as the test knows it.
#[derive(Clone, Debug)]
struct Game {
    id: i64,
    white: &'static str,
    black: &'static str,
    elo: [Option<u32>; 2],
    result: &'static str,
    date: &'static str,
    time_control: &'static str,
    is_casual: bool,
    /// For each position, the last move that the game played there: UCI and SAN.
    played: HashMap<String, (String, String)>,
    /// The positions in which it played a move, with the line that leads there.
    lines: Vec<(Chess, String)>,
}

fn key(position: &Chess) -> String {
    Epd::from_position(position, EnPassantMode::Legal).to_string()
}

/// Games that share their first moves, repeat positions, and end everywhere; and their PGN.
fn games(count: usize) -> (Vec<Game>, String) {
    let (mut random, mut games, mut pgn) = (Random(11), Vec::new(), String::new());
    for id in 1..=count as i64 {
        let mut pick = |values: &[&'static str]| values[random.below(values.len())];
        let (white, black) =
            (pick(&["Tal, Mikhail", "Réti, Richard", "bob", "bob-x"]), pick(&["Petrosian", "anna", "Bob"]));
        let elos = [pick(&["", "0", "990", "2100", "2500"]), pick(&["", "1210", "2400", "2700"])];
        let result = pick(&["1-0", "0-1", "1/2-1/2", "1-0", "*"]);
        let date =
            pick(&["1999.12.31", "2000.01.01", "2000.01.02", "2000.??.??", "2003.07.??", "????.??.??", ""]);
        let time_control =
            pick(&["", "-", "15+0", "60+0", "180+2", "300", "900+10", "5400+30", "1/86400", "0.5+0.1"]);
        let event = pick(&["Rated game", "casual game", "Casual", "Open"]);
        let (mut position, mut played, mut lines) = (Chess::new(), HashMap::new(), Vec::new());
        let (mut line, mut movetext) = (Vec::new(), String::new());
        let (plies, repeats) = (random.below(24), random.below(3));
        let back = ["g1f3", "g8f6", "f3g1", "f6g8"].iter().cycle().take([0, 4, 6][repeats]);
        let mut back = back.map(|text| text.parse::<UciMove>().unwrap());
        for _ in 0..plies {
            let legal = position.legal_moves();
            let repeated = back.next().and_then(|m| m.to_move(&position).ok());
            let Some(m) = repeated.or_else(|| legal.get(random.below(legal.len().min(3))).copied()) else {
                break;
            };
            let uci = UciMove::from_move(m, CastlingMode::Chess960).to_string();
            let san = SanPlus::from_move(position.clone(), m).to_string();
            lines.push((position.clone(), line.join(",")));
            played.insert(key(&position), (uci.clone(), san.clone()));
            if position.turn() == Color::White {
                write!(movetext, "{}. ", position.fullmoves()).unwrap();
            }
            write!(movetext, "{san} ").unwrap();
            line.push(uci);
            position.play_unchecked(m);
        }
        write!(pgn, "[Event \"{event}\"]\n[Site \"?\"]\n").unwrap();
        for (name, value) in
            [("Date", date), ("WhiteElo", elos[0]), ("BlackElo", elos[1]), ("TimeControl", time_control)]
        {
            if !value.is_empty() {
                writeln!(pgn, "[{name} \"{value}\"]").unwrap();
            }
        }
        writeln!(pgn, "[Round \"{id}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{movetext}{result}\n").unwrap();
        let elo = elos.map(|elo| elo.parse().ok().filter(|elo| *elo > 0));
        let is_casual = event.to_lowercase().starts_with("casual");
        games.push(Game { id, white, black, elo, result, date, time_control, is_casual, played, lines });
    }
    (games, pgn)
}

impl Game {
    fn counts(&self) -> bool {
        self.result != "*"
    }

    /// Year, month and day; 0 if unknown.
    fn date(&self) -> (u32, u32, u32) {
        let mut parts = self.date.split('.').map(|part| part.parse().unwrap_or(0));
        let mut next = || parts.next().unwrap_or(0);
        (next(), next(), next())
    }

    fn month(&self) -> Option<String> {
        let (year, month, _) = self.date();
        (year > 0 && month > 0).then(|| format!("{year:04}-{month:02}"))
    }

    fn speed(&self) -> &'static str {
        match self.time_control {
            "-" | "1/86400" => "correspondence",
            "15+0" | "0.5+0.1" => "ultraBullet",
            "60+0" => "bullet",
            "180+2" | "300" => "blitz",
            "900+10" => "rapid",
            _ => "classical",
        }
    }

    fn elo_sum(&self) -> u32 {
        self.elo.iter().flatten().sum()
    }

    fn group(&self) -> u32 {
        let groups = [2500, 2200, 2000, 1800, 1600, 1400, 1200, 1000, 0];
        groups.into_iter().find(|group| *group <= self.elo_sum() / 2).unwrap()
    }

    fn public_id(&self) -> String {
        let digits: Vec<char> = ('0'..='9').chain('A'..='Z').chain('a'..='z').collect();
        let id = usize::try_from(self.id).unwrap();
        format!("00000{}{}{}", digits[id / 3844], digits[id / 62 % 62], digits[id % 62])
    }
}

/// An archive of these games, and a server over it.
fn served(pgn: &str, is_indexed: bool) -> (Bench, Served) {
    let bench = Bench::new();
    std::fs::write(bench.path("a.pgn"), pgn).unwrap();
    bench.ok(&["import", "-q", "a.pgn"]);
    if is_indexed {
        bench.ok(&["index"]);
    }
    let served = Served::new(&bench, &[]);
    (bench, served)
}

fn results(games: &[&Game]) -> [u64; 3] {
    ["1-0", "1/2-1/2", "0-1"].map(|result| games.iter().filter(|game| game.result == result).count() as u64)
}

fn told_results(of: &Value) -> [u64; 3] {
    ["white", "draws", "black"].map(|name| of[name].as_u64().unwrap())
}

fn mean(ratings: impl Iterator<Item = u32>) -> Option<f64> {
    let ratings: Vec<f64> = ratings.map(f64::from).collect();
    (!ratings.is_empty()).then(|| ratings.iter().sum::<f64>() / ratings.len() as f64)
}

/// Compares an answer with the expected games: those that count and played a move in the position.
fn assert_tells(
    printed: &Value,
    games: &[Game],
    position: &Chess,
    keep: impl Fn(&Game) -> bool,
    player: Option<Color>,
) {
    let key = key(position);
    let here: Vec<&Game> =
        games.iter().filter(|game| game.counts() && keep(game) && game.played.contains_key(&key)).collect();
    assert_eq!(told_results(printed), results(&here), "{key}");
    let mut by_move: BTreeMap<&(String, String), Vec<&Game>> = BTreeMap::new();
    here.iter().for_each(|game| by_move.entry(&game.played[&key]).or_default().push(game));
    let mut by_move: Vec<_> = by_move.into_iter().collect();
    by_move.sort_by(|a, b| (b.1.len(), &a.0.0).cmp(&(a.1.len(), &b.0.0)));
    let moves = printed["moves"].as_array().unwrap();
    assert_eq!(moves.len(), by_move.len(), "{key}");
    for (m, ((uci, san), played)) in moves.iter().zip(by_move) {
        assert_eq!((m["uci"].as_str(), m["san"].as_str()), (Some(uci.as_str()), Some(san.as_str())), "{key}");
        assert_eq!(told_results(m), results(&played), "{key} {san}");
        let side = player.map_or(position.turn(), |player| !player);
        let rating = mean(played.iter().filter_map(|game| game.elo[side.fold_wb(0, 1)]));
        let name = if player.is_some() { "averageOpponentRating" } else { "averageRating" };
        assert_eq!(m[name].as_i64(), rating.map(|rating| (rating + 0.5).floor() as i64), "{key} {san}");
        assert_eq!(m["performance"].is_i64(), player.is_some() && rating.is_some(), "{key} {san}");
        let only = if let [only] = played[..] { Some(only.public_id()) } else { None };
        assert_eq!(m["game"]["id"].as_str().map(str::to_owned), only, "{key} {san}");
    }
    assert_lists(printed, here, &key, player.is_some());
}

fn assert_lists(printed: &Value, here: Vec<&Game>, key: &str, is_player: bool) {
    let ids = |name: &str| -> Vec<String> {
        let list = printed[name].as_array().into_iter().flatten();
        list.map(|game| game["id"].as_str().unwrap().to_owned()).collect()
    };
    let mut best = here.clone();
    best.sort_by_key(|game| (std::cmp::Reverse(game.elo_sum()), game.id));
    let top =
        printed["topGames"].as_array().map_or(0, |_| if printed["recentGames"].is_array() { 4 } else { 15 });
    best.truncate(top);
    assert_eq!(ids("topGames"), best.iter().map(|game| game.public_id()).collect::<Vec<_>>(), "{key}");
    let mut latest = here;
    latest.retain(|game| best.iter().all(|best| best.id != game.id));
    latest.sort_by_key(|game| std::cmp::Reverse((game.date(), game.id)));
    latest.truncate(if printed["recentGames"].is_array() { if is_player { 8 } else { 4 } } else { 0 });
    assert_eq!(ids("recentGames"), latest.iter().map(|game| game.public_id()).collect::<Vec<_>>(), "{key}");
    for (row, game) in printed["recentGames"].as_array().into_iter().flatten().zip(&latest) {
        let (year, ..) = game.date();
        assert_eq!(row["uci"].as_str(), Some(game.played[key].0.as_str()));
        assert_eq!(
            (row["year"].as_u64(), row["month"].as_str()),
            (Some(year.into()), game.month().as_deref())
        );
        assert_eq!(row["white"]["name"].as_str(), Some(game.white));
        assert_eq!(row["white"]["rating"].as_u64(), Some(game.elo[0].unwrap_or(0).into()));
        assert_eq!(row["speed"].as_str(), Some(game.speed()));
        assert_eq!(row["mode"].as_str(), Some(if game.is_casual { "casual" } else { "rated" }));
        let winner = match game.result {
            "1-0" => Some("white"),
            "0-1" => Some("black"),
            _ => None,
        };
        assert_eq!(row["winner"].as_str(), winner);
    }
}

#[test]
fn answers_equal_a_count_of_the_games() {
    let (games, pgn) = games(400);
    for is_indexed in [true, false] {
        let (_bench, served) = served(&pgn, is_indexed);
        let places = games.iter().flat_map(|game| &game.lines);
        let places: Vec<_> = places.step_by(if is_indexed { 23 } else { 97 }).collect();
        for (position, line) in places {
            let ask = |rest: &str| served.json(&format!("/{rest}play={line}&moves=500"));
            let all = |_: &Game| true;
            assert_tells(&ask("masters?"), &games, position, all, None);
            let years = |game: &Game| (2000..=2002).contains(&game.date().0);
            assert_tells(&ask("masters?since=2000&until=2002&"), &games, position, years, None);
            assert_tells(&ask("lichess?"), &games, position, all, None);
            let fast = |game: &Game| ["blitz", "classical"].contains(&game.speed());
            assert_tells(&ask("lichess?speeds=blitz,classical&"), &games, position, fast, None);
            let strong = |game: &Game| [2200, 0].contains(&game.group());
            assert_tells(&ask("lichess?ratings=0,2300&"), &games, position, strong, None);
            let months =
                |game: &Game| game.month().is_some_and(|month| *"2000-01" <= *month && *month <= *"2003-06");
            assert_tells(&ask("lichess?since=2000-1&until=2003/06&"), &games, position, months, None);
            let tal = |game: &Game| game.white == "Tal, Mikhail";
            assert_tells(&ask("player?player=tal&color=white&"), &games, position, tal, Some(Color::White));
            let bob = |game: &Game| game.black == "Bob" && !game.is_casual;
            let asked = ask("player?player=BOB&color=black&modes=rated&");
            assert_tells(&asked, &games, position, bob, Some(Color::Black));
        }
        let whole = |game: &Game| game.white == "bob";
        let printed = served.json("/player?player=bob&color=white");
        assert_tells(&printed, &games, &Chess::new(), whole, Some(Color::White));
        let reti = |game: &Game| game.white.starts_with("Réti");
        let printed = served.json("/player?player=reti,%20richard&color=white");
        assert_tells(&printed, &games, &Chess::new(), reti, Some(Color::White));
    }
}

#[test]
fn the_history_has_every_month_from_the_first_to_the_last() {
    let (games, pgn) = games(300);
    let (_bench, served) = served(&pgn, true);
    let here = |month: &str| -> Vec<&Game> {
        let is_there =
            |game: &&Game| game.counts() && !game.played.is_empty() && game.month().as_deref() == Some(month);
        games.iter().filter(is_there).collect()
    };
    let months = |history: &Value| -> Vec<String> {
        history.as_array().unwrap().iter().map(|month| month["month"].as_str().unwrap().to_owned()).collect()
    };
    let printed = served.json("/lichess?history=True");
    let all = months(&printed["history"]);
    assert_eq!(
        (all.first().unwrap().as_str(), all.last().unwrap().as_str(), all.len()),
        ("1999-12", "2003-07", 44)
    );
    for month in printed["history"].as_array().unwrap() {
        assert_eq!(told_results(month), results(&here(month["month"].as_str().unwrap())));
    }
    let alone = served.json("/lichess/history");
    assert_eq!((&alone["history"], alone["moves"].as_array().unwrap().len()), (&printed["history"], 0));
    assert!(["topGames", "recentGames"].iter().all(|name| alone[name].as_array().unwrap().is_empty()));
    assert_eq!(
        months(&served.json("/lichess/history?since=1999-10&until=1999-12")["history"]),
        ["1999-10", "1999-11", "1999-12"]
    );
    assert!(served.json("/lichess?history=no")["history"].is_null());
}

#[test]
fn lists_have_the_requested_length_and_do_not_change_the_numbers() {
    let (_, pgn) = games(200);
    let (_bench, served) = served(&pgn, true);
    let whole = served.json("/lichess?moves=500");
    let length = |printed: &Value, name: &str| printed[name].as_array().unwrap().len();
    for moves in [0, 1, 2, 99] {
        let printed = served.json(&format!("/lichess?moves={moves}"));
        assert_eq!(told_results(&printed), told_results(&whole));
        let expected = &whole["moves"].as_array().unwrap()[..moves.min(length(&whole, "moves"))];
        assert_eq!(printed["moves"].as_array().unwrap(), expected);
    }
    for (query, top, recent) in [
        ("", 4, 4),
        ("topGames=0", 0, 4),
        ("topGames=99&recentGames=99", 4, 8),
        ("topGames=2&recentGames=1", 2, 1),
    ] {
        let printed = served.json(&format!("/lichess?{query}"));
        assert_eq!((length(&printed, "topGames"), length(&printed, "recentGames")), (top, recent), "{query}");
    }
    let printed = served.json("/lichess?topGames=0&recentGames=0&moves=99");
    assert!(printed["moves"].as_array().unwrap().iter().all(|m| m["game"].is_null()));
    assert_eq!(length(&served.json("/masters?topGames=1000"), "topGames"), 15);
    assert!(served.json("/masters")["recentGames"].is_null());
    assert!(served.json("/player?player=bob&color=white")["topGames"].is_null());
}

#[test]
fn the_answer_about_a_player_is_one_line() {
    let (_, pgn) = games(50);
    let (_bench, served) = served(&pgn, true);
    for name in ["bob", "nobody", "*", "b*", "", "%22"] {
        let reply: Reply = served.get(&format!("/player?player={name}&color=white"));
        assert_eq!(
            (reply.status, reply.header("content-type")),
            (200, Some("application/x-ndjson")),
            "{name}"
        );
        assert_eq!(reply.header("x-accel-buffering"), Some("no"));
        let text = reply.text();
        assert!(text.ends_with('\n') && text.lines().count() == 1, "{text}");
        let printed: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(printed["queuePosition"], 0);
        assert_eq!(printed["moves"].as_array().unwrap().is_empty(), name != "bob", "{name}");
    }
}

#[test]
fn a_player_is_found_by_the_rules_for_names() {
    let pgn = "[White \"Adams,Mi\"]\n\n1. e4 1-0\n\n[White \"Adams, Michael\"]\n\n1. d4 1-0\n\n\
               [White \"Brooks, Michael A\"]\n\n1. c4 1-0\n";
    let (_bench, served) = served(pgn, true);
    let reply = served.json("/player?player=Adams,%20Michael&color=white");
    let mut moves: Vec<_> =
        reply["moves"].as_array().unwrap().iter().map(|printed| printed["uci"].as_str().unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["d2d4", "e2e4"]);
}

#[test]
fn invalid_requests_are_refused_and_unknown_parameters_are_ignored() {
    let (_bench, served) = served("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0\n", true);
    for (path, status) in [
        ("/masters?fen=x", 400),
        ("/masters?fen=8/8/8/8/8/8/8/8%20w%20-%20-", 400),
        ("/masters?play=e2e5", 400),
        ("/masters?play=zz", 400),
        ("/masters?moves=-1", 400),
        ("/masters?moves=x", 400),
        ("/masters?since=x", 400),
        ("/masters?topGames=", 400),
        ("/masters?variant=bughouse", 400),
        ("/masters?variant=Standard", 400),
        ("/lichess?since=2020", 400),
        ("/lichess?until=2020-13", 400),
        ("/lichess?speeds=slow", 400),
        ("/lichess?ratings=a", 400),
        ("/lichess?history=perhaps", 400),
        ("/player?color=white", 400),
        ("/player?player=x", 400),
        ("/player?player=x&color=red", 400),
        ("/player?player=x&color=white&modes=fast", 400),
        ("/masters/pgn/zzzzzzzz", 404),
        ("/masters/pgn/x", 400),
        ("/masters/pgn/", 404),
        ("/masters/", 404),
        ("/nothing", 404),
        ("/masters?play=", 200),
        ("/masters?fen=", 200),
        ("/masters?source=analysis&foo=bar", 200),
        ("/masters?moves=99999999999999999999999", 200),
        ("/masters?since=0&until=99999999999999999999", 200),
        ("/player?player=x&color=white&topGames=x&ratings=y&history=z&since=2020-5", 200),
        ("/master", 200),
        ("/personal?player=x&color=black", 200),
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        if status == 400 {
            assert_eq!(reply.header("content-type"), Some("text/plain; charset=utf-8"), "{path}");
            assert!(
                reply.text().starts_with("bad request: ") && reply.text().lines().count() == 1,
                "{}",
                reply.text()
            );
        }
    }
    // Other headers of clients do not matter.
    let odd = "Authorization: Bearer lip_x\r\nAccept: text/html\r\nCookie: a=b\r\n";
    assert_eq!(served.get_with("/masters", odd).body, served.get("/masters").body);
}

#[test]
fn one_position_has_one_answer_however_it_is_requested() {
    let pgn = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O d6 1-0\n\n1. Nf3 Nc6 2. e4 e5 3. Bc4 Bc5 4. O-O Nf6 0-1\n\n\
               1. e4 e5 2. Bc4 Bc5 3. Nf3 Nc6 4. c3 1/2-1/2\n";
    let (_bench, served) = served(pgn, true);
    let open = "e2e4,e7e5,g1f3,b8c6,f1c4,f8c5";
    let printed = served.json(&format!("/masters?play={open}"));
    assert_eq!(told_results(&printed), [1, 1, 1]);
    let castling = &printed["moves"][0];
    assert_eq!((castling["uci"].as_str(), castling["san"].as_str()), (Some("e1h1"), Some("O-O")));
    assert_eq!(printed["opening"]["name"], "Italian Game: Giuoco Piano");
    let numbers = |printed: &Value| {
        (
            printed["white"].clone(),
            printed["draws"].clone(),
            printed["black"].clone(),
            printed["moves"].clone(),
            printed["topGames"].clone(),
        )
    };
    let placed = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R";
    for path in [
        format!("/masters?fen={placed}%20w%20KQkq%20-%204%204"),
        format!("/masters?fen={placed}+w+KQkq+-"),
        format!("/masters?fen={placed}_w_HAha_-_7_99"),
        format!("/masters?fen={placed}%20w%20KQkq%20e6"),
        "/masters?play=g1f3,b8c6,e2e4,e7e5,f1c4,f8c5".to_owned(),
        "/masters?fen=rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR_w_KQkq_-&play=g1f3,b8c6,f1c4,f8c5"
            .to_owned(),
        format!("/masters?variant=chess960&play={open}"),
    ] {
        assert_eq!(numbers(&served.json(&path)), numbers(&printed), "{path}");
    }
    let castled = ["e1g1", "e1h1"].map(|castling| served.json(&format!("/masters?play={open},{castling}")));
    assert_eq!((told_results(&castled[0]), &castled[0]), ([1, 0, 1], &castled[1]));
}

#[test]
fn variants_are_distinguished() {
    let of = |variant: &str, moves: &str, result: &str| {
        format!("[Variant \"{variant}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    let pgn = [
        of("Standard", "1. e4 e5", "1-0"),
        of("Atomic", "1. e4 d5", "0-1"),
        of("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. Nc3 P@d4", "0-1"),
        of("Three-check", "1. e4 e5", "1/2-1/2"),
        of("King of the Hill", "1. e4 c5", "1-0"),
        of("Horde", "1. f6 gxf6", "1-0"),
    ];
    let (_bench, served) = served(&pgn.concat(), true);
    for (variant, results, san, opening) in [
        ("standard", [1, 0, 0], "e4", Some("King's Pawn Game")),
        ("atomic", [0, 0, 1], "e4", None),
        ("crazyhouse", [0, 0, 1], "e4", Some("King's Pawn Game")),
        ("threeCheck", [0, 1, 0], "e4", Some("King's Pawn Game")),
        ("kingOfTheHill", [1, 0, 0], "e4", Some("King's Pawn Game")),
        ("horde", [1, 0, 0], "f6", None),
        ("racingKings", [0, 0, 0], "", None),
        ("antichess", [0, 0, 0], "", None),
    ] {
        let printed = served.json(&format!("/lichess?variant={variant}"));
        assert_eq!(told_results(&printed), results, "{variant}");
        assert_eq!(printed["moves"][0]["san"].as_str().unwrap_or(""), san, "{variant}");
        assert_eq!(printed["moves"][0]["opening"]["name"].as_str(), opening, "{variant}");
    }
    let drop = served.json("/lichess?variant=crazyhouse&play=e2e4,d7d5,e4d5,d8d5,b1c3");
    assert_eq!(drop["moves"][0]["uci"], "P@d4");
}

#[test]
fn a_game_is_returned_as_pgn_with_all_that_is_stored() {
    let pgn = "[Event \"E\"]\n[Site \"?\"]\n[Date \"2000.01.01\"]\n[Round \"-\"]\n[White \"Ä\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\
               [WhiteElo \"2000\"]\n[Annotator \"me\"]\n\n1. e4 $1 {good [%clk 0:01:00]} 1... e5 (1... c5 2. Nf3) 2. Nf3 1-0\n";
    let (bench, served) = served(pgn, true);
    let id = served.json("/masters")["topGames"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(id, "00000001");
    for path in [format!("/masters/pgn/{id}"), format!("/master/pgn/{id}")] {
        let reply = served.get(&path);
        assert_eq!(reply.header("content-type"), Some("application/x-chess-pgn; charset=utf-8"));
        assert_eq!(reply.text().trim_end(), bench.ok(&["export"]).trim_end());
        assert!(reply.text().ends_with("1-0\n") && reply.text().contains("(1... c5 2. Nf3)"));
    }
}
