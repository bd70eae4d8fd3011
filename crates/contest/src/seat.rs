//! A seat at the board: somebody who is asked for moves, one game long.

use crate::{
    client::{Client, Heard, Told, client},
    entrant::{Entrant, Who},
    process::{Process, Said, Transcript},
};
use engine::{Mind, PlayerMind, Task, completed};
use player::{PlayLimits, PlayerOptions, Unwatched};
use rules::{Game, Move, Position, Side};
use serde::{Deserialize, Serialize};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How somebody lost without being beaten.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failing {
    /// The program ended, or could not be started.
    Crash,
    /// Too slow.
    Time,
    /// A move that the rules do not allow.
    Illegal,
    /// What it said means nothing.
    Garbage,
}

/// What came of asking.
pub(crate) enum Reply {
    Move(Move),
    Resigns,
    Fails(Failing, String),
    /// The contest is being stopped: no fault of anybody's.
    Stopped,
}

/// What there is to know for a move.
pub(crate) struct Ask<'a> {
    pub(crate) position: &'a Position,
    pub(crate) moves: &'a [Move],
    /// For our own levels.
    pub(crate) limits: PlayLimits,
    /// For programs.
    pub(crate) told: Told,
    /// After so long the move is lost, or the program is taken to hang.
    pub(crate) deadline: Duration,
    pub(crate) stop: &'a AtomicBool,
}

/// Somebody at the board.
pub(crate) enum Seat {
    Level(Box<PlayerMind>),
    Program(Box<Program>),
}

/// A program at the board.
pub(crate) struct Program {
    entrant: Entrant,
    client: Box<dyn Client>,
    process: Option<Process>,
    transcript: Transcript,
}

impl Seat {
    /// Takes the seat for a game.
    pub(crate) fn new(
        entrant: &Entrant,
        game: Game,
        side: Side,
        options: PlayerOptions,
    ) -> Result<Seat, String> {
        match &entrant.who {
            Who::Level(level) => {
                let options = PlayerOptions { level: *level, ..options };
                Ok(Seat::Level(Box::new(PlayerMind::new(options).ready(game))))
            }

            Who::Program { protocol, .. } => Ok(Seat::Program(Box::new(Program {
                entrant: entrant.clone(),
                client: client(*protocol, game, side)?,
                process: None,
                transcript: Transcript::new(),
            }))),
        }
    }

    /// Asks for a move.
    pub(crate) fn ask(&mut self, ask: &Ask<'_>) -> Reply {
        match self {
            Seat::Level(mind) => {
                let task = Task {
                    position: ask.position.clone(),
                    last: ask.moves.last().copied(),
                    limits: ask.limits,
                };
                match mind.think(&task, 1, ask.stop, &mut Unwatched) {
                    _ if ask.stop.load(Ordering::Relaxed) => Reply::Stopped,
                    Ok(choices) => Reply::Move(completed(ask.position, choices[0].mv)),
                    Err(error) => Reply::Fails(Failing::Crash, error),
                }
            }
            Seat::Program(program) => program.ask(ask),
        }
    }

    /// What was said, by a program.
    pub(crate) fn transcript(&self) -> Option<String> {
        match self {
            Seat::Level(_) => None,
            Seat::Program(program) => Some(program.transcript.text()),
        }
    }

    /// The game is over.
    pub(crate) fn end(&mut self) {
        if let Seat::Program(program) = self
            && let Some(mut process) = program.process.take()
        {
            process.end(&program.client.end(), &mut program.transcript);
        }
    }
}

/// How often the stop signal is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Program {
    fn start(&mut self) -> Result<Process, String> {
        let Who::Program { command, .. } = &self.entrant.who else { return Err("no program".to_string()) };
        let mut process = Process::start(command, self.entrant.directory.as_deref())?;
        let lines = [self.client.start(), self.entrant.send.clone()].concat();
        for line in lines {
            // If it does not listen, that is noticed when it is asked.
            process.send(&line, &mut self.transcript);
        }
        Ok(process)
    }

    fn ask(&mut self, ask: &Ask<'_>) -> Reply {
        let begin = Instant::now();
        let started = match self.process.take() {
            Some(process) => Ok(process),
            None => self.start(),
        };
        let mut process = match started {
            Ok(process) => process,
            Err(error) => return self.fails(Failing::Crash, error),
        };
        for line in self.client.ask(ask.moves, ask.told) {
            process.send(&line, &mut self.transcript);
        }
        if self.client.one_answer() {
            process.close();
        }
        let reply = self.listen(&mut process, ask, begin);
        if !self.client.one_answer() {
            self.process = Some(process);
        }
        reply
    }

    fn listen(&mut self, process: &mut Process, ask: &Ask<'_>, begin: Instant) -> Reply {
        loop {
            if ask.stop.load(Ordering::Relaxed) {
                return Reply::Stopped;
            }
            let left = ask.deadline.saturating_sub(begin.elapsed());
            if left.is_zero() {
                let text = format!("no move within {:.2} s", ask.deadline.as_secs_f64());
                return self.fails(Failing::Time, text);
            }
            match process.hear(left.min(LOOK_EVERY), &mut self.transcript) {
                Said::Nothing => {}
                Said::End => {
                    let status = process.status();
                    return self.fails(Failing::Crash, format!("the program ended ({status})"));
                }
                Said::Line(line) => match self.client.hear(&line) {
                    Heard::Nothing => {}
                    Heard::Move(mv) => return Reply::Move(mv),
                    Heard::Resigns => return Reply::Resigns,
                    Heard::Send(lines) => {
                        for line in lines {
                            process.send(&line, &mut self.transcript);
                        }
                    }
                    Heard::Fault(text) => return self.fails(Failing::Garbage, text),
                },
            }
        }
    }

    fn fails(&mut self, failing: Failing, text: String) -> Reply {
        self.transcript.add('!', &text);
        Reply::Fails(failing, text)
    }
}
