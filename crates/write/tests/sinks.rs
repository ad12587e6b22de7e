//! Sinks, containers of unknown length, and what a writer allocates.
#![cfg(feature = "std")]

use std::io::{self, Cursor, Seek, SeekFrom, Write};

use gdvar_write::{
    ElementType, ImageParts, IoSink, Measure, Patch, Precision, SeekSink, Sink, SliceSink, Target,
    Writer,
    wire::{Kind, math::Vector3},
};

/// Writes growing containers of `big` children.
fn fill<S: Patch>(w: &mut Writer<S>, big: usize) -> Result<(), gdvar_write::Error<S::Error>> {
    let mut outer = w.root().growing_array()?;
    outer.push().packed_bytes(&vec![7; big])?;
    let mut dict = outer.push().growing_dict()?;
    dict.key("a")?.int(1)?;
    dict.entry().int(2)?.string("b")?;
    assert_eq!(dict.end()?, 2);
    for n in 0..big {
        outer.push().int(n as i64)?;
    }
    assert_eq!(outer.end()? as usize, big + 2);
    Ok(())
}

/// Returns the bytes of [`fill`], written with counts given in advance.
fn counted(big: usize) -> Vec<u8> {
    let mut w = Writer::new(Vec::new(), Target::GODOT_4);
    w.begin_array(big + 2).unwrap();
    w.packed_bytes(&vec![7; big]).unwrap();
    w.begin_dict(2).unwrap();
    w.string("a").unwrap();
    w.int(1).unwrap();
    w.int(2).unwrap();
    w.string("b").unwrap();
    w.end().unwrap();
    for n in 0..big {
        w.int(n as i64).unwrap();
    }
    w.end().unwrap();
    w.finish().unwrap()
}

#[test]
fn growing_containers_equal_counted_ones() {
    // Below, around and above what SeekSink collects.
    for big in [0, 3, 600, 1023, 9000] {
        let expected = counted(big);
        let mut w = Writer::new(b"before".to_vec(), Target::GODOT_4);
        fill(&mut w, big).unwrap();
        assert_eq!(w.finish().unwrap()[6..], expected, "{big}");

        let mut file = Cursor::new(b"before".to_vec());
        file.seek(SeekFrom::End(0)).unwrap();
        let mut w = Writer::new(SeekSink::new(file).unwrap(), Target::GODOT_4);
        fill(&mut w, big).unwrap();
        let file = w.finish().unwrap().into_inner().unwrap();
        assert_eq!(file.position() as usize, expected.len() + 6);
        assert_eq!(file.into_inner()[6..], expected, "{big}");

        let mut buffer = vec![0; expected.len()];
        let mut w = Writer::new(SliceSink::new(&mut buffer), Target::GODOT_4);
        fill(&mut w, big).unwrap();
        assert_eq!(w.finish().unwrap().into_written(), expected, "{big}");

        let mut w = Writer::new(Measure::new(), Target::GODOT_4);
        fill(&mut w, big).unwrap();
        assert_eq!(w.finish().unwrap().len() as usize, expected.len());

        let mut scratch = vec![1, 2, 3];
        let mut inner = Vec::new();
        let mut w = Writer::new(IoSink::new(Vec::new()), Target::GODOT_4);
        w.root()
            .spooled_array(&mut scratch, |outer| {
                outer.push().packed_bytes(&vec![7; big])?;
                outer.push().spooled_dict(&mut inner, |dict| {
                    dict.key("a")?.int(1)?;
                    dict.entry().int(2)?.string("b")
                })?;
                (0..big).try_for_each(|n| outer.push().int(n as i64))
            })
            .unwrap();
        let bytes = w.finish().unwrap().into_inner().unwrap();
        assert_eq!(bytes, expected, "{big}");
    }
}

/// Records how it was called.
#[derive(Default)]
struct Calls(Vec<(usize, *const u8)>);

impl Write for Calls {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.push((bytes.len(), bytes.as_ptr()));
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn large_payloads_reach_the_inner_writer_uncopied() {
    let values = vec![1.5_f32; 100_000];
    let mut w = Writer::new(IoSink::new(Calls::default()), Target::GODOT_4);
    w.begin_array(3).unwrap();
    w.packed_f32(&values).unwrap();
    w.int(1).unwrap();
    w.int(2).unwrap();
    w.end().unwrap();
    let calls = w.finish().unwrap().into_inner().unwrap().0;
    let sizes: Vec<usize> = calls.iter().map(|call| call.0).collect();
    assert_eq!(sizes.iter().sum::<usize>(), 400_032);
    // On other hosts the bytes have to be swapped.
    if cfg!(target_endian = "little") {
        assert_eq!(sizes, [16, 400_000, 16]);
        assert_eq!(calls[1].1, values.as_ptr().cast());
    }
}

/// Writes everything that the API has, nested to the greatest depth, into `sink`.
fn everything<S: Sink>(w: &mut Writer<S>) -> Result<(), gdvar_write::Error<S::Error>> {
    for _ in 0..1023 {
        w.begin_array(1)?;
    }
    let mut dict =
        w.slot()
            .typed_dict(ElementType::Builtin(Kind::String), ElementType::Untyped, 6)?;
    dict.key("int")?.int(1 << 40)?;
    dict.key("float")?.float(0.1)?;
    dict.key("names")?.packed_strings(["a", "bcd"])?;
    dict.key("bytes")?.packed_bytes(&[1; 5000])?;
    dict.key("points")?.packed_vector3(
        &[Vector3 {
            x: 1.0,
            y: 2.0,
            z: 3.0_f32,
        }; 501],
    )?;
    dict.key("path")?.node_path_from(["a", "b"], ["c"], true)?;
    dict.end()?;
    (0..1023).try_for_each(|_| w.end())
}

#[test]
fn writing_allocates_nothing() {
    let mut bytes = Vec::with_capacity(100_000);
    let mut buffer = vec![0; 100_000];
    let counted = allocation_counter::measure(|| {
        for target in [Target::GODOT_4, Target::GODOT_4] {
            bytes.clear();
            let mut w = Writer::new(&mut bytes, target);
            everything(&mut w).unwrap();
            w.finish().unwrap();
        }
        let mut w = Writer::new(SliceSink::new(&mut buffer), Target::GODOT_4);
        everything(&mut w).unwrap();
        w.finish().unwrap();
        let mut w = Writer::new(Vec::<u8>::new(), Target::GODOT_4);
        assert!(w.string("\0").unwrap_err().position() == 0);
    });
    assert!(bytes.len() > 10_000);
    assert_eq!(buffer[..bytes.len()], bytes);
    assert_eq!(counted.count_total, 0);
    // The allocation counter works.
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(vec![1_u8])));
    assert_eq!(counted.count_total, 1);
}

/// A vector of the measured size is filled to the brim and does not grow.
#[test]
fn a_measured_vector_does_not_grow() {
    for text in ["", "a", "abcd", "a text of more than one block, all in all"] {
        let mut w = Writer::new(Measure::new(), Target::GODOT_4);
        w.string(text).unwrap();
        let len = w.finish().unwrap().len() as usize;
        let mut bytes = Vec::with_capacity(len);
        let counted = allocation_counter::measure(|| {
            let mut w = Writer::new(&mut bytes, Target::GODOT_4);
            w.string(text).unwrap();
            w.finish().unwrap();
        });
        assert_eq!((bytes.len(), counted.count_total), (len, 0), "{text}");
    }
}

/// Implements only what a sink must implement.
#[derive(Default)]
struct Plain(Vec<u8>);

impl Sink for Plain {
    type Error = std::convert::Infallible;
    fn put(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Writes a filler and then the text in every form to `sink`. Returns the position before each and
/// at the end.
fn texts<S: Sink>(sink: S, filler: &[u8], text: &str) -> (S, Vec<u64>) {
    let mut positions = Vec::new();
    let mut w = Writer::new(sink, Target::GODOT_4);
    let mut write = || {
        w.begin_array(4)?;
        w.packed_bytes(filler)?;
        positions.push(w.position());
        w.string(text)?;
        positions.push(w.position());
        w.packed_strings([text, text])?;
        positions.push(w.position());
        w.begin_object("A", 1)?;
        w.property(text)?;
        w.nil()?;
        w.end()?;
        w.end()
    };
    assert!(write().is_ok());
    let Ok(size) = w.next_value() else {
        panic!("the value is whole");
    };
    positions.push(size);
    assert_eq!(w.position(), 0);
    (w.into_sink(), positions)
}

/// Texts of all lengths around those that are written as whole words, compared with the description
/// of the format, into sinks that have exactly enough room and across the end of a stage.
#[test]
fn texts_of_every_length_fit_exactly() {
    fn word(bytes: &mut Vec<u8>, number: usize) {
        bytes.extend((number as u32).to_le_bytes());
    }
    fn text_field(bytes: &mut Vec<u8>, len: usize, text: &[u8]) {
        word(bytes, len);
        bytes.extend(text);
        bytes.resize(bytes.len() + len - text.len(), 0);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    for len in 0..=70 {
        let text: String = "a\u{80}b\u{7ff}\u{1}".chars().cycle().take(len).collect();
        for filler in [0, 3, 8100 + len * 4, 8192] {
            let filler = vec![7; filler];
            let mut expected = Vec::new();
            for number in [0x1c, 4, 0x1d] {
                word(&mut expected, number);
            }
            text_field(&mut expected, filler.len(), &filler);
            let mut positions = vec![expected.len() as u64];
            word(&mut expected, 4);
            text_field(&mut expected, text.len(), text.as_bytes());
            positions.push(expected.len() as u64);
            for number in [0x22, 2] {
                word(&mut expected, number);
            }
            text_field(&mut expected, text.len() + 1, text.as_bytes());
            text_field(&mut expected, text.len() + 1, text.as_bytes());
            positions.push(expected.len() as u64);
            word(&mut expected, 0x18);
            text_field(&mut expected, 1, b"A");
            word(&mut expected, 1);
            text_field(&mut expected, text.len(), text.as_bytes());
            word(&mut expected, 0);
            positions.push(expected.len() as u64);

            let mut bytes = Vec::with_capacity(expected.len());
            let room = bytes.capacity();
            let (_, at) = texts(&mut bytes, &filler, &text);
            assert_eq!(
                (&bytes, &at, bytes.capacity()),
                (&expected, &positions, room)
            );
            let (bytes, at) = texts(b"before".to_vec(), &filler, &text);
            assert_eq!((&bytes[6..], &at), (&expected[..], &positions));

            let mut buffer = vec![1; expected.len()];
            let (sink, at) = texts(SliceSink::new(&mut buffer), &filler, &text);
            assert_eq!((sink.written(), &at), (&expected[..], &positions));
            let (sink, at) = texts(Plain::default(), &filler, &text);
            assert_eq!((&sink.0, &at), (&expected, &positions));
            let (sink, at) = texts(Measure::new(), &filler, &text);
            assert_eq!((sink.len(), &at), (expected.len() as u64, &positions));

            let (sink, at) = texts(IoSink::new(Vec::new()), &filler, &text);
            assert_eq!((&sink.into_inner().unwrap(), &at), (&expected, &positions));
            let file = SeekSink::new(Cursor::new(Vec::new())).unwrap();
            let (sink, at) = texts(file, &filler, &text);
            let end = Patch::position(&sink);
            let file = sink.into_inner().unwrap();
            assert_eq!((end, file.position()), (expected.len() as u64, end));
            assert_eq!((&file.into_inner(), &at), (&expected, &positions));
        }
    }
}

/// Forms that no available engine writes, by the rules of the format's description.
#[test]
fn derived_forms() {
    #[track_caller]
    fn is<E: std::fmt::Debug>(
        target: Target,
        hex: &str,
        write: impl FnOnce(&mut Writer<Vec<u8>>) -> Result<(), E>,
    ) {
        let mut w = Writer::new(Vec::new(), target);
        write(&mut w).unwrap();
        let written: String = w
            .finish()
            .unwrap()
            .chunks(4)
            .map(|word| word.iter().map(|b| format!("{b:02x}")).collect::<String>() + " ")
            .collect();
        assert_eq!(written.trim_end(), hex);
    }
    let g2 = Target::GODOT_2;
    is(
        g2,
        "15000000 02000080 02000000 01000000 02000000 02000000",
        |w| {
            w.begin_array_shared(2)?;
            w.int(1)?;
            w.int(2)?;
            w.end()
        },
    );
    is(g2, "14000000 00000080", |w| {
        w.begin_dict_shared(0)?;
        w.end()
    });
    // Rounding must be asked for.
    let rounding = g2.with_precision(Precision::Single);
    is(rounding, "03000000 cdcccc3d", |w| w.float(0.1));
    is(g2, "03000000 cdcccc3d", |w| w.float_f32(0.1));
    is(g2, "03000000 0000c07f", |w| w.float(f64::NAN));
    is(g2, "12000000", |w| w.null_object());
    is(
        g2,
        "13000000 01000000 02000000 14000000 00000002 41000000",
        |w| w.input_event(1, 2, &[0, 0, 0, 2, 0x41, 0, 0, 0]),
    );
    is(
        g2,
        "0f000000 04000000 00000000 01000000 02000000 02000000 0aff0000",
        |w| {
            w.image(&ImageParts {
                format: 4,
                mipmaps: 0,
                width: 1,
                height: 2,
                data: &[10, 255],
            })
        },
    );
    is(Target::GODOT_3_0, "02000100 ffffffff ffffffff", |w| {
        w.int(-1)
    });
    is(Target::GODOT_3_0, "03000000 0000003f", |w| w.float(0.5));
    let docs = Target::GODOT_4_DOCS;
    is(docs, "16000000 01000000 01000000 00000000", |w| {
        w.packed_i64(&[1])
    });
    is(docs, "19000000 01000000 02000000 61000000", |w| {
        w.packed_strings(["a"])
    });
    is(
        Target::PANDEMONIUM_4,
        "1a000000 01000000 02000000 01000000",
        |w| w.root().array_from([1], |slot, n| slot.int(n)),
    );
    is(Target::GODOT_4, "00000000", |w| w.null_object());
    is(Target::GODOT_4, "02000100 01000000 00000000", |w| {
        w.int_i64(1)
    });
    is(Target::GODOT_4, "03000000 0100a07f", |w| {
        w.float_f32(f32::from_bits(0x7fa0_0001))
    });
    // An Array[Variant] is untyped; objects of no class are given by their type number.
    is(Target::GODOT_4, "1c000000 00000000", |w| {
        w.begin_typed_array(ElementType::Builtin(Kind::Nil), 0)?;
        w.end()
    });
    is(Target::GODOT_4, "1c000100 18000000 00000000", |w| {
        w.begin_typed_array(ElementType::Class(""), 0)?;
        w.end()
    });
}

/// "Returns the number of bytes that the sink has taken, from other writers too", asked through
/// `&mut` too.
#[test]
fn sinks_in_memory_know_what_they_took() {
    fn taken<S: Sink<Error: std::fmt::Debug>>(mut sink: S, before: u64) {
        assert_eq!(sink.taken(), Some(before));
        sink.put(&[1; 5]).unwrap();
        sink.put_run(&[1; 3], &[2; 40], 1).unwrap();
        sink.put_short([1, 2, 3, 4], 17).unwrap();
        // Nothing is taken from nothing.
        sink.put_run(&[], &[], 0).unwrap();
        assert_eq!(sink.taken(), Some(before + 66));
        let mut lent = &mut sink;
        let lent = &mut lent;
        lent.put(&[1]).unwrap();
        assert_eq!(Sink::taken(lent), Some(before + 67));
        sink.flush().unwrap();
        assert_eq!(sink.taken(), Some(before + 67));
    }
    taken(Vec::new(), 0);
    taken(vec![9; 3], 3);
    let mut memory = [0; 67];
    taken(SliceSink::new(&mut memory), 0);
    taken(Measure::new(), 0);
    taken(IoSink::new(Vec::new()), 0);
    taken(SeekSink::new(Cursor::new(vec![9; 3])).unwrap(), 0);
    assert_eq!(Plain::default().taken(), None);

    // An empty vector gives the same as one with content.
    let mut none = Vec::new();
    none.put_run(&[], &[], 0).unwrap();
    assert!(none.is_empty());
}

/// A hint makes room at once, and a long text grows a vector once.
#[test]
fn vectors_make_room_at_once() {
    let mut bytes = Vec::new();
    Sink::reserve(&mut bytes, 1000);
    assert!(bytes.capacity() >= 1000);
    let room = bytes.capacity();
    bytes.put_run(&[1; 8], &[2; 989], 3).unwrap();
    assert_eq!((bytes.len(), bytes.capacity()), (1000, room));
    for zeros in 0..=4 {
        let mut bytes = Vec::new();
        let counted = allocation_counter::measure(|| {
            bytes.put_run(&[1; 8], &[2; 41], zeros).unwrap();
        });
        assert_eq!((bytes.len(), counted.count_total), (49 + zeros, 1));
    }
}

/// Takes a few bytes, then fails once, then takes the rest.
struct FullOnce {
    taken: Vec<u8>,
    room: usize,
}

impl Write for FullOnce {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 {
            self.room = usize::MAX;
            return Err(io::Error::other("the disk is full"));
        }
        let len = bytes.len().min(self.room).min(3);
        self.room -= len;
        self.taken.extend_from_slice(&bytes[..len]);
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// After a failed flush, the next one goes on after the last byte that the writer took.
#[test]
fn no_byte_is_sent_twice_after_an_error() {
    for room in 0..16 {
        let mut sink = IoSink::new(FullOnce {
            taken: Vec::new(),
            room,
        });
        let bytes = b"\x04\0\0\0\x05\0\0\0hello\0\0\0";
        sink.put(bytes).expect("collected");
        sink.flush().expect_err("the disk is full");
        assert_eq!(sink.get_ref().taken, bytes[..room], "{room}");
        let done = sink.into_inner().expect("there is room now");
        assert_eq!(done.taken, bytes, "{room}");
    }
}
