//! Writes the texts among the games of a database into a directory.

use std::{
    collections::HashSet,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use crate::{
    chessbase::{GuidingText, RawRecord, TextEncoding},
    import::sink::Input,
};

/// The settings: the directory, and whether files in it are replaced.
pub(super) const TEXTS: &str = "texts";
pub(super) const REPLACE_TEXTS: &str = "replace-texts";

/// Most characters of a title in the name of a file.
const MOST_CHARACTERS: usize = 60;

/// The directory of the texts of a database.
pub(super) struct TextFolder {
    folder: PathBuf,
    /// The name of the database, with which those of the files begin.
    base: String,
    replaces: bool,
    /// The files that were written.
    written: HashSet<PathBuf>,
}

impl TextFolder {
    /// The directory that the user has named, for the database of a source.
    ///
    /// # Errors
    /// It cannot be created.
    pub(super) fn of(input: &Input, source: &Path) -> Option<Result<TextFolder, String>> {
        let folder = PathBuf::from(input.settings.get(TEXTS)?);
        let base = safe(&source.file_stem().unwrap_or_default().to_string_lossy());
        let replaces = input.settings.contains_key(REPLACE_TEXTS);
        let created = fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()));
        Some(created.map(|()| TextFolder { folder, base, replaces, written: HashSet::new() }))
    }

    /// Writes a text in all its languages. Returns whether it could.
    pub(super) fn write(&mut self, record: &RawRecord, encoding: TextEncoding) -> bool {
        let Some(texts) = record.guiding_texts(encoding) else { return false };
        let mut written = true;
        for text in texts {
            let path = self.unused(record.number, &text);
            written &= self.write_file(&path, &text.content).is_ok();
            self.written.insert(path);
        }
        written
    }

    /// A path that no other text of this import has.
    fn unused(&self, number: u32, text: &GuidingText) -> PathBuf {
        let path = self.folder.join(self.name(number, text));
        let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let numbered = (2..).map(|copy| path.with_extension(format!("{copy}.{extension}")));
        let mut paths = std::iter::once(path.clone()).chain(numbered);
        paths.find(|path| !self.written.contains(path)).unwrap_or_default()
    }

    fn name(&self, number: u32, text: &GuidingText) -> String {
        let extension = if text.is_html { "html" } else { "txt" };
        let words =
            [Some(&*self.base), Some(&*format!("{number:04}")), text.language, Some(&*safe(&text.title))]
                .into_iter()
                .flatten()
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" ");
        format!("{words}.{extension}")
    }

    fn write_file(&self, path: &Path, content: &str) -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(!self.replaces).create(self.replaces).truncate(self.replaces);
        options.open(path)?.write_all(content.as_bytes())
    }
}

/// A title as a part of a file name on every system: letters, digits, spaces and hyphens.
fn safe(title: &str) -> String {
    let character = |c: char| if c.is_alphanumeric() || c == '-' { c } else { ' ' };
    let words: String = title.chars().map(character).collect();
    let words: Vec<&str> = words.split_whitespace().collect();
    let name: String = words.join(" ").chars().take(MOST_CHARACTERS).collect();
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_become_names_without_paths() {
        for (title, name) in [
            ("../../etc/passwd", "etc passwd"),
            ("C:\\Windows\\x?*|", "C Windows x"),
            ("Größe – 1.e4!", "Größe 1 e4"),
            ("..", ""),
        ] {
            assert_eq!(safe(title), name);
        }
        assert_eq!(safe(&"é".repeat(300)).chars().count(), MOST_CHARACTERS);
    }
}
