import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { migrateServices } from "../../../src/database/migrate.js";
import { SECOND_MS, systemClock } from "../../../src/kit/clock.js";
import { manualClock } from "../../../src/kit/manual-clock.js";
import { mapValues } from "../../../src/kit/map-values.js";
import { seededRandom } from "../../../src/kit/random.js";
import type { WatchDefinition, WatchFiring } from "../../../src/services/watches/records.js";
import { setRecipients } from "../../../src/services/watches/store/mail/addresses.js";
import { mailsIn } from "../../../src/services/watches/store/mail/tables.js";
import { watchesIn } from "../../../src/services/watches/store/tables.js";
import { type EvaluatingNode, evaluatingNode } from "../../../src/services/watches/store/testing/evaluating-node.js";
import { callOf, scriptedWorld } from "../../../src/services/watches/store/testing/scripted-world.js";
import { webhookStore } from "../../../src/services/webhooks/store/store.js";
import { endpointTo, webhookNode } from "../../../src/services/webhooks/store/testing/webhook-node.js";
import { type LifeOptions, type ProcessLife, runLife } from "../process-life.js";
import { type SmtpTestServer, startSmtp } from "../smtp.js";
import type { OpenStore } from "../stores.js";

const script = resolve(import.meta.dirname, "watch-process.mjs");
/** Start of the simulated clock; `watch-world.mjs` has the same value. */
const START = Date.UTC(2026, 10, 23);
/**
 * Maximum number of killed attempts at a tick. The next attempt runs undisturbed. The clock advances between attempts;
 * this maximum is so small that all attempts at a tick end before the next tick.
 */
const ATTEMPTS_MAX = 15;
const CALM_TICKS = 4;
const ACCOUNTS = ["acc_a", "acc_b"];
const COPIES = 4;
const MAILED_TO = "owner@example.com";
const FIRINGS_MAX = 100_000;

const definitions: readonly Partial<WatchDefinition>[] = [
  { name: "new" },
  { name: "changed", call: callOf("a,b"), on: "WATCH_ON_CHANGED" },
  { name: "quiet", quietSeconds: 600 },
  { name: "rows", call: callOf("b"), grouping: "WATCH_GROUPING_ROW" },
  { name: "true", on: "WATCH_ON_BECOMES_TRUE", condition: "length(rows) > `4`" },
  {
    name: "sum",
    call: callOf("a,b"),
    on: "WATCH_ON_THRESHOLD_CROSSED",
    condition: "sum(rows[].n)",
    threshold: { above: 9 },
  },
  { name: "state", on: "WATCH_ON_STATE_CHANGES" },
  { name: "broken", condition: "abs(rows)" },
];

export interface WatchCrashOptions {
  readonly seed: number;
  readonly kills: number;
}

/** Totals of a run, for its report. */
export interface WatchCrashFigures {
  kills: number;
  duringEvaluation: number;
  duringDelivery: number;
  between: number;
  ticks: number;
}

export interface WatchCrashOutcome {
  readonly firings: number;
  readonly deliveries: number;
  readonly repeatedDeliveries: number;
  readonly mails: number;
  readonly repeatedMails: number;
}

interface Message {
  readonly id: string;
  readonly data: WatchFiring;
}

/** The webhook receiver and the mail server to which the firings of one store are sent. */
export interface Receivers {
  readonly origin: string;
  readonly received: readonly Message[];
  readonly smtp: SmtpTestServer;
  close(): Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const received: Message[] = [];
  const server: Server = createServer((request, response) => {
    text(request).then(
      (body) => {
        received.push({ id: String(request.headers["webhook-id"]), data: JSON.parse(body).data });
        response.writeHead(204).end();
      },
      // The sending process was killed in the middle of its request.
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const smtp = await startSmtp();
  return {
    // The cast is safe, because the address of a TCP listener is never the name of a pipe.
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    smtp,
    async close() {
      server.closeAllConnections();
      server.close();
      await smtp.close();
    },
  };
}

/**
 * Evaluates watches and delivers their firings until `kills` processes have been killed. Then completes two ticks
 * without a kill.
 */
export async function playWatchCrashes(
  store: OpenStore,
  receivers: Receivers,
  { seed, kills }: WatchCrashOptions,
): Promise<WatchCrashFigures> {
  await prepare(store, receivers);
  const random = seededRandom(seed);
  const figures = { kills: 0, duringEvaluation: 0, duringDelivery: 0, between: 0, ticks: CALM_TICKS };
  let ordinal = 0;
  const partMs = await calmPartMs(store, receivers);
  let isEvaluated = false;
  for (let attempt = 0; figures.kills < kills; ) {
    ordinal += 1;
    const isLast = attempt >= ATTEMPTS_MAX;
    const life = { ordinal, tick: figures.ticks, attempt, lastTick: isLast ? figures.ticks : Number.MAX_SAFE_INTEGER };
    const lines: string[] = [];
    const part = random() < 0.5 ? "evaluation" : "delivery";
    const killAfterMs = random() * partMs[part];
    // If an earlier process has already evaluated this tick, a kill during the evaluation would interrupt nothing.
    const idle = isEvaluated ? `evaluation ${figures.ticks}` : "";
    let isKilled = isLast;
    await runProcess(store, receivers, life, (line, child) => {
      lines.push(line);
      if (isKilled || !line.startsWith(`${part} `) || line === idle) return;
      isKilled = true;
      void systemClock.sleep(killAfterMs).then(() => child.kill("SIGKILL"));
    });
    const ended = lines.filter((line) => line.startsWith("done ")).length;
    const last = lines.at(-1) ?? "";
    const isUnderWay = /^(?:evaluation|delivery) /.test(last);
    if (ended > 0) attempt = isUnderWay ? 1 : 0;
    else attempt += 1;
    figures.ticks += ended;
    isEvaluated = last.startsWith("delivery ") || (isEvaluated && ended === 0);
    if (isLast) continue;
    figures.kills += 1;
    if (last.startsWith("evaluation ")) figures.duringEvaluation += 1;
    else if (last.startsWith("delivery ")) figures.duringDelivery += 1;
    else figures.between += 1;
  }
  const lastTick = figures.ticks + 1;
  await runProcess(store, receivers, { ordinal: ordinal + 1, tick: figures.ticks, attempt: ATTEMPTS_MAX, lastTick });
  figures.ticks = lastTick + 1;
  return figures;
}

/** Runs the first ticks without a kill and returns the median duration of each part of a tick. */
async function calmPartMs(store: OpenStore, receivers: Receivers): Promise<Record<"evaluation" | "delivery", number>> {
  const ms = { evaluation: [] as number[], delivery: [] as number[] };
  let part: keyof typeof ms | undefined;
  let startedAt = 0;
  await runProcess(store, receivers, { ordinal: 0, tick: 0, attempt: 0, lastTick: CALM_TICKS - 1 }, (line) => {
    const now = performance.now();
    if (part) ms[part].push(now - startedAt);
    part = line.startsWith("evaluation ") ? "evaluation" : line.startsWith("delivery ") ? "delivery" : undefined;
    startedAt = now;
  });
  return mapValues(ms, median);
}

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Evaluates watches and delivers their firings for this number of ticks, without a kill. */
export async function playUndisturbed(store: OpenStore, receivers: Receivers, ticks: number): Promise<void> {
  await prepare(store, receivers);
  await runProcess(store, receivers, { ordinal: 0, tick: 0, attempt: 0, lastTick: ticks - 1 });
}

/**
 * Expects that both stores have the same firings, each exactly once, and that the receivers of the first store got all
 * firings that were addressed to them.
 */
export async function expectSameFirings(
  store: OpenStore,
  undisturbed: OpenStore,
  { received, smtp }: Receivers,
): Promise<WatchCrashOutcome> {
  let count = 0;
  const served = new Map<string, WatchFiring>();
  for (const accountId of ACCOUNTS) {
    const fired = await firedIn(store, accountId);
    const expected = await firedIn(undisturbed, accountId);
    expect(fired.map(({ position }) => position)).toEqual(fired.map((_, at) => at + 1));
    expect(byWatch(fired)).toEqual(byWatch(expected));
    for (const firing of fired) served.set(firing.firingId, firing);
    count += fired.length;
    await expectCounters(store, accountId, fired);
  }
  expect(served.size).toBe(count);
  const own = (await firedIn(store, "acc_a")).map(({ firingId }) => firingId);
  const idOf = new Map<string, string>();
  for (const { id, data } of received) {
    expect(data).toEqual(served.get(data.firingId));
    expect(idOf.get(data.firingId) ?? id).toBe(id);
    idOf.set(data.firingId, id);
  }
  expect([...idOf.keys()].sort()).toEqual(own.sort());
  expect(new Set(idOf.values()).size).toBe(idOf.size);
  const mails = await expectMails(store, smtp);
  return { firings: count, deliveries: idOf.size, repeatedDeliveries: received.length - idOf.size, ...mails };
}

async function expectCounters(
  { database }: OpenStore,
  accountId: string,
  fired: readonly WatchFiring[],
): Promise<void> {
  const db = watchesIn(database.db);
  const rows = await db
    .selectFrom("watch")
    .select(["watch_id", "firing_count"])
    .where("account_id", "=", accountId)
    .execute();
  for (const { watch_id, firing_count } of rows) {
    expect(firing_count).toBe(fired.filter(({ watchId }) => watchId === watch_id).length);
  }
}

/** Expects that every firing of a watch with a recipient has one email, which was accepted at least once. */
async function expectMails(
  store: OpenStore,
  smtp: SmtpTestServer,
): Promise<Pick<WatchCrashOutcome, "mails" | "repeatedMails">> {
  const rows = await mailsIn(store.database.db)
    .selectFrom("watch_mail")
    .select(["mail_id", "watch_id", "position", "state"])
    .where("position", "is not", null)
    .execute();
  const own = await firedIn(store, "acc_a");
  const mailed = own.filter(({ watchName }) => MAILED.has(watchName));
  expect(rows.map(({ position }) => Number(position)).sort((a, b) => a - b)).toEqual(
    mailed.map(({ position }) => position),
  );
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["sent"]));
  const ids = smtp.received.map(({ parsed }) => parsed.messageId);
  expect([...new Set(ids)].sort()).toEqual(rows.map(({ mail_id }) => `<${mail_id}@vigil.example>`).sort());
  return { mails: rows.length, repeatedMails: ids.length - rows.length };
}

/** The watches with a recipient. They are few enough for the daily limit of emails. */
const MAILED = new Set(["quiet 0", "sum 1"]);

async function firedIn(store: OpenStore, accountId: string): Promise<readonly WatchFiring[]> {
  const node = await reader(store);
  return node.inCall(async ({ firings }) => {
    const { firings: fired } = await firings.after("oldest", { watchId: [], kind: [] }, FIRINGS_MAX);
    return fired;
  }, accountId);
}

const reader = (store: OpenStore): Promise<EvaluatingNode> =>
  evaluatingNode(store.database, scriptedWorld(manualClock(START)), { clock: manualClock(START) });

/** The firings of each watch in their order, without their ids and positions. */
function byWatch(fired: readonly WatchFiring[]): Readonly<Record<string, readonly unknown[]>> {
  const watches: Record<string, unknown[]> = {};
  for (const { position: _position, firingId: _firingId, watchId: _watchId, ...firing } of fired) {
    watches[firing.watchName] = [...(watches[firing.watchName] ?? []), firing];
  }
  return watches;
}

/** Creates the watches, an endpoint for the firings of one account, and a confirmed recipient of some watches. */
async function prepare(store: OpenStore, { origin }: Receivers): Promise<void> {
  // The clock begins an hour early, so that the watches are created before the first change.
  const clock = manualClock(START - 3_600 * SECOND_MS);
  const world = scriptedWorld(clock);
  const node = await evaluatingNode(store.database, world, { clock });
  await migrateServices(store.database, [{ service: "webhooks", store: webhookStore }]);
  const db = mailsIn(store.database.db);
  for (const accountId of ACCOUNTS) {
    for (const definition of definitions) {
      for (let copy = 0; copy < COPIES; copy += 1) {
        const name = `${definition.name} ${copy}`;
        const { watchId } = await node.create(world, { ...definition, name }, accountId);
        if (accountId !== "acc_a" || !MAILED.has(name)) continue;
        await setRecipients(node.parts, db, { accountId, watchId, addresses: [MAILED_TO] });
      }
    }
  }
  await db.updateTable("watch_email").set({ state: "confirmed" }).execute();
  await db.deleteFrom("watch_mail").execute();
  const webhooks = await webhookNode(store.database, { clock });
  await webhooks.inCall(
    ({ endpoints }) => endpoints.create({ ...endpointTo(`${origin}/hooks`), positions: new Map([["watch.fired", 0]]) }),
    "acc_a",
  );
}

/** Runs one process until it ends. */
function runProcess(
  store: OpenStore,
  { origin, smtp }: Receivers,
  life: ProcessLife,
  onLine?: LifeOptions["onLine"],
): Promise<void> {
  return runLife(script, store, life, { more: [origin, smtp.port], ...(onLine && { onLine }) });
}
