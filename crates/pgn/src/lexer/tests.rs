use super::*;

fn kinds(text: &str) -> String {
    Lexer::new(text.as_bytes())
        .map(|(_, token)| match token {
            Token::Word(word) => format!("<{}>", String::from_utf8_lossy(word)),
            Token::Number(number) => number.to_string(),
            Token::Result(_) => "=".to_owned(),
            Token::OddResult(text) => format!("={}=", String::from_utf8_lossy(text)),
            Token::Comment(text) => format!("{{{}}}", String::from_utf8_lossy(text)),
            Token::Kept(text, warning) => {
                let text = String::from_utf8_lossy(text);
                match warning {
                    Warning::NestedBraces => format!("{{{{{text}}}}}"),
                    Warning::StrayPercents => format!("%{text}%"),
                    Warning::StrayTags => format!("[{text}]"),
                    _ => text.into_owned(),
                }
            }
            Token::OpenComment => "{".to_owned(),
            Token::Nag(nag) => format!("${nag}"),
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
            Token::Escape => "%".to_owned(),
        })
        .collect()
}

#[test]
fn braces_in_a_comment_are_text_unless_a_move_follows() {
    assert_eq!(kinds("e4 {a {b} c} e5"), "<e4>{{a {b} c}}<e5>");
    assert_eq!(kinds("e4 {a {b}} e5 {c}"), "<e4>{{a {b}}}<e5>{c}");
    assert_eq!(kinds("e4 {a {b} e5 {c} d4"), "<e4>{a {b}<e5>{c}<d4>");
    assert_eq!(kinds("e4 {a {b} e5 {c}} d4"), "<e4>{a {b}<e5>{c}<}><d4>");
    assert_eq!(kinds("e4 {a {b} c {d} e5"), "<e4>{a {b}<c>{d}<e5>");
    // The work is bounded however many there are.
    assert_eq!(kinds(&"{{}x".repeat(100_000)).matches('x').count(), 100_000);
}

#[test]
fn a_comment_is_not_closed_if_a_tag_pair_and_a_brace_come_first() {
    assert_eq!(kinds("e4 {a\n[B \"c\"]\n} e5"), "<e4>{a\n[B \"c\"]\n}<e5>");
    assert_eq!(kinds("e4 {a {b\n[B \"c\"]\n} e5"), "<e4>{a {b\n[B \"c\"]\n}<e5>");
    assert_eq!(kinds("e4 {a [B \"c\"] {d} e5"), "<e4>{a [B \"c\"] {d}<e5>");
    assert_eq!(kinds("e4 {a\n[B \"c\"]\n{d} e5"), "<e4>{");
    assert_eq!(kinds("e4 {a\r[B \"c {d\"]} e5"), "<e4>{");
    // Each comment is searched once, however many lines and braces it has.
    let lines = "{\n[% \"c\"]".repeat(1 << 18);
    assert_eq!(kinds(&format!("{{{lines}}} e5").repeat(8)).matches("<e5>").count(), 8);
}

#[test]
fn every_token_is_recognized() {
    assert_eq!(kinds("1.e4 e5 2. Nf3 $1 Nc6!? (2... d6) {x} 1-0"), "1<e4><e5>2<Nf3>$1<Nc6>$5(2<d6>){x}=");
    assert_eq!(kinds("0-0 0-0-0+ 1/2-1/2 * ½-½"), "<0-0><0-0-0+>===");
    assert_eq!(kinds("%x 1-0\n1. e4 ; {rest\ne5 {open"), "%1<e4>{ {rest}<e5>{");
    assert_eq!(kinds("2. Sf3?? a } b 1/2 %"), "2<Sf3>$4<a><}><b>=1/2=%%%");
    assert_eq!(kinds("e8(Q)+ exd6e.p. e.p. f4 e5.p4"), "<e8(Q)+><exd6e.p.><e.p.><f4><e5><p4>");
    assert_eq!(kinds("e4, e5,Nf3. 3.\u{2026}a6"), "<e4><e5><Nf3>3<a6>");
    assert_eq!(kinds("e4\n[A \"x\"] e5\n[B e6"), "<e4>[[A \"x\"]]<e5><[B><e6>");
    assert_eq!(kinds("e4 %x e5 % x y\n%z\n% d4"), "<e4>%%x%<e5>%% x y%%%");
    assert_eq!(kinds("e4\u{a0}e5 $ $70000 Nf3\u{b1}"), "<e4><e5><$><$70000><Nf3><\u{b1}>");
}

/// If each of them scanned the rest of its line, this would take an hour.
#[test]
fn a_line_of_brackets_or_percents_is_scanned_once() {
    const MANY: usize = 1 << 20;
    for (text, tokens) in [
        (format!("1. e4 ({}) e5 1-0", "[ ".repeat(MANY)), MANY + 6),
        (format!("1. e4 {}{}", "%x Nf3 ".repeat(MANY), " ".repeat(MANY)), 2 * MANY + 2),
        (format!("1. e4 {}(e5)", "%x ".repeat(MANY)), MANY + 5),
        (format!("1. e4 {}", "(%x) ".repeat(MANY)), 3 * MANY + 2),
    ] {
        assert_eq!(Lexer::new(text.as_bytes()).count(), tokens, "{}", &text[..20]);
    }
}

#[test]
fn a_percent_hides_only_text_of_its_own_line() {
    assert_eq!(
        kinds("e4 %x (e5) %y z\ne5 %w v u\nd4 %t {a} %s"),
        "<e4><%x>(<e5>)%%y z%<e5>%%w v u%<d4><%t>{a}%%s%"
    );
}
