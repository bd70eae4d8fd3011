//! The file format and the directory of an atlas.
//!
//! A directory holds `0001.zst`, `0002.zst`, … and `new.txt`, which all have the same text:
//! a head that names the game, then records ([`crate::entry`]), the later ones first to be
//! believed. A record is added to `new.txt` and is on the disk before it counts. When enough have
//! come together they are compressed into the next numbered file, which is never changed again.

use crate::entry::{Malformed, Record};
use lambda6_rules::Game;
use std::{
    fmt::Write as _,
    fs::{self, File, OpenOptions, TryLockError},
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

/// Text that is compressed together.
const SEALED_BYTES: u64 = 4 << 20;
/// The level of compression.
const LEVEL: i32 = 19;
const FIRST_LINE: &str = "lambda6-atlas 1";
const NEW: &str = "new.txt";

/// Why a directory cannot be used as an atlas.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The system's reason.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file does not have the format.
    #[error("{}: line {line}: {problem}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where.
        line: usize,
        /// What is wrong there.
        problem: Malformed,
    },
    /// Another process writes to it.
    #[error("{}: another process is building this atlas", .0.display())]
    Taken(PathBuf),
}

/// A directory that is written to. No other process can do that as long as it is held.
pub struct Log {
    directory: PathBuf,
    game: Game,
    new: File,
    bytes: u64,
    sealed: usize,
}

impl Log {
    /// Opens or makes the directory, and reads its records.
    pub fn open(directory: &Path, game: Game) -> Result<(Log, Vec<Record>), LogError> {
        fs::create_dir_all(directory).map_err(|source| failed(directory, source))?;
        let path = directory.join(NEW);
        let at = |source| failed(&path, source);
        let mut new = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(at)?;
        match new.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LogError::Taken(directory.to_path_buf())),
            Err(TryLockError::Error(source)) => return Err(at(source)),
        }
        let (mut records, sealed) = read_sealed(directory, game)?;
        let mut text = String::new();
        new.read_to_string(&mut text).map_err(at)?;
        let whole = whole_records(&text);
        records.extend(read_text(&path, game, whole)?);
        // What a crash left of a record that had not been told.
        new.set_len(whole.len() as u64).map_err(at)?;
        let mut log =
            Log { directory: directory.to_path_buf(), game, new, bytes: whole.len() as u64, sealed };
        if whole.is_empty() {
            log.begin()?;
        }
        Ok((log, records))
    }

    /// Reads the records of a directory that may be written to meanwhile.
    pub fn read(directory: &Path, game: Game) -> Result<Vec<Record>, LogError> {
        let path = directory.join(NEW);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(failed(&path, source)),
        };
        // Read first: if it is compressed meanwhile, its records come twice and not never.
        let (mut records, _) = read_sealed(directory, game)?;
        records.extend(read_text(&path, game, whole_records(&text))?);
        Ok(records)
    }

    /// Adds a record. When this returns it is on the disk.
    pub fn append(&mut self, record: &Record) -> Result<(), LogError> {
        let mut text = String::new();
        record.write(self.game, &mut text);
        self.write(&text)?;
        if self.bytes >= SEALED_BYTES { self.seal() } else { Ok(()) }
    }

    /// Compresses the records that are not compressed yet.
    pub fn seal(&mut self) -> Result<(), LogError> {
        let new = self.directory.join(NEW);
        let text = fs::read(&new).map_err(|source| failed(&new, source))?;
        if text == head(self.game).as_bytes() {
            return Ok(());
        }
        let path = sealed_file(&self.directory, self.sealed + 1);
        let packed = zstd::encode_all(&text[..], LEVEL).map_err(|source| failed(&path, source))?;
        write_whole(&path, &packed).map_err(|source| failed(&path, source))?;
        self.sealed += 1;
        self.new.set_len(0).map_err(|source| failed(&new, source))?;
        self.begin()
    }

    fn begin(&mut self) -> Result<(), LogError> {
        self.bytes = 0;
        self.write(&head(self.game))
    }

    fn write(&mut self, text: &str) -> Result<(), LogError> {
        let write = |new: &mut File| {
            new.seek(io::SeekFrom::End(0))?;
            new.write_all(text.as_bytes())?;
            new.sync_data()
        };
        write(&mut self.new).map_err(|source| failed(&self.directory.join(NEW), source))?;
        self.bytes += text.len() as u64;
        Ok(())
    }
}

/// Writes a file under another name first, so that it is there completely or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("part");
    let mut file = File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}

fn head(game: Game) -> String {
    let mut head = format!("{FIRST_LINE}\n");
    let [m, n, k, p, q] = [game.cols(), game.rows(), game.k(), game.p(), game.q()];
    let _ = writeln!(head, "game: {m} {n} {k} {p} {q}\n");
    head
}

fn failed(path: &Path, source: io::Error) -> LogError {
    LogError::File { path: path.to_path_buf(), source }
}

fn sealed_file(directory: &Path, number: usize) -> PathBuf {
    directory.join(format!("{number:04}.zst"))
}

/// The records of the numbered files, and how many files there are.
fn read_sealed(directory: &Path, game: Game) -> Result<(Vec<Record>, usize), LogError> {
    let mut records = Vec::new();
    for number in 1.. {
        let path = sealed_file(directory, number);
        let packed = match fs::read(&path) {
            Ok(packed) => packed,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((records, number - 1)),
            Err(source) => return Err(failed(&path, source)),
        };
        let text = zstd::decode_all(&packed[..]).map_err(|source| failed(&path, source))?;
        let text = String::from_utf8(text)
            .map_err(|error| failed(&path, io::Error::new(io::ErrorKind::InvalidData, error)))?;
        records.extend(read_text(&path, game, &text)?);
    }
    Ok((records, 0))
}

/// The text up to the last empty line.
fn whole_records(text: &str) -> &str {
    text.rfind("\n\n").map_or("", |end| &text[..end + 2])
}

fn read_text(path: &Path, game: Game, text: &str) -> Result<Vec<Record>, LogError> {
    let malformed =
        |line, problem| LogError::Malformed { path: path.to_path_buf(), line, problem: Malformed(problem) };
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let head = head(game);
    let Some(body) = text.strip_prefix(head.as_str()) else {
        return Err(malformed(1, format!("expected {:?}", head.trim_end())));
    };
    let mut line = 1 + head.lines().count();
    let mut records = Vec::new();
    for record in body.split_terminator("\n\n") {
        let read = Record::read(game, record.lines());
        records.push(read.map_err(|problem| malformed(line, problem.0))?);
        line += record.lines().count() + 1;
    }
    Ok(records)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(name: &str, spent: u64) -> Record {
        Record::Open { name: name.to_string(), spent }
    }

    #[test]
    fn what_was_appended_is_there_compressed_or_not() {
        let directory = tempfile::tempdir().unwrap();
        let game = Game::CONNECT6;
        let (mut log, records) = Log::open(directory.path(), game).unwrap();
        assert_eq!(records, []);
        let all: Vec<Record> = (0..5).map(|i| open("T-J8", i)).collect();
        for (i, record) in all.iter().enumerate() {
            log.append(record).unwrap();
            if i == 2 {
                log.seal().unwrap();
                log.seal().unwrap();
            }
            assert_eq!(Log::read(directory.path(), game).unwrap(), all[..=i]);
        }
        assert!(matches!(Log::open(directory.path(), game), Err(LogError::Taken(_))));
        drop(log);
        assert_eq!(Log::open(directory.path(), game).unwrap().1, all);
        assert!(!directory.path().join("0002.zst").exists());
    }

    /// A crash can cut the last record anywhere: the others stay, and the next one is whole.
    #[test]
    fn a_cut_record_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let game = Game::CONNECT6;
        let (mut log, _) = Log::open(directory.path(), game).unwrap();
        log.append(&open("T-J8", 1)).unwrap();
        log.append(&open("T-J7", 2)).unwrap();
        drop(log);
        let path = directory.path().join(NEW);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let (mut log, records) = Log::open(directory.path(), game).unwrap();
            assert!(records.len() < 2);
            log.append(&open("X-I9", 3)).unwrap();
            let after = Log::read(directory.path(), game).unwrap();
            assert_eq!(after[..records.len()], records);
            assert_eq!(after[records.len()..], [open("X-I9", 3)]);
        }
    }

    #[test]
    fn another_game_and_nonsense_are_refused_with_their_place() {
        let directory = tempfile::tempdir().unwrap();
        drop(Log::open(directory.path(), Game::CONNECT6).unwrap());
        let error = Log::read(directory.path(), Game::GO_MOKU).unwrap_err().to_string();
        assert!(
            error.contains("new.txt: line 1: expected \"lambda6-atlas 1\\ngame: 15 15 5 1 1\""),
            "{error}"
        );
        let path = directory.path().join(NEW);
        let text = fs::read_to_string(&path).unwrap() + "open T-J8 spent=1\n\nclosed\n\n";
        fs::write(&path, text).unwrap();
        let error = Log::read(directory.path(), Game::CONNECT6).unwrap_err().to_string();
        assert!(error.contains("new.txt: line 6: expected proved or open"), "{error}");
    }
}
