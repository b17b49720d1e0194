//! Writes the texts among the games of a database into a directory.

use std::{
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
}

impl TextFolder {
    /// The directory that the user has named, for the database of a source.
    pub(super) fn of(input: &Input, source: &Path) -> Option<TextFolder> {
        let folder = input.settings.get(TEXTS)?;
        let base = safe(&source.file_stem().unwrap_or_default().to_string_lossy());
        Some(TextFolder { folder: folder.into(), base, replaces: input.settings.contains_key(REPLACE_TEXTS) })
    }

    /// Writes a text in all its languages.
    pub(super) fn write(&self, record: &RawRecord, encoding: TextEncoding) -> Result<(), String> {
        let number = record.number;
        let Some(texts) = record.guiding_texts(encoding) else {
            return Err(format!("text {number} is damaged and cannot be written"));
        };
        for text in texts {
            let path = self.folder.join(self.name(number, &text));
            self.write_file(&path, &text.content).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    format!("{} exists; with --force it is replaced", path.display())
                }
                _ => format!("{}: {error}", path.display()),
            })?;
        }
        Ok(())
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
        fs::create_dir_all(&self.folder)?;
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
