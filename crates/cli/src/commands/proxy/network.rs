//! [`Network`]: imitates a bad network. [`Way`]: the path of the data of one side through it.

use std::{
    collections::BTreeSet,
    fs,
    time::{Duration, Instant},
};

use gdvar_packet::Direction;

use super::{
    ProxyArgs,
    conditions::{Conditions, Rule},
    queue::Place,
};
use crate::commands::packets::Failure;

/// If there is a rate: a datagram that would have to wait longer than this is lost, as in a router.
const PATIENCE: Duration = Duration::from_millis(250);
/// Both directions. The two [`Way`]s of a client are in this order.
pub(super) const DIRECTIONS: [Direction; 2] = [Direction::ToServer, Direction::ToClient];

/// How long a datagram waits for the next one to overtake it.
pub(super) const HELD: Duration = Duration::from_millis(50);

/// Imitates a bad network.
#[derive(Debug)]
pub(super) struct Network {
    start: Instant,
    seed: u64,
    first: Conditions,
    /// The rules, sorted by the time from which they apply.
    rules: Vec<Rule>,
}

impl Network {
    pub(super) fn new(args: &ProxyArgs) -> Result<Network, Failure> {
        let mut rules = Vec::new();
        for text in &args.network {
            let Some(path) = text.strip_prefix('@') else {
                rules.push(parse(text, "")?);
                continue;
            };
            let lines = fs::read_to_string(path).map_err(|error| Failure::io(path, &error))?;
            for (n, line) in lines.lines().enumerate() {
                let line = line.trim();
                if !line.is_empty() && !line.starts_with('#') {
                    rules.push(parse(line, &format!("{path}: line {}: ", n + 1))?);
                }
            }
        }
        // The sort is stable, so rules of the same time keep their order.
        rules.sort_by_key(|rule: &Rule| rule.at);
        let first = Conditions {
            latency: Duration::from_millis(args.latency),
            jitter: Duration::from_millis(args.jitter),
            loss: args.loss / 100.0,
            ..Conditions::default()
        };
        check(first, &rules).map_err(|error| refused(&error))?;
        Ok(Network {
            start: Instant::now(),
            seed: args.seed,
            first,
            rules,
        })
    }

    /// Returns the conditions for a client and a direction at the time `elapsed`, and the time of the next rule.
    fn at(&self, elapsed: Duration, client: u32, direction: Direction) -> (Conditions, Duration) {
        let mut conditions = self.first;
        let now = self.rules.partition_point(|rule| rule.at <= elapsed);
        let (past, future) = self.rules.split_at(now);
        for rule in past {
            if rule.is_for(client, direction) {
                rule.apply(&mut conditions);
            }
        }
        let until = future.first().map_or(Duration::MAX, |rule| rule.at);
        (conditions, until)
    }
}

/// Parses a rule. `place` is the start of an error: the file and the line.
fn parse(text: &str, place: &str) -> Result<Rule, Failure> {
    Rule::parse(text).map_err(|error| refused(&format!("{place}{error}")))
}

fn refused(error: &str) -> Failure {
    Failure::usage(format!("--network: {error}"))
}

/// Checks the conditions of each client and direction at each time. `rules` are sorted by time.
///
/// # Errors
/// The message says what is wrong with the first conditions that cannot be.
fn check(first: Conditions, rules: &[Rule]) -> Result<(), String> {
    let clients: BTreeSet<u32> = rules.iter().filter_map(Rule::client).collect();
    // The rules of all clients hold for one that no rule names, too.
    let other = (0..)
        .find(|client| !clients.contains(client))
        .unwrap_or_default();
    for client in clients.into_iter().chain([other]) {
        for direction in DIRECTIONS {
            let mut conditions = first;
            for same in rules.chunk_by(|one, next| one.at == next.at) {
                let own = same.iter().filter(|rule| rule.is_for(client, direction));
                own.for_each(|rule| rule.apply(&mut conditions));
                conditions.check()?;
            }
        }
    }
    Ok(())
}

/// The simulated network for the datagrams that one side of one client sends. Each `Way` has its own random numbers, so
/// that the same traffic is treated the same, whatever other clients send.
#[derive(Debug)]
pub(super) struct Way {
    client: u32,
    direction: Direction,
    conditions: Conditions,
    /// The time since the start at which the conditions have to be computed again.
    until: Duration,
    random: u64,
    /// `true` during a burst of losses.
    is_bad: bool,
    /// If there is a rate: when all earlier bytes have been sent.
    busy_until: Option<Instant>,
    /// The place of the datagram that waits to be overtaken. Two places if it arrives twice.
    pub(super) held: Vec<Place>,
}

/// What happens to a datagram that is not lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fate {
    /// The time of arrival.
    pub(super) due: Instant,
    /// `true` if the datagram arrives twice.
    pub(super) is_twice: bool,
    /// `true` if the datagram has to wait until the next one has arrived.
    pub(super) is_held: bool,
}

impl Way {
    pub(super) fn new(network: &Network, client: u32, direction: Direction) -> Way {
        let number = u64::from(client) * 2 + u64::from(direction == Direction::ToClient);
        Way {
            client,
            direction,
            conditions: Conditions::default(),
            until: Duration::ZERO,
            // Starts each way at a distant point in the sequence of splitmix64.
            random: network.seed ^ number.wrapping_mul(0xd134_2543_de82_ef95),
            is_bad: false,
            busy_until: None,
            held: Vec::new(),
        }
    }

    /// Returns the next random number in [0, 1), by splitmix64.
    fn random(&mut self) -> f64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn chance(&mut self, share: f64) -> bool {
        share > 0.0 && self.random() < share
    }

    fn update(&mut self, network: &Network, now: Instant) {
        let elapsed = now.saturating_duration_since(network.start);
        if elapsed >= self.until {
            (self.conditions, self.until) = network.at(elapsed, self.client, self.direction);
        }
    }

    /// Returns `true` if the next datagram is lost. Bursts follow the Gilbert-Elliott model: in the bad state
    /// everything is lost, in the good state nothing. A burst ends with the probability 1 / `burst`, and starts with
    /// the probability that makes `loss` the share of lost datagrams.
    pub(super) fn loses(&mut self, network: &Network, now: Instant) -> bool {
        self.update(network, now);
        let Conditions { loss, burst, .. } = self.conditions;
        if burst <= 1.0 || loss >= 1.0 {
            return self.chance(loss);
        }
        let ends = 1.0 / burst;
        self.is_bad = match self.is_bad {
            true => !self.chance(ends),
            false => self.chance(ends * loss / (1.0 - loss)),
        };
        self.is_bad
    }

    /// Decides what happens to the next datagram, which has `len` bytes. `None` if the datagram is lost because the
    /// rate would make it wait longer than [`PATIENCE`].
    pub(super) fn datagram(&mut self, network: &Network, now: Instant, len: usize) -> Option<Fate> {
        self.update(network, now);
        let leaves = self.leave(now, len);
        if leaves.saturating_duration_since(now) > PATIENCE && self.conditions.rate > 0.0 {
            return None;
        }
        self.busy_until = Some(leaves);
        let Conditions {
            latency,
            jitter,
            duplicate,
            reorder,
            ..
        } = self.conditions;
        let mut due = leaves + latency;
        if !jitter.is_zero() {
            due += jitter.mul_f64(self.random());
        }
        // A datagram that overtakes another is never held itself, so the others must be held more often.
        let is_held = self.held.is_empty() && self.chance(reorder / (1.0 - reorder));
        Some(Fate {
            due,
            is_twice: self.chance(duplicate),
            is_held,
        })
    }

    /// Returns when the next `len` bytes of a stream arrive, if they are sent at `now`.
    pub(super) fn stream(&mut self, network: &Network, now: Instant, len: usize) -> Instant {
        self.update(network, now);
        let leaves = self.leave(now, len);
        self.busy_until = Some(leaves);
        leaves + self.conditions.latency
    }

    /// Returns when `len` bytes have been sent, after all bytes before them.
    fn leave(&self, now: Instant, len: usize) -> Instant {
        let rate = self.conditions.rate;
        if rate <= 0.0 {
            return now;
        }
        let begins = self.busy_until.map_or(now, |busy| busy.max(now));
        begins + Duration::from_secs_f64(len as f64 / rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(seed: u64, rules: &[&str]) -> Network {
        let mut rules: Vec<Rule> = rules
            .iter()
            .map(|rule| Rule::parse(rule).unwrap())
            .collect();
        rules.sort_by_key(|rule| rule.at);
        Network {
            start: Instant::now(),
            seed,
            first: Conditions::default(),
            rules,
        }
    }

    fn lost(seed: u64, rule: &str) -> Vec<bool> {
        let network = network(seed, &[rule]);
        let mut way = Way::new(&network, 0, Direction::ToServer);
        let now = network.start;
        (0..100_000).map(|_| way.loses(&network, now)).collect()
    }

    fn count(lost: &[bool]) -> usize {
        lost.iter().filter(|lost| **lost).count()
    }

    #[test]
    fn the_chosen_share_of_datagrams_is_lost() {
        let count = count(&lost(1, "loss=5"));
        // Within five standard deviations.
        assert!((4655..=5345).contains(&count), "{count}");
        assert_eq!(lost(7, "loss=5"), lost(7, "loss=5"));
        assert_ne!(lost(7, "loss=5"), lost(8, "loss=5"));
        assert_eq!(lost(7, "loss=100 burst=4"), [true; 100_000]);
    }

    #[test]
    fn losses_come_in_bursts() {
        let bursts = |lost: &[bool]| lost.windows(2).filter(|two| !two[0] && two[1]).count();
        for (rule, burst) in [("loss=10 burst=5", 5.0), ("loss=30 burst=2", 2.0)] {
            let lost = lost(1, rule);
            let (count, share) = (count(&lost) as f64, if burst > 2.0 { 0.1 } else { 0.3 });
            assert!(
                (count / 100_000.0 / share - 1.0).abs() < 0.1,
                "{rule}: {count}"
            );
            let mean = count / bursts(&lost) as f64;
            assert!((mean / burst - 1.0).abs() < 0.05, "{rule}: {mean}");
        }
        // Without bursts the mean is 1 / (1 - 0.1).
        let lost = lost(1, "loss=10");
        let mean = count(&lost) as f64 / bursts(&lost) as f64;
        assert!((mean - 1.11).abs() < 0.03, "{mean}");
    }

    /// The least burst that can hold a loss is loss / (1 - loss): one datagram arrives between two bursts.
    #[test]
    fn a_loss_that_bursts_cannot_hold_is_refused() {
        let is_refused = |first: Conditions, rules: &[&str]| {
            let rules = network(1, rules).rules;
            check(first, &rules).err()
        };
        let none = Conditions::default();
        for percent in 1..100 {
            let least = f64::from(percent) / f64::from(100 - percent);
            let rule = |burst: f64| format!("loss={percent} burst={burst}");
            if least > 1.0 {
                // The least burst holds the loss, and a smaller one does not.
                assert_eq!(is_refused(none, &[&rule(least)]), None, "{percent}");
                let short = rule((least * 0.99).max(1.001));
                let error = is_refused(none, &[&short]).expect(&short);
                let expected = (least * 100.0 - 1e-6).ceil() / 100.0;
                assert!(
                    error.contains(&format!("burst={expected} or more")),
                    "{error}"
                );
            }
            let long = rule(least.max(1.0) * 1.01);
            let lost = count(&lost(1, &long)) as f64 / 1000.0;
            // Long bursts vary more.
            let bound = 1.0 + 0.5 * least.max(2.0).sqrt();
            assert!((lost - f64::from(percent)).abs() < bound, "{long}: {lost}");
        }
        assert_eq!(is_refused(none, &["loss=100 burst=2"]), None);
        assert_eq!(is_refused(none, &["loss=90"]), None);
        let error = is_refused(none, &["loss=99.99 burst=1000"]).unwrap();
        assert!(
            error.ends_with("less loss is expected, or no burst"),
            "{error}"
        );
        // From several rules, and from --loss.
        let from_options = Conditions { loss: 0.9, ..none };
        assert!(is_refused(from_options, &["at 3 burst=2"]).is_some());
        for rules in [
            &["loss=90", "burst=2"][..],
            &["at 5 burst=2", "loss=90"],
            &["client 3 loss=90", "down burst=2"],
            &[
                "at 9 client 1 up loss=90",
                "at 8 client 1 burst=2",
                "client 2 loss=1",
            ],
        ] {
            assert!(is_refused(none, rules).is_some(), "{rules:?}");
        }
        for rules in [
            &["up loss=90", "down burst=2"][..],
            &["client 1 loss=90", "client 2 burst=2"],
            &["loss=90", "at 5 loss=20", "at 5 burst=2"],
        ] {
            assert_eq!(is_refused(none, rules), None, "{rules:?}");
        }
    }

    #[test]
    fn the_chosen_shares_are_doubled_and_overtaken() {
        let network = network(1, &["duplicate=3 reorder=20"]);
        let mut way = Way::new(&network, 0, Direction::ToServer);
        let (mut twice, mut held) = (0, 0);
        for n in 0..100_000 {
            let fate = way.datagram(&network, network.start, 100).unwrap();
            twice += u32::from(fate.is_twice);
            held += u32::from(fate.is_held);
            // Holds a datagram as `udp` does.
            way.held = match fate.is_held {
                true => vec![(network.start, n)],
                false => Vec::new(),
            };
        }
        assert!((2730..=3270).contains(&twice), "{twice}");
        assert!((19_300..=20_700).contains(&held), "{held}");
    }

    #[test]
    fn a_rate_spreads_datagrams_and_loses_the_rest() {
        // 80 kbit/s: a datagram of 1000 bytes takes 100 ms.
        let network = network(1, &["rate=80 latency=7"]);
        let mut way = Way::new(&network, 0, Direction::ToServer);
        let now = network.start;
        let due = |fate: Option<Fate>| fate.map(|fate| (fate.due - now).as_millis());
        let times: Vec<_> = (0..4)
            .map(|_| due(way.datagram(&network, now, 1000)))
            .collect();
        assert_eq!(times, [Some(107), Some(207), None, None]);
        let later = now + Duration::from_millis(100);
        assert_eq!(due(way.datagram(&network, later, 1000)), Some(307));
        // Sends as much as the rate allows, for ten seconds: 100 datagrams, and two that wait.
        let mut way = Way::new(&network, 0, Direction::ToServer);
        let arrived = (0..1000).filter(|n| {
            let now = now + Duration::from_millis(10 * n);
            way.datagram(&network, now, 1000).is_some()
        });
        let arrived = arrived.count();
        assert!((99..=103).contains(&arrived), "{arrived}");
        // A stream loses nothing.
        let mut way = Way::new(&network, 0, Direction::ToServer);
        let times = (0..5).map(|_| (way.stream(&network, now, 1000) - now).as_millis());
        assert!(times.eq([107, 207, 307, 407, 507]));
    }

    #[test]
    fn jitter_is_at_most_what_it_says() {
        let network = network(1, &["latency=20 jitter=10"]);
        let mut way = Way::new(&network, 0, Direction::ToServer);
        let now = network.start;
        let mut times: Vec<Duration> = (0..10_000)
            .map(|_| way.datagram(&network, now, 9).unwrap().due - now)
            .collect();
        times.sort();
        let (least, middle, most) = (times[0], times[5000], times[9999]);
        assert!(least >= Duration::from_millis(20) && most < Duration::from_millis(30));
        assert!(
            (24.5..25.5).contains(&(middle.as_secs_f64() * 1000.0)),
            "{middle:?}"
        );
    }

    #[test]
    fn rules_change_with_time_client_and_direction() {
        let rules = [
            "at 10 loss=100",
            "latency=10",
            "up latency=20",
            "client 1 latency=30",
            "at 12 loss=0",
            "at 12 client 1 down latency=40",
        ];
        let network = network(1, &rules);
        let mut ways = Vec::new();
        for client in [0, 1] {
            for direction in [Direction::ToServer, Direction::ToClient] {
                ways.push(Way::new(&network, client, direction));
            }
        }
        let mut at = |seconds: f64| {
            let now = network.start + Duration::from_secs_f64(seconds);
            let mut each = Vec::new();
            for way in &mut ways {
                let is_lost = way.loses(&network, now);
                let due = way.datagram(&network, now, 9).unwrap().due;
                each.push((is_lost, (due - now).as_millis()));
            }
            each
        };
        let first = [(false, 20), (false, 10), (false, 30), (false, 30)];
        assert_eq!(at(0.0), first);
        assert_eq!(at(9.99), first);
        assert_eq!(at(10.0), first.map(|(_, due)| (true, due)));
        assert_eq!(
            at(12.5),
            [(false, 20), (false, 10), (false, 30), (false, 40)]
        );
    }

    #[test]
    fn the_fate_of_one_side_is_its_own() {
        let network = network(5, &["loss=50"]);
        let fates = |client, direction| -> Vec<bool> {
            let mut way = Way::new(&network, client, direction);
            (0..200)
                .map(|_| way.loses(&network, network.start))
                .collect()
        };
        let (up, down) = (Direction::ToServer, Direction::ToClient);
        assert_eq!(fates(0, up), fates(0, up));
        assert_ne!(fates(0, up), fates(0, down));
        assert_ne!(fates(0, down), fates(1, up));
    }
}
