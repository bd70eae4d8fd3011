//! The log of results: a header with the terms of the contest, then a line of JSON
//! for each game. An interrupted contest continues where its log ends.

use crate::referee::Reason;
use lambda6_rules::Side;
use serde::{Deserialize, Serialize};
use std::{
    fs::{File, OpenOptions},
    io::{Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

/// The version of the log's format.
const SCHEMA: u32 = 1;

/// The terms of the contest. A log with other terms is not continued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LogHeader {
    /// `contest-log`.
    kind: String,
    schema: u32,
    /// The five numbers of the game.
    game: String,
    names: Vec<String>,
    /// The settings of each entrant.
    entrants: Vec<String>,
    /// The openings: names and moves.
    openings: Vec<String>,
    /// How games are ended early.
    rules: String,
}

impl LogHeader {
    pub(crate) fn new(
        game: String,
        names: Vec<String>,
        entrants: Vec<String>,
        openings: Vec<String>,
        rules: String,
    ) -> LogHeader {
        LogHeader { kind: "contest-log".to_string(), schema: SCHEMA, game, names, entrants, openings, rules }
    }

    /// The first difference between the headers.
    fn difference(&self, other: &LogHeader) -> Option<String> {
        let list = |list: &[String]| list.join(", ");
        let pairs = [
            ("kind", self.kind.clone(), other.kind.clone()),
            ("schema", self.schema.to_string(), other.schema.to_string()),
            ("game", self.game.clone(), other.game.clone()),
            ("names", list(&self.names), list(&other.names)),
            ("entrants", list(&self.entrants), list(&other.entrants)),
            ("openings", list(&self.openings), list(&other.openings)),
            ("rules", self.rules.clone(), other.rules.clone()),
        ];
        let (name, here, there) = pairs.into_iter().find(|(_, here, there)| here != there)?;
        let short = |text: String| text.chars().take(200).collect::<String>();
        Some(format!("{name}: the log has {:?}, now it is {:?}", short(there), short(here)))
    }
}

/// A game in the log. Arrays have the values of the pairing's first and second
/// entrant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The first entrant.
    pub first: usize,
    /// The second.
    pub second: usize,
    /// The game's number in the pairing, from 0.
    pub number: usize,
    /// The opening's name.
    pub opening: String,
    /// The entrant with Black: 0 for the first, 1 for the second.
    pub black: usize,
    /// `black`, `white` or `draw`.
    pub result: String,
    /// Why the game ended.
    pub reason: Reason,
    /// The failure of the loser, if there was one.
    pub failure: Option<String>,
    /// The path of the transcript of a failure.
    pub transcript: Option<String>,
    /// The moves.
    pub moves: Vec<String>,
    /// The moves that each was asked for.
    pub turns: [u32; 2],
    /// The time of each for all of them.
    pub seconds: [f64; 2],
    /// The time of each for the slowest.
    pub longest: [f64; 2],
}

impl Played {
    /// The half points of the first entrant: 2 for a win, 1 for a draw.
    pub fn half_points(&self) -> u8 {
        let winner = match self.result.as_str() {
            "black" => Side::Black,
            "white" => Side::White,
            _ => return 1,
        };
        if (winner == Side::Black) == (self.black == 0) { 2 } else { 0 }
    }
}

/// Why a log cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// Another contest writes to it.
    #[error("{}: another contest is writing to it", .0.display())]
    Locked(PathBuf),
    /// A line cannot be read.
    #[error("{}: line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The JSON error.
        error: serde_json::Error,
    },
    /// The log is of a contest with other terms.
    #[error("{}: is the log of another contest: {difference}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
}

/// An open log.
pub(crate) struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens or creates a log and returns its games. An incomplete last line is
    /// cut off.
    pub(crate) fn open(path: &Path, header: &LogHeader) -> Result<(Log, Vec<Played>), LogError> {
        let io = |error| LogError::Io { path: path.to_path_buf(), error };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(LogError::Locked(path.to_path_buf()));
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(io)?;
        let whole = text.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let text = String::from_utf8_lossy(&text[..whole]).into_owned();
        let mut log = Log { path: path.to_path_buf(), file };
        let mut lines = (1..).zip(text.lines());
        let wrong = |line, error| LogError::Line { path: path.to_path_buf(), line, error };
        match lines.next() {
            None => log.write(header)?,
            Some((line, text)) => {
                let logged: LogHeader = serde_json::from_str(text).map_err(|error| wrong(line, error))?;
                if let Some(difference) = header.difference(&logged) {
                    return Err(LogError::Other { path: path.to_path_buf(), difference });
                }
            }
        }
        let games = lines.map(|(line, text)| serde_json::from_str(text).map_err(|error| wrong(line, error)));
        Ok((log, games.collect::<Result<_, _>>()?))
    }

    /// Adds a game. It is on the disk when this returns.
    pub(crate) fn add(&mut self, played: &Played) -> Result<(), LogError> {
        self.write(played)
    }

    fn write(&mut self, value: &impl Serialize) -> Result<(), LogError> {
        let io = |error| LogError::Io { path: self.path.clone(), error };
        let mut line = serde_json::to_vec(value).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).and_then(|()| self.file.sync_data()).map_err(io)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn header(game: &str) -> LogHeader {
        let one = || vec!["x".to_string()];
        LogHeader::new(game.to_string(), one(), one(), one(), "y".to_string())
    }

    fn played(number: usize, result: &str, black: usize) -> Played {
        Played {
            first: 0,
            second: 1,
            number,
            opening: "X-K9".to_string(),
            black,
            result: result.to_string(),
            reason: Reason::Failed(crate::Failure::Crash),
            failure: None,
            transcript: None,
            moves: vec!["j10".to_string()],
            turns: [1, 0],
            seconds: [0.5, 0.0],
            longest: [0.5, 0.0],
        }
    }

    #[test]
    fn a_log_is_continued_and_an_incomplete_line_is_cut_off() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        let (mut log, games) = Log::open(&path, &header("a")).unwrap();
        assert!(games.is_empty());
        assert!(matches!(Log::open(&path, &header("a")), Err(LogError::Locked(_))));
        log.add(&played(0, "black", 0)).unwrap();
        drop(log);
        fs::write(&path, [&fs::read(&path).unwrap()[..], b"{\"first\":0,\"sec"].concat()).unwrap();
        let (mut log, games) = Log::open(&path, &header("a")).unwrap();
        assert_eq!(games, [played(0, "black", 0)]);
        log.add(&played(1, "draw", 1)).unwrap();
        drop(log);
        let (_, games) = Log::open(&path, &header("a")).unwrap();
        assert_eq!(games, [played(0, "black", 0), played(1, "draw", 1)]);
    }

    #[test]
    fn another_contests_log_and_a_damaged_one_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        drop(Log::open(&path, &header("a")).unwrap());
        let error = Log::open(&path, &header("b")).err().unwrap().to_string();
        assert!(error.contains("game: the log has \"a\", now it is \"b\""), "{error}");
        fs::write(&path, [&fs::read(&path).unwrap()[..], b"garbage\n"].concat()).unwrap();
        assert!(matches!(Log::open(&path, &header("a")), Err(LogError::Line { line: 2, .. })));
    }

    #[test]
    fn points_go_to_the_winner() {
        let points = |result, black| played(0, result, black).half_points();
        assert_eq!([points("black", 0), points("white", 0), points("draw", 0)], [2, 0, 1]);
        assert_eq!([points("black", 1), points("white", 1), points("draw", 1)], [0, 2, 1]);
    }
}
