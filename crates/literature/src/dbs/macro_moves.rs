//! Macro-moves and half-moves.
//!
//! A *macro-move* is a move of the attacker that makes two threats, with the
//! conservative defence against it. It is split into *primitive* moves, the
//! least sets of stones that make a threat: two *half-moves* where one stone
//! alone makes a single threat, else the whole.

use lambda6_rules::{Side, Square};
use lambda6_search::covered;
use lambda6_threats::{Attack, Board};

/// The kinds of moves that make two threats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// Each stone alone makes a single threat, and no square meets both.
    Independent,
    /// One stone alone makes a single threat; the second threat takes both.
    Dependent,
    /// All others. Either no stone alone makes a threat, or one makes two by
    /// itself and leaves its partner free.
    Other,
}

/// One or two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces {
    first: Square,
    second: Option<Square>,
}

impl Pieces {
    /// One stone.
    pub fn one(a: Square) -> Pieces {
        Pieces { first: a, second: None }
    }

    /// Two stones, in whatever order.
    pub fn two(a: Square, b: Square) -> Pieces {
        Pieces { first: a.min(b), second: Some(a.max(b)) }
    }

    /// The squares in order.
    pub fn iter(self) -> impl Iterator<Item = Square> {
        std::iter::once(self.first).chain(self.second)
    }
}

/// How a move falls into primitive moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The kind of the move.
    pub category: Category,
    /// The primitive move; the first of two.
    pub first: Pieces,
    /// The second half-move, or the free stone beside a stone that makes two
    /// threats: then the category is [`Category::Other`].
    pub second: Option<Square>,
}

impl Split {
    /// Splits a move of two stones that makes two threats. [`Attack::find_cells`]
    /// must have been called for the position before the move.
    ///
    /// Where both stones alone make a threat, and one square meets both, the
    /// second threat lies on windows that contain both stones. Either could be
    /// the first half; the lower square is.
    pub fn of(attack: &Attack, a: Square, b: Square) -> Split {
        let (a, b) = (a.min(b), a.max(b));
        let is_double =
            |square| attack.answers_to(square).is_some_and(|mut answers| answers.next().is_none());
        let half =
            |category, first, second| Split { category, first: Pieces::one(first), second: Some(second) };
        match (attack.answers_to(a), attack.answers_to(b)) {
            (None, None) => Split { category: Category::Other, first: Pieces::two(a, b), second: None },
            _ if is_double(a) => half(Category::Other, a, b),
            _ if is_double(b) => half(Category::Other, b, a),
            (Some(of_a), Some(mut of_b)) => {
                let shared =
                    of_b.any(|answer| answer != a && of_a.clone().any(|other| other == answer && other != b));
                half(if shared { Category::Dependent } else { Category::Independent }, a, b)
            }
            (Some(_), None) => half(Category::Dependent, a, b),
            (None, Some(_)) => half(Category::Dependent, b, a),
        }
    }
}

/// Calls `visit` with the stones of `side` that are part of the threats which a
/// stone on `square` makes, with another stone `beside` it if there is one. The
/// stones are not on the board yet, and `side` has no threat.
///
/// These are the stones that the threats stand on: a move depends on the moves
/// that placed them.
pub fn threat_stones(
    board: &Board,
    side: Side,
    square: Square,
    beside: Option<Square>,
    mut visit: impl FnMut(Square),
) {
    let k = board.game().k();
    let Some(three) = k.checked_sub(3) else { return };
    let geometry = board.geometry();
    for (line, position) in geometry.lines_through(square) {
        let through = segments_through(position, k);
        let mut windows = board.windows_with(side, line, three) & through;
        let other = beside.and_then(|b| geometry.lines_through(b).find(|&(of_b, _)| of_b == line));
        if let (Some((_, other)), Some(four)) = (other, k.checked_sub(4)) {
            windows |= board.windows_with(side, line, four) & through & segments_through(other, k);
        }
        if windows == 0 {
            continue;
        }
        let mut stones = board.stones_on(side, line) & covered(windows, k);
        while stones != 0 {
            visit(geometry.square(line, stones.trailing_zeros()));
            stones &= stones - 1;
        }
    }
}

/// The windows that contain a position.
fn segments_through(position: u8, k: u8) -> u64 {
    let up_to = u64::MAX >> (63 - position);
    if position < k { up_to } else { up_to & (u64::MAX << (position + 1 - k)) }
}
