//! Documents of job-level searches.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A new search.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewJobs {
    /// The name of its file: small letters, digits and hyphens.
    pub(crate) name: String,
    /// The position to solve.
    pub(crate) position: lambda6_api::PositionSpec,
    /// Whose win: `black` or `white`; the side to move if not given.
    #[serde(default)]
    pub(crate) attacker: Option<String>,
    /// How nodes are chosen while jobs are under way; `mf-ve` if not given.
    #[serde(default)]
    pub(crate) policy: Option<String>,
    /// Moves that a job may try; 200,000 if not given.
    #[serde(default)]
    pub(crate) job_nodes: Option<u64>,
    /// The workers: `threads` of the server (if not given), or those of its `grid`.
    #[serde(default)]
    pub(crate) workers: Option<String>,
    /// Worker threads; as many as are allowed if not given.
    #[serde(default)]
    pub(crate) threads: Option<usize>,
}

/// A request to resume a search.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GoRequest {
    /// The workers: `threads` of the server (if not given), or those of its `grid`.
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
    /// The move, for the first three.
    #[serde(default)]
    pub(crate) r#move: Option<String>,
}

/// A search and its state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct JobsDoc {
    /// Its name.
    pub(crate) name: String,
    /// The position to be solved.
    pub(crate) game: String,
    /// Its stones.
    pub(crate) start: lambda6_api::Stones,
    /// The side whose win is to be proved.
    pub(crate) attacker: String,
    /// The policy that chooses nodes.
    pub(crate) policy: String,
    /// `running` (here), `elsewhere` (in another process, perhaps with workers on other machines)
    /// or `stopped`.
    pub(crate) state: String,
    /// Nodes of its tree.
    pub(crate) nodes: usize,
    /// `black`, `white` or `draw` if it is solved.
    pub(crate) value: Option<String>,
    /// The reason if its file cannot be read.
    pub(crate) trouble: Option<String>,
}

/// All searches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct JobsList {
    /// In order of their names.
    pub(crate) searches: Vec<JobsDoc>,
    /// The most worker threads of a search on this server.
    pub(crate) threads: usize,
    /// The name of the grid that the server is connected to, if there is one.
    pub(crate) grid: Option<String>,
}

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct JobNode {
    /// The root is 0.
    pub(crate) id: u32,
    /// The parent.
    pub(crate) parent: Option<u32>,
    /// The move from the parent.
    pub(crate) r#move: Option<String>,
    /// The side to move.
    pub(crate) to_move: String,
    /// The evaluation by its job.
    pub(crate) status: String,
    /// The proof number; nothing for infinity.
    pub(crate) proof: Option<u32>,
    /// The disproof number; nothing for infinity.
    pub(crate) disproof: Option<u32>,
    /// `black`, `white` or `draw` if it is proved.
    pub(crate) value: Option<String>,
    /// Whether every other move is proved to lose.
    pub(crate) complete: bool,
    /// Whether a job about it is under way.
    pub(crate) running: bool,
    /// `paused`, `forbidden` or `set-aside`.
    pub(crate) mark: Option<String>,
}

/// A worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct WorkerDoc {
    /// Its name.
    pub(crate) name: String,
    /// The job under way, in words.
    pub(crate) job: Option<String>,
    /// For a worker of another process, the number of jobs done.
    pub(crate) done: Option<u64>,
    /// The moves tried for the job under way, or for the jobs done.
    pub(crate) nodes: u64,
    /// Moves a second, since the last event or over the jobs done.
    pub(crate) speed: u64,
    /// The reason if it gets no jobs.
    pub(crate) trouble: Option<String>,
}

impl WorkerDoc {
    /// A worker of a search that another process works on, from the jobs it has
    /// done.
    pub(crate) fn elsewhere(done: lambda6_jobs::Done) -> WorkerDoc {
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

/// What has changed in a search: the event `tree`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct TreeNews {
    /// The state as in a JobsDoc.
    pub(crate) state: String,
    /// The number of nodes.
    pub(crate) total: usize,
    /// The nodes that are new or have changed; all in the first event.
    pub(crate) nodes: Vec<JobNode>,
    /// The best line, as numbers of nodes.
    pub(crate) line: Vec<u32>,
    /// Jobs done.
    pub(crate) done: u64,
    /// Jobs under way.
    pub(crate) running: usize,
    /// The workers that are active; for a search of another process, those that have done jobs for
    /// it.
    pub(crate) workers: Vec<WorkerDoc>,
    /// The last error.
    pub(crate) trouble: Option<String>,
}
