//! Decodes the bytes of a record to text.

use super::error::{At, Fault};
use encoding_rs::{Encoding, GBK, WINDOWS_1252};
use std::borrow::Cow;

/// Strips the byte order mark off UTF-8 text.
pub(super) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// A text, or as much of it as can be read and the fault that ends it.
type Decoded<'a> = Result<Cow<'a, str>, (Cow<'a, str>, At)>;

/// Text that must be UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Decoded<'_> {
    std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|error| {
        let at = At::new(error.valid_up_to(), Fault::Encoding { encoding: "UTF-8".into() });
        (String::from_utf8_lossy(bytes), at)
    })
}

/// Text that is UTF-8 or else GB2312, which here as everywhere means its
/// superset GBK (code page 936).
pub(super) fn gb2312(bytes: &[u8]) -> Decoded<'_> {
    decode(bytes, GBK)
}

/// The text of an SGF file. UTF-8 if it can be, for many files name an encoding
/// that they have since been converted from; else as its CA property says; else
/// Latin-1, which is SGF's own default.
pub(super) fn sgf(bytes: &[u8]) -> Decoded<'_> {
    decode(bytes, named_encoding(bytes).unwrap_or(WINDOWS_1252))
}

fn decode<'a>(bytes: &'a [u8], other: &'static Encoding) -> Decoded<'a> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(text.into());
    }
    let (text, malformed) = other.decode_without_bom_handling(bytes);
    if !malformed {
        return Ok(text);
    }
    let offset = text.find(char::REPLACEMENT_CHARACTER).unwrap_or(0);
    let at = At::new(offset, Fault::Encoding { encoding: format!("UTF-8 or {}", other.name()) });
    Err((text, at))
}

fn named_encoding(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.windows(3).position(|window| window == b"CA[")? + 3;
    let label = bytes[start..].iter().take(40).position(|&b| b == b']')?;
    Encoding::for_label(&bytes[start..start + label])
}

/// A value that is one line in every format: white space of any kind becomes
/// spaces, none at the ends.
pub(super) fn one_line(text: &str) -> String {
    text.trim().chars().map(|c| if c.is_whitespace() { ' ' } else { c }).collect()
}

/// A text with every line break spelt as one line feed.
pub(super) fn line_feeds(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_string() }
}
