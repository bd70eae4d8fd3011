//! The ways into a server that NATS offers, and what a worker may do there.

use super::{Process, Server, begin, check, lambda6, worker};
use nkeys::KeyPair;
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

/// The accounts that docs/GRID.md recommends.
pub const ACCOUNTS: &str = include_str!("../../../../docs/grid-accounts.conf");

/// Makes a command a user's of these accounts.
pub fn as_user<'a>(command: &'a mut Command, user: &str) -> &'a mut Command {
    command.args(["--user", user]).env("NATS_PASSWORD", format!("{user}-secret"))
}

#[test]
fn a_worker_can_take_jobs_and_return_results_and_nothing_else() {
    let server = Server::start(ACCOUNTS);
    let url = server.url();
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut client = Process::start(as_user(&mut begin(&file, &url, "2000"), "client"));
    let worker = Process::start(as_user(&mut worker(&url, "allowed"), "alice"));
    let status = client.child.wait().unwrap();
    assert!(status.success(), "{status}");
    worker.await_line(" done");
    check(&file);
    // All that a worker asks for is allowed: a server does not answer what is not.
    assert_eq!(server.violations(), [""; 0]);
    // A wrong password opens nothing.
    let mut command = super::worker(&url, "wrong");
    let refused = command.args(["--user", "alice"]).env("NATS_PASSWORD", "guess").output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    // A worker's user cannot run a search: it may not create streams or send jobs.
    let other = directory.path().join("other.l6");
    let mut command = lambda6(&["search", "start", other.to_str().unwrap(), "j10 k10k11"]);
    command.args(["--nats", &url, "--quiet", "--jobs", "1", "--grid", "mine"]);
    let refused = as_user(&mut command, "alice").output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
}

/// Whether a client with these arguments and this variable is let in: it makes
/// its streams and does no job.
fn is_let_in(url: &str, arguments: &[&str], variable: Option<(&str, &str)>) -> bool {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("search.l6");
    let mut command = lambda6(&["search", "start", file.to_str().unwrap(), "j10 k10k11", "--jobs", "0"]);
    command.args(["--quiet", "--nats", url]).args(arguments).envs(variable);
    let output = command.output().unwrap();
    match output.status.code() {
        // The search is not solved.
        Some(1) => true,
        Some(2) => false,
        _ => panic!("{output:?}"),
    }
}

#[test]
fn a_token_opens_the_server() {
    let server = Server::start("authorization { token: secret }");
    assert!(is_let_in(&server.url(), &["--token"], Some(("NATS_TOKEN", "secret"))));
    assert!(!is_let_in(&server.url(), &["--token"], Some(("NATS_TOKEN", "guess"))));
    assert!(!is_let_in(&server.url(), &[], None));
}

#[test]
fn an_nkey_opens_the_server() {
    let (ours, theirs) = (KeyPair::new_user(), KeyPair::new_user());
    let server = Server::start(&format!("authorization {{ users = [ {{ nkey: {} }} ] }}", ours.public_key()));
    let directory = tempfile::tempdir().unwrap();
    let seed = |name: &str, key: &KeyPair| {
        let path = directory.path().join(name);
        fs::write(&path, key.seed().unwrap() + "\n").unwrap();
        path.to_str().unwrap().to_string()
    };
    assert!(is_let_in(&server.url(), &["--nkey", &seed("ours", &ours)], None));
    assert!(!is_let_in(&server.url(), &["--nkey", &seed("theirs", &theirs)], None));
}

/// A claim signed as NATS has it: a JSON web token with an Ed25519 signature.
fn token(by: &KeyPair, subject: &KeyPair, claim: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let encode = |bytes: &[u8]| -> String {
        let group = |chunk: &[u8]| {
            let bits =
                chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
            let digit = move |i: usize| char::from(DIGITS[(bits >> (18 - 6 * i) & 63) as usize]);
            (0..=chunk.len()).map(digit).collect::<String>()
        };
        bytes.chunks(3).map(group).collect()
    };
    let (by_name, name) = (by.public_key(), subject.public_key());
    let body = format!(
        r#"{{"jti":"test","iat":1600000000,"iss":"{by_name}","name":"test","sub":"{name}","nats":{claim}}}"#
    );
    let head = encode(br#"{"typ":"JWT","alg":"ed25519-nkey"}"#);
    let text = format!("{head}.{}", encode(body.as_bytes()));
    let signature = by.sign(text.as_bytes()).unwrap();
    format!("{text}.{}", encode(&signature))
}

#[test]
fn a_credentials_file_opens_the_server() {
    let (operator, account, user) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_user());
    let system = KeyPair::new_account();
    let limits = r#"{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,
        "leaf":-1,"mem_storage":-1,"disk_storage":-1,"streams":-1,"consumer":-1}"#;
    let of_operator = token(&operator, &operator, r#"{"type":"operator","version":2}"#);
    let of_account =
        token(&operator, &account, &format!(r#"{{"limits":{limits},"type":"account","version":2}}"#));
    let of_system = token(&operator, &system, r#"{"type":"account","version":2}"#);
    let of_user = token(&account, &user, r#"{"subs":-1,"data":-1,"payload":-1,"type":"user","version":2}"#);
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("operator.jwt"), of_operator).unwrap();
    let config = format!(
        "operator: \"@DIRECTORY@/operator.jwt\"\nresolver: MEMORY\nsystem_account: {1}\n\
         resolver_preload: {{ {0}: {of_account}, {1}: {of_system} }}",
        account.public_key(),
        system.public_key()
    );
    let credentials = |name: &str, user: &KeyPair| {
        let path = directory.path().join(name);
        let text = format!(
            "-----BEGIN NATS USER JWT-----\n{of_user}\n------END NATS USER JWT------\n\n\
             -----BEGIN USER NKEY SEED-----\n{}\n------END USER NKEY SEED------\n",
            user.seed().unwrap()
        );
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let (ours, theirs) =
        (credentials("ours.creds", &user), credentials("theirs.creds", &KeyPair::new_user()));
    let server = Server::start_in(directory, &config);
    assert!(is_let_in(&server.url(), &["--creds", &ours], None));
    assert!(!is_let_in(&server.url(), &["--creds", &theirs], None));
    assert!(!is_let_in(&server.url(), &[], None));
}

/// Makes an authority, and a certificate that it has signed for 127.0.0.1.
fn certificates(directory: &Path) {
    let openssl = |arguments: &str| {
        let made = Command::new("openssl").args(arguments.split(' ')).current_dir(directory).output();
        let made = made.expect("openssl is needed: `make install-deps` installs it");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    };
    fs::write(directory.join("names"), "subjectAltName=IP:127.0.0.1\n").unwrap();
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!("req -x509 {key} -keyout ca.key -out ca.pem -days 30 -subj /CN=test"));
    for name in ["server", "client"] {
        openssl(&format!("req {key} -keyout {name}.key -out {name}.csr -subj /CN={name}"));
        let sign = "-CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -extfile names";
        openssl(&format!("x509 -req -in {name}.csr {sign} -out {name}.pem"));
    }
}

#[test]
fn tls_with_certificates_on_both_sides() {
    let directory: TempDir = tempfile::tempdir().unwrap();
    certificates(directory.path());
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_string();
    let [ca, certificate, key] = ["ca.pem", "client.pem", "client.key"].map(path);
    let config = "tls { cert_file: \"@DIRECTORY@/server.pem\", key_file: \"@DIRECTORY@/server.key\", \
                  ca_file: \"@DIRECTORY@/ca.pem\", verify: true }";
    let server = Server::start_in(directory, config);
    let both = ["--tls-ca", &ca, "--tls-cert", &certificate, "--tls-key", &key];
    assert!(is_let_in(&server.url(), &both, None));
    // Without a certificate of its own it is not let in, and without the authority's
    // it does not trust the server.
    assert!(!is_let_in(&server.url(), &both[..2], None));
    assert!(!is_let_in(&server.url(), &both[2..], None));
}
