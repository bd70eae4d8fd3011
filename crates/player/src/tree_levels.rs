//! How the levels that search a tree answer a question: a VCST win or a quiet win
//! first, then the game-tree search.

use crate::{
    Choice, Info, Level, Player, WON,
    alpha_beta::{FOUND_WIN, LOSING, WIN},
    parallel,
    question::Question,
    root::{RootMove, RootSearch, RootSettings},
    settings::{noise, root_settings},
    status_of,
};
use lambda6_rules::Move;
use lambda6_search::{Observer, Random};
use std::cmp::Reverse;

/// The part of the limits for finding a quiet win.
const QUIET_PART: f64 = 0.15;

impl Question<'_> {
    /// The best `count` moves by search.
    pub fn by_tree(&mut self, count: usize, observer: &mut dyn Observer<Info>) -> Vec<Choice> {
        let level = self.player.options.level;
        let Some(settings) = root_settings(level) else { return Vec::new() };
        let full_move = self.position.stones_to_place() == usize::from(self.position.game().p());
        if full_move && settings.vcst.is_some() {
            let mut win = self.vcst_choice(settings, count);
            if win.is_none() && count == 1 {
                win = self.quiet_choice(settings);
            }
            if let Some(choice) = win {
                self.report(&choice, observer);
                return vec![choice];
            }
        }
        let threads = self.player.options.threads;
        let mut root = self.root(settings, count);
        let Some(mut result) = parallel::deepen(&mut root, threads, observer) else {
            let mv = self.any_move();
            return mv.map(|mv| self.choice(mv, 0, 0)).into_iter().collect();
        };
        let noise = noise(level);
        let mut lines: Vec<Vec<Move>> = Vec::new();
        if noise == 0 {
            lines.extend(result.moves.iter().take(count).map(|best| root.expected_line(best.mv)));
        } else {
            self.add_noise(noise, &mut result.moves);
        }
        let best = result.moves.iter().take(count);
        let mut choices: Vec<Choice> =
            best.map(|best| self.choice(best.mv, best.score, result.depth)).collect();
        for (choice, line) in choices.iter_mut().zip(lines) {
            choice.line = line;
        }
        if let Some(best) = choices.first_mut()
            && best.score.abs() >= WON
            && level == Level::Strong
        {
            self.prove_best(best);
        }
        choices
    }

    fn root(&mut self, settings: RootSettings, count: usize) -> RootSearch<'_> {
        let control = self.search_control();
        let (position, excluded, limits) = (self.position, self.excluded, self.control.limits);
        let Player { thread, vcst, table, .. } = &mut *self.player;
        let vcst = Some(vcst);
        RootSearch { thread, vcst, table, control, limits, settings, position, excluded, count }
    }

    /// A VCST win of the side to move, with its proof if the solver makes one.
    fn vcst_choice(&mut self, settings: RootSettings, count: usize) -> Option<Choice> {
        let side = self.position.to_move();
        let mut root = self.root(settings, count);
        let board = root.thread.board.clone();
        let (first, _) = root.vcst_win_with_share(&board, side, 1.0)?;
        if first.is_empty() {
            return None;
        }
        let mv = self.filled(first);
        if self.excluded.contains(&mv) {
            return None;
        }
        let mut choice = self.choice(mv, FOUND_WIN, 1);
        self.prove(&mut choice, side);
        // The proof may begin with another move.
        if let Some(win) = &choice.win {
            let proved = self.filled(win.line().first().copied().unwrap_or(first));
            if self.excluded.contains(&proved) {
                choice = self.choice(mv, FOUND_WIN, 1);
            } else {
                (choice.mv, choice.score) = (proved, WIN - 2 * win.depth() as i32 + 1);
            }
        }
        Some(choice)
    }

    /// A quiet win of the side to move. It is not proved, so the score is not one
    /// of a win.
    fn quiet_choice(&mut self, settings: RootSettings) -> Option<Choice> {
        let side = self.position.to_move();
        let mut root = self.root(settings, 1);
        let end = root.part_of_rest(QUIET_PART);
        let mv = root.quiet_win(side, end).ok().flatten()?;
        (!self.excluded.contains(&mv)).then(|| self.choice(mv, LOSING, 1))
    }

    /// Adds a random error to the scores and sorts by them.
    fn add_noise(&self, noise: u32, moves: &mut [RootMove]) {
        let mut random = Random::new(self.player.options.seed ^ self.position.key());
        for root in moves.iter_mut().filter(|root| root.score > -WON) {
            root.score += random.below(u64::from(noise)) as i32;
        }
        moves.sort_by_key(|root| Reverse(root.score));
    }

    /// Asks for a proof of a choice that the search sees as won or lost.
    fn prove_best(&mut self, best: &mut Choice) {
        let side = self.position.to_move();
        let winner = if best.score > 0 { side } else { side.other() };
        let line = best.line.clone();
        self.prove(best, winner);
        if winner != side {
            best.line = line;
            return;
        }
        // The proof may begin with another move: then that one is played.
        let first = best.win.as_ref().map(|win| win.line().first().copied().unwrap_or(best.mv));
        let Some(first) = first.filter(|first| *first != best.mv) else { return };
        if self.excluded.contains(&first) || first.len() != self.position.stones_to_place() {
            (best.win, best.line) = (None, line);
            best.status = status_of(best.score, side, &self.player.thread.evaluation);
        } else {
            best.mv = first;
        }
    }
}
