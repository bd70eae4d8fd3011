//! The board of a session.
//!
//! Protocols place stones in any order and number: a stone at a time, both
//! stones of a move, all black stones of a position first. The board keeps the
//! stones in the groups in which they were placed, for `undo`, and derives whose
//! turn it is.

use crate::{Task, Thought, session::MoveError, session_clock::SessionClock};
use lambda6_rules::{Game, Move, Outcome, PlayError, Position, Side, Square};
use lambda6_search::Limits;

/// The stones of a session, in the groups in which they were placed.
#[derive(Clone, Debug)]
pub(crate) struct SessionBoard {
    /// Its side to move is not used: see [`SessionBoard::turn`].
    now: Position,
    groups: Vec<(Side, Move)>,
}

/// Whose turn it is by the order of the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The side to place stones.
    pub side: Side,
    /// The stones that complete its move.
    pub stones: usize,
}

impl SessionBoard {
    /// The empty board.
    pub fn new(game: Game) -> SessionBoard {
        SessionBoard { now: Position::new(game), groups: Vec::new() }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.now.game()
    }

    /// The groups of stones, in the order in which they were placed.
    pub fn groups(&self) -> &[(Side, Move)] {
        &self.groups
    }

    /// How the game ended, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.now.outcome()
    }

    /// Places some stones of one side, all or none.
    pub fn place(&mut self, side: Side, mv: &Move) -> Result<(), PlayError> {
        let mut next = self.now.clone();
        turn_to(&mut next, side)?;
        next.play_partial(mv)?;
        self.now = next;
        self.groups.push((side, *mv));
        Ok(())
    }

    /// Removes the last group of stones; false if there is none.
    pub fn undo(&mut self) -> bool {
        if self.groups.pop().is_none() {
            return false;
        }
        self.place_again();
        true
    }

    /// Removes the stone on a square and returns its side; `None` if there is none.
    pub fn remove(&mut self, square: Square) -> Option<Side> {
        let side = self.now.at(square)?;
        for (_, mv) in &mut self.groups {
            let others: Vec<Square> = mv.iter().filter(|&other| other != square).collect();
            *mv = Move::new(&others).unwrap_or(Move::NULL);
        }
        self.groups.retain(|(_, mv)| !mv.is_empty());
        self.place_again();
        Some(side)
    }

    /// Places the stones of all groups on the empty board.
    fn place_again(&mut self) {
        let groups = std::mem::take(&mut self.groups);
        *self = SessionBoard::new(self.game());
        for (side, mv) in &groups {
            // They were placed before, so this does not fail.
            let _ = self.place(*side, mv);
        }
    }

    /// The stone on a square.
    pub fn at(&self, square: Square) -> Option<Side> {
        self.now.at(square)
    }

    /// The number of stones of a side.
    pub fn stone_count(&self, side: Side) -> usize {
        self.now.stone_count(side)
    }

    /// The position with this side to move. An error when the game is over.
    pub fn position(&self, side: Side) -> Result<Position, PlayError> {
        if let Some(outcome) = self.outcome() {
            return Err(PlayError::GameOver(outcome));
        }
        let mut position = self.now.clone();
        turn_to(&mut position, side)?;
        Ok(position)
    }

    /// The task of choosing a move for this side. An error when the game is over.
    pub fn task(&self, side: Side, clock: &SessionClock) -> Result<Task, PlayError> {
        self.task_within(side, |position| clock.limits(side, position))
    }

    /// The same with other limits.
    pub fn task_within(
        &self,
        side: Side,
        limits: impl FnOnce(&Position) -> Limits,
    ) -> Result<Task, PlayError> {
        let position = self.position(side)?;
        let limits = limits(&position);
        Ok(Task::new(position, self.last_stones(side.other()), limits))
    }

    /// Plays a whole move of the rules for this side.
    pub fn play(&mut self, side: Side, mv: &Move) -> Result<(), PlayError> {
        self.position(side)?.play(mv)?;
        self.place(side, mv)
    }

    /// Plays the move of a thought for this side, with as many stones as the
    /// rules demand.
    pub fn play_thought(&mut self, side: Side, thought: Thought) -> Result<Move, MoveError> {
        let choice = thought.choice?;
        let mv = completed(&self.position(side)?, choice.mv);
        self.place(side, &mv)?;
        Ok(mv)
    }

    /// The last stones of this side, as many as a move has.
    fn last_stones(&self, side: Side) -> Option<Move> {
        let theirs =
            self.groups.iter().rev().filter(|(of, _)| *of == side).flat_map(|(_, mv)| mv.iter().rev());
        let squares: Vec<_> = theirs.take(usize::from(self.game().p())).collect();
        Move::new(&squares).filter(|mv| !mv.is_empty())
    }

    /// Whose turn it is: of the side that placed the last stones until its move
    /// is complete, then of the other.
    pub fn turn(&self) -> Turn {
        let game = self.game();
        let empty = self.now.empty_count();
        let whole = |side: Side, first: bool| {
            let stones = if first && side == Side::Black { game.q() } else { game.p() };
            usize::from(stones)
        };
        let Some(&(side, _)) = self.groups.last() else {
            return Turn { side: Side::Black, stones: whole(Side::Black, true).min(empty) };
        };
        let run: usize = self.groups.iter().rev().take_while(|(s, _)| *s == side).map(|(_, m)| m.len()).sum();
        let first = self.groups.iter().all(|(s, _)| *s == side);
        let left = whole(side, first).saturating_sub(run);
        if left > 0 {
            Turn { side, stones: left.min(empty) }
        } else {
            Turn { side: side.other(), stones: whole(side.other(), false).min(empty) }
        }
    }

    /// The board as text, Black `X` and White `O`. `column` and `row` name the
    /// columns (from the left) and rows (from the bottom).
    pub fn draw(&self, column: impl Fn(u8) -> String, row: impl Fn(u8) -> String) -> String {
        let game = self.game();
        let columns: String = (0..game.cols()).map(|col| format!(" {:>1}", column(col))).collect();
        let mut text = format!("  {columns}\n");
        for r in (0..game.rows()).rev() {
            text += &format!("{:>2}", row(r));
            for c in 0..game.cols() {
                text.push(' ');
                text.push(match self.now.at(game.square(c, r)) {
                    Some(Side::Black) => 'X',
                    Some(Side::White) => 'O',
                    None => '.',
                });
            }
            text += &format!(" {}\n", row(r));
        }
        text + &format!("  {columns}")
    }

    /// The empty squares, in order.
    pub fn empty_squares(&self) -> impl Iterator<Item = Square> + '_ {
        self.now.empty_squares()
    }
}

/// Gives this side the move.
fn turn_to(position: &mut Position, side: Side) -> Result<(), PlayError> {
    if position.to_move() != side {
        position.play_partial(&Move::NULL)?;
    }
    Ok(())
}

/// A move filled up to as many stones as the rules demand: a winning move may
/// lack stones, but most protocols do not allow that.
pub fn completed(position: &Position, mut mv: Move) -> Move {
    for square in position.empty_squares() {
        if mv.len() >= position.stones_to_place() {
            break;
        }
        if !mv.contains(square) {
            mv.push(square);
        }
    }
    mv
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(board: &mut SessionBoard, side: Side, text: &str) -> Result<(), PlayError> {
        let mv = board.game().parse_move(text).unwrap();
        board.place(side, &mv)
    }

    #[test]
    fn the_turn_follows_the_stones_however_they_come() {
        let mut board = SessionBoard::new(Game::CONNECT6);
        assert_eq!(board.turn(), Turn { side: Side::Black, stones: 1 });
        place(&mut board, Side::Black, "j10").unwrap();
        assert_eq!(board.turn(), Turn { side: Side::White, stones: 2 });
        place(&mut board, Side::White, "i9").unwrap();
        assert_eq!(board.turn(), Turn { side: Side::White, stones: 1 });
        place(&mut board, Side::White, "i8").unwrap();
        assert_eq!(board.turn(), Turn { side: Side::Black, stones: 2 });
        place(&mut board, Side::Black, "k9k8").unwrap();
        assert_eq!(board.turn(), Turn { side: Side::White, stones: 2 });
        assert!(board.undo() && board.undo());
        assert_eq!(board.turn(), Turn { side: Side::White, stones: 1 });
        assert!(board.undo() && board.undo() && !board.undo());
        assert_eq!(board.turn(), Turn { side: Side::Black, stones: 1 });
    }

    #[test]
    fn stones_on_stones_and_after_the_end_are_refused_and_change_nothing() {
        let mut board = SessionBoard::new(Game::TIC_TAC_TOE);
        place(&mut board, Side::Black, "a1").unwrap();
        let error = place(&mut board, Side::White, "a1").unwrap_err();
        assert_eq!(error, PlayError::Occupied { square: "a1".into(), by: Side::Black });
        assert_eq!(board.groups().len(), 1);
        place(&mut board, Side::Black, "b1").unwrap();
        place(&mut board, Side::Black, "c1").unwrap();
        assert_eq!(board.outcome(), Some(Outcome::Win(Side::Black)));
        assert!(matches!(place(&mut board, Side::White, "a2"), Err(PlayError::GameOver(_))));
        assert!(board.position(Side::White).is_err());
        assert!(board.undo());
        assert_eq!(board.outcome(), None);
        assert_eq!(board.position(Side::White).unwrap().to_move(), Side::White);
    }

    #[test]
    fn any_stone_can_be_removed() {
        let mut board = SessionBoard::new(Game::CONNECT6);
        place(&mut board, Side::Black, "j10").unwrap();
        place(&mut board, Side::White, "i9i8").unwrap();
        let square = |text| Game::CONNECT6.parse_square(text).unwrap();
        assert_eq!(board.remove(square("a1")), None);
        assert_eq!(board.remove(square("i9")), Some(Side::White));
        assert_eq!((board.at(square("i9")), board.at(square("i8"))), (None, Some(Side::White)));
        assert_eq!(board.remove(square("j10")), Some(Side::Black));
        assert_eq!((board.groups().len(), board.stone_count(Side::White)), (1, 1));
    }

    #[test]
    fn a_short_move_is_filled_up() {
        let mut board = SessionBoard::new(Game::CONNECT6);
        let position = board.position(Side::White).unwrap();
        assert_eq!(completed(&position, Move::NULL).len(), 1);
        place(&mut board, Side::Black, "a19").unwrap();
        let position = board.position(Side::White).unwrap();
        let mv = completed(&position, board.game().parse_move("b19").unwrap());
        assert_eq!(board.game().move_name(&mv), "b19c19");
    }
}
