import { Type } from "typebox";
import { expect, test } from "vitest";
import { settingReader } from "../contract/setting.js";
import { type GatheredOutcome, SourceFailure, type SourceRequest, source, step } from "../contract/source.js";
import { SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { turnstile } from "../kit/turnstile.js";
import type { Validators } from "../snapshots/provenance.js";
import type { UpstreamAnswer, UpstreamCall } from "../upstream/answer.js";
import { readRows } from "./read-rows.js";
import { readSource } from "./read-source.js";
import { createTokens } from "./tokens.js";

const START = Date.UTC(2026, 10, 18, 12);

interface Entry {
  readonly name: string;
}
interface Outcome extends GatheredOutcome {
  readonly request: string;
}

type Question = readonly [key: string, host: string];

/**
 * A source that keeps the first two entries of each list, sends at most three requests concurrently, and has a time
 * limit of eight seconds.
 */
const lists = source({
  id: "lists",
  title: "Lists",
  home: "https://x.test",
  licence: { name: "none", open: true },
  seen: "described",
  steps: {
    list: step({
      ask: (plan: readonly Question[]) => plan,
      request: ([key, host]) => ({ key, url: `https://${host}.test/${key}` }),
      format: { kind: "json" },
      row: Type.Object({ name: Type.String() }),
      rows: (document) => document as unknown[],
      record: (row): Entry | Outcome => row,
      gather: {
        requestsMax: 100,
        parallelMax: 3,
        timeLimitMs: 8 * SECOND_MS,
        keysOf: (plan) => ["old", ...plan.map(([key]) => key)],
        isStored: ([key]) => key !== "new",
        keep: (records: readonly (Entry | Outcome)[]) => records.slice(0, 2),
        outcome: ([key], how): Outcome => ({ request: key, ...how }),
      },
    }),
  },
  observedAt: () => undefined,
});

type Answer = readonly string[] | SourceFailure | "hangs" | "not modified";

function opened() {
  const clock = manualClock(START);
  const requested: string[] = [];
  const answers: Record<string, Answer> = {};
  const outcomes: string[] = [];
  const tools = {
    clock,
    client: {
      async fetch({ key, url }: SourceRequest, { signal, validators }: UpstreamCall = {}): Promise<UpstreamAnswer> {
        requested.push(validators?.etag === undefined ? key : `${key} if not ${validators.etag}`);
        const answer = answers[key] ?? [key];
        if (answer instanceof SourceFailure) throw answer;
        if (answer === "hangs") {
          await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
        }
        const notModified = answer === "not modified";
        const names = Array.isArray(answer) ? (answer as string[]) : [];
        const bytes = Buffer.from(notModified ? "" : JSON.stringify(names.map((name) => ({ name }))));
        return {
          url,
          via: undefined,
          status: notModified ? 304 : 200,
          notModified,
          bytes,
          contentType: undefined,
          etag: "e1",
          lastModified: undefined,
          sha256: "0",
          fetchedAt: clock.now(),
          durationMs: 1,
          simulated: false,
        };
      },
      close: async () => undefined,
    },
    readRows: async (...of: Parameters<typeof readRows>) => readRows(...of),
    largeAnswers: turnstile(),
    tokens: createTokens(clock),
    budgets: { take: async () => undefined },
    settingOf: settingReader({}),
    credentials: {},
    openLicencesOnly: false,
    version: "1",
  };
  return {
    clock,
    requested,
    answers,
    read: (plan: readonly Question[], validators?: Readonly<Record<string, Validators>>) =>
      readSource(tools, {
        part: "lists",
        source: lists,
        plan,
        onOutcome: ({ context, isRead }) => outcomes.push([...(context as Question), isRead].join(" ")),
        ...(validators && { validators }),
      }),
    outcomes,
  };
}

const all = (keys: readonly string[], host = "one"): Question[] => keys.map((key) => [key, host]);
const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const down = new SourceFailure("unavailable", "x.test: answered 503; expected 200");

test("every request yields the records that the source keeps, then its outcome, in the order of the plan", async () => {
  const { read, answers, outcomes } = opened();
  Object.assign(answers, { a: ["a1", "a2", "a3"], b: down, c: [] });
  const { records, provenance, validators, gatheredKeys, isCutShort } = await read(all(["a", "b", "c"]));
  expect(isCutShort).toBe(false);
  expect(records).toEqual([
    { name: "a1" },
    { name: "a2" },
    { request: "a", state: "ok" },
    { request: "b", state: "failed", error: down.message },
    { request: "c", state: "empty" },
  ]);
  expect(Object.keys(provenance)).toEqual(["a", "c"]);
  expect(Object.keys(validators)).toEqual(["a", "c"]);
  expect([...(gatheredKeys ?? [])]).toEqual(["old", "a", "b", "c"]);
  expect(outcomes.sort()).toEqual(["a one true", "b one false", "c one true"]);
});

test("when the time limit is reached, running requests time out and waiting requests are not sent", async () => {
  const { read, answers, clock, requested, outcomes } = opened();
  Object.assign(answers, { a: "hangs", b: "hangs", c: "hangs" });
  const reading = read(all(["a", "b", "c", "d"]));
  await settled();
  expect(requested).toEqual(["a", "b", "c"]);
  clock.advance(8 * SECOND_MS);
  expect((await reading).isCutShort).toBe(true);
  const timeouts = (await reading).records as Outcome[];
  expect(timeouts.map(({ state }) => state)).toEqual(["timeout", "timeout", "timeout", "unasked"]);
  expect(timeouts[0]?.error).toBe("no complete answer within the 8 s of the run");
  expect(timeouts[3]?.error).toBe("not sent within the 8 s of the run");
  expect(outcomes).toEqual(["a one false", "b one false", "c one false"]);
});

test("a host that hangs does not delay the other hosts", async () => {
  const { read, answers, clock } = opened();
  const slow = Array.from({ length: 30 }, (_, index) => `slow${index}`);
  for (const key of slow) answers[key] = "hangs";
  const reading = read([...all(slow, "slow"), ...all(["a", "b", "c"], "second"), ...all(["d", "e"], "third")]);
  await settled();
  await settled();
  clock.advance(8 * SECOND_MS);
  const outcomes = (await reading).records.filter((record): record is Outcome => "request" in (record as Outcome));
  expect(outcomes.filter(({ state }) => state === "ok").map(({ request }) => request)).toEqual([
    "a",
    "b",
    "c",
    "d",
    "e",
  ]);
});

test("a request is conditional only if its records are stored and its validators belong to its address", async () => {
  const { read, answers, requested } = opened();
  const validators = (key: string) => ({ version: "1", url: `https://one.test/${key}`, etag: "e0" });
  answers["a"] = "not modified";
  const reading = await read(all(["a", "new", "c"]), {
    a: validators("a"),
    new: validators("new"),
    c: validators("x"),
  });
  expect(requested.sort()).toEqual(["a if not e0", "c", "new"]);
  expect(reading.records[0]).toEqual({ request: "a", state: "unchanged" });
});

test("a plan with more requests than the source may send is refused", async () => {
  const { read } = opened();
  const many = all(Array.from({ length: 101 }, (_, index) => `r${index}`));
  await expect(read(many)).rejects.toThrow("lists calls for 101 requests; expected 100 at most");
});
