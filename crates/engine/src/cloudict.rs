//! The text protocol of Cloudict, which its board program ConnectMore speaks.
//!
//! In: `name`, `print`, `exit`, `quit`, `black XXXX`, `white XXXX`, `next`,
//! `move XXXX`, `new black`, `new white`, `new xxx`, `depth d`, `vcf`, `unvcf`,
//! `help`. Out: `name N`, `move XXXX` and whatever else is of interest. A square
//! is two letters, column and row, and rows count from the bottom.

use crate::{Clock, Desk, Session, Step, Thought, coords, desk::completed, sau::short};
use player::TimeControl;
use rules::{Game, Side, record::Rows};

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
    /// `black XXXX` or `white XXXX`, in letters not yet understood.
    Place(Side, String),
    /// `next`
    Next,
    /// `move XXXX`, in letters not yet understood.
    Move(String),
    /// `new`: the engine's side, White unless it is said to be Black.
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
    pub fn parse(line: &str) -> Option<Result<Command, String>> {
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
                _ => return Some(Err(format!("expected a depth from 1 on, found {:?}", short(depth)))),
            },
            ["vcf" | "unvcf"] => Command::Vcf,
            ["help", ..] => Command::Help,
            _ => return Some(Err(format!("unknown command {:?}", short(line)))),
        }))
    }
}

/// A conversation with a board program.
pub struct Cloudict {
    name: String,
    desk: Desk,
    clock: Clock,
    /// The side whose move is being thought of.
    thinking: Option<Side>,
    quit: bool,
}

impl Cloudict {
    /// Which row the letter A means.
    pub const ROWS: Rows = Rows::FromBottom;

    /// A conversation about this game, whose board letters must suffice for.
    pub fn new(game: Game, time: TimeControl, name: &str) -> Cloudict {
        Cloudict {
            name: name.to_string(),
            desk: Desk::new(game),
            clock: Clock::new(time),
            thinking: None,
            quit: false,
        }
    }

    fn place(&mut self, side: Side, squares: &str) -> Result<(), String> {
        let mv =
            coords::parse_letters(self.desk.game(), Cloudict::ROWS, squares).map_err(|e| e.to_string())?;
        self.desk.place(side, &mv).map_err(|e| e.to_string())
    }

    /// The side that did not place the last stones.
    fn next_side(&self) -> Side {
        self.desk.groups().last().map_or(Side::Black, |(side, _)| side.other())
    }

    fn think(&mut self, side: Side) -> Vec<Step> {
        match self.desk.task(side, &self.clock) {
            Ok(task) => {
                self.thinking = Some(side);
                vec![Step::Think(task)]
            }
            Err(over) => error(&over.to_string()),
        }
    }

    fn drawing(&self) -> String {
        let letter = |n: u8| char::from(b'A' + n.min(coords::MAX_LETTERS - 1)).to_string();
        self.desk.draw(letter, letter)
    }
}

/// The protocol has no errors, but what is no answer is passed over.
fn error(text: &str) -> Vec<Step> {
    vec![Step::Say(format!("error: {text}"))]
}

impl Session for Cloudict {
    fn line(&mut self, line: &str) -> Vec<Step> {
        let command = match Command::parse(line) {
            None => return Vec::new(),
            Some(Ok(command)) => command,
            Some(Err(text)) => return error(&text),
        };
        match command {
            Command::Name => vec![Step::Say(format!("name {}", self.name))],
            Command::Print => vec![Step::Say(self.drawing())],
            Command::Quit if self.thinking.is_some() => {
                self.quit = true;
                vec![Step::HurryAndQuit]
            }
            Command::Quit => vec![Step::Quit],
            Command::Place(side, squares) => match self.place(side, &squares) {
                Ok(()) => Vec::new(),
                Err(text) => error(&format!("{side}: {text}")),
            },
            Command::Next => self.think(self.next_side()),
            Command::Move(squares) => {
                let side = self.next_side();
                match self.place(side, &squares) {
                    Ok(()) => self.think(side.other()),
                    Err(text) => error(&format!("move: {text}")),
                }
            }
            Command::New(side) => {
                self.desk = Desk::new(self.desk.game());
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
        let played = thought.choice.and_then(|choice| {
            let position = self.desk.position(side).map_err(|e| e.to_string())?;
            let mv = completed(&position, choice.mv);
            self.desk.place(side, &mv).map_err(|e| e.to_string())?;
            Ok(coords::letters(self.desk.game(), Cloudict::ROWS, &mv))
        });
        let mut steps = match played {
            Ok(letters) => vec![Step::Say(format!("move {letters}"))],
            Err(text) => error(&text),
        };
        if self.quit {
            steps.push(Step::Quit);
        }
        steps
    }
}
