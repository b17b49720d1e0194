#!/bin/sh
# Expected: `Command::defer` only postpones work. The help of a program, and the completions that clap_complete generates
#   after building the whole command, are the same with and without it.
# Seen: a description that is set in the deferred function is missing from the list of commands in the program's help, and
#   from the commands that complete `help` in zsh and fish, which are copied before that function runs. The commands
#   themselves are completed with it (clap 4.6.7, clap_complete 4.6.11; November 2026).
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"
mkdir src
cat >Cargo.toml <<'END'
[package]
name = "completed"
version = "0.1.0"
edition = "2021"
[dependencies]
clap = "=4.6.7"
clap_builder = "=4.6.7"
clap_complete = "=4.6.11"
END
cat >src/main.rs <<'END'
use clap::Command;

fn program(is_deferred: bool) -> Command {
    let about = |command: Command| command.about("Counts the games");
    let count = Command::new("count");
    let count = if is_deferred { count.defer(about) } else { about(count) };
    Command::new("program").subcommand(count)
}

fn script(shell: clap_complete::Shell, is_deferred: bool) -> String {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut program(is_deferred), "program", &mut text);
    String::from_utf8(text).unwrap()
}

fn main() {
    for is_deferred in [false, true] {
        let times = program(is_deferred).render_help().to_string().matches("Counts the games").count();
        println!("help, deferred {is_deferred}: {times}");
    }
    for shell in [clap_complete::Shell::Zsh, clap_complete::Shell::Fish] {
        for is_deferred in [false, true] {
            let times = script(shell, is_deferred).matches("Counts the games").count();
            println!("{shell}, deferred {is_deferred}: {times}");
        }
    }
}
END
cargo run --quiet >found
cat found
cat >expected <<'END'
help, deferred false: 1
help, deferred true: 0
zsh, deferred false: 2
zsh, deferred true: 1
fish, deferred false: 2
fish, deferred true: 1
END
cmp found expected
