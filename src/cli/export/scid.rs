//! `plybook export` to Scid: three files.

use std::path::PathBuf;

use anyhow::{Context, bail};

use super::ended;
use crate::{
    archive::{Archive, Filter, GameCheck},
    cli::{
        ExitStatus,
        terminal::{self, OutputArgs},
    },
    counts::GAMES,
    export::{ExportError, ScidCounts, export_scid},
    files::{Output, Protected},
    present::PresentError,
    scid::Format,
};

/// The formats with their names and descriptions.
pub(super) const FORMATS: [(&str, &str, Format); 2] = [
    ("scid4", "Database of Scid 4: three files, with the name given by --output", Format::Scid4),
    ("scid5", "Database of Scid 5, likewise", Format::Scid5),
];

/// Writes a database, all of its files or none.
pub(super) fn write(
    archive: &Archive,
    filter: &Filter,
    check: Option<&GameCheck>,
    format: Format,
    to: &OutputArgs,
    protected: &Protected,
) -> anyhow::Result<ExitStatus> {
    let Some(path) = to.path().filter(|path| path.file_name().is_some()) else {
        bail!("a Scid database has three files: give its name with -o, for example -o base.si4")
    };
    let [index, ..] = format.extensions();
    let is_named = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(index));
    let stem = if is_named { path.with_extension("") } else { path.to_owned() };
    let paths = format.extensions().map(|extension| {
        let mut path = stem.clone().into_os_string();
        path.push(".");
        path.push(extension);
        PathBuf::from(path)
    });
    // One file of another database would be replaced without its others.
    if let Some(link) = paths.iter().find(|path| path.is_symlink()) {
        bail!("{} is a link: give the name of the database that it leads to, or another one", link.display());
    }
    let mut outputs = paths.iter().map(|path| to.open_at(path, protected)).collect::<Result<Vec<_>, _>>()?;
    let [index, names, games] = &mut outputs[..] else { bail!("a database has three files") };
    let written = export_scid(archive, filter, check, format, [index, names, games], |damage| {
        terminal::tell_error("", &PresentError::from(damage).into());
    });
    let ScidCounts { mut counts, unstorable } = match written {
        Err(ExportError::Write(error)) => return Err(error).context(path.display().to_string()),
        Err(error) => return Err(PresentError::from(error).into()),
        Ok(done) => done,
    };
    for (why, games) in unstorable {
        terminal::tell(format_args!("skipped {}, which Scid cannot store: {why}", GAMES.count(games)));
        counts.unstorable += games;
    }
    if counts.written > 0 {
        Output::finish_all(outputs)?;
    }
    Ok(ended(counts, check, "", "chess game"))
}
