import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../kit/clock.js";
import { AvailabilityTally, type RunOutcomeAt } from "./availability.js";

const FROM = Date.UTC(2026, 10, 18);

/** Returns a run that ended this many hours after the start of the period. */
function run(number: number, hour: number, changes: Partial<RunOutcomeAt> = {}): RunOutcomeAt {
  const at = FROM + hour * HOUR_MS;
  return { run: number, at, outcome: "unchanged", generation: 1, checkedAt: at, ...changes };
}

function daysOf(runs: readonly RunOutcomeAt[], days = 1, staleHours = 12) {
  const tally = new AvailabilityTally({ from: FROM, to: FROM + days * DAY_MS, staleAfterMs: staleHours * HOUR_MS });
  for (const each of runs) tally.add(each);
  return tally.result().map(({ availableRatio, unknownRatio }) => [availableRatio, unknownRatio]);
}

describe("the availability of a day", () => {
  test.each([
    { case: "no run is known", runs: [], shares: [0, 1] },
    { case: "the first run publishes at noon", runs: [run(1, 12, { outcome: "published" })], shares: [0.5, 0.5] },
    { case: "the content was confirmed the evening before", runs: [run(1, -6)], shares: [0.25, 0] },
    { case: "the content is confirmed again in time", runs: [run(1, -6), run(2, 6), run(3, 18)], shares: [1, 0] },
    {
      case: "a failure follows the confirmation",
      runs: [run(1, -6), run(2, 3, { outcome: "failed", checkedAt: FROM - 6 * HOUR_MS })],
      shares: [0.25, 0],
    },
    {
      case: "nothing was ever published",
      runs: [run(1, -1, { outcome: "failed", generation: 0, checkedAt: null })],
      shares: [0, 0],
    },
    { case: "runs were removed after the content became stale", runs: [run(1, -6), run(5, 18)], shares: [0.5, 0.5] },
    {
      case: "runs were removed before the first generation",
      runs: [run(1, 0, { generation: 0, checkedAt: null }), run(5, 12)],
      shares: [0.5, 0.5],
    },
    {
      case: "runs were removed while the content was fresh",
      runs: [run(1, -6), run(5, 6), run(6, 18)],
      shares: [1, 0],
    },
    { case: "the next kept run is after the day", runs: [run(1, -18), run(5, 30)], shares: [0, 1] },
  ])("has the available and unknown shares $shares if $case", ({ runs, shares }) => {
    expect(daysOf(runs)).toEqual([shares]);
  });

  test("is stated for each day of the period, even for days without a run", () => {
    expect(daysOf([run(1, 12)], 3, 24)).toEqual([
      [0.5, 0.5],
      [0.5, 0],
      [0, 0],
    ]);
  });

  test("counts runs and failures, and states that runs were removed", () => {
    const tally = new AvailabilityTally({ from: FROM, to: FROM + 2 * DAY_MS, staleAfterMs: DAY_MS });
    const failed = { outcome: "failed" };
    for (const each of [run(1, -1), run(2, 1), run(3, 2, failed), run(4, 25), run(9, 30, { outcome: "unconfigured" })])
      tally.add(each);
    expect(tally.result()).toMatchObject([
      { date: "2026-11-18", runs: 2, failures: 1, isThinned: false },
      { date: "2026-11-19", runs: 2, failures: 1, isThinned: true },
    ]);
  });

  test("is a share of the time until now, if the day is not over", () => {
    const tally = new AvailabilityTally({ from: FROM, to: FROM + 8 * HOUR_MS, staleAfterMs: DAY_MS });
    tally.add(run(1, 2));
    expect(tally.result()).toMatchObject([{ availableRatio: 0.75, unknownRatio: 0.25, runs: 1 }]);
  });

  test("is never rounded up to a whole day", () => {
    const tally = new AvailabilityTally({ from: FROM, to: FROM + DAY_MS, staleAfterMs: 2 * DAY_MS });
    tally.add(run(1, 0, { at: FROM + 1, checkedAt: FROM + 1 }));
    expect(tally.result()).toMatchObject([{ availableRatio: 0.9999 }]);
  });
});
