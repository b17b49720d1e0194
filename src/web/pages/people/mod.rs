//! The pages of players, events and openings. The same URLs with `.json` or `.csv` at the end return their data.

mod event;
mod lists;
mod opening;
mod own_lines;
mod player;
mod prepare;
mod report;
mod rows;
mod tree;
mod unknown;

use serde::Serialize;

pub(in crate::web) use self::{
    event::event,
    lists::{events, openings, players},
    opening::opening,
    player::player,
    prepare::{compare, prepare},
    report::report,
};
use super::{
    Address, Answer, Bar, Board, Failure, Messages, Page, RequestContext, Result, answer,
    names::exact,
    sorting::{Column, Head, SORT, Sorting},
};
use crate::{
    archive::NameKind,
    present::{
        Answer as Listed,
        list::{ListOptions, by_name},
    },
    web::reply::CSV,
};

/// The form in which a page is requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Page,
    Json,
    Csv,
}

impl Form {
    /// The form that the end of a path requests, and the name before it. If there is something with the complete name,
    /// its page is meant: its data is at the same path with another ending.
    fn of(path: &str, is_name: impl Fn(&str) -> Result<bool>) -> Result<(&str, Form)> {
        for (ending, form) in [(".json", Form::Json), (".csv", Form::Csv)] {
            if let Some(name) = path.strip_suffix(ending)
                && !is_name(path)?
            {
                return Ok((name, form));
            }
        }
        Ok((path, Form::Page))
    }

    /// The data of a page: a value as JSON, or rows.
    fn data(self, json: &impl Serialize, rows: &impl Listed) -> Result<Answer> {
        let Some(format) = by_name("csv").filter(|_| self == Form::Csv) else { return Answer::json(json) };
        let mut out = Vec::new();
        rows.write_list(&mut out, format, ListOptions::default()).map_err(Failure::internal)?;
        Ok(Answer::new(CSV, out))
    }
}

/// The name at the end of a path, a pattern that matches it, and the form in which its page is requested. A name that
/// the archive does not have is a pattern, as in a search.
fn requested<'a>(
    context: &RequestContext<'_>,
    of: NameKind,
    path: &'a str,
) -> Result<(&'a str, String, Form)> {
    let has = |name: &str| Ok(context.archive.names().similar(of, &exact(name), 0)?.is_none());
    let (name, form) = Form::of(path, has)?;
    Ok((name, if has(name)? { exact(name) } else { name.to_owned() }, form))
}
