//! [`Rule`]: a rule of `--network`. A rule sets conditions of the network from a given time on, for one client or all,
//! and for one direction or both.

use std::time::Duration;

use gdvar_packet::Direction;

/// How the network treats the data of one side.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Conditions {
    /// The delay of a stream, and the smallest delay of a datagram.
    pub(super) latency: Duration,
    /// The largest additional delay of a datagram.
    pub(super) jitter: Duration,
    /// The share of datagrams that are lost, from 0 to 1.
    pub(super) loss: f64,
    /// The mean number of datagrams that are lost in a row. Up to 1, each datagram is lost independently of the others.
    pub(super) burst: f64,
    /// The share of datagrams that arrive twice, from 0 to 1.
    pub(super) duplicate: f64,
    /// The share of datagrams that the next datagram overtakes, from 0 to 1.
    pub(super) reorder: f64,
    /// The limit in bytes per second. 0: no limit.
    pub(super) rate: f64,
}

impl Conditions {
    /// Checks that bursts of this mean length can lose this share: between two bursts at least one datagram arrives.
    ///
    /// # Errors
    /// The message says what is wrong, and what is expected.
    pub(super) fn check(&self) -> Result<(), String> {
        let Conditions { loss, burst, .. } = *self;
        // A tolerance, because 0.9 / (1 - 0.9) is a little more than 9.
        if burst <= 1.0 || loss >= 1.0 || burst * (1.0 - loss) + 1e-9 >= loss {
            return Ok(());
        }
        let least = (loss / (1.0 - loss) * 100.0 - 1e-6).ceil() / 100.0;
        let loss = (loss * 1e6).round() / 1e4;
        let remedy = match least <= MOST_BURST {
            true => format!("burst={least} or more is expected, or less loss"),
            false => "less loss is expected, or no burst".to_owned(),
        };
        Err(format!(
            "burst={burst} cannot lose {loss} %, because a datagram arrives after each burst; {remedy}"
        ))
    }
}

/// A rule of `--network`.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rule {
    /// The time since the start from which the rule applies.
    pub(super) at: Duration,
    client: Option<u32>,
    direction: Option<Direction>,
    settings: Vec<(Setting, f64)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Setting {
    Latency,
    Jitter,
    Loss,
    Burst,
    Duplicate,
    Reorder,
    Rate,
}

const MOST_BURST: f64 = 1000.0;
/// The name of each setting, and its smallest and largest number.
const SETTINGS: [(&str, Setting, f64, f64); 7] = [
    ("latency", Setting::Latency, 0.0, 60_000.0),
    ("jitter", Setting::Jitter, 0.0, 60_000.0),
    ("loss", Setting::Loss, 0.0, 100.0),
    ("burst", Setting::Burst, 1.0, MOST_BURST),
    ("duplicate", Setting::Duplicate, 0.0, 100.0),
    ("reorder", Setting::Reorder, 0.0, 50.0),
    ("rate", Setting::Rate, 0.0, 10_000_000.0),
];

impl Rule {
    /// Parses `at 10 client 0 up loss=5 burst=4`.
    ///
    /// # Errors
    /// The message says what is wrong, and what is expected.
    pub(super) fn parse(text: &str) -> Result<Rule, String> {
        let mut rule = Rule {
            at: Duration::ZERO,
            client: None,
            direction: None,
            settings: Vec::new(),
        };
        let mut words = text.split_ascii_whitespace();
        let mut said: Vec<&str> = Vec::new();
        while let Some(word) = words.next() {
            let name = match word {
                "up" | "down" => "a direction",
                _ => word.split('=').next().unwrap_or(word),
            };
            if said.contains(&name) {
                return Err(format!(
                    "{word:?}: {name} is in this rule already; write two rules (up and down are both directions, as \
                     a rule without them)"
                ));
            }
            said.push(name);
            match word {
                "at" => {
                    let seconds = words.next().and_then(|word| word.parse().ok());
                    let at = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
                    rule.at = at.ok_or("a number of seconds is expected after at")?;
                }
                "client" => {
                    let client = words.next().and_then(|word| word.parse().ok());
                    let expected =
                        "the number of a client is expected after client, the first is 0";
                    rule.client = Some(client.ok_or(expected)?);
                }
                "up" => rule.direction = Some(Direction::ToServer),
                "down" => rule.direction = Some(Direction::ToClient),
                _ => rule.settings.push(setting(word)?),
            }
        }
        match rule.settings.is_empty() {
            true => Err(format!("no setting; {}", expected())),
            false => Ok(rule),
        }
    }

    /// Returns the client that the rule is for, or `None` if it is for all.
    pub(super) fn client(&self) -> Option<u32> {
        self.client
    }

    /// Returns `true` if the rule applies to this client and direction.
    pub(super) fn is_for(&self, client: u32, direction: Direction) -> bool {
        self.client.is_none_or(|named| named == client)
            && self.direction.is_none_or(|named| named == direction)
    }

    /// Applies the settings of the rule to `to`.
    pub(super) fn apply(&self, to: &mut Conditions) {
        for (setting, number) in &self.settings {
            let (share, time) = (number / 100.0, Duration::from_secs_f64(number / 1000.0));
            match setting {
                Setting::Latency => to.latency = time,
                Setting::Jitter => to.jitter = time,
                Setting::Loss => to.loss = share,
                Setting::Burst => to.burst = *number,
                Setting::Duplicate => to.duplicate = share,
                Setting::Reorder => to.reorder = share,
                // The number is in kilobits per second.
                Setting::Rate => to.rate = number * 125.0,
            }
        }
    }
}

fn expected() -> String {
    let names: Vec<&str> = SETTINGS.iter().map(|(name, ..)| *name).collect();
    format!(
        "at SECONDS, client N, up, down or one of {} is expected, for instance loss=5",
        names.join("=, ") + "="
    )
}

/// Parses a setting, such as `loss=5`. The number may have a unit.
fn setting(word: &str) -> Result<(Setting, f64), String> {
    let split = word.split_once('=');
    let found = split.and_then(|(name, number)| {
        let known = SETTINGS.iter().find(|(known, ..)| *known == name)?;
        Some((known, number))
    });
    let Some(((name, setting, least, most), text)) = found else {
        return Err(format!("{word:?}: {}", expected()));
    };
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    let number: Option<f64> = digits.parse().ok();
    let number = number.filter(|number| (*least..=*most).contains(number));
    number.map(|number| (*setting, number)).ok_or_else(|| {
        format!("{word:?}: a number from {least} to {most} is expected after {name}=")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_say_when_for_whom_and_what() {
        let rule =
            Rule::parse("at 1.5 client 2 down loss=5% burst=4 latency=80ms rate=256").unwrap();
        assert_eq!(rule.at, Duration::from_millis(1500));
        assert!(rule.is_for(2, Direction::ToClient));
        assert!(!rule.is_for(2, Direction::ToServer) && !rule.is_for(1, Direction::ToClient));
        let mut conditions = Conditions {
            jitter: Duration::from_millis(3),
            ..Conditions::default()
        };
        rule.apply(&mut conditions);
        let expected = Conditions {
            latency: Duration::from_millis(80),
            jitter: Duration::from_millis(3),
            loss: 0.05,
            burst: 4.0,
            rate: 32_000.0,
            ..Conditions::default()
        };
        assert_eq!(conditions, expected);
    }

    #[test]
    fn mistakes_are_told() {
        for (text, expected) in [
            ("", "no setting"),
            ("up", "no setting"),
            ("loss", "\"loss\": at SECONDS"),
            ("lost=5", "\"lost=5\": at SECONDS"),
            ("loss=101", "a number from 0 to 100 is expected after loss="),
            ("burst=0", "a number from 1 to 1000"),
            ("reorder=51", "a number from 0 to 50"),
            ("rate=fast", "a number from 0 to 10000000"),
            ("at soon loss=1", "a number of seconds"),
            ("at -1 loss=1", "a number of seconds"),
            ("client loss=1", "the number of a client"),
            ("up down loss=1", "\"down\": a direction is in this rule"),
            ("down down loss=1", "\"down\": a direction is in this rule"),
            ("at 5 at 6 loss=5", "\"at\": at is in this rule already"),
            ("client 0 client 1 loss=5", "\"client\": client is in this"),
            ("latency=1 latency=2", "\"latency=2\": latency is in this"),
            ("jitter=1 jitter=2", "\"jitter=2\": jitter is in this"),
            ("loss=5 loss=6", "\"loss=6\": loss is in this"),
            ("burst=5 burst=6", "\"burst=6\": burst is in this"),
            ("duplicate=5 duplicate=5", "\"duplicate=5\": duplicate is"),
            ("reorder=5 reorder=6", "\"reorder=6\": reorder is in this"),
            ("rate=5 up rate=6", "\"rate=6\": rate is in this"),
        ] {
            let error = Rule::parse(text).unwrap_err();
            assert!(error.contains(expected), "{text:?}: {error}");
        }
    }
}
