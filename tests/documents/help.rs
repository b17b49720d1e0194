//! The help of every command teaches by examples.

use crate::common::Bench;

/// All commands that do something, with those above them.
fn commands(bench: &Bench, above: &[String]) -> Vec<Vec<String>> {
    let mut asked: Vec<&str> = above.iter().map(String::as_str).collect();
    asked.push("--help");
    let help = bench.ok(&asked);
    let Some((_, list)) = help.split_once("\nCommands:\n") else { return vec![above.to_vec()] };
    let names = list
        .lines()
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.flat_map(|name| commands(bench, &[above, &[name.to_owned()]].concat())).collect()
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
        // An option or a format that is not there would be an example of a mistake.
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
