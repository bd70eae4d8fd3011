//! The referee's side of the protocols with letter pairs, SAU's and Cloudict's.

use super::{Client, ProgramMessage, TimeNotice, side_of};
use lambda6_engine::{cloudict, coords, sau};
use lambda6_rules::{Game, Move, Side, record::Rows};

/// Reads `move XXXX`; all other lines are noise.
fn read_move(game: Game, rows: Rows, line: &str) -> ProgramMessage {
    let words: Vec<&str> = line.split_whitespace().collect();
    let squares = match words[..] {
        ["move"] => "",
        ["move", squares] => squares,
        // A line with more words is a help text.
        _ => return ProgramMessage::Nothing,
    };
    match coords::parse_letters(game, rows, squares) {
        Ok(mv) => ProgramMessage::Move(mv),
        Err(error) => ProgramMessage::Fault(format!("move: {error}")),
    }
}

pub(super) struct Cloudict {
    game: Game,
    /// The number of moves that the program knows, including its own.
    known_moves: usize,
}

impl Cloudict {
    pub(super) fn new(game: Game, _: Side) -> Cloudict {
        Cloudict { game, known_moves: 0 }
    }
}

impl Client for Cloudict {
    fn start(&mut self) -> Vec<String> {
        vec!["new xxx".to_string()]
    }

    fn ask(&mut self, moves: &[Move], _: TimeNotice) -> Vec<String> {
        if moves.is_empty() {
            return vec!["new black".to_string()];
        }
        let rows = cloudict::Cloudict::ROWS;
        let place = |(i, mv): (usize, &Move)| {
            format!("{} {}", side_of(i).name(), coords::letters(self.game, rows, mv))
        };
        let mut lines: Vec<String> = moves.iter().enumerate().skip(self.known_moves).map(place).collect();
        self.known_moves = moves.len();
        lines.push("next".to_string());
        lines
    }

    fn hear(&mut self, line: &str) -> ProgramMessage {
        let message = read_move(self.game, cloudict::Cloudict::ROWS, line);
        self.known_moves += usize::from(matches!(message, ProgramMessage::Move(_)));
        message
    }

    fn end(&self) -> Vec<String> {
        vec!["quit".to_string()]
    }
}

pub(super) struct Sau {
    game: Game,
    side: Side,
    begun: bool,
}

impl Sau {
    pub(super) fn new(game: Game, side: Side) -> Sau {
        Sau { game, side, begun: false }
    }
}

impl Client for Sau {
    fn start(&mut self) -> Vec<String> {
        vec!["name?".to_string()]
    }

    fn ask(&mut self, moves: &[Move], _: TimeNotice) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.begun {
            self.begun = true;
            lines.push(format!("new {}", self.side));
        }
        if let Some(last) = moves.last() {
            lines.push(format!("move {}", coords::letters(self.game, sau::Sau::ROWS, last)));
        }
        lines
    }

    fn hear(&mut self, line: &str) -> ProgramMessage {
        read_move(self.game, sau::Sau::ROWS, line)
    }

    fn end(&self) -> Vec<String> {
        vec!["end".to_string(), "quit".to_string()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cloudict_is_told_every_move_once() {
        let game = Game::CONNECT6;
        let moves: Vec<Move> = ["j10", "i8h9", "k11l10"].map(|text| game.parse_move(text).unwrap()).into();
        let mut client = Cloudict::new(game, Side::Black);
        assert_eq!(client.start(), ["new xxx"]);
        assert_eq!(client.ask(&moves[..2], TimeNotice::Nothing), ["black JJ", "white IHHI", "next"]);
        for noise in ["AB Time :\t22.312", "  move XXXX   - tell the engine", ""] {
            assert_eq!(client.hear(noise), ProgramMessage::Nothing);
        }
        assert_eq!(client.hear("move KKLJ"), ProgramMessage::Move(moves[2]));
        let more = [&moves[..], &[game.parse_move("a1s1").unwrap()]].concat();
        assert_eq!(client.ask(&more, TimeNotice::Nothing), ["white AASA", "next"]);
        assert!(matches!(client.hear("move ZZ"), ProgramMessage::Fault(_)));
        assert!(matches!(client.hear("move"), ProgramMessage::Fault(_)));
        assert_eq!(Cloudict::new(game, Side::Black).ask(&[], TimeNotice::Nothing), ["new black"]);
    }

    #[test]
    fn sau_is_told_the_last_move() {
        let game = Game::CONNECT6;
        let moves: Vec<Move> = ["j10", "i8h9", "k11l10"].map(|text| game.parse_move(text).unwrap()).into();
        let mut black = Sau::new(game, Side::Black);
        assert_eq!(black.ask(&[], TimeNotice::Nothing), ["new black"]);
        assert_eq!(black.hear("move JJ@@"), ProgramMessage::Move(moves[0]));
        assert_eq!(black.ask(&moves[..2], TimeNotice::Nothing), ["move ILHK"]);
        let mut white = Sau::new(game, Side::White);
        assert_eq!(white.ask(&moves[..1], TimeNotice::Nothing), ["new white", "move JJ"]);
    }
}
