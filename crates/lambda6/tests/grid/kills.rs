//! Searches of hundreds of jobs while client, workers and server are killed.

use super::{POSITION, Process, Server, check, lambda6, status, worker};
use std::{
    env,
    path::Path,
    process::Command,
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// A generator of numbers (xorshift64*), so that a run can be repeated by its seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound
    }
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok().map(|text| text.parse().unwrap())
}

/// Begins the search or goes on with it.
fn client(file: &Path, url: &str) -> Command {
    let mut command = lambda6(&["search", "start", file.to_str().unwrap()]);
    if !file.exists() {
        command.args([POSITION, "--attacker", "black", "--job-nodes", "2000"]);
    }
    command.args(["--nats", url, "--lease", "1", "--quiet"]);
    command
}

/// One search. What is killed is started again; after the deadline nothing is killed
/// any more. Returns the number of kills and of jobs.
fn search(random: &mut Random, deadline: Instant) -> (u64, u64) {
    let mut server = Server::start("");
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut names = 0..;
    let mut start_worker = || Process::start(&mut worker(&url, &format!("w{}", names.next().unwrap())));
    let mut workers = [start_worker(), start_worker()];
    let mut running = Process::start(&mut client(&file, &url));
    let mut kills = 0;
    loop {
        thread::sleep(Duration::from_millis(50 + random.below(1200)));
        if let Some(status) = running.child.try_wait().unwrap() {
            assert!(status.success(), "the client ended with {status}");
            break;
        }
        if Instant::now() >= deadline {
            let status = running.child.wait().unwrap();
            assert!(status.success(), "the client ended with {status}");
            break;
        }
        kills += 1;
        match random.below(4) {
            0 => {
                running = {
                    drop(running);
                    Process::start(&mut client(&file, &url))
                }
            }
            1 => server.restart(),
            victim => workers[victim as usize - 2] = start_worker(),
        }
    }
    check(&file);
    (kills, status(&file)["done"].as_u64().unwrap())
}

#[test]
fn searches_survive_random_kills() {
    let seconds = number("GRID_KILL_SECONDS").unwrap_or(60);
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    let seed = number("GRID_KILL_SEED").unwrap_or(clock) | 1;
    println!("GRID_KILL_SEED={seed}");
    let mut random = Random(seed);
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let (mut searches, mut kills, mut jobs) = (0, 0, 0);
    while Instant::now() < deadline {
        let (more_kills, more_jobs) = search(&mut random, deadline);
        (searches, kills, jobs) = (searches + 1, kills + more_kills, jobs + more_jobs);
    }
    println!("{searches} searches, {jobs} jobs, {kills} kills");
    assert!(kills >= seconds / 4, "{kills} kills in {seconds} s");
}
