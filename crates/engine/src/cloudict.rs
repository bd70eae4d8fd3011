//! The text protocol of Cloudict, which its board program ConnectMore speaks.
//!
//! In: `name`, `print`, `exit`, `quit`, `black XXXX`, `white XXXX`, `next`,
//! `move XXXX`, `new black`, `new white`, `new xxx`, `depth d`, `vcf`, `unvcf`,
//! `help`. Out: `name N`, `move XXXX` and text that is not read. A square
//! is two letters, column and row, and rows count from the bottom.

use crate::{
    CommandError, Session, Step, Thought, coords,
    session::{MoveError, short},
    session_board::SessionBoard,
    session_clock::SessionClock,
};
use lambda6_player::TimeControl;
use lambda6_rules::{Game, Side, record::Rows};
use std::fmt::Display;

const HELP: &str = "\
name        - print the name of the engine
print       - print the board
exit, quit  - end
black XXXX  - place black stones (XX for a single one)
white XXXX  - place white stones; columns A to S, rows A to S from the bottom
next        - choose a move for the side that did not place the last stones
move XXXX   - the opponent's move; choose one in return
new black   - a new game, the engine has Black and places the first stone
new white   - a new game, the engine has White
depth d     - look at most d moves ahead
vcf, unvcf  - accepted; threats are always searched
help        - print this";

/// A line from the other side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `name`
    Name,
    /// `print`
    Print,
    /// `exit` or `quit`
    Quit,
    /// `black XXXX` or `white XXXX`, in letters that are not read yet.
    Place(Side, String),
    /// `next`
    Next,
    /// `move XXXX`, in letters that are not read yet.
    Move(String),
    /// `new`: the engine's side, White unless the line says Black.
    New(Side),
    /// `depth d`
    Depth(u32),
    /// `vcf` or `unvcf`
    Vcf,
    /// `help`
    Help,
}

impl Command {
    /// Reads a line. `None` for an empty one.
    pub fn parse(line: &str) -> Option<Result<Command, CommandError>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(Ok(match &words[..] {
            [] => return None,
            ["name"] => Command::Name,
            ["print"] => Command::Print,
            ["exit" | "quit", ..] => Command::Quit,
            ["black", squares] => Command::Place(Side::Black, (*squares).to_string()),
            ["white", squares] => Command::Place(Side::White, (*squares).to_string()),
            ["next"] => Command::Next,
            ["move", squares] => Command::Move((*squares).to_string()),
            ["new", "black"] => Command::New(Side::Black),
            ["new", ..] => Command::New(Side::White),
            ["depth", depth] => match depth.parse() {
                Ok(depth) if depth > 0 => Command::Depth(depth),
                _ => return Some(Err(CommandError::Depth(short(depth)))),
            },
            ["vcf" | "unvcf"] => Command::Vcf,
            ["help", ..] => Command::Help,
            _ => return Some(Err(CommandError::Unknown(short(line)))),
        }))
    }
}

/// A conversation with a board program.
pub struct Cloudict {
    name: String,
    board: SessionBoard,
    clock: SessionClock,
    /// The side whose move is being searched.
    thinking: Option<Side>,
    quit: bool,
}

impl Cloudict {
    /// Which row the letter A means.
    pub const ROWS: Rows = Rows::FromBottom;

    /// A conversation about this game, whose board must have letters for every square.
    pub fn new(game: Game, time: TimeControl, name: &str) -> Cloudict {
        Cloudict {
            name: name.to_string(),
            board: SessionBoard::new(game),
            clock: SessionClock::new(time),
            thinking: None,
            quit: false,
        }
    }

    fn place(&mut self, side: Side, squares: &str) -> Result<(), MoveError> {
        let mv = coords::parse_letters(self.board.game(), Cloudict::ROWS, squares)?;
        Ok(self.board.place(side, &mv)?)
    }

    /// The side that did not place the last stones.
    fn next_side(&self) -> Side {
        self.board.groups().last().map_or(Side::Black, |(side, _)| side.other())
    }

    fn think(&mut self, side: Side) -> Vec<Step> {
        match self.board.task(side, &self.clock) {
            Ok(task) => {
                self.thinking = Some(side);
                vec![Step::Think(task)]
            }
            Err(over) => error(over),
        }
    }

    fn drawing(&self) -> String {
        let letter = |n: u8| char::from(b'A' + n.min(coords::MAX_LETTERS - 1)).to_string();
        self.board.draw(letter, letter)
    }
}

/// The protocol has no errors, but lines that are no answer are not read.
fn error(error: impl Display) -> Vec<Step> {
    vec![Step::Say(format!("error: {error}"))]
}

impl Session for Cloudict {
    fn line(&mut self, line: &str) -> Vec<Step> {
        let command = match Command::parse(line) {
            None => return Vec::new(),
            Some(Ok(command)) => command,
            Some(Err(problem)) => return error(problem),
        };
        match command {
            Command::Name => vec![Step::Say(format!("name {}", self.name))],
            Command::Print => vec![Step::Say(self.drawing())],
            Command::Quit if self.thinking.is_some() => {
                self.quit = true;
                vec![Step::StopAndQuit]
            }
            Command::Quit => vec![Step::Quit],
            Command::Place(side, squares) => match self.place(side, &squares) {
                Ok(()) => Vec::new(),
                Err(problem) => error(format!("{side}: {problem}")),
            },
            Command::Next => self.think(self.next_side()),
            Command::Move(squares) => {
                let side = self.next_side();
                match self.place(side, &squares) {
                    Ok(()) => self.think(side.other()),
                    Err(problem) => error(format!("move: {problem}")),
                }
            }
            Command::New(side) => {
                self.board = SessionBoard::new(self.board.game());
                self.clock.restart();
                if side == Side::Black { self.think(side) } else { Vec::new() }
            }
            Command::Depth(depth) => {
                self.clock.set_depth(Some(depth));
                vec![Step::Say(format!("Set the search depth to {depth}."))]
            }
            Command::Vcf => Vec::new(),
            Command::Help => vec![Step::Say(HELP.to_string())],
        }
    }

    fn is_urgent(&self, line: &str) -> bool {
        matches!(Command::parse(line), Some(Ok(Command::Quit | Command::Name)))
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        let Some(side) = self.thinking.take() else { return Vec::new() };
        self.clock.spent(side, thought.elapsed);
        let mut steps = match self.board.play_thought(side, thought) {
            Ok(mv) => {
                let letters = coords::letters(self.board.game(), Cloudict::ROWS, &mv);
                vec![Step::Say(format!("move {letters}"))]
            }
            Err(problem) => error(problem),
        };
        if self.quit {
            steps.push(Step::Quit);
        }
        steps
    }
}
