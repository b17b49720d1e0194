//! The files of a database, and the bytes of one game in all of them.

use std::io;

use plybook_pgn::{Encoding, RejectReason};

use crate::{
    annotations,
    bytes::Bytes,
    file::{BlockFile, Data},
    header::{GameHeader, RECORD, RecordKind, is_header, kind},
    names::NameFile,
    text::{TextEncoding, TextSurvey},
    wide_file::WideFile,
};

/// The largest record of moves, and of annotations that are read.
pub(crate) const MOST_BYTES: u32 = 16 << 20;
/// Where a record of `.cbj` has offsets of eight bytes, and the title.
const LONG_ANNOTATIONS: usize = 12;
const LONG_MOVES: usize = 30;
const TITLE: usize = 116;
/// No name, with three and with four bytes.
const NONE: [u32; 2] = [0xff_ffff, u32::MAX];

/// The files other than the headers, without their dots; the first one is required.
pub const EXTENSIONS: [&str; 10] = ["cbg", "cba", "cbj", "cbp", "cbt", "cbc", "cbs", "cbe", "cbl", "cbtt"];

/// Why a database cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file of the headers is missing or something else.
    #[error("not a ChessBase database: its .cbh file has no valid header")]
    NotDatabase,
    /// The file of the moves is missing.
    #[error("the file with the moves is missing; copy the .cbg file into the same directory")]
    NoMoves,
    /// A file of names is something else.
    #[error("the .{0} file is damaged or belongs to another database: byte 0 does not begin a list of names")]
    NotNames(&'static str),
}

/// An open database.
pub struct Database {
    headers: BlockFile,
    moves: BlockFile,
    annotations: Option<BlockFile>,
    extras: Option<WideFile>,
    end_dates: Option<WideFile>,
    players: Option<NameFile>,
    tournaments: Option<NameFile>,
    annotators: Option<NameFile>,
    sources: Option<NameFile>,
    teams: Option<NameFile>,
    titles: Option<NameFile>,
}

/// Damage of a game, with the file and the byte at which it is.
#[derive(Clone, Debug)]
pub struct Damage {
    /// The extension of the file.
    pub file: &'static str,
    /// The offset in it.
    pub byte: u64,
    /// What is wrong.
    pub reason: RejectReason,
}

/// The data of the names to which a game refers; empty if there is none.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawNames {
    pub white: Vec<u8>,
    pub black: Vec<u8>,
    pub tournament: Vec<u8>,
    pub end_date: Vec<u8>,
    pub annotator: Vec<u8>,
    pub source: Vec<u8>,
    pub white_team: Vec<u8>,
    pub black_team: Vec<u8>,
    pub title: Vec<u8>,
}

/// The bytes of a record in all files.
#[derive(Clone, Debug)]
pub struct RawRecord {
    /// Its number; the first one is 1.
    pub number: u32,
    pub(crate) header: Vec<u8>,
    pub(crate) extra: Vec<u8>,
    pub(crate) names: RawNames,
    pub(crate) moves: Vec<u8>,
    pub(crate) moves_at: u64,
    pub(crate) annotations: Vec<u8>,
    pub(crate) annotations_at: u64,
    pub(crate) damage: Option<Damage>,
    /// Whether it has annotations in a file that is missing.
    pub(crate) lacks_annotations: bool,
    /// Whether names are missing, because their file is.
    pub(crate) lacks_names: bool,
}

impl Database {
    /// Opens a database. `file` returns the file with an extension, if there is one.
    ///
    /// # Errors
    /// A file cannot be read or is something else, or a required one is missing.
    pub fn open(
        mut file: impl FnMut(&str) -> io::Result<Option<Box<dyn Data>>>,
    ) -> Result<Database, OpenError> {
        let mut part = |extension| file(extension)?.map(BlockFile::new).transpose();
        let mut headers = part("cbh")?.ok_or(OpenError::NotDatabase)?;
        if !is_header(&headers.read(0, RECORD)?) {
            return Err(OpenError::NotDatabase);
        }
        let moves = part("cbg")?.ok_or(OpenError::NoMoves)?;
        let annotations = part("cba")?;
        let extras = part("cbj")?.map(WideFile::open).transpose()?;
        let end_dates = part("cbtt")?.map(WideFile::open).transpose()?;
        let mut names = |extension| -> Result<Option<NameFile>, OpenError> {
            let Some(file) = part(extension)? else { return Ok(None) };
            Ok(Some(NameFile::open(file)?.ok_or(OpenError::NotNames(extension))?))
        };
        Ok(Database {
            headers,
            moves,
            annotations,
            extras,
            end_dates,
            players: names("cbp")?,
            tournaments: names("cbt")?,
            annotators: names("cbc")?,
            sources: names("cbs")?,
            teams: names("cbe")?,
            titles: names("cbl")?,
        })
    }

    /// The number of records.
    pub fn records(&self) -> u32 {
        let records = self.headers.length().saturating_sub(RECORD as u64) / RECORD as u64;
        u32::try_from(records).unwrap_or(u32::MAX)
    }

    /// What is wrong with the list of records: it ends too early.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn list_damage(&mut self) -> io::Result<Option<String>> {
        let header = self.headers.read(0, RECORD)?;
        let (counted, records) =
            (Bytes::at(&header, 6).u32().map_or(0, |next| next.saturating_sub(1)), self.records());
        let is_cut = !self.headers.length().is_multiple_of(RECORD as u64) || counted > records;
        let count = counted.max(records + 1);
        Ok(is_cut.then(|| format!("the .cbh file ends within record {} of {count}", records + 1)))
    }

    /// Decides how the texts are decoded, from all of them, unless the user has named the code page of those that are not
    /// UTF-8.
    ///
    /// # Errors
    /// A file cannot be read, or `is_stopped` says that nobody waits any more.
    pub fn encoding(
        &mut self,
        named: Option<Encoding>,
        is_stopped: impl Fn() -> bool,
    ) -> io::Result<TextEncoding> {
        let mut survey = TextSurvey::default();
        let fields = [
            (&mut self.players, &[(0, 30), (30, 20)][..]),
            (&mut self.tournaments, &[(0, 40), (40, 30)]),
            (&mut self.annotators, &[(0, 45)]),
            (&mut self.sources, &[(0, 25), (25, 16)]),
            (&mut self.teams, &[(0, 45)]),
            (&mut self.titles, &[(0, 200), (200, 200)]),
        ];
        for (file, fields) in fields {
            let Some(file) = file else { continue };
            for id in 0..u32::try_from(file.count()).unwrap_or(u32::MAX) {
                let name = file.read(id)?.unwrap_or_default();
                for &(start, length) in fields {
                    survey.name(name.get(start..start + length).unwrap_or_default());
                }
            }
        }
        for number in 1..=self.records() {
            if is_stopped() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let header = self.header(number)?;
            if let (RecordKind::Game, Some(header)) = (kind(&header), GameHeader::read(&header)) {
                let extra = self.extra(number)?;
                let at = self.annotations_at(&header, &extra);
                annotations::survey(&self.read_annotations(at)?.unwrap_or_default(), &mut survey);
            }
        }
        Ok(survey.encoding(named))
    }

    fn header(&mut self, number: u32) -> io::Result<Vec<u8>> {
        self.headers.read(u64::from(number) * RECORD as u64, RECORD)
    }

    fn extra(&mut self, number: u32) -> io::Result<Vec<u8>> {
        let index = u64::from(number.saturating_sub(1));
        self.extras.as_mut().map_or(Ok(Vec::new()), |extras| extras.read(index))
    }

    /// Reads the bytes of a record in all files.
    ///
    /// # Errors
    /// A file cannot be read. If the record itself is damaged, that is part of it.
    pub fn read(&mut self, number: u32) -> io::Result<RawRecord> {
        let (header, extra) = (self.header(number)?, self.extra(number)?);
        let mut record = RawRecord {
            number,
            header,
            extra,
            names: RawNames::default(),
            moves: Vec::new(),
            moves_at: 0,
            annotations: Vec::new(),
            annotations_at: 0,
            damage: None,
            lacks_annotations: false,
            lacks_names: false,
        };
        match (kind(&record.header), GameHeader::read(&record.header)) {
            (RecordKind::Game | RecordKind::Deleted, Some(header)) if !record.is_text() => {
                self.read_game(&header, &mut record)?;
            }
            (RecordKind::Text | RecordKind::Deleted, Some(header)) => {
                self.read_moves(&header, &mut record)?
            }
            _ => {}
        }
        Ok(record)
    }

    fn read_game(&mut self, header: &GameHeader, record: &mut RawRecord) -> io::Result<()> {
        self.read_moves(header, record)?;
        record.annotations_at = self.annotations_at(header, &record.extra);
        match self.read_annotations(record.annotations_at)? {
            Ok(annotations) => record.annotations = annotations,
            Err(damage) => record.damage = record.damage.take().or(Some(damage)),
        }
        record.lacks_annotations = record.annotations_at > 0 && self.annotations.is_none();
        self.read_names(header, record)
    }

    fn read_names(&mut self, header: &GameHeader, record: &mut RawRecord) -> io::Result<()> {
        let mut extra = Bytes(&record.extra);
        let [white_team, black_team] = [extra.u32(), extra.u32()];
        let title = Bytes::at(&record.extra, TITLE).u32();
        // The first title is empty.
        let title = title.filter(|&title| title > 0 || self.titles.is_some());
        let RawRecord { names, damage, lacks_names, .. } = record;
        let mut name = |file: &mut Option<NameFile>, extension, id: Option<u32>| {
            let id = id.filter(|id| !NONE.contains(id));
            *lacks_names |= file.is_none() && id.is_some();
            look_up(file.as_mut(), extension, id, damage)
        };
        names.white = name(&mut self.players, "cbp", Some(header.white))?;
        names.black = name(&mut self.players, "cbp", Some(header.black))?;
        names.tournament = name(&mut self.tournaments, "cbt", Some(header.tournament))?;
        names.annotator = name(&mut self.annotators, "cbc", Some(header.annotator))?;
        names.source = name(&mut self.sources, "cbs", Some(header.source))?;
        names.white_team = name(&mut self.teams, "cbe", white_team)?;
        names.black_team = name(&mut self.teams, "cbe", black_team)?;
        names.title = name(&mut self.titles, "cbl", title)?;
        if let Some(end_dates) = &mut self.end_dates {
            names.end_date = end_dates.read(u64::from(header.tournament))?;
        }
        Ok(())
    }

    fn annotations_at(&self, header: &GameHeader, extra: &[u8]) -> u64 {
        long_offset(header.annotations, self.annotations.as_ref(), Bytes::at(extra, LONG_ANNOTATIONS))
    }

    fn read_moves(&mut self, header: &GameHeader, record: &mut RawRecord) -> io::Result<()> {
        let extra = Bytes::at(&record.extra, LONG_MOVES);
        record.moves_at = long_offset(header.moves, Some(&self.moves), extra);
        let start = self.moves.read(record.moves_at, 4)?;
        let size = Bytes::at(&start, 1).u24();
        match read_sized(&mut self.moves, "cbg", record.moves_at, size)? {
            Ok(moves) => record.moves = moves,
            Err(damage) => record.damage = Some(damage),
        }
        Ok(())
    }

    fn read_annotations(&mut self, at: u64) -> io::Result<Result<Vec<u8>, Damage>> {
        let Some(file) = self.annotations.as_mut().filter(|_| at > 0) else { return Ok(Ok(Vec::new())) };
        let header = file.read(at, annotations::HEADER)?;
        read_sized(file, "cba", at, annotations::stated_size(&header))
    }
}

/// Reads a record that states its own size.
fn read_sized(
    file: &mut BlockFile,
    extension: &'static str,
    byte: u64,
    size: Option<u32>,
) -> io::Result<Result<Vec<u8>, Damage>> {
    let damage =
        |what: String| Ok(Err(Damage { file: extension, byte, reason: RejectReason::BadData(what) }));
    let length = file.length();
    let Some(size) = size else { return damage(format!("the file has only {length} bytes")) };
    if size > MOST_BYTES {
        return damage(format!("the record has {size} bytes, more than {MOST_BYTES}"));
    }
    let bytes = file.read(byte, size as usize)?;
    if bytes.len() < size as usize {
        return damage(format!("the record has {size} bytes, but the file only {length}"));
    }
    Ok(Ok(bytes))
}

/// The offset in a header, or the one of eight bytes that counts where a file is too large for the other.
fn long_offset(short: u32, file: Option<&BlockFile>, mut long: Bytes<'_>) -> u64 {
    let is_large = file.is_some_and(|file| file.length() > u64::from(u32::MAX));
    long.u64().filter(|&offset| is_large && offset > 0).unwrap_or(u64::from(short))
}

/// The data of a name. Its absence from a file that is there is damage.
fn look_up(
    file: Option<&mut NameFile>,
    extension: &'static str,
    id: Option<u32>,
    damage: &mut Option<Damage>,
) -> io::Result<Vec<u8>> {
    let (Some(file), Some(id)) = (file, id) else { return Ok(Vec::new()) };
    let data = file.read(id)?;
    if data.is_none() {
        let count = file.count();
        let reason = RejectReason::BadData(format!("the game has name {id}, but the file only {count}"));
        damage.get_or_insert(Damage { file: extension, byte: file.offset(id), reason });
    }
    Ok(data.unwrap_or_default())
}

impl RawRecord {
    /// What it is.
    pub fn kind(&self) -> RecordKind {
        kind(&self.header)
    }

    /// Whether it is a text, which may be deleted.
    pub fn is_text(&self) -> bool {
        self.header.first().is_some_and(|flags| flags & 2 != 0)
    }

    /// The offset of its moves or its text in the `.cbg` file.
    pub fn byte(&self) -> u64 {
        self.moves_at
    }

    /// Calls a function with each part of it. Equal parts are equal records.
    pub fn for_each_part(&self, mut each: impl FnMut(&[u8])) {
        let RawNames { white, black, tournament, end_date, annotator, source, white_team, black_team, title } =
            &self.names;
        let names = [white, black, tournament, end_date, annotator, source, white_team, black_team, title];
        let parts = [&self.header, &self.extra, &self.moves, &self.annotations].into_iter().chain(names);
        parts.for_each(|part| each(part));
    }

    /// Bytes of its moves: it has at most as many plies.
    pub fn move_bytes(&self) -> usize {
        self.moves.len()
    }

    /// Its bytes in memory.
    pub fn memory(&self) -> usize {
        let mut bytes = size_of::<RawRecord>();
        self.for_each_part(|part| bytes += part.len());
        bytes
    }
}
