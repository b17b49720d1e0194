//! The kinds of sources of games, and how the kind of a source is detected.

mod archive;
mod chessbase;
mod kind;
mod locator;
mod pgn;
mod records;
mod scid;
mod siblings;
mod stamp;
mod text;
mod unpacked;
mod xelto;

use std::{collections::HashSet, path::PathBuf};

use crate::{
    import::{
        readers::Readers,
        sink::{End, Flow, Sink},
    },
    pgn::ReadOptions,
    sources::{OpenSource, Source, SourceError, find_sources},
};
pub(super) use kind::FoundSource;
use kind::GameSource;

/// Every kind. A source may look like several; the last one counts. What no kind recognizes is read as PGN.
const SOURCES: &[&dyn GameSource] = &[
    &pgn::Pgn,
    &xelto::XeltoRecords,
    &archive::PlybookArchive,
    &scid::ScidBase,
    &chessbase::ChessBase,
    #[cfg(test)]
    &tests::Cards,
];

/// The sources that paths name. Directories are searched for all kinds, or only for those whose games can be read
/// without importing them.
///
/// # Errors
/// One of the paths does not exist, or a directory has no source.
pub(super) fn find(paths: &[PathBuf], importing: bool) -> Result<Vec<FoundSource>, SourceError> {
    let kinds = SOURCES.iter().filter(|kind| importing || kind.refusal().is_none());
    let endings: Vec<&str> = kinds.flat_map(|kind| kind.endings()).copied().collect();
    let sources = find_sources(paths, &endings)?.into_iter().map(with_owner);
    let mut sources = Vec::from_iter(sources.map(found));
    let siblings: HashSet<PathBuf> = sources.iter().flat_map(|found| found.siblings.clone()).collect();
    // Several files of one source may have been given.
    let mut seen = HashSet::new();
    sources.retain(|found| {
        let is_new = found.siblings.is_empty() || seen.insert(found.path().to_owned());
        is_new && !siblings.contains(found.path())
    });
    Ok(sources)
}

/// The readers of text.
pub(super) fn readers(options: ReadOptions) -> Readers {
    Readers::new(options, SOURCES.iter().filter_map(|kind| kind.as_text()).collect())
}

/// Reads a PGN in memory.
pub(super) fn read_text(text: &mut OpenSource<'_>, sink: &mut dyn Sink) -> Flow<End> {
    text::read_opened(text, &pgn::Pgn, sink)
}

/// Reads a text in memory that is from a source with a name.
pub(super) fn read_text_of(name: &str, text: &mut OpenSource<'_>, sink: &mut dyn Sink) -> Flow<End> {
    let source = Source::File(name.into());
    let format = sink.input().readers.format_of(&source, text.text.beginning());
    text::read_opened(text, format.unwrap_or(&pgn::Pgn), sink)
}

/// Whether a kind of source has a setting with this name.
pub(super) fn has_setting(name: &str) -> bool {
    SOURCES.iter().any(|kind| kind.settings().contains(&name))
}

/// The source that a file belongs to.
fn with_owner(source: Source) -> Source {
    match source {
        Source::File(path) => {
            let owner = SOURCES.iter().find_map(|kind| kind.owner(&path));
            Source::File(owner.unwrap_or(path))
        }
        other => other,
    }
}

/// What kind a source is.
fn found(source: Source) -> FoundSource {
    let beginning = source.beginning();
    let (is_file, is_member) = (matches!(source, Source::File(_)), matches!(source, Source::Member(_)));
    let is_of = |kind: &&&dyn GameSource| {
        let is_named = kind.endings().iter().any(|ending| source.has_ending(ending));
        let can_be = is_file || kind.as_text().is_some() || is_member && !kind.parts().is_empty();
        can_be && (is_named || kind.is_begun(&beginning))
    };
    let kind = SOURCES.iter().rev().find(is_of).copied().unwrap_or(&pgn::Pgn);
    let (siblings, members) = match &source {
        Source::File(path) => (kind.siblings(path), Vec::new()),
        Source::Member(member) => (Vec::new(), member.siblings(kind.parts())),
        _ => Default::default(),
    };
    FoundSource { source, kind, siblings, members }
}

#[cfg(test)]
mod tests {
    //! A kind of source with two files of its own: `.cards` lists records, and `.moves` next to it has their moves.

    use std::{fs, hash::Hasher, ops::ControlFlow, path::Path, sync::Arc, sync::atomic::Ordering};

    use tempfile::TempDir;
    use twox_hash::XxHash3_64;

    use super::*;
    use crate::{
        archive::{Archive, SourceState},
        import::{
            Games, ImportError, Note, Options, Report, ResumeOutcome,
            games::GamePlace,
            import_paths, import_with_progress, read_games,
            sink::{Batch, ResumePoint},
        },
        pgn::{Location, Reader, Reject},
    };

    const DELETED: Note = Note { key: "deleted_cards", text: "deleted cards" };
    const MARKED: Note = Note { key: "marked_cards", text: "games with a mark" };

    #[derive(Debug)]
    pub(super) struct Cards;

    impl GameSource for Cards {
        fn endings(&self) -> &'static [&'static str] {
            &[".cards"]
        }

        fn is_begun(&self, beginning: &[u8]) -> bool {
            beginning.starts_with(b"CARD")
        }

        fn siblings(&self, path: &Path) -> Vec<PathBuf> {
            Vec::from_iter(Some(path.with_extension("moves")).filter(|path| path.exists()))
        }

        fn settings(&self) -> &'static [&'static str] {
            &["deleted-cards"]
        }

        fn read(&self, found: &FoundSource, known: Option<&SourceState>, sink: &mut dyn Sink) -> Flow<End> {
            let [cards, moves] = [Some(found.path()), found.siblings.first().map(PathBuf::as_path)]
                .map(|path| path.and_then(|path| fs::read(path).ok()));
            let (Some(cards), Some(moves)) = (cards, moves) else {
                return Ok(End::failed(0, "the file of its moves is missing".to_owned()));
            };
            // A record: a letter that is D if it is deleted and M if it has a mark, then the offset of its moves.
            let records = Vec::from_iter(cards[4..].chunks_exact(2).map(|record| (record[0], record[1])));
            let bytes_of = |(kind, offset): (u8, u8)| {
                let moves = moves.get(usize::from(offset)..).unwrap_or_default();
                let moves = moves.split(|&byte| byte == 0).next().unwrap_or_default();
                [&[kind, offset], moves].concat()
            };
            let hash_of = |records: &[(u8, u8)]| {
                let mut hash = XxHash3_64::with_seed(0);
                records.iter().for_each(|&record| hash.write(&bytes_of(record)));
                hash.finish()
            };
            let same = known.filter(|known| {
                records.get(..known.bytes as usize).is_some_and(|first| Some(hash_of(first)) == known.hash)
            });
            let outcome = known.map(|_| match same {
                None => ResumeOutcome::Changed,
                Some(known) if known.bytes as usize == records.len() => ResumeOutcome::Unchanged,
                Some(known) if known.ended => ResumeOutcome::Grown,
                Some(_) => ResumeOutcome::Resumed,
            });
            sink.begin(outcome)?;
            let keeps_deleted =
                sink.input().settings.get("deleted-cards").is_some_and(|value| value == "keep");
            let done = same.map_or(0, |known| known.bytes as usize);
            for end in (done + 1..=records.len()).filter(|end| end % 2 == 0 || *end == records.len()) {
                let first = done.max((end - 1) / 2 * 2);
                let batch: Vec<_> =
                    (first + 1..=end).zip(records[first..end].iter().map(|&r| bytes_of(r))).collect();
                sink.input().has_read(batch.len() as u64, records.len() as u64);
                let (byte, hash) = (end as u64, hash_of(&records[..end]));
                pass(batch, ResumePoint { byte, lines: byte, hash }, keeps_deleted, sink)?;
            }
            Ok(End::Whole)
        }
    }

    fn pass(
        batch: Vec<(usize, Vec<u8>)>,
        point: ResumePoint,
        keeps_deleted: bool,
        sink: &mut dyn Sink,
    ) -> Flow {
        sink.batch(Batch {
            bytes: batch.iter().map(|(_, bytes)| bytes.len()).sum(),
            games: batch.len(),
            largest: 0,
            plies: 0,
            position: 0,
            resume_point: Some(point),
            work: Box::new(move |games| {
                batch.iter().for_each(|(number, bytes)| add(*number as u64, bytes, keeps_deleted, games));
            }),
        })
    }

    fn add(game: u64, record: &[u8], keeps_deleted: bool, games: &mut Games<'_>) {
        let [kind, offset, text @ ..] = record else { return };
        let location = Location { game, byte: u64::from(*offset), ..Location::default() };
        if *kind == b'D' && !keeps_deleted {
            return games.omit(DELETED, location);
        }
        let place = GamePlace { location, text };
        match Reader::new().read(text).next() {
            Some((_, Ok(game))) => games.chess(place, game, |_| location),
            Some((_, Err(Reject { reason, at }))) => {
                let at = Location { byte: location.byte + at as u64, ..location };
                return games.reject(place, at, reason);
            }
            None => return,
        }
        if *kind == b'M' {
            games.note(MARKED);
        }
    }

    /// A folder with the two files of some records.
    fn cards(records: &[(char, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        write_cards(&folder, records);
        folder
    }

    fn write_cards(folder: &TempDir, records: &[(char, &str)]) {
        let (mut cards, mut all) = (b"CARD".to_vec(), Vec::new());
        for (kind, moves) in records {
            cards.extend([*kind as u8, all.len() as u8]);
            all.extend([moves.as_bytes(), b"\0"].concat());
        }
        fs::write(folder.path().join("a.cards"), cards).unwrap();
        fs::write(folder.path().join("a.moves"), all).unwrap();
    }

    fn imported(folder: &TempDir, paths: &[&str], options: &Options) -> Result<Report, ImportError> {
        let paths = Vec::from_iter(paths.iter().map(|path| folder.path().join(path)));
        import_paths(&folder.path().join("games.db"), &paths, options)
    }

    const RECORDS: [(char, &str); 6] = [
        ('G', "1. e4 *"),
        ('D', "1. d4 *"),
        ('M', "1. c4 *"),
        ('G', "1. e4 *"),
        ('G', "1. Ke2 *"),
        ('M', "1. f4 *"),
    ];

    fn counts(report: &Report) -> [u64; 5] {
        [report.seen, report.stored, report.duplicate, report.rejected, report.omitted]
    }

    #[test]
    fn records_are_stored_with_their_numbers_notes_and_what_was_left_out() {
        for paths in [&["a.cards"][..], &["."], &["a.cards", "a.moves"], &["a.moves", "a.cards"]] {
            let folder = cards(&RECORDS);
            let rejects = Some(folder.path().join("bad.pgn"));
            let report = imported(&folder, paths, &Options { rejects, ..Options::default() }).unwrap();
            assert_eq!(counts(&report), [5, 3, 1, 1, 1], "{paths:?}");
            assert_eq!(report.source_notes, [(DELETED, 1), (MARKED, 2)].into());
            let listed = |key| Vec::from_iter(report.warnings_of(key).map(|problem| problem.game));
            assert_eq!((listed(DELETED.key), listed(MARKED.key)), (vec![2], vec![3, 6]));
            assert_eq!(report.rejects[0].location(), Location { game: 5, byte: 35, ..Location::default() });
            let bad = fs::read_to_string(folder.path().join("bad.pgn")).unwrap();
            assert!(
                bad.contains("a.cards: game 5, byte 35: 1.Ke2 is not a legal move")
                    && bad.contains("1. Ke2 *"),
                "{bad}"
            );
            let archive = Archive::open(folder.path().join("games.db")).unwrap();
            let numbers = [1, 2, 3].map(|id| archive.origin(id).unwrap().unwrap().number);
            assert_eq!(numbers, [1, 3, 6]);
            let known = archive.known_sources().unwrap().into_values().next().unwrap().state;
            assert_eq!((known.ended, known.bytes, known.counts.seen), (true, 6, 5));
        }
    }

    #[test]
    fn sources_with_records_are_resumed_when_one_of_their_files_changes() {
        let folder = cards(&RECORDS[..4]);
        let import = || {
            let report = imported(&folder, &["a.cards"], &Options::default()).unwrap();
            (report.known_sources.first().map(|known| known.outcome), counts(&report))
        };
        assert_eq!(import(), (None, [3, 2, 1, 0, 1]));
        assert_eq!(import(), (Some(ResumeOutcome::Unchanged), [0; 5]));
        write_cards(&folder, &RECORDS);
        assert_eq!(import(), (Some(ResumeOutcome::Grown), [2, 1, 0, 1, 0]));
        // The list stays the same.
        let moves = folder.path().join("a.moves");
        let changed = fs::read_to_string(&moves).unwrap().replace("c4", "g4");
        fs::write(&moves, changed).unwrap();
        assert_eq!(import(), (Some(ResumeOutcome::Changed), [5, 1, 3, 1, 1]));
        fs::remove_file(&moves).unwrap();
        let report = imported(&folder, &["a.cards"], &Options::default()).unwrap();
        assert_eq!(report.failures[0].reason, "the file of its moves is missing");
    }

    #[test]
    fn an_import_that_was_stopped_resumes_after_the_last_records() {
        let folder = cards(&RECORDS);
        let cancel = Arc::<std::sync::atomic::AtomicBool>::default();
        let options = Options { cancel: Arc::clone(&cancel), ..Options::default() };
        let (path, source) = (folder.path().join("games.db"), folder.path().join("a.cards"));
        let stopped = import_with_progress(&path, std::slice::from_ref(&source), &options, |progress| {
            cancel.store(progress.games >= 3, Ordering::Relaxed);
        });
        let before = stopped.unwrap();
        let after = imported(&folder, &["a.cards"], &Options::default()).unwrap();
        assert_eq!(after.known_sources[0].outcome, ResumeOutcome::Resumed);
        let sums: Vec<u64> =
            counts(&before).iter().zip(counts(&after)).map(|(some, more)| some + more).collect();
        assert!(before.cancelled && sums == [5, 3, 1, 1, 1], "{before:?} {after:?}");
    }

    #[test]
    fn sources_have_settings_of_their_own() {
        let folder = cards(&RECORDS);
        let set = |name: &str| Options {
            settings: [(name.to_owned(), "keep".to_owned())].into(),
            ..Options::default()
        };
        let wrong = imported(&folder, &["a.cards"], &set("deleted-card"));
        assert!(matches!(wrong, Err(ImportError::UnknownSetting(name)) if name == "deleted-card"));
        let report = imported(&folder, &["a.cards"], &set("deleted-cards")).unwrap();
        assert_eq!(counts(&report), [6, 4, 1, 1, 0]);
    }

    #[test]
    fn progress_and_protection_cover_all_files_of_a_source() {
        let folder = cards(&RECORDS);
        let (path, source) = (folder.path().join("games.db"), folder.path().join("a.cards"));
        let mut last = None;
        let sources = std::slice::from_ref(&source);
        import_with_progress(&path, sources, &Options::default(), |progress| last = Some(progress.clone()))
            .unwrap();
        let bytes = ["a.cards", "a.moves"].map(|name| folder.path().join(name).metadata().unwrap().len());
        let last = last.unwrap();
        assert_eq!(last.total_bytes, Some(bytes.iter().sum()));
        assert!(last.bytes > bytes[0] + bytes[1] - 6, "{last:?}");
        let rejects = Some(folder.path().join("a.moves"));
        let refused = imported(&folder, &["a.cards"], &Options { rejects, ..Options::default() });
        assert!(matches!(refused, Err(ImportError::File(_))), "{refused:?}");
    }

    #[test]
    fn games_of_records_are_read_without_importing_them() {
        let folder = cards(&RECORDS);
        let mut games = Vec::new();
        let paths = [folder.path().join("a.cards")];
        let whole = read_games(&paths, ReadOptions::default(), &mut |read| {
            games.push((read.location.game, read.location.byte, read.game.map(|game| game.moves.len()).ok()));
            ControlFlow::Continue(())
        });
        assert!(whole.unwrap());
        let expected = [(1, 0, Some(1)), (3, 16, Some(1)), (4, 24, Some(1)), (5, 35, None), (6, 41, Some(1))];
        assert_eq!(games, expected);
    }

    #[test]
    fn reports_of_other_sources_do_not_mention_what_only_some_have() {
        let report = serde_json::to_value(Report::default()).unwrap();
        assert!(report.get("omitted").is_none() && report.get("source_notes").is_none());
        let folder = cards(&RECORDS);
        let report = imported(&folder, &["a.cards"], &Options::default()).unwrap();
        let report = serde_json::to_value(report).unwrap();
        assert_eq!(report["omitted"], 1);
        assert_eq!(report["source_notes"], serde_json::json!({ "deleted_cards": 1, "marked_cards": 2 }));
    }
}
