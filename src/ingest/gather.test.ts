import { Type } from "typebox";
import { expect, test } from "vitest";
import { settingReader } from "../contract/setting.js";
import { type GatheredOutcome, SourceFailure, type SourceRequest, source, step } from "../contract/source.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import type { Trouble } from "../snapshots/provenance.js";
import type { UpstreamAnswer, UpstreamCall } from "../upstream/answer.js";
import { newGatheredAnswers } from "./gather.js";
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

type Question = readonly [key: string, lane: string];

/** Keeps two entries of each list; three at once, eight seconds for all. */
const lists = source({
  id: "lists",
  title: "Lists",
  home: "https://x.test",
  licence: { name: "none", open: true },
  seen: "described",
  steps: {
    list: step({
      ask: (plan: readonly Question[]) => plan,
      request: ([key]) => ({ key, url: `https://x.test/${key}` }),
      format: { kind: "json" },
      row: Type.Object({ name: Type.String() }),
      rows: (document) => document as unknown[],
      record: (row): Entry | Outcome => row,
      gather: {
        laneOf: ([, lane]) => lane,
        requestsMax: 100,
        parallelMax: 3,
        timeLimitMs: 8 * SECOND_MS,
        reuseMs: HOUR_MS,
        reuseEmptyMs: 5 * MINUTE_MS,
        keep: (records: readonly (Entry | Outcome)[]) => ({
          records: records.slice(0, 2),
          counts: { entries: records.length },
        }),
        outcome: ([key], how): Outcome => ({ request: key, ...how }),
      },
    }),
  },
  observedAt: () => undefined,
});

type Given = readonly string[] | SourceFailure | "hangs" | "not modified";

function opened() {
  const clock = manualClock(START);
  const asked: string[] = [];
  const given: Record<string, Given> = {};
  const tools = {
    clock,
    client: {
      async fetch({ key, url }: SourceRequest, { signal, validators }: UpstreamCall = {}): Promise<UpstreamAnswer> {
        asked.push(validators?.etag === undefined ? key : `${key} if not ${validators.etag}`);
        const answer = given[key] ?? [key];
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
    tokens: createTokens(clock),
    gathered: newGatheredAnswers(),
    budgets: { take: async () => undefined },
    settingOf: settingReader({}),
    credentials: {},
    openLicencesOnly: false,
    version: "1",
  };
  return {
    clock,
    asked,
    given,
    read: (plan: readonly Question[], troubles?: Readonly<Record<string, Trouble>>) =>
      readSource(tools, { part: "lists", source: lists, plan, ...(troubles && { troubles }) }),
  };
}

const all = (keys: readonly string[], lane = "one"): Question[] => keys.map((key) => [key, lane]);
const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const down = new SourceFailure("unavailable", "x.test: answered 503; expected 200");

test("every request gives what is kept of its answer and what came of it, in the order of the plan", async () => {
  const { read, given } = opened();
  Object.assign(given, { a: ["a1", "a2", "a3"], b: down, c: [] });
  const { records, provenance, gathered } = await read(all(["a", "b", "c"]));
  expect(records).toEqual([
    { name: "a1" },
    { name: "a2" },
    { request: "a", state: "ok", counts: { entries: 3 }, readAt: START },
    { request: "b", state: "failed", counts: {}, error: down.message },
    { request: "c", state: "empty", counts: { entries: 0 }, readAt: START },
  ]);
  expect(Object.keys(provenance)).toEqual(["a", "c"]);
  expect(gathered?.troubles).toEqual({
    b: { state: "failed", since: START, error: down.message },
    c: { state: "empty", since: START, error: null },
  });
});

test("trouble is dated to the first of its runs in a row", async () => {
  const { read, given } = opened();
  given["b"] = down;
  const before = { b: { state: "timeout", since: START - HOUR_MS, error: "late" } } as const;
  const { gathered } = await read(all(["a", "b"]), before);
  expect(gathered?.troubles).toEqual({ b: { state: "failed", since: START - HOUR_MS, error: down.message } });
});

test("when time is over, what is under way is given up and what was not begun is said to be", async () => {
  const { read, given, clock, asked } = opened();
  Object.assign(given, { a: "hangs", b: "hangs", c: "hangs" });
  const reading = read(all(["a", "b", "c", "d"]));
  await settled();
  expect(asked).toEqual(["a", "b", "c"]);
  clock.advance(8 * SECOND_MS);
  const { records, gathered } = await reading;
  expect(gathered?.isCutShort).toBe(true);
  const timeouts = records as Outcome[];
  expect(timeouts.map(({ state }) => state)).toEqual(["timeout", "timeout", "timeout", "timeout"]);
  expect(timeouts[0]?.error).toBe("no complete answer when the 8 s of the run were over");
  expect(timeouts[3]?.error).toBe("its turn had not come when the 8 s of the run were over");
});

test("a lane that hangs does not keep the others from being read", async () => {
  const { read, given, clock } = opened();
  const slow = Array.from({ length: 30 }, (_, index) => `slow${index}`);
  for (const key of slow) given[key] = "hangs";
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

test("an answer is used for an hour, a failure for five minutes, then it is asked whether anything changed", async () => {
  const { read, given, clock, asked } = opened();
  given["b"] = down;
  await read(all(["a", "b"]));
  clock.advance(5 * MINUTE_MS);
  given["b"] = ["b1"];
  await read(all(["a", "b"]));
  expect(asked).toEqual(["a", "b", "b"]);
  clock.advance(55 * MINUTE_MS);
  given["a"] = "not modified";
  const { records } = await read(all(["a", "b"]));
  expect(asked).toEqual(["a", "b", "b", "a if not e1"]);
  expect(records.slice(0, 2)).toEqual([
    { name: "a" },
    { request: "a", state: "ok", counts: { entries: 1 }, readAt: START + HOUR_MS },
  ]);
});

test("two runs at once ask once", async () => {
  const { read, asked } = opened();
  await Promise.all([read(all(["a", "b"])), read(all(["b", "c"]))]);
  expect(asked.sort()).toEqual(["a", "b", "c"]);
});

test("a plan of more requests than the source may make is refused", async () => {
  const { read } = opened();
  const many = all(Array.from({ length: 101 }, (_, index) => `r${index}`));
  await expect(read(many)).rejects.toThrow("lists calls for 101 requests; expected 100 at most");
});
