import { Failure } from "../../../src/contract/failures.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../src/kit/clock.js";
import { manualClock } from "../../../src/kit/manual-clock.js";
import { type Random, seededRandom } from "../../../src/kit/random.js";
import type { CompanyMaterialImpact } from "../../../src/services/company-monitoring/event-records.js";
import { listCompanyEventChanges } from "../../../src/services/company-monitoring/operations/list-company-event-changes.js";
import { listMonitoredCompanies } from "../../../src/services/company-monitoring/operations/list-monitored-companies.js";
import { nextPosition, takeTurn } from "../../../src/services/company-monitoring/store/account-turn.js";
import { appendImpact } from "../../../src/services/company-monitoring/store/impact-log.js";
import { type CompanyDatabase, companiesIn } from "../../../src/services/company-monitoring/store/tables.js";
import type { OpenStore } from "../stores.js";
import { type CompanyNode, companyNode } from "./company-node.js";
import { createCompanyTables } from "./company-tables.js";
import { nameOf, nextImpact } from "./impacts.js";

export interface ExactlyOnceOptions {
  readonly seed: number;
  readonly changes: number;
  readonly accounts: number;
  readonly rounds: number;
  /** Number of connections, each a node with its own clock. */
  readonly nodes: number;
  readonly pollersPerAccount: number;
}

/** Totals of a run, for its report. */
export interface ExactlyOnceFigures {
  changes: number;
  edits: number;
  polls: number;
  kills: number;
  /** Number of refused cursors by reason. */
  readonly refusals: Map<string, number>;
  snapshotsRequired: number;
  readonly keys: Set<string>;
}

/** The totals of a run, and each log with the changes that each of its pollers received. */
export interface ExactlyOnceOutcome {
  readonly figures: ExactlyOnceFigures;
  readonly logs: readonly AccountLog[];
}

export interface AccountLog {
  readonly accountId: string;
  /** Positions of all changes. */
  readonly positions: readonly number[];
  /** Revisions of impacts in the order of the log. */
  readonly impacts: readonly string[];
  readonly deliveries: readonly (readonly string[])[];
}

/** A client that stores its cursor together with the changes that it has processed. */
interface Poller {
  readonly accountId: string;
  cursor: string;
  readonly received: string[];
}

const START = Date.UTC(2026, 10, 22);
const CHANGES_PER_WRITE_MAX = 20;
/** Number of concurrent writers, and of concurrent pollers. */
const WORKERS = 12;
const EDIT_SHARE = 0.1;
const KILL_SHARE = 0.2;
const POLLS_PER_ROUND_MAX = 6;
/** Maximum deviation of a node's clock. Two clocks differ by at most 50 s; the service allows 60 s. */
const SKEW_MS_MAX = 25 * SECOND_MS;

/**
 * Writes to the logs of all accounts while pollers read them. Writers and pollers use several nodes whose clocks
 * differ. Pollers lose answers and repeat their polls. Meanwhile, companies change, the clocks jump, and the cursor
 * keys rotate.
 */
export async function playExactlyOnce(store: OpenStore, options: ExactlyOnceOptions): Promise<ExactlyOnceOutcome> {
  const random = seededRandom(options.seed);
  const whole = (max: number): number => Math.floor(random() * max);
  const base = manualClock(START);
  await createCompanyTables(store.database);
  const nodes = await openNodes(store, options.nodes, base, random);
  const nodeOf = (): CompanyNode => nodes[whole(nodes.length)] as CompanyNode;
  const accounts = Array.from({ length: options.accounts }, (_, at) => `acc_${String(at).padStart(3, "0")}`);
  const figures: ExactlyOnceFigures = {
    changes: 0,
    edits: 0,
    polls: 0,
    kills: 0,
    refusals: new Map(),
    snapshotsRequired: 0,
    keys: new Set(),
  };
  const pollers = await startPollers(accounts, options.pollersPerAccount, nodeOf);
  const current = new Map<string, CompanyMaterialImpact[]>(accounts.map((accountId) => [accountId, []]));

  async function write(count: number): Promise<void> {
    const accountId = accounts[whole(accounts.length)] ?? "";
    const isEdit = random() < EDIT_SHARE;
    const { database, clock } = nodeOf();
    const impacts = Array.from({ length: count }, () => nextImpact(current.get(accountId) ?? [], clock.now(), random));
    await database.db.transaction().execute(async (transaction) => {
      const db = companiesIn(transaction);
      await takeTurn(db, accountId);
      if (isEdit) await editCompany(db, accountId, clock.now());
      for (const impact of impacts) await appendImpact(db, accountId, impact, clock.now());
    });
    figures.changes += impacts.length;
    if (isEdit) figures.edits += 1;
  }

  async function poll(poller: Poller): Promise<boolean> {
    figures.polls += 1;
    const node = nodeOf();
    const context = node.contextOf(poller.accountId);
    const { cursor } = poller;
    figures.keys.add(keyIn(cursor));
    try {
      const page = await listCompanyEventChanges.run({ cursor, pageSize: 1 + whole(100) }, context);
      if (page.pollState === "COMPANY_EVENT_POLL_STATE_SNAPSHOT_REQUIRED") figures.snapshotsRequired += 1;
      // A poller that is killed before it stores the page resumes from its stored cursor.
      if (random() < KILL_SHARE) {
        figures.kills += 1;
        return true;
      }
      poller.cursor = page.nextCursor;
      poller.received.push(...page.impacts.map(nameOf));
      return page.impacts.length > 0;
    } catch (error) {
      // If the clock has been set back, the cursor is from the future; the poller keeps it and tries again later.
      if (!(error instanceof Failure) || error.status !== 400) throw error;
      const reason = node.refused.at(-1) ?? "";
      figures.refusals.set(reason, (figures.refusals.get(reason) ?? 0) + 1);
      return false;
    }
  }

  async function pollSome(poller: Poller): Promise<void> {
    for (let polls = 0; polls < POLLS_PER_ROUND_MAX && (await poll(poller)); polls += 1);
  }

  let peakAt = base.now();
  for (let round = 0; round < options.rounds; round += 1) {
    const until = Math.ceil((options.changes * (round + 1)) / options.rounds);
    const writes: number[] = [];
    for (let planned = figures.changes; planned < until; ) {
      const count = Math.min(1 + whole(CHANGES_PER_WRITE_MAX), until - planned);
      planned += count;
      writes.push(count);
    }
    await Promise.all([eachConcurrently(writes, write), eachConcurrently(pollers, pollSome)]);
    moveClock(base, random);
    peakAt = Math.max(peakAt, base.now());
  }
  // At the latest time so far, no cursor is from the future.
  base.set(peakAt);
  for (const poller of pollers) await drain(poller, poll);
  return { figures, logs: await Promise.all(accounts.map((accountId) => logOf(store, accountId, pollers))) };
}

/**
 * Works on all items, a bounded number at a time: with more at a time, some would time out while waiting for a
 * connection.
 */
async function eachConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}

/** Moves all clocks: mostly forward by minutes or hours, sometimes back. */
function moveClock(clock: { advance(ms: number): void }, random: Random): void {
  const [kind, size] = [random(), random()];
  if (kind < 0.1) clock.advance(-Math.floor(size * HOUR_MS));
  else if (kind < 0.5) clock.advance(Math.floor(size * MINUTE_MS));
  else clock.advance(Math.floor(size * 12 * HOUR_MS));
}

async function openNodes(
  store: OpenStore,
  count: number,
  base: { now(): number; sleep(ms: number): Promise<void> },
  random: Random,
): Promise<readonly CompanyNode[]> {
  const nodes: CompanyNode[] = [];
  for (let at = 0; at < count; at += 1) {
    const database = at === 0 ? store.database : await store.openAgain();
    const skewMs = Math.round((2 * random() - 1) * SKEW_MS_MAX);
    nodes.push(companyNode(database, { now: () => base.now() + skewMs, sleep: base.sleep }));
  }
  return nodes;
}

/** Creates pollers for each account, with the cursor of a snapshot from before the first change. */
async function startPollers(
  accounts: readonly string[],
  perAccount: number,
  nodeOf: () => CompanyNode,
): Promise<readonly Poller[]> {
  const pollers: Poller[] = [];
  for (const accountId of accounts) {
    for (let at = 0; at < perAccount; at += 1) {
      const query = { lifecycle: [], coverage: [], pageSize: 1, cursor: "" };
      const { snapshot } = await listMonitoredCompanies.run(query, nodeOf().contextOf(accountId));
      pollers.push({ accountId, cursor: snapshot.pollCursor, received: [] });
    }
  }
  return pollers;
}

/** Adds a change of a company to the log, as an edit of the portfolio would. */
async function editCompany(db: CompanyDatabase, accountId: string, now: number): Promise<void> {
  const position = await nextPosition(db, accountId, { generation: 1, companies: 0 }, now);
  const change = { account_id: accountId, position, kind: "company", impact_id: null, changed_at: now };
  await db
    .insertInto("company_change")
    .values({ ...change, company_id: "cm_company_00000000000000000000000000" })
    .execute();
}

/** Polls until the log has no further changes. */
async function drain(poller: Poller, poll: (poller: Poller) => Promise<boolean>): Promise<void> {
  for (let quiet = 0; quiet < 2; ) quiet = (await poll(poller)) ? 0 : quiet + 1;
}

function keyIn(cursor: string): string {
  return JSON.parse(Buffer.from(cursor.split(".")[1] ?? "", "base64url").toString()).k;
}

async function logOf(store: OpenStore, accountId: string, pollers: readonly Poller[]): Promise<AccountLog> {
  const changes = await companiesIn(store.database.db)
    .selectFrom("company_change")
    .leftJoin("company_impact", (join) =>
      join
        .onRef("company_impact.account_id", "=", "company_change.account_id")
        .onRef("company_impact.impact_id", "=", "company_change.impact_id")
        .onRef("company_impact.visible_from", "=", "company_change.position"),
    )
    .select(["company_change.position", "company_impact.body"])
    .where("company_change.account_id", "=", accountId)
    .orderBy("company_change.position")
    .execute();
  return {
    accountId,
    positions: changes.map(({ position }) => position),
    impacts: changes.flatMap(({ body }) => (body === null ? [] : [nameOf(JSON.parse(body))])),
    deliveries: pollers.filter((poller) => poller.accountId === accountId).map(({ received }) => received),
  };
}
