import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { request } from "undici";
import { expect, test } from "vitest";
import { accountsOf } from "../../src/access/accounts.js";
import type { OpenDatabase } from "../../src/database/open-database.js";
import { SECOND_MS, systemClock } from "../../src/kit/clock.js";
import { type Random, seededRandom } from "../../src/kit/random.js";
import { type RunningProbe, startProbe } from "../support/probe-process.js";
import { availableStores, type OpenStore } from "../support/stores.js";

const ROUNDS = Number(process.env["VIGIL_IDEMPOTENCY_ROUNDS"] || 200);
const SEED = Number(process.env["VIGIL_IDEMPOTENCY_SEED"] || 14);
const CALLS = 200;
/** Number of initial rounds that run undisturbed. After them, every third round runs undisturbed. */
const CALM_ROUNDS = Math.min(5, Math.floor(ROUNDS / 3));
const CALM_EVERY = 3;
/** Maximum time during which a repeat may be answered with 409. */
const CONFLICT_MS_MAX = 5 * SECOND_MS;
const POLL_EVERY_MS = 20;
const TEST_MS_MAX = 60 * 60 * SECOND_MS;

/** A repeated call, always with the same path, headers and bytes. */
interface Question {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly replayed: string;
  readonly echo: string;
  readonly retryAfter: string;
  readonly sentAt: number;
  readonly receivedAt: number;
}

/** Sends a call, and returns the reply, or undefined if the connection breaks. */
async function ask({ address, connections }: RunningProbe, question: Question): Promise<Reply | undefined> {
  const { path, headers, body } = question;
  const sentAt = performance.now();
  try {
    const answer = await request(address + path, { method: "POST", headers, body, dispatcher: connections });
    const text = await answer.body.text();
    const header = (name: string): string => String(answer.headers[name] ?? "");
    return {
      status: answer.statusCode,
      body: text,
      sentAt,
      receivedAt: performance.now(),
      replayed: header("idempotent-replayed"),
      echo: header("idempotency-key"),
      retryAfter: header("retry-after"),
    };
  } catch {
    return undefined;
  }
}

/**
 * The service answers 409 while the first call is still running. Repeats the request until it gets another answer or
 * the time is up.
 */
async function repeated(probe: RunningProbe, question: Question): Promise<{ reply: Reply; conflicts: number }> {
  const until = performance.now() + CONFLICT_MS_MAX;
  for (let conflicts = 0; ; conflicts += 1) {
    const reply = await ask(probe, question);
    if (!reply) throw new Error("a connection broke although no server was killed");
    if (reply.status !== 409 || performance.now() > until) return { reply, conflicts };
    await systemClock.sleep(POLL_EVERY_MS);
  }
}

interface Questions {
  readonly write: Question;
  readonly batch: Question;
}

/**
 * Makes the requests of each round. Every round has its own account, because an account may run only 30 batches a
 * minute. A batch beyond this limit gets a 429 and has no effect.
 */
async function questionsOf({ database }: OpenStore, rounds: number): Promise<readonly Questions[]> {
  const accounts = accountsOf(database, "vgl_", systemClock.now);
  const questions: Questions[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const by = { actor: "test" };
    const account = await accounts.create({ name: `round ${round}`, plan: "enterprise" }, by);
    const keyOptions = { name: "key", scopes: new Set(["read"] as const), expiresAt: null };
    const created = account && (await accounts.createKey({ ...keyOptions, accountId: account.id }, by));
    if (typeof created !== "object") throw new Error(`no key for round ${round}: ${created}`);
    const name = `round-${round}-${randomUUID()}`;
    const headers = { "x-service-key": created.key, "idempotency-key": name, "content-type": "application/json" };
    const operations = ["/api/probe/v1/read", "/api/version", "/api/probe/v1/read"].map((path) => ({ path }));
    questions.push({
      write: { path: "/api/probe/v1/write", headers, body: JSON.stringify({ name }) },
      batch: { path: "/api/batch/v1/execute", headers, body: JSON.stringify({ operations }) },
    });
  }
  return questions;
}

async function effectsOf({ db }: OpenDatabase, question: Question): Promise<readonly string[]> {
  const name = question.headers["idempotency-key"];
  const effects = await sql<{ made: string }>`select made from probe_effect where name = ${name}`.execute(db);
  return effects.rows.map(({ made }) => made);
}

/** Totals of the run, printed at the end. */
interface Figures {
  kills: number;
  /** Number of kills that broke at least one connection. */
  killsUnderWay: number;
  /** Number of kills after the write was stored and before a successful answer arrived. */
  answersLost: number;
  /** Number of kills after which the repeat performed the write. */
  writesAfterKill: number;
  brokenConnections: number;
  conflicts: number;
  refusals: number;
  replays: number;
  conflictsAfterRestart: number;
}

/** Checks every reply received for one key, and returns the successful ones. */
function checked(
  question: Question,
  replies: readonly Reply[],
  repeat: Reply,
  wasKilled: boolean,
  figures: Figures,
): readonly Reply[] {
  const answers = [...replies.filter(({ status }) => status === 200), repeat];
  const firstAnswerAt = Math.min(...answers.map(({ receivedAt }) => receivedAt));
  for (const reply of replies) {
    expect([200, 409, 429]).toContain(reply.status);
    expect(reply.echo).toBe(question.headers["idempotency-key"]);
    if (reply.status !== 200) expect(reply.replayed).toBe("false");
    if (reply.status !== 409) continue;
    figures.conflicts += 1;
    expect(reply.retryAfter).toBe("2");
    expect(JSON.parse(reply.body)).toMatchObject({ error: "idempotency_conflict" });
    // After the first successful answer, no later call gets a 409.
    expect(reply.sentAt).toBeLessThan(firstAnswerAt);
  }
  expect(repeat.status).toBe(200);
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  const originals = answers.filter(({ replayed }) => replayed === "false");
  expect(answers.every(({ replayed }) => replayed === "false" || replayed === "true")).toBe(true);
  expect(originals.length).toBeLessThanOrEqual(1);
  if (!wasKilled) expect(originals).toHaveLength(1);
  if (answers.length > 1) expect(repeat.replayed).toBe("true");
  figures.refusals += replies.filter(({ status }) => status === 429).length;
  figures.replays += answers.length - originals.length;
  return answers;
}

/** The times to the first and to the last answer in the latest undisturbed round. */
interface Pace {
  readonly firstMs: number;
  readonly allMs: number;
}

function paceOf(burstAt: number, replies: readonly (Reply | undefined)[]): Pace {
  const answers = replies.filter((reply) => reply?.status === 200);
  const times = answers.map((reply) => (reply?.receivedAt ?? burstAt) - burstAt);
  return { firstMs: Math.min(...times), allMs: Math.max(...times) };
}

/**
 * The time from the start of a round to the kill of its server; undefined for an undisturbed round. About half of the
 * kills happen before or shortly after the first answer is due, the others at any time before the last answer is due.
 */
function killAfter(random: Random, round: number, pace: Pace | undefined): number | undefined {
  const [aim, at] = [random(), random()];
  if (!pace || round < CALM_ROUNDS || round % CALM_EVERY === 0) return undefined;
  return at * (aim < 0.5 ? 1.3 * pace.firstMs : 0.9 * pace.allMs);
}

/** Sends all calls of a round at the same time, alternately the write and the batch. */
function burst(probe: RunningProbe, { write, batch }: Questions): Promise<readonly (Reply | undefined)[]> {
  return Promise.all(Array.from({ length: CALLS }, (_, index) => ask(probe, isWrite(index) ? write : batch)));
}

function isWrite(index: number): boolean {
  return index % 2 === 0;
}

/** Repeats the write and expects exactly one effect. */
async function expectOneEffect(
  { database }: OpenStore,
  probe: RunningProbe,
  question: Question,
  { replies, wasKilled, figures }: { replies: readonly Reply[]; wasKilled: boolean; figures: Figures },
): Promise<void> {
  const before = await effectsOf(database, question);
  const { reply, conflicts } = await repeated(probe, question);
  const answers = checked(question, replies, reply, wasKilled, figures);
  const effects = await effectsOf(database, question);
  expect(effects).toHaveLength(1);
  expect(JSON.parse(reply.body)).toEqual({ name: question.headers["idempotency-key"], made: effects[0] });
  if (before.length > 0) expect(reply.replayed).toBe("true");
  figures.conflictsAfterRestart += conflicts;
  if (reply.replayed === "false") figures.writesAfterKill += 1;
  else if (answers.length === 1) figures.answersLost += 1;
}

/** Plays every round on one store, with a server that is restarted after each kill. */
async function play(store: OpenStore, figures: Figures): Promise<void> {
  const random = seededRandom(SEED);
  const rounds = await questionsOf(store, ROUNDS);
  let probe = await startProbe(store, CALLS);
  let pace: Pace | undefined;
  try {
    for (const [round, questions] of rounds.entries()) {
      const running = probe;
      const killMs = killAfter(random, round, pace);
      const wasKilled = killMs !== undefined;
      const burstAt = performance.now();
      const killed = wasKilled ? systemClock.sleep(killMs).then(() => running.kill()) : undefined;
      const replies = await burst(running, questions);
      await killed;
      const broken = replies.filter((reply) => reply === undefined).length;
      if (wasKilled) probe = await startProbe(store, CALLS);
      else {
        expect(broken).toBe(0);
        pace = paceOf(burstAt, replies);
      }
      figures.brokenConnections += broken;
      figures.kills += wasKilled ? 1 : 0;
      figures.killsUnderWay += broken > 0 ? 1 : 0;
      const of = (write: boolean) => replies.filter((_, index) => isWrite(index) === write).filter((reply) => !!reply);
      await expectOneEffect(store, probe, questions.write, { replies: of(true), wasKilled, figures });
      const { reply, conflicts } = await repeated(probe, questions.batch);
      checked(questions.batch, of(false), reply, wasKilled, figures);
      figures.conflictsAfterRestart += conflicts;
    }
  } finally {
    await probe.kill();
  }
}

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name} (skipped: ${skipReason})`;
  test.skipIf(skipReason !== undefined)(
    `${title}: simultaneous identical writes have one effect and one answer, in ${ROUNDS} rounds of ${CALLS} writes and batches, with a kill in at least half of the rounds`,
    async () => {
      process.stdout.write(`${name}: seed ${SEED}\n`);
      const startedAt = performance.now();
      const figures: Figures = {
        kills: 0,
        killsUnderWay: 0,
        answersLost: 0,
        writesAfterKill: 0,
        brokenConnections: 0,
        conflicts: 0,
        refusals: 0,
        replays: 0,
        conflictsAfterRestart: 0,
      };
      const store = await open();
      try {
        await play(store, figures);
        expect(figures.kills).toBeGreaterThanOrEqual(ROUNDS / 2);
        // A kill after all answers would prove nothing.
        expect(figures.killsUnderWay).toBeGreaterThan(figures.kills / 2);
      } finally {
        await store.dispose();
        const seconds = Math.round((performance.now() - startedAt) / SECOND_MS);
        process.stdout.write(`${name}: ${ROUNDS} rounds in ${seconds} s, ${JSON.stringify(figures)}\n`);
      }
    },
    TEST_MS_MAX,
  );
}
