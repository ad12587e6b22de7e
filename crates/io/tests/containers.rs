//! Compressed and encrypted files of the engines, compared with ours.

mod common;

use std::io::{Read, Seek, SeekFrom};

use common::{Save, noise};
use gdvar_io::{
    Envelope, Limits,
    compressed::{BLOCK_SIZE, Compressed, Mode, compress},
    encrypted::{Form, Key, decrypt, encrypt},
    sniff,
};

#[test]
fn compressed_files_of_the_engines_open() {
    for save in Save::all("compressed") {
        let file = Compressed::open(&save.bytes, Limits::FILE).expect(&save.name);
        assert_eq!(save.container(), format!("compressed:{}", file.mode()));
        let mode = file.mode().number();
        assert_eq!(sniff(&save.bytes), Envelope::Compressed { mode });
        assert_eq!(file.block_size(), BLOCK_SIZE);
        let contents = file.to_vec().expect(&save.name);
        save.check(&contents);
        #[cfg(feature = "rayon")]
        assert_eq!(file.to_vec_parallel().expect(&save.name), contents);
        // Unpacked by the reader, from the middle of a block on.
        let mut reader = file.reader();
        let at = contents.len() / 2 + 1;
        reader.seek(SeekFrom::Start(at as u64)).expect("a place");
        let mut rest = Vec::new();
        reader.read_to_end(&mut rest).expect(&save.name);
        assert!(rest == contents[at..]);
        let mut middle = vec![0; contents.len() / 3];
        reader.read_at(5, &mut middle).expect(&save.name);
        assert!(middle == contents[5..5 + middle.len()]);
        for block in (0..file.blocks()).rev() {
            let start = block * BLOCK_SIZE as usize;
            let end = contents.len().min(start + BLOCK_SIZE as usize);
            assert!(reader.read_block(block).expect(&save.name) == &contents[start..end]);
        }
    }
}

/// A compressed resource has `RSCC` at both ends, where a save has `GCPF`.
#[test]
fn what_follows_the_second_magic_is_the_trailer() {
    for magic in [b"GCPF", b"RSCC"] {
        for save in Save::all("compressed") {
            let mut bytes = save.bytes.clone();
            let end = bytes.len() - 4;
            assert_eq!(&bytes[end..], b"GCPF", "{}", save.name);
            bytes[..4].copy_from_slice(magic);
            bytes[end..].copy_from_slice(magic);
            for trailer in [&b""[..], b"end"] {
                let bytes = [&bytes, trailer].concat();
                let file = Compressed::open_as(&bytes, magic, Limits::FILE).expect(&save.name);
                assert_eq!(file.trailer(), trailer, "{}", save.name);
            }
        }
    }
}

#[test]
fn fastlz_files_are_the_engines_own() {
    for save in Save::all("compressed:fastlz") {
        let (plain, _) = save.plain();
        let file = compress(&plain.bytes, Mode::FastLz, BLOCK_SIZE).expect("a mode");
        assert!(file == save.bytes, "{}", save.name);
    }
}

#[test]
#[cfg(feature = "zstd")]
fn zstd_files_are_those_of_godot_4() {
    for name in ["camp4.zstd.gcpf", "exact4.zstd.gcpf", "rpg4.zstd.gcpf"] {
        let save = Save::get(name);
        let file = compress(&save.plain().0.bytes, Mode::Zstd, BLOCK_SIZE).expect("a mode");
        assert!(file == save.bytes, "{name}");
    }
}

#[test]
fn other_modes_have_the_engines_layout() {
    for save in Save::all("compressed") {
        let theirs = Compressed::open(&save.bytes, Limits::FILE).expect(&save.name);
        let contents = theirs.to_vec().expect(&save.name);
        let file = compress(&contents, theirs.mode(), BLOCK_SIZE).expect("a mode");
        assert_eq!(file[..16], save.bytes[..16], "{}", save.name);
        let ours = Compressed::open(&file, Limits::FILE).expect(&save.name);
        assert_eq!(ours.blocks(), theirs.blocks());
        assert_eq!(ours.to_vec().expect(&save.name), contents);
        assert!(
            file.len() < save.bytes.len() + save.bytes.len() / 20,
            "{}",
            save.name
        );
    }
}

#[test]
fn encrypted_files_of_the_engines_open_and_are_written_alike() {
    for save in Save::all("encrypted") {
        let key = save.key();
        let contents = decrypt(&save.bytes, &key, Limits::FILE).expect(&save.name);
        save.check(&contents);
        let old = save.about["engine"]
            .as_str()
            .expect("an engine")
            .starts_with('3');
        let form = if old {
            assert_eq!(sniff(&save.bytes), Envelope::Encrypted3);
            Form::Godot3
        } else {
            assert_eq!(sniff(&save.bytes), Envelope::Encrypted4);
            // Magic, MD5 and length come before the vector.
            let iv = save.bytes[28..44].try_into().expect("16 bytes");
            Form::Godot4 { iv }
        };
        assert!(
            encrypt(&contents, &key, form) == save.bytes,
            "{}",
            save.name
        );
        let wrong = decrypt(&save.bytes, &Key::from_password("wrong"), Limits::FILE);
        let text = wrong.expect_err("another password").to_string();
        assert!(
            text.contains("wrong password or key, or the file is damaged"),
            "{text}"
        );
    }
}

#[test]
fn a_key_is_never_printed() {
    let text = format!("{:?}", Key::from_password("secret"));
    assert_eq!(text, "Key(..)");
}

#[test]
fn two_encryptions_share_no_vector() {
    let [a, b] = [(); 2].map(|()| Form::godot4().expect("random numbers"));
    assert!(a != b);
}

const LENGTHS: [usize; 14] = [
    0,
    1,
    15,
    16,
    17,
    31,
    4095,
    4096,
    4097,
    8191,
    8192,
    8193,
    3 * 4096,
    10 * 4096,
];

#[test]
fn contents_of_all_lengths_come_back() {
    let modes = [Mode::FastLz, Mode::Deflate, Mode::Zstd, Mode::Gzip];
    for len in LENGTHS {
        let text: Vec<u8> = b"a save of some length, "[..]
            .iter()
            .copied()
            .cycle()
            .take(len)
            .collect();
        for contents in [noise(len, 7), text, vec![0; len]] {
            for mode in modes {
                for block_size in [4096, 1, 16, 100, 70_000] {
                    if block_size == 1 && len > 4097 {
                        continue;
                    }
                    let file = compress(&contents, mode, block_size).expect("a mode");
                    let opened = Compressed::open(&file, Limits::FILE).expect("our own");
                    assert_eq!(opened.blocks(), len / block_size as usize + 1);
                    assert!(
                        opened.to_vec().as_ref() == Ok(&contents),
                        "{len} bytes, {mode}, blocks of {block_size}: {:?}",
                        opened.to_vec().err()
                    );
                    #[cfg(feature = "rayon")]
                    assert!(opened.to_vec_parallel().as_ref() == Ok(&contents));
                }
            }
            let key = Key::from_bytes([9; 32]);
            for form in [Form::Godot3, Form::Godot4 { iv: [1; 16] }] {
                let file = encrypt(&contents, &key, form);
                assert!(decrypt(&file, &key, Limits::FILE).as_ref() == Ok(&contents));
            }
        }
    }
}

/// Two blocks, each from the reference encoder at quality 11 (Node.js).
#[test]
#[cfg(feature = "brotli")]
fn brotli_is_read_and_not_written() {
    const RUN: &[u8] = b"\x1b\xff\x0f\xf8\x25\xc2\xe2\xb1\x40\x20\xf7\0\0";
    const HELLO: &[u8] = b"\x1b\x87\x03\xf8\x8d\x94\x6e\xde\x44\x55\x86\x96\x6c\x20\x6f\x51\
\x5b\x1c\x80\x67\x1c";
    let mut contents = vec![b'a'; 4096];
    contents.extend(b"hello ".iter().cycle().take(904));
    let mut file = b"GCPF".to_vec();
    for word in [4, 4096, 5000, RUN.len() as u32, HELLO.len() as u32] {
        file.extend_from_slice(&word.to_le_bytes());
    }
    file.extend_from_slice(RUN);
    file.extend_from_slice(HELLO);
    file.extend_from_slice(b"GCPF");
    let opened = Compressed::open(&file, Limits::FILE).expect("a header");
    assert_eq!(opened.mode(), Mode::Brotli);
    assert!(opened.to_vec().as_ref() == Ok(&contents));
    let mut end = [0; 10];
    opened.reader().read_at(4990, &mut end).expect("in range");
    assert_eq!(end, contents[4990..]);
    let refused = compress(&contents, Mode::Brotli, BLOCK_SIZE).expect_err("read-only");
    assert!(refused.to_string().contains("not written"), "{refused}");
}
