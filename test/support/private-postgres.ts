import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./process.js";

const run = promisify(execFile);
const VERSIONS = "/usr/lib/postgresql";

/** A PostgreSQL server for one test, which may stop and freeze it. */
export interface PrivatePostgres {
  readonly url: string;
  /** Stops the server at once, like a crash, and starts it again. */
  crashAndStart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT to every process of the server. */
  signal(signal: "STOP" | "CONT"): Promise<void>;
  dispose(): Promise<void>;
}

/** The reason why this machine cannot run one; undefined when it can. */
export function whyNoPrivatePostgres(): string | undefined {
  if (binaries() === undefined) return `no initdb and pg_ctl below ${VERSIONS}`;
  if (process.getuid?.() === 0 && !existsSync("/usr/sbin/runuser")) return "PostgreSQL refuses to run as root";
  return undefined;
}

function binaries(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(VERSIONS, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
}

export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const bin = binaries() ?? "";
  const folder = await mkdtemp(join(tmpdir(), "vigil-postgres-"));
  await chmod(folder, 0o777);
  const data = join(folder, "data");
  const port = await freePort();
  const asPostgres = async (program: string, args: readonly string[]): Promise<void> => {
    const command = [join(bin, program), ...args];
    const isRoot = process.getuid?.() === 0;
    const [file = "", ...rest] = isRoot ? ["/usr/sbin/runuser", "-u", "postgres", "--", ...command] : command;
    await run(file, rest, { cwd: folder });
  };
  const control = (...args: readonly string[]) => asPostgres("pg_ctl", ["-D", data, "-w", "-s", ...args]);
  const start = () =>
    control("start", "-l", join(folder, "log"), "-o", `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder}`);
  await asPostgres("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"]);
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
    stop: () => control("stop", "-m", "immediate"),
    async crashAndStart() {
      await control("stop", "-m", "immediate");
      await start();
    },
    async signal(signal) {
      const { stdout } = await run("pgrep", ["-f", "-x", `.*postgres.* -D ${data}.*`]);
      const postmaster = stdout.trim().split("\n")[0] ?? "";
      const { stdout: children } = await run("pgrep", ["-P", postmaster]);
      await run("kill", [`-${signal}`, postmaster, ...children.trim().split("\n")]);
    },
    async dispose() {
      await control("stop", "-m", "immediate").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
