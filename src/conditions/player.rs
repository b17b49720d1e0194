//! Player.

use super::condition::{Condition, Given, Heading, Kind, Place};
use super::{colour::colour_of, draft::Draft, names::name};
use crate::archive::NameKind;
use crate::request::RequestError;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    more: "Names match without regard to case, accents and script: kasparov, 'garry kasparov' and Каспаров find \"Kasparov, Garry\". The family name must be there in complete words, and the given names must agree: 'Adams, Michael' finds \"Adams,Mi\" and \"Adams, M\", and neither \"Adams, Mark\" nor \"Rohde, Michael A\". * stands for any letters, and then the whole name must match: 'adams mi*', '*garry*'. In quotation marks it is the whole name, letter for letter: '\"Carlsen,M\"'. Several names have semicolons between them: 'tal; petrosian'.",
    place: Place::Games,
    ..Condition::new(
        "player",
        Kind::Names(Some(NameKind::Player)),
        Heading::Players,
        "White or Black: kasparov, 'Adams, Michael', 'kasp*'; may be repeated, as all names, codes and ids",
        ["Player", "Spieler"],
        ask,
    )
};

/// A player whose colour is known is named as that side.
fn ask(given: &Given<'_>, draft: &mut Draft) -> Result<(), RequestError> {
    let (name, rows) = (Some(name(given.text())?), &mut draft.rows);
    let Some(colour) = colour_of(given.text)? else {
        rows.player = name;
        return Ok(());
    };
    if given.text.has(colour.fold_wb("white", "black")) {
        return Err(RequestError::TwoNames(colour));
    }
    *colour.fold_wb(&mut rows.white, &mut rows.black) = name;
    Ok(())
}
