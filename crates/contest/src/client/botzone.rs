//! The referee's side of Botzone's JSON.

use super::{Client, ProgramMessage, TimeNotice, side_of};
use lambda6_engine::botzone::{parse_response, write_move};
use lambda6_rules::{Game, Move, Side};
use serde_json::{Value, json};

pub(super) struct Botzone {
    game: Game,
    side: Side,
}

impl Botzone {
    pub(super) fn new(game: Game, side: Side) -> Botzone {
        Botzone { game, side }
    }
}

impl Client for Botzone {
    fn start(&mut self) -> Vec<String> {
        Vec::new()
    }

    fn ask(&mut self, moves: &[Move], _: TimeNotice) -> Vec<String> {
        let of = |side: Side| -> Vec<Value> {
            let own = moves.iter().enumerate().filter(|(i, _)| side_of(*i) == side);
            own.map(|(_, mv)| write_move(self.game, mv)).collect()
        };
        let mut requests = of(self.side.other());
        if self.side == Side::Black {
            requests.insert(0, write_move(self.game, &Move::NULL));
        }
        vec![json!({ "requests": requests, "responses": of(self.side) }).to_string()]
    }

    fn hear(&mut self, line: &str) -> ProgramMessage {
        match parse_response(self.game, line) {
            None => ProgramMessage::Nothing,
            Some(Ok(mv)) => ProgramMessage::Move(mv),
            Some(Err(error)) => ProgramMessage::Fault(error.to_string()),
        }
    }

    fn end(&self) -> Vec<String> {
        Vec::new()
    }

    fn is_started_for_every_move(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_engine::botzone::{Request, botzone_game};

    #[test]
    fn the_whole_game_is_told_every_time() {
        let game = botzone_game();
        let moves: Vec<Move> = ["h8", "a15o1", "b14c13"].map(|text| game.parse_move(text).unwrap()).into();
        let asked = |side, upto: usize| {
            let lines = Botzone::new(game, side).ask(&moves[..upto], TimeNotice::Nothing);
            Request::parse(game, &lines[0]).unwrap()
        };
        let expected = |requests: &[Move], responses: &[Move]| Request::Game {
            requests: requests.to_vec(),
            responses: responses.to_vec(),
        };
        assert_eq!(asked(Side::Black, 0), expected(&[Move::NULL], &[]));
        assert_eq!(asked(Side::White, 1), expected(&moves[..1], &[]));
        assert_eq!(asked(Side::Black, 2), expected(&[Move::NULL, moves[1]], &moves[..1]));
        assert_eq!(asked(Side::White, 3), expected(&[moves[0], moves[2]], &moves[1..2]));
        let mut client = Botzone::new(game, Side::Black);
        let answer = r#"{"response":{"x0":7,"y0":7,"x1":-1,"y1":-1},"debug":"x"}"#;
        assert_eq!(client.hear(answer), ProgramMessage::Move(moves[0]));
        assert_eq!(client.hear(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"), ProgramMessage::Nothing);
        assert!(matches!(client.hear(r#"{"response":{"x0":99,"y0":7}}"#), ProgramMessage::Fault(_)));
    }
}
