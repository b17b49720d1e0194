//! Random comments and tags survive every way through plybook: what is exported is read back as the same games.

use std::{
    fs,
    ops::ControlFlow::Continue,
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{
    common::{Bench, Random, trials},
    pgn_support::read_one,
};
use plybook::{
    archive::{Archive, ArchiveError, Editor, Filter, GameSet},
    chess::{Annotation, Annotations, Chess, Tags},
    edit::{TagEdit, fingerprint, with_comment},
    pgn::{TagOrder, write_game},
    record::{GameId, Record, StoredGame},
    rules::Outcome,
};

/// What comments are put together from: line ends, tag pairs, braces, results, moves.
const PARTS: [&str; 26] = [
    "\n",
    "\n",
    "\n\n",
    " ",
    "a remark",
    "}",
    "{",
    "[Event \"z\"]",
    "[White \"Forged\"]",
    "[Site 'x']",
    " [Round \"1\"]",
    "[%clk 0:01:00]",
    "1. h4 h5 1-0",
    "1-0",
    "*",
    "2. Nf3",
    "e5",
    "(",
    ")",
    ";",
    "%",
    "$1",
    "\"]",
    "\\",
    "\u{feff}[Date \"?\"]",
    "[Event \"a { b\"]",
];

fn random_text(random: &mut Random, forbidden: &str) -> String {
    let parts = (0..=random.below(9)).map(|_| PARTS[random.below(PARTS.len())]);
    parts.filter(|part| !part.contains(|c| forbidden.contains(c))).collect()
}

/// A game with random tags and comments, as another program may have written it.
fn random_game(random: &mut Random, number: usize) -> String {
    let mut game = format!("[Event \"Game {number}\"]\n");
    for name in ["White", "Site", "Annotator"].iter().filter(|_| random.below(2) > 0).collect::<Vec<_>>() {
        let value = random_text(random, "\n").replace('\\', "\\\\").replace('"', "\\\"");
        game += &format!("[{name} \"{value}\"]\n");
    }
    game += "\n";
    for word in ["", "1. e4", "e5", "(1... c5", ") 2. Nf3", "Nc6", "1-0"] {
        game += word;
        match random.below(5) {
            0 => game += &format!(" {{{}}} ", random_text(random, "}")),
            1 => game += &format!(" {{{}}}\n", random_text(random, "")),
            2 => game += &format!(" ;{}\n", random_text(random, "\n")),
            _ => game += " ",
        }
    }
    game + "\n\n"
}

fn games(bench: &Bench, archive: &str) -> Vec<StoredGame> {
    let archive = Archive::open(bench.path(archive)).unwrap();
    let ids = archive.list::<GameId>(&Filter::default());
    ids.map(|id| archive.game(id.unwrap()).unwrap()).collect()
}

/// The games of an archive, exported and imported again, are the same.
fn assert_read_back(bench: &Bench, archive: &str) {
    let export = bench.ok(&["export", "-a", archive]);
    fs::write(bench.path("export.pgn"), &export).unwrap();
    let _ = fs::remove_file(bench.path("again.db"));
    let report = bench.import(&["export.pgn", "--allow-rejects", "-a", "again.db"]);
    assert_eq!((report["rejected"].as_u64(), report["duplicate"].as_u64()), (Some(0), Some(0)), "{report}");
    let (was, is) = (games(bench, archive), games(bench, "again.db"));
    for (was, is) in was.iter().zip(&is) {
        assert_eq!((fingerprint(is).unwrap(), &is.marks), (fingerprint(was).unwrap(), &was.marks));
    }
    assert_eq!(is.len(), was.len());
    assert!(bench.ok(&["export", "-a", "again.db"]) == export);
}

#[test]
fn random_comments_and_tags_are_read_back() {
    let (bench, mut random) = (Bench::new(), Random(23));
    let text: String = (0..trials(4_000, 100_000)).map(|number| random_game(&mut random, number)).collect();
    fs::write(bench.path("games.pgn"), text).unwrap();
    let report = bench.import(&["games.pgn", "--allow-rejects", "-a", "a.db"]);
    let count = |key: &str| report[key].as_u64().unwrap();
    assert!(2 * count("stored") > count("seen"), "{report}");
    assert_read_back(&bench, "a.db");
    let tagged = change_all(&bench, |random, game| {
        let tag = TagEdit::new("Annotator", Some(&random_text(random, "\n")));
        TagEdit::apply(&[tag.unwrap()], game)
    });
    let commented =
        change_all(&bench, |random, game| with_comment(game, random.below(4), &random_text(random, "")));
    assert!(2 * tagged > count("stored") && 2 * commented > count("stored"), "{tagged}, {commented}");
    assert_read_back(&bench, "a.db");
}

/// Changes every game at random, unless the change is refused. Returns the number of changed games.
fn change_all(
    bench: &Bench,
    edit: impl Fn(&mut Random, &StoredGame) -> Result<Option<Record>, ArchiveError> + Sync,
) -> u64 {
    let mut editor = Editor::open(bench.path("a.db")).unwrap();
    let all: GameSet = games(bench, "a.db").iter().map(|game| game.id).collect();
    let changed = AtomicU64::new(0);
    let edit = |game: &StoredGame| match edit(&mut Random(game.id.unsigned_abs() << 20 | 1), game) {
        Ok(edited) => {
            changed.fetch_add(1, Ordering::Relaxed);
            Ok(edited)
        }
        Err(ArchiveError::Edit(_)) => Ok(None),
        Err(error) => Err(error),
    };
    editor.change("random", false, |change| change.edit(&all, edit, |_| Continue(()))).unwrap();
    changed.into_inner()
}

/// Cut at its brace, it would end before the line like a tag pair.
const UNSAFE: &str = "see\n\n[Event \"z\"]\n1. d4 {good";

#[test]
fn comments_with_braces_are_written_without_them_and_read_back() {
    let bench = Bench::with_games();
    for comment in [UNSAFE, "a {b c", "plain (a) [%braces 11]"] {
        bench.ok(&["comment", "1", "2", comment]);
        let export = bench.ok(&["export", "--id", "1"]);
        fs::write(bench.path("export.pgn"), &export).unwrap();
        let game = read_one(&export).unwrap();
        assert!(game.annotations.iter().any(|(_, read)| read == Annotation::Comment(comment)), "{export}");
        let report = bench.import(&["export.pgn", "-a", &format!("{}.db", comment.len())]);
        assert_eq!(report["notes"]["nested_braces"], 0, "{report}");
    }
}

#[test]
fn a_comment_with_braces_is_exported_for_other_programs() {
    let bench = Bench::new();
    fs::write(bench.path("braces.pgn"), "[White \"a\"]\n\n1. e4 {a {b} c} e5 2. Nf3 ;a } b\nNc6 *\n")
        .unwrap();
    bench.ok(&["import", "braces.pgn"]);
    let export = bench.ok(&["export"]);
    assert!(
        export.contains("1. e4 {a (b) c [%braces 11]} 1... e5 2. Nf3 {a ) b [%braces 1]} 2... Nc6 *"),
        "{export}"
    );
    // The export of release 0.2 is the same game.
    let former = "[White \"a\"]\n\n1. e4 ;a {b} c\n1... e5 2. Nf3 ;a } b\n2... Nc6 *\n";
    assert_eq!(read_one(former).unwrap().annotations, read_one(&export).unwrap().annotations);
}

#[test]
fn a_draw_offer_is_a_comment_and_no_variation_is_exported_without_moves() {
    let bench = Bench::new();
    let game = "[White \"a\"]\n\n1. e4 e5 ({text}) (!) () (1-0) 2. Nf3 ( = ) (2. Nc3 (=) Nf6) *\n";
    fs::write(bench.path("empty.pgn"), game).unwrap();
    let report = bench.import(&["empty.pgn"]);
    let count = |note: &str| report["notes"][note].as_u64();
    for note in ["draw_offers", "empty_variations", "empty_parentheses"] {
        assert_eq!(count(note), Some(1), "{report}");
    }
    let export = bench.ok(&["export"]);
    assert!(export.contains("1. e4 e5 {text} $1 {1-0} 2. Nf3 {( = )} (2. Nc3 {(=)} 2... Nf6) *"), "{export}");
}

#[test]
fn variations_without_moves_of_earlier_releases_are_not_exported() {
    let mut annotations = Annotations::default();
    for annotation in [Annotation::Open, Annotation::Comment("text"), Annotation::Close] {
        annotations.push(0, annotation);
    }
    let (mut text, tags, order) = (String::new(), Tags::default(), TagOrder::SameGame);
    write_game(&mut text, &tags, order, &Chess::default(), &[], &annotations, Outcome::Unknown);
    assert!(text.ends_with("\n\n{text} *\n\n"), "{text:?}");
}

#[test]
fn the_roster_export_writes_setup_with_a_fen() {
    let bench = Bench::new();
    fs::write(bench.path("fen.pgn"), "[FEN \"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\"]\n\n*\n").unwrap();
    bench.ok(&["import", "fen.pgn"]);
    assert!(bench.ok(&["export", "--roster"]).contains("[SetUp \"1\"]\n[FEN"));
    assert!(!bench.ok(&["export"]).contains("SetUp"));
}
