import { expect, test } from "vitest";
import { describeEachStore } from "../../../test/support/stores.js";
import { dataset } from "../../contract/dataset.js";
import type { AnyDataset } from "../../contract/product.js";
import { datasetRequestStore } from "../../database/dataset-requests.js";
import type { OpenDatabase } from "../../database/open-database.js";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../kit/clock.js";
import { manualClock } from "../../kit/manual-clock.js";
import { requestBoard } from "./request-board.js";

const START = Date.UTC(2026, 10, 18, 12);

function named(name: string, awakeForMs?: number): AnyDataset {
  return dataset({
    name,
    title: name,
    description: name,
    cadenceMs: HOUR_MS,
    staleAfterMs: HOUR_MS,
    gaps: [],
    parts: {},
    gateRule: "none",
    gate: () => undefined,
    view: () => undefined,
    newestAt: () => null,
    ...(awakeForMs !== undefined && { awakeForMs }),
  });
}

const [always, hourly] = [named("always"), named("hourly", HOUR_MS)];

await describeEachStore((open) => {
  const onFault = (error: unknown): never => {
    throw error;
  };

  async function opened() {
    const { database, openAgain } = await open();
    const clock = manualClock(START);
    const boardOn = (on: OpenDatabase) => requestBoard(datasetRequestStore(on), [always, hourly], clock, onFault);
    return { clock, database, board: boardOn(database), other: boardOn(await openAgain()) };
  }

  const storedAt = async (database: OpenDatabase) => [...(await datasetRequestStore(database).all()).values()];

  test("a dataset is awake from its first request until it has had no request for `awakeForMs`", async () => {
    const { board, clock } = await opened();
    expect([board.isAwake(always), board.isAwake(hourly), board.awakeSince(hourly)]).toEqual([true, false, undefined]);
    expect(board.note(hourly)).toBe(true);
    clock.advance(HOUR_MS - 1);
    expect([board.note(hourly), board.awakeSince(hourly)]).toEqual([false, START]);
    clock.advance(HOUR_MS - 1);
    expect(board.isAwake(hourly)).toBe(true);
    clock.advance(1);
    expect([board.isAwake(hourly), board.awakeSince(hourly)]).toEqual([false, undefined]);
    expect([board.note(hourly), board.awakeSince(hourly)]).toEqual([true, clock.now()]);
    await board.stored();
  });

  test("a request also wakes the dataset in another process, and the callers that wait in that process continue", async () => {
    const { board, other } = await opened();
    const woken = other.awake(hourly, new AbortController().signal);
    board.note(hourly);
    await board.stored();
    await other.refresh();
    await woken;
    expect(other.isAwake(hourly)).toBe(true);
  });

  test("the stored request time is renewed at most every ten minutes, and a slightly earlier time does not replace it", async () => {
    const { board, clock, database } = await opened();
    board.note(hourly);
    await board.stored();
    clock.advance(10 * MINUTE_MS - 1);
    board.note(hourly);
    expect(await storedAt(database)).toEqual([START]);
    clock.advance(1);
    board.note(hourly);
    await board.stored();
    expect(await storedAt(database)).toEqual([START + 10 * MINUTE_MS]);
    await datasetRequestStore(database).write("hourly", clock.now() - 30 * SECOND_MS);
    expect(await storedAt(database)).toEqual([START + 10 * MINUTE_MS]);
  });

  test("if a clock that was ahead is set back, a request keeps a dataset awake no longer than usual", async () => {
    const { board, other, clock } = await opened();
    board.note(hourly);
    await board.stored();
    clock.set(START - DAY_MS);
    for (const process of [board, other]) {
      await process.refresh();
      expect([process.isAwake(hourly), process.awakeSince(hourly)]).toEqual([true, clock.now()]);
    }
    clock.advance(HOUR_MS);
    for (const process of [board, other]) {
      await process.refresh();
      expect(process.isAwake(hourly)).toBe(false);
    }
  });

  test("the first request after the clock was set back is stored immediately, and another process sees it", async () => {
    const { board, other, clock, database } = await opened();
    board.note(hourly);
    await board.stored();
    await other.refresh();
    clock.set(START - DAY_MS);
    other.isAwake(hourly);
    clock.advance(HOUR_MS);
    board.note(hourly);
    await board.stored();
    expect(await storedAt(database)).toEqual([clock.now()]);
    await other.refresh();
    expect(other.isAwake(hourly)).toBe(true);
  });

  test("a caller that waits for a dataset stops when its signal aborts", async () => {
    const { board } = await opened();
    const stopping = new AbortController();
    const waiting = board.awake(hourly, stopping.signal);
    stopping.abort(new Error("stopping"));
    await expect(waiting).rejects.toThrow("stopping");
    await board.awake(always, stopping.signal);
  });

  test("if too many datasets are awake, each process puts to sleep the dataset whose last known request is the oldest", async () => {
    const { database, openAgain } = await open();
    const clock = manualClock(START);
    const [a, b, c] = ["a", "b", "c"].map((name) => named(name, HOUR_MS)) as [AnyDataset, AnyDataset, AnyDataset];
    const boardOn = (on: OpenDatabase) => requestBoard(datasetRequestStore(on), [a, b, c], clock, onFault, 2);
    const [board, other] = [boardOn(database), boardOn(await openAgain())];
    for (const dataset of [a, b, a, c]) {
      clock.advance(MINUTE_MS);
      board.note(dataset);
    }
    await board.stored();
    await other.refresh();
    await other.refresh();
    expect([a, b, c].map((dataset) => board.isAwake(dataset))).toEqual([true, false, true]);
    // The other process may put either `a` or `b` to sleep, because the second request for `a` is not stored yet.
    expect([a, b, c].filter((dataset) => other.isAwake(dataset))).toHaveLength(2);
    expect(other.isAwake(c)).toBe(true);
    clock.advance(MINUTE_MS);
    expect(board.note(b)).toBe(true);
    expect([a, b, c].map((dataset) => board.isAwake(dataset))).toEqual([false, true, true]);
    await board.stored();
  });
});
