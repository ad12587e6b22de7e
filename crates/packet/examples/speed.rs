//! How long it takes to read what is read most, in nanoseconds: the shortest of many rounds.
//!
//! `cargo run --release --features compression --example speed`
use std::{hint::black_box, time::Instant};

use gdvar_packet::{
    Arg, Carrier, Dialect, Direction, Encode, Engine, Filter, Session,
    enet::{Body, Command, Datagram, Header},
    gdvar_write::{Target, Writer},
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
    let mut session = Session::new(Engine::Godot4, Carrier::Enet);
    measure("the same heard by a Session", || {
        session.receive(0, Direction::ToServer, black_box(&datagram), |item| {
            black_box(item.message.name());
        });
    });
    let filters = [
        "args[0] > 50",
        "method == 1",
        "args[2] contains \"ire\"",
        "command == \"CALL\" and args[0] > 50",
    ];
    for text in filters {
        let filter = Filter::parse(text)?;
        let mut done = false;
        session.receive(0, Direction::ToServer, &datagram, |item| {
            if !std::mem::replace(&mut done, true) {
                measure(&format!("the filter {text}"), || {
                    black_box(filter.matches(black_box(&item), None));
                });
            }
        });
    }
    Ok(())
}
