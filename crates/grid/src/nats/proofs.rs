//! Proofs that are too long for a message travel in parts.

use super::{Grid, WorkerName, error::GridError, message::ProofPlace, publish};
use async_nats::jetstream::{self, stream::Stream};

/// Proofs up to this many bytes go with their result; servers allow messages of
/// one megabyte.
const INLINE: usize = 128 << 10;
const PART: usize = 512 << 10;
/// A proof has at most 512 MiB.
const MAX_PARTS: usize = 1 << 10;

/// Sends a proof, and returns its place.
pub(super) async fn send(
    context: &jetstream::Context,
    grid: &Grid,
    worker: &WorkerName,
    id: &str,
    text: String,
) -> Result<ProofPlace, GridError> {
    if text.len() <= INLINE {
        return Ok(ProofPlace::Text(text));
    }
    let parts: Vec<&[u8]> = text.as_bytes().chunks(PART).collect();
    if parts.len() > MAX_PARTS {
        return Err(GridError::Proof("is longer than 512 MiB".to_string()));
    }
    for (part, bytes) in parts.iter().enumerate() {
        publish(context, grid.proof(worker.owner(), id, part), None, bytes.to_vec()).await?;
    }
    Ok(ProofPlace::Parts(parts.len()))
}

/// Fetches the text of a proof that a worker has sent.
pub(super) async fn fetch(
    stream: &Stream,
    grid: &Grid,
    worker: &WorkerName,
    id: &str,
    place: ProofPlace,
) -> Result<String, GridError> {
    let parts = match place {
        ProofPlace::Text(text) => return Ok(text),
        ProofPlace::Parts(parts) if parts > MAX_PARTS => {
            return Err(GridError::Proof(format!("has {parts} parts, more than {MAX_PARTS}")));
        }
        ProofPlace::Parts(parts) => parts,
    };
    // A subject made of other characters could name another message.
    if id.len() != 64 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(GridError::Proof("is not named by 64 hexadecimal digits".to_string()));
    }
    let mut bytes = Vec::new();
    for part in 0..parts {
        let message = stream.get_last_raw_message_by_subject(&grid.proof(worker.owner(), id, part)).await;
        let message = message.map_err(GridError::request(format!("part {part} of the proof")))?;
        bytes.extend_from_slice(&message.payload);
    }
    String::from_utf8(bytes).map_err(|error| GridError::Proof(format!("is not text: {error}")))
}
