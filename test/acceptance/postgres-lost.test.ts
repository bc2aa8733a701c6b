import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { type PrivatePostgres, startPrivatePostgres, whyNoPrivatePostgres } from "../support/private-postgres.js";
import { freePort, startVigil } from "../support/process.js";

const reason = whyNoPrivatePostgres();
const CRASHES = 6;
const SECOND_MS = 1_000;
/**
 * Maximum duration of a health call and a write together while PostgreSQL is frozen. The write waits for a connection,
 * and then for an answer.
 */
const CALL_MS_MAX = 25 * SECOND_MS;

interface Running {
  readonly base: string;
  readonly postgres: PrivatePostgres;
  /** True while the process runs. */
  isAlive(): boolean;
  /** Creates an account. Returns the id of the account, or undefined if the service refused the call. */
  makeAccount(name: string): Promise<string | undefined>;
  readyStatus(): Promise<number>;
  /** Statuses of the refused calls. */
  readonly refusals: ReadonlySet<number>;
}

test.skipIf(reason !== undefined)(
  `a service survives crashes of PostgreSQL, ended connections and a frozen PostgreSQL${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  { timeout: 300 * SECOND_MS },
  () =>
    withService(async (running) => {
      const { base, postgres, isAlive, makeAccount, readyStatus } = running;
      const acknowledged: string[] = [];
      let isOver = false;
      const load = async (worker: number): Promise<void> => {
        for (let index = 0; !isOver; index += 1) {
          const id = await makeAccount(`${worker}-${index}`);
          if (id !== undefined) acknowledged.push(id);
        }
      };
      const workers = [load(1), load(2), load(3)];

      for (let crash = 0; crash < CRASHES; crash += 1) {
        const before = acknowledged.length;
        await postgres.crashAndStart();
        await vi.waitUntil(() => acknowledged.length > before + 3, { timeout: 30 * SECOND_MS });
        expect(isAlive()).toBe(true);
      }

      for (let round = 0; round < 15; round += 1) {
        await onServer(
          postgres,
          "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()",
        );
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
      expect(isAlive()).toBe(true);

      await postgres.stop();
      await vi.waitUntil(async () => (await readyStatus()) === 503, { timeout: 30 * SECOND_MS, interval: 200 });
      await postgres.start();
      await vi.waitUntil(async () => (await readyStatus()) === 200, { timeout: 30 * SECOND_MS, interval: 200 });

      await postgres.signal("STOP");
      await vi.waitUntil(async () => (await readyStatus()) === 503, { timeout: 30 * SECOND_MS, interval: 200 });
      const askedAt = performance.now();
      expect((await fetch(`${base}/api/health?compact=1`)).status).toBe(200);
      expect(await makeAccount("frozen")).toBeUndefined();
      expect(performance.now() - askedAt).toBeLessThan(CALL_MS_MAX);
      await postgres.signal("CONT");
      await vi.waitUntil(async () => (await readyStatus()) === 200, { timeout: 30 * SECOND_MS, interval: 200 });

      isOver = true;
      await Promise.all(workers);
      expect(isAlive()).toBe(true);
      expect(acknowledged.length).toBeGreaterThan(CRASHES);
      const stored = new Set(await onServer(postgres, "select id from account"));
      expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
      expect([...running.refusals]).toEqual([503]);
      process.stdout.write(`${acknowledged.length} accounts acknowledged, all of them stored\n`);
    }),
);

async function withService(work: (running: Running) => Promise<void>): Promise<void> {
  const postgres = await startPrivatePostgres();
  const dataDir = await mkdtemp(join(tmpdir(), "vigil-lost-"));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const vigil = startVigil(["serve"], {
    VIGIL_DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    VIGIL_PORT: String(port),
    VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1",
    VIGIL_LIMITS: "operator-minute=100000,own-account=100000",
  });
  const readyStatus = (): Promise<number> =>
    fetch(`${base}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  const refusals = new Set<number>();
  try {
    await vi.waitUntil(async () => (await readyStatus()) === 200, { timeout: 60 * SECOND_MS, interval: 50 });
    const owner = (await readFile(join(dataDir, "owner.key"), "utf8")).trim();
    await work({
      base,
      postgres,
      readyStatus,
      refusals,
      isAlive: () => vigil.child.exitCode === null && vigil.child.signalCode === null,
      async makeAccount(name) {
        const answer = await fetch(`${base}/api/account/v1/create-account`, {
          method: "POST",
          headers: { "X-Service-Key": owner, "Content-Type": "application/json" },
          body: JSON.stringify({ name, id: name, plan: "free" }),
        });
        await answer.arrayBuffer();
        if (answer.status !== 201) refusals.add(answer.status);
        return answer.status === 201 ? name : undefined;
      },
    });
  } catch (error) {
    process.stdout.write(vigil.output().slice(-4_000));
    throw error;
  } finally {
    vigil.child.kill("SIGKILL");
    await vigil.ended;
    await postgres.signal("CONT").catch(() => undefined);
    await postgres.dispose();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Runs a statement on the server, and returns the first column of every row. */
async function onServer({ url }: PrivatePostgres, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: "array" })).rows.map(([first]) => first);
  } finally {
    await client.end();
  }
}
