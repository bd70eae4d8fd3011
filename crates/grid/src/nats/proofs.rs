//! Proofs that are too long for a message travel in parts.

use super::{Grid, message::ProofPlace, publish};
use async_nats::jetstream::{self, stream::Stream};

/// Proofs up to this many bytes go with their result; servers allow a message of
/// a megabyte.
const INLINE: usize = 128 << 10;
const PART: usize = 512 << 10;
/// Nobody sends more: 512 MiB.
const MAX_PARTS: usize = 1 << 10;

/// Sends a proof, and says where it is.
pub(super) async fn send(
    context: &jetstream::Context,
    grid: &Grid,
    id: &str,
    text: String,
) -> Result<ProofPlace, String> {
    if text.len() <= INLINE {
        return Ok(ProofPlace::Text(text));
    }
    let parts: Vec<&[u8]> = text.as_bytes().chunks(PART).collect();
    if parts.len() > MAX_PARTS {
        return Err("the proof is longer than 512 MiB".to_string());
    }
    for (part, bytes) in parts.iter().enumerate() {
        publish(context, grid.proof(id, part), None, bytes.to_vec()).await?;
    }
    Ok(ProofPlace::Parts(parts.len()))
}

/// Fetches the text of a proof.
pub(super) async fn fetch(
    stream: &Stream,
    grid: &Grid,
    id: &str,
    place: ProofPlace,
) -> Result<String, String> {
    let parts = match place {
        ProofPlace::Text(text) => return Ok(text),
        ProofPlace::Parts(parts) if parts > MAX_PARTS => return Err("too many parts".to_string()),
        ProofPlace::Parts(parts) => parts,
    };
    // A subject made of anything else could ask for another message.
    if id.len() != 64 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err("the proof's name is not 64 hexadecimal digits".to_string());
    }
    let mut bytes = Vec::new();
    for part in 0..parts {
        let message = stream.get_last_raw_message_by_subject(&grid.proof(id, part)).await;
        let message = message.map_err(|error| format!("part {part} of the proof: {error}"))?;
        bytes.extend_from_slice(&message.payload);
    }
    String::from_utf8(bytes).map_err(|error| error.to_string())
}
