//! What keys and the mouse do.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use crate::commands::explore::{
    search::Direction,
    state::{Ask, Mode, Purpose, State, Task},
};

/// Each key with what it does, as `?` lists them.
pub(crate) const HELP: [(&str, &str); 15] = [
    ("j k ↓ ↑", "next, previous row"),
    ("l → , h ←", "open or go in, close or go out"),
    ("Enter Space", "open, close; edit a single value"),
    ("J K", "next, previous on the same level"),
    ("PgDn PgUp", "a screen on or back (Ctrl-d, Ctrl-u: half)"),
    ("g G", "first row, last row"),
    ("/ n N", "search keys and values; next, previous"),
    (":", "go to a path: party[0].hp, #2 for a record"),
    ("y Y", "copy the path, the value"),
    ("e", "edit a single value; shows what changes first"),
    ("x", "bytes on or off"),
    ("R", "read the file again"),
    ("mouse", "click selects, twice opens, wheel scrolls"),
    ("Esc", "stop, or leave a prompt"),
    ("q", "quit"),
];

impl State<'_> {
    /// Handles a key, in the current mode. Returns what the caller has to do.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Ask {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            return Ask::Quit;
        }
        if self.task.is_some() {
            // Any key stops a running task.
            self.task = None;
            if key.code == KeyCode::Esc {
                self.say("stopped");
                return Ask::Nothing;
            }
        }
        self.message = None;
        match &mut self.mode {
            Mode::Browse => self.browse(key, control),
            Mode::Help => {
                self.mode = Mode::Browse;
                Ask::Nothing
            }
            Mode::Typing(purpose, line) => match key.code {
                KeyCode::Enter => {
                    let (purpose, text) = (*purpose, line.text());
                    self.typed(purpose, &text)
                }
                KeyCode::Esc => {
                    self.mode = Mode::Browse;
                    Ask::Nothing
                }
                _ => {
                    line.key(key);
                    Ask::Nothing
                }
            },
            Mode::Confirm(change, _) => {
                let change = change.clone();
                self.mode = Mode::Browse;
                if let KeyCode::Char('y' | 'Y') | KeyCode::Enter = key.code {
                    return Ask::Write(change);
                }
                self.say("nothing was changed");
                Ask::Nothing
            }
        }
    }

    fn browse(&mut self, key: KeyEvent, control: bool) -> Ask {
        let page = self.tree_area.height.saturating_sub(1).max(1) as isize;
        match key.code {
            KeyCode::Char('d') if control => self.scroll(page / 2 + 1),
            KeyCode::Char('u') if control => self.scroll(-(page / 2 + 1)),
            KeyCode::Char('f') if control => self.scroll(page),
            KeyCode::Char('b') if control => self.scroll(-page),
            KeyCode::Char(_) if control => {}
            KeyCode::Down | KeyCode::Char('j') => self.step(1),
            KeyCode::Up | KeyCode::Char('k') => self.step(-1),
            KeyCode::Right | KeyCode::Char('l') => self.enter(),
            KeyCode::Left | KeyCode::Char('h') => self.leave(),
            KeyCode::Enter | KeyCode::Char(' ') => return self.toggle(),
            KeyCode::Char('J') => self.sibling(true),
            KeyCode::Char('K') => self.sibling(false),
            KeyCode::PageDown => self.scroll(page),
            KeyCode::PageUp => self.scroll(-page),
            KeyCode::Home | KeyCode::Char('g') => {
                self.cursor = vec![0];
                self.top = vec![0];
            }
            KeyCode::End | KeyCode::Char('G') => self.task = Some(Task::End(Vec::new())),
            KeyCode::Char('/') => self.prompt(Purpose::Search),
            KeyCode::Char('n') => self.search(Direction::Forward),
            KeyCode::Char('N') => self.search(Direction::Backward),
            KeyCode::Char(':') => self.prompt(Purpose::Path),
            KeyCode::Char('y') => {
                let path = self.path();
                self.say(format!("copied: {path}"));
                return Ask::Copy(path);
            }
            KeyCode::Char('Y') => {
                if let Some(text) = self.value_text() {
                    self.say("copied the value");
                    return Ask::Copy(text);
                }
            }
            KeyCode::Char('e') => return self.edit(),
            KeyCode::Char('x') => self.with_hex = !self.with_hex,
            KeyCode::Char('R') => return Ask::Reload,
            KeyCode::Char('?') | KeyCode::F(1) => self.mode = Mode::Help,
            KeyCode::Char('q') => return Ask::Quit,
            _ => {}
        }
        Ask::Nothing
    }

    /// Handles a click or the wheel. Does nothing unless the mode is [`Mode::Browse`].
    pub(crate) fn mouse(&mut self, mouse: MouseEvent) {
        if !matches!(self.mode, Mode::Browse) {
            return;
        }
        match mouse.kind {
            MouseEventKind::ScrollDown => self.scroll(3),
            MouseEventKind::ScrollUp => self.scroll(-3),
            MouseEventKind::Down(MouseButton::Left) => {
                let tree = self.tree_area;
                if !tree.contains(Position::new(mouse.column, mouse.row)) {
                    return;
                }
                self.message = None;
                let before = std::mem::replace(&mut self.cursor, self.top.clone());
                self.step((mouse.row - tree.top()) as isize);
                if self.cursor == before {
                    self.tree.toggle(&before);
                }
            }
            _ => {}
        }
    }

    /// Inserts a pasted text, if the user is typing.
    pub(crate) fn paste(&mut self, text: &str) {
        if let Mode::Typing(_, line) = &mut self.mode {
            line.insert(text);
        }
    }
}
