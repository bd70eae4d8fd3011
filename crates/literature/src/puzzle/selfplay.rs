//! Two simple players, good enough that their games look like games: they meet
//! threats, they build and break rows, and they may look a little ahead.

use lambda6_rules::{Game, Move, Position, Side, Square};
use lambda6_search::{
    Budget, Random,
    vcdt::{VcdtOptions, VcdtSearch},
};
use lambda6_threats::{Board, Defences, Play, ThreatCount};
use std::cmp::Reverse;

/// What the players of one game care about.
#[derive(Clone, Copy, Debug)]
struct Style {
    /// The weight of rows of one's own, and of the other side's.
    own: u32,
    theirs: u32,
    /// How far chance moves the worth of a square, out of 256.
    noise: u32,
    /// Moves tried to see whether one's move loses to full threats. Careful
    /// players lose to deep combinations only.
    care: u64,
}

/// How careful players are. With one stone a move a player that looks at nothing loses to
/// the first open three.
fn care(game: Game) -> [u64; 4] {
    if game.p() == 1 { [40, 80, 160, 320] } else { [0, 50, 300, 1_000] }
}

/// A game under way.
pub(super) struct SelfPlay {
    pub(super) position: Position,
    pub(super) moves: Vec<Move>,
    board: Board,
    random: Random,
    style: Style,
}

/// How often a careful player thinks again.
const SECOND_THOUGHTS: u32 = 6;

/// How many squares a careful player of one stone a move looks at.
const MOST_SQUARES: usize = 30;

/// Moves that are left to chance.
const OPENING: usize = 4;

impl SelfPlay {
    /// A game that depends on these random numbers only.
    pub(super) fn new(game: Game, mut random: Random) -> SelfPlay {
        let style = Style {
            own: 2 + random.below(4) as u32,
            theirs: 2 + random.below(4) as u32,
            noise: 64 + random.below(128) as u32,
            care: care(game)[random.below(4) as usize],
        };
        SelfPlay { position: Position::new(game), moves: Vec::new(), board: Board::new(game), random, style }
    }

    /// Plays a move. False when there is none to play that matters any more: the
    /// side to move connects, or cannot meet the threats against it.
    pub(super) fn step(&mut self, vcdt: &mut VcdtSearch) -> bool {
        let Some(mut mv) = self.choose() else { return false };
        if self.position.game().p() == 1 {
            mv = self.first_that_holds(mv, vcdt);
        } else {
            for _ in 0..SECOND_THOUGHTS {
                if !self.loses(&mv, vcdt) {
                    break;
                }
                match self.choose() {
                    Some(other) => mv = other,
                    None => return false,
                }
            }
        }
        let side = self.position.to_move();
        if self.position.play(&mv).is_err() || self.position.outcome().is_some() {
            return false;
        }
        self.board.place_all(side, mv);
        self.moves.push(mv);
        true
    }

    /// Whether a search of so many moves finds a win by full threats of the side to move.
    pub(super) fn has_win(&mut self, vcdt: &mut VcdtSearch, nodes: u64) -> bool {
        let side = self.position.to_move();
        vcdt.wins(&mut self.board, side, VcdtOptions::default(), &mut Budget::of_nodes(nodes)) == Ok(true)
    }

    /// This stone or, if it is seen to lose, the best other that is not: few squares meet
    /// an open three, and thinking again by chance does not find them.
    fn first_that_holds(&mut self, mv: Move, vcdt: &mut VcdtSearch) -> Move {
        let side = self.position.to_move();
        if self.board.has_threat(side.other()) || !self.loses(&mv, vcdt) {
            return mv;
        }
        let mut squares: Vec<(u64, Square)> = Vec::new();
        for square in self.candidates() {
            squares.push((self.worth(side, square), square));
        }
        squares.sort_by_key(|&(worth, square)| (Reverse(worth), square));
        let others = squares.into_iter().take(MOST_SQUARES).map(|(_, square)| Move::single(square));
        others.into_iter().find(|other| !self.loses(other, vcdt)).unwrap_or(mv)
    }

    /// Whether a careful player sees that this move loses.
    fn loses(&mut self, mv: &Move, vcdt: &mut VcdtSearch) -> bool {
        if self.style.care == 0 {
            return false;
        }
        let side = self.position.to_move();
        let mut budget = Budget::of_nodes(self.style.care);
        let mut wins =
            |board: &mut Board| vcdt.wins(board, side.other(), VcdtOptions::default(), &mut budget);
        self.board.play(side, mv, |board| wins(board) == Ok(true))
    }

    /// A plausible move.
    fn choose(&mut self) -> Option<Move> {
        let side = self.position.to_move();
        if self.board.has_threat(side) {
            return None;
        }
        let mut defences = Defences::default();
        defences.find(&self.board, side.other());
        let mut mv = match defences.count() {
            ThreatCount::More => return None,
            ThreatCount::Exactly(0) => Move::NULL,
            ThreatCount::Exactly(_) => {
                let mut best: Option<(u64, Move)> = None;
                for defence in defences.iter() {
                    let worth = defence.iter().map(|square| self.worth(side, square)).sum();
                    if best.is_none_or(|(most, _)| worth > most) {
                        best = Some((worth, *defence));
                    }
                }
                best?.1
            }
        };
        self.board.place_all(side, mv);
        while mv.len() < self.position.stones_to_place() {
            let Some(square) = self.best_square(side) else { break };
            self.board.place(side, square);
            mv.push(square);
        }
        self.board.remove_all(side, mv);
        (mv.len() == self.position.stones_to_place()).then_some(mv)
    }

    fn best_square(&mut self, side: Side) -> Option<Square> {
        let mut best: Option<(u64, Square)> = None;
        for square in self.candidates() {
            let worth = self.worth(side, square);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, square));
            }
        }
        best.map(|(_, square)| square)
    }

    fn candidates(&self) -> Vec<Square> {
        let squares = self.position.game().squares();
        squares.filter(|&square| self.is_candidate(square)).collect()
    }

    /// Whether a square is empty and near a stone; on the empty board, whether it
    /// is the centre.
    fn is_candidate(&self, square: Square) -> bool {
        let game = self.position.game();
        if !self.board.is_empty(square) {
            return false;
        }
        if self.board.empty_count() == game.area() {
            return square == game.square(game.cols() / 2, game.rows() / 2);
        }
        let near = |dx, dy| game.offset(square, dx, dy).is_some_and(|other| !self.board.is_empty(other));
        (-2..=2).any(|dx| (-2..=2).any(|dy| near(dx, dy)))
    }

    /// How much a square seems worth this time.
    fn worth(&mut self, side: Side, square: Square) -> u64 {
        let own = potential(&self.board, side, square) * self.style.own;
        let theirs = potential(&self.board, side.other(), square) * self.style.theirs;
        // Left to the style alone, all games would begin alike.
        let noise = if self.moves.len() < OPENING { 256 } else { self.style.noise };
        let noise = 256 - self.random.below(u64::from(noise));
        u64::from(own + theirs + 8) * noise
    }
}

/// How much a stone of `side` on a square has to do: the active windows through
/// it, by the stones on them. What the players like is a matter of its own: the
/// searches may come to judge otherwise.
fn potential(board: &Board, side: Side, square: Square) -> u32 {
    let k = board.game().k();
    let mut value = 0;
    for (line, position) in board.geometry().lines_through(square) {
        let up_to = u64::MAX >> (63 - position);
        let through = if position < k { up_to } else { up_to & (u64::MAX << (position + 1 - k)) };
        for (count, weight) in [(1u8, 1u32), (2, 3), (3, 8)] {
            value += weight * (board.windows_with(side, line, count) & through).count_ones();
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(seed: u64) -> Vec<Move> {
        let mut vcdt = VcdtSearch::new(Game::CONNECT6, 1 << 20);
        let mut play = SelfPlay::new(Game::CONNECT6, Random::new(seed));
        while play.moves.len() < 40 && play.step(&mut vcdt) {}
        play.moves
    }

    #[test]
    fn a_seed_gives_one_game() {
        assert_eq!(play(5), play(5));
        assert_ne!(play(5), play(6));
    }

    #[test]
    fn games_last_some_moves() {
        let lengths: Vec<usize> = (0..20).map(|seed| play(seed).len()).collect();
        assert!(lengths.iter().sum::<usize>() >= 20 * 10, "{lengths:?}");
    }
}
