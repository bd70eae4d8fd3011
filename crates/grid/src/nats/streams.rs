//! The streams, consumers and the bucket of a grid, which clients create.

use super::{ClientSettings, Grid, PAUSE, WORKERS, error::GridError, message::OpenJobs};
use async_nats::{
    connection::State,
    jetstream::{
        self,
        consumer::{AckPolicy, PullConsumer, pull},
        stream::{self, Stream},
    },
};
use std::time::Duration;

/// What a client works with.
pub(super) struct Streams {
    pub(super) context: jetstream::Context,
    pub(super) jobs: Stream,
    pub(super) results: PullConsumer,
    pub(super) proofs: Stream,
    pub(super) bucket: jetstream::kv::Store,
    /// The epoch in the bucket; 0 if there is none.
    pub(super) epoch: u64,
}

/// The configurations of the streams, with only those fields that servers from 2.9
/// on know. The bucket is a stream too: created through the library it would ask
/// 2.9 for fields that it does not report.
fn configs(grid: &Grid) -> [stream::Config; 4] {
    let base = |name: String, subject: String| stream::Config {
        name,
        subjects: vec![subject],
        storage: stream::StorageType::File,
        num_replicas: 1,
        ..Default::default()
    };
    let day = Duration::from_secs(24 * 3600);
    [
        stream::Config {
            retention: stream::RetentionPolicy::WorkQueue,
            ..base(grid.jobs_stream(), grid.jobs("*"))
        },
        stream::Config {
            retention: stream::RetentionPolicy::WorkQueue,
            max_age: 30 * day,
            ..base(grid.results_stream(), grid.results("*", "*", "*"))
        },
        stream::Config {
            max_messages_per_subject: 1,
            max_age: day,
            ..base(grid.proofs_stream(), format!("{grid}.proofs.>"))
        },
        stream::Config {
            max_messages_per_subject: 1,
            allow_rollup: true,
            deny_delete: true,
            allow_direct: true,
            ..base(format!("KV_{}", grid.bucket()), format!("$KV.{}.>", grid.bucket()))
        },
    ]
}

/// Creates the streams, the consumers and the bucket that are not there.
pub(super) async fn set_up(
    nats: &async_nats::Client,
    settings: &ClientSettings,
) -> Result<Streams, GridError> {
    let ClientSettings { grid, search, lease, deliveries, .. } = settings;
    let context = jetstream::new(nats.clone());
    let mut streams = Vec::new();
    for config in configs(grid) {
        let (name, subjects) = (config.name.clone(), config.subjects.clone());
        let failed = || GridError::request(format!("stream {name}"));
        let stream = context.get_or_create_stream(config.clone()).await.map_err(failed())?;
        // An earlier version of the protocol had other subjects.
        if stream.cached_info().config.subjects != subjects {
            context.update_stream(config).await.map_err(failed())?;
        }
        streams.push(stream);
    }
    let (jobs, results, proofs) = (streams.remove(0), streams.remove(0), streams.remove(0));
    let config = pull::Config {
        durable_name: Some(WORKERS.to_string()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: *lease,
        max_deliver: *deliveries,
        ..Default::default()
    };
    // A consumer that exists keeps the lease that it was created with.
    let created = jobs.get_or_create_consumer(WORKERS, config).await;
    created.map_err(GridError::request(format!("consumer {WORKERS}")))?;
    let name = format!("results-{search}");
    let config = pull::Config {
        durable_name: Some(name.clone()),
        filter_subject: grid.results(search, "*", "*"),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(10),
        ..Default::default()
    };
    let results = results.get_or_create_consumer(&name, config).await;
    let results = results.map_err(GridError::request(format!("consumer {name}")))?;
    let bucket = context.get_key_value(grid.bucket()).await;
    let bucket = bucket.map_err(GridError::request(format!("bucket {grid}")))?;
    let open = bucket.get(search).await.map_err(GridError::request(format!("bucket {grid}")))?;
    let open = open.and_then(|bytes| serde_json::from_slice::<OpenJobs>(&bytes).ok()).unwrap_or_default();
    Ok(Streams { context, jobs, results, proofs, bucket, epoch: open.epoch })
}

/// Creates what is missing. A server that goes away meanwhile is waited for.
pub(super) async fn set_up_patiently(
    nats: &async_nats::Client,
    settings: &ClientSettings,
    waiting: &mut dyn FnMut(&GridError) -> bool,
) -> Result<Streams, GridError> {
    loop {
        match set_up(nats, settings).await {
            Err(error) if nats.connection_state() == State::Connected || !waiting(&error) => {
                return Err(error);
            }
            Err(_) => tokio::time::sleep(PAUSE).await,
            Ok(streams) => return Ok(streams),
        }
    }
}
