//! `plybook help filters`: the filters are described there once, and only named in the help of each command.

use clap::{Arg, ArgAction, Args, Command};

use super::{ExitStatus, filter::FilterArgs};

/// The name of this topic.
const NAME: &str = "filters";

/// The columns of a line that names filters, and of what it begins with.
const WIDTH: usize = 78;
const HEADING: usize = 22;

/// The options that choose games, which most commands have
///
/// A game must meet all conditions; of one that is given several times, any. The help of a command names the filters
/// that it has.
#[derive(Debug, Args)]
#[command(
    hide = true,
    disable_help_flag = true,
    disable_version_flag = true,
    override_usage = "plybook COMMAND [FILTERS]",
    after_help = format!("Examples:
  plybook games --player 'Adams, Michael' --colour white --date 2000..2009
  plybook games --player 'tal; petrosian' --elo 2600.. --result draw
  plybook games --tag 'Annotator=*' --comment novelty --sort date --desc
  plybook explore '1. e4' --event 'candidates*' --speed classical
  plybook export --opening 'sicilian najdorf' --plies ..50 -o short.pgn
  plybook report --position '1. e4 c5 2. c3' --date 2000..
  plybook find --material 'KRPPP KRPP' --white-castles long
  plybook games --player 'Adams, Michael' --result lost --sort date
  plybook find --promotes under --format ids | plybook stats --id -

{PATTERNS}")
)]
pub(super) struct Filters {
    #[arg(short, long, action = ArgAction::HelpLong, hide = true)]
    help: Option<bool>,
    #[command(flatten)]
    filter: FilterArgs,
}

/// The language of patterns, with one of them as a board.
const PATTERNS: &str = "\
Patterns have ranks 8 to 1 with / between them. A letter is a piece, a digit
that many empty squares, ? anything, [NB] one of these, [^P] anything else,
also nothing, [.p] a black pawn or nothing, * any number of any squares; w or b
after a space is the side to move. An isolated white pawn on d4:

  8  ? ? x ? x ? ? ?     ??[^P]?[^P]*/
  7  ? ? x ? x ? ? ?     ??[^P]?[^P]*/
  6  ? ? x ? x ? ? ?     ??[^P]?[^P]*/
  5  ? ? x ? x ? ? ?     ??[^P]?[^P]*/
  4  ? ? x P x ? ? ?     ??[^P]P[^P]*/
  3  ? ? x ? x ? ? ?     ??[^P]?[^P]*/
  2  ? ? x ? x ? ? ?     ??[^P]?[^P]*/
  1  ? ? ? ? ? ? ? ?     *
     a b c d e f g h";

impl Filters {
    /// Describes them, as `plybook help filters` does.
    pub(super) fn run(self) -> anyhow::Result<ExitStatus> {
        anyhow::ensure!(
            self.filter.is_empty(),
            "filters are options of other commands: plybook games --player adams"
        );
        if let Some(topic) = super::command().find_subcommand_mut(NAME) {
            topic.print_long_help()?;
        }
        Ok(ExitStatus::Complete)
    }
}

/// A command, and those below it, whose help names the filters and leaves their description to this topic.
pub(super) fn summarized(command: Command) -> Command {
    let command = command.mut_subcommands(summarized);
    let filters = FilterArgs::augment_args(Command::new(NAME));
    let is_filter = |arg: &Arg| filters.get_arguments().any(|filter| filter.get_id() == arg.get_id());
    // Other commands may have an option with the name of a filter.
    let has_all =
        command.get_arguments().filter(|arg| is_filter(arg)).count() == filters.get_arguments().count();
    if !has_all || command.get_name() == NAME {
        return command;
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    command
        .after_help(format!("{}\n{after}", summary(filters.get_arguments())))
        .mut_args(|arg| if is_filter(&arg) { arg.hide_short_help(true).hide_long_help(true) } else { arg })
}

/// The names of filters, each kind of them in a line that is continued below itself.
fn summary<'a>(filters: impl Iterator<Item = &'a Arg>) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for (heading, name) in filters.filter_map(|arg| arg.get_help_heading().zip(arg.get_long())) {
        match kinds.iter_mut().find(|(of, _)| *of == heading) {
            Some((_, names)) => names.push(name),
            None => kinds.push((heading, vec![name])),
        }
    }
    let mut text = "Filters (plybook help filters describes them):\n".to_owned();
    for (heading, names) in kinds {
        let mut line = format!("  {heading:HEADING$}");
        for name in names {
            if line.len() + name.len() + 3 > WIDTH {
                text += &format!("{line}\n");
                line = format!("  {:HEADING$}", "");
            }
            line += &format!(" --{name}");
        }
        text += &format!("{line}\n");
    }
    text
}
