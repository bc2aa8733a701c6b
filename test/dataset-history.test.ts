import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bodyStore } from "../src/database/bodies.js";
import { DAY_MS, HOUR_MS } from "../src/kit/clock.js";
import { applyRetention } from "../src/snapshots/history/retention.js";
import { keyOn } from "./support/callers.js";
import { json, NOON, type Stack, startStack } from "./support/stack.js";
import { availableStores } from "./support/stores.js";

const HISTORY = "/api/datasets/history?name=earthquakes";

interface Entry {
  readonly kind: string;
  readonly at: number;
  readonly generation: number | null;
  readonly error?: string | null;
  readonly records?: Readonly<Record<string, number>>;
  readonly changes?: Readonly<Record<string, { readonly added: number; readonly removed: number }>> | null;
  readonly provenance?: readonly object[];
}
interface History {
  readonly entries: readonly Entry[];
  readonly availability?: { readonly staleAfterSeconds: number; readonly days: readonly object[] };
  readonly pagination: { readonly nextCursor: string };
}

async function historyOf(stack: Stack, query = "", headers?: Readonly<Record<string, string>>): Promise<History> {
  const answer = await stack.get(`${HISTORY}${query}`, headers);
  expect(answer.status).toBe(200);
  return json(answer) as History;
}

const summary = ({ kind, at, generation }: Entry) => [kind, (at - NOON) / HOUR_MS, generation];

for (const { name, skipReason, open } of await availableStores()) {
  const title = skipReason === undefined ? name : `${name}, skipped: ${skipReason}`;
  describe.skipIf(skipReason !== undefined)(`the history of a dataset on ${title}`, () => {
    let stack: Stack;
    let dispose: () => Promise<void>;
    beforeAll(async () => {
      const store = await open();
      dispose = () => store.dispose();
      const env = store.url === undefined ? {} : { DATABASE_URL: store.url };
      stack = await startStack({ datasets: ["earthquakes"], env });
      const { clock, simulator } = stack;
      await stack.run("earthquakes");
      await stack.run("earthquakes");
      clock.advance(HOUR_MS);
      simulator.faults.set({ upstream: "usgs-earthquakes" }, { kind: "status", code: 503 });
      simulator.faults.set({ upstream: "nrcan-earthquakes" }, { kind: "status", code: 503 });
      await stack.run("earthquakes");
      clock.advance(5 * HOUR_MS);
      simulator.faults.clear();
      await stack.run("earthquakes");
      clock.advance(DAY_MS);
      await stack.run("earthquakes");
      clock.advance(HOUR_MS);
    }, 60_000);
    afterAll(async () => {
      await stack?.close();
      await dispose?.();
    });

    test("lists generations and failed runs, newest first, with times, counts, changes and upstream answers", async () => {
      const { entries } = await historyOf(stack);
      expect(entries.map(summary)).toEqual([
        ["generation", 30, 3],
        ["generation", 6, 2],
        ["failed-run", 1, 1],
        ["generation", 0, 1],
      ]);
      expect(entries[1]).toMatchObject({
        builtAt: NOON + 6 * HOUR_MS,
        contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        records: { usgs: expect.any(Number), nrcan: expect.any(Number) },
        changes: { usgs: { added: expect.any(Number), changed: expect.any(Number), removed: expect.any(Number) } },
        provenanceCount: entries[1]?.provenance?.length,
      });
      expect(entries[1]?.provenance?.[0]).toMatchObject({
        part: "usgs",
        url: expect.stringContaining("https://earthquake.usgs.gov/"),
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        status: 200,
      });
      expect(entries[3]).toMatchObject({ changes: null });
      expect(entries[2]?.error).toContain("503");
    });

    test("counts the rows that changed since the previous generation", async () => {
      const { entries } = await historyOf(stack);
      const counts = entries.map(({ records }) => records?.["usgs"] ?? 0);
      const { added = 0, removed = 0 } = entries[0]?.changes?.["usgs"] ?? {};
      expect((counts[0] ?? 0) - (counts[1] ?? 0)).toBe(added - removed);
      expect(added + removed).toBeGreaterThan(0);
    });

    test("shows the reason for a failed run only to the operator", async () => {
      const key = await keyOn(stack, "business");
      const { entries } = await historyOf(stack, "", { "x-service-key": key });
      expect(entries[2]).toMatchObject({ outcome: "failed", error: "the reason is shown only to the operator" });
    });

    test("returns each entry once across all pages, and binds cursors to the range", async () => {
      const all = (await historyOf(stack)).entries;
      const seen: Entry[] = [];
      let cursor = "";
      do {
        const page = await historyOf(stack, `&page_size=1${cursor === "" ? "" : `&cursor=${cursor}`}`);
        expect(page.availability === undefined).toBe(cursor !== "");
        seen.push(...page.entries);
        cursor = page.pagination.nextCursor;
      } while (cursor !== "");
      expect(seen.map(summary)).toEqual(all.map(summary));
      const { pagination } = await historyOf(stack, "&page_size=1");
      const other = await stack.get(`${HISTORY}&from=0&to=${DAY_MS}&cursor=${pagination.nextCursor}`);
      expect([other.status, json(other)]).toEqual([
        400,
        { violations: [{ field: "cursor", description: expect.stringContaining("is not a cursor of this dataset") }] },
      ]);
    });

    test("selects a range, both ends included, by ISO 8601 or epoch milliseconds", async () => {
      const [from, to] = [NOON + HOUR_MS, NOON + 6 * HOUR_MS];
      const iso = (at: number) => new Date(at).toISOString();
      for (const query of [`&from=${from}&to=${to}`, `&from=${iso(from)}&to=${iso(to)}`]) {
        expect((await historyOf(stack, query)).entries.map(summary)).toEqual([
          ["generation", 6, 2],
          ["failed-run", 1, 1],
        ]);
      }
    });

    test("states for each day how long the dataset was available, and how many runs failed", async () => {
      const { availability } = await historyOf(stack, `&from=${NOON - DAY_MS}&to=${stack.clock.now()}`);
      expect(availability?.staleAfterSeconds).toBe(1_800);
      expect(availability?.days).toEqual([
        { date: "2026-11-17", availableRatio: 0, unknownRatio: 1, runs: 0, failures: 0, isThinned: false },
        {
          date: "2026-11-18",
          // The content was confirmed at 12:00 and at 18:00. Each confirmation is valid for half an hour.
          availableRatio: 0.0416,
          unknownRatio: 0.5,
          runs: 4,
          failures: 1,
          isThinned: false,
        },
        {
          date: "2026-11-19",
          // Available for half an hour of the 19 hours that have passed.
          availableRatio: 0.0263,
          unknownRatio: 0,
          runs: 1,
          failures: 0,
          isThinned: false,
        },
      ]);
    });

    test("is served as a TimeMap, in pages like those of the JSON, to callers that accept application/link-format", async () => {
      const { headers, body } = await stack.get(`${HISTORY}&page_size=2&to=${NOON + 2 * DAY_MS}`, {
        ...owner(stack),
        accept: "application/link-format",
      });
      expect(headers).toMatchObject({ "Content-Type": "application/link-format", Vary: "Accept" });
      const links = String(body).trim().split(",\n");
      const newest = NOON + 30 * HOUR_MS;
      expect(links.slice(0, 3)).toEqual([
        '</api/datasets?name=earthquakes>; rel="original"',
        expect.stringMatching(
          /^<\/api\/datasets\/history\?name=earthquakes&from=\d+&to=\d+>; rel="self"; type="application\/link-format"; from="Wed, 18 Nov 2026 18:00:00 GMT"; until="Thu, 19 Nov 2026 18:00:00 GMT"$/,
        ),
        `</api/datasets/history?name=earthquakes&from=${newest}&to=${newest}>; rel="memento"; datetime="Thu, 19 Nov 2026 18:00:00 GMT"`,
      ]);
      const next = /<([^>]+)>; rel="timemap"/.exec(links.at(-1) ?? "")?.[1] ?? "";
      expect(next).toContain("&page_size=2&");
      const last = await stack.get(next, { ...owner(stack), accept: "application/link-format" });
      expect([...String(last.body).matchAll(/rel="memento"/g)]).toHaveLength(1);
      expect(String(last.body)).not.toContain('rel="timemap"');
    });

    test.each([
      ["/api/datasets/history", 400, "name"],
      [`${HISTORY}&from=yesterday`, 400, "from"],
      [`${HISTORY}&from=2026-11-18T12:00:00Z&to=2026-11-17T12:00:00Z`, 400, "from"],
      [`${HISTORY}&from=0`, 400, "from"],
      [`${HISTORY}&page_size=0`, 400, "pageSize"],
      [`${HISTORY}&page_size=51`, 400, "pageSize"],
      [`${HISTORY}&page_size=1&page_size=2`, 400, "pageSize"],
      [`${HISTORY}&cursor=abc`, 400, "cursor"],
    ])("refuses %s with %i on the field %s", async (target, status, field) => {
      const answer = await stack.get(target);
      expect([answer.status, json(answer)]).toMatchObject([status, { violations: [{ field }] }]);
    });

    test("is a 404 for a dataset that does not exist, and a 401 without a key", async () => {
      expect((await stack.get("/api/datasets/history?name=nowhere")).status).toBe(404);
      expect((await stack.get(HISTORY, {})).status).toBe(401);
    });

    test("lists what retention has kept, and states what share of each day is unknown", async () => {
      const { service, clock, dataDir } = stack;
      const policy = { wholeMs: 0, dailyMs: 30 * DAY_MS, bodyBytesMax: 1e9 };
      const bodies = bodyStore(service.database, dataDir, clock);
      await applyRetention(service.database, bodies, ["earthquakes"], policy, clock.now());
      const { entries, availability } = await historyOf(stack, `&from=${NOON}`);
      expect(entries.map(summary)).toEqual([
        ["generation", 30, 3],
        ["generation", 6, 2],
      ]);
      expect(availability?.days).toMatchObject([
        { date: "2026-11-18", unknownRatio: 0.75, runs: 1 },
        { date: "2026-11-19", unknownRatio: 0 },
      ]);
    });
  });
}

const owner = (stack: Stack) => ({ "x-service-key": stack.service.access.ownerKey.key ?? "" });
