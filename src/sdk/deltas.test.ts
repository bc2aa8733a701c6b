import { describe, expect, test } from "vitest";
import { type ListStep, rowsAfter } from "./deltas.js";
import type { FakeAnswer } from "./testing/fake-service.js";
import { fakeService, json } from "./testing/fake-service.js";

interface Quake {
  readonly id: string;
  readonly magnitude: number;
}

const quake = (id: string, magnitude = 5): Quake => ({ id, magnitude });
const headers = (generation: number, state = "ok") => ({
  "X-Vigil-State": state,
  "X-Vigil-Generation": `earthquakes=${generation}`,
});

function plain(generation: number): Response {
  const body = { earthquakes: [quake("a")], pagination: { nextCursor: "", totalCount: 1 } };
  return json(body, { headers: headers(generation) });
}

interface Page {
  readonly added?: readonly (readonly [index: number, row: Quake])[];
  readonly changed?: readonly (readonly [index: number, row: Quake])[];
  readonly removed?: readonly string[];
  readonly rowCount: number;
  readonly nextCursor?: string;
}

function changed(to: number, { added = [], changed = [], removed = [], rowCount, nextCursor = "" }: Page): Response {
  const entries = (kind: string, rows: NonNullable<Page["added"]>) =>
    rows.map(([index, { id }]) => ({ kind, id, index }));
  const delta = {
    to: `earthquakes=${to}`,
    rowCount,
    changes: [
      ...entries("added", added),
      ...entries("changed", changed),
      ...removed.map((id) => ({ kind: "removed", id })),
    ],
  };
  const earthquakes = [...added, ...changed].map(([, row]) => row);
  return json({ earthquakes, pagination: { nextCursor, totalCount: 0 }, delta }, { headers: headers(to) });
}

const outage = (): Response =>
  json({ earthquakes: [], pagination: { nextCursor: "", totalCount: 0 } }, { headers: headers(0, "absent") });
const refused = (description: string): Response =>
  json({ violations: [{ field: "sinceGeneration", description }] }, { status: 400 });
const gone = (): Response => json({ error: "no longer kept", code: "SNAPSHOT_REQUIRED" }, { status: 410 });

/**
 * Follows the earthquakes of a fake service. Returns the first `steps` steps, the generations in the requests, and the
 * waits between the requests.
 */
async function follow(answers: readonly FakeAnswer[], steps: number, params: object = {}) {
  const { vigil, requests, waits } = fakeService(answers);
  const followed: ListStep<unknown>[] = [];
  for await (const step of vigil.seismology.listEarthquakes.deltas(params, { everyMs: 7_000 })) {
    followed.push(step);
    if (followed.length === steps) break;
  }
  const since = requests.map(({ target }) =>
    new URL(target, "http://vigil.example").searchParams.get("since_generation"),
  );
  return { followed, since, waits };
}

const start = [
  plain(1),
  changed(1, {
    added: [
      [0, quake("a")],
      [1, quake("b")],
    ],
    rowCount: 2,
  }),
];

describe("following a list", () => {
  test("deltas start with the list's rows and their identities, and continue with the list's changes", async () => {
    const moved = changed(3, { added: [[0, quake("c")]], changed: [[1, quake("b", 6)]], removed: ["a"], rowCount: 2 });
    const { followed, since, waits } = await follow([...start, moved], 2);
    expect(followed).toEqual([
      {
        type: "reset",
        reason: "start",
        rows: [
          { id: "a", row: quake("a") },
          { id: "b", row: quake("b") },
        ],
        generation: { earthquakes: 1 },
        state: "ok",
      },
      {
        type: "changes",
        changes: [
          { kind: "added", id: "c", index: 0, row: quake("c") },
          { kind: "changed", id: "b", index: 1, row: quake("b", 6) },
          { kind: "removed", id: "a" },
        ],
        rowCount: 2,
        generation: { earthquakes: 3 },
        state: "ok",
      },
    ]);
    expect(since).toEqual([null, "earthquakes=0", "earthquakes=1"]);
    expect(waits).toEqual([7_000]);
  });

  test("deltas continue from a generation without reading the whole list", async () => {
    const { followed, since } = await follow([changed(5, { removed: ["a"], rowCount: 0 })], 1, {
      sinceGeneration: { earthquakes: 4 },
    });
    expect(followed).toMatchObject([{ type: "changes", changes: [{ kind: "removed", id: "a" }] }]);
    expect(since).toEqual(["earthquakes=4"]);
  });

  test("deltas collect the changes of all pages", async () => {
    const pages = [
      changed(2, { added: [[0, quake("c")]], rowCount: 2, nextCursor: "next" }),
      changed(2, { removed: ["a"], rowCount: 2 }),
    ];
    const { followed } = await follow(pages, 1, { sinceGeneration: 1 });
    expect(followed).toMatchObject([{ changes: [{ id: "c", row: quake("c") }, { id: "a" }] }]);
  });

  test("deltas yield nothing while the generation stays the same, but yield a new generation without changed rows", async () => {
    const same = changed(1, { rowCount: 2 });
    const { followed, waits } = await follow([...start, same, same, changed(2, { rowCount: 2 })], 2);
    expect(followed[1]).toMatchObject({ type: "changes", changes: [], generation: { earthquakes: 2 } });
    expect(waits).toEqual([7_000, 7_000, 7_000]);
  });

  test("deltas report once that no data is available, and continue from the generation before the outage", async () => {
    const after = changed(2, { removed: ["a"], rowCount: 1 });
    const { followed, since } = await follow([...start, outage(), outage(), after], 3);
    expect(followed.map(({ type }) => type)).toEqual(["reset", "outage", "changes"]);
    expect(since.slice(2)).toEqual(["earthquakes=1", "earthquakes=1", "earthquakes=1"]);
  });

  test.each([
    ["gone", gone()],
    ["unknown", refused("must not be newer than generation 2 of earthquakes, got 9")],
  ])("deltas start over with the whole list when the generation is %s", async (reason, refusal) => {
    const { followed, since } = await follow([refusal, ...start], 1, { sinceGeneration: { earthquakes: 9 } });
    expect(followed).toMatchObject([{ type: "reset", reason, generation: { earthquakes: 1 } }]);
    expect(since).toEqual(["earthquakes=9", null, "earthquakes=0"]);
  });

  test.each([
    ["a malformed generation", refused("must be the X-Vigil-Generation of an earlier answer"), 400],
    ["a missing key", json({ error: "API key required" }, { status: 401 }), 401],
  ])("deltas end with the error that the service returns for %s", async (_case, refusal, status) => {
    await expect(follow([refusal], 1, { sinceGeneration: "x" })).rejects.toMatchObject({ status });
  });

  test("deltas throw the reason of the signal when the signal aborts", async () => {
    const { vigil } = fakeService(start);
    const aborter = new AbortController();
    const steps = vigil.seismology.listEarthquakes.deltas({}, { signal: aborter.signal });
    await steps.next();
    aborter.abort(new Error("enough"));
    await expect(steps.next()).rejects.toThrow("enough");
  });
});

test("rowsAfter puts changed rows in their places, and keeps the rows during an outage", () => {
  const rows = ["a", "b", "c", "d"].map((id) => ({ id, row: id }));
  const changes = [
    { kind: "added", id: "z", index: 4, row: "z" },
    { kind: "changed", id: "c", index: 0, row: "C" },
    { kind: "added", id: "y", index: 2, row: "y" },
    { kind: "removed", id: "b" },
  ] as const;
  const step = { type: "changes", changes, rowCount: 5, generation: {}, state: "ok" } as const;
  expect(rowsAfter<string>(rows, step).map(({ row }) => row)).toEqual(["C", "a", "y", "d", "z"]);
  expect(rowsAfter<string>(rows, { type: "outage", state: "absent" })).toBe(rows);
});
