import { expect, test } from "vitest";
import { buildOf, describeEachStore, finishedRun } from "../../test/support/stores.js";
import { dataset } from "../contract/dataset.js";
import { type BodyStore, bodyStore, UnreadableBody } from "../database/bodies.js";
import { DAY_MS, HOUR_MS } from "../kit/clock.js";
import { LoopTurns } from "../kit/loop-turns.js";
import { manualClock } from "../kit/manual-clock.js";
import { newestReadable } from "./newest-readable.js";
import { snapshotRegistry } from "./registry.js";
import { stateReasons } from "./state-reasons.js";
import { snapshotStore } from "./store.js";

const START = Date.UTC(2026, 10, 18, 12);

/** A dataset of one list of numbers; its view rejects a string. */
const numbers = dataset({
  name: "numbers",
  title: "Numbers",
  description: "Numbers.",
  cadenceMs: DAY_MS,
  staleAfterMs: 3 * DAY_MS,
  gaps: [],
  parts: {},
  gateRule: "none",
  gate: () => undefined,
  view: (records: Readonly<Record<string, readonly unknown[]>>) =>
    (records["list"] ?? []).map((value) => {
      if (typeof value !== "number") throw new TypeError(`${value} is not a number`);
      return value;
    }),
  newestAt: () => null,
});

/** Wraps `bodies`. A body whose content hash is in `unreadable` cannot be read until the body is stored again. */
function unreadableIn(bodies: BodyStore, unreadable: Set<string>): BodyStore {
  return {
    ...bodies,
    async put(contentHash, bytes) {
      await bodies.put(contentHash, bytes);
      unreadable.delete(contentHash);
    },
    async get(contentHash) {
      if (unreadable.has(contentHash)) throw new UnreadableBody(`body ${contentHash.slice(0, 12)} cannot be read`);
      return bodies.get(contentHash);
    },
  };
}

await describeEachStore((open) => {
  async function opened() {
    const { database, dataDir } = await open();
    const clock = manualClock(START);
    const unreadable = new Set<string>();
    const bodies = unreadableIn(bodyStore(database, dataDir, clock), unreadable);
    const store = snapshotStore(database, bodies);
    const newRegistry = () =>
      snapshotRegistry({ store, datasets: [numbers], clock, turns: new LoopTurns(), report: () => undefined });
    const publish = (list: readonly unknown[]) => {
      clock.advance(HOUR_MS);
      return store.publish("numbers", buildOf({ list }), finishedRun("numbers", clock.now()), clock.now());
    };
    return { clock, bodies, unreadable, store, newRegistry, publish };
  }

  test("if the body of the newest generation is damaged, the newest readable generation is served as stale", async () => {
    const { bodies, store, newRegistry, publish } = await opened();
    await publish([1]);
    await publish([1, 2]);
    const gone = await publish([1, 2, 3]);
    const damaged = await publish([1, 2, 3, 4]);
    await bodies.remove(gone.contentHash);
    await bodies.put(damaged.contentHash, Buffer.from("damaged"));
    const registry = newRegistry();
    await registry.refresh();
    const snapshot = registry.get(numbers);
    expect(snapshot).toMatchObject({ available: true, state: "stale", generation: 2, view: [1, 2] });
    expect(stateReasons(numbers, snapshot, START)).toEqual([
      `generation 4 is unreadable: body ${damaged.contentHash.slice(0, 12)} cannot be unpacked`,
    ]);
    expect(registry.unreadable()).toEqual([numbers]);
    expect(await newestReadable(store, damaged)).toMatchObject({
      generation: { generation: 2 },
      records: { list: [1, 2] },
    });
  });

  test("if the view of the newest generation cannot be built, an earlier generation is served as stale", async () => {
    const { newRegistry, publish } = await opened();
    await publish([1]);
    await publish(["a text"]);
    const registry = newRegistry();
    await registry.refresh();
    expect(registry.get(numbers)).toMatchObject({ state: "stale", generation: 1, view: [1] });
  });

  test("once a readable generation is published, it is served instead of the fallback", async () => {
    const { bodies, newRegistry, publish } = await opened();
    await publish([1]);
    const damaged = await publish([1, 2]);
    await bodies.remove(damaged.contentHash);
    const registry = newRegistry();
    await registry.refresh();
    await publish([1, 2, 3]);
    await registry.refresh();
    expect(registry.get(numbers)).toMatchObject({ state: "ok", generation: 3, view: [1, 2, 3] });
    expect(registry.unreadable()).toEqual([]);
  });

  test("bodies that cannot be read from the disk are skipped, and storing the newest content again repairs its body", async () => {
    const { unreadable, store, newRegistry, publish } = await opened();
    await publish([1]);
    const before = await publish([1, 2]);
    const newest = await publish([1, 2, 3]);
    for (const { contentHash } of [before, newest]) unreadable.add(contentHash);
    const registry = newRegistry();
    await registry.refresh();
    expect(registry.get(numbers)).toMatchObject({ state: "stale", generation: 1, view: [1] });
    expect(await newestReadable(store, newest)).toMatchObject({ records: { list: [1] } });
    expect((await publish([1, 2, 3])).generation).toBe(3);
    await registry.refresh();
    expect(registry.get(numbers)).toMatchObject({ state: "ok", generation: 3, view: [1, 2, 3] });
  });

  test("if the content of a damaged generation is stored again, the generation is repaired", async () => {
    const { bodies, newRegistry, publish } = await opened();
    await publish([1]);
    const damaged = await publish([1, 2]);
    await bodies.put(damaged.contentHash, Buffer.from("damaged"));
    const registry = newRegistry();
    await registry.refresh();
    expect((await publish([1, 2])).generation).toBe(2);
    await registry.refresh();
    expect(registry.get(numbers)).toMatchObject({ state: "ok", generation: 2, view: [1, 2] });
  });
});
