//! The help of every command has examples.

use unicode_width::UnicodeWidthStr;

use crate::common::{Bench, listed_commands, text};

/// All commands without subcommands, with their parents.
fn commands(bench: &Bench, above: &[String]) -> Vec<Vec<String>> {
    let mut asked: Vec<&str> = above.iter().map(String::as_str).collect();
    asked.push("--help");
    let help = bench.ok(&asked);
    let names = listed_commands(&help);
    if names.is_empty() {
        return vec![above.to_vec()];
    }
    names.into_iter().flat_map(|name| commands(bench, &[above, &[name]].concat())).collect()
}

#[test]
fn the_help_of_every_command_has_three_examples() {
    let bench = Bench::new();
    let commands = commands(&bench, &[]);
    assert!(commands.len() >= 35, "{commands:?}");
    for command in commands {
        let mut asked: Vec<&str> = command.iter().map(String::as_str).collect();
        asked.push("--help");
        let help = bench.ok(&asked);
        let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{command:?}: {help}"));
        let called = format!("plybook {}", command.join(" "));
        let examples: Vec<&str> = examples.lines().take_while(|line| line.starts_with("  ")).collect();
        assert!(examples.len() >= 3, "{command:?}: {examples:?}");
        assert!(examples.iter().any(|line| line.contains(&called)), "{command:?}: {examples:?}");
        // Every option in an example must exist.
        for line in examples {
            for option in line.split_whitespace().filter(|word| {
                word.starts_with("--") && line.matches("plybook").count() == 1 && !line.contains('|')
            }) {
                let name = option.split('=').next().unwrap();
                assert!(help.contains(name), "{command:?}: {name}");
            }
        }
    }
}

/// The output of a command at 80 columns.
fn printed(bench: &Bench, command: &[&str]) -> String {
    let output = bench.command(command).env("COLUMNS", "80").output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}");
    text(&output.stdout)
}

#[test]
fn the_first_screen_of_the_help_has_room_for_more_commands() {
    let bench = Bench::new();
    let screen = printed(&bench, &["help"]);
    for same in [&["-h"][..], &["--help"]] {
        assert_eq!(printed(&bench, same), screen);
    }
    // 40 rows hold more commands, about two on a line.
    assert!(screen.lines().count() <= 37, "{screen}");
    assert!(screen.lines().all(|line| line.width() <= 80), "{screen}");
    for heading in ["Collect", "Edit", "Look", "Search", "Study", "Export", "Maintain", "Research"] {
        assert_eq!(screen.matches(&format!("\n{heading} ")).count(), 1, "{heading}");
    }
}

#[test]
fn the_help_of_a_command_describes_its_own_options_and_lists_the_filters() {
    let bench = Bench::new();
    for (command, most, own) in [
        (&["games"][..], 80, "--opening-names"),
        (&["find"], 100, "--count"),
        (&["export"], 170, "--partition-by"),
        (&["explore"], 100, "--tree"),
        (&["report"], 100, "--overview"),
        (&["stats"], 100, "--codec"),
        (&["position", "huffman"], 80, "--train"),
    ] {
        let long = printed(&bench, &[command, &["--help"]].concat());
        assert_eq!(printed(&bench, &[&["help"], command].concat()), long, "{command:?}");
        assert!(long.lines().count() <= most, "{command:?}: {} lines", long.lines().count());
        for help in [&long, &printed(&bench, &[command, &["-h"]].concat())] {
            let (options, rest) =
                help.split_once("\nFilters (described in: plybook help filters):\n").unwrap();
            let (filters, _) = rest.split_once("\n\n").unwrap();
            assert!(options.contains(own) && options.contains("--archive"), "{help}");
            for name in ["--player", "--id", "--pattern", "--checks", "--limit"] {
                assert!(
                    filters.contains(name) && !options.contains(&format!("      {name}")),
                    "{command:?}: {name}"
                );
            }
            assert!(!filters.contains(own) && help.contains("\nExamples:\n"), "{help}");
        }
    }
}

#[test]
fn every_filter_is_described_by_help_filters_with_examples() {
    let bench = Bench::new();
    let topic = printed(&bench, &["help", "filters"]);
    for same in [&["filters"][..], &["filters", "--help"], &["filters", "-h"]] {
        assert_eq!(printed(&bench, same), topic);
    }
    let of_games = printed(&bench, &["games", "--help"]);
    let (_, named) = of_games.split_once("\nFilters (").unwrap();
    let (named, _) = named.split_once("\n\n").unwrap();
    let names: Vec<&str> = named.split_whitespace().filter(|word| word.starts_with("--")).collect();
    assert!(names.len() >= 40, "{names:?}");
    for name in names {
        let is_described = topic
            .lines()
            .any(|line| line.starts_with("      --") && line[6..].split(' ').next() == Some(name));
        assert!(is_described, "{name}");
    }
    for heading in
        ["Players", "Event, date and source", "Games", "Positions and patterns", "Order and number"]
    {
        assert!(topic.contains(&format!("\n{heading}:\n")) && named.contains(heading), "{heading}");
    }
    assert!(topic.lines().filter(|line| line.starts_with("  plybook ")).count() >= 6, "{topic}");
    assert!(bench.refused(&["filters", "--player", "adams"]).contains("plybook games --player adams"));
}
