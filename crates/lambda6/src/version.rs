//! What `lambda6 --version` prints.

use crate::output::JSON_SCHEMA;
use rules::record::Format;
use std::sync::LazyLock;

/// The version of the program alone, for `-V`.
pub(crate) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// Version and commit: what the answers of jobs depend on.
pub(crate) fn build() -> String {
    format!("{SHORT}+{}", env!("LAMBDA6_GIT_HASH"))
}

/// Version, commit, and the versions of the formats that this build knows.
pub(crate) fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{SHORT}\n\
             git hash:    {}\n\
             certificate: connect-proof 1\n\
             setup:       header of connect-proof 1\n\
             records:     {}\n\
             json output: schema {JSON_SCHEMA}",
            env!("LAMBDA6_GIT_HASH"),
            Format::ALL.map(Format::name).join(", "),
        )
    });
    &LONG
}
