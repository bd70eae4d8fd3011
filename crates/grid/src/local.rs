//! Worker threads of this process, which need no server.

use lambda6_jobs::{
    Command, Event, Execute, ExecuteError, JobId, Task, Transport, TransportError, WorkerInfo,
};
use lambda6_search::runner::{self, RunError};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// Threads that execute jobs.
pub struct Local {
    shared: Arc<Shared>,
    events: Receiver<Event>,
    threads: Vec<JoinHandle<Result<(), RunError>>>,
}

struct Shared {
    state: Mutex<State>,
    /// Wakes a thread for a job or for the end.
    wake: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Task>,
    running: BTreeMap<JobId, Running>,
    closing: bool,
}

struct Running {
    worker: usize,
    attempt: u32,
    description: String,
    stop: Arc<AtomicBool>,
    nodes: Arc<AtomicU64>,
}

impl Shared {
    /// The state. A thread that panicked while it held the lock has left it
    /// consistent: it is changed in single steps.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Local {
    /// Starts this many threads, each with a program of its own.
    pub fn start<E: Execute>(
        threads: usize,
        make: impl Fn() -> E + Send + Sync + 'static,
    ) -> Result<Local, TransportError> {
        let shared = Arc::new(Shared { state: Mutex::default(), wake: Condvar::new() });
        let (sender, events) = mpsc::channel();
        let make = Arc::new(make);
        let mut handles = Vec::new();
        for worker in 0..threads.max(1) {
            let (shared, sender, make) = (Arc::clone(&shared), sender.clone(), Arc::clone(&make));
            let body = move || work(worker, &shared, &sender, &*make);
            let handle = runner::spawn(&format!("worker {worker}"), body);
            handles.push(handle.map_err(|error| TransportError::new(error.to_string()))?);
        }
        Ok(Local { shared, events, threads: handles })
    }
}

impl Transport for Local {
    fn slots(&self) -> usize {
        self.threads.len()
    }

    fn send(&mut self, command: Command) -> Result<(), TransportError> {
        let mut state = self.shared.state();
        match command {
            Command::Submit(task) => {
                state.waiting.retain(|waiting| waiting.id != task.id);
                // An earlier attempt is told to stop. If it hangs, its thread is
                // lost and the job goes to another one.
                if let Some(running) = state.running.get(&task.id) {
                    running.stop.store(true, Ordering::Relaxed);
                }
                state.waiting.push_back(*task);
                self.shared.wake.notify_one();
            }
            Command::Abort(id) => {
                state.waiting.retain(|waiting| waiting.id != id);
                if let Some(running) = state.running.get(&id) {
                    running.stop.store(true, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, wait: Duration) -> Result<Vec<Event>, TransportError> {
        let mut events = Vec::new();
        match self.events.recv_timeout(wait) {
            Ok(event) => events.push(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(TransportError::new("all worker threads have broken down"));
            }
        }
        events.extend(self.events.try_iter());
        for (&job, running) in &self.shared.state().running {
            events.push(Event::Progress { job, nodes: running.nodes.load(Ordering::Relaxed) });
        }
        Ok(events)
    }

    fn workers(&self) -> Vec<WorkerInfo> {
        let mut workers: Vec<WorkerInfo> = (0..self.threads.len())
            .map(|worker| WorkerInfo { name: name(worker), job: None, nodes: 0, trouble: None })
            .collect();
        for running in self.shared.state().running.values() {
            let worker = &mut workers[running.worker];
            worker.job = Some(running.description.clone());
            worker.nodes = running.nodes.load(Ordering::Relaxed);
        }
        workers
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.closing = true;
        state.waiting.clear();
        state.running.values().for_each(|running| running.stop.store(true, Ordering::Relaxed));
        drop(state);
        self.shared.wake.notify_all();
        // Threads get a moment to end. One that hangs must not keep the program
        // from ending, and the store has everything.
        let patience = Instant::now();
        while patience.elapsed() < Duration::from_millis(200) && self.threads.iter().any(|t| !t.is_finished())
        {
            thread::sleep(Duration::from_millis(2));
        }
    }
}

fn name(worker: usize) -> String {
    format!("thread-{}", worker + 1)
}

/// Describes a task for people.
fn describe(task: &Task) -> String {
    let stones = task.position.game().area() - task.position.empty_count();
    format!("job {}: {} after {stones} stones, {} excluded", task.id, task.kind.name(), task.excluded.len())
}

fn work<E: Execute>(worker: usize, shared: &Shared, sender: &Sender<Event>, make: &dyn Fn() -> E) {
    let mut program = make();
    loop {
        let mut state = shared.state();
        while state.waiting.is_empty() && !state.closing {
            state = shared.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closing {
            return;
        }
        let Some(task) = state.waiting.pop_front() else { continue };
        let (stop, nodes) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let running = Running {
            worker,
            attempt: task.attempt,
            description: describe(&task),
            stop: Arc::clone(&stop),
            nodes: Arc::clone(&nodes),
        };
        state.running.insert(task.id, running);
        drop(state);
        let begin = Instant::now();
        let done = runner::catch(|| program.execute(&task, &stop, &nodes));
        let mut state = shared.state();
        // Another thread may have a later attempt by now.
        if state.running.get(&task.id).is_some_and(|now| now.worker == worker && now.attempt == task.attempt)
        {
            state.running.remove(&task.id);
        }
        drop(state);
        let event = match done {
            Ok(Ok(answer)) => Event::Answered {
                job: task.id,
                worker: name(worker),
                answer,
                nodes: nodes.load(Ordering::Relaxed),
                millis: begin.elapsed().as_millis() as u64,
            },
            // Whoever told it to stop needs no answer.
            Ok(Err(ExecuteError::Stopped)) => continue,
            Ok(Err(error)) => Event::Failed { job: task.id, worker: name(worker), why: error.to_string() },
            Err(_) => {
                program = make();
                Event::Failed { job: task.id, worker: name(worker), why: "the worker broke down".to_string() }
            }
        };
        if sender.send(event).is_err() {
            return;
        }
    }
}
