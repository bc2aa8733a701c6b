import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { startPrivatePostgres, whyNoPrivatePostgres } from "../support/private-postgres.js";
import { freePort, startVigil } from "../support/process.js";

const reason = whyNoPrivatePostgres();
const SECOND_MS = 1_000;
const WRITERS = 4;
/** Minimum number of acknowledged writes in each phase. */
const WRITES_MIN = 20;

/** The results of the writers and readers. */
interface Seen {
  /** The ids of acknowledged companies, by name. */
  readonly acknowledged: Map<string, string>;
  readonly refusals: Set<number>;
  readonly replays: number[];
  readonly readStatuses: Set<number>;
}

test.skipIf(reason !== undefined)(
  `a failover to a standby loses no acknowledged write and executes none twice${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  { timeout: 600 * SECOND_MS },
  async () => {
    const primary = await startPrivatePostgres();
    const standby = await primary.startStandby();
    const dataDir = await mkdtemp(join(tmpdir(), "vigil-failover-"));
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const hosts = [primary.url, standby.url].map((url) => new URL(url).host).join();
    const vigil = startVigil(["serve"], {
      VIGIL_DATA_DIR: dataDir,
      DATABASE_URL: `postgres://postgres@${hosts}/postgres`,
      VIGIL_PORT: String(port),
      VIGIL_UPSTREAM_BASE: "http://127.0.0.1:1",
      VIGIL_LIMITS: "operator-minute=100000,own-account=100000,company-create=100000",
    });
    const status = (path: string): Promise<number> =>
      fetch(`${base}${path}`).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.status;
        },
        () => 0,
      );
    const isReady = async (): Promise<boolean> => (await status("/readyz")) === 200;
    let isOver = false;
    const seen: Seen = { acknowledged: new Map(), refusals: new Set(), replays: [], readStatuses: new Set() };
    try {
      await vi.waitUntil(isReady, { timeout: 120 * SECOND_MS, interval: 50 });
      const owner = (await readFile(join(dataDir, "owner.key"), "utf8")).trim();
      const writers = Array.from({ length: WRITERS }, async (_, writer) => {
        for (let index = 0; !isOver; index += 1)
          await write(base, owner, `Company ${writer}-${index}`, seen, () => isOver);
      });
      const reader = (async () => {
        while (!isOver) seen.readStatuses.add(await status("/api/health?compact=1"));
      })();

      const acknowledgedBy = (count: number) =>
        vi.waitUntil(() => seen.acknowledged.size >= count, { timeout: 90 * SECOND_MS, interval: 50 });
      await acknowledgedBy(WRITES_MIN);
      await primary.stop();
      await vi.waitUntil(async () => !(await isReady()), { timeout: 30 * SECOND_MS, interval: 100 });
      const before = seen.acknowledged.size;
      // The standby answers queries, but the service must not write to it before it is promoted.
      const { rows } = await query(standby.url, "select pg_is_in_recovery() as standby");
      expect(rows).toEqual([{ standby: true }]);
      await standby.promote();
      await vi.waitUntil(isReady, { timeout: 60 * SECOND_MS, interval: 100 });
      await acknowledgedBy(before + WRITES_MIN);
      isOver = true;
      await Promise.all([...writers, reader]);

      expect(vigil.child.exitCode).toBeNull();
      expect([...seen.refusals].filter((code) => code !== 503 && code !== 409)).toEqual([]);
      expect([...seen.readStatuses]).toEqual([200]);
      const stored = await query(standby.url, "select company_id, name from company_version where visible_to is null");
      const ids = new Map<string, string[]>();
      for (const { company_id: id, name } of stored.rows) ids.set(name, [...(ids.get(name) ?? []), id]);
      const lost = [...seen.acknowledged].filter(([name, id]) => ids.get(name)?.join() !== id);
      expect(lost).toEqual([]);
      process.stdout.write(
        `${seen.acknowledged.size} companies acknowledged, ${seen.replays.length} of them by a repeat, each stored once\n`,
      );
    } catch (error) {
      process.stdout.write(
        `${vigil.output().slice(-4_000)}\n${seen.acknowledged.size} acknowledged, refused with ${[...seen.refusals].join()}\n`,
      );
      throw error;
    } finally {
      isOver = true;
      vigil.child.kill("SIGKILL");
      await vigil.ended;
      await standby.dispose();
      await primary.dispose();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

/**
 * Creates a company as a careful caller does: repeats the call with the same idempotency key until it is acknowledged.
 */
async function write(base: string, owner: string, name: string, seen: Seen, isOver: () => boolean): Promise<void> {
  const company = { name, domicileCountry: "DOMICILE_COUNTRY_GB" };
  for (;;) {
    const call = fetch(`${base}/api/company-monitoring/v1/create-monitored-company`, {
      method: "POST",
      headers: {
        "X-Service-Key": owner,
        "Content-Type": "application/json",
        "Idempotency-Key": name.replaceAll(" ", "-"),
      },
      body: JSON.stringify({ clientRequestId: "", company }),
    });
    // If the test fails, the service is killed, which breaks the calls in progress.
    const answer = await call.catch(() => undefined);
    if (answer === undefined) return;
    const text = await answer.text();
    if (answer.ok) {
      seen.acknowledged.set(name, JSON.parse(text).company.companyId);
      if (answer.headers.get("idempotent-replayed") === "true") seen.replays.push(1);
      return;
    }
    seen.refusals.add(answer.status);
    // At the end, a write may stay unacknowledged. The test does not check whether it was executed.
    if (isOver()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function query(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await client.query(statement);
  } finally {
    await client.end();
  }
}
