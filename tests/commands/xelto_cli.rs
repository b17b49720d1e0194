//! Xelto on the command line: the two records of the project give the expected codes and hashes.

use std::fs;

use crate::common::{Bench, data, text};

/// The expected values of a record: the rest of the line that begins with these words.
fn golden(subject: &str, what: &str) -> Vec<String> {
    let all = fs::read_to_string(data("golden/xelto.tsv")).unwrap();
    let head = format!("{subject}\t{what}\t");
    all.lines().filter_map(|line| line.strip_prefix(&head)).map(str::to_owned).collect()
}

fn encoded(bench: &Bench, codec: &str, record: &str) -> String {
    let record = fs::read(data("xelto").join(format!("{record}.xelto"))).unwrap();
    let output = bench.feed(&["xelto", "encode", "--codec", codec], &record);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).trim_end().to_owned()
}

#[test]
fn records_are_encoded_and_decoded() {
    let bench = Bench::new();
    for record in ["first", "second"] {
        let urls = golden(record, "url");
        let plies = encoded(&bench, "byte", record).split(' ').count();
        let url = urls.iter().find_map(|line| line.strip_prefix(&format!("{plies}\t"))).unwrap();
        assert_eq!(encoded(&bench, "url", record), url);
        let starts = |what: &str, codec: &str| {
            let all = golden(record, what).remove(0);
            let ours = encoded(&bench, codec, record);
            assert!(all == ours || all.starts_with(&format!("{ours} ")), "{what}: {ours}");
        };
        starts("indices", "byte");
        starts("codes", "move14");
        let decoded = |codec: &str| {
            let code = encoded(&bench, codec, record);
            text(&bench.feed(&["xelto", "decode", "--codec", codec], code.as_bytes()).stdout)
        };
        let moves = decoded("url");
        assert_eq!(moves.lines().filter(|line| !line.is_empty()).count(), plies);
        for codec in ["move14", "byte", "index"] {
            assert_eq!(decoded(codec), moves, "{codec}");
        }
    }
}

#[test]
fn every_position_has_its_hash() {
    let bench = Bench::new();
    let record = data("xelto/first.xelto");
    let hashes = text(&bench.feed(&["xelto", "hash"], &fs::read(&record).unwrap()).stdout);
    assert_eq!(hashes.lines().next(), Some("AAAAAuvrokqswnjlmptANFIMHEGLBCKJDY"));
    for line in golden("first", "hash34") {
        let [ply, _, hash] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        if let Some(ours) = hashes.lines().nth(ply.parse().unwrap()) {
            assert_eq!(ours, hash, "ply {ply}");
        }
    }
    assert_eq!(bench.ok(&["xelto", "hash", record.to_str().unwrap()]), hashes);
}

#[test]
fn a_record_is_shown_and_invalid_ones_are_rejected() {
    let bench = Bench::new();
    let record = data("xelto/first.xelto");
    let record = record.to_str().unwrap();
    assert!(bench.ok(&["xelto", "show", record, "--ply", "1"]).contains("ply 1 of"));
    assert!(bench.refused(&["xelto", "show", record, "--ply", "999"]).contains("has no ply 999"));
    assert!(bench.refused(&["xelto", "show", "missing.xelto"]).contains("missing.xelto"));
    fs::write(bench.path("bad.xelto"), "1.b5vio\n2.x9foo\n").unwrap();
    assert!(bench.refused(&["xelto", "show", "bad.xelto"]).contains('2'));
    let output = bench.feed(&["xelto", "decode", "--codec", "url"], b"!!\n");
    assert_eq!(output.status.code(), Some(1));
}
