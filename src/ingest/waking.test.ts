import { expect, test } from "vitest";
import { type AnyDataset, dataset } from "../contract/dataset.js";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { askedBoard } from "../snapshots/asked-board.js";
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
  whileAskedForMs: HOUR_MS,
});

function opened({ isBuilding = true } = {}) {
  const clock = manualClock(START);
  const seen: { available: boolean; status: Partial<DatasetStatus> | undefined } = {
    available: false,
    status: undefined,
  };
  const told: string[] = [];
  let listeners: (() => void)[] = [];
  const registry = {
    get: () => ({ available: seen.available }),
    status: () => seen.status,
    refresh: async () => undefined,
    refreshed: () => new Promise<void>((resolve) => listeners.push(resolve)),
    // Only these are asked for.
  } as unknown as SnapshotRegistry;
  const asked = askedBoard({ write: async () => undefined, all: async () => new Map() }, [french], clock, (error) => {
    throw error;
  });
  const awaken = createAwaken({
    asked,
    registry,
    clock,
    isBuilding: () => isBuilding,
    tell: ({ name }) => told.push(name),
    onFault: (error) => {
      throw error;
    },
  });
  return {
    clock,
    seen,
    told,
    awaken: () => awaken(french),
    /** The trace of a run, as this process sees it. */
    built(changes: Partial<typeof seen>) {
      Object.assign(seen, changes);
      for (const listener of listeners.splice(0)) listener();
      listeners = [];
    },
  };
}

const settled = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test("the first request tells the builder and waits for its build, the next ones wait for nothing", async () => {
  const { awaken, built, told, clock } = opened();
  let isOver = false;
  const waiting = awaken()?.then(() => {
    isOver = true;
  });
  await settled();
  expect([told, isOver]).toEqual([["french"], false]);
  built({ available: true, status: { attemptedAt: clock.now() } });
  await waiting;
  expect([awaken(), told, clock.sleeping]).toEqual([undefined, ["french"], 0]);
});

test("a build that fails ends the wait as well, and is not waited for again", async () => {
  const { awaken, built, clock } = opened();
  const waiting = awaken();
  await settled();
  built({ status: { attemptedAt: clock.now(), nextAt: clock.now() + MINUTE_MS } });
  await waiting;
  expect(awaken()).toBeUndefined();
});

test("nobody waits longer than an answer may take, nor soon after in vain", async () => {
  const { awaken, clock } = opened();
  const waiting = awaken();
  await settled();
  clock.advance(14 * SECOND_MS);
  await waiting;
  expect(awaken()).toBeUndefined();
  clock.advance(2 * MINUTE_MS);
  expect(awaken()).toBeInstanceOf(Promise);
});

test("a clock that is set back makes nobody impatient for longer", async () => {
  const { awaken, clock } = opened();
  const waiting = awaken();
  await settled();
  clock.advance(14 * SECOND_MS);
  await waiting;
  clock.set(clock.now() - 10 * SECOND_MS);
  expect(awaken()).toBeInstanceOf(Promise);
});

test("nobody waits for a build that is not due, or where nobody builds", async () => {
  const due = opened();
  due.seen.status = { attemptedAt: START - MINUTE_MS, nextAt: START + MINUTE_MS };
  await due.awaken();
  const alone = opened({ isBuilding: false });
  await alone.awaken();
});

test("no more than two hundred requests wait at once", async () => {
  const { awaken, built, clock } = opened();
  const waits = Array.from({ length: 201 }, awaken);
  expect(waits.filter((wait) => wait === undefined)).toHaveLength(1);
  await settled();
  built({ available: true, status: { attemptedAt: clock.now() } });
  await Promise.all(waits);
});
