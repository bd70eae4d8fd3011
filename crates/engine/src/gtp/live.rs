//! Live analysis: begun, reported on, gone on with and ended.

use super::{Analyze, Command, Gtp, GtpError, PendingGenmove, parse_side};
use crate::{Step, Task, Thought, Wanted};
use lambda6_player::{Choice, Info};
use lambda6_search::Limits;
use std::time::Duration;

/// The moves that a live analysis compares.
const ANALYSED: usize = 10;

/// The time of the first search of a live analysis: its first report must come soon.
const FIRST_ANALYSIS: Duration = Duration::from_secs(4);

/// The time of the last search of a live analysis that nobody ends.
const LONGEST_ANALYSIS: Duration = Duration::from_secs(3600);

/// A live analysis under way.
pub(super) struct Live {
    analyze: Analyze,
    /// Whether a report has been made.
    told: bool,
    /// Whether it has been asked to end.
    ends: bool,
    /// The question. Each answer that comes before the end is followed by a search of twice the
    /// time.
    task: Task,
}

impl Gtp {
    /// Begins a live analysis: its response has no end until it is over.
    pub(super) fn begin_analysis(&mut self, command: &Command) -> Result<Vec<Step>, GtpError> {
        let analyze = Analyze::parse(&command.name, &command.arguments).ok_or(GtpError::Syntax)?;
        let side = match &analyze.side {
            Some(side) => parse_side(side)?,
            None => self.board.turn().side,
        };
        let mut task = self.board.task(side, &self.clock).map_err(GtpError::NoTask)?;
        task.report_every = Some(analyze.every);
        if !analyze.plays {
            task.wanted = Wanted::Best(ANALYSED);
            task.limits = Limits { time: Some(FIRST_ANALYSIS), ..Limits::default() };
        }
        let stones = if self.pairs { self.stones_to_place(side, &task.position) } else { 1 };
        let play = analyze.plays;
        let head = format!("={}", command.id.map(|id| id.to_string()).unwrap_or_default());
        let live = Some(Live { analyze, told: false, ends: false, task: task.clone() });
        self.pending = Some(PendingGenmove { id: command.id, side, stones, play, live });
        Ok(vec![Step::Say(head), Step::Think(task)])
    }

    /// Goes on with a live analysis, or ends it. Where nothing was told on the way, the result is.
    pub(super) fn after_analysis(&mut self, mut asked: PendingGenmove, thought: Thought) -> Vec<Step> {
        let mut steps = Vec::new();
        let Some(live) = &mut asked.live else { return steps };
        match thought.choice {
            Ok(choice) => {
                let choices: Vec<&Choice> = std::iter::once(&choice).chain(&thought.others).collect();
                if !live.told || !asked.play {
                    steps.push(Step::Say(live.analyze.result(self.board.game(), &choices)));
                }
                let time = live.task.limits.time.map(|time| 2 * time);
                if !live.ends && !asked.play && time.is_some_and(|time| time <= LONGEST_ANALYSIS) {
                    live.task.limits.time = time;
                    steps.push(Step::Think(live.task.clone()));
                    self.pending = Some(asked);
                    return steps;
                }
                if asked.play {
                    steps.push(Step::Say(match self.finish_genmove(&asked, choice.mv) {
                        Ok(vertex) => format!("play {vertex}"),
                        Err(error) => format!("error {error}"),
                    }));
                }
            }
            // The response has begun and cannot become an error any more.
            Err(error) => steps.push(Step::Say(format!("error {error}"))),
        }
        steps.push(Step::Say(String::new()));
        steps
    }

    /// Whether a live analysis is under way that the next line ends.
    pub(super) fn is_analysing(&self) -> bool {
        self.pending.as_ref().is_some_and(|asked| asked.live.is_some() && !asked.play)
    }

    pub(super) fn end_analysis(&mut self) {
        if let Some(live) = self.pending.as_mut().and_then(|asked| asked.live.as_mut()) {
            live.ends = true;
        }
    }

    /// A report on the search under way.
    pub(super) fn live_report(&mut self, info: &Info) -> Vec<Step> {
        let game = self.board.game();
        let Some(live) = self.pending.as_mut().and_then(|asked| asked.live.as_mut()) else {
            return Vec::new();
        };
        let report = live.analyze.progress(game, info);
        // An empty line would end the response.
        live.told |= !report.is_empty();
        Some(report).filter(|report| !report.is_empty()).map(Step::Say).into_iter().collect()
    }
}
