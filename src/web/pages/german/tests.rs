//! Every error in both languages.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    mem::discriminant,
    path::PathBuf,
};

use super::*;
use crate::{
    chess::{Chess, Date, MoveListError},
    openings::Openings,
    pgn::{MoveWord, RejectReason, Warning},
    proofgame::TargetError,
    record::GameId,
    request::{CodeFormat, Requirement},
};

/// All errors of a type without fields.
pub(super) trait Each: German + Sized {
    fn each() -> Vec<Self>;
}

/// An example of each variant; without one, this does not compile.
macro_rules! each {
    ($error:ident { $($variant:ident $fields:tt)* }) => {{
        let all = vec![$(example!($error $variant $fields)),*];
        for error in &all {
            match error {
                $($error::$variant { .. } => {})*
            }
        }
        all
    }};
}

/// An error with the fields in parentheses or braces, or without fields.
macro_rules! example {
    ($error:ident $variant:ident ()) => { $error::$variant };
    ($error:ident $variant:ident ($value:expr)) => { $error::$variant($value) };
    ($error:ident $variant:ident { $($field:ident: $value:expr),* }) => { $error::$variant { $($field: $value),* } };
}

const GAME: GameId = 4711;
const FIELDS: [&str; 5] = ["feld-eins", "feld-zwei", "feld-drei", "4711", "4712"];

fn text() -> String {
    FIELDS[0].to_owned()
}

fn word() -> MoveWord {
    MoveWord::new(&Chess::default(), text())
}

/// Each error has a German text of its own, with all fields that its English text has.
fn check<E: German>(errors: &[E]) {
    let translated = |error: &E| {
        let (english, german) = (Language::English.said(error), Language::German.said(error));
        assert_ne!(english, german);
        for field in FIELDS.iter().filter(|field| english.contains(**field)) {
            assert!(german.contains(field), "{english}: {german}");
        }
        german
    };
    assert_eq!(errors.iter().map(translated).collect::<BTreeSet<_>>().len(), errors.len());
}

fn requests() -> Vec<RequestError> {
    let (name, known) = (FIELDS[1], FIELDS[2].to_owned());
    each!(RequestError {
        Range(FilterError::Backward { text: text(), kind: RangeKind::Dates })
        Ply(PlyError(text()))
        TwoNames(Color::White)
        Colour(text())
        NoCondition { name: text(), known: known.clone() }
        Value { name: name, text: text(), what: Expected::Number }
        Tag(text())
        Empty(name)
        Outcome(text())
        Result(text())
        WhoWon(UnclearWinner::Nobody)
        Pattern { text: text(), why: PatternError::Empty }
        Material { text: text(), why: MaterialError::Sides }
        Word { what: WordError::Speed, text: text(), known: known }
        Requires(Requirement::Then)
        OfStoredGames("feld-eins")
        Conditions()
        ManyNames()
        NotChess(text())
        NoPosition()
        Fen { text: text(), error: ParseFenError::InvalidFen }
        Moves { text: text(), error: MoveListError { ply: 4712, word: text() } }
        IllegalMove { text: text(), place: 4711 }
        LargeGame(GAME)
        LongLine()
        Castling()
        Code(CodeError::Missing)
        Start(text())
        Opening(Openings::standard().unknown(&text()))
        TargetPosition(TargetPositionError::Check)
        Target(TargetError::Turn)
    })
}

#[test]
fn every_error_of_a_request_exists_in_both_languages() {
    let mut requests = requests();
    assert_eq!(requests.iter().map(discriminant).collect::<HashSet<_>>().len(), requests.len());
    requests.retain(|error| !matches!(error, RequestError::Target(_)));
    check(&requests);
    check(&each!(CodeError {
        Codec { name: text(), of: FIELDS[1], known: FIELDS[2].to_owned() }
        Missing()
        Invalid { text: text(), format: CodeFormat::Hex, error: None }
        Plies { text: text(), error: "x".parse::<usize>().unwrap_err() }
        After(text())
        NoSuchNumber()
        SeveralNumbers { first: 4711, second: 4712 }
    }));
    let ranges = |kind| {
        each!(FilterError {
            Unreadable { text: text(), kind: kind }
            Backward { text: text(), kind: kind }
        })
    };
    check(&[RangeKind::Dates, RangeKind::Codes, RangeKind::Numbers].map(ranges).concat());
    check(&[
        OpeningError::Unknown { text: text(), similar: None },
        OpeningError::Unknown { text: text(), similar: Some(FIELDS[1]) },
        OpeningError::Several { text: text(), names: vec![FIELDS[1], FIELDS[2]] },
    ]);
    check(
        &each!(Requirement { MinPlies() AnyFile() Then() Within() Chess() })
            .into_iter()
            .map(RequestError::from)
            .collect::<Vec<_>>(),
    );
}

#[test]
fn every_reason_exists_in_both_languages() {
    check(&ParseFenError::each());
    check(&TargetPositionError::each());
    check(&PatternError::each());
    check(&MaterialError::each());
    check(&UnclearWinner::each());
    check(&Expected::each());
    check(&WordError::each());
    check(&[RepertoireError::OtherVariant, RepertoireError::TooLarge]);
}

#[test]
fn every_error_of_an_edit_exists_in_both_languages() {
    let reason = || RejectReason::IllegalMove(word());
    check(&each!(EditError {
        OnMainLine(GAME)
        NoAlternative(GAME)
        HasVariations(GAME)
        NotReadBack(GAME)
        LongComment()
        BraceInComment()
        NoMove()
        Glyph(text())
        SameMoves()
        AfterEnd()
        CommentOnGame()
        Variation(reason())
        Text { line: 4712, reason: reason() }
        BrokenVariation { line: 4712, reason: Box::new(reason()) }
        NoGame()
        SeveralGames()
        TagPair()
        TagName(text())
        LongValue(text())
        Control(text())
        Result()
        Rating()
        Date(DateError::NoDate)
    }));
    check(&each!(DateError {
        NoDate()
        TwoDates { day_first: Date::default(), month_first: Date::default() }
        Month()
        Day { month: 0, days: 31 }
    }));
    check(&(0..MONTHS.len()).map(|month| DateError::Day { month, days: 30 }).collect::<Vec<_>>());
}

#[test]
fn every_reason_for_which_a_game_is_rejected_exists_in_both_languages() {
    let reasons = vec![
        RejectReason::UnknownWord(word()),
        RejectReason::IllegalMove(word()),
        RejectReason::AmbiguousMove(word()),
        RejectReason::Drop(word()),
        RejectReason::NullMove(word()),
        RejectReason::InVariation(Box::new(RejectReason::UnknownWord(word()))),
        RejectReason::UnclearDate(DateError::Month),
        RejectReason::UnclosedComment,
        RejectReason::UnmatchedParenthesis,
        RejectReason::Unaccounted,
        RejectReason::BadTag(text()),
        RejectReason::BadFen(text()),
        RejectReason::ImpossiblePosition(text(), String::new()),
        RejectReason::TooManyMoves,
        RejectReason::UnknownVariant(text()),
        RejectReason::NotPgn,
        RejectReason::TooLong,
        RejectReason::TooManyTags,
        RejectReason::NoMoveToVary,
        RejectReason::CommentTooLarge,
        RejectReason::TooDeep,
        RejectReason::TooManyAnnotations,
        RejectReason::BadRecord(4711, text()),
        RejectReason::BadData(text()),
        RejectReason::NotUtf8,
        RejectReason::TooLarge,
        RejectReason::TooManyTogether,
        RejectReason::NeedsRepair(Warning::OddTag),
        RejectReason::Unstorable(text()),
        RejectReason::Unsound(text()),
        RejectReason::Panic,
    ];
    let source = fs::read_to_string("crates/pgn/src/reject.rs").unwrap();
    let keys = source.split("=> \"").skip(1).filter_map(|rest| rest.split('"').next());
    let keys: BTreeSet<&str> = keys.filter(|key| !key.is_empty() && !key.starts_with(';')).collect();
    assert_eq!(reasons.iter().map(RejectReason::key).collect::<BTreeSet<_>>(), keys);
    check(&reasons);
}

#[test]
fn every_failure_exists_in_both_languages() {
    check(
        &each!(Missing { Url() File() LeftOut() Change() Games() Game { id: GAME, first: 1, last: 4712 } Removed(GAME) Empty(GAME) }),
    );
    check(&each!(WhyApart { Start() Record(text()) Equal() }));
    let mut failures = each!(Failure {
        Refused { name: text(), why: Refused::NoChoice }
        NotFound(Missing::Url)
        TooLarge()
        Busy()
        TooSlow()
        Unwanted()
        DamagedIndex(PathBuf::new())
        // Details that are in English only.
        BadRequest(text())
        BadPgn(text())
        Conflict(text())
        Damaged(text())
        Internal(text())
    });
    failures.truncate(7);
    check(&failures);
}

struct Fieldless;

impl Display for Fieldless {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(FIELDS[0])
    }
}

impl German for Fieldless {
    fn german(&self) -> String {
        "nichts".to_owned()
    }
}

#[test]
#[should_panic(expected = "feld-eins: nichts")]
fn a_german_text_without_a_field_is_noticed() {
    check(&[Fieldless]);
}
