use super::*;

fn read(text: &str) -> (Vec<(String, String)>, usize) {
    let mut warnings = Warnings::default();
    let TagSection { tags, end, .. } = read_tags(text, &mut warnings).unwrap();
    (tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(), end)
}

fn one(line: &str) -> (String, String) {
    read(line).0.remove(0)
}

#[test]
fn malformed_tag_pairs_are_repaired() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(one(r#"[Event "a"]"#), pair("Event", "a"));
    assert_eq!(one(r#" [ Event   "a b" ] "#), pair("Event", "a b"));
    assert_eq!(one(r#"[Event "The \"Big\" one\\"]"#), pair("Event", r#"The "Big" one\"#));
    assert_eq!(one(r#"[Event "The "Big" one"]"#), pair("Event", r#"The "Big" one"#));
    assert_eq!(one(r#"[Event "a""#), pair("Event", "a"));
    assert_eq!(one(r#"[Event "a"#), pair("Event", "a"));
    assert_eq!(one(r#"[Event ""]"#), pair("Event", ""));
    assert_eq!(read(r#"[A "x"] [B "y"]"#).0.len(), 2);
    assert_eq!(read(r#"[A "x"] [B "y"] 1. e4"#), (vec![pair("A", "x"), pair("B", "y")], 16));
}

#[test]
fn a_value_may_have_single_quotes_or_one_line_break() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(one("[Event 'a b']"), pair("Event", "a b"));
    assert_eq!(one("[White 'O'Neil']"), pair("White", "O'Neil"));
    assert_eq!(one("[Event \"a\nb\"]\n\n1. e4"), pair("Event", "a b"));
    assert_eq!(one("[Event \"a\n\n1. e4"), pair("Event", "a"));
    assert_eq!(read("[Event \"a\nb\"]\n[White \"c\"]\n\n1. e4").0.len(), 2);
    assert_eq!(read("1. e4 [Event 'a']").0.len(), 0);
}

#[test]
fn a_line_may_be_longer_than_a_tag_pair() {
    let tags = "[A \"x\"] ".repeat(MAX_TAGS);
    let moves = format!("1. e4 {{{}}} *", "x".repeat(2 * MAX_TAG_BYTES));
    assert_eq!(read(&format!("{tags}{moves}")).1, tags.len());
    let pair = |length: usize| format!("[A \"{}\"]", "x".repeat(length - 6));
    let three = |length: usize| format!("{} {}{} {moves}", pair(10), pair(length), pair(length));
    assert_eq!(read(&three(MAX_TAG_BYTES)).0.len(), 3);
    let rejected = |text: &str| read_tags(text, &mut Warnings::default()).unwrap_err().at;
    assert_eq!(rejected(&three(MAX_TAG_BYTES + 1)), 11);
    assert_eq!(rejected(&pair(MAX_TAG_BYTES + 1)), 0);
    // A line of many games is not searched to its end for each of them; the million here would take hours.
    let text = "[A \"x\"] 1. e4 * ".repeat(1 << 20);
    assert!((0..2000).all(|game| read(&text[16 * game..]).1 == 8));
}

#[test]
fn comments_between_tags_are_returned_separately() {
    let mut warnings = Warnings::default();
    let text = "{head} ; more\n[A \"x\"]\n; one\n{two\nlines} [B \"y\"]\n\n{movetext} 1. e4";
    let section = read_tags(text, &mut warnings).unwrap();
    assert_eq!((section.tags.len(), section.comments), (2, vec![" one", "two\nlines"]));
    assert_eq!(&text[section.end..], "\n\n{movetext} 1. e4");
    assert_eq!(warnings.count(Warning::CommentsOutside), 2);
    assert_eq!(warnings.count(Warning::CommentsAmongTags), 1);
}

#[test]
fn a_blank_line_between_tags_does_not_end_them() {
    let (tags, end) = read("[Event \"a\"]\r\n\r\n[White \"b\"]\r\n\r\n1. e4");
    assert_eq!(tags.len(), 2);
    assert_eq!(end, 26);
}
