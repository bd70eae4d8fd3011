//! The referee's side of the protocols: what to send to a program to make it
//! move, and what its answer means. No input and output here.

mod botzone;
mod gtp;
mod letters;

use crate::entrant::Protocol;
use rules::{Game, Move, Side};
use std::time::Duration;

/// What a line of a program means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing that matters.
    Nothing,
    /// Its move, or what it takes for one.
    Move(Move),
    /// It gives up.
    Resigns,
    /// It wants to be asked on.
    Send(Vec<String>),
    /// It does not do what it should.
    Fault(String),
}

/// The time that a program is told about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// Nothing.
    Nothing,
    /// So much for every move.
    PerMove(Duration),
    /// So much is left, and so much is added with every move.
    Left(Duration),
}

/// Talks to one program about one game.
pub trait Client: Send {
    /// What to send first.
    fn start(&mut self) -> Vec<String>;

    /// What to send for a move after these moves, all from the beginning.
    fn ask(&mut self, moves: &[Move], time: Told) -> Vec<String>;

    /// What a line of the program's means. Only its answers count: a line that is
    /// no answer is passed over.
    fn hear(&mut self, line: &str) -> Heard;

    /// What to send last.
    fn end(&self) -> Vec<String>;

    /// Whether the program is started for every move, reads one line and the end
    /// of its input, and ends.
    fn one_answer(&self) -> bool {
        false
    }
}

/// How many moves an opening may have for a program of this protocol; `None`
/// for any number.
pub fn longest_opening(protocol: Protocol) -> Option<usize> {
    // The platform's engines play their first moves themselves.
    (protocol == Protocol::Sau).then_some(0)
}

/// Somebody who speaks this protocol. An error when the board has squares that
/// it has no names for.
pub fn client(protocol: Protocol, game: Game, side: Side) -> Result<Box<dyn Client>, String> {
    let (fits, square) = match protocol {
        Protocol::Gtp | Protocol::GtpPairs => {
            (engine::coords::gtp_suffices(game), game.cols() == game.rows())
        }
        Protocol::Sau | Protocol::Cloudict => (engine::coords::letters_suffice(game), true),
        Protocol::Botzone => (true, true),
    };
    if !fits || !square {
        return Err(format!(
            "{} has no words for the {}x{} board",
            protocol.name(),
            game.cols(),
            game.rows()
        ));
    }
    Ok(match protocol {
        Protocol::Gtp => Box::new(gtp::Gtp::new(game, side, false)),
        Protocol::GtpPairs => Box::new(gtp::Gtp::new(game, side, true)),
        Protocol::Sau => Box::new(letters::Sau::new(game, side)),
        Protocol::Cloudict => Box::new(letters::Cloudict::new(game, side)),
        Protocol::Botzone => Box::new(botzone::Botzone::new(game, side)),
    })
}

/// Whose move the move with this number (from 0) is.
fn side_of(number: usize) -> Side {
    if number.is_multiple_of(2) { Side::Black } else { Side::White }
}
