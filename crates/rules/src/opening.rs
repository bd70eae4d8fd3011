//! Opening names of the DIF system.
//!
//! Black's first stone stands in the centre. A name gives White's two stones:
//! the first, the one nearer to the centre, is turned by a symmetry of the board
//! to straight below the centre or to its lower left. The nearest squares there
//! have names made of steps, `T` one down and `X` one down and left; all others
//! are named by coordinates, as the second stone always is. `TX-H9` is `i8 h9`.

use crate::{Game, Square, SquareParseError, Symmetry};

/// The named squares below the centre, as steps right and up of it.
const STEPS: [(&str, (i32, i32)); 5] =
    [("T", (0, -1)), ("X", (-1, -1)), ("TT", (0, -2)), ("TX", (-1, -2)), ("XX", (-2, -2))];

/// The game that opening names are about.
const GAME: Game = Game::CONNECT6;
/// Black's first stone.
const CENTRE: Square = GAME.square(9, 9);

/// Why a text is not an opening's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// There is no `-` between two parts.
    #[error("{0:?} is not an opening: expected a name such as TX-H9")]
    Syntax(String),
    /// A part is no square.
    #[error(transparent)]
    Square(#[from] SquareParseError),
    /// Two stones on one square.
    #[error("{0} would have two stones")]
    Twice(String),
}

/// The name of the opening in which White's first move is on these two squares
/// of the 19x19 board, and `None` when they are not two squares beside j10.
///
/// Every opening has one name, whatever way the board is turned. Where the
/// rules leave a choice (both stones are equally near, or the first stands on an
/// axis of the board) the second stone is the one farther right, then the lower.
///
/// ```
/// use lambda6_rules::{Game, opening};
/// let square = |name| Game::CONNECT6.parse_square(name);
/// assert_eq!(opening::name(square("i8")?, square("h9")?).as_deref(), Some("TX-H9"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn name(a: Square, b: Square) -> Option<String> {
    if a == b || a == CENTRE || b == CENTRE {
        return None;
    }
    let (first, second) = Symmetry::of(GAME)
        .flat_map(|symmetry| {
            [(a, b), (b, a)].map(|(x, y)| (symmetry.apply(GAME, x), symmetry.apply(GAME, y)))
        })
        .filter(|&(first, _)| in_lower_left_octant(first))
        .min_by_key(|&(first, second)| {
            let (col, row) = GAME.col_row(second);
            (nearness(first), std::cmp::Reverse(col), row)
        })?;
    Some(format!("{}-{}", first_name(first), GAME.square_name(second).to_ascii_uppercase()))
}

/// White's two stones in the opening of this name, the one nearer to the centre
/// first. Names in another orientation than [`name`] gives are understood too.
pub fn squares(name: &str) -> Result<[Square; 2], OpeningError> {
    let syntax = || OpeningError::Syntax(name.chars().take(20).collect());
    let (first, second) = name.trim().split_once('-').ok_or_else(syntax)?;
    let steps = STEPS.iter().find(|(steps, _)| steps.eq_ignore_ascii_case(first));
    let first = match steps {
        Some(&(_, (dx, dy))) => GAME.offset(CENTRE, dx, dy).ok_or_else(syntax)?,
        None => GAME.parse_square(first)?,
    };
    let second = GAME.parse_square(second)?;
    for (square, other) in [(first, CENTRE), (second, CENTRE), (second, first)] {
        if square == other {
            return Err(OpeningError::Twice(GAME.square_name(square)));
        }
    }
    Ok([first, second])
}

/// The steps right and up from the centre.
fn steps_of(square: Square) -> (i32, i32) {
    let ((col, row), (x, y)) = (GAME.col_row(square), GAME.col_row(CENTRE));
    (i32::from(col) - i32::from(x), i32::from(row) - i32::from(y))
}

fn in_lower_left_octant(square: Square) -> bool {
    let (dx, dy) = steps_of(square);
    dy < 0 && dx <= 0 && dx >= dy
}

/// Orders squares as the names do: T, X, TT, TX, XX, then on outwards.
fn nearness(square: Square) -> (i32, i32) {
    let (dx, dy) = steps_of(square);
    (dx.abs().max(dy.abs()), dx * dx + dy * dy)
}

fn first_name(square: Square) -> String {
    match STEPS.iter().find(|(_, steps)| *steps == steps_of(square)) {
        Some((name, _)) => (*name).to_string(),
        None => GAME.square_name(square).to_ascii_uppercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        GAME.parse_square(name).unwrap()
    }

    /// Names and coordinates as the literature gives them.
    const KNOWN: [(&str, &str, &str); 10] = [
        ("X-K9", "i9", "k9"),
        ("T-K11", "j9", "k11"),
        ("TX-H9", "i8", "h9"),
        ("TX-H8", "i8", "h8"),
        ("TX-H12", "i8", "h12"),
        ("XX-L8", "h8", "l8"),
        ("T-K12", "j9", "k12"),
        ("XX-J6", "h8", "j6"),
        ("I7-G9", "i7", "g9"),
        ("TT-J11", "j8", "j11"),
    ];

    #[test]
    fn known_names_mean_their_squares() {
        for (name, a, b) in KNOWN {
            assert_eq!(squares(name), Ok([square(a), square(b)]), "{name}");
            assert_eq!(squares(&name.to_lowercase()), squares(name));
        }
    }

    #[test]
    fn known_squares_have_their_names() {
        // TT-J11 is not among them: j11 is the nearer stone, its name is T-J12.
        for (known, a, b) in &KNOWN[..9] {
            assert_eq!(name(square(a), square(b)).as_deref(), Some(*known));
        }
        assert_eq!(name(square("j8"), square("j11")).as_deref(), Some("T-J12"));
    }

    #[test]
    fn every_orientation_has_the_same_name_and_the_name_leads_back() {
        for a in GAME.squares().step_by(7) {
            for b in GAME.squares().step_by(5) {
                let Some(expected) = name(a, b) else { continue };
                for symmetry in Symmetry::of(GAME) {
                    let (x, y) = (symmetry.apply(GAME, a), symmetry.apply(GAME, b));
                    assert_eq!(name(y, x).as_ref(), Some(&expected));
                }
                let [x, y] = squares(&expected).unwrap();
                assert_eq!(name(x, y), Some(expected));
            }
        }
    }

    #[test]
    fn what_is_no_opening_is_refused() {
        assert!(matches!(squares("TXH9"), Err(OpeningError::Syntax(_))));
        assert!(matches!(squares("T-Z99"), Err(OpeningError::Square(_))));
        assert!(matches!(squares("Q-H9"), Err(OpeningError::Square(_))));
        assert_eq!(squares("T-J9"), Err(OpeningError::Twice("j9".into())));
        assert_eq!(squares("T-J10"), Err(OpeningError::Twice("j10".into())));
        assert_eq!(name(CENTRE, square("a1")), None);
        assert_eq!(name(square("a1"), square("a1")), None);
    }
}
