//! What is tried with arbitrary bytes, by the fuzz targets and by the tests that replay their finds. Each panics
//! if a promise is broken.
#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use plybook::{
    archive::{Archive, Filter, Summary, salvage},
    chess::{Variant, move_list},
    codec::{annotation, game::GAME_CODECS, position::POSITION_CODECS},
    import::{Options, import_paths},
};

/// A PGN text: every game has a verdict, and what is stored comes back.
pub fn pgn(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let (source, path) = (folder.path().join("games.pgn"), folder.path().join("games.db"));
    std::fs::write(&source, bytes).unwrap();
    let options = Options { threads: 1, ..Options::default() };
    // Something that is no PGN is an error in one line.
    let Ok(report) = import_paths(&path, &[source], &options) else { return };
    assert_eq!(report.seen, report.stored + report.duplicate + report.rejected);
    if report.stored > 0 {
        let verdict = Archive::open(&path).unwrap().maintenance().verify(|_| ()).unwrap();
        assert_eq!((verdict.faults, verdict.games), (0, report.stored), "{:?}", verdict.first);
    }
}

/// A blob, for every codec of games; its first byte picks a variant. What decodes is encoded to the same bytes.
pub fn codec(bytes: &[u8]) {
    let Some((&first, blob)) = bytes.split_first() else { return };
    let variant = Variant::from_id(first % 9).unwrap_or(Variant::Standard);
    let start = variant.start();
    for &codec in GAME_CODECS {
        for plies in [None, Some(usize::from(first))] {
            let Ok(line) = codec.decode(&start, blob, plies) else { continue };
            let code = codec.encode(&line).expect("what was decoded can be encoded");
            let again = codec.decode(&start, code.bits.bytes(), code.plies);
            assert_eq!(again.as_ref(), Ok(&line), "{}", codec.name);
        }
    }
}

/// A blob, for every codec of positions and for the annotations of a short game. What decodes is encoded, and
/// decoded again to the same.
pub fn position(bytes: &[u8]) {
    for codec in POSITION_CODECS {
        let Ok(setup) = codec.decode(bytes) else { continue };
        let code = codec.encode(&setup).expect("what was decoded can be encoded");
        assert_eq!(codec.decode(code.bytes()), Ok(setup), "{}", codec.name);
    }
    let (start, moves) = move_list("1. e4 e5 2. Nf3 Nc6 3. Bb5").unwrap();
    if let Ok(annotations) = annotation::decode(bytes, &start, &moves) {
        let code = annotation::encode(&annotations, &start, &moves).expect("what was decoded can be encoded");
        assert_eq!(annotation::decode(&code, &start, &moves), Ok(annotations));
    }
}

/// A database file: read as far as it goes, never written.
pub fn archive(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    std::fs::write(&path, bytes).unwrap();
    if let Ok(archive) = Archive::open(&path) {
        for game in archive.games(&Filter::default()).flatten() {
            let _ = game.line();
        }
        let _ = archive.list::<Summary>(&Filter::default()).count();
        let _ = archive.maintenance().verify(|_| ());
        let _ = archive.maintenance().sizes();
    }
    let _ = salvage(&path, &folder.path().join("new.db"), |_| ());
    assert!(std::fs::read(&path).unwrap() == bytes, "reading has changed the file");
}

/// A database of ChessBase: the files of these extensions, each after its length in two bytes; or an archive of them.
pub fn chessbase(bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let (mut rest, mut source) = (bytes, folder.path().join("base.cbh"));
    if plybook::chessbase::is_cbv(bytes) {
        source.set_extension("cbv");
        std::fs::write(&source, bytes).unwrap();
    } else {
        for extension in ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbl", "cbj", "cbtt"] {
            let Some((length, after)) = rest.split_first_chunk() else { break };
            let length = usize::from(u16::from_be_bytes(*length)).min(after.len());
            let (file, after) = after.split_at(length);
            std::fs::write(source.with_extension(extension), file).unwrap();
            rest = after;
        }
    }
    let path = folder.path().join("games.db");
    let Ok(report) = import_paths(&path, &[source], &Options { threads: 1, ..Options::default() }) else {
        return;
    };
    assert_eq!(report.seen, report.stored + report.duplicate + report.rejected);
    assert_eq!(report.rejects.iter().filter(|reject| reject.reason.contains("crashed")).count(), 0);
    if report.stored > 0 {
        let verdict = Archive::open(&path).unwrap().maintenance().verify(|_| ()).unwrap();
        assert_eq!((verdict.faults, verdict.games), (0, report.stored), "{:?}", verdict.first);
    }
}
