//! Which change is switched on. This goes into the copy as a crate of its own; one change a process, named by the
//! environment variable `GDVAR_MUTANT`. A change that was asked for is noted in the file `GDVAR_MUTANTS_REACHED`.
#![feature(const_eval_select, core_intrinsics)]
#![allow(internal_features)]

use std::{
    fs::File,
    io::Write,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering::Relaxed},
    },
};

const UNKNOWN: u8 = 0;
const OFF: u8 = 1;
const ON: u8 = 2;

static STATES: [AtomicU8; 1 << 14] = [const { AtomicU8::new(UNKNOWN) }; 1 << 14];
static ORDERS: OnceLock<Orders> = OnceLock::new();

struct Orders {
    on: Option<u16>,
    reached: Option<File>,
}

/// Reads the environment, so that later nothing is allocated where a test counts allocations.
pub fn start() {
    ORDERS.get_or_init(|| Orders {
        on: std::env::var("GDVAR_MUTANT").ok().and_then(|on| on.parse().ok()),
        reached: std::env::var_os("GDVAR_MUTANTS_REACHED").map(|path| {
            let file = File::options().append(true).create(true).open(path);
            file.expect("the file of what was reached")
        }),
    });
}

/// Returns `true` if this change is on; never while the compiler evaluates.
#[inline(always)]
pub const fn on(number: u16) -> bool {
    core::intrinsics::const_eval_select((number,), never, asked)
}

const fn never(_: u16) -> bool {
    false
}

#[inline(always)]
fn asked(number: u16) -> bool {
    match STATES[number as usize].load(Relaxed) {
        UNKNOWN => first(number),
        state => state == ON,
    }
}

#[cold]
#[inline(never)]
fn first(number: u16) -> bool {
    start();
    let orders = ORDERS.get().expect("read above");
    if let Some(mut file) = orders.reached.as_ref() {
        file.write_all(&number.to_le_bytes()).expect("a note of what was reached");
    }
    let on = orders.on == Some(number);
    STATES[number as usize].store(if on { ON } else { OFF }, Relaxed);
    on
}
