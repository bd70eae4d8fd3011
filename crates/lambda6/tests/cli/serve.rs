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
    assert!(fails(&["--token-file", "/no/such/file"]).contains("/no/such/file: cannot be read"));
    assert!(fails(&["--token"]).contains("--nats, which is not given"));
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    assert!(fails(&["--listen", &address]).contains(&format!("cannot listen on {address}")));
}
