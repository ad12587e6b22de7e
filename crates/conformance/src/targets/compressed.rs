//! Opens any bytes as a compressed file, and packs any contents. Nothing may panic, all ways of opening
//! must return the same contents, and unpacking must return what was packed.

use std::io::Read;

use gdvar_io::{
    Limits,
    compressed::{BLOCK_SIZE, Compressed, Mode, compress},
};

use super::Input;
use crate::vectors::hex;

/// A size limit far above the length of any input.
const LIMITS: Limits = Limits::new(1 << 20);

/// Packs the contents of strict inputs, and opens the others as files.
///
/// # Panics
/// If two ways of opening return different contents, contents differ after they were packed and
/// unpacked, or an error has an offset past the end.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    if input.rules.strict {
        let mode = Mode::ALL[usize::from(input.choice) % Mode::ALL.len()];
        let block_size = [1, 7, 16, BLOCK_SIZE][usize::from(input.choice >> 8) % 4];
        check_packing(input.bytes, mode, block_size);
    } else {
        check_opening(input.bytes, u64::from(input.choice));
    }
}

fn check_packing(contents: &[u8], mode: Mode, block_size: u32) {
    let file = match compress(contents, mode, block_size) {
        Ok(file) => file,
        Err(error) => return assert_eq!(mode, Mode::Brotli, "{error}"),
    };
    let opened = Compressed::open(&file, LIMITS).expect("a whole file");
    assert_eq!((opened.mode(), opened.block_size()), (mode, block_size));
    assert_eq!(opened.len() as usize, contents.len());
    let again = opened.to_vec().expect("whole blocks");
    assert!(
        again == contents,
        "{mode:?} {block_size}: {}",
        hex(contents)
    );
}

fn check_opening(file: &[u8], offset: u64) {
    let opened = match Compressed::open(file, LIMITS) {
        Ok(opened) => opened,
        Err(error) => return assert!(error.offset() <= file.len() as u64, "{error}"),
    };
    let contents = opened.to_vec();
    let mut read = Vec::new();
    let outcome = opened.reader().read_to_end(&mut read);
    let mut reader = opened.reader();
    match contents {
        Ok(contents) => {
            outcome.expect("all blocks are whole");
            assert!(read == contents, "{}", hex(file));
            assert_eq!(contents.len(), opened.len() as usize);
            let offset = offset.min(contents.len() as u64);
            let tail = &contents[offset as usize..];
            let mut part = vec![0; tail.len().min(100)];
            reader.read_at(offset, &mut part).expect("it is there");
            assert!(part == tail[..part.len()], "{}", hex(file));
            // Contents that were unpacked can be packed again.
            if opened.mode() != Mode::Brotli && opened.blocks() < 1000 {
                check_packing(&contents, opened.mode(), opened.block_size());
            }
        }
        Err(error) => {
            assert!(error.offset() <= file.len() as u64, "{error}");
            // A reader ignores an empty last block.
            let is_last_empty = opened.len() % opened.block_size() == 0;
            assert!(outcome.is_err() || is_last_empty, "{}", hex(file));
            // A damaged block must not affect the others or cause a panic.
            for block in 0..opened.blocks().min(100) {
                let _ = reader.read_block(block);
            }
        }
    }
}
