//! A simulated environment of a client: a clock, a broker, workers and messages.

use super::{BrokenInvariant, Faults, Oracle, SimulationOptions, check_invariants};
use crate::{
    Answer, Client, Command, End, Event, JobId, Judge, MemoryStore, NodeId, Patience, Settings, Steer, Store,
    Task, Value,
};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, VecDeque},
    time::Duration,
};

/// The result of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The value of the root.
    pub value: Value,
    /// The virtual time in milliseconds.
    pub millis: u64,
    /// Jobs whose answers were taken in.
    pub done: u64,
    /// Jobs that were aborted.
    pub aborted: u64,
    /// The nodes of the tree.
    pub nodes: usize,
    /// The working time of all workers together.
    pub worked: u64,
    /// Events.
    pub events: u64,
    /// How often the client was restarted.
    pub restarts: u64,
}

/// Why a simulation failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SimulationError {
    /// An invariant does not hold.
    #[error("event {event}, at {millis} ms: {broken}")]
    BrokenInvariant {
        /// The number of the event.
        event: u64,
        /// The virtual time.
        millis: u64,
        /// The invariant.
        broken: BrokenInvariant,
    },
    /// No events are left, and the root is not solved.
    #[error("after {events} events nothing happens any more, and the root is not solved")]
    Stuck {
        /// Their number.
        events: u64,
    },
    /// The limit of events was reached.
    #[error("not solved after {events} events")]
    TooLong {
        /// Their number.
        events: u64,
        /// The virtual time.
        millis: u64,
    },
}

#[derive(Clone, Debug)]
enum Message {
    /// To the broker: a job, or an abort.
    Submit(Box<Task>),
    Abort(JobId),
    /// To the client.
    Tell(Box<Event>),
    /// To a worker itself: it is done, it is back.
    Finish {
        worker: usize,
        run: u64,
    },
    Progress {
        worker: usize,
        run: u64,
    },
    Back {
        worker: usize,
    },
    Tick,
}

enum State {
    Idle,
    Busy { job: JobId, run: u64, since: u64, end: Outcome },
    Away,
}

#[derive(Clone)]
enum Outcome {
    Answer(Answer, u64),
    Fail,
    Crash,
    Hang,
    Return,
}

/// A simulation under way.
pub struct Simulation<'o, O> {
    oracle: &'o O,
    options: SimulationOptions,
    client: Option<Client<MemoryStore, &'o O>>,
    rng: ChaCha8Rng,
    now: u64,
    /// Time and number of each message.
    queue: BinaryHeap<Reverse<(u64, u64)>>,
    messages: BTreeMap<u64, Message>,
    sent: u64,
    broker: VecDeque<Task>,
    workers: Vec<State>,
    runs: u64,
    events: u64,
    worked: u64,
    restarts: u64,
}

/// The time between two progress reports, and between two ticks of the client.
const BEAT: u64 = 60_000;

impl<'o, O: Oracle> Simulation<'o, O>
where
    &'o O: Judge,
{
    /// A simulation of a new search.
    pub fn new(
        oracle: &'o O,
        settings: Settings,
        options: SimulationOptions,
        seed: u64,
    ) -> Simulation<'o, O> {
        let store = if options.check { MemoryStore::new(settings) } else { MemoryStore::forgetful(settings) };
        Simulation {
            oracle,
            options,
            client: open(store, oracle, options),
            rng: ChaCha8Rng::seed_from_u64(seed),
            now: 0,
            queue: BinaryHeap::new(),
            messages: BTreeMap::new(),
            sent: 0,
            broker: VecDeque::new(),
            workers: (0..options.workers).map(|_| State::Idle).collect(),
            runs: 0,
            events: 0,
            worked: 0,
            restarts: 0,
        }
    }

    /// Runs until the root is solved.
    pub fn run(&mut self) -> Result<Run, SimulationError> {
        self.post(BEAT, Message::Tick);
        self.fill();
        loop {
            if let Some(value) = self.client.as_ref().and_then(|client| client.search().value()) {
                return Ok(self.report(value));
            }
            let Some(Reverse((time, id))) = self.queue.pop() else {
                return Err(SimulationError::Stuck { events: self.events });
            };
            self.now = time;
            self.events += 1;
            if self.events > self.options.events {
                return Err(SimulationError::TooLong { events: self.events, millis: self.now });
            }
            let message = self.messages.remove(&id);
            message.into_iter().for_each(|message| self.happen(message));
            self.assign();
            if self.options.check {
                self.check()?;
            }
        }
    }

    /// The client.
    pub fn client(&self) -> Option<&Client<MemoryStore, &'o O>> {
        self.client.as_ref()
    }

    fn report(&self, value: Value) -> Run {
        let client = self.client.as_ref();
        let ended = client.and_then(|client| client.store().ended().ok()).unwrap_or_default();
        let count = |end: End| ended.get(&end).copied().unwrap_or(0);
        Run {
            value,
            millis: self.now,
            done: count(End::Done),
            aborted: count(End::Aborted),
            nodes: client.map_or(0, |client| client.search().tree().len()),
            worked: self.worked,
            events: self.events,
            restarts: self.restarts,
        }
    }

    fn check(&mut self) -> Result<(), SimulationError> {
        let deep = self.chance(20);
        let Some(client) = &self.client else { return Ok(()) };
        let (event, millis) = (self.events, self.now);
        check_invariants(client, deep).map_err(|broken| SimulationError::BrokenInvariant {
            event,
            millis,
            broken,
        })
    }

    /// Draws an event of this rate.
    fn chance(&mut self, thousandth: u32) -> bool {
        thousandth > 0 && self.rng.random_range(0..1000) < thousandth
    }

    fn post(&mut self, delay: u64, message: Message) {
        self.sent += 1;
        self.queue.push(Reverse((self.now + delay, self.sent)));
        self.messages.insert(self.sent, message);
    }

    /// Sends a message over the network, with its faults.
    fn send(&mut self, message: Message) {
        let Faults { lost, doubled, delayed, .. } = self.options.faults;
        let copies = if self.chance(doubled) { 2 } else { 1 };
        for _ in 0..copies {
            if self.chance(lost) {
                continue;
            }
            let latency = self.options.latency;
            let slow = if self.chance(delayed) { 100 } else { 1 };
            let delay = if latency == 0 { 0 } else { self.rng.random_range(1..=2 * latency) * slow };
            self.post(delay, message.clone());
        }
    }

    fn happen(&mut self, message: Message) {
        match message {
            Message::Submit(task) => {
                self.broker.retain(|waiting| waiting.id != task.id);
                self.broker.push_back(*task);
            }
            Message::Abort(id) => {
                self.broker.retain(|task| task.id != id);
                for worker in 0..self.workers.len() {
                    if let State::Busy { job, since, .. } = self.workers[worker]
                        && job == id
                    {
                        self.worked += self.now - since;
                        self.workers[worker] = State::Idle;
                    }
                }
            }
            Message::Tell(event) => self.tell(*event),
            Message::Tick => {
                self.tell(Event::Tick);
                self.post(BEAT, Message::Tick);
            }
            Message::Finish { worker, run } => self.finish(worker, run),
            Message::Progress { worker, run } => self.progress(worker, run),
            Message::Back { worker } => self.workers[worker] = State::Idle,
        }
    }

    fn tell(&mut self, event: Event) {
        let now = Duration::from_millis(self.now);
        let commands = match &mut self.client {
            Some(client) => client.handle(now, event).unwrap_or_default(),
            None => return,
        };
        self.obey(commands);
        self.interfere();
        self.fill();
    }

    fn fill(&mut self) {
        let slots = self.options.workers + self.options.ahead;
        let now = Duration::from_millis(self.now);
        if let Some(client) = &mut self.client {
            let commands = client.fill(now, slots).unwrap_or_default();
            self.obey(commands);
        }
    }

    fn obey(&mut self, commands: Vec<Command>) {
        for command in commands {
            self.send(match command {
                Command::Submit(task) => Message::Submit(task),
                Command::Abort(id) => Message::Abort(id),
            });
        }
    }

    /// Kills the client, or gives an order.
    fn interfere(&mut self) {
        if self.chance(self.options.faults.restarts) {
            self.restarts += 1;
            if let Some(client) = self.client.take() {
                self.client = open(client.into_store(), self.oracle, self.options);
            }
            let now = Duration::from_millis(self.now);
            let commands = self.client.as_mut().map(|client| client.resubmit(now)).unwrap_or_default();
            self.obey(commands);
        }
        if self.chance(self.options.faults.orders) {
            self.order();
        }
        // Paused and forbidden nodes are released later.
        if self.options.faults.orders > 0 && self.chance(100) {
            let nodes = self.client.iter().flat_map(|client| client.search().tree().iter());
            let held = nodes.filter(|(_, node)| node.paused || node.set_aside || node.forbidden);
            let held: Vec<NodeId> = held.map(|(id, _)| id).collect();
            for id in held {
                let tree = self.client.as_ref().map(|client| client.search().tree());
                let back = tree.and_then(|tree| {
                    let node = tree.node(id);
                    Some(Steer::Allow(node.parent?, node.mv)).filter(|_| node.forbidden)
                });
                self.steer(&back.unwrap_or(Steer::Resume(id)));
            }
        }
    }

    fn order(&mut self) {
        let Some(client) = &self.client else { return };
        let tree = client.search().tree();
        let node = NodeId(self.rng.random_range(0..tree.len() as u32));
        let moves = tree.moves(node);
        let known = moves.first().copied();
        let order = match (self.rng.random_range(0..5), known) {
            (0, Some(mv)) => Steer::Forbid(node, mv),
            (1, Some(mv)) => Steer::Suggest(node, mv),
            (2, _) => Steer::Pause(node),
            (3, _) => Steer::Verify(node),
            _ => Steer::Force(node),
        };
        self.steer(&order);
    }

    fn steer(&mut self, order: &Steer) {
        let Some(client) = &mut self.client else { return };
        if let Ok(Ok(commands)) = client.steer(order) {
            self.obey(commands);
        }
    }

    /// Gives waiting jobs to idle workers.
    fn assign(&mut self) {
        while !self.broker.is_empty()
            && let Some(worker) = self.workers.iter().position(|state| matches!(state, State::Idle))
            && let Some(task) = self.broker.pop_front()
        {
            let Faults { crashes, hangs, lies, returned, slow, .. } = self.options.faults;
            let asked = self.oracle.ask(&task);
            let lie = if self.chance(lies) { self.oracle.lie(&task) } else { None };
            let millis = asked.millis * if self.chance(slow) { 10 } else { 1 };
            let end = if self.chance(crashes) {
                Outcome::Crash
            } else if self.chance(hangs) {
                Outcome::Hang
            } else if self.chance(returned) {
                Outcome::Return
            } else {
                lie.or(asked.answer).map_or(Outcome::Fail, |answer| Outcome::Answer(answer, millis))
            };
            self.runs += 1;
            let run = self.runs;
            self.workers[worker] = State::Busy { job: task.id, run, since: self.now, end };
            self.post(millis, Message::Finish { worker, run });
            if self.options.check {
                self.post(BEAT, Message::Progress { worker, run });
            }
        }
    }

    /// The job of a worker, if the run is still the same.
    fn busy(&self, worker: usize, run: u64) -> Option<(JobId, u64, Outcome)> {
        match &self.workers[worker] {
            State::Busy { job, run: now, since, end } if *now == run => Some((*job, *since, end.clone())),
            _ => None,
        }
    }

    fn progress(&mut self, worker: usize, run: u64) {
        let Some((job, since, end)) = self.busy(worker, run) else { return };
        // The counter of a worker that hangs stands still.
        let nodes = if matches!(end, Outcome::Hang) { 1 } else { self.now - since };
        self.send(Message::Tell(Box::new(Event::Progress { job, nodes })));
        self.post(BEAT, Message::Progress { worker, run });
    }

    fn finish(&mut self, worker: usize, run: u64) {
        let Some((job, since, end)) = self.busy(worker, run) else { return };
        self.worked += self.now - since;
        self.workers[worker] = State::Idle;
        let event = match end {
            Outcome::Answer(answer, millis) => {
                Event::Answered { job, worker: format!("w{worker}"), answer, nodes: millis, millis }
            }
            Outcome::Fail => {
                let why = "the worker cannot do it".to_string();
                Event::Failed { job, worker: format!("w{worker}"), why }
            }
            Outcome::Return => Event::Returned { job },
            Outcome::Crash => {
                self.workers[worker] = State::Away;
                return self.post(10 * BEAT, Message::Back { worker });
            }
            Outcome::Hang => {
                // The lease of its job runs out; the worker restarts much later.
                self.workers[worker] = State::Busy { job, run, since: self.now, end };
                return self.post(100 * BEAT, Message::Back { worker });
            }
        };
        self.send(Message::Tell(Box::new(event)));
    }
}

fn open<'o, O>(
    store: MemoryStore,
    oracle: &'o O,
    options: SimulationOptions,
) -> Option<Client<MemoryStore, &'o O>>
where
    &'o O: Judge,
{
    let patience = Patience { lease: Duration::from_millis(options.lease), attempts: 20 };
    Client::open(store, oracle, patience).ok()
}
