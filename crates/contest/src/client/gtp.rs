//! GTP, asked of others.

use super::{Client, Heard, Told, side_of};
use engine::{
    coords,
    gtp::{Answer, Command},
};
use rules::{Game, Move, Side};

pub(super) struct Gtp {
    game: Game,
    side: Side,
    pairs: bool,
    /// How many moves the program knows, its own among them.
    told: usize,
    /// Stones that the move asked for has.
    wanted: usize,
    stones: Move,
    lines: Vec<String>,
    /// Answers to commands that only set something are not waited for, but a
    /// refusal is heard.
    pending: u32,
    next: u32,
    generating: Option<u32>,
}

impl Gtp {
    pub(super) fn new(game: Game, side: Side, pairs: bool) -> Gtp {
        Gtp {
            game,
            side,
            pairs,
            told: 0,
            wanted: 0,
            stones: Move::NULL,
            lines: Vec::new(),
            pending: 0,
            next: 1,
            generating: None,
        }
    }

    fn command(&mut self, name: &str, arguments: &[String]) -> String {
        let id = Some(self.next);
        self.next += 1;
        self.pending += 1;
        Command { id, name: name.to_string(), arguments: arguments.to_vec() }.write()
    }

    fn generate(&mut self) -> String {
        self.generating = Some(self.next);
        let side = letter(self.side);
        self.command("genmove", &[side])
    }

    fn answered(&mut self, answer: Answer) -> Heard {
        self.pending = self.pending.saturating_sub(1);
        let is_move = answer.id.is_some() && answer.id == self.generating;
        let text = match answer.result {
            // Clocks are an option; a program without may go on.
            Err(text) if !is_move && text.contains("unknown command") => return Heard::Nothing,
            Err(text) => return Heard::Fault(format!("the program refuses: {text}")),
            Ok(text) => text,
        };
        if !is_move {
            return Heard::Nothing;
        }
        if text.trim().eq_ignore_ascii_case("resign") {
            return Heard::Resigns;
        }
        let mv = match coords::parse_gtp_move(self.game, text.trim()) {
            Ok(mv) => mv,
            Err(error) => return Heard::Fault(format!("genmove: {error}")),
        };
        for square in mv.iter() {
            self.stones.push(square);
        }
        if self.stones.len() < self.wanted && !self.pairs {
            return Heard::Send(vec![self.generate()]);
        }
        self.generating = None;
        self.told += 1;
        Heard::Move(std::mem::replace(&mut self.stones, Move::NULL))
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

    fn ask(&mut self, moves: &[Move], time: Told) -> Vec<String> {
        let mut lines = Vec::new();
        match time {
            Told::Nothing => {}
            Told::PerMove(time) if self.told == 0 => {
                let seconds = time.as_secs().max(1).to_string();
                lines.push(self.command("time_settings", &["0".to_string(), seconds, "1".to_string()]));
            }
            Told::PerMove(_) => {}
            Told::Left(time) => {
                let seconds = time.as_secs().to_string();
                if self.told == 0 {
                    let none = "0".to_string();
                    lines.push(self.command("time_settings", &[seconds.clone(), none.clone(), none]));
                }
                lines.push(self.command("time_left", &[letter(self.side), seconds, "0".to_string()]));
            }
        }
        for (i, mv) in moves.iter().enumerate().skip(self.told) {
            let side = letter(side_of(i));
            if self.pairs {
                lines.push(self.command("play", &[side, coords::gtp_move(self.game, mv)]));
            } else {
                for square in mv.iter() {
                    lines.push(self.command("play", &[side.clone(), coords::gtp(self.game, square)]));
                }
            }
        }
        self.told = moves.len();
        let first = if moves.is_empty() { self.game.q() } else { self.game.p() };
        let empty = self.game.area() - moves.iter().map(Move::len).sum::<usize>().min(self.game.area());
        self.wanted = usize::from(first).min(empty);
        lines.push(self.generate());
        lines
    }

    fn hear(&mut self, line: &str) -> Heard {
        if !line.trim().is_empty() {
            // Nothing belongs to an answer before its first line.
            if !self.lines.is_empty() || line.starts_with(['=', '?']) {
                self.lines.push(line.to_string());
            }
            return Heard::Nothing;
        }
        let lines = std::mem::take(&mut self.lines);
        match Answer::parse(&lines) {
            Some(answer) => self.answered(answer),
            None => Heard::Nothing,
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

    fn hear(client: &mut Gtp, lines: &str) -> Vec<Heard> {
        lines.lines().map(|line| client.hear(line)).filter(|heard| *heard != Heard::Nothing).collect()
    }

    #[test]
    fn stones_are_asked_for_one_by_one() {
        let game = Game::CONNECT6;
        let mut client = Gtp::new(game, Side::White, false);
        assert_eq!(client.start(), ["1 boardsize 19", "2 clear_board"]);
        let opening = [game.parse_move("j10").unwrap()];
        let asked = client.ask(&opening, Told::PerMove(Duration::from_secs(2)));
        assert_eq!(asked, ["3 time_settings 0 2 1", "4 play b K10", "5 genmove w"]);
        assert_eq!(hear(&mut client, "=1\n\n=2\n\nnoise\n?3 unknown command\n\n=4\n\n"), []);
        assert_eq!(hear(&mut client, "=5 J9\n\n"), [Heard::Send(vec!["6 genmove w".to_string()])]);
        let mv = game.parse_move("i9h9").unwrap();
        assert_eq!(hear(&mut client, "=6 H9\n\n"), [Heard::Move(mv)]);
        let more = [opening[0], mv, game.parse_move("a1s19").unwrap()];
        assert_eq!(client.ask(&more, Told::Nothing), ["7 play b A1", "8 play b T19", "9 genmove w"]);
        assert_eq!(hear(&mut client, "=9 resign\n\n"), [Heard::Resigns]);
    }

    #[test]
    fn pairs_are_asked_for_at_once_and_faults_are_told() {
        let game = Game::CONNECT6;
        let mut client = Gtp::new(game, Side::White, true);
        client.start();
        let opening = [game.parse_move("j10").unwrap()];
        assert_eq!(client.ask(&opening, Told::Nothing), ["3 play b K10", "4 genmove w"]);
        let mv = game.parse_move("i9h9").unwrap();
        assert_eq!(hear(&mut client, "=4 J9,H9\n\n"), [Heard::Move(mv)]);
        for answer in ["?4 illegal move", "=4 pass", "=4", "=4 I9"] {
            let mut client = Gtp::new(game, Side::White, true);
            client.start();
            client.ask(&opening, Told::Nothing);
            let heard = hear(&mut client, &format!("{answer}\n\n"));
            assert!(matches!(heard[..], [Heard::Fault(_)]), "{answer}: {heard:?}");
        }
    }
}
