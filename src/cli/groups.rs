//! The commands in groups: the first screen of `plybook help`, and the list of commands in the manual page.

use std::fmt::Write;

use clap::Command;

/// A line of a group with the commands that this program was built with.
pub(super) type Line = (Vec<&'static str>, &'static str);

/// Lines of commands that belong together, and what a person does with them; the first line of a group has its heading.
/// Each command is in one group. Rarely used commands share a line, so that the list stays on one screen.
const GROUPS: [(&str, &str, &str); 22] = [
    ("Collect", "import add rejects retry", "add games, retry rejected ones"),
    ("", "merge copy split catalogue", "join archives, or divide one"),
    ("Edit", "edit tag comment glyph", "change games"),
    ("", "remove", "remove games"),
    ("", "log undo redo", "list changes, and undo them"),
    ("Look", "games names duplicates", "list games, names, near duplicates"),
    ("", "show board", "show a game, or draw a position"),
    ("", "info", "show what the archive contains"),
    ("", "serve", "browse games in a web browser"),
    ("Search", "find", "find positions, material, patterns"),
    ("", "sql", "query in SQL, with chess functions"),
    ("Study", "explore", "show the moves played in a position"),
    ("", "report", "report on a player or an event"),
    ("", "prepare", "prepare for an opponent"),
    ("", "repertoire novelty annotate", "your lines, new moves, references"),
    ("Export", "export book", "write PGN, HTML, tables, books"),
    ("Maintain", "index", "make searches fast"),
    ("", "verify backup salvage migrate", "check, copy, rescue, upgrade"),
    ("", "compact recompress", "delete the log, shrink the moves"),
    ("", "completions man", "shell completions, manual pages"),
    ("Research", "stats", "measure the bits per game"),
    ("", "codecs position game path generate xelto", "encodings and more"),
];

/// The columns that headings and names of commands take.
const HEADING: usize = 10;
const NAMES: usize = 34;

/// What `plybook help` prints: a screen of 40 rows has room for it, with more commands than there are now.
pub(super) fn help_template(command: &Command) -> String {
    let header = command.get_styles().get_header();
    let mut template = "{about}\n\n{usage-heading} {usage}\n\n".to_owned();
    for (heading, lines) in groups(command) {
        for (at, (names, about)) in lines.iter().enumerate() {
            let heading = if at == 0 { heading } else { "" };
            let (names, is_long) = (names.join(", "), names.join(", ").len() >= NAMES);
            let width = if is_long { 0 } else { NAMES };
            let gap = if is_long { "  " } else { "" };
            let _ = writeln!(template, "{header}{heading:HEADING$}{header:#}{names:width$}{gap}{about}");
        }
    }
    let _ = write!(
        template,
        "\n{header}Options:{header:#}\n{{options}}\n\n{header}Examples:{header:#}\n{SCREEN}"
    );
    template
}

/// What follows the options on the screen.
const SCREEN: &str = "  plybook games --player kasparov --date 1999
  plybook explore '1. e4 c5'

See also: plybook help COMMAND; plybook help filters, on selecting games";

/// The groups, with only the commands that this program was built with.
pub(super) fn groups(command: &Command) -> Vec<(&'static str, Vec<Line>)> {
    let mut groups: Vec<(&str, Vec<Line>)> = Vec::new();
    for (heading, names, about) in GROUPS {
        if !heading.is_empty() {
            groups.push((heading, Vec::new()));
        }
        let built = names.split(' ').filter(|name| command.find_subcommand(name).is_some());
        let built: Vec<&str> = built.collect();
        if let Some((_, lines)) = groups.last_mut().filter(|_| !built.is_empty()) {
            lines.push((built, about));
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_is_in_exactly_one_group() {
        let command = crate::cli::command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, names, _)| names.split(' ')).collect();
        let mut built: Vec<&str> = command
            .get_subcommands()
            .filter(|command| !command.is_hide_set())
            .map(Command::get_name)
            .collect();
        listed.retain(|name| cfg!(feature = "web") || *name != "serve");
        listed.sort_unstable();
        built.sort_unstable();
        assert_eq!(listed, built);
    }
}
