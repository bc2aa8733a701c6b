import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { systemClock } from "../../src/kit/clock.js";
import { nextBuild } from "../support/next-build.js";
import { NEXT_MIGRATION } from "../support/next-version.js";
import { emptyDatabase, onServer, type TestDatabase } from "../support/postgres-databases.js";
import { type PrivateRedis, startPrivateRedis, whyNoPrivateRedis } from "../support/private-redis.js";
import { freePort, processRoomForEach, startProgram, startVigil, type VigilProcess } from "../support/process.js";
import { availableStores } from "../support/stores.js";
import { startTcpBalancer, type TcpBalancer } from "../support/tcp-balancer.js";

const WAIT = { timeout: 300_000, interval: 50 };
const DRAIN_SECONDS = 2;
const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const LIMITS = ["operator-minute", "own-account"].map((name) => `${name}=1000000`).join();
const [, postgres] = await availableStores();
const why = postgres?.skipReason ?? whyNoPrivateRedis();
const room = processRoomForEach("rolling");

interface Created {
  readonly account: { readonly id: string };
}

interface Node {
  readonly port: number;
  readonly process: VigilProcess;
  isReady: boolean;
}

/** The nodes of two versions share one PostgreSQL and one Redis. Under load, all nodes are replaced one by one. */
describe.skipIf(why !== undefined)(why === undefined ? "a rolling upgrade" : `skipped: ${why}`, () => {
  let database: TestDatabase;
  let redis: PrivateRedis;
  let balancer: TcpBalancer;
  /** The api nodes, behind the balancer. */
  const nodes: Node[] = [];
  const processes: VigilProcess[] = [];
  let isOver = false;
  let health: Promise<void> = Promise.resolve();

  beforeAll(async () => {
    database = await emptyDatabase(inject("runFolder"));
    redis = await startPrivateRedis();
    balancer = await startTcpBalancer(() => nodes.filter(({ isReady }) => isReady).map(({ port }) => port));
  });
  afterAll(async () => {
    isOver = true;
    await health;
    for (const { child, ended } of processes) {
      child.kill("SIGKILL");
      await ended;
    }
    await balancer?.close();
    await redis?.dispose();
    await database?.release();
  }, 120_000);

  const readyStatus = ({ port }: Node): Promise<number> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );

  test("every node is replaced without a failed call, and every acknowledged write is stored once", {
    timeout: 1_200_000,
  }, async () => {
    const program = await nextBuild(join(room.folder, "next"));
    const env = {
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      VIGIL_KEY_SECRET: "the-secret-of-all-nodes-0123456789abcdef",
      VIGIL_DRAIN_SECONDS: String(DRAIN_SECONDS),
      VIGIL_LIMITS: LIMITS,
      VIGIL_LOG_LEVEL: "warn",
    };
    const started = async (name: string, role: string, file?: string): Promise<Node> => {
      const port = await freePort();
      const settings = { ...env, VIGIL_PORT: String(port), VIGIL_DATA_DIR: join(room.folder, name) };
      const args = ["demo", "--role", role];
      const process = file === undefined ? startVigil(args, settings) : startProgram(file, args, settings);
      processes.push(process);
      const node = { port, process, isReady: false };
      await vi.waitUntil(() => {
        if (process.child.exitCode !== null) throw new Error(`${name} ended: ${process.output()}`);
        return readyStatus(node).then((status) => status === 200);
      }, WAIT);
      if (role === "api") nodes.push(node);
      return node;
    };
    /** Checks the nodes as a load balancer does. */
    health = (async () => {
      while (!isOver) {
        for (const node of nodes) node.isReady = (await readyStatus(node)) === 200;
        await systemClock.sleep(100);
      }
    })();
    const oldNodes = [await started("old-1", "api"), await started("old-2", "api")];
    const oldBuilder = await started("old-ingest", "ingest");
    const key = (await readFile(join(room.folder, "old-1", "owner.key"), "utf8")).trim();
    const headers = { "X-Service-Key": key, "Content-Type": "application/json" };
    const read = (): Promise<Response> => fetch(balancer.address + EARTHQUAKES, { headers });
    await vi.waitUntil(async () => (await read()).headers.get("x-vigil-state") === "ok", WAIT);

    let isLoadOver = false;
    const failures: string[] = [];
    const counts = { reads: 0, writes: 0 };
    const created = new Map<string, string>();
    const note = (call: string, outcome: unknown): void => void failures.push(`${call}: ${outcome}`);
    const keepReading = async (): Promise<void> => {
      let seen = "";
      while (!isLoadOver) {
        const answer = await fetch(balancer.address + EARTHQUAKES, {
          headers: { ...headers, ...(seen !== "" && { "X-Vigil-Min-Generation": seen }) },
        }).catch((error: Error) => error);
        if (answer instanceof Error) note("read", answer.cause ?? answer);
        else {
          const body = await answer.text();
          if (answer.status !== 200) note("read", `${answer.status} ${body.slice(0, 200)}`);
          seen = answer.headers.get("x-vigil-generation") ?? seen;
        }
        counts.reads += 1;
      }
    };
    const keepWriting = async (writer: number): Promise<void> => {
      for (let index = 0; !isLoadOver; index += 1) {
        const name = `Rolling ${writer}-${index}`;
        const answer = await fetch(`${balancer.address}/api/account/v1/create-account`, {
          method: "POST",
          headers: { ...headers, "Idempotency-Key": randomUUID() },
          body: JSON.stringify({ name, plan: "free" }),
        }).catch((error: Error) => error);
        if (answer instanceof Error) note("write", answer.cause ?? answer);
        else if (answer.status === 201) created.set(name, ((await answer.json()) as Created).account.id);
        else note("write", `${answer.status} ${await answer.text()}`);
        counts.writes += 1;
        await systemClock.sleep(100);
      }
    };
    const load = [keepReading(), keepReading(), keepReading(), keepWriting(1), keepWriting(2)];
    const moreCalls = async (): Promise<void> => {
      const { reads, writes } = counts;
      await vi.waitUntil(() => counts.reads > reads + 50 && counts.writes > writes + 5, WAIT);
    };
    await moreCalls();
    for (const [index, old] of oldNodes.entries()) {
      await started(`next-${index + 1}`, "api", program);
      await moreCalls();
      old.process.child.kill("SIGTERM");
      expect([await old.process.ended, old.process.output()]).toEqual([0, expect.any(String)]);
      nodes.splice(nodes.indexOf(old), 1);
      await moreCalls();
    }
    const nextBuilder = await started("next-ingest", "ingest", program);
    oldBuilder.process.child.kill("SIGTERM");
    expect(await oldBuilder.process.ended).toBe(0);
    await moreCalls();
    isLoadOver = true;
    await Promise.all(load);

    expect(failures).toEqual([]);
    const accounts = await onServer(
      (client) =>
        client.query<{ name: string; id: string }>("select name, id from account where name like 'Rolling %'"),
      new URL(database.url).pathname.slice(1),
    );
    const stored = new Map(accounts.rows.map(({ name, id }) => [name, id]));
    expect(accounts.rows).toHaveLength(stored.size);
    expect(stored).toEqual(created);
    nextBuilder.process.child.kill("SIGTERM");
    expect(await nextBuilder.process.ended).toBe(0);

    // A node of the old version that starts now must refuse the store, because it does not know the new schema.
    const late = startVigil(["demo", "--role", "api"], { ...env, VIGIL_DATA_DIR: join(room.folder, "old-1") });
    expect(await late.ended).toBe(1);
    expect(late.output()).toContain(NEXT_MIGRATION);
    process.stdout.write(
      `${counts.reads} reads and ${created.size} writes while all nodes were replaced, each with a drain of ${DRAIN_SECONDS} s; no call failed\n`,
    );
  });
});
