//! Conversions between the types of the rules and those of the checker, which
//! shares no code with the other crates.

use lambda6_rules::{Game, GameError, MAX_P, Move, Position, Setup, SetupError, Side, Square};
use lambda6_search::Method;

/// Why a position cannot be converted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// The checker does not know the game.
    #[error("{0}")]
    UnknownGame(String),
    /// The rules do not know the game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The stones are not a position.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The claim is less than that the position is won.
    #[error("it claims nothing about {0} moves, or parts of moves, of the defender")]
    Excepting(usize),
}

/// A side for the checker.
pub fn checker_side(side: Side) -> lambda6_checker::Side {
    match side {
        Side::Black => lambda6_checker::Side::Black,
        Side::White => lambda6_checker::Side::White,
    }
}

/// A side of the checker.
pub fn rules_side(side: lambda6_checker::Side) -> Side {
    match side {
        lambda6_checker::Side::Black => Side::Black,
        lambda6_checker::Side::White => Side::White,
    }
}

/// A method for the checker.
pub fn checker_method(method: Method) -> lambda6_checker::Method {
    match method {
        Method::Rzop => lambda6_checker::Method::Rzop,
        Method::Srzop1 => lambda6_checker::Method::Srzop1,
        Method::Srzop2 => lambda6_checker::Method::Srzop2,
        Method::Mutual => lambda6_checker::Method::Mutual,
    }
}

/// A method of the checker.
pub fn rules_method(method: lambda6_checker::Method) -> Method {
    match method {
        lambda6_checker::Method::Rzop => Method::Rzop,
        lambda6_checker::Method::Srzop1 => Method::Srzop1,
        lambda6_checker::Method::Srzop2 => Method::Srzop2,
        lambda6_checker::Method::Mutual => Method::Mutual,
    }
}

/// A move for the checker; `None` if it has more stones than the checker allows.
pub fn checker_move(mv: &Move) -> Option<lambda6_checker::Move> {
    let mut squares = [0; MAX_P];
    for (square, to) in mv.iter().zip(&mut squares) {
        *to = square.index() as lambda6_checker::Square;
    }
    lambda6_checker::Move::new(&squares[..mv.len()])
}

/// A move of the checker; `None` if it has more stones than the rules allow.
pub fn rules_move(mv: &lambda6_checker::Move) -> Option<Move> {
    let mut squares = Move::NULL;
    mv.squares().iter().all(|&square| squares.push(Square::new(square.into()))).then_some(squares)
}

/// The claim that `attacker` wins the position, for the checker. The number of
/// replies is left at 0.
pub fn checker_header(
    position: &Position,
    attacker: Side,
    method: Method,
) -> Result<lambda6_checker::Header, ConvertError> {
    let game = position.game();
    let [m, n, k, p, q] = [game.cols(), game.rows(), game.k(), game.p(), game.q()].map(u64::from);
    let game = lambda6_checker::Game::new(m, n, k, p, q);
    let stones =
        |side| position.stones(side).map(|square| square.index() as lambda6_checker::Square).collect();
    Ok(lambda6_checker::Header {
        game: game.map_err(|error| ConvertError::UnknownGame(error.to_string()))?,
        black: stones(Side::Black),
        white: stones(Side::White),
        to_move: checker_side(position.to_move()),
        attacker: checker_side(attacker),
        method: checker_method(method),
        replies: 0,
        except: Vec::new(),
    })
}

/// The position that is claimed to be won.
pub fn rules_position(header: &lambda6_checker::Header) -> Result<Position, ConvertError> {
    if !header.except.is_empty() {
        return Err(ConvertError::Excepting(header.except.len()));
    }
    let game = header.game;
    let [m, n, k, p, q] = [game.m(), game.n(), game.k(), game.p(), game.q()].map(u32::from);
    let game = Game::new(m, n, k, p, q)?;
    let stones =
        |list: &[lambda6_checker::Square]| list.iter().map(|&square| Square::new(square.into())).collect();
    let (black, white) = (stones(&header.black), stones(&header.white));
    Ok(Setup { game, black, white, to_move: rules_side(header.to_move) }.position()?)
}
