use super::{Alignment, by_content};

/// Applies the alignment to the old list.
fn apply(old: &[u64], new: &[u64], alignments: &[Alignment]) -> Vec<u64> {
    let mut out = Vec::new();
    let mut gone = vec![false; old.len()];
    for alignment in alignments {
        match *alignment {
            // A kept child may have changed in place.
            Alignment::Kept(a, b) => {
                gone[a] = true;
                out.push(new[b]);
            }
            Alignment::Moved(a, b) => {
                gone[a] = true;
                assert_eq!(old[a], new[b]);
                out.push(old[a]);
            }
            Alignment::Added(b) => out.push(new[b]),
            Alignment::Removed(a) => gone[a] = true,
        }
    }
    assert!(gone.iter().all(|gone| *gone), "{alignments:?}");
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
        let alignments = by_content(&old, &new);
        assert_eq!(apply(&old, &new, &alignments), new, "{old:?}");
    }
}

#[test]
fn what_moved_is_recognized() {
    let alignments = by_content(&[1, 2, 3, 4], &[4, 1, 2, 3]);
    assert!(
        alignments.contains(&Alignment::Moved(3, 0)),
        "{alignments:?}"
    );
    assert_eq!(alignments.len(), 4);
    let alignments = by_content(&[1, 2, 3], &[1, 3]);
    assert_eq!(
        alignments,
        [
            Alignment::Kept(0, 0),
            Alignment::Removed(1),
            Alignment::Kept(2, 1)
        ]
    );
}
