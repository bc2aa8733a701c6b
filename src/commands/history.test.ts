import { describe, expect, test } from "vitest";
import { addHistory, gatheredHistory, type HistoryEntry, historyText } from "./history.js";
import { parsed } from "./testing/parsed.js";
import { serving } from "./testing/serving.js";

const NOON = Date.UTC(2026, 10, 18, 12);

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed((root, called) => addHistory(root, called("history")), ["history", ...words]);

describe("vigil history", () => {
  test.each([
    { words: ["us-cpi"], options: { entries: 20 } },
    {
      words: ["us-cpi", "--from", "0", "--to", "9", "--entries", "500", "--json", "--demo"],
      options: { from: "0", to: "9", entries: 500, json: true, demo: true },
    },
  ])("vigil history accepts the arguments $words", async ({ words, options }) => {
    expect(await parse(words)).toEqual([["history", "us-cpi", options]]);
  });

  test.each(["0", "501", "many"])('vigil history refuses the number of entries "%s"', async (entries) => {
    expect(await parse(["us-cpi", "--entries", entries])).toContain(
      "the number of entries must be a whole number from 1 to 500",
    );
  });
});

describe("the gathered history", () => {
  /** A service with 120 entries. */
  async function service() {
    const targets: string[] = [];
    const url = await serving((request, answer) => {
      const query = new URL(request.url ?? "", "http://vigil").searchParams;
      targets.push(String(query));
      const from = Number(query.get("cursor") ?? 0);
      const to = Math.min(120, from + Number(query.get("page_size")));
      const entries = Array.from({ length: to - from }, (_, at) => ({ kind: "generation", at: from + at }));
      const availability = from === 0 ? { availability: { days: [{ date: "2026-11-18" }] } } : {};
      answer
        .setHeader("Content-Type", "application/json")
        .end(JSON.stringify({ ...availability, entries, pagination: { nextCursor: to < 120 ? String(to) : "" } }));
    });
    return { targets, address: { url, key: "k" } };
  }

  test("`gatheredHistory` reads pages until it has enough entries, and reports that there are older ones", async () => {
    const { targets, address } = await service();
    const history = await gatheredHistory(address, "us-cpi", { entries: 70, from: "5" });
    expect(targets).toEqual(["name=us-cpi&from=5&page_size=50", "name=us-cpi&from=5&page_size=20&cursor=50"]);
    expect(history.entries.map(({ at }) => at)).toEqual(Array.from({ length: 70 }, (_, at) => at));
    expect([history.availability.days, history.isCut]).toEqual([[{ date: "2026-11-18" }], true]);
  });

  test("`gatheredHistory` stops after the last page, even with fewer entries than requested, and then reports no older ones", async () => {
    const { address } = await service();
    const { entries, isCut } = await gatheredHistory(address, "us-cpi", { entries: 500 });
    expect([entries.length, isCut]).toEqual([120, false]);
  });
});

describe("the text of a history", () => {
  const generation = (number: number, changes: HistoryEntry["changes"] = null): HistoryEntry => ({
    kind: "generation",
    at: NOON + number * 3_600_000,
    generation: number,
    records: { usgs: 80, nrcan: 20 + number },
    changes,
  });
  const day = { date: "2026-11-18", availableRatio: 0.0416, unknownRatio: 0.5, runs: 3, failures: 1 };

  test("the text of a history has a line for each entry, and for each day about which something is known", () => {
    const failed = { kind: "failed-run", at: NOON + 5_400_000, generation: 1, error: "usgs: unavailable: 503" };
    const changed = { usgs: { added: 2, changed: 0, removed: 3 }, nrcan: { added: 0, changed: 10, removed: 0 } };
    const text = historyText({
      name: "earthquakes",
      availability: { days: [{ ...day, date: "2026-11-17", unknownRatio: 1 }, day] },
      entries: [generation(2, changed), failed, generation(1)],
      isCut: false,
    });
    expect(text.split("\n")).toEqual([
      "time (UTC)           generation  records  changes                failure",
      "-------------------  ----------  -------  ---------------------  ----------------------",
      "2026-11-18 14:00:00  2           102      usgs +2 -3, nrcan ~10",
      "2026-11-18 13:30:00  -                                           usgs: unavailable: 503",
      "2026-11-18 13:00:00  1           101      unknown",
      "",
      "day         available  unknown  runs  failures",
      "----------  ---------  -------  ----  --------",
      "2026-11-18  4.2 %      50.0 %   3     1",
    ]);
  });

  test("the text of a history says that there are older entries, or that there are no entries at all", () => {
    const some = { name: "us-cpi", availability: { days: [] } };
    expect(historyText({ ...some, entries: [generation(1)], isCut: true })).toContain(
      "there are older entries; raise --entries, or set --to to an earlier time",
    );
    expect(historyText({ ...some, entries: [], isCut: false })).toMatch(/^us-cpi has no entries in this period\n/);
  });
});
