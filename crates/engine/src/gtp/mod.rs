//! GTP, version 2, in two dialects, with GoGui's commands for games other than
//! Go.
//!
//! Single stones: `play w J9`, `play w H11`, and two `genmove` for the two stones
//! of a move. The engine thinks once, for the first, and keeps the second.
//! Pairs: `play W J9,H11`, and `genmove` answers both. When the controller plays
//! a pair, the session changes to pairs.
//!
//! Live analysis (`lz-analyze`, `kata-analyze`) ends with the next line, whatever it is.

mod analyze;
mod live;
mod parse;

pub use parse::{Command, Response};

use crate::{
    CoordError, Session, Step, ThinkError, Thought, completed, coords, session_board::SessionBoard,
    session_clock::SessionClock,
};
use analyze::Analyze;
use lambda6_player::{Info, TimeControl};
use lambda6_rules::{Game, Move, Outcome, PlayError, Position, Side, Square};
use live::Live;

/// The commands, in the order in which they are listed.
const COMMANDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "clear_board",
    "komi",
    "play",
    "genmove",
    "reg_genmove",
    "lz-analyze",
    "kata-analyze",
    "lz-genmove_analyze",
    "kata-genmove_analyze",
    "undo",
    "time_settings",
    "time_left",
    "showboard",
    "final_score",
    "gogui-interrupt",
    "gogui-play_sequence",
    "gogui-rules_game_id",
    "gogui-rules_board",
    "gogui-rules_board_size",
    "gogui-rules_legal_moves",
    "gogui-rules_side_to_move",
    "gogui-rules_final_result",
];

/// The comment with which GoGui interrupts the engine.
const INTERRUPT: &str = "# interrupt";

/// A conversation in GTP.
pub struct Gtp {
    board: SessionBoard,
    clock: SessionClock,
    /// Whether a move is written as a whole.
    pairs: bool,
    /// The second stone of the move whose first one was given last, and the
    /// number of groups on the board then.
    second_stone: Option<(usize, Side, Square)>,
    /// The command that the engine thinks about.
    pending: Option<PendingGenmove>,
}

/// A `genmove` or `reg_genmove` that is not answered yet.
struct PendingGenmove {
    id: Option<u32>,
    side: Side,
    /// The most stones of the answer.
    stones: usize,
    /// Whether the move is played.
    play: bool,
    /// The reports that are made on the way.
    live: Option<Live>,
}

/// Why a command fails; the text is the response.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum GtpError {
    #[error("syntax error")]
    Syntax,
    #[error("unknown command")]
    UnknownCommand,
    #[error("unacceptable size")]
    Size,
    #[error("invalid color or coordinate")]
    Side,
    #[error("invalid color or coordinate ({0})")]
    Coordinate(#[from] CoordError),
    // The rules name squares in their own way, so these two get other texts.
    #[error("illegal move ({})", match .0 {
        PlayError::Occupied { by, .. } => format!("there is a {by} stone"),
        PlayError::Twice { .. } => "the same vertex twice".to_string(),
        error => error.to_string(),
    })]
    Illegal(PlayError),
    #[error("cannot undo")]
    Undo,
    #[error(transparent)]
    NoTask(PlayError),
    #[error(transparent)]
    Think(#[from] ThinkError),
}

type GtpResult = Result<String, GtpError>;

impl Gtp {
    /// A conversation about this game, whose board must have GTP names for every
    /// square. With `pairs` moves are written as a whole from the start.
    pub fn new(game: Game, time: TimeControl, pairs: bool) -> Gtp {
        Gtp {
            board: SessionBoard::new(game),
            clock: SessionClock::new(time),
            pairs,
            second_stone: None,
            pending: None,
        }
    }

    fn run(&mut self, command: &Command) -> GtpResult {
        let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        match (command.name.as_str(), &arguments[..]) {
            ("protocol_version", _) => Ok("2".to_string()),
            ("name", _) => Ok("lambda6".to_string()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_string()),
            ("known_command", [name]) => Ok(is_known(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("boardsize", [size]) => self.board_size(size),
            ("clear_board", _) => {
                self.clear(self.board.game());
                ok()
            }
            // Only Go has a use for the number.
            ("komi", [komi]) if komi.parse::<f64>().is_ok() => ok(),
            ("play", [side, vertex]) => self.play(side, vertex),
            ("undo", _) => self.undo(),
            ("time_settings", [main, period, stones]) => {
                let [main, period, stones] = numbers([main, period, stones])?;
                self.clock.settings(main, period, stones);
                ok()
            }
            ("time_left", [side, time, stones]) => {
                let side = parse_side(side)?;
                let [time, stones] = numbers([time, stones])?;
                self.clock.set_left(side, time, stones);
                ok()
            }
            ("showboard", _) => Ok(format!("\n{}", self.drawing())),
            ("final_score", _) => Ok(self.score()),
            ("gogui-rules_final_result", _) => Ok(self.result()),
            ("gogui-interrupt", _) => ok(),
            ("gogui-play_sequence", moves) => self.play_sequence(moves),
            ("gogui-rules_game_id", _) => Ok(game_id(self.board.game())),
            ("gogui-rules_board", _) => Ok(self.bare_board()),
            ("gogui-rules_board_size", _) => Ok(self.board.game().cols().to_string()),
            ("gogui-rules_legal_moves", _) => Ok(self.legal_moves()),
            ("gogui-rules_side_to_move", _) => Ok(self.board.turn().side.name().to_string()),
            (name, _) if is_known(name) => Err(GtpError::Syntax),
            _ => Err(GtpError::UnknownCommand),
        }
    }

    fn clear(&mut self, game: Game) {
        self.board = SessionBoard::new(game);
        self.clock.restart();
        self.second_stone = None;
    }

    fn board_size(&mut self, size: &str) -> GtpResult {
        let [size] = numbers([size])?;
        let old = self.board.game();
        let fits = (1..=u32::from(coords::MAX_GTP)).contains(&size);
        let game = Game::new(size, size, old.k().into(), old.p().into(), old.q().into());
        match game {
            Ok(game) if fits => {
                self.clear(game);
                ok()
            }
            _ => Err(GtpError::Size),
        }
    }

    fn play(&mut self, side: &str, vertex: &str) -> GtpResult {
        let side = parse_side(side)?;
        let mv = coords::parse_gtp_move(self.board.game(), vertex)?;
        self.board.place(side, &mv).map_err(GtpError::Illegal)?;
        self.second_stone = None;
        if mv.len() > 1 {
            self.pairs = true;
        }
        ok()
    }

    /// Plays all moves or none, as GoGui expects.
    fn play_sequence(&mut self, words: &[&str]) -> GtpResult {
        if !words.len().is_multiple_of(2) {
            return Err(GtpError::Syntax);
        }
        let before = (self.board.clone(), self.pairs, self.second_stone);
        for pair in words.chunks_exact(2) {
            if let Err(error) = self.play(pair[0], pair[1]) {
                (self.board, self.pairs, self.second_stone) = before;
                return Err(error);
            }
        }
        ok()
    }

    fn undo(&mut self) -> GtpResult {
        self.second_stone = None;
        if self.board.undo() { ok() } else { Err(GtpError::Undo) }
    }

    /// Handles `genmove` and `reg_genmove`: a response or a task.
    fn generate(&mut self, command: &Command) -> Vec<Step> {
        let id = command.id;
        if Analyze::COMMANDS.contains(&command.name.as_str()) {
            return self.begin_analysis(command).unwrap_or_else(|error| vec![respond(id, Err(error))]);
        }
        let step = match &command.arguments[..] {
            [side] => self.begin_genmove(command, side),
            _ => Err(GtpError::Syntax),
        };
        match step {
            Ok(step) => vec![step],
            Err(error) => vec![respond(id, Err(error))],
        }
    }

    fn begin_genmove(&mut self, command: &Command, side: &str) -> Result<Step, GtpError> {
        let side = parse_side(side)?;
        let play = command.name == "genmove";
        let kept =
            self.second_stone.filter(|&(groups, of, _)| groups == self.board.groups().len() && of == side);
        if let (Some((.., square)), true) = (kept, play) {
            let mv = Move::single(square);
            self.second_stone = None;
            // The square was empty when it was chosen and still is.
            self.board.place(side, &mv).map_err(GtpError::Illegal)?;
            return Ok(respond(command.id, Ok(coords::gtp_move(self.board.game(), &mv))));
        }
        let task = self.board.task(side, &self.clock).map_err(GtpError::NoTask)?;
        let stones = if self.pairs { self.stones_to_place(side, &task.position) } else { 1 };
        self.pending = Some(PendingGenmove { id: command.id, side, stones, play, live: None });
        Ok(Step::Think(task))
    }

    /// The stones that complete the side's move: it may be asked out of turn, or
    /// be in the middle of a move.
    fn stones_to_place(&self, side: Side, position: &Position) -> usize {
        let turn = self.board.turn();
        if turn.side == side { turn.stones } else { position.stones_to_place() }
    }

    fn finish_genmove(&mut self, asked: &PendingGenmove, chosen: Move) -> GtpResult {
        let position = self.board.position(asked.side).map_err(GtpError::NoTask)?;
        let mut squares = completed(&position, chosen).squares().to_vec();
        // In the middle of a move fewer stones are left than were searched: a
        // winning one goes first.
        let wins = |&square: &Square| {
            let mut after = position.clone();
            after.play_partial(&Move::single(square)).is_ok() && after.outcome().is_some()
        };
        if let Some(at) = squares.iter().position(wins) {
            squares.swap(0, at);
        }
        squares.truncate(self.stones_to_place(asked.side, &position).max(1));
        let now = Move::new(&squares[..asked.stones.clamp(1, squares.len())]).unwrap_or(Move::NULL);
        let answer = coords::gtp_move(self.board.game(), &now);
        if asked.play {
            self.board.place(asked.side, &now).map_err(GtpError::Illegal)?;
            let next = squares.get(asked.stones).filter(|_| self.board.outcome().is_none());
            self.second_stone = next.map(|&square| (self.board.groups().len(), asked.side, square));
        }
        Ok(answer)
    }

    fn drawing(&self) -> String {
        let game = self.board.game();
        let letter = |col: u8| coords::gtp(game, game.square(col, 0))[..1].to_string();
        self.board.draw(letter, |row| (row + 1).to_string())
    }

    /// The points alone, rows from the top.
    fn bare_board(&self) -> String {
        let drawing = self.board.draw(|_| String::new(), |_| String::new());
        let rows = drawing.lines().map(str::trim).filter(|line| !line.is_empty());
        rows.collect::<Vec<_>>().join("\n")
    }

    fn legal_moves(&self) -> String {
        if self.board.outcome().is_some() {
            return String::new();
        }
        let game = self.board.game();
        self.board.empty_squares().map(|square| coords::gtp(game, square)).collect::<Vec<_>>().join(" ")
    }

    fn score(&self) -> String {
        let text = match self.board.outcome() {
            Some(Outcome::Win(Side::Black)) => "B+",
            Some(Outcome::Win(Side::White)) => "W+",
            Some(Outcome::Draw) | None => "0",
        };
        text.to_string()
    }

    fn result(&self) -> String {
        let text = match self.board.outcome() {
            Some(Outcome::Win(Side::Black)) => "Black wins",
            Some(Outcome::Win(Side::White)) => "White wins",
            Some(Outcome::Draw) => "Draw",
            None => "The game goes on",
        };
        text.to_string()
    }
}

impl Session for Gtp {
    fn line(&mut self, line: &str) -> Vec<Step> {
        if line.trim() == INTERRUPT {
            return vec![Step::Stop];
        }
        if self.is_analysing() {
            self.end_analysis();
            return vec![Step::Stop, Step::Again];
        }
        let Some(command) = Command::parse(line) else { return Vec::new() };
        match command.name.as_str() {
            "quit" if self.pending.is_some() => {
                // What was asked before is answered first.
                vec![Step::StopAndQuit, Step::Again]
            }
            "quit" => vec![respond(command.id, ok()), Step::Quit],
            "genmove" | "reg_genmove" => self.generate(&command),
            name if Analyze::COMMANDS.contains(&name) => self.generate(&command),
            _ => vec![respond(command.id, self.run(&command))],
        }
    }

    fn is_urgent(&self, line: &str) -> bool {
        self.is_analysing()
            || line.trim() == INTERRUPT
            || Command::parse(line).is_some_and(|command| command.name == "quit")
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        let Some(asked) = self.pending.take() else { return Vec::new() };
        if asked.play || asked.live.is_none() {
            self.clock.spent(asked.side, thought.elapsed);
        }
        if asked.live.is_some() {
            return self.after_analysis(asked, thought);
        }
        let result = match thought.choice {
            Ok(choice) => self.finish_genmove(&asked, choice.mv),
            Err(error) => Err(error.into()),
        };
        vec![respond(asked.id, result)]
    }

    fn progress(&mut self, info: &Info) -> Vec<Step> {
        self.live_report(info)
    }

    fn ended(&mut self) -> Vec<Step> {
        if !self.is_analysing() {
            return Vec::new();
        }
        self.end_analysis();
        vec![Step::Stop]
    }
}

fn ok() -> GtpResult {
    Ok(String::new())
}

fn respond(id: Option<u32>, result: GtpResult) -> Step {
    let (ok, text) = match result {
        Ok(text) => (true, text),
        Err(error) => (false, error.to_string()),
    };
    Step::Say(Response { id, ok, text }.write())
}

fn is_known(name: &str) -> bool {
    COMMANDS.contains(&name)
}

fn parse_side(text: &str) -> Result<Side, GtpError> {
    text.parse().map_err(|_| GtpError::Side)
}

fn numbers<const N: usize>(words: [&str; N]) -> Result<[u32; N], GtpError> {
    let mut numbers = [0; N];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word.parse().map_err(|_| GtpError::Syntax)?;
    }
    Ok(numbers)
}

/// The name of the game for GoGui: a capital letter, then small letters.
fn game_id(game: Game) -> String {
    let square = |k, p, q| (game.k(), game.p(), game.q()) == (k, p, q);
    if square(6, 2, 1) {
        "Connect6".to_string()
    } else if square(5, 1, 1) {
        "Gomoku".to_string()
    } else {
        format!("Connect{}", [game.k(), game.p(), game.q()].map(|n| n.to_string()).join("x"))
    }
}
