//! Candidate moves for VCDT searches: moves that leave the defender no spare
//! stone, ordered by promise.

use crate::{Budget, Why, vcdt::Partners};
use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::{Attack, Board, Defences, FreeStones};
use std::ops::ControlFlow;

/// Moves to try in one position.
#[derive(Default)]
pub struct Candidates {
    list: Vec<Candidate>,
    sets: Vec<Move>,
    partners: Vec<Square>,
}

impl Candidates {
    /// The number of moves.
    #[allow(clippy::len_without_is_empty, reason = "no caller needs it")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// The move of this rank.
    pub fn get(&self, i: usize) -> Move {
        self.list[i].mv
    }
}

#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    /// Sort key: a higher score comes first. The squares break ties, so that
    /// the order is the same on every machine.
    rank: u64,
}

impl Candidate {
    fn new(mv: Move, score: u32, killer: Option<Move>) -> Candidate {
        let squares = mv.iter().take(2).fold(0u32, |bits, square| bits << 16 | square.index() as u32);
        let first = u64::from(Some(mv) == killer) << 63;
        Candidate { mv, rank: first | u64::from(score.min(u32::MAX >> 1)) << 32 | u64::from(!squares) }
    }
}

/// The moves to generate and the move to put first.
#[derive(Clone, Copy)]
pub struct How {
    /// Where free stones are tried.
    pub partners: Partners,
    /// The move to try first.
    pub killer: Option<Move>,
}

/// Moves generated between two checks of the clock.
const LOOK_EVERY: usize = 4096;

/// The most ways to add free stones to one set: the ways to choose 3 squares of
/// 24.
const MOST_WAYS: u128 = 2024;

/// The largest number of squares, at most `most`, from which so many can be
/// chosen in no more ways than the limit.
pub fn affordable(most: usize, stones: usize) -> usize {
    // Past the limit the exact number does not matter.
    let ways = |squares: usize| {
        (0..stones).fold(1, |ways: u128, i| ways.saturating_mul((squares - i) as u128) / (i as u128 + 1))
    };
    let mut squares = most;
    while squares > stones && ways(squares) > MOST_WAYS {
        squares -= 1;
    }
    squares
}

/// Generates candidate moves. It reuses its memory and remembers which squares
/// have won.
pub struct VcdtMoves {
    /// Finds the threats that stones make.
    pub attack: Attack,
    free: FreeStones,
    values: MoveValues,
    /// By square: how often it was part of a winning move.
    history: Vec<u32>,
}

impl VcdtMoves {
    /// A generator for boards of this game.
    pub fn new(game: Game) -> VcdtMoves {
        VcdtMoves {
            attack: Attack::new(game),
            free: FreeStones::new(game),
            values: MoveValues::new(game),
            history: vec![0; game.area()],
        }
    }

    /// Forgets what has won.
    pub fn forget(&mut self) {
        self.history.fill(0);
    }

    /// Records a winning move: its squares score higher from now on.
    pub fn note_win(&mut self, mv: &Move) {
        for square in mv.iter() {
            self.history[square.index()] += 1;
        }
    }

    /// Fills in the moves of `attacker` that meet the other side's threats and
    /// leave it no stone to spare, the killer first. `theirs` are the defences against the
    /// other side. True when free stones were left out; an error when the budget
    /// ended the work.
    pub fn fill(
        &mut self,
        board: &mut Board,
        attacker: Side,
        theirs: &Defences,
        how: How,
        budget: &Budget<'_>,
        moves: &mut Candidates,
    ) -> Result<bool, Why> {
        let VcdtMoves { attack, free, history, values } = self;
        let How { partners, killer } = how;
        let go_on = &mut || budget.goes_on();
        let found = if theirs.count().is_none() {
            attack.full_threats_while(board, attacker, &mut moves.sets, go_on)
        } else {
            attack.full_threats_meeting_while(board, attacker, theirs, &mut moves.sets, go_on)
        };
        if found.is_break() {
            return Err(budget.why_ended());
        }
        moves.list.clear();
        values.forget();
        let p = usize::from(board.game().p());
        let mut partners_known = false;
        let mut next_look = LOOK_EVERY;
        for set in &moves.sets {
            if moves.list.len() >= next_look {
                next_look = moves.list.len() + LOOK_EVERY;
                budget.interrupted()?;
            }
            let score: u32 = set.iter().map(|s| values.of(board, attacker, s) + history[s.index()]).sum();
            if set.len() == p {
                moves.list.push(Candidate::new(*set, score, killer));
                continue;
            }
            if !partners_known {
                partners_known = true;
                match partners {
                    Partners::All => {
                        moves.partners.clear();
                        moves.partners.extend(board.game().squares().filter(|&s| board.is_empty(s)));
                    }
                    Partners::Useful(most) => {
                        free.find(board, attacker, &mut moves.partners);
                        moves.partners.truncate(affordable(most, p - 1));
                    }
                }
            }
            let done = complete_while(*set, &moves.partners, p, &mut |mv| {
                let partners = mv.iter().skip(set.len());
                let partner: u32 =
                    partners.map(|s| values.of(board, attacker, s) / 2 + history[s.index()]).sum();
                moves.list.push(Candidate::new(mv.sorted(), score + partner, killer));
                if moves.list.len() < next_look {
                    return ControlFlow::Continue(());
                }
                next_look = moves.list.len() + LOOK_EVERY;
                if budget.goes_on() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            if done.is_break() {
                return Err(budget.why_ended());
            }
        }
        moves.list.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.rank));
        Ok(partners_known && partners != Partners::All)
    }
}

/// Values of stones on squares, computed at most once per position.
pub struct MoveValues {
    known: Vec<(u32, u32)>,
    round: u32,
}

impl MoveValues {
    /// Values on boards of this game.
    pub fn new(game: Game) -> MoveValues {
        MoveValues { known: vec![(0, 0); game.area()], round: 0 }
    }

    /// Discards the values because the board has changed.
    pub fn forget(&mut self) {
        self.round += 1;
    }

    /// The value of a stone of `side`: the active windows through the square, by
    /// the stones on them.
    pub fn of(&mut self, board: &Board, side: Side, square: Square) -> u32 {
        let (round, value) = &mut self.known[square.index()];
        if *round != self.round {
            *round = self.round;
            *value = [(1u8, 1u32), (2, 3), (3, 8)]
                .into_iter()
                .map(|(count, weight)| weight * board.windows_through(side, square, count))
                .sum();
        }
        *value
    }
}

/// Calls `visit` with the set completed to `p` stones in every way.
pub fn complete(set: Move, squares: &[Square], p: usize, visit: &mut impl FnMut(Move)) {
    let _ = complete_while(set, squares, p, &mut |mv| {
        visit(mv);
        ControlFlow::Continue(())
    });
}

/// The same within a budget: an error when it ends the work, which can be long
/// with many stones a move.
pub fn complete_within(
    set: Move,
    squares: &[Square],
    p: usize,
    budget: &Budget<'_>,
    visit: &mut impl FnMut(Move),
) -> Result<(), Why> {
    // Of one or two stones none or one is added: few, but the sets can be many.
    budget.interrupted()?;
    let mut made = 0;
    let done = complete_while(set, squares, p, &mut |mv| {
        visit(mv);
        made += 1;
        match made % LOOK_EVERY != 0 || budget.goes_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    });
    if done.is_break() { Err(budget.why_ended()) } else { Ok(()) }
}

/// The same, until `visit` breaks off.
fn complete_while(
    set: Move,
    squares: &[Square],
    p: usize,
    visit: &mut impl FnMut(Move) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if set.len() == p {
        return visit(set);
    }
    for (i, &square) in squares.iter().enumerate() {
        if !set.contains(square) {
            let mut more = set;
            more.push(square);
            complete_while(more, &squares[i + 1..], p, visit)?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_free_stones_are_chosen_of_few_squares() {
        assert_eq!([1, 2, 3, 4, 7].map(|stones| affordable(24, stones)), [24, 24, 24, 16, 13]);
        assert_eq!([1, 2, 7].map(|stones| affordable(4096, stones)), [2024, 64, 13]);
        assert_eq!([0, 3].map(|most| affordable(most, 7)), [0, 3]);
    }
}
