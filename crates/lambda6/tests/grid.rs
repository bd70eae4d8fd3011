//! A search over a real NATS server, with everything that can happen to it: a
//! worker is killed, another hangs, the server is started again. Nothing here
//! waits for a time to pass, only for things to happen; a test that waits for
//! ever is ended by whoever runs the tests.

// clippy.toml allows it in functions that are tests, but not in their helpers.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use std::{
    fs,
    io::{BufRead, BufReader},
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// A process that does not outlive the test.
struct Process {
    child: Child,
    /// The lines of its standard output.
    lines: Receiver<String>,
}

impl Process {
    /// Starts it so that it ends with this test, even if the test is killed.
    fn start(command: &mut Command) -> Process {
        let mut tied = Command::new("setpriv");
        tied.args(["--pdeathsig", "KILL", "--"]).arg(command.get_program()).args(command.get_args());
        tied.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut child = tied.stdout(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Process { child, lines }
    }

    /// Waits for a line with these words.
    fn await_line(&self, words: &str) -> String {
        loop {
            let line = self.lines.recv().unwrap_or_else(|_| panic!("it ended without saying {words:?}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    fn signal(&self, signal: &str) {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Server {
    directory: TempDir,
    port: u16,
    process: Option<Process>,
}

const MISSING: &str = "nats-server is needed: `make install-deps` installs it";

impl Server {
    fn start(config: &str) -> Server {
        // Free now, and nobody else is likely to take it.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let directory = tempfile::tempdir().unwrap();
        let store = directory.path().join("js");
        let text = format!(
            "listen: 127.0.0.1:{port}\njetstream {{ store_dir: {:?} }}\n{config}\n",
            store.to_str().unwrap()
        );
        fs::write(directory.path().join("nats.conf"), text).unwrap();
        let mut server = Server { directory, port, process: None };
        server.restart();
        server
    }

    fn restart(&mut self) {
        self.process = None;
        let program = std::env::var_os("NATS_SERVER").unwrap_or_else(|| "nats-server".into());
        assert!(Command::new(&program).arg("--version").output().is_ok(), "{MISSING}");
        let mut command = Command::new(program);
        command.args(["--log", "/dev/null", "-c"]).arg(self.directory.path().join("nats.conf"));
        self.process = Some(Process::start(&mut command));
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn lambda6(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lambda6"));
    command.args(arguments);
    command
}

/// A worker's command line.
fn worker(url: &str, name: &str) -> Command {
    lambda6(&["worker", "--nats", url, "--name", name, "--memory", "16"])
}

/// A position that takes a few dozen jobs when they are short.
const POSITION: &str = include_str!("../data/grid_test.txt");

fn check(file: &Path) {
    let proof: PathBuf = file.with_extension("proof");
    let (file, proof) = (file.to_str().unwrap(), proof.to_str().unwrap());
    let certified = lambda6(&["search", "certify", file, proof]).output().unwrap();
    assert!(certified.status.success(), "{}", String::from_utf8_lossy(&certified.stderr));
    let checked = lambda6(&["check", proof]).output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn a_search_survives_the_death_of_a_worker_a_hang_and_a_restart_of_the_server() {
    let mut server = Server::start("");
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = lambda6(&["search", "start", file.to_str().unwrap(), POSITION, "--attacker", "black"]);
    client.args(["--job-nodes", "2000", "--nats", &url, "--lease", "5", "--quiet"]);
    let mut client = Process::start(&mut client);
    // The first job, that of the root, is the only one there is: whoever has it dies
    // or hangs with it.
    let [killed, hanging] = ["one", "two"].map(|name| {
        let process = Process::start(&mut worker(&url, name));
        process.await_line(" begins");
        process.signal(if name == "one" { "-KILL" } else { "-STOP" });
        process
    });
    let last = Process::start(&mut worker(&url, "three"));
    last.await_line(" done");
    server.restart();
    // It finds the server again, and goes on.
    last.await_line(" done");
    let status = client.child.wait().unwrap();
    assert!(status.success(), "{status}");
    drop((killed, hanging));
    check(&file);
}

/// What a worker may do, as docs/GRID.md has it.
const PERMISSIONS: &str = include_str!("../../../docs/grid-permissions.conf");

#[test]
fn a_worker_can_take_jobs_and_return_results_and_nothing_else() {
    let server = Server::start(PERMISSIONS);
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = lambda6(&["search", "start", file.to_str().unwrap(), POSITION, "--attacker", "black"]);
    client.args(["--job-nodes", "2000", "--nats", &url, "--user", "client", "--quiet"]);
    let mut client = Process::start(client.env("NATS_PASSWORD", "client-secret"));
    let mut command = worker(&url, "allowed");
    let worker = Process::start(command.args(["--user", "worker"]).env("NATS_PASSWORD", "worker-secret"));
    let status = client.child.wait().unwrap();
    assert!(status.success(), "{status}");
    worker.await_line(" done");
    check(&file);
    // A wrong password opens nothing.
    let mut command = self::worker(&url, "wrong");
    let refused = command.args(["--user", "worker"]).env("NATS_PASSWORD", "guess").output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    // A worker's user cannot run a search: it may not make streams or send jobs.
    let other = directory.path().join("other.l6");
    let mut command = lambda6(&["search", "start", other.to_str().unwrap(), "j10 k10k11"]);
    command.args(["--nats", &url, "--user", "worker", "--quiet", "--jobs", "1", "--grid", "mine"]);
    let refused = command.env("NATS_PASSWORD", "worker-secret").output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
}

#[test]
fn a_worker_without_a_server_says_so() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let output = worker(&format!("nats://127.0.0.1:{port}"), "alone").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.starts_with(&format!("error: nats://127.0.0.1:{port}: ")), "{message}");
}
