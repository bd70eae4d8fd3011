//! Valid positions and the rules of play.

use crate::{Game, Move, Setup, Side, Square, Symmetry, stone_key, to_move_key};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side has `k` in a row.
    Win(Side),
    /// The board is full and nobody has `k` in a row.
    Draw,
}

/// Stones on the board and a side to move.
///
/// No stone stands off the board or on another, and nobody had won before the
/// last move. The numbers of stones may be such that no game reaches them (see
/// [`Position::reachable`]), as in positions set up for analysis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    game: Game,
    /// One bit per square.
    stones: [Box<[u64]>; 2],
    counts: [u16; 2],
    to_move: Side,
    key: u64,
    winner: Option<Side>,
}

impl Position {
    /// The empty board, Black to move.
    pub fn new(game: Game) -> Position {
        Position::empty(game, Side::Black)
    }

    pub(crate) fn empty(game: Game, to_move: Side) -> Position {
        let words = vec![0; game.area().div_ceil(64)].into_boxed_slice();
        Position {
            game,
            stones: [words.clone(), words],
            counts: [0, 0],
            to_move,
            key: to_move_key(to_move),
            winner: None,
        }
    }

    /// The game that is played.
    pub fn game(&self) -> Game {
        self.game
    }

    /// Who is to move.
    pub fn to_move(&self) -> Side {
        self.to_move
    }

    /// The Zobrist key of the stones and the side to move, kept up to date move
    /// by move. Positions of different games share keys.
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Whose stone stands on the square, if any.
    pub fn at(&self, square: Square) -> Option<Side> {
        Side::ALL.into_iter().find(|&side| self.has(side, square))
    }

    /// Whether `side` has a stone on the square.
    pub fn has(&self, side: Side, square: Square) -> bool {
        let index = square.index();
        self.stones[side.index()][index / 64] >> (index % 64) & 1 != 0
    }

    /// The stones of one side in the order of their squares.
    pub fn stones(&self, side: Side) -> impl Iterator<Item = Square> + '_ {
        self.game.squares().filter(move |&square| self.has(side, square))
    }

    /// The empty squares in order.
    pub fn empty_squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.game.squares().filter(|&square| self.at(square).is_none())
    }

    /// How many stones one side has.
    pub fn stone_count(&self, side: Side) -> usize {
        usize::from(self.counts[side.index()])
    }

    /// How many squares are empty.
    pub fn empty_count(&self) -> usize {
        self.game.area() - self.stone_count(Side::Black) - self.stone_count(Side::White)
    }

    /// How many stones the next move places: `q` on the empty board, then `p`,
    /// fewer when the board runs out.
    pub fn stones_to_place(&self) -> usize {
        let stones = if self.empty_count() == self.game.area() { self.game.q() } else { self.game.p() };
        usize::from(stones).min(self.empty_count())
    }

    /// How the game ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.winner {
            Some(side) => Some(Outcome::Win(side)),
            None if self.empty_count() == 0 => Some(Outcome::Draw),
            None => None,
        }
    }

    /// Plays a move of the game. A move has exactly
    /// [`stones_to_place`](Position::stones_to_place) stones; one that makes `k`
    /// in a row may leave out the stones after that.
    pub fn play(&mut self, mv: &Move) -> Result<(), PlayError> {
        let expected = self.stones_to_place();
        self.check(mv)?;
        if mv.len() > expected {
            return Err(PlayError::StoneCount { expected, found: mv.len() });
        }
        if mv.len() < expected {
            let mut after = self.clone();
            after.place_all(mv);
            if after.winner.is_none() {
                return Err(PlayError::StoneCount { expected, found: mv.len() });
            }
            *self = after;
        } else {
            self.place_all(mv);
        }
        Ok(())
    }

    /// Plays a null or semi-null move as well as a full one: any number of
    /// stones from none to `p`. For the searches; no game has such moves.
    pub fn play_partial(&mut self, mv: &Move) -> Result<(), PlayError> {
        self.check(mv)?;
        let expected = usize::from(self.game.p()).min(self.empty_count());
        if mv.len() > expected {
            return Err(PlayError::StoneCount { expected, found: mv.len() });
        }
        self.place_all(mv);
        Ok(())
    }

    fn check(&self, mv: &Move) -> Result<(), PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        for (i, square) in mv.iter().enumerate() {
            if square.index() >= self.game.area() {
                return Err(PlayError::OffBoard { index: square.index() });
            }
            if let Some(by) = self.at(square) {
                return Err(PlayError::Occupied { square: self.game.square_name(square), by });
            }
            if mv.squares()[..i].contains(&square) {
                return Err(PlayError::Twice { square: self.game.square_name(square) });
            }
        }
        Ok(())
    }

    fn place_all(&mut self, mv: &Move) {
        let side = self.to_move;
        for square in mv.iter() {
            self.place(side, square);
        }
        self.to_move = side.other();
        self.key ^= to_move_key(Side::Black) ^ to_move_key(Side::White);
    }

    pub(crate) fn place(&mut self, side: Side, square: Square) {
        let index = square.index();
        self.stones[side.index()][index / 64] |= 1 << (index % 64);
        self.counts[side.index()] += 1;
        self.key ^= stone_key(side, square);
        if self.winner.is_none() && self.row_through(side, square) >= usize::from(self.game.k()) {
            self.winner = Some(side);
        }
    }

    /// The length of the longest row of `side` through `square`.
    fn row_through(&self, side: Side, square: Square) -> usize {
        let run = |dx: i32, dy: i32| {
            (1..)
                .map_while(|i| self.game.offset(square, dx * i, dy * i))
                .take_while(|&s| self.has(side, s))
                .count()
        };
        [(1, 0), (0, 1), (1, 1), (1, -1)]
            .into_iter()
            .map(|(dx, dy)| 1 + run(dx, dy) + run(-dx, -dy))
            .max()
            .unwrap_or(0)
    }

    /// Whether a game could have this many stones of each side with this side to
    /// move.
    pub fn reachable(&self) -> Result<(), Unreachable> {
        let (p, q) = (usize::from(self.game.p()), usize::from(self.game.q()));
        let (black, white) = (self.stone_count(Side::Black), self.stone_count(Side::White));
        // The number of whole moves that give Black this many stones and the
        // count that White must have beside them.
        let white_expected = match self.to_move {
            Side::Black if black == 0 => Some(0),
            Side::Black => black.checked_sub(q).filter(|rest| rest % p == 0).map(|rest| rest + p),
            Side::White => black.checked_sub(q).filter(|rest| rest % p == 0),
        };
        let last_move_cut_short = self.empty_count() == 0;
        if white_expected == Some(white) || last_move_cut_short {
            Ok(())
        } else {
            Err(Unreachable { black, white, to_move: self.to_move, p, q })
        }
    }

    /// The position seen through a symmetry of the board.
    pub fn transformed(&self, symmetry: Symmetry) -> Position {
        let mut image = Position::empty(self.game, self.to_move);
        for side in Side::ALL {
            for square in self.stones(side) {
                image.place(side, symmetry.apply(self.game, square));
            }
        }
        // With stones of both sides placed in another order, the first row met
        // must not be mistaken for the winner.
        image.winner = self.winner;
        image
    }

    /// One position for all that are symmetric to each other, and a symmetry
    /// that leads to it: the one whose list of black stones, then of white
    /// ones, is the least.
    pub fn canonical(&self) -> (Position, Symmetry) {
        let lists = |symmetry: Symmetry| {
            Side::ALL.map(|side| {
                let mut list: Vec<_> =
                    self.stones(side).map(|square| symmetry.apply(self.game, square)).collect();
                list.sort_unstable();
                list
            })
        };
        let best = Symmetry::of(self.game).min_by_key(|&symmetry| lists(symmetry));
        let best = best.unwrap_or(Symmetry::IDENTITY);
        (self.transformed(best), best)
    }

    /// The stones as a setup, for writing them down.
    pub fn setup(&self) -> Setup {
        Setup {
            game: self.game,
            black: self.stones(Side::Black).collect(),
            white: self.stones(Side::White).collect(),
            to_move: self.to_move,
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// A side has won, or the board is full.
    #[error("the game is over: {}", match .0 {
        Outcome::Win(side) => format!("{side} has won"),
        Outcome::Draw => "the board is full".to_string(),
    })]
    GameOver(Outcome),
    /// A square number that the board does not have.
    #[error("square number {index} is off the board")]
    OffBoard {
        /// The square's number.
        index: usize,
    },
    /// There is a stone already.
    #[error("{square} is occupied by a {by} stone")]
    Occupied {
        /// The square's name.
        square: String,
        /// Whose stone it is.
        by: Side,
    },
    /// The move names a square twice.
    #[error("{square} stands twice in the move")]
    Twice {
        /// The square's name.
        square: String,
    },
    /// Too few or too many stones.
    #[error("the move has {found} stone{}, expected {expected}", if *found == 1 { "" } else { "s" })]
    StoneCount {
        /// What the rules ask for.
        expected: usize,
        /// What the move has.
        found: usize,
    },
}

/// No game has these numbers of stones with this side to move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no game reaches {black} black and {white} white stones with {to_move} to move \
     (Black places {q} first, then each side {p})"
)]
pub struct Unreachable {
    /// Black stones.
    pub black: usize,
    /// White stones.
    pub white: usize,
    /// Who is to move.
    pub to_move: Side,
    /// Stones a move.
    pub p: usize,
    /// Stones of the first move.
    pub q: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(game: Game, moves: &str) -> Position {
        let mut position = Position::new(game);
        for text in moves.split_whitespace() {
            position.play(&game.parse_move(text).unwrap()).unwrap();
        }
        position
    }

    fn refusal(game: Game, before: &str, mv: &str) -> PlayError {
        let mut position = played(game, before);
        let unchanged = position.clone();
        let error = position.play(&game.parse_move(mv).unwrap()).unwrap_err();
        assert_eq!(position, unchanged);
        error
    }

    #[test]
    fn black_places_q_stones_first_and_then_each_side_p() {
        let game = Game::CONNECT6;
        let position = played(game, "j10 i8h9 k11l10");
        assert_eq!(position.to_move(), Side::White);
        assert_eq!(position.stone_count(Side::Black), 3);
        assert_eq!(position.stone_count(Side::White), 2);
        assert_eq!(position.reachable(), Ok(()));
        assert_eq!(refusal(game, "", "j10j11"), PlayError::StoneCount { expected: 1, found: 2 });
        assert_eq!(refusal(game, "j10", "j11"), PlayError::StoneCount { expected: 2, found: 1 });
    }

    #[test]
    fn a_stone_on_a_stone_is_refused() {
        let error = refusal(Game::CONNECT6, "j10 i8h9", "k11h9");
        assert_eq!(error, PlayError::Occupied { square: "h9".into(), by: Side::White });
    }

    #[test]
    fn k_in_a_row_wins_in_all_four_directions() {
        for row in ["a1 b1 c1", "a1 a2 a3", "a1 b2 c3", "a3 b2 c1"] {
            let mut position = Position::new(Game::TIC_TAC_TOE);
            let game = position.game();
            let mut replies = game.squares().filter(|s| !row.contains(&game.square_name(*s)));
            for text in row.split_whitespace() {
                assert_eq!(position.outcome(), None);
                position.play(&game.parse_move(text).unwrap()).unwrap();
                if position.outcome().is_none() {
                    // These never make three in a row: at most two are played.
                    position.play(&Move::single(replies.next().unwrap())).unwrap();
                }
            }
            assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)), "{row}");
        }
    }

    #[test]
    fn a_won_game_does_not_go_on_and_a_full_board_is_a_draw() {
        let game = Game::TIC_TAC_TOE;
        let error = refusal(game, "a1 a2 b1 b2 c1", "c2");
        assert_eq!(error, PlayError::GameOver(Outcome::Win(Side::Black)));
        let draw = played(game, "b2 a1 a2 c2 b1 b3 a3 c1 c3");
        assert_eq!(draw.outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn the_last_move_is_short_when_the_board_runs_out() {
        let game = Game::new(3, 2, 3, 2, 2).unwrap();
        let position = played(game, "a1b2 b1a2");
        assert_eq!(position.stones_to_place(), 2);
        let game = Game::new(3, 2, 3, 2, 1).unwrap();
        let position = played(game, "a1 b1a2 b2c1");
        assert_eq!(position.stones_to_place(), 1);
        assert_eq!(played(game, "a1 b1a2 b2c1 c2").outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn a_winning_move_may_leave_out_its_last_stones() {
        let game = Game::CONNECT6;
        let before = "a1 a19b19 b1c1 c19d19 d1e1 s19r19";
        let position = played(game, &format!("{before} f1"));
        assert_eq!(position.outcome(), Some(Outcome::Win(Side::Black)));
        assert_eq!(refusal(game, before, "g1"), PlayError::StoneCount { expected: 2, found: 1 });
    }

    #[test]
    fn null_and_semi_null_moves_pass_the_turn() {
        let mut position = played(Game::CONNECT6, "j10");
        position.play_partial(&Move::NULL).unwrap();
        assert_eq!(position.to_move(), Side::Black);
        position.play_partial(&position.game().parse_move("j11").unwrap()).unwrap();
        assert_eq!(position.to_move(), Side::White);
        assert!(position.reachable().is_err());
    }

    #[test]
    fn the_key_depends_on_stones_and_side_only() {
        let one = played(Game::CONNECT6, "j10 i8h9 k11l10 a1a2 b1b2");
        let two = played(Game::CONNECT6, "k11 a2h9 b2j10 i8a1 l10b1");
        assert_eq!(one.key(), two.key());
        assert_eq!(one, two);
        assert_ne!(one.key(), played(Game::CONNECT6, "j10 i8h9 k11l10").key());
    }

    #[test]
    fn symmetric_positions_have_one_canonical_form() {
        let position = played(Game::CONNECT6, "j10 i8h9 k11l10");
        let (canonical, symmetry) = position.canonical();
        assert_eq!(position.transformed(symmetry), canonical);
        for other in Symmetry::of(Game::CONNECT6) {
            assert_eq!(position.transformed(other).canonical().0, canonical);
        }
    }

    #[test]
    fn stone_counts_tell_which_positions_games_reach() {
        let game = Game::CONNECT6;
        let setup = |black: &str, white: &str, to_move| {
            let squares =
                |text: &str| text.split_whitespace().map(|s| game.parse_square(s).unwrap()).collect();
            Setup { game, black: squares(black), white: squares(white), to_move }.position().unwrap()
        };
        assert!(setup("", "", Side::Black).reachable().is_ok());
        assert!(setup("", "", Side::White).reachable().is_err());
        assert!(setup("j10", "", Side::White).reachable().is_ok());
        assert!(setup("j10", "i9 i8", Side::Black).reachable().is_ok());
        assert!(setup("j10", "i9", Side::Black).reachable().is_err());
        assert!(setup("j10 j12 i11", "", Side::White).reachable().is_err());
        assert!(setup("", "i9 i8", Side::Black).reachable().is_err());
    }
}
