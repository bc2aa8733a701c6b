import { createHash } from "node:crypto";
import { Type } from "typebox";
import { afterAll, beforeAll, expect } from "vitest";
import { failure } from "../../src/contract/failures.js";
import { type RegisteredWrite, write } from "../../src/contract/write.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { type Headers, keyOn, makeAccount, makeKey } from "../support/callers.js";
import { probeWrite } from "../support/probe-writes.js";
import { refusedFields, type Sentence, sentHeaders, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Sentences of section 10 of the contract's NOTES.md, with ruling 14. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const WRITE = "/api/probe/v1/write";
const OTHER_WRITE = "/api/probe/v1/write-other";
const OPEN = "/api/probe/v1/write-open";
const KEPT_BYTES_MAX = 262_144;
const BODY = '{"name":"a"}';

/** The behaviour of the probe writes, and how often they have run. */
const probe = {
  runs: 0,
  ending: (): { readonly text: string } => ({ text: `{"run":${probe.runs}}` }),
  gate: Promise.resolve(),
};
const plainEnding = probe.ending;

function countingWrite(path: string, access: "open" | { readonly scope: string } = { scope: "read" }): RegisteredWrite {
  return probeWrite(
    write({
      rpc: path.split("/").at(-1) ?? "",
      summary: "Writes",
      description: "Counts its runs.",
      access,
      repeats: "replayed",
      isTransaction: false,
      uses: {},
      request: Type.Object({ name: Type.String() }),
      example: { name: "a" },
      response: Type.Unknown(),
      async run() {
        probe.runs += 1;
        await probe.gate;
        return probe.ending();
      },
    }),
  );
}

let stack: Stack;
let owner: Headers;
beforeAll(async () => {
  stack = await startStack({
    writes: [countingWrite(WRITE), countingWrite(OTHER_WRITE), countingWrite(OPEN, "open")],
  });
  owner = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  await stack.run("us-cpi");
}, 60_000);
afterAll(() => stack.close());

let keys = 0;
function freshKey(): string {
  keys += 1;
  return `key-${keys}`;
}

interface PostOptions {
  readonly path?: string;
  readonly body?: string;
  readonly headers?: Headers;
  readonly from?: string;
}

/** Sends a POST with this Idempotency-Key, or without one. */
function post(key: string | undefined, options: PostOptions = {}): Promise<IdentifiedAnswer> {
  const { path = WRITE, body = BODY, headers = owner, from = "127.0.0.1" } = options;
  const sent = { ...headers, "content-type": "application/json", ...(key !== undefined && { "idempotency-key": key }) };
  return call(stack.answer, "POST", path, sent, { body, from });
}

const batch = (...paths: readonly string[]): string => JSON.stringify({ operations: paths.map((path) => ({ path })) });

const replayedOf = ({ headers }: IdentifiedAnswer): string | undefined => headers["Idempotent-Replayed"];

/** True if the second of two equal calls was answered from the store. */
async function isReplayed(key: string, options: PostOptions = {}): Promise<boolean> {
  const first = await post(key, options);
  expect(replayedOf(first)).toBe("false");
  const second = await post(key, options);
  if (replayedOf(second) === "true") {
    expect([second.status, String(second.body)]).toEqual([first.status, String(first.body)]);
  }
  return replayedOf(second) === "true";
}

/** Runs a check. Meanwhile, the probe writes end by calling `end`, which returns their answer or throws. */
async function ending(end: typeof probe.ending, check: () => Promise<void>): Promise<void> {
  probe.ending = end;
  try {
    await check();
  } finally {
    probe.ending = plainEnding;
  }
}

const throwing = (error: Error) => (): never => {
  throw error;
};

const theKey: readonly Sentence[] = [
  ...["k", "!", "~", "a/b:c=d", "k".repeat(255), '"quoted"'].map(
    (key): Sentence => ({
      place: "NOTES §10",
      sentence: `a key of 1 to 255 visible ASCII characters is accepted: ${key.slice(0, 20)}`,
      check: async () => expect(await isReplayed(key)).toBe(true),
    }),
  ),
  ...["", " ", "a b", "k".repeat(256), "ké", "a\tb", "\u007f"].map(
    (key): Sentence => ({
      place: "NOTES §10, §6 400",
      sentence: `a key that is empty, too long or not all visible ASCII is a 400: ${JSON.stringify(key.slice(0, 20))}`,
      async check() {
        const before = probe.runs;
        const answer = await post(key);
        expect([answer.status, json(answer)]).toEqual([
          400,
          { error: "invalid_idempotency_key", message: expect.stringMatching(/./) },
        ]);
        expect(probe.runs).toBe(before);
      },
    }),
  ),
  {
    place: "NOTES §10",
    sentence: "replays are opt-in: a POST without a key runs each time, and its answer has no replay headers",
    async check() {
      const before = probe.runs;
      for (const answer of [await post(undefined), await post(undefined)]) {
        expect(answer.headers).not.toHaveProperty("Idempotent-Replayed");
        expect(answer.headers).not.toHaveProperty("Idempotency-Key");
      }
      expect(probe.runs).toBe(before + 2);
    },
  },
  {
    place: "NOTES §10",
    sentence: "a GET ignores the key, even an invalid one",
    async check() {
      const answer = await stack.get(CPI, { ...owner, "idempotency-key": "" });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty("Idempotent-Replayed");
    },
  },
  {
    place: "NOTES §10",
    sentence: "batch execute accepts a key",
    async check() {
      const options = { path: BATCH, body: batch(CPI) };
      expect(await isReplayed(freshKey(), options)).toBe(true);
      expect((await post("", options)).status).toBe(400);
    },
  },
];

const claims: readonly Sentence[] = [
  {
    place: "NOTES §10",
    sentence: "a claim is identified by caller, path and key: the same key on another path is a separate claim",
    async check() {
      const key = freshKey();
      expect(replayedOf(await post(key))).toBe("false");
      expect(replayedOf(await post(key, { path: OTHER_WRITE }))).toBe("false");
      expect(replayedOf(await post(key))).toBe("true");
    },
  },
  {
    place: "NOTES §10",
    sentence: "two principals have separate claims, even if they are keys of the same account",
    async check() {
      const [key, account] = [freshKey(), await makeAccount(stack, "starter")];
      for (const created of [await makeKey(stack, account), await makeKey(stack, account)]) {
        expect(replayedOf(await post(key, { headers: { "x-service-key": created.key } }))).toBe("false");
      }
    },
  },
  {
    place: "NOTES §10",
    sentence: "a caller without a credential is identified by its address",
    async check() {
      const key = freshKey();
      const from = (address: string) => post(key, { path: OPEN, headers: {}, from: address });
      expect(replayedOf(await from("192.0.2.1"))).toBe("false");
      expect(replayedOf(await from("192.0.2.2"))).toBe("false");
      expect(replayedOf(await from("192.0.2.1"))).toBe("true");
    },
  },
  {
    place: "NOTES §10",
    sentence: "a claim is stored under a hash, and neither the Idempotency-Key nor the caller's API key is stored",
    async check() {
      const key = "never-stored-as-it-came";
      const created = await makeKey(stack, await makeAccount(stack, "starter"));
      expect((await post(key, { headers: { "x-service-key": created.key } })).status).toBe(200);
      const rows = await stack.service.database.db.selectFrom("idempotency_claim").selectAll().execute();
      const own = rows.filter(({ owner }) => owner.includes(created.card.accountId));
      expect(own).toMatchObject([{ claim: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
      for (const plain of [key, created.key, created.card.id]) expect(JSON.stringify(rows)).not.toContain(plain);
    },
  },
  {
    place: "NOTES §10",
    sentence: "bodies are compared by the SHA-256 of their raw bytes, so spacing and order matter",
    async check() {
      const key = freshKey();
      await post(key, { body: '{"name":"a","x":1}' });
      for (const body of ['{"name": "a","x":1}', '{"x":1,"name":"a"}', '{"name":"a","x":1} ']) {
        expect((await post(key, { body })).status).toBe(422);
      }
      expect(replayedOf(await post(key, { body: '{"name":"a","x":1}' }))).toBe("true");
      const rows = await stack.service.database.db.selectFrom("idempotency_claim").selectAll().execute();
      expect(JSON.stringify(rows)).toContain(createHash("sha256").update('{"name":"a","x":1}').digest("hex"));
    },
  },
  {
    place: "NOTES §10",
    sentence: "a completed call is replayed for 24 h",
    async check() {
      const key = freshKey();
      await post(key);
      const at = stack.clock.now();
      stack.clock.set(at + 24 * HOUR_MS - 1);
      expect(replayedOf(await post(key))).toBe("true");
      stack.clock.set(at + 24 * HOUR_MS);
      expect(replayedOf(await post(key))).toBe("false");
    },
  },
];

/** Starts a first call, and holds it until the test calls `end`. */
async function held(key: string): Promise<{ readonly first: Promise<IdentifiedAnswer>; readonly end: () => void }> {
  let end = (): void => undefined;
  probe.gate = new Promise((resolve) => {
    end = resolve;
  });
  const before = probe.runs;
  const first = post(key);
  await expect.poll(() => probe.runs, { interval: 1 }).toBe(before + 1);
  probe.gate = Promise.resolve();
  return { first, end };
}

const running: readonly Sentence[] = [
  {
    place: "NOTES §10, §6 409",
    sentence: "while the first call runs, a repeat is a 409 with Retry-After 2 and the Idempotency-Key",
    async check() {
      const key = freshKey();
      const { first, end } = await held(key);
      const early = await post(key);
      expect([early.status, json(early)]).toEqual([
        409,
        { error: "idempotency_conflict", message: expect.stringMatching(/./) },
      ]);
      expect(sentHeaders(early)).toMatchObject({ "Retry-After": "2", "Idempotency-Key": key });
      end();
      expect((await first).status).toBe(200);
      expect(replayedOf(await post(key))).toBe("true");
    },
  },
  {
    place: "NOTES §10, §6 422",
    sentence: "while the first call runs, a repeat with another body is a 422",
    async check() {
      const key = freshKey();
      const { first, end } = await held(key);
      const other = await post(key, { body: '{"name":"b"}' });
      expect([other.status, other.headers["Idempotency-Key"]]).toEqual([422, key]);
      expect(sentHeaders(other)).not.toHaveProperty("Retry-After");
      end();
      expect((await first).status).toBe(200);
    },
  },
  {
    place: "NOTES §10",
    sentence: "the lock that a running call holds on its key expires after 180 s",
    async check() {
      const key = freshKey();
      const { first, end } = await held(key);
      stack.clock.advance(180 * SECOND_MS - 1);
      expect((await post(key)).status).toBe(409);
      stack.clock.advance(1);
      const second = await post(key);
      expect([second.status, replayedOf(second)]).toEqual([200, "false"]);
      end();
      await first;
    },
  },
];

const storedFailures = [failure("scopeMissing", { scope: "x" }), failure("itemNotFound", { what: "thing" })];
const failuresNotStored = [
  failure("conflict", { sentence: "No" }),
  failure("tooManyRequests", { headers: {} }),
  failure("internal", null),
  failure("limiterUnavailable", null),
];

const stored: readonly Sentence[] = [
  {
    place: "NOTES §10",
    sentence: "status, body and content type are stored and replayed",
    async check() {
      const options = { headers: { ...owner, accept: "application/problem+json" }, body: '{"name":1}' };
      const key = freshKey();
      const [first, second] = [await post(key, options), await post(key, options)];
      expect(replayedOf(second)).toBe("true");
      for (const answer of [first, second]) {
        expect([answer.status, answer.headers["Content-Type"]]).toEqual([400, "application/problem+json"]);
      }
      expect(String(second.body)).toBe(String(first.body));
    },
  },
  ...["{", "{}", '{"name":1}'].map(
    (body): Sentence => ({
      place: "NOTES §10, §16.7",
      sentence: `the 400 for an invalid body is stored and replayed: ${body}`,
      check: async () => expect(await isReplayed(freshKey(), { body })).toBe(true),
    }),
  ),
  {
    place: "NOTES §10, §16.7",
    sentence: "the 400 of a batch is stored and replayed",
    async check() {
      const options = { path: BATCH, body: '{"operations":[]}' };
      const key = freshKey();
      expect(await isReplayed(key, options)).toBe(true);
      expect(refusedFields(await post(key, options))).toEqual(["operations"]);
    },
  },
  ...storedFailures.map(
    (error): Sentence => ({
      place: "NOTES §10",
      sentence: `a ${error.status} is stored and replayed`,
      check: () => ending(throwing(error), async () => expect(await isReplayed(freshKey())).toBe(true)),
    }),
  ),
  ...failuresNotStored.map(
    (error): Sentence => ({
      place: "NOTES §10",
      sentence: `a ${error.status} is not stored, and its lock is released`,
      async check() {
        const key = freshKey();
        await ending(throwing(error), async () => expect((await post(key)).status).toBe(error.status));
        const second = await post(key, { body: '{"name":"b"}' });
        expect([second.status, replayedOf(second)]).toEqual([200, "false"]);
      },
    }),
  ),
  {
    place: "NOTES §10",
    sentence: "an answer with a body of 256 KiB is stored, and one with a byte more is not",
    async check() {
      const sized = (bytes: number) => () => ({ text: JSON.stringify("x".repeat(bytes - 2)) });
      await ending(sized(KEPT_BYTES_MAX), async () => expect(await isReplayed(freshKey())).toBe(true));
      await ending(sized(KEPT_BYTES_MAX + 1), async () => expect(await isReplayed(freshKey())).toBe(false));
    },
  },
];

const answers: readonly Sentence[] = [
  {
    place: "NOTES §10",
    sentence: "the first answer has the key and Idempotent-Replayed: false",
    async check() {
      const key = freshKey();
      expect((await post(key)).headers).toMatchObject({ "Idempotency-Key": key, "Idempotent-Replayed": "false" });
    },
  },
  {
    place: "NOTES §10",
    sentence: "a replay has the same status and body, Idempotent-Replayed: true and no-store",
    async check() {
      const key = freshKey();
      const [first, second] = [await post(key), await post(key)];
      expect([second.status, String(second.body)]).toEqual([first.status, String(first.body)]);
      expect(second.headers).toMatchObject({
        "Idempotency-Key": key,
        "Idempotent-Replayed": "true",
        "Cache-Control": "no-store",
      });
    },
  },
  {
    place: "NOTES §10",
    sentence: "a replay of a batch has the data of the first call, even after a new build",
    async check() {
      const options = { path: BATCH, body: batch(`${CPI}?jmespath=months`) };
      const key = freshKey();
      const first = await post(key, options);
      stack.clock.advance(HOUR_MS);
      await stack.run("us-cpi");
      expect(String((await post(key, options)).body)).toBe(String(first.body));
    },
  },
  {
    place: "NOTES §10",
    sentence: "a replay does not count against any rate limit",
    async check() {
      const headers = { "x-service-key": await keyOn(stack, "starter") };
      const [key, options] = [freshKey(), { path: BATCH, body: batch(CPI), headers }];
      const left = (answer: IdentifiedAnswer) => sentHeaders(answer)["RateLimit-Remaining"];
      expect(left(await post(key, options))).toBe("29");
      for (let posts = 0; posts < 40; posts += 1) expect(left(await post(key, options))).toBe("29");
      const plain = await stack.get(CPI, headers);
      expect(left(plain)).toBe("58");
      stack.clock.advance(MINUTE_MS);
    },
  },
];

testSentences([...theKey, ...claims, ...running, ...stored, ...answers]);
