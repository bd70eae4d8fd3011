//! The world around a client: a clock, a broker, workers and messages.

use super::{Broken, Oracle, check_invariants};
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

/// What goes wrong, in parts of a thousand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Faults {
    /// Messages that are lost.
    pub lost: u32,
    /// Messages that arrive twice.
    pub doubled: u32,
    /// Messages that take up to a hundred times as long, and so overtake.
    pub delayed: u32,
    /// Jobs on which the worker crashes; it comes back later.
    pub crashes: u32,
    /// Jobs on which the worker hangs for good.
    pub hangs: u32,
    /// Answers that are false.
    pub lies: u32,
    /// Jobs that a worker gives back.
    pub returned: u32,
    /// Workers that take ten times as long.
    pub slow: u32,
    /// Events after which the client is killed and started again.
    pub restarts: u32,
    /// Events after which a person orders something.
    pub orders: u32,
}

impl Faults {
    /// Some of everything.
    pub const ALL: Faults = Faults {
        lost: 20,
        doubled: 30,
        delayed: 50,
        crashes: 30,
        hangs: 10,
        lies: 40,
        returned: 20,
        slow: 100,
        restarts: 8,
        orders: 4,
    };
}

/// How the world is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldOptions {
    /// The number of workers.
    pub workers: usize,
    /// Jobs that wait at the broker, beyond one for each worker.
    pub ahead: usize,
    /// How long a message takes, in milliseconds.
    pub latency: u64,
    /// How long a worker has to show progress.
    pub lease: u64,
    /// What goes wrong.
    pub faults: Faults,
    /// Check the invariants after every event.
    pub check: bool,
    /// Give up after so many events.
    pub events: u64,
}

impl Default for WorldOptions {
    fn default() -> WorldOptions {
        WorldOptions {
            workers: 16,
            ahead: 0,
            latency: 5,
            lease: 400_000,
            faults: Faults::default(),
            check: false,
            events: 20_000_000,
        }
    }
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// What the root is.
    pub value: Value,
    /// How long it took.
    pub millis: u64,
    /// Jobs whose answers were taken in.
    pub done: u64,
    /// Jobs that were given up.
    pub aborted: u64,
    /// The nodes of the tree.
    pub nodes: usize,
    /// The time that workers worked, all together.
    pub worked: u64,
    /// Events.
    pub events: u64,
    /// How often the client was started again.
    pub restarts: u64,
}

/// Why a run has no end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// An invariant does not hold.
    #[error("event {event}, at {millis} ms: {broken}")]
    Broken {
        /// The number of the event.
        event: u64,
        /// When.
        millis: u64,
        /// What does not hold.
        broken: Broken,
    },
    /// There was nothing left to happen, and the root is not solved.
    #[error("after {events} events nothing happens any more, and the root is not solved")]
    Stuck {
        /// How many there were.
        events: u64,
    },
    /// It took too many events.
    #[error("not solved after {events} events")]
    TooLong {
        /// How many there were.
        events: u64,
        /// How long it had taken.
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

/// A world under way.
pub struct Simulation<'o, O> {
    oracle: &'o O,
    options: WorldOptions,
    client: Option<Client<MemoryStore, &'o O>>,
    rng: ChaCha8Rng,
    now: u64,
    /// By time, then in the order in which they were sent.
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

/// How often workers tell how far they are, and the client looks at its clock.
const BEAT: u64 = 60_000;

impl<'o, O: Oracle> Simulation<'o, O>
where
    &'o O: Judge,
{
    /// A world with a new search in it.
    pub fn new(oracle: &'o O, settings: Settings, options: WorldOptions, seed: u64) -> Simulation<'o, O> {
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

    /// Lets time pass until the root is solved.
    pub fn run(&mut self) -> Result<Run, Trouble> {
        self.post(BEAT, Message::Tick);
        self.fill();
        loop {
            if let Some(value) = self.client.as_ref().and_then(|client| client.search().value()) {
                return Ok(self.report(value));
            }
            let Some(Reverse((time, id))) = self.queue.pop() else {
                return Err(Trouble::Stuck { events: self.events });
            };
            self.now = time;
            self.events += 1;
            if self.events > self.options.events {
                return Err(Trouble::TooLong { events: self.events, millis: self.now });
            }
            let message = self.messages.remove(&id);
            message.into_iter().for_each(|message| self.happen(message));
            self.assign();
            if self.options.check {
                self.check()?;
            }
        }
    }

    /// The client, for those who want to look at the tree.
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

    fn check(&mut self) -> Result<(), Trouble> {
        let deep = self.chance(20);
        let Some(client) = &self.client else { return Ok(()) };
        let (event, millis) = (self.events, self.now);
        check_invariants(client, deep).map_err(|broken| Trouble::Broken { event, millis, broken })
    }

    /// Whether something of so many in a thousand happens now.
    fn chance(&mut self, thousandth: u32) -> bool {
        thousandth > 0 && self.rng.random_range(0..1000) < thousandth
    }

    fn post(&mut self, delay: u64, message: Message) {
        self.sent += 1;
        self.queue.push(Reverse((self.now + delay, self.sent)));
        self.messages.insert(self.sent, message);
    }

    /// Sends over the network, where anything can happen to a message.
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

    /// Kills the client, or has a person order something.
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
        // A person who pauses something goes on with it some time.
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

    /// The job that a worker is at, if it is still the one meant.
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
            Outcome::Fail => Event::Failed { job, why: "the worker cannot do it".to_string() },
            Outcome::Return => Event::Returned { job },
            Outcome::Crash => {
                self.workers[worker] = State::Away;
                return self.post(10 * BEAT, Message::Back { worker });
            }
            Outcome::Hang => {
                // It is found out by its standing still, and replaced much later.
                self.workers[worker] = State::Busy { job, run, since: self.now, end };
                return self.post(100 * BEAT, Message::Back { worker });
            }
        };
        self.send(Message::Tell(Box::new(event)));
    }
}

fn open<'o, O>(store: MemoryStore, oracle: &'o O, options: WorldOptions) -> Option<Client<MemoryStore, &'o O>>
where
    &'o O: Judge,
{
    let patience = Patience { lease: Duration::from_millis(options.lease), attempts: 20 };
    Client::open(store, oracle, patience).ok()
}
