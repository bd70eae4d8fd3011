//! The clock of the protocol: a limit for every move, and what is left of a game.

use lambda6_player::TimeControl;
use lambda6_rules::Position;
use lambda6_search::Limits;
use std::time::Duration;

/// The times that the manager has set. It measures the time itself and says what is
/// left, but need not.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    /// Used until the manager says something about time.
    default: TimeControl,
    default_left: Duration,
    /// The limit of every move; zero is as fast as possible.
    turn: Option<Duration>,
    /// The limit of a game.
    game: Option<Duration>,
    /// What is left of it.
    left: Option<Duration>,
}

/// Time of a move that is not used, for the delay of messages on a busy machine; of a
/// short turn three tenths.
const LAG: Duration = Duration::from_millis(150);

/// The time of a move that is played as fast as possible: enough to see what must be
/// answered.
const AT_ONCE: Duration = Duration::from_millis(5);

impl Clock {
    pub(super) fn new(default: TimeControl) -> Clock {
        Clock { default, default_left: default.start(), turn: None, game: None, left: None }
    }

    /// Handles `timeout_turn`.
    pub(super) fn set_turn(&mut self, time: Duration) {
        self.turn = Some(time);
    }

    /// Handles `timeout_match`, whose 0 is no limit.
    pub(super) fn set_game(&mut self, time: Duration) {
        self.game = (!time.is_zero()).then_some(time);
        self.left = self.game;
    }

    /// Handles `time_left`; `None` is no limit.
    pub(super) fn set_left(&mut self, left: Option<Duration>) {
        self.left = left;
    }

    /// Resets the times for a new game.
    pub(super) fn restart(&mut self) {
        self.left = self.game;
        self.default_left = self.default.start();
    }

    /// Subtracts the time of a move.
    pub(super) fn spent(&mut self, time: Duration) {
        self.left = self.left.map(|left| left.saturating_sub(time));
        self.default_left = self.default_left.saturating_sub(time);
        if let TimeControl::Game { increment, .. } = self.default {
            self.default_left += increment;
        }
    }

    /// The limits of the next move.
    pub(super) fn limits(&self, position: &Position) -> Limits {
        if self.turn.is_none() && self.left.is_none() {
            return self.default.allot(self.default_left, position);
        }
        if self.turn == Some(Duration::ZERO) {
            return Limits { time: Some(AT_ONCE), depth: Some(1), ..Limits::default() };
        }
        let of_turn = self.turn.map(|turn| turn - LAG.min(turn * 3 / 10));
        let of_game = self.left.and_then(|left| {
            let control = TimeControl::Game { main: left, increment: Duration::ZERO };
            control.allot(left, position).time
        });
        Limits { time: of_turn.into_iter().chain(of_game).min(), ..Limits::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    const SECOND: Duration = Duration::from_secs(1);

    fn limits(clock: &Clock) -> Limits {
        clock.limits(&Position::new(Game::GO_MOKU))
    }

    fn time(clock: &Clock) -> f64 {
        limits(clock).time.unwrap().as_secs_f64()
    }

    #[test]
    fn the_shorter_of_turn_and_game_limits_a_move() {
        let mut clock = Clock::new(TimeControl::Nodes(700));
        assert_eq!(limits(&clock), Limits { nodes: Some(700), ..Limits::default() });
        clock.set_turn(10 * SECOND);
        assert!((9.5..10.0).contains(&time(&clock)));
        clock.set_turn(SECOND / 10);
        assert!((0.05..0.1).contains(&time(&clock)));
        clock.set_turn(30 * SECOND);
        clock.set_game(50 * SECOND);
        // The game is expected to last 25 moves.
        assert_eq!(time(&clock), 2.0);
        clock.set_left(None);
        assert!(time(&clock) > 29.0);
    }

    #[test]
    fn a_game_is_never_overdrawn() {
        let mut clock = Clock::new(TimeControl::Nodes(1));
        clock.set_game(60 * SECOND);
        let mut left = 60.0;
        for _ in 0..200 {
            let next = time(&clock);
            assert!(next < left);
            left -= next;
            clock.spent(Duration::from_secs_f64(next));
        }
        clock.set_left(Some(Duration::ZERO));
        assert_eq!(time(&clock), 0.0);
        clock.restart();
        assert_eq!(time(&clock), 60.0 / 25.0);
    }

    #[test]
    fn a_turn_of_no_time_is_played_at_once() {
        let mut clock = Clock::new(TimeControl::PerMove(SECOND));
        clock.set_turn(Duration::ZERO);
        assert!(time(&clock) < 0.01);
        assert_eq!(limits(&clock).depth, Some(1));
    }

    #[test]
    fn the_engines_own_game_clock_runs_too() {
        let mut clock = Clock::new(TimeControl::Game { main: 50 * SECOND, increment: SECOND });
        let before = time(&clock);
        clock.spent(26 * SECOND);
        assert!(time(&clock) < before);
        clock.restart();
        assert_eq!(time(&clock), before);
    }
}
