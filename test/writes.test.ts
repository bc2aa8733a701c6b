import { sql } from "kysely";
import { pino } from "pino";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "../src/app/config.js";
import { servicePipeline } from "../src/app/service-pipeline.js";
import type { PlanKey } from "../src/contract/access/plans.js";
import { failure } from "../src/contract/failures.js";
import { type RegisteredWrite, write } from "../src/contract/write.js";
import type { IdempotencyStore } from "../src/database/idempotency.js";
import type { IdentifiedAnswer } from "../src/http/exchange.js";
import type { Pipeline } from "../src/http/pipeline.js";
import { HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import type { WrittenWatch } from "../src/services/watches/served-watch.js";
import { probeDatabase, probePorts, probeWrite } from "./support/probe-writes.js";
import { call, json, type Stack, startStack } from "./support/stack.js";

const WRITE = "/api/probe/v1/write";
const OTHER_WRITE = "/api/probe/v1/write-other";
const HELD = "/api/probe/v1/write-held";
const OPEN = "/api/probe/v1/write-open";
const CREATE = "/api/probe/v1/create";
const BODY = '{"name":"a"}';
const KEPT_BYTES_MAX = 262_144;
const KEY_REUSED = {
  error: "idempotency_key_reused",
  message: "This Idempotency-Key was used before with another request body; use a new key",
};
const STILL_RUNNING = {
  error: "idempotency_conflict",
  message: "The first request with this Idempotency-Key is still running; repeat this one later",
};
const KEY_INVALID = {
  error: "invalid_idempotency_key",
  message: "Idempotency-Key must be 1 to 255 visible ASCII characters without spaces",
};

/** An answer with a link to a feed. */
interface Linked {
  readonly feedPath: string;
}

type Headers = Readonly<Record<string, string>>;

/** The last step of the declared write, after it has stored its row. Returns the text of the answer, or throws. */
type Ending = () => { readonly text: string };

const counted: Ending = () => ({ text: `{ "count": ${probe.runs} }` });

/** An answer of exactly this many bytes. */
function sized(bytes: number): Ending {
  return () => ({ text: JSON.stringify(`${probe.runs}`.padEnd(bytes - 2, "x")) });
}

function refusing(error: Error): Ending {
  return () => {
    throw error;
  };
}

const probe = { runs: 0, ending: counted, gate: Promise.resolve() };

/** Declares a write that stores one row and then ends as the test specifies. */
function probeRow(
  path: string,
  more: { readonly isOpen?: boolean; readonly isTransaction?: boolean; readonly success?: 201 } = {},
): RegisteredWrite {
  return probeWrite(
    write({
      rpc: path.split("/").at(-1) ?? "",
      ...(more.success && { success: more.success }),
      summary: "Writes one row",
      description: "Writes one row and returns how often it ran.",
      access: more.isOpen ? "open" : { scope: "read" },
      repeats: "replayed",
      isTransaction: more.isTransaction ?? true,
      uses: { db: probeDatabase },
      request: Type.Object({ name: Type.String() }),
      example: { name: "a" },
      response: Type.Unknown(),
      async run({ name }, { ports: { db } }) {
        probe.runs += 1;
        await sql`insert into probe_row (name) values (${name})`.execute(db);
        await probe.gate;
        return probe.ending();
      },
    }),
  );
}

const writes = [
  probeRow(WRITE),
  probeRow(OTHER_WRITE),
  probeRow(HELD, { isTransaction: false }),
  probeRow(OPEN, { isOpen: true }),
  probeRow(CREATE, { success: 201 }),
];

let stack: Stack;
let answer: Pipeline;
let owner: Headers;
let keys = 0;

beforeAll(async () => {
  stack = await startStack();
  owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  answer = pipelineWith(stack.service.idempotency);
  await sql`create table probe_row (name varchar(40) not null)`.execute(stack.service.database.db);
}, 60_000);
afterAll(() => stack.close());
beforeEach(async () => {
  Object.assign(probe, { runs: 0, ending: counted, gate: Promise.resolve() });
  await sql`delete from probe_row`.execute(stack.service.database.db);
  // Advances the clock, so that the limits that the previous test used up are reset.
  stack.clock.advance(MINUTE_MS);
});

function pipelineWith(idempotency: IdempotencyStore, env: Headers = {}): Pipeline {
  const { clock } = stack;
  const services = { ...stack.services, writes: [...stack.services.writes, ...writes] };
  const service = { ...stack.service, idempotency };
  const config = loadConfig(env, []);
  const log = pino({ level: "silent" });
  return servicePipeline({ config, service, services, clock, log, simulated: true, ports: probePorts }, () => true);
}

function newKey(): string {
  keys += 1;
  return `key-${keys}`;
}

interface PostOptions {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Headers;
  readonly from?: string;
  readonly pipeline?: Pipeline;
}

/** Sends a POST with this Idempotency-Key, or without one. */
function post(key: string | undefined, options: PostOptions = {}): Promise<IdentifiedAnswer> {
  const { path = WRITE, body = BODY, headers = owner, from = "127.0.0.1", pipeline = answer } = options;
  const sentHeaders = {
    ...headers,
    "content-type": "application/json",
    ...(key !== undefined && { "idempotency-key": key }),
  };
  return call(pipeline, "POST", path, sentHeaders, { body, from });
}

async function rows(): Promise<number> {
  const stored = await sql<{ name: string }>`select name from probe_row`.execute(stack.service.database.db);
  return stored.rows.length;
}

function headersOf({ headers }: IdentifiedAnswer) {
  return [headers["Idempotency-Key"], headers["Idempotent-Replayed"]];
}

/** The parts of an answer that a repeat must share with the first answer. */
function contentOf({ status, headers, body }: IdentifiedAnswer) {
  return { status, type: headers["Content-Type"], body: String(body) };
}

/** Creates an account on this plan with one key, and returns the headers with the key. */
async function keyOn(plan: PlanKey): Promise<Headers> {
  const { accounts } = stack.service.access;
  const by = { actor: "test" };
  const account = await accounts.create({ name: plan, plan }, by);
  const keyOptions = { name: "key", scopes: new Set(["read"] as const), expiresAt: null };
  const createdKey = account && (await accounts.createKey({ ...keyOptions, accountId: account.id }, by));
  if (typeof createdKey !== "object") throw new Error(`no key: ${createdKey}`);
  return { "x-service-key": createdKey.key };
}

describe("a repeated request", () => {
  test("runs again if it has no Idempotency-Key, and its answer has no idempotency headers", async () => {
    const answers = [await post(undefined), await post(undefined)];
    expect(answers.map(({ body }) => String(body))).toEqual(['{ "count": 1 }', '{ "count": 2 }']);
    expect(answers.map(headersOf)).toEqual(answers.map(() => [undefined, undefined]));
    expect(await rows()).toBe(2);
  });

  test("gets the first answer byte for byte and writes nothing", async () => {
    const key = newKey();
    probe.ending = () => ({ text: '{ "é" : [1,2] }' });
    const firstAnswer = await post(key, { path: CREATE });
    const repeat = await post(key, { path: CREATE });
    expect(headersOf(firstAnswer)).toEqual([key, "false"]);
    expect(headersOf(repeat)).toEqual([key, "true"]);
    expect(contentOf(firstAnswer)).toEqual({
      status: 201,
      type: "application/json; charset=utf-8",
      body: '{ "é" : [1,2] }',
    });
    expect(contentOf(repeat)).toEqual(contentOf(firstAnswer));
    expect(repeat.headers["Cache-Control"]).toBe("no-store");
    expect([probe.runs, await rows()]).toEqual([1, 1]);
  });

  test("does not count against the caller's limits", async () => {
    const headers = await keyOn("starter");
    const key = newKey();
    await post(key, { headers });
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(key, { headers })));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await post(newKey(), { headers })).limitHeaders["RateLimit"]).toContain("r=58");
  });

  test("is replayed for 24 hours and then runs again", async () => {
    const key = newKey();
    await post(key);
    stack.clock.advance(24 * HOUR_MS - 1);
    expect(headersOf(await post(key))).toEqual([key, "true"]);
    stack.clock.advance(1);
    const later = await post(key);
    expect([headersOf(later), String(later.body)]).toEqual([[key, "false"], '{ "count": 2 }']);
  });

  test("runs once when many copies arrive at the same time; the other calls get 409 or the same answer", async () => {
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post(key)));
    const done = answers.filter(({ status }) => status === 200);
    expect(new Set(done.map(({ body }) => String(body)))).toEqual(new Set(['{ "count": 1 }']));
    expect(done.filter((answer) => headersOf(answer)[1] === "false")).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.map(json)).toEqual(others.map(() => STILL_RUNNING));
    expect([probe.runs, await rows()]).toEqual([1, 1]);
  });
});

describe("replays", () => {
  test("are limited per minute; calls with a new key are not replays", async () => {
    const pipeline = pipelineWith(stack.service.idempotency, { VIGIL_LIMITS: "replays=2" });
    const key = newKey();
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await post(key, { pipeline })).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await rows()).toBe(1);
    // A first call is not a replay, and the next minute allows replays again.
    expect((await post(newKey(), { pipeline })).status).toBe(200);
    stack.clock.advance(MINUTE_MS);
    expect(headersOf(await post(key, { pipeline }))).toEqual([key, "true"]);
  });
});

describe("an error answer", () => {
  const asProblem = { accept: "application/problem+json" };

  test("is replayed in its original form", async () => {
    const key = newKey();
    const invalidRequest = { body: '{"name":1}', headers: { ...owner, ...asProblem } };
    const firstAnswer = await post(key, invalidRequest);
    const repeat = await post(key, invalidRequest);
    expect(contentOf(firstAnswer)).toMatchObject({ status: 400, type: "application/problem+json" });
    expect(contentOf(repeat)).toEqual({ ...contentOf(firstAnswer), body: expect.stringContaining('"violations"') });
    expect([headersOf(firstAnswer), headersOf(repeat)]).toEqual([
      [key, "false"],
      [key, "true"],
    ]);
  });

  test("echoes the key after a fault and is not replayed", async () => {
    const key = newKey();
    probe.ending = refusing(new Error("broken"));
    const faultAnswer = await post(key);
    expect([faultAnswer.status, ...headersOf(faultAnswer)]).toEqual([500, key, "false"]);
    probe.ending = counted;
    expect(headersOf(await post(key))).toEqual([key, "false"]);
    expect(await rows()).toBe(1);
  });
});

describe("the body of a repeat", () => {
  test.each([
    ["another value", '{"name":"b"}'],
    ["other spacing", '{"name": "a"}'],
    ["a further member", '{"name":"a","more":1}'],
    ["not even JSON", "{"],
  ])("is refused when it differs from the first body: %s", async (_name, body) => {
    const key = newKey();
    await post(key);
    const refused = await post(key, { body });
    expect([refused.status, json(refused)]).toEqual([422, KEY_REUSED]);
    expect(refused.headers["Idempotency-Key"]).toBe(key);
    expect(refused.headers).not.toHaveProperty("Retry-After");
    expect(headersOf(await post(key))).toEqual([key, "true"]);
    expect(await rows()).toBe(1);
  });

  test("is compared byte for byte, so another order of members is another body", async () => {
    const key = newKey();
    await post(key, { body: '{"name":"a","x":1}' });
    expect((await post(key, { body: '{"x":1,"name":"a"}' })).status).toBe(422);
    expect((await post(key, { body: '{"name":"a","x":1}' })).status).toBe(200);
  });
});

describe("a first call that is still running", () => {
  /** Starts a first call and holds it in the middle of its work. */
  async function heldCall(key: string) {
    let release: () => void = () => undefined;
    probe.gate = new Promise((resolve) => {
      release = resolve;
    });
    const firstAnswer = post(key, { path: HELD });
    while (probe.runs === 0) await new Promise((resolve) => setImmediate(resolve));
    return { firstAnswer, release };
  }

  test("refuses a repeat with 409 and Retry-After 2; a repeat after the end of the call gets its answer", async () => {
    const key = newKey();
    const { firstAnswer, release } = await heldCall(key);
    const early = await post(key, { path: HELD });
    expect([early.status, json(early)]).toEqual([409, STILL_RUNNING]);
    expect(early.headers).toMatchObject({ "Retry-After": "2", "Idempotency-Key": key, "Cache-Control": "no-store" });
    release();
    expect(headersOf(await firstAnswer)).toEqual([key, "false"]);
    const late = await post(key, { path: HELD });
    expect([headersOf(late), contentOf(late)]).toEqual([[key, "true"], contentOf(await firstAnswer)]);
    expect(await rows()).toBe(1);
  });

  test("makes a repeat with another body fail permanently, and delays no call with another key", async () => {
    const key = newKey();
    const { firstAnswer, release } = await heldCall(key);
    expect((await post(key, { path: HELD, body: '{"name":"b"}' })).status).toBe(422);
    probe.gate = Promise.resolve();
    expect((await post(newKey(), { path: HELD })).status).toBe(200);
    release();
    expect((await firstAnswer).status).toBe(200);
  });
});

test("if another process removes the claim of a call, the call is undone and gets 409, and a repeat runs again", async () => {
  const { idempotency } = stack.service;
  const pipeline = pipelineWith({
    ...idempotency,
    async finish(on, token, stored) {
      // A process whose clock is ahead removes the claim as expired.
      await on.deleteFrom("idempotency_claim").where("claim", "=", token.claim).execute();
      return idempotency.finish(on, token, stored);
    },
  });
  const key = newKey();
  const lost = await post(key, { pipeline });
  expect([lost.status, json(lost), lost.headers["Retry-After"]]).toEqual([409, STILL_RUNNING, "2"]);
  expect(await rows()).toBe(0);
  const repeat = await post(key);
  expect([repeat.status, headersOf(repeat), await rows()]).toEqual([200, [key, "false"], 1]);
});

describe("a stored answer", () => {
  test.each([
    ["a body that is not JSON", "{", { message: "Invalid request body" }],
    ["a body of the wrong shape", "{}", { violations: [{ field: "name", description: "is required" }] }],
  ])("can be a 400 for %s", async (_name, body, expected) => {
    const key = newKey();
    const firstAnswer = await post(key, { body });
    const repeat = await post(key, { body });
    expect([firstAnswer.status, json(firstAnswer)]).toEqual([400, expected]);
    expect(contentOf(repeat)).toEqual(contentOf(firstAnswer));
    expect([headersOf(firstAnswer), headersOf(repeat)]).toEqual([
      [key, "false"],
      [key, "true"],
    ]);
    expect(probe.runs).toBe(0);
  });

  test.each([
    ["404", failure("itemNotFound", { what: "thing" })],
    ["403", failure("operatorOnly", null)],
    ["422", failure("idempotencyKeyReused", null)],
  ])("can be a %s from the write itself, in which case its row is not stored", async (_name, error) => {
    const key = newKey();
    probe.ending = refusing(error);
    const firstAnswer = await post(key);
    probe.ending = counted;
    const repeat = await post(key);
    expect([firstAnswer.status, json(firstAnswer)]).toEqual([error.status, error.body]);
    expect(contentOf(repeat)).toEqual(contentOf(firstAnswer));
    expect(headersOf(repeat)).toEqual([key, "true"]);
    expect([probe.runs, await rows()]).toEqual([1, 0]);
  });

  test("can have 262,144 bytes", async () => {
    const key = newKey();
    probe.ending = sized(KEPT_BYTES_MAX);
    const firstAnswer = await post(key);
    const repeat = await post(key);
    expect(Buffer.byteLength(String(firstAnswer.body))).toBe(KEPT_BYTES_MAX);
    expect(contentOf(repeat)).toEqual(contentOf(firstAnswer));
    expect(headersOf(repeat)).toEqual([key, "true"]);
  });
});

describe("an answer that is not stored", () => {
  const limits = { "Retry-After": "1" };
  test.each([
    ["409", failure("conflict", { sentence: "No" })],
    ["429", failure("tooManyRequests", { headers: limits })],
    ["500", failure("internal", null)],
    ["503", failure("limiterUnavailable", null)],
  ])("can be a %s: the write is undone, and a repeat runs again", async (_name, error) => {
    const key = newKey();
    probe.ending = refusing(error);
    const firstAnswer = await post(key);
    expect([firstAnswer.status, json(firstAnswer), headersOf(firstAnswer)]).toEqual([
      error.status,
      error.body,
      [key, "false"],
    ]);
    expect(await rows()).toBe(0);
    probe.ending = counted;
    const repeat = await post(key);
    expect([repeat.status, headersOf(repeat), String(repeat.body)]).toEqual([200, [key, "false"], '{ "count": 2 }']);
    expect(await rows()).toBe(1);
  });

  test("can be a fault: the write is undone, the error text is hidden, and the key accepts another body", async () => {
    const key = newKey();
    probe.ending = refusing(new Error("an internal secret"));
    const failed = await post(key);
    expect([failed.status, json(failed)]).toEqual([500, { message: "Internal server error" }]);
    expect(await rows()).toBe(0);
    probe.ending = counted;
    const repeat = await post(key, { body: '{"name":"b"}' });
    expect([repeat.status, headersOf(repeat)]).toEqual([200, [key, "false"]]);
    expect(await rows()).toBe(1);
  });

  test("can exceed 262,144 bytes: the caller gets it, the write is kept, and a repeat runs again", async () => {
    const key = newKey();
    probe.ending = sized(KEPT_BYTES_MAX + 1);
    const answers = [await post(key), await post(key)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(headersOf)).toEqual([
      [key, "false"],
      [key, "false"],
    ]);
    expect([probe.runs, await rows()]).toEqual([2, 2]);
  });

  test("can be a refusal by a limit, because limits are checked before the key is claimed", async () => {
    const headers = await keyOn("starter");
    await Promise.all(Array.from({ length: 60 }, () => post(undefined, { headers })));
    const key = newKey();
    const refused = await post(key, { headers });
    expect([refused.status, headersOf(refused)]).toEqual([429, [key, "false"]]);
    stack.clock.advance(MINUTE_MS);
    expect(headersOf(await post(key, { headers }))).toEqual([key, "false"]);
    expect(await rows()).toBe(61);
  });
});

describe("an Idempotency-Key", () => {
  test.each([
    ["empty", ""],
    ["a space", " "],
    ["with a space", "a b"],
    ["with a tab", "a\tb"],
    ["of 256 characters", "k".repeat(256)],
    ["with a letter beyond ASCII", "clé"],
    ["with a control character", "a\x7f"],
  ])("is refused with a 400 if it is invalid, and nothing runs: %s", async (_name, key) => {
    const refused = await post(key);
    expect([refused.status, json(refused)]).toEqual([400, KEY_INVALID]);
    expect([probe.runs, await rows()]).toEqual([0, 0]);
  });

  test("may have 255 characters and every visible ASCII character", async () => {
    const visible = Array.from({ length: 0x7e - 0x20 }, (_, index) => String.fromCharCode(0x21 + index)).join("");
    for (const key of [visible, "k".repeat(255)]) {
      expect(headersOf(await post(key))).toEqual([key, "false"]);
      expect(headersOf(await post(key))).toEqual([key, "true"]);
    }
  });

  test("is case-sensitive", async () => {
    const key = newKey();
    await post(key);
    expect(headersOf(await post(key.toUpperCase()))[1]).toBe("false");
  });

  test("makes a separate claim on another path", async () => {
    const key = newKey();
    await post(key);
    expect(headersOf(await post(key, { path: OTHER_WRITE }))).toEqual([key, "false"]);
    expect(await rows()).toBe(2);
  });

  test("makes the same claim on the path with a trailing slash", async () => {
    const key = newKey();
    await post(key);
    expect(headersOf(await post(key, { path: `${WRITE}/` }))).toEqual([key, "true"]);
  });

  test("makes a separate claim for another caller, whatever the body", async () => {
    const [key, headers] = [newKey(), await keyOn("starter")];
    await post(key);
    expect(headersOf(await post(key, { headers, body: '{"name":"b"}' }))).toEqual([key, "false"]);
    expect(await rows()).toBe(2);
  });

  test("makes a separate claim for each address if the caller has no credential", async () => {
    const key = newKey();
    const from = (address: string) => post(key, { path: OPEN, headers: {}, from: address });
    expect(headersOf(await from("203.0.113.1"))).toEqual([key, "false"]);
    expect(headersOf(await from("203.0.113.2"))).toEqual([key, "false"]);
    expect(headersOf(await from("203.0.113.1"))).toEqual([key, "true"]);
  });

  test.each(["", "a key"])("is ignored on a GET: %j", async (key) => {
    const headers = { ...owner, "idempotency-key": key };
    const answers = await Promise.all([1, 2].map(() => call(answer, "GET", "/api/version", headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(headersOf)).toEqual(answers.map(() => [undefined, undefined]));
  });

  test.each(["same-key", ""])("is ignored when the answer shows a secret: %j", async (key) => {
    const path = "/api/account/v1/create-key";
    const answers = [await post(key, { path }), await post(key, { path })];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(answers.map(headersOf)).toEqual(answers.map(() => [undefined, undefined]));
    const shown = answers.map((created) => (json(created) as { key: string }).key);
    expect(new Set(shown).size).toBe(2);
    const stored = await stack.service.database.db.selectFrom("idempotency_claim").select("body").execute();
    expect(stored.filter(({ body }) => shown.some((secret) => body?.includes(secret)))).toEqual([]);
  });

  test("stores no link to a feed: a new link ignores the key, and a created watch comes without its link", async () => {
    const sent = (path: string, body: object) => post(newKey(), { path, body: JSON.stringify(body) });
    const company = json(await sent("/api/company-monitoring/v1/rotate-company-event-feed", {})) as Linked;
    const key = newKey();
    const body = JSON.stringify({ name: "A", call: "/api/seismology/v1/list-earthquakes", on: "WATCH_ON_CHANGED" });
    const create = () => post(key, { path: "/api/watches/v1/create-watch", body });
    const [created, repeated] = [await create(), await create()];
    expect([created, repeated].map(headersOf)).toEqual([
      [key, "false"],
      [key, "true"],
    ]);
    expect(String(repeated.body)).toBe(String(created.body));
    const { watch } = json(created) as { readonly watch: WrittenWatch };
    const rotated = json(await sent("/api/watches/v1/rotate-watch-feed", { watchId: watch.watchId })) as {
      readonly watch: Linked;
    };
    const links = [company.feedPath, rotated.watch.feedPath];
    expect(links).toEqual(links.map(() => expect.stringContaining("?token=")));
    const stored = await stack.service.database.db.selectFrom("idempotency_claim").select("body").execute();
    expect(stored.filter(({ body: text }) => text?.includes("?token="))).toEqual([]);
  });
});

describe("an unavailable claim store", () => {
  const down = async (): Promise<never> => {
    throw new Error("the store is down");
  };

  test("lets calls run as if they had no key and still echoes the key, unless the database itself has failed", async () => {
    const pipeline = pipelineWith({ look: down, take: down, finish: down, release: down, heartbeat: down });
    const key = newKey();
    const answers = [await post(key, { pipeline }), await post(key, { pipeline })];
    expect(answers.map(({ status, body }) => [status, String(body)])).toEqual([
      [200, '{ "count": 1 }'],
      [200, '{ "count": 2 }'],
    ]);
    expect(answers.map(headersOf)).toEqual(answers.map(() => [key, "false"]));
    expect(await rows()).toBe(2);
  });

  test("leads to a 503 if the database itself has failed, so that no write runs without a claim after the recovery", async () => {
    const full = async (): Promise<never> => {
      throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
    };
    const key = newKey();
    for (const broken of [{ look: full }, { take: full }]) {
      const refused = await post(key, { pipeline: pipelineWith({ ...stack.service.idempotency, ...broken }) });
      expect(refused.status).toBe(503);
      expect(headersOf(refused)).toEqual([key, "false"]);
    }
    expect(await rows()).toBe(0);
    expect([(await post(key)).status, (await post(key)).status, await rows()]).toEqual([200, 200, 1]);
  });

  test("makes a call fail if its answer cannot be stored, and undoes the write of the call", async () => {
    const pipeline = pipelineWith({ ...stack.service.idempotency, finish: down });
    const key = newKey();
    expect((await post(key, { pipeline })).status).toBe(500);
    expect(await rows()).toBe(0);
  });
});
