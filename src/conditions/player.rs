//! A player of the game.

use super::condition::{Condition, FormSection, Given, Heading, ValueType};
use super::{colour::colour_of, draft::Draft, names::name};
use crate::archive::NameKind;
use crate::request::RequestError;

pub(super) const CONDITION: Condition = Condition {
    value: "NAME",
    more: "Names match regardless of case, accents and script: kasparov, 'garry kasparov' and Каспаров find \"Kasparov, Garry\". The family name must match in complete words, and the given names must be compatible: 'Adams, Michael' finds \"Adams,Mi\" and \"Adams, M\", but neither \"Adams, Mark\" nor \"Rohde, Michael A\". With *, which stands for any letters, the complete name must match: 'adams mi*', '*garry*'. A name in quotation marks must match exactly: '\"Carlsen,M\"'. Separate several names with semicolons: 'tal; petrosian'.",
    place: FormSection::Games,
    ..Condition::new(
        "player",
        ValueType::Names(Some(NameKind::Player)),
        Heading::Players,
        "Player with either colour: kasparov, 'Adams, Michael', 'kasp*'; may be repeated, like all names, codes and ids",
        ["Player", "Spieler"],
        ask,
    )
};

/// If the colour is known, this sets the name of that side.
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
