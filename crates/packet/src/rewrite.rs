//! Packets changed on their way: [`PacketEditor`] decides, [`Forwarded`] holds the output.

mod arguments;
mod command;
mod decision;
mod editor;
mod forwarded;
mod new_value;
mod padding;
mod properties;
mod put_value;
mod split;

pub(crate) use decision::EditedPacket;
pub use decision::PacketEdit;
pub use editor::PacketEditor;
pub use forwarded::Forwarded;
pub(crate) use split::SplitHistory;
