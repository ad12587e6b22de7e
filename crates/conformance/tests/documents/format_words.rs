//! Headers, flags, sizes and numbers of the wire, against docs/FORMAT.md.

use gdvar::{
    Dialect, Kind, Limits,
    values::Element,
    write::wire::{
        ElementTyping, Flags, HeaderWord, NODE_PATH_ABSOLUTE, NODE_PATH_NEW_FORMAT,
        NODE_PATH_PROPERTY, SHARED_BIT, TypeId, WideCode, fits_f32, layout, narrow, pad4,
        wide_bytes, wide_code, widen,
    },
};

/// §2: the type number in bits 0–7, nothing in 8–15, flags from 16 on.
#[test]
fn a_header_is_a_number_and_flags() {
    let header = HeaderWord(0xabcd_ef1b);
    assert_eq!(header.type_id(), TypeId(0x1b));
    assert_eq!(header.unused_bits(), 0xef);
    assert_eq!(header.flags(), Flags(0xabcd));
    assert_eq!(HeaderWord(0x0000_0105).type_id(), TypeId(5));
    assert_eq!(HeaderWord(0x0000_0105).unused_bits(), 1);
    assert_eq!(
        HeaderWord::new(TypeId(0x1b), Flags(0xabcd)),
        HeaderWord(0xabcd_001b)
    );
    assert_eq!(
        HeaderWord::new(TypeId(2), Flags::WIDE),
        HeaderWord(0x0001_0002)
    );
    assert_eq!(format!("{header:?}"), "HeaderWord(0xabcdef1b)");
    assert_eq!(
        format!("{:?}", HeaderWord(0x0001_0002)),
        "HeaderWord(0x00010002)"
    );
    assert_eq!(format!("{:?}", TypeId(27)), "TypeId(27)");
    assert_eq!(TypeId(27).to_string(), "27");
    assert_eq!(format!("{:>4}", TypeId(27)), "  27");
    assert_eq!(format!("{:?}", Flags(0xd)), "Flags(0x000d)");
    assert_eq!(Flags::default(), Flags::NONE);
}

/// §2: bit 16 is the width of numbers and the form of an object, 16–17 the kind of an array's
/// elements or a dictionary's keys, 18–19 that of its values.
#[test]
fn flags_mean_what_the_kind_makes_of_them() {
    for bits in 0..=u16::MAX {
        let flags = Flags(bits);
        assert_eq!(flags.is_64(), bits % 2 == 1);
        assert_eq!(flags.object_as_id(), bits % 2 == 1);
        let typing = [
            ElementTyping::None,
            ElementTyping::Builtin,
            ElementTyping::Class,
            ElementTyping::Script,
        ];
        assert_eq!(flags.element_typing(), typing[usize::from(bits) % 4]);
        assert_eq!(flags.value_typing(), typing[usize::from(bits) / 4 % 4]);
    }
    // §4.3: the codes.
    assert_eq!(ElementTyping::default(), ElementTyping::None);
    assert_eq!(ElementTyping::None.bits(), 0);
    assert_eq!(ElementTyping::Builtin.bits(), 1);
    assert_eq!(ElementTyping::Class.bits(), 2);
    assert_eq!(ElementTyping::Script.bits(), 3);
}

/// §2 and §2.1, kind by kind.
#[test]
fn flags_are_defined_for_some_kinds_only() {
    let reals = [
        Kind::Vector2,
        Kind::Vector3,
        Kind::Vector4,
        Kind::Rect2,
        Kind::Transform2D,
        Kind::Plane,
        Kind::Quaternion,
        Kind::Aabb,
        Kind::Basis,
        Kind::Transform3D,
        Kind::Projection,
        Kind::PackedVector2Array,
        Kind::PackedVector3Array,
        Kind::PackedVector4Array,
    ];
    for dialect in Dialect::ALL {
        let godot4 = dialect == Dialect::GODOT_4;
        assert_eq!(dialect.has_wide_math(), godot4);
        assert_eq!(dialect.rid_has_id(), godot4);
        assert_eq!(dialect.has_typed_containers(), godot4);
        // §6, "Equal keys".
        assert_eq!(dialect.string_names_equal_strings(), godot4);
        // §1.5.
        let godot2 = dialect == Dialect::GODOT_2;
        assert_eq!(dialect.has_object_payload(), !godot2);
        assert_eq!(dialect.compares_whole_header(), godot2);
        assert_eq!(dialect.has_old_node_paths(), godot2);
        for kind in Kind::ALL.iter().copied() {
            assert_eq!(kind.has_reals(), reals.contains(&kind), "{kind}");
            let Some(id) = dialect.type_id(kind) else {
                continue;
            };
            let expected = match kind {
                Kind::Int | Kind::Float => 1,
                Kind::Object => u16::from(!godot2),
                Kind::TypedArray | Kind::PackedTypedArray => 1,
                Kind::Array if godot4 => 3,
                Kind::Dictionary if godot4 => 15,
                _ => u16::from(godot4 && reals.contains(&kind)),
            };
            let who = format!("{dialect} {kind}");
            assert_eq!(dialect.defined_flags(id), Flags(expected), "{who}");
            for bit in 0..16 {
                let header = HeaderWord::new(id, Flags(1 << bit));
                let defined = expected & 1 << bit != 0;
                assert_eq!(dialect.is_canonical_header(header), defined, "{who} {bit}");
                let unused = HeaderWord(header.0 | 1 << (8 + bit / 2));
                assert!(!dialect.is_canonical_header(unused), "{who}");
                // Elsewhere bit 16 says something else.
                if kind.has_reals() || matches!(kind, Kind::Int | Kind::Float) || !defined {
                    assert_eq!(dialect.is_wide(header), bit == 0 && defined, "{who} {bit}");
                }
            }
            let plain = HeaderWord::new(id, Flags::NONE);
            assert!(dialect.is_canonical_header(plain) && !dialect.is_wide(plain));
        }
        let beyond = TypeId(dialect.type_count());
        assert_eq!(dialect.defined_flags(beyond), Flags::NONE);
        assert_eq!(dialect.fixed_payload(beyond, false), None);
    }
}

/// §1: the names of the dialects, and the message for an unknown name.
#[test]
fn dialects_are_named_and_found_by_name() {
    let names = [
        ("godot4", "Godot 4"),
        ("godot3", "Godot 3"),
        ("godot2", "Godot 2"),
        ("godot4-docs", "the outdated Godot 4 document"),
        ("pandemonium3", "Pandemonium 3"),
        ("pandemonium4", "Pandemonium 4"),
        ("pandemonium5", "Pandemonium 5"),
    ];
    for (dialect, (name, title)) in Dialect::ALL.into_iter().zip(names) {
        assert_eq!((dialect.name(), dialect.title()), (name, title));
        assert_eq!(name.parse(), Ok(dialect));
        assert_eq!(format!("{dialect:?}"), format!("Dialect({name})"));
        assert_eq!(format!("{dialect:<14}|"), format!("{name:<14}|"));
    }
    for unknown in ["", "Godot4", "godot4 ", "godot5"] {
        let error = unknown.parse::<Dialect>().expect_err("there is none");
        assert_eq!(
            error.to_string(),
            "unknown dialect; there are godot4, godot3, godot2, godot4-docs, pandemonium3, \
             pandemonium4, pandemonium5"
        );
    }
}

#[test]
fn kinds_are_found_by_name() {
    assert_eq!(Kind::COUNT, 46);
    for kind in Kind::ALL.iter().copied() {
        assert_eq!(Kind::from_name(kind.name()), Some(kind));
        assert_eq!(kind.to_string(), kind.name());
    }
    // The engine's spelling, not Rust's; and Pandemonium's own for what only it has.
    assert_eq!(Kind::from_name("AABB"), Some(Kind::Aabb));
    assert_eq!(Kind::from_name("RID"), Some(Kind::Rid));
    assert_eq!(
        Kind::from_name("PoolVector2iArray"),
        Some(Kind::PackedVector2iArray)
    );
    for unknown in ["", "Aabb", "nil", "Vector2 "] {
        assert_eq!(Kind::from_name(unknown), None);
    }
    assert_eq!(format!("{:<8}|", Kind::Rid), "RID     |");
    // §4, and §3.4.
    for kind in Kind::ALL.iter().copied() {
        let container = matches!(
            kind,
            Kind::Array | Kind::Dictionary | Kind::TypedArray | Kind::PackedTypedArray
        );
        assert_eq!(kind.is_container(), container, "{kind}");
        let name = kind.name();
        let packed = (name.starts_with("Packed") || name.starts_with("Pool"))
            && kind != Kind::PackedTypedArray;
        assert_eq!(kind.is_packed(), packed, "{kind}");
    }
}

/// §3.1 and §3.4, for kinds that are known already.
#[test]
fn payloads_and_elements_have_the_sizes_of_the_document() {
    let black_box = std::hint::black_box::<Kind>;
    for (kind, narrow, wide) in [
        (Kind::Nil, 0, 0),
        (Kind::Bool, 4, 4),
        (Kind::Int, 4, 8),
        (Kind::Float, 4, 8),
        (Kind::Vector2, 8, 16),
        (Kind::Vector2i, 8, 8),
        (Kind::Rect2, 16, 32),
        (Kind::Rect2i, 16, 16),
        (Kind::Vector3, 12, 24),
        (Kind::Vector3i, 12, 12),
        (Kind::Transform2D, 24, 48),
        (Kind::Vector4, 16, 32),
        (Kind::Vector4i, 16, 16),
        (Kind::Plane, 16, 32),
        (Kind::Quaternion, 16, 32),
        (Kind::Aabb, 24, 48),
        (Kind::Basis, 36, 72),
        (Kind::Transform3D, 48, 96),
        (Kind::Projection, 64, 128),
        (Kind::Color, 16, 16),
        (Kind::Callable, 0, 0),
    ] {
        for has_id in [false, true] {
            let kind = black_box(kind);
            assert_eq!(layout::fixed_payload(kind, false, has_id), Some(narrow));
            assert_eq!(layout::fixed_payload(kind, true, has_id), Some(wide));
        }
    }
    let rid = black_box(Kind::Rid);
    assert_eq!(layout::fixed_payload(rid, false, true), Some(8));
    assert_eq!(layout::fixed_payload(rid, false, false), Some(0));
    let mut packed = 0;
    for kind in Kind::ALL.iter().copied() {
        let sizes = match kind {
            Kind::PackedByteArray => Some((1, 1)),
            Kind::PackedInt32Array | Kind::PackedFloat32Array => Some((4, 4)),
            Kind::PackedInt64Array | Kind::PackedFloat64Array => Some((8, 8)),
            Kind::PackedVector2Array => Some((8, 16)),
            Kind::PackedVector3Array => Some((12, 24)),
            Kind::PackedVector4Array => Some((16, 32)),
            Kind::PackedColorArray => Some((16, 16)),
            Kind::PackedVector2iArray => Some((8, 8)),
            Kind::PackedVector3iArray => Some((12, 12)),
            Kind::PackedVector4iArray => Some((16, 16)),
            _ => None,
        };
        let found = [false, true].map(|wide| layout::packed_element(kind, wide));
        assert_eq!(found, [sizes.map(|s| s.0), sizes.map(|s| s.1)], "{kind}");
        packed += usize::from(sizes.is_some());
        if kind.is_packed() || kind.is_container() || kind == Kind::Object {
            assert_eq!(layout::fixed_payload(kind, true, true), None, "{kind}");
        }
    }
    assert_eq!(packed, 12);
}

/// §3.5, §4.2, §4.5 and §4.6.
#[test]
fn limits_are_those_of_the_document() {
    assert_eq!((layout::HEADER, layout::MIN_VALUE), (4, 4));
    assert_eq!((layout::MIN_PAIR, layout::MIN_PROPERTY), (8, 8));
    assert_eq!(layout::MIN_STRING, 4);
    assert_eq!(layout::MAX_SIZE, 0x7fff_ffff);
    assert_eq!(SHARED_BIT, 0x8000_0000);
    assert_eq!(NODE_PATH_NEW_FORMAT, 0x8000_0000);
    assert_eq!((NODE_PATH_ABSOLUTE, NODE_PATH_PROPERTY), (1, 2));
    assert_eq!(Limits::default(), Limits::ENGINE);
    assert_eq!(Limits::ENGINE.max_depth, 1024);
    assert_eq!(Limits::GODOT_3_2.max_depth, 10_000);
    assert_eq!(Limits::PACKET.max_depth, 32);
    assert_eq!(Limits::MOST.max_depth, 65_534);
    for (asked, given) in [(0, 0), (7, 7), (65_534, 65_534), (65_535, 65_534)] {
        assert_eq!(Limits::ENGINE.with_max_depth(asked).max_depth, given);
    }
    for (len, padded) in [(0, 0), (1, 4), (3, 4), (4, 4), (5, 8), (8, 8)] {
        assert_eq!(pad4(len), padded);
    }
    assert_eq!(pad4(usize::MAX), usize::MAX & !3);
}

/// §2.3 and §3.1: to nearest even, infinity beyond, a NaN quiet with the top of its payload.
#[test]
fn reals_change_their_width_as_in_the_engines() {
    for (wide, single) in [
        (0.0_f64, 0.0_f32),
        (0.1, 0.1),
        (1e39, f32::INFINITY),
        (-1e39, f32::NEG_INFINITY),
        (16_777_217.0, 16_777_216.0),
        (16_777_219.0, 16_777_220.0),
    ] {
        assert_eq!(narrow(wide).to_bits(), single.to_bits());
    }
    assert_eq!(narrow(-0.0).to_bits(), 0x8000_0000);
    assert_eq!(widen(-0.0).to_bits(), 0x8000_0000_0000_0000);
    assert_eq!(widen(0.1).to_bits(), 0x3fb9_9999_a000_0000);
    for (single, wide) in [
        (0x7fa0_0001, 0x7ffc_0000_2000_0000),
        (0xffa0_0001, 0xfffc_0000_2000_0000),
        (0x7fc0_0000, 0x7ff8_0000_0000_0000),
        (0x7fff_ffff, 0x7fff_ffff_e000_0000),
        (0xff80_0001, 0xfff8_0000_2000_0000_u64),
    ] {
        assert_eq!(widen(f32::from_bits(single)).to_bits(), wide);
        let quiet = single | 0x0040_0000;
        assert_eq!(narrow(f64::from_bits(wide)).to_bits(), quiet);
    }
    // Signalling, and lower bits that do not fit.
    let signalling = f64::from_bits(0xfff4_0000_3fff_ffff);
    assert_eq!(narrow(signalling).to_bits(), 0xffe0_0001);
    // §5: what is written in 32 bits.
    for fits in [
        0.0,
        -0.0,
        0.5,
        f64::INFINITY,
        f64::from(f32::MAX),
        1e-45_f32.into(),
    ] {
        assert!(fits_f32(fits), "{fits}");
    }
    for long in [0.1, 1e39, 16_777_217.0, f64::NAN, 1e-46] {
        assert!(!fits_f32(long), "{long}");
    }
}

/// §6, rows 12 and 13: what Godot 3 reads, byte by byte.
#[test]
fn wide_text_is_decoded_as_by_godot_3() {
    let code = |code, len| WideCode::Code { code, len };
    for (text, expected) in [
        (&b""[..], WideCode::End),
        (b"A", code(0x41, 1)),
        (b"\x7fz", code(0x7f, 1)),
        (b"\0", code(0, 1)),
        // Two bytes; overlong ones begin with c0 and c1.
        (b"\xc2\x80", code(0x80, 2)),
        (b"\xdf\xbf", code(0x7ff, 2)),
        (b"\xc0\x80", WideCode::Malformed),
        (b"\xc1\xbf", WideCode::Malformed),
        // Three: surrogates pass, and overlong forms but for those whose third byte is below 90.
        (b"\xe0\xa0\x80", code(0x800, 3)),
        (b"\xed\xa0\x80", code(0xd800, 3)),
        (b"\xef\xbf\xbf", code(0xffff, 3)),
        (b"\xe0\x9f\xbf", code(0x7ff, 3)),
        (b"\xe0\x80\x8f", WideCode::Malformed),
        (b"\xe0\x80\x90", code(0x10, 3)),
        (b"\xe0\x81\x80", code(0x40, 3)),
        // Four: above U+10FFFF.
        (b"\xf0\x90\x80\x80", code(0x1_0000, 4)),
        (b"\xf4\x90\x80\x80", code(0x11_0000, 4)),
        (b"\xf7\xbf\xbf\xbf", code(0x1f_ffff, 4)),
        (b"\xf0\x80\x87\x80", WideCode::Malformed),
        (b"\xf0\x80\x88\x80", code(0x200, 4)),
        // Five and six.
        (b"\xf8\x88\x80\x80\x80", code(0x20_0000, 5)),
        (b"\xf8\x80\x83\x80\x80", WideCode::Malformed),
        (b"\xf8\x80\x84\x80\x80", code(0x4000, 5)),
        (b"\xfc\x84\x80\x80\x80\x80", code(0x400_0000, 6)),
        (b"\xfc\x80\x81\x80\x80\x80", WideCode::Malformed),
        (b"\xfc\x80\x82\x80\x80\x80", code(0x8_0000, 6)),
        (b"\xfd\xbf\xbf\xbf\xbf\xbf", code(0x7fff_ffff, 6)),
        // Stray and missing continuations, and bytes that begin nothing.
        (b"\x80", WideCode::Malformed),
        (b"\xbf\x80", WideCode::Malformed),
        (b"\xfe\x80\x80\x80\x80\x80\x80", WideCode::Malformed),
        (b"\xff", WideCode::Malformed),
        (b"\xe2\x82", WideCode::Malformed),
        (b"\xe2\x82A", WideCode::Malformed),
        (b"\xe2\xc2\x80", WideCode::Malformed),
        (b"\xc2", WideCode::Malformed),
        (b"\xc2\x00", WideCode::Malformed),
    ] {
        assert_eq!(wide_code(text), expected, "{text:x?}");
    }
}

/// §5: mechanically, up to 31 bits.
#[test]
fn wide_text_is_written_as_by_godot_3() {
    for (code, text) in [
        (0, &b"\0"[..]),
        (0x7f, b"\x7f"),
        (0x80, b"\xc2\x80"),
        (0x7ff, b"\xdf\xbf"),
        (0x800, b"\xe0\xa0\x80"),
        (0x20ac, "€".as_bytes()),
        (0xd800, b"\xed\xa0\x80"),
        (0xffff, b"\xef\xbf\xbf"),
        (0x1_0000, b"\xf0\x90\x80\x80"),
        (0x1f_ffff, b"\xf7\xbf\xbf\xbf"),
        (0x20_0000, b"\xf8\x88\x80\x80\x80"),
        (0x3ff_ffff, b"\xfb\xbf\xbf\xbf\xbf"),
        (0x400_0000, b"\xfc\x84\x80\x80\x80\x80"),
        (0x7fff_ffff, b"\xfd\xbf\xbf\xbf\xbf\xbf"),
    ] {
        let (bytes, len) = wide_bytes(code);
        assert_eq!(&bytes[..len], text, "{code:x}");
        assert!(bytes[len..].iter().all(|byte| *byte == 0));
    }
}

/// §3.4: elements lie in the bytes in little-endian order, at any address.
#[test]
fn elements_are_little_endian() {
    use gdvar::{
        math::Vector2,
        values::{F32, F64, I32, I64},
    };
    assert_eq!((7_u8.get(), <u8 as Element>::new(9)), (7, 9));
    assert_eq!(
        <I32 as Element>::new(-2).to_bytes(),
        [0xfe, 0xff, 0xff, 0xff]
    );
    assert_eq!(Element::get(I32::from_bytes([1, 0, 0, 0x80])), i32::MIN + 1);
    assert_eq!(
        <I64 as Element>::new(1).to_bytes(),
        [1, 0, 0, 0, 0, 0, 0, 0]
    );
    assert_eq!(<F32 as Element>::new(0.5).to_bytes(), [0, 0, 0, 0x3f]);
    let half = F64::from_bytes([0, 0, 0, 0, 0, 0, 0xe0, 0x3f]);
    assert_eq!(Element::get(half), 0.5);
    let vector = <Vector2<I32> as Element>::new(Vector2 { x: 1, y: 2 });
    assert_eq!((vector.x.to_bytes(), vector.y.get()), ([1, 0, 0, 0], 2));
    assert_eq!(vector.get(), Vector2 { x: 1, y: 2 });
}
