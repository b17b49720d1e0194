//! The frame of a command that answers a question about games: what it has in common with the others, and how its answer
//! comes out in the form that is asked for.

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

/// Of which games, and where the answer goes. It is the last field of a command, as [`FilterArgs`] is.
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
    /// Opens what is written.
    pub(super) fn out(&self) -> anyhow::Result<Output> {
        self.output.open(&self.archive.protected())
    }

    /// Shows how many games are done while the answer is found.
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

/// What is said where an answer was broken off.
pub(super) fn stopped() -> anyhow::Error {
    anyhow!("it was stopped")
}

/// Writes an answer in a form.
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
            None => bail!("there is no picture of this: choose another --format"),
        },
        Format::List(format) => {
            let options = ListOptions { width: style.width, ..ListOptions::default() };
            answer.write_list(out, ListStyle { format, options })?;
        }
    }
    Ok(ExitStatus::complete_if(answer.count() > 0))
}
