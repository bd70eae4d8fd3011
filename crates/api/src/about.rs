//! What this copy of the program can do.

use crate::work::Ceiling;
use player::Level;
use rules::{Game, record::Format};
use search::Class;
use serde::Serialize;
use utoipa::ToSchema;

/// Where the engine runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Where {
    /// In a server, behind HTTP.
    Server,
    /// In the browser itself.
    Browser,
}

/// A choice that a request can make, and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClassDoc {
    /// As the request has it.
    pub name: String,
    /// For people.
    pub description: String,
}

/// The most that a request can ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LimitsDoc {
    /// Milliseconds of one search.
    pub time_ms: u64,
    /// MiB for the tables of one search.
    pub memory_mib: u64,
    /// Bytes of a certificate, unpacked.
    pub certificate_bytes: usize,
    /// Bytes of a record.
    pub record_bytes: usize,
    /// Searches at once; more wait their turn.
    pub searches: usize,
}

/// What this copy of the program is and can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct About {
    /// Of the program.
    pub version: String,
    /// Of this interface.
    pub api: u32,
    /// Where the engine runs.
    pub engine: Where,
    /// The games that have a name.
    pub games: Vec<ClassDoc>,
    /// How well it can play, from the weakest.
    pub levels: Vec<ClassDoc>,
    /// The kinds of forced wins it can look for.
    pub classes: Vec<ClassDoc>,
    /// The record formats it reads and writes.
    pub formats: Vec<String>,
    /// Whether it can run job-level searches.
    pub jobs: bool,
    /// The limits.
    pub limits: LimitsDoc,
}

impl About {
    /// What there is to say of an engine that runs there, with these limits.
    pub fn new(engine: Where, ceiling: &Ceiling, searches: usize) -> About {
        let doc = |name: &str, description: &str| ClassDoc {
            name: name.to_string(),
            description: description.to_string(),
        };
        About {
            version: env!("CARGO_PKG_VERSION").to_string(),
            api: 1,
            engine,
            games: Game::NAMED.iter().map(|(name, game)| doc(name, &game.to_string())).collect(),
            levels: Level::ALL.iter().map(|level| doc(level.name(), level.description())).collect(),
            classes: [
                (Class::Vcdt, "double threats only: the quickest search"),
                (Class::Vcst, "single threats too: finds more, takes longer"),
                (Class::Lambda3, "quiet moves that threaten to win by double threats: minutes to hours"),
                (Class::Lambda4, "quiet moves that threaten to win by threats: longer still"),
            ]
            .iter()
            .map(|(class, what)| doc(class.name(), what))
            .collect(),
            formats: Format::ALL.map(|format| format.name().to_string()).to_vec(),
            jobs: false,
            limits: LimitsDoc {
                time_ms: ceiling.time.as_millis() as u64,
                memory_mib: (ceiling.memory >> 20) as u64,
                certificate_bytes: ceiling.certificate,
                record_bytes: ceiling.record,
                searches,
            },
        }
    }
}
