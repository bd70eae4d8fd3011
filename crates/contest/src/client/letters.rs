//! The protocols with letter pairs, SAU's and Cloudict's, asked of others.

use super::{Client, Heard, Told, side_of};
use engine::{cloudict, coords, sau};
use rules::{Game, Move, Side, record::Rows};

/// What `move XXXX` means; everything else a program prints is passed over.
fn heard(game: Game, rows: Rows, line: &str) -> Option<Result<Move, String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let squares = match words[..] {
        ["move"] => "",
        ["move", squares] => squares,
        // A line with more words explains the command.
        _ => return None,
    };
    Some(coords::parse_letters(game, rows, squares).map_err(|error| format!("move: {error}")))
}

pub(super) struct Cloudict {
    game: Game,
    /// How many moves the program knows, its own among them.
    told: usize,
}

impl Cloudict {
    pub(super) fn new(game: Game, _: Side) -> Cloudict {
        Cloudict { game, told: 0 }
    }
}

impl Client for Cloudict {
    fn start(&mut self) -> Vec<String> {
        vec!["new xxx".to_string()]
    }

    fn ask(&mut self, moves: &[Move], _: Told) -> Vec<String> {
        if moves.is_empty() {
            return vec!["new black".to_string()];
        }
        let rows = cloudict::Cloudict::ROWS;
        let place = |(i, mv): (usize, &Move)| {
            format!("{} {}", side_of(i).name(), coords::letters(self.game, rows, mv))
        };
        let mut lines: Vec<String> = moves.iter().enumerate().skip(self.told).map(place).collect();
        self.told = moves.len();
        lines.push("next".to_string());
        lines
    }

    fn hear(&mut self, line: &str) -> Heard {
        match heard(self.game, cloudict::Cloudict::ROWS, line) {
            None => Heard::Nothing,
            Some(Ok(mv)) => {
                self.told += 1;
                Heard::Move(mv)
            }
            Some(Err(error)) => Heard::Fault(error),
        }
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

    fn ask(&mut self, moves: &[Move], _: Told) -> Vec<String> {
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

    fn hear(&mut self, line: &str) -> Heard {
        match heard(self.game, sau::Sau::ROWS, line) {
            None => Heard::Nothing,
            Some(Ok(mv)) => Heard::Move(mv),
            Some(Err(error)) => Heard::Fault(error),
        }
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
        assert_eq!(client.ask(&moves[..2], Told::Nothing), ["black JJ", "white IHHI", "next"]);
        for noise in ["AB Time :\t22.312", "  move XXXX   - tell the engine", ""] {
            assert_eq!(client.hear(noise), Heard::Nothing);
        }
        assert_eq!(client.hear("move KKLJ"), Heard::Move(moves[2]));
        let more = [&moves[..], &[game.parse_move("a1s1").unwrap()]].concat();
        assert_eq!(client.ask(&more, Told::Nothing), ["white AASA", "next"]);
        assert!(matches!(client.hear("move ZZ"), Heard::Fault(_)));
        assert!(matches!(client.hear("move"), Heard::Fault(_)));
        assert_eq!(Cloudict::new(game, Side::Black).ask(&[], Told::Nothing), ["new black"]);
    }

    #[test]
    fn sau_is_told_the_last_move() {
        let game = Game::CONNECT6;
        let moves: Vec<Move> = ["j10", "i8h9", "k11l10"].map(|text| game.parse_move(text).unwrap()).into();
        let mut black = Sau::new(game, Side::Black);
        assert_eq!(black.ask(&[], Told::Nothing), ["new black"]);
        assert_eq!(black.hear("move JJ@@"), Heard::Move(moves[0]));
        assert_eq!(black.ask(&moves[..2], Told::Nothing), ["move ILHK"]);
        let mut white = Sau::new(game, Side::White);
        assert_eq!(white.ask(&moves[..1], Told::Nothing), ["new white", "move JJ"]);
    }
}
