//! Certificates from any bytes.

/// Checks any bytes as a certificate: it may be refused, it must not panic.
pub fn certificate(bytes: &[u8]) {
    let _ = checker::check(bytes);
}
