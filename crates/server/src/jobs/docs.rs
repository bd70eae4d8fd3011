//! The documents of job-level searches.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A new search.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewJobs {
    /// Small letters, digits and hyphens: the name of its file.
    pub(crate) name: String,
    /// What is to be solved.
    pub(crate) position: api::PositionSpec,
    /// Whose win: `black` or `white`; the side to move if not given.
    #[serde(default)]
    pub(crate) attacker: Option<String>,
    /// How nodes are chosen while jobs are under way; `mf-ve` if not given.
    #[serde(default)]
    pub(crate) policy: Option<String>,
    /// Moves that a job may try; 200,000 if not given.
    #[serde(default)]
    pub(crate) job_nodes: Option<u64>,
    /// Who does the jobs: `threads` of the server (if not given), or the workers of its `grid`.
    #[serde(default)]
    pub(crate) workers: Option<String>,
    /// Worker threads; as many as are allowed if not given.
    #[serde(default)]
    pub(crate) threads: Option<usize>,
}

/// How to go on with a search.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoRequest {
    /// Who does the jobs: `threads` of the server (if not given), or the workers of its `grid`.
    #[serde(default)]
    pub(crate) workers: Option<String>,
    /// Worker threads; as many as are allowed if not given.
    #[serde(default)]
    pub(crate) threads: Option<usize>,
}

/// An order to a search.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SteerRequest {
    /// `suggest`, `forbid`, `allow`, `force`, `verify`, `pause` or `resume`.
    pub(crate) order: String,
    /// The number of the node; 0 is the root.
    pub(crate) node: u32,
    /// For the first three, the move.
    #[serde(default)]
    pub(crate) r#move: Option<String>,
}

/// A search, and whether somebody works on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct JobsDoc {
    /// Its name.
    pub(crate) name: String,
    /// The position to be solved.
    pub(crate) game: String,
    /// Its stones.
    pub(crate) start: api::Stones,
    /// Whose win is to be proved.
    pub(crate) attacker: String,
    /// How nodes are chosen.
    pub(crate) policy: String,
    /// `running` (here), `elsewhere` (in another process, perhaps with workers on other machines)
    /// or `stopped`.
    pub(crate) state: String,
    /// Nodes of its tree.
    pub(crate) nodes: usize,
    /// `black`, `white` or `draw` if it is solved.
    pub(crate) value: Option<String>,
    /// Why a file cannot be read, if it cannot.
    pub(crate) trouble: Option<String>,
}

/// All searches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobsList {
    /// By name.
    pub(crate) searches: Vec<JobsDoc>,
    /// Worker threads that a search may have here.
    pub(crate) threads: usize,
    /// The name of the grid whose workers can do the jobs, if there is one.
    pub(crate) grid: Option<String>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct JobNode {
    /// The root is 0.
    pub(crate) id: u32,
    /// The node before it.
    pub(crate) parent: Option<u32>,
    /// The move between them.
    pub(crate) r#move: Option<String>,
    /// Who moves here.
    pub(crate) to_move: String,
    /// What the job thought of it.
    pub(crate) status: String,
    /// The proof number; nothing for infinity.
    pub(crate) proof: Option<u32>,
    /// The disproof number; nothing for infinity.
    pub(crate) disproof: Option<u32>,
    /// `black`, `white` or `draw` for what is proved.
    pub(crate) value: Option<String>,
    /// Whether every other move is proved to lose.
    pub(crate) complete: bool,
    /// Whether a job is about it.
    pub(crate) running: bool,
    /// `paused`, `forbidden` or `set-aside`.
    pub(crate) mark: Option<String>,
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct WorkerDoc {
    /// Its name.
    pub(crate) name: String,
    /// The job that it is at, in words.
    pub(crate) job: Option<String>,
    /// For a worker of another process, the jobs that it has done.
    pub(crate) done: Option<u64>,
    /// The moves that it has tried for its job, or for those it has done.
    pub(crate) nodes: u64,
    /// Its speed, in moves a second: since the last look, or over the jobs it has done.
    pub(crate) speed: u64,
    /// Why it gets no jobs, if it does not.
    pub(crate) trouble: Option<String>,
}

impl WorkerDoc {
    /// A worker of a search that another process works on: it is known by what it
    /// has done.
    pub(crate) fn elsewhere(done: jobs::Done) -> WorkerDoc {
        let speed = (done.nodes.saturating_mul(1000)).checked_div(done.millis).unwrap_or(0);
        WorkerDoc {
            name: done.worker,
            job: None,
            done: Some(done.jobs),
            nodes: done.nodes,
            speed,
            trouble: None,
        }
    }
}

/// What is new of a search: the event `tree`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TreeNews {
    /// As in a JobsDoc.
    pub(crate) state: String,
    /// How many nodes there are.
    pub(crate) total: usize,
    /// Those that are new or have changed; in the first event all.
    pub(crate) nodes: Vec<JobNode>,
    /// The best line, as numbers of nodes.
    pub(crate) line: Vec<u32>,
    /// Jobs that were done.
    pub(crate) done: u64,
    /// Jobs that are under way.
    pub(crate) running: usize,
    /// The workers that are there; of a search that another process works on those that have done
    /// jobs for it.
    pub(crate) workers: Vec<WorkerDoc>,
    /// The last thing that went wrong.
    pub(crate) trouble: Option<String>,
}
