//! Answers to stones that no plan wins against.

use crate::proof_tree::ReplyTree;
use lambda6_rules::{Game, Side};
use lambda6_search::{
    Budget, Method, Why, WinSearch,
    lambda::{LambdaOptions, LambdaSearch},
};
use lambda6_threats::Board;
use std::rc::Rc;

/// Moves tried for one answer. Most wins are found within some hundreds of moves; a
/// position without a win ends the attempt at a small proof and should be given up
/// early.
const NODES_EACH: u64 = 50_000;

/// Memory for tables.
const TABLE_BYTES: usize = 16 << 20;

/// Searches for wins by threats (VCST).
pub(super) struct Fallback {
    game: Game,
    /// Created at first use, since most positions need no fallback.
    search: Option<LambdaSearch>,
}

impl Fallback {
    pub(super) fn new(game: Game) -> Fallback {
        Fallback { game, search: None }
    }

    /// A win of the position on the board, with the attacker to move. None if none is found; an
    /// error when the whole budget is used up.
    pub(super) fn answer(
        &mut self,
        board: &mut Board,
        attacker: Side,
        budget: &mut Budget<'_>,
    ) -> Result<Option<Rc<ReplyTree>>, Why> {
        let options = LambdaOptions { order: 2, ..LambdaOptions::default() };
        let search = self.search.get_or_insert_with(|| LambdaSearch::new(self.game, options, TABLE_BYTES));
        let mut part = budget.part(NODES_EACH, None);
        let won = search.win(board, attacker, &mut part);
        let mut tree = None;
        if let Ok(Some(_)) = won {
            let mut reply = |board: &mut Board| search.reply(board, attacker, &mut part);
            tree = ReplyTree::walk(board, attacker, Method::Mutual, &mut reply).ok();
        }
        budget.absorb(&part)?;
        Ok(tree)
    }
}
