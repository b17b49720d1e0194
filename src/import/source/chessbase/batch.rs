//! Decodes the games of a batch, on any core.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{
    chessbase::{Damage, DecodeOptions, DecodedGame, RawRecord, RecordKind, Remark},
    import::{Games, Note, games::GamePlace, source::kind::DELETED_GAMES},
    pgn::{Location, ReadOptions, RejectReason},
};

/// Most games in a batch, and the bytes after which a batch is full.
const BATCH: usize = 512;
const BATCH_BYTES: usize = 256 << 10;

const TEXTS: Note = Note { key: "guiding_texts", text: "texts among the games, which are not stored" };
const FORFEITS: Note = Note { key: "forfeits", text: "games won or lost by forfeit" };
const UNKNOWN_RESULTS: Note =
    Note { key: "unknown_results", text: "games with an unknown result code, stored without a result" };
const NO_ANNOTATIONS: Note =
    Note { key: "missing_annotations", text: "games whose annotations are in a .cba file that is missing" };
const NO_NAMES: Note = Note {
    key: "missing_names",
    text: "games without some names, because a file of names (.cbp, .cbt, .cbc …) is missing",
};
const UNWRITTEN_TEXTS: Note = Note {
    key: "unwritten_texts",
    text: "texts among the games that --texts could not write: damaged, or the file exists (see --force)",
};
const UNKNOWN_CODES: Note =
    Note { key: "unknown_move_codes", text: "games with bytes among the moves that have no known meaning" };
const CASTLING_RIGHTS: Note = Note {
    key: "castling_rights",
    text: "games that castle without the right to, which was added to the start position",
};

/// The notes on code pages.
const CODE_PAGES: [(&str, Note); 5] = [
    ("windows-1252", Note { key: "windows_1252", text: "games with text read as Windows-1252" }),
    ("windows-1251", Note { key: "windows_1251", text: "games with text read as Windows-1251 (Cyrillic)" }),
    ("windows-1250", Note { key: "windows_1250", text: "games with text read as Windows-1250" }),
    ("windows-1253", Note { key: "windows_1253", text: "games with text read as Windows-1253 (Greek)" }),
    ("KOI8-U", Note { key: "koi8_u", text: "games with text read as KOI8-U (Cyrillic)" }),
];
const OTHER_CODE_PAGE: Note =
    Note { key: "other_code_page", text: "games with text read in another encoding than UTF-8" };

/// The notes on types of annotations without a form in PGN.
const UNKNOWN: [(u8, Note); 10] = [
    (0x10, Note { key: "cba_10_sound", text: "games with sounds, not stored" }),
    (0x11, Note { key: "cba_11_picture", text: "games with pictures, not stored" }),
    (0x14, Note { key: "cba_14_pawn_structure", text: "games with marked pawn structures, not stored" }),
    (0x15, Note { key: "cba_15_piece_path", text: "games with marked piece paths, not stored" }),
    (0x18, Note { key: "cba_18_critical", text: "games with marked critical positions, not stored" }),
    (0x1c, Note { key: "cba_1c_link", text: "games with links to web pages, not stored" }),
    (0x20, Note { key: "cba_20_video", text: "games with videos, not stored" }),
    (0x22, Note { key: "cba_22_medals", text: "games with medals of moves, not stored" }),
    (0x23, Note { key: "cba_23_colours", text: "games with coloured variations, not stored" }),
    (0x25, Note { key: "cba_25_video_time", text: "games with times in a video, not stored" }),
];
const OTHER_UNKNOWN: Note =
    Note { key: "cba_other", text: "games with annotations that have no known form, not stored" };

/// How the games of a database are decoded.
#[derive(Clone, Copy)]
pub(super) struct Decoding {
    pub reading: ReadOptions,
    pub keeps_deleted: bool,
    pub decode: DecodeOptions,
}

/// Consecutive records.
#[derive(Default)]
pub(super) struct GameBatch {
    pub records: Vec<RawRecord>,
    /// The numbers of texts that could not be written.
    pub unwritten: Vec<u32>,
    /// Bytes of memory of all records, and of the largest one; and the most plies that they can have.
    pub bytes: usize,
    pub largest: usize,
    pub plies: usize,
}

impl GameBatch {
    pub(super) fn push(&mut self, record: RawRecord) {
        let bytes = record.memory();
        self.bytes += bytes;
        self.largest = self.largest.max(bytes);
        self.plies += record.move_bytes();
        self.records.push(record);
    }

    pub(super) fn is_full(&self) -> bool {
        self.records.len() >= BATCH || self.bytes >= BATCH_BYTES
    }
}

impl Decoding {
    /// Adds all records.
    pub(super) fn add_all(&self, batch: &GameBatch, games: &mut Games<'_>) {
        for record in &batch.records {
            let is_unwritten = batch.unwritten.contains(&record.number);
            self.add(record, if is_unwritten { UNWRITTEN_TEXTS } else { TEXTS }, games);
        }
    }

    /// Adds a record. A panic rejects the game in which it happened.
    fn add(&self, record: &RawRecord, if_text: Note, games: &mut Games<'_>) {
        let location = Location {
            game: u64::from(record.number),
            byte: record.byte(),
            file: "cbg",
            ..Location::default()
        };
        match record.kind() {
            RecordKind::Empty => return,
            _ if record.is_text() => return games.omit(if_text, location),
            RecordKind::Deleted if !self.keeps_deleted => return games.omit(DELETED_GAMES, location),
            _ => {}
        }
        // The bytes of a rejected game are no text that could be kept with it.
        let place = GamePlace { location, text: &[] };
        let before = games.len();
        if catch_unwind(AssertUnwindSafe(|| self.add_game(record, place, games))).is_err() {
            games.truncate(before);
            games.reject(place, location, RejectReason::Panic);
        }
    }

    fn add_game(&self, record: &RawRecord, place: GamePlace<'_>, games: &mut Games<'_>) {
        let decoded = record.decode(self.decode, &mut &mut *games);
        let DecodedGame { game, remarks } = match decoded {
            Ok(decoded) => decoded,
            Err(Damage { file, byte, reason }) => {
                return games.reject(place, Location { byte, file, ..place.location }, reason);
            }
        };
        match self.reading.judge(game) {
            Ok(game) => {
                games.chess(place, game, |_| place.location);
                let is_kept =
                    |remark: &Remark| self.decode.keeps_unknown && matches!(remark, Remark::Unknown(_));
                let remarks = remarks.into_iter().filter(|remark| !is_kept(remark));
                remarks.for_each(|remark| games.note(self.note(remark)));
            }
            Err(reject) => games.reject(place, place.location, reject.reason),
        }
    }

    fn note(&self, remark: Remark) -> Note {
        match remark {
            Remark::Forfeit => FORFEITS,
            Remark::UnknownResult => UNKNOWN_RESULTS,
            Remark::NoAnnotations => NO_ANNOTATIONS,
            Remark::NoNames => NO_NAMES,
            Remark::UnknownCodes => UNKNOWN_CODES,
            Remark::CastlingRight => CASTLING_RIGHTS,
            Remark::CodePage => {
                let page = self.decode.encoding.page.to_string();
                let known = CODE_PAGES.into_iter().find(|(name, _)| *name == page);
                known.map_or(OTHER_CODE_PAGE, |(_, note)| note)
            }
            Remark::Unknown(kind) => {
                let known = UNKNOWN.into_iter().find(|(number, _)| *number == kind);
                known.map_or(OTHER_UNKNOWN, |(_, note)| note)
            }
        }
    }
}
