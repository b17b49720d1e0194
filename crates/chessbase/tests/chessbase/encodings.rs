use plybook_chessbase::Remark;

use crate::{base::Base, comments, game, read, read_in};

fn with_texts(name: &[u8], texts: &[&[u8]]) -> Base {
    let mut base = Base::new();
    let white = base.name("cbp", &[(0, name)]) as u8;
    let texts: Vec<Vec<u8>> = texts.iter().map(|text| [&[0, 0], *text].concat()).collect();
    let items: Vec<_> = texts.iter().map(|text| (0, 0x02, &text[..])).collect();
    base.game("e4 255", &items)[11] = white;
    base
}

fn texts(base: &Base) -> Vec<String> {
    comments(&game(base).game).into_iter().map(|(_, text)| text).collect()
}

#[test]
fn cyrillic_databases_are_recognized_without_a_mark() {
    // "Карпов", "Сильный ход, белые выигрывают" in Windows-1251.
    let name = b"\xca\xe0\xf0\xef\xee\xe2";
    let text = b"\xd1\xe8\xeb\xfc\xed\xfb\xe9 \xf5\xee\xe4, \xe1\xe5\xeb\xfb\xe5 \xe2\xfb\xe8\xe3\xf0\xfb\xe2\xe0\xfe\xf2";
    let base = with_texts(name, &[text]);
    let decoded = game(&base);
    assert_eq!(decoded.game.tags.get("White"), Some("Карпов"));
    assert_eq!(texts(&base), ["Сильный ход, белые выигрывают"]);
    assert_eq!(decoded.remarks, [Remark::CodePage]);
    // The user knows better.
    let named = read_in(&base.files(), Some("koi8-r".parse().unwrap())).remove(0).unwrap();
    assert_eq!(named.game.tags.get("White"), Some("йЮПОНБ"));
}

#[test]
fn western_texts_are_windows_1252_and_mix_with_utf8() {
    let base = with_texts(
        b"M\xfcller",
        &["Züge ♞ \u{e026}f3".as_bytes(), b"Der K\xf6nig \x96 \xabgut\xbb", b"plain"],
    );
    assert_eq!(game(&base).game.tags.get("White"), Some("Müller"));
    assert_eq!(texts(&base), ["Züge ♞ Nf3", "Der König – «gut»", "plain"]);
}

#[test]
fn figurines_are_the_letters_of_pieces() {
    let base = with_texts(b"A\xa2", &[b"17.\xa4xf3, \xa35 und \xa6ad1; \xfc", b"nur \xa2 und \xa7"]);
    assert_eq!(texts(&base), ["17.Nxf3, Q5 und Rad1; ü", "nur K und P"]);
    // Names have none, and neither have databases in which no move follows one.
    assert_eq!(game(&base).game.tags.get("White"), Some("A¢"));
    let base = with_texts(b"A", &[b"\xa7 12 costs \xa35 or 7\xa2"]);
    assert_eq!(texts(&base), ["§ 12 costs £5 or 7¢"]);
    // In Cyrillic texts, too.
    let base =
        with_texts(b"\xca\xe0\xf0\xef\xee\xe2", &[b"\xd5\xee\xe4 \xa4f3 \xf1\xe8\xeb\xfc\xed\xfb\xe9"]);
    assert_eq!(texts(&base), ["Ход Nf3 сильный"]);
}

#[test]
fn a_character_of_utf8_that_a_field_has_cut_is_left_out() {
    // The field has 30 bytes; some programs end it with a zero byte.
    for letters in ["Größe, Übermacht, Übergab", "Größe, Übermacht, Überga"] {
        let base = with_texts(&[letters.as_bytes(), b"\xc3"].concat(), &[b"Andr\xe9"]);
        assert_eq!(game(&base).game.tags.get("White"), Some(letters));
        assert_eq!(texts(&base), ["André"]);
    }
}

#[test]
fn a_name_ends_at_its_first_zero_byte() {
    let base = with_texts(b"Tal\0rubbish\xff\xfe", &[]);
    assert_eq!(game(&base).game.tags.get("White"), Some("Tal"));
    assert!(read(&base.files()).remove(0).unwrap().remarks.is_empty());
}

#[test]
fn texts_that_only_begin_like_utf_8_lose_no_letter() {
    let text = b"\xc5\xbdiga spielt h\xe9";
    let base = with_texts(b"\xc5\xbdiga \xed", &[text]);
    assert_eq!(texts(&base), ["Å½iga spielt hé"]);
    assert_eq!(game(&base).game.tags.get("White"), Some("Å½iga í"));
}

#[test]
fn deciding_on_an_encoding_can_be_stopped() {
    let mut base = Base::new();
    base.game("e4 255", &[]);
    let mut database = crate::open(&base.files()).unwrap();
    let error = database.encoding(None, || true).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::Interrupted);
}
