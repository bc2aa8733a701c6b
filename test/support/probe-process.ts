import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Agent } from "undici";
import type { OpenStore } from "./stores.js";

const server = resolve(import.meta.dirname, "probe-server.mjs");

/** The built service in a separate process, with probes. */
export interface RunningProbe {
  readonly address: string;
  readonly connections: Agent;
  /** Kills the server at once and resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts the built service on a store. `connectionsMax` is the number of connections that its callers may open. */
export async function startProbe(
  { dataDir, url }: OpenStore,
  connectionsMax: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningProbe> {
  const { PATH = "", HOME = "" } = process.env;
  const own = { VIGIL_DATA_DIR: dataDir, VIGIL_PORT: "0", VIGIL_LOG_LEVEL: "warn" };
  const env = { PATH, HOME, ...own, ...settings, ...(url !== undefined && { DATABASE_URL: url }) };
  const child = spawn(process.execPath, [server], { env, stdio: ["ignore", "pipe", "pipe"] });
  const written: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => written.push(String(chunk)));
  const ended = once(child, "close");
  const address = await Promise.race([readyAddress(child), ended.then(() => undefined)]);
  if (address === undefined) throw new Error(`the server did not start: ${written.join("")}`);
  const connections = new Agent({ connections: connectionsMax });
  return {
    address,
    connections,
    async kill() {
      child.kill("SIGKILL");
      await ended;
      await connections.destroy();
    },
  };
}

async function readyAddress({ stdout }: ChildProcess): Promise<string | undefined> {
  if (!stdout) return undefined;
  for await (const line of createInterface({ input: stdout })) {
    if (line.startsWith("ready ")) return line.slice("ready ".length);
  }
  return undefined;
}
