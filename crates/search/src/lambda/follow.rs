//! Follows suggested moves: those of an earlier search, or of a win in a similar position.
//!
//! Where a move is suggested it is played, and every question of the defender's walk is
//! followed in turn. Where none is suggested, or where the suggested move fails, the position
//! is searched with a small budget. So a win is repaired where it breaks, and as near to the
//! break as possible; what was won on the way is known from then on. Budgets grow from pass to
//! pass until the repair of the first position is a search of its own.

use super::{LambdaSearch, lock, tree::EFFORTS, worker::Settled};
use crate::{
    Budget, Observer, Progress, Why, Zones,
    vcdt_zones::ZonedWin,
    walk::{DefenderWalk, Defending, WalkOrder},
};
use lambda6_rules::{Move, Side, Square, stone_key};
use lambda6_threats::{Board, Play};
use rustc_hash::FxHashSet;

/// The moves that one repair may try, pass by pass.
const PASSES: [u64; 3] = [20_000, 80_000, 320_000];
/// A pass may try so many times these: where more is to be repaired, the suggested moves do not
/// win here.
const REPAIRS: u64 = 30;

/// One pass.
struct Pass<'s, 'b, 'o> {
    search: &'s mut LambdaSearch,
    attacker: Side,
    /// Moves that one repair may try.
    each: u64,
    budget: &'s mut Budget<'b>,
    observer: &'o mut dyn Observer,
    /// The stones of the defender on the path.
    removable: Vec<Square>,
    /// The moves from the first position.
    line: Vec<Move>,
    /// Positions that were not won in this pass.
    failed: FxHashSet<u64>,
}

impl LambdaSearch {
    /// Whether the attacker wins as suggested, or nearly so. The position's moves are known
    /// then; otherwise it has to be searched, with what was won on the way.
    pub(super) fn follow(
        &mut self,
        board: &mut Board,
        (to_move, attacker): (Side, Side),
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer,
    ) -> Result<bool, Why> {
        // A win that was followed need not be within a limit on the depth.
        let key = board.key(attacker);
        let (suggestions, of_this) = {
            let shared = lock(&self.shared);
            (shared.hints.len(), shared.hints.contains_key(&key))
        };
        if budget.limits().depth.is_some() || suggestions == 0 || to_move == attacker && !of_this {
            return Ok(false);
        }
        for each in PASSES {
            let mut part = budget.part(suggestions as u64 + REPAIRS * each, None);
            let mut pass = Pass {
                search: self,
                attacker,
                each,
                budget: &mut part,
                observer,
                removable: Vec::new(),
                line: Vec::new(),
                failed: FxHashSet::default(),
            };
            let won = if to_move == attacker {
                pass.position(board, key).map(|win| win.is_some())
            } else {
                pass.walk(board, key).map(|zones| zones.is_some())
            };
            budget.absorb(&part)?;
            match won {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(_) => break,
            }
        }
        Ok(false)
    }
}

impl Pass<'_, '_, '_> {
    /// The win with the attacker to move on the board, whose key this is.
    fn position(&mut self, board: &mut Board, key: u64) -> Result<Option<ZonedWin>, Why> {
        if let Some(win) = self.search.known_win(key) {
            return Ok(Some(win));
        }
        if self.failed.contains(&key) {
            return Ok(None);
        }
        let suggested = self.suggested(board, key);
        if let Some(reply) = suggested {
            self.budget.count()?;
            let after = toggled(key, self.attacker, &reply);
            self.line.push(reply);
            let zones = board.play(self.attacker, reply, |board| self.walk(board, after));
            self.line.pop();
            if let Some(mut zones) = zones? {
                zones.add_move(&reply);
                return Ok(Some(self.won(key, ZonedWin { reply, zones })));
            }
        }
        // Such a win has larger zones than one of the position's own: more stones need an answer.
        let mut first: Vec<Move> = suggested.into_iter().collect();
        if let Some(win) = self.with_a_stone_less(key, &mut first) {
            return Ok(Some(self.won(key, win)));
        }
        let win = self.repair(board, key, &first)?;
        if win.is_none() {
            self.failed.insert(key);
        }
        Ok(win)
    }

    fn won(&self, key: u64, win: ZonedWin) -> ZonedWin {
        lock(&self.search.shared).keep(key, &win);
        win
    }

    /// The zones of the win with the defender to move, if every question is answered. The order
    /// of the questions is the checker's: the moves of a certificate are those that it asks for.
    fn walk(&mut self, board: &mut Board, key: u64) -> Result<Option<Zones>, Why> {
        let (attacker, defender) = (self.attacker, self.attacker.other());
        if board.has_row(attacker) {
            return Ok(Some(Zones::of_row(board, attacker)));
        }
        let method = self.search.options.method;
        let mut walk = match DefenderWalk::begin(board, attacker, method, WalkOrder::Checker) {
            Defending::Escapes => return Ok(None),
            Defending::Beaten(zones) => return Ok(Some(zones)),
            Defending::Walk(walk) => walk,
        };
        while let Some(question) = walk.next_question() {
            let stones = question.stones;
            let after = toggled(key, defender, &stones);
            let before = self.removable.len();
            self.removable.extend(stones.iter());
            self.line.push(stones);
            let won = board.play(defender, stones, |board| self.position(board, after));
            self.report(walk.waiting());
            self.line.pop();
            self.removable.truncate(before);
            let Some(win) = won? else { return Ok(None) };
            walk.answer(question, board, &win.zones, &mut |_| 0);
        }
        Ok(Some(walk.into_zones()))
    }

    /// The win of the position with one stone of the defender less, if it bears the stone;
    /// otherwise the move that wins then is added to those tried `first`.
    fn with_a_stone_less(&self, key: u64, first: &mut Vec<Move>) -> Option<ZonedWin> {
        let defender = self.attacker.other();
        for &square in &self.removable {
            let Some(win) = self.search.known_win(key ^ stone_key(defender, square)) else { continue };
            if let Some(zones) = win.zones.with_stone(square) {
                return Some(ZonedWin { reply: win.reply, zones });
            }
            if !win.reply.contains(square) && !first.contains(&win.reply) {
                first.push(win.reply);
            }
        }
        None
    }

    /// The move suggested for the position.
    fn suggested(&self, board: &Board, key: u64) -> Option<Move> {
        let suggested = lock(&self.search.shared).hints.get(&key).copied();
        suggested.filter(|reply| reply.iter().all(|square| board.is_empty(square)))
    }

    /// Searches the position on the board with the budget of a repair.
    fn repair(&mut self, board: &mut Board, key: u64, first: &[Move]) -> Result<Option<ZonedWin>, Why> {
        let Pass { search, attacker, each, budget, removable, .. } = self;
        let mut part = budget.part(*each, None);
        let mut look = || -> Result<Option<ZonedWin>, Why> {
            let (_, effort) = EFFORTS[0];
            let hints = (first, &removable[..]);
            match search.workers[0].settle(board, *attacker, effort, None, hints, &mut part)? {
                Settled::Won(win) => {
                    if search.workers[0].vcdt.get(key).is_none() {
                        lock(&search.shared).keep(key, &win);
                    }
                    return Ok(Some(win));
                }
                Settled::NotByOrder(order) if order >= search.options.order => return Ok(None),
                Settled::NotByOrder(_) | Settled::Open => {}
            }
            search.win_inside(board, *attacker, first, removable, &mut part)
        };
        let won = look();
        budget.absorb(&part)?;
        Ok(won.ok().flatten())
    }

    fn report(&mut self, left: usize) {
        if self.line.len() > 2 {
            return;
        }
        self.observer.report(&Progress {
            depth: self.line.len().div_ceil(2) as u32,
            nodes: self.budget.nodes(),
            elapsed: self.budget.elapsed(),
            line: self.line.clone(),
            numbers: None,
            left: Some(left),
        });
    }
}

/// The key after these stones are placed.
fn toggled(key: u64, side: Side, stones: &Move) -> u64 {
    stones.iter().fold(key, |key, square| key ^ stone_key(side, square))
}
