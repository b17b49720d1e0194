//! No input can crash, hang or bloat an import, and every game is stored or reported.

use std::{
    collections::HashSet,
    fs::{self, File},
    io::{BufWriter, Read, Write},
    process::{Command, Output, Stdio},
    thread::sleep,
    time::{Duration, Instant},
};

use crate::{
    alone,
    common::{self, Bench, Random, data, many_games, text, trials},
};

/// The result of importing a file: exit code, report, error message, and peak memory (MiB; 0 if unknown).
struct Outcome {
    code: i32,
    report: serde_json::Value,
    said: String,
    memory: u64,
    time: Duration,
}

/// The memory limit of an import in MiB, and its limit if a game is larger than a mebibyte.
const MEMORY: u64 = 128;
const MEMORY_FOR_LARGE: u64 = 256;

/// Runs a command; returns its output and its peak memory in MiB.
fn measured(mut command: Command) -> (Output, u64) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut memory = 0;
    while child.try_wait().unwrap().is_none() {
        memory = memory_of(child.id()).max(memory);
        sleep(Duration::from_millis(3));
    }
    (child.wait_with_output().unwrap(), memory)
}

/// Imports a file, and checks what must hold for any content.
fn import(bench: &Bench, name: &str) -> Outcome {
    let begin = Instant::now();
    let command = bench.command(&["import", name, "--format", "json", "-a", &format!("{name}.db")]);
    let (output, memory) = measured(command);
    let said = text(&output.stderr);
    assert!(!said.contains("panicked"), "{name}: {said}");
    let code = output.status.code().unwrap_or_else(|| panic!("{name} was killed: {said}"));
    assert!((0..=2).contains(&code), "{name}: {code}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let count = |key: &str| report[key].as_u64().unwrap_or(0);
    assert_eq!(count("seen"), count("stored") + count("duplicate") + count("rejected"), "{name}");
    let most = if name == "large-tags" { MEMORY_FOR_LARGE } else { MEMORY };
    assert!(memory <= most, "{name} took {memory} MiB");
    let archive = format!("{name}.db");
    if bench.path(&archive).exists() {
        assert!(bench.ok(&["verify", "-a", &archive]).contains("all intact"), "{name}");
    }
    Outcome { code, report, said, memory, time: begin.elapsed() }
}

/// The peak memory of a process in MiB, if the system reports it.
fn memory_of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

const GOOD: &str = "[Event \"good\"]\n[White \"before\"]\n\n1. e4 e5 2. Nf3 *\n\n";
const AFTER: &str = "\n\n[Event \"good\"]\n[White \"after\"]\n\n1. d4 d5 2. c4 *\n";

#[test]
fn inputs_of_any_size_take_bounded_memory() {
    let _lock = alone();
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(16_384);
    let shuffle: Vec<&str> = shuffle.split_whitespace().take(65_535).collect();
    let wide = |text: &str| {
        [b"\xff\xfe".to_vec(), text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat()
    };
    let game = |text: String| format!("{GOOD}[Event \"odd\"]\n\n{text}{AFTER}").into_bytes();
    let megabytes = trials(64, 1024);
    // The two good games next to it must both be stored.
    let inputs: Vec<(&str, Vec<u8>, bool)> = vec![
        ("one-line", game("x".repeat(megabytes << 20)), true),
        ("one-line-of-moves", game(format!("{} *", "1. e4 ".repeat((megabytes << 20) / 6))), true),
        ("nested", game(format!("1. e4 {} e5 *", "(".repeat(1_000_000))), true),
        (
            "nested-and-closed",
            game(format!("1. e4 {}{} e5 *", "( 1. d4 ".repeat(100_000), ")".repeat(100_000))),
            true,
        ),
        (
            "long-tag",
            format!("{GOOD}[Event \"{}\"]\n\n1. c4 *{AFTER}", "t".repeat(40_000)).into_bytes(),
            true,
        ),
        (
            "longer-tag",
            format!("{GOOD}[Event \"{}\"]\n\n1. c4 *{AFTER}", "t".repeat(400_000)).into_bytes(),
            true,
        ),
        (
            "many-tags",
            format!("{GOOD}[Event \"x\"]\n{}\n1. c4 *{AFTER}", "[A \"b\"]\n".repeat(100_000)).into_bytes(),
            true,
        ),
        ("long-comment", game(format!("1. e4 {{{}}} e5 *", "c ".repeat(500_000))), true),
        ("longest-game", game(format!("{} *", shuffle.join(" "))), true),
        ("longer-game", game(format!("{} Nf3 Nf6 *", shuffle.join(" "))), true),
        ("unclosed", game("1. e4 {never closed 1. d4 *".to_owned()), true),
        ("nul", game("1. e4 \0\0 e5 *".to_owned()), true),
        ("all-nul", vec![0; megabytes << 18], false),
        ("utf-16", wide(&format!("{GOOD}{AFTER}")), false),
        (
            "latin-1",
            [GOOD.as_bytes(), b"[Event \"Z\xfcrich\"]\n[White \"Bj\xf8rn\"]\n\n1. c4 *", AFTER.as_bytes()]
                .concat(),
            true,
        ),
        ("cr-only", format!("{GOOD}{AFTER}").replace('\n', "\r").into_bytes(), true),
        (
            "blank-lines",
            format!("{GOOD}{}{AFTER}", "\n".repeat((megabytes << 18) + (1 << 20))).into_bytes(),
            true,
        ),
        (
            "blanks-at-the-end",
            format!("{GOOD}{AFTER}{}", "\n\0".repeat((megabytes << 17) + (1 << 20))).into_bytes(),
            true,
        ),
        (
            "large-tags",
            {
                let tags = |game: usize| {
                    let tag = |n: usize| format!("[T{n} \"{game}{}\"]\n", "t".repeat(60_000));
                    (0..33).map(tag).collect::<String>()
                };
                let games = (0..60).map(|game| format!("[Event \"large\"]\n{}\n1. e4 *\n\n", tags(game)));
                format!("{GOOD}{}{AFTER}", games.collect::<String>()).into_bytes()
            },
            true,
        ),
        ("record", format!("arxe : x\n{}", "a:bcdef\n".repeat(megabytes << 16)).into_bytes(), false),
        ("untagged", "1. e4 *\n".repeat(megabytes << 12).into_bytes(), false),
        ("untagged-line", "1. e4 e5 * ".repeat((megabytes << 20) / 64).into_bytes(), false),
        ("blank-mark", format!("\u{feff}\n{GOOD}{AFTER}").into_bytes(), true),
        ("no-end", b"[Event \"a\"]\n\n1. e4".to_vec(), false),
        ("empty", Vec::new(), false),
        (
            "random",
            {
                let mut random = Random(5);
                (0..1 << 20).map(|_| random.next() as u8).collect()
            },
            false,
        ),
    ];
    let bench = Bench::new();
    let (mut most, mut longest) = (0, Duration::ZERO);
    for (name, bytes, neighbours) in &inputs {
        fs::write(bench.path(name), bytes).unwrap();
        let outcome = import(&bench, name);
        println!(
            "{name}: {} bytes, code {}, {} MiB, {:?}",
            bytes.len(),
            outcome.code,
            outcome.memory,
            outcome.time
        );
        (most, longest) = (most.max(outcome.memory), longest.max(outcome.time));
        if *neighbours {
            let archive = format!("{name}.db");
            let players = bench.ok(&["games", "-a", &archive, "--format", "csv"]);
            assert!(players.contains("before") && players.contains("after"), "{name}: {}", outcome.report);
        }
        fs::remove_file(bench.path(name)).unwrap();
    }
    println!("{} sizes: no crash, at most {most} MiB and {longest:?}", inputs.len());
}

#[test]
fn a_line_of_games_is_read_in_bounded_memory() {
    let _lock = alone();
    let bench = Bench::new();
    let (tagged, untagged) = ("[White \"A\"] 1. e4 e5 1-0 ", "1. e4 e5 1-0 ");
    for (game, bytes) in [(tagged, trials(40 << 20, 1 << 30)), (untagged, trials(20 << 20, 200 << 20))] {
        let count = bytes / game.len();
        let mut file = BufWriter::new(File::create(bench.path("line")).unwrap());
        (0..count).for_each(|_| file.write_all(game.as_bytes()).unwrap());
        file.flush().unwrap();
        let Outcome { code, report, memory, time, .. } = import(&bench, "line");
        println!("{bytes} bytes, {count} games, {memory} MiB, {time:?}");
        assert_eq!((code, report["seen"].as_u64()), (0, Some(count as u64)));
    }
}

/// Games of about this many bytes: of tag pairs, of comments, or of many small annotations.
fn large_game(number: usize, bytes: usize, form: usize) -> String {
    let tag = |n: usize| format!("[T{n} \"{number} {}\"]\n", "t".repeat(bytes.min(60_000)));
    let comment = |n: usize| format!("{{{number} {n} {}}} ", "c ".repeat(bytes.min(980_000) / 2));
    let small = |n: usize| format!("{{ab{n}}} ");
    let head = format!("[Event \"{number} {form}\"]\n");
    match form {
        0 => format!("{head}{}\n1. e4 *\n\n", (0..bytes.div_ceil(60_020)).map(tag).collect::<String>()),
        1 => format!("{head}\n1. e4 {}*\n\n", (0..bytes.div_ceil(980_020)).map(comment).collect::<String>()),
        _ => format!("{head}\n1. e4 {}*\n\n", (0..(bytes / 12).min(999_000)).map(small).collect::<String>()),
    }
}

#[test]
fn many_games_near_a_limit_take_bounded_memory() {
    let _lock = alone();
    let (empty, large) = (trials(60_000, 700_000), trials(1, 8));
    let most = 16_500_000;
    let inputs: [(&str, u64, Vec<u8>); 3] = [
        (
            "empty",
            MEMORY,
            (0..empty).flat_map(|n| format!("[Event \"{n}\"]\n\n*\n\n").into_bytes()).collect(),
        ),
        (
            "mebibyte",
            MEMORY,
            (0..30 * large).flat_map(|n| large_game(n, 900_000, n % 3).into_bytes()).collect(),
        ),
        (
            "largest",
            MEMORY_FOR_LARGE,
            (0..3 * large).flat_map(|n| large_game(n, most, n % 3).into_bytes()).collect(),
        ),
    ];
    let bench = Bench::new();
    for (name, bound, bytes) in inputs {
        fs::write(bench.path(name), bytes).unwrap();
        let check = |what: &str, arguments: &[&str]| {
            let (output, memory) = measured(bench.command(arguments));
            println!("{name}: {what} took {memory} MiB");
            assert_eq!(output.status.code(), Some(0), "{name}: {what}: {}", text(&output.stderr));
            assert!(memory <= bound, "{name}: {what} took {memory} MiB");
        };
        for threads in trials(&["16"][..], &["1", "2", "16"]) {
            let archive = format!("{name}{threads}.db");
            check("import", &["import", "-q", name, "-a", &archive, "--threads", threads]);
        }
        let archive = format!("{name}16.db");
        check("verify", &["verify", "-a", &archive]);
        check("export", &["export", "-a", &archive, "-o", &format!("{name}.out.pgn")]);
        check("salvage", &["salvage", &archive, "-o", &format!("{name}.new.db")]);
    }
}

/// The control of all memory limits: high memory use is measured.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_measured() {
    let _lock = alone();
    let mut command = Command::new("sh");
    command.args(["-c", "x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}"]);
    let (output, memory) = measured(command);
    assert_eq!(text(&output.stdout).trim(), "200000000");
    assert!(memory > MEMORY, "{memory} MiB");
}

/// A text in every supported compression.
fn packed(mut plain: impl Read) -> Vec<(&'static str, Vec<u8>)> {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let mut bzip = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
    let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    // A member may be larger than 4 GiB when decompressed.
    zip.start_file("games.pgn", zip::write::SimpleFileOptions::default().large_file(true)).unwrap();
    let mut portion = vec![0; 1 << 20];
    loop {
        let read = plain.read(&mut portion).unwrap();
        if read == 0 {
            break;
        }
        for packer in [&mut gzip as &mut dyn Write, &mut bzip, &mut xz, &mut zstd, &mut zip] {
            packer.write_all(&portion[..read]).unwrap();
        }
    }
    vec![
        ("pgn.gz", gzip.finish().unwrap()),
        ("pgn.bz2", bzip.finish().unwrap()),
        ("pgn.xz", xz.finish().unwrap()),
        ("pgn.zst", zstd.finish().unwrap()),
        ("zip", zip.finish().unwrap().into_inner()),
    ]
}

#[test]
fn bombs_are_stopped_and_earlier_games_kept() {
    let _lock = alone();
    let bench = Bench::new();
    let games = many_games(500);
    let size = trials(160 << 20, 4 << 30);
    for (end, bomb) in packed(games.as_bytes().chain(std::io::repeat(b' ').take(size))) {
        let name = format!("bomb.{end}");
        fs::write(bench.path(&name), &bomb).unwrap();
        let outcome = import(&bench, &name);
        let unpacked = outcome.report["pgn_bytes"].as_u64().unwrap_or(0);
        println!(
            "{name}: {} bytes, stopped after {unpacked}, {} MiB, {:?}",
            bomb.len(),
            outcome.memory,
            outcome.time
        );
        // bzip2 compresses blanks so well that only the games before them matter.
        assert_eq!(outcome.code, 2, "{name}");
        assert!(outcome.said.contains("decompresses to more than 100 times its size"), "{}", outcome.said);
        assert!(outcome.said.contains("after byte"), "{}", outcome.said);
        assert!(outcome.report["stored"].as_u64().unwrap() > 400, "{name}: {}", outcome.report);
    }
}

#[test]
fn damaged_compressed_files_keep_earlier_games() {
    let _lock = alone();
    let bench = Bench::new();
    let games = many_games(1200);
    fs::write(bench.path("clean.pgn"), &games).unwrap();
    let stored = import(&bench, "clean.pgn").report["stored"].as_i64().unwrap();
    let mut random = Random(11);
    let (mut cuts, mut flips) = (0, 0);
    for (end, whole) in packed(games.as_bytes()) {
        for part in [1, 5, 6, 20, 50, 80, 95, 99] {
            let name = format!("cut{part}.{end}");
            fs::write(bench.path(&name), &whole[..(whole.len() * part / 100).max(part.min(7))]).unwrap();
            let outcome = import(&bench, &name);
            assert_eq!(outcome.code, 2, "{name}: {}", outcome.said);
            assert!(outcome.said.contains(&name), "{}", outcome.said);
            // The stored games are the beginning of the source, and the import resumes when it is complete again.
            fs::write(bench.path(&name), &whole).unwrap();
            let again = import(&bench, &name);
            assert!(again.code < 2, "{name}: {}", again.said);
            let archive = bench.path(&format!("{name}.db"));
            let found = rusqlite::Connection::open(&archive)
                .unwrap()
                .query_row("SELECT count(*) FROM game", [], |row| row.get::<_, i64>(0))
                .unwrap();
            assert_eq!(found, stored, "{name}");
            cuts += 1;
        }
        for round in 0..trials(4, 300) {
            let mut flipped = whole.clone();
            let bit = random.below(whole.len() * 8);
            flipped[bit / 8] ^= 1 << (bit % 8);
            let name = format!("flip{round}.{end}");
            fs::write(bench.path(&name), &flipped).unwrap();
            import(&bench, &name);
            flips += 1;
        }
    }
    println!(
        "{cuts} cut and {flips} flipped packed files: no panic; games before the cut kept, the rest came later"
    );
}

#[test]
fn unsupported_formats_are_named() {
    let _lock = alone();
    let bench = Bench::new();
    for (bytes, why) in [
        (&b"7z\xbc\xaf\x27\x1c rest"[..], "7z"),
        (b"Rar!\x1a\x07 rest", "rar"),
        (b"\x28\xb5\x2f\xfdno zstd", ""),
        (b"\x1f\x8bno gzip", ""),
        (b"BZhno bzip2", ""),
        (b"\xfd7zXZ\0no xz", ""),
        (b"PK\x03\x04no zip", ""),
    ] {
        fs::write(bench.path("wrong.pgn"), bytes).unwrap();
        let outcome = import(&bench, "wrong.pgn");
        assert_eq!(outcome.code, 2, "{bytes:?}");
        assert!(outcome.said.contains("wrong.pgn") && outcome.said.contains(why), "{}", outcome.said);
        assert!(!bench.path("wrong.pgn.db").exists());
    }
}

/// Drops, duplicates, swaps or changes parts of a game, once or a few times.
fn mutate(game: &str, others: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = game.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let words: Vec<&[u8]> = bytes.split(|byte| *byte == b' ').collect();
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        let mut words: Vec<Vec<u8>> = words.into_iter().map(<[u8]>::to_vec).collect();
        match random.below(6) {
            0 => drop(words.remove(a)),
            1 => words.swap(a, b),
            2 => words.insert(a, words[b].clone()),
            3 => {
                if !bytes.is_empty() {
                    let at = random.below(bytes.len());
                    bytes[at] ^= 1 << random.below(8);
                }
                continue;
            }
            4 => {
                let at = random.below(bytes.len());
                bytes.truncate(at.max(1));
                continue;
            }
            _ => {
                let other = others[random.below(others.len())].as_bytes();
                let (from, to) = (random.below(bytes.len()), random.below(other.len()));
                bytes.truncate(from);
                bytes.extend_from_slice(&other[to..]);
                if bytes.is_empty() {
                    bytes.push(b'*');
                }
                continue;
            }
        }
        bytes = words.join(&b' ');
    }
    bytes
}

/// The moves of every game of an export, without results.
fn movetexts(pgn: &str) -> HashSet<Vec<String>> {
    let games = common::simple_games(pgn).into_iter();
    games
        .map(|(_, mut words)| {
            words.pop();
            words
        })
        .collect()
}

#[test]
fn stored_mutated_games_export_to_legal_games() {
    let _lock = alone();
    let bench = Bench::new();
    let mut source = fs::read_to_string(data("famous.pgn")).unwrap();
    for name in ["annotated.pgn", "chess960.pgn", "setup.pgn"] {
        source.push('\n');
        source.push_str(&fs::read_to_string(data(name)).unwrap());
    }
    let games: Vec<String> = source
        .split("[Event ")
        .filter(|game| !game.trim().is_empty())
        .map(|game| format!("[Event {game}"))
        .collect();
    let games: Vec<&str> = games.iter().map(String::as_str).collect();
    let mut random = Random(2024);
    let mut all = Vec::new();
    let count = trials(20_000, 1_000_000);
    for number in 0..count {
        all.extend(mutate(games[number % games.len()], &games, &mut random));
        all.extend_from_slice(b"\n\n");
    }
    fs::write(bench.path("mutated.pgn"), &all).unwrap();
    let outcome = import(&bench, "mutated.pgn");
    let counted = |key: &str| outcome.report[key].as_u64().unwrap();
    let exported = bench.ok(&["export", "-a", "mutated.pgn.db"]);
    // The export is legal: it can be imported with the same moves.
    fs::write(bench.path("exported.pgn"), &exported).unwrap();
    let again = import(&bench, "exported.pgn");
    assert_eq!(again.report["rejected"], 0, "{}", again.report["rejects"]);
    let games = |archive| movetexts(&bench.ok(&["export", "--roster", "-a", archive]));
    assert!(games("mutated.pgn.db").is_subset(&games("exported.pgn.db")));
    println!(
        "{count} mutated games: {} stored, {} doubles, {} rejected; what is stored exports to legal games",
        counted("stored"),
        counted("duplicate"),
        counted("rejected")
    );
    assert!(counted("stored") > 1000 && counted("rejected") > 1000);
}
