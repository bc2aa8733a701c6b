import { resolve } from "node:path";
import { expect } from "vitest";
import { HOUR_MS, systemClock } from "../../../src/kit/clock.js";
import { seededRandom } from "../../../src/kit/random.js";
import type { Company } from "../../../src/services/company-monitoring/portfolio/company.js";
import { companiesIn } from "../../../src/services/company-monitoring/store/tables.js";
import { add, inTurn, prepared } from "../../../src/services/company-monitoring/store/testing/turns.js";
import { runLife } from "../process-life.js";
import type { OpenStore } from "../stores.js";
import { type EndedWindow, recordWindows, type ScanState, scanState } from "./scan-state.js";

const script = resolve(import.meta.dirname, "monitoring-process.mjs");
/** Start and interval of the simulated clock; `scan-datasets.mjs` has the same values. */
const [START, TICK_MS] = [Date.UTC(2026, 10, 22), 2 * HOUR_MS];
/** Some companies belong to several accounts. */
const NAMES = [
  "Orrinvale Refining",
  "Tessmark Industries",
  "Quillhaven Motors",
  "Brackenfeld Foods",
  "Veltrane Energy",
  "Harrowmont Steel",
  "Pellandor Pharma",
  "Ostermoor Logistics",
  "Kestrelby Mining",
  "Dunwarrick Textiles",
  "Lindquarry Cement",
  "Marrowgate Robotics",
];
const ACCOUNTS = [
  { accountId: "acc_a", names: NAMES.slice(0, 8) },
  { accountId: "acc_b", names: NAMES.slice(4) },
  { accountId: "acc_c", names: NAMES.slice(2, 6) },
];
/**
 * Maximum number of killed attempts at a tick. The next attempt runs undisturbed. The clock advances between attempts;
 * this maximum is so small that all of them fit into one tick.
 */
const ATTEMPTS_MAX = 15;
const CALM_TICKS = 4;
/** Minimum number of ticks in a run. A shorter run has no retraction. */
const TICKS_MIN = 40;
const ROWS_SHOWN = 3;

export interface MonitoringCrashOptions {
  readonly seed: number;
  readonly kills: number;
}

/** Totals of a run, for its report. */
export interface MonitoringCrashFigures {
  kills: number;
  /** Number of kills during a scan, during admission, and between two jobs. */
  duringScan: number;
  duringAdmission: number;
  between: number;
  /** Number of kills that left a company leased, and of kills that left a finding waiting. */
  leftLeases: number;
  leftFindings: number;
  ticks: number;
}

/**
 * Runs scans and admission on a store in one process after another, until `kills` processes have been killed. Then
 * runs further ticks without a kill.
 */
export async function playMonitoringCrashes(
  store: OpenStore,
  options: MonitoringCrashOptions,
): Promise<MonitoringCrashFigures> {
  await prepare(store);
  const random = seededRandom(options.seed);
  const figures = { kills: 0, duringScan: 0, duringAdmission: 0, between: 0, leftLeases: 0, leftFindings: 0, ticks: 0 };
  let ordinal = 0;
  const startedAt = { ms: 0 };
  await runLife(
    script,
    store,
    { ordinal, tick: 0, attempt: 0, lastTick: CALM_TICKS - 1 },
    {
      onLine() {
        startedAt.ms ||= performance.now();
      },
    },
  );
  const tickMs = (performance.now() - startedAt.ms) / CALM_TICKS;
  figures.ticks = CALM_TICKS;
  for (let attempt = 0; figures.kills < options.kills; ) {
    ordinal += 1;
    const isLast = attempt >= ATTEMPTS_MAX;
    const life = { ordinal, tick: figures.ticks, attempt, lastTick: isLast ? figures.ticks : Number.MAX_SAFE_INTEGER };
    const lines: string[] = [];
    await runLife(script, store, life, {
      onLine(line, child) {
        lines.push(line);
        if (line !== "ready" || isLast) return;
        void systemClock.sleep(random() * 1.5 * tickMs).then(() => child.kill("SIGKILL"));
      },
    });
    const ticksDone = lines.filter((line) => line.startsWith("done ")).length;
    attempt = ticksDone > 0 ? 0 : attempt + 1;
    figures.ticks += ticksDone;
    // If the killed process had already begun the next tick, the first attempt at that tick is used up.
    if (ticksDone > 0 && isUnderWay(lines.at(-1))) attempt = 1;
    if (isLast) continue;
    figures.kills += 1;
    if (lines.at(-1)?.startsWith("scan ")) figures.duringScan += 1;
    else if (lines.at(-1)?.startsWith("admission ")) figures.duringAdmission += 1;
    else figures.between += 1;
    const left = await leftOver(store);
    if (left.leases > 0) figures.leftLeases += 1;
    if (left.findings > 0) figures.leftFindings += 1;
  }
  const lastTick = Math.max(figures.ticks + 1, TICKS_MIN - 1);
  await runLife(script, store, { ordinal: ordinal + 1, tick: figures.ticks, attempt: ATTEMPTS_MAX, lastTick });
  figures.ticks = lastTick + 1;
  return figures;
}

/** Runs scans and admission for this number of ticks, without a kill. */
export async function playUndisturbed(store: OpenStore, ticks: number): Promise<void> {
  await prepare(store);
  await runLife(script, store, { ordinal: 0, tick: 0, attempt: 0, lastTick: ticks - 1 });
}

/** Expects that both stores are in the same, consistent state. Returns that state. */
export async function expectSameScans(store: OpenStore, undisturbed: OpenStore): Promise<ScanState> {
  const state = await scanState(store.database, tickOf);
  const expected = await scanState(undisturbed.database, tickOf);
  expectContiguous(state.ended);
  expect(new Set(state.findings).size).toBe(state.findings.length);
  await expectLogWithoutGaps(store);
  const parts = ["findings", "ended", "windows", "log", "occurrences", "decisions", "events"] as const;
  for (const part of parts) expectSameRows(part, state[part], expected[part]);
  return state;
}

/** Expects equal rows; a failure shows the first differences. */
function expectSameRows(part: string, rows: readonly unknown[], expected: readonly unknown[]): void {
  const [own, others] = [rows.map(lineOf), expected.map(lineOf)];
  const [ownRows, otherRows] = [new Set(own), new Set(others)];
  const added = own.filter((row) => !otherRows.has(row)).slice(0, ROWS_SHOWN);
  const lost = others.filter((row) => !ownRows.has(row)).slice(0, ROWS_SHOWN);
  expect({ added, lost }, part).toEqual({ added: [], lost: [] });
  expect(own.length, part).toBe(others.length);
}

const lineOf = (row: unknown): string => (typeof row === "string" ? row : JSON.stringify(row));

const tickOf = (at: number): number => Math.floor((at - START) / TICK_MS);

/** Expects that each window of a company and provider is counted once and starts where the last complete one ended. */
function expectContiguous(ended: readonly EndedWindow[]): void {
  let completeUntil: number | null = null;
  for (const [at, window] of ended.entries()) {
    const previous = ended[at - 1];
    const before = previous?.of === window.of ? previous : undefined;
    if (!before) completeUntil = null;
    expect([window.countBefore, window.count], window.of).toEqual([before?.count ?? 0, (before?.count ?? 0) + 1]);
    if (before) expect(window.end, window.of).toBeGreaterThan(before.end);
    if (completeUntil !== null) expect(window.start, window.of).toBe(completeUntil);
    if (window.state === "complete") completeUntil = window.end;
  }
}

async function expectLogWithoutGaps({ database }: OpenStore): Promise<void> {
  const db = companiesIn(database.db);
  for (const { accountId } of ACCOUNTS) {
    const changes = await db
      .selectFrom("company_change")
      .select(["position", "kind"])
      .where("account_id", "=", accountId)
      .orderBy("position")
      .execute();
    expect(changes.map(({ position }) => position)).toEqual(changes.map((_, at) => at + 1));
    const account = await db
      .selectFrom("company_account")
      .select("position")
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    expect(account.position).toBe(changes.length);
    const impacts = await db
      .selectFrom("company_impact")
      .select(["impact_id", "visible_from", "visible_to", "body"])
      .where("account_id", "=", accountId)
      .orderBy("visible_from")
      .execute();
    expect(impacts.map(({ visible_from }) => visible_from)).toEqual(
      changes.filter(({ kind }) => kind === "impact").map(({ position }) => position),
    );
    for (const impactId of new Set(impacts.map(({ impact_id }) => impact_id))) {
      const revisions = impacts.filter(({ impact_id }) => impact_id === impactId);
      expect(revisions.map(({ body }) => JSON.parse(body).impactRevision)).toEqual(revisions.map((_, at) => at + 1));
      const replacedAt = [...revisions.slice(1).map(({ visible_from }) => visible_from), null];
      expect(revisions.map(({ visible_to }) => visible_to)).toEqual(replacedAt);
    }
    const published = await db
      .selectFrom("company_occurrence")
      .select("impact_id")
      .where("account_id", "=", accountId)
      .where("impact_id", "is not", null)
      .execute();
    const publishedIds = published.map(({ impact_id }) => impact_id);
    expect(publishedIds.sort()).toEqual([...new Set(impacts.map(({ impact_id }) => impact_id))].sort());
  }
}

async function prepare(store: OpenStore): Promise<void> {
  const { parts } = await prepared(store);
  for (const { accountId, names } of ACCOUNTS) {
    await inTurn(parts, accountId, async (turn) => {
      for (const name of names) {
        const creation = await add(turn, name);
        if (!("company" in creation)) throw new Error(`${name} was not created`);
        await turn.replace(creation.company, verified(creation.company));
      }
    });
  }
  await recordWindows(store.database);
}

/** The company as a register confirms it. Every second company reports to the SEC. */
function verified(company: Company): Company {
  const number = NAMES.indexOf(company.name);
  const isFiler = number % 2 === 0;
  const evidence = {
    register: isFiler ? "SEC" : "GLEIF",
    recordId: String(1_000 + number).padStart(10, "0"),
    recordName: company.name,
    checkedAt: START,
    validUntil: Number.MAX_SAFE_INTEGER,
  } as const;
  const trustState = "COMPANY_CLAIM_TRUST_STATE_VERIFIED";
  return { ...company, claims: company.claims.map((claim) => ({ ...claim, trustState, evidence }) as const) };
}

function isUnderWay(line: string | undefined): boolean {
  return line !== undefined && /^(scan|admission) /.test(line);
}

async function leftOver({ database }: OpenStore): Promise<{ readonly leases: number; readonly findings: number }> {
  const db = companiesIn(database.db);
  const { leases } = await db
    .selectFrom("company_window")
    .select(({ fn }) => fn.countAll<number>().as("leases"))
    .where("lease", "is not", null)
    .executeTakeFirstOrThrow();
  const { findings } = await db
    .selectFrom("company_finding")
    .select(({ fn }) => fn.countAll<number>().as("findings"))
    .where("judged", "=", 0)
    .executeTakeFirstOrThrow();
  return { leases: Number(leases), findings: Number(findings) };
}
