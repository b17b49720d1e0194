//! Completions, manual pages and environment variables.

use std::{collections::BTreeSet, fs, process::Command};

use crate::common::{Bench, data, installed, listed_commands, text};

/// All commands and subcommands, as names of manual pages.
fn pages(bench: &Bench) -> BTreeSet<String> {
    let mut pages = BTreeSet::from(["plybook.1", "plybook-filters.1"].map(str::to_owned));
    for name in listed_commands(&bench.ok(&["--help"])) {
        pages.extend(
            listed_commands(&bench.ok(&[&name, "--help"]))
                .iter()
                .map(|below| format!("plybook-{name}-{below}.1")),
        );
        pages.insert(format!("plybook-{name}.1"));
    }
    pages
}

/// Runs a bash script with the completions loaded and returns its output.
fn in_bash(bench: &Bench, script: &str) -> String {
    let mut bash = Command::new("bash");
    bash.args(["--norc", "--noprofile", "-c", &format!(". ./completions\n{script}")]);
    let output = bash.current_dir(bench.folder.path()).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn bash_completes_commands_and_options() {
    if !installed("bash") {
        return;
    }
    let bench = Bench::new();
    fs::write(bench.path("completions"), bench.ok(&["completions", "bash"])).unwrap();
    in_bash(&bench, "bash -n completions");
    let printed = in_bash(&bench, "complete -p plybook");
    let function = printed.split("-F ").nth(1).unwrap().split(' ').next().unwrap();
    let completed = |words: &[&str]| {
        let last = words.len() - 1;
        let script = format!(
            "COMP_WORDS=({}); COMP_CWORD={last}; {function} plybook '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
            words[last],
            words[last - 1]
        );
        in_bash(&bench, &script).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(completed(&["plybook", "gam"]), ["games", "game"]);
    assert_eq!(completed(&["plybook", "games", "--play"]), ["--player"]);
    assert!(completed(&["plybook", "games", "--format", ""]).contains(&"markdown".to_owned()));
    assert_eq!(completed(&["plybook", "game", "enc"]), ["encode"]);
}

#[test]
fn every_shell_gets_completions_for_every_command() {
    let bench = Bench::new();
    let names = listed_commands(&bench.ok(&["--help"]));
    assert!(names.len() >= 28, "{names:?}");
    for (shell, check) in [
        ("bash", "-n"),
        ("zsh", "-n"),
        ("fish", "--no-execute"),
        ("elvish", "-compileonly"),
        ("powershell", ""),
    ] {
        let script = bench.ok(&["completions", shell]);
        let absent: Vec<_> = names.iter().filter(|name| !script.contains(*name)).collect();
        assert!(absent.is_empty(), "{shell}: {absent:?}");
        fs::write(bench.path("script"), script).unwrap();
        if !check.is_empty() && installed(shell) {
            let output = Command::new(shell).arg(check).arg(bench.path("script")).output().unwrap();
            assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
        }
    }
    assert_eq!(bench.run(&["completions", "csh"]).status.code(), Some(2));
}

#[test]
fn every_command_has_a_manual_page_that_renders_without_a_warning() {
    let bench = Bench::new();
    bench.ok(&["man", "-o", "pages/man1"]);
    let written = fs::read_dir(bench.path("pages/man1")).unwrap();
    let written: BTreeSet<String> =
        written.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(written, pages(&bench));
    assert_eq!(bench.ok(&["man"]), fs::read_to_string(bench.path("pages/man1/plybook.1")).unwrap());
    if !installed("groff") {
        return;
    }
    for page in &written {
        let mut groff = Command::new("groff");
        groff.args(["-ww", "-man", "-Kutf8", "-Tutf8", "-rLL=78n", "-P-cbou"]).arg(page);
        let output = groff.current_dir(bench.path("pages/man1")).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{page}: {}", text(&output.stderr));
        let shown = text(&output.stdout);
        assert!(
            shown.lines().any(|line| line == "NAME") && shown.lines().any(|line| line == "SYNOPSIS"),
            "{shown}"
        );
    }
    // The page of plybook has the groups of its help.
    let plybook = fs::read_to_string(bench.path("pages/man1/plybook.1")).unwrap();
    for heading in ["Collect", "Look", "Search", "Study", "Export", "Maintain", "Research"] {
        assert!(plybook.contains(&format!(".SS {heading}\n")), "{heading}");
    }
    // Examples have one line each, as in the help; options have their values.
    let mut groff = Command::new("groff");
    groff.args(["-man", "-Kutf8", "-Tutf8", "-rLL=78n", "-P-cbou", "plybook-codecs.1"]);
    let shown = text(&groff.current_dir(bench.path("pages/man1")).output().unwrap().stdout);
    assert!(shown.lines().any(|line| line.trim() == "plybook codecs --format csv"), "{shown}");
    assert!(shown.contains("--format") && shown.contains("markdown"), "{shown}");
    // Filters are described only on their own page, as in the help.
    let page = |name: &str| fs::read_to_string(bench.path("pages/man1").join(name)).unwrap();
    let (games, filters) = (page("plybook-games.1"), page("plybook-filters.1"));
    let described = "\\fB\\-\\-opponent\\fR";
    assert!(filters.contains(described) && !games.contains(described));
    assert!(games.contains("help filters"), "{games}");
}

#[test]
fn existing_manual_pages_are_replaced_only_with_force() {
    let bench = Bench::new();
    bench.ok(&["man", "-o", "pages"]);
    fs::write(bench.path("pages/plybook.1"), "mine").unwrap();
    assert!(bench.refused(&["man", "-o", "pages"]).contains("--force"));
    assert_eq!(fs::read_to_string(bench.path("pages/plybook.1")).unwrap(), "mine");
    bench.ok(&["man", "-o", "pages", "--force"]);
    assert_eq!(fs::read_to_string(bench.path("pages/plybook.1")).unwrap(), bench.ok(&["man"]));
}

#[test]
fn the_archive_is_given_before_or_after_the_command_or_by_the_environment() {
    let bench = Bench::new();
    let famous = data("famous.pgn");
    let famous = famous.to_str().unwrap();
    let printed = |arguments: &[&str], variable: &str| {
        let output = bench.command(arguments).env("PLYBOOK_ARCHIVE", variable).output().unwrap();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    bench.ok(&["-a", "before.db", "import", "--quiet", famous]);
    assert_eq!(printed(&["import", "--quiet", famous], "variable.db").0, Some(0));
    assert!(bench.path("before.db").exists() && bench.path("variable.db").exists());
    assert!(!bench.path("plybook.db").exists());

    let games = bench.ok(&["games", "-a", "before.db"]);
    assert_eq!(bench.ok(&["--archive=before.db", "games"]), games);
    assert_eq!(
        bench.ok(&["-abefore.db", "game", "encode", "3"]),
        bench.ok(&["game", "encode", "3", "-a", "before.db"])
    );
    assert_eq!(printed(&["games"], "variable.db").1, games);
    // An option takes precedence over the environment; an empty variable is ignored.
    assert_eq!(printed(&["-a", "before.db", "games"], "none.db").1, games);
    assert_eq!(printed(&["games", "-a", "before.db"], "none.db").1, games);
    assert!(printed(&["games"], "none.db").2.contains("none.db"));
    assert!(printed(&["games"], "").2.contains("plybook.db"));
    // A command without an archive; and two archives: some commands read them as one, others reject them.
    assert_eq!(bench.run(&["-a", "before.db", "codecs"]).status.code(), Some(2));
    let both = bench.ok(&["-a", "before.db", "games", "-a", "variable.db", "--format", "ids"]);
    assert_eq!(
        both.lines().count(),
        2 * bench.ok(&["games", "-a", "before.db", "--format", "ids"]).lines().count()
    );
    assert_eq!(bench.run(&["-a", "before.db", "verify", "-a", "variable.db"]).status.code(), Some(2));
    assert_eq!(bench.run(&["-a", "before.db", "serve", "other.db"]).status.code(), Some(2));
}
