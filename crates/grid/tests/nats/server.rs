//! A NATS server for a test, and processes that end with it.

#![allow(dead_code, reason = "two tests share this file, and each uses its part")]

use std::{
    fs,
    io::{BufRead, BufReader, Read},
    net::TcpListener,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// A process that does not outlive the test.
pub struct Process {
    pub child: Child,
    /// The lines of its standard output.
    lines: Receiver<String>,
}

impl Process {
    /// Starts it so that it ends with this test, even if the test is killed.
    pub fn start(command: &mut Command) -> Process {
        Process::tied(command, false)
    }

    /// The same, with the lines of its standard error instead.
    pub fn start_noting(command: &mut Command) -> Process {
        Process::tied(command, true)
    }

    fn tied(command: &mut Command, notes: bool) -> Process {
        let mut tied = Command::new("setpriv");
        tied.args(["--pdeathsig", "KILL", "--"]).arg(command.get_program()).args(command.get_args());
        tied.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        tied.stdin(Stdio::null());
        let (child, lines): (Child, Box<dyn Read + Send>) = if notes {
            let mut child = tied.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
            let lines = child.stderr.take().unwrap();
            (child, Box::new(lines))
        } else {
            let mut child = tied.stdout(Stdio::piped()).spawn().unwrap();
            let lines = child.stdout.take().unwrap();
            (child, Box::new(lines))
        };
        let output = BufReader::new(lines);
        let (sender, lines) = mpsc::channel();
        // Lines are read to the end, so that the process never waits for its output.
        thread::spawn(move || output.lines().map_while(Result::ok).for_each(|line| drop(sender.send(line))));
        Process { child, lines }
    }

    /// Waits for a line with these words.
    pub fn await_line(&self, words: &str) -> String {
        loop {
            let line = self.lines.recv().unwrap_or_else(|_| panic!("it ended without saying {words:?}"));
            if line.contains(words) {
                return line;
            }
        }
    }

    pub fn signal(&self, signal: &str) {
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

/// A server with files of its own.
pub struct Server {
    pub directory: TempDir,
    pub port: u16,
    process: Option<Process>,
}

const MISSING: &str = "nats-server is needed: `make install-deps` installs it";

impl Server {
    /// Starts one with these lines in its configuration; `@DIRECTORY@` in them is
    /// its directory.
    pub fn start(config: &str) -> Server {
        Server::start_in(tempfile::tempdir().unwrap(), config)
    }

    /// Starts one at this port.
    pub fn start_at(port: u16) -> Server {
        Server::create(tempfile::tempdir().unwrap(), port, "")
    }

    /// Starts one in a directory where something has been put already.
    pub fn start_in(directory: TempDir, config: &str) -> Server {
        Server::create(directory, free_port(), config)
    }

    fn create(directory: TempDir, port: u16, config: &str) -> Server {
        let config = config.replace("@DIRECTORY@", directory.path().to_str().unwrap());
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

    /// Kills it, if it runs, and starts it on the same files.
    pub fn restart(&mut self) {
        self.process = None;
        let program = std::env::var_os("NATS_SERVER").unwrap_or_else(|| "nats-server".into());
        assert!(Command::new(&program).arg("--version").output().is_ok(), "{MISSING}");
        let mut command = Command::new(program);
        command.arg("--log").arg(self.log()).arg("-c").arg(self.directory.path().join("nats.conf"));
        self.process = Some(Process::start(&mut command));
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            let ended = self.process.as_mut().and_then(|process| process.child.try_wait().unwrap());
            assert!(ended.is_none(), "the server ended: {ended:?}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    fn log(&self) -> PathBuf {
        self.directory.path().join("nats.log")
    }

    /// The requests that the server has refused, from its log.
    pub fn violations(&self) -> Vec<String> {
        let log = fs::read_to_string(self.log()).unwrap();
        log.lines().filter(|line| line.contains("Violation")).map(str::to_string).collect()
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

/// A port that is free now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
