//! Lists the searches of the directory.

use super::{
    EXTENSION, Jobs,
    documents::{JobsDoc, JobsList},
    locked,
};
use lambda6_api::{Atlas, PositionSpec, Stones};
use lambda6_jobs::{SqliteStore, Store, Value};
use lambda6_rules::Position;
use std::{fs, path::Path, sync::atomic::Ordering, time::SystemTime};

/// Identifies the state of a file and of its write-ahead log by their lengths and
/// times of last change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp([Option<(u64, SystemTime)>; 2]);

impl Stamp {
    pub(crate) fn of(file: &Path) -> Stamp {
        let stamp = |path: &Path| {
            let found = fs::metadata(path).ok()?;
            Some((found.len(), found.modified().ok()?))
        };
        let mut log = file.as_os_str().to_owned();
        log.push("-wal");
        Stamp([stamp(file), stamp(Path::new(&log))])
    }
}

/// The contents of a search's file in short.
#[derive(Clone)]
pub(crate) struct FileSummary {
    doc: JobsDoc,
    /// The position and its value, if it has one.
    solved: Option<(Position, Value)>,
}

impl Jobs {
    pub(crate) fn list(&self) -> JobsList {
        let searches = self.names().iter().map(|name| self.summary(name).doc).collect();
        let grid = self.nats.as_ref().map(|nats| nats.grid.to_string());
        JobsList { searches, threads: self.threads, grid }
    }

    /// The atlas with what the searches have found.
    pub(crate) fn atlas(&self) -> Atlas {
        let mut atlas = Atlas::all().clone();
        for name in self.names() {
            if let Some((root, Value::Win(side))) = self.summary(&name).solved {
                atlas.enter(&root, side, &name);
            }
        }
        atlas
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.directory).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == EXTENSION))
            .filter_map(|path| Some(path.file_stem()?.to_str()?.to_string()))
            .filter(|name| self.file(name).is_ok())
            .collect();
        names.sort_unstable();
        names
    }

    /// The summary of a search. Its file is read only if it has changed.
    fn summary(&self, name: &str) -> FileSummary {
        let path = self.directory.join(format!("{name}.{EXTENSION}"));
        let state = self.state(name, &path);
        let stamp = Stamp::of(&path);
        let old = locked(&self.summaries)
            .get(name)
            .filter(|(old, _)| *old == stamp)
            .map(|(_, known)| known.clone());
        let known = old.unwrap_or_else(|| {
            let known = read(name, &path);
            locked(&self.summaries).insert(name.to_string(), (stamp, known.clone()));
            known
        });
        FileSummary { doc: JobsDoc { state, ..known.doc }, ..known }
    }

    pub(super) fn state(&self, name: &str, path: &Path) -> String {
        let ours = self.running(name).is_some_and(|running| !running.over.load(Ordering::Relaxed));
        let state = if ours {
            "running"
        } else if SqliteStore::is_at_work(path).unwrap_or(false) {
            "elsewhere"
        } else {
            "stopped"
        };
        state.to_string()
    }
}

fn read(name: &str, path: &Path) -> FileSummary {
    let nothing = JobsDoc {
        name: name.to_string(),
        game: String::new(),
        start: Stones { black: vec![], white: vec![], to_move: "black".to_string() },
        attacker: String::new(),
        policy: String::new(),
        state: String::new(),
        nodes: 0,
        value: None,
        trouble: None,
    };
    let loaded = SqliteStore::visit(path).and_then(|store| store.load());
    match loaded {
        Ok(search) => {
            let settings = search.settings();
            let root = settings.root.clone();
            let value = search.value();
            let doc = JobsDoc {
                game: root.game().to_string(),
                start: PositionSpec::of(&root).start.unwrap_or(nothing.start.clone()),
                attacker: settings.attacker.name().to_string(),
                policy: settings.policy.to_string(),
                nodes: search.tree().len(),
                value: value.map(|value| match value {
                    Value::Win(side) => side.name().to_string(),
                    Value::Draw => "draw".to_string(),
                }),
                ..nothing
            };
            FileSummary { doc, solved: value.map(|value| (root, value)) }
        }
        Err(error) => {
            FileSummary { doc: JobsDoc { trouble: Some(error.to_string()), ..nothing }, solved: None }
        }
    }
}
