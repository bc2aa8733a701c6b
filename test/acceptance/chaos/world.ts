import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../../src/kit/clock.js";
import { feedCatalogue } from "../../../src/services/news/catalogue/feed-catalogue.js";
import { publishedFeed } from "../../../src/services/news/catalogue/published-feeds.js";
import { type Simulator, startSimulator } from "../../../src/simulator/simulator.js";
import { type PrivatePostgres, startPrivatePostgres } from "../../support/private-postgres.js";
import { type PrivateRedis, startPrivateRedis } from "../../support/private-redis.js";
import { type ChaosNode, startNode } from "./nodes.js";
import { startUpstreams, type Upstreams } from "./upstreams.js";

/** A shape of the service: its stores and its processes. */
export interface Shape {
  readonly name: string;
  readonly isDistributed: boolean;
  /** The arguments of each process that answers calls. */
  readonly nodes: readonly (readonly string[])[];
  /** The arguments of each process that only builds. */
  readonly builders: readonly (readonly string[])[];
}

export const oneProcess: Shape = {
  name: "one process on SQLite",
  isDistributed: false,
  nodes: [["serve"]],
  builders: [],
};

export const distributed: Shape = {
  name: "two api and two ingest nodes on PostgreSQL and Redis",
  isDistributed: true,
  nodes: [
    ["serve", "--role", "api"],
    ["serve", "--role", "api"],
  ],
  builders: [
    ["serve", "--role", "ingest"],
    ["serve", "--role", "ingest"],
  ],
};

/** The service under test, with its upstreams, databases and disk. */
export interface World {
  readonly shape: Shape;
  /** Nodes that answer calls. */
  readonly nodes: readonly ChaosNode[];
  readonly builders: readonly ChaosNode[];
  readonly upstreams: Upstreams;
  readonly postgres: PrivatePostgres | undefined;
  readonly redis: PrivateRedis | undefined;
  readonly dataDir: string;
  /** True if the data folder is on its own small disk, which a fault can fill. */
  readonly hasOwnDisk: boolean;
  readonly startedAt: number;
  close(): Promise<void>;
}

/** The operator's key, which is valid even while the store is down. */
export const OPERATOR_KEY = "chaos-operator-key-0123456789abcdef";
const DISK_MB = 400;
const LIMITS = [
  "enterprise-minute",
  "operator-minute",
  "own-account",
  "company-create",
  "watch-create",
  "batch-execute",
];

/**
 * Starts the world. The upstreams serve documents of known content. If `isWhole` is true, a simulator answers all other
 * requests; if not, these get a 404.
 */
export async function startWorld(shape: Shape, isWhole: boolean): Promise<World> {
  const startedAt = systemClock.now();
  const folder = mkdtempSync(join(tmpdir(), "vigil-chaos-"));
  const closing: (() => Promise<unknown> | unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (const step of closing.reverse()) await step();
  };
  try {
    const dataDir = join(folder, "data");
    const hasOwnDisk = !shape.isDistributed && mountDisk(folder, dataDir);
    if (hasOwnDisk) closing.push(() => spawnSync("umount", ["--lazy", dataDir]));
    const simulator = isWhole ? await simulatedWorld() : undefined;
    if (simulator) closing.push(() => simulator.close());
    const upstreams = await startUpstreams(startedAt, simulator?.baseUrl);
    closing.push(() => upstreams.close());
    const postgres = shape.isDistributed ? await startPrivatePostgres() : undefined;
    if (postgres) closing.push(() => postgres.dispose());
    const redis = shape.isDistributed ? await startPrivateRedis() : undefined;
    if (redis) closing.push(() => redis.dispose());
    const settings = {
      ...simulator?.credentials,
      FRED_API_KEY: "",
      VIGIL_UPSTREAM_BASE: upstreams.baseUrl,
      VIGIL_ENTERPRISE_KEYS: OPERATOR_KEY,
      VIGIL_KEY_SECRET: "chaos-key-secret-0123456789abcdef0123456789",
      VIGIL_LIMITS: LIMITS.map((name) => `${name}=100000000`).join(),
      VIGIL_LOG_LEVEL: "warn",
      ...(postgres && { DATABASE_URL: postgres.url }),
      ...(redis && { REDIS_URL: redis.url }),
    };
    const started = async (kind: string, args: readonly string[], at: number): Promise<ChaosNode> => {
      const own = shape.isDistributed ? join(folder, `${kind}-${at}`) : dataDir;
      const node = await startNode(`${kind}-${at}`, args, { ...settings, VIGIL_DATA_DIR: own }, folder);
      closing.push(() => node.stop());
      return node;
    };
    const nodes = await Promise.all(shape.nodes.map((args, at) => started("node", args, at)));
    const builders = await Promise.all(shape.builders.map((args, at) => started("builder", args, at)));
    return { shape, nodes, builders, upstreams, postgres, redis, dataDir, hasOwnDisk, startedAt, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function simulatedWorld(): Promise<Simulator> {
  return startSimulator({ clock: systemClock, seed: 1, newsFeeds: feedCatalogue.map(publishedFeed) });
}

/** The reason why this machine cannot give the store a disk of its own; undefined if it can. */
export function whyNoDisk(): string | undefined {
  if (process.getuid?.() !== 0) return "only root can mount a small disk";
  const folder = mkdtempSync(join(tmpdir(), "vigil-disk-"));
  try {
    const isMounted = mountDisk(folder, join(folder, "disk"));
    if (isMounted) spawnSync("umount", [join(folder, "disk")]);
    return isMounted ? undefined : "this machine does not permit mounting a disk";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function mountDisk(folder: string, target: string): boolean {
  spawnSync("mkdir", ["-m", "700", target], { cwd: folder });
  if (process.getuid?.() !== 0) return false;
  const options = `size=${DISK_MB}m,mode=700`;
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", target]).status === 0;
}
