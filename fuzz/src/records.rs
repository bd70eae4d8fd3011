//! Records and setups from any bytes.

use lambda6_rules::{
    Setup,
    record::{self, Format, ReadOptions, Rows, WriteOptions},
};

/// Reads any bytes. What reads as a record must come back with the same main
/// line from every format that can carry it, and be written the same again.
pub fn record(bytes: &[u8]) {
    let options = ReadOptions::default();
    let Ok(read) = record::read(bytes, &options) else { return };
    assert_eq!(record::detect(bytes), Some(read.format()));
    let line = read.main_line();
    assert!(read.position_at(None).is_ok());
    for format in Format::ALL {
        for (rows, lossy) in [(None, false), (Some(Rows::FromBottom), false), (None, true)] {
            let Ok(written) = read.write(format, &WriteOptions { rows, lossy }) else { continue };
            let back = record::read(&written, &options);
            let back = back.unwrap_or_else(|e| panic!("{format} does not read back: {e}"));
            assert_eq!(back.game(), read.game(), "{format}");
            assert_eq!(back.start(), read.start(), "{format}");
            assert_eq!(back.main_line(), line, "{format}");
            if !lossy {
                assert_eq!(back.half_move(), read.half_move(), "{format}");
            }
            let again = back.write(format, &WriteOptions { rows, lossy });
            assert_eq!(again.as_ref(), Ok(&written), "{format}");
        }
    }
}

/// Reads any text as a setup. What reads as one must be written and read again
/// as the same.
pub fn setup(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(setup) = Setup::parse(text) else { return };
    assert_eq!(Setup::parse(&setup.to_string()).as_ref(), Ok(&setup));
    let Ok(position) = setup.position() else { return };
    assert_eq!(position.setup().position().as_ref(), Ok(&position));
    assert!(position.outcome().is_none());
    let _ = position.reachable();
}
