import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListDelta } from "../src/contract/list-delta.js";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../src/kit/clock.js";
import { mapValues } from "../src/kit/map-values.js";
import type { Earthquake } from "../src/services/seismology/records.js";
import { post } from "./support/accounts.js";
import { newestRecords, publishChanged, publishElsewhere, withoutFirstRows } from "./support/published.js";
import { json, type Stack, startStack } from "./support/stack.js";

const EARTHQUAKES = "/api/seismology/v1/list-earthquakes";
const CPI = "/api/economic/v1/get-us-cpi-monthly";
const ANOMALIES = "/api/climate/v1/list-climate-anomalies";
const NEWS = "/api/aviation/v1/list-aviation-news";
const DIGEST = "/api/news/v1/list-feed-digest";

/** A stored record of a digest, with only the members that the tests use. */
interface DigestRecord {
  readonly kind: string;
  readonly category: string;
  readonly items: readonly { readonly link: string }[];
}

interface Body {
  readonly earthquakes: readonly Earthquake[];
  readonly pagination: { readonly nextCursor: string; readonly totalCount: number };
  readonly delta: ListDelta;
}

const bodyOf = async (stack: Stack, target: string): Promise<Body> => {
  const answer = await stack.get(target);
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`);
  return json(answer) as Body;
};

/** Publishes a generation of earthquakes. All rows are in one part, because the served list combines all parts. */
async function publishEarthquakes(stack: Stack, rows: readonly Earthquake[]): Promise<void> {
  await publishChanged(stack, "earthquakes", (records) => {
    const [first = "", ...others] = Object.keys(records);
    return { [first]: rows, ...Object.fromEntries(others.map((name) => [name, []])) };
  });
}

describe("since_generation", () => {
  let stack: Stack;
  /** The rows of generation 2, from which generation 3 differs by the rows in `changes`. */
  let rows: readonly Earthquake[];
  let changes: { readonly removed: Earthquake; readonly changed: Earthquake; readonly added: Earthquake };
  let [secondAt, thirdAt] = [0, 0];
  beforeAll(async () => {
    stack = await startStack({ filled: ["earthquakes", "us-cpi"], datasets: ["earthquakes", "us-cpi"] });
    const { earthquakes } = await bodyOf(stack, EARTHQUAKES);
    rows = earthquakes.slice(0, 6).map((row, at) => ({ ...row, magnitude: 5 + at / 10, depthKm: 10 }));
    stack.clock.advance(HOUR_MS);
    await publishEarthquakes(stack, rows);
    secondAt = stack.clock.now();
    const [newest, , third, , fifth] = rows as [Earthquake, Earthquake, Earthquake, Earthquake, Earthquake];
    changes = {
      removed: fifth,
      changed: { ...third, magnitude: 6.5 },
      added: { ...newest, id: "late", occurredAt: newest.occurredAt - 1 },
    };
    const { removed, changed, added } = changes;
    stack.clock.advance(HOUR_MS);
    await publishEarthquakes(stack, [...rows.filter((row) => row !== removed && row !== third), changed, added]);
    thirdAt = stack.clock.now();
  });
  afterAll(() => stack.close());

  test("answers with the rows that were added, changed and removed", async () => {
    const { earthquakes, pagination, delta } = await bodyOf(stack, `${EARTHQUAKES}?since_generation=2`);
    const { added, changed, removed } = changes;
    expect(earthquakes).toEqual([added, changed]);
    expect(pagination).toEqual({ nextCursor: "", totalCount: 3 });
    expect(delta).toEqual({
      since: "earthquakes=2",
      to: "earthquakes=3",
      rowCount: 6,
      addedCount: 1,
      changedCount: 1,
      removedCount: 1,
      changes: [
        { kind: "added", id: "late", index: 1 },
        { kind: "changed", id: changed.id, index: 3 },
        { kind: "removed", id: removed.id },
      ],
    });
  });

  test("accepts the header of an earlier answer, a number, and other spellings of the header", async () => {
    const { headers } = await stack.get(`${EARTHQUAKES}?as_of=${secondAt}`);
    const texts = [headers["X-Vigil-Generation"] ?? "", "2", " earthquakes=2 ", "earthquakes=02"];
    const answers = await Promise.all(
      texts.map((text) => stack.get(`${EARTHQUAKES}?since_generation=${encodeURIComponent(text)}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ headers }) => headers["ETag"])).size).toBe(1);
    expect(new Set(answers.map(({ body }) => String(body))).size).toBe(1);
    expect(answers[0]?.headers).toMatchObject({ "X-Vigil-Generation": "earthquakes=3", "X-Vigil-State": "ok" });
  });

  test("filters both generations, so a row that starts to match the filter is reported as added", async () => {
    const strong = await bodyOf(stack, `${EARTHQUAKES}?since_generation=2&min_magnitude=6`);
    expect(strong.delta.changes).toEqual([{ kind: "added", id: changes.changed.id, index: 0 }]);
    expect([strong.delta.rowCount, strong.earthquakes]).toEqual([1, [changes.changed]]);
    const back = await bodyOf(stack, `${EARTHQUAKES}?since_generation=3&min_magnitude=6`);
    expect(back.delta).toMatchObject({ changes: [], rowCount: 1, addedCount: 0, changedCount: 0, removedCount: 0 });
  });

  test("generation 0 is the time before anything was served, so every row counts as added", async () => {
    const { earthquakes, delta } = await bodyOf(stack, `${EARTHQUAKES}?since_generation=0`);
    expect([delta.addedCount, delta.rowCount, delta.removedCount]).toEqual([6, 6, 0]);
    expect(earthquakes).toEqual((await bodyOf(stack, EARTHQUAKES)).earthquakes);
  });

  test("works page by page, and a cursor is valid only for the same older and newer generation", async () => {
    const list = `${EARTHQUAKES}?since_generation=2&page_size=1`;
    const seen: unknown[] = [];
    let cursor = "";
    const cursors: string[] = [];
    do {
      const page = await bodyOf(stack, `${list}&cursor=${cursor}`);
      seen.push([page.earthquakes.map(({ id }) => id), page.delta.changes.map(({ kind }) => kind)]);
      expect(page.pagination.totalCount).toBe(3);
      expect(page.delta).toMatchObject({ addedCount: 1, changedCount: 1, removedCount: 1 });
      cursor = encodeURIComponent(page.pagination.nextCursor);
      cursors.push(cursor);
    } while (cursor !== "");
    expect(seen).toEqual([
      [["late"], ["added"]],
      [[changes.changed.id], ["changed"]],
      [[], ["removed"]],
    ]);
    const [second] = cursors;
    for (const other of [`${EARTHQUAKES}?page_size=1`, `${EARTHQUAKES}?since_generation=1&page_size=1`]) {
      const refused = await stack.get(`${other}&cursor=${second}`);
      const description = "is not a cursor of this list with these filters; omit it to start again";
      expect([refused.status, json(refused)]).toEqual([400, { violations: [{ field: "cursor", description }] }]);
    }
    // At `secondAt`, the newer generation was 2.
    const earlier = await stack.get(`${list}&as_of=${secondAt}&cursor=${second}`);
    const notServed = "belongs to generation 3 of earthquakes, a generation that was not served at `as_of`";
    expect([earlier.status, json(earlier)]).toEqual([
      400,
      { violations: [{ field: "cursor", description: notServed }] },
    ]);
    expect((await stack.get(`${list}&as_of=${thirdAt}&cursor=${second}`)).status).toBe(200);
    // The number and the dictionary denote the same generation.
    expect((await stack.get(`${EARTHQUAKES}?since_generation=earthquakes=2&page_size=2&cursor=${second}`)).status).toBe(
      200,
    );
  });

  test("works with jmespath, with If-None-Match and in a batch", async () => {
    const target = `${EARTHQUAKES}?since_generation=2`;
    const projected = await stack.get(`${target}&jmespath=delta.changes[].kind`);
    expect(json(projected)).toEqual(["added", "changed", "removed"]);
    const key = stack.service.access.ownerKey.key ?? "";
    const etag = (await stack.get(target)).headers["ETag"] ?? "";
    expect((await stack.get(target, { "x-service-key": key, "if-none-match": etag })).status).toBe(304);
    const others = await Promise.all(
      [`${EARTHQUAKES}?since_generation=1`, EARTHQUAKES].map((other) => stack.get(other)),
    );
    for (const { headers } of others) expect(headers["ETag"]).not.toBe(etag);
    const body = { operations: [{ path: target }, { path: `${EARTHQUAKES}?since_generation=9` }] };
    const batch = await post(stack.answer, "/api/batch/v1/execute", body, { "x-service-key": key });
    expect(json(batch)).toMatchObject({ results: [{ status: 200, state: "ok" }, { status: 400 }] });
  });

  test("with explain, the explanation is that of the newer list", async () => {
    const target = `${EARTHQUAKES}?since_generation=2&min_magnitude=6`;
    const explained = (await bodyOf(stack, `${target}&explain=true`)) as Body & { readonly explain: unknown };
    const { explain, ...others } = explained;
    expect(others).toEqual(await bodyOf(stack, target));
    expect(explain).toMatchObject({ rows: { inSnapshot: 6, leftOut: 5, inList: 1 } });
  });

  test("with as_of, the changes end at the generation of that instant", async () => {
    const { delta } = await bodyOf(stack, `${EARTHQUAKES}?since_generation=2&as_of=${thirdAt - 1}`);
    expect(delta).toMatchObject({ since: "earthquakes=2", to: "earthquakes=2", changes: [], rowCount: 6 });
    const then = await stack.get(`${EARTHQUAKES}?since_generation=2&as_of=${thirdAt}`);
    const now = await stack.get(`${EARTHQUAKES}?since_generation=2`);
    expect([String(then.body), then.headers["ETag"]]).toEqual([String(now.body), now.headers["ETag"]]);
    const newer = await stack.get(`${EARTHQUAKES}?since_generation=3&as_of=${secondAt}`);
    const description = "must not be newer than generation 2 of earthquakes at `as_of`, got 3";
    expect([newer.status, json(newer)]).toEqual([400, { violations: [{ field: "sinceGeneration", description }] }]);
  });

  test.each([
    ["4", "must not be newer than generation 3 of earthquakes, got 4"],
    ["us-cpi=1", 'must be earthquakes=<number>, got "us-cpi"'],
    ["earthquakes=1, us-cpi=1", 'must be earthquakes=<number>, got "earthquakes, us-cpi"'],
    [
      "earthquakes",
      'must be the X-Vigil-Generation of an earlier answer, such as earthquakes=5, or a number, got "earthquakes"',
    ],
    ["-1", 'must be the X-Vigil-Generation of an earlier answer, such as earthquakes=5, or a number, got "-1"'],
    [
      "earthquakes=1,",
      'must be the X-Vigil-Generation of an earlier answer, such as earthquakes=5, or a number, got "earthquakes=1,"',
    ],
    [
      "earthquakes=1,earthquakes=2",
      'must be the X-Vigil-Generation of an earlier answer, such as earthquakes=5, or a number, got "earthquakes=1,earthquakes=2"',
    ],
    ["1&since_generation=2", "must be given once, got 2 values"],
  ])("refuses %s", async (text, description) => {
    const refused = await stack.get(`${EARTHQUAKES}?since_generation=${text}`);
    expect([refused.status, json(refused)]).toEqual([400, { violations: [{ field: "sinceGeneration", description }] }]);
  });

  test.each([
    ["/api/climate/v1/get-co2-monitoring?", "is not available here: the answer is not a list of rows"],
    ["/api/aviation/v1/track-aircraft?icao24=abc123", "upstreams are read at the time of the request"],
    ["/api/datasets/v1/list-dataset-states?", "account data is always read as it is now"],
    ["/api/datasets/v1/stream-dataset-changes?", "is not available for streams"],
  ])("is refused for a call that cannot compare rows: %s", async (target, reason) => {
    const refused = await stack.get(`${target}&since_generation=1`);
    expect([refused.status, json(refused)]).toEqual([
      400,
      { violations: [{ field: "sinceGeneration", description: expect.stringContaining(reason) }] },
    ]);
  });

  test("a cursor still ends at the same generation after a further generation is published", async () => {
    const first = await bodyOf(stack, `${EARTHQUAKES}?since_generation=2&page_size=1`);
    const { removed } = changes;
    stack.clock.advance(HOUR_MS);
    await publishEarthquakes(
      stack,
      rows.filter((row) => row !== removed),
    );
    const cursor = encodeURIComponent(first.pagination.nextCursor);
    const next = await bodyOf(stack, `${EARTHQUAKES}?since_generation=2&page_size=1&cursor=${cursor}`);
    expect(next.delta).toMatchObject({ since: "earthquakes=2", to: "earthquakes=3", changedCount: 1 });
    const whole = await bodyOf(stack, `${EARTHQUAKES}?since_generation=2`);
    expect(whole.delta).toMatchObject({ to: "earthquakes=4", changes: [{ kind: "removed", id: removed.id }] });
  });

  test("a list without data has no delta, because no change is known", async () => {
    await stack.restart();
    const before = await stack.get(`${CPI}?since_generation=1&as_of=${secondAt - 2 * HOUR_MS}`);
    expect([before.status, before.headers["X-Vigil-State"]]).toEqual([200, "absent"]);
    expect(json(before)).toEqual({ months: [], unavailable: true });
  });
});

test("for an operation on several datasets, a generation must be given for each dataset", async () => {
  const names = ["climate-anomalies", "climate-normals"];
  const stack = await startStack({ filled: names, datasets: names });
  try {
    stack.clock.advance(HOUR_MS);
    const whole = await bodyOf(stack, ANOMALIES);
    await publishChanged(stack, "climate-normals", withoutFirstRows);
    const { delta } = await bodyOf(stack, `${ANOMALIES}?since_generation=climate-normals%3D1,climate-anomalies%3D1`);
    expect(delta.since).toBe("climate-anomalies=1, climate-normals=1");
    expect(delta.to).toBe("climate-anomalies=1, climate-normals=2");
    expect(delta.removedCount + delta.changedCount).toBe(1);
    expect(delta.rowCount + delta.removedCount).toBe(whole.pagination.totalCount);
    const refused = await stack.get(`${ANOMALIES}?since_generation=1`);
    const description = 'must be climate-anomalies=<number>, climate-normals=<number>, got "1"';
    expect(json(refused)).toEqual({ violations: [{ field: "sinceGeneration", description }] });
  } finally {
    await stack.close();
  }
});

test("a list that depends on the time reports the rows that have left its window as removed", async () => {
  const stack = await startStack({ filled: ["aviation-news"], datasets: ["aviation-news"] });
  try {
    const { items } = json(await stack.get(`${NEWS}?window_hours=168&max_items=50`)) as {
      readonly items: readonly { readonly id: string; readonly publishedAt: number }[];
    };
    const oldest = items.at(-1);
    if (!oldest) throw new Error("no items");
    const target = `${NEWS}?window_hours=168&max_items=50&since_generation=1`;
    expect(await bodyOf(stack, target)).toMatchObject({ items: [], delta: { changes: [], rowCount: items.length } });
    stack.clock.set(oldest.publishedAt + 7 * DAY_MS + 1);
    const { delta } = await bodyOf(stack, target);
    expect(delta.changes).toContainEqual({ kind: "removed", id: oldest.id });
    expect([delta.to, delta.addedCount]).toEqual(["aviation-news=1", 0]);
  } finally {
    await stack.close();
  }
});

test("a grouped list keeps its groups when only its changes are read", async () => {
  const stack = await startStack({ filled: ["digest-full-en"], datasets: ["digest-full-en"] });
  try {
    let shortened: DigestRecord | undefined;
    stack.clock.advance(MINUTE_MS);
    await publishChanged<DigestRecord>(stack, "digest-full-en", (records) =>
      mapValues(records, (all) => {
        const first = all.find(({ kind }) => kind === "category");
        shortened = first;
        return all.map((record) => (record === first ? { ...record, items: record.items.slice(1) } : record));
      }),
    );
    const { categories, delta } = (await bodyOf(stack, `${DIGEST}?since_generation=digest-full-en%3D1`)) as unknown as {
      readonly categories: Readonly<Record<string, { readonly items: readonly unknown[] }>>;
      readonly delta: ListDelta;
    };
    expect(delta.changes).toEqual([{ kind: "removed", id: `${shortened?.category} ${shortened?.items[0]?.link}` }]);
    expect(Object.values(categories).flatMap(({ items }) => items)).toEqual([]);
    expect(Object.keys(categories)).toContain(shortened?.category);
  } finally {
    await stack.close();
  }
});

test("a caller whose comparisons make a node load too many stored generations per minute gets 429", async () => {
  const stack = await startStack({ datasets: ["us-cpi"], env: { VIGIL_PAST_READS_PER_MINUTE: "1" } });
  try {
    for (let run = 0; run < 3; run += 1) {
      await stack.run("us-cpi");
      stack.clock.advance(12 * HOUR_MS);
      await publishChanged(stack, "us-cpi", withoutFirstRows);
    }
    await stack.restart();
    const statusOf = async (since: number) => (await stack.get(`${CPI}?since_generation=${since}`)).status;
    expect([await statusOf(1), await statusOf(2), await statusOf(1)]).toEqual([200, 429, 200]);
    expect(await statusOf(Number((await stack.service.store.newest("us-cpi"))?.generation))).toBe(200);
  } finally {
    await stack.close();
  }
});

describe("a node that has not loaded the newest generations", () => {
  const names = ["climate-anomalies", "climate-normals"];
  let stack: Stack;
  beforeAll(async () => {
    stack = await startStack({ filled: names, datasets: names });
    stack.clock.advance(HOUR_MS);
    await publishElsewhere(stack, "climate-normals", withoutFirstRows(await newestRecords(stack, "climate-normals")));
  });
  afterAll(() => stack.close());

  const since = (anomalies: number, normals: number) =>
    stack.get(`${ANOMALIES}?since_generation=climate-anomalies%3D${anomalies},climate-normals%3D${normals}`);

  test("answers 503 with Retry-After if the caller already has a newer generation", async () => {
    const { status, headers } = await since(1, 2);
    expect([status, headers["Retry-After"]]).toEqual([503, "2"]);
  });

  test("refuses a generation that the store does not have", async () => {
    const description = "must not be newer than generation 1 of climate-normals, got 3";
    const refused = await since(1, 3);
    expect([refused.status, json(refused)]).toEqual([400, { violations: [{ field: "sinceGeneration", description }] }]);
    const other = await since(2, 2);
    expect(json(other)).toEqual({
      violations: [
        { field: "sinceGeneration", description: "must not be newer than generation 1 of climate-anomalies, got 2" },
      ],
    });
  });

  test("answers once it has loaded them", async () => {
    await stack.service.registry.refresh();
    expect((await since(1, 2)).status).toBe(200);
  });
});
