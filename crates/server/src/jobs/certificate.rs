//! The certificate of a solved search.

use super::Jobs;
use lambda6_api::{ApiError, Code};
use lambda6_jobs::{SqliteStore, Store, certify_search};
use std::sync::atomic::AtomicBool;

impl Jobs {
    /// One certificate for a solved search.
    pub(crate) fn certificate(&self, name: &str, stop: &AtomicBool) -> Result<Vec<u8>, ApiError> {
        let file = self.existing(name).map_err(|problem| problem.0)?;
        let store = SqliteStore::visit(&file).map_err(ApiError::internal)?;
        let search = store.load().map_err(ApiError::internal)?;
        let certificate = certify_search(&search, &store, stop)
            .map_err(|e| ApiError::new(Code::BadRequest, format!("no certificate: {e}")))?;
        let mut text = Vec::new();
        certificate.write(&mut text).map_err(ApiError::internal)?;
        Ok(text)
    }
}
