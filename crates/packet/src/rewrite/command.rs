//! Forwards one ENet command, changed or unchanged.

use super::{
    decision::{EditedPacket, PacketEdit},
    forwarded::Forwarded,
    split::SplitPacket,
};
use crate::{
    enet::{Body, Command},
    traffic::{DEFAULT_MTU, HEADS, max_len},
};

impl EditedPacket<'_> {
    /// Forwards a command that carries a complete packet, or no packet. `raw` are the bytes of the
    /// original command.
    pub(crate) fn forward_command(
        &self,
        command: Command<'_>,
        raw: &[u8],
        forwarded: &mut Forwarded,
    ) {
        let edited = core::mem::take(&mut forwarded.edited);
        let with = |packet| Command {
            body: match command.body {
                Body::Unreliable { number, .. } => Body::Unreliable { number, packet },
                Body::Unsequenced { group, .. } => Body::Unsequenced { group, packet },
                _ => Body::Reliable(packet),
            },
            ..command
        };
        match self.edit {
            PacketEdit::Unchanged => forwarded.push_command(raw),
            PacketEdit::Rewritten => match (command.delivery(), command.body) {
                (None, _) => forwarded.push_command(raw),
                (Some(delivery), _) if edited.len() > max_len(delivery, 1) => {
                    forwarded.too_long += 1;
                    forwarded.push_command(raw);
                }
                (_, Body::Unreliable { number, .. })
                    if edited.len() > self.packet.len().max(DEFAULT_MTU - HEADS) =>
                {
                    SplitPacket::unreliable(command, number, &edited)
                        .forward_all(command, forwarded);
                }
                _ => forwarded.push_changed(with(&edited)),
            },
            PacketEdit::Dropped if is_awaited(command) => {
                forwarded.push_changed(with(self.ignored(command.channel).bytes()));
            }
            PacketEdit::Dropped | PacketEdit::Withheld => forwarded.leave_out(),
        }
        forwarded.edited = edited;
    }
}

/// True if the receiver waits for the command's packet or fragment.
fn is_awaited(command: Command<'_>) -> bool {
    match command.body {
        Body::Reliable(_) => true,
        Body::Fragment(piece) => piece.reliable,
        _ => false,
    }
}
