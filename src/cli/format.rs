//! The option for the output format of a command: the formats of all lists, and its own.

use std::io::{self, Write};

use clap::{
    Args, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use serde::Serialize;

use super::terminal;
use crate::present::list::{self, Head, LIST_FORMATS, ListFormat, Picked, UnknownColumn};

/// The columns of a list.
#[derive(Debug, Args)]
pub(super) struct ColumnsArg {
    /// Print only these columns, in this order: white,black,date; in JSON, only these fields
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Output")]
    columns: Vec<String>,
}

impl ColumnsArg {
    /// A format limited to these columns of a list, if any were given.
    pub(super) fn of(
        &self,
        format: &'static dyn ListFormat,
        head: &Head<'static>,
    ) -> Result<Option<Picked>, UnknownColumn> {
        (!self.columns.is_empty()).then(|| Picked::new(format, head, &self.columns)).transpose()
    }

    /// Whether any columns were given.
    pub(super) fn is_given(&self) -> bool {
        !self.columns.is_empty()
    }
}

/// The format to write a list in: limited to the given columns, or the format itself.
pub(super) fn or_all<'a>(picked: &'a Option<Picked>, format: &'static dyn ListFormat) -> &'a dyn ListFormat {
    picked.as_ref().map_or(format, |picked| picked)
}

/// A format of a command that prints a list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format<T> {
    /// A format that only this command has.
    Own(T),
    /// A format that every list has.
    List(&'static dyn ListFormat),
}

/// A form of an [answer](crate::present::Answer) other than a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    Svg,
    Markdown,
}

/// The formats of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ReportFormat {
    Text,
    Json,
}

impl ReportFormat {
    /// Prints a report as JSON, or as the text that `text` writes.
    pub(super) fn print(
        self,
        answer: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if self == ReportFormat::Json {
            return Ok(terminal::print_json(answer)?);
        }
        let mut out = terminal::stdout();
        text(&mut out)?;
        Ok(out.flush()?)
    }

    /// Like [`print`](Self::print), but omits the text with `--quiet`. A closed pipe does not change the exit code.
    pub(super) fn print_unless(
        self,
        quiet: bool,
        answer: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> anyhow::Result<()> {
        if quiet && self == ReportFormat::Text { Ok(()) } else { terminal::printed(self.print(answer, text)) }
    }
}

/// The formats of lists.
pub(super) fn lists() -> impl TypedValueParser<Value = &'static dyn ListFormat> {
    let values: Vec<_> = LIST_FORMATS.iter().map(|format| value(*format)).collect();
    PossibleValuesParser::new(values).try_map(|name| list::by_name(&name).ok_or("unknown format"))
}

/// A format of a single command: its name, its description, and its value.
pub(super) type CommandFormat<T> = (&'static str, &'static str, T);

/// The formats of lists and those of a command. If both have a format of the same name, that of the command wins.
pub(super) fn lists_or<T: Copy + Send + Sync + 'static>(
    own: impl IntoIterator<Item = CommandFormat<T>>,
) -> impl TypedValueParser<Value = Format<T>> {
    let own: Vec<_> = own.into_iter().map(|own| (own_value(own), own.2)).collect();
    let is = |own: &PossibleValue, list: &dyn ListFormat| own.matches(list.name(), false);
    let of = |list: &dyn ListFormat| own.iter().map(|(own, _)| own).find(|own| is(own, list));
    let lists = LIST_FORMATS.iter().map(|list| of(*list).cloned().unwrap_or_else(|| value(*list)));
    let others = own.iter().map(|(own, _)| own).filter(|own| !LIST_FORMATS.iter().any(|list| is(own, *list)));
    PossibleValuesParser::new(lists.chain(others.cloned()).collect::<Vec<_>>()).try_map(move |name| match own
        .iter()
        .find(|(own, _)| own.matches(&name, false))
    {
        Some((_, own)) => Ok(Format::Own(*own)),
        None => list::by_name(&name).map(Format::List).ok_or("unknown format"),
    })
}

/// The formats of a command that does not print a list.
pub(super) fn only<T: Copy + Send + Sync + 'static, const N: usize>(
    own: [CommandFormat<T>; N],
) -> impl TypedValueParser<Value = Format<T>> {
    PossibleValuesParser::new(own.map(own_value)).try_map(move |name| {
        let found = own.iter().find(|own| own_value(**own).matches(&name, false));
        found.map(|own| Format::Own(own.2)).ok_or("unknown format")
    })
}

/// `table` is an alias of `text`.
fn own_value<T>((name, about, _): CommandFormat<T>) -> PossibleValue {
    let value = PossibleValue::new(name).help(about);
    if name == "text" { value.alias(list::TABLE.name()) } else { value }
}

fn value(format: &dyn ListFormat) -> PossibleValue {
    PossibleValue::new(format.name()).help(format.about())
}
