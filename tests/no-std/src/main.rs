//! Reads a packet and writes an answer on a machine that has nothing: no std, no main, no libc.
//! It is linked and not run; what it needs and cannot have is an error of the linker.
#![no_std]
#![no_main]

#[cfg(feature = "alloc")]
extern crate alloc;

use core::hint::black_box;

use gdvar_view::{Dialect, Document};
use gdvar_write::{SliceSink, Target, Writer};

/// It has nothing to give. Without the feature `alloc` it is there only because the linker asks for one:
/// what may spill (levels beyond the engines' limit of depth, long paths) could ask it.
#[global_allocator]
static HEAP: linked_list_allocator::LockedHeap = linked_list_allocator::LockedHeap::empty();

/// `["move", Vector2(1, 2)]` of Godot 4.
static PACKET: &[u8] =
    b"\x1c\0\0\0\x02\0\0\0\x04\0\0\0\x04\0\0\0move\x05\0\0\0\0\0\x80\x3f\0\0\0\x40";

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Answers with how long the way is, in a message of the same form.
fn answer(packet: &[u8], out: &mut [u8]) -> Option<usize> {
    let root = Document::new(packet, Dialect::GODOT_4).root().ok()?;
    let mut message = root.as_array()?.iter();
    let (name, place) = (message.next()?.ok()?, message.next()?.ok()?);
    let (name, place) = (name.as_str()?, place.as_vector2()?);
    let mut writer = Writer::new(SliceSink::new(out), Target::GODOT_4);
    let mut answer = writer.root().array(2).ok()?;
    answer.push().string(name).ok()?;
    answer
        .push()
        .float(f64::from(place.x * place.x + place.y * place.y))
        .ok()?;
    answer.end().ok()?;
    let written = writer.position() as usize;
    writer.finish().ok()?;
    Some(written)
}

/// The program with an index, and converted for Godot 3.
#[cfg(feature = "alloc")]
fn with_memory(packet: &[u8]) -> Option<usize> {
    let document = Document::new(packet, Dialect::GODOT_4);
    let index = gdvar_view::Index::build(document).ok()?;
    let length = index.open(document).ok()?.as_array()?.len();
    let mut writer = Writer::new(alloc::vec::Vec::new(), Target::GODOT_3);
    gdvar_write::transcode(document, &mut writer).ok()?;
    Some(length + writer.finish().ok()?.len())
}

/// The program with types of other libraries.
#[cfg(feature = "interop")]
fn with_others(packet: &'static [u8]) -> Option<f32> {
    let packet = bytes::Bytes::from_static(packet);
    let message = Document::new(&packet, Dialect::GODOT_4)
        .root()
        .ok()?
        .as_array()?;
    let mut message = message.iter();
    let name = gdvar_view::keep(&packet, message.next()?.ok()?.raw().ok()?)?;
    let place = glam::Vec2::from(message.next()?.ok()?.as_vector2()?);
    Some(place.length() + name.len() as f32)
}

#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    let mut out = [0; 64];
    black_box(answer(black_box(PACKET), &mut out));
    #[cfg(feature = "alloc")]
    black_box(with_memory(black_box(PACKET)));
    #[cfg(feature = "interop")]
    black_box(with_others(black_box(PACKET)));
    loop {}
}
