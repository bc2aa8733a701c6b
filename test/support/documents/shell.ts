import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The outcome of a block of commands. */
export interface ShellOutcome {
  /** Exit code of the block, or the signal that ended the block. */
  readonly code: number | NodeJS.Signals;
  readonly output: string;
}

/** A terminal in which the blocks of a page run one after another. */
export interface Shell {
  /** Runs commands until they end, or interrupts them once their output contains `until`. */
  run(commands: string, until?: string): Promise<ShellOutcome>;
  /** Ends everything that still runs. */
  close(): Promise<void>;
}

/** Settings of curl: an error status is a failure, and progress is not printed. */
const CURL = "fail-with-body\nno-progress-meter\nmax-time = 60\n";

/**
 * Opens a terminal in a folder with this environment. Variables that a block sets are available in the next one. A
 * block ends at its first failing command. The terminal has its own `HOME`.
 */
export function shellIn(folder: string, env: Readonly<Record<string, string>>): Shell {
  const home = join(folder, ".home");
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, ".curlrc"), CURL);
  const state = join(home, "variables.sh");
  writeFileSync(state, "");
  const running = new Set<ChildProcess>();

  async function run(commands: string, until?: string): Promise<ShellOutcome> {
    const script = `source ${state}\nset -aeo pipefail\ntrap 'export -p > ${state}' EXIT\n${commands}`;
    const child = spawn("bash", ["-c", script], {
      cwd: folder,
      env: { ...env, HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        if (until !== undefined && output.includes(until)) interrupt(child, "SIGINT");
      });
    }
    const code = await ended(child);
    running.delete(child);
    return { code, output };
  }

  return {
    run,
    async close() {
      const all = [...running];
      for (const child of all) interrupt(child, "SIGKILL");
      await Promise.all(all.map(ended));
    },
  };
}

/** Sends a signal to a process and to the processes that it started. */
function interrupt({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // All these processes have ended already.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals> {
  return new Promise((settle) => {
    child.once("close", (code, signal) => settle(code ?? signal ?? 0));
  });
}
