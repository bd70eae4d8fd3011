//! GTP, version 2, in two dialects, with GoGui's commands for games other than
//! Go.
//!
//! Stone at a time: `play w J9`, `play w H11`, and two `genmove` for the two
//! stones of a move. The engine thinks once, on the first, and keeps the second.
//! Pairs: `play W J9,H11`, and `genmove` answers both. A controller that plays
//! a pair is taken to speak pairs from there on.

mod parse;

pub use parse::{Answer, Command};

use crate::{Clock, Desk, Session, Step, Thought, coords, desk::completed};
use player::TimeControl;
use rules::{Game, Move, Outcome, PlayError, Side, Square};

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

/// What GoGui sends to interrupt the thinking.
const INTERRUPT: &str = "# interrupt";

/// A conversation in GTP.
pub struct Gtp {
    desk: Desk,
    clock: Clock,
    /// Whether a move is written as a whole.
    pairs: bool,
    /// The second stone of the move whose first one was given last, and the
    /// number of groups on the desk then.
    rest: Option<(usize, Side, Square)>,
    asked: Option<Asked>,
    quit: Option<Option<u32>>,
}

/// The command that the thinking is for.
struct Asked {
    id: Option<u32>,
    side: Side,
    /// How many stones the answer may have.
    stones: usize,
    /// Whether the move is played.
    play: bool,
}

type Reply = Result<String, String>;

impl Gtp {
    /// A conversation about this game, whose board GTP must be able to name. A
    /// move is written as a whole from the start if `pairs` is set.
    pub fn new(game: Game, time: TimeControl, pairs: bool) -> Gtp {
        Gtp { desk: Desk::new(game), clock: Clock::new(time), pairs, rest: None, asked: None, quit: None }
    }

    fn run(&mut self, command: &Command) -> Reply {
        let arguments: Vec<&str> = command.arguments.iter().map(String::as_str).collect();
        match (command.name.as_str(), &arguments[..]) {
            ("protocol_version", _) => Ok("2".to_string()),
            ("name", _) => Ok("lambda6".to_string()),
            ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_string()),
            ("known_command", [name]) => Ok(is_known(name).to_string()),
            ("list_commands", _) => Ok(COMMANDS.join("\n")),
            ("boardsize", [size]) => self.board_size(size),
            ("clear_board", _) => {
                self.clear(self.desk.game());
                ok()
            }
            // A number that only Go has a use for.
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
            ("gogui-rules_game_id", _) => Ok(game_id(self.desk.game())),
            ("gogui-rules_board", _) => Ok(self.bare_board()),
            ("gogui-rules_board_size", _) => Ok(self.desk.game().cols().to_string()),
            ("gogui-rules_legal_moves", _) => Ok(self.legal_moves()),
            ("gogui-rules_side_to_move", _) => Ok(self.desk.turn().side.name().to_string()),
            (name, _) if is_known(name) => Err("syntax error".to_string()),
            _ => Err("unknown command".to_string()),
        }
    }

    fn clear(&mut self, game: Game) {
        self.desk = Desk::new(game);
        self.clock.restart();
        self.rest = None;
    }

    fn board_size(&mut self, size: &str) -> Reply {
        let [size] = numbers([size])?;
        let old = self.desk.game();
        let fits = (1..=u32::from(coords::MAX_GTP)).contains(&size);
        let game = Game::new(size, size, old.k().into(), old.p().into(), old.q().into());
        match game {
            Ok(game) if fits => {
                self.clear(game);
                ok()
            }
            _ => Err("unacceptable size".to_string()),
        }
    }

    fn play(&mut self, side: &str, vertex: &str) -> Reply {
        let side = parse_side(side)?;
        let mv = coords::parse_gtp_move(self.desk.game(), vertex)
            .map_err(|error| format!("invalid color or coordinate ({error})"))?;
        self.desk.place(side, &mv).map_err(|error| self.illegal(&error))?;
        self.rest = None;
        if mv.len() > 1 {
            self.pairs = true;
        }
        ok()
    }

    /// All or none, as GoGui expects.
    fn play_sequence(&mut self, words: &[&str]) -> Reply {
        if !words.len().is_multiple_of(2) {
            return Err("syntax error".to_string());
        }
        let before = (self.desk.clone(), self.pairs, self.rest);
        for pair in words.chunks_exact(2) {
            if let Err(error) = self.play(pair[0], pair[1]) {
                (self.desk, self.pairs, self.rest) = before;
                return Err(error);
            }
        }
        ok()
    }

    fn illegal(&self, error: &PlayError) -> String {
        match error {
            // The rules name squares in their own way.
            PlayError::Occupied { by, .. } => format!("illegal move (there is a {by} stone)"),
            PlayError::Twice { .. } => "illegal move (the same vertex twice)".to_string(),
            _ => format!("illegal move ({error})"),
        }
    }

    fn undo(&mut self) -> Reply {
        self.rest = None;
        if self.desk.undo() { ok() } else { Err("cannot undo".to_string()) }
    }

    /// `genmove` and `reg_genmove`: either an answer or something to think about.
    fn generate(&mut self, command: &Command) -> Vec<Step> {
        let id = command.id;
        let asked = match &command.arguments[..] {
            [side] => self.ask(command, side),
            _ => Err("syntax error".to_string()),
        };
        match asked {
            Ok(step) => vec![step],
            Err(error) => say(id, Err(error)),
        }
    }

    fn ask(&mut self, command: &Command, side: &str) -> Result<Step, String> {
        let side = parse_side(side)?;
        let play = command.name == "genmove";
        let kept = self.rest.filter(|&(groups, of, _)| groups == self.desk.groups().len() && of == side);
        if let (Some((.., square)), true) = (kept, play) {
            let mv = Move::single(square);
            self.rest = None;
            // It was empty when it was chosen, and nothing has changed since.
            self.desk.place(side, &mv).map_err(|error| self.illegal(&error))?;
            let answer = coords::gtp_move(self.desk.game(), &mv);
            return Ok(Step::Say(Answer { id: command.id, result: Ok(answer) }.write()));
        }
        let task = self.desk.task(side, &self.clock).map_err(|error| error.to_string())?;
        let turn = self.desk.turn();
        // How many stones complete the move: the other side may have been asked
        // out of turn, or be in the middle of a move.
        let to_place = if turn.side == side { turn.stones } else { task.position.stones_to_place() };
        let stones = if self.pairs { to_place } else { 1 };
        self.asked = Some(Asked { id: command.id, side, stones, play });
        Ok(Step::Think(task))
    }

    fn choose(&mut self, asked: &Asked, chosen: Move) -> Reply {
        let position = self.desk.position(asked.side).map_err(|error| error.to_string())?;
        let turn = self.desk.turn();
        let to_place = if turn.side == asked.side { turn.stones } else { position.stones_to_place() };
        let mut squares = completed(&position, chosen).squares().to_vec();
        // In the middle of a move fewer stones are left than were thought of:
        // the one that wins goes first.
        let wins = |&square: &Square| {
            let mut after = position.clone();
            after.play_partial(&Move::single(square)).is_ok() && after.outcome().is_some()
        };
        if let Some(at) = squares.iter().position(wins) {
            squares.swap(0, at);
        }
        squares.truncate(to_place.max(1));
        let now = Move::new(&squares[..asked.stones.clamp(1, squares.len())]).unwrap_or(Move::NULL);
        let answer = coords::gtp_move(self.desk.game(), &now);
        if asked.play {
            self.desk.place(asked.side, &now).map_err(|error| self.illegal(&error))?;
            let next = squares.get(asked.stones).filter(|_| self.desk.outcome().is_none());
            self.rest = next.map(|&square| (self.desk.groups().len(), asked.side, square));
        }
        Ok(answer)
    }

    fn drawing(&self) -> String {
        let game = self.desk.game();
        let letter = |col: u8| coords::gtp(game, game.square(col, 0))[..1].to_string();
        self.desk.draw(letter, |row| (row + 1).to_string())
    }

    /// Rows from the top, nothing but points.
    fn bare_board(&self) -> String {
        let drawing = self.desk.draw(|_| String::new(), |_| String::new());
        let rows = drawing.lines().map(str::trim).filter(|line| !line.is_empty());
        rows.collect::<Vec<_>>().join("\n")
    }

    fn legal_moves(&self) -> String {
        if self.desk.outcome().is_some() {
            return String::new();
        }
        let game = self.desk.game();
        self.desk.empty_squares().map(|square| coords::gtp(game, square)).collect::<Vec<_>>().join(" ")
    }

    fn score(&self) -> String {
        let text = match self.desk.outcome() {
            Some(Outcome::Win(Side::Black)) => "B+",
            Some(Outcome::Win(Side::White)) => "W+",
            Some(Outcome::Draw) | None => "0",
        };
        text.to_string()
    }

    fn result(&self) -> String {
        let text = match self.desk.outcome() {
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
            return vec![Step::Hurry];
        }
        let Some(command) = Command::parse(line) else { return Vec::new() };
        match command.name.as_str() {
            "quit" if self.asked.is_some() => {
                // The move that was asked for is answered first.
                self.quit = Some(command.id);
                vec![Step::HurryAndQuit]
            }
            "quit" => [say(command.id, ok()), vec![Step::Quit]].concat(),
            "genmove" | "reg_genmove" => self.generate(&command),
            _ => {
                let result = self.run(&command);
                say(command.id, result)
            }
        }
    }

    fn is_urgent(&self, line: &str) -> bool {
        line.trim() == INTERRUPT || Command::parse(line).is_some_and(|command| command.name == "quit")
    }

    fn thought(&mut self, thought: Thought) -> Vec<Step> {
        let Some(asked) = self.asked.take() else { return Vec::new() };
        self.clock.spent(asked.side, thought.elapsed);
        let result = thought.choice.and_then(|choice| self.choose(&asked, choice.mv));
        let mut steps = say(asked.id, result);
        if let Some(id) = self.quit.take() {
            steps.extend(say(id, ok()));
            steps.push(Step::Quit);
        }
        steps
    }
}

fn ok() -> Reply {
    Ok(String::new())
}

fn say(id: Option<u32>, result: Reply) -> Vec<Step> {
    vec![Step::Say(Answer { id, result }.write())]
}

fn is_known(name: &str) -> bool {
    COMMANDS.contains(&name)
}

fn parse_side(text: &str) -> Result<Side, String> {
    text.parse().map_err(|_| "invalid color or coordinate".to_string())
}

fn numbers<const N: usize>(words: [&str; N]) -> Result<[u32; N], String> {
    let mut numbers = [0; N];
    for (number, word) in numbers.iter_mut().zip(words) {
        *number = word.parse().map_err(|_| "syntax error".to_string())?;
    }
    Ok(numbers)
}

/// GoGui wants a name that begins with a capital and goes on in small letters.
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
