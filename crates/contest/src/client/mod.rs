//! The referee's side of the protocols: what to send to a program to get a move,
//! and what its lines mean. There is no input and output here.

mod botzone;
mod gomocup;
mod gtp;
mod letters;

use crate::entrant::Protocol;
use lambda6_rules::{Game, Move, Side};
use std::time::Duration;

/// The meaning of a line of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ProgramMessage {
    /// The line is not an answer.
    Nothing,
    /// Its move, legal or not.
    Move(Move),
    /// It resigns.
    Resigns,
    /// These lines must be sent before it answers.
    Send(Vec<String>),
    /// It violates the protocol.
    Fault(String),
}

/// The time that a program is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TimeNotice {
    /// No time.
    Nothing,
    /// The time for every move.
    PerMove(Duration),
    /// The time left for the game.
    Left(Duration),
}

/// Speaks a protocol with one program during one game.
pub(crate) trait Client: Send {
    /// The lines to send first.
    fn start(&mut self) -> Vec<String>;

    /// The lines that ask for a move. `moves` are all moves of the game.
    fn ask(&mut self, moves: &[Move], time: TimeNotice) -> Vec<String>;

    /// Reads a line of the program.
    fn hear(&mut self, line: &str) -> ProgramMessage;

    /// The lines to send last.
    fn end(&self) -> Vec<String>;

    /// Whether the program is started for every move, reads one line and the end
    /// of its input, answers and ends.
    fn is_started_for_every_move(&self) -> bool {
        false
    }
}

/// The most moves of an opening that the protocol can set up; `None` for any
/// number.
pub(crate) fn longest_opening(protocol: Protocol) -> Option<usize> {
    // An engine of the platform begins with its own first move.
    (protocol == Protocol::Sau).then_some(0)
}

/// The protocol cannot express the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnsupportedBoard {
    /// It has no names for all squares of the board.
    #[error("{} has no words for the {}x{} board", protocol.name(), game.cols(), game.rows())]
    Squares {
        /// The protocol.
        protocol: Protocol,
        /// The game.
        game: Game,
    },
    /// It is for go-moku.
    #[error(
        "gomocup is for five in a row with one stone a move on boards from 5x5 to 64x64, such as --game \
         \"15 15 5 1 1\"; the game is {0}"
    )]
    NotGomoku(Game),
}

/// A client of this protocol.
pub(crate) fn client(
    protocol: Protocol,
    game: Game,
    side: Side,
) -> Result<Box<dyn Client>, UnsupportedBoard> {
    let (fits, square) = match protocol {
        Protocol::Gtp | Protocol::GtpPairs => {
            (lambda6_engine::coords::gtp_suffices(game), game.cols() == game.rows())
        }
        Protocol::Sau | Protocol::Cloudict => (lambda6_engine::coords::letters_suffice(game), true),
        Protocol::Botzone => (true, true),
        Protocol::Gomocup if lambda6_engine::gomocup::is_gomocup_game(game) => (true, true),
        Protocol::Gomocup => return Err(UnsupportedBoard::NotGomoku(game)),
    };
    if !fits || !square {
        return Err(UnsupportedBoard::Squares { protocol, game });
    }
    Ok(match protocol {
        Protocol::Gtp => Box::new(gtp::Gtp::new(game, side, false)),
        Protocol::GtpPairs => Box::new(gtp::Gtp::new(game, side, true)),
        Protocol::Sau => Box::new(letters::Sau::new(game, side)),
        Protocol::Cloudict => Box::new(letters::Cloudict::new(game, side)),
        Protocol::Botzone => Box::new(botzone::Botzone::new(game, side)),
        Protocol::Gomocup => Box::new(gomocup::Gomocup::new(game, side)),
    })
}

/// The side of the move with this number, from 0.
fn side_of(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::Black } else { Side::White }
}
