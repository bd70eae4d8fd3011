//! The syntax of the protocol's lines.

use crate::{Balance, CoordError, coords, session::short};
use lambda6_rules::{Game, Square};
use std::time::Duration;

/// A command of the manager.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `START size` or `RECTSTART width,height`
    Start {
        /// The number of columns.
        width: i64,
        /// The number of rows.
        height: i64,
    },
    /// `RESTART`
    Restart,
    /// `BEGIN`
    Begin,
    /// `TURN x,y`: the opponent's stone.
    Turn(Point),
    /// `PLAY x,y`: a stone that the engine has to place.
    Play(Point),
    /// `TAKEBACK x,y`
    TakeBack(Point),
    /// A command with a list, which goes on until `DONE`, and the words of the list
    /// on its own line.
    List(List, Vec<String>),
    /// `DONE`
    Done,
    /// `YXBLOCKRESET`
    BlockReset,
    /// `YXNBEST n`
    BestMoves(usize),
    /// `YXBALANCEONE score` or `YXBALANCETWO score`
    Balance(Balance),
    /// `INFO key value`; `None` for a key that the engine has no use for.
    Info(Option<Info>),
    /// `ABOUT`
    About,
    /// `STOP` or `YXSTOP`
    Stop,
    /// `END`
    End,
}

/// The commands with a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// `BOARD`: stones, then the engine moves.
    Board,
    /// `YXBOARD`: stones alone.
    Position,
    /// `YXBLOCK`: squares not to be considered.
    Block,
    /// `YXBLOCKUNDO`: squares to be considered again.
    Unblock,
    /// `SWAP2BOARD`: an opening of swap2.
    Swap2,
}

/// Coordinates as written: column and row from 0, rows from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The column.
    pub x: i64,
    /// The row.
    pub y: i64,
}

/// What `INFO` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Info {
    /// `timeout_turn`
    TurnTime(Duration),
    /// `timeout_match`; zero is no limit.
    GameTime(Duration),
    /// `time_left`; `None` is no limit.
    TimeLeft(Option<Duration>),
    /// `max_memory` in bytes; zero is no limit.
    Memory(u64),
    /// `rule`, as written.
    Rule(String),
}

/// Why a line cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The protocol has no such command.
    #[error("unknown command {0:?}")]
    Unknown(String),
    /// The command's arguments are wrong.
    #[error("{command}: expected {expected}, found {found:?}")]
    Arguments {
        /// The command.
        command: &'static str,
        /// What it expects.
        expected: &'static str,
        /// What follows it.
        found: String,
    },
}

/// The remaining time when there is no limit.
const UNLIMITED: i64 = 2_147_483_647;

/// The most moves of `YXNBEST`.
const MOST_MOVES: i64 = 200;

const POINT: &str = "coordinates x,y such as 7,7";

impl Command {
    /// Reads a line; `None` for an empty one. Commands may be in small letters.
    pub fn parse(line: &str) -> Option<Result<Command, LineError>> {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_ascii_uppercase();
        let rest: Vec<&str> = words.collect();
        Some(Command::read(&name, &rest).unwrap_or_else(|| Err(LineError::Unknown(short(line)))))
    }

    /// `None` for an unknown command.
    fn read(name: &str, rest: &[&str]) -> Option<Result<Command, LineError>> {
        let list = |list| Some(Ok(Command::List(list, rest.iter().map(|word| word.to_string()).collect())));
        let point = |command, make: fn(Point) -> Command| {
            Some(Point::parse(&rest.concat()).map(make).ok_or_else(|| wrong(command, POINT, rest)))
        };
        Some(Ok(match name {
            "START" => return Some(start(rest)),
            "RECTSTART" => return Some(rect_start(rest)),
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => return point("TURN", Command::Turn),
            "PLAY" => return point("PLAY", Command::Play),
            "TAKEBACK" => return point("TAKEBACK", Command::TakeBack),
            "BOARD" => return list(List::Board),
            "YXBOARD" => return list(List::Position),
            "YXBLOCK" => return list(List::Block),
            "YXBLOCKUNDO" => return list(List::Unblock),
            "SWAP2BOARD" => return list(List::Swap2),
            "DONE" => Command::Done,
            "YXBLOCKRESET" => Command::BlockReset,
            "YXNBEST" => return Some(best_moves(rest)),
            "YXBALANCE" | "YXBALANCEONE" => return Some(balance("YXBALANCEONE", 1, rest)),
            "YXBALANCETWO" => return Some(balance("YXBALANCETWO", 2, rest)),
            "INFO" => return Some(Info::parse(rest).map(Command::Info)),
            "ABOUT" => Command::About,
            "STOP" | "YXSTOP" => Command::Stop,
            "END" => Command::End,
            _ => return None,
        }))
    }
}

fn wrong(command: &'static str, expected: &'static str, rest: &[&str]) -> LineError {
    LineError::Arguments { command, expected, found: short(&rest.join(" ")) }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    text.parse().ok().filter(|_| digits.bytes().all(|b| b.is_ascii_digit()))
}

fn start(rest: &[&str]) -> Result<Command, LineError> {
    let size = if let [size] = rest { number(size) } else { None };
    let size = size.ok_or_else(|| wrong("START", "a board size such as 15", rest))?;
    Ok(Command::Start { width: size, height: size })
}

fn rect_start(rest: &[&str]) -> Result<Command, LineError> {
    let size = Point::parse(&rest.concat());
    let Point { x, y } = size.ok_or_else(|| wrong("RECTSTART", "width,height such as 20,15", rest))?;
    Ok(Command::Start { width: x, height: y })
}

fn best_moves(rest: &[&str]) -> Result<Command, LineError> {
    let count = if let [count] = rest { number(count) } else { None };
    let count = count.filter(|count| (1..=MOST_MOVES).contains(count));
    let count = count.ok_or_else(|| wrong("YXNBEST", "a number of moves from 1 to 200", rest))?;
    Ok(Command::BestMoves(count as usize))
}

fn balance(command: &'static str, moves: usize, rest: &[&str]) -> Result<Command, LineError> {
    let score = match rest {
        [] => Some(0),
        [score] => number(score).and_then(|score| i32::try_from(score).ok()),
        _ => None,
    };
    let score = score.ok_or_else(|| wrong(command, "a score such as 0", rest))?;
    Ok(Command::Balance(Balance { moves, score }))
}

impl List {
    /// The command.
    pub fn name(self) -> &'static str {
        match self {
            List::Board => "BOARD",
            List::Position => "YXBOARD",
            List::Block => "YXBLOCK",
            List::Unblock => "YXBLOCKUNDO",
            List::Swap2 => "SWAP2BOARD",
        }
    }
}

impl Point {
    /// Reads `x,y`.
    pub fn parse(text: &str) -> Option<Point> {
        let (x, y) = text.split_once(',')?;
        Some(Point { x: number(x.trim())?, y: number(y.trim())? })
    }

    /// The square of this board.
    pub fn square(self, game: Game) -> Result<Square, CoordError> {
        coords::from_xy(game, self.x, self.y)
    }

    /// The coordinates of a square.
    pub fn of(game: Game, square: Square) -> Point {
        let (x, y) = coords::xy(game, square);
        Point { x, y }
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl Info {
    fn parse(rest: &[&str]) -> Result<Option<Info>, LineError> {
        let Some((key, value)) = rest.split_first() else { return Ok(None) };
        let text = value.join(" ");
        let key = key.to_ascii_lowercase();
        let milliseconds = |low| {
            let value = number(&text).filter(|&value| value >= low);
            value.ok_or_else(|| wrong("INFO", "a number of milliseconds", rest))
        };
        // What is left can be negative.
        let time = |milliseconds: i64| Duration::from_millis(milliseconds.try_into().unwrap_or(0));
        Ok(Some(match key.as_str() {
            "timeout_turn" => Info::TurnTime(time(milliseconds(0)?)),
            "timeout_match" => Info::GameTime(time(milliseconds(0)?)),
            "time_left" => {
                let left = milliseconds(i64::MIN)?;
                Info::TimeLeft((left < UNLIMITED).then(|| time(left)))
            }
            "max_memory" => {
                let bytes = number(&text).and_then(|bytes| bytes.try_into().ok());
                Info::Memory(bytes.ok_or_else(|| wrong("INFO", "a number of bytes", rest))?)
            }
            "rule" => Info::Rule(short(&text)),
            // Who the opponent is, where the mouse is, where files may be kept.
            "game_type" | "evaluate" | "folder" => return Ok(None),
            _ => return Ok(None),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn commands_are_read_in_either_case_and_with_any_spaces() {
        assert_eq!(parse("START 15\r"), Command::Start { width: 15, height: 15 });
        assert_eq!(parse("rectstart 30, 20"), Command::Start { width: 30, height: 20 });
        assert_eq!(parse("\tTurn  10,11 "), Command::Turn(Point { x: 10, y: 11 }));
        assert_eq!(parse("turn 10 , 11"), Command::Turn(Point { x: 10, y: 11 }));
        assert_eq!(parse("yxblock 1,2 DONE"), Command::List(List::Block, vec!["1,2".into(), "DONE".into()]));
        assert_eq!(parse("YXNBEST 3"), Command::BestMoves(3));
        assert_eq!(parse("YXBALANCETWO -50"), Command::Balance(Balance { moves: 2, score: -50 }));
        assert_eq!(parse("yxbalanceone"), Command::Balance(Balance { moves: 1, score: 0 }));
        assert_eq!(Command::parse(" \r"), None);
    }

    #[test]
    fn infos_that_the_engine_uses_are_kept() {
        let info = |line: &str| match parse(line) {
            Command::Info(info) => info,
            other => panic!("{other:?}"),
        };
        let seconds = Duration::from_secs;
        assert_eq!(info("INFO timeout_turn 5000"), Some(Info::TurnTime(seconds(5))));
        assert_eq!(info("info TIMEOUT_MATCH 180000"), Some(Info::GameTime(seconds(180))));
        assert_eq!(info("INFO time_left 2147483647"), Some(Info::TimeLeft(None)));
        assert_eq!(info("INFO time_left -20"), Some(Info::TimeLeft(Some(Duration::ZERO))));
        assert_eq!(info("INFO max_memory 83886080"), Some(Info::Memory(83_886_080)));
        assert_eq!(info("INFO rule 5"), Some(Info::Rule("5".into())));
        for line in ["INFO", "INFO x", "INFO game_type 1", "INFO evaluate 3,4", "INFO folder C:\\a b"] {
            assert_eq!(info(line), None, "{line}");
        }
    }

    #[test]
    fn bad_lines_are_told_apart() {
        for line in ["hello", "7,7", "STAR", "é", "SUGGEST 7,7"] {
            assert!(matches!(Command::parse(line), Some(Err(LineError::Unknown(_)))), "{line}");
        }
        for line in [
            "START",
            "START x",
            "START 15 15",
            "START 99999999999999999999",
            "RECTSTART 15",
            "TURN",
            "TURN 7",
            "TURN 7,7,7",
            "TURN 7,+7",
            "TURN ,",
            "TAKEBACK a,b",
            "PLAY 1;1",
            "YXNBEST 0",
            "YXNBEST 201",
            "YXBALANCETWO 99999999999",
            "INFO timeout_turn soon",
            "INFO timeout_turn -1",
            "INFO time_left",
            "INFO max_memory -1",
        ] {
            assert!(matches!(Command::parse(line), Some(Err(LineError::Arguments { .. }))), "{line}");
        }
    }
}
