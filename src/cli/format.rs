//! The formats that a command prints in, as an option: those of lists, and its own.

use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};

use crate::present::list::{self, Head, LIST_FORMATS, ListFormat, Picked, UnknownColumn};

/// Which columns a list has.
#[derive(Debug, Args)]
pub(super) struct ColumnsArg {
    /// Only these columns, in this order, with commas between them: white,black,date; in JSON, these fields
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
}

impl ColumnsArg {
    /// A format with these columns of a list, if any are named.
    pub(super) fn of(
        &self,
        format: &'static dyn ListFormat,
        head: &Head<'static>,
    ) -> Result<Option<Picked>, UnknownColumn> {
        (!self.columns.is_empty()).then(|| Picked::new(format, head, &self.columns)).transpose()
    }

    /// Whether any are named.
    pub(super) fn is_given(&self) -> bool {
        !self.columns.is_empty()
    }
}

/// What writes a list: a format with some columns, or the format itself.
pub(super) fn or_all<'a>(picked: &'a Option<Picked>, format: &'static dyn ListFormat) -> &'a dyn ListFormat {
    picked.as_ref().map_or(format, |picked| picked)
}

/// A format of a command that prints a list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format<T> {
    /// One that only this command has.
    Own(T),
    /// One that every list has.
    List(&'static dyn ListFormat),
}

/// The forms of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    Text,
    Json,
}

/// The formats of lists.
pub(super) fn lists() -> impl TypedValueParser<Value = &'static dyn ListFormat> {
    let values: Vec<_> = LIST_FORMATS.iter().map(|format| value(*format)).collect();
    PossibleValuesParser::new(values).try_map(|name| list::by_name(&name).ok_or("no format"))
}

/// The formats of lists and those of a command. One of the command takes the place of a list's if both have a name.
pub(super) fn lists_or<T: ValueEnum + Send + Sync + 'static>() -> impl TypedValueParser<Value = Format<T>> {
    let own: Vec<PossibleValue> = T::value_variants().iter().filter_map(T::to_possible_value).collect();
    let is = |own: &PossibleValue, list: &dyn ListFormat| own.matches(list.name(), false);
    let lists = LIST_FORMATS
        .iter()
        .map(|list| own.iter().find(|own| is(own, *list)).cloned().unwrap_or_else(|| value(*list)));
    let others = own.iter().filter(|own| !LIST_FORMATS.iter().any(|list| is(own, *list))).cloned();
    PossibleValuesParser::new(lists.chain(others).collect::<Vec<_>>()).try_map(|name| {
        match T::from_str(&name, false) {
            Ok(own) => Ok(Format::Own(own)),
            Err(_) => list::by_name(&name).map(Format::List).ok_or("no format"),
        }
    })
}

fn value(format: &dyn ListFormat) -> PossibleValue {
    PossibleValue::new(format.name()).help(format.about())
}
