//! The places of the parts on the screen.

use ratatui::layout::Rect;

/// The bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct HexArea {
    pub(crate) area: Rect,
    /// Bytes in a line.
    pub(crate) columns: u16,
    /// `true` if they are shown as characters, too.
    pub(crate) text: bool,
}

/// All of it; the first line is the title, the last two are the path and messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) tree: Rect,
    pub(crate) hex: Option<HexArea>,
}

/// Columns that a line of so many bytes takes: the offset, two digits and a space each, and the characters.
fn columns_of(bytes: u16, text: bool) -> u16 {
    10 + 3 * bytes + if text { 1 + bytes } else { 0 }
}

/// For a screen of that size.
pub(crate) fn layout(width: u16, height: u16, with_hex: bool) -> Layout {
    let body = Rect::new(0, 1, width, height.saturating_sub(3));
    let alone = Layout {
        tree: body,
        hex: None,
    };
    if !with_hex {
        return alone;
    }
    for (bytes, least) in [(16, 44), (8, 32)] {
        let columns = columns_of(bytes, true);
        if width >= columns + 2 + least {
            let tree = width - columns - 2;
            return Layout {
                tree: Rect {
                    width: tree,
                    ..body
                },
                hex: Some(HexArea {
                    area: Rect::new(tree + 2, 1, columns, body.height),
                    columns: bytes,
                    text: true,
                }),
            };
        }
    }
    if body.height < 12 || width < columns_of(8, false) {
        return alone;
    }
    let lines = (body.height / 4).min(6);
    Layout {
        tree: Rect {
            height: body.height - lines - 1,
            ..body
        },
        hex: Some(HexArea {
            area: Rect::new(0, 1 + body.height - lines, width, lines),
            columns: 8,
            text: width >= columns_of(8, true),
        }),
    }
}
