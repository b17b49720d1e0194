//! The tags of a game, under the names that ChessBase gives them in PGN.

use plybook_chess::chess::{Tags, Variant};

use crate::{
    bytes::Bytes,
    database::RawRecord,
    header::GameHeader,
    nations::nation,
    text::TextDecoder,
    values::{LINE, date, eco, event_type, result, round},
};

/// The medals of a game, by bits from the lowest on.
const MEDALS: [&str; 16] = [
    "best game",
    "decided tournament",
    "model game",
    "novelty",
    "pawn structure",
    "strategy",
    "tactics",
    "attack",
    "defence",
    "sacrifice",
    "material",
    "piece play",
    "endgame",
    "tactical blunder",
    "strategic blunder",
    "user",
];

/// What the names of those bits are that a tournament has.
const EVENT_FLAGS: [(u8, &str); 3] = [(3, "complete"), (4, "board points"), (8, "three points")];

/// Where a record of `.cbj` has the types of the ratings.
const RATING_TYPES: [usize; 2] = [38, 54];
/// Bytes of a title of a game in one language.
const TITLE: usize = 200;
/// Where a record of `.cbtt` has the last day of a tournament.
const END_DATE: usize = 61;

struct TagWriter<'a> {
    tags: Tags,
    texts: &'a TextDecoder,
}

/// The tags of a game, except those that are stored as annotations.
pub(crate) fn tags(
    record: &RawRecord,
    header: &GameHeader,
    texts: &TextDecoder,
    start: Option<(&str, Variant)>,
) -> Tags {
    let mut writer = TagWriter { tags: Tags::default(), texts };
    writer.roster(record, header);
    writer.add("ECO", eco(header.eco));
    writer.ratings(record, header);
    writer.name("Annotator", &record.names.annotator, 0, 45);
    if let Some((fen, variant)) = start {
        writer.add("Variant", (variant != Variant::Standard).then(|| variant.name().to_owned()));
        writer.add("SetUp", Some("1".to_owned()));
        writer.add("FEN", Some(fen.to_owned()));
    }
    writer.event(record);
    writer.source(&record.names.source);
    writer.team("White", &record.names.white_team);
    writer.team("Black", &record.names.black_team);
    let titles = record.names.title.chunks_exact(TITLE).map(|title| texts.name(title));
    writer.add("GameTitle", titles.into_iter().find(|title| !title.is_empty()));
    let medals = MEDALS.iter().enumerate().filter(|(bit, _)| header.medals >> bit & 1 != 0);
    let medals: Vec<&str> = medals.map(|(_, medal)| *medal).collect();
    writer.add("Medals", (!medals.is_empty()).then(|| medals.join(", ")));
    let evaluation =
        (header.result == LINE && header.evaluation > 0).then(|| format!("${}", header.evaluation));
    writer.add("LineEvaluation", evaluation);
    writer.add("Termination", result(header.result).is_forfeit.then(|| "forfeit".to_owned()));
    writer.tags
}

impl TagWriter<'_> {
    fn add(&mut self, name: &str, value: Option<String>) {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            self.tags.push(name, &value);
        }
    }

    /// A field of a name.
    fn field(&self, data: &[u8], start: usize, length: usize) -> String {
        let field = Bytes::at(data, start).0;
        self.texts.name(field.get(..length).unwrap_or(field))
    }

    fn name(&mut self, tag: &str, data: &[u8], start: usize, length: usize) {
        self.add(tag, Some(self.field(data, start, length)));
    }

    fn roster(&mut self, record: &RawRecord, header: &GameHeader) {
        let names = &record.names;
        let known = |value: String| if value.is_empty() { "?".to_owned() } else { value };
        let unknown_date = || "????.??.??".to_owned();
        self.add("Event", Some(known(self.field(&names.tournament, 0, 40))));
        self.add("Site", Some(known(self.field(&names.tournament, 40, 30))));
        self.add("Date", Some(date(header.date).unwrap_or_else(unknown_date)));
        self.add("Round", Some(round(header.round, header.subround).unwrap_or_else(|| "?".to_owned())));
        for (tag, data) in [("White", &names.white), ("Black", &names.black)] {
            let parts = [self.field(data, 0, 30), self.field(data, 30, 20)];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            self.add(tag, Some(known(parts.join(", "))));
        }
        self.add("Result", Some(result(header.result).text.to_owned()));
    }

    fn ratings(&mut self, record: &RawRecord, header: &GameHeader) {
        for (tag, rating) in [("WhiteElo", header.white_elo), ("BlackElo", header.black_elo)] {
            self.add(tag, (rating > 0).then(|| rating.to_string()));
        }
        let ratings = [("WhiteRatingType", header.white_elo), ("BlackRatingType", header.black_elo)];
        for ((tag, _), at) in ratings.into_iter().zip(RATING_TYPES).filter(|((_, rating), _)| *rating > 0) {
            let kind = Bytes::at(&record.extra, at).0.get(..16).and_then(|kind| self.rating_type(kind));
            self.add(tag, kind);
        }
    }

    /// The type of a rating, unless it is an international one for games at normal speed.
    fn rating_type(&self, kind: &[u8]) -> Option<String> {
        let &[_, class, national_speed, speed, country, ref name @ ..] = kind else { return None };
        let speed = match class {
            1 => speed.checked_sub(1)?,
            2 => national_speed,
            _ => return None,
        };
        let body = match class {
            2 => Some(nation(country).unwrap_or("national").to_owned()),
            _ => (speed > 0).then(|| self.texts.name(name)),
        };
        let speed = ["", "blitz", "rapid", "correspondence"].get(usize::from(speed)).copied();
        let words = [body?, speed.unwrap_or_default().to_owned()];
        Some(words.join(" ").trim().to_owned())
    }

    fn event(&mut self, record: &RawRecord) {
        let data = &record.names.tournament;
        let mut rest = Bytes::at(data, 70);
        self.add("EventDate", rest.u32_le().and_then(date));
        let end = Bytes::at(&record.names.end_date, END_DATE).u32();
        self.add("EventEndDate", end.and_then(date));
        let (kind, teams) = (rest.u8().unwrap_or(0), rest.u8().unwrap_or(0));
        self.add("EventType", event_type(kind, teams & 1 != 0));
        let byte = |at: usize| data.get(at).copied().filter(|byte| *byte > 0);
        self.add("EventRounds", byte(80).map(|rounds| rounds.to_string()));
        self.add("EventCountry", byte(76).and_then(nation).map(str::to_owned));
        self.add("EventCategory", byte(78).map(|category| category.to_string()));
        let flags = EVENT_FLAGS.iter().filter(|(bits, _)| byte(79).unwrap_or(0) & bits != 0);
        let flags: Vec<&str> = flags.map(|(_, flag)| *flag).collect();
        self.add("EventFlags", Some(flags.join(", ")));
    }

    fn source(&mut self, data: &[u8]) {
        self.name("SourceTitle", data, 0, 25);
        self.name("Source", data, 25, 16);
        let mut rest = Bytes::at(data, 41);
        let [published, version_date] = [rest.u32_le(), rest.u32_le()];
        self.add("SourceDate", published.and_then(date));
        for (tag, number) in [("SourceVersion", rest.u8()), ("SourceQuality", rest.u8())] {
            self.add(tag, number.filter(|number| *number > 0).map(|number| number.to_string()));
        }
        self.add("SourceVersionDate", version_date.and_then(date));
    }

    fn team(&mut self, side: &str, data: &[u8]) {
        self.name(&format!("{side}Team"), data, 0, 45);
        let mut rest = Bytes::at(data, 45);
        let (number, season, year) = (rest.u32_le(), rest.u8(), rest.u32_le());
        let country = rest.u8().and_then(nation);
        self.add(&format!("{side}TeamCountry"), country.map(str::to_owned));
        let number = number.filter(|number| *number > 0);
        self.add(&format!("{side}TeamNumber"), number.map(|number| number.to_string()));
        let year = year.filter(|year| *year > 0).map(|year| match season {
            Some(season) if season & 1 != 0 => format!("{year}/{}", year.saturating_add(1)),
            _ => year.to_string(),
        });
        self.add(&format!("{side}TeamSeason"), year);
    }
}
