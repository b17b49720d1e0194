//! Training questions. The comment that has one begins with a mark, and ends with the moves that are accepted:
//!
//! ```text
//! [%training] How does White win? (90 seconds, 10 points) | wrong: No. | hint: Look at h7. | answer d3h7 (10 points): Yes!
//! ```

use crate::{bytes::Bytes, nations::language, pieces::square, text::TextDecoder};

/// The parts of a question, each of which is a list of texts in several languages.
const PARTS: [&str; 4] = ["", "wrong: ", "hint: ", "hint: "];

/// A question as a comment; `None` if its bytes have another layout.
pub(crate) fn training(data: &[u8], texts: &TextDecoder) -> Option<String> {
    let mut bytes = Bytes(data);
    let (_, form) = (bytes.u16()?, bytes.u8()?);
    if form != 1 {
        return None;
    }
    let (_, seconds, points) = (bytes.u16_le()?, bytes.u32_le()?, bytes.u16_le()?);
    let mut parts = Vec::new();
    for (part, label) in PARTS.into_iter().enumerate() {
        let list = text_list(&mut bytes, texts)?;
        if part == 0 {
            let question = [list, format!("({seconds} seconds, {points} points)")];
            parts.push(joined(&question));
        } else if !list.is_empty() {
            parts.push(format!("{label}{list}"));
        }
    }
    for _ in 0..bytes.u8()? {
        let [from, to] = [square(bytes.u8()?)?, square(bytes.u8()?)?];
        let (_, points) = (bytes.u8()?, bytes.u8()?);
        let list = text_list(&mut bytes, texts)?;
        let answer = format!("answer {from}{to} ({points} points)");
        parts.push(if list.is_empty() { answer } else { format!("{answer}: {list}") });
    }
    Some(format!("[%training] {}", parts.join(" | ")))
}

fn joined(parts: &[String]) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    parts.join(" ")
}

fn text_list(bytes: &mut Bytes<'_>, texts: &TextDecoder) -> Option<String> {
    let count = bytes.u16_le()?;
    let mut list = Vec::new();
    for _ in 0..count {
        let (number, length) = (bytes.u16_le()?, bytes.u16_le()?);
        let text = texts.prose(bytes.take(usize::from(length))?);
        let code = language(number).map_or(String::new(), |code| format!("[%lang {code}]"));
        let text = joined(&[code, text.trim().to_owned()]);
        list.extend(Some(text).filter(|text| !text.is_empty()));
    }
    Some(list.join(" "))
}
