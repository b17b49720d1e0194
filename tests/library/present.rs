//! All results of the library's front end, `present`, without the command line: from an archive to JSON in one call, as
//! a server uses it. And the list formats.

use std::{
    collections::BTreeSet,
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering},
};

use crate::common::{Bench, data, text};
use plybook::{
    archive::{Archive, ArchiveError, Filter, Summary},
    chess::Setup,
    codec::{game::GAME_CODECS, position::POSITION_CODECS},
    export::{Export, ExportError},
    import::{Options, import_paths},
    present::{
        self, CodeError, FilterText, PositionText, PresentError, RequestError,
        list::{self, LIST_FORMATS, ListOptions},
        proof_game::{ProofGame, ReachingGame},
    },
    proofgame::{Limits, search},
    query::{Context, shortest_through},
    stats::{self, HuffmanTable},
};
use serde_json::{Value, to_value};

/// An archive of chess and Xelto, made by the library.
fn archive() -> (tempfile::TempDir, Archive) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let sources = ["famous.pgn", "annotated.pgn", "xelto/first.xelto"].map(data);
    import_paths(&path, &sources, &Options::default()).unwrap();
    let archive = Archive::open(&path).unwrap();
    (folder, archive)
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

/// A filter from its text.
fn filter(text: &FilterText, archive: &Archive) -> Result<Filter, PresentError> {
    text.filter(Context::new(archive))
}

/// The id of the only game of Xelto.
fn xelto_id(archive: &Archive) -> i64 {
    let asked = FilterText::of([("variant", "xelto")]).unwrap();
    present::games::list(archive, &filter(&asked, archive).unwrap()).unwrap()[0].id
}

#[test]
fn games_and_positions_are_data() {
    let (_folder, archive) = archive();
    let game = to_value(present::game::answer(&archive, 1, Some("2b".parse().unwrap())).unwrap()).unwrap();
    let expected = "schema id title variant tags result plies start_fen ply fen legal_ep_fen last_move san uci comments continuation \
                    tree integer bits source number_in_source";
    assert_eq!(keys(&game).join(" "), expected);
    assert_eq!((&game["ply"], game["san"].as_array().unwrap().len()), (&4.into(), 4));
    assert!(game["tags"]["White"].is_string());
    let xelto = to_value(present::game::answer(&archive, xelto_id(&archive), None).unwrap()).unwrap();
    assert_eq!((&xelto["variant"], &xelto["ply"]), (&"Xelto".into(), &xelto["plies"]));
    assert_eq!(xelto["hash"].as_str().unwrap().len(), 34);

    let line = archive.game(1).unwrap().line().unwrap();
    let costs = to_value(present::codecs::compare_game(&line)).unwrap();
    assert!(costs.as_array().unwrap().iter().any(|cost| cost["codec"] == "index" && cost["plies"].is_u64()));
    for text in ["1:2b", "1. e4 c5", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"] {
        let setup: Setup =
            text.parse::<PositionText>().unwrap().setup(|| Ok::<_, PresentError>(&archive)).unwrap();
        let costs = to_value(present::codecs::compare_position(&setup)).unwrap();
        assert_eq!(costs.as_array().unwrap().len(), POSITION_CODECS.len());
        assert!(costs[0]["bits"].as_u64() <= costs[1]["bits"].as_u64());
    }
}

#[test]
fn lists_and_figures_are_data() {
    let (_folder, archive) = archive();
    let asked: FilterText = serde_json::from_str(r#"{"limit": 3, "sort": "date", "desc": true}"#).unwrap();
    let games =
        to_value(present::games::list(&archive, &filter(&asked, &archive).unwrap()).unwrap()).unwrap();
    assert_eq!(games.as_array().unwrap().len(), 3);
    assert!(games[0]["date"].as_str() >= games[1]["date"].as_str());

    let all = Filter::default();
    let lengths = to_value(present::game_lengths(&archive, &all, None).unwrap()).unwrap();
    assert_eq!(lengths["games"], archive.count().unwrap());
    assert_eq!(lengths["archive"], to_value(stats::archive_sizes(&archive).unwrap()).unwrap());
    let codecs = to_value(present::codec_lengths(&archive, &all, &[], |_| {}).unwrap()).unwrap();
    assert_eq!(codecs[0]["codec"], "index");
    let chess = Filter { chess: true, ..Filter::default() };
    let two = archive.sample(&chess, 2).unwrap();
    let positions = to_value(stats::position_stats(&archive, &two, |_| {}).unwrap()).unwrap();
    assert_eq!(
        (&positions["games"], positions["codecs"].as_array().unwrap().len()),
        (&2.into(), POSITION_CODECS.len())
    );
    assert_eq!(to_value(HuffmanTable::new(None)).unwrap()["table"].as_array().unwrap().len(), 13);
    let listed = to_value(present::codecs::all()).unwrap();
    let known = GAME_CODECS.len() + POSITION_CODECS.len();
    assert_eq!(listed.as_array().unwrap().len(), known);
}

#[test]
fn the_shortest_game_is_data() {
    let (_folder, archive) = archive();
    let asked =
        |text: &str| present::proof_game::target(text, false, || Ok::<_, PresentError>(&archive)).unwrap();
    let target = asked("1. e4 e5");
    let found = search(&target, &Limits::default(), &mut |_| {});
    let stored = shortest_through(&archive, &target).unwrap();
    let stored = Some(stored.map(|found| ReachingGame::new(&found)));
    let answer = to_value(ProofGame { stored, ..ProofGame::new(&found).unwrap() }).unwrap();
    assert_eq!(keys(&answer).join(" "), "found plies moves uci integer proved stored");
    assert_eq!((&answer["plies"], &answer["stored"]["plies"]), (&2.into(), &2.into()));
    let limits = Limits { max_plies: 1, ..Limits::default() };
    let none = to_value(ProofGame::new(&search(&target, &limits, &mut |_| {})).unwrap()).unwrap();
    assert_eq!(none["reason"], "max-plies");
}

#[test]
fn an_export_writes_to_anything_and_ends_when_it_is_cancelled() {
    let (_folder, archive) = archive();
    let (mut pgn, mut export) = (Vec::new(), Export::new(&archive));
    export.write(&Filter::default(), &mut pgn, |damage| panic!("{damage}")).unwrap();
    assert_eq!((export.counts.written + 1, export.counts.left_out), (archive.count().unwrap(), 1));
    assert!(text(&pgn).starts_with("[Event "));

    let cancel = AtomicBool::new(true);
    let mut export = Export { cancel: Some(&cancel), ..Export::new(&archive) };
    let stopped = export.write(&Filter::default(), &mut Vec::new(), |damage| panic!("{damage}"));
    assert!(matches!(stopped, Err(ExportError::Archive(ArchiveError::Stopped))));
    assert_eq!(export.counts.written, 1);
    cancel.store(false, Ordering::Relaxed);
    // A reader that disconnects is a clear error.
    let mut little = [0; 10];
    let error = export.write(&Filter::default(), &mut &mut little[..], |_| {}).unwrap_err();
    assert!(matches!(error, ExportError::Write(_)));
}

/// A reader that disconnects as soon as it has received something.
struct FirstBytes {
    buffered: Vec<u8>,
    taken: Vec<u8>,
}

impl Write for FirstBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffered.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.taken.append(&mut self.buffered);
        Err(io::ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn the_first_game_of_an_export_is_written_before_the_others_are_read() {
    let (_folder, archive) = archive();
    let (mut reader, mut export) = (FirstBytes { buffered: vec![], taken: vec![] }, Export::new(&archive));
    let error = export.write(&Filter::default(), &mut reader, |_| {}).unwrap_err();
    assert!(matches!(error, ExportError::Write(_)));
    assert_eq!((text(&reader.taken).matches("[Event ").count(), reader.buffered.len()), (1, 0));
    assert_eq!(
        (export.counts.written, export.counts.left_out),
        (1, 0),
        "games that nobody asked for were read"
    );
}

#[test]
fn invalid_requests_are_reported_without_commands_or_options() {
    let (_folder, archive) = archive();
    let filter = |json: &str| filter(&serde_json::from_str(json).unwrap(), &archive).unwrap_err();
    let position = |text: &str| PresentError::from(text.parse::<PositionText>().unwrap_err());
    let errors = [
        filter(r#"{"date": "x"}"#),
        filter(r#"{"elo": "x"}"#),
        filter(r#"{"result": "x"}"#),
        filter(r#"{"opening": "x"}"#),
        filter(r#"{"variant": "x"}"#),
        filter(r#"{"sort": "x"}"#),
        filter(r#"{"player": "a", "colour": "x"}"#),
        filter(r#"{"player": "a", "colour": "white", "white": "b"}"#),
        position(""),
        position("x"),
        position("1:x"),
        position("x/x/x/x"),
    ];
    for error in errors {
        let printed = error.to_string();
        assert!(
            !printed.is_empty() && !printed.contains("--") && !printed.contains(": plybook "),
            "{printed}"
        );
    }
    let unknown = present::game_lengths(&archive, &Filter::default(), Some("x")).unwrap_err();
    assert!(matches!(unknown, PresentError::Request(RequestError::Code(CodeError::Codec { .. }))));
    assert!(serde_json::from_str::<FilterText>(r#"{"plaeyr": "a"}"#).is_err());
}

/// A list of games in a format.
fn games(archive: &Archive, filter: &Filter, format: &str) -> String {
    let (format, mut out) = (list::by_name(format).unwrap(), Vec::new());
    present::games::write(archive.list::<Summary>(filter), format, ListOptions::default(), &mut out).unwrap();
    text(&out)
}

#[test]
fn every_format_has_every_row() {
    let (_folder, archive) = archive();
    let all = Filter::default();
    let count = usize::try_from(archive.count().unwrap()).unwrap();
    let lines = |format| games(&archive, &all, format).lines().count();
    assert_eq!(
        ["table", "csv", "json", "jsonl", "markdown"].map(lines),
        [count + 2, count + 1, count + 2, count, count + 2]
    );
    let json: Value = serde_json::from_str(&games(&archive, &all, "json")).unwrap();
    let lines = games(&archive, &all, "jsonl");
    let objects: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(json, Value::Array(objects));
    let names: BTreeSet<&str> = LIST_FORMATS.iter().map(|format| format.name).collect();
    assert_eq!(names.len(), LIST_FORMATS.len());
    let none = Filter { ids: Some(9999..=9999), ..Filter::default() };
    assert_eq!(games(&archive, &none, "table"), "no games\n");
    assert_eq!(games(&archive, &none, "json"), "[]\n");
    assert_eq!(games(&archive, &none, "jsonl"), "");
    assert_eq!(games(&archive, &none, "csv").lines().count(), 1);
    assert_eq!(games(&archive, &none, "markdown").lines().count(), 2);
}

#[test]
fn a_list_as_markdown_is_one_table_whatever_the_cells_contain() {
    let folder = tempfile::tempdir().unwrap();
    let (pgn, path) = (folder.path().join("a.pgn"), folder.path().join("a.db"));
    std::fs::write(&pgn, "[Event \"a|b *c* <d>\"]\n[White \"\x1b[2J\"]\n\n1. e4 *\n").unwrap();
    import_paths(&path, &[pgn], &Options::default()).unwrap();
    let table = games(&Archive::open(&path).unwrap(), &Filter::default(), "markdown");
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("| id | white | black | result |"), "{table}");
    assert!(lines[1].starts_with("| ---: | --- | --- | --- |"), "{table}");
    assert!(lines[2].contains(r"| a\|b \*c\* \<d\> |") && !table.contains('\x1b'), "{table}");
    let cells = |line: &str| line.replace("\\|", "").matches('|').count();
    assert!(lines.len() == 3 && lines.iter().all(|line| cells(line) == 14), "{table}");
}

#[test]
fn commands_that_print_lists_support_every_format() {
    let bench = Bench::with_games();
    for command in [
        &["games"][..],
        &["codecs"],
        &["stats"],
        &["stats", "--codec", "all"],
        &["stats", "--positions"],
        &["position", "compare", "1. e4"],
        &["position", "huffman"],
        &["game", "compare", "1"],
    ] {
        for format in LIST_FORMATS {
            let output = bench.ok(&[command, &["--format", format.name]].concat());
            let first = output.lines().next().unwrap();
            match format.name {
                "json" => assert!(serde_json::from_str::<Value>(&output).is_ok(), "{command:?}"),
                "jsonl" => assert!(serde_json::from_str::<Value>(first).unwrap().is_object(), "{command:?}"),
                "markdown" => {
                    assert!(first.starts_with("| ") && first.ends_with(" |"), "{command:?}: {first}")
                }
                "csv" => assert!(first.contains(',') && !first.contains('|'), "{command:?}: {first}"),
                _ => {}
            }
        }
    }
}

#[test]
fn one_item_is_reported_in_the_singular() {
    let bench = Bench::new();
    std::fs::write(bench.path("one.pgn"), "[Event \"x\"]\n\n1. e4 -- *\n").unwrap();
    let imported = bench.ok(&["import", "one.pgn"]);
    let printed = [
        bench.ok(&["stats"]),
        bench.ok(&["stats", "--positions"]),
        bench.ok(&["verify"]),
        bench.ok(&["games"]),
        bench.ok(&["path", "1. e4", "-a", "plybook.db"]),
        bench.ok(&["game", "compare", "1"]),
        bench.ok(&["position", "huffman"]),
        bench.ok(&["backup", "copy.db"]),
        imported,
    ];
    for text in printed {
        for line in text.lines().flat_map(|line| line.split([',', ';', ':'])) {
            let words: Vec<&str> = line.split_whitespace().collect();
            // Units (games/s) have no singular.
            let plural = words
                .windows(2)
                .any(|pair| pair[0] == "1" && pair[1].ends_with('s') && !pair[1].contains('/'));
            assert!(!plural, "{line}");
        }
        assert!(text.contains("1 game") || text.contains("1 ply") || text.contains("1 position"), "{text}");
    }
}
