use super::{
    super::{GameSplitter, GameText},
    *,
};
use plybook_chess::limits::MAX_COMMENT_BYTES;

/// The pieces that a text is split into.
fn pieces(text: &str) -> Vec<GameText> {
    let mut cutter = GameSplitter::new(text.as_bytes());
    let mut seen = Vec::new();
    while let Some(batch) = cutter.next_batch(1 << 20).unwrap() {
        seen.extend(batch.games);
    }
    seen
}

#[test]
fn blank_lines_are_not_boundaries() {
    let found = pieces("\u{feff} \n[Event \"a\"]\n\0\0\n[White \"w\"]\n\n1. e4 *\n");
    assert_eq!((found.len(), found[0].line), (1, 2));
}

#[test]
fn many_games_without_tags_are_split_at_results() {
    let few = "1. e4 e5\n1. d4 *\n".repeat(100);
    assert_eq!(pieces(&few).len(), 1);
    let many = "1. e4 e5\n2. Nf3 *\n".repeat(100_000);
    let found = pieces(&many);
    assert!(
        found.len() > 20 && found.iter().all(|piece| piece.range.len() < 2 * UNTAGGED),
        "{}",
        found.len()
    );
    assert!(found.iter().all(|piece| piece.byte % 18 == 0), "{:?}", &found[..3]);
    let endless = "1. e4 e5\n1. Nf3 Nf6\n".repeat(100_000);
    assert_eq!(pieces(&endless).len(), 1);
}

#[test]
fn a_comment_after_a_result_hides_no_game() {
    for comment in ["{A won}", "; A won", "{A\nwon}", "{A won}\n; at last", "{A} {won} ; at last"] {
        let text = format!(
            "[White \"A\"]\n\n1. e4 e5 1-0 {comment}\n\n[White \"B\"]\n\n1-0 {{forfeit}}\n\n\
             [White \"C\"]\n\n0-1 {{forfeit}}\n"
        );
        assert_eq!(pieces(&text).len(), 3, "{text}");
    }
    // A result in a comment does not end the game.
    assert_eq!(pieces("[White \"A\"]\n\n1. e4 e5 {not 1-0}\n[Source \"x\"]\n2. Nf3 *\n").len(), 1);
}

#[test]
fn a_game_with_only_a_result_follows_one_without_a_result() {
    for result in ["1-0", "0-1", "1/2-1/2", "1:0", "*"] {
        let text = format!("[White \"A\"]\n\n1. e4 e5\n\n[White \"B\"]\n\n{result}\n");
        assert_eq!(pieces(&text).len(), 2, "{text}");
    }
}

/// The first lines of the pieces of a text.
fn first_lines(text: &str) -> Vec<&str> {
    let first = |piece: GameText| text[usize::try_from(piece.byte).unwrap()..].lines().next().unwrap();
    pieces(text).into_iter().map(first).collect()
}

#[test]
fn a_comment_continues_at_a_tag_pair_if_the_next_brace_closes_it() {
    let (game, next) = ("[Event \"a\"]", "[White \"b\"]");
    for (comment, games) in [
        ("{see\n[White \"b\"]\n\n1. d4 *\n\n} e5 *", 1),
        ("{see\n\n[Event \"b\"]\n[White \"b\"]\n\n1. d4 *} e5 {x} *", 1),
        ("{see {this\n\n[Event \"b\"]\n\n1. d4 *} e5 {x} *", 1),
        ("{see\n[White \"b } {\"]\n*} e5 *", 1),
        ("{see [White \"b\"] {x} e5 *", 1),
        ("{see\n[White \"b\"]\n\n1. d4 {good} *", 2),
        ("{see\n[White \"b\"]\n\n1. d4 *", 2),
        ("{see\n\n[White \"b\"]\n1. d4 {good\n[White \"b\"]\n1. c4 *", 3),
    ] {
        for text in [format!("{game}\n\n1. e4 {comment}\n"), format!("{game}\n{comment}\n")] {
            let expected = [[game].as_slice(), &[next; 2][..games - 1]].concat();
            assert_eq!(first_lines(&text), expected, "{text}");
        }
    }
}

#[test]
fn the_next_brace_is_searched_for_within_the_limit_of_a_comment() {
    for (length, games) in [(MAX_COMMENT_BYTES - 1, 1), (MAX_COMMENT_BYTES, 2)] {
        let line = "[White \"b\"]\n";
        let text = format!("[Event \"a\"]\n\n1. e4 {{\n{line}{}}} *\n", "\n".repeat(length - line.len()));
        assert_eq!(first_lines(&text).len(), games, "{length}");
    }
}

/// If the next brace were searched for at each line, this would take an hour.
#[test]
fn many_tag_pairs_in_a_comment_and_many_unclosed_comments_take_linear_time() {
    let lines = "[White \"b\"]\n".repeat(MAX_COMMENT_BYTES / 12);
    let text = format!("[Event \"a\"]\n\n1. e4 {{\n{lines}}} e5 {{\n{lines}}} *\n");
    assert_eq!(pieces(&text).len(), 1);
    let (many, unclosed) = (1 << 17, "[White \"b\"]\n1. e4 {");
    assert_eq!(pieces(&format!("{unclosed}\n").repeat(many)).len(), many);
    // Each of these is searched for within the limit.
    let far = format!("{unclosed}\n{}", "[Made \"c\"]\n".repeat(MAX_COMMENT_BYTES / 11));
    assert_eq!(pieces(&far.repeat(24)).len(), 25);
    let open = format!("[White \"b\"]\n1. e4 {{{}", "\n{".repeat(8 << 20));
    assert_eq!(pieces(&format!("{open}\n[Event \"c\"]\n")).len(), 2);
}

#[test]
fn moves_and_comments_may_follow_a_tag_pair_on_its_line() {
    let text =
        "[White \"A ] [\"] [Black \"B\"] 1. e4 {see\n[White \"C\"]\n} e5 *\n[Event \"D\"] {x} 1. d4 *\n";
    assert_eq!(first_lines(text).len(), 2);
    // Only a value without an end continues on the next line.
    let text = "[White \"A\"]\n\n1. e4 {see \"]\n[White \"B\"]} *\n\n[White \"C\n1. e4\"]\n\n1. d4 *\n";
    assert_eq!(first_lines(text), ["[White \"A\"]", "[White \"C"]);
}

#[test]
fn a_game_begins_at_a_tag_pair_directly_after_a_result() {
    for between in ["", " ", " {comment [White \"no\"]} ", "\n"] {
        let text =
            format!("[White \"A\"] 1. e4 1-0{between}[Event \"B\"]\n[White \"b\"]\n\n1. d4 1/2-1/2{between}");
        let text = format!("{text}[White \"C\"] [Black \"D\"]\n\n*");
        assert_eq!(pieces(&text).len(), 3, "{text}");
    }
    // Also after moves and comments, if the tag begins games or no moves follow it.
    for between in [
        "",
        " {x}",
        "\u{feff}",
        "\x1a",
        " 1-0\r\n\u{feff}",
        " * \x1a",
        "\r\n\x1a",
        " 1\u{2014}0",
        " 0.5-0.5 ",
    ] {
        for tags in
            ["[Event \"B\"]", "[Site \"B\"]\n[White \"b\"]", "[WhiteElo \"1\"] [Round \"2\"]\n[White \"b\"]"]
        {
            let text = format!("[White \"A\"]\n\n1. e4 e5{between}{tags}\n\n1. d4 *\n");
            assert_eq!(pieces(&text).len(), 2, "{text}");
        }
    }
    assert_eq!(pieces("1. e4 [Source \"x\"]\n2. Nf3 *\n").len(), 1);
    for text in ["1. e4 {1-0 [White \"A\"]} *", "1. e4 ; 1-0 [White \"A\"]\n*", "1. e4 [White \"A\"] *"] {
        assert_eq!(pieces(text).len(), 1, "{text}");
    }
}

#[test]
fn a_line_among_the_tags_that_is_none_belongs_to_the_game() {
    for line in [
        "[Annotator]",
        "[%evp 0,30]",
        "[#]",
        "[]",
        "[Date 2024]",
        "by me",
        "\"]",
        "[A] [B \"x\"]",
        "[A \"x\"]]",
        "[A",
    ] {
        let one = format!("[Event \"a\"]\n{line}\n[White \"b\"]\n\n1. e4 *\n");
        assert_eq!(pieces(&one.repeat(3)).len(), 3, "{line}");
    }
    // Text before a blank line is a movetext.
    assert_eq!(pieces("[White \"a\"]\nby forfeit\n\n[Event \"b\"]\n\n1. e4 *\n").len(), 2);
}

#[test]
fn a_repeated_tag_begins_a_game_only_if_others_came_between_or_after_a_blank_line() {
    for (tags, games) in [
        ("[White \"a\"]\n[White \"b\"]\n[White \"c\"]\n[Event \"d\"]", 1),
        ("[Event \"a\"]\n[White \"b\"]\n[White \"c\"]", 1),
        ("[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]", 2),
        ("[White \"a\"]\n\n[White \"b\"]", 2),
    ] {
        assert_eq!(pieces(&format!("{tags}\n\n1. e4 *\n")).len(), games, "{tags}");
    }
}

#[test]
fn many_lines_without_tags_and_results_are_split_at_blank_lines() {
    let found = pieces(&"1. e4 e5\n2. Nf3\n\n".repeat(100_000));
    assert!(found.len() > 20 && found.iter().all(|piece| piece.byte % 17 == 0), "{}", found.len());
}

/// If the ends of these lines were searched for at each bracket, this would take minutes.
#[test]
fn many_brackets_take_linear_time() {
    let mut reader = crate::Reader::new();
    for text in ["[A \"x ", "[A", "[A \"x\"] y", "[", "x ] ", "[] ", "] ", "[A \"b\"] c\"] ", "y\n", "[A]\n"]
    {
        pieces(&format!("1. e4 {}", text.repeat(1 << 20)));
        let tags = format!("[Event \"a\"]\n{}]", text.repeat(1 << 20));
        assert!(pieces(&tags).len() < 3 && reader.read(tags.as_bytes()).count() < 3, "{text}");
    }
}
