//! Runs tests in a process of their own, with a change switched on, within limits.

use std::{
    fs::{self, File},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{Result, suite::FIRST};

/// Kilobytes of address space: a change may ask for memory without end.
const MEMORY: &str = "6000000";

/// The signals for more processor time than allowed: SIGKILL where the hard limit is the soft one, and SIGXCPU.
const OUT_OF_TIME: [i32; 2] = [9, 24];

/// The number of random changes of the data the longest tests make of each vector.
pub const MUTATIONS: (&str, &str) = ("GDVAR_MUTATIONS", "4");

#[derive(Clone, Copy)]
pub struct Limits {
    /// By the clock, for what waits without end. Other work on the machine counts, so it is wide.
    pub seconds: u64,
    /// The limit of the processor, for what runs without end.
    pub processor_seconds: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Passed,
    /// The first test that failed, as far as it is known.
    Failed(String),
    TimedOut,
}

/// The programs of the tests.
pub struct Runner {
    programs: Vec<PathBuf>,
    folder: PathBuf,
    output: PathBuf,
}

impl Runner {
    /// `output` is the file for what the tests print.
    pub fn new(programs: &[PathBuf], folder: &Path, output: &Path) -> Runner {
        Runner {
            programs: programs.to_vec(),
            folder: folder.to_owned(),
            output: output.to_owned(),
        }
    }

    /// The tests of a program, one a line.
    pub fn list(&self, program: usize) -> Result<String> {
        let listed = Command::new(&self.programs[program])
            .args(["--list", "--format", "terse"])
            .current_dir(&self.folder)
            .output()?;
        Ok(String::from_utf8(listed.stdout)?)
    }

    /// Runs tests of a program one after the other up to the first failure.
    pub fn run(
        &self,
        program: usize,
        mutant: Option<u16>,
        reached: Option<&Path>,
        tests: &[&str],
        limits: Limits,
    ) -> Result<(End, Duration)> {
        let mut command = Command::new("sh");
        // One limit a call: not every shell takes more.
        let limited = format!(
            "ulimit -c 0 && ulimit -v {MEMORY} && ulimit -t {} && exec \"$0\" \"$@\"",
            limits.processor_seconds
        );
        command.args(["-c", &limited]).arg(&self.programs[program]);
        command.args([
            "-Z",
            "unstable-options",
            "--fail-fast",
            "--test-threads",
            "1",
            "--exact",
            FIRST,
        ]);
        command
            .args(tests)
            .current_dir(&self.folder)
            .process_group(0);
        // For the option that stops at the first failure.
        command
            .env("RUSTC_BOOTSTRAP", "1")
            .env("RUST_BACKTRACE", "0");
        command.env(MUTATIONS.0, MUTATIONS.1);
        if let Some(mutant) = mutant {
            command.env("GDVAR_MUTANT", mutant.to_string());
        }
        if let Some(reached) = reached {
            command.env("GDVAR_MUTANTS_REACHED", reached);
        }
        let output = File::create(&self.output)?;
        command
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn()?;
        let status = wait(&mut child, start, Duration::from_secs(limits.seconds))?;
        let end = match status {
            None => End::TimedOut,
            Some(status) if status.success() => End::Passed,
            Some(status)
                if status
                    .signal()
                    .is_some_and(|signal| OUT_OF_TIME.contains(&signal)) =>
            {
                End::TimedOut
            }
            Some(_) => End::Failed(self.failed()?),
        };
        Ok((end, start.elapsed()))
    }

    /// The test that failed; if the process just died, the last it had begun.
    fn failed(&self) -> Result<String> {
        let output = fs::read(&self.output)?;
        let output = String::from_utf8_lossy(&output);
        let tests = || output.lines().filter_map(|line| line.strip_prefix("test "));
        let failed = tests().find(|line| line.contains("FAILED"));
        let name = failed.or_else(|| tests().next_back()).unwrap_or_default();
        Ok(name.split(" ...").next().unwrap_or_default().to_owned())
    }
}

/// Waits for it; ends it and all it started after that time.
fn wait(child: &mut Child, start: Instant, limit: Duration) -> Result<Option<ExitStatus>> {
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            let group = format!("-{}", child.id());
            Command::new("kill")
                .args(["-9", "--", &group])
                .stderr(Stdio::null())
                .status()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}
