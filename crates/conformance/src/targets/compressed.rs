//! Any bytes as a compressed file, and any contents through the packer: nothing panics, every way in
//! gives the same contents, and what is packed is unpacked again.

use std::io::Read;

use gdvar_io::{
    Limits,
    compressed::{BLOCK_SIZE, Compressed, Mode, compress},
};

use super::Input;
use crate::vectors::hex;

/// The most that contents may be: far more than inputs are long.
const LIMITS: Limits = Limits::new(1 << 20);

/// Strict inputs are contents to pack, the others are files.
///
/// # Panics
/// If a promise is broken.
pub fn run(data: &[u8]) {
    let Some(input) = Input::split(data) else {
        return;
    };
    if input.rules.strict {
        let mode = Mode::ALL[usize::from(input.choice) % Mode::ALL.len()];
        let block_size = [1, 7, 16, BLOCK_SIZE][usize::from(input.choice >> 8) % 4];
        packed(input.bytes, mode, block_size);
    } else {
        opened(input.bytes, u64::from(input.choice));
    }
}

fn packed(contents: &[u8], mode: Mode, block_size: u32) {
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

fn opened(file: &[u8], offset: u64) {
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
            // Contents that were got out can be put in again.
            if opened.mode() != Mode::Brotli && opened.blocks() < 1000 {
                packed(&contents, opened.mode(), opened.block_size());
            }
        }
        Err(error) => {
            assert!(error.offset() <= file.len() as u64, "{error}");
            // A reader does not look at a last block that has nothing in it.
            let is_last_empty = opened.len() % opened.block_size() == 0;
            assert!(outcome.is_err() || is_last_empty, "{}", hex(file));
            // A damaged block does not take the others with it, nor the program.
            for block in 0..opened.blocks().min(100) {
                let _ = reader.read_block(block);
            }
        }
    }
}
