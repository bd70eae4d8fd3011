//! What a forced win is like.

use lambda6_proof::{Certificate, CertifyError, Class, SolveError, Solver, SolverOptions, Strategy, Verdict};
use lambda6_rules::{Move, Position, Side, Square};
use lambda6_search::{
    Budget, Limits, NoClock, Silent,
    vcdt::{Defence, VcdtOptions},
    vcst_rounds::RoundsOptions,
};
use lambda6_threats::{Board, Play, defence};
use std::sync::atomic::AtomicBool;

/// A forced win and what it took to find.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The proof.
    pub certificate: Certificate,
    /// The attacker's moves in its longest line, up to the one that connects or
    /// makes more threats than can be met.
    pub depth: usize,
    /// Moves tried until it was found.
    pub nodes: u64,
}

/// Memory for tables. Small, since puzzles are.
const TABLE_BYTES: usize = 2 << 20;

/// The shortest win of the side to move that a few efforts find, each limited to
/// so many moves tried: `None` where there is none within them.
///
/// VCDT looks for short wins first, so one effort will do. VCST takes what comes:
/// the other effort, against all defending squares at once, comes along other
/// ways. It gets as much as the first one took.
pub fn shortest(
    position: &Position,
    class: Class,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Option<Solution>, SolveError> {
    // With one stone a move a single threat leaves nothing to spare, and VCST has quiet
    // moves, which the rounds do not.
    let in_rounds = class == Class::Vcst && position.game().p() > 1;
    let defences: &[Defence] =
        if in_rounds { &[Defence::Normal, Defence::Conservative] } else { &[Defence::Normal] };
    let mut best: Option<Solution> = None;
    let mut nodes = nodes;
    for &defence in defences {
        let strategy = match class {
            Class::Vcdt => Strategy::Vcdt(VcdtOptions { defence, ..VcdtOptions::default() }),
            Class::Vcst if in_rounds => {
                Strategy::VcstRounds(RoundsOptions { defence, ..RoundsOptions::default() })
            }
            class => Strategy::for_class(class, 1),
        };
        let options = SolverOptions { strategy, table_bytes: TABLE_BYTES, ..SolverOptions::default() };
        let mut solver = Solver::new(position.game(), options);
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let mut budget = Budget::new(limits, &NoClock, stop);
        let report = solver.solve(position, position.to_move(), &mut budget, &mut Silent)?;
        if let Verdict::Win(win) = report.verdict {
            let certificate = win.into_certificate();
            let depth = certificate.depth();
            nodes = nodes.min(report.nodes);
            if best.as_ref().is_none_or(|best| depth < best.depth) {
                best = Some(Solution { certificate, depth, nodes: report.nodes });
            }
        } else if best.is_none() {
            // What the exact defence does not find in time, the other rarely does.
            break;
        }
    }
    Ok(best)
}

/// Moves tried after each first move.
const FIRST_MOVE_NODES: u64 = 3_000;

/// The moves of one stone with which the side to move wins by this class, as far as a
/// small effort after each tells; at most `most`.
pub fn winning_first_moves(
    position: &Position,
    class: Class,
    most: usize,
    stop: &AtomicBool,
) -> Result<Vec<Square>, SolveError> {
    let attacker = position.to_move();
    // VCDT depth first takes no position with the defender to move.
    let order = class.order();
    let strategy = Strategy::Lambda { order, threads: 1, exhaustive: false, small_proofs: false };
    let options = SolverOptions { strategy, table_bytes: TABLE_BYTES, ..SolverOptions::default() };
    let mut solver = Solver::new(position.game(), options);
    let mut found = Vec::new();
    for square in position.empty_squares() {
        let mut after = position.clone();
        if found.len() == most || after.play(&Move::single(square)).is_err() {
            break;
        }
        // Fours only: with a spare stone a win by fours is no longer one.
        let makes_threat = Board::from_position(&after).has_threat(attacker);
        if after.outcome().is_none() && (class != Class::Vcdt || makes_threat) {
            let limits = Limits { nodes: Some(FIRST_MOVE_NODES), ..Limits::default() };
            let mut budget = Budget::new(limits, &NoClock, stop);
            let report = solver.solve(&after, attacker, &mut budget, &mut Silent)?;
            if report.verdict.win().is_some() {
                found.push(square);
            }
        }
    }
    Ok(found)
}

/// What makes a win hard to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traits {
    /// The threats of the longest line form so many groups that have no square
    /// in common.
    pub areas: usize,
    /// Some defence makes a threat, which the attacker has to meet while going
    /// on.
    pub inversions: bool,
    /// Some move of the attacker leaves the defender a stone to spare: the win
    /// is no VCDT.
    pub spare: bool,
}

impl Traits {
    /// Those of a proof with the attacker to move.
    pub fn of(certificate: &Certificate) -> Result<Traits, CertifyError> {
        let defender = certificate.attacker().other();
        let (mut inversions, mut spare, mut first) = (false, false, true);
        certificate.for_each_reply(|board, reply| {
            inversions |= !first && board.has_threat(defender);
            first = false;
            if !spare {
                let mut after = board.clone();
                after.place_all(defender.other(), reply);
                spare = !after.has_row(defender.other())
                    && !defence::count(&after, defender.other()).at_least(after.game().p());
            }
        })?;
        Ok(Traits { areas: areas(certificate), inversions, spare })
    }
}

/// The groups of threats in the longest line.
fn areas(certificate: &Certificate) -> usize {
    let attacker = certificate.attacker();
    let mut board = Board::from_position(certificate.position());
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut side = certificate.position().to_move();
    for mv in certificate.line() {
        board.place_all(side, mv);
        if side == attacker {
            for_each_threat_window(&board, attacker, |window| join(&mut groups, window));
        }
        side = side.other();
    }
    groups.len()
}

/// Adds a set of squares to the groups that it has a square in common with.
fn join(groups: &mut Vec<Vec<usize>>, mut squares: Vec<usize>) {
    groups.retain_mut(|group| {
        let apart = !group.iter().any(|square| squares.contains(square));
        if !apart {
            squares.append(group);
        }
        apart
    });
    groups.push(squares);
}

/// Calls `visit` with all squares of every threat, its stones too.
fn for_each_threat_window(board: &Board, side: Side, mut visit: impl FnMut(Vec<usize>)) {
    let (k, p) = (u32::from(board.game().k()), board.game().p());
    let geometry = board.geometry();
    for line in geometry.lines() {
        let mut windows = board.windows_needing(side, line, p);
        while windows != 0 {
            let start = windows.trailing_zeros();
            windows &= windows - 1;
            visit((start..start + k).map(|position| geometry.square(line, position).index()).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_with_a_common_square_become_one() {
        let mut groups = Vec::new();
        for squares in [vec![1, 2], vec![3, 4], vec![5, 6], vec![2, 3]] {
            join(&mut groups, squares);
        }
        assert_eq!(groups.len(), 2);
    }
}
