//! Standard output, and files that are either written whole or not at all.

use anyhow::{Context, Error, Result, bail};
use rules::{Game, Move};
use serde::Serialize;
use std::{
    io::{self, ErrorKind, Write},
    path::Path,
};

/// Counts up when the meaning of a field of some command's `--json` output
/// changes or a field goes. New fields do not count.
pub(crate) const JSON_SCHEMA: u32 = 1;

/// What stands at the head of every document that `--json` prints.
#[derive(Serialize)]
pub(crate) struct JsonDocument<T: Serialize> {
    /// The command.
    kind: &'static str,
    schema: u32,
    #[serde(flatten)]
    body: T,
}

/// Prints one JSON document, on one line.
pub(crate) fn json(kind: &'static str, body: impl Serialize) -> Result<()> {
    let mut line = serde_json::to_vec(&JsonDocument { kind, schema: JSON_SCHEMA, body })?;
    line.push(b'\n');
    bytes(&line)
}

/// Prints text.
pub(crate) fn text(text: &str) -> Result<()> {
    bytes(text.as_bytes())
}

/// Writes to standard output at once, so that rows appear as they are found.
pub(crate) fn bytes(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("standard output: cannot be written")
}

/// The moves of a line by name; `-` for a defence whose stones can be anywhere.
pub(crate) fn line_names(game: Game, line: &[Move]) -> Vec<String> {
    let name = |mv: &Move| if mv.is_empty() { "-".to_string() } else { game.move_name(mv) };
    line.iter().map(name).collect()
}

/// Whether an error says only that the reader of our output, such as `head`, has
/// seen enough and gone away.
pub(crate) fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// A line for the person at the terminal, on standard error. When even that is
/// closed there is nobody to tell.
pub(crate) fn note(message: &str) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Writes a file under another name first and renames it, so that nobody ever
/// sees half of it. An existing file stays unless `force` says otherwise.
pub(crate) fn file(path: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let name = path.display();
    // A rename would put an ordinary file in the place of a device or a link.
    if path.exists() && !path.is_file() {
        bail!("{name}: is not an ordinary file");
    }
    let target = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    let path = target.as_path();
    // The rename works within one file system only: so the same directory.
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let cannot = || format!("{name}: cannot be written");
    let mut builder = tempfile::Builder::new();
    builder.prefix(".lambda6-");
    #[cfg(unix)]
    {
        // Temporary files are private by default; the result is an ordinary file.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut temporary = builder.tempfile_in(directory).with_context(cannot)?;
    temporary.write_all(bytes).with_context(cannot)?;
    temporary.as_file().sync_all().with_context(cannot)?;
    if force {
        temporary.persist(path).with_context(cannot)?;
        return Ok(());
    }
    match temporary.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
            bail!("{name}: exists already (--force replaces it)")
        }
        Err(error) => Err(error).with_context(cannot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_is_replaced_only_by_force_and_leaves_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("game.sgf");
        file(&path, b"one", false).unwrap();
        let error = file(&path, b"two", false).unwrap_err().to_string();
        assert!(error.ends_with("exists already (--force replaces it)"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"one");
        file(&path, b"three", true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"three");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn a_link_stays_and_the_file_behind_it_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("game.sgf"), directory.path().join("link"));
        fs::write(&path, b"one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        file(&link, b"two", true).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"two");
    }

    #[test]
    fn what_is_no_file_is_not_replaced() {
        let directory = tempfile::tempdir().unwrap();
        assert!(file(directory.path(), b"one", true).is_err());
        #[cfg(unix)]
        assert!(file(Path::new("/dev/null"), b"one", true).is_err());
        assert!(file(&directory.path().join("missing/game.sgf"), b"one", true).is_err());
    }
}
