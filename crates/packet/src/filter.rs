//! [`Filter`]: conditions on the events of a session.

mod field_value;
mod nodes;
mod parse;

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{cmp::Ordering, fmt};

use gdvar_view::{Found, OwnedStep, Path, Step, VariantRef};
use memchr::memmem::Finder;

use self::{
    field_value::{FieldValue, field_value},
    nodes::{any_replicated, is_plain, is_replicated},
};
use crate::{
    error::Error,
    godot4,
    traffic::{Direction, Message, Named, SessionEvent, TransportInfo},
    value::{Value, ValueContent, Values},
};

/// A condition on events, such as `method == "hit" and args[0].damage > 50`. It is compiled once
/// and evaluated without allocation.
///
/// | field | is |
/// |---|---|
/// | `carrier` | `"enet"`, `"websocket"`, `"datagram"`, `"record"` |
/// | `direction` | `"to_server"`, `"to_client"` |
/// | `from`, `to` | peer ids; also `source` and `target`, as in JSON lines |
/// | `link` | the client's number |
/// | `command` | `"CALL"`, `"SYNC"`, `"ACKNOWLEDGE"`: [`Message::name`] |
/// | `channel`, `delivery`, `fragments`, `resent` | ENet only; `delivery` is `"reliable"`, `"unreliable"` or `"unreliable_ordered"` |
/// | `relayed` | whether the server relays the packet |
/// | `size` | the length of the packet in bytes, without its transport; also `bytes`, as in JSON lines |
/// | `time` | [`SessionEvent::time`] in seconds with six decimals, if the caller set it |
/// | `node` | the path of a call's node; of a SPAWN or DESPAWN the spawner; of a SYNC or DELTA each synchronizer, or its spawner if a spawner made it |
/// | `method` | the method of a call, or the property that is set: a name, or a number as `1` or `"#1"` |
/// | `args` | the number of arguments; `args[0].position[1]` is an argument or a value in it |
/// | `net_id` | the spawned node of a SPAWN or DESPAWN; the first synchronizer of a SYNC or DELTA |
/// | `properties[0]` | a property of a SPAWN, or of the first synchronizer of a SYNC or DELTA that has this property |
/// | `value` | the value of `put_var`, or the arguments of a debugger message; `value.name` is a value in it |
/// | `message` | the name of a debugger message |
///
/// `rpc.method`, `rpc.node` and `rpc.args` mean the same without `rpc.`. The operators are `==`,
/// `!=`, `<`, `<=`, `>`, `>=`, and for texts also `contains` and `starts_with`. A field is compared
/// with a number, a text in double quotes, `true`, `false` or `null`. A field without a comparison
/// is true if it exists and is not `false` or `null`. Conditions are combined by `and`, `or`, `not`
/// and parentheses. A comparison of a missing field is false. `!=` is true for every value that is
/// there and differs, of whatever type; the other comparisons are false for a value of another
/// type. A SYNC or DELTA can have several nodes; a comparison of `node` is then true if it is for one.
///
/// ```
/// use gdvar_packet::{Transport, Direction, Engine, Filter, Session};
///
/// let filter = Filter::parse("command == \"CALL\" and args[0] > 50")?;
/// let mut session = Session::new(Engine::Godot4, Transport::Enet);
/// // A reliable packet: CALL of method 1 of node 3, with 100.
/// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64";
/// let mut hits = 0;
/// session.receive(0, Direction::ToServer, datagram, |event| {
///     hits += u32::from(filter.matches(&event, None));
/// });
/// assert_eq!(hits, 1);
/// # Ok::<(), gdvar_packet::FilterError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    root: Condition,
}

/// Why a text is not a filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterError {
    /// The offset of the first byte that does not fit.
    pub offset: usize,
    /// What is expected there.
    pub expected: &'static str,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "at byte {} of the filter: {} is expected",
            self.offset, self.expected
        )
    }
}

impl core::error::Error for FilterError {}

#[derive(Clone, PartialEq, Debug)]
enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    /// A field without a comparison.
    Is(FilterField),
    Compare(FilterField, Operator, Literal),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Contains,
    StartsWith,
}

#[derive(Clone, PartialEq, Debug)]
enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Box<Needle>),
}

/// A text to compare with or search for.
#[derive(Clone, Debug)]
struct Needle {
    text: String,
    finder: Finder<'static>,
}

impl Needle {
    fn new(text: String) -> Needle {
        let finder = Finder::new(&text).into_owned();
        Needle { text, finder }
    }
}

impl PartialEq for Needle {
    fn eq(&self, other: &Needle) -> bool {
        self.text == other.text
    }
}

#[derive(Clone, PartialEq, Debug)]
enum FilterField {
    Transport,
    Direction,
    From,
    To,
    Link,
    Command,
    Channel,
    Delivery,
    Fragments,
    Resent,
    Relayed,
    Size,
    Time,
    Node,
    Method,
    ArgCount,
    Message,
    /// An argument, or a value in it.
    Arg(usize, ValuePath),
    Value(ValuePath),
    NetId,
    /// A replicated property, or a value in it.
    Property(usize, ValuePath),
}

/// The path from an argument or property to a value in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct ValuePath(Vec<OwnedStep>);

impl ValuePath {
    fn new(steps: &[Step<'_>]) -> ValuePath {
        ValuePath(steps.iter().copied().map(OwnedStep::from).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what the path leads to inside `value`: a value, a component of a vector, or an
    /// element of a packed array. `None` if `value` has no such path.
    pub(crate) fn walk<'a>(
        &self,
        value: VariantRef<'a>,
    ) -> Result<Option<Found<'a>>, gdvar_view::Error> {
        // Most paths have one step. This avoids building a `Path` for every packet.
        if let [step] = self.0.as_slice() {
            let step = step.as_step();
            let child = value.take_step(step)?;
            let part = || value.part(step).map(Found::Part);
            return Ok(child.map(Found::Value).or_else(part));
        }
        let path: Path<'_> = self.0.iter().map(OwnedStep::as_step).collect();
        value.find_path(&path)
    }

    /// Returns the byte that the path leads to in a PackedByteArray without a header.
    pub(crate) fn byte(&self, bytes: &[u8]) -> Option<u8> {
        let [step] = self.0.as_slice() else {
            return None;
        };
        let Step::Index(index) = step.as_step() else {
            return None;
        };
        let from_end = || usize::try_from(index.checked_add_unsigned(bytes.len() as u64)?).ok();
        let index = usize::try_from(index).ok().or_else(from_end)?;
        bytes.get(index).copied()
    }
}

/// The part of a packet whose values an edit can replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ArgOf {
    /// The arguments of a call.
    Call,
    /// The properties of a SPAWN, SYNC or DELTA.
    Properties,
    /// The value of `put_var`.
    PutVar,
}

/// The path to a value that an edit can replace, such as `args[0].damage`: an argument, a property
/// or the value of `put_var`, or a value inside one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ArgPath {
    pub(crate) of: ArgOf,
    pub(crate) arg: usize,
    pub(crate) steps: ValuePath,
}

impl ArgPath {
    pub(crate) fn parse(text: &str) -> Result<ArgPath, FilterError> {
        match parse::field(text, 0)? {
            FilterField::Arg(arg, steps) => Ok(ArgPath {
                of: ArgOf::Call,
                arg,
                steps,
            }),
            FilterField::Property(arg, steps) => Ok(ArgPath {
                of: ArgOf::Properties,
                arg,
                steps,
            }),
            FilterField::Value(steps) => Ok(ArgPath {
                of: ArgOf::PutVar,
                arg: 0,
                steps,
            }),
            _ => Err(FilterError {
                offset: 0,
                expected: "an argument, a property or a value of put_var such as args[0].damage, properties[1] or value.gold",
            }),
        }
    }
}

impl Filter {
    /// Compiles a filter.
    ///
    /// # Errors
    /// If `text` is not a filter, returns the offset of the error and what is expected there.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let root = parse::filter(text)?;
        Ok(Filter { root })
    }

    /// Returns `true` if `event` matches. `method` is the name of the event's method, if the caller
    /// knows it (`Names::method`). Without a name, a filter can compare a method of Godot 4 only by
    /// its number.
    #[must_use]
    pub fn matches(&self, event: &SessionEvent<'_>, method: Option<&str>) -> bool {
        self.root.holds(event, method, Some(false)) == Some(true)
    }

    /// Like [`Filter::matches`], but returns `None` if the answer depends on something unknown. Use
    /// this for rules that must not be bypassed.
    ///
    /// The unknown things are: the peer ids and the time of an event that has none; the name of a method
    /// that has only a number; the path of a node that has only an id; a path that the engine would
    /// not write, such as `a/../b`. In a damaged packet, and in a relay inside a relay, every field
    /// is unknown except `carrier`, `direction`, `link`, `from`, `to` and `time`.
    #[must_use]
    pub fn judge(&self, event: &SessionEvent<'_>, method: Option<&str>) -> Option<bool> {
        self.root.holds(event, method, None)
    }
}

impl Condition {
    /// Evaluates the condition. Returns `unknown` if the answer depends on something unknown.
    /// Recurses as deep as the filter is nested, which the parser limits.
    fn holds(
        &self,
        event: &SessionEvent<'_>,
        method: Option<&str>,
        unknown: Option<bool>,
    ) -> Option<bool> {
        match self {
            Condition::All(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match part.holds(event, method, unknown) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => all = None,
                    }
                }
                all
            }
            Condition::Any(parts) => {
                let mut any = Some(false);
                for part in parts {
                    match part.holds(event, method, unknown) {
                        Some(false) => {}
                        Some(true) => return Some(true),
                        None => any = None,
                    }
                }
                any
            }
            Condition::Not(part) => Some(!part.holds(event, method, unknown)?),
            Condition::Is(FilterField::Node) if is_replicated(&event.message) => {
                any_replicated(event, unknown, |_| true)
            }
            Condition::Compare(FilterField::Node, operator, literal)
                if is_replicated(&event.message) =>
            {
                let compare =
                    |path: &str| operator.compare(FieldValue::Text(path.as_bytes()), literal);
                any_replicated(event, unknown, compare)
            }
            Condition::Is(field) => {
                if unknown.is_none() && field.is_unknown(event, method, None) {
                    return None;
                }
                Some(!matches!(
                    field.find(event, method),
                    None | Some(FieldValue::Null | FieldValue::Bool(false))
                ))
            }
            Condition::Compare(field, operator, literal) => {
                if unknown.is_none() && field.is_unknown(event, method, Some(literal)) {
                    return None;
                }
                let found = field.find(event, method);
                Some(found.is_some_and(|found| operator.compare(found, literal)))
            }
        }
    }
}

impl FilterField {
    /// True if the packet does not show whether it has the field, or which value the field has.
    fn is_unknown(
        &self,
        event: &SessionEvent<'_>,
        method: Option<&str>,
        with: Option<&Literal>,
    ) -> bool {
        let is_veiled = matches!(
            event.message,
            Message::Damaged { .. }
                | Message::Godot4(godot4::Packet::Sys(godot4::Sys::Relay { .. }))
        );
        match self {
            FilterField::Transport | FilterField::Direction | FilterField::Link => false,
            FilterField::From => event.source.is_none(),
            FilterField::To => event.target.is_none(),
            FilterField::Time => event.time.is_none(),
            _ if is_veiled => true,
            FilterField::Node => {
                event.message.node().is_some() && !event.node_path().is_some_and(is_plain)
            }
            FilterField::Method => {
                let is_text = matches!(with, Some(Literal::Text(_)));
                let is_number = matches!(event.message.method(), Some(Named::Number(_)));
                is_text && is_number && method.is_none()
            }
            _ => false,
        }
    }

    fn find<'a>(
        &self,
        event: &SessionEvent<'a>,
        method: Option<&'a str>,
    ) -> Option<FieldValue<'a>> {
        let text = |text: &'static str| Some(FieldValue::Text(text.as_bytes()));
        let enet = match event.transport {
            TransportInfo::Enet {
                channel,
                delivery,
                fragments,
                is_resent,
                ..
            } => Some((channel, delivery, fragments, is_resent)),
            _ => None,
        };
        match self {
            FilterField::Transport => text(match event.transport {
                TransportInfo::Enet { .. } => "enet",
                TransportInfo::WebSocket => "websocket",
                TransportInfo::Datagram => "datagram",
                TransportInfo::Record => "record",
            }),
            FilterField::Direction => text(match event.direction {
                Direction::ToServer => "to_server",
                Direction::ToClient => "to_client",
            }),
            FilterField::From => Some(FieldValue::Int(event.source?.into())),
            FilterField::To => Some(FieldValue::Int(event.target?.into())),
            FilterField::Link => Some(FieldValue::Int(event.link.into())),
            FilterField::Command => text(event.message.name()),
            FilterField::Channel => Some(FieldValue::Int(enet?.0.into())),
            FilterField::Delivery => text(enet?.1?.name()),
            FilterField::Fragments => Some(FieldValue::Int(enet?.2.into())),
            FilterField::Resent => Some(FieldValue::Bool(enet?.3)),
            FilterField::Relayed => Some(FieldValue::Bool(event.is_relayed)),
            FilterField::Size => Some(FieldValue::Int(event.bytes.len() as i64)),
            // Six decimals, as in the output, so that a filter can compare printed times.
            FilterField::Time => Some(FieldValue::Float(event.time?.as_micros() as f64 / 1e6)),
            FilterField::Node => Some(FieldValue::Text(event.node_path()?.as_bytes())),
            FilterField::Method => Some(match event.message.method()? {
                Named::Name(name) => FieldValue::Text(name.as_bytes()),
                Named::Number(number) => FieldValue::Method(number, method),
            }),
            FilterField::ArgCount => {
                Some(FieldValue::Int(event.message.args()?.announced()?.into()))
            }
            FilterField::Message => match event.message {
                Message::Debugger(message) => Some(FieldValue::Text(message.name().as_bytes())),
                _ => None,
            },
            FilterField::Arg(arg, steps) => value_in(nth_arg(&event.message, *arg).ok()??, steps),
            FilterField::NetId => Some(FieldValue::Int(net_id(&event.message)?.into())),
            FilterField::Property(n, steps) => value_in(property(&event.message, *n)?, steps),
            FilterField::Value(steps) => {
                let value = match event.message {
                    Message::Value(value) => value,
                    Message::Debugger(message) => message.args().value(),
                    _ => return None,
                };
                Some(field_value(steps.walk(value).ok()??))
            }
        }
    }
}

/// Returns the value at the path inside `value`, or `None` if `value` has no such path.
fn value_in<'a>(value: Value<'a>, steps: &ValuePath) -> Option<FieldValue<'a>> {
    match value.content() {
        ValueContent::Variant(value) => Some(field_value(steps.walk(value).ok()??)),
        ValueContent::Bytes(bytes) if !steps.is_empty() => {
            Some(FieldValue::Int(steps.byte(bytes)?.into()))
        }
        _ if !steps.is_empty() => None,
        ValueContent::Bool(value) => Some(FieldValue::Bool(value)),
        ValueContent::Int(value) => Some(FieldValue::Int(value)),
        ValueContent::Bytes(_) => Some(FieldValue::Other),
    }
}

fn net_id(message: &Message<'_>) -> Option<u32> {
    let Message::Godot4(packet) = message else {
        return None;
    };
    match packet {
        godot4::Packet::Spawn(spawn) => Some(spawn.net_id()),
        godot4::Packet::Despawn { net_id } => Some(*net_id),
        godot4::Packet::Sync(sync) => Some(sync.entries().next()?.ok()?.net_id()),
        godot4::Packet::Delta(delta) => Some(delta.entries().next()?.ok()?.net_id()),
        _ => None,
    }
}

/// The nth replicated property of a SPAWN, SYNC or DELTA.
fn property<'a>(message: &Message<'a>, n: usize) -> Option<Value<'a>> {
    let nth = |mut values: Values<'a>| values.nth(n)?.ok();
    let Message::Godot4(packet) = message else {
        return None;
    };
    match packet {
        godot4::Packet::Spawn(spawn) => nth(spawn.state()),
        godot4::Packet::Sync(sync) => {
            let mut entries = sync.entries().map_while(Result::ok);
            entries.find_map(|entry| nth(entry.values()))
        }
        godot4::Packet::Delta(delta) => {
            let mut entries = delta.entries().map_while(Result::ok);
            entries.find_map(|entry| nth(entry.values()))
        }
        _ => None,
    }
}

/// Returns argument `n` of a call, counted from 0. `Ok(None)` if there is none.
pub(crate) fn nth_arg<'a>(message: &Message<'a>, n: usize) -> Result<Option<Value<'a>>, Error> {
    match message.args() {
        Some(args) => args.into_iter().nth(n).transpose(),
        None => Ok(None),
    }
}

impl Operator {
    fn compare(self, found: FieldValue<'_>, literal: &Literal) -> bool {
        if self == Operator::Unequal {
            // If only the number of a method is known, the method may have this name.
            let is_unknown = matches!(
                (found, literal),
                (FieldValue::Method(_, None), Literal::Text(_))
            );
            return !is_unknown && !Operator::Equal.compare(found, literal);
        }
        let order = match (found, literal) {
            (FieldValue::Text(text), Literal::Text(with)) => {
                return self.compare_texts(text, with);
            }
            (FieldValue::Method(_, Some(name)), Literal::Text(with)) => {
                return self.compare_texts(name.as_bytes(), with);
            }
            (FieldValue::Method(number, _), Literal::Int(with)) => {
                i64::from(number).partial_cmp(with)
            }
            (FieldValue::Int(int), Literal::Int(with)) => int.partial_cmp(with),
            (FieldValue::Int(int), Literal::Float(with)) => (int as f64).partial_cmp(with),
            (FieldValue::Float(float), Literal::Int(with)) => float.partial_cmp(&(*with as f64)),
            (FieldValue::Float(float), Literal::Float(with)) => float.partial_cmp(with),
            (FieldValue::Bool(bool), Literal::Bool(with)) => bool.partial_cmp(with),
            (FieldValue::Null, Literal::Null) => Some(Ordering::Equal),
            _ => None,
        };
        order.is_some_and(|order| self.allows(order))
    }

    fn allows(self, order: Ordering) -> bool {
        match self {
            Operator::Equal => order.is_eq(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Unequal | Operator::Contains | Operator::StartsWith => false,
        }
    }

    fn compare_texts(self, text: &[u8], with: &Needle) -> bool {
        match self {
            Operator::Contains => with.finder.find(text).is_some(),
            Operator::StartsWith => text.starts_with(with.text.as_bytes()),
            // Equality compares the lengths first, unlike `cmp`.
            Operator::Equal => text == with.text.as_bytes(),
            _ => self.allows(text.cmp(with.text.as_bytes())),
        }
    }
}
