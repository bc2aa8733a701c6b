import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./process.js";

const run = promisify(execFile);
const VERSIONS = "/usr/lib/postgresql";

/** A PostgreSQL server for one test. The test may stop and freeze the server. */
export interface PrivatePostgres {
  readonly url: string;
  /** Stops the server immediately, like a crash, and starts it again. */
  crashAndStart(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT to every process of the server. */
  signal(signal: "STOP" | "CONT"): Promise<void>;
  /** Starts a standby, which answers reads and rejects writes. At every commit, this server waits for the standby. */
  startStandby(): Promise<Standby>;
  dispose(): Promise<void>;
}

/** A standby that follows a server. The test that starts the standby disposes of it. */
export interface Standby {
  readonly url: string;
  /** Promotes the standby to a server that accepts writes. */
  promote(): Promise<void>;
  dispose(): Promise<void>;
}

/** The reason why this machine cannot run a PostgreSQL server; undefined when it can. */
export function whyNoPrivatePostgres(): string | undefined {
  if (binaries() === undefined) return `no initdb and pg_ctl below ${VERSIONS}`;
  if (process.getuid?.() === 0 && !existsSync("/usr/sbin/runuser")) return "PostgreSQL refuses to run as root";
  return undefined;
}

function binaries(): string | undefined {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(VERSIONS, version, "bin")).find((bin) => existsSync(join(bin, "initdb")));
}

/** The data folder and address of a server, and the functions that control it. */
interface ServerRoom {
  readonly data: string;
  readonly port: number;
  readonly url: string;
  asPostgres(program: string, args: readonly string[]): Promise<void>;
  control(...args: readonly string[]): Promise<void>;
  start(options?: string): Promise<void>;
  dispose(): Promise<void>;
}

async function serverRoom(): Promise<ServerRoom> {
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
  return {
    data,
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    asPostgres,
    control,
    start: (options = "") =>
      control(
        "start",
        "-l",
        join(folder, "log"),
        "-o",
        `-p ${port} -c listen_addresses=127.0.0.1 -k ${folder} ${options}`,
      ),
    async dispose() {
      await control("stop", "-m", "immediate").catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const { data, port, url, asPostgres, control, start: startWith, dispose } = await serverRoom();
  const start = () => startWith();
  await asPostgres("initdb", ["-D", data, "-A", "trust", "-U", "postgres", "--no-sync"]);
  await start();
  return {
    url,
    start,
    async startStandby() {
      const standby = await serverRoom();
      const from = ["-h", "127.0.0.1", "-p", String(port), "-U", "postgres", "-c", "fast", "--no-sync"];
      await standby.asPostgres("pg_basebackup", ["-D", standby.data, "-R", ...from]);
      await standby.start();
      await control("stop", "-m", "fast");
      await startWith("-c synchronous_standby_names=*");
      return { url: standby.url, promote: () => standby.control("promote"), dispose: standby.dispose };
    },
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
    dispose,
  };
}
