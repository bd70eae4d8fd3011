//! The initial numbers of a node by its status.

use crate::Numbers;
use lambda6_player::Status;
use lambda6_rules::Side;

/// The numbers of a new node with this status in a search for a win of `attacker`: the
/// paper's table I. A claimed win without a proof counts as the best status.
pub fn initial_numbers(status: Status, attacker: Side) -> Numbers {
    let of_black = match status {
        Status::Win(Side::Black) | Status::Ahead(Side::Black, 4..) => Numbers::new(1, 18),
        Status::Ahead(Side::Black, 3) => Numbers::new(2, 12),
        Status::Ahead(Side::Black, 2) => Numbers::new(3, 10),
        Status::Ahead(Side::Black, _) => Numbers::new(4, 8),
        Status::Stable => Numbers::new(6, 6),
        Status::Unstable(1) => Numbers::new(5, 5),
        Status::Unstable(_) => Numbers::new(4, 4),
        Status::Ahead(Side::White, 0..=1) => Numbers::new(8, 4),
        Status::Ahead(Side::White, 2) => Numbers::new(10, 3),
        Status::Ahead(Side::White, 3) => Numbers::new(12, 2),
        Status::Ahead(Side::White, _) | Status::Win(Side::White) => Numbers::new(18, 1),
    };
    if attacker == Side::Black { of_black } else { of_black.swapped() }
}

/// The place of a status on the scale of the paper's figure 15, from 0 (Black wins) to
/// 10 (White wins); unstable statuses have none.
pub fn scale(status: Status) -> Option<i32> {
    match status {
        Status::Win(Side::Black) => Some(0),
        Status::Ahead(Side::Black, level) => Some(5 - i32::from(level.clamp(1, 4))),
        Status::Stable => Some(5),
        Status::Ahead(Side::White, level) => Some(5 + i32::from(level.clamp(1, 4))),
        Status::Win(Side::White) => Some(10),
        Status::Unstable(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Status> {
        let words = "B:w B4 B3 B2 B1 stable unstable1 unstable2 W1 W2 W3 W4 W:w";
        words.split(' ').map(|word| word.parse().unwrap())
    }

    #[test]
    fn numbers_are_those_of_the_table_and_mirrored_for_white() {
        for status in all() {
            assert_eq!(initial_numbers(status, Side::Black).swapped(), initial_numbers(status, Side::White));
        }
        assert_eq!(initial_numbers(Status::Ahead(Side::Black, 3), Side::Black), Numbers::new(2, 12));
        assert_eq!(initial_numbers(Status::Ahead(Side::White, 2), Side::Black), Numbers::new(10, 3));
        assert_eq!(all().filter_map(scale).collect::<Vec<_>>(), (0..=10).collect::<Vec<_>>());
    }

    /// A claim alone proves nothing, whatever it says.
    #[test]
    fn no_status_has_numbers_of_a_solved_node() {
        for numbers in all().map(|status| initial_numbers(status, Side::Black)) {
            assert!(numbers.proof.finite().is_some_and(|n| n > 0));
            assert!(numbers.disproof.finite().is_some_and(|n| n > 0));
        }
    }
}
