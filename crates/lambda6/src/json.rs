//! The parts that the JSON output of several commands is made of. The rules
//! know nothing of serde: these are the shapes that other programs rely on.

use rules::{Game, Outcome, Square};
use serde::Serialize;

/// A game by its five numbers, and its name if it has one.
#[derive(Serialize)]
pub(crate) struct GameJson {
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

/// How a game ended: `"black"`, `"white"` or `"draw"`.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct OutcomeJson(&'static str);

impl From<Outcome> for OutcomeJson {
    fn from(outcome: Outcome) -> OutcomeJson {
        OutcomeJson(match outcome {
            Outcome::Win(side) => side.name(),
            Outcome::Draw => "draw",
        })
    }
}

/// The names of squares.
pub(crate) fn square_names(game: Game, squares: impl Iterator<Item = Square>) -> Vec<String> {
    squares.map(|square| game.square_name(square)).collect()
}
