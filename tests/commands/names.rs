//! Names: which players a filter matches, and which names an archive has.

use std::fs;

use crate::common::{Bench, server::Served, text};
use serde_json::{Value, json};

/// Games of players, some of them with several names.
fn bench() -> Bench {
    let bench = Bench::new();
    let players = [
        ("Adams,Mi", "Short,N", "1999", 4),
        ("Adams,Mi", "Adams, Michael", "2001", 1),
        ("Adams, Michael", "Short,N", "1990", 3),
        ("Adams, Mark", "Short,N", "1993", 2),
        ("Adams, Michel", "Short,N", "????", 2),
        ("Rohde, Michael A", "Adams,M", "1985", 1),
        ("Rohde,M", "Short,N", "1986", 1),
        ("NN", "NN", "1600", 1),
        ("NN, K", "Short,N", "1601", 1),
    ];
    let mut pgn = String::new();
    for (white, black, year, games) in players {
        for round in 0..games {
            pgn += &format!(
                "[Event \"Open {year}\"]\n[Site \"London\"]\n[Date \"{year}.??.??\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 e5 1-0\n\n"
            );
        }
    }
    fs::write(bench.path("a.pgn"), pgn).unwrap();
    bench.import(&["a.pgn"]);
    bench
}

/// The messages about names.
fn said(bench: &Bench, command: &[&str]) -> Vec<String> {
    let error = text(&bench.run(command).stderr).to_owned();
    let lines = error.lines().map(|line| line.trim_start_matches("plybook: ").to_owned());
    lines.filter(|line| line.contains(": ") && !line.contains("plybook index")).collect()
}

const SIMILAR: &str = "similar names, not included: Adams, Michel 2";

#[test]
fn every_command_with_filters_reports_the_matched_names() {
    let bench = bench();
    let all = "player: Adams,Mi 5 (1999–2001); Adams, Michael 4 (1990–2001); Adams,M 1 (1985)";
    for command in [&["games"][..], &["games", "--limit", "1"], &["explore"], &["export"], &["find", "1. e4"]]
    {
        let command = [command, &["--player", "Adams, Michael"]].concat();
        assert_eq!(said(&bench, &command), [all, SIMILAR], "{command:?}");
    }
    let prepare = ["prepare", "--against", "Adams, Michael", "--as", "white", "--min-games", "1"];
    assert_eq!(said(&bench, &prepare), ["black: Adams, Michael 1 (2001); Adams,M 1 (1985)", SIMILAR]);
    bench.ok(&["split", "plybook.db", "--parts", "3", "--into", "parts", "--quiet"]);
    assert_eq!(said(&bench, &["games", "-a", "parts", "--player", "Adams, Michael"]), [all, SIMILAR]);
}

#[test]
fn events_and_sites_that_match_are_reported_before_a_list_and_before_a_change() {
    let bench = bench();
    let all = "event: Open 1999 4 (1999); Open 1990 3 (1990); Open 1993 2 (1993); Open ???? 2; Open 1600 1 (1600); and 4 more";
    for command in [
        &["games"][..],
        &["games", "--count"],
        &["games", "--limit", "1"],
        &["remove", "--dry-run"],
        &["tag", "EventType=open", "--dry-run"],
    ] {
        assert_eq!(said(&bench, &[command, &["--event", "open"]].concat()), [all], "{command:?}");
    }
    let within = ["games", "--event", "open", "--date", "1990..1994"];
    assert_eq!(said(&bench, &within), ["event: Open 1990 3 (1990); Open 1993 2 (1993)"]);
    // One name, and output for programs.
    for command in [
        &["games", "--event", "open 1999"][..],
        &["games", "--site", "london"],
        &["games", "--event", "open", "--format", "json"],
        &["games", "--event", "open", "--format", "csv"],
        &["games", "--event", "open", "--format", "ids"],
    ] {
        assert_eq!(said(&bench, command), Vec::<String>::new(), "{command:?}");
    }
    bench.ok(&["split", "plybook.db", "--parts", "3", "--into", "parts", "--quiet"]);
    assert_eq!(said(&bench, &["games", "-a", "parts", "--event", "open"]), [all]);
}

#[test]
fn games_of_a_name_are_counted_within_the_filter() {
    let bench = bench();
    let of = |filter: &[&str]| said(&bench, &[&["games", "--player", "Adams, Michael"], filter].concat());
    assert_eq!(
        of(&["--date", "2000.."]),
        ["player: Adams, Michael 1 (2001); Adams,Mi 1 (2001)", SIMILAR],
        "a name without games there is left out"
    );
    assert_eq!(of(&["--colour", "black"]), ["black: Adams, Michael 1 (2001); Adams,M 1 (1985)", SIMILAR]);
    assert_eq!(
        of(&["--opponent", "rohde"]),
        ["player: Adams,M 1 (1985)", SIMILAR, "opponent: Rohde, Michael A 1 (1985)"]
    );
    assert_eq!(of(&["--date", "1950"]), [SIMILAR]);
    assert_eq!(
        said(&bench, &["games", "--player", "nn"]),
        ["player: NN 1 (1600); NN, K 1 (1601)"],
        "a game of two players with one name is one game"
    );
}

#[test]
fn nothing_is_reported_if_one_name_matches_and_none_is_similar() {
    let bench = bench();
    assert_eq!(said(&bench, &["games", "--player", "short"]), Vec::<String>::new());
    assert_eq!(said(&bench, &["games"]), Vec::<String>::new());
}

#[test]
fn at_most_five_names_are_listed_and_the_others_counted() {
    let bench = bench();
    let lines = said(&bench, &["games", "--player", "*"]);
    assert_eq!(
        lines,
        [
            "player: Short,N 13 (1601–1999); Adams,Mi 5 (1999–2001); Adams, Michael 4 (1990–2001); Adams, Mark 2 (1993); Adams, Michel 2; and 5 more"
        ]
    );
}

#[test]
fn lists_on_pages_report_the_matched_names() {
    let bench = bench();
    let served = Served::new(&bench, &[]);
    let plain = |page: &str| {
        let html = served.get(page).text();
        let mut text = String::new();
        let mut is_tag = false;
        for c in html.chars() {
            match c {
                '<' => is_tag = true,
                '>' => is_tag = false,
                c if !is_tag => text.push(c),
                _ => {}
            }
        }
        text
    };
    let english = "Player: Adams, Mi 5 (1999–2001); Adams, Michael 4 (1990–2001); Adams, M 1 (1985)\n";
    for page in ["games", "explorer"] {
        let text = plain(&format!("/{page}?player=Adams,+Michael&lang=en"));
        assert!(
            text.contains(english) && text.contains("Similar names, not included: Adams, Michel 2\n"),
            "{text}"
        );
        assert!(!plain(&format!("/{page}?player=short&lang=en")).contains("Short, N 13"));
    }
    // Within the filter, with a link to a single name.
    let text = plain("/games?player=Adams,+Michael&date=2000..&lang=de");
    assert!(text.contains("Spieler: Adams, Michael 1 (2001); Adams, Mi 1 (2001)\n"), "{text}");
    assert!(text.contains("Ähnliche Namen, nicht berücksichtigt: Adams, Michel 2\n"), "{text}");
    let html = served.get("/games?player=Adams,+Michael&lang=en").text();
    assert!(html.contains("player=%22Adams,Mi%22"), "{html}");
    let many = plain("/games?player=*&lang=en");
    assert!(many.contains("Adams, Michel 2; and 5 more\n"), "{many}");
    assert!(plain("/games?player=*&lang=de").contains("; und 5 weitere\n"));
}

#[test]
fn names_are_listed_nearest_first_with_their_games_and_years() {
    let bench = bench();
    let listed = |arguments: &[&str]| -> Value {
        let output = bench.run(&[&["names", "--format", "json"], arguments].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let names = |arguments: &[&str]| -> Vec<(String, u64)> {
        let listed = listed(arguments);
        let row = |row: &Value| (row["name"].as_str().unwrap().to_owned(), row["games"].as_u64().unwrap());
        listed.as_array().unwrap().iter().map(row).collect()
    };
    let expected = |names: &[(&str, u64)]| -> Vec<(String, u64)> {
        names.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect()
    };
    assert_eq!(
        names(&["adams, michael"])[..4],
        expected(&[("Adams,Mi", 5), ("Adams, Michael", 4), ("Adams,M", 1), ("Adams, Michel", 2)])
    );
    assert_eq!(names(&["rodhe"]), expected(&[("Rohde, Michael A", 1), ("Rohde,M", 1)]));
    assert_eq!(
        listed(&["short"]),
        json!([{ "name": "Short,N", "games": 13, "first_year": 1601, "last_year": 1999 }])
    );
    assert_eq!(names(&["--limit", "2"]), expected(&[("Short,N", 13), ("Adams,Mi", 5)]));
    assert_eq!(names(&["--sites"]), expected(&[("London", 16)]));
    assert_eq!(names(&["--events", "open", "--limit", "1"]), expected(&[("Open 1999", 4)]));
    // How many of them match, for people.
    let counted =
        |arguments: &[&str]| text(&bench.run(&[&["names"], arguments].concat()).stderr).trim().to_owned();
    assert_eq!(counted(&["short"]), "plybook: 1 name matches");
    assert_eq!(
        counted(&["adams, michael", "--limit", "4"]),
        "plybook: 3 names match; 1 with a similar spelling"
    );
    assert_eq!(
        counted(&["adams", "--limit", "2"]),
        "plybook: 2 names match, and possibly more: raise --limit"
    );
    assert_eq!(counted(&["--events", "open 1999"]), "plybook: 1 name matches; 8 with a similar spelling");
    assert_eq!(counted(&["rodhe"]), "plybook: no name matches; 2 with a similar spelling");
    assert_eq!(counted(&["--limit", "2"]), "");
    let nobody = bench.run(&["names", "nobodyhere"]);
    assert_eq!(nobody.status.code(), Some(1));
    bench.refused_usage(&["names", "--events", "--sites"]);
    // The suggestions on the page have the same numbers.
    let served = Served::new(&bench, &[]);
    let completed = served.json("/api/v1/names?kind=player&q=adams,%20mi");
    let found =
        ["\"Adams,Mi\"", "\"Adams, Michael\"", "\"Adams, Michel\""].map(|name| listed(&[name])[0].clone());
    assert_eq!(completed, json!(found));
}

#[test]
fn the_page_of_a_player_offers_other_names_of_the_player_and_similar_ones_apart() {
    let bench = bench();
    let served = Served::new(&bench, &[]);
    // The names with tick boxes: in groups, each with whether it is chosen.
    let offered = |page: &str| -> Vec<Vec<(String, bool)>> {
        let html = served.get(page).text();
        let Some((_, form)) = html.split_once("class=\"chip spell\"") else { return Vec::new() };
        let (form, _) = form.split_once("</form>").unwrap();
        let row = |row: &str| {
            let (name, _) = row.split_once("<bdi>").unwrap().1.split_once("</bdi>").unwrap();
            (name.to_owned(), row.contains(" checked"))
        };
        form.split("<ul").skip(1).map(|group| group.split("<li>").skip(1).map(row).collect()).collect()
    };
    let named = |names: &[(&str, bool)]| -> Vec<(String, bool)> {
        names.iter().map(|(name, is_chosen)| ((*name).to_owned(), *is_chosen)).collect()
    };
    let similar = named(&[("Adams, Michel", false)]);
    // The page of one name offers all of the player, chosen; Rohde, who is called Michael too, is not among them.
    let own = named(&[("Adams, Michael", true), ("Adams, Mi", true), ("Adams, M", true)]);
    assert_eq!(offered("/player/Adams,%20Michael?lang=en"), [own, similar.clone()]);
    // On a page of some names, the others are not chosen.
    let chosen = "/report?lang=en&name=%22Adams,Mi%22&name=%22Adams,+Michael%22";
    let reply = served.get(chosen);
    let place = "/player/%22Adams%2CMi%22%3B%20%22Adams%2C%20Michael%22?lang=en";
    assert_eq!((reply.status, reply.header("location")), (303, Some(place)));
    assert!(served.get(place).text().contains("8 games"), "one of the nine is theirs against each other");
    let some = named(&[
        ("Adams, Mi", true),
        ("Adams, Michael", true),
        ("Adams, Michel", false),
        ("Adams, M", false),
    ]);
    assert_eq!(offered(place)[0], some);
    assert_eq!(served.get("/report?name=%22Short,N%22").header("location"), Some("/player/Short%2CN"));
    assert!(offered("/player/Short,N").is_empty(), "there is no other name");
}
