//! [`Transport`] and [`TransportInfo`]: how a packet travels. [`Direction`]: which way.

use crate::enet::Delivery;

/// The engine of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// Godot 4: its packets are in [`godot4`](crate::godot4).
    Godot4,
    /// Godot 3: its packets are in [`godot3`](crate::godot3).
    Godot3,
}

/// How a game sends its packets ([`docs/PACKETS.md`]).
///
/// [`docs/PACKETS.md`]: https://github.com/gdvar/gdvar/blob/main/docs/PACKETS.md
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Transport {
    /// `ENetMultiplayerPeer` (Godot 3: `NetworkedMultiplayerENet`).
    Enet,
    /// `WebSocketMultiplayerPeer` (Godot 3: `WebSocketServer` and `WebSocketClient`), without TLS.
    WebSocket,
    /// `PacketPeerUDP.put_var`: one value in each datagram.
    Values,
    /// `StreamPeer.put_var`, or `put_var` of a PacketPeerStream, which looks the same: values in a
    /// TCP stream, each after its length.
    Records,
    /// The stream of `--remote-debug`.
    Debugger,
}

/// The direction of a packet, or of a piece of a stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// From a client to the server. In the debugger's stream, the editor is the server.
    ToServer,
    /// From the server to a client.
    ToClient,
}

impl Direction {
    /// 0 for [`Direction::ToServer`], 1 for [`Direction::ToClient`].
    pub(crate) const fn index(self) -> usize {
        self as usize
    }
}

/// How one packet was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TransportInfo {
    /// In an ENet command.
    Enet {
        /// The number of the channel.
        channel: u8,
        /// How the packet is sent. `None` for a command without a packet.
        delivery: Option<Delivery>,
        /// The number of the command in its channel.
        sequence: u16,
        /// The number of an unreliable packet. Unsequenced packets have one count for each sender.
        /// Ordered packets count from the last reliable command of their channel.
        number: Option<u16>,
        /// The number of fragments. 1 for a packet in one command.
        fragments: u32,
        /// `true` if the same command arrived before: a reliable one because its sender missed the
        /// acknowledgement, an unreliable one because the network delivered it twice.
        is_resent: bool,
    },
    /// In a WebSocket message.
    WebSocket,
    /// In a datagram without further framing.
    Datagram,
    /// In a record of a stream.
    Record,
}

impl TransportInfo {
    /// Returns `true` if this ENet command arrived before.
    #[must_use]
    pub const fn is_resent(self) -> bool {
        matches!(
            self,
            TransportInfo::Enet {
                is_resent: true,
                ..
            }
        )
    }
}
