//! Moves that need no search: rows that can be completed and threats that must be
//! met.

use lambda6_rules::{Game, Move, Side, Square};
use lambda6_threats::{Board, Defences, Play, defence};

/// The stones with which `side`, who may place `stones`, completes a row: the
/// fewest, and of those the first.
pub fn winning_stones(board: &Board, side: Side, stones: usize) -> Option<Move> {
    if !board.has_threat(side) {
        return None;
    }
    let mut best: Option<Move> = None;
    defence::for_each_threat(board, side, |threat| {
        let shorter = best.is_none_or(|best| (threat.len(), *threat) < (best.len(), best));
        if threat.len() <= stones && shorter {
            best = Some(*threat);
        }
    });
    best
}

/// The defences that the other side's threats demand of the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Duty {
    /// There are no threats.
    Free,
    /// Each of these sets of stones meets all threats; a move must contain one.
    Meet(Vec<Move>),
    /// No move meets all threats. These meet as many as a greedy choice can.
    Lost(Vec<Move>),
}

/// Whether [`defending_sets`] finds all sets, not only one.
pub fn finds_all_sets(game: Game) -> bool {
    game.p() <= 3
}

/// Whether `side`, who may place `stones`, has threats to meet; `sets` gets the
/// sets of stones that meet them all.
///
/// Up to three stones a move those are all critical defences. With more there can
/// be millions, so only the first that a bounded search finds is returned.
pub fn defending_sets(
    board: &Board,
    side: Side,
    stones: usize,
    defences: &mut Defences,
    sets: &mut Vec<Move>,
) -> bool {
    sets.clear();
    let attacker = side.other();
    if !board.has_threat(attacker) {
        return false;
    }
    if finds_all_sets(board.game()) {
        defences.find(board, attacker);
        sets.extend(defences.iter().filter(|set| set.len() <= stones));
    } else {
        let mut threats = Vec::new();
        defence::for_each_threat(board, attacker, |threat| threats.push(*threat));
        // Short threats first: they leave the least choice.
        threats.sort_unstable_by_key(|threat| (threat.len(), *threat));
        sets.extend(first_hit(&threats, Move::NULL, stones, &mut { MAX_STEPS }));
    }
    true
}

/// The most steps of the search for one set that meets all threats.
const MAX_STEPS: u32 = 2_000;

fn first_hit(threats: &[Move], chosen: Move, left: usize, steps: &mut u32) -> Option<Move> {
    let open = threats.iter().find(|threat| !threat.iter().any(|square| chosen.contains(square)));
    let Some(open) = open else { return Some(chosen) };
    if left == 0 || *steps == 0 {
        return None;
    }
    *steps -= 1;
    open.iter().find_map(|square| {
        let mut more = chosen;
        more.push(square);
        first_hit(threats, more, left - 1, steps)
    })
}

/// The duty of `side`, who may place `stones`.
pub fn duty(board: &Board, side: Side, stones: usize, defences: &mut Defences) -> Duty {
    let mut sets = Vec::new();
    if !defending_sets(board, side, stones, defences, &mut sets) {
        return Duty::Free;
    }
    if !sets.is_empty() {
        return Duty::Meet(sets);
    }
    // The squares on most threats, one after the other.
    let mut threats = Vec::new();
    defence::for_each_threat(board, side.other(), |threat| threats.push(*threat));
    let mut mv = Move::NULL;
    while mv.len() < stones {
        let open = threats.iter().filter(|threat| !threat.iter().any(|s| mv.contains(s)));
        let mut squares: Vec<Square> = open.flat_map(|threat| threat.iter().collect::<Vec<_>>()).collect();
        squares.sort_unstable();
        let most = squares.chunk_by(|a, b| a == b).max_by_key(|same| same.len());
        let Some(square) = most.map(|same| same[0]) else { break };
        mv.push(square);
    }
    Duty::Lost(vec![mv])
}

/// Adds the empty square that `best` chooses, or any, until the move has `stones`.
pub fn complete(
    board: &mut Board,
    side: Side,
    mut mv: Move,
    stones: usize,
    mut best: impl FnMut(&Board) -> Option<Square>,
) -> Move {
    board.place_all(side, mv);
    while mv.len() < stones {
        let any = || board.game().squares().find(|&square| board.is_empty(square));
        let Some(square) = best(board).or_else(any) else { break };
        if !mv.push(square) {
            break;
        }
        board.place(side, square);
    }
    board.remove_all(side, mv);
    mv
}

/// Visits all sets of `left` more squares until `visit` returns true.
pub fn combinations(
    squares: &[Square],
    left: usize,
    chosen: Move,
    visit: &mut dyn FnMut(&Move) -> bool,
) -> bool {
    if left == 0 {
        return visit(&chosen);
    }
    squares.iter().enumerate().any(|(i, &square)| {
        let mut more = chosen;
        more.push(square) && combinations(&squares[i + 1..], left - 1, more, visit)
    })
}
