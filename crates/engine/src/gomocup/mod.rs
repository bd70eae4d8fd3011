//! The protocol of Gomocup, which Piskvork and many other programs for go-moku speak,
//! with some commands of Yixin.
//!
//! In: `START n`, `BEGIN`, `TURN x,y`, `BOARD` with `x,y,field` lines and `DONE`,
//! `INFO key value`, `END` and others. Out: `OK`, `x,y`, `ERROR text`, `UNKNOWN text`,
//! `MESSAGE text`, `DEBUG text`. Numbers count from 0, columns (x) from the left and
//! rows (y) from the top. Five or more in a row win; managers that want another rule
//! get an `ERROR` when they ask for a move.
//!
//! `INFO` has no answer: what is wrong with one is told before the next answer.

mod clock;
mod error;
mod list;
mod parse;

pub use parse::{Command, Info, LineError, List, Point};

use crate::{Balance, Session, Step, Thought, Wanted, session_board::SessionBoard};
use clock::Clock;
use error::{GomocupError, refused_rule};
use lambda6_player::{Choice, TimeControl};
use lambda6_rules::{Game, Move, Side, Square};
use list::{Field, OpenList};
use std::ops::RangeInclusive;

/// The sizes of boards: smaller ones have no room for five in a row.
pub const SIZES: RangeInclusive<i64> = 5..=64;

/// The game of this protocol on a board, if it has a size that the protocol allows.
pub fn gomocup_game(width: i64, height: i64) -> Option<Game> {
    let fits = SIZES.contains(&width) && SIZES.contains(&height);
    Game::new(width.try_into().ok()?, height.try_into().ok()?, 5, 1, 1).ok().filter(|_| fits)
}

/// Whether the protocol has this game.
pub fn is_gomocup_game(game: Game) -> bool {
    gomocup_game(game.cols().into(), game.rows().into()) == Some(game)
}

const ABOUT: &str = concat!(
    "name=\"lambda6\", version=\"",
    env!("CARGO_PKG_VERSION"),
    "\", author=\"the authors of lambda6\", country=\"international\", www=\"https://docs.rs/lambda6-engine\""
);

/// Memory that the program uses besides its tables.
const BASE_MEMORY: u64 = 32 << 20;
/// The least memory for tables.
const LEAST_TABLES: u64 = 1 << 20;

/// The most moves of a line that is told.
const LINE_LENGTH: usize = 12;

/// The most messages that are held back.
const MOST_MESSAGES: usize = 20;

/// A conversation with a manager.
pub struct Gomocup {
    clock: Clock,
    /// The board; `None` before `START`.
    board: Option<SessionBoard>,
    /// The side that places the next stone.
    next: Side,
    /// The rule that the manager wants, if it is not played here.
    refused_rule: Option<String>,
    table_bytes: Option<usize>,
    /// Squares of `YXBLOCK`.
    blocked: Vec<Square>,
    /// Squares of `BOARD` with field 3.
    marked: Vec<Square>,
    list: Option<OpenList>,
    /// What the engine thinks about.
    pending: Option<Wanted>,
    /// What the next answer begins with.
    messages: Vec<String>,
    quit: bool,
}

type StepsResult = Result<Vec<Step>, GomocupError>;

fn say(text: impl Into<String>) -> StepsResult {
    Ok(vec![Step::Say(text.into())])
}

impl Gomocup {
    /// A conversation with this time control until the manager sets one.
    pub fn new(time: TimeControl) -> Gomocup {
        Gomocup {
            clock: Clock::new(time),
            board: None,
            next: Side::Black,
            refused_rule: None,
            table_bytes: None,
            blocked: Vec::new(),
            marked: Vec::new(),
            list: None,
            pending: None,
            messages: Vec::new(),
            quit: false,
        }
    }

    fn run(&mut self, command: Command) -> StepsResult {
        match command {
            Command::Start { width, height } => {
                let game = gomocup_game(width, height).ok_or(GomocupError::Size { width, height })?;
                self.blocked.clear();
                self.clear(game)
            }
            Command::Restart => {
                let game = self.board("RESTART")?.game();
                self.clear(game)
            }
            Command::Begin => {
                let stones = self.board("BEGIN")?.groups().len();
                if stones > 0 {
                    return Err(GomocupError::NotEmpty(stones));
                }
                self.think(Wanted::Best(1))
            }
            Command::Turn(point) => {
                self.place("TURN", point)?;
                self.think(Wanted::Best(1))
            }
            Command::Play(point) => {
                self.place("PLAY", point)?;
                say(point.to_string())
            }
            Command::TakeBack(point) => self.take_back(point),
            Command::List(list, words) => {
                let game = self.board(list.name())?.game();
                self.list = Some(OpenList::new(list, game));
                self.read_list(&words)
            }
            Command::Done => Err(GomocupError::NoList),
            Command::BlockReset => {
                self.blocked.clear();
                Ok(Vec::new())
            }
            Command::BestMoves(count) => {
                self.board("YXNBEST")?;
                self.think(Wanted::Best(count))
            }
            Command::Balance(balance) => {
                self.board(if balance.moves == 1 { "YXBALANCEONE" } else { "YXBALANCETWO" })?;
                self.think(Wanted::Balance(balance))
            }
            Command::Info(info) => {
                self.inform(info);
                Ok(Vec::new())
            }
            Command::About => say(ABOUT),
            Command::Stop => Ok(vec![Step::Stop]),
            Command::End if self.pending.is_some() => {
                self.quit = true;
                Ok(vec![Step::StopAndQuit])
            }
            Command::End => Ok(vec![Step::Quit]),
        }
    }

    fn board(&mut self, command: &'static str) -> Result<&mut SessionBoard, GomocupError> {
        self.board.as_mut().ok_or(GomocupError::NotStarted(command))
    }

    fn clear(&mut self, game: Game) -> StepsResult {
        self.board = Some(SessionBoard::new(game));
        self.next = Side::Black;
        self.marked.clear();
        self.clock.restart();
        say("OK")
    }

    fn inform(&mut self, info: Option<Info>) {
        match info {
            None => {}
            Some(Info::TurnTime(time)) => self.clock.set_turn(time),
            Some(Info::GameTime(time)) => self.clock.set_game(time),
            Some(Info::TimeLeft(left)) => self.clock.set_left(left),
            Some(Info::Rule(rule)) => self.refused_rule = refused_rule(&rule),
            Some(Info::Memory(0)) => self.table_bytes = None,
            Some(Info::Memory(bytes)) => {
                // The proof of a win takes a quarter of the tables once more.
                let tables = bytes.saturating_sub(BASE_MEMORY) / 5 * 4;
                if tables < LEAST_TABLES {
                    let least = (BASE_MEMORY + 2 * LEAST_TABLES) >> 20;
                    self.note(format!("max_memory {bytes}: expected {least} MiB or more"));
                }
                self.table_bytes = Some(tables.max(LEAST_TABLES).try_into().unwrap_or(usize::MAX));
            }
        }
    }

    fn check_rule(&self) -> Result<(), GomocupError> {
        self.refused_rule.clone().map_or(Ok(()), |rule| Err(GomocupError::Rule(rule)))
    }

    /// Places a stone of the side whose turn it is.
    fn place(&mut self, command: &'static str, point: Point) -> Result<(), GomocupError> {
        let side = self.next;
        let game = self.board(command)?.game();
        self.check_rule()?;
        let square =
            point.square(game).map_err(|problem| GomocupError::Square { command, point, problem })?;
        let board = self.board(command)?;
        if let Some(by) = board.at(square) {
            return Err(GomocupError::Occupied { command, point, by });
        }
        board.place(side, &Move::single(square))?;
        self.next = side.other();
        Ok(())
    }

    fn take_back(&mut self, point: Point) -> StepsResult {
        let command = "TAKEBACK";
        let board = self.board(command)?;
        let square =
            point.square(board.game()).map_err(|problem| GomocupError::Square { command, point, problem })?;
        let removed = board.remove(square).ok_or(GomocupError::NoStone(point))?;
        // Stones may be taken back in any order: their numbers tell whose turn it is,
        // unless the board never was that of a game.
        let [black, white] = Side::ALL.map(|side| board.stone_count(side));
        self.next = match black.checked_sub(white) {
            Some(0) => Side::Black,
            Some(1) => Side::White,
            _ => removed,
        };
        say("OK")
    }

    /// Reads words of the open list.
    fn read_list(&mut self, words: &[String]) -> StepsResult {
        for word in words {
            let Some(list) = &mut self.list else { break };
            if !word.eq_ignore_ascii_case("DONE") {
                list.add(word);
                continue;
            }
            if let Some(list) = self.list.take() {
                return self.finish_list(list);
            }
        }
        Ok(Vec::new())
    }

    fn finish_list(&mut self, open: OpenList) -> StepsResult {
        let list = open.list;
        if list == List::Swap2 {
            return Err(GomocupError::Swap2);
        }
        let items = open.finish()?;
        match list {
            List::Board | List::Position => {
                self.set_up(list, &items)?;
                if list == List::Board { self.think(Wanted::Best(1)) } else { Ok(Vec::new()) }
            }
            List::Unblock => {
                self.blocked.retain(|square| items.iter().all(|(item, _)| item != square));
                Ok(Vec::new())
            }
            List::Block | List::Swap2 => {
                let new = items.iter().map(|(square, _)| *square);
                let new: Vec<Square> = new.filter(|square| !self.blocked.contains(square)).collect();
                self.blocked.extend(new);
                Ok(Vec::new())
            }
        }
    }

    /// Replaces the board. The engine is to move.
    fn set_up(&mut self, list: List, items: &[(Square, Field)]) -> Result<(), GomocupError> {
        let game = self.board(list.name())?.game();
        let count = |field| items.iter().filter(|(_, of)| *of == field).count();
        // Black has moved once more than White when White is to move.
        let side = if count(Field::Own) < count(Field::Opponent) { Side::White } else { Side::Black };
        let mut board = SessionBoard::new(game);
        let mut marked = Vec::new();
        for &(square, field) in items {
            match field {
                Field::Own => board.place(side, &Move::single(square))?,
                Field::Opponent => board.place(side.other(), &Move::single(square))?,
                Field::Marked => marked.push(square),
            }
        }
        if !marked.is_empty() {
            let points: Vec<String> =
                marked.iter().map(|&square| Point::of(game, square).to_string()).collect();
            self.note(format!("field 3: no stone is placed on {}", points.join(" ")));
        }
        self.board = Some(board);
        self.marked = marked;
        self.next = side;
        Ok(())
    }

    /// Starts a search for the side whose turn it is.
    fn think(&mut self, wanted: Wanted) -> StepsResult {
        self.check_rule()?;
        let Some(board) = &self.board else { return Err(GomocupError::NotStarted("a move")) };
        let mut task = board.task_within(self.next, |position| self.clock.limits(position))?;
        task.wanted = wanted;
        task.table_bytes = self.table_bytes;
        let left_out = self.blocked.iter().chain(&self.marked).filter(|&&square| board.at(square).is_none());
        task.excluded = left_out.map(|&square| Move::single(square)).collect();
        self.pending = Some(wanted);
        Ok(vec![Step::Think(task)])
    }

    fn finish_thought(&mut self, wanted: Wanted, thought: Thought) -> StepsResult {
        let choice = thought.choice?;
        let Some(board) = &mut self.board else { return Err(GomocupError::NotStarted("a move")) };
        let game = board.game();
        let mut steps = Vec::new();
        let moves: Vec<Move> = match wanted {
            Wanted::Best(1) => {
                steps.push(Step::Say(format!("DEBUG {}", described(game, &choice))));
                vec![choice.mv]
            }
            Wanted::Best(_) => {
                for (i, choice) in [&choice].into_iter().chain(&thought.others).enumerate() {
                    steps.push(Step::Say(format!("MESSAGE {}: {}", i + 1, described(game, choice))));
                }
                vec![choice.mv]
            }
            Wanted::Balance(Balance { moves, .. }) => {
                steps.push(Step::Say(format!("MESSAGE {}", described(game, &choice))));
                choice.line.get(..moves).ok_or(GomocupError::ShortLine(moves))?.to_vec()
            }
        };
        for mv in &moves {
            board.place(self.next, mv)?;
            self.next = self.next.other();
        }
        steps.push(Step::Say(points(game, &moves)));
        Ok(steps)
    }

    /// Keeps a message for the next answer. A manager that sends nothing but bad lines
    /// does not fill the memory.
    fn note(&mut self, message: String) {
        if self.messages.len() < MOST_MESSAGES {
            self.messages.push(message);
        }
    }

    /// Puts the messages that were held back before the answer.
    fn answer(&mut self, answer: StepsResult) -> Vec<Step> {
        let steps = match answer {
            Ok(steps) => steps,
            Err(GomocupError::Line(error @ LineError::Unknown(_))) => {
                vec![Step::Say(format!("UNKNOWN {error}"))]
            }
            Err(error) => vec![Step::Say(format!("ERROR {error}"))],
        };
        let mut all = Vec::new();
        if steps.iter().any(|step| matches!(step, Step::Say(_))) {
            let messages = self.messages.drain(..);
            all.extend(messages.map(|message| Step::Say(format!("MESSAGE {message}"))));
        }
        all.extend(steps);
        all
    }
}

impl Session for Gomocup {
    fn line(&mut self, line: &str) -> Vec<Step> {
        let Some(command) = Command::parse(line) else { return Vec::new() };
        let answer = match (command, &self.list) {
            (Ok(Command::Done) | Err(LineError::Unknown(_)), Some(_)) => {
                self.read_list(&line.split_whitespace().map(str::to_string).collect::<Vec<_>>())
            }
            (Err(error @ LineError::Arguments { command: "INFO", .. }), _) => {
                self.note(error.to_string());
                Ok(Vec::new())
            }
            (Err(error), _) => Err(error.into()),
            (Ok(command), Some(list)) => {
                // Any other command ends a list that lacks its end.
                let dropped = format!("{}: dropped, expected DONE at its end", list.list.name());
                self.list = None;
                self.note(dropped);
                self.run(command)
            }
            (Ok(command), None) => self.run(command),
        };
        self.answer(answer)
    }

    fn is_urgent(&self, line: &str) -> bool {
        matches!(Command::parse(line), Some(Ok(Command::End | Command::Stop)))
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        let Some(wanted) = self.pending.take() else { return Vec::new() };
        if self.quit {
            // Nothing is written after `END`.
            return vec![Step::Quit];
        }
        self.clock.spent(thought.elapsed);
        let answer = self.finish_thought(wanted, thought);
        self.answer(answer)
    }
}

/// A choice for people.
fn described(game: Game, choice: &Choice) -> String {
    let Choice { status, score, depth, nodes, line, .. } = choice;
    let line = points(game, &line[..line.len().min(LINE_LENGTH)]);
    format!(
        "{} score {score} status {status} depth {depth} nodes {nodes} line {line}",
        points(game, &[choice.mv])
    )
}

/// The squares of moves, with spaces between them.
fn points(game: Game, moves: &[Move]) -> String {
    let squares = moves.iter().flat_map(Move::iter);
    squares.map(|square| Point::of(game, square).to_string()).collect::<Vec<_>>().join(" ")
}
