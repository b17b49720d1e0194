use super::*;

/// Splits with a reader that returns a few bytes at a time.
fn cut(text: &str, portion: usize, bytes: usize) -> Vec<(String, u64, u64)> {
    struct Slow<'a>(&'a [u8], usize);
    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let end = self.1.min(buffer.len());
            self.0.read(&mut buffer[..end])
        }
    }
    let mut cutter = GameSplitter::new(Slow(text.as_bytes(), portion));
    let mut games = Vec::new();
    while let Some(batch) = cutter.next_batch(bytes).unwrap() {
        for piece in batch.games {
            let game = String::from_utf8(batch.text[piece.range].to_vec()).unwrap();
            games.push((game.trim().to_owned(), piece.byte, piece.line));
        }
    }
    games
}

const TEXT: &str = "[Event \"a\"]\n[Site \"s\"]\n\n1. e4 {[Event \"no\"]\n[Event \"no\"]\n} e5 *\n\n\n\
    [Event \"b\"]\n\n[Site \"t\"]\n\n1. d4\n\nd5 1-0\n[Event \"c\"]\n[White \"w\"]\n[Event \"d\"]\n\n*\n\n\
    [Event \"e\"]\n\n1. e4 {open\n\n[Event \"f\"]\n\n1. d4 {closed} *\n";

#[test]
fn games_are_split_where_they_begin() {
    let games = cut(TEXT, 1 << 20, 1 << 20);
    let first = |place: usize| games[place].0.lines().next().unwrap();
    assert_eq!(games.len(), 6, "{games:?}");
    assert_eq!([first(0), first(1), first(2)], ["[Event \"a\"]", "[Event \"b\"]", "[Event \"c\"]"]);
    assert!(games[1].0.ends_with("1-0"));
    assert_eq!(games[2].0.lines().count(), 2);
    assert!(games[4].0.ends_with("{open"));
    for (game, byte, line) in &games {
        let byte = usize::try_from(*byte).unwrap();
        assert!(TEXT[byte..].starts_with(game));
        assert_eq!(TEXT[..byte].matches('\n').count() as u64 + 1, *line);
    }
}

/// Lines among moves that look like tag pairs; some of them begin a game.
const DOUBTFUL: &str = "[Event \"a\"]\n\n1. e4\n[Source \"x\"]\n% y\n1... e5\n\n[Source \"z\"]\n\n2. d4\n\
    [White \"w\"]\n\n[Black \"b\"]\n\n1. c4\n[White \"v\"]\n1. b4\n{c}\n[Site \"s\"]\n*\n[Site \"t\"]\n";

#[test]
fn the_next_lines_decide_whether_a_doubtful_tag_pair_begins_a_game() {
    let games = cut(DOUBTFUL, 1 << 20, 1 << 20);
    let places: Vec<(u64, usize)> =
        games.iter().map(|(game, _, line)| (*line, game.lines().count())).collect();
    assert_eq!(places, [(1, 10), (11, 5), (16, 5), (21, 1)], "{games:#?}");
}

#[test]
fn the_games_do_not_depend_on_buffer_sizes_or_line_ends() {
    for text in [TEXT, DOUBTFUL] {
        let whole = cut(text, 1 << 20, 1 << 20);
        for (portion, bytes) in [(1, 1), (7, 30), (64, 1), (1000, 100)] {
            assert_eq!(cut(text, portion, bytes), whole);
        }
        for end in ["\r\n", "\r"] {
            let other = cut(&text.replace('\n', end), 3, 50);
            let back = other.iter().map(|(game, _, line)| (game.replace(end, "\n"), *line));
            let expected = whole.iter().map(|(game, _, line)| (game.clone(), *line));
            assert!(back.eq(expected));
        }
    }
}

/// Comments with a tag pair whose closing brace is far away, and lines of any length with many games.
fn far_apart() -> Vec<String> {
    let far = "x\n".repeat(200 << 10);
    let line = |length: usize| -> String {
        let games = (0..length / 40).map(|n| format!("[White \"A{n}\"] 1. e4 {{c [x \"}} e5 1-0 {{after}} "));
        games.collect::<String>() + "\n"
    };
    vec![
        format!("[Event \"a\"]\n\n1. e4 {{\n[White \"b\"]\n{far}}} *\n\n[White \"c\"]\n\n*\n"),
        format!("[Event \"a\"]\n\n1. e4 {{\n[White \"b\"]\n{far}{{ *\n\n[White \"c\"]\n\n*\n"),
        line(LONG_LINE) + &line(300 << 10) + &line(1000),
        "1. e4 e5 * ".repeat(40_000),
        format!("[White \"a\"] 1. e4 ;{}{{\n*\n[White \"b\"]\n\n*\n", "; {".repeat(LONG_LINE)),
        format!("{}[White \"a\"]\n\n*\n[White \"a\"]\n", " ".repeat(LONG_LINE + 5)),
    ]
}

#[test]
fn long_lines_and_comments_do_not_depend_on_buffer_sizes() {
    let expected = [2, 3, LONG_LINE / 40 + (300 << 10) / 40 + 25, 6, 2, 2];
    for (text, games) in far_apart().iter().zip(expected) {
        let whole = cut(text, 1 << 20, 1 << 20);
        assert_eq!(whole.len(), games, "{}", &text[..60]);
        for (portion, bytes) in [(7000, 1), (64 << 10, 100), (1 << 20, 300 << 10)] {
            assert!(cut(text, portion, bytes) == whole, "{}", &text[..60]);
        }
        let joined: String =
            whole.iter().map(|(game, ..)| game.split_whitespace().collect::<String>()).collect();
        assert!(joined == text.split_whitespace().collect::<String>());
    }
}

#[test]
fn no_game_before_a_read_error_is_lost() {
    struct Failing<'a>(&'a [u8]);
    impl Read for Failing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("the disk is gone"));
            }
            self.0.read(buffer)
        }
    }
    let text = "[Event \"a\"]\n\n1. e4 *\n\n".repeat(40_000);
    let mut cutter = GameSplitter::new(Failing(text.as_bytes()));
    let (mut games, mut failures) = (0, 0);
    loop {
        match cutter.next_batch(256 << 10) {
            Ok(Some(batch)) => games += batch.games.len(),
            Ok(None) => break,
            Err(_) => failures += 1,
        }
    }
    assert_eq!((games, failures), (40_000, 1));
}

#[test]
fn splitting_resumes_at_every_boundary() {
    let whole = cut(TEXT, 1 << 20, 1 << 20);
    let mut cutter = GameSplitter::new(TEXT.as_bytes());
    let mut done = 0;
    while let Some(batch) = cutter.next_batch(1).unwrap() {
        done += batch.games.len();
        let (byte, line) = cutter.boundary().unwrap();
        let rest = &TEXT.as_bytes()[usize::try_from(byte).unwrap()..];
        let mut other = GameSplitter::with_boundaries(rest, Box::new(PgnBoundaries::default()), byte, line);
        let mut places = Vec::new();
        while let Some(batch) = other.next_batch(1 << 20).unwrap() {
            places.extend(batch.games.iter().map(|piece| (piece.byte, piece.line)));
        }
        let expected: Vec<_> = whole[done..].iter().map(|(_, byte, line)| (*byte, *line)).collect();
        assert_eq!(places, expected);
    }
    assert_eq!(done, whole.len());
}

#[test]
fn a_batch_respects_its_limit_and_its_boundary_follows_its_games() {
    let text = "[Event \"a\"]\n*\n".repeat(5 * MOST_GAMES + 7);
    let (mut cutter, mut games) = (GameSplitter::new(text.as_bytes()), 0);
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        assert!(batch.games.len() <= MOST_GAMES);
        games += batch.games.len();
        let whole = (games as u64 * 14, games as u64 * 2 + 1);
        assert_eq!(cutter.boundary(), Some(whole));
        assert!(batch.games.iter().all(|piece| &batch.text[piece.range.clone()] == b"[Event \"a\"]\n*\n"));
    }
    assert_eq!(games, 5 * MOST_GAMES + 7);
}

/// A batch of tiny games is parsed in one step, and each game takes hundreds of bytes of memory.
#[test]
fn a_batch_ends_after_a_text_of_many_games_without_tags() {
    let text = "1. e4 *\n".repeat(100_000);
    let (mut cutter, mut batches) = (GameSplitter::new(text.as_bytes()), 0);
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        assert!(batch.text.len() < 2 * LONG_TEXT, "{} bytes", batch.text.len());
        assert_eq!(cutter.boundary(), Some((cutter.position(), cutter.position() / 8 + 1)));
        batches += 1;
    }
    assert!(batches > 10 && cutter.position() == text.len() as u64, "{batches} batches");
}

#[test]
fn an_oversized_game_is_dropped_and_the_next_one_found() {
    let text = format!("[Event \"big\"]\n\n{{{}}} *\n\n[Event \"next\"]\n\n*\n", "x\n".repeat(9 << 20));
    let mut cutter = GameSplitter::new(text.as_bytes());
    let mut seen = Vec::new();
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        assert!(batch.text.len() < MAX_GAME_BYTES + 2 * PORTION);
        seen.extend(batch.games.iter().map(|piece| (piece.cut_short, piece.line)));
    }
    assert_eq!(seen, [(true, 1), (false, (9 << 20) + 5)]);
}

/// The games of a text: whether each is cut short, its first byte, line and length.
fn games(text: &[u8], bytes: usize) -> Vec<(bool, u64, u64, usize)> {
    let mut cutter = GameSplitter::new(text);
    let mut seen = Vec::new();
    while let Some(batch) = cutter.next_batch(bytes).unwrap() {
        assert!(batch.text.len() < MAX_GAME_BYTES + 2 * PORTION);
        let piece = |piece: &GameText| (piece.cut_short, piece.byte, piece.line, piece.range.len());
        seen.extend(batch.games.iter().map(piece));
    }
    seen
}

#[test]
fn the_largest_game_is_accepted_and_one_byte_more_is_not() {
    for line in ["x\n", &format!("{}\n", "x".repeat(127)), &"x".repeat(1 << 20)] {
        for (more, cut_short) in [(0, false), (1, true)] {
            let text = "[Event \"a\"]\n\n".to_owned() + &line.repeat(MAX_GAME_BYTES / line.len());
            let text = text[..MAX_GAME_BYTES - 1].trim_end().to_owned();
            let text = text.clone() + &"y".repeat(MAX_GAME_BYTES + more - text.len());
            for after in ["", "\n\n[Event \"b\"]\n\n*\n"] {
                let found = games((text.clone() + after).as_bytes(), 1 << 20);
                assert_eq!((found[0].0, found.len()), (cut_short, if after.is_empty() { 1 } else { 2 }));
                assert!(!found.last().unwrap().0 || after.is_empty());
            }
        }
    }
}

#[test]
fn white_space_does_not_count_towards_the_game_size() {
    let next = "[Event \"b\"]\n\n*\n";
    for blank in ["\n", "\0", " ", "\n\0"] {
        let blanks = blank.repeat((17 << 20) / blank.len());
        let game = "[Event \"a\"]\n\n1. e4 *";
        let found = games(format!("{game}{blanks}").as_bytes(), 1 << 20);
        assert_eq!(found.len(), 1, "{blank:?}");
        assert_eq!(found[0], (false, 0, 1, game.len()));
        let before = games(format!("{blanks}{}\n{next}", "\n".repeat(500_000)).as_bytes(), 1 << 20);
        assert_eq!((before.len(), before[0].0, before[0].3), (1, false, next.len()), "{blank:?}");
        let found = games(format!("{game}{blanks}\n{next}").as_bytes(), 1 << 20);
        let byte = (game.len() + blanks.len() + 1) as u64;
        assert_eq!((found.len(), found[1].1), (2, byte), "{blank:?}");
        assert_eq!(found[1].2, 4 + blanks.matches('\n').count() as u64);
    }
}

#[test]
fn tags_in_a_comment_with_a_very_long_line_are_ignored() {
    let text = format!(
        "[Event \"a\"]\n\n1. e4 {{{}\n[Site \"no\"]\n}} *\n\n[Event \"b\"]\n\n*\n",
        "x".repeat(40 << 20)
    );
    let found = games(text.as_bytes(), 1 << 20);
    assert_eq!(found.len(), 2, "{found:?}");
    assert_eq!((found[0].0, found[1].0), (true, false));
}
