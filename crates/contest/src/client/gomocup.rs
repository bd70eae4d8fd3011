//! The referee's side of Gomocup's protocol.

use super::{Client, ProgramMessage, TimeNotice, side_of};
use lambda6_engine::gomocup::Point;
use lambda6_rules::{Game, Move, Side};
use std::time::Duration;

/// The remaining time of a game without a limit.
const UNLIMITED: &str = "2147483647";

pub(super) struct Gomocup {
    game: Game,
    side: Side,
    /// The number of moves that the program knows, including its own.
    known_moves: usize,
    /// The limit of a move that the program was told last.
    turn: Option<Duration>,
    /// Whether it was told the time of the game.
    game_time_told: bool,
    /// Whether it has answered `START`.
    started: bool,
    /// How many moves it was asked for.
    questions: u32,
    /// The command that asked for the last one.
    question: String,
}

impl Gomocup {
    pub(super) fn new(game: Game, side: Side) -> Gomocup {
        Gomocup {
            game,
            side,
            known_moves: 0,
            turn: None,
            game_time_told: false,
            started: false,
            questions: 0,
            question: String::new(),
        }
    }

    fn start_command(&self) -> String {
        let (cols, rows) = (self.game.cols(), self.game.rows());
        if cols == rows { format!("START {cols}") } else { format!("RECTSTART {cols},{rows}") }
    }

    /// A violation of the protocol, with the command that is not answered yet.
    fn fault(&self, problem: &str) -> ProgramMessage {
        let command = if self.started { self.question.clone() } else { self.start_command() };
        ProgramMessage::Fault(format!("{command}: {problem}"))
    }

    fn times(&mut self, time: TimeNotice) -> Vec<String> {
        let mut lines = Vec::new();
        let turn = match time {
            TimeNotice::Nothing => return lines,
            TimeNotice::PerMove(time) | TimeNotice::Left(time) => time,
        };
        if self.turn != Some(turn) {
            self.turn = Some(turn);
            lines.push(format!("INFO timeout_turn {}", turn.as_millis().max(1)));
        }
        let is_game = matches!(time, TimeNotice::Left(_));
        if !self.game_time_told {
            self.game_time_told = true;
            lines.push(format!("INFO timeout_match {}", if is_game { turn.as_millis() } else { 0 }));
        }
        let left = if is_game { turn.as_millis().to_string() } else { UNLIMITED.to_string() };
        lines.push(format!("INFO time_left {left}"));
        lines
    }

    fn point(&self, mv: &Move) -> String {
        let points = mv.iter().map(|square| Point::of(self.game, square).to_string());
        points.collect::<Vec<_>>().join(" ")
    }

    fn read_move(&self, text: &str) -> ProgramMessage {
        let Some(point) = Point::parse(text) else {
            let found: String = text.chars().take(40).collect();
            return self.fault(&format!("expected a move x,y such as 7,7, found {found:?}"));
        };
        match point.square(self.game) {
            Ok(square) => ProgramMessage::Move(Move::single(square)),
            Err(error) => self.fault(&format!("expected a move on the board: {error}")),
        }
    }
}

impl Client for Gomocup {
    fn start(&mut self) -> Vec<String> {
        vec![self.start_command(), "INFO rule 0".to_string(), "INFO game_type 1".to_string()]
    }

    fn ask(&mut self, moves: &[Move], time: TimeNotice) -> Vec<String> {
        let mut lines = self.times(time);
        self.question = match moves.split_last() {
            None => "BEGIN".to_string(),
            Some((last, before)) if before.len() == self.known_moves => format!("TURN {}", self.point(last)),
            Some(_) => "BOARD".to_string(),
        };
        lines.push(self.question.clone());
        if self.question == "BOARD" {
            for (i, mv) in moves.iter().enumerate() {
                let field = if side_of(i) == self.side { 1 } else { 2 };
                lines.push(format!("{},{field}", self.point(mv)));
            }
            lines.push("DONE".to_string());
        }
        self.known_moves = moves.len();
        self.questions += 1;
        lines
    }

    fn hear(&mut self, line: &str) -> ProgramMessage {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let message = match word.to_ascii_uppercase().as_str() {
            "OK" => {
                self.started = true;
                ProgramMessage::Nothing
            }
            "ERROR" => self.fault(&format!("the program answers {line:?}")),
            // During the first move it may answer a line that an entrant has it sent.
            "UNKNOWN" if !self.started || self.questions > 1 => {
                self.fault(&format!("the program answers {line:?}"))
            }
            "SUGGEST" => match self.read_move(rest) {
                ProgramMessage::Move(mv) => {
                    self.question = format!("PLAY {}", self.point(&mv));
                    ProgramMessage::Send(vec![self.question.clone()])
                }
                fault => fault,
            },
            _ if line.starts_with(|c: char| c.is_ascii_digit() || c == '-') => self.read_move(line),
            // Messages, and what old programs print besides.
            _ => ProgramMessage::Nothing,
        };
        self.known_moves += usize::from(matches!(message, ProgramMessage::Move(_)));
        message
    }

    fn end(&self) -> Vec<String> {
        vec!["END".to_string()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(texts: &[&str]) -> Vec<Move> {
        texts.iter().map(|text| Game::GO_MOKU.parse_move(text).unwrap()).collect()
    }

    fn fault(client: &mut Gomocup, line: &str) -> String {
        match client.hear(line) {
            ProgramMessage::Fault(text) => text,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn moves_are_asked_for_one_by_one() {
        let mut client = Gomocup::new(Game::GO_MOKU, Side::Black);
        assert_eq!(client.start(), ["START 15", "INFO rule 0", "INFO game_type 1"]);
        assert_eq!(client.ask(&[], TimeNotice::Nothing), ["BEGIN"]);
        for noise in ["OK", "", "DEBUG 1,1", "message I will win", "UNKNOWN yxshowinfo", "hello 3,4"] {
            assert_eq!(client.hear(noise), ProgramMessage::Nothing, "{noise}");
        }
        // Rows count from the top: h8 is the centre, h9 is above it.
        let game = moves(&["h8", "h9", "a1", "o15"]);
        assert_eq!(client.hear("7,7\r"), ProgramMessage::Move(game[0]));
        assert_eq!(client.ask(&game[..2], TimeNotice::Nothing), ["TURN 7,6"]);
        assert_eq!(client.hear("suggest 0,14"), ProgramMessage::Send(vec!["PLAY 0,14".to_string()]));
        assert_eq!(client.hear("0,14"), ProgramMessage::Move(game[2]));
        assert_eq!(client.ask(&game, TimeNotice::Nothing), ["TURN 14,0"]);
        assert_eq!(client.end(), ["END"]);
        let wide = Gomocup::new(Game::new(20, 15, 5, 1, 1).unwrap(), Side::Black).start();
        assert_eq!(wide[0], "RECTSTART 20,15");
    }

    #[test]
    fn openings_are_boards() {
        let game = moves(&["h8", "h9", "a1"]);
        let ask =
            |side, upto: usize| Gomocup::new(Game::GO_MOKU, side).ask(&game[..upto], TimeNotice::Nothing);
        assert_eq!(ask(Side::White, 1), ["TURN 7,7"]);
        assert_eq!(ask(Side::Black, 2), ["BOARD", "7,7,1", "7,6,2", "DONE"]);
        assert_eq!(ask(Side::White, 3), ["BOARD", "7,7,2", "7,6,1", "0,14,2", "DONE"]);
    }

    #[test]
    fn times_are_told_in_milliseconds() {
        let mut client = Gomocup::new(Game::GO_MOKU, Side::Black);
        let turn = TimeNotice::PerMove(Duration::from_millis(1500));
        let told = ["INFO timeout_turn 1500", "INFO timeout_match 0", "INFO time_left 2147483647", "BEGIN"];
        assert_eq!(client.ask(&[], turn), told);
        client.hear("7,7");
        let game = moves(&["h8", "h9", "a1"]);
        assert_eq!(client.ask(&game[..2], turn), ["INFO time_left 2147483647", "TURN 7,6"]);
        let mut client = Gomocup::new(Game::GO_MOKU, Side::Black);
        let told = ["INFO timeout_turn 60000", "INFO timeout_match 60000", "INFO time_left 60000", "BEGIN"];
        assert_eq!(client.ask(&[], TimeNotice::Left(Duration::from_secs(60))), told);
        client.hear("7,7");
        let told = ["INFO timeout_turn 59000", "INFO time_left 59000", "TURN 7,6"];
        assert_eq!(client.ask(&game[..2], TimeNotice::Left(Duration::from_secs(59))), told);
    }

    #[test]
    fn faults_name_the_command_and_what_was_expected() {
        let mut client = Gomocup::new(Game::GO_MOKU, Side::White);
        client.start();
        client.ask(&moves(&["h8"]), TimeNotice::Nothing);
        assert_eq!(fault(&mut client, "ERROR size"), "START 15: the program answers \"ERROR size\"");
        assert_eq!(fault(&mut client, "UNKNOWN"), "START 15: the program answers \"UNKNOWN\"");
        client.hear("OK");
        let expected = "TURN 7,7: expected a move x,y such as 7,7, found \"7;8\"";
        assert_eq!(fault(&mut client, "7;8"), expected);
        let expected = "TURN 7,7: expected a move on the board: (15,0) is off the 15x15 board";
        assert_eq!(fault(&mut client, "15,0"), expected);
        assert_eq!(fault(&mut client, "error"), "TURN 7,7: the program answers \"error\"");
    }
}
