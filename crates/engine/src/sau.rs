//! The protocol of the SAU platform, on which Chinese computer games contests
//! are played.
//!
//! In: `name?`, `new black`, `new white`, `move XYXY`, `error`, `end [side]`,
//! `quit`. Out: `name N`, `move XYXY`. A square is two letters, column and row,
//! and rows count from the top; `move JJ` is a single stone, which some programs
//! write `JJ@@`. The platform has no words for errors of its own side: those are
//! notes.

use crate::{Clock, Desk, Session, Step, Thought, coords, desk::completed};
use player::TimeControl;
use rules::{Game, Side, record::Rows};

/// A line from the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `name?`
    Name,
    /// `new black` or `new white`: the engine's side.
    New(Side),
    /// `move XYXY`: the opponent's move, in letters not yet understood.
    Move(String),
    /// `error`: the engine's last move was refused.
    Error,
    /// `end`, with whoever won.
    End,
    /// `quit`.
    Quit,
}

impl Command {
    /// Reads a line. `None` for an empty one.
    pub fn parse(line: &str) -> Option<Result<Command, String>> {
        let words: Vec<&str> = line.split_whitespace().collect();
        Some(match &words[..] {
            [] => return None,
            ["name?"] => Ok(Command::Name),
            ["new", side] => match side.parse() {
                Ok(side) => Ok(Command::New(side)),
                Err(_) => Err(format!("expected new black or new white, found {:?}", short(line))),
            },
            ["move", squares] => Ok(Command::Move((*squares).to_string())),
            ["error", ..] => Ok(Command::Error),
            ["end", ..] => Ok(Command::End),
            ["quit", ..] => Ok(Command::Quit),
            _ => Err(format!("unknown command {:?}", short(line))),
        })
    }
}

/// The beginning of a text, short enough for a message.
pub(crate) fn short(text: &str) -> String {
    text.trim().chars().take(40).collect()
}

/// A conversation with the platform.
pub struct Sau {
    name: String,
    desk: Desk,
    clock: Clock,
    /// The engine's side, while a game goes on.
    side: Option<Side>,
    thinking: bool,
    /// The move that is being thought of is not wanted any more.
    dropped: bool,
    quit: bool,
}

impl Sau {
    /// Which row the letter A means.
    pub const ROWS: Rows = Rows::FromTop;

    /// A conversation about this game, whose board letters must suffice for.
    pub fn new(game: Game, time: TimeControl, name: &str) -> Sau {
        Sau {
            name: name.to_string(),
            desk: Desk::new(game),
            clock: Clock::new(time),
            side: None,
            thinking: false,
            dropped: false,
            quit: false,
        }
    }

    fn think(&mut self, side: Side) -> Vec<Step> {
        match self.desk.task(side, &self.clock) {
            Ok(task) => {
                self.thinking = true;
                vec![Step::Think(task)]
            }
            Err(over) => vec![Step::Note(over.to_string())],
        }
    }

    fn opponent(&mut self, squares: &str) -> Result<Vec<Step>, String> {
        let side = self.side.ok_or("a move before `new black` or `new white`")?;
        let mv = coords::parse_letters(self.desk.game(), Sau::ROWS, squares).map_err(|e| e.to_string())?;
        let turn = self.desk.turn();
        if turn.side == side {
            return Err(format!("it is {side}'s turn, which is this engine"));
        }
        let mut position = self.desk.position(turn.side).map_err(|e| e.to_string())?;
        position.play(&mv).map_err(|e| e.to_string())?;
        self.desk.place(turn.side, &mv).map_err(|e| e.to_string())?;
        Ok(self.think(side))
    }
}

impl Session for Sau {
    fn line(&mut self, line: &str) -> Vec<Step> {
        let command = match Command::parse(line) {
            None => return Vec::new(),
            Some(Ok(command)) => command,
            Some(Err(error)) => return vec![Step::Note(error)],
        };
        match command {
            Command::Name => vec![Step::Say(format!("name {}", self.name))],
            Command::New(side) => {
                self.desk = Desk::new(self.desk.game());
                self.clock.restart();
                self.side = Some(side);
                if side == Side::Black { self.think(side) } else { Vec::new() }
            }
            Command::Move(squares) => {
                self.opponent(&squares).unwrap_or_else(|error| vec![Step::Note(format!("move: {error}"))])
            }
            Command::Error => {
                // Whatever the platform's reason, our stones are not on its board.
                let ours = self.desk.groups().last().is_some_and(|(side, _)| Some(*side) == self.side);
                if ours {
                    self.desk.undo();
                }
                vec![Step::Note("the platform refused the last move".to_string())]
            }
            Command::End => {
                self.side = None;
                self.dropped = self.thinking;
                if self.thinking { vec![Step::Hurry] } else { Vec::new() }
            }
            Command::Quit if self.thinking => {
                self.quit = true;
                vec![Step::HurryAndQuit]
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
            let played = thought.choice.and_then(|choice| {
                let position = self.desk.position(side).map_err(|e| e.to_string())?;
                let mv = completed(&position, choice.mv);
                self.desk.place(side, &mv).map_err(|e| e.to_string())?;
                Ok(coords::letters(self.desk.game(), Sau::ROWS, &mv))
            });
            steps.push(match played {
                Ok(letters) => Step::Say(format!("move {letters}")),
                Err(error) => Step::Note(error),
            });
        }
        if self.quit {
            steps.push(Step::Quit);
        }
        steps
    }
}
