//! A search in an SQLite file.
//!
//! A commit writes one to three rows per job, and a job takes a second or more, so
//! that the speed of the store does not matter; the `sqlite3` tool can read the
//! file. Every commit is one transaction with `synchronous=FULL`: committed changes
//! survive kill -9 and a power cut.

use super::{Store, StoreError, schema};
use crate::{
    Answer, Change, End, Ended, FieldError, Job, JobId, JobKey, JobProof, NodeId, Origin, ProofId, Search,
    Settings, Status,
    wire::{self, AnswerText},
};
use lambda6_rules::Game;
use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, Transaction, params};
use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, ErrorKind},
    path::{Path, PathBuf},
    time::Duration,
};

/// A search in a file.
pub struct SqliteStore {
    pub(super) path: String,
    pub(super) db: Connection,
    settings: Settings,
    /// Locked while this process works on the search.
    _lock: Option<File>,
}

/// How long a process waits for the transaction of another one.
const BUSY: Duration = Duration::from_secs(30);
/// The number of attempts to take the lock, and the pause between them.
const LOCK_ATTEMPTS: u32 = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(10);
const COMPRESSION: i32 = 3;
/// The longest proof that is read back, in bytes of text.
const MAX_PROOF: usize = 1 << 30;

impl SqliteStore {
    /// Makes the file of a new search. An existing file is an error.
    pub fn create(path: &Path, settings: &Settings) -> Result<(), StoreError> {
        let name = path.display().to_string();
        let file = |source| StoreError::File { path: name.clone(), source };
        if path.exists() {
            return Err(file(ErrorKind::AlreadyExists.into()));
        }
        // Written under another name first: a process that is killed here leaves no
        // incomplete file.
        let mut draft = path.as_os_str().to_owned();
        draft.push(format!(".new-{}", std::process::id()));
        let draft = Path::new(&draft);
        let made = SqliteStore::fill(draft, settings)
            .map_err(|source| StoreError::Database { path: name.clone(), source })
            .and_then(|()| publish(draft, path).map_err(file));
        if made.is_err() {
            // The incomplete file is of no use.
            let _ = fs::remove_file(draft);
        }
        made
    }

    fn fill(path: &Path, settings: &Settings) -> rusqlite::Result<()> {
        let mut db = Connection::open(path)?;
        db.pragma_update(None, "journal_mode", "wal")?;
        let transaction = db.transaction()?;
        transaction.execute_batch(schema::TABLES)?;
        let name = ("name", unique_name().unwrap_or_else(|| schema::name_of(settings)));
        for (name, value) in schema::settings_rows(settings).into_iter().chain([name]) {
            transaction.execute("INSERT INTO settings VALUES (?1, ?2)", params![name, value])?;
        }
        let root = "INSERT INTO nodes (id, move, status, origin) VALUES (0, '', 'unstable2', 'root')";
        transaction.execute(root, [])?;
        transaction.pragma_update(None, "user_version", schema::VERSION)?;
        transaction.pragma_update(None, "application_id", schema::APPLICATION_ID)?;
        transaction.commit()?;
        // The last connection removes the write-ahead log.
        db.close().map_err(|(_, error)| error)
    }

    /// Opens a search to work on it, which one process at a time can do.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let name = path.display().to_string();
        let file = |source| StoreError::File { path: name.clone(), source };
        if !path.is_file() {
            return Err(file(ErrorKind::NotFound.into()));
        }
        let lock =
            File::options().create(true).append(true).open(SqliteStore::lock_file(path)).map_err(file)?;
        for attempt in 1.. {
            match lock.try_lock() {
                Ok(()) => break,
                // Another process may hold it for a moment to see whether it is free.
                Err(std::fs::TryLockError::WouldBlock) if attempt < LOCK_ATTEMPTS => {
                    std::thread::sleep(LOCK_PAUSE);
                }
                Err(std::fs::TryLockError::WouldBlock) => return Err(StoreError::Locked { path: name }),
                Err(std::fs::TryLockError::Error(source)) => return Err(file(source)),
            }
        }
        SqliteStore { _lock: Some(lock), ..SqliteStore::connect(path)? }.checked()
    }

    /// The file that a process locks while it works on a search.
    pub(super) fn lock_file(path: &Path) -> PathBuf {
        let mut lock = path.as_os_str().to_owned();
        lock.push(".lock");
        lock.into()
    }

    /// Opens a search to look at it and to leave orders, while another process
    /// may be working on it.
    pub fn visit(path: &Path) -> Result<SqliteStore, StoreError> {
        SqliteStore::connect(path)?.checked()
    }

    fn connect(path: &Path) -> Result<SqliteStore, StoreError> {
        let name = path.display().to_string();
        let failed = |source| StoreError::Database { path: name.clone(), source };
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(path, flags).map_err(failed)?;
        db.busy_timeout(BUSY).map_err(failed)?;
        let pragma = |pragma: &str| db.query_row(pragma, [], |row| row.get::<_, i64>(0));
        let foreign = |what: String| StoreError::Foreign { path: name.clone(), what };
        let is_ours = pragma("PRAGMA application_id").map_err(failed)? == schema::APPLICATION_ID;
        if !is_ours {
            return Err(foreign("is not the file of a search".to_string()));
        }
        let version = pragma("PRAGMA user_version").map_err(failed)?;
        if version != schema::VERSION {
            let what = format!("has tables of version {version}, this program knows {}", schema::VERSION);
            return Err(foreign(what));
        }
        db.pragma_update(None, "synchronous", "full").map_err(failed)?;
        db.pragma_update(None, "foreign_keys", "on").map_err(failed)?;
        let get = |key: &str| {
            let query = "SELECT value FROM settings WHERE name = ?1";
            db.query_row(query, [key], |row| row.get::<_, String>(0)).optional().ok().flatten()
        };
        let settings = schema::settings(get).map_err(|FieldError { field, what }| StoreError::Damaged {
            path: name.clone(),
            table: "settings",
            row: field.to_string(),
            what,
        })?;
        Ok(SqliteStore { path: name, db, settings, _lock: None })
    }

    /// Reads everything once, so that a damaged file is noticed when it is opened.
    fn checked(self) -> Result<SqliteStore, StoreError> {
        self.load()?;
        Ok(self)
    }

    /// A name that no other search has.
    pub fn name(&self) -> Result<String, StoreError> {
        let query = "SELECT value FROM settings WHERE name = 'name'";
        self.db.query_row(query, [], |row| row.get(0)).map_err(|source| self.failed(source))
    }

    /// The settings of the search.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn game(&self) -> Game {
        self.settings.root.game()
    }

    pub(super) fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::Database { path: self.path.clone(), source }
    }

    fn damaged(&self, table: &'static str, row: impl ToString, what: String) -> StoreError {
        StoreError::Damaged { path: self.path.clone(), table, row: row.to_string(), what }
    }

    /// The changes from which the search can be restored, nodes first, then jobs.
    pub fn changes(&self) -> Result<Vec<Change>, StoreError> {
        // One transaction, so that nodes and jobs belong to the same commit.
        let failed = |source| self.failed(source);
        let snapshot = self.db.unchecked_transaction().map_err(failed)?;
        let mut changes = Vec::new();
        let mut query = snapshot
            .prepare(
                "SELECT id, parent, move, status, origin, own, proof, others, paused, forbidden, set_aside \
                 FROM nodes ORDER BY id",
            )
            .map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            self.node_changes(row, &mut changes)?;
        }
        let last: Option<i64> = snapshot
            .query_row("SELECT max(id) FROM jobs WHERE state <> 'running'", [], |row| row.get(0))
            .map_err(failed)?;
        if let Some(id) = last {
            changes.push(Change::Ended { id: JobId(id as u64), how: Ended::by_nobody(End::Done) });
        }
        let mut query = snapshot
            .prepare(
                "SELECT id, node, kind, excluded, attempts FROM jobs WHERE state = 'running' ORDER BY id",
            )
            .map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            changes.push(Change::Job(self.job(row)?));
        }
        Ok(changes)
    }

    fn node_changes(&self, row: &Row<'_>, changes: &mut Vec<Change>) -> Result<(), StoreError> {
        let failed = |source| self.failed(source);
        let id: u32 = row.get(0).map_err(failed)?;
        let bad = |what: String| self.damaged("nodes", id, what);
        let node = NodeId(id);
        let text = |column: usize| row.get::<_, String>(column).map_err(failed);
        if let Some(parent) = row.get::<_, Option<u32>>(1).map_err(failed)? {
            if parent >= id {
                return Err(bad(format!("parent: expected a number below {id}, found {parent}")));
            }
            let unread = |error: FieldError| bad(error.to_string());
            let mv = wire::parse_move(self.game(), "move", &text(2)?).map_err(unread)?;
            let status: Status = text(3)?.parse().map_err(|error| bad(format!("status: {error}")))?;
            let origin: Origin = schema::origin(&text(4)?).map_err(unread)?;
            changes.push(Change::Node { id: node, parent: NodeId(parent), mv, status, origin });
        }
        let proof = |column: usize| row.get::<_, Option<String>>(column).map_err(failed);
        if let Some(own) = proof(5)? {
            let value = schema::value(&own).map_err(|error| bad(error.to_string()))?;
            changes.push(Change::Own { node, value, proof: proof(6)?.map(ProofId) });
        }
        if let Some(others) = proof(7)? {
            changes.push(Change::Others { node, proof: ProofId(others) });
        }
        let mark = |column: usize| row.get::<_, bool>(column).map_err(failed);
        let (paused, forbidden, set_aside) = (mark(8)?, mark(9)?, mark(10)?);
        if paused || forbidden || set_aside {
            changes.push(Change::Marks { node, paused, forbidden, set_aside });
        }
        Ok(())
    }

    fn job(&self, row: &Row<'_>) -> Result<Job, StoreError> {
        let failed = |source| self.failed(source);
        let id: i64 = row.get(0).map_err(failed)?;
        let bad = |error: FieldError| self.damaged("jobs", id, error.to_string());
        let text = |column: usize| row.get::<_, String>(column).map_err(failed);
        Ok(Job {
            id: JobId(id as u64),
            node: NodeId(row.get(1).map_err(failed)?),
            kind: wire::kind("kind", &text(2)?).map_err(bad)?,
            excluded: wire::moves(self.game(), "excluded", text(3)?.split_whitespace()).map_err(bad)?,
            attempts: row.get(4).map_err(failed)?,
        })
    }
}

/// Gives a file its name, unless a file of that name exists. Of two processes that
/// try at once only one succeeds.
fn publish(draft: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(draft, path) {
        Ok(()) => fs::remove_file(draft),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // Not all file systems have links.
        Err(_) if path.exists() => Err(ErrorKind::AlreadyExists.into()),
        Err(_) => fs::rename(draft, path),
    }
}

/// Sixteen random hexadecimal digits; `None` where the system has no randomness.
fn unique_name() -> Option<String> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    Some(crate::job::hex(&bytes))
}

/// Writes one change.
fn write(transaction: &Transaction<'_>, game: Game, change: &Change) -> rusqlite::Result<()> {
    let run = |sql: &str, values: &[&dyn rusqlite::ToSql]| {
        transaction.prepare_cached(sql)?.execute(values).map(|_| ())
    };
    match change {
        Change::Node { id, parent, mv, status, origin } => run(
            "INSERT INTO nodes (id, parent, move, status, origin) VALUES (?1, ?2, ?3, ?4, ?5)",
            &[&id.0, &parent.0, &game.move_name(mv), &status.to_string(), &schema::origin_name(*origin)],
        ),
        Change::Own { node, value, proof } => run(
            "UPDATE nodes SET own = ?2, proof = ?3 WHERE id = ?1",
            &[&node.0, &schema::value_name(*value), &proof.as_ref().map(|id| &id.0)],
        ),
        Change::Others { node, proof } => {
            run("UPDATE nodes SET others = ?2 WHERE id = ?1", &[&node.0, &proof.0])
        }
        Change::Marks { node, paused, forbidden, set_aside } => run(
            "UPDATE nodes SET paused = ?2, forbidden = ?3, set_aside = ?4 WHERE id = ?1",
            &[&node.0, paused, forbidden, set_aside],
        ),
        Change::Proof { id, proof } => {
            let text = zstd::bulk::compress(proof.text(game).as_bytes(), COMPRESSION)
                .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
            run(
                "INSERT OR IGNORE INTO proofs VALUES (?1, ?2, ?3, ?4)",
                &[&id.0, &proof.attacker.name(), &(proof.replies.len() as i64), &text],
            )
        }
        Change::Job(job) => {
            let excluded: Vec<String> = job.excluded.iter().map(|mv| game.move_name(mv)).collect();
            run(
                "INSERT INTO jobs (id, node, kind, excluded, attempts, state) \
                 VALUES (?1, ?2, ?3, ?4, ?5, 'running') ON CONFLICT (id) DO UPDATE SET attempts = ?5",
                &[&(job.id.0 as i64), &job.node.0, &job.kind.name(), &excluded.join(" "), &job.attempts],
            )
        }
        Change::Ended { id, how: Ended { end, worker, nodes, millis } } => run(
            "UPDATE jobs SET state = ?2, worker = ?3, nodes = ?4, millis = ?5 WHERE id = ?1",
            &[&(id.0 as i64), &end.name(), worker, &(*nodes as i64), &(*millis as i64)],
        ),
        Change::Answer { key, answer } => {
            let text = serde_json::to_string(&AnswerText::new(game, answer))
                .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))?;
            run("INSERT OR REPLACE INTO answers VALUES (?1, ?2)", &[&key.0, &text])
        }
    }
}

impl Store for SqliteStore {
    fn commit(&mut self, changes: &[Change]) -> Result<(), StoreError> {
        let game = self.game();
        let mut commit = || {
            let transaction = self.db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
            changes.iter().try_for_each(|change| write(&transaction, game, change))?;
            transaction.commit()
        };
        commit().map_err(|source| StoreError::Database { path: self.path.clone(), source })
    }

    fn load(&self) -> Result<Search, StoreError> {
        let mut search = Search::new(self.settings.clone());
        for change in self.changes()? {
            // The file may have been changed by hand: it is not trusted.
            let (table, row) = match &change {
                Change::Node { id, .. } => ("nodes", id.to_string()),
                Change::Job(job) => ("jobs", job.id.to_string()),
                _ => ("nodes", String::new()),
            };
            let fits = match &change {
                Change::Node { id, parent, mv, .. } => {
                    let tree = search.tree();
                    if id.0 as usize == tree.len() && tree.child(*parent, mv).is_none() {
                        tree.position(*parent).play(mv).map_err(|error| error.to_string())
                    } else {
                        Err("the numbers have a gap, or the move stands twice".into())
                    }
                }
                Change::Job(job) if !search.tree().has(job.node) => Err("there is no such node".into()),
                _ => Ok(()),
            };
            fits.map_err(|what| self.damaged(table, row, what))?;
            search.restore(change);
        }
        Ok(search)
    }

    fn answer(&self, key: &JobKey) -> Result<Option<Answer>, StoreError> {
        let query = "SELECT answer FROM answers WHERE key = ?1";
        let text = self
            .db
            .prepare_cached(query)
            .and_then(|mut query| query.query_row([&key.0], |row| row.get::<_, String>(0)).optional());
        let Some(text) = text.map_err(|source| self.failed(source))? else { return Ok(None) };
        let bad = |what: String| self.damaged("answers", &key.0, what);
        let text: AnswerText = serde_json::from_str(&text).map_err(|error| bad(error.to_string()))?;
        let proof = text.proof().map(|id| self.proof(&id)).transpose()?.flatten();
        text.answer(self.game(), proof).map(Some).map_err(|error| bad(error.to_string()))
    }

    fn proof(&self, id: &ProofId) -> Result<Option<JobProof>, StoreError> {
        let query = "SELECT text FROM proofs WHERE id = ?1";
        let bytes = self.db.query_row(query, [&id.0], |row| row.get::<_, Vec<u8>>(0)).optional();
        let Some(bytes) = bytes.map_err(|source| self.failed(source))? else { return Ok(None) };
        let bad = |what: String| self.damaged("proofs", &id.0, what);
        let text = zstd::bulk::decompress(&bytes, MAX_PROOF).map_err(|error| bad(error.to_string()))?;
        let text = String::from_utf8(text).map_err(|error| bad(error.to_string()))?;
        JobProof::parse(self.game(), &text).map(Some).map_err(|error| bad(error.to_string()))
    }

    fn ended(&self) -> Result<BTreeMap<End, u64>, StoreError> {
        let failed = |source| self.failed(source);
        let mut query = self
            .db
            .prepare("SELECT state, count(*) FROM jobs WHERE state <> 'running' GROUP BY state")
            .map_err(failed)?;
        let mut rows = query.query([]).map_err(failed)?;
        let mut counts = BTreeMap::new();
        while let Some(row) = rows.next().map_err(failed)? {
            let state: String = row.get(0).map_err(failed)?;
            if let Some(end) = schema::end(&state) {
                counts.insert(end, row.get::<_, i64>(1).map_err(failed)? as u64);
            }
        }
        Ok(counts)
    }
}
