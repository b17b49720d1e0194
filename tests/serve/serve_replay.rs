//! The page of a game, from the real binary and without a script: it contains every comment, glyph and variation of the
//! PGN in order, and its links step through the game.
#![cfg(feature = "web")]

use std::fs;

use crate::common::{
    Bench, corpus, data,
    html::{Html, Part, Tag, text_of},
    server::Served,
};

/// An item of a movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Move(String),
    Comment(String),
    Nag(String),
    Open,
    Close,
}

/// Commands that the page does not show as comment text.
const COMMANDS: [&str; 4] = ["[%clk ", "[%eval ", "[%csl ", "[%cal "];

/// The symbol of a glyph on the page.
fn sign(number: &str) -> String {
    let signs = [
        ("1", "!"),
        ("2", "?"),
        ("3", "!!"),
        ("4", "??"),
        ("5", "!?"),
        ("6", "?!"),
        ("7", "□"),
        ("10", "="),
        ("11", "="),
        ("12", "="),
        ("13", "∞"),
        ("14", "⩲"),
        ("15", "⩱"),
        ("16", "±"),
        ("17", "∓"),
        ("18", "+−"),
        ("19", "−+"),
        ("22", "⨀"),
        ("23", "⨀"),
        ("32", "⟳"),
        ("36", "↑"),
        ("40", "→"),
        ("44", "=∞"),
        ("132", "⇆"),
        ("138", "⊕"),
        ("140", "∆"),
        ("146", "N"),
    ];
    let known = signs.iter().find(|(known, _)| *known == number);
    known.map_or_else(|| format!("${number}"), |(_, sign)| (*sign).to_owned())
}

/// The tokens of a game's movetext, parsed without plybook.
fn tokens_of(pgn: &str) -> Vec<Token> {
    let mut lines = pgn.trim_start().lines();
    let text: Vec<&str> = lines.by_ref().skip_while(|line| line.starts_with('[')).collect();
    let (text, mut tokens) = (text.join("\n"), Vec::new());
    let mut rest = text.as_str();
    while let Some(first) = rest.trim_start().chars().next() {
        rest = rest.trim_start();
        match first {
            '{' => {
                let (comment, after) = rest[1..].split_once('}').unwrap();
                tokens.extend(spoken(comment).map(Token::Comment));
                rest = after;
            }
            '(' | ')' => {
                tokens.push(if first == '(' { Token::Open } else { Token::Close });
                rest = &rest[1..];
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "(){}".contains(c)).unwrap_or(rest.len());
                word(&rest[..end], &mut tokens);
                rest = &rest[end..];
            }
        }
    }
    tokens
}

fn word(word: &str, tokens: &mut Vec<Token>) {
    if let Some(number) = word.strip_prefix('$') {
        return tokens.push(Token::Nag(sign(number)));
    }
    if ["1-0", "0-1", "1/2-1/2", "*"].contains(&word) {
        return;
    }
    let word = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let san = word.trim_end_matches(['!', '?']);
    if !san.is_empty() {
        tokens.push(Token::Move(bare(san)));
        let mark = &word[san.len()..];
        tokens.extend((!mark.is_empty()).then(|| Token::Nag(mark.to_owned())));
    }
}

/// A move without the marks of check and mate, which differ between programs.
fn bare(san: &str) -> String {
    san.trim_end_matches(['+', '#']).to_owned()
}

/// The words of a comment, with single spaces.
fn spoken(comment: &str) -> Option<String> {
    let mut text = comment.to_owned();
    while let Some(at) = COMMANDS.iter().filter_map(|command| text.find(command)).min() {
        let end = text[at..].find(']').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at..end, " ");
    }
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

/// The tokens shown on the page.
fn tokens_shown(html: &Html) -> Vec<Token> {
    let movetext =
        Html { parts: html.within(|tag| tag.get("id") == Some("movetext")).pop().unwrap().to_vec() };
    let (mut tokens, mut open) = (Vec::new(), Vec::new());
    for (at, part) in movetext.parts.iter().enumerate() {
        match part {
            Part::Open(tag) => {
                let end =
                    movetext.parts[at..].iter().position(|part| matches!(part, Part::Close(_))).unwrap();
                let text = text_of(&movetext.parts[at..at + end]);
                open.push(tag.has_class("variation"));
                match tag {
                    tag if tag.has_class("move") => tokens.push(Token::Move(bare(&text))),
                    tag if tag.has_class("comment") => tokens.push(Token::Comment(text)),
                    tag if tag.has_class("nag") => tokens.push(Token::Nag(text)),
                    tag if tag.has_class("variation") => tokens.push(Token::Open),
                    _ => {}
                }
            }
            Part::Close(_) => {
                tokens.extend(open.pop().filter(|is_variation| *is_variation).map(|_| Token::Close))
            }
            Part::Text(_) => {}
        }
    }
    tokens
}

fn page(served: &Served, path: &str) -> Html {
    let reply = served.get(path);
    assert_eq!(reply.status, 200, "{path}: {}", reply.text());
    Html::new(&reply.text())
}

/// Compares the page of a game with its PGN. Returns the number of tokens.
fn compare(served: &Served, id: u64, pgn: &str) -> usize {
    let (wanted, shown) = (tokens_of(pgn), tokens_shown(&page(served, &format!("/game/{id}"))));
    for (place, (wanted, shown)) in wanted.iter().zip(&shown).enumerate() {
        assert_eq!(shown, wanted, "game {id}, token {place}: {pgn}");
    }
    assert_eq!(shown.len(), wanted.len(), "game {id}: {pgn}");
    wanted.len()
}

#[test]
fn every_comment_glyph_and_variation_of_a_game_is_on_its_page_in_order() {
    let (_bench, served) = served("annotated.pgn");
    assert_eq!(compare(&served, 1, &fs::read_to_string(data("annotated.pgn")).unwrap()), 76);
    let Some(folder) = corpus("annotated") else { return };
    let bench = Bench::new();
    let games = bench.import(&[folder.to_str().unwrap()])["stored"].as_u64().unwrap();
    let served = Served::new(&bench, &[]);
    // Unplayable variations are stored as comments, so the exported PGN is compared; other tests show that it contains
    // everything that was imported.
    let pgn = |id: u64| served.get(&format!("/api/v1/games/{id}.pgn")).text();
    let compared: usize = (1..=games).map(|id| compare(&served, id, &pgn(id))).sum();
    assert!(games > 300 && compared > 5_000, "{games} games, {compared} tokens");
}

fn served(pgn: &str) -> (Bench, Served) {
    let bench = Bench::new();
    bench.import(&[data(pgn).to_str().unwrap()]);
    let served = Served::new(&bench, &[]);
    (bench, served)
}

fn by_id<'a>(html: &'a Html, id: &str) -> &'a Tag {
    html.id(id).unwrap_or_else(|| panic!("no {id}"))
}

/// The move that is shown.
fn shown(html: &Html) -> Option<&Tag> {
    html.tags().find(|tag| tag.has_class("move") && tag.get("aria-current").is_some())
}

#[test]
fn links_step_through_the_game_and_back_out_of_variations() {
    let (_bench, served) = served("annotated.pgn");
    let mut html = page(&served, "/game/1");
    assert!(
        shown(&html).is_none()
            && by_id(&html, "first").get("data-fen") == by_id(&html, "board").get("data-fen")
    );
    let mut plies = 0;
    while by_id(&html, "forward").get("aria-disabled").is_none() {
        html = page(&served, by_id(&html, "forward").get("href").unwrap());
        plies += 1;
        let (at, board) = (shown(&html).unwrap(), by_id(&html, "board"));
        assert_eq!(at.get("data-ply"), Some(plies.to_string().as_str()));
        assert_eq!(
            (at.get("data-fen"), at.get("data-last")),
            (board.get("data-fen"), board.get("data-last"))
        );
        assert_eq!(at.get("data-shapes").unwrap_or(""), board.get("data-shapes").unwrap());
    }
    assert_eq!(plies, 27);
    assert_eq!(by_id(&page(&served, "/game/1"), "last").get("href"), Some("/game/1?ply=27"));
    // A ply beyond the end shows the last one.
    assert_eq!(shown(&page(&served, "/game/1?ply=9999")), shown(&html));
    // 7... Bh5 8. g4 is a variation of 7... Bxf3, which follows h3.
    let named = |html: &Html, fen: &str| {
        let tag = html
            .tags()
            .find(|tag| tag.has_class("move") && tag.get("data-fen").is_some_and(|it| it.starts_with(fen)));
        tag.and_then(|tag| tag.get("href")).unwrap().to_owned()
    };
    let g4 = named(&html, "rn2kbnr/pp3ppp/2p1p3/q6b/3P1BP1/2N2N1P/PPP2P2/R2QKB1R");
    assert!(g4.contains("?at="), "{g4}");
    let bh5 = page(&served, by_id(&page(&served, &g4), "back").get("href").unwrap());
    assert_eq!(shown(&bh5).unwrap().get("data-last"), Some("g4h5"));
    assert_eq!(by_id(&bh5, "back").get("href"), Some("/game/1?ply=13"));
    assert_eq!(by_id(&bh5, "forward").get("href"), Some(g4.as_str()));
}

#[test]
fn arrows_circles_clocks_and_evaluations_are_separate_from_the_words() {
    let (_bench, served) = served("annotated.pgn");
    let html = page(&served, "/game/1?ply=20");
    assert_eq!(by_id(&html, "board").get("data-shapes"), Some("Rb8,Rc7,Rf4b8"));
    let is_drawn = |tag: &&Tag| tag.get("stroke-opacity") == Some("0.8");
    assert_eq!(html.named("circle").filter(is_drawn).count(), 2);
    assert!(html.texts(|tag| tag.has_class("comment")).iter().all(|comment| !comment.contains("[%")));
    assert_eq!(html.texts(|tag| tag.has_class("clock")), ["59:57", "59:50"]);
    assert_eq!(html.texts(|tag| tag.has_class("eval")), ["+0.6", "#2"]);
    let centi: Vec<_> = html.tags().filter_map(|tag| tag.get("data-cp")).collect();
    assert_eq!(centi, ["60", "10000"]);
    for (id, wanted) in [("evals", ["17", "24"]), ("clocks", ["1", "2"])] {
        let curves = html.within(|tag| tag.get("id") == Some(id));
        assert_eq!(curves.len(), 1, "{id}");
        let curve = Html { parts: curves[0].to_vec() };
        let plies: Vec<_> = curve.named("rect").filter_map(|tag| tag.get("data-ply")).collect();
        assert_eq!(plies, wanted, "{id}");
    }
}

#[test]
fn an_invalid_ply_is_refused_and_an_unknown_game_is_not_found() {
    let (_bench, served) = served("annotated.pgn");
    for (path, status) in [
        ("/game/2", 404),
        ("/game/0", 404),
        ("/game/-1", 404),
        ("/game/x", 400),
        ("/game/1?ply=x", 400),
        ("/game/1?at=-1", 400),
        ("/game/99999999999999999999", 400),
    ] {
        let reply = served.get(path);
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
        let html = Html::new(&reply.text());
        assert!(html.tags().any(|tag| tag.has_class("error")), "{path}");
    }
}
