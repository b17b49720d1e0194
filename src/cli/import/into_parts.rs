//! `plybook import --into`

use std::{
    io::{self, Write},
    path::Path,
    sync::{Arc, atomic::Ordering::Relaxed},
};

use super::{Import, outcome, progress, report};
use crate::{
    cli::{ExitStatus, interrupt, terminal},
    counts::GAMES,
    files::Protected,
    parts::{PartsReport, import_into_parts},
    printable,
};

impl Import {
    /// Imports into a directory of parts.
    pub(super) fn run_into_parts(&self, folder: &Path) -> anyhow::Result<ExitStatus> {
        self.paths.iter().fold(Protected::default(), |all, path| all.source(path)).check_stdout()?;
        let options = self.options();
        interrupt::ask_first(Arc::clone(&options.cancel));
        let bar = progress::bar(self.quiet);
        let done =
            import_into_parts(folder, self.parts_of, &self.paths, &options, |at| progress::show(&bar, at));
        bar.finish_and_clear();
        if options.cancel.load(Relaxed) && done.as_ref().is_err_and(|error| error.is_patience()) {
            terminal::tell("stopped; to continue, run the same command again");
            std::process::exit(interrupt::STOPPED);
        }
        let done = done?;
        self.format.print_unless(self.quiet, &done, |out| self.print_parts(out, &done, folder))?;
        for part in &done.unfinished {
            let part = part.display();
            terminal::tell(format_args!(
                "{part} is an unfinished part from other sources; import those again to finish it"
            ));
        }
        outcome::tell_problems(&done.import, folder, self.allow_rejects)
    }

    fn print_parts(&self, out: &mut dyn Write, done: &PartsReport, folder: &Path) -> io::Result<()> {
        report::print_without_advice(out, &done.import, folder, self.rejects.is_some())?;
        if let Some((part, games)) = &done.continued {
            let line = format!("{} was unfinished, with {}; continued", part.display(), GAMES.count(*games));
            writeln!(out, "  {}", printable::line(&line))?;
        }
        if done.left_out > 0 {
            let games = GAMES.count(done.left_out);
            writeln!(out, "  removed: {games} that other imports stored in the meantime")?;
        }
        let numbers: Vec<String> = done.parts.iter().map(ToString::to_string).collect();
        let numbers = if numbers.is_empty() { "none".to_owned() } else { numbers.join(", ") };
        writeln!(out, "{:<12} {numbers}", "new parts")
    }
}
