import { randomUUID } from "node:crypto";
import { request } from "undici";
import { expect, test } from "vitest";
import { accountsOf } from "../../src/access/accounts.js";
import { SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { type Random, seededRandom } from "../../src/kit/random.js";
import { companiesIn } from "../../src/services/company-monitoring/store/tables.js";
import { createCompanyTables } from "../support/companies/company-tables.js";
import { expectConsistent } from "../support/companies/expect-consistent.js";
import { type RunningProbe, startProbe } from "../support/probe-process.js";
import { availableStores, type OpenStore } from "../support/stores.js";

const KILLS = Number(process.env["VIGIL_COMPANY_KILLS"] || 300);
const SEED = Number(process.env["VIGIL_COMPANY_SEED"] || 16);
const CALLERS = 8;
const REQUESTS_EACH = 6;
const IMPORT_ROWS = 12;
/** Number of initial rounds. They have no kill and show how long a round takes, so that later kills fall within one. */
const CALM_ROUNDS = 3;
const TEST_MS_MAX = 60 * 60 * SECOND_MS;
const FOLDER = "/api/company-monitoring/v1";
const LIMITS = ["enterprise-minute", "company-create", "company-import", "company-update", "company-state"];
const settings = { VIGIL_LIMITS: LIMITS.map((name) => `${name}=100000000`).join() };

/** A write that can be repeated without a second effect. */
interface Request {
  readonly path: string;
  readonly body: unknown;
  /** Names of the companies that the write creates. */
  readonly names: readonly string[];
}

interface Sent {
  readonly request: Request;
  /** Undefined when the connection broke. */
  readonly status: number | undefined;
  readonly companyIds: readonly string[];
}

interface Answer {
  readonly company?: { readonly companyId: string };
  readonly results?: readonly { readonly companyId: string; readonly outcome: string }[];
}

const companyOf = (name: string) => ({ name, domicileCountry: "DOMICILE_COUNTRY_GB", aliases: [`${name} Holding`] });

function createOf(name: string): Request {
  return {
    path: `${FOLDER}/create-monitored-company`,
    body: { clientRequestId: randomUUID(), company: companyOf(name) },
    names: [name],
  };
}

function importOf(name: string): Request {
  const names = Array.from({ length: IMPORT_ROWS }, (_, ordinal) => `${name} row ${ordinal}`);
  const rows = names.map((row, ordinal) => ({ ordinal, company: companyOf(row) }));
  return {
    path: `${FOLDER}/import-monitored-company-batch`,
    body: { contractVersion: "cm-import-v1", clientImportId: randomUUID(), rows },
    names,
  };
}

async function send({ address, connections }: RunningProbe, key: string, sent: Request): Promise<Sent> {
  const headers = { "x-service-key": key, "content-type": "application/json" };
  try {
    const answer = await request(address + sent.path, {
      method: "POST",
      headers,
      body: JSON.stringify(sent.body),
      dispatcher: connections,
    });
    const body = (await answer.body.json()) as Answer;
    const companyIds = [body.company, ...(body.results ?? [])].flatMap((row) => (row ? [row.companyId] : []));
    return { request: sent, status: answer.statusCode, companyIds };
  } catch {
    return { request: sent, status: undefined, companyIds: [] };
  }
}

/** Sends `REQUESTS_EACH` writes of random kinds, one after another. Stops early if the connection breaks. */
async function keepWriting(probe: RunningProbe, key: string, caller: string, random: Random): Promise<readonly Sent[]> {
  const all: Sent[] = [];
  const own: string[] = [];
  for (let count = 0; count < REQUESTS_EACH; count += 1) {
    const name = `${caller} ${count}`;
    const companyId = own[Math.floor(random() * own.length)];
    const kind = random();
    const target = random() < 0.5 ? "PAUSED" : "REMOVED";
    const next: Request =
      companyId === undefined || kind < 0.4
        ? createOf(name)
        : kind < 0.6
          ? importOf(name)
          : kind < 0.8
            ? { path: `${FOLDER}/update-monitored-company`, body: { companyId, patch: { name } }, names: [] }
            : {
                path: `${FOLDER}/set-monitored-company-state`,
                body: { companyId, targetLifecycle: `MONITORED_COMPANY_LIFECYCLE_${target}` },
                names: [],
              };
    const sent = await send(probe, key, next);
    all.push(sent);
    own.push(...sent.companyIds);
    if (sent.status === undefined) break;
  }
  return all;
}

interface Figures {
  kills: number;
  /** Number of kills that broke at least one connection. */
  killsUnderWay: number;
  acknowledged: number;
  /** Number of unanswered requests that had taken effect, so that their repeat found the result. */
  answersLost: number;
  /** Number of unanswered requests that had no effect. */
  effectsLost: number;
}

async function newKey({ database }: OpenStore, round: number): Promise<{ accountId: string; key: string }> {
  const accounts = accountsOf(database, "vgl_", systemClock.now);
  const by = { actor: "test" };
  const account = await accounts.create({ name: `round ${round}`, plan: "enterprise" }, by);
  const scopes = new Set(["company_monitoring:read", "company_monitoring:write"] as const);
  const created =
    account && (await accounts.createKey({ accountId: account.id, name: "key", scopes, expiresAt: null }, by));
  if (typeof created !== "object" || !account) throw new Error(`no key for round ${round}`);
  return { accountId: account.id, key: created.key };
}

/** The ids of all companies of an account that were created with one of these names. */
async function createdAs({ database }: OpenStore, accountId: string, names: readonly string[]): Promise<string[]> {
  const rows = await companiesIn(database.db)
    .selectFrom("company_version")
    .select("company_id")
    .distinct()
    .where("account_id", "=", accountId)
    .where("name", "in", names)
    .execute();
  return rows.map(({ company_id }) => company_id);
}

/**
 * Checks the store after a round. Expects that every request that creates companies takes effect exactly once, and
 * repeats such a request if it was not answered.
 */
async function expectEffects(
  store: OpenStore,
  probe: RunningProbe,
  { accountId, key }: { readonly accountId: string; readonly key: string },
  { all, figures }: { readonly all: readonly Sent[]; readonly figures: Figures },
): Promise<void> {
  await expectConsistent(store.database, accountId);
  for (const { request: sent, status, companyIds } of all) {
    if (sent.names.length === 0) continue;
    const before = await createdAs(store, accountId, sent.names);
    // An import has created either all of its companies or none.
    expect([0, sent.names.length]).toContain(before.length);
    if (status !== undefined) {
      expect(status).toBe(200);
      expect(before.sort()).toEqual([...companyIds].sort());
      figures.acknowledged += 1;
      continue;
    }
    if (before.length > 0) figures.answersLost += 1;
    else figures.effectsLost += 1;
    const repeat = await send(probe, key, sent);
    expect(repeat.status).toBe(200);
    const after = await createdAs(store, accountId, sent.names);
    expect(after.sort()).toEqual([...repeat.companyIds].sort());
    if (before.length > 0) expect(after).toEqual(before.sort());
  }
  await expectConsistent(store.database, accountId);
}

async function play(store: OpenStore, figures: Figures): Promise<void> {
  await createCompanyTables(store.database);
  const random = seededRandom(SEED);
  let probe = await startProbe(store, CALLERS, settings);
  let roundMs = 0;
  try {
    for (let round = 0; figures.kills < KILLS; round += 1) {
      const running = probe;
      const account = await newKey(store, round);
      const isCalm = round < CALM_ROUNDS;
      const startedAt = performance.now();
      let writingMs = 0;
      const writing = Promise.all(
        Array.from({ length: CALLERS }, (_, at) =>
          keepWriting(running, account.key, `round ${round} caller ${at}`, seededRandom(round * CALLERS + at)),
        ),
      ).finally(() => {
        writingMs = performance.now() - startedAt;
      });
      if (!isCalm) {
        await systemClock.sleep(random() * roundMs);
        await running.kill();
        figures.kills += 1;
      }
      const all = (await writing).flat();
      if (!isCalm) probe = await startProbe(store, CALLERS, settings);
      if (all.some(({ status }) => status === undefined)) figures.killsUnderWay += 1;
      // A round in which no connection broke shows how long rounds take at present.
      else roundMs = writingMs;
      await expectEffects(store, probe, account, { all, figures });
    }
  } finally {
    await probe.kill();
  }
}

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: no acknowledged company is lost, none is created twice and the log has no gap after ${KILLS} kills at random points of writes and imports`,
    async () => {
      process.stdout.write(`${name}: seed ${SEED}\n`);
      const figures: Figures = { kills: 0, killsUnderWay: 0, acknowledged: 0, answersLost: 0, effectsLost: 0 };
      const store = await open();
      const startedAt = performance.now();
      try {
        await play(store, figures);
        // Killing an idle server would prove nothing.
        expect(figures.killsUnderWay).toBeGreaterThan(KILLS / 2);
        expect(figures.acknowledged).toBeGreaterThan(KILLS);
      } finally {
        await store.dispose();
        const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
        process.stdout.write(`${name}: ${seconds} s, ${JSON.stringify(figures)}\n`);
      }
    },
    TEST_MS_MAX,
  );
}
