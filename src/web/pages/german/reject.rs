//! Why games cannot be read, in German.

use super::{GERMAN, German};
use crate::{
    limits::{
        MAX_ANNOTATIONS, MAX_COMMENT_BYTES, MAX_GAME_BYTES, MAX_GAMES_TOGETHER, MAX_PLIES, MAX_TAGS,
        MAX_VARIATION_DEPTH,
    },
    pgn::RejectReason,
};

impl German for RejectReason {
    fn german(&self) -> String {
        match self {
            Self::UnknownWord(word) => format!("{word} ist kein Zug"),
            Self::IllegalMove(word) => format!("{word} ist kein legaler Zug"),
            Self::AmbiguousMove(word) => format!("{word} kann mehrere Züge bedeuten"),
            Self::Drop(word) => format!("{word} setzt eine Figur ein, was diese Variante nicht erlaubt"),
            Self::NullMove(word) => format!(
                "{word} ist ein Nullzug, aber die Seite am Zug steht im Schach oder kann nicht ziehen"
            ),
            Self::InVariation(reason) => {
                format!("eine Variante bleibt als Kommentar erhalten: {}", reason.german())
            }
            Self::UnclearDate(why) => format!("das Datum bleibt als Text erhalten: {}", why.german()),
            Self::UnclosedComment => "die schließende Klammer eines Kommentars fehlt".to_owned(),
            Self::UnmatchedParenthesis => "die Klammern der Varianten passen nicht zusammen".to_owned(),
            Self::Unaccounted => "der Text enthält etwas, was weder Zug noch Anmerkung ist".to_owned(),
            Self::BadTag(pair) => format!("ungültiges Tag {pair:?}"),
            Self::BadFen(fen) => format!("ungültige FEN {fen:?}"),
            Self::ImpossiblePosition(fen, _) => format!("{fen:?} ist keine mögliche Anfangsstellung"),
            Self::TooManyMoves => "in der Anfangsstellung gibt es zu viele legale Züge".to_owned(),
            Self::UnknownVariant(name) => format!("die Variante {name:?} wird nicht unterstützt"),
            Self::NotPgn => "dies ist kein PGN: es hat weder Tags noch Züge".to_owned(),
            Self::TooLong => format!("die Partie ist länger als {MAX_PLIES} Halbzüge"),
            Self::TooManyTags => format!("die Partie hat mehr als {MAX_TAGS} Tags"),
            Self::NoMoveToVary => "eine Variante steht vor dem ersten Zug".to_owned(),
            Self::CommentTooLarge => format!("ein Kommentar ist länger als {MAX_COMMENT_BYTES} Bytes"),
            Self::TooDeep => {
                format!("die Varianten sind tiefer als {MAX_VARIATION_DEPTH} Ebenen geschachtelt")
            }
            Self::TooManyAnnotations => format!("die Partie hat mehr als {MAX_ANNOTATIONS} Anmerkungen"),
            Self::BadRecord(ply, what) => format!("Halbzug {ply} ist nicht lesbar: {what}"),
            Self::BadData(what) => format!("die Daten sind nicht lesbar: {what}"),
            Self::NotUtf8 => "der Text ist nicht in UTF-8".to_owned(),
            Self::TooLarge => format!("die Partie ist größer als {MAX_GAME_BYTES} Bytes"),
            Self::TooManyTogether => format!(
                "in einer Zeile stehen mehr als {MAX_GAMES_TOGETHER} Partien ohne Tags; jede braucht eine eigene Zeile"
            ),
            Self::NeedsRepair(warning) => {
                format!("strenges Lesen erlaubt nicht: {}", GERMAN.note((*warning).into()))
            }
            Self::Unstorable(what) => format!("die Partie lässt sich nicht speichern: {what}"),
            Self::Unsound(what) => format!("die Partie ist im Archiv beschädigt: {what}"),
            Self::Panic => {
                "plybook ist an dieser Partie gescheitert; bitte melden Sie diesen Fehler".to_owned()
            }
            // Reasons of later releases.
            reason => reason.to_string(),
        }
    }
}
