//! The clock of a session: the time control that the engine was started with, and
//! what the other side says about time.

use lambda6_player::TimeControl;
use lambda6_rules::{Position, Side};
use lambda6_search::Limits;
use std::time::Duration;

/// The times of both sides: an engine may be asked to play either.
#[derive(Clone, Debug)]
pub(crate) struct SessionClock {
    /// Used until the other side says something about time.
    default: TimeControl,
    gtp: Option<GtpTime>,
    left: [Duration; 2],
    /// The time left of a period, and the answers left in it.
    period: [Option<(Duration, u32)>; 2],
    depth: Option<u32>,
}

/// Time settings of GTP: an amount for the game, then periods.
#[derive(Clone, Copy, Debug)]
struct GtpTime {
    main: Duration,
    period: Duration,
    stones: u32,
}

/// Time of a period that is not used, for the delay of messages.
const LAG: Duration = Duration::from_millis(50);

impl SessionClock {
    /// A clock with this time control until the other side sets another.
    pub fn new(default: TimeControl) -> SessionClock {
        let left = [default.start(); 2];
        SessionClock { default, gtp: None, left, period: [None; 2], depth: None }
    }

    /// Resets the times for a new game.
    pub fn restart(&mut self) {
        let start = self.gtp.map_or(self.default.start(), |gtp| gtp.main);
        self.left = [start; 2];
        self.period = [None; 2];
    }

    /// Sets the depth limit.
    pub fn set_depth(&mut self, depth: Option<u32>) {
        self.depth = depth;
    }

    /// Handles GTP's `time_settings`: `main` seconds for the game, then periods of
    /// `period` seconds for `stones` answers. A period without answers means no
    /// limit.
    pub fn settings(&mut self, main: u32, period: u32, stones: u32) {
        let unlimited = period > 0 && stones == 0;
        self.gtp = (!unlimited).then(|| GtpTime {
            main: Duration::from_secs(main.into()),
            period: Duration::from_secs(period.into()),
            stones,
        });
        self.restart();
    }

    /// Handles GTP's `time_left`: the seconds left of the game if `stones` is 0,
    /// else of a period with `stones` answers to go.
    pub fn set_left(&mut self, side: Side, seconds: u32, stones: u32) {
        let left = Duration::from_secs(seconds.into());
        if stones == 0 {
            self.left[side.index()] = left;
            self.period[side.index()] = None;
            if self.gtp.is_none() {
                self.gtp = Some(GtpTime { main: left, period: Duration::ZERO, stones: 0 });
                self.left[side.other().index()] = left;
            }
        } else {
            self.left[side.index()] = Duration::ZERO;
            self.period[side.index()] = Some((left, stones));
        }
    }

    /// Subtracts the time that this side has used.
    pub fn spent(&mut self, side: Side, time: Duration) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(time);
        if self.gtp.is_none()
            && let TimeControl::Game { increment, .. } = self.default
        {
            *left += increment;
        }
        if let Some((left, stones)) = &mut self.period[side.index()] {
            *left = left.saturating_sub(time);
            *stones -= 1;
            if *stones == 0 {
                self.period[side.index()] = None;
            }
        }
    }

    /// The limits of the next answer.
    pub fn limits(&self, side: Side, position: &Position) -> Limits {
        let left = self.left[side.index()];
        let each = |time: Duration, stones: u32| {
            let share = time / stones.max(1);
            share.saturating_sub(LAG.min(share / 4))
        };
        let limits = match (self.period[side.index()], self.gtp) {
            (Some((time, stones)), _) => Limits { time: Some(each(time, stones)), ..Limits::default() },
            (None, None) => self.default.allot(left, position),
            (None, Some(gtp)) => {
                let game = TimeControl::Game { main: gtp.main, increment: Duration::ZERO };
                let of_game = game.allot(left, position).time.unwrap_or_default();
                let of_period = if gtp.stones > 0 { each(gtp.period, gtp.stones) } else { Duration::ZERO };
                Limits { time: Some(of_game.max(of_period)), ..Limits::default() }
            }
        };
        Limits { depth: self.depth, ..limits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lambda6_rules::Game;

    fn seconds(clock: &SessionClock, side: Side) -> f64 {
        clock.limits(side, &Position::new(Game::CONNECT6)).time.unwrap().as_secs_f64()
    }

    #[test]
    fn the_default_holds_until_gtp_sets_a_time() {
        let mut clock = SessionClock::new(TimeControl::PerMove(Duration::from_secs(5)));
        assert!((4.0..=5.0).contains(&seconds(&clock, Side::Black)));
        clock.settings(0, 10, 1);
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
        clock.settings(0, 1, 0);
        assert!((4.0..=5.0).contains(&seconds(&clock, Side::Black)));
        let nodes = SessionClock::new(TimeControl::Nodes(700));
        let limits = nodes.limits(Side::White, &Position::new(Game::CONNECT6));
        assert_eq!((limits.nodes, limits.time), (Some(700), None));
    }

    #[test]
    fn a_game_is_never_overdrawn_whatever_is_spent() {
        let mut clock = SessionClock::new(TimeControl::Nodes(1));
        clock.settings(60, 0, 0);
        let mut left = 60.0;
        for _ in 0..100 {
            let next = seconds(&clock, Side::White);
            assert!(next < left);
            left -= next;
            clock.spent(Side::White, Duration::from_secs_f64(next));
        }
        // Black has not used any.
        assert!(seconds(&clock, Side::Black) > seconds(&clock, Side::White));
        clock.restart();
        assert_eq!(seconds(&clock, Side::Black), seconds(&clock, Side::White));
    }

    #[test]
    fn periods_are_shared_among_their_answers() {
        let mut clock = SessionClock::new(TimeControl::Nodes(1));
        clock.settings(0, 30, 3);
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
        clock.set_left(Side::Black, 4, 2);
        assert!((1.5..2.0).contains(&seconds(&clock, Side::Black)));
        clock.spent(Side::Black, Duration::from_secs(3));
        assert!((0.5..1.0).contains(&seconds(&clock, Side::Black)));
        clock.spent(Side::Black, Duration::from_secs(3));
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
        clock.set_left(Side::Black, 0, 0);
        assert!((9.0..10.0).contains(&seconds(&clock, Side::Black)));
    }

    #[test]
    fn time_left_alone_makes_a_game_clock() {
        let mut clock = SessionClock::new(TimeControl::PerMove(Duration::from_secs(100)));
        clock.set_left(Side::Black, 10, 0);
        assert!(seconds(&clock, Side::Black) < 10.0);
        clock.set_left(Side::Black, 0, 0);
        assert_eq!(seconds(&clock, Side::Black), 0.0);
    }
}
