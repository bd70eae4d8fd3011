//! `lambda6 serve`: the program as a server.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpStream},
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A server that ends with the test.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(arguments: &[&str]) -> (Server, serde_json::Value) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lambda6"))
        .arg("serve")
        .arg("--json")
        .args(arguments)
        .env_remove("LAMBDA6_TOKEN")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let said: serde_json::Value = serde_json::from_str(&line).unwrap();
    let address = said["address"].as_str().unwrap().to_string();
    (Server { child, address }, said)
}

impl Server {
    fn open(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        // Not a limit that a slow machine meets, but an end to a test that hangs.
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream
    }

    fn get(&self, path: &str) -> String {
        read(self.open(&format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")))
    }
}

fn read(mut stream: TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn the_page_is_part_of_the_program() {
    let (server, said) = serve(&["--listen", "127.0.0.1:0"]);
    assert_eq!((&said["kind"], &said["schema"]), (&"serve".into(), &1.into()));
    assert!(server.get("/").contains("<title>lambda6</title>"));
    assert!(server.get("/api/v1/about").contains("\"api\":1"));
}

#[test]
fn five_hundred_clients_at_once_are_all_answered() {
    let (server, _) = serve(&["--listen", "127.0.0.1:0"]);
    let body = r#"{"moves":["j10","i8h9"]}"#;
    let request = format!(
        "POST /api/v1/position HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    // All have asked before the first is listened to.
    let clients: Vec<TcpStream> = (0..500).map(|_| server.open(&request)).collect();
    for client in clients {
        let reply = read(client);
        assert!(reply.starts_with("HTTP/1.1 200") && reply.contains("TX-H9"), "{reply}");
    }
    // And five hundred that ask for a search and go away without listening.
    let request = request.replace("/position", "/play").replace(body, r#"{"position":{},"x":""}"#);
    for _ in 0..500 {
        let _ = server.open(&request).shutdown(Shutdown::Both);
    }
    assert!(server.get("/api/v1/about").starts_with("HTTP/1.1 200"));
}

#[test]
fn other_machines_need_a_token() {
    let (server, said) = serve(&["--listen", "0.0.0.0:0"]);
    assert!(said["url"].as_str().unwrap().contains("#token="), "{said}");
    let address = server.address.replace("0.0.0.0", "127.0.0.1");
    let server = Server { address, child: Command::new("true").spawn().unwrap() };
    assert!(server.get("/api/v1/about").starts_with("HTTP/1.1 401"));
    assert!(server.get("/").starts_with("HTTP/1.1 200"));
}

#[test]
fn bad_arguments_are_errors() {
    let fails = |arguments: &[&str]| {
        let output =
            Command::new(env!("CARGO_BIN_EXE_lambda6")).arg("serve").args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(fails(&["--listen", "nowhere"]).contains("--listen"));
    assert!(fails(&["--token-file", "/no/such/file"]).contains("/no/such/file: there is no such file"));
    assert!(fails(&["--token"]).contains("--nats, which is not given"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(fails(&["--listen", &address]).contains(&format!("cannot listen on {address}")));
}

/// The memory of a process in MiB.
#[cfg(target_os = "linux")]
fn resident(process: u32) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() / 1024
}

/// Twenty uploads that never end. Without limits they hold their whole length, and
/// without a limit on what the allocator keeps it stays there when they are gone.
#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_during_unfinished_uploads_and_goes_back_after_them() {
    const CERTIFICATE: &str = "connect-proof 1\ngame: 3 3 3 1 1\nblack: a1 b1\nwhite: a3 b2\nto-move: black\n\
        attacker: black\nmethod: rzop\nreplies: 1\n\nc1\n";
    // What threads and connections keep: 60 MiB over twelve loads. Without the purge of
    // freed memory it is 140 to 280 MiB.
    const KEPT: usize = 100;
    let data = tempfile::tempdir().unwrap();
    let (server, _) = serve(&["--listen", "127.0.0.1:0", "--data", data.path().to_str().unwrap()]);
    let process = server.child.id();
    let idle = resident(process);
    for (path, length, begin) in [("proofs", 60 << 20, CERTIFICATE), ("record/read", 30 << 20, "(;FF[4]")] {
        let head = format!(
            "POST /api/v1/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n\
             Content-Length: {length}\r\n\r\n{begin}"
        );
        let rest = vec![b' '; length - begin.len() - 1];
        let streams: Vec<TcpStream> = std::thread::scope(|scope| {
            let sending: Vec<_> = (0..20)
                .map(|_| {
                    scope.spawn(|| {
                        let mut stream = server.open(&head);
                        stream.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
                        // The server refuses the upload, or does not read it yet.
                        let _ = stream.write_all(&rest);
                        stream
                    })
                })
                .collect();
            sending.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        // Budgets of 128 and 64 MiB, and a copy while a buffer grows.
        let during = resident(process);
        assert!(during < idle + 256, "{path}: {during} MiB with {idle} MiB before");
        drop(streams);
        let begun = std::time::Instant::now();
        while resident(process) > idle + KEPT && begun.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let after = resident(process);
        assert!(after <= idle + KEPT, "{path}: {after} MiB after the load, {idle} MiB before");
    }
}
