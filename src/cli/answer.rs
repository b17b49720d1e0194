//! What all commands that answer a question about games have in common: their options, and how they write the
//! answer in the requested format.

use std::{io::Write, ops::ControlFlow};

use anyhow::{anyhow, bail};
use clap::Args;

use super::{
    ArchiveArg, ExitStatus,
    filter::FilterArgs,
    format::{Form, Format},
    terminal::{self, OutputArgs},
};
use crate::{
    archive::Archive,
    files::Output,
    present::{
        Answer, ListStyle,
        list::{ListOptions, TextStyle},
    },
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

    /// Shows progress, as the number of games done, while the answer is computed.
    pub(super) fn watch(
        &self,
        archive: &Archive,
    ) -> anyhow::Result<impl FnMut(u64) -> ControlFlow<()> + use<>> {
        Ok(terminal::watch(self.filter.bar(archive)?))
    }

    /// [Writes](write()) an answer.
    pub(super) fn write<A: Answer>(
        &self,
        out: &mut dyn Write,
        form: Format<Form>,
        answer: Option<A>,
    ) -> anyhow::Result<ExitStatus> {
        let Some(answer) = answer else { return Err(stopped()) };
        write(out, form, self.output.text_style(), &answer)
    }
}

/// The error for an answer that was cancelled.
pub(super) fn stopped() -> anyhow::Error {
    anyhow!("stopped")
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
        Format::Own(Form::Markdown) => answer.write_text(out, TextStyle::MARKDOWN)?,
        Format::Own(Form::Json) => terminal::json(out, answer)?,
        Format::Own(Form::Svg) => match answer.picture() {
            Some(picture) => out.write_all(picture.as_bytes())?,
            None => bail!("this report has no image format; choose another --format"),
        },
        Format::List(format) => {
            let options = ListOptions { width: style.width, ..ListOptions::default() };
            answer.write_list(out, ListStyle { format, options })?;
        }
    }
    Ok(ExitStatus::complete_if(answer.count() > 0))
}
