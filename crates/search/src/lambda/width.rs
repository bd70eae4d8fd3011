//! How many moves are tried in one position, and how a search widens.
//!
//! A narrow search finds most wins, and finds them soon. One that has refuted all it
//! tried has shown nothing: it begins again with more moves, until every move of the
//! class has been tried.

use crate::vcdt::Partners;
use lambda6_rules::Game;

/// The moves that are tried in one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    /// Moves that leave the defender stones to spare, but not all.
    pub(super) partial: usize,
    /// Moves that leave the defender no stone, as a way to another position.
    pub(super) leads: usize,
    /// Moves without a threat.
    pub(super) quiet: usize,
    /// Squares from which moves without a threat are put together.
    pub(super) quiet_squares: usize,
    /// Free stones tried with a move that leaves the defender no stone.
    pub(super) lead_partners: usize,
    /// Where VCDT tries free stones.
    pub(super) partners: Partners,
    /// Moves of the attacker tried when the defender passes: the first time and again.
    pub(super) pass_nodes: [u64; 3],
}

impl Width {
    /// Where a search of this game begins.
    pub(super) fn narrow(game: Game) -> Width {
        Width {
            partial: 160,
            leads: 40,
            quiet: 80,
            // With one stone a move each square is a move.
            quiet_squares: if game.p() == 1 { 80 } else { 24 },
            lead_partners: 12,
            partners: Partners::Useful(24),
            pass_nodes: [300, 3_000, 20_000],
        }
    }

    /// Every move of the class.
    pub(super) const EVERY: Width = Width {
        partial: usize::MAX,
        leads: usize::MAX,
        quiet: usize::MAX,
        quiet_squares: usize::MAX,
        lead_partners: usize::MAX,
        partners: Partners::All,
        pass_nodes: [u64::MAX; 3],
    };

    /// Whether no move of the class is left out.
    pub(super) fn is_every(&self) -> bool {
        *self == Width::EVERY
    }

    /// The next wider one, if this is not the widest: four times the moves, and every
    /// move once the squares are those of the whole board.
    pub(super) fn wider(&self, game: Game) -> Option<Width> {
        if self.is_every() {
            return None;
        }
        // The moves of p squares grow by some four times.
        let factor = match game.p() {
            1 => 4,
            2 => 2,
            _ => 1,
        };
        let quiet_squares = self.quiet_squares * factor + usize::from(factor == 1) * 4;
        if quiet_squares >= game.area() {
            return Some(Width::EVERY);
        }
        let partners = match self.partners {
            Partners::Useful(most) => Partners::Useful(most * 2),
            Partners::All => Partners::All,
        };
        Some(Width {
            partial: self.partial * 4,
            leads: self.leads * 4,
            quiet: self.quiet * 4,
            quiet_squares,
            lead_partners: self.lead_partners * 2,
            partners,
            pass_nodes: self.pass_nodes.map(|nodes| nodes * 4),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_widens_to_every_move_in_few_steps() {
        for numbers in
            [[15, 15, 5, 1, 1], [19, 19, 6, 2, 1], [9, 9, 6, 3, 1], [3, 3, 3, 1, 1], [64, 64, 6, 2, 1]]
        {
            let [m, n, k, p, q] = numbers;
            let game = Game::new(m, n, k, p, q).unwrap();
            let widths = std::iter::successors(Some(Width::narrow(game)), |width| width.wider(game));
            let widths: Vec<Width> = widths.take(100).collect();
            assert!(widths.last().is_some_and(Width::is_every), "{numbers:?}");
            assert!(widths.windows(2).all(|pair| pair[0].quiet_squares < pair[1].quiet_squares));
        }
    }
}
