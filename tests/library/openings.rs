//! Openings by position: every named position by any move order, and names as people write them.

use std::collections::{HashMap, HashSet};

use crate::common;
use plybook::{
    chess::{Chess, Position, move_list},
    openings::{Openings, eco, eco_range, eco_text},
};
use shakmaty::{EnPassantMode, zobrist::Zobrist64};

/// The rows of the tables: code, name, line.
fn rows() -> Vec<[String; 3]> {
    let tables = ["a", "b", "c", "d", "e"].map(|letter| {
        std::fs::read_to_string(common::data("openings").join(format!("{letter}.tsv"))).unwrap()
    });
    let lines = tables.iter().flat_map(|table| table.lines().skip(1));
    lines.map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>().try_into().unwrap()).collect()
}

fn after(moves: &str) -> Chess {
    let (mut position, moves) = move_list(moves).unwrap();
    moves.into_iter().for_each(|m| position.play_unchecked(m));
    position
}

/// The code and name of the position after some moves.
fn named(moves: &str) -> Option<(&'static str, &'static str)> {
    let key: Zobrist64 = after(moves).zobrist_hash(EnPassantMode::Legal);
    let openings = Openings::standard();
    openings.at(key.0).map(|id| openings.get(id).unwrap()).map(|opening| (opening.eco, opening.name))
}

#[test]
fn every_named_position_is_found_by_its_own_line() {
    let rows = rows();
    assert_eq!(rows.len(), 3807);
    for [eco, name, moves] in &rows {
        assert_eq!(named(moves), Some((eco.as_str(), name.as_str())), "{moves}");
    }
    // No position has two names.
    let boards = rows.iter().map(|[_, _, moves]| after(moves).to_setup(EnPassantMode::Legal));
    let fens = boards.map(|setup| shakmaty::fen::Fen::try_from_setup(setup).unwrap().to_string());
    let epd = |fen: String| fen.split(' ').take(4).collect::<Vec<_>>().join(" ");
    assert_eq!(fens.map(epd).collect::<HashSet<_>>().len(), rows.len());
}

#[test]
fn every_opening_has_its_shortest_line_and_the_position_after_it() {
    let mut shortest: HashMap<(String, String), usize> = HashMap::new();
    for [eco, name, moves] in rows() {
        let plies = move_list(&moves).unwrap().1.len();
        let least = shortest.entry((eco, name)).or_insert(plies);
        *least = plies.min(*least);
    }
    let openings = Openings::standard();
    assert_eq!(openings.iter().count(), shortest.len());
    for (id, opening) in openings.iter() {
        assert_eq!(shortest[&(opening.eco.to_owned(), opening.name.to_owned())], opening.plies);
        let key: Zobrist64 = opening.position().zobrist_hash(EnPassantMode::Legal);
        assert_eq!((key.0, openings.at(key.0)), (opening.key, Some(id)));
        assert_eq!(opening.position().board(), after(opening.moves).board());
    }
}

#[test]
fn a_name_is_possible_as_long_as_nothing_of_its_position_is_lost() {
    let openings = Openings::standard();
    for [_, _, moves] in rows() {
        let (mut position, line) = move_list(&moves).unwrap();
        for m in line {
            assert!(openings.may_follow(&position), "{moves}");
            position.play_unchecked(m);
        }
        assert!(openings.may_follow(&position), "{moves}");
    }
    // Almost all the pawns have moved: no opening begins like that.
    assert!(!openings.may_follow(&after("a3 a6 b3 b6 c3 c6 d3 d6 e3 e6 f3 f6 g3 g6 h3")));
}

#[test]
fn a_name_belongs_to_the_position_whatever_the_moves() {
    let najdorf = Some(("B90", "Sicilian Defense: Najdorf Variation"));
    assert_eq!(named("e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6"), najdorf);
    assert_eq!(named("Nf3 c5 e4 a6 d4 cxd4 Nxd4 Nf6 Nc3 d6"), najdorf);
    assert_eq!(named("d4 Nf6 c4 e6 Nc3 Bb4"), named("c4 e6 Nc3 Bb4 d4 Nf6"));
    assert_eq!(named("c4 e6 Nc3 Bb4 d4 Nf6"), Some(("E20", "Nimzo-Indian Defense")));
    assert_eq!(named(""), None);
    // One move later, and the same pieces with Black to move.
    assert_eq!(named("e3 c6 e4 c5"), Some(("B20", "Sicilian Defense")));
    assert_eq!(named("e3 c5 e4"), None);
}

#[test]
fn openings_are_found_by_their_common_names() {
    for (text, eco, name) in [
        ("Najdorf", "B90", "Sicilian Defense: Najdorf Variation"),
        ("ruy lopez", "C60", "Ruy Lopez"),
        ("King's Gambit", "C30", "King's Gambit"),
        ("kings gambit", "C30", "King's Gambit"),
        ("caro-kann", "B10", "Caro-Kann Defense"),
        ("caro kann", "B10", "Caro-Kann Defense"),
        ("Grünfeld", "D80", "Grünfeld Defense"),
        ("GRUNFELD", "D80", "Grünfeld Defense"),
        ("Sicilian Defence", "B20", "Sicilian Defense"),
        ("sicilian", "B20", "Sicilian Defense"),
        ("lucena", "C60", "Ruy Lopez: Lucena Variation"),
        ("queens gambit declined", "D30", "Queen's Gambit Declined"),
        ("sicilian najdorf", "B90", "Sicilian Defense: Najdorf Variation"),
        ("caro-kann advance", "B12", "Caro-Kann Defense: Advance Variation"),
        ("french winawer", "C15", "French Defense: Winawer Variation"),
        ("ruy lopez: berlin", "C65", "Ruy Lopez: Berlin Defense"),
        ("marshall attack", "C89", "Ruy Lopez: Marshall Attack"),
        ("evans gambit", "C51", "Italian Game: Evans Gambit"),
        ("london system", "A48", "London System"),
        ("nimzo-indian", "E20", "Nimzo-Indian Defense"),
        ("slav defense", "D10", "Slav Defense"),
        ("queen gambit", "D06", "Queen's Gambit"),
        ("king gambit", "C30", "King's Gambit"),
        ("king's gambit accepted", "C33", "King's Gambit Accepted"),
        ("petrov", "C42", "Petrov's Defense"),
        ("petroff", "C42", "Petrov's Defense"),
        ("russian game", "C42", "Petrov's Defense"),
        ("spanish", "C60", "Ruy Lopez"),
        ("spanish berlin", "C65", "Ruy Lopez: Berlin Defense"),
        ("KID", "E61", "King's Indian Defense"),
        ("qgd", "D30", "Queen's Gambit Declined"),
    ] {
        let found = Openings::standard().shortest(text).map(|opening| (opening.eco, opening.name));
        assert_eq!(found, Ok((eco, name)), "{text}");
    }
    let najdorf = Openings::standard().shortest("Najdorf").unwrap();
    assert_eq!(najdorf.moves, "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6");
}

#[test]
fn unknown_and_ambiguous_names_are_errors() {
    let error = |text: &str| Openings::standard().shortest(text).unwrap_err().to_string();
    for text in ["", " ", "-", "no such thing", "F00", "B9x"] {
        assert_eq!(error(text), format!("unknown opening {text:?}"));
        assert!(Openings::standard().search(text).is_empty());
    }
    // Among equally similar names the shortest is meant: the opening rather than its variations.
    for (text, similar) in [
        ("najdorfer", "Sicilian Defense: Najdorf Variation"),
        // The beginning of a word is not the word.
        ("naj", "Sicilian Defense: Najdorf Variation"),
        ("rook", "Polish Opening: Rooks Swap Line"),
        ("foo", "Barnes Opening: Fool's Mate"),
        ("sicillian", "Sicilian Defense"),
        ("freanch", "French Defense"),
        ("kings indain", "King's Indian Attack"),
        ("gruenfeld", "Grünfeld Defense"),
    ] {
        let expected = format!("unknown opening {text:?}; did you mean {similar:?}?");
        assert_eq!(error(text), expected);
    }
    assert_eq!(
        error("berlin"),
        "\"berlin\" matches several openings; be more specific: Bishop's Opening: Berlin Defense; Ruy Lopez: Berlin Defense; \
         Van Geet Opening: Berlin Gambit; Nimzo-Indian Defense: Classical Variation, Berlin Variation; \
         King's Gambit Accepted: Kieseritzky Gambit, Berlin Defense; Ruy Lopez: Open, Berlin Variation"
    );
    // A word for a kind of opening is not a name, wherever it is.
    for kind in ["gambit", "attack", "gambit declined", "defence"] {
        let error = error(kind);
        assert!(
            error.contains(" matches several openings; be more specific: ") && error.ends_with(" more"),
            "{error}"
        );
    }
    // The beginning of a code is a square rather than a name.
    for square in ["e5", "b6", "E"] {
        assert_eq!(error(square), format!("unknown opening {square:?}"));
    }
    assert!(error("B90").starts_with(
        "\"B90\" matches several openings; be more specific: Sicilian Defense: Najdorf Variation; "
    ));
    let exchange = error("exchange variation");
    assert!(exchange.ends_with(" more") && exchange.matches("; ").count() == 13, "{exchange}");
}

#[test]
fn a_search_takes_only_complete_words_and_codes_as_codes() {
    let openings = Openings::standard();
    let names = |text: &str| -> Vec<&str> {
        openings.search(text).into_iter().map(|id| openings.get(id).unwrap().name).collect()
    };
    assert!(names("slav").iter().all(|name| name.contains("Slav")));
    assert!(!names("slav").iter().any(|name| name.contains("Yugoslav")));
    assert!(names("kan").iter().all(|name| name.contains("Kan ")));
    assert!(names("najdorf").iter().all(|name| name.contains("Najdorf")));
    for beginning in ["naj", "rook", "foo", "sicilian naj", "sic najdorf"] {
        assert_eq!(names(beginning), [""; 0], "{beginning}");
    }
    for name in ["king's indian", "Kings Indian", "KING’S INDIAN"] {
        assert_eq!(names(name), names("king's indian"));
        assert!(names(name).contains(&"King's Indian Defense"));
    }
    for (text, from, to) in [("B90", 190, 190), ("b9", 190, 199), ("B90..B99", 190, 199), ("E", 400, 499)] {
        let codes: Vec<u16> =
            openings.search(text).iter().map(|id| eco(openings.get(*id).unwrap().eco).unwrap()).collect();
        let expected =
            openings.iter().filter(|(_, opening)| (from..=to).contains(&eco(opening.eco).unwrap()));
        assert!(codes.iter().all(|code| (from..=to).contains(code)));
        assert_eq!(codes.len(), expected.count(), "{text}");
        assert_eq!(eco_range(text), Some(from..=to));
    }
}

#[test]
fn codes_convert_to_numbers_and_back() {
    for number in 0..500 {
        assert_eq!(eco(&eco_text(i64::from(number))), Some(number));
    }
    for bad in ["", "B", "B9", "B900", "F00", "b90", "B9x", "éé"] {
        assert_eq!(eco(bad), None);
    }
    for bad in ["F", "B9x", "B900", "B90..x", "é", "B90....B99"] {
        assert_eq!(eco_range(bad), None, "{bad}");
    }
}
