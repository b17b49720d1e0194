//! The prompt of `plybook sql`, with history and completion.

use std::{
    env, fs,
    io::Write,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rustyline::{
    Context, Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::DefaultHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};

use super::functions;
use crate::{
    archive::{SQL_EXAMPLES, SqlArchive, SqlValue},
    cli::terminal,
    functions::FUNCTIONS,
    present::{
        cell_rows::write_sql,
        list::{self, LIST_FORMATS, ListFormat, ListOptions},
    },
};

const HELP: &str = "\
Statements end with ; and may span several lines. Ctrl-C aborts a running statement, Ctrl-D exits.
  .tables            list tables and views
  .schema [NAME]     show how they are defined
  .functions         list the chess functions
  .examples          show example statements
  .format FORMAT     set the output format: table, csv, json, jsonl or markdown
  .quit              exit";

/// SQL keywords to complete.
const WORDS: &str = "SELECT,FROM,WHERE,GROUP BY,ORDER BY,LIMIT,OFFSET,HAVING,JOIN,LEFT JOIN,USING,AND,OR,NOT,NULL,\
    LIKE,BETWEEN,DISTINCT,count(*),CASE,WHEN,THEN,ELSE,END,DESC,UNION ALL,WITH,EXPLAIN QUERY PLAN";

/// The commands of the prompt.
const COMMANDS: &str = ".help,.tables,.schema,.functions,.examples,.format,.quit";

/// The prompt.
pub(super) struct Prompt {
    pub(super) archive: SqlArchive,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) format: &'static ListFormat,
    pub(super) options: ListOptions,
    pub(super) parameters: Vec<(String, SqlValue)>,
}

impl Prompt {
    /// Reads and runs statements until the end of input.
    pub(super) fn run(mut self) -> anyhow::Result<()> {
        let mut editor: Editor<Completions, DefaultHistory> = Editor::new()?;
        editor.set_helper(Some(Completions::new(&self.archive)?));
        let history = history();
        if let Some(history) = &history {
            // The first time, there is no history.
            let _ = editor.load_history(history);
        }
        terminal::tell("SQL with chess functions; type .help for help, Ctrl-D to exit");
        loop {
            let line = match editor.readline("plybook> ") {
                Ok(line) => line,
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(error.into()),
            };
            if line.trim().is_empty() {
                continue;
            }
            editor.add_history_entry(line.trim())?;
            self.stop.store(false, Relaxed);
            if line.trim() == ".quit" {
                break;
            }
            if let Err(error) = self.answer(line.trim()) {
                if terminal::is_closed_pipe(&error) {
                    break;
                }
                terminal::tell_error("", &error);
            }
        }
        if let Some(history) = &history {
            // If this fails, only the history is lost.
            let _ = editor.save_history(history);
        }
        Ok(())
    }

    fn answer(&mut self, line: &str) -> anyhow::Result<()> {
        let mut out = terminal::stdout();
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some(".help"), _) => writeln!(out, "{HELP}")?,
            (Some(".functions"), _) => writeln!(out, "{}", functions())?,
            (Some(".examples"), _) => writeln!(out, "{SQL_EXAMPLES}")?,
            (Some(".tables"), _) => {
                self.ask(SqlArchive::TABLES, &mut out)?;
            }
            (Some(".schema"), name) => {
                for statement in self.archive.schema(name)? {
                    writeln!(out, "{statement};")?;
                }
            }
            (Some(".format"), Some(name)) => match list::by_name(name) {
                Some(format) => self.format = format,
                None => {
                    let names: Vec<&str> = LIST_FORMATS.iter().map(|format| format.name()).collect();
                    anyhow::bail!("unknown format {name:?}; use one of {}", names.join(", "))
                }
            },
            (Some(command), _) if command.starts_with('.') => {
                anyhow::bail!("unknown command \"{command}\"; type .help for a list")
            }
            _ => self.ask(line, &mut out)?,
        }
        Ok(out.flush()?)
    }

    fn ask(&mut self, statements: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        write_sql(&mut self.archive, statements, &self.parameters, self.format, self.options, out)?;
        Ok(())
    }
}

/// The file of the history, in the directory for state that does not need a backup.
fn history() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))?;
    let folder = state.join("plybook");
    fs::create_dir_all(&folder).ok().map(|()| folder.join("sql_history"))
}

/// The words that can be completed.
struct Completions(Vec<String>);

impl Completions {
    fn new(archive: &SqlArchive) -> anyhow::Result<Completions> {
        let functions = FUNCTIONS.iter().map(|function| format!("{}(", function.name));
        let fixed = WORDS.split(',').chain(COMMANDS.split(',')).map(str::to_owned);
        let mut words: Vec<String> = fixed.chain(functions).chain(archive.names()?).collect();
        words.sort_unstable();
        words.dedup();
        Ok(Completions(words))
    }
}

impl Completer for Completions {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let before = line.get(..end).unwrap_or_default();
        let is_of_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        let begin = before.rfind(|c| !is_of_word(c)).map_or(0, |at| at + 1);
        let begun = before.get(begin..).unwrap_or_default().to_ascii_lowercase();
        let fits = |word: &&String| word.to_ascii_lowercase().starts_with(&begun);
        let found = if begun.is_empty() { Vec::new() } else { self.0.iter().filter(fits).cloned().collect() };
        Ok((begin, found))
    }
}

/// A statement continues until its semicolon.
impl Validator for Completions {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        let text = context.input().trim();
        let is_whole = text.is_empty() || text.starts_with('.') || text.ends_with(';');
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}

impl Helper for Completions {}
