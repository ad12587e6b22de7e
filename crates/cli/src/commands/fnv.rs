//! A hash that is the same in every run and on every machine.

/// Returns the FNV-1a hash of `bytes`. It does not resist attacks.
pub(super) fn fnv<'b>(bytes: impl IntoIterator<Item = &'b u8>) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, add)
}
