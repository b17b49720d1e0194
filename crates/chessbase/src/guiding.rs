//! Texts among the games: titles and contents in several languages.

use crate::{
    bytes::Bytes,
    database::RawRecord,
    nations::language,
    text::{TextDecoder, TextEncoding},
};

/// Bytes before the version of a text.
const HEADER: usize = 4;

/// A text in one language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuidingText {
    /// The code of its language, if it has one.
    pub language: Option<&'static str>,
    /// Its title.
    pub title: String,
    /// The text, or the HTML.
    pub content: String,
    /// Whether the content is HTML.
    pub is_html: bool,
}

impl RawRecord {
    /// The contents of a text in all their languages; `None` if it is damaged.
    pub fn guiding_texts(&self, encoding: TextEncoding) -> Option<Vec<GuidingText>> {
        let texts = TextDecoder::new(encoding);
        let mut bytes = Bytes::at(&self.moves, HEADER);
        let version = bytes.u16_le()?;
        let titles = bytes.u16_le()?;
        let titles = (0..titles).map(|_| {
            let (number, length) = (bytes.u16_le()?, bytes.u16_le()?);
            Some((number, texts.prose(bytes.take(usize::from(length))?)))
        });
        let titles: Vec<(u16, String)> = titles.collect::<Option<_>>()?;
        bytes.u8()?;
        let contents = bytes.u16_le()?;
        let contents = (0..contents).map(|_| {
            let number = bytes.u16_le()?;
            let content = texts.prose(sized(&mut bytes, version)?);
            // How the text is formatted; HTML is followed by zeros instead.
            sized(&mut bytes, version)?;
            let title = titles.iter().find(|(other, _)| *other == number).or(titles.first());
            let title = title.map(|(_, title)| title.clone()).unwrap_or_default();
            Some(GuidingText { language: language(number), title, content, is_html: version == 3 })
        });
        contents.collect()
    }
}

/// Bytes after their length, which has two bytes in the first version, and four later.
fn sized<'a>(bytes: &mut Bytes<'a>, version: u16) -> Option<&'a [u8]> {
    let length = match version {
        1 => u32::from(bytes.u16_le()?),
        2 | 3 => bytes.u32_le()?,
        _ => return None,
    };
    bytes.take(usize::try_from(length).ok()?)
}
