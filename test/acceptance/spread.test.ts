import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { emptyDatabase, type TestDatabase } from "../support/postgres-databases.js";
import { type PrivateRedis, startPrivateRedis } from "../support/private-redis.js";
import { freePort, startVigil, type VigilProcess } from "../support/process.js";
import { type Stack, startStack } from "../support/stack.js";
import { availableStores } from "../support/stores.js";

const WAIT = { timeout: 240_000, interval: 100 };
const [, postgres] = await availableStores();
const why = postgres?.skipReason;

interface Node {
  readonly base: string;
  readonly process: VigilProcess;
}

interface Reading {
  readonly target: string;
  readonly status: number;
  readonly etag: string | null;
  readonly generation: string | null;
  readonly body: string;
}

/**
 * One store in two shapes. The first shape is one process on SQLite. The second shape is two API nodes and two ingest
 * nodes on PostgreSQL and Redis. All are real processes.
 */
describe.skipIf(why !== undefined)(why === undefined ? "the two shapes" : `the two shapes, skipped: ${why}`, () => {
  let stack: Stack;
  let database: TestDatabase;
  let redis: PrivateRedis;
  let folder = "";
  let spreadFolder = "";
  let secret = "";
  let key = "";
  let targets: readonly string[] = [];
  const nodes: Node[] = [];

  beforeAll(async () => {
    stack = await startStack({ filled: "all" });
    const { operations } = stack.services;
    // Excludes operations that read an upstream at request time, because their answers do not come from the store.
    const stored = operations.filter(({ operation }) => operation.fetches === undefined);
    targets = stored.flatMap(({ path, operation }) =>
      [{}, ...operation.examples].map((example) => {
        const query = new URLSearchParams(example as Record<string, string>).toString();
        return query === "" ? path : `${path}?${query}`;
      }),
    );
    key = stack.service.access.ownerKey.key ?? "";
    await stack.stop();
    redis = await startPrivateRedis();
    database = await emptyDatabase(inject("runFolder"));
    folder = await mkdtemp(join(tmpdir(), "vigil-spread-"));
    const backup = join(folder, "backup");
    await ended(["backup", backup, "--demo"], { VIGIL_DATA_DIR: stack.dataDir });
    spreadFolder = join(folder, "spread");
    const signingKey = (await readdir(join(backup, "keys"))).find((name) => name.startsWith("signing-")) ?? "";
    secret = (await readFile(join(backup, "keys", signingKey), "utf8")).trim();
    await ended(["restore", backup], spread());
  }, 600_000);

  afterAll(async () => {
    for (const { process } of nodes) process.child.kill("SIGKILL");
    await Promise.all(nodes.map(({ process }) => process.ended));
    await database?.release();
    await redis?.dispose();
    for (const left of [stack?.dataDir, folder]) if (left) await rm(left, { recursive: true, force: true });
  }, 120_000);

  async function ended(words: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    const command = startVigil(words, env);
    const code = await command.ended;
    if (code !== 0) throw new Error(`vigil ${words.join(" ")} ended with ${code}: ${command.output()}`);
  }

  async function started(role: string, env: Readonly<Record<string, string>>): Promise<Node> {
    const port = await freePort();
    const settings = { VIGIL_PORT: String(port), VIGIL_LIMITS: "operator-minute=1000000", VIGIL_LOG_LEVEL: "error" };
    const node = {
      base: `http://127.0.0.1:${port}`,
      process: startVigil(["demo", "--role", role], { ...settings, ...env }),
    };
    nodes.push(node);
    await vi.waitUntil(
      () =>
        fetch(`${node.base}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        ),
      WAIT,
    );
    return node;
  }

  const spread = () => ({
    VIGIL_DATA_DIR: spreadFolder,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    VIGIL_KEY_SECRET: secret,
  });

  async function read(
    { base }: Node,
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reading> {
    // Asks for uncompressed answers: a compressed one has its own ETag, and exists only some time after the first read.
    const plain = { "X-Service-Key": key, "Accept-Encoding": "identity" };
    const answer = await fetch(base + target, { headers: { ...plain, ...headers } });
    const [etag, generation] = [answer.headers.get("etag"), answer.headers.get("x-vigil-generation")];
    return { target, status: answer.status, etag, generation, body: await answer.text() };
  }

  const readAll = async (node: Node): Promise<readonly Reading[]> => {
    const readings: Reading[] = [];
    for (const target of targets) readings.push(await read(node, target));
    return readings;
  };

  test("every answer of the store has the same bytes and ETag in both shapes and on both API nodes", {
    timeout: 900_000,
  }, async () => {
    const single = await started("api", { VIGIL_DATA_DIR: stack.dataDir });
    const [leftNode, rightNode] = [await started("api", spread()), await started("api", spread())];
    const expected = await readAll(single);
    const ok = expected.filter(({ status }) => status === 200);
    expect(ok.length).toBeGreaterThan(20);
    expect(ok.every(({ etag }) => etag !== null)).toBe(true);
    expect(differences(expected, await readAll(leftNode))).toEqual([]);
    expect(differences(expected, await readAll(rightNode))).toEqual([]);
  });

  test("ingest nodes take builds and jobs from queues, reads never return an earlier generation, and API nodes agree after an ingest node dies", {
    timeout: 900_000,
  }, async () => {
    const [, leftNode, rightNode] = nodes as [Node, Node, Node];
    const logged = { ...spread(), VIGIL_LOG_LEVEL: "info", VIGIL_LOG_FORMAT: "json" };
    const ingestNodes = [await started("ingest", logged), await started("ingest", logged)];
    const [target] = targets.filter((path) => path.startsWith("/api/seismology/"));
    const before = await read(leftNode, target ?? "");
    let seen = before.generation ?? "";
    let rounds = 0;
    await vi.waitUntil(async () => {
      for (const node of [leftNode, rightNode]) {
        const reading = await read(node, target ?? "", { "X-Vigil-Min-Generation": seen });
        expect(reading.status).toBe(200);
        expect(numberIn(reading.generation)).toBeGreaterThanOrEqual(numberIn(seen));
        seen = reading.generation ?? "";
      }
      rounds += 1;
      return rounds > 20 && numberIn(seen) > numberIn(before.generation);
    }, WAIT);
    // The two ingest nodes divide builds and jobs between them through Redis.
    await vi.waitFor(async () => expect(await queuesIn(redis.url)).toEqual(["builds", "jobs"]), WAIT);
    // Each node logs the builds that it has run.
    await vi.waitUntil(() => ingestNodes.every(({ process }) => process.output().includes('"dataset run"')), WAIT);
    const [first] = ingestNodes as [Node, Node];
    first.process.child.kill("SIGKILL");
    await first.process.ended;
    await vi.waitFor(async () => {
      const [left, right] = [await readAll(leftNode), await readAll(rightNode)];
      const same = left.filter(({ generation }, index) => generation === right[index]?.generation);
      expect(same.length).toBe(left.length);
      expect(left.map(({ target: path, etag, body }) => [path, etag, body])).toEqual(
        right.map(({ target: path, etag, body }) => [path, etag, body]),
      );
    }, WAIT);
    const health = await read(leftNode, "/api/health?compact=1");
    expect(health.status).toBe(200);
  });
});

/** The names of the queues that have had a job. */
async function queuesIn(redisUrl: string): Promise<readonly string[]> {
  const redis = new Redis(redisUrl);
  try {
    const keys = await redis.keys("vigil:queue:*:id");
    return keys.map((key) => key.split(":").at(-2) ?? "").sort();
  } finally {
    redis.disconnect();
  }
}

/**
 * Compares two readings of the same targets. For each target whose readings differ, returns the target, the status,
 * ETag and generation of each reading, and a part of each body that begins at the first difference.
 */
function differences(expected: readonly Reading[], actual: readonly Reading[]): readonly unknown[] {
  return expected.flatMap(({ target, body, ...head }, index) => {
    const { target: _same, body: otherBody = "", ...otherHead } = actual[index] ?? {};
    if (body === otherBody && JSON.stringify(head) === JSON.stringify(otherHead)) return [];
    const at = [...body].findIndex((character, position) => character !== otherBody[position]);
    return [[target, head, otherHead, body.slice(at, at + 80), otherBody.slice(at, at + 80)]];
  });
}

/** Returns the number in `dataset=number`. */
function numberIn(generation: string | null): number {
  return Number(generation?.split("=")[1]);
}
