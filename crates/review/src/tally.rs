//! Sums over many games, player by player.

use crate::{Review, SideSummary};
use lambda6_rules::Side;
use std::collections::BTreeMap;

/// What the reviews of many games say of one player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerTally {
    /// Games.
    pub games: usize,
    /// Of these, games won.
    pub won: usize,
    /// Games lost.
    pub lost: usize,
    /// The player's moves in all of them.
    pub moves: SideSummary,
}

/// Sums of the reviews of many games by the names of the players.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    players: BTreeMap<String, PlayerTally>,
}

impl Tally {
    /// Adds a game. A player without a name is one of its own for each side.
    pub fn add(&mut self, names: [&str; 2], review: &Review) {
        for side in Side::ALL {
            let name = names[side.index()].trim();
            let name = if name.is_empty() { format!("({side}, no name)") } else { name.to_string() };
            let player = self.players.entry(name).or_default();
            player.games += 1;
            player.moves.sum(&review.summary(side));
            match review.winner() {
                Some(winner) if winner == side => player.won += 1,
                Some(_) => player.lost += 1,
                None => {}
            }
        }
    }

    /// The players, those with most games first.
    pub fn players(&self) -> Vec<(&str, &PlayerTally)> {
        let mut players: Vec<(&str, &PlayerTally)> =
            self.players.iter().map(|(name, tally)| (name.as_str(), tally)).collect();
        players.sort_by_key(|(_, tally)| std::cmp::Reverse(tally.games));
        players
    }
}
