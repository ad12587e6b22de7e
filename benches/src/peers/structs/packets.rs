//! Packets of four kinds as enums: tagged from outside, and by a field inside.

use serde::{Deserialize, Serialize};

use super::{Format, Leaves};
use crate::{
    harness::{Note, Suite},
    random::Random,
};

macro_rules! packets {
    ($($(#[$attribute:meta])* $name:ident;)*) => {$(
        #[derive(Clone, Debug, Serialize, Deserialize)]
        $(#[$attribute])*
        #[serde(rename_all = "snake_case")]
        #[serde(bound = "")]
        enum $name<F: Format> {
            Move { id: i32, position: F::Vector3, velocity: F::Vector3, tick: i64 },
            Chat { from: i32, text: String },
            Hit { source: i32, target: i32, damage: f64, critical: bool },
            State { tick: i64, near: (i32, i32, i32), hp: i32, mp: i32 },
        }

        impl<F: Format> $name<F> {
            fn random(random: &mut Random) -> Self {
                let vector = |random: &mut Random| {
                    F::Vector3::from([(); 3].map(|()| random.coordinate()))
                };
                let small = |random: &mut Random| random.between(1, 5_000) as i32;
                let tick = random.between(0, 10_000_000);
                match random.below(4) {
                    0 => $name::Move {
                        id: small(random),
                        position: vector(random),
                        velocity: vector(random),
                        tick,
                    },
                    1 => {
                        let (chars, accents) = (random.between(5, 60) as usize, random.one_in(5));
                        let text = random.text(chars, accents);
                        $name::Chat { from: small(random), text }
                    }
                    2 => $name::Hit {
                        source: small(random),
                        target: small(random),
                        damage: random.between(0, 10_000) as f64 / 100.0,
                        critical: random.one_in(8),
                    },
                    _ => $name::State {
                        tick,
                        near: (small(random), small(random), small(random)),
                        hp: random.between(0, 100) as i32,
                        mp: random.between(0, 100) as i32,
                    },
                }
            }
        }

        impl<F: Format> Leaves for $name<F> {
            fn leaves(&self) -> u64 {
                let all: &[&dyn Leaves] = match self {
                    $name::Move { id, position, velocity, tick } => &[id, position, velocity, tick],
                    $name::Chat { from, text } => &[from, text],
                    $name::Hit { source, target, damage, critical } => {
                        &[source, target, damage, critical]
                    }
                    $name::State { tick, near: (a, b, c), hp, mp } => &[tick, a, b, c, hp, mp],
                };
                all.iter().fold(0, |sum, leaf| sum.wrapping_add(leaf.leaves()))
            }
        }
    )*};
}

packets! {
    External;
    #[serde(tag = "type")]
    Internal;
}

/// The number of packets.
pub(crate) const COUNT: usize = 1_000;

fn random<T>(one: fn(&mut Random) -> T) -> Vec<T> {
    let mut random = Random::new(0x5eed_0013);
    (0..COUNT).map(|_| one(&mut random)).collect()
}

/// Registers the reading of packets, each by itself. A value is a packet.
pub(crate) fn read<F: Format>(suite: &mut Suite<'_>, is_internal: bool) {
    match is_internal {
        false => read_all::<F, External<F>>(suite, &random(External::random)),
        true => read_all::<F, Internal<F>>(suite, &random(Internal::random)),
    }
}

fn read_all<F: Format, T: Serialize + for<'de> Deserialize<'de> + Leaves>(
    suite: &mut Suite<'_>,
    packets: &[T],
) {
    let mut bytes = Vec::new();
    let ranges = packets.iter().map(|packet| {
        let start = bytes.len();
        F::write(&mut bytes, packet).expect("any packet can be written");
        start..bytes.len()
    });
    let ranges: Vec<_> = ranges.collect();
    let answers = packets.iter().map(Leaves::leaves);
    let expected = answers.fold(0, u64::wrapping_add);
    let note = Note::new("structure, text", "enums, owned text");
    suite.add(F::READ, note, bytes.len(), expected, move || {
        let packets = ranges.iter().map(|range| {
            let packet = F::read::<T>(&bytes[range.clone()], false);
            packet.map_or(0, |packet| packet.leaves())
        });
        packets.fold(0, u64::wrapping_add)
    });
}

/// Registers the writing of packets, each into a buffer that is used again.
pub(crate) fn write<F: Format>(suite: &mut Suite<'_>, is_internal: bool) {
    match is_internal {
        false => written::<F, _>(suite, random(External::<F>::random)),
        true => written::<F, _>(suite, random(Internal::<F>::random)),
    }
}

/// Registers the writing of values, each into a buffer that is used again.
pub(crate) fn written<'a, F: Format, T: Serialize + 'a>(suite: &mut Suite<'a>, values: Vec<T>) {
    let mut buffer = Vec::new();
    let mut write = move || {
        let sizes = values.iter().map(|value| {
            buffer.clear();
            F::write(&mut buffer, value).map_or(0, |()| buffer.len() as u64)
        });
        sizes.sum()
    };
    let size: u64 = write();
    assert!(size > 0, "{} writes nothing", F::WRITE);
    suite.add(F::WRITE, Note::new("", "bytes"), size as usize, size, write);
}
