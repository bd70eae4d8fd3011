//! The board on an engine's desk: what the other side has said so far.
//!
//! Protocols place stones in any order and number: a stone at a time, both
//! stones of a move, a position built up of black stones first. So the desk
//! keeps the stones as they came, in groups that `undo` takes off again, and
//! works out whose turn it would be.

use crate::{Clock, Task};
use rules::{Game, Move, Outcome, PlayError, Position, Side};

/// Stones as they came.
#[derive(Clone, Debug)]
pub struct Desk {
    /// Its side to move means nothing: see [`Desk::turn`].
    now: Position,
    groups: Vec<(Side, Move)>,
}

/// Whose turn it is by the order of the stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who is to place stones.
    pub side: Side,
    /// How many, to complete the move.
    pub stones: usize,
}

impl Desk {
    /// The empty board.
    pub fn new(game: Game) -> Desk {
        Desk { now: Position::new(game), groups: Vec::new() }
    }

    /// The game.
    pub fn game(&self) -> Game {
        self.now.game()
    }

    /// What has been placed, in the order in which it was.
    pub fn groups(&self) -> &[(Side, Move)] {
        &self.groups
    }

    /// How the game ended, if it did.
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

    /// Takes the last group of stones off; false if there is none.
    pub fn undo(&mut self) -> bool {
        if self.groups.pop().is_none() {
            return false;
        }
        let groups = std::mem::take(&mut self.groups);
        *self = Desk::new(self.game());
        for (side, mv) in &groups {
            // They could be placed before, so they can again.
            let _ = self.place(*side, mv);
        }
        true
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

    /// What there is to think about for this side. An error when the game is
    /// over.
    pub fn task(&self, side: Side, clock: &Clock) -> Result<Task, PlayError> {
        let position = self.position(side)?;
        let limits = clock.limits(side, &position);
        Ok(Task { position, last: self.last_stones(side.other()), limits })
    }

    /// The stones that this side placed last, as many as make a move.
    fn last_stones(&self, side: Side) -> Option<Move> {
        let theirs =
            self.groups.iter().rev().filter(|(of, _)| *of == side).flat_map(|(_, mv)| mv.iter().rev());
        let squares: Vec<_> = theirs.take(usize::from(self.game().p())).collect();
        Move::new(&squares).filter(|mv| !mv.is_empty())
    }

    /// Whose turn it is: the side that placed the last stones until its move is
    /// complete, then the other.
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

    /// The board as text, Black `X` and White `O`, with names for the columns
    /// and rows, which are given from the left and from the bottom.
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
    pub fn empty_squares(&self) -> impl Iterator<Item = rules::Square> + '_ {
        self.now.empty_squares()
    }
}

/// Makes it this side's turn.
fn turn_to(position: &mut Position, side: Side) -> Result<(), PlayError> {
    if position.to_move() != side {
        position.play_partial(&Move::NULL)?;
    }
    Ok(())
}

/// The move with as many stones as the rules ask for: a player may leave out
/// stones behind the one that wins, most protocols may not.
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

    fn place(desk: &mut Desk, side: Side, text: &str) -> Result<(), PlayError> {
        let mv = desk.game().parse_move(text).unwrap();
        desk.place(side, &mv)
    }

    #[test]
    fn the_turn_follows_the_stones_however_they_come() {
        let mut desk = Desk::new(Game::CONNECT6);
        assert_eq!(desk.turn(), Turn { side: Side::Black, stones: 1 });
        place(&mut desk, Side::Black, "j10").unwrap();
        assert_eq!(desk.turn(), Turn { side: Side::White, stones: 2 });
        place(&mut desk, Side::White, "i9").unwrap();
        assert_eq!(desk.turn(), Turn { side: Side::White, stones: 1 });
        place(&mut desk, Side::White, "i8").unwrap();
        assert_eq!(desk.turn(), Turn { side: Side::Black, stones: 2 });
        place(&mut desk, Side::Black, "k9k8").unwrap();
        assert_eq!(desk.turn(), Turn { side: Side::White, stones: 2 });
        assert!(desk.undo() && desk.undo());
        assert_eq!(desk.turn(), Turn { side: Side::White, stones: 1 });
        assert!(desk.undo() && desk.undo() && !desk.undo());
        assert_eq!(desk.turn(), Turn { side: Side::Black, stones: 1 });
    }

    #[test]
    fn stones_on_stones_and_after_the_end_are_refused_and_change_nothing() {
        let mut desk = Desk::new(Game::TIC_TAC_TOE);
        place(&mut desk, Side::Black, "a1").unwrap();
        let error = place(&mut desk, Side::White, "a1").unwrap_err();
        assert_eq!(error, PlayError::Occupied { square: "a1".into(), by: Side::Black });
        assert_eq!(desk.groups().len(), 1);
        place(&mut desk, Side::Black, "b1").unwrap();
        place(&mut desk, Side::Black, "c1").unwrap();
        assert_eq!(desk.outcome(), Some(Outcome::Win(Side::Black)));
        assert!(matches!(place(&mut desk, Side::White, "a2"), Err(PlayError::GameOver(_))));
        assert!(desk.position(Side::White).is_err());
        assert!(desk.undo());
        assert_eq!(desk.outcome(), None);
        assert_eq!(desk.position(Side::White).unwrap().to_move(), Side::White);
    }

    #[test]
    fn a_short_move_is_filled_up() {
        let desk = Desk::new(Game::CONNECT6);
        let position = desk.position(Side::White).unwrap();
        assert_eq!(completed(&position, Move::NULL).len(), 1);
        let mut desk = desk;
        place(&mut desk, Side::Black, "a19").unwrap();
        let position = desk.position(Side::White).unwrap();
        let mv = completed(&position, desk.game().parse_move("b19").unwrap());
        assert_eq!(desk.game().move_name(&mv), "b19c19");
    }
}
