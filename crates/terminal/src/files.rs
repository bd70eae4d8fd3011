//! Errors of files, in one wording: the name first, then what is wrong with it.

use anyhow::{Error, anyhow};
use std::{
    fs,
    io::{self, ErrorKind},
    path::Path,
};

/// A file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Error {
    let name = path.display();
    match error.kind() {
        ErrorKind::NotFound => anyhow!("{name}: there is no such file"),
        ErrorKind::IsADirectory => anyhow!("{name}: is a directory, expected a file"),
        _ => anyhow!("{name}: cannot be read: {error}"),
    }
}

/// A file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Error {
    let name = path.display();
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            anyhow!("{name}: cannot be written: there is no such directory")
        }
        // The system's text may name a temporary file that nobody has asked for.
        ErrorKind::PermissionDenied => anyhow!("{name}: cannot be written: permission denied"),
        _ => anyhow!("{name}: cannot be written: {error}"),
    }
}

/// The text of a file.
pub fn read_text(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| unreadable(path, &error))
}

/// Fails if there is no file of this name to read.
pub fn check_readable(path: &Path) -> Result<(), Error> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(unreadable(path, &ErrorKind::IsADirectory.into())),
        Ok(_) => Ok(()),
        Err(error) => Err(unreadable(path, &error)),
    }
}

/// Fails if there is no directory of this name to read.
pub fn check_directory(path: &Path) -> Result<(), Error> {
    let name = path.display();
    match fs::read_dir(path) {
        Ok(_) => Ok(()),
        Err(error) => Err(match error.kind() {
            ErrorKind::NotFound => anyhow!("{name}: there is no such directory"),
            ErrorKind::NotADirectory => anyhow!("{name}: is a file, expected a directory"),
            _ => anyhow!("{name}: cannot be read: {error}"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_begin_with_the_name_and_say_what_is_wrong() {
        let directory = tempfile::tempdir().unwrap();
        let missing = directory.path().join("no.txt");
        for (path, expected) in [
            (missing.as_path(), "there is no such file"),
            (directory.path(), "is a directory, expected a file"),
        ] {
            let expected = format!("{}: {expected}", path.display());
            assert_eq!(read_text(path).unwrap_err().to_string(), expected);
            assert_eq!(check_readable(path).unwrap_err().to_string(), expected);
        }
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        for (path, expected) in
            [(&missing, "there is no such directory"), (&file, "is a file, expected a directory")]
        {
            let expected = format!("{}: {expected}", path.display());
            assert_eq!(check_directory(path).unwrap_err().to_string(), expected);
        }
        assert!(check_directory(directory.path()).is_ok());
    }
}
