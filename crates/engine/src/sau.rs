//! The protocol of the SAU platform, on which Chinese computer games contests
//! are played.
//!
//! In: `name?`, `new black`, `new white`, `move XYXY`, `error`, `end [side]`,
//! `quit`. Out: `name N`, `move XYXY`. A square is two letters, column and row,
//! and rows count from the top; `move JJ` is a single stone, which some programs
//! write `JJ@@`. The protocol has no messages for errors of the platform: those
//! become notes.

use crate::{
    CommandError, Session, Step, Thought, coords,
    session::{MoveError, short},
    session_board::SessionBoard,
    session_clock::SessionClock,
};
use lambda6_player::TimeControl;
use lambda6_rules::{Game, Side, record::Rows};

/// A line from the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `name?`
    Name,
    /// `new black` or `new white`: the engine's side.
    New(Side),
    /// `move XYXY`: the opponent's move, in letters that are not read yet.
    Move(String),
    /// `error`: the engine's last move was refused.
    Error,
    /// `end`, with the winner.
    End,
    /// `quit`.
    Quit,
}

impl Command {
    /// Reads a line. `None` for an empty one.
    pub fn parse(line: &str) -> Option<Result<Command, CommandError>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(match &words[..] {
            [] => return None,
            ["name?"] => Ok(Command::Name),
            ["new", side] => match side.parse() {
                Ok(side) => Ok(Command::New(side)),
                Err(_) => Err(CommandError::Side(short(line))),
            },
            ["move", squares] => Ok(Command::Move((*squares).to_string())),
            ["error", ..] => Ok(Command::Error),
            ["end", ..] => Ok(Command::End),
            ["quit", ..] => Ok(Command::Quit),
            _ => Err(CommandError::Unknown(short(line))),
        })
    }
}

/// A conversation with the platform.
pub struct Sau {
    name: String,
    board: SessionBoard,
    clock: SessionClock,
    /// The engine's side, while a game goes on.
    side: Option<Side>,
    thinking: bool,
    /// The move that is being searched is not wanted any more.
    dropped: bool,
    quit: bool,
}

impl Sau {
    /// Which row the letter A means.
    pub const ROWS: Rows = Rows::FromTop;

    /// A conversation about this game, whose board must have letters for every square.
    pub fn new(game: Game, time: TimeControl, name: &str) -> Sau {
        Sau {
            name: name.to_string(),
            board: SessionBoard::new(game),
            clock: SessionClock::new(time),
            side: None,
            thinking: false,
            dropped: false,
            quit: false,
        }
    }

    fn think(&mut self, side: Side) -> Vec<Step> {
        match self.board.task(side, &self.clock) {
            Ok(task) => {
                self.thinking = true;
                vec![Step::Think(task)]
            }
            Err(over) => vec![Step::Note(over.to_string())],
        }
    }

    fn opponent_moves(&mut self, squares: &str) -> Result<Vec<Step>, MoveError> {
        let side = self.side.ok_or(MoveError::NoGame)?;
        let mv = coords::parse_letters(self.board.game(), Sau::ROWS, squares)?;
        let turn = self.board.turn();
        if turn.side == side {
            return Err(MoveError::OwnTurn(side));
        }
        self.board.play(turn.side, &mv)?;
        Ok(self.think(side))
    }
}

impl Session for Sau {
    fn line(&mut self, line: &str) -> Vec<Step> {
        let command = match Command::parse(line) {
            None => return Vec::new(),
            Some(Ok(command)) => command,
            Some(Err(error)) => return vec![Step::Note(error.to_string())],
        };
        match command {
            Command::Name => vec![Step::Say(format!("name {}", self.name))],
            Command::New(side) => {
                self.board = SessionBoard::new(self.board.game());
                self.clock.restart();
                self.side = Some(side);
                if side == Side::Black { self.think(side) } else { Vec::new() }
            }
            Command::Move(squares) => {
                let steps = self.opponent_moves(&squares);
                steps.unwrap_or_else(|error| vec![Step::Note(format!("move: {error}"))])
            }
            Command::Error => {
                // The engine's stones are not on the platform's board.
                let ours = self.board.groups().last().is_some_and(|(side, _)| Some(*side) == self.side);
                if ours {
                    self.board.undo();
                }
                vec![Step::Note("the platform refused the last move".to_string())]
            }
            Command::End => {
                self.side = None;
                self.dropped = self.thinking;
                if self.thinking { vec![Step::Stop] } else { Vec::new() }
            }
            Command::Quit if self.thinking => {
                self.quit = true;
                vec![Step::StopAndQuit]
            }
            Command::Quit => vec![Step::Quit],
        }
    }

    fn is_urgent(&self, line: &str) -> bool {
        matches!(Command::parse(line), Some(Ok(Command::Quit | Command::End | Command::Name)))
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        self.thinking = false;
        let mut steps = Vec::new();
        let dropped = std::mem::take(&mut self.dropped);
        if let Some(side) = self.side.filter(|_| !dropped) {
            self.clock.spent(side, thought.elapsed);
            steps.push(match self.board.play_thought(side, thought) {
                Ok(mv) => Step::Say(format!("move {}", coords::letters(self.board.game(), Sau::ROWS, &mv))),
                Err(error) => Step::Note(error.to_string()),
            });
        }
        if self.quit {
            steps.push(Step::Quit);
        }
        steps
    }
}
