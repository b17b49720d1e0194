//! Errors in German. In English, pages show the text that an error has for all front ends.

mod reject;

use std::fmt::Display;

use shakmaty::fen::ParseFenError;

use super::{Language, messages::GERMAN};
use crate::{
    archive::{FilterError, RangeKind, WhyApart},
    chess::{Color, DateError, TargetPositionError},
    edit::EditError,
    limits::{
        ANSWER_TIME, MAX_COMMENT_BYTES, MAX_CONDITIONS, MAX_LINE_MOVES, MAX_REPERTOIRE_POSITIONS,
        MAX_TAG_BYTES,
    },
    name_pattern::MOST_PATTERNS,
    openings::OpeningError,
    query::RepertoireError,
    record::PlyError,
    request::{CodeError, Expected, MaterialError, PatternError, RequestError, UnclearWinner, WordError},
    web::reply::{Failure, Missing, Refused, named},
};

/// An error that a page shows in its language.
pub(in crate::web) trait German: Display {
    /// The error in German, with all that its English text has.
    fn german(&self) -> String;
}

impl Language {
    /// What is wrong.
    pub(in crate::web) fn said(self, error: &impl German) -> String {
        if self == Language::English { error.to_string() } else { error.german() }
    }

    /// Why a request is refused, in the words of a form.
    pub(super) fn refused(self, why: &Refused) -> String {
        match why {
            Refused::Request(RequestError::Requires(required)) => self.words().required(*required).to_owned(),
            why => self.said(why),
        }
    }
}

impl German for Refused {
    fn german(&self) -> String {
        match self {
            Refused::Request(error) => error.german(),
            Refused::Edit(error) => error.german(),
            Refused::Apart(why) => format!("diese Partien lassen sich nicht vereinigen: {}", why.german()),
            Refused::NoChoice => "keine Partie ist ausgewählt".to_owned(),
        }
    }
}

impl German for WhyApart {
    fn german(&self) -> String {
        match self {
            Self::Start => "sie beginnen nicht mit derselben Stellung".to_owned(),
            Self::Record(why) => format!("was beide enthalten, ist nicht als eine Partie speicherbar: {why}"),
            Self::Equal => "das Ergebnis wäre gleich einer anderen Partie".to_owned(),
        }
    }
}

impl German for Failure {
    fn german(&self) -> String {
        match self {
            Self::Refused { name, why } => named(name, why.german()),
            Self::NotFound(missing) => missing.german(),
            Self::Busy => "Bitte gleich noch einmal versuchen".to_owned(),
            Self::TooSlow => format!(
                "Nach {} Sekunden wurde die Suche beendet; bitte weniger Partien durchsuchen; mit einem Index des Archivs sind Suchen schnell",
                ANSWER_TIME.as_secs()
            ),
            Self::TooLarge => GERMAN.large_own_pgn.to_owned(),
            Self::Unwanted => "abgebrochen".to_owned(),
            Self::DamagedIndex(_) | Self::Internal(_) => {
                "interner Fehler; Näheres steht im Log des Servers".to_owned()
            }
            Self::BadRequest(why) | Self::BadPgn(why) | Self::Conflict(why) | Self::Damaged(why) => {
                why.clone()
            }
        }
    }
}

impl German for Missing {
    fn german(&self) -> String {
        match self {
            Self::Url => "Diese URL gibt es nicht".to_owned(),
            Self::File => "Diese Datei gibt es nicht".to_owned(),
            Self::LeftOut => {
                "Diese Partien sind nicht mehr gespeichert; bitte die Datei noch einmal importieren"
                    .to_owned()
            }
            Self::Change => "Eine solche Änderung ist nicht in Kraft".to_owned(),
            Self::Games => "Diese Partien sind nicht im Archiv".to_owned(),
            Self::Game { id, first, last } => {
                format!("Partie {id} ist nicht im Archiv; es hat die Partien {first} bis {last}")
            }
            Self::Removed(id) => format!("Partie {id} ist nicht im Archiv: Sie wurde entfernt"),
            Self::Empty(id) => format!("Partie {id} ist nicht im Archiv; es ist leer"),
        }
    }
}

impl German for RequestError {
    fn german(&self) -> String {
        match self {
            Self::Range(error) => error.german(),
            Self::Ply(error) => error.german(),
            Self::TwoNames(side) => format!("Zu {0} passt nur ein Name, nicht zwei", colour(*side)),
            Self::Colour(text) => format!("Ungültige Farbe {text:?}; möglich sind white und black"),
            Self::NoCondition { name, known } => format!("Unbekanntes Feld `{name}`; möglich sind {known}"),
            Self::Value { name, text, what } => {
                format!("{name}: Ungültiger Wert {text:?}; erwartet wird {}", what.german())
            }
            Self::Tag(text) => format!("Ungültiges Tag {text:?}; erwartet wird NAME=WERT"),
            Self::Empty(name) => format!("{name} darf nicht leer sein"),
            Self::Outcome(text) => {
                format!("Ungültiges Ergebnis {text:?}; möglich sind 1-0, 0-1, 1/2-1/2 und *")
            }
            Self::Result(text) => format!(
                "Ungültiges Ergebnis {text:?}; möglich sind 1-0, 0-1, 1/2-1/2 (oder draw), *, won und lost"
            ),
            Self::WhoWon(why) => why.german(),
            Self::Pattern { text, why } => format!("Ungültiges Muster {text:?}: {}", why.german()),
            Self::Material { text, why } => format!("Ungültige Materialangabe {text:?}: {}", why.german()),
            Self::Word { what, text, known } => format!("{} {text:?}; möglich sind {known}", what.german()),
            Self::Requires(required) => GERMAN.required(*required).to_owned(),
            Self::OfStoredGames(name) => format!("{name} betrifft gespeicherte Partien, nicht einen Import"),
            Self::Conditions => format!("Möglich sind höchstens {MAX_CONDITIONS} Muster und Materialangaben"),
            Self::ManyNames => format!("Eine Suche kann höchstens {MOST_PATTERNS} Namen haben"),
            Self::NotChess(name) => format!("{name} ist keine Schachvariante"),
            Self::NoPosition => "Die Stellung fehlt".to_owned(),
            Self::Fen { text, error } => format!("Ungültige FEN {text:?}: {}", error.german()),
            Self::Moves { text, error } => format!(
                "Ungültige Stellung {text:?}; möglich sind eine FEN, PARTIE:HALBZUG, der Name einer Eröffnung und Züge aus der Grundstellung (der {}. Halbzug ist hier kein legaler Zug)",
                error.ply
            ),
            Self::IllegalMove { text, place } => format!(
                "Zug {place} der Zugfolge, {text:?}, ist nicht legal; Züge schreibt man wie e2e4,e7e5"
            ),
            Self::LargeGame(id) => {
                format!("Partie {id} hat zu viele Anmerkungen; als PGN ist sie vollständig")
            }
            Self::LongLine => format!("Eine Zugfolge kann höchstens {MAX_LINE_MOVES} Züge haben"),
            Self::Castling => "Diese Rochaderechte lassen sich in einer FEN nicht angeben".to_owned(),
            Self::Start(text) => format!("{text:?} ist keine gültige Anfangsstellung"),
            Self::Opening(error) => error.german(),
            Self::TargetPosition(error) => error.german(),
            Self::Code(error) => error.german(),
            // Pages do not search for proof games.
            Self::Target(error) => error.to_string(),
        }
    }
}

impl German for FilterError {
    fn german(&self) -> String {
        let name = |kind| match kind {
            RangeKind::Dates => "Zeitraum",
            RangeKind::Codes => "Bereich von ECO-Codes",
            RangeKind::Numbers => "Bereich von Zahlen",
        };
        match self {
            Self::Unreadable { text, kind } => {
                let examples = kind.example().replace(" or ", " oder ");
                format!("{text:?} ist kein gültiger {}; Beispiele: {examples}", name(*kind))
            }
            Self::Backward { text, kind } => {
                format!("{text:?} ist ein leerer {}: Er endet, bevor er beginnt", name(*kind))
            }
        }
    }
}

impl German for PlyError {
    fn german(&self) -> String {
        let PlyError(text) = self;
        format!(
            "{text:?} ist keine Stelle einer Partie; möglich sind 23 (nach 23 Halbzügen), 12w und 12b (nach diesem Zug) und -1 (das Ende)"
        )
    }
}

impl German for OpeningError {
    fn german(&self) -> String {
        match self {
            Self::Unknown { text, similar: None } => format!("Unbekannte Eröffnung {text:?}"),
            Self::Unknown { text, similar: Some(name) } => {
                format!("Unbekannte Eröffnung {text:?}; meinten Sie {name:?}?")
            }
            Self::Several { text, names } => {
                format!("{text:?} passt zu mehreren Eröffnungen: {}", names.join("; "))
            }
            error => error.to_string(),
        }
    }
}

impl German for CodeError {
    fn german(&self) -> String {
        match self {
            Self::Codec { name, of, known } => {
                format!("Unbekannter Codec {name:?} ({of}); möglich sind {known}")
            }
            Self::Missing => "Der Code fehlt".to_owned(),
            Self::Invalid { text, format, .. } => format!("{text:?} ist kein Code der Form {format:?}"),
            Self::Plies { text, .. } => format!("Ungültige Zahl von Halbzügen {text:?}"),
            Self::After(text) => format!("Nach dem Code steht noch {text:?}"),
            Self::NoSuchNumber => "Diese Zahl steht in dieser Kodierung für keine Stellung".to_owned(),
            Self::SeveralNumbers { first, second } => {
                format!("Diese Zahl steht mit {first} Bits und mit {second} Bits für eine Stellung")
            }
        }
    }
}

impl German for EditError {
    fn german(&self) -> String {
        match self {
            Self::OnMainLine(id) => format!("Partie {id}: dieser Zug gehört schon zur Hauptvariante"),
            Self::NoAlternative(id) => {
                format!("Partie {id}: diese Variante steht nicht für einen anderen Zug")
            }
            Self::HasVariations(id) => format!(
                "Partie {id}: dieser Zug hat Varianten; zuerst muss eine davon zur Hauptvariante werden, oder sie müssen gelöscht werden"
            ),
            Self::NotReadBack(id) => {
                format!("Partie {id}: das lässt sich nicht als PGN schreiben: es würde anders gelesen")
            }
            Self::LongComment => format!("der Kommentar ist länger als {MAX_COMMENT_BYTES} Bytes"),
            Self::BraceInComment => "ein Kommentar darf kein } enthalten, das ihn in PGN beendet".to_owned(),
            Self::NoMove => "vor dem ersten Zug gibt es nichts, was ein Symbol bewerten könnte".to_owned(),
            Self::Glyph(text) => format!(
                "{text:?} ist kein Symbol; möglich sind !, ?, !!, ??, !?, ?!, Zeichen wie +- oder =, und $1 bis $255"
            ),
            Self::SameMoves => {
                "die Partie hat dieselben Züge; eine Variante muss sich unterscheiden".to_owned()
            }
            Self::AfterEnd => {
                "die Partie endet hier; eine Variante muss für einen ihrer Züge stehen".to_owned()
            }
            Self::CommentOnGame => {
                "eine Variante kann nicht mit Kommentaren zu Zügen der Partie beginnen".to_owned()
            }
            Self::Variation(reason) => format!("die Variante ist nicht lesbar: {}", reason.german()),
            Self::BrokenVariation { line, reason } => {
                format!("Zeile {line}: diese Variante lässt sich nicht spielen: {}", reason.german())
            }
            Self::Text { line, reason } => format!("Zeile {line}: {}", reason.german()),
            Self::NoGame => "der Text enthält keine Partie".to_owned(),
            Self::SeveralGames => {
                "der Text enthält mehrere Partien; mehrere fügt ein Import hinzu".to_owned()
            }
            Self::TagPair => "ein Tag schreibt man als Name=Wert; Name= löscht es".to_owned(),
            Self::TagName(name) => {
                format!("{name:?} kann kein Tag heißen: erlaubt sind Buchstaben von A bis Z, Ziffern und _")
            }
            Self::LongValue(name) => format!("der Wert von {name} ist länger als {MAX_TAG_BYTES} Bytes"),
            Self::Control(name) => {
                format!("der Wert von {name} enthält ein Steuerzeichen, zum Beispiel einen Zeilenumbruch")
            }
            Self::Result => "ein Ergebnis ist 1-0, 0-1, 1/2-1/2 oder *".to_owned(),
            Self::Rating => "eine Elo-Zahl ist eine Zahl wie 2705".to_owned(),
            Self::Date(why) => why.german(),
        }
    }
}

impl German for DateError {
    fn german(&self) -> String {
        match self {
            Self::NoDate => "ein Datum schreibt man 1984.12.29, mit ?? für Unbekanntes".to_owned(),
            Self::TwoDates { day_first, month_first } => {
                format!("das Datum ist nicht eindeutig: möglich sind {day_first} und {month_first}")
            }
            Self::Month => "ein Jahr hat 12 Monate".to_owned(),
            Self::Day { month, days } => {
                format!("Der {} hat {days} Tage", MONTHS.get(*month).unwrap_or(&"Monat"))
            }
        }
    }
}

const MONTHS: [&str; 12] = [
    "Januar",
    "Februar",
    "März",
    "April",
    "Mai",
    "Juni",
    "Juli",
    "August",
    "September",
    "Oktober",
    "November",
    "Dezember",
];

impl German for RepertoireError {
    fn german(&self) -> String {
        match self {
            Self::OtherVariant => "es hat eine andere Variante als die Partien davor".to_owned(),
            Self::TooLarge => format!("möglich sind höchstens {MAX_REPERTOIRE_POSITIONS} Stellungen"),
        }
    }
}

/// Errors without fields: each has one text.
macro_rules! texts {
    ($($error:ty { $($variant:ident => $text:expr,)* })*) => {$(
        impl German for $error {
            fn german(&self) -> String {
                match self {
                    $(Self::$variant => ($text).to_owned(),)*
                }
            }
        }

        #[cfg(test)]
        impl tests::Each for $error {
            fn each() -> Vec<$error> {
                vec![$(Self::$variant),*]
            }
        }
    )*};
}

texts! {
    ParseFenError {
        InvalidFen => "sie hat zu wenige oder zu viele Felder",
        InvalidBoard => "erwartet werden 8 Reihen mit 8 Feldern, getrennt durch /, mit den Figuren PNBRQKpnbrqk",
        InvalidPocket => "die Figuren zum Einsetzen sind ungültig",
        InvalidTurn => "die Seite am Zug muss w oder b sein",
        InvalidCastling => "die Rochaderechte sind ungültig; möglich sind - und Buchstaben von KQkq",
        InvalidEpSquare => "das Feld für en passant ist ungültig; möglich sind - und ein Feld des Bretts",
        InvalidRemainingChecks => "die Zahl der übrigen Schachgebote ist ungültig; man schreibt sie wie 3+3",
        InvalidHalfmoveClock => "die Zahl der Halbzüge muss eine Zahl sein",
        InvalidFullmoves => "die Zugnummer muss eine Zahl sein",
    }
    TargetPositionError {
        EmptyBoard => "Keine Partie erreicht diese Stellung: Das Brett ist leer",
        MissingKing => "Keine Partie erreicht diese Stellung: Ein König fehlt",
        SeveralKings => "Keine Partie erreicht diese Stellung: Eine Seite hat mehrere Könige",
        Pawn => "Keine Partie erreicht diese Stellung: Ein Bauer steht auf seiner ersten oder letzten Reihe",
        Check => "Keine Partie erreicht diese Stellung: Die Seite, die nicht am Zug ist, steht im Schach",
        Rules => "Keine Partie erreicht diese Stellung: Die Regeln der Variante schließen sie aus",
    }
    PatternError {
        Empty => "es ist leer",
        Turn => "die Seite am Zug muss w oder b sein",
        Ranks => "erwartet werden 8 Reihen, getrennt durch /",
        Squares => "jede Reihe muss 8 Felder haben",
        Layouts => "für eine Reihe gibt es zu viele Möglichkeiten; sie braucht weniger *",
        LongRank => "eine Reihe hat mehr als 8 Felder",
        EmptyBrackets => "die eckigen Klammern sind leer",
        OpenBracket => "die schließende Klammer fehlt",
        Piece => "unbekannte Figur; weiße Figuren schreibt man PNBRQK, schwarze pnbrqk",
    }
    MaterialError {
        Sides => "erwartet werden zwei Seiten, getrennt durch ein Leerzeichen, zum Beispiel 'KRPPP KRPP'",
        SameColour => "beide Seiten haben dieselbe Farbe",
        Colour => "eine Farbe muss w: oder b: sein",
        Piece => "unbekannte Figur; möglich sind K, Q, R, B, N und P",
        TooMany => "zu viele Figuren",
        Kings => "eine Seite kann nur einen König haben",
        Braces => "in geschweifte Klammern gehören eine oder zwei Zahlen, zum Beispiel P{2} oder P{0,8}",
        Backward => "die erste Zahl in geschweiften Klammern ist größer als die zweite",
    }
    UnclearWinner {
        Nobody => "„Gewonnen“ und „verloren“ erfordern einen Spieler oder eine Materialangabe (dann ist die erste Seite gemeint); sonst gibt es 1-0 und 0-1",
        BothPlayers => "„Gewonnen“ und „verloren“ sind mehrdeutig, weil beide Spieler genannt sind; eindeutig sind 1-0 und 0-1",
        PlayerAndMaterial => "„Gewonnen“ und „verloren“ sind mehrdeutig, weil ein Spieler und eine Materialangabe da sind; eindeutig sind 1-0 und 0-1",
    }
    Expected {
        Number => "eine Zahl",
        YesOrNo => "yes oder no",
    }
    WordError {
        Castling => "Ungültige Rochade",
        Ending => "Ungültiges Partieende",
        Promotion => "Ungültige Umwandlung",
        Speed => "Ungültige Bedenkzeit",
        Sort => "Ungültige Sortierung",
        Variant => "Unbekannte Variante",
    }
}

fn colour(side: Color) -> &'static str {
    side.fold_wb(GERMAN.white, GERMAN.black)
}

#[cfg(test)]
mod tests;
