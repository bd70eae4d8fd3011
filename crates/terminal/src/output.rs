//! Standard output, and files that are written completely or not at all.

use crate::files;
use anyhow::{Context, Error, Result, anyhow, bail};
use lambda6_proof::Certificate;
use lambda6_rules::{Game, Move};
use serde::Serialize;
use std::{
    fs,
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// The version of the `--json` output. It counts up when a field is removed or
/// changes its meaning, not when a field is added.
pub const JSON_SCHEMA: u32 = 1;

/// A document that `--json` prints, with its head.
#[derive(Serialize)]
pub struct JsonDocument<T: Serialize> {
    /// The command.
    kind: &'static str,
    schema: u32,
    #[serde(flatten)]
    body: T,
}

/// Prints one JSON document, on one line.
pub fn json(kind: &'static str, body: impl Serialize) -> Result<()> {
    let mut line = serde_json::to_vec(&JsonDocument { kind, schema: JSON_SCHEMA, body })?;
    line.push(b'\n');
    bytes(&line)
}

/// Prints a document as JSON, or a text in its place.
pub fn either(
    as_json: bool,
    kind: &'static str,
    body: impl Serialize,
    as_text: impl FnOnce() -> String,
) -> Result<()> {
    if as_json { json(kind, body) } else { text(&as_text()) }
}

/// Prints text.
pub fn text(text: &str) -> Result<()> {
    bytes(text.as_bytes())
}

/// Writes to standard output at once, so that rows appear as they are found.
pub fn bytes(bytes: &[u8]) -> Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("standard output: cannot be written")
}

/// The moves of a line by name; `-` for a defence whose stones can be anywhere.
pub fn line_names(game: Game, line: &[Move]) -> Vec<String> {
    let name = |mv: &Move| if mv.is_empty() { "-".to_string() } else { game.move_name(mv) };
    line.iter().map(name).collect()
}

/// Whether an error only says that the reader of standard output, such as `head`,
/// has closed it.
pub fn is_broken_pipe(error: &Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
}

/// Prints a line on standard error. Nothing is done where that is closed too.
pub fn note(message: &str) {
    let _ = writeln!(io::stderr().lock(), "{message}");
}

/// Fails if a file cannot be written: because it exists and may not be replaced, because it
/// is no ordinary file, or because its directory is missing or does not let files be made. For
/// commands that work for long before they write.
pub fn check_writable(path: &Path, force: bool) -> Result<()> {
    if path.exists() && !force {
        return Err(taken(path));
    }
    place(path)?.make().map(|_| ())
}

/// Writes what could not be written to the file that was named: to a new file in the directory
/// for temporary files, whose path is returned.
pub fn rescue(given: &Path, bytes: &[u8]) -> Result<PathBuf> {
    let directory = std::env::temp_dir();
    let suffix = given.file_name().map(|name| format!("-{}", name.to_string_lossy())).unwrap_or_default();
    let mut builder = tempfile::Builder::new();
    let made = builder.prefix("lambda6-").suffix(&suffix).tempfile_in(&directory);
    let cannot = |error: io::Error| files::unwritable(&directory, &error);
    let mut file = made.map_err(cannot)?;
    file.write_all(bytes).map_err(cannot)?;
    let (_, path) = file.keep().map_err(|error| cannot(error.error))?;
    Ok(path)
}

fn taken(path: &Path) -> Error {
    anyhow!("{}: exists already (--force replaces it)", path.display())
}

/// Makes the directory of an option such as `--svg`, if it is given.
pub fn directory(path: Option<&PathBuf>) -> Result<()> {
    let Some(path) = path else { return Ok(()) };
    fs::create_dir_all(path).map_err(|error| files::unwritable(path, &error))
}

/// Writes a certificate, compressed with zstd if the file's name ends in `.zst`.
pub fn certificate(path: &Path, certificate: &Certificate, force: bool) -> Result<()> {
    let mut bytes = Vec::new();
    certificate.write(&mut bytes)?;
    certificate_text(path, bytes, force)
}

/// The same with the certificate's text. If the file cannot be written after all, the
/// certificate is saved elsewhere, and the error tells the place: it may be the result of hours.
pub fn certificate_text(path: &Path, mut bytes: Vec<u8>, force: bool) -> Result<()> {
    if path.extension().is_some_and(|extension| extension == "zst") {
        bytes = zstd::encode_all(&bytes[..], zstd::DEFAULT_COMPRESSION_LEVEL)
            .with_context(|| format!("{}: cannot be compressed", path.display()))?;
    }
    let Err(failed) = file(path, &bytes, force) else { return Ok(()) };
    match rescue(path, &bytes) {
        Ok(saved) => Err(anyhow!("{failed:#}; the certificate is in {} instead", saved.display())),
        Err(also) => Err(anyhow!("{failed:#}, and {also:#}")),
    }
}

/// Writes a file under another name first and renames it, so that no reader sees
/// an incomplete file. An existing file is replaced only with `force`.
pub fn file(given: &Path, bytes: &[u8], force: bool) -> Result<()> {
    let place = place(given)?;
    let cannot = |error: io::Error| files::unwritable(given, &error);
    let mut temporary = place.make()?;
    temporary.write_all(bytes).map_err(cannot)?;
    temporary.as_file().sync_all().map_err(cannot)?;
    if force {
        temporary.persist(&place.path).map_err(|error| cannot(error.error))?;
        return Ok(());
    }
    match temporary.persist_noclobber(&place.path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(taken(given)),
        Err(error) => Err(cannot(error.error)),
    }
}

/// Where a file is to be written.
struct Place<'a> {
    given: &'a Path,
    path: PathBuf,
}

/// The place of a file that was named; an error if there is something else.
fn place(given: &Path) -> Result<Place<'_>> {
    // A rename would replace a device or a link by an ordinary file.
    if given.exists() && !given.is_file() {
        bail!("{}: is not an ordinary file", given.display());
    }
    Ok(Place { given, path: given.canonicalize().unwrap_or_else(|_| given.to_path_buf()) })
}

impl Place<'_> {
    /// A file under another name. A rename works only within a file system, hence the same
    /// directory.
    fn make(&self) -> Result<tempfile::NamedTempFile> {
        let directory = match self.path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".lambda6-");
        #[cfg(unix)]
        {
            // Temporary files are private by default; the result has the usual permissions.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(std::fs::Permissions::from_mode(0o666));
        }
        builder.tempfile_in(directory).map_err(|error| files::unwritable(self.given, &error))
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
    fn what_cannot_be_written_is_refused_before_the_work() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("missing/win.proof");
        let error = check_writable(&missing, true).unwrap_err().to_string();
        assert!(
            error.ends_with("missing/win.proof: cannot be written: there is no such directory"),
            "{error}"
        );
        assert!(check_writable(directory.path(), true).is_err());
        let path = directory.path().join("win.proof");
        check_writable(&path, false).unwrap();
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
        fs::write(&path, b"one").unwrap();
        assert!(check_writable(&path, false).is_err() && check_writable(&path, true).is_ok());
    }

    #[test]
    fn a_certificate_that_cannot_be_written_is_saved_elsewhere() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("missing/win.proof");
        let error = certificate_text(&path, b"text".to_vec(), false).unwrap_err().to_string();
        let saved = error.split("the certificate is in ").nth(1).unwrap().strip_suffix(" instead").unwrap();
        assert_eq!(fs::read(saved).unwrap(), b"text");
        fs::remove_file(saved).unwrap();
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
