import { describe, expect, test } from "vitest";
import type { StoredDisaster } from "../records.js";
import { disastersOf } from "./disasters.js";

const disaster = (id: string, values: Partial<StoredDisaster> = {}): StoredDisaster => ({
  id,
  type: "flood",
  name: `Flood ${id}`,
  country: "Chad",
  countryCode: "TD",
  status: "ongoing",
  source: "GDACS",
  startedAt: Date.UTC(2026, 10, 10),
  observedAt: Date.UTC(2026, 10, 12),
  ...values,
});
const idsOf = (stored: readonly StoredDisaster[]): string[] => disastersOf(stored).map(({ id }) => id);

describe("duplicates", () => {
  test("the first of two rows with the same source and id is kept", () => {
    expect(disastersOf([disaster("a", { name: "first" }), disaster("a", { name: "second" })])).toMatchObject([
      { name: "first" },
    ]);
  });

  test("the first of two events that agree on type, country, name and day is kept", () => {
    const same = { name: "Floods  in Chad" };
    expect(idsOf([disaster("gdacs-1", same), disaster("reliefweb-9", { name: "floods in chad" })])).toEqual([
      "gdacs-1",
    ]);
  });

  test("the first of two events with the same type, name and day is kept if they share at least one country", () => {
    const same = { name: "Drought", countryCode: "AR", countryCodes: ["AR", "CL"] };
    expect(idsOf([disaster("a", same), disaster("b", { name: "drought", countryCode: "CL" })])).toEqual(["a"]);
  });

  test.each([
    ["type", { type: "drought" as const }],
    ["country", { countryCode: "NE" }],
    ["name", { name: "another" }],
    ["day", { startedAt: Date.UTC(2026, 10, 11) }],
  ])("an event with another %s is not a duplicate", (_, values) => {
    const shared = { name: "x" };
    expect(idsOf([disaster("a", shared), disaster("b", { ...shared, ...values })])).toHaveLength(2);
  });
});

test("disasters are sorted by their start, else by their last observation, newest first, and limited to 300", () => {
  const { startedAt: _startedAt, ...unknownStart } = disaster("seen", { observedAt: Date.UTC(2026, 10, 11) });
  const stored = [
    disaster("old", { startedAt: 0 }),
    unknownStart,
    disaster("new", { startedAt: Date.UTC(2026, 10, 13) }),
  ];
  expect(idsOf(stored)).toEqual(["new", "seen", "old"]);
  expect(idsOf(Array.from({ length: 301 }, (_, index) => disaster(`d${index}`, { startedAt: index })))).toHaveLength(
    300,
  );
});

test("the time of the last observation is not served", () => {
  expect(disastersOf([disaster("a")])[0]).not.toHaveProperty("observedAt");
});
