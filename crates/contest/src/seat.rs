//! A seat at the board: an entrant during one game.

use crate::{
    client::{Client, ProgramMessage, TimeNotice, UnsupportedBoard, client},
    entrant::{Entrant, Who},
    process::{Process, ProcessEvent, StartError, Transcript},
};
use lambda6_engine::{PlayerThinker, Task, Thinker, completed};
use lambda6_player::PlayerOptions;
use lambda6_rules::{Game, Move, Position, Side};
use lambda6_search::{Limits, Silent};
use serde::{Deserialize, Serialize};
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How an entrant lost a game by its own fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Failure {
    /// The program ended, or could not be started.
    Crash,
    /// It exceeded its time.
    Time,
    /// It played a move that the rules do not allow.
    Illegal,
    /// Its answer cannot be read.
    Garbage,
}

/// The answer to a request for a move.
pub(crate) enum MoveReply {
    Move(Move),
    Resigns,
    Fails(Failure, String),
    /// The contest is being stopped.
    Stopped,
}

/// A request for a move.
pub(crate) struct MoveRequest<'a> {
    pub(crate) position: &'a Position,
    pub(crate) moves: &'a [Move],
    /// The limits of a level.
    pub(crate) limits: Limits,
    /// The time that a program is told.
    pub(crate) notice: TimeNotice,
    /// The time after which the entrant fails.
    pub(crate) deadline: Duration,
    pub(crate) stop: &'a AtomicBool,
}

/// An entrant at the board.
pub(crate) enum Seat {
    Level(Box<PlayerThinker>),
    Program(Box<Program>),
}

/// A program at the board.
pub(crate) struct Program {
    entrant: Entrant,
    command: Vec<String>,
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
    ) -> Result<Seat, UnsupportedBoard> {
        match &entrant.who {
            Who::Level(level) => {
                let options = PlayerOptions { level: *level, ..options };
                Ok(Seat::Level(Box::new(PlayerThinker::new(options).ready(game))))
            }
            Who::Program { protocol, command } => Ok(Seat::Program(Box::new(Program {
                entrant: entrant.clone(),
                command: command.clone(),
                client: client(*protocol, game, side)?,
                process: None,
                transcript: Transcript::new(),
            }))),
        }
    }

    /// Asks for a move.
    pub(crate) fn ask(&mut self, request: &MoveRequest<'_>) -> MoveReply {
        match self {
            Seat::Level(thinker) => {
                let task = Task::new(request.position.clone(), request.moves.last().copied(), request.limits);
                match thinker.think(&task, 1, request.stop, &mut Silent) {
                    _ if request.stop.load(Ordering::Relaxed) => MoveReply::Stopped,
                    Ok(choices) => MoveReply::Move(completed(request.position, choices[0].mv)),
                    Err(error) => MoveReply::Fails(Failure::Crash, error.to_string()),
                }
            }
            Seat::Program(program) => program.ask(request),
        }
    }

    /// The transcript of a program.
    pub(crate) fn transcript(&self) -> Option<String> {
        match self {
            Seat::Level(_) => None,
            Seat::Program(program) => Some(program.transcript.text()),
        }
    }

    /// Ends a program after the game.
    pub(crate) fn end(&mut self) {
        if let Seat::Program(program) = self
            && let Some(mut process) = program.process.take()
        {
            process.end(&program.client.end(), &mut program.transcript);
        }
    }
}

/// The interval at which the stop signal is read.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Program {
    fn start(&mut self) -> Result<Process, StartError> {
        let mut process = Process::start(&self.command, self.entrant.directory.as_deref())?;
        let lines = [self.client.start(), self.entrant.send.clone()].concat();
        for line in lines {
            // A failure to send shows when the program is asked for a move.
            process.send(&line, &mut self.transcript);
        }
        Ok(process)
    }

    fn ask(&mut self, request: &MoveRequest<'_>) -> MoveReply {
        let begin = Instant::now();
        let started = match self.process.take() {
            Some(process) => Ok(process),
            None => self.start(),
        };
        let mut process = match started {
            Ok(process) => process,
            Err(error) => return self.fails(Failure::Crash, error.to_string()),
        };
        for line in self.client.ask(request.moves, request.notice) {
            process.send(&line, &mut self.transcript);
        }
        if self.client.is_started_for_every_move() {
            process.close();
        }
        let reply = self.listen(&mut process, request, begin);
        if !self.client.is_started_for_every_move() {
            self.process = Some(process);
        }
        reply
    }

    fn listen(&mut self, process: &mut Process, request: &MoveRequest<'_>, begin: Instant) -> MoveReply {
        loop {
            if request.stop.load(Ordering::Relaxed) {
                return MoveReply::Stopped;
            }
            let left = request.deadline.saturating_sub(begin.elapsed());
            if left.is_zero() {
                let text = format!("no move within {:.2} s", request.deadline.as_secs_f64());
                return self.fails(Failure::Time, text);
            }
            match process.hear(left.min(LOOK_EVERY), &mut self.transcript) {
                ProcessEvent::Nothing => {}
                ProcessEvent::End => {
                    let status = process.status();
                    return self.fails(Failure::Crash, format!("the program ended ({status})"));
                }
                ProcessEvent::Line(line) => match self.client.hear(&line) {
                    ProgramMessage::Nothing => {}
                    ProgramMessage::Move(mv) => return MoveReply::Move(mv),
                    ProgramMessage::Resigns => return MoveReply::Resigns,
                    ProgramMessage::Send(lines) => {
                        for line in lines {
                            process.send(&line, &mut self.transcript);
                        }
                    }
                    ProgramMessage::Fault(text) => return self.fails(Failure::Garbage, text),
                },
            }
        }
    }

    fn fails(&mut self, failure: Failure, text: String) -> MoveReply {
        self.transcript.add('!', &text);
        MoveReply::Fails(failure, text)
    }
}
