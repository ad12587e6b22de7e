//! Packages that engines made, and damaged ones (`testdata/packages`).

use std::{fs, path::PathBuf};

use gdvar_resource::{ErrorKind, Limits, Package, Resource, is_package};

fn sample(name: &str) -> Vec<u8> {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    fs::read(here.join("../../testdata/packages").join(name)).expect("a file")
}

fn error(file: &[u8]) -> ErrorKind {
    Package::open(file).expect_err("damage").kind()
}

#[test]
fn every_version_is_read() {
    for (name, version, engine, paths) in [
        (
            "packer.pck",
            3,
            [4, 6, 3],
            &["a.txt", "dir/b.tres", "gone.txt"][..],
        ),
        (
            "embedded.bin",
            3,
            [4, 6, 3],
            &["a.txt", "dir/b.tres", "gone.txt"],
        ),
        ("packer3.pck", 1, [3, 6, 2], &["a.txt", "dir/b.tres"]),
        ("v2abs.pck", 2, [4, 2, 0], &["v2.gd"]),
        ("v2rel.pck", 2, [4, 2, 0], &["v2.gd"]),
    ] {
        let file = sample(name);
        assert!(is_package(&file), "{name}");
        let package = Package::open(&file).expect(name);
        assert_eq!(
            (package.version(), package.engine()),
            (version, engine),
            "{name}"
        );
        let entries = package.entries().iter();
        let found: Vec<_> = entries.map(|entry| entry.path).collect();
        assert_eq!(found, paths, "{name}");
        for entry in package.entries() {
            match package.read(entry) {
                Ok(bytes) => assert!(!bytes.is_empty() && !entry.is_removed, "{name}"),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Removed, "{name}");
                    assert!(entry.is_removed, "{name}");
                }
            }
        }
    }
}

#[test]
fn files_are_found_with_and_without_res() {
    for (name, text) in [
        ("packer.pck", "[gd_resource"),
        ("embedded.bin", "[gd_resource"),
        ("packer3.pck", "[gd_resource"),
    ] {
        let file = sample(name);
        let package = Package::open(&file).expect(name);
        for path in ["dir/b.tres", "res://dir/b.tres"] {
            let entry = package.find(path).expect(name);
            let bytes = package.read(&entry).expect(name);
            assert!(bytes.starts_with(text.as_bytes()), "{name}");
        }
        assert_eq!(package.find("dir"), None);
    }
}

/// An exported game has its scenes and resources in the binary form.
#[test]
fn resources_of_an_exported_game_are_read() {
    let file = sample("exported.pck");
    let package = Package::open(&file).expect("a package");
    assert_eq!(package.entries().len(), 11);
    let mut classes = Vec::new();
    for entry in package.entries() {
        let bytes = package.read(entry).expect("a file");
        if gdvar_resource::is_resource(bytes) {
            let resource = Resource::open(bytes, Limits::FILE).expect("a resource");
            classes.push(resource.header().class.clone());
        }
    }
    assert_eq!(classes, ["PackedScene", "Resource"]);
}

#[test]
fn damage_is_an_error() {
    assert_eq!(error(&sample("packer_enc.pck")), ErrorKind::Encrypted);
    assert_eq!(error(b"GDPD"), ErrorKind::NoPackage);
    let file = sample("packer.pck");
    let mut version = file.clone();
    version[4] = 9;
    assert_eq!(error(&version), ErrorKind::UnknownPackage { version: 9 });
    for len in 0..file.len() {
        assert!(Package::open(&file[..len]).is_err(), "{len}");
    }
    // A byte of the first file.
    let package = Package::open(&file).expect("a package");
    let first = package.entries()[0];
    let mut changed = file.clone();
    changed[first.offset as usize] ^= 1;
    let package = Package::open(&changed).expect("a package");
    let wrong = package.read(&package.entries()[0]);
    assert_eq!(wrong.expect_err("damage").kind(), ErrorKind::WrongSum);
}

/// A thousand files that are all the same bytes would unpack to a thousand times the package.
#[test]
fn files_do_not_overlap() {
    let file = sample("packer3.pck");
    let package = Package::open(&file).expect("a package");
    let [first, second] = [0, 1].map(|index| package.entries()[index].offset);
    let mut changed = file.clone();
    let at = changed
        .windows(8)
        .position(|eight| eight == second.to_le_bytes())
        .expect("an offset");
    changed[at..at + 8].copy_from_slice(&first.to_le_bytes());
    assert_eq!(error(&changed), ErrorKind::Overlap);
}

#[test]
fn mutations_do_not_panic() {
    let mut state = 1_u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) as usize % end
    };
    for name in ["exported.pck", "packer3.pck", "embedded.bin", "v2rel.pck"] {
        let file = sample(name);
        for _ in 0..5000 {
            let mut file = file.clone();
            for _ in 0..=below(3) {
                let at = below(file.len());
                file[at] = [0xff, 0, 1, below(256) as u8][below(4)];
            }
            if let Ok(package) = Package::open(&file) {
                let read = package.entries().iter().map(|entry| package.read(entry));
                assert!(read.flatten().map(<[u8]>::len).sum::<usize>() <= file.len());
            }
        }
    }
}
