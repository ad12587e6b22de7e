//! [`PacketEditor`]: rules that change packets on their way.

use alloc::{boxed::Box, vec::Vec};

use gdvar_write::Target;

use super::{arguments::rewrite, decision::PacketEdit, padding::zero_padding};
use crate::{
    arg::Arg,
    error::{Error, PacketErrorKind},
    filter::{ArgPath, Filter, FilterError},
    traffic::{Message, SessionEvent},
};

/// Rules for packets on their way: replaces values, hides secrets, drops packets, and zeroes the
/// memory that Godot 3 leaks.
///
/// ```
/// use gdvar_packet::{
///     Arg, Transport, Direction, PacketEdit, Engine, Filter, PacketEditor, Session, gdvar_write::Target,
/// };
///
/// let hits = Filter::parse("command == \"CALL\" and args[0] > 50")?;
/// let mut editor = PacketEditor::new().replace(hits, "args[0]", Arg::from(1), Target::GODOT_4)?;
///
/// let mut session = Session::new(Engine::Godot4, Transport::Enet);
/// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64";
/// let mut out = Vec::new();
/// session.receive(0, Direction::ToServer, datagram, |event| {
///     assert_eq!(editor.edit(&event, None, &mut out), Ok(PacketEdit::Rewritten));
/// });
/// assert_eq!(out, b"\0\x03\x01\x01\x02\x01");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PacketEditor {
    rules: Vec<Rule>,
    zero_node_paths: bool,
    /// The result of the current rule.
    next: Vec<u8>,
    /// The new value for the current rule.
    value: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Rule {
    filter: Filter,
    action: Action,
}

#[derive(Clone, Debug)]
enum Action {
    Drop,
    /// The new value, as ordinary bytes.
    Replace(ArgPath, Box<[u8]>),
    Redact(ArgPath),
}

impl PacketEditor {
    /// Creates an editor without rules.
    #[must_use]
    pub fn new() -> PacketEditor {
        PacketEditor::default()
    }

    /// Drops the packets that match `filter`.
    #[must_use]
    pub fn drop_packets(self, filter: Filter) -> PacketEditor {
        self.with(filter, Action::Drop)
    }

    /// Replaces a value in the packets that match `filter`. `arg` names an argument of a call or a
    /// value inside it (`args[0]`, `args[1].position`), a property of a SPAWN, SYNC or DELTA
    /// (`properties[0]`, in each of its synchronizers), or a value of `put_var` (`value`,
    /// `value.gold`). Packets without this value stay unchanged. A component of a vector or an
    /// element of a packed array cannot be replaced: [`PacketEditor::edit`] then fails with
    /// [`PartOfValue`](PacketErrorKind::PartOfValue).
    /// The value is written for `target`, which should be the game's engine.
    ///
    /// # Errors
    /// Fails if `arg` does not name one of these values, or if `value` cannot be written for
    /// `target`.
    pub fn replace(
        self,
        filter: Filter,
        arg: &str,
        value: Arg<'_>,
        target: Target,
    ) -> Result<PacketEditor, FilterError> {
        let arg = ArgPath::parse(arg)?;
        let mut bytes = Vec::new();
        if value.write_ordinary(&mut bytes, target).is_err() {
            return Err(FilterError {
                offset: 0,
                expected: "a value that the engine has",
            });
        }
        Ok(self.with(filter, Action::Replace(arg, bytes.into())))
    }

    /// Replaces a value by an empty one of the same type: zero, an empty text, an empty array with
    /// the same element type. `arg` is as for [`PacketEditor::replace`].
    ///
    /// # Errors
    /// Fails if `arg` does not name a value that can be replaced.
    pub fn redact(self, filter: Filter, arg: &str) -> Result<PacketEditor, FilterError> {
        let arg = ArgPath::parse(arg)?;
        Ok(self.with(filter, Action::Redact(arg)))
    }

    /// Zeroes the padding in NodePaths. Godot 3.2 and 3.6 send uninitialised memory there
    /// ([`docs/FORMAT.md` §1.2]).
    ///
    /// [`docs/FORMAT.md` §1.2]: https://github.com/gdvar/gdvar/blob/main/docs/FORMAT.md#12-what-each-release-changed-inside-godot3-and-godot4
    #[must_use]
    pub fn zero_node_paths(mut self) -> PacketEditor {
        self.zero_node_paths = true;
        self
    }

    fn with(mut self, filter: Filter, action: Action) -> PacketEditor {
        self.rules.push(Rule { filter, action });
        self
    }

    /// Applies the rules in order. Every filter checks the original packet. `method` is passed to
    /// [`Filter::judge`]. It should be the name of the method that the receiver executes
    /// (`Names::executed`). A rewritten packet replaces the contents of `out`: all of
    /// [`SessionEvent::bytes`], with its relay or envelope. Reuse `out` and the editor to avoid
    /// allocations.
    ///
    /// # Errors
    /// Fails if the packet cannot be read before or after the change, or becomes longer than its
    /// transport can carry ([`SessionEvent::max_len`]). Returns
    /// [`Unclear`](PacketErrorKind::Unclear) if it cannot be decided whether a rule applies: drop
    /// the packet then if the rules are meant to hide something. A rule of
    /// [`PacketEditor::replace`] for which this cannot be decided is skipped if another rule
    /// rewrote the packet.
    pub fn edit(
        &mut self,
        event: &SessionEvent<'_>,
        method: Option<&str>,
        out: &mut Vec<u8>,
    ) -> Result<PacketEdit, Error> {
        out.clear();
        let start = event.packet_start();
        let mut is_rewritten = false;
        let is_damaged = matches!(event.message, Message::Damaged { .. });
        let (mut unclear, mut failed) = (None, None);
        for rule in &self.rules {
            let hides = !matches!(rule.action, Action::Replace(..));
            match rule.filter.judge(event, method) {
                Some(false) => continue,
                // In a damaged packet, the value to be removed may be anywhere.
                Some(true) if !is_damaged || matches!(rule.action, Action::Drop) => {}
                _ => {
                    unclear = Some(hides || unclear == Some(true));
                    continue;
                }
            }
            let (path, new) = match &rule.action {
                Action::Drop => return Ok(PacketEdit::Dropped),
                Action::Replace(path, new) => (path, Some(&**new)),
                Action::Redact(path) => (path, None),
            };
            let bytes = if is_rewritten { &out[..] } else { event.bytes };
            let (envelope, packet) = bytes.split_at(start);
            self.next.clear();
            self.next.extend_from_slice(envelope);
            match rewrite(event, packet, path, new, &mut self.value, &mut self.next) {
                Ok(true) => {
                    core::mem::swap(out, &mut self.next);
                    is_rewritten = true;
                }
                Ok(false) => {}
                // A later rule may drop the packet.
                Err(error) => failed = failed.or(Some(error)),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        if self.zero_node_paths && is_damaged {
            unclear = Some(true);
        }
        match unclear {
            Some(hides) if hides || !is_rewritten => {
                return Err(Error::new(0, PacketErrorKind::Unclear { hides }));
            }
            _ => {}
        }
        if self.zero_node_paths {
            is_rewritten |= zero_padding(event, start, is_rewritten, out)?;
        }
        let most = event.max_len();
        if is_rewritten && out.len() > most {
            let (len, most) = (out.len() as u32, most as u32);
            return Err(Error::new(0, PacketErrorKind::TooLong { len, most }));
        }
        Ok(if is_rewritten {
            PacketEdit::Rewritten
        } else {
            PacketEdit::Unchanged
        })
    }
}
