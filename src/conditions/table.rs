//! The table of all conditions.

use super::{
    condition::{Choice, Condition, FormSection, Heading, ValueType, choices},
    course,
    players::{self, colour, sides},
};
use crate::{
    archive::{Filter, GameNumber, NameKind},
    chess::Color,
    openings::{OpeningError, OpeningId, Openings},
    position_index::Speed,
    record::GameKind,
    request::{RequestError, WordError, game_kind},
};

/// All conditions, in the order of forms and of the help.
pub const CONDITIONS: &[Condition] = &[
    Condition::new("player", ValueType::Names(Some(NameKind::Player)), Heading::Players)
        .help(
            "Player with either colour: kasparov, 'Adams, Michael', 'kasp*'; may be repeated, like all \
             names, codes and ids",
        )
        .more(
            "Names match regardless of case, accents and script: kasparov, 'garry kasparov' and Каспаров \
             find \"Kasparov, Garry\". The family name must match in complete words, and the given names \
             must be compatible: 'Adams, Michael' finds \"Adams,Mi\" and \"Adams, M\", but neither \"Adams, \
             Mark\" nor \"Rohde, Michael A\". With *, which stands for any letters, the complete name must \
             match: 'adams mi*', '*garry*'. A name in quotation marks must match exactly: '\"Carlsen,M\"'. \
             Separate several names with semicolons: 'tal; petrosian'.",
        )
        .label("Player", "Spieler")
        .ask(players::player),
    Condition::new("colour", ValueType::Word, Heading::Players)
        .value("COLOUR")
        .alias("color")
        .needs("player")
        .help("Colour of --player")
        .label("Colour of the player", "Farbe des Spielers")
        .offers(sides)
        .ask(|given, _| colour(given.text()).map(drop)),
    Condition::new("opponent", ValueType::Names(Some(NameKind::Player)), Heading::Players)
        .help("Opponent of --player")
        .label("Opponent", "Gegner")
        .ask(|given, draft| given.name(&mut draft.rows.opponent)),
    Condition::new("white", ValueType::Names(Some(NameKind::Player)), Heading::Players)
        .help("Player with White")
        .label("White", "Weiß")
        .ask(|given, draft| given.name(&mut draft.rows.white)),
    Condition::new("black", ValueType::Names(Some(NameKind::Player)), Heading::Players)
        .help("Player with Black")
        .label("Black", "Schwarz")
        .ask(|given, draft| given.name(&mut draft.rows.black)),
    Condition::new("event", ValueType::Names(Some(NameKind::Event)), Heading::Origin)
        .help("Name of the event")
        .label("Event", "Turnier")
        .ask(|given, draft| given.name(&mut draft.rows.event)),
    Condition::new("site", ValueType::Names(Some(NameKind::Site)), Heading::Origin)
        .help("Name of the site")
        .label("Site", "Ort")
        .ask(|given, draft| given.name(&mut draft.rows.site)),
    Condition::new("date", ValueType::Text, Heading::Origin)
        .hint("1990..2000")
        .help("Date: 1984, 1984.05, 1984..1990, 1984.05.01.. or ..1990")
        .label("Date", "Datum")
        .ask(|given, draft| draft.numbers(&[GameNumber::Date], vec![Filter::dates(given.text())?])),
    Condition::new("elo", ValueType::Text, Heading::Players)
        .alias("rating")
        .hint("2400..")
        .help("Ratings of both players: 2500.., 2400..2600")
        .label("Rating of both players", "Elo beider Spieler")
        .ask(|given, draft| {
            draft.numbers(&[GameNumber::WhiteElo, GameNumber::BlackElo], vec![Filter::numbers(given.text())?])
        }),
    Condition::new("white_elo", ValueType::Text, Heading::Players)
        .help("Rating of White")
        .label("Rating of White", "Elo von Weiß")
        .in_form(FormSection::None)
        .ask(|given, draft| draft.numbers(&[GameNumber::WhiteElo], vec![Filter::numbers(given.text())?])),
    Condition::new("black_elo", ValueType::Text, Heading::Players)
        .help("Rating of Black")
        .label("Rating of Black", "Elo von Schwarz")
        .in_form(FormSection::None)
        .ask(|given, draft| draft.numbers(&[GameNumber::BlackElo], vec![Filter::numbers(given.text())?])),
    Condition::new("result", ValueType::Text, Heading::Games)
        .value("RESULT")
        .help("Result: 1-0, 0-1, 1/2-1/2 (or draw), *, won or lost")
        .more(
            "won and lost are relative to --player, with either colour, or to --white or --black if only one \
             of them is given. With --material they are relative to the first side: 'KRP KR' with won finds \
             games that the side with the pawn won.",
        )
        .label("Result", "Ergebnis")
        .offers(players::results)
        .ask(players::result),
    Condition::new("eco", ValueType::Codes, Heading::Games)
        .hint("B20..B99")
        .help("Code in the ECO tag: B90, B90..B99, B9, B, or several: B9,C4")
        .label("ECO", "ECO")
        .ask(|given, draft| draft.numbers(&[GameNumber::Eco], Filter::eco_codes(given.text())?)),
    Condition::new("opening", ValueType::Names(None), Heading::Games)
        .help("Opening of the last named position of the game: najdorf, 'french winawer', B90..B99")
        .label("Opening", "Eröffnung")
        .ask(|given, draft| set(&mut draft.openings, openings(given.text())?)),
    Condition::new("speed", ValueType::Text, Heading::Games)
        .value("SPEED,...")
        .help(
            "Speed, by the TimeControl tag: ultraBullet, bullet, blitz, rapid, classical, correspondence, or \
             several: bullet,blitz. Games without a time control are classical",
        )
        .label("Speed", "Bedenkzeit")
        .offers(speeds)
        .ask(|given, draft| {
            set(&mut draft.rows.speed, Some(given.text().split(',').map(speed).collect::<Result<_, _>>()?))
        }),
    Condition::new(
        "casual",
        ValueType::YesOrNo("rated", "Rated games: those whose event does not begin with \"casual\""),
        Heading::Games,
    )
    .help("Casual games: those whose event begins with \"casual\"")
    .label("Rated", "Gewertet")
    .offers(|| choices(&[("no", (), ["rated", "gewertet"]), ("yes", (), ["casual", "ungewertet"])]))
    .ask(|given, draft| set(&mut draft.rows.casual, Some(given.text() == "yes"))),
    Condition::new("plies", ValueType::Text, Heading::Games)
        .help("Number of plies: 40, 20..60, ..30")
        .label("Plies", "Halbzüge")
        .ask(|given, draft| draft.numbers(&[GameNumber::Plies], vec![Filter::numbers(given.text())?])),
    Condition::new("variant", ValueType::Text, Heading::Games)
        .value("VARIANT")
        .help("Variant, such as Standard or Chess960, or Xelto")
        .label("Variant", "Variante")
        .offers(variants)
        .ask(|given, draft| set(&mut draft.rows.kind, Some(game_kind(given.text())?))),
    Condition::new("source", ValueType::Names(None), Heading::Origin)
        .help("File that the game was imported from")
        .label("Source", "Quelle")
        .of_stored()
        .ask(|given, draft| given.name(&mut draft.rows.source)),
    // Not "import", which no argument of a Python function can be called.
    Condition::new("import_number", ValueType::Text, Heading::Origin)
        .alias("import")
        .value("NUMBER")
        .help("Number of the import that added the game, as in the log: 3, or 3..5")
        .label("Import", "Import")
        .of_stored()
        .ask(|given, draft| draft.numbers(&[GameNumber::Import], vec![Filter::numbers(given.text())?])),
    Condition::new("imported", ValueType::Text, Heading::Origin)
        .value("DATE")
        .help("Day of that import, in local time: 2026-11-20, 2026-11-20..")
        .label("Day of import", "Tag des Imports")
        .of_stored()
        .ask(|given, draft| {
            let days = given.text().replace('-', ".");
            draft.numbers(&[GameNumber::DayOfImport], vec![Filter::dates(&days)?])
        }),
    Condition::new("id", ValueType::Codes, Heading::Origin)
        .help("Ids of games: 7, 100..200, or several: 1,5,9; - reads them from standard input")
        .label("Number", "Nummer")
        .of_stored()
        .ask(|given, draft| {
            match &Filter::id_ranges(given.text())?[..] {
                [range] => draft.rows.ids = Some(range.clone()),
                ranges => draft.ids = ranges.to_vec(),
            }
            Ok(())
        }),
    Condition::new("tag", ValueType::Texts, Heading::Origin)
        .value("NAME=VALUE")
        .help(
            "Tag pair, with the value matched like a name: Annotator=tal, 'Termination=*time*'; NAME alone \
             matches any value",
        )
        .label("Tag", "PGN-Tag")
        .check(check_tag)
        .in_form(FormSection::None),
    Condition::new("comment", ValueType::Texts, Heading::Origin)
        .value("TEXT")
        .help("Text in a comment, ignoring case; a space also matches a line end or several spaces")
        .label("Comment", "Kommentar")
        .check(|text| if text.is_empty() { Err(RequestError::Empty("comment")) } else { Ok(()) })
        .in_form(FormSection::None),
    Condition::new("position", ValueType::Text, Heading::Positions)
        .value("POSITION")
        .help(
            "Position that the game reaches: a FEN, moves ('1. e4 c5'), GAME:PLY, or the name of an opening",
        )
        .label("Position", "Stellung")
        .in_form(FormSection::None)
        .ask(|given, draft| set(&mut draft.position, Some(given.text().parse()?))),
    Condition::new("board_only", ValueType::Switch, Heading::Positions)
        .help("Compare only the pieces of positions; ignore the side to move and castling rights")
        .label("Pieces only", "Nur die Figuren")
        .in_form(FormSection::None),
    Condition::new("material", ValueType::Texts, Heading::Positions)
        .value("SIDES")
        .hint("KRP{0,8} KRP{0,8}")
        .help(
            "Pieces of each side: 'KRPPP KRPP', 'KRP{0,8} KRP{0,8}' for up to eight pawns each, 'KQ* K*' for \
             any additional pieces; either side may be White, unless given as in 'w:KRP KR'",
        )
        .label("Material", "Material"),
    Condition::new("pattern", ValueType::Texts, Heading::Positions)
        .value("RANKS")
        .hint("*/*/*/*/???P*/*/*/*")
        .help(
            "Pattern on the board: ranks 8 to 1 as in a FEN, where ? is anything, 3 is three empty squares, \
             [NB] is one of these, [^P] is anything else, and * is any squares",
        )
        .label("Pattern", "Muster"),
    Condition::new("to_move", ValueType::Word, Heading::Positions)
        .value("SIDE")
        .help("Side to move in the position with the material or pattern")
        .label("Side to move", "Am Zug")
        .offers(sides),
    Condition::new("mirror", ValueType::Switch, Heading::Positions)
        .help("Also match positions and patterns with colours swapped and the board flipped vertically")
        .label("Also with colours swapped", "Auch mit vertauschten Farben"),
    Condition::new("any_file", ValueType::Switch, Heading::Positions)
        .help(
            "Also match patterns shifted left or right, as long as all squares other than ? and * stay on \
             the board, and mirrored left to right; several patterns are shifted together, and a rank that \
             begins and ends with * is not shifted",
        )
        .label(
            "Patterns on any file, or mirrored left to right",
            "Muster auf beliebiger Linie, auch seitenverkehrt",
        ),
    Condition::new("min_plies", ValueType::Number, Heading::Positions)
        .hint("10")
        .help(
            "The material or pattern stays on the board for at least N plies in a row, that is, N + 1 \
             positions [default: one position]",
        )
        .label("For at least N plies", "Mindestens N Halbzüge lang")
        .in_form(FormSection::Course),
    Condition::new("then", ValueType::Texts, Heading::Positions)
        .value("RANKS")
        .hint("*/*/*/???P*/*/*/*/*")
        .help("Pattern that occurs later in the game; several must occur in this order")
        .label("Followed by this pattern", "Danach dieses Muster")
        .in_form(FormSection::Course),
    Condition::new("within", ValueType::Numbers, Heading::Positions)
        .hint("10")
        .help(
            "Match within N plies of the previous pattern; give it once for all patterns, or once per --then",
        )
        .label("Within N plies", "Innerhalb von N Halbzügen")
        .in_form(FormSection::Course),
    Condition::new("not_pattern", ValueType::Texts, Heading::Positions)
        .value("RANKS")
        .hint("*/*/*/*/*/*/*/???[^Q]*")
        .help("Pattern that never occurs in the game")
        .label("Never this pattern", "Nie dieses Muster")
        .in_form(FormSection::Course),
    Condition::new("white_castles", ValueType::Word, Heading::Course)
        .value("SIDE")
        .help("Side on which White castles; no means never")
        .label("White castles", "Weiß rochiert")
        .offers(|| choices(&course::CASTLING))
        .ask(|given, draft| course::castles(given, draft, Color::White)),
    Condition::new("black_castles", ValueType::Word, Heading::Course)
        .value("SIDE")
        .help("Side on which Black castles; no means never")
        .label("Black castles", "Schwarz rochiert")
        .offers(|| choices(&course::CASTLING))
        .ask(|given, draft| course::castles(given, draft, Color::Black)),
    Condition::new("en_passant", ValueType::Switch, Heading::Course)
        .help("A pawn is captured en passant")
        .label("En passant", "Schlagen en passant")
        .ask(course::en_passant),
    Condition::new("promotes", ValueType::Word, Heading::Course)
        .value("PIECE")
        .help("A pawn is promoted to this piece; under is any piece except a queen")
        .label("Promotion to", "Umwandlung in")
        .offers(|| choices(&course::PROMOTIONS))
        .ask(course::promotes),
    Condition::new("checks", ValueType::Number, Heading::Course)
        .hint("3")
        .help("One side gives check in at least N consecutive moves")
        .label("Checks in a row", "Schachgebote in Folge")
        .ask(course::checks),
    Condition::new("ends_in", ValueType::Word, Heading::Course)
        .value("END")
        .help(
            "How the game ends on the board; fifty is 50 moves without a capture or pawn move, repetition is \
             a position that occurs for the third time",
        )
        .label("How the game ends", "Ende der Partie")
        .offers(|| choices(&course::ENDS))
        .ask(course::ends_in),
];

/// Sets a requirement that was not set before.
fn set<T>(requirement: &mut T, value: T) -> Result<(), RequestError> {
    *requirement = value;
    Ok(())
}

/// Parses openings, separated by semicolons; each must match at least one.
fn openings(text: &str) -> Result<Vec<OpeningId>, OpeningError> {
    let mut every = Vec::new();
    for text in text.split(';') {
        let found = Openings::standard().search(text);
        if found.is_empty() {
            return Err(Openings::standard().unknown(text));
        }
        every.extend(found);
    }
    Ok(every)
}

fn speeds() -> Vec<Choice> {
    let german = ["UltraBullet", "Bullet", "Blitz", "Schnellschach", "klassisch", "Fernschach"];
    let names = Speed::ALL.into_iter().map(Speed::name).zip(german);
    names.map(|(value, german)| Choice { value, label: [value, german] }).collect()
}

/// Parses a speed.
fn speed(text: &str) -> Result<Speed, RequestError> {
    let known = || Speed::ALL.map(Speed::name);
    Speed::from_name(text.trim()).ok_or_else(|| RequestError::word(WordError::Speed, text, known()))
}

fn variants() -> Vec<Choice> {
    let of_chess = GameKind::all().filter(|kind| kind.variant().is_some());
    of_chess.map(|kind| Choice { value: kind.name(), label: [kind.name(), kind.name()] }).collect()
}

fn check_tag(text: &str) -> Result<(), RequestError> {
    let name = text.split('=').next().unwrap_or_default().trim();
    if name.is_empty() { Err(RequestError::Tag(text.to_owned())) } else { Ok(()) }
}
