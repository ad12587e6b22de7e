//! Measures the most frequent reading tasks, in nanoseconds: the shortest of many rounds.
//!
//! `cargo run --release --features compression --example speed`
use std::{hint::black_box, time::Instant};

use serde::{Deserialize, Serialize};

use gdvar_packet::{
    Arg, Dialect, Direction, Encode, Engine, Filter, Session, Transport,
    enet::{Body, Command, Datagram, Header},
    gdvar_write::{Target, Writer, wire::math::Vector3},
    godot4::{Message, Packet},
};

const ROUNDS: usize = 400;
const TIMES: usize = 2000;

fn measure(what: &str, mut each: impl FnMut()) {
    let mut best = f64::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        (0..TIMES).for_each(|_| each());
        best = best.min(start.elapsed().as_secs_f64() / TIMES as f64);
    }
    let info = allocation_counter::measure(&mut each);
    println!(
        "{:>8.1} ns  {:>2} allocations  {what}",
        best * 1e9,
        info.count_total
    );
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
    writer.vector2(gdvar_packet::gdvar_write::wire::math::Vector2 { x: 1.0, y: 2.0 })?;
    let position = writer.finish()?;
    let args = [
        Arg::from(100),
        Arg::encoded(&position, Dialect::GODOT_4)?,
        Arg::from("fire"),
    ];
    let mut call = Vec::new();
    Message::Call {
        node: 3.into(),
        method: 1,
        args: &args,
    }
    .encode(&mut call)?;
    measure(
        "a CALL of Godot 4 to its typed arguments: int, Vector2, String",
        || {
            let Ok(Packet::Call(call)) = Packet::parse(black_box(&call)) else {
                return;
            };
            let mut args = call.args();
            let mut next = || args.try_next().ok().flatten();
            let damage = next().and_then(|value| value.as_i64());
            let at = next().and_then(|value| value.as_variant()?.as_vector2());
            black_box((
                damage,
                at,
                next().and_then(|value| value.as_str()),
                args.position(),
            ));
        },
    );
    for (what, arg) in [
        ("an int", &args[..1]),
        ("a Vector2", &args[1..2]),
        ("a String", &args[2..]),
    ] {
        let mut call = Vec::new();
        Message::Call {
            node: 3.into(),
            method: 1,
            args: arg,
        }
        .encode(&mut call)?;
        measure(&format!("a CALL with {what} alone"), || {
            let Ok(Packet::Call(call)) = Packet::parse(black_box(&call)) else {
                return;
            };
            black_box(call.args().try_next().ok().flatten());
        });
    }
    let mut datagram = Vec::new();
    let header = Header {
        peer: 1,
        sent_time: Some(7),
        ..Header::default()
    };
    header.encode(&mut datagram)?;
    Command::reliable(0, 6, Body::Reliable(&call)).encode(&mut datagram)?;
    measure("the same CALL in a datagram of ENet", || {
        let Ok(mut commands) = Datagram::parse(black_box(&datagram)).and_then(Datagram::commands)
        else {
            return;
        };
        while let Ok(Some(command)) = commands.try_next() {
            let Body::Reliable(packet) = command.body else {
                continue;
            };
            let Ok(Packet::Call(call)) = Packet::parse(packet) else {
                continue;
            };
            call.args().map_while(Result::ok).for_each(|arg| {
                black_box(arg);
            });
        }
    });
    let mut session = Session::new(Engine::Godot4, Transport::Enet);
    measure("the same heard by a Session", || {
        session.receive(0, Direction::ToServer, black_box(&datagram), |event| {
            black_box(event.message.name());
        });
    });
    let tuple = rmp_serde::to_vec(&(3_u32, 1_u16, 100_i64, [1.0_f32, 2.0], "fire"))?;
    measure(
        "rmp-serde: the same call as a tuple, all of it read, to compare its first argument",
        || {
            type Call<'a> = (u32, u16, i64, [f32; 2], &'a str);
            let call: Result<Call<'_>, _> = rmp_serde::from_slice(black_box(&tuple));
            black_box(call.is_ok_and(|call| call.2 > 50));
        },
    );
    let filters = [
        "args[0] > 50",
        "method == 1",
        "args[2] contains \"ire\"",
        "command == \"CALL\" and args[0] > 50",
    ];
    for text in filters {
        let filter = Filter::parse(text)?;
        let mut done = false;
        session.receive(0, Direction::ToServer, &datagram, |event| {
            if !std::mem::replace(&mut done, true) {
                measure(&format!("the filter {text}"), || {
                    black_box(filter.matches(black_box(&event), None));
                });
            }
        });
    }
    put_var()
}

/// The part of a packet with a `damage` that MessagePack's reader has to read.
#[derive(Deserialize)]
struct Hit {
    #[serde(default)]
    damage: f64,
}

/// A thousand packets of four kinds in random order, as in W3 of the benches, and one condition on
/// each: the average time for a packet.
fn put_var() -> Result<(), Box<dyn std::error::Error>> {
    const COUNT: usize = 1000;
    let mut random = 20_u64;
    let mut below = |end: u64| {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (random >> 33) % end
    };
    let (mut packets, mut packed) = (Vec::new(), Vec::new());
    let mut hits = 0;
    for _ in 0..COUNT {
        let (id, tick) = (below(5000) as i64, below(10_000_000) as i64);
        let damage = below(10_000) as f64 / 100.0;
        let at = [below(1000) as f32, below(1000) as f32 / 8.0, 3.0];
        let vector = || Vector3 {
            x: at[0],
            y: at[1],
            z: at[2],
        };
        let text = "so many words ".repeat(1 + below(4) as usize);
        let mut writer = Writer::new(Vec::new(), Target::GODOT_4);
        match below(4) {
            0 => {
                writer.begin_array(5)?;
                writer.string("move")?;
                writer.int(id)?;
                writer.vector3(vector())?;
                writer.vector3(vector())?;
                writer.int(tick)?;
                packed.push(rmp_serde::to_vec(&("move", id, at, at, tick))?);
            }
            1 => {
                writer.begin_dict(3)?;
                writer.string("type")?;
                writer.string("chat")?;
                writer.string("from")?;
                writer.int(id)?;
                writer.string("text")?;
                writer.string(&text)?;
                packed.push(rmp_serde::to_vec_named(&Chat {
                    r#type: "chat",
                    from: id,
                    text: &text,
                })?);
            }
            2 => {
                hits += usize::from(damage > 50.0);
                writer.begin_dict(5)?;
                writer.string("type")?;
                writer.string("hit")?;
                writer.string("source")?;
                writer.int(id)?;
                writer.string("target")?;
                writer.int(tick)?;
                writer.string("damage")?;
                writer.float(damage)?;
                writer.string("critical")?;
                writer.bool(id % 8 == 0)?;
                packed.push(rmp_serde::to_vec_named(&Damage {
                    r#type: "hit",
                    source: id,
                    target: tick,
                    damage,
                    critical: id % 8 == 0,
                })?);
            }
            _ => {
                writer.begin_array(3)?;
                writer.string("state")?;
                writer.int(tick)?;
                writer.int(id)?;
                packed.push(rmp_serde::to_vec(&("state", tick, id))?);
            }
        }
        writer.end()?;
        packets.push(writer.finish()?);
    }
    let mut session = Session::new(Engine::Godot4, Transport::Values);
    let filter = Filter::parse("value.damage > 50")?;
    // Only the filter, on the events of a session.
    let mut alone = vec![f64::MAX; COUNT];
    let mut found = 0;
    for (packet, best) in packets.iter().zip(&mut alone) {
        session.receive(0, Direction::ToServer, packet, |event| {
            found += usize::from(filter.matches(&event, None));
            for _ in 0..20 {
                let start = Instant::now();
                for _ in 0..100 {
                    black_box(filter.matches(black_box(&event), None));
                }
                *best = best.min(start.elapsed().as_secs_f64() / 100.0);
            }
        });
    }
    let unpack =
        |bytes: &[u8]| rmp_serde::from_slice::<Hit>(bytes).is_ok_and(|hit| hit.damage > 50.0);
    let unpacked = packed.iter().filter(|bytes| unpack(bytes)).count();
    assert_eq!((found, unpacked), (hits, hits));
    println!(
        "{:>8.1} ns  the filter value.damage > 50 on packets like W3 that a Session heard",
        alone.iter().sum::<f64>() / COUNT as f64 * 1e9
    );
    let mean = |each: &mut dyn FnMut() -> usize| {
        let mut best = f64::MAX;
        for _ in 0..ROUNDS {
            let start = Instant::now();
            assert_eq!(black_box(each()), hits);
            best = best.min(start.elapsed().as_secs_f64());
        }
        best / COUNT as f64 * 1e9
    };
    let heard = mean(&mut || {
        let mut found = 0;
        for packet in &packets {
            session.receive(0, Direction::ToServer, black_box(packet), |event| {
                found += usize::from(filter.matches(&event, None));
            });
        }
        found
    });
    println!(
        "{heard:>8.1} ns  the same with the Session's own work: all of each packet is validated"
    );
    let one = mean(&mut || {
        packed
            .iter()
            .filter(|bytes| unpack(black_box(bytes)))
            .count()
    });
    println!("{one:>8.1} ns  rmp-serde: the same packets in MessagePack, one field of each");
    let ignored =
        |bytes: &&Vec<u8>| rmp_serde::from_slice::<serde::de::IgnoredAny>(black_box(bytes)).is_ok();
    let all = mean(&mut || packed.iter().filter(ignored).count() - COUNT + hits);
    println!("{all:>8.1} ns  rmp-serde: all of each looked at (IgnoredAny)");
    Ok(())
}

#[derive(Serialize)]
struct Chat<'a> {
    r#type: &'a str,
    from: i64,
    text: &'a str,
}

#[derive(Serialize)]
struct Damage<'a> {
    r#type: &'a str,
    source: i64,
    target: i64,
    damage: f64,
    critical: bool,
}
