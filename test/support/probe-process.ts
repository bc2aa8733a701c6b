import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { Agent } from "undici";
import { startPrivateRedis } from "./private-redis.js";
import { isSpread } from "./shape.js";
import type { OpenStore } from "./stores.js";
import { startTcpBalancer } from "./tcp-balancer.js";

const server = resolve(import.meta.dirname, "probe-server.mjs");

/** The built service in a separate process, with the probes of `probe-server.mjs`: two calls that only tests use. */
export interface RunningProbe {
  readonly address: string;
  readonly connections: Agent;
  /** Kills the server immediately and resolves when it has ended. */
  kill(): Promise<void>;
}

/**
 * Starts the built service on a store. `connectionsMax` is the number of connections that callers of the service may
 * open. In the distributed shape, two nodes share a PostgreSQL and a Redis, take connections in turn, and are killed
 * together.
 */
export function startProbe(
  { dataDir, url }: OpenStore,
  connectionsMax: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningProbe> {
  if (url === undefined) return startNode(connectionsMax, { ...settings, VIGIL_DATA_DIR: dataDir });
  const onPostgres = { ...settings, DATABASE_URL: url };
  if (!isSpread) return startNode(connectionsMax, { ...onPostgres, VIGIL_DATA_DIR: dataDir });
  return startNodes(connectionsMax, onPostgres, dataDir);
}

async function startNodes(
  connectionsMax: number,
  settings: Readonly<Record<string, string>>,
  dataDir: string,
): Promise<RunningProbe> {
  const redis = await startPrivateRedis();
  const shared = { ...settings, REDIS_URL: redis.url, VIGIL_KEY_SECRET: "the-secret-of-both-nodes-0123456789abcdef" };
  const nodes = await Promise.all(
    ["node-1", "node-2"].map((name) => startNode(1, { ...shared, VIGIL_DATA_DIR: join(dataDir, name) })),
  );
  const ports = nodes.map(({ address }) => Number(new URL(address).port));
  const balancer = await startTcpBalancer(() => ports);
  const connections = new Agent({ connections: connectionsMax });
  return {
    address: balancer.address,
    connections,
    async kill() {
      await Promise.all(nodes.map((node) => node.kill()));
      await connections.destroy();
      await balancer.close();
      await redis.dispose();
    },
  };
}

async function startNode(connectionsMax: number, settings: Readonly<Record<string, string>>): Promise<RunningProbe> {
  const { PATH = "", HOME = "" } = process.env;
  // The service must process all of the hundreds of simultaneous calls. With the default of `VIGIL_LOOP_DELAY_MS`, the
  // service would refuse some of them while its event loop is delayed.
  const unshed = { VIGIL_LOOP_DELAY_MS: "60000" };
  const env = { PATH, HOME, VIGIL_PORT: "0", VIGIL_LOG_LEVEL: "warn", ...unshed, ...settings };
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
