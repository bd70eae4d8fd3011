#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lambda6_fuzz::session(bytes));
