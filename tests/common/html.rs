//! HTML as the tests of pages look at it: tags with their attributes, and the text between them. It is no browser: what a
//! page of plybook may not have, it refuses.

/// A part of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Open(Tag),
    Close(String),
    Text(String),
}

/// A tag that opens something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn has_class(&self, class: &str) -> bool {
        self.get("class").is_some_and(|classes| classes.split(' ').any(|known| known == class))
    }
}

/// A page.
pub struct Html {
    pub parts: Vec<Part>,
}

/// Elements that have no end.
const EMPTY: [&str; 4] = ["meta", "link", "input", "br"];

impl Html {
    /// Reads a page. Every tag must be written out, every attribute quoted or bare, every element closed in its order.
    pub fn new(text: &str) -> Html {
        let (mut parts, mut open, mut rest) = (Vec::new(), Vec::<String>::new(), text);
        while let Some((before, after)) = rest.split_once('<') {
            parts.push(Part::Text(unescaped(before)));
            if let Some(after) = after.strip_prefix("!DOCTYPE html>") {
                rest = after;
                continue;
            }
            if let Some(after) = after.strip_prefix('/') {
                let (name, after) = after.split_once('>').expect("an end without >");
                assert_eq!(open.pop().as_deref(), Some(name), "{}", near(before));
                parts.push(Part::Close(name.to_owned()));
                rest = after;
                continue;
            }
            let (tag, is_closed, after) = tag(after);
            if !EMPTY.contains(&tag.name.as_str()) && !is_closed {
                open.push(tag.name.clone());
            }
            parts.push(Part::Open(tag.clone()));
            if is_closed {
                parts.push(Part::Close(tag.name));
            }
            rest = after;
        }
        assert!(open.is_empty(), "not closed: {open:?}");
        parts.push(Part::Text(unescaped(rest)));
        Html { parts }
    }

    pub fn tags(&self) -> impl Iterator<Item = &Tag> {
        self.parts.iter().filter_map(|part| match part {
            Part::Open(tag) => Some(tag),
            _ => None,
        })
    }

    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Tag> {
        self.tags().filter(move |tag| tag.name == name)
    }

    pub fn id(&self, id: &str) -> Option<&Tag> {
        self.tags().find(|tag| tag.get("id") == Some(id))
    }

    /// What stands in the elements that fit, as parts.
    pub fn within(&self, fits: impl Fn(&Tag) -> bool) -> Vec<&[Part]> {
        let begins = self.parts.iter().enumerate().filter_map(|(at, part)| match part {
            Part::Open(tag) if fits(tag) => Some(at),
            _ => None,
        });
        begins.map(|at| &self.parts[at + 1..self.end(at)]).collect()
    }

    /// Where the element that opens there ends.
    fn end(&self, at: usize) -> usize {
        let mut depth = 0_i32;
        for (place, part) in self.parts.iter().enumerate().skip(at) {
            match part {
                Part::Open(tag) if !EMPTY.contains(&tag.name.as_str()) => depth += 1,
                Part::Close(_) => depth -= 1,
                _ => {}
            }
            if depth <= 0 {
                return place;
            }
        }
        self.parts.len()
    }

    /// The texts of the elements that fit.
    pub fn texts(&self, fits: impl Fn(&Tag) -> bool) -> Vec<String> {
        self.within(fits).into_iter().map(text_of).collect()
    }

    /// The text of the element with an id.
    pub fn text(&self, id: &str) -> String {
        self.texts(|tag| tag.get("id") == Some(id)).pop().unwrap_or_else(|| panic!("no {id}"))
    }

    /// The rows of the body of a table, each as the texts of its cells.
    pub fn rows(&self, table: &str) -> Vec<Vec<String>> {
        let of_table = self.within(|tag| tag.get("id") == Some(table)).pop().unwrap_or_default().to_vec();
        let table = Html { parts: of_table };
        let body = Html { parts: table.within(|tag| tag.name == "tbody").pop().unwrap_or_default().to_vec() };
        let rows = body.within(|tag| tag.name == "tr").into_iter().map(<[Part]>::to_vec);
        rows.map(|parts| Html { parts }.texts(|tag| matches!(tag.name.as_str(), "td" | "th"))).collect()
    }
}

/// The text of some parts, with single blanks.
pub fn text_of(parts: &[Part]) -> String {
    let texts = parts.iter().map(|part| match part {
        Part::Text(text) => text.as_str(),
        _ => "",
    });
    texts.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A tag, whether it is closed at once, and what follows.
fn tag(text: &str) -> (Tag, bool, &str) {
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':');
    let split = |text: &str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let (name, mut rest) = text.split_at(split(text));
    assert!(!name.is_empty(), "a < that begins no tag: {}", near(text));
    let mut attributes: Vec<(String, String)> = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("/>") {
            return (Tag { name: name.to_owned(), attributes }, true, after);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (Tag { name: name.to_owned(), attributes }, false, after);
        }
        let (attribute, after) = rest.split_at(split(rest));
        assert!(!attribute.is_empty(), "no attribute: {}", near(rest));
        assert!(attributes.iter().all(|(known, _)| known != attribute), "{attribute} twice: {}", near(text));
        let (value, after) = match after.strip_prefix("=\"") {
            Some(quoted) => quoted.split_once('"').expect("an attribute without an end"),
            None => ("", after),
        };
        attributes.push((attribute.to_owned(), unescaped(value)));
        rest = after;
    }
}

fn near(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Text without the references of HTML. An & that begins none is refused.
fn unescaped(text: &str) -> String {
    let mut parts = text.split('&');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, rest) = part.split_once(';').unwrap_or_else(|| panic!("a bare &: {}", near(part)));
        let known = match name {
            "lt" => Some('<'),
            "gt" => Some('>'),
            "amp" => Some('&'),
            "quot" => Some('"'),
            name => name.strip_prefix('#').and_then(|number| char::from_u32(number.parse().ok()?)),
        };
        plain.push(known.unwrap_or_else(|| panic!("an unknown reference: {name}")));
        plain.push_str(rest);
    }
    plain
}
