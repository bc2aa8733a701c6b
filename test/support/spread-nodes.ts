import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import type { Service } from "../../src/app/service.js";
import { copyStore } from "../../src/backup/copy-store.js";
import { VAULT_FILE } from "../../src/database/key-vault.js";
import type { Pipeline } from "../../src/http/pipeline.js";
import type { RouteTable } from "../../src/http/routes.js";
import { type Clock, isWithin, SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { loadStores } from "../../src/services/registry.js";
import { oncePerRun } from "./once-per-run.js";
import { copiedDatabase, emptyDatabase } from "./postgres-databases.js";
import { startPrivateRedis } from "./private-redis.js";
import { migratedDatabase } from "./stores.js";

/** The settings by which the nodes of one stack share a database and a Redis. */
export interface SpreadGround {
  readonly env: Readonly<Record<string, string>>;
  release(): Promise<void>;
}

/** A node in this process. */
export interface RunningNode {
  readonly service: Service;
  readonly answer: Pipeline;
  readonly routes: RouteTable;
}

interface NodeSettings {
  readonly env?: Readonly<Record<string, string>>;
  readonly dataDir?: string;
  readonly holder?: string;
  readonly clock?: Clock;
  /** Changes how the node's pipeline waits for builds. */
  readonly awaken?: (service: Service) => Service["awaken"];
}

/** Opens a node, by default with the settings and the data folder of the stack. */
export type OpenNode = (node?: NodeSettings) => Promise<RunningNode>;

const SECRET = "the-secret-of-all-nodes-of-a-test-0123456789";

/**
 * Makes a database and a Redis. `filled` is the folder of a store; the database starts with the content of this store.
 */
export async function openGround(filled: string | undefined): Promise<SpreadGround> {
  const [database, redis, secret] = await Promise.all([
    filled === undefined ? migratedDatabase() : filledDatabase(filled),
    startPrivateRedis(),
    filled === undefined ? SECRET : secretOf(filled),
  ]);
  return {
    env: { DATABASE_URL: database.url, REDIS_URL: redis.url, VIGIL_KEY_SECRET: secret },
    async release() {
      await redis.dispose();
      await database.release();
    },
  };
}

const secretOf = async (folder: string): Promise<string> => (await readFile(join(folder, VAULT_FILE), "utf8")).trim();

/** Creates a database with the content of a store. The store is read only once per test run. */
async function filledDatabase(filled: string) {
  const runFolder = inject("runFolder");
  const folder = await oncePerRun(`database of ${filled}`, async (filling) => {
    const { url } = await emptyDatabase(runFolder);
    await copyStore({
      failureAt: (error) => error,
      from: { location: { url: undefined, dataDir: filled }, name: "the filled store" },
      to: { location: { url, dataDir: join(filling, "keys") }, name: "its database" },
      keySecret: await secretOf(filled),
      stores: await loadStores(),
      clock: systemClock,
      onProgress: () => undefined,
      signal: new AbortController().signal,
    });
    await writeFile(join(filling, "name"), new URL(url).pathname.slice(1));
  });
  return copiedDatabase(runFolder, await readFile(join(folder, "name"), "utf8"));
}

interface SpreadOptions {
  readonly ground: SpreadGround;
  readonly dataDir: string;
  readonly clock: Clock;
}

/** Interval at which a node tells the others that it is alive. */
const BEAT_MS = 5 * SECOND_MS;

/**
 * Opens two api and two ingest nodes, each with its own data folder, and presents them to the tests as one service.
 * Calls go to the api nodes in turn and builds to the ingest nodes. The clock of a test stands still, so no loop of a
 * node runs on its own. Therefore this service immediately does what the loops do within seconds in production. Before
 * a write, all nodes announce that they are alive, unless they did so recently. After each write, all nodes look for
 * changed credentials. After each build, all nodes look for new generations.
 */
export async function openSpread(openNode: OpenNode, { ground, dataDir, clock }: SpreadOptions): Promise<RunningNode> {
  const nodes: RunningNode[] = [];
  for (const [at, role] of ["api", "api", "ingest", "ingest"].entries()) {
    const own = at === 0 ? dataDir : `${dataDir}-${at}`;
    const env = { ...ground.env, VIGIL_ROLE: role };
    // All nodes run in this process. Each holder has its own machine name, so that no node takes another node for its
    // own earlier process.
    const holder = `node-${at} ${process.pid} ${own}`;
    nodes.push(await openNode({ env, dataDir: own, holder, clock: withShortWaits(clock), awaken: withoutWait }));
  }
  const [first, second, ...builders] = nodes;
  if (!first || !second) throw new Error("no nodes");
  const all = nodes.map(({ service }) => service);
  const refreshed = async (): Promise<void> => {
    await Promise.all(all.map(({ registry }) => registry.refresh()));
  };
  const credentialsRefreshed = async (): Promise<void> => {
    await Promise.all(all.map(({ access }) => access.credentials.refresh()));
  };
  let beatAt = clock.now();
  const beaten = async (): Promise<void> => {
    if (isWithin(clock.now(), beatAt, BEAT_MS)) return;
    beatAt = clock.now();
    await Promise.all(all.map(({ idempotency }) => idempotency.heartbeat()));
  };
  const inTurn = <T>(values: readonly T[]): (() => T) => {
    let turn = 0;
    return () => values[turn++ % values.length] as T;
  };
  const nextNode = inTurn([first, second]);
  const nextBuilder = inTurn(builders);
  const { service } = first;
  const { access, registry, ingest } = service;
  return {
    routes: first.routes,
    answer(call) {
      const node = nextNode();
      if (call.method !== "POST") return node.answer(call);
      return beaten()
        .then(() => node.answer(call))
        .then(async (answer) => {
          await credentialsRefreshed();
          return answer;
        });
    },
    service: {
      ...service,
      // A test that closes the database simulates the loss of the store, so this closes the database on all nodes.
      database: withMembers(service.database, {
        async close() {
          await Promise.all(all.map(({ database }) => database.close()));
        },
      }),
      registry: withMembers(registry, { refresh: refreshed }),
      access: { ...access, credentials: withMembers(access.credentials, { refresh: credentialsRefreshed }) },
      ingest: withMembers(ingest, {
        async runNow(...run) {
          const result = await nextBuilder().service.ingest.runNow(...run);
          await refreshed();
          return result;
        },
        async runAll(...run) {
          const results = await nextBuilder().service.ingest.runAll(...run);
          await refreshed();
          return results;
        },
        start() {
          for (const node of builders) node.service.ingest.start();
        },
        async stop() {
          await Promise.all(builders.map((node) => node.service.ingest.stop()));
        },
      }),
      start() {
        for (const node of all) node.start();
      },
      async close() {
        await Promise.all(all.map((node) => node.close()));
        for (let at = 1; at < nodes.length; at += 1) await rm(`${dataDir}-${at}`, { recursive: true, force: true });
      },
    },
  };
}

/** Records the demand for a dataset. Does not wait for a build, because no ingest node of a test builds on its own. */
const withoutWait =
  ({ awaken, registry }: Service): Service["awaken"] =>
  (dataset) => {
    const built = awaken(dataset);
    return built && Promise.race([built, registry.refresh()]);
  };

/** Maximum length of a short sleep. For example, a node sleeps briefly while another node does the same work. */
const SHORT_MS_MAX = 100;

/** Lets short sleeps take real time. By the clock of a test, which stands still, a waiting node would never wake. */
function withShortWaits(clock: Clock): Clock {
  const sleep: Clock["sleep"] = (ms, signal) =>
    ms <= SHORT_MS_MAX ? systemClock.sleep(ms, signal) : clock.sleep(ms, signal);
  return { now: clock.now, sleep };
}

/** Returns an object that inherits from `target` and replaces some members. Getters of other members stay live. */
function withMembers<T extends object>(target: T, members: Partial<T>): T {
  return Object.defineProperties(Object.create(target) as T, Object.getOwnPropertyDescriptors(members));
}
