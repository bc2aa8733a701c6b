import { describe, expect, test } from "vitest";
import { queryOf } from "../../../../test/support/operations.js";
import { absent, BUILT_AT, snapshotOf, storedAnswerOf } from "../../../../test/support/stored-answers.js";
import { viewOf } from "../../../../test/support/views.js";
import { silentTally } from "../../../contract/row-tally.js";
import { settingReader } from "../../../contract/setting.js";
import { DAY_MS, HOUR_MS } from "../../../kit/clock.js";
import { materialEvents } from "../datasets/material-events.js";
import type { StoredFiling } from "../filing-records.js";
import { listMaterialEvents } from "./list-material-events.js";

const filing = (number: number, values: Partial<StoredFiling> = {}): StoredFiling => ({
  accessionNumber: `0001900001-26-${String(number).padStart(6, "0")}`,
  form: "8-K",
  filedAt: BUILT_AT - number * HOUR_MS,
  cik: "0001900001",
  companyName: "Vigil Inc.",
  items: ["5.02", "9.01"],
  url: "https://www.sec.gov/x",
  ...values,
});

interface Answer {
  readonly events: readonly { readonly accession: string }[];
}
const answerTo = (search: string, filings: readonly StoredFiling[]) =>
  storedAnswerOf(listMaterialEvents, search, { week: snapshotOf(viewOf(materialEvents, { filings })) }) as Answer;
const numbersOf = ({ events }: Answer) => events.map(({ accession }) => Number(accession.slice(-6)));

describe("list-material-events", () => {
  test("a filing is served with the names of all its items", () => {
    expect(answerTo("", [filing(1, { form: "8-K/A", items: ["1.05", "6.06"] })])).toEqual({
      events: [
        {
          company: "Vigil Inc.",
          cik: "0001900001",
          form: "8-K/A",
          accession: "0001900001-26-000001",
          filedAtMs: BUILT_AT - HOUR_MS,
          items: [
            { code: "1.05", description: "Material cybersecurity incident" },
            { code: "6.06", description: "Item 6.06" },
          ],
          url: "https://www.sec.gov/x",
        },
      ],
      unavailable: false,
      fetchedAtMs: BUILT_AT,
    });
  });

  const week = [
    filing(1),
    filing(2, { items: ["8.01", "9.01"] }),
    filing(3, { items: ["1.05"] }),
    filing(4, { items: [] }),
    filing(5, { items: ["5.07", "5.08"] }),
  ];

  test.each([
    ["", [1, 3, 5]],
    ["item_code=9.01", [1, 2]],
    ["item_code=1.05", [3]],
    ["item_code=1.03", []],
    ["limit=2", [1, 3]],
  ])("the query %j serves the filings %j, newest first", (search, numbers) => {
    expect(numbersOf(answerTo(search, week))).toEqual(numbers);
  });

  test.each([
    ["", 25],
    ["limit=0", 25],
    ["limit=100", 100],
    ["limit=5000", 100],
  ])("the query %j serves %i of 120 filings", (search, count) => {
    const many = Array.from({ length: 120 }, (_, number) => filing(number));
    expect(answerTo(search, many).events).toHaveLength(count);
  });

  test.each(["item_code=1.5", "item_code=x", "item_code=1.055", "limit=-1", "limit=x"])("%s is refused", (search) => {
    expect(() => queryOf(listMaterialEvents, search)).toThrow();
  });

  test("if nothing is stored, the answer is marked unavailable and has no time of collection", () => {
    expect(storedAnswerOf(listMaterialEvents, "", { week: absent })).toEqual({ events: [], unavailable: true });
  });
});

describe("the dataset of 8-K filings", () => {
  const { filings: part } = materialEvents.parts;
  const context = { now: BUILT_AT, settingOf: settingReader({}), memory: { readTo: null } };

  test("the first run reads a week, and later runs read from 18 hours before the last complete run", () => {
    expect(part.plan({ ...context, kept: [] })).toEqual({ since: BUILT_AT - 7 * DAY_MS });
    const memory = part.memory?.after(context.memory, [{ readTo: BUILT_AT - HOUR_MS }], context);
    expect(part.plan({ ...context, kept: [], memory: memory ?? context.memory })).toEqual({
      since: BUILT_AT - 19 * HOUR_MS,
    });
    const old = { readTo: BUILT_AT - 30 * DAY_MS };
    expect(part.plan({ ...context, kept: [], memory: old })).toEqual({ since: BUILT_AT - 7 * DAY_MS });
  });

  test("a run without progress keeps the time of the last complete run", () => {
    expect(part.memory?.after({ readTo: 7 }, [], context)).toEqual({ readTo: 7 });
  });

  test("entries with the same accession number become one filing with all companies", () => {
    const other = { cik: "0001900008", companyName: "Vigil Two LLC" };
    const kept = [filing(2), filing(1)];
    const merged =
      part.merge?.(kept, [filing(1, { ...other, items: ["1.01"] }), filing(0)], { ...context, tally: silentTally }) ??
      [];
    expect(merged).toEqual([filing(0), filing(1, { items: ["1.01"], coFilers: [other] }), filing(2)]);
    const again = part.merge?.(merged, [filing(1, { items: ["1.01"] }), filing(1, { ...other, items: ["1.01"] })], {
      ...context,
      tally: silentTally,
    });
    expect(again).toEqual(merged);
    const { byCik } = viewOf(materialEvents, { filings: merged });
    expect(byCik.get(other.cik)).toEqual([merged[1]]);
    expect(byCik.get("0001900001")).toEqual(merged);
  });

  test("the dataset keeps the filings of seven days, at most 5,000", () => {
    expect(part.select?.([filing(0), filing(168), filing(169)], BUILT_AT, silentTally)).toHaveLength(2);
    const many = Array.from({ length: 5_001 }, (_, number) => filing(number, { filedAt: BUILT_AT }));
    expect(part.select?.(many, BUILT_AT, silentTally)).toHaveLength(5_000);
  });

  test("the dataset is not published with fewer than 50 filings", () => {
    const many = Array.from({ length: 50 }, (_, number) => filing(number));
    expect(materialEvents.gate({ filings: many })).toBeUndefined();
    expect(materialEvents.gate({ filings: many.slice(1) })).toBe("49 filings; expected at least 50");
    expect(materialEvents.newestAt({ filings: many })).toBe(BUILT_AT);
    expect(materialEvents.newestAt({ filings: [] })).toBeNull();
  });
});
