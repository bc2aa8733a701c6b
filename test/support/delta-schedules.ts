import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { ListDelta } from "../../src/contract/list-delta.js";
import type { AnyOperation, RegisteredOperation } from "../../src/contract/operation.js";
import type { AnyRowList } from "../../src/contract/row-list.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { mapValues } from "../../src/kit/map-values.js";
import { type Random, seededRandom } from "../../src/kit/random.js";
import type { PartRecords } from "../../src/snapshots/bodies/body.js";
import { type HeldList, identitiesOf, type ListReader, listReader } from "./held-list.js";
import { newestRecords, publish } from "./published.js";
import type { Stack } from "./stack.js";

/** Totals of the deltas and changes in schedules, so that a test can check that there were some. */
interface ScheduleCounts {
  readonly deltas: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Settings with very high limits, because the tests send many calls in a minute of their clock. */
export const unlimited = {
  VIGIL_LIMITS: "enterprise-minute=999999,operator-minute=999999",
  VIGIL_PAST_READS_PER_MINUTE: "999999",
};

const PUBLISHES_MAX = 4;

/** Runs random schedules on a list and returns their counts. A failure names the seed of its schedule. */
export async function followList(
  stack: Stack,
  registered: RegisteredOperation,
  { schedules, seed }: { readonly schedules: number; readonly seed: number },
): Promise<ScheduleCounts> {
  const pools = await poolsOf(stack, registered);
  const seen = { deltas: 0, added: 0, changed: 0, removed: 0 };
  const schedule = fc.asyncProperty(fc.noShrink(fc.nat()), async (own) => {
    const counts = await runSchedule(stack, registered, pools, seededRandom(own));
    seen.deltas += counts.deltas;
    seen.added += counts.added;
    seen.changed += counts.changed;
    seen.removed += counts.removed;
  });
  await fc.assert(schedule, { numRuns: schedules, seed });
  return seen;
}

/**
 * Runs one random schedule on a list. First, a consumer reads the list with some filters. Then generations are
 * published, in which rows arrive late, change, leave, return and move. The consumer follows the changes with
 * `since_generation`, page by page and sometimes as of an instant. Throws if the consumer's list differs from the whole
 * list.
 */
async function runSchedule(
  stack: Stack,
  registered: RegisteredOperation,
  pools: Pools,
  random: Random,
): Promise<ScheduleCounts> {
  const { list } = registered.operation;
  if (list === undefined) throw new Error(`${registered.operation.rpc} has no list`);
  const reader = listReader(stack, registered);
  const publishNext = await changingRecords(stack, pools, random);
  const query = await someQuery(reader, registered, random);
  const counts = { deltas: 0, added: 0, changed: 0, removed: 0 };
  let heldAt = stack.clock.now();
  let held = await reader.whole(query);
  for (let publishes = 1 + int(random, PUBLISHES_MAX); publishes > 0; publishes -= 1) {
    stack.clock.advance(SECOND_MS + int(random, 10 * MINUTE_MS));
    await publishNext();
    if (publishes > 1 && random() < 0.5) continue;
    stack.clock.advance(random() < 0.3 ? int(random, HOUR_MS) : 0);
    const params = new URLSearchParams(query);
    const isOfPast = random() < 0.2;
    const at = isOfPast ? heldAt + int(random, stack.clock.now() - heldAt) : stack.clock.now();
    if (isOfPast) params.set("as_of", String(at));
    const what = `${registered.path}?${params} since ${held.generations}`;
    const [changes, whole] = [await reader.updated(held, params), await reader.whole(params)];
    if (!changes) {
      if (!/^(?:absent|unreadable)$/.test(whole.state))
        throw new Error(`${what}: no delta of a list that is ${whole.state}`);
      continue;
    }
    const { held: updated, delta } = changes;
    expectWhole(updated, whole, what);
    expectKinds(registered, list, { held, delta, updated }, what);
    counts.deltas += 1;
    counts.added += delta.addedCount;
    counts.changed += delta.changedCount;
    counts.removed += delta.removedCount;
    [held, heldAt] = [updated, at];
  }
  return counts;
}

function expectWhole(updated: HeldList, whole: HeldList, what: string): void {
  if (updated.generations !== whole.generations) {
    throw new Error(`${what}: the changes end at ${updated.generations}, the list has ${whole.generations}`);
  }
  if (isDeepStrictEqual(updated.rows, whole.rows)) return;
  const at = whole.rows.findIndex((row, index) => !isDeepStrictEqual(row, updated.rows[index]));
  const [expected, got] = [whole.rows[at], updated.rows[at]].map((row) => JSON.stringify(row));
  throw new Error(
    `${what}: ${updated.rows.length} rows instead of ${whole.rows.length}, row ${at} is ${got} instead of ${expected}`,
  );
}

interface Step {
  readonly held: HeldList;
  readonly delta: ListDelta;
  readonly updated: HeldList;
}

/** Expects the kind of each change to agree with the rows of the list before and after it. */
function expectKinds(
  { operation }: RegisteredOperation,
  list: AnyRowList,
  { held, delta, updated }: Step,
  what: string,
): void {
  const [before, after] = [held, updated].map(({ rows }) => new Set(identitiesOf(list, rows)));
  // For a list that depends on the time, the service does not know which rows the caller's copy has.
  const dependsOnTime = operation.validUntil !== undefined;
  const wrong = delta.changes.find(({ kind, id }) => {
    const isNew = kind === "added" && (dependsOnTime || before?.has(id) === false) && after?.has(id);
    const isOther = kind === "changed" && before?.has(id) && after?.has(id);
    const isGone = kind === "removed" && (dependsOnTime || before?.has(id)) && after?.has(id) === false;
    return !isNew && !isOther && !isGone;
  });
  if (wrong) throw new Error(`${what}: ${wrong.id} was not ${wrong.kind}`);
  const countOf = (changeKind: string): number => delta.changes.filter(({ kind }) => kind === changeKind).length;
  const counted = [countOf("added"), countOf("changed"), countOf("removed"), updated.rows.length];
  const stated = [delta.addedCount, delta.changedCount, delta.removedCount, delta.rowCount];
  if (!isDeepStrictEqual(counted, stated)) throw new Error(`${what}: counts ${stated} instead of ${counted}`);
}

type Row = Readonly<Record<string, unknown>>;

/** Filters that match some rows of the list, by operation. */
const filters: Readonly<Record<string, (row: Row, random: Random) => Readonly<Record<string, unknown>>>> = {
  "list-earthquakes": ({ magnitude, occurredAt }, random) =>
    pick(random, [{ min_magnitude: magnitude }, { start: occurredAt }, { end: occurredAt }]),
  "list-beta-events": ({ country, dateStart }, random) => pick(random, [{ country }, { start: dateStart }]),
  "list-alpha-events": ({ country, occurredAt }, random) =>
    pick(random, [{ country }, { start: occurredAt }, { country, end: occurredAt }]),
  "list-natural-events": ({ category }, random) => pick(random, [{ category }, { days: 1 + int(random, 30) }]),
  "list-internet-traffic-anomalies": ({ locationCode }) => ({ country: locationCode ?? "" }),
  "list-material-events": ({ items }, random) =>
    pick(random, [{ item_code: (items as readonly Row[])[0]?.["code"] ?? "" }, { limit: 1 + int(random, 10) }]),
  "list-sanctions-pressure": (_row, random) => ({ max_items: 1 + int(random, 20) }),
  "list-aviation-news": ({ title }, random) =>
    pick(random, [
      { window_hours: 1 + int(random, 48), max_items: 1 + int(random, 20) },
      { entities: pick(random, String(title).split(/\W+/)), window_hours: 168 },
    ]),
  "list-feed-digest": (_row, random) => pick(random, [{}, { explain: true }]),
  "get-us-cpi-monthly": () => ({ history: true }),
  "get-us-treasury-par-yield-curve": () => ({ history: true }),
};

/**
 * Builds a random query with small pages. It has no filter, a filter that matches a row, or the filters of an example.
 */
async function someQuery(
  reader: ListReader,
  { operation }: RegisteredOperation,
  random: Random,
): Promise<URLSearchParams> {
  const paging = "pageSize" in operation.query ? { page_size: 1 + int(random, 12) } : {};
  const filtersOf = filters[operation.rpc];
  const { rows } = filtersOf && random() < 0.7 ? await reader.whole(new URLSearchParams()) : { rows: [] };
  const example = random() < 0.2 && !operation.readsFor ? pick(random, operation.examples) : {};
  const { jmespath: _jmespath, ...filter } =
    rows.length > 0 ? (filtersOf?.(pick(random, rows) as Row, random) ?? {}) : example;
  const query = Object.entries({ ...filter, ...paging }).map(([name, value]) => [name, String(value)] as const);
  return new URLSearchParams(Object.fromEntries(query));
}

/**
 * Maximum number of rows in the pool of each part. A schedule starts with the rows of the pool. The rows that it adds
 * later also come from the pool. The pools of digests have no maximum.
 */
const POOL_ROWS = 40;
/**
 * The datasets whose lists depend on the clock. `member` is the name of the member with a row's time. The times of
 * added rows lie in a period of `spanMs` that ends an hour from now.
 */
const timed: Readonly<Record<string, { readonly member: string; readonly spanMs: number }>> = {
  "aviation-news": { member: "publishedAt", spanMs: 30 * HOUR_MS },
  "alpha-events": { member: "occurredAt", spanMs: 35 * DAY_MS },
};

/** The newest stored records of each dataset of a list, from which the schedules take rows. */
type Pools = ReadonlyMap<string, PartRecords>;

async function poolsOf(stack: Stack, { operation }: RegisteredOperation): Promise<Pools> {
  const names = datasetsOf(operation);
  return new Map(await Promise.all(names.map(async (name) => [name, await newestRecords(stack, name)] as const)));
}

/** The datasets that a list reads; for digests, the dataset that a query without parameters reads. */
export function datasetsOf({ reads, readsFor }: AnyOperation): readonly string[] {
  const names = readsFor ? readsFor({ variant: "full", lang: "en" }) : Object.keys(reads);
  return names.flatMap((name) => reads[name]?.name ?? []);
}

/** Publishes some records of each dataset. Returns a function that publishes the next generation of one dataset. */
async function changingRecords(stack: Stack, pools: Pools, random: Random): Promise<() => Promise<void>> {
  const states = [...pools].map(([name, whole]) => {
    const pool = mapValues(whole, (rows) => (name.startsWith("digest-") ? rows : sample(random, rows)));
    return { name, pool, records: pool };
  });
  for (const { name, records } of states) await publish(stack, name, records);
  return async () => {
    const state = pick(random, states);
    const { name, pool } = state;
    const added = (row: unknown): unknown => {
      const time = timed[name];
      if (!time) return row;
      return { ...(row as Row), [time.member]: stack.clock.now() + HOUR_MS - int(random, time.spanMs) };
    };
    const change = (rows: readonly unknown[], from: readonly unknown[]) => changed(rows, from, { random, added });
    state.records = mapValues(state.records, (rows, part) =>
      name.startsWith("digest-") ? changedCategories(rows, change) : change(rows, pool[part] ?? []),
    );
    await publish(stack, name, state.records);
  };
}

function sample(random: Random, rows: readonly unknown[]): readonly unknown[] {
  if (rows.length <= POOL_ROWS) return rows;
  return Array.from({ length: POOL_ROWS }, () => pick(random, rows));
}

interface ChangeContext {
  readonly random: Random;
  /** Sets a current time in a row that is taken from the pool, if its dataset is one of `timed`. */
  readonly added: (row: unknown) => unknown;
}

/** Makes a few random changes to rows. Added rows come from the pool. */
function changed(
  rows: readonly unknown[],
  pool: readonly unknown[],
  { random, added }: ChangeContext,
): readonly unknown[] {
  if (pool.length === 0) return rows;
  if (random() < 0.03) return [];
  const next = [...rows];
  for (let changes = int(random, 6); changes > 0; changes -= 1) {
    const at = int(random, next.length);
    const kind = random();
    if (kind < 0.3 || next.length === 0) next.splice(at, 0, added(pick(random, pool)));
    else if (kind < 0.55) next.splice(at, 1);
    else if (kind < 0.85) next[at] = mixed(next[at], pick(random, pool), random);
    else next.splice(int(random, next.length), 0, ...next.splice(at, 1));
  }
  return next;
}

/** The row with one member taken from another row, so that its values stay realistic. */
function mixed(row: unknown, other: unknown, random: Random): unknown {
  const member = pick(random, Object.keys(other as Row));
  return { ...(row as Row), [member]: (other as Row)[member] };
}

/** The records of a digest, with `change` applied to the items of each category. */
function changedCategories(
  records: readonly unknown[],
  change: (items: readonly unknown[], pool: readonly unknown[]) => readonly unknown[],
): readonly unknown[] {
  return records.map((record) => {
    const { kind, items } = record as { readonly kind: string; readonly items?: readonly unknown[] };
    return kind === "category" && items ? { ...(record as Row), items: change(items, items) } : record;
  });
}

function int(random: Random, below: number): number {
  return Math.floor(random() * below);
}

function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[int(random, choices.length)] as T;
}
