#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gdvar_conformance::targets::multiplayer::run(data));
