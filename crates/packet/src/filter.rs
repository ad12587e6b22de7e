//! [`Filter`]: conditions on what a session hears.

mod parse;

use alloc::{boxed::Box, string::String, vec::Vec};
use core::{cmp::Ordering, fmt};

use gdvar_view::{OwnedStep, Path, Step, VariantRef};
use memchr::memmem::Finder;

use crate::{Carriage, Content, Direction, Error, Item, Message, Named, Value, Values, godot4};

/// A condition such as `method == "hit" and args[0].damage > 50`: compiled once, evaluated without
/// allocation.
///
/// | field | is |
/// |---|---|
/// | `carrier` | `"enet"`, `"websocket"`, `"datagram"`, `"record"` |
/// | `direction` | `"to_server"`, `"to_client"` |
/// | `from`, `to` | peer ids; `source` and `target`, as in JSON lines, are other names for them |
/// | `link` | the client's number |
/// | `command` | `"CALL"`, `"SYNC"`, `"ACKNOWLEDGE"`: [`Message::name`] |
/// | `channel`, `delivery`, `fragments`, `resent` | of ENet; `delivery` is `"reliable"`, `"unreliable"`, `"unreliable_ordered"` |
/// | `relayed` | whether the server hands it on |
/// | `size` | in bytes, of the packet without its carrier; `bytes`, as in JSON lines, is another name for it |
/// | `time` | in seconds with six places: [`Item::time`], if somebody set it |
/// | `node` | the path of a call's node |
/// | `method` | of a call, or the property that is set: its name, or its number, `1` or `"#1"` |
/// | `args` | how many arguments; `args[0].position[1]` is one of them or a value in it |
/// | `net_id` | of a spawned node, in SPAWN and DESPAWN; of the first synchronizer of a SYNC or DELTA |
/// | `properties[0]` | of a SPAWN, or of the first synchronizer of a SYNC or DELTA that has so many |
/// | `value` | of `put_var`, or a message's arguments in the debugger; `value.name` is a value in it |
/// | `message` | the name of the debugger's message |
///
/// `rpc.method`, `rpc.node` and `rpc.args` are the same as without `rpc.`. Values are compared by `==`, `!=`,
/// `<`, `<=`, `>`, `>=`, texts also by `contains` and `starts_with`, with a number, a text in double quotes,
/// `true`, `false` or `null`. A field alone asks whether it is there, and is not `false`. Conditions are
/// joined by `and`, `or`, `not` and parentheses. A comparison with what is not there, or is of another
/// type, is false.
///
/// ```
/// use gdvar_packet::{Carrier, Direction, Engine, Filter, Session};
///
/// let filter = Filter::parse("command == \"CALL\" and args[0] > 50")?;
/// let mut session = Session::new(Engine::Godot4, Carrier::Enet);
/// // A reliable packet: CALL of method 1 of node 3, with 100.
/// let datagram = b"\x80\0\x9f\xc9\x86\0\0\x01\0\x06\0\x03\x01\x01\x02\x64";
/// let mut hits = 0;
/// session.receive(0, Direction::ToServer, datagram, |item| {
///     hits += u32::from(filter.matches(&item, None));
/// });
/// assert_eq!(hits, 1);
/// # Ok::<(), gdvar_packet::FilterError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Filter {
    root: Condition,
}

/// Why a text is no filter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterError {
    /// The first byte that does not fit.
    pub offset: usize,
    /// The thing that should stand there.
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
    /// A field alone.
    Is(Field),
    Compare(Field, Operator, Literal),
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

/// A text that is compared with or looked for.
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
enum Field {
    Carrier,
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
    /// An argument, and the way to a value in it.
    Arg(usize, Steps),
    Value(Steps),
    NetId,
    /// A property that is replicated, and the way to a value in it.
    Property(usize, Steps),
}

/// The way to a value, as it stands in a [`Path`](gdvar_view::Path).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Steps(Vec<OwnedStep>);

impl Steps {
    fn new(steps: &[Step<'_>]) -> Steps {
        Steps(steps.iter().copied().map(OwnedStep::from).collect())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value at the end of the way.
    pub(crate) fn walk<'a>(
        &self,
        value: VariantRef<'a>,
    ) -> Result<Option<VariantRef<'a>>, gdvar_view::Error> {
        // Most ways have one step. A path of one would be made for every packet.
        if let [step] = self.0.as_slice() {
            return value.take_step(step.as_step());
        }
        let path: Path<'_> = self.0.iter().map(OwnedStep::as_step).collect();
        value.get_path(&path)
    }
}

/// An argument or property, and the way to a value in it: what `args[0].damage` names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ArgPath {
    pub(crate) is_property: bool,
    pub(crate) arg: usize,
    pub(crate) steps: Steps,
}

impl ArgPath {
    pub(crate) fn parse(text: &str) -> Result<ArgPath, FilterError> {
        match parse::field(text, 0)? {
            Field::Arg(arg, steps) => Ok(ArgPath {
                is_property: false,
                arg,
                steps,
            }),
            Field::Property(arg, steps) => Ok(ArgPath {
                is_property: true,
                arg,
                steps,
            }),
            _ => Err(FilterError {
                offset: 0,
                expected: "an argument or a property such as args[0].damage or properties[1]",
            }),
        }
    }
}

/// A value in a field of a packet.
#[derive(Clone, Copy)]
enum Found<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a [u8]),
    /// Something that nothing compares with.
    Other,
    /// A method of which the number is known, and perhaps the name.
    Method(u16, Option<&'a str>),
}

impl Filter {
    /// Compiles a filter.
    ///
    /// # Errors
    /// The place at which the text stops being one, and what should stand there.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let root = parse::filter(text)?;
        Ok(Filter { root })
    }

    /// Returns `true` if an item is of those. `method` is the name of its method where somebody
    /// knows it: `Names::method`. Without it a method of Godot 4 is only known by its number.
    #[must_use]
    pub fn matches(&self, item: &Item<'_>, method: Option<&str>) -> bool {
        self.root.holds(item, method, Some(false)) == Some(true)
    }

    /// As [`Filter::matches`], for a rule that nobody should get around: `None` if it depends on what cannot be told.
    /// That is all but the line, the direction and the time of a damaged packet, or of a relay in a relay; the name of a method
    /// where there is only its number; the path of a node where there is only its id, or where the path is not the one
    /// that the engine writes, such as `a/../b`; and a peer whose id was not heard.
    #[must_use]
    pub fn judge(&self, item: &Item<'_>, method: Option<&str>) -> Option<bool> {
        self.root.holds(item, method, None)
    }
}

impl Condition {
    /// `unknown` is the answer where the packet does not tell. It recurses as deep as the filter is nested, which its
    /// parser limits.
    fn holds(&self, item: &Item<'_>, method: Option<&str>, unknown: Option<bool>) -> Option<bool> {
        match self {
            Condition::All(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match part.holds(item, method, unknown) {
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
                    match part.holds(item, method, unknown) {
                        Some(false) => {}
                        Some(true) => return Some(true),
                        None => any = None,
                    }
                }
                any
            }
            Condition::Not(part) => Some(!part.holds(item, method, unknown)?),
            Condition::Is(field) => {
                if unknown.is_none() && field.is_unknown(item, method, None) {
                    return None;
                }
                Some(!matches!(
                    field.find(item, method),
                    None | Some(Found::Null | Found::Bool(false))
                ))
            }
            Condition::Compare(field, operator, literal) => {
                if unknown.is_none() && field.is_unknown(item, method, Some(literal)) {
                    return None;
                }
                let found = field.find(item, method);
                Some(found.is_some_and(|found| operator.compare(found, literal)))
            }
        }
    }
}

/// Returns `true` for a path as the engine writes it, so that equal nodes have equal paths.
fn is_plain(path: &str) -> bool {
    let odd = |part: &str| matches!(part, "" | "." | "..") || part.starts_with('%');
    !path.contains(':') && !path.split('/').any(odd)
}

impl Field {
    /// Returns `true` if the packet has the field or not, and nobody can tell which, or with what in it.
    fn is_unknown(&self, item: &Item<'_>, method: Option<&str>, with: Option<&Literal>) -> bool {
        let is_veiled = matches!(
            item.message,
            Message::Damaged { .. }
                | Message::Godot4(godot4::Packet::Sys(godot4::Sys::Relay { .. }))
        );
        match self {
            Field::Carrier | Field::Direction | Field::Link => false,
            Field::From => item.source.is_none(),
            Field::To => item.target.is_none(),
            Field::Time => item.time.is_none(),
            _ if is_veiled => true,
            Field::Node => item.message.node().is_some() && !item.node_path().is_some_and(is_plain),
            Field::Method => {
                let is_text = matches!(with, Some(Literal::Text(_)));
                let is_number = matches!(item.message.method(), Some(Named::Number(_)));
                is_text && is_number && method.is_none()
            }
            _ => false,
        }
    }

    fn find<'a>(&self, item: &Item<'a>, method: Option<&'a str>) -> Option<Found<'a>> {
        let text = |text: &'static str| Some(Found::Text(text.as_bytes()));
        let enet = match item.carriage {
            Carriage::Enet {
                channel,
                delivery,
                fragments,
                is_resent,
                ..
            } => Some((channel, delivery, fragments, is_resent)),
            _ => None,
        };
        match self {
            Field::Carrier => text(match item.carriage {
                Carriage::Enet { .. } => "enet",
                Carriage::WebSocket => "websocket",
                Carriage::Datagram => "datagram",
                Carriage::Record => "record",
            }),
            Field::Direction => text(match item.direction {
                Direction::ToServer => "to_server",
                Direction::ToClient => "to_client",
            }),
            Field::From => Some(Found::Int(item.source?.into())),
            Field::To => Some(Found::Int(item.target?.into())),
            Field::Link => Some(Found::Int(item.link.into())),
            Field::Command => text(item.message.name()),
            Field::Channel => Some(Found::Int(enet?.0.into())),
            Field::Delivery => text(enet?.1?.name()),
            Field::Fragments => Some(Found::Int(enet?.2.into())),
            Field::Resent => Some(Found::Bool(enet?.3)),
            Field::Relayed => Some(Found::Bool(item.is_relayed)),
            Field::Size => Some(Found::Int(item.bytes.len() as i64)),
            // As it is printed, so that it can be compared with what is printed.
            Field::Time => Some(Found::Float(item.time?.as_micros() as f64 / 1e6)),
            Field::Node => Some(Found::Text(item.node_path()?.as_bytes())),
            Field::Method => Some(match item.message.method()? {
                Named::Name(name) => Found::Text(name.as_bytes()),
                Named::Number(number) => Found::Method(number, method),
            }),
            Field::ArgCount => Some(Found::Int(item.message.args()?.announced()?.into())),
            Field::Message => match item.message {
                Message::Debugger(message) => Some(Found::Text(message.name().as_bytes())),
                _ => None,
            },
            Field::Arg(arg, steps) => found_in(nth_arg(&item.message, *arg).ok()??, steps),
            Field::NetId => Some(Found::Int(net_id(&item.message)?.into())),
            Field::Property(n, steps) => found_in(property(&item.message, *n)?, steps),
            Field::Value(steps) => {
                let value = match item.message {
                    Message::Value(value) => value,
                    Message::Debugger(message) => message.args().value(),
                    _ => return None,
                };
                found(steps.walk(value).ok()??)
            }
        }
    }
}

/// The value at the end of the way.
fn found_in<'a>(value: Value<'a>, steps: &Steps) -> Option<Found<'a>> {
    match value.content() {
        Content::Variant(value) => found(steps.walk(value).ok()??),
        _ if !steps.is_empty() => None,
        Content::Bool(value) => Some(Found::Bool(value)),
        Content::Int(value) => Some(Found::Int(value)),
        Content::Bytes(_) => Some(Found::Other),
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

/// A property that is replicated.
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

/// An argument of a call.
pub(crate) fn nth_arg<'a>(message: &Message<'a>, n: usize) -> Result<Option<Value<'a>>, Error> {
    match message.args() {
        Some(args) => args.into_iter().nth(n).transpose(),
        None => Ok(None),
    }
}

fn found(value: VariantRef<'_>) -> Option<Found<'_>> {
    Some(if value.is_nil() {
        Found::Null
    } else if let Some(value) = value.as_bool() {
        Found::Bool(value)
    } else if let Some(value) = value.as_i64() {
        Found::Int(value)
    } else if let Some(value) = value.as_f64() {
        Found::Float(value)
    } else if let Some(text) = value.as_text() {
        Found::Text(text.as_bytes())
    } else {
        Found::Other
    })
}

impl Operator {
    fn compare(self, found: Found<'_>, literal: &Literal) -> bool {
        let order = match (found, literal) {
            (Found::Text(text), Literal::Text(with)) => {
                return self.compare_texts(text, with);
            }
            (Found::Method(_, Some(name)), Literal::Text(with)) => {
                return self.compare_texts(name.as_bytes(), with);
            }
            (Found::Method(number, _), Literal::Int(with)) => i64::from(number).partial_cmp(with),
            (Found::Int(int), Literal::Int(with)) => int.partial_cmp(with),
            (Found::Int(int), Literal::Float(with)) => (int as f64).partial_cmp(with),
            (Found::Float(float), Literal::Int(with)) => float.partial_cmp(&(*with as f64)),
            (Found::Float(float), Literal::Float(with)) => float.partial_cmp(with),
            (Found::Bool(bool), Literal::Bool(with)) => bool.partial_cmp(with),
            (Found::Null, Literal::Null) => Some(Ordering::Equal),
            _ => None,
        };
        order.is_some_and(|order| self.allows(order))
    }

    fn allows(self, order: Ordering) -> bool {
        match self {
            Operator::Equal => order.is_eq(),
            Operator::Unequal => order.is_ne(),
            Operator::Less => order.is_lt(),
            Operator::LessOrEqual => order.is_le(),
            Operator::Greater => order.is_gt(),
            Operator::GreaterOrEqual => order.is_ge(),
            Operator::Contains | Operator::StartsWith => false,
        }
    }

    fn compare_texts(self, text: &[u8], with: &Needle) -> bool {
        match self {
            Operator::Contains => with.finder.find(text).is_some(),
            Operator::StartsWith => text.starts_with(with.text.as_bytes()),
            // No order is needed, and other lengths are no longer looked at.
            Operator::Equal => text == with.text.as_bytes(),
            Operator::Unequal => text != with.text.as_bytes(),
            _ => self.allows(text.cmp(with.text.as_bytes())),
        }
    }
}
