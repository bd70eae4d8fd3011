//! The output of `lambda6 --version`.

use crate::output::JSON_SCHEMA;
use lambda6_rules::record::Format;
use std::sync::LazyLock;

/// The version of the program alone, for `-V`.
pub(crate) const SHORT: &str = env!("CARGO_PKG_VERSION");

/// Version and commit, on which the answers of jobs depend.
pub(crate) fn build() -> String {
    format!("{SHORT}+{}", env!("LAMBDA6_GIT_HASH"))
}

/// Version, commit, and the versions of the formats.
pub(crate) fn long() -> &'static str {
    static LONG: LazyLock<String> = LazyLock::new(|| {
        format!(
            "{SHORT}\n\
             git hash:    {}\n\
             certificate: connect-proof 1 and 2\n\
             setup:       header of connect-proof 1\n\
             records:     {}\n\
             json output: schema {JSON_SCHEMA}",
            env!("LAMBDA6_GIT_HASH"),
            Format::ALL.map(Format::name).join(", "),
        )
    });
    &LONG
}
