//! Symmetric positions are one node of the tree, as transpositions are.
//!
//! If the stones of the root are symmetric, a position below the root and its image
//! under such a symmetry have the same value, and a win of one, zones included, is
//! the turned win of the other: neither the rules nor the zones depend on the
//! orientation of the board. Of a position and its images the one with the least
//! key has the node; an edge stores the turn that leads to it.
//!
//! Only symmetries that leave the root unchanged are used. Under any other symmetry
//! the image of a position is hardly ever below the same root. Most roots have no
//! symmetry; then this module does nothing.

use crate::{Zones, vcdt_zones::ZonedWin};
use lambda6_rules::{Move, Side, Square, Symmetry, stone_key};
use lambda6_threats::Board;

/// A symmetry of the root; 0 is the one that leaves everything as it is.
pub(super) type Turn = u8;

/// The symmetries that leave the stones of a root as they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetries {
    /// Where each takes the squares, without the one that changes nothing.
    maps: Vec<Box<[Square]>>,
    /// For each the one that undoes it.
    back: Vec<Turn>,
}

impl Symmetries {
    /// Those of this board's stones.
    pub(super) fn of(board: &Board) -> Symmetries {
        let game = board.game();
        let keeps = |symmetry: &Symmetry| {
            game.squares().all(|square| board.at(square) == board.at(symmetry.apply(game, square)))
        };
        let kept: Vec<Symmetry> = Symmetry::of(game).skip(1).filter(keeps).collect();
        let place = |symmetry: Symmetry| kept.iter().position(|&other| other == symmetry);
        Symmetries {
            maps: kept.iter().map(|s| game.squares().map(|square| s.apply(game, square)).collect()).collect(),
            // What undoes a symmetry of the stones is one of theirs, too.
            back: kept.iter().map(|s| place(s.inverse()).map_or(0, |i| i as Turn + 1)).collect(),
        }
    }

    /// Whether there is none but the one that changes nothing.
    pub(super) fn is_trivial(&self) -> bool {
        self.maps.is_empty()
    }

    /// The turn that undoes this one.
    pub(super) fn inverse(&self, turn: Turn) -> Turn {
        if turn == 0 { 0 } else { self.back[usize::from(turn) - 1] }
    }

    /// A move, turned.
    pub(super) fn turn_move(&self, turn: Turn, mv: &Move) -> Move {
        if turn == 0 {
            return *mv;
        }
        let mut turned = Move::NULL;
        for square in mv.iter() {
            turned.push(self.maps[usize::from(turn) - 1][square.index()]);
        }
        turned.sorted()
    }

    /// A win, turned.
    pub(super) fn turn_proof(&self, turn: Turn, proof: &ZonedWin) -> ZonedWin {
        if turn == 0 {
            return proof.clone();
        }
        let zones = self.turn_zones(turn, &proof.zones);
        ZonedWin { reply: self.turn_move(turn, &proof.reply), zones }
    }

    /// Zones, turned.
    pub(super) fn turn_zones(&self, turn: Turn, zones: &Zones) -> Zones {
        if turn == 0 { zones.clone() } else { zones.turned(&self.maps[usize::from(turn) - 1]) }
    }

    /// The images of a position that differs from the root by these stones: by
    /// which turn, and their keys. The root's key is that of its images.
    pub(super) fn images(
        &self,
        root: u64,
        stones: impl IntoIterator<Item = (Side, Square)>,
    ) -> Vec<(Turn, u64)> {
        if self.is_trivial() {
            return Vec::new();
        }
        let mut images: Vec<_> = (1..).zip(&self.maps).map(|(turn, _)| (turn, root)).collect();
        for (side, square) in stones {
            for ((_, key), map) in images.iter_mut().zip(&self.maps) {
                *key ^= stone_key(side, map[square.index()]);
            }
        }
        images
    }

    /// The same for all stones of a board, with `side` to move.
    pub(super) fn images_of(&self, board: &Board, side: Side) -> Vec<(Turn, u64)> {
        if self.is_trivial() {
            return Vec::new();
        }
        let stones = || board.game().squares().filter_map(|square| Some((board.at(square)?, square)));
        let none = stones().fold(board.key(side), |key, (side, square)| key ^ stone_key(side, square));
        self.images(none, stones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::{Game, Setup};

    fn board(text: &str) -> Board {
        Board::from_position(&Setup::parse(text).unwrap().position().unwrap())
    }

    #[test]
    fn the_symmetries_are_those_of_the_stones() {
        for (stones, count) in [
            ("black: j10", 8),
            ("black: j10\nwhite: i9 k11", 4),
            ("black: j10\nwhite: i9 k10", 1),
            ("black: j9 j10 j11", 4),
            ("black: j9\nwhite: j11", 2),
        ] {
            let board = board(&format!("game: 19 19 6 2 1\n{stones}\nto-move: white\n"));
            assert_eq!(Symmetries::of(&board).maps.len() + 1, count, "{stones}");
        }
    }

    /// Computed keys equal the keys of the turned boards, and inverse turns undo
    /// turns.
    #[test]
    fn images_are_told_by_their_keys() {
        let root = board("game: 19 19 6 2 1\nblack: j10\nto-move: white\n");
        let symmetries = Symmetries::of(&root);
        let moves = [(Side::White, "b3c3"), (Side::Black, "j11r2")]
            .map(|(side, text)| (side, Game::CONNECT6.parse_move(text).unwrap().sorted()));
        let with = |moves: &[(Side, Move)]| {
            let mut board = root.clone();
            for (side, mv) in moves {
                mv.iter().for_each(|square| board.place(*side, square));
            }
            board
        };
        let stones = moves.iter().flat_map(|(side, mv)| mv.iter().map(move |square| (*side, square)));
        let images = symmetries.images(root.key(Side::Black), stones);
        assert_eq!(images.len(), 7);
        assert_eq!(images, symmetries.images_of(&with(&moves), Side::Black));
        for (turn, key) in images {
            let turned = moves.map(|(side, mv)| (side, symmetries.turn_move(turn, &mv)));
            assert_eq!(with(&turned).key(Side::Black), key);
            let back = symmetries.inverse(turn);
            assert_eq!(turned.map(|(side, mv)| (side, symmetries.turn_move(back, &mv))), moves);
            let mut zones = Zones::empty(Game::CONNECT6);
            zones.add_move(&moves[0].1);
            let mut expected = Zones::empty(Game::CONNECT6);
            expected.add_move(&turned[0].1);
            assert_eq!(symmetries.turn_zones(turn, &zones), expected);
        }
    }
}
