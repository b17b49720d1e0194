//! Encodings of games and positions on the command line.

use crate::common::{Bench, data, simple_games, text};
use plybook::{
    archive::{Archive, Filter},
    chess::{Fen, Position, Setup},
    codec::{
        game::GAME_CODECS,
        position::{POSITION_CODECS, ranked::RANKED},
    },
};
use serde_json::Value;
use shakmaty::EnPassantMode;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const SICILIAN: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2";
const FORMATS: [&str; 4] = ["hex", "base64url", "bits", "int"];

fn names() -> Vec<&'static str> {
    POSITION_CODECS.iter().map(|codec| codec.name).collect()
}

#[test]
fn the_initial_position_costs_what_the_table_of_encodings_says() {
    let list = Bench::new().json(&["position", "compare", "--format", "json", START]);
    let figures = [
        ("ranked", RANKED.encode(&Setup::initial()).unwrap().len() as u64),
        ("delta", 64),
        ("combined", 66),
        ("yoder", 155),
        ("huffman", 164),
        ("duchess", 169),
        ("cfen", 205),
        ("pieces-dense", 226),
        ("pieces", 230),
        ("mixed13", 233),
        ("base13", 237),
        ("nibble", 256),
        ("nibble-state", 257),
        ("ufen", 281),
        ("fen", 448),
    ];
    let list = list.as_array().unwrap();
    let found: Vec<_> =
        list.iter().map(|row| (row["codec"].as_str().unwrap(), row["bits"].as_u64().unwrap())).collect();
    assert_eq!(found, figures);
    for row in list {
        let bytes = row["bits"].as_u64().unwrap().div_ceil(8) as usize;
        assert_eq!(row["hex"].as_str().unwrap().len(), 2 * bytes, "{row}");
    }
}

#[test]
fn positions_come_back_from_every_codec_in_every_form() {
    let bench = Bench::new();
    let setup = SICILIAN.parse::<Fen>().unwrap().into_setup();
    for codec in POSITION_CODECS {
        let name = codec.name;
        let kept = codec.fields.keep(&setup);
        let bits = codec.encode(&setup).unwrap();
        for format in FORMATS {
            let code = bench.ok(&["position", "encode", "--codec", name, "--format", format, SICILIAN]);
            let length = bits.len().to_string();
            let mut decode = vec!["position", "decode", "--codec", name, "--format", format, code.trim()];
            if format == "int" {
                decode.extend(["--bits", &length]);
            }
            let back: Fen = bench.ok(&decode).trim().parse().unwrap();
            assert_eq!(back.into_setup(), kept, "{name} {format}");
        }
        let digits = bench.ok(&["position", "encode", "--codec", name, "--format", "bits", SICILIAN]);
        assert_eq!(digits.trim(), bits.to_string());
    }
    // If only one number of bits is possible, it is optional.
    let base13 = ["--codec", "base13", "--format", "int"];
    let number = bench.ok(&[&["position", "encode"], &base13[..], &[START]].concat());
    let back = bench.ok(&[&["position", "decode"], &base13[..], &[number.trim()]].concat());
    assert!(back.starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - "), "{back}");
}

#[test]
fn every_line_of_input_gives_one_line() {
    let bench = Bench::new();
    let input = format!("{START}\n1. e4 c5\n\nnonsense\n8/8/8/4k3/8/8/8/4K3 b - -\n");
    for name in names() {
        let output = bench.feed(&["position", "encode", "--codec", name, "-"], input.as_bytes());
        assert_eq!(output.status.code(), Some(1));
        let (codes, errors) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(codes.lines().map(str::is_empty).collect::<Vec<_>>(), [false, false, true, true, false]);
        let [empty, nonsense] = errors.lines().collect::<Vec<_>>()[..] else { panic!("{errors}") };
        assert!(empty.contains("line 3: ") && nonsense.contains("line 4: "), "{errors}");
        let back = bench.feed(&["position", "decode", "--codec", name, "-"], codes.as_bytes());
        assert_eq!((back.status.code(), text(&back.stdout).lines().count()), (Some(1), 5), "{name}");
    }
    let good = bench.feed(&["position", "encode", "--codec", "yoder", "-"], b"1. e4\n1. d4");
    assert_eq!((good.status.code(), text(&good.stdout).lines().count()), (Some(0), 2));
    let lists = bench.feed(&["position", "compare", "--format", "json", "-"], b"1. e4\n1. d4\n");
    for line in text(&lists.stdout).lines() {
        assert_eq!(serde_json::from_str::<Value>(line).unwrap().as_array().unwrap().len(), 15);
    }
}

#[test]
fn a_position_may_be_given_in_many_ways() {
    let bench = Bench::with_games();
    let encode = |position: &[&str]| {
        bench.ok(&[&["position", "encode", "--codec", "fen", "--format", "hex"], position].concat())
    };
    let sicilian = encode(&[SICILIAN]);
    for moves in ["1. e4 c5", "1.e4 c5", "e4 c5", "e2e4 c7c5", "1. e2e4 c7c5 *"] {
        assert_eq!(encode(&[moves]), sicilian, "{moves}");
    }
    assert_eq!(encode(&["1.", "e4", "c5"]), sicilian);
    let placement = START.split(' ').next().unwrap();
    assert_eq!(encode(&[placement]), encode(&[&format!("{placement} w - - 0 1")]));
    assert_eq!(encode(&[&format!("{placement} w KQkq -")]), encode(&[START]));
    for ply in ["0", "12w", "15b", "-1"] {
        let fen = bench.ok(&["show", "3", "--ply", ply, "--format", "fen"]);
        let place = format!("3:{ply}");
        assert_eq!(encode(&[&place]), encode(&[fen.trim()]), "{ply}");
        assert_eq!(encode(&[&place, "-a", "plybook.db"]), encode(&[&place]));
    }
}

#[test]
fn errors_are_one_line() {
    let bench = Bench::with_games();
    for (arguments, hint) in [
        (&["position", "encode", "--codec", "zip", START][..], "use one of fen, cfen"),
        (&["position", "encode", "--codec", "yoder", "8/8/8/8/8/8/8/8 w - -"], "yoder cannot store"),
        (&["position", "encode", "--codec", "yoder", "9/8/8/8/8/8/8/8 w - -"], "invalid FEN"),
        (&["position", "encode", "--codec", "yoder", "1. e4 e4"], "ply 2"),
        (&["position", "encode", "--codec", "yoder", ""], "the position is missing"),
        (&["position", "encode", "--codec", "yoder", "99:1"], "games 1 to 62"),
        (&["position", "encode", "--codec", "yoder", "3:9999"], "no ply 9999"),
        (&["position", "encode", "--codec", "yoder", "3:x"], "\"x\" is not a valid ply"),
        (&["position", "encode", "--codec", "yoder", "3:1", "-a", "none.db"], "none.db"),
        (&["position", "decode", "--codec", "yoder", "xyz"], "hexadecimal"),
        (&["position", "decode", "--codec", "yoder", "00"], "ends before"),
        (&["position", "decode", "--codec", "yoder", "--format", "bits", "012"], "0 and 1"),
        (&["position", "decode", "--codec", "yoder", "--format", "int", "-"], ""),
        (&["game", "encode", "--codec", "zip"], "use one of index,"),
        (&["game", "encode", "99"], "games 1 to 62"),
        (&["game", "prefix", "3", "--ply", "9999"], "no ply 9999"),
        (&["game", "decode", "--fen", "x"], "invalid FEN"),
        (&["game", "decode", "--variant", "bughouse"], "bughouse"),
    ] {
        if hint.is_empty() {
            assert_eq!(bench.run(arguments).status.code(), Some(0)); // no line, nothing to do
            continue;
        }
        let line = bench.refused(arguments);
        assert!(line.contains(hint), "{arguments:?}: {line}");
    }
    let kingless = bench.json(&["position", "compare", "--format", "json", "8/8/8/8/8/8/8/8 w - -"]);
    let last = kingless.as_array().unwrap().last().unwrap();
    assert_eq!((&last["bits"], &last["hex"]), (&Value::Null, &Value::Null));
    assert!(last["reason"].as_str().unwrap().contains("cannot store"));
    assert!(bench.ok(&["position", "compare", "8/8/8/8/8/8/8/8 w - -"]).contains("cannot store"));
}

#[test]
fn games_come_back_from_every_codec_in_every_form() {
    let bench = Bench::with_games();
    let pgn = bench.ok(&["export", "--id", "1..10"]);
    let moves = |text: &str| {
        let games = simple_games(text).into_iter();
        games.map(|(_, moves)| moves[..moves.len() - 1].to_vec()).collect::<Vec<_>>()
    };
    for &codec in GAME_CODECS {
        for format in ["int", "hex", "base64url"] {
            let options = ["--codec", codec.name, "--format", format];
            let encode = [&["game", "encode"], &options[..]].concat();
            let codes = text(&bench.feed(&encode, pgn.as_bytes()).stdout);
            assert_eq!(codes.lines().count(), 10);
            assert_eq!(codes.lines().nth(4), bench.ok(&[&encode[..], &["5"]].concat()).lines().next());
            let decode = [&["game", "decode"], &options[..]].concat();
            let output = bench.feed(&decode, codes.as_bytes());
            assert_eq!(text(&output.stderr), "");
            assert_eq!(moves(&text(&output.stdout)), moves(&pgn), "{options:?}");
        }
    }
}

#[test]
fn index_bare_has_its_number_of_plies_next_to_it() {
    let bench = Bench::new();
    let bare = ["--codec", "index-bare"];
    let encoded = bench.feed(&[&["game", "encode"], &bare[..]].concat(), b"1. e4 e5 2. Nf3 f6 *");
    assert_eq!(text(&encoded.stdout), "225833 4\n");
    let decode = [&["game", "decode"], &bare[..]].concat();
    for (input, options) in [("225833 4", &[][..]), ("225833", &["--plies", "4"])] {
        let pgn = bench.feed(&[&decode[..], options].concat(), input.as_bytes());
        assert!(text(&pgn.stdout).contains("1. e4 e5 2. Nf3 f6 *"), "{input}");
    }
    let unknown = bench.feed(&decode, b"225833\n");
    assert_eq!(unknown.status.code(), Some(1));
    assert!(text(&unknown.stderr).contains("line 1: the number of plies is missing"));
}

#[test]
fn games_from_other_start_positions_come_back() {
    let bench = Bench::new();
    bench.import(&[data("chess960.pgn").to_str().unwrap()]);
    let game = bench.json(&["show", "1", "--format", "json"]);
    let fen = game["tags"]["FEN"].as_str().unwrap();
    for &codec in GAME_CODECS {
        let options = ["--codec", codec.name];
        let code = bench.ok(&[&["game", "encode", "1"], &options[..]].concat());
        let decode = [&["game", "decode", "--variant", "Chess960", "--fen", fen], &options[..]].concat();
        let pgn = text(&bench.feed(&decode, code.as_bytes()).stdout);
        std::fs::write(bench.path("back.pgn"), pgn).unwrap();
        bench.import(&["back.pgn", "-a", &format!("{}.db", options[1])]);
        let back = bench.json(&["show", "1", "-a", &format!("{}.db", options[1]), "--format", "json"]);
        assert_eq!((&back["san"], &back["tags"]["FEN"]), (&game["san"], &game["tags"]["FEN"]));
    }
}

#[test]
fn games_are_compared() {
    let bench = Bench::with_games();
    let list = bench.json(&["game", "compare", "5", "--format", "json"]);
    let game = bench.json(&["show", "5", "--format", "json"]);
    let bits = |name: &str| {
        let row = list.as_array().unwrap().iter().find(|row| row["codec"] == name).unwrap();
        row["bits"].as_u64().unwrap()
    };
    assert_eq!(bits("index"), game["bits"].as_u64().unwrap());
    assert_eq!(bits("byte"), 8 * (game["plies"].as_u64().unwrap() + 1));
    assert!(bits("index-bare") < bits("index") && bits("coords") < bits("san"));
    let table = bench.feed(&["game", "compare"], b"1. e4 e5 2. Nf3 f6 *\n");
    assert!(text(&table.stdout).starts_with("4 plies, *\n"), "{}", text(&table.stdout));
}

#[test]
fn statistics_of_all_codecs_are_those_of_each_alone() {
    let bench = Bench::with_games();
    for filter in [&[][..], &["--result", "1-0"], &["--variant", "xelto"]] {
        let stats = |codec: &str| {
            let output = bench.run(&[&["stats", "--format", "json", "--codec", codec], filter].concat());
            serde_json::from_slice::<Value>(&output.stdout).unwrap()
        };
        let all = stats("all");
        // The first is measured as stored, without a replay.
        for row in all.as_array().unwrap() {
            let alone = stats(row["codec"].as_str().unwrap());
            for (name, value) in row.as_object().unwrap() {
                assert_eq!(value, &alone[name], "{filter:?} {name} of {row}");
            }
        }
    }
}

#[test]
fn several_codecs_are_compared() {
    let bench = Bench::with_games();
    let all = bench.json(&["stats", "--codec", "all", "--format", "json"]);
    let some = bench.json(&["stats", "--codec", "san,index", "--format", "json"]);
    let row = |name: &str| all.as_array().unwrap().iter().find(|row| row["codec"] == name).unwrap();
    assert_eq!(some, serde_json::json!([row("san"), row("index")]));
    let error = bench.refused(&["stats", "--codec", "san,zip"]);
    assert!(error.contains("zip") && error.contains("index"), "{error}");
    assert!(bench.refused(&["stats", "--codec", "san,index", "--format", "svg"]).contains("one codec"));
}

#[test]
fn a_prefix_is_a_position_with_its_history() {
    let bench = Bench::with_games();
    let number = bench.ok(&["game", "prefix", "3", "--ply", "12w"]);
    let pgn = text(&bench.feed(&["game", "decode"], number.as_bytes()).stdout);
    let shown = bench.ok(&["show", "3", "--ply", "12w", "--format", "san"]);
    let (_, mut moves) = simple_games(&pgn).remove(0);
    assert_eq!(moves.pop().unwrap(), "*");
    assert_eq!(moves, shown.split_whitespace().collect::<Vec<_>>());
    let whole = bench.ok(&["game", "prefix", "3", "--ply", "-1"]);
    assert_eq!(whole, bench.ok(&["game", "encode", "3"]));
}

#[test]
fn all_codecs_are_listed() {
    let bench = Bench::new();
    let list = bench.json(&["codecs", "--format", "json"]);
    let listed: Vec<&str> =
        list.as_array().unwrap().iter().map(|row| row["codec"].as_str().unwrap()).collect();
    let games = GAME_CODECS.iter().map(|codec| codec.name);
    assert_eq!(listed, games.chain(names()).collect::<Vec<_>>());
    assert_eq!(bench.ok(&["codecs", "--format", "csv"]).lines().count(), 1 + listed.len());
    let table = bench.ok(&["codecs"]);
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/encodings.md");
    assert!(std::fs::read_to_string(page).unwrap().contains(&table), "{page} lacks\n{table}");
}

/// The bits of every position of an archive, by codec: ply and bits.
fn slow_twin(path: &std::path::Path) -> Vec<Vec<(usize, u64)>> {
    let mut bits = vec![Vec::new(); POSITION_CODECS.len()];
    let archive = Archive::open(path).unwrap();
    let each = |game: Result<plybook::record::StoredGame, _>| {
        let line = game.unwrap().line().unwrap();
        let mut position = line.start;
        for ply in 0..=line.moves.len() {
            let setup = position.to_setup(EnPassantMode::Always);
            for (bits, codec) in bits.iter_mut().zip(POSITION_CODECS) {
                bits.push((ply, codec.encode(&setup).unwrap().len() as u64));
            }
            if let Some(&m) = line.moves.get(ply) {
                position.play_unchecked(m);
            }
        }
        true
    };
    assert!(archive.games(&Filter::default()).all(each));
    bits
}

/// Positions, average in millionths (JSON may lose the last digit), median, largest.
fn figures(mut bits: Vec<u64>) -> [u64; 4] {
    bits.sort_unstable();
    let average = bits.iter().sum::<u64>() as f64 / bits.len() as f64;
    [bits.len() as u64, (average * 1e6).round() as u64, bits[(bits.len() - 1) / 2], bits[bits.len() - 1]]
}

fn figures_of(row: &Value) -> [u64; 4] {
    let number = |name: &str| row[name].as_u64().unwrap();
    let average = (row["average"].as_f64().unwrap() * 1e6).round() as u64;
    [number("positions"), average, number("median"), number("largest")]
}

#[test]
fn positions_of_an_archive_cost_the_same_as_in_an_independent_count() {
    let bench = Bench::with_games();
    let stats = bench.json(&["stats", "--positions", "--format", "json"]);
    assert_eq!(stats["games"], 62);
    let twin = slow_twin(&bench.path("plybook.db"));
    assert_eq!(stats["positions"], twin[0].len());
    for ((row, bits), name) in stats["codecs"].as_array().unwrap().iter().zip(&twin).zip(names()) {
        assert_eq!((&row["codec"], &row["left_out"]), (&name.into(), &0.into()));
        assert_eq!(figures_of(row), figures(bits.iter().map(|&(_, bits)| bits).collect()), "{name}");
        let by_ply = row["by_ply"].as_array().unwrap();
        assert_eq!(by_ply.len(), bits.iter().map(|&(ply, _)| ply).max().unwrap() + 1);
        for (ply, row) in by_ply.iter().enumerate() {
            let at_ply = bits.iter().filter(|&&(other, _)| other == ply).map(|&(_, bits)| bits);
            assert_eq!((&row["ply"], figures_of(row)), (&ply.into(), figures(at_ply.collect())));
        }
    }
    assert!(bench.ok(&["stats", "--positions"]).contains("average by ply"));
    let csv = bench.ok(&["stats", "--positions", "--format", "csv"]);
    assert!(csv.starts_with("codec,ply,positions,average,median,largest\nfen,all,"), "{csv}");
    let svg = bench.ok(&["stats", "--positions", "--format", "svg"]);
    assert_eq!(svg.matches("<polyline").count(), 15);
}

#[test]
fn samples_and_filters_select_the_games() {
    let bench = Bench::with_games();
    let json =
        |arguments: &[&str]| bench.json(&[&["stats", "--positions", "--format", "json"], arguments].concat());
    assert_eq!(json(&["--sample", "1000"]), json(&[]));
    let sample = json(&["--sample", "10"]);
    assert_eq!((&sample["games"], &sample), (&10.into(), &json(&["--sample", "10"])));
    let one = json(&["--id", "5"]);
    let plies = bench.json(&["show", "5", "--format", "json"])["plies"].as_u64().unwrap();
    assert_eq!((&one["games"], &one["positions"]), (&1.into(), &(plies + 1).into()));
    assert_eq!(bench.run(&["stats", "--positions", "--player", "nobody"]).status.code(), Some(1));
}

#[test]
fn a_huffman_table_is_trained_on_the_pieces_of_an_archive() {
    let bench = Bench::with_games();
    let json =
        |arguments: &[&str]| bench.json(&[&["position", "huffman", "--format", "json"], arguments].concat());
    let untrained = json(&[]);
    assert_eq!((&untrained["source_bits"], &untrained["trained_bits"]), (&164.0.into(), &164.0.into()));
    let trained = json(&["--train"]);
    let stats = bench.json(&["stats", "--positions", "--format", "json"]);
    let huffman = stats["codecs"].as_array().unwrap().iter().find(|row| row["codec"] == "huffman").unwrap();
    assert_eq!((&trained["positions"], &trained["source_bits"]), (&stats["positions"], &huffman["average"]));
    // Over complete games the code lengths of the source are hard to beat; with few pieces left they are not.
    assert!(trained["trained_bits"].as_f64() <= trained["source_bits"].as_f64());
    // Every square of every position was counted.
    let counted: u64 =
        trained["table"].as_array().unwrap().iter().map(|row| row["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, 64 * stats["positions"].as_u64().unwrap());
    let sample = json(&["--train", "--sample", "5"]);
    assert!(sample["positions"].as_u64() < trained["positions"].as_u64());
    assert!(bench.ok(&["position", "huffman", "--train"]).contains("% less"));
}
