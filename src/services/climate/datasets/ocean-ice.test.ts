import { expect, test } from "vitest";
import { silentTally } from "../../../contract/row-tally.js";
import { ClockPace } from "../../../kit/loop-turns.js";
import { oceanIce } from "./ocean-ice.js";

const nothing = { extent: [], median: [], seaLevel: [], heat: [], temperature: [] };
/** Builds the served view of these records. */
const viewOf = (records: Partial<Parameters<typeof oceanIce.view>[0]>) =>
  oceanIce.view({ ...nothing, ...records }, new ClockPace(), silentTally);

const day = Date.UTC(2026, 10, 17);
const heat = { at: Date.UTC(2025, 6, 2, 12), zettajoules: 257.3 };
const months = Array.from({ length: (2026 - 1971) * 12 + 9 }, (_, index) => ({
  month: Date.UTC(1971, index),
  anomalyC: index / 1_000,
}));

test("every value has its time of observation, except the sea level, whose page has no date", () => {
  const record = viewOf({
    extent: [{ day, extentMkm2: 9.8 }],
    seaLevel: [{ mmAbove1993: 103.8, mmPerYear: 4.2 }],
    heat: [heat],
    temperature: months,
  });
  expect(Object.fromEntries(Object.entries(record ?? {}).filter(([name]) => name.endsWith("At")))).toEqual({
    arcticExtentObservedAt: day,
    ohc0700mZjObservedAt: heat.at,
    sstAnomalyCObservedAt: Date.UTC(2026, 8),
    measuredAt: day,
  });
  expect(record).toMatchObject({ seaLevelMmAbove1993: 103.8, ohc0700mZj: 257.3 });
});

test("an absent value has no date", () => {
  expect(viewOf({ heat: [heat], temperature: months.slice(-1) })).toEqual({
    ohc0700mZj: 257.3,
    ohc0700mZjObservedAt: heat.at,
    measuredAt: Date.UTC(2026, 8),
  });
});
