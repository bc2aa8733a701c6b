import { expect, test } from "vitest";
import { describeEachStore } from "../../../../test/support/stores.js";
import { HOUR_MS } from "../../../kit/clock.js";
import { manualClock } from "../../../kit/manual-clock.js";
import { logWriter } from "./log-writer.js";
import { datasetsIn } from "./tables.js";
import { logParts, standingOf } from "./testing/log-node.js";
import { timelineOf } from "./timeline.js";

const NOW = Date.UTC(2026, 10, 23);

await describeEachStore((open) => {
  /**
   * Opens the timeline of a log in which `a` changes at positions 1, 3 and 5, and `b` at 2 and 4. An hour passes before
   * each of the positions 3 and 5.
   */
  async function openTimeline() {
    const { database } = await open();
    const clock = manualClock(NOW);
    const write = logWriter(await logParts(database, clock));
    await write([standingOf("a", 1), standingOf("b", 0, "absent")]);
    clock.advance(HOUR_MS);
    await write([standingOf("a", 2), standingOf("b", 1, "partial")]);
    clock.advance(HOUR_MS);
    await write([standingOf("a", 2, "stale"), standingOf("b", 1, "partial")]);
    return timelineOf(datasetsIn(database.db));
  }

  test("entries are read in order, either all of them or those of some datasets", async () => {
    const timeline = await openTimeline();
    expect(await timeline.extent()).toMatchObject({ oldest: 1, newest: 5 });
    expect((await timeline.after(1, 2)).map(({ position, dataset }) => [position, dataset])).toEqual([
      [2, "b"],
      [3, "a"],
    ]);
    expect(await timeline.after(1, 10, ["a"])).toEqual([
      { position: 3, at: NOW + HOUR_MS, dataset: "a", generation: 2, state: "ok" },
      { position: 5, at: NOW + 2 * HOUR_MS, dataset: "a", generation: 2, state: "stale" },
    ]);
    expect(await timeline.after(5, 10)).toEqual([]);
    expect(await timeline.after(0, 10, [])).toEqual([]);
  });

  test("the standing of a dataset at a position comes from its last entry up to that position; before its first entry, its state is `absent`", async () => {
    const timeline = await openTimeline();
    const absent = { generation: null, state: "absent" };
    expect(await timeline.standingsAt(1, ["b", "a"])).toEqual([
      { dataset: "b", ...absent },
      { dataset: "a", generation: 1, state: "ok" },
    ]);
    expect(await timeline.standingsAt(4, ["a", "b", "c"])).toEqual([
      { dataset: "a", generation: 2, state: "ok" },
      { dataset: "b", generation: 1, state: "partial" },
      { dataset: "c", ...absent },
    ]);
    expect(await timeline.standingsAt(5, ["a"])).toEqual([{ dataset: "a", generation: 2, state: "stale" }]);
    expect(await timeline.standingsAt(5, [])).toEqual([]);
  });

  test.each([
    [-1, 0],
    [0, 2],
    [HOUR_MS - 1, 2],
    [HOUR_MS, 4],
    [9 * HOUR_MS, 5],
  ])("%i ms after the first entry, the newest position is %i", async (afterMs, position) => {
    expect(await (await openTimeline()).positionAt(NOW + afterMs)).toBe(position);
  });
});
