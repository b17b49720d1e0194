//! `plybook help filters`: describes the filters once; the help of each command only lists their names.

use clap::{Arg, ArgAction, Args, Command};

use super::filter::FilterArgs;

/// The name of this help topic.
const NAME: &str = "filters";

/// The width of the list of filters, and of its first column.
const WIDTH: usize = 78;
const HEADING: usize = 22;

/// Options that choose games, which most commands accept
///
/// A game must meet all conditions. Names, codes and ids may be given several times, and a game needs to match only one
/// of them. Tags, comments, material and patterns may also be given several times, and a game must match all of them.
/// The help of each command lists the filters that it accepts.
///
/// Examples:
/// * plybook games --player 'Adams, Michael' --colour white --date 2000..2009
/// * plybook games --player 'tal; petrosian' --elo 2600.. --result draw
/// * plybook games --tag 'Annotator=*' --comment novelty --sort date --desc
/// * plybook explore '1. e4' --event 'candidates*' --speed classical
/// * plybook export --opening 'sicilian najdorf' --plies ..50 -o short.pgn
/// * plybook report --position '1. e4 c5 2. c3' --date 2000..
/// * plybook find --material 'KRPPP KRPP' --white-castles long
/// * plybook games --player 'Adams, Michael' --result lost --sort date
/// * plybook find --promotes under --format ids | plybook stats --id -
#[derive(Debug, Args)]
#[command(
    hide = true,
    disable_help_flag = true,
    disable_version_flag = true,
    override_usage = "plybook COMMAND [FILTERS]",
    after_help = format!("{{examples}}

{PATTERNS}")
)]
pub(super) struct Filters {
    #[arg(short, long, action = ArgAction::HelpLong, hide = true)]
    help: Option<bool>,
    #[command(flatten)]
    filter: FilterArgs,
}

/// The syntax of patterns, with an example on a board.
const PATTERNS: &str = "\
Patterns list ranks 8 to 1, separated by /. A letter is a piece, a digit is a
number of empty squares, ? is anything, [NB] is one of these, [^P] is anything
else or an empty square, [.p] is a black pawn or an empty square, * is any
number of any squares. w or b after a space is the side to move.
An isolated white pawn on d4:

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
    /// Prints the description, as `plybook help filters` does.
    pub(super) fn run(self) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.filter.is_empty(),
            "filters are options of other commands: plybook games --player adams"
        );
        if let Some(topic) = super::command().find_subcommand_mut(NAME) {
            topic.print_long_help()?;
        }
        Ok(())
    }
}

/// Hides the filters in the help of a command that accepts them, and lists their names instead.
pub(super) fn summarized(command: Command) -> Command {
    let filters = FilterArgs::augment_args(Command::new(NAME));
    let is_filter = |arg: &Arg| filters.get_arguments().any(|filter| filter.get_id() == arg.get_id());
    // Other commands may have an option with the same name as a filter.
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

/// The names of the filters, grouped by heading, wrapped to [`WIDTH`].
fn summary<'a>(filters: impl Iterator<Item = &'a Arg>) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for (heading, name) in filters.filter_map(|arg| arg.get_help_heading().zip(arg.get_long())) {
        match kinds.iter_mut().find(|(of, _)| *of == heading) {
            Some((_, names)) => names.push(name),
            None => kinds.push((heading, vec![name])),
        }
    }
    let mut text = "Filters (described in: plybook help filters):\n".to_owned();
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
