//! [`Console`]: runs verbs in the game, and prints the messages of the game.

use std::{
    collections::VecDeque,
    fmt::Write as _,
    time::{Duration, Instant},
};

use gdvar_packet::{
    Arg,
    debugger::{Content, GameMessage, GameVersion, Request, RequestError, Session},
};
use gdvar_text::{ParseOptions, parse_godot};
use serde_json::{Value, json};

use super::{
    game::Game,
    link::{Event, Link, end_by_signal},
    print,
    scene::SceneNodes,
    verb::{VERBS, Verb},
};
use crate::{
    app::App,
    commands::packets::Failure,
    terminal::{exit::Exit, interrupt::Interrupt, nearest::nearest},
};

/// The time to wait before a game that has no scene yet is asked for its tree again.
const AGAIN: Duration = Duration::from_millis(100);

/// How long after the connection a game may need until its scene is complete.
const START: Duration = Duration::from_secs(5);

/// Why [`Console::wait`] returned.
#[derive(PartialEq, Eq)]
pub(super) enum Waited {
    Found,
    TimedOut,
    Closed,
    NoMoreLines,
    Line(String),
}

/// A property of an inspected object, formatted.
struct Shown {
    name: String,
    text: String,
    json: Value,
    is_heading: bool,
}

/// Connects the parts of `debug`: sends the verbs of the user to the game, and prints the answers.
pub(super) struct Console<'a> {
    app: &'a mut App,
    link: Link,
    pub(super) session: Session,
    interrupt: Interrupt,
    game: Option<Game>,
    timeout: Duration,
    /// Until this time, the scene of the game may still be incomplete.
    complete_by: Instant,
    is_json: bool,
    is_closed: bool,
    /// Lines that the user typed while the console waited for an answer.
    lines: VecDeque<String>,
    has_no_more_lines: bool,
    /// The names of the monitors that the game defines itself.
    pub(super) own_monitors: Vec<String>,
}

impl<'a> Console<'a> {
    pub(super) fn new(
        app: &'a mut App,
        link: Link,
        interrupt: Interrupt,
        game: Option<Game>,
        timeout: Duration,
        is_json: bool,
    ) -> Console<'a> {
        Console {
            app,
            link,
            session: Session::new(),
            interrupt,
            game,
            timeout,
            complete_by: Instant::now() + timeout.min(START),
            is_json,
            is_closed: false,
            lines: VecDeque::new(),
            has_no_more_lines: false,
            own_monitors: Vec::new(),
        }
    }

    /// Prints messages until the game ends.
    pub(super) fn follow(&mut self) -> Result<(), Failure> {
        while self.wait(None, |_| false)? != Waited::Closed {}
        Ok(())
    }

    /// Runs verbs from the terminal until the input or the game ends.
    pub(super) fn prompt(&mut self) -> Result<(), Failure> {
        self.app
            .note("the game is connected; `help` lists the verbs")?;
        loop {
            self.app.raw(b"gdvar> ")?;
            self.app.flush()?;
            let line = loop {
                if let Some(line) = self.lines.pop_front() {
                    break line;
                }
                match self.wait(None, |_| false)? {
                    Waited::Line(line) => break line,
                    Waited::Closed => {
                        self.app.raw(b"\n")?;
                        return Ok(self.app.note("the game has ended")?);
                    }
                    Waited::NoMoreLines => return Ok(self.app.raw(b"\n")?),
                    Waited::Found | Waited::TimedOut => {}
                }
            };
            if line.trim().is_empty() {
                continue;
            }
            let done = match Verb::parse(&line) {
                Ok(Verb::Quit) => return Ok(()),
                Ok(verb) => self.run(&verb, false),
                Err(error) => Err(Failure::usage(error)),
            };
            match done {
                // The user types a wrong verb again, so it does not change the exit code.
                Err(Failure::Other(_, text)) => self.app.error(&text)?,
                other => other?,
            }
        }
    }

    /// Prints messages of the game until `seen` returns `true` for one, the game ends, or the time `until` is reached.
    /// If `until` is `None`, the wait has no time limit, but a typed line and the end of the input end it too.
    pub(super) fn wait(
        &mut self,
        until: Option<Instant>,
        mut seen: impl FnMut(&GameMessage<'_>) -> bool,
    ) -> Result<Waited, Failure> {
        if self.is_closed {
            return Ok(Waited::Closed);
        }
        loop {
            if self.interrupt.is_set() {
                self.app.flush()?;
                drop(self.game.take());
                end_by_signal();
                self.is_closed = true;
                return Ok(Waited::Closed);
            }
            match self.link.next(until) {
                Some(Event::Bytes(bytes)) => {
                    let mut out = Vec::new();
                    let (is_quiet, is_json) = (self.app.global.quiet, self.is_json);
                    let own_monitors = &mut self.own_monitors;
                    let mut is_found = false;
                    let received = self.session.receive(&bytes, |message| {
                        if !is_quiet {
                            print::unasked(&mut out, message, is_json);
                        }
                        if let Content::MonitorNames(names) = &message.content {
                            *own_monitors = names.iter().map(ToString::to_string).collect();
                        }
                        is_found = is_found || seen(message);
                    });
                    self.app.raw(&out)?;
                    self.app.flush()?;
                    received.map_err(|error| {
                        Failure::Other(Exit::Malformed, format!("the stream of the game: {error}"))
                    })?;
                    if is_found {
                        return Ok(Waited::Found);
                    }
                }
                Some(Event::Closed) => {
                    self.is_closed = true;
                    return Ok(Waited::Closed);
                }
                Some(Event::Line(line)) if until.is_none() => return Ok(Waited::Line(line)),
                Some(Event::Line(line)) => self.lines.push_back(line),
                Some(Event::NoMoreLines) => self.has_no_more_lines = true,
                None => {}
            }
            if until.is_none() && self.has_no_more_lines && self.lines.is_empty() {
                return Ok(Waited::NoMoreLines);
            }
            if until.is_some_and(|until| until <= Instant::now()) {
                return Ok(Waited::TimedOut);
            }
        }
    }

    fn until(&self) -> Instant {
        Instant::now() + self.timeout
    }

    pub(super) fn send(&mut self, request: Request<'_>) -> Result<(), Failure> {
        let mut out = Vec::new();
        let written = self.session.request(request, &mut out);
        written.map_err(|error: RequestError| Failure::Other(Exit::Findings, error.to_string()))?;
        self.link.send(&out)
    }

    /// Waits for a message from which `read` returns an answer. `what` names the answer in the error.
    pub(super) fn answer<T>(
        &mut self,
        what: &str,
        mut read: impl FnMut(&GameMessage<'_>) -> Option<T>,
    ) -> Result<T, Failure> {
        let mut answer = None;
        let until = self.until();
        let waited = self.wait(Some(until), |message| {
            answer = read(message);
            answer.is_some()
        })?;
        answer.ok_or_else(|| {
            let text = match waited {
                Waited::Closed => format!("the game ended before {what} came"),
                _ => format!(
                    "{what} did not come in {} seconds; is the game busy? --timeout waits longer",
                    self.timeout.as_secs()
                ),
            };
            Failure::Other(Exit::Io, text)
        })
    }

    pub(super) fn ask<T>(
        &mut self,
        request: Request<'_>,
        what: &str,
        read: impl FnMut(&GameMessage<'_>) -> Option<T>,
    ) -> Result<T, Failure> {
        self.send(request)?;
        self.answer(what, read)
    }

    pub(super) fn print(
        &mut self,
        text: &str,
        json: impl FnOnce() -> Value,
    ) -> Result<(), Failure> {
        let mut out = Vec::new();
        match self.is_json {
            true => print::put_json(&mut out, json()),
            false => out.extend_from_slice(text.as_bytes()),
        }
        self.app.raw(&out)?;
        Ok(self.app.flush()?)
    }

    /// Runs a verb. If `is_script` is `true`, verbs that need a break wait for one.
    pub(super) fn run(&mut self, verb: &Verb, is_script: bool) -> Result<(), Failure> {
        if self.session.version().is_none() {
            self.answer("the first message of the game", |_| Some(()))?;
        }
        let needs_break = matches!(
            verb,
            Verb::Continue
                | Verb::Step
                | Verb::Next
                | Verb::Out
                | Verb::Stack
                | Verb::Locals { .. }
                | Verb::Evaluate(_)
        );
        if let Some(reason) = self.refusal(verb) {
            return Err(Failure::Other(Exit::Findings, reason.to_string()));
        }
        if needs_break && is_script && !self.session.is_in_break() {
            self.answer("a break", is_break)?;
        }
        match verb {
            Verb::Tree => self.tree(),
            Verb::Inspect { node, property } => self.inspect(node, property.as_deref()),
            Verb::Set {
                node,
                property,
                value,
            } => self.set(node, property, value),
            Verb::Break => self.ask(Request::Break, "the break", is_break),
            Verb::Continue => self.ask(Request::Continue, "the end of the break", |message| {
                matches!(message.content, Content::Resumed).then_some(())
            }),
            Verb::Step => self.step(Request::Step),
            Verb::Next => self.step(Request::Next),
            Verb::Out => self.step(Request::Out),
            Verb::Stack => self.stack().map(|_| ()),
            Verb::Locals { level } => self.locals(*level),
            Verb::Breakpoint { file, line, is_on } => self.send(Request::Breakpoint {
                file,
                line: *line,
                is_on: *is_on,
            }),
            Verb::Evaluate(expression) => self.evaluate(expression),
            Verb::Monitors { samples } => self.monitors(*samples),
            Verb::Profile { seconds } => self.profile(*seconds),
            Verb::Wait(time) => {
                let Some(until) = Instant::now().checked_add(*time) else {
                    return Err(Failure::usage("the wait would never end"));
                };
                self.wait(Some(until), |_| false).map(|_| ())
            }
            Verb::Help => Ok(self.app.raw((VERBS.join("\n") + "\n").as_bytes())?),
            Verb::Quit => Ok(()),
        }
    }

    /// Returns why the game would never answer a verb. The session refuses requests, too, but only after a verb has
    /// waited for a break; and monitors come without a request.
    fn refusal(&self, verb: &Verb) -> Option<RequestError> {
        let is_godot3 = self.session.version() == Some(GameVersion::Godot3);
        match verb {
            Verb::Evaluate(_) | Verb::Out if is_godot3 => Some(RequestError::Unsupported),
            Verb::Monitors { .. } if self.session.is_in_break() => Some(RequestError::InBreak),
            _ => None,
        }
    }

    /// Asks the game for its scene tree. A game that has just started has only the root node, so the game is asked
    /// again until there are more nodes or the timeout is reached.
    fn nodes(&mut self) -> Result<SceneNodes, Failure> {
        let until = self.until();
        loop {
            let nodes = self.ask(Request::Tree, "the scene tree", |message| {
                match &message.content {
                    Content::Tree(nodes) => Some(SceneNodes::new(nodes)),
                    _ => None,
                }
            })?;
            if nodes.0.len() > 1 || until <= Instant::now() {
                return Ok(nodes);
            }
            self.wait(Some(Instant::now() + AGAIN), |_| false)?;
        }
    }

    fn tree(&mut self) -> Result<(), Failure> {
        let nodes = self.nodes()?;
        let mut text = String::new();
        if !self.is_json {
            for node in &nodes.0 {
                let indent = 2 * node.depth;
                let _ = write!(text, "{:indent$}{}  {}", "", node.name, node.class);
                if !node.scene.is_empty() {
                    let _ = write!(text, "  {}", node.scene);
                }
                text.push('\n');
            }
        }
        self.print(&text, || {
            let all = nodes.0.iter().enumerate();
            let all = all.map(|(at, node)| {
                json!({
                    "path": nodes.path(at),
                    "class": node.class,
                    "id": node.id,
                    "scene": node.scene,
                })
            });
            json!({"event": "tree", "nodes": all.collect::<Vec<_>>()})
        })
    }

    /// Asks for a node. Returns its path, its id, its class and its properties.
    fn look(&mut self, node: &str) -> Result<(String, i64, String, Vec<Shown>), Failure> {
        let (nodes, at) = loop {
            let nodes = self.nodes()?;
            match nodes.find(node) {
                Ok(at) => break (nodes, at),
                // A game that has just started may not have all of its nodes yet.
                Err(_) if Instant::now() < self.complete_by => {
                    self.wait(Some(Instant::now() + AGAIN), |_| false)?;
                }
                Err(text) => return Err(Failure::Other(Exit::Findings, text)),
            }
        };
        let (path, id) = (nodes.path(at), nodes.0[at].id);
        let (class, properties) =
            self.ask(
                Request::Inspect { id },
                "the object",
                |message| match &message.content {
                    Content::Object(object) if object.id == id => {
                        let shown = object.properties.iter().map(|property| Shown {
                            name: property.name.to_owned(),
                            text: print::text_of(property.value),
                            json: print::json_of(property.value),
                            is_heading: property.is_heading,
                        });
                        Some((object.class.to_owned(), shown.collect()))
                    }
                    Content::NoObject => Some((String::new(), Vec::new())),
                    _ => None,
                },
            )?;
        Ok((path, id, class, properties))
    }

    fn inspect(&mut self, node: &str, property: Option<&str>) -> Result<(), Failure> {
        let (path, id, class, properties) = self.look(node)?;
        if let Some(property) = property {
            let shown = find_property(&path, &properties, property)?;
            return self.print(&format!("{}\n", shown.text), || {
                json!({"event": "value", "path": path, "property": property, "value": shown.json})
            });
        }
        let mut text = format!("{path}  {class}  #{id}\n");
        for property in &properties {
            let _ = match property.is_heading {
                true => writeln!(text, " {}", property.name),
                false => writeln!(text, "  {}: {}", property.name, property.text),
            };
        }
        self.print(&text, || {
            let values = properties.iter().filter(|property| !property.is_heading);
            let values =
                values.map(|property| json!({"name": property.name, "value": property.json}));
            json!({
                "event": "object",
                "path": path,
                "id": id,
                "class": class,
                "properties": values.collect::<Vec<_>>(),
            })
        })
    }

    fn set(&mut self, node: &str, property: &str, value: &str) -> Result<(), Failure> {
        let Some(version) = self.session.version() else {
            return Ok(());
        };
        let options = ParseOptions::new(version.target()).with_whole(true);
        let parsed = parse_godot(value, &options)
            .map_err(|error| Failure::usage(format!("{value:?}: {error}")))?;
        let (path, id, _, properties) = self.look(node)?;
        let name = find_property(&path, &properties, property)?.name.clone();
        let value = Arg::encoded(&parsed.bytes, version.dialect())
            .map_err(|error| Failure::usage(error.to_string()))?;
        self.send(Request::Set {
            id,
            property: &name,
            value,
        })?;
        // The game does not confirm the change, so the value is read back.
        let (_, _, _, properties) = self.look(&format!("#{id}"))?;
        let shown = find_property(&path, &properties, property)?;
        self.print(
            &format!("{path}.{property} = {}\n", shown.text),
            || json!({"event": "set", "path": path, "property": property, "value": shown.json}),
        )
    }

    /// Sends `request`, waits until the game stops again, and prints the stack. This may take long: at the end of a
    /// function that the engine calls, the game may stop only when the function is called again.
    fn step(&mut self, request: Request<'_>) -> Result<(), Failure> {
        self.ask(request, "the next break", is_break)?;
        self.stack().map(|_| ())
    }

    /// Prints the stack. Returns its depth, in functions.
    fn stack(&mut self) -> Result<usize, Failure> {
        let (text, json) = self.read_stack()?;
        let depth = json.len();
        let text = match depth {
            0 => "no script is running\n".to_owned(),
            _ => text,
        };
        self.print(&text, || json!({"event": "stack", "stack": json}))?;
        Ok(depth)
    }

    fn read_stack(&mut self) -> Result<(String, Vec<Value>), Failure> {
        self.ask(Request::Stack, "the stack", |message| {
            match &message.content {
                Content::Stack(frames) => {
                    Some((print::stack_text(frames, ""), print::stack_json(frames)))
                }
                _ => None,
            }
        })
    }

    fn locals(&mut self, level: u32) -> Result<(), Failure> {
        // The engines report errors if they are asked for variables of a level that does not exist, so the level is
        // checked first.
        let depth = self.read_stack()?.1.len();
        if depth > 0 && level as usize >= depth {
            return Err(Failure::Other(
                Exit::Findings,
                format!("the stack has {depth} functions, from 0 on; `stack` shows them"),
            ));
        }
        let mut left = None;
        let (mut text, mut all) = (String::new(), Vec::new());
        let request = Request::Variables { level };
        self.ask(request, "the variables", |message| {
            match &message.content {
                Content::VariableCount(count) => left = Some(*count),
                Content::Variable(variable) => {
                    let scope = print::scope_name(variable.scope);
                    let value = print::text_of(variable.value);
                    let _ = writeln!(text, "{scope} {}: {value}", variable.name);
                    all.push(json!({
                        "scope": scope,
                        "name": variable.name,
                        "value": print::json_of(variable.value),
                    }));
                    left = left.map(|left| left.saturating_sub(1));
                }
                _ => {}
            }
            (left == Some(0)).then_some(())
        })?;
        self.print(
            &text,
            || json!({"event": "locals", "level": level, "variables": all}),
        )
    }

    fn evaluate(&mut self, expression: &str) -> Result<(), Failure> {
        // 4.6.3 leaves a break without a script when it is asked.
        if !matches!(self.session.version(), Some(GameVersion::Godot3)) {
            self.read_stack()?;
        }
        let request = Request::Evaluate {
            expression,
            level: 0,
        };
        let (text, json) = self.ask(request, "the result", |message| match &message.content {
            Content::Variable(result) => {
                Some((print::text_of(result.value), print::json_of(result.value)))
            }
            _ => None,
        })?;
        self.print(
            &(text + "\n"),
            || json!({"event": "evaluated", "expression": expression, "value": json}),
        )
    }
}

fn is_break(message: &GameMessage<'_>) -> Option<()> {
    matches!(message.content, Content::Break { .. }).then_some(())
}

/// Finds a property by its name. A script's variable is found without the prefix `Members/` too.
fn find_property<'p>(
    path: &str,
    properties: &'p [Shown],
    name: &str,
) -> Result<&'p Shown, Failure> {
    let is_it = |shown: &&Shown| {
        let own = shown.name.rsplit('/').next().unwrap_or_default();
        !shown.is_heading
            && (shown.name == name || shown.name.starts_with("Members/") && own == name)
    };
    properties.iter().find(is_it).ok_or_else(|| {
        let names = properties.iter().filter(|shown| !shown.is_heading);
        let help = match nearest(name, names.map(|shown| &*shown.name)) {
            Some(near) => format!("is it {near}?"),
            None => "`inspect` shows them all".to_owned(),
        };
        Failure::Other(
            Exit::Findings,
            format!("{path} has no property {name}; {help}"),
        )
    })
}
