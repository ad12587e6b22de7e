use super::{Fate, by_content};

/// The new list that the fates make of the old one.
fn apply(old: &[u64], new: &[u64], fates: &[Fate]) -> Vec<u64> {
    let mut out = Vec::new();
    let mut gone = vec![false; old.len()];
    for fate in fates {
        match *fate {
            // A kept child may differ: it is changed where it stands.
            Fate::Kept(a, b) => {
                gone[a] = true;
                out.push(new[b]);
            }
            Fate::Moved(a, b) => {
                gone[a] = true;
                assert_eq!(old[a], new[b]);
                out.push(old[a]);
            }
            Fate::Added(b) => out.push(new[b]),
            Fate::Removed(a) => gone[a] = true,
        }
    }
    assert!(gone.iter().all(|gone| *gone), "{fates:?}");
    out
}

#[test]
fn any_list_becomes_any_other() {
    let mut state = 7_u64;
    let mut random = |below: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) % below
    };
    for round in 0..3000 {
        let letters = 1 + round % 9;
        let (a, b) = (random(12), random(12));
        let old: Vec<u64> = (0..a).map(|_| random(letters)).collect();
        let new: Vec<u64> = (0..b).map(|_| random(letters)).collect();
        let fates = by_content(&old, &new, |a, b| old[a] == new[b]);
        assert_eq!(apply(&old, &new, &fates), new, "{old:?}");
    }
}

#[test]
fn what_moved_is_recognized() {
    let fates = by_content(&[1, 2, 3, 4], &[4, 1, 2, 3], |_, _| true);
    assert!(fates.contains(&Fate::Moved(3, 0)), "{fates:?}");
    assert_eq!(fates.len(), 4);
    let fates = by_content(&[1, 2, 3], &[1, 3], |_, _| true);
    assert_eq!(
        fates,
        [Fate::Kept(0, 0), Fate::Removed(1), Fate::Kept(2, 1)]
    );
}
