import { expect, test } from "vitest";
import { dataset } from "../contract/dataset.js";
import type { AnyDataset } from "../contract/product.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { requestBoard } from "../snapshots/builds/request-board.js";
import type { DatasetStatus } from "../snapshots/generation.js";
import type { SnapshotRegistry } from "../snapshots/registry.js";
import { createAwaken } from "./waking.js";

const START = Date.UTC(2026, 10, 18, 12);

const french: AnyDataset = dataset({
  name: "french",
  title: "French",
  description: "French",
  cadenceMs: HOUR_MS,
  staleAfterMs: HOUR_MS,
  gaps: [],
  parts: {},
  gateRule: "none",
  gate: () => undefined,
  view: () => undefined,
  newestAt: () => null,
  awakeForMs: HOUR_MS,
});

function opened({ isBuilding = true } = {}) {
  const clock = manualClock(START);
  const seen: { available: boolean; status: Partial<DatasetStatus> | undefined } = {
    available: false,
    status: undefined,
  };
  const announced: string[] = [];
  let listeners: (() => void)[] = [];
  const registry = {
    get: () => ({ available: seen.available }),
    status: () => seen.status,
    refresh: async () => undefined,
    refreshed: () => new Promise<void>((resolve) => listeners.push(resolve)),
    // The cast is safe, because only these members are used.
  } as unknown as SnapshotRegistry;
  const requests = requestBoard(
    { write: async () => undefined, all: async () => new Map() },
    [french],
    clock,
    (error) => {
      throw error;
    },
  );
  const awaken = createAwaken({
    requests,
    registry,
    clock,
    isBuilding: () => isBuilding,
    tell: ({ name }) => announced.push(name),
    onFault: (error) => {
      throw error;
    },
  });
  return {
    clock,
    seen,
    announced,
    awaken: () => awaken(french),
    /** Sets the state that this process sees after a run, and ends the waits for the refresh. */
    built(changes: Partial<typeof seen>) {
      Object.assign(seen, changes);
      for (const listener of listeners.splice(0)) listener();
      listeners = [];
    },
  };
}

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("the first request wakes the builder and waits for the build; later requests do not wait", async () => {
  const { awaken, built, announced, clock } = opened();
  let isOver = false;
  const waiting = awaken()?.then(() => {
    isOver = true;
  });
  await settled();
  expect([announced, isOver]).toEqual([["french"], false]);
  built({ available: true, status: { attemptedAt: clock.now() } });
  await waiting;
  expect([awaken(), announced, clock.sleeping]).toEqual([undefined, ["french"], 0]);
});

test("a failed build ends the wait, and later requests do not wait", async () => {
  const { awaken, built, clock } = opened();
  const waiting = awaken();
  await settled();
  built({ status: { attemptedAt: clock.now(), nextAt: clock.now() + MINUTE_MS } });
  await waiting;
  expect(awaken()).toBeUndefined();
});

test("no request waits longer than an answer may take, and none waits again soon after a timeout", async () => {
  const { awaken, clock } = opened();
  const waiting = awaken();
  await settled();
  clock.advance(14 * SECOND_MS);
  await waiting;
  expect(awaken()).toBeUndefined();
  clock.advance(2 * MINUTE_MS);
  expect(awaken()).toBeInstanceOf(Promise);
});

test("after a timeout, requests wait again if the clock is set back to a time before the timeout", async () => {
  const { awaken, clock } = opened();
  const waiting = awaken();
  await settled();
  clock.advance(14 * SECOND_MS);
  await waiting;
  clock.set(clock.now() - 10 * SECOND_MS);
  expect(awaken()).toBeInstanceOf(Promise);
});

test("no request waits if the build is not due or no process builds", async () => {
  const due = opened();
  due.seen.status = { attemptedAt: START - MINUTE_MS, nextAt: START + MINUTE_MS };
  await due.awaken();
  const alone = opened({ isBuilding: false });
  await alone.awaken();
});

test("no more than two hundred requests wait at the same time", async () => {
  const { awaken, built, clock } = opened();
  const waits = Array.from({ length: 201 }, awaken);
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(1);
  await settled();
  built({ available: true, status: { attemptedAt: clock.now() } });
  await Promise.all(waits);
});
