//! Parts of the JSON output that several commands share. The rules do not depend on
//! serde, so that the output does not change with them.

use lambda6_rules::{Game, Outcome, Position, Side};
use serde::Serialize;

/// A game by its five numbers, and its name if it has one.
#[derive(Serialize)]
pub struct GameJson {
    m: u8,
    n: u8,
    k: u8,
    p: u8,
    q: u8,
    name: Option<&'static str>,
}

impl From<Game> for GameJson {
    fn from(game: Game) -> GameJson {
        GameJson { m: game.cols(), n: game.rows(), k: game.k(), p: game.p(), q: game.q(), name: game.name() }
    }
}

/// The result of a game: `"black"`, `"white"` or `"draw"`.
#[derive(Serialize)]
#[serde(transparent)]
pub struct OutcomeJson(&'static str);

impl From<Outcome> for OutcomeJson {
    fn from(outcome: Outcome) -> OutcomeJson {
        OutcomeJson(match outcome {
            Outcome::Win(side) => side.name(),
            Outcome::Draw => "draw",
        })
    }
}

/// The stones of a position and the side to move.
#[derive(Serialize)]
pub struct StonesJson {
    black: Vec<String>,
    white: Vec<String>,
    to_move: &'static str,
}

impl StonesJson {
    /// The stones on the board.
    pub fn of(position: &Position) -> StonesJson {
        let game = position.game();
        let names = |side| position.stones(side).map(|square| game.square_name(square)).collect();
        StonesJson {
            black: names(Side::Black),
            white: names(Side::White),
            to_move: position.to_move().name(),
        }
    }
}
