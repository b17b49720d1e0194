//! The words of one person's name, and which other names may denote the same person.

use super::given_names::usual;

/// Titles before a name, in this spelling.
const TITLES: [&str; 12] = ["GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM", "Dr", "DR", "Prof", "PROF"];

/// Words that occur in many family names, and count as a family name only if there is no other word.
const PARTICLES: [&str; 34] = [
    "af", "al", "av", "ben", "bin", "da", "dal", "das", "de", "del", "della", "den", "der", "di", "dos",
    "du", "el", "la", "las", "le", "los", "san", "st", "ten", "ter", "the", "van", "vd", "vom", "von", "y",
    "zu", "zum", "zur",
];

/// More words than any name has.
const MOST_WORDS: usize = 32;

/// One person.
#[derive(Debug, Default)]
pub(super) struct Person {
    /// The words before the comma; without a comma, all words.
    pub(super) family: Vec<Word>,
    /// The words after the comma.
    given: Vec<Word>,
    pub(super) has_comma: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    /// In lower case.
    text: String,
    /// Whether it consists of two or three capitals.
    is_initials: bool,
}

/// A name, split in one way.
pub(super) struct Parts<'a> {
    pub(super) given: Vec<&'a Word>,
    has_comma: bool,
}

impl<'a> Parts<'a> {
    pub(super) fn without_comma(words: &'a [Word]) -> Parts<'a> {
        Parts { given: words.iter().collect(), has_comma: false }
    }
}

impl Person {
    /// The persons whose names a text combines. The text has no accents.
    pub(super) fn all(text: &str) -> Vec<Person> {
        let text = without_parentheses(text);
        text.split([':', '/', '&', '+']).map(Person::new).filter(Person::has_words).collect()
    }

    fn new(text: &str) -> Person {
        let text = without_title(text.trim());
        if let Some((family, given)) = text.split_once(',') {
            let (family, given) = (words(family), given_words(given));
            if !family.is_empty() {
                return Person { family, given, has_comma: true };
            }
            return Person { family: given, given: Vec::new(), has_comma: false };
        }
        Person { family: words(text), given: Vec::new(), has_comma: false }
    }

    pub(super) fn has_words(&self) -> bool {
        !self.family.is_empty()
    }

    /// The words of the family name, in lower case; without a comma, all words.
    pub(super) fn family_words(&self) -> impl Iterator<Item = &str> {
        self.family.iter().map(|word| word.text.as_str())
    }

    /// Whether the requested person may be the person of a name.
    pub(super) fn can_be(&self, name: &Person) -> bool {
        match (self.has_comma, name.has_comma) {
            (false, false) => has_words(&self.family, &name.family),
            (true, true) => {
                let are_related = has_run(&name.family, &self.family) || has_run(&self.family, &name.family);
                are_related && given_agree(&self.behind_comma(), &name.behind_comma())
            }
            (true, false) => {
                apart(&name.family, &self.family).any(|name| given_agree(&self.behind_comma(), &name))
            }
            (false, true) => {
                apart(&self.family, &name.family).any(|sought| given_agree(&sought, &name.behind_comma()))
            }
        }
    }

    pub(super) fn behind_comma(&self) -> Parts<'_> {
        Parts { given: self.given.iter().collect(), has_comma: true }
    }
}

/// The possible given names in a sequence of words without a comma, if the remaining words are the family name of
/// another name, or a part of it.
fn apart<'a>(words: &'a [Word], family: &'a [Word]) -> impl Iterator<Item = Parts<'a>> {
    let without = |from: usize, to: usize| {
        let given = words.iter().take(from).chain(words.iter().skip(to)).collect();
        Parts { given, has_comma: false }
    };
    let last = words.len();
    let whole = runs(words).filter(move |&(from, to)| joined(&words[from..to]) == joined(family));
    let ends = (1..=last).flat_map(move |size| [(0, size), (last - size, last)]);
    let part = ends.filter(move |&(from, to)| has_run(family, &words[from..to]));
    // Particles are a family name only at the end.
    let is_name =
        move |&(from, to): &(usize, usize)| to == last || !words[from..to].iter().all(Word::is_particle);
    whole.chain(part).filter(is_name).map(move |(from, to)| without(from, to))
}

/// The ranges of all sequences of consecutive words.
fn runs(words: &[Word]) -> impl Iterator<Item = (usize, usize)> {
    let last = words.len();
    (0..last).flat_map(move |from| (from + 1..=last).map(move |to| (from, to)))
}

/// Whether the words contain the requested sequence, ignoring spaces. Particles alone do not match within longer
/// names.
fn has_run(words: &[Word], sought: &[Word]) -> bool {
    let whole = joined(sought);
    if sought.iter().all(Word::is_particle) {
        return joined(words) == whole;
    }
    runs(words).any(|(from, to)| joined(&words[from..to]) == whole)
}

pub(super) fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect()
}

/// Whether given names agree one by one; extra names on either side are ignored.
fn given_agree(sought: &Parts<'_>, name: &Parts<'_>) -> bool {
    if sought.given.is_empty() || name.given.is_empty() {
        return sought.given.is_empty();
    }
    let text = |parts: &Parts<'_>| parts.given.iter().map(|word| word.text.as_str()).collect::<String>();
    let mut pairs = each(sought.given.iter().copied()).into_iter().zip(each(name.given.iter().copied()));
    text(sought) == text(name) || pairs.all(|(one, other)| agree(one, sought, other, name))
}

/// Whether two given names, each with its full name, are equal, forms of the same name, an initial, or abbreviated after
/// a comma.
pub(super) fn agree(one: &str, sought: &Parts<'_>, other: &str, name: &Parts<'_>) -> bool {
    let may_be_cut = if one.len() < other.len() { sought.has_comma } else { name.has_comma };
    are_one_given_name(one, other) || may_be_cut && is_cut(one, other)
}

/// Whether a requested given name is another one: the same, a form of it, or an initial of either. Only the requested
/// name may be a short form of which the other is the initial: "Bobby" is R, but "Robert" is not B.
fn are_one_given_name(sought: &str, name: &str) -> bool {
    let usual_form = usual(sought);
    usual_form == usual(name) || are_initial_and_name(sought, name) || are_initial_and_name(usual_form, name)
}

/// Words, with sequences of initials split.
pub(super) fn each<'a>(words: impl IntoIterator<Item = &'a Word>) -> Vec<&'a str> {
    let mut all = Vec::new();
    for Word { text, is_initials } in words {
        if *is_initials { all.extend(text.split("").filter(|c| !c.is_empty())) } else { all.push(text) }
    }
    all
}

/// Whether one of two words is a single letter, and the other begins with it.
fn are_initial_and_name(one: &str, other: &str) -> bool {
    let initial = |word: &str| word.chars().next().filter(|c| c.is_alphabetic());
    let is_single = one.chars().nth(1).is_none() || other.chars().nth(1).is_none();
    is_single && initial(one).is_some() && initial(one) == initial(other)
}

/// Whether one of two words is a prefix of the other, with at least two letters.
fn is_cut(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() < other.len() { (one, other) } else { (other, one) };
    short.chars().nth(1).is_some() && long.starts_with(short)
}

/// Whether each requested word is one of a name without a comma, and at least one of them completely.
fn has_words(sought: &[Word], name: &[Word]) -> bool {
    has_each(&texts(sought), &texts(name)) || has_each(&each(sought), &each(name))
}

fn texts(words: &[Word]) -> Vec<&str> {
    words.iter().map(|word| word.text.as_str()).collect()
}

fn has_each(sought: &[&str], name: &[&str]) -> bool {
    let mut left = name.to_vec();
    let mut take = |fits: &dyn Fn(&str) -> bool| {
        let place = left.iter().position(|word| fits(word));
        place.map(|place| left.swap_remove(place)).is_some()
    };
    // A number at the end of a word distinguishes players of the same name.
    let mut take_whole = |sought: &str| {
        take(&|word| word == sought) || take(&|word| word.trim_end_matches(char::is_numeric) == sought)
    };
    let (whole, others): (Vec<&str>, Vec<&str>) = sought.iter().partition(|sought| take_whole(sought));
    let is_long = |word: &&str| word.chars().nth(1).is_some();
    let has_whole = whole.iter().any(is_long) || !whole.is_empty() && !name.iter().any(is_long);
    has_whole && others.into_iter().all(|sought| take(&|word| are_one_given_name(sought, word)))
}

impl Word {
    fn new(word: &str) -> Word {
        let is_initials = (2..=3).contains(&word.chars().count())
            && word.chars().all(|c| c.is_alphabetic() && c.is_uppercase());
        Word { text: word.to_lowercase(), is_initials }
    }

    fn is_particle(&self) -> bool {
        PARTICLES.contains(&self.text.as_str())
    }
}

/// The words of a text. An apostrophe is part of a word, and is ignored.
fn words(text: &str) -> Vec<Word> {
    let text = text.replace(['\'', '’', '`'], "");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST_WORDS).map(Word::new).collect()
}

/// Given names, without the numbers that distinguish players of the same name.
fn given_words(text: &str) -> Vec<Word> {
    let text = text.replace(['\'', '’', '`'], "");
    let words =
        text.split(|c: char| !c.is_alphanumeric()).map(|word| word.trim_end_matches(char::is_numeric));
    words.filter(|word| !word.is_empty()).take(MOST_WORDS).map(Word::new).collect()
}

/// A text without parentheses and their contents.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0usize;
    let is_outside = |c: &char| {
        depth += usize::from(*c == '(');
        let is_outside = depth == 0;
        depth = depth.saturating_sub(usize::from(*c == ')'));
        is_outside
    };
    text.chars().filter(is_outside).collect()
}

/// A name without the title before it.
fn without_title(name: &str) -> &str {
    let Some((title, rest)) = name.split_once([' ', '.']) else { return name };
    let rest = rest.trim_start_matches([' ', '.']);
    if TITLES.contains(&title) && rest.starts_with(char::is_alphabetic) { rest } else { name }
}
