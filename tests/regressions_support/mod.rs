//! What is tried with arbitrary bytes, by the fuzz targets and by the tests that replay their finds. Each panics
//! if a promise is broken.
#![allow(dead_code, unused_imports, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod collection;
mod segment;

use std::path::{Path, PathBuf};

use collection::{Collection, with_collection};
use plybook::{
    archive::{Archive, Filter, NameKind, Summary, salvage},
    chess::{Variant, move_list},
    codec::{annotation, game::GAME_CODECS, position::POSITION_CODECS},
    conditions::FilterText,
    import::{Options, Report, import_paths},
    name_pattern,
    name_start::NameStart,
    player_name::{PlayerPattern, same_player},
    query::Context,
    scid::Format,
};
pub use segment::index;

/// A PGN text: every game has a verdict, and what is stored comes back.
pub fn pgn(bytes: &[u8]) {
    import_as("games.pgn", bytes);
}

/// A source of any kind, as its first byte says: PGN, Xelto, what its beginning shows, or an archive of which bytes from
/// an offset on are replaced.
pub fn source(bytes: &[u8]) {
    let Some((&kind, bytes)) = bytes.split_first() else { return };
    match kind % 4 {
        0 => import_as("games.pgn", bytes),
        1 => import_as("games.xelto", bytes),
        2 => import_as("games", bytes),
        _ => import_as("games.db", &damaged_archive(bytes)),
    }
}

/// An archive, with bytes replaced from an offset (24 bits) on.
fn damaged_archive(bytes: &[u8]) -> Vec<u8> {
    let mut archive = include_bytes!("../../data/archives/v5.db").to_vec();
    if let Some((&[low, middle, high], damage)) = bytes.split_first_chunk::<3>() {
        let offset = u32::from_le_bytes([low, middle, high, 0]) as usize % archive.len();
        archive.iter_mut().skip(offset).zip(damage).for_each(|(byte, damage)| *byte = *damage);
    }
    archive
}

/// Imports a file with this name: every game has a verdict, what is stored comes back, and a second import adds nothing.
fn import_as(name: &str, bytes: &[u8]) {
    let folder = tempfile::tempdir().unwrap();
    let (source, path) = (folder.path().join(name), folder.path().join("new.db"));
    std::fs::write(&source, bytes).unwrap();
    // Something that is not a source of games is an error in one line.
    let Some(report) = import(&source, &path) else { return };
    if report.stored > 0 {
        let verdict = Archive::open(&path).unwrap().maintenance().verify(|_| ()).unwrap();
        assert_eq!((verdict.faults, verdict.games), (0, report.stored), "{:?}", verdict.first);
    }
    assert_eq!(import(&source, &path).map(|again| again.stored), Some(0));
}

fn import(source: &Path, archive: &Path) -> Option<Report> {
    let options = Options { threads: 1, ..Options::default() };
    let report = import_paths(archive, &[source.to_owned()], &options).ok()?;
    assert_eq!(report.seen, report.stored + report.duplicate + report.rejected);
    Some(report)
}

/// Conditions, one a line: the name, a space, and the value. The index finds the same games as a replay of all.
pub fn conditions(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let conditions = text.lines().take(4).map(|line| line.split_once(' ').unwrap_or((line, "")));
    let Ok(text) = FilterText::of(conditions) else { return };
    let found = |Collection { archive, .. }: &Collection, context: Context<'_>| {
        let filter = text.filter(context).map_err(|error| error.to_string())?;
        let games = archive.list::<Summary>(&filter).map(|game| game.map(|game| game.id));
        games.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())
    };
    with_collection(|collection| {
        let context = Context::new(&collection.archive);
        let indexed = found(collection, context.with_index(collection.index.as_ref()));
        assert_eq!(indexed, found(collection, context), "{text:?}");
    });
}

/// A name, and in the next line a pattern. An archive finds the players whose names match, and a quoted name itself.
pub fn names(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (name, pattern) = text.split_once('\n').unwrap_or((&text, &text));
    let player = PlayerPattern::new(pattern);
    assert!(!(player.fits(name) && player.is_similar_to(name)));
    let _ = (name_pattern::matches(name, pattern), NameStart::new(pattern).fit(name));
    if !name.contains('"') {
        let quoted = format!("\"{name}\"");
        assert!(name_pattern::matches(name, &quoted) && same_player(name, &quoted));
    }
    with_collection(|Collection { archive, .. }| {
        let players = archive.names().players("*").unwrap().into_iter();
        let name_of = |id: &i64| archive.names().of(NameKind::Player, *id).unwrap().unwrap();
        let matching: Vec<i64> = players.filter(|id| player.fits(&name_of(id))).collect();
        assert_eq!(archive.names().players(pattern).unwrap(), matching, "{pattern:?}");
        archive.names().completions(NameKind::Player, pattern, 10).unwrap();
        archive.names().near(NameKind::Player, pattern, 10).unwrap();
    });
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

/// A database of Scid: its version, the sizes of index and names, then the three files.
pub fn scid(bytes: &[u8]) {
    let [version, i1, i2, n1, n2, rest @ ..] = bytes else { return };
    let format = if version % 2 == 0 { Format::Scid4 } else { Format::Scid5 };
    let cut = |bytes: &[u8], size: [u8; 2]| bytes.len().min(usize::from(u16::from_be_bytes(size)));
    let (index, rest) = rest.split_at(cut(rest, [*i1, *i2]));
    let (names, games) = rest.split_at(cut(rest, [*n1, *n2]));
    let folder = tempfile::tempdir().unwrap();
    let files = format.extensions().map(|extension| folder.path().join(format!("base.{extension}")));
    for (file, bytes) in files.iter().zip([index, names, games]) {
        std::fs::write(file, bytes).unwrap();
    }
    let [index, ..] = files;
    let path = folder.path().join("games.db");
    import_database(&path, index);
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
    import_database(&path, source);
}

/// Imports a database. Its games do not crash, and have a verdict each.
fn import_database(path: &Path, source: PathBuf) {
    let Ok(report) = import_paths(path, &[source], &Options { threads: 1, ..Options::default() }) else {
        return;
    };
    assert_eq!(report.seen, report.stored + report.duplicate + report.rejected);
    assert_eq!(report.rejects.iter().filter(|reject| reject.reason.contains("crashed")).count(), 0);
    if report.stored > 0 {
        let verdict = Archive::open(path).unwrap().maintenance().verify(|_| ()).unwrap();
        assert_eq!((verdict.faults, verdict.games), (0, report.stored), "{:?}", verdict.first);
    }
}
