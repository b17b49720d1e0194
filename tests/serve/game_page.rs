//! The page of a game, next to its moves: the players' plates, the games with the position, the first new move, and the
//! way through the list that the reader came from.
#![cfg(feature = "web")]

use std::collections::BTreeSet;

use crate::common::{
    Bench, data,
    html::{Html, Tag},
    server::Served,
};

fn famous(index: bool) -> (Bench, Served) {
    let bench = Bench::new();
    bench.import(&[data("famous.pgn").to_str().unwrap()]);
    if index {
        bench.ok(&["index", "--quiet"]);
    }
    let served = Served::new(&bench, &[]);
    (bench, served)
}

fn page(served: &Served, path: &str) -> Html {
    let reply = served.get(path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    Html::new(&reply.text())
}

/// The parts of a page with a class.
fn of_class(html: &Html, class: &str) -> Vec<Html> {
    html.within(|tag| tag.has_class(class)).into_iter().map(|parts| Html { parts: parts.to_vec() }).collect()
}

fn link(html: &Html, id: &str) -> Option<String> {
    html.id(id).and_then(|tag| tag.get("href")).map(str::to_owned)
}

/// The links to games in the main table of a list.
fn games(html: &Html) -> Vec<String> {
    let links = html.named("a").filter_map(|tag| tag.get("href"));
    links.filter(|href| href.starts_with("/game/")).map(str::to_owned).collect()
}

/// The number of the game that a link leads to.
fn number(link: &str) -> &str {
    link.trim_start_matches("/game/").split('?').next().unwrap()
}

/// The moves of the mainline, as links.
fn mainline(html: &Html) -> Vec<Tag> {
    let moves = html.tags().filter(|tag| tag.has_class("move"));
    moves.filter(|tag| tag.get("href").is_some_and(|href| !href.contains("at="))).cloned().collect()
}

#[test]
fn the_next_and_the_previous_game_are_those_of_the_list_the_reader_came_from() {
    let (_bench, served) = famous(false);
    for (list, is_black) in [
        ("/games?player=capablanca&colour=black&sort=date", true),
        ("/games?black=spassky&sort=elo&desc=yes", true),
        ("/games?player=alekhine&sort=plies&desc=yes", false),
        ("/games?pattern=*/*/*/*/????P*/*/*/*", false),
        ("/games?sort=date&desc=yes", false),
        ("/games", false),
    ] {
        let wanted = games(&page(&served, list));
        let total = served.json(&format!("/api/v1{list}"))["total"].as_u64().unwrap() as usize;
        assert!(wanted.len() > 2, "{list}");
        let mut at = wanted[0].clone();
        for (place, expected) in wanted.iter().enumerate() {
            assert_eq!(number(&at), number(expected), "{list}");
            let html = page(&served, &at);
            assert_eq!(html.id("board").unwrap().get("data-flip").is_some(), is_black, "{list} {at}");
            assert_eq!(link(&html, "to-list").unwrap().replace("%3F", "?"), list, "{at}");
            if list != "/games" {
                let place = format!("{} / {total} ", place + 1);
                assert!(html.text("to-list").starts_with(&place), "{}", html.text("to-list"));
            }
            let before = link(&html, "previous-game");
            assert_eq!(
                before.as_deref().map(number),
                place.checked_sub(1).map(|place| number(&wanted[place]))
            );
            match link(&html, "next-game") {
                Some(next) => at = next,
                None => assert!(place + 1 == total, "{list} {place}"),
            }
        }
    }
}

#[test]
fn a_flipped_board_stays_flipped_and_an_invalid_list_is_ignored() {
    let (_bench, served) = famous(false);
    let list = "games%3Fplayer%3Dcapablanca";
    let first = games(&page(&served, "/games?player=capablanca")).remove(0);
    let id = number(&first);
    let html = page(&served, &format!("/game/{id}?flip=1&ply=4&in={list}"));
    let ways = ["previous-game", "next-game"].into_iter().filter_map(|id| link(&html, id));
    let ways: Vec<String> = ways.collect();
    assert!(
        !ways.is_empty() && ways.iter().all(|way| way.contains("flip=1") && way.contains("&in=games")),
        "{ways:?}"
    );
    // Steps keep the list too.
    assert!(link(&html, "forward").unwrap().ends_with(&format!("flip=1&in={list}&ply=5")));
    let long = format!("games%3Fplayer%3D{}", "x".repeat(2_000));
    for wrong in [
        "x",
        "report",
        "/games",
        "//evil.example/games",
        "games%3Fno%3D1",
        "games%3Fafter%3Dx",
        "games%3Fmaterial%3Dx",
        &long,
    ] {
        let html = page(&served, &format!("/game/2?in={wrong}"));
        assert!(
            html.id("to-list").is_none() && link(&html, "forward").unwrap() == "/game/2?ply=1",
            "{wrong}"
        );
    }
    // A game that is not in the list has no neighbours there, but the list can be reached.
    let html = page(&served, "/game/2?in=games%3Fplayer%3Dnobody");
    assert_eq!(link(&html, "to-list").as_deref(), Some("/games?player=nobody"));
    assert_eq!((link(&html, "next-game"), link(&html, "previous-game")), (None, None));
}

#[test]
fn plates_show_what_each_side_captured_and_who_is_to_move() {
    let (_bench, served) = famous(false);
    let mut seen = 0;
    for id in 1..=12 {
        let sans = page(&served, &format!("/game/{id}")).texts(|tag| tag.has_class("move"));
        for ply in [0, 7, 24, 41].into_iter().filter(|ply| *ply <= sans.len()) {
            let html = page(&served, &format!("/game/{id}?ply={ply}"));
            let fen = html.id("board").unwrap().get("data-fen").unwrap().to_owned();
            for (side, first) in [("white", 0), ("black", 1)] {
                let plate = html.within(|tag| tag.get("data-side") == Some(side)).pop().unwrap().to_vec();
                let plate = Html { parts: plate };
                let captures =
                    sans[..ply].iter().skip(first).step_by(2).filter(|san| san.contains('x')).count();
                assert_eq!(plate.named("piece").count(), captures, "game {id}, ply {ply}, {side}");
                let active =
                    html.tags().find(|tag| tag.get("data-side") == Some(side)).unwrap().has_class("active");
                assert_eq!(active, ply % 2 == first, "game {id}, ply {ply}");
                seen += captures;
                if sans[..ply].iter().any(|san| san.contains('=')) {
                    continue;
                }
                // Without promotions, what is missing on the board was captured.
                for (letter, role, all) in [
                    ('q', "queen", 1),
                    ('r', "rook", 2),
                    ('b', "bishop", 2),
                    ('n', "knight", 2),
                    ('p', "pawn", 8),
                ] {
                    let letter = if side == "white" { letter } else { letter.to_ascii_uppercase() };
                    let board = fen.split(' ').next().unwrap();
                    let missing = all - board.chars().filter(|c| *c == letter).count();
                    let shown = plate.tags().filter(|tag| tag.has_class(role)).count();
                    assert_eq!(shown, missing, "game {id}, ply {ply}, {side}: {role}");
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

/// A position without its clocks: two games have the same one.
fn position(fen: &str) -> String {
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_games_with_a_position_and_the_first_new_move_agree_with_a_count_over_all_games() {
    let (bench, served) = famous(true);
    agree_with_a_count(&bench, &served);
    // The index does not have changed games as they are now.
    bench.ok(&["tag", "--id", "6,11,12", "Date=1800.01.01"]);
    bench.ok(&["remove", "--id", "2,3,16,62"]);
    assert_eq!(served.json("/api/v1/games?limit=1")["total"], 58);
    agree_with_a_count(&bench, &served);
}

fn agree_with_a_count(bench: &Bench, served: &Served) {
    let lines: Vec<Vec<String>> = (1..=62)
        .map(|id| {
            let reply = served.get(&format!("/game/{id}"));
            let moves = if reply.status == 404 { Vec::new() } else { mainline(&Html::new(&reply.text())) };
            moves.iter().map(|tag| position(tag.get("data-fen").unwrap())).collect()
        })
        .collect();
    let reach = |id: usize, position: &String| {
        let others = lines.iter().enumerate().filter(|(other, _)| other + 1 != id);
        others.filter(|(_, line)| line.contains(position)).count()
    };
    let rows = bench.json(&["novelty", "--format", "json"]);
    let (mut new, mut here) = (0, 0);
    for id in (1..=lines.len()).step_by(5).filter(|id| !lines[id - 1].is_empty()) {
        let row = rows.as_array().unwrap().iter().find(|row| row["id"] == id).unwrap();
        let wanted = row["ply"].as_u64().filter(|_| row["known_games"] != 0);
        for ply in [1, 6, 12, 30] {
            let Some(at) = lines[id - 1].get(ply - 1) else { continue };
            let html = page(served, &format!("/game/{id}?ply={ply}"));
            // The mark follows the new move, and names it.
            let marks = html.parts.iter().filter_map(|part| match part {
                crate::common::html::Part::Open(tag) if tag.get("id") == Some("new-move") => Some(None),
                crate::common::html::Part::Open(tag) if tag.has_class("move") => Some(tag.get("data-ply")),
                _ => None,
            });
            let marks: Vec<Option<&str>> = marks.collect();
            let marked =
                marks.iter().position(|mark| mark.is_none()).map(|mark| marks[mark - 1].unwrap().to_owned());
            assert_eq!(marked, wanted.map(|ply| ply.to_string()), "game {id}");
            if wanted.is_some() {
                let name = row["move"].as_str().unwrap().replace("...", "…");
                let text = html.text("new-move").replace(char::is_whitespace, "");
                assert!(text.contains(&name), "game {id}: {text}");
            }
            new += usize::from(marked.is_some());
            let text = html.text("here");
            let (count, last) = match reach(id, at) {
                0 => (0, lines[id - 1][..ply].iter().take_while(|at| reach(id, at) > 0).last()),
                count => (count, Some(at)),
            };
            if count > 0 {
                let noun = if count == 1 { "game" } else { "games" };
                assert!(
                    text.contains(&format!("{count} {noun} besides this one")),
                    "game {id}, ply {ply}: {text}"
                );
            } else {
                let before = last.map_or(0, |at| reach(id, at));
                assert!(text.contains("Only this game."), "game {id}, ply {ply}: {text}");
                assert!(
                    before == 0 || text.contains(&format!("{before} game")),
                    "game {id}, ply {ply}: {text}"
                );
            }
            let listed: BTreeSet<String> = games(&of_class(&html, "g-here")[0])
                .iter()
                .filter(|link| number(link) != id.to_string())
                .map(|link| number(link).to_owned())
                .collect();
            let all = last.map_or(0, |at| reach(id, at));
            assert_eq!(listed.len(), all.min(5), "game {id}, ply {ply}");
            for other in &listed {
                assert!(
                    lines[other.parse::<usize>().unwrap() - 1].contains(last.unwrap()),
                    "{id} {ply} {other}"
                );
            }
            here += listed.len();
        }
    }
    assert!(new > 20 && here > 50, "{new} {here}");
}

#[test]
fn comments_of_engine_games_are_evaluations_and_clocks_and_one_fold_has_the_numbers_of_the_shown_move() {
    let bench = Bench::new();
    let game = "[Event \"Match\"]\n[TimeControl \"60\"]\n\n{WhiteEngineOptions: Hash=16;, BlackEngineOptions: Hash=8;} \
        1. e4 {book} e5 {d=38, tl=58200,\npv=e5 Nf3, wv=0.87, } 2. Nf3 {-M4/30 0.05s, tl=9.5s}\n\
        ({as an 80-column\nline} 2. f4 {(=)}) 2... Nc6 {-0.26/9 1s, a draw}\n\
        3. Bb5 {+0.31/23 was better @@StartBracket@@in 1.2s@@EndBracket@@} *\n";
    std::fs::write(bench.path("match.pgn"), game).unwrap();
    bench.import(&["match.pgn"]);
    let served = Served::new(&bench, &[]);
    let html = page(&served, "/game/1?ply=2");
    let texts = |class| -> Vec<String> {
        of_class(&html, class).iter().map(|part| crate::common::html::text_of(&part.parts)).collect()
    };
    assert_eq!(texts("eval"), ["+0.9", "#−2", "+0.3"]);
    assert_eq!(texts("clock"), ["0:58", "0:09"]);
    assert_eq!(texts("book"), ["book"]);
    let comments = ["as an 80-column line", "Draw offered", "a draw", "+0.31/23 was better (in 1.2s)"];
    assert_eq!(texts("comment"), comments);
    assert!(html.text("engine").contains("d=38, tl=58200, pv=e5 Nf3, wv=0.87"), "{}", html.text("engine"));
    let first = html.id("first").unwrap().get("data-engine").unwrap();
    assert!(first.starts_with("WhiteEngineOptions"), "{first}");
    let engine: Vec<bool> = mainline(&html).iter().map(|tag| tag.get("data-engine").is_some()).collect();
    assert_eq!(engine, [true, true, true, true, false]);
}

#[test]
fn without_an_index_neither_new_moves_nor_games_with_the_position_are_searched() {
    let (_bench, served) = famous(false);
    let html = page(&served, "/game/1?ply=3");
    assert!(html.id("here").is_none() && html.id("new-move").is_none());
}

#[test]
fn names_in_the_heading_lead_to_their_pages() {
    let (_bench, served) = famous(false);
    let html = page(&served, "/game/1");
    let head = of_class(&html, "game-head").remove(0);
    let links: Vec<&str> = head.named("a").filter_map(|tag| tag.get("href")).collect();
    assert_eq!(links.iter().filter(|link| link.starts_with("/player/")).count(), 2, "{links:?}");
    assert_eq!(links.iter().filter(|link| link.starts_with("/event/")).count(), 1, "{links:?}");
    assert_eq!(links.iter().filter(|link| link.starts_with("/opening/")).count(), 1, "{links:?}");
}

#[test]
fn a_line_break_in_a_comment_is_a_space_and_an_empty_line_begins_a_paragraph() {
    let bench = Bench::new();
    let pgn = bench.path("wrapped.pgn");
    let comment = "{ A comment that was broken\ninto two lines.\n\nAnother paragraph. }";
    std::fs::write(&pgn, format!("[White \"A\"]\n\n1. e4 {comment} e5 (1... c5 {{ Two\nlines. }}) *\n"))
        .unwrap();
    bench.import(&[pgn.to_str().unwrap()]);
    let served = Served::new(&bench, &[]);
    let text = served.get("/game/1").text();
    assert!(text.contains(">A comment that was broken into two lines.\n\nAnother paragraph.</p>"), "{text}");
    assert!(text.contains(">Two lines.</span>"), "{text}");
}

#[test]
fn a_text_in_a_language_is_shown_with_its_name_and_stored_as_it_was() {
    let bench = Bench::new();
    let moves = "1. e4 {[%lang ENG] good [%lang GER] gut} 1... e5 (1... c5 {[%lang GER] auch gut}) *";
    std::fs::write(bench.path("a.pgn"), format!("[White \"A\"]\n\n{moves}\n")).unwrap();
    bench.import(&["a.pgn"]);
    assert!(bench.ok(&["export"]).contains("{[%lang ENG] good [%lang GER] gut}"));
    let text = bench.ok(&["show", "1"]);
    assert!(text.contains("{(English) good (German) gut}") && text.contains("{(German) auch gut}"), "{text}");
    let served = Served::new(&bench, &[]);
    for (language, name) in [("en", "German"), ("de", "Deutsch")] {
        let page = served.get(&format!("/game/1?lang={language}")).text();
        for words in ["gut", "auch gut"] {
            let expected = format!("<small class=\"quiet\">{name}</small> <bdi lang=\"de\">{words}</bdi>");
            assert!(page.contains(&expected), "{expected}: {page}");
        }
        assert!(!page.contains("[%lang"), "{page}");
    }
    let document = bench.ok(&["show", "1", "--format", "html"]);
    assert!(document.contains("<small>German</small> <bdi lang=\"de\">auch gut</bdi>"), "{document}");
    assert!(!document.contains("[%lang"), "{document}");
}
