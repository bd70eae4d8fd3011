//! The tables of a search's file and the text in their columns.

use crate::{
    End, FieldError, Origin, Settings, Value,
    policy::PolicyParseError,
    wire::{method, position},
};
use lambda6_rules::Side;
use lambda6_search::Limits;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// Tells the file from other databases: "lam6".
pub(super) const APPLICATION_ID: i64 = 0x6c61_6d36;
/// Counts up when the tables change.
pub(super) const VERSION: i64 = 2;

pub(super) const TABLES: &str = "
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
-- The tree. Node 0 is the position of the settings; `move` leads from the parent to the node. `own` is what a
-- proof says about the node itself ('black', 'white' or 'draw'), `others` the proof that all moves but the
-- children lose.
CREATE TABLE nodes (
    id        INTEGER PRIMARY KEY,
    parent    INTEGER REFERENCES nodes(id),
    move      TEXT NOT NULL,
    status    TEXT NOT NULL,
    origin    TEXT NOT NULL,
    own       TEXT,
    proof     TEXT,
    others    TEXT,
    paused    INTEGER NOT NULL DEFAULT 0,
    forbidden INTEGER NOT NULL DEFAULT 0,
    set_aside INTEGER NOT NULL DEFAULT 0
) STRICT;
-- The jobs. `state` is 'running' (with no attempts: waiting for a worker) until it is 'done', 'known', 'aborted',
-- 'set-aside' or 'dropped'.
CREATE TABLE jobs (
    id       INTEGER PRIMARY KEY,
    node     INTEGER NOT NULL REFERENCES nodes(id),
    kind     TEXT NOT NULL,
    excluded TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    state    TEXT NOT NULL,
    worker   TEXT NOT NULL DEFAULT '',
    nodes    INTEGER NOT NULL DEFAULT 0,
    millis   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX jobs_by_state ON jobs(state);
-- The proofs, by the SHA-256 of their text. `text` is compressed with zstd.
CREATE TABLE proofs (
    id       TEXT PRIMARY KEY,
    attacker TEXT NOT NULL,
    replies  INTEGER NOT NULL,
    text     BLOB NOT NULL
) STRICT, WITHOUT ROWID;
-- Answers that have been checked, by what they depend on.
CREATE TABLE answers (
    key    TEXT PRIMARY KEY,
    answer TEXT NOT NULL
) STRICT, WITHOUT ROWID;
-- What people asked for. `state` is 'waiting' until it is 'done' or 'refused'.
CREATE TABLE orders (
    id     INTEGER PRIMARY KEY AUTOINCREMENT,
    words  TEXT NOT NULL,
    state  TEXT NOT NULL DEFAULT 'waiting',
    answer TEXT NOT NULL DEFAULT ''
) STRICT;
-- What the workers were doing when the process that works on the search last looked (`seen`, in seconds since 1970).
CREATE TABLE workers (
    name    TEXT PRIMARY KEY,
    job     TEXT,
    nodes   INTEGER NOT NULL,
    trouble TEXT,
    seen    INTEGER NOT NULL
) STRICT;
";

pub(super) fn value_name(value: Value) -> &'static str {
    match value {
        Value::Win(side) => side.name(),
        Value::Draw => "draw",
    }
}

pub(super) fn value(text: &str) -> Result<Value, FieldError> {
    match text {
        "draw" => Ok(Value::Draw),
        _ => {
            let side = text.parse::<Side>().map(Value::Win);
            side.map_err(|_| FieldError::new("own", "expected black, white or draw"))
        }
    }
}

pub(super) fn origin_name(origin: Origin) -> &'static str {
    match origin {
        Origin::Root => "root",
        Origin::Job => "job",
        Origin::Verifier => "verifier",
        Origin::Person => "person",
    }
}

pub(super) fn origin(text: &str) -> Result<Origin, FieldError> {
    [Origin::Root, Origin::Job, Origin::Verifier, Origin::Person]
        .into_iter()
        .find(|&origin| origin_name(origin) == text)
        .ok_or_else(|| FieldError::new("origin", "expected root, job, verifier or person"))
}

pub(super) fn end(text: &str) -> Option<End> {
    End::ALL.into_iter().find(|end| end.name() == text)
}

/// The settings as names and values.
pub(super) fn settings_rows(settings: &Settings) -> Vec<(&'static str, String)> {
    let limit = |limit: Option<u64>| limit.map_or(String::new(), |limit| limit.to_string());
    vec![
        ("position", settings.root.setup().to_string()),
        ("attacker", settings.attacker.to_string()),
        ("policy", settings.policy.to_string()),
        ("job-nodes", limit(settings.limits.nodes)),
        ("job-millis", limit(settings.limits.time.map(|time| time.as_millis() as u64))),
        ("verify", settings.verify.to_string()),
        ("method", settings.method.name().to_string()),
        ("build", settings.build.clone()),
    ]
}

/// A name made from the settings, for systems without randomness.
pub(super) fn name_of(settings: &Settings) -> String {
    let rows = settings_rows(settings);
    let text: String = rows.iter().map(|(name, value)| format!("{name} {value}\n")).collect();
    crate::job::hex(&Sha256::digest(text)[..8])
}

/// Reads the settings back.
pub(super) fn settings(get: impl Fn(&str) -> Option<String>) -> Result<Settings, FieldError> {
    let text = |name: &'static str| get(name).ok_or_else(|| FieldError::new(name, "is missing"));
    let limit = |name: &'static str| match text(name)?.as_str() {
        "" => Ok(None),
        number => number.parse().map(Some).map_err(|_| FieldError::new(name, "expected a number")),
    };
    let attacker = text("attacker")?.parse();
    let policy = text("policy")?.parse();
    Ok(Settings {
        root: position("position", &text("position")?)?,
        attacker: attacker
            .map_err(|error: lambda6_rules::SideParseError| FieldError::new("attacker", error))?,
        policy: policy.map_err(|error: PolicyParseError| FieldError::new("policy", error))?,
        limits: Limits {
            depth: None,
            nodes: limit("job-nodes")?,
            time: limit("job-millis")?.map(Duration::from_millis),
        },
        verify: text("verify")? == "true",
        method: method("method", &text("method")?)?,
        build: text("build")?,
    })
}
