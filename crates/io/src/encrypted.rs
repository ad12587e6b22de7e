//! Encrypted files, `GDEC`: what `open_encrypted` and `open_encrypted_with_pass` read and write
//! ([`docs/FORMAT.md` §7.4]).
//!
//! Godot 3 and Pandemonium write one form, Godot 4 another; [`decrypt`] tells them apart. Both
//! forms contain a checksum, which shows whether the password was right. Neither form protects
//! against changes by somebody who knows the password. The contents are what a game stored, mostly
//! [records](crate::records); they are not compressed, because the engines either compress or
//! encrypt.
//!
//! [`docs/FORMAT.md` §7.4]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#74-encrypted-file-gdec

use std::fmt;

use aes::{
    Aes256,
    cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit, KeyIvInit},
};
use md5::{Digest, Md5};

use crate::{Envelope, Error, FileErrorKind, Limits, limits::reserve, sniff, words::missing};

use crate::kind::GDEC as MAGIC;

/// The length of a cipher block.
const BLOCK: usize = 16;

/// The key of an encrypted file, 32 bytes. It is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// Creates the key of `open_encrypted_with_pass`: the MD5 of the password as 32 hexadecimal
    /// digits.
    ///
    /// ```
    /// use gdvar_io::encrypted::Key;
    ///
    /// // echo -n secret | md5sum
    /// let key = Key::from_bytes(*b"5ebe2294ecd0e0f08eab7690d2a6ee69");
    /// assert!(Key::from_password("secret") == key);
    /// ```
    #[must_use]
    pub fn from_password(password: &str) -> Key {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut key = [0; 32];
        let digest: [u8; 16] = Md5::digest(password.as_bytes()).into();
        for (pair, byte) in key.chunks_exact_mut(2).zip(digest) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        Key(key)
    }

    /// Creates a key from the 32 bytes that `open_encrypted` takes.
    #[must_use]
    pub const fn from_bytes(key: [u8; 32]) -> Key {
        Key(key)
    }

    /// Reads a key from the contents of a file: 32 bytes, or 64 hexadecimal digits with white space
    /// around them.
    ///
    /// # Errors
    ///
    /// Returns [`BadKey`](FileErrorKind::BadKey) for anything else.
    pub fn from_file(contents: &[u8]) -> Result<Key, Error> {
        if let Ok(key) = contents.try_into() {
            return Ok(Key(key));
        }
        let refuse = || Error::new(0, FileErrorKind::BadKey);
        let digits = contents.trim_ascii();
        if digits.len() != 64 {
            return Err(refuse());
        }
        let mut key = [0; 32];
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            let digit = |at: usize| char::from(pair[at]).to_digit(16);
            let (Some(high), Some(low)) = (digit(0), digit(1)) else {
                return Err(refuse());
            };
            *byte = (high << 4 | low) as u8;
        }
        Ok(Key(key))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// The form of a file, which depends on the engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Form {
    /// Godot 3 and Pandemonium: AES-256 in ECB mode.
    Godot3,
    /// Godot 4: AES-256 in CFB mode with blocks of 128 bits.
    Godot4 {
        /// The initialisation vector: 16 bytes that no two files should share. `Form::godot4` takes
        /// them from the operating system.
        iv: [u8; 16],
    },
}

impl Form {
    /// Returns Godot 4's form with an initialisation vector from the operating system. Feature
    /// `random`.
    ///
    /// # Errors
    ///
    /// Fails if the system has no random numbers.
    #[cfg(feature = "random")]
    pub fn godot4() -> std::io::Result<Form> {
        let mut iv = [0; 16];
        getrandom::fill(&mut iv).map_err(std::io::Error::other)?;
        Ok(Form::Godot4 { iv })
    }
}

/// Decrypts a file and compares the contents with its checksum. The time is linear in the length of
/// the file. Memory is allocated for the contents, which are shorter than the file.
///
/// # Errors
///
/// Returns [`BadMagic`](FileErrorKind::BadMagic), [`Truncated`](FileErrorKind::Truncated),
/// [`TooLong`](FileErrorKind::TooLong) above the limit,
/// [`OutOfMemory`](FileErrorKind::OutOfMemory), and [`WrongKey`](FileErrorKind::WrongKey) if the
/// checksum differs: the password or key is wrong, or the file is damaged.
pub fn decrypt(file: &[u8], key: &Key, limits: Limits) -> Result<Vec<u8>, Error> {
    let opened = open(file, limits)?;
    let padded = opened.length.next_multiple_of(BLOCK as u64);
    let cipher = file[opened.at..].get(..padded as usize);
    let cipher = cipher.ok_or_else(|| missing(file, opened.at, padded))?;
    let plain = opened.decrypt(cipher, key)?;
    let actual: [u8; 16] = Md5::digest(&plain).into();
    if actual != opened.sum {
        return Err(Error::new(opened.at as u64, FileErrorKind::WrongKey));
    }
    Ok(plain)
}

/// Decrypts what is left of a damaged file: all whole cipher blocks. The checksum is not compared,
/// so a wrong key is not detected and gives noise: check whether values can be read from the
/// result. The time and memory are the same as for [`decrypt`].
///
/// # Errors
///
/// Returns [`BadMagic`](FileErrorKind::BadMagic), [`Truncated`](FileErrorKind::Truncated) inside
/// the header, [`TooLong`](FileErrorKind::TooLong) above the limit,
/// [`OutOfMemory`](FileErrorKind::OutOfMemory).
pub fn decrypt_damaged(file: &[u8], key: &Key, limits: Limits) -> Result<Vec<u8>, Error> {
    let opened = open(file, limits)?;
    let padded = opened.length.next_multiple_of(BLOCK as u64);
    let rest = file.get(opened.at..).unwrap_or_default();
    let there = rest.len() - rest.len() % BLOCK;
    let cipher = rest.get(..(padded as usize).min(there)).unwrap_or_default();
    opened.decrypt(cipher, key)
}

/// Returns the length of the encrypted file that starts at the first byte of `file`, according to
/// its header. Only the header is read. No engine reads bytes after this length.
///
/// # Errors
///
/// Returns [`BadMagic`](FileErrorKind::BadMagic), [`Truncated`](FileErrorKind::Truncated) inside
/// the header, [`TooLong`](FileErrorKind::TooLong) above the limit.
pub fn file_len(file: &[u8], limits: Limits) -> Result<u64, Error> {
    let opened = open(file, limits)?;
    Ok(opened.at as u64 + opened.length.next_multiple_of(BLOCK as u64))
}

/// The header of an encrypted file.
struct Opened {
    sum: [u8; 16],
    length_at: u64,
    /// The length of the contents.
    length: u64,
    /// Godot 4's initialisation vector.
    iv: Option<[u8; 16]>,
    /// The offset of the first cipher block.
    at: usize,
}

impl Opened {
    /// Decrypts cipher blocks, beginning with the first.
    fn decrypt(&self, cipher: &[u8], key: &Key) -> Result<Vec<u8>, Error> {
        let mut plain = Vec::new();
        reserve(&mut plain, cipher.len(), self.length_at)?;
        plain.extend_from_slice(cipher);
        match self.iv {
            None => Aes256::new(&key.0.into()).decrypt_blocks(blocks(&mut plain)),
            Some(iv) => {
                cfb_mode::Decryptor::<Aes256>::new(&key.0.into(), &iv.into()).decrypt(&mut plain);
            }
        }
        plain.truncate(self.length as usize);
        Ok(plain)
    }
}

/// Reads the header. Fails if the contents are longer than the limit.
fn open(file: &[u8], limits: Limits) -> Result<Opened, Error> {
    let old = match sniff(file) {
        Envelope::Encrypted3 => true,
        Envelope::Encrypted4 => false,
        Envelope::Compressed { .. } | Envelope::Project | Envelope::Script | Envelope::Other => {
            let expected = *MAGIC;
            return Err(Error::new(0, FileErrorKind::BadMagic { expected }));
        }
    };
    let mut at = if old { 8 } else { 4 };
    let sum: [u8; 16] = field(file, &mut at)?;
    let length_at = at as u64;
    let length = u64::from_le_bytes(field(file, &mut at)?);
    let iv: Option<[u8; 16]> = if old {
        None
    } else {
        Some(field(file, &mut at)?)
    };
    let limit = limits.max_len;
    if length > u64::from(limit) {
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        return Err(Error::new(
            length_at,
            FileErrorKind::TooLong { length, limit },
        ));
    }
    Ok(Opened {
        sum,
        length_at,
        length,
        iv,
        at,
    })
}

/// Encrypts contents and returns the file. An engine that uses the same initialisation vector
/// writes the same bytes. The time is linear in the length of the contents, and the file is the
/// only allocation.
#[must_use]
pub fn encrypt(contents: &[u8], key: &Key, form: Form) -> Vec<u8> {
    let padded = contents.len().next_multiple_of(BLOCK);
    let mut file = Vec::with_capacity(padded + 48);
    file.extend_from_slice(MAGIC);
    if form == Form::Godot3 {
        file.extend_from_slice(&1_u32.to_le_bytes());
    }
    let sum: [u8; 16] = Md5::digest(contents).into();
    file.extend_from_slice(&sum);
    file.extend_from_slice(&(contents.len() as u64).to_le_bytes());
    if let Form::Godot4 { iv } = form {
        file.extend_from_slice(&iv);
    }
    let start = file.len();
    file.extend_from_slice(contents);
    file.resize(start + padded, 0);
    let body = &mut file[start..];
    match form {
        Form::Godot3 => Aes256::new(&key.0.into()).encrypt_blocks(blocks(body)),
        Form::Godot4 { iv } => {
            cfb_mode::Encryptor::<Aes256>::new(&key.0.into(), &iv.into()).encrypt(body);
        }
    }
    file
}

/// Splits bytes into whole cipher blocks.
fn blocks(bytes: &mut [u8]) -> &mut [aes::Block] {
    aes::Block::slice_as_chunks_mut(bytes).0
}

/// Reads the next `N` bytes of the header.
fn field<const N: usize>(file: &[u8], at: &mut usize) -> Result<[u8; N], Error> {
    let bytes = file.get(*at..).and_then(|rest| rest.first_chunk());
    let bytes = bytes.ok_or_else(|| missing(file, *at, N as u64))?;
    *at += N;
    Ok(*bytes)
}
