//! The options for the conditions on games, generated from the table of conditions.

use std::io::{self, Read};

use clap::{
    Arg, ArgAction, ArgMatches, builder::PossibleValuesParser, error::ErrorKind, parser::ValueSource,
    value_parser,
};

use crate::{
    archive::Filter,
    conditions::{CONDITIONS, Condition, FilterText, ValueType},
};

/// The largest number that a condition accepts.
const MOST: u64 = 100_000;

/// The maximum size of a list of ids on standard input.
const MOST_ID_BYTES: u64 = 1 << 26;

/// The options of a condition.
pub(super) fn of(condition: &'static Condition) -> Vec<Arg> {
    let arg = Arg::new(id(condition))
        .long(condition.option())
        .help(condition.help)
        .help_heading(condition.heading.text());
    let arg = if condition.more.is_empty() {
        arg
    } else {
        arg.long_help(format!("{}\n\n{}", condition.help, condition.more))
    };
    let arg = if condition.alias.is_empty() { arg } else { arg.alias(condition.alias) };
    let arg = if condition.needs.is_empty() { arg } else { arg.requires(condition.needs) };
    let valued = |arg: Arg| if condition.value.is_empty() { arg } else { arg.value_name(condition.value) };
    let checked = |text: &str| (condition.check)(text).map(|()| text.to_owned());
    let number = value_parser!(u64).range(1..=MOST);
    let appended = |arg: Arg| valued(arg).action(ArgAction::Append);
    match condition.kind {
        ValueType::Switch => vec![arg.action(ArgAction::SetTrue)],
        ValueType::YesOrNo(no, help) => {
            let no = Arg::new(no).long(no).help(help).help_heading(condition.heading.text());
            let no = no.action(ArgAction::SetTrue).conflicts_with(id(condition));
            vec![no, arg.action(ArgAction::SetTrue)]
        }
        ValueType::Text => {
            vec![valued(arg).value_parser(checked).allow_hyphen_values(condition.name == "result")]
        }
        ValueType::Word => {
            let words = (condition.offers)().into_iter().map(|choice| choice.value);
            vec![valued(arg).value_parser(PossibleValuesParser::new(words))]
        }
        ValueType::Number => vec![valued(arg).value_parser(number)],
        ValueType::Numbers => vec![appended(arg).value_parser(number)],
        ValueType::Codes if condition.name == "id" => vec![appended(arg).value_parser(ids)],
        ValueType::Texts | ValueType::Names(_) | ValueType::Codes => {
            vec![appended(arg).value_parser(checked)]
        }
    }
}

/// The argument id for clap. Commands have a `position` argument of their own.
fn id(condition: &Condition) -> &'static str {
    if condition.name == "position" { "reached" } else { condition.name }
}

/// Reads the conditions that were given.
pub(super) fn read(matches: &ArgMatches) -> Result<FilterText, clap::Error> {
    let mut text = FilterText::default();
    for condition in CONDITIONS {
        for value in values(condition, matches) {
            text.set(condition.name, &value)
                .map_err(|error| clap::Error::raw(ErrorKind::ValueValidation, error))?;
        }
    }
    Ok(text)
}

/// The values that were given for a condition.
fn values(condition: &Condition, matches: &ArgMatches) -> Vec<String> {
    let is_given = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
    let id = id(condition);
    match condition.kind {
        ValueType::YesOrNo(no, _) if is_given(no) => vec!["no".to_owned()],
        _ if !is_given(id) => Vec::new(),
        ValueType::Switch | ValueType::YesOrNo(..) => vec!["yes".to_owned()],
        ValueType::Number | ValueType::Numbers => {
            matches.get_many::<u64>(id).into_iter().flatten().map(u64::to_string).collect()
        }
        _ => matches.get_many::<String>(id).into_iter().flatten().cloned().collect(),
    }
}

/// Ids; `-` reads them from standard input.
fn ids(text: &str) -> Result<String, String> {
    let mut ids = text.to_owned();
    if text == "-" {
        ids.clear();
        let read = io::stdin().lock().take(MOST_ID_BYTES).read_to_string(&mut ids);
        let read = read.map_err(|error| format!("standard input: {error}"))?;
        if read as u64 == MOST_ID_BYTES {
            return Err("too many ids on standard input".to_owned());
        }
        if ids.trim().is_empty() {
            // An empty list must find no game; no game has this id.
            ids = "0".to_owned();
        }
    }
    Filter::id_ranges(&ids).map(|_| ids).map_err(|error| error.to_string())
}
