//! Material, patterns and sequences in real games: the results equal those of testing every square of every position,
//! without trails.

use std::collections::BTreeMap;

use crate::{
    common::{Bench, Random, corpus, trials},
    index_support::{
        bare_and_indexed,
        other_reader::{Game, beginning, games_of},
    },
};
use plybook::{
    archive::{Archive, Filter, GameNumber, Sort},
    conditions::FilterText,
    query::{Context, PositionIndex, by_replay, games_matching},
    record::GameId,
    rules::{KnownOutcome, Outcome},
};
use shakmaty::{Color, Position, Square};

/// A position as text: ranks 8 to 1, a letter for a piece and a dot for an empty square; and whether White is to move.
type Seen = (Vec<String>, bool);

fn seen(position: &impl Position) -> Seen {
    let square = |square: Square| position.board().piece_at(square).map_or('.', |piece| piece.char());
    let rank = |rank: u32| (0..8).map(|file| square(Square::new(8 * rank + file))).collect();
    ((0..8).rev().map(rank).collect(), position.turn().is_white())
}

/// Whether a rank matches part of a pattern.
fn rank_fits(pattern: &[char], rank: &[char]) -> bool {
    let Some((&sign, rest)) = pattern.split_first() else { return rank.is_empty() };
    match sign {
        '*' => (0..=rank.len()).any(|taken| rank_fits(rest, &rank[taken..])),
        '1'..='8' => {
            let count = sign.to_digit(10).unwrap() as usize;
            rank.len() >= count && rank[..count].iter().all(|c| *c == '.') && rank_fits(rest, &rank[count..])
        }
        '[' => {
            let end = rest.iter().position(|c| *c == ']').unwrap();
            let (inside, is_in) = match rest[..end].split_first() {
                Some(('^', others)) => (others, false),
                _ => (&rest[..end], true),
            };
            rank.first().is_some_and(|c| inside.contains(c) == is_in)
                && rank_fits(&rest[end + 1..], &rank[1..])
        }
        '?' => !rank.is_empty() && rank_fits(rest, &rank[1..]),
        piece => rank.first() == Some(&piece) && rank_fits(rest, &rank[1..]),
    }
}

fn pattern_fits(pattern: &str, (ranks, is_white): &Seen) -> bool {
    let (board, turn) = pattern.split_once(' ').unwrap_or((pattern, ""));
    let chars = |text: &str| text.chars().collect::<Vec<char>>();
    let turn = match turn {
        "w" => *is_white,
        "b" => !is_white,
        _ => true,
    };
    turn && board.split('/').zip(ranks).all(|(pattern, rank)| rank_fits(&chars(pattern), &chars(rank)))
}

/// Whether a side matches one half of a material: letters, and `P{a,b}`.
fn side_fits(side: &str, has: &str) -> bool {
    let mut wanted: BTreeMap<char, (usize, usize)> = BTreeMap::new();
    let mut rest = side.trim_start_matches("w:").trim_start_matches("b:");
    while let Some(letter) = rest.chars().next() {
        rest = &rest[1..];
        let mut range = (1, 1);
        if let Some(inside) = rest.strip_prefix('{') {
            let (range_text, after) = inside.split_once('}').unwrap();
            let (least, most) = range_text.split_once(',').unwrap();
            range = (least.parse().unwrap(), most.parse().unwrap());
            rest = after;
        }
        let count = wanted.entry(letter).or_default();
        *count = (count.0 + range.0, count.1 + range.1);
    }
    "QRBNP".chars().all(|letter| {
        let (least, most) = wanted.get(&letter).copied().unwrap_or_default();
        (least..=most).contains(&has.matches(letter).count())
    })
}

/// How a position matches a material: with the first side as White, and as Black.
fn material_fits(material: &str, (ranks, _): &Seen) -> [bool; 2] {
    let all = ranks.concat();
    let white: String = all.chars().filter(char::is_ascii_uppercase).collect();
    let black: String =
        all.chars().filter(char::is_ascii_lowercase).map(|c| c.to_ascii_uppercase()).collect();
    let (one, other) = material.split_once(' ').unwrap();
    let may = [!one.starts_with("b:"), !one.starts_with("w:")];
    [
        may[0] && side_fits(one, &white) && side_fits(other, &black),
        may[1] && side_fits(one, &black) && side_fits(other, &white),
    ]
}

/// Where a game first has a material for some consecutive positions.
fn material_ply(material: &str, positions: usize, game: &[Seen]) -> Option<usize> {
    let mut running = [0; 2];
    (0..game.len()).find_map(|ply| {
        for (running, fits) in running.iter_mut().zip(material_fits(material, &game[ply])) {
            *running = if fits { *running + 1 } else { 0 };
        }
        running.iter().any(|running| *running >= positions).then(|| ply + 1 - positions)
    })
}

/// Whether a game has patterns in sequence, each at most `within` plies after the previous one.
fn has_sequence(patterns: &[&str], within: usize, game: &[Seen]) -> bool {
    let Some((first, rest)) = patterns.split_first() else { return true };
    fn rest_fits(rest: &[&str], from: usize, within: usize, game: &[Seen]) -> bool {
        let Some((next, rest)) = rest.split_first() else { return true };
        let last = game.len().min(from.saturating_add(within).saturating_add(1));
        (from + 1..last).any(|ply| pattern_fits(next, &game[ply]) && rest_fits(rest, ply, within, game))
    }
    (0..game.len()).any(|ply| pattern_fits(first, &game[ply]) && rest_fits(rest, ply, within, game))
}

/// A pattern of a position in which most is left open.
fn some_pattern(random: &mut Random, (ranks, is_white): &Seen, keep: usize) -> String {
    let mut squares: Vec<Vec<String>> =
        ranks.iter().map(|rank| rank.chars().map(|_| "?".to_owned()).collect()).collect();
    for _ in 0..keep {
        let (rank, file) = (random.below(8), random.below(8));
        let there = ranks[rank].chars().nth(file).unwrap();
        let others = ["P", "n", "Bq", "kp", "rR."];
        squares[rank][file] = match random.below(4) {
            0 => format!("[{there}{}]", others[random.below(others.len())]),
            1 => format!("[^{}]", others[random.below(others.len())].replace(there, "x").replace('x', "N")),
            _ if there == '.' => "1".to_owned(),
            _ => there.to_string(),
        };
    }
    // A piece somewhere on its rank.
    let rank = random.below(8);
    if let Some(piece) = ranks[rank].chars().find(|c| *c != '.') {
        squares[rank] = vec![format!("*{piece}*")];
    }
    let board = squares.into_iter().map(|rank| rank.concat()).collect::<Vec<_>>().join("/");
    match random.below(6) {
        0 => format!("{board} {}", if *is_white { 'w' } else { 'b' }),
        _ => board,
    }
}

/// Patterns of typical training material.
const PATTERNS: [&str; 8] = [
    "??[^P]?[^P]*/??[^P]?[^P]*/??[^P]?[^P]*/??[^P]?[^P]*/??[^P]P[^P]*/??[^P]?[^P]*/??[^P]?[^P]*/*",
    "*/*/*/3p4/3P4/*/*/*",
    "*/*B/*/*/*/*/*/*",
    "*P*/*/*/*/*/*/*/*",
    "*/*P*P*/*/*/*/*/*/*",
    "r3k2r/*/*/*/*/*/*/R3K2R",
    "*/*/*/*/2PP*/*/*/* b",
    "*/ppp*/*/*/*/*/PPP*/2K*",
];

const PAWNS_C4_D4: &str = "*/*/*/*/??PP*/*/*/*";
const PAWN_D5: &str = "*/*/*/???P*/*/*/*/*";
const NO_PAWN_D4: &str = "*/*/*/*/???[^P]*/*/*/*";

const MATERIALS: [&str; 12] = [
    "KRPPP KRPP",
    "w:KRPPP KRPP",
    "b:KRPPP KRPP",
    "KRP{0,8} KRP{0,8}",
    "KQ KR",
    "KBN{0,0}P{1,3} KNP{1,3}",
    "KQQ{0,1} KP{0,8}",
    "KBB KN",
    "KRBNP{2,5} KRRP{2,6}",
    "KQRRBBNNP{8,8} KQRRBBNNP{8,8}",
    "KQRRBBNNPPPPPPP KQRRBBNNPPPPPPPP",
    "K K",
];

struct Asked {
    games: Vec<Vec<Seen>>,
    archives: [Archive; 2],
    index: Option<PositionIndex>,
}

impl Asked {
    fn new(text: &str, games: &[Game]) -> Asked {
        let benches = bare_and_indexed(text);
        let archives = benches.each_ref().map(|bench| Archive::open(bench.path("plybook.db")).unwrap());
        let index = PositionIndex::open(&archives[1]).unwrap();
        // Most games have trails, in two segments; the others have none.
        let trailed = index.as_ref().unwrap().trails().games() as usize;
        assert!(trailed > games.len() / 2 && trailed < games.len());
        let positions = |game: &Game| game.positions().iter().map(seen).collect();
        // The files stay open.
        Asked { games: games.iter().map(positions).collect(), archives, index }
    }

    /// Compares the results by trails and by replay. Returns the number of games.
    fn compare(&self, asked: &FilterText, expected: impl Fn(&[Seen]) -> Option<usize>) -> usize {
        let expected: Vec<(i64, usize)> =
            (1..).zip(&self.games).filter_map(|(id, game)| Some((id, expected(game)?))).collect();
        let search = asked.search().unwrap().unwrap();
        for (archive, index) in self.archives.iter().zip([None, self.index.as_ref()]) {
            let found = games_matching(Context::new(archive).with_index(index), &search, &Filter::default());
            let games = found.unwrap().games;
            let ids: Vec<i64> = expected.iter().map(|(id, _)| *id).collect();
            assert_eq!(games.ids(), ids, "{asked:?}");
            if index.is_some() && expected.len() < 300 {
                let among = Filter { among: Some(games), ..Filter::default() };
                let hits = by_replay(Context::new(archive), &search, &among);
                let hits: Vec<_> = hits.flat_map(Result::unwrap).map(|hit| (hit.game, hit.ply)).collect();
                assert_eq!(hits, expected, "{asked:?}");
            }
        }
        expected.len()
    }

    /// Compares which games match patterns in sequence, each at most `within` plies after the previous one; 1,000 and
    /// more means any number. Returns the number of games.
    fn compare_sequence(&self, patterns: &[&str], within: usize) -> usize {
        let then = patterns[1..].iter().map(|pattern| ("then", *pattern));
        let mut filter = FilterText::of([("pattern", patterns[0])].into_iter().chain(then)).unwrap();
        if within < 1000 {
            filter.set("within", &within.to_string()).unwrap();
        }
        let expected: Vec<i64> = (1..)
            .zip(&self.games)
            .filter_map(|(id, game)| has_sequence(patterns, within, game).then_some(id))
            .collect();
        let search = filter.search().unwrap().unwrap();
        for (archive, index) in self.archives.iter().zip([None, self.index.as_ref()]) {
            let found = games_matching(Context::new(archive).with_index(index), &search, &Filter::default());
            assert_eq!(found.unwrap().games.ids(), expected, "{filter:?}");
        }
        expected.len()
    }
}

fn asked_for(conditions: &[(&str, &str)]) -> FilterText {
    FilterText::of(conditions.iter().copied()).unwrap()
}

#[test]
fn results_equal_those_of_testing_every_square() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let text = beginning(&otb, trials(1_200, 20_000));
    let games = games_of(&text);
    let asked = Asked::new(&text, &games);
    let mut random = Random(3);
    let mut found = Vec::new();

    for material in MATERIALS {
        for positions in [1, 4] {
            let mut filter = asked_for(&[("material", material)]);
            if positions > 1 {
                filter.set("min_plies", &(positions - 1).to_string()).unwrap();
            }
            found.push(asked.compare(&filter, |game| material_ply(material, positions, game)));
        }
    }
    let position = |random: &mut Random, from: usize| -> (Seen, Seen) {
        let game = &asked.games[random.below(asked.games.len())];
        let ply = random.below(game.len().saturating_sub(from).max(1));
        (game[ply].clone(), game[(ply + from).min(game.len() - 1)].clone())
    };
    let mut patterns: Vec<String> = PATTERNS.iter().map(|pattern| (*pattern).to_owned()).collect();
    for number in 0..40 {
        let one = position(&mut random, 0).0;
        patterns.push(some_pattern(&mut random, &one, 3 + number % 6));
    }
    for pattern in &patterns {
        let first = |game: &[Seen]| game.iter().position(|position| pattern_fits(pattern, position));
        let filter = asked_for(&[("pattern", pattern)]);
        found.push(asked.compare(&filter, first));
        let never = asked_for(&[("not_pattern", pattern)]);
        asked.compare(&never, |game| first(game).is_none().then_some(0));
    }
    for within in [1, 4, 10, 1000].repeat(5) {
        let (one, next) = position(&mut random, within.min(7));
        let [one, next] = [one, next].map(|seen| some_pattern(&mut random, &seen, 3));
        found.push(asked.compare_sequence(&[&one, &next], within));
    }
    // Pawns only: trails alone decide most games.
    let [isolated, against, c4_d4] = [PATTERNS[0], PATTERNS[1], PAWNS_C4_D4];
    let sequences: [&[&str]; 7] = [
        &[against, isolated],
        &[isolated, against],
        &[against, against],
        &[c4_d4, PAWN_D5],
        &[c4_d4, PAWN_D5, NO_PAWN_D4],
        &[c4_d4, c4_d4, PAWN_D5],
        &[PAWN_D5, PAWN_D5, PAWN_D5],
    ];
    for (sequence, within) in
        sequences.into_iter().flat_map(|sequence| [1, 2, 7, 1000].map(|n| (sequence, n)))
    {
        found.push(asked.compare_sequence(sequence, within));
    }
    let some = found.iter().filter(|games| **games > 0).count();
    println!("{} games; of {} questions {some} find some: {found:?}", games.len(), found.len());
    assert!(some > 60, "{found:?}");
}

/// Pawn moves alone show that patterns follow each other, but not how long they last.
#[test]
fn patterns_of_a_sequence_are_as_close_as_positions_and_not_as_pawn_moves() {
    let text = [
        "1. e4 e5 2. d3",
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. d3",
        "1. d4 e5 2. c3 exd4 3. cxd4 d5",
        "1. d4 e5 2. c3 exd4 3. cxd4 Nc6 4. Nc3 d5",
    ];
    let text: String = text.iter().map(|moves| format!("[White \"A\"]\n\n{moves} *\n\n")).collect();
    let benches = [Bench::new(), Bench::new()];
    for bench in &benches {
        std::fs::write(bench.path("games.pgn"), &text).unwrap();
        bench.import(&["games.pgn"]);
    }
    benches[1].ok(&["index", "--quiet"]);
    let archives = benches.each_ref().map(|bench| Archive::open(bench.path("plybook.db")).unwrap());
    let index = PositionIndex::open(&archives[1]).unwrap();
    let positions = |game: &Game| game.positions().iter().map(seen).collect();
    let asked = Asked { games: games_of(&text).iter().map(positions).collect(), archives, index };
    let e4_e7 = "*/????p*/*/*/????P*/*/*/*";
    let e5 = "*/*/*/????p*/*/*/*/*";
    let d3 = "*/*/*/*/*/???P*/*/*";
    let d4 = "*/*/*/*/???P*/*/*/*";
    let d4_without_c = "*/*/*/*/???P*/??[^P]*/??[^P]*/*";
    let d5 = "*/*/*/???p*/*/*/*/*";
    // In the second game the pawn reaches d3 long after the first position with e5; in the third one it reaches d5
    // immediately after a position that again has d4.
    let sequences: [(&[&str], usize, usize); 6] = [
        (&[e4_e7, e5, d3], 1, 1),
        (&[e4_e7, e5, d3], 5, 2),
        (&[d4, d4_without_c, d5], 1, 1),
        (&[d4, d4_without_c, d5], 2, 2),
        (&[d4, d4], 1, 2),
        (&[d4, d4], 0, 0),
    ];
    for (patterns, within, found) in sequences {
        assert_eq!(asked.compare_sequence(patterns, within), found, "{patterns:?} {within}");
    }
}

#[test]
fn a_game_that_starts_with_other_pieces_is_found_by_these() {
    let bench = Bench::new();
    let rook = "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. Ra8+ Kd7 *\n\n";
    std::fs::write(bench.path("games.pgn"), format!("{rook}[White \"A\"]\n\n1. e4 e5 *\n")).unwrap();
    bench.import(&["games.pgn"]);
    for index in [&["index", "--drop"][..], &["index", "--quiet"]] {
        bench.run(index);
        let found = |asked: [&str; 2]| bench.ok(&[&["find", "--count"], &asked[..]].concat());
        assert_eq!(found(["--material", "KR K"]), "1\n");
        assert_eq!(found(["--pattern", "*/pppp*/*/*/*/*/*/*"]), "1\n");
    }
}

/// The same position with the colours swapped and the board turned upside down.
fn mirrored((ranks, is_white): &Seen) -> Seen {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    (ranks.iter().rev().map(|rank| rank.chars().map(swap).collect()).collect(), !is_white)
}

#[test]
fn a_mirrored_search_finds_both_colours_and_mixes_no_sequence() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let text = beginning(&otb, trials(800, 8_000));
    let asked = Asked::new(&text, &games_of(&text));
    let [push, next] = ["*/*/*/*/???P*/*/*/*", "*/*/*/???P*/*/*/*/*"];
    let mut found = Vec::new();
    for pattern in PATTERNS {
        let both = |game: &[Seen]| {
            game.iter().position(|seen| pattern_fits(pattern, seen) || pattern_fits(pattern, &mirrored(seen)))
        };
        let filter = asked_for(&[("pattern", pattern), ("mirror", "yes")]);
        found.push(asked.compare(&filter, both));
    }
    let filter = asked_for(&[("pattern", push), ("then", next), ("within", "30"), ("mirror", "yes")]);
    let expected: Vec<i64> = (1..)
        .zip(&asked.games)
        .filter(|(_, game)| {
            let other: Vec<Seen> = game.iter().map(mirrored).collect();
            has_sequence(&[push, next], 30, game) || has_sequence(&[push, next], 30, &other)
        })
        .map(|(id, _)| id)
        .collect();
    let search = filter.search().unwrap().unwrap();
    for (archive, index) in asked.archives.iter().zip([None, asked.index.as_ref()]) {
        let games = games_matching(Context::new(archive).with_index(index), &search, &Filter::default());
        assert_eq!(games.unwrap().games.ids(), expected);
    }
    println!("{found:?} and {} games", expected.len());
    assert!(found.iter().filter(|games| **games > 0).count() > 4 && expected.len() > 20);
}

/// The longest series of checks by one side.
fn checks(game: &Game) -> usize {
    let (mut running, mut most) = ([0; 2], 0);
    game.each(|ply, position| {
        if ply > 0 {
            let running = &mut running[ply % 2];
            *running = if position.is_check() { *running + 1 } else { 0 };
            most = most.max(*running);
        }
    });
    most
}

/// How a side of a game castles: kingside, queenside, or not.
fn castled(game: &Game, side: usize) -> &'static str {
    let of_side = game.moves.iter().skip(side).step_by(2);
    match of_side.filter_map(|m| m.castling_side()).next() {
        Some(shakmaty::CastlingSide::KingSide) => "short",
        Some(shakmaty::CastlingSide::QueenSide) => "long",
        None => "no",
    }
}

fn ends_in(game: &Game, kind: &str) -> bool {
    let positions = game.positions();
    let last = positions.last().unwrap();
    match kind {
        "mate" => last.is_checkmate(),
        "stalemate" => last.is_stalemate(),
        "insufficient" => last.is_insufficient_material(),
        "fifty" => last.halfmoves() >= 100,
        _ => positions.iter().filter(|position| *position == last).count() >= 3,
    }
}

#[test]
fn tests_of_complete_games_agree_with_their_moves() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let text = beginning(&otb, trials(4_000, 40_000));
    let games = games_of(&text);
    let asked = Asked::new(&text, &games);
    type Does = Box<dyn Fn(&Game) -> bool>;
    let mut questions: Vec<(FilterText, Does)> = Vec::new();
    for kind in ["mate", "stalemate", "insufficient", "fifty", "repetition"] {
        let filter = asked_for(&[("ends_in", kind)]);
        questions.push((filter, Box::new(move |game| ends_in(game, kind))));
    }
    for how in ["short", "long", "no"] {
        let white = asked_for(&[("white_castles", how)]);
        questions.push((white, Box::new(move |game| castled(game, 0) == how)));
        let both = asked_for(&[("white_castles", "short"), ("black_castles", how)]);
        questions.push((both, Box::new(move |game| castled(game, 0) == "short" && castled(game, 1) == how)));
    }
    let passing = asked_for(&[("en_passant", "yes")]);
    questions.push((passing, Box::new(|game| game.moves.iter().any(|m| m.is_en_passant()))));
    for (what, roles) in [("queen", "q"), ("under", "rbn"), ("any", "qrbn"), ("rook", "r")] {
        let filter = asked_for(&[("promotes", what)]);
        let promotes = move |game: &Game| {
            game.moves.iter().any(|m| m.promotion().is_some_and(|role| roles.contains(role.char())))
        };
        questions.push((filter, Box::new(promotes)));
    }
    for count in [1, 3, 6] {
        let filter = asked_for(&[("checks", &count.to_string())]);
        questions.push((filter, Box::new(move |game| checks(game) >= count)));
    }
    let mut found = Vec::new();
    for (filter, does) in questions {
        let expected: Vec<i64> = (1..).zip(&games).filter(|(_, game)| does(game)).map(|(id, _)| id).collect();
        let search = filter.search().unwrap().unwrap();
        for (archive, index) in asked.archives.iter().zip([None, asked.index.as_ref()]) {
            let games = games_matching(Context::new(archive).with_index(index), &search, &Filter::default());
            assert_eq!(games.unwrap().games.ids(), expected, "{filter:?}");
        }
        found.push(expected.len());
    }
    println!("{found:?}");
    assert!(found.iter().filter(|games| **games > 0).count() > 15, "{found:?}");
}

/// The filters as SQL evaluates them, without the index.
#[test]
fn filters_and_searches_together_find_what_both_find() {
    let Some(otb) = corpus("otb.pgn.zst") else { return };
    let text = beginning(&otb, trials(4_000, 40_000));
    let games = games_of(&text);
    let asked = Asked::new(&text, &games);
    let (archive, index) = (&asked.archives[1], asked.index.as_ref());
    let search = asked_for(&[("material", "KRP{0,8} KRP{0,8}")]);
    let search = search.search().unwrap().unwrap();
    let find = |filter: &Filter| {
        let found = games_matching(Context::new(archive).with_index(index), &search, filter);
        found.unwrap().games
    };
    let (all, mut found) = (find(&Filter::default()), 0);
    let filters = [
        Filter::default().in_range(GameNumber::Date, 2000 << 9..=2012 << 9),
        Filter::default()
            .in_range(GameNumber::WhiteElo, 2400..=2600)
            .in_range(GameNumber::BlackElo, 2400..=2600),
        Filter::default().in_range(GameNumber::WhiteElo, 0..=2500),
        Filter::default()
            .with_result(Outcome::Known(KnownOutcome::Draw))
            .in_range(GameNumber::Date, 2005 << 9..=u32::MAX),
        Filter { player: Some("a*".to_owned()), ..Filter::default() }.in_range(GameNumber::Plies, 60..=90),
        Filter {
            numbers: vec![(GameNumber::Date, vec![1..=1990 << 9, 2010 << 9..=2012 << 9])],
            ..Filter::default()
        },
        Filter {
            player: Some("a*".to_owned()),
            player_results: Some(Color::ALL.map(|winner| Outcome::Known(KnownOutcome::Decisive { winner }))),
            ..Filter::default()
        },
        Filter { ids: Some(100..=3900), ..Filter::default() }.in_range(GameNumber::Eco, 100..=299),
        Filter {
            numbers: vec![(GameNumber::Eco, vec![250..=299, 100..=149, 120..=160])],
            ..Filter::default()
        },
    ];
    let none = Filter { numbers: vec![(GameNumber::Plies, Vec::new())], ..Filter::default() };
    assert_eq!(archive.list::<GameId>(&none).count(), 0);
    assert!(index.unwrap().games_passing(archive, &none).unwrap().is_empty());
    for filter in filters {
        let passing: Vec<i64> = archive.list::<GameId>(&filter).map(Result::unwrap).collect();
        assert_eq!(index.unwrap().games_passing(archive, &filter).unwrap().ids(), passing, "{filter:?}");
        let both: Vec<i64> = passing.into_iter().filter(|id| all.contains(*id)).collect();
        assert!(!both.is_empty() && both.len() < all.len(), "{filter:?}");
        // Neither order nor number is a condition.
        let page = Filter { limit: Some(3), offset: 1, descending: true, sort: Sort::Date, ..filter };
        assert_eq!(find(&page).ids(), both, "{page:?}");
        found += both.len();
    }
    assert!(found > 100, "{found}");
}
