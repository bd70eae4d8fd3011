//! The referee's side of GTP.

use super::{Client, ProgramMessage, TimeNotice, side_of};
use lambda6_engine::{
    coords,
    gtp::{Command, Response},
};
use lambda6_rules::{Game, Move, Side};

pub(super) struct Gtp {
    game: Game,
    side: Side,
    pairs: bool,
    /// The number of moves that the program knows, including its own.
    known_moves: usize,
    /// The stones of the move that is asked for.
    wanted: usize,
    stones: Move,
    lines: Vec<String>,
    /// The number of the next command.
    next: u32,
    /// The number of the `genmove` that is not answered yet.
    generating: Option<u32>,
}

impl Gtp {
    pub(super) fn new(game: Game, side: Side, pairs: bool) -> Gtp {
        Gtp {
            game,
            side,
            pairs,
            known_moves: 0,
            wanted: 0,
            stones: Move::NULL,
            lines: Vec::new(),
            next: 1,
            generating: None,
        }
    }

    fn command(&mut self, name: &str, arguments: &[String]) -> String {
        let id = Some(self.next);
        self.next += 1;
        Command { id, name: name.to_string(), arguments: arguments.to_vec() }.write()
    }

    fn generate(&mut self) -> String {
        self.generating = Some(self.next);
        let side = letter(self.side);
        self.command("genmove", &[side])
    }

    fn answered(&mut self, response: &Response) -> ProgramMessage {
        let Response { id, ok, text } = response;
        let is_move = id.is_some() && *id == self.generating;
        // A program need not have commands for clocks.
        let optional = !is_move && text.contains("unknown command");
        if !ok && !optional {
            return ProgramMessage::Fault(format!("the program refuses: {text}"));
        }
        if !is_move {
            return ProgramMessage::Nothing;
        }
        if text.trim().eq_ignore_ascii_case("resign") {
            return ProgramMessage::Resigns;
        }
        let mv = match coords::parse_gtp_move(self.game, text.trim()) {
            Ok(mv) => mv,
            Err(error) => return ProgramMessage::Fault(format!("genmove: {error}")),
        };
        for square in mv.iter() {
            self.stones.push(square);
        }
        if self.stones.len() < self.wanted && !self.pairs {
            return ProgramMessage::Send(vec![self.generate()]);
        }
        self.generating = None;
        self.known_moves += 1;
        ProgramMessage::Move(std::mem::replace(&mut self.stones, Move::NULL))
    }
}

fn letter(side: Side) -> String {
    side.name()[..1].to_string()
}

impl Client for Gtp {
    fn start(&mut self) -> Vec<String> {
        let size = self.game.cols().to_string();
        vec![self.command("boardsize", &[size]), self.command("clear_board", &[])]
    }

    fn ask(&mut self, moves: &[Move], time: TimeNotice) -> Vec<String> {
        let mut lines = Vec::new();
        match time {
            TimeNotice::Nothing => {}
            TimeNotice::PerMove(time) if self.known_moves == 0 => {
                let seconds = time.as_secs().max(1).to_string();
                lines.push(self.command("time_settings", &["0".to_string(), seconds, "1".to_string()]));
            }
            TimeNotice::PerMove(_) => {}
            TimeNotice::Left(time) => {
                let seconds = time.as_secs().to_string();
                if self.known_moves == 0 {
                    let none = "0".to_string();
                    lines.push(self.command("time_settings", &[seconds.clone(), none.clone(), none]));
                }
                lines.push(self.command("time_left", &[letter(self.side), seconds, "0".to_string()]));
            }
        }
        for (i, mv) in moves.iter().enumerate().skip(self.known_moves) {
            let side = letter(side_of(i));
            if self.pairs {
                lines.push(self.command("play", &[side, coords::gtp_move(self.game, mv)]));
            } else {
                for square in mv.iter() {
                    lines.push(self.command("play", &[side.clone(), coords::gtp(self.game, square)]));
                }
            }
        }
        self.known_moves = moves.len();
        let first = if moves.is_empty() { self.game.q() } else { self.game.p() };
        let empty = self.game.area() - moves.iter().map(Move::len).sum::<usize>().min(self.game.area());
        self.wanted = usize::from(first).min(empty);
        lines.push(self.generate());
        lines
    }

    fn hear(&mut self, line: &str) -> ProgramMessage {
        if !line.trim().is_empty() {
            // Lines before the first line of a response are noise.
            if !self.lines.is_empty() || line.starts_with(['=', '?']) {
                self.lines.push(line.to_string());
            }
            return ProgramMessage::Nothing;
        }
        let lines = std::mem::take(&mut self.lines);
        match Response::parse(&lines) {
            Some(response) => self.answered(&response),
            None => ProgramMessage::Nothing,
        }
    }

    fn end(&self) -> Vec<String> {
        vec!["quit".to_string()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn hear(client: &mut Gtp, lines: &str) -> Vec<ProgramMessage> {
        lines
            .lines()
            .map(|line| client.hear(line))
            .filter(|heard| *heard != ProgramMessage::Nothing)
            .collect()
    }

    #[test]
    fn stones_are_asked_for_one_by_one() {
        let game = Game::CONNECT6;
        let mut client = Gtp::new(game, Side::White, false);
        assert_eq!(client.start(), ["1 boardsize 19", "2 clear_board"]);
        let opening = [game.parse_move("j10").unwrap()];
        let asked = client.ask(&opening, TimeNotice::PerMove(Duration::from_secs(2)));
        assert_eq!(asked, ["3 time_settings 0 2 1", "4 play b K10", "5 genmove w"]);
        assert_eq!(hear(&mut client, "=1\n\n=2\n\nnoise\n?3 unknown command\n\n=4\n\n"), []);
        assert_eq!(hear(&mut client, "=5 J9\n\n"), [ProgramMessage::Send(vec!["6 genmove w".to_string()])]);
        let mv = game.parse_move("i9h9").unwrap();
        assert_eq!(hear(&mut client, "=6 H9\n\n"), [ProgramMessage::Move(mv)]);
        let more = [opening[0], mv, game.parse_move("a1s19").unwrap()];
        assert_eq!(client.ask(&more, TimeNotice::Nothing), ["7 play b A1", "8 play b T19", "9 genmove w"]);
        assert_eq!(hear(&mut client, "=9 resign\n\n"), [ProgramMessage::Resigns]);
    }

    #[test]
    fn pairs_are_asked_for_at_once_and_faults_are_told() {
        let game = Game::CONNECT6;
        let mut client = Gtp::new(game, Side::White, true);
        client.start();
        let opening = [game.parse_move("j10").unwrap()];
        assert_eq!(client.ask(&opening, TimeNotice::Nothing), ["3 play b K10", "4 genmove w"]);
        let mv = game.parse_move("i9h9").unwrap();
        assert_eq!(hear(&mut client, "=4 J9,H9\n\n"), [ProgramMessage::Move(mv)]);
        for answer in ["?4 illegal move", "=4 pass", "=4", "=4 I9"] {
            let mut client = Gtp::new(game, Side::White, true);
            client.start();
            client.ask(&opening, TimeNotice::Nothing);
            let heard = hear(&mut client, &format!("{answer}\n\n"));
            assert!(matches!(heard[..], [ProgramMessage::Fault(_)]), "{answer}: {heard:?}");
        }
    }
}
