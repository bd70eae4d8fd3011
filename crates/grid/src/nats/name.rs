//! Names of searches on a server.

use jobs::{JobId, Kind, Settings, Task};

/// A name for a search on the server, the same whenever and from wherever it is
/// gone on with.
pub fn search_name(settings: &Settings) -> String {
    let task = Task {
        id: JobId(0),
        attempt: 0,
        kind: Kind::Best,
        position: settings.root.clone(),
        excluded: Vec::new(),
        limits: settings.limits,
        method: settings.method,
    };
    let salt = format!("{} {} {} {}", settings.build, settings.attacker, settings.policy, settings.verify);
    task.key(&salt).0[..16].to_string()
}
