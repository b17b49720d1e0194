//! `plybook sql`: statements, or a prompt with history and completion

use std::{
    env, fs,
    io::{self, IsTerminal, Read, Write},
    path::{Path, PathBuf},
    process::exit,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use anyhow::{Context, bail};
use clap::Args;
use rustyline::{
    Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::DefaultHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};

use super::{
    ArchiveArg, ExitStatus,
    answer::lists,
    interrupt,
    terminal::{self, OutputArgs},
};
use crate::{
    archive::{SQL_EXAMPLES, SqlArchive, SqlError, SqlLimits, SqlValue},
    functions::FUNCTIONS,
    limits::MAX_SQL_BYTES,
    present::{
        cell_rows::write_sql,
        list::{self, LIST_FORMATS, ListFormat, ListOptions},
    },
};

/// Query an archive in SQL, with chess functions
///
/// The views games and other_tag contain all data of the games. Functions such as fen(moves, 20), san, movetext,
/// result, reaches(moves, FEN), eco_name and material extract what is in the moves, and the table function
/// positions(moves) lists all positions of a game. The archive is read-only. Without a statement, a prompt opens.
///
/// Examples:
/// * plybook sql 'SELECT white, black, fen(moves, 20) FROM games LIMIT 5'
/// * plybook sql 'SELECT eco_name(eco) AS opening, count(*) FROM games GROUP BY 1 ORDER BY 2 DESC'
/// * plybook sql 'SELECT id FROM games WHERE reaches(moves, :p)' --param p='8/8/4k3/8/8/4K3/4P3/8 w - -'
/// * plybook sql 'SELECT ply, san FROM games, positions(moves) WHERE id = 1' --format csv
/// * plybook sql --file questions.sql --format json
/// * plybook sql                                   open a prompt; .help lists its commands
#[derive(Debug, Args)]
#[command(after_help = format!("{{examples}}

Functions:
{}

moves is a column of the view games. ply counts half-moves; negative values
count from the end, and '12w' is White's 12th move. start and variant are the
columns fen and variant: pass them for games with another start position or
variant. For such games, the functions return NULL without them.
For details, see docs/sql.md.", functions()))]
pub(super) struct Sql {
    /// Statements to run; - reads them from standard input
    #[arg(value_name = "STATEMENT", conflicts_with = "file")]
    statement: Option<String>,
    /// Read the statements from a file
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Value of :NAME in the statements, as a number if it is one; may be repeated
    #[arg(short, long = "param", value_name = "NAME=VALUE", value_parser = parameter)]
    parameters: Vec<(String, SqlValue)>,
    /// Abort a statement after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,
    /// Output format
    #[arg(long, value_parser = lists(), default_value = "table", help_heading = "Output")]
    format: &'static ListFormat,
    /// CSV: put ' before cells that spreadsheets treat as formulas
    #[arg(long, help_heading = "Output")]
    spreadsheet: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    archive: ArchiveArg,
}

/// The functions with their arguments, one per line.
fn functions() -> String {
    let line = |function: &crate::functions::Function| {
        let optional = function.arguments.len() - function.optional;
        let (needed, more) = function.arguments.split_at(optional);
        let more: String = more.iter().map(|argument| format!(" [, {argument}]")).collect();
        format!("  {}({}{more})\n      {}", function.name, needed.join(", "), function.about)
    };
    let positions =
        "  positions(moves [, start] [, variant])\n      a table with the columns ply, san, uci, fen, key"
            .to_owned();
    FUNCTIONS.iter().map(line).chain([positions]).collect::<Vec<_>>().join("\n")
}

fn parameter(text: &str) -> Result<(String, SqlValue), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let name = name.trim_start_matches([':', '@', '$']);
    if name.is_empty() {
        return Err("the name is missing; expected NAME=VALUE".to_owned());
    }
    let number = || value.parse().map(SqlValue::Integer).ok();
    let fraction = || value.parse().ok().filter(|number: &f64| number.is_finite()).map(SqlValue::Real);
    Ok((name.to_owned(), number().or_else(fraction).unwrap_or_else(|| SqlValue::Text(value.to_owned()))))
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds greater than 0".to_owned())
}

impl Sql {
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = SqlLimits { time: self.time_limit, stop: Arc::clone(&stop) };
        let statements = match (&self.statement, &self.file) {
            (Some(statement), _) if statement != "-" => Some(statement.clone()),
            (None, Some(file)) if file != Path::new("-") => Some(read(fs::File::open(file), file)?),
            (None, None) if io::stdin().is_terminal() => None,
            _ => Some(read(Ok(io::stdin().lock()), Path::new("standard input"))?),
        };
        let mut archive = SqlArchive::new(self.archive.open()?, limits)?;
        let options = ListOptions { spreadsheet: self.spreadsheet, ..self.output.list_options() };
        interrupt::ask_first(Arc::clone(&stop));
        let Some(statements) = statements else {
            let (format, parameters) = (self.format, self.parameters);
            Prompt { archive, stop, format, options, parameters }.run()?;
            return Ok(ExitStatus::Complete);
        };
        let mut out = self.output.open(&self.archive.protected())?;
        let written = write_sql(&mut archive, &statements, &self.parameters, self.format, options, &mut out);
        match written {
            Ok(_) => {
                out.finish()?;
                Ok(ExitStatus::Complete)
            }
            Err(SqlError::Stopped) => exit(interrupt::STOPPED),
            Err(SqlError::NoValue(name)) => {
                let plain = name.trim_start_matches([':', '@', '$']);
                bail!("the parameter {name} has no value; set it with --param {plain}=VALUE")
            }
            Err(SqlError::Output(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}

/// Reads all of a text, up to a maximum size.
fn read(file: io::Result<impl Read>, path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let read = file.and_then(|file| file.take(MAX_SQL_BYTES + 1).read_to_end(&mut bytes));
    read.with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.len() as u64 > MAX_SQL_BYTES {
        bail!("{} is larger than the limit of {MAX_SQL_BYTES} bytes", path.display());
    }
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))
}

const HELP: &str = "\
Statements end with ; and may span several lines. Ctrl-C aborts a running statement, Ctrl-D exits.
  .tables            list tables and views
  .schema [NAME]     show how they are defined
  .functions         list the chess functions
  .examples          show example statements
  .format FORMAT     set the output format: table, csv, json, jsonl, markdown or html
  .quit              exit";

/// SQL keywords to complete.
const WORDS: &str = "SELECT,FROM,WHERE,GROUP BY,ORDER BY,LIMIT,OFFSET,HAVING,JOIN,LEFT JOIN,USING,AND,OR,NOT,NULL,\
    LIKE,BETWEEN,DISTINCT,count(*),CASE,WHEN,THEN,ELSE,END,DESC,UNION ALL,WITH,EXPLAIN QUERY PLAN";

/// The commands of the prompt.
const COMMANDS: &str = ".help,.tables,.schema,.functions,.examples,.format,.quit";

/// The prompt.
struct Prompt {
    archive: SqlArchive,
    stop: Arc<AtomicBool>,
    format: &'static ListFormat,
    options: ListOptions,
    parameters: Vec<(String, SqlValue)>,
}

impl Prompt {
    /// Reads and runs statements until the end of input.
    fn run(mut self) -> anyhow::Result<()> {
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
            (Some(".tables"), _) => self.ask(SqlArchive::TABLES, &mut out)?,
            (Some(".schema"), name) => {
                for statement in self.archive.schema(name)? {
                    writeln!(out, "{statement};")?;
                }
            }
            (Some(".format"), Some(name)) => match list::by_name(name) {
                Some(format) => self.format = format,
                None => {
                    let names: Vec<&str> = LIST_FORMATS.iter().map(|format| format.name).collect();
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

    fn complete(
        &self,
        line: &str,
        end: usize,
        _: &rustyline::Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
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
