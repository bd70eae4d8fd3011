//! Openings that are likely to be won in the same way.

use crate::Atlas;
use lambda6_rules::{Game, Move, Square, Symmetry};

/// A third move to try, and the proved opening in which it wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Idea {
    /// The third move.
    pub(crate) third: Move,
    /// The number of the opening that it wins, and the number of the symmetry that turns that
    /// opening to this one.
    pub(crate) from: Option<(usize, u8)>,
}

/// Distances that differ by less make no difference: then the smaller certificate, and the one
/// that depends on fewer others, makes the better neighbour.
const MUCH_THE_SAME: u32 = 48;
/// Numbers of replies that differ by less make no difference.
const MUCH_AS_MANY: u64 = 8_192;

/// How different two stones of White are: steps between them count less, the farther they are
/// from the centre.
fn between(game: Game, centre: Square, a: Square, b: Square) -> u32 {
    let steps = |a: Square, b: Square| {
        let ((ax, ay), (bx, by)) = (game.col_row(a), game.col_row(b));
        u32::from(ax.abs_diff(bx).max(ay.abs_diff(by)))
    };
    240 * steps(a, b) / steps(a, centre).min(steps(b, centre)).max(1).pow(2)
}

/// Whether two stones stand on one segment.
fn on_a_segment(game: Game, a: Square, b: Square) -> bool {
    let ((ax, ay), (bx, by)) = (game.col_row(a), game.col_row(b));
    let (dx, dy) = (ax.abs_diff(bx), ay.abs_diff(by));
    (dx == 0 || dy == 0 || dx == dy) && dx.max(dy) < game.k()
}

/// How different White's moves are.
fn distance(game: Game, centre: Square, ours: &Move, theirs: &Move) -> u32 {
    let between = |a: Square, b: Square| between(game, centre, a, b);
    match (ours.squares(), theirs.squares()) {
        (&[a, b], &[c, d]) => {
            // Two stones on a segment begin counter-threats, which another win must meet.
            let alike = on_a_segment(game, a, b) == on_a_segment(game, c, d);
            let apart = (between(a, c) + between(b, d)).min(between(a, d) + between(b, c));
            apart + if alike { 0 } else { 4 * MUCH_THE_SAME }
        }
        (ours, theirs) => ours.iter().zip(theirs).map(|(&a, &b)| between(a, b)).sum(),
    }
}

/// How many certificates it takes to tell that of each opening.
pub(crate) fn chains(atlas: &Atlas) -> Vec<usize> {
    let mut bases: Vec<Option<usize>> = vec![None; atlas.openings().all().len()];
    for (number, proved) in atlas.proofs() {
        bases[number] = proved.base.as_ref().and_then(|base| atlas.openings().find(&base.name));
    }
    let length = |first| std::iter::successors(bases[first], |&base| bases[base]).take(bases.len()).count();
    (0..bases.len()).map(length).collect()
}

/// Third moves for an opening, each with the nearest opening that it wins, the nearest first.
pub(crate) fn ideas(atlas: &Atlas, number: usize, most: usize) -> Vec<Idea> {
    let (game, centre) = (atlas.game(), atlas.openings().centre());
    let all = atlas.openings().all();
    let ours = &all[number].white;
    let chains = chains(atlas);
    let mut near: Vec<(u32, u64, usize, u32, u8, usize, Move)> = Vec::new();
    for (other, proved) in atlas.proofs().filter(|&(other, _)| other != number) {
        for (turn, symmetry) in (0..).zip(Symmetry::of(game)) {
            let theirs = symmetry.apply_to_move(game, &all[other].white);
            let third = symmetry.apply_to_move(game, &proved.third);
            if third.iter().any(|square| ours.contains(square)) {
                continue;
            }
            let distance = distance(game, centre, ours, &theirs);
            let (size, chain) = (proved.replies / MUCH_AS_MANY, chains[other]);
            near.push((distance / MUCH_THE_SAME, size, chain, distance, turn, other, third.sorted()));
        }
    }
    near.sort_unstable();
    let mut ideas: Vec<Idea> = Vec::new();
    for (.., turn, other, third) in near {
        if ideas.len() == most {
            break;
        }
        if ideas.iter().all(|idea| idea.third != third) {
            ideas.push(Idea { third, from: Some((other, turn)) });
        }
    }
    ideas
}
