//! The search field of the header offers first what a chess player expects, and Enter opens only what is clear.
#![cfg(feature = "web")]

use std::fs;

use serde_json::Value;

use crate::common::{Bench, corpus, server::Served};

/// What is typed, and the kind and the name of the first suggestion.
type Expected = [(&'static str, &'static str, &'static str)];

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

fn suggested(served: &Served, typed: &str) -> Value {
    served.json(&format!("/api/v1/suggest?q={}", encoded(typed)))
}

fn assert_first(served: &Served, expected: &Expected) {
    let mut wrong = Vec::new();
    for (typed, kind, name) in expected {
        let found = suggested(served, typed);
        let first = &found["groups"][0];
        let seen = (
            first["kind"].as_str().unwrap_or_default(),
            first["hits"][0]["name"].as_str().unwrap_or_default(),
        );
        if seen != (*kind, *name) || found["similar"] == true {
            wrong.push(format!("{typed:?}: {seen:?} instead of {:?}", (kind, name)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where Enter leads; `None` for the list.
fn entered(served: &Served, typed: &str) -> Option<String> {
    let reply = served.get(&format!("/search?q={}", encoded(typed)));
    (reply.status == 303).then(|| reply.header("location").unwrap().to_owned())
}

/// Chosen by hand; the names are those of the collection, which has no uniform spelling.
const MASTERS: &Expected = &[
    ("carl", "player", "Carlsen,M"),
    ("magnus carlsen", "player", "Carlsen,M"),
    ("garry kasparov", "player", "Kasparov, Gary"),
    ("viktor korchnoi", "player", "Korchnoi,V"),
    ("mikhail tal", "player", "Tal, Mihail"),
    ("bobby fischer", "player", "Fischer, Robert James"),
    ("adams, michael", "player", "Adams,Mi"),
    ("karp", "player", "Karpov, Anatoly"),
    ("linares", "event", "Linares"),
    ("hastings 1895", "event", "Hastings 1895"),
    ("hoogovens 1999", "event", "Hoogovens 1999"),
    ("wijk aan zee", "games", "Wijk aan Zee"),
    ("carlsen caruana", "games", "Carlsen,M – Caruana,F"),
    ("kasparov topalov 1999", "games", "Kasparov, Gary – Topalov,V"),
    ("carlsen caru", "games", "Carlsen,M – Caruana,F"),
    ("karpov kasp", "games", "Karpov, Anatoly – Kasparov, Gary"),
    ("spanish", "opening", "Ruy Lopez"),
    ("nimzo", "opening", "Nimzo-Indian Defense"),
    ("1. d4", "position", "1. d4"),
    ("capablanca", "player", "Capablanca, Jose Raul"),
    ("alekhine", "player", "Alekhine, Alexander"),
    ("misha tal", "player", "Tal, Mihail"),
    ("vishy anand", "player", "Anand,V"),
    ("hikaru nakamura", "player", "Nakamura,Hi"),
    ("nakam", "player", "Nakamura,Hi"),
    ("Ding Liren", "player", "Ding Liren"),
    ("hübner", "player", "Huebner, Robert"),
    ("ivanchuk", "player", "Ivanchuk,V"),
    ("vasyl ivanchuk", "player", "Ivanchuk,V"),
    ("nigel short", "player", "Short,N"),
    ("so", "player", "So,W"),
    ("steinitz", "player", "Steinitz, William"),
    ("wilhelm steinitz", "player", "Steinitz, William"),
    ("morphy", "player", "Morphy, Paul "),
    ("anderssen", "player", "Anderssen, Adolf"),
    ("tigran petrosian", "player", "Petrosian, Tigran V"),
    ("hou yifan", "player", "Hou Yifan"),
    ("ian nepomniachtchi", "player", "Nepomniachtchi,I"),
    ("fischer spassky", "games", "Fischer, Robert James – Spassky, Boris V"),
    ("fischer - spassky 1972", "games", "Fischer, Robert James – Spassky, Boris V"),
    ("tal botvinnik 1960", "games", "Tal, Mihail – Botvinnik, Mikhail"),
    ("karpov vs kasparov", "games", "Karpov, Anatoly – Kasparov, Gary"),
    ("kasparov 1985", "games", "Kasparov, Gary"),
    ("new york 1924", "event", "New York 1924"),
    ("corus 2001", "event", "Corus 2001"),
    ("dortmund", "event", "Dortmund"),
    ("najdorf", "opening", "Sicilian Defense: Najdorf Variation"),
    ("sicilian dragon", "opening", "Sicilian Defense: Dragon Variation"),
    ("kings indian defence", "opening", "King's Indian Defense"),
    ("caro-kann advance", "opening", "Caro-Kann Defense: Advance Variation"),
    ("petroff", "opening", "Petrov's Defense"),
    ("berlin defense", "opening", "Ruy Lopez: Berlin Defense"),
    ("grünfeld", "opening", "Grünfeld Defense"),
    ("B90", "opening", "Sicilian Defense: Najdorf Variation"),
    ("evans gambit", "opening", "Italian Game: Evans Gambit"),
    ("e4 e5 Nf3", "position", "1. e4 e5 2. Nf3"),
];

#[test]
fn searches_among_master_games_lead_where_a_chess_player_expects() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let bench = Bench::new();
    bench.import(&[otb.to_str().unwrap(), "--index"]);
    let served = Served::new(&bench, &[]);
    assert_first(&served, MASTERS);
    let carlsen = &suggested(&served, "carl")["groups"][0]["hits"][0];
    assert!(carlsen["about"].as_str().unwrap().ends_with("5,529 games"), "{carlsen}");
    for (typed, place) in [
        ("magnus carlsen", Some("./player/Carlsen%2CM")),
        ("hastings 1895", Some("./event/Hastings?year=1895")),
        ("kasparov topalov 1999", Some("./games?player=kasparov&opponent=topalov&date=1999")),
        ("spanish", Some("./opening/Ruy%20Lopez")),
        // Two names of one player, several players, and the beginning of a name.
        ("garry kasparov", None),
        ("adams, michael", None),
        ("carl", None),
    ] {
        assert_eq!(entered(&served, typed).as_deref(), place, "{typed}");
    }
}

const ENGLISH: &str = "1. c4 e5";
const NIMZO_INDIAN: &str = "1. d4 Nf6 2. c4 e6 3. Nc3 Bb4";
const SPANISH: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6";
const FOUR_KNIGHTS: &str = "1. e4 e5 2. Nf3 Nc6 3. Nc3 Nf6 4. Bb5 Bb4";

/// A few games of famous players, as collections name them.
fn served() -> (Bench, Served) {
    let bench = Bench::new();
    let games = [
        ("Carlsen,M", "Caruana,F", "Corus", "Wijk aan Zee", "2008", NIMZO_INDIAN, 6),
        ("Carlsson,P", "Nobody", "Open", "Oslo", "2005", ENGLISH, 2),
        ("Schlechter, Carl", "Nobody", "Hastings", "Hastings", "1895", ENGLISH, 8),
        ("Nobody", "Tarrasch", "Hastings", "Hastings", "1922", SPANISH, 9),
        ("Kasparov, Gary", "Topalov, Veselin", "Hoogovens", "Wijk aan Zee", "1999", SPANISH, 5),
        ("Kasparov, Gary", "Topalov, Veselin", "Linares", "Linares", "1998", FOUR_KNIGHTS, 3),
        ("Fischer, Robert James", "Spassky", "Match", "Reykjavik", "1972", SPANISH, 3),
        ("Bobby", "Fischler", "Bobby Fischer mem", "Villa Giardino", "2008", "1. f4", 9),
        ("Rohde, Michael A", "Nobody", "Open", "New York", "1985", ENGLISH, 9),
        ("Adams,Mi", "Nobody", "Open", "London", "2000", ENGLISH, 3),
        ("Adams, Michael", "Nobody", "Open", "London", "1990", ENGLISH, 2),
        ("Karpatchev, A", "Nobody", "Open", "London", "1990", ENGLISH, 2),
        ("Karpov, Anatoly", "Nobody", "Open", "London", "1991", ENGLISH, 8),
    ];
    let mut pgn = String::new();
    for (white, black, event, site, year, moves, count) in games {
        for round in 0..count {
            pgn += &format!(
                "[Event \"{event}\"]\n[Site \"{site}\"]\n[Date \"{year}.??.??\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves} *\n\n"
            );
        }
    }
    fs::write(bench.path("games.pgn"), pgn).unwrap();
    bench.import(&["--index", "games.pgn"]);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

#[test]
fn the_first_suggestion_is_what_most_games_have() {
    let (_bench, served) = served();
    assert_first(
        &served,
        &[
            ("carl", "player", "Carlsen,M"),
            ("magnus carlsen", "player", "Carlsen,M"),
            ("garry kasparov", "player", "Kasparov, Gary"),
            ("bobby fischer", "player", "Fischer, Robert James"),
            ("adams, michael", "player", "Adams,Mi"),
            ("karp", "player", "Karpov, Anatoly"),
            ("hastings", "event", "Hastings"),
            ("hastings 1895", "event", "Hastings 1895"),
            ("hoogovens 1999", "event", "Hoogovens 1999"),
            ("wijk aan zee", "games", "Wijk aan Zee"),
            ("wijk aan zee 2008", "games", "Wijk aan Zee"),
            ("carlsen caruana", "games", "Carlsen,M – Caruana,F"),
            ("carlsen - caruana", "games", "Carlsen,M – Caruana,F"),
            ("kasparov topalov 1999", "games", "Kasparov, Gary – Topalov, Veselin"),
            ("kasparov 1999", "games", "Kasparov, Gary"),
            ("carlsen caru", "games", "Carlsen,M – Caruana,F"),
            ("kasparov topa", "games", "Kasparov, Gary – Topalov, Veselin"),
            ("spanish", "opening", "Ruy Lopez"),
            ("nimzo", "opening", "Nimzo-Indian Defense"),
            ("kings indian defence", "opening", "King's Indian Defense"),
        ],
    );
    // All of them are players by the rules of --player; others, such as Rohde, are not.
    let adams = suggested(&served, "adams, michael");
    let names: Vec<&str> = adams["groups"][0]["hits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["Adams,Mi", "Adams, Michael"]);
}

#[test]
fn games_of_two_players_an_event_or_a_site_are_those_that_the_filters_find() {
    let (bench, served) = served();
    for (typed, filter, games) in [
        (
            "kasparov topalov 1999",
            &["--player", "kasparov", "--opponent", "topalov", "--date", "1999"][..],
            "5 games",
        ),
        ("kasparov topa", &["--player", "kasparov", "--opponent", "topalov"], "8 games"),
        ("topalov kasparov", &["--player", "topalov", "--opponent", "kasparov"], "8 games"),
        ("hastings 1895", &["--event", "hastings", "--date", "1895"], "8 games"),
        ("wijk aan zee", &["--site", "wijk aan zee"], "11 games"),
        ("wijk aan zee 1999", &["--site", "wijk aan zee", "--date", "1999"], "5 games"),
    ] {
        let hit = &suggested(&served, typed)["groups"][0]["hits"][0];
        assert!(hit["about"].as_str().unwrap().ends_with(games), "{typed}: {hit}");
        let found = bench.ok(&[&["games", "--format", "ids"], filter].concat()).lines().count();
        assert_eq!(format!("{found} games"), games, "{typed}");
        let page = served.get(hit["url"].as_str().unwrap());
        assert_eq!(page.status, 200, "{hit}");
        assert!(page.text().contains(games), "{hit}");
    }
    // They never played each other, or not in this year.
    for typed in ["carlsen topalov", "carlsen caruana 1950"] {
        let found = suggested(&served, typed);
        assert!(found["similar"] == true || found["groups"] == serde_json::json!([]), "{typed}: {found}");
    }
}

#[test]
fn enter_opens_what_is_clear_and_lists_everything_else() {
    let (_bench, served) = served();
    for (typed, place) in [
        ("magnus carlsen", Some("./player/Carlsen%2CM")),
        ("carlsen caruana", Some("./games?player=carlsen&opponent=caruana")),
        ("wijk aan zee", Some("./games?site=wijk+aan+zee")),
        ("hastings 1895", Some("./event/Hastings?year=1895")),
        ("adams, michael", None),
        ("carl", None),
    ] {
        assert_eq!(entered(&served, typed).as_deref(), place, "{typed}");
    }
}

#[test]
fn a_fen_without_castling_rights_means_any_and_says_so() {
    let (_bench, served) = served();
    let board = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w";
    for typed in [board.to_owned(), board.strip_suffix(" w").unwrap().to_owned()] {
        let found = suggested(&served, &typed);
        let hits = found["groups"][0]["hits"].as_array().unwrap();
        // Only one of the sets of rights occurs.
        assert_eq!(hits.len(), 1, "{found}");
        assert_eq!(hits[0]["name"], format!("{board} KQkq - 0 1"));
        assert!(hits[0]["about"].as_str().unwrap().ends_with("17 games"), "{found}");
        let page = served.get(&format!("/search?q={}&lang=en", encoded(&typed))).text();
        assert!(page.contains("Positions with any castling rights, which the FEN does not have"), "{page}");
    }
    // With the rights, and where nobody can castle, the position is clear.
    for clear in [format!("{board} KQ -"), "8/8/8/3k4/8/p4R2/7K/r7 w".to_owned()] {
        assert!(entered(&served, &clear).unwrap().starts_with("./explorer?fen="), "{clear}");
    }
}
