import { describe, expect, test } from "vitest";
import {
  collected,
  definitionOf,
  type Expressions,
  minute,
  playScenes,
  type Row,
  type Schedule,
  START_AT,
  scriptedCall,
} from "../testing/scripted-call.js";
import { continueAfterGap, firstMemory, play, skipTo, type WatchMemory, withoutFailures } from "./watch-step.js";

interface Body {
  readonly rows: readonly Row[];
}

const expressions: Expressions = {
  rows: ({ rows }: Body) => rows,
  "rows[?n > `1`]": ({ rows }: Body) => rows.filter(({ n }) => Number(n) > 1),
  "rows[].{m: n}": ({ rows }: Body) => rows.map(({ n }) => ({ m: n })),
  "length(rows)": ({ rows }: Body) => rows.length,
  "length(rows) == `0`": ({ rows }: Body) => rows.length === 0,
  "rows[?id == 'x']": ({ rows }: Body) => rows.filter(({ id }) => id === "x"),
  "max(rows[].n)": ({ rows }: Body) => (rows.length === 0 ? null : Math.max(...rows.map(({ n }) => Number(n)))),
  "rows[0].n": ({ rows }: Body) => rows[0]?.["n"],
  "abs(rows)": () => {
    throw new Error("abs() expects a number");
  },
  "rows[0].id && abs(rows)": ({ rows }: Body) => {
    if (rows[0]?.id === "bad") throw new Error("abs() expects a number");
    return rows.length > 1;
  },
  n: ({ n }: Row) => n,
};

const NEW_ROWS = { on: "WATCH_ON_NEW_ROWS" } as const;
const CHANGED = { on: "WATCH_ON_CHANGED" } as const;
const STATE = { on: "WATCH_ON_STATE_CHANGES" } as const;
const becomesTrue = (condition: string) => ({ on: "WATCH_ON_BECOMES_TRUE", condition }) as const;
const EMPTY = becomesTrue("length(rows) == `0`");
const crosses = (threshold: NonNullable<Schedule["watch"]["threshold"]>, condition = "max(rows[].n)") =>
  ({ on: "WATCH_ON_THRESHOLD_CROSSED", condition, threshold }) as const;

type Case = readonly [title: string, scenes: readonly string[], lines: readonly string[]];

const linesOf = async (watch: Schedule["watch"], scenes: readonly string[]): Promise<readonly string[]> =>
  (await playScenes({ watch, scenes, expressions })).lines;

describe("a watch for new rows", () => {
  test.each<Case>([
    ["fires for added rows, not for removed or changed ones", ["ok a", "ok b a:2", "ok b"], ["1 FIRED +b"]],
    ["does not fire for the first answer", ["ok a b", "ok a b"], []],
    ["fires again for a row that was missing from a complete answer", ["ok a", "ok", "ok a"], ["2 FIRED +a"]],
    ["does not fire again for rows that a partial answer lost", ["ok a b", "partial a", "ok a b"], []],
    ["does not fire again for rows that a stale answer lost", ["ok a b", "stale", "stale a", "ok a b"], []],
    ["fires once for a row of a partial answer", ["ok a", "partial a b", "partial a", "ok a b"], ["1 FIRED +b"]],
    [
      "fires once for each row of several partial answers",
      ["ok a", "partial b", "partial c", "partial b", "partial", "partial c b a", "ok a b c d"],
      ["1 FIRED +b", "2 FIRED +c", "6 FIRED +d"],
    ],
    ["waits while the dataset is absent or unreadable", ["ok a", "absent", "unreadable", "ok a b"], ["3 FIRED +b"]],
    ["starts with the first available answer", ["absent", "ok a b", "ok a b c"], ["2 FIRED +c"]],
    ["can start with a partial answer", ["partial a", "partial", "ok a b"], ["2 FIRED +b"]],
    [
      "can start with an empty partial answer",
      ["partial", "partial", "partial a", "ok a b"],
      ["2 FIRED +a", "3 FIRED +b"],
    ],
    ["gives numbers to rows that share an identity", ["ok a", "ok a a a", "ok a a"], ["1 FIRED +a#2 +a#3"]],
  ])("%s", async (_, scenes, lines) => {
    expect(await linesOf(NEW_ROWS, scenes)).toEqual(lines);
  });

  test("with a condition fires for new rows that the condition yields, identified as in the list", async () => {
    const watch = { ...NEW_ROWS, condition: "rows[?n > `1`]" };
    expect(await linesOf(watch, ["ok a:1 b:2", "ok a:2 b:3", "ok a:9 b:1", "ok b:2"])).toEqual([
      "1 FIRED +a",
      "3 FIRED +b",
    ]);
  });

  test("uses the content of a row as its identity if the condition has rebuilt the row", async () => {
    const watch = { ...NEW_ROWS, condition: "rows[].{m: n}" };
    expect(await linesOf(watch, ["ok a:1", "ok a:1 b:1", "ok a:2"])).toEqual([
      '1 FIRED +{"m":1}#2',
      '2 FIRED +{"m":2}',
    ]);
  });

  test("identifies rows by the watch's identity expression, and by their content where that expression yields null", async () => {
    expect(await linesOf({ ...NEW_ROWS, identity: "n" }, ["ok a:1", "ok b:1 c:2", "ok d"])).toEqual([
      "1 FIRED +2",
      '2 FIRED +{"id":"d"}',
    ]);
  });

  test("reports how many rows have the same identity as an earlier row", async () => {
    const { results, memory } = await playScenes({ watch: NEW_ROWS, scenes: ["ok a", "ok a a b b c"] });
    expect(results.at(-1)?.firings).toMatchObject([{ collidingIdentities: 2, addedCount: 4 }]);
    expect(memory.collisions).toBe(2);
  });

  test("fails if the condition yields no array", async () => {
    expect(await linesOf({ ...NEW_ROWS, condition: "length(rows)" }, ["ok a", "ok b"])).toEqual([
      "0 FAILED The condition must yield an array, but yields a number",
    ]);
  });
});

describe("a watch for changes", () => {
  test.each<Case>([
    [
      "reports rows that are added, changed and removed, in this order",
      ["ok a b:1 c", "ok d b:2 a"],
      ["1 FIRED +d ~b -c"],
    ],
    ["does not report that rows have moved", ["ok a b c", "ok c a b"], []],
    ["reports removed rows when the answer is complete again", ["ok a b", "partial a", "ok a"], ["2 FIRED -b"]],
    ["never reports rows of a stale answer as removed", ["ok a b", "stale a", "stale", "ok a b"], []],
    [
      "reports the change of a row in a partial answer once",
      ["ok a:1 b", "partial a:2", "partial b", "partial a:2", "ok a:2 b"],
      ["1 FIRED ~a"],
    ],
    [
      "reports that a row changes back in a partial answer",
      ["ok a:1", "partial a:2", "partial a:1", "ok a:1"],
      ["1 FIRED ~a", "2 FIRED ~a"],
    ],
    [
      "reports the removal of a row that only partial answers had",
      ["ok a", "partial a b", "ok a"],
      ["1 FIRED +b", "2 FIRED -b"],
    ],
    ["waits while the dataset is absent", ["ok a b", "absent", "ok b"], ["2 FIRED -a"]],
  ])("%s", async (_, scenes, lines) => {
    expect(await linesOf(CHANGED, scenes)).toEqual(lines);
  });

  test("compares values if the condition yields no rows", async () => {
    const scenes = ["ok a:1", "ok a:1 b", "ok a:3", "stale a:4", "ok", "absent", "ok a:3"];
    expect(await linesOf({ ...CHANGED, condition: "rows[0].n" }, scenes)).toEqual([
      "2 FIRED 1→3",
      "4 FIRED 3→null",
      "6 FIRED null→3",
    ]);
  });

  test("compares the whole answer of a call without a list, but only if the answer is complete", async () => {
    const scenes = ["partial a", "ok a", "stale b", "ok a", "ok b"];
    const { lines } = await playScenes({ watch: CHANGED, scenes, isList: false });
    expect(lines).toEqual(['4 FIRED {"rows":[{"id":"a"}]}→{"rows":[{"id":"b"}]}']);
  });

  test("with grouping by row fires for each of 20 rows, and counts all further rows in the last firing", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `r${index}`).join(" ");
    const watch = { ...CHANGED, grouping: "WATCH_GROUPING_ROW" } as const;
    const { results } = await playScenes({ watch, scenes: ["ok a", `ok ${ids}`] });
    const firings = results.flatMap(({ firings }) => firings);
    expect(firings.map(({ rows }) => rows?.length)).toEqual(new Array(20).fill(1));
    expect(firings[0]).toMatchObject({ addedCount: 1, changedCount: 0, removedCount: 0 });
    expect(firings[19]).toMatchObject({ addedCount: 6, changedCount: 0, removedCount: 1 });
  });

  test("lists at most 20 rows in one firing, but counts all of them", async () => {
    const ids = Array.from({ length: 25 }, (_, index) => `r${index}`).join(" ");
    const { results } = await playScenes({ watch: CHANGED, scenes: ["ok", `ok ${ids}`] });
    const [firing] = results.flatMap(({ firings }) => firings);
    expect([firing?.rows?.length, firing?.addedCount]).toEqual([20, 25]);
  });
});

describe("a watch on a condition", () => {
  test.each<Case>([
    [
      "fires when the condition becomes true, and is resolved when it becomes false",
      ["ok a", "ok", "ok", "ok a"],
      ["1 FIRED false→true", "3 RESOLVED true→false"],
    ],
    ["does not fire for the first answer", ["ok", "ok", "ok a"], ["2 RESOLVED true→false"]],
    ["does not fire on a partial answer that lost rows", ["ok a", "partial", "stale", "ok a"], []],
    ["is never resolved by a degraded answer", ["ok", "partial a", "stale a", "ok"], []],
    ["waits for a first complete answer", ["partial a", "partial", "ok", "ok a"], ["3 RESOLVED true→false"]],
    ["waits while the dataset is absent or unreadable", ["ok a", "absent", "unreadable", "ok"], ["3 FIRED false→true"]],
  ])("%s", async (_, scenes, lines) => {
    expect(await linesOf(EMPTY, scenes)).toEqual(lines);
  });

  test("fires on a degraded answer if the condition also holds with the missing rows", async () => {
    const scenes = ["ok a b", "partial x", "partial a x", "ok a b"];
    expect(await linesOf(becomesTrue("rows[?id == 'x']"), scenes)).toEqual([
      '1 FIRED []→[{"id":"x"}]',
      '3 RESOLVED [{"id":"x"}]→[]',
    ]);
  });

  test("of a call without a list waits for a complete answer", async () => {
    const watch = becomesTrue("rows[?id == 'x']");
    const { lines } = await playScenes({ watch, scenes: ["ok", "partial x", "ok x"], expressions, isList: false });
    expect(lines).toEqual(['2 FIRED []→[{"id":"x"}]']);
  });

  test("does not fire on a degraded answer if the last complete one is gone", async () => {
    const watch = becomesTrue("rows[?id == 'x']");
    const { lines } = await playScenes({ watch, scenes: ["ok", "partial x"], expressions, gone: { 1: 1 } });
    expect(lines).toEqual([]);
  });
});

describe("a watch on a threshold", () => {
  test.each<readonly [string, Parameters<typeof crosses>[0], readonly string[], readonly string[]]>([
    [
      "with `above` fires once, and is resolved at the threshold",
      { above: 5 },
      ["ok a:5", "ok a:6", "ok a:9", "ok a:5"],
      ["1 FIRED 5→6", "3 RESOLVED 9→5"],
    ],
    [
      "with `above` and hysteresis is resolved at `clearsAt`",
      { above: 5, clearsAt: 3 },
      ["ok a:1", "ok a:6", "ok a:4", "ok a:6", "ok a:3", "ok a:4"],
      ["1 FIRED 1→6", "4 RESOLVED 6→3"],
    ],
    [
      "with `below` fires once, and is resolved at the threshold",
      { below: 0 },
      ["ok a:0", "ok a:-1", "ok a:0"],
      ["1 FIRED 0→-1", "2 RESOLVED -1→0"],
    ],
    [
      "with `below` and hysteresis is resolved at `clearsAt`",
      { below: 0, clearsAt: 2 },
      ["ok a:1", "ok a:-1", "ok a:1", "ok a:2"],
      ["1 FIRED 1→-1", "3 RESOLVED 1→2"],
    ],
    [
      "waits while the number is unknown",
      { above: 5 },
      ["ok a:1", "ok", "ok a:6", "ok", "ok a:1"],
      ["2 FIRED 1→6", "4 RESOLVED 6→1"],
    ],
    [
      "does not fire if the threshold is already crossed at the start, but is resolved later",
      { above: 5 },
      ["ok a:9", "ok a:8", "ok a:1"],
      ["2 RESOLVED 8→1"],
    ],
    [
      "is never resolved by a degraded answer",
      { above: 5 },
      ["ok a:1", "ok a:6", "partial", "stale a:1", "ok a:1"],
      ["1 FIRED 1→6", "4 RESOLVED 6→1"],
    ],
    ["fires on a degraded answer", { above: 5 }, ["ok a:1", "partial b:6", "ok a:1 b:6"], ["1 FIRED 1→6"]],
    [
      "does not fire merely because a partial answer lost rows",
      { below: 3 },
      ["ok a:1 b:9", "partial a:1", "ok a:1"],
      ["2 FIRED 9→1"],
    ],
  ])("%s", async (_, threshold, scenes, lines) => {
    expect(await linesOf(crosses(threshold), scenes)).toEqual(lines);
  });

  test("fails if the condition yields no number", async () => {
    expect(await linesOf(crosses({ above: 1 }, "rows"), ["ok a", "ok a"])).toEqual([
      "0 FAILED The condition must yield a number, but yields an array",
    ]);
  });
});

describe("a watch on the state", () => {
  test.each<Case>([
    [
      "fires when the state changes, and is resolved when the state is ok again",
      ["ok", "stale", "stale", "absent", "ok"],
      ['1 FIRED "ok"→"stale"', '3 FIRED "stale"→"absent"', '4 RESOLVED "absent"→"ok"'],
    ],
    ["does not fire for the first state", ["absent", "absent", "unreadable"], ['2 FIRED "absent"→"unreadable"']],
  ])("%s", async (_, scenes, lines) => {
    expect(await linesOf(STATE, scenes)).toEqual(lines);
  });
});

describe("a quiet period", () => {
  const quiet = (watch: Schedule["watch"], minutes: number) => ({ ...watch, quietSeconds: minutes * 60 });

  test("ends with one evaluation, which covers all changes during the period", async () => {
    const { lines, results } = await playScenes({
      watch: quiet(NEW_ROWS, 10),
      scenes: ["ok", "ok a", "ok a b", "ok b c", "ok d", "ok d e"],
      minutes: [1, 2, 3, 11, 30],
    });
    expect(lines).toEqual(["1 FIRED +a", "11 FIRED +b +c", "21 FIRED +d", "31 FIRED +e"]);
    expect(results.filter(({ isEvaluated }) => isEvaluated)).toHaveLength(5);
  });

  test("without a change ends without an evaluation", async () => {
    const { results, memory } = await playScenes({ watch: quiet(NEW_ROWS, 10), scenes: ["ok", "ok a"] });
    expect(results.map(({ isEvaluated }) => isEvaluated)).toEqual([true, true, false]);
    expect(memory.quietUntil).toBeNull();
  });

  test("suppresses firings until the instant at which it ends", async () => {
    const { memory, lines } = await playScenes({
      watch: quiet(NEW_ROWS, 10),
      scenes: ["ok", "ok a", "ok b"],
      untilMinute: 10.99,
    });
    expect(lines).toEqual(["1 FIRED +a"]);
    expect(memory).toMatchObject({ evaluatedPosition: 3, hasWaited: true });
  });

  test("reports nothing about a condition that is back at its last reported value", async () => {
    const watch = quiet(becomesTrue("rows[?id == 'x']"), 10);
    const { lines } = await playScenes({ watch, scenes: ["ok", "ok x", "ok", "ok x"], expressions });
    expect(lines).toEqual(['1 FIRED []→[{"id":"x"}]']);
  });

  test("delays the report that a state is resolved, and that report starts no quiet period", async () => {
    const { lines } = await playScenes({
      watch: quiet(STATE, 10),
      scenes: ["ok", "stale", "ok", "stale"],
      minutes: [1, 2, 12],
    });
    expect(lines).toEqual(['1 FIRED "ok"→"stale"', '11 RESOLVED "stale"→"ok"', '12 FIRED "ok"→"stale"']);
  });
});

describe("a watch that fails", () => {
  const failing = becomesTrue("abs(rows)");
  const sometimes = becomesTrue("rows[0].id && abs(rows)");
  const MESSAGE = "The condition failed: abs() expects a number";

  test("reports its first failure, and that it is disabled after ten failures in a row", async () => {
    const scenes = new Array(14).fill("ok a");
    const { lines, results, memory } = await playScenes({ watch: failing, scenes, expressions });
    const disabled = `Disabled after 10 failed evaluations in a row. ${MESSAGE}`;
    expect(lines).toEqual([`0 FAILED ${MESSAGE}`, `9 FAILED ${disabled}`]);
    expect(results.at(-1)?.disabled).toBe(disabled);
    expect(results).toHaveLength(10);
    expect(memory).toMatchObject({ failuresInRow: 10, lastError: MESSAGE });
  });

  test("resets its failure count after a success, and reports the first failure after that success", async () => {
    const scenes = ["ok a", "ok bad", "ok bad", "ok a b", "ok bad", "ok a"];
    const { lines, memory } = await playScenes({ watch: sometimes, scenes, expressions });
    expect(lines).toEqual([
      `1 FAILED ${MESSAGE}`,
      "3 FIRED false→true",
      `4 FAILED ${MESSAGE}`,
      "5 RESOLVED true→false",
    ]);
    expect(memory.failuresInRow).toBe(0);
    expect(memory).not.toHaveProperty("lastError");
  });

  test("keeps its reported state after a failure, and its failure count while the dataset is absent", async () => {
    const scenes = ["ok a b", "ok bad", "absent", "ok bad", "ok a b"];
    const { lines, results } = await playScenes({ watch: sometimes, scenes, expressions });
    expect(lines).toEqual([`1 FAILED ${MESSAGE}`]);
    expect(results.map(({ memory }) => memory.failuresInRow)).toEqual([0, 1, 1, 2, 0]);
  });
});

describe("a watch whose generations are gone", () => {
  const NOTICE =
    "NOTICE The generations that the watch compares with are no longer kept. The watch starts over with the present answer; changes in between are not reported.";

  test.each<readonly [string, Schedule["gone"], readonly string[], readonly string[]]>([
    ["starts over if its baseline is gone", { 1: 1 }, ["ok a", "ok b", "ok b c"], [`1 ${NOTICE}`, "2 FIRED +c"]],
    [
      "starts over on a degraded answer if its baseline is gone",
      { 1: 1 },
      ["ok a", "partial b", "ok b c"],
      [`1 ${NOTICE}`, "2 FIRED +c"],
    ],
    [
      "starts over if a degraded baseline is gone",
      { 2: 2 },
      ["ok a", "partial b", "ok c"],
      ["1 FIRED +b", `2 ${NOTICE}`],
    ],
  ])("%s, and reports this", async (_, gone = {}, scenes, lines) => {
    expect((await playScenes({ watch: NEW_ROWS, scenes, gone })).lines).toEqual(lines);
  });

  test("reports that a condition has changed, but not its previous value", async () => {
    const { lines } = await playScenes({ watch: EMPTY, scenes: ["ok a", "ok"], expressions, gone: { 1: 1 } });
    expect(lines).toEqual(["1 FIRED undefined→true"]);
  });

  test("skips moments whose own generations are gone, and reports how many moments it skipped", async () => {
    const scenes = ["ok a", "ok b", "ok c", "ok a d"];
    const { lines, results, memory } = await playScenes({ watch: NEW_ROWS, scenes, gone: { 2: 0, 3: 0 } });
    expect(lines).toEqual(["3 FIRED +d"]);
    expect(results.at(-1)?.firings).toMatchObject([{ skippedGenerations: 2 }]);
    expect(memory.skipped).toBe(0);
  });
});

describe("a watch that is far behind", () => {
  const first = firstMemory(1, START_AT, [{ dataset: "a", generation: 1, state: "ok" }]);
  const rows = new Map([
    ["a 1", [{ id: "a" }]],
    ["a 9", [{ id: "b" }]],
  ]);
  const place = { position: 9, at: minute(9), standings: [{ dataset: "a", generation: 9, state: "ok" }] } as const;
  const results = async (memory: WatchMemory) =>
    collected(play(definitionOf(), memory, [], minute(60), scriptedCall({ rows })));

  test("evaluates the newest change, and reports how many changes it skipped", async () => {
    const [begun] = await results(first);
    const [result] = await results(skipTo(begun?.memory ?? first, place, 7));
    expect(result).toMatchObject({
      firings: [{ firedAt: minute(9), rows: [{ change: "added", id: "b" }], skippedGenerations: 7 }],
      memory: { evaluatedPosition: 9, skipped: 0, quietUntil: null },
    });
  });

  test("stays quiet until the end of its quiet period", () => {
    const skipped = skipTo({ ...first, quietUntil: minute(20), hasWaited: false }, place, 7);
    expect(skipped).toMatchObject({ quietUntil: minute(20), hasWaited: true, evaluatedPosition: 9 });
  });

  test("reports that the log has lost changes, and compares the new answer with its last report", async () => {
    const [begun] = await results(first);
    const { memory, notice } = continueAfterGap(begun?.memory ?? first, place);
    expect(notice).toMatchObject({
      kind: "WATCH_FIRING_KIND_NOTICE",
      firedAt: minute(9),
      message:
        "The log of datasets no longer has all changes since position 1. The watch continues at position 9, 8 positions later, and compares with its last report.",
    });
    expect((await results(memory))[0]?.firings).toMatchObject([{ rows: [{ change: "added", id: "b" }] }]);
  });
});

test("a watch reports a rejected call as a failure", async () => {
  const watched = { ...scriptedCall({ rows: new Map() }), answer: async () => ({ error: "there is no such trial" }) };
  const first = firstMemory(1, START_AT, [{ dataset: "a", generation: 1, state: "ok" }]);
  const [result] = await collected(play(definitionOf(), first, [], START_AT, watched));
  expect(result?.firings).toMatchObject([
    { kind: "WATCH_FIRING_KIND_FAILED", message: "The call failed: there is no such trial" },
  ]);
});

test("a watch skips entries of other datasets and entries up to its evaluated position", async () => {
  const first = firstMemory(5, START_AT, [{ dataset: "a", generation: 1, state: "ok" }]);
  const entry = { at: minute(1), generation: 2, state: "ok" } as const;
  const entries = [
    { ...entry, dataset: "a", position: 5 },
    { ...entry, dataset: "other", position: 6 },
  ];
  const results = await collected(play(definitionOf(), first, entries, minute(0), scriptedCall({ rows: new Map() })));
  expect(results.map(({ moment }) => [moment.position, moment.isWake])).toEqual([[5, true]]);
});

test("a watch that was disabled for repeated failures resumes with a failure count of 0", () => {
  const first = firstMemory(1, START_AT, []);
  expect(withoutFailures({ ...first, failuresInRow: 10, lastError: "no" })).toEqual(first);
});
