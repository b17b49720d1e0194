//! What all commands that answer a question about games have in common: their options, the formats of the answer, and
//! how it is written.

use std::{
    ffi::OsString,
    io::{self, Write},
    path::Path,
};

use anyhow::bail;
use clap::{
    Args, Command, ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use serde::Serialize;

use super::{
    ArchiveArg, ExitStatus,
    filter::FilterArgs,
    terminal::{self, OutputArgs},
};
use crate::{
    files::Output,
    present::{
        Answer, html,
        list::{LIST_FORMATS, ListFormat, ListOptions, Markup, TextStyle},
    },
    query::Context,
    request::CodeFormat,
};

/// The games to use, and where the answer goes. Must be the last field of a command; see [`FilterArgs`].
#[derive(Debug, Args)]
pub(super) struct AnswerArgs {
    #[command(flatten)]
    pub(super) output: OutputArgs,
    #[command(flatten)]
    pub(super) archive: ArchiveArg,
    #[command(flatten)]
    pub(super) filter: FilterArgs,
}

impl AnswerArgs {
    /// Opens the output.
    pub(super) fn out(&self) -> anyhow::Result<Output> {
        self.output.open(&self.archive.protected())
    }

    /// Runs a query, and meanwhile shows the number of games done.
    pub(super) fn ask<T, E: Into<anyhow::Error>>(
        &self,
        context: Context<'_>,
        query: impl FnOnce(Context<'_>) -> Result<T, E>,
    ) -> anyhow::Result<T> {
        let bar = self.filter.bar(context.archive)?;
        terminal::with_bar(bar, context, query).map_err(Into::into)
    }

    /// [Writes](write()) an answer.
    pub(super) fn write<A: Answer>(
        &self,
        out: &mut dyn Write,
        form: Format<Form>,
        answer: A,
    ) -> anyhow::Result<ExitStatus> {
        write(out, form, self.output.text_style(), &answer)
    }
}

/// Writes an answer in a format.
pub(super) fn write(
    out: &mut dyn Write,
    form: Format<Form>,
    style: TextStyle,
    answer: &impl Answer,
) -> anyhow::Result<ExitStatus> {
    match form {
        Format::Own(Form::Text) => answer.write_text(out, style)?,
        Format::Own(Form::Markdown) => answer.write_text(out, TextStyle::of(Markup::Markdown))?,
        Format::Own(Form::Html) => {
            let mut text = Vec::new();
            answer.write_text(&mut text, TextStyle::of(Markup::Html))?;
            out.write_all(html::document(&String::from_utf8_lossy(&text)).as_bytes())?;
        }
        Format::Own(Form::Json) => terminal::json(out, answer)?,
        Format::Own(Form::Svg) => match answer.picture() {
            Some(picture) => out.write_all(picture.as_bytes())?,
            None => bail!("this report has no image format; choose another --format"),
        },
        Format::List(format) => {
            let options = ListOptions { width: style.width, ..ListOptions::default() };
            answer.write_list(out, format, options)?;
        }
    }
    Ok(ExitStatus::complete_if(answer.count() > 0))
}

/// The columns of a list.
#[derive(Debug, Args)]
pub(super) struct ColumnsArg {
    /// Print only these columns, in this order: white,black,date; in JSON, only these fields
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', help_heading = "Output")]
    pub(super) columns: Vec<String>,
}

/// A format of a command that prints a list.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format<T> {
    /// A format that only this command has.
    Own(T),
    /// A format that every list has.
    List(&'static ListFormat),
}

/// A form of an [answer](crate::present::Answer) other than a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Json,
    Svg,
    Markdown,
    Html,
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
            let mut out = terminal::raw_stdout();
            terminal::json(&mut out, answer)?;
            return Ok(out.flush()?);
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

/// The values of an option, which users choose by name.
pub(super) fn named<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = (PossibleValue, T)>,
) -> impl TypedValueParser<Value = T> {
    let (names, values): (Vec<_>, Vec<_>) = values.into_iter().unzip();
    PossibleValuesParser::new(names.clone()).try_map(move |name| {
        let place = names.iter().position(|value| value.matches(&name, false));
        place.and_then(|place| values.get(place).cloned()).ok_or("unknown value")
    })
}

/// The formats of lists.
pub(super) fn lists() -> impl TypedValueParser<Value = &'static ListFormat> {
    named(LIST_FORMATS.iter().map(|format| (value(format), format)))
}

/// A value of an option: its name, perhaps followed by aliases after spaces; its description, if any; and the value.
pub(super) type Choice<T> = (&'static str, &'static str, T);

/// The values of an option, with descriptions.
pub(super) fn choice<T: Clone + Send + Sync + 'static>(
    values: impl IntoIterator<Item = Choice<T>>,
) -> impl TypedValueParser<Value = T> {
    named(values.into_iter().map(|(names, about, value)| described(names, about, value)))
}

fn described<T>(names: &'static str, about: &'static str, value: T) -> (PossibleValue, T) {
    let mut names = names.split(' ');
    let name = PossibleValue::new(names.next().unwrap_or_default()).aliases(names);
    (if about.is_empty() { name } else { name.help(about) }, value)
}

/// The formats of lists and those of a command. If both have a format of the same name, that of the command wins.
pub(super) fn lists_or<T: Copy + Send + Sync + 'static>(
    own: impl IntoIterator<Item = Choice<T>>,
) -> impl TypedValueParser<Value = Format<T>> {
    let own = own.into_iter().map(|(names, about, value)| described(names, about, Format::Own(value)));
    let own: Vec<_> = own.collect();
    let is = |(own, _): &&(PossibleValue, _), list: &ListFormat| own.matches(list.name, false);
    let list = |list: &'static ListFormat| {
        own.iter().find(|own| is(own, list)).cloned().unwrap_or_else(|| (value(list), Format::List(list)))
    };
    let others = own.iter().filter(|own| !LIST_FORMATS.iter().any(|list| is(own, list))).cloned();
    named(LIST_FORMATS.iter().map(list).chain(others).collect::<Vec<_>>())
}

fn value(format: &ListFormat) -> PossibleValue {
    PossibleValue::new(format.name).help(format.about)
}

/// File extensions that differ from the name of the format.
const OTHER_ENDINGS: [(&str, &str); 5] =
    [("md", "markdown"), ("ndjson", "jsonl"), ("htm", "html"), ("si4", "scid4"), ("si5", "scid5")];

/// The file extension that selects no format: the output is that of a terminal.
const TEXT_ENDING: &str = "txt";

/// Adds `--format` to the arguments if the extension of `--output` names a format of the command and `--format` is
/// not given. This runs before clap, because a value parser of clap may read standard input.
///
/// # Errors
/// The extension names no format. Otherwise the file would have the default format, which its name contradicts.
pub(super) fn with_format(mut arguments: Vec<OsString>, program: &Command) -> anyhow::Result<Vec<OsString>> {
    let Some(named) = file_with_extension(&arguments, program) else { return Ok(arguments) };
    let FileExtension { place, file, ending, formats } = named;
    let other = OTHER_ENDINGS.into_iter().find(|(name, _)| *name == ending);
    let format = other.map_or(ending.as_str(), |(_, format)| format);
    if formats.iter().any(|value| value.matches(format, true)) {
        arguments.splice(place..place, ["--format".into(), format.into()]);
    } else if ending != TEXT_ENDING {
        let known = formats.iter().filter(|value| !value.is_hide_set()).map(PossibleValue::get_name);
        let known = known.filter(|name| !["table", "text"].contains(name));
        let ending = |name| match name {
            "markdown" => "md",
            "scid4" => "si4",
            "scid5" => "si5",
            name => name,
        };
        let known: String = known.map(|name| format!(".{}, ", ending(name))).collect();
        bail!("{file}: unknown file extension; use {known}.{TEXT_ENDING}, or --format with any name");
    }
    Ok(arguments)
}

/// An output file whose extension may name a format.
struct FileExtension {
    /// The index at which to insert the format: after the name of the command.
    place: usize,
    file: String,
    ending: String,
    /// The formats of the command.
    formats: Vec<PossibleValue>,
}

fn file_with_extension(arguments: &[OsString], program: &Command) -> Option<FileExtension> {
    let (mut command, mut place) = (program, 1);
    while let Some(below) = arguments.get(place)?.to_str().and_then(|name| command.find_subcommand(name)) {
        (command, place) = (below, place + 1);
    }
    let words = || arguments.iter().skip(place).filter_map(|word| word.to_str());
    if words().any(|word| word == "--format" || word.starts_with("--format=")) {
        return None;
    }
    let named = words().zip(words().skip(1)).find(|(word, _)| matches!(*word, "-o" | "--output"));
    let output = named.map(|(_, file)| file).or_else(|| words().find_map(attached))?;
    let ending = Path::new(output).extension()?.to_str()?.to_ascii_lowercase();
    let mut command = command.clone();
    command.build();
    // Other commands have an archive as their output.
    command.get_groups().find(|group| group.get_id() == "OutputArgs")?;
    let formats = command.get_arguments().find(|argument| argument.get_id() == "format")?;
    Some(FileExtension { place, file: output.to_owned(), ending, formats: formats.get_possible_values() })
}

/// The file in `--output=FILE` or `-oFILE`.
fn attached(word: &str) -> Option<&str> {
    word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o").filter(|file| !file.is_empty()))
}

/// The notations of codes.
pub(super) const CODE_FORMATS: [Choice<CodeFormat>; 4] = [
    ("hex", "Bytes in hexadecimal", CodeFormat::Hex),
    ("base64url", "Bytes in base64url without padding", CodeFormat::Base64url),
    ("bits", "Bits as 0 and 1", CodeFormat::Bits),
    ("int", "One decimal integer", CodeFormat::Int),
];

/// The notations of games, whose bits have no order apart from the integer.
pub(super) const GAME_CODE_FORMATS: [Choice<CodeFormat>; 3] =
    [("int", "", CodeFormat::Int), ("hex", "", CodeFormat::Hex), ("base64url", "", CodeFormat::Base64url)];
