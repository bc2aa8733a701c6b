import { describe, expect, it, vi } from "vitest";
import { BudgetSpent } from "../contract/budget.js";
import type { OnDemandPolicy } from "../contract/on-demand.js";
import { SourceFailure } from "../contract/source.js";
import { HOUR_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { createOnDemandReader, type OnDemandOptions } from "./on-demand.js";
import type { KnownObservation } from "./shared-observations.js";

const start = Date.UTC(2026, 10, 21, 12);
const policy: OnDemandPolicy = { ttlMs: 1_000, missTtlMs: 100, timeLimitMs: 50, staleWhileErrorMs: 5_000 };
const down = async (): Promise<never> => {
  throw new SourceFailure("unavailable", "api.test/x: answered 503; expected 200", { retryAt: start + 7_000 });
};

function readerAt(options: Partial<OnDemandOptions> = {}) {
  const clock = manualClock(start);
  return { clock, reader: createOnDemandReader({ clock, ...options }) };
}

/** A load that ends only when the test finishes it, and a count of its starts. */
function heldLoad<T>() {
  const held = { begun: 0, finish: (_data: T): void => undefined, signal: undefined as AbortSignal | undefined };
  const load = (signal: AbortSignal): Promise<T> => {
    held.begun += 1;
    held.signal = signal;
    return new Promise((resolve) => {
      held.finish = resolve;
    });
  };
  return { held, load };
}

describe("an on-demand read", () => {
  it("an observation is fresh when it is loaded, cached until it expires, and then loaded again", async () => {
    const { clock, reader } = readerAt();
    let loads = 0;
    const load = async (): Promise<number> => (loads += 1);
    const first = { state: "fresh", fetchedAt: start, expiresAt: start + 1_000, data: 1 };
    expect(await reader.read("k", policy, load)).toEqual(first);
    clock.advance(999);
    expect(await reader.read("k", policy, load)).toEqual({ ...first, state: "cached" });
    clock.advance(1);
    expect(await reader.read("k", policy, load)).toMatchObject({ state: "fresh", fetchedAt: start + 1_000, data: 2 });
  });

  it("keys are independent", async () => {
    const { reader } = readerAt();
    await reader.read("a", policy, async () => 1);
    expect(await reader.read("b", policy, async () => 2)).toMatchObject({ data: 2 });
  });

  it("a miss is cached for its own, shorter time", async () => {
    const { clock, reader } = readerAt();
    const miss = { state: "miss", fetchedAt: start, expiresAt: start + 100 };
    expect(await reader.read("k", policy, async () => undefined)).toEqual(miss);
    expect(await reader.read("k", policy, async () => 1)).toEqual(miss);
    clock.advance(100);
    expect(await reader.read("k", policy, async () => 1)).toMatchObject({ state: "fresh", data: 1 });
  });

  it("500 concurrent callers share one load", async () => {
    const { reader } = readerAt();
    const { held, load } = heldLoad<string>();
    const reads = Array.from({ length: 500 }, () => reader.read("k", policy, load));
    held.finish("shared");
    const observations = await Promise.all(reads);
    expect(held.begun).toBe(1);
    expect(new Set(observations.map((observation) => observation.state))).toEqual(new Set(["fresh"]));
  });

  it("if a caller leaves, the load continues for the other callers and for the cache", async () => {
    const { reader } = readerAt();
    const { held, load } = heldLoad<string>();
    const leaving = reader.read("k", policy, load);
    void leaving; // Nothing awaits this read any more.
    const staying = reader.read("k", policy, load);
    expect(held.signal?.aborted).toBe(false);
    held.finish("late");
    expect(await staying).toMatchObject({ state: "fresh", data: "late" });
    expect(await reader.read("k", policy, load)).toMatchObject({ state: "cached", data: "late" });
  });
});

describe("a failed load", () => {
  it("a failed load is not cached by default: the next read loads again", async () => {
    const { reader } = readerAt();
    expect(await reader.read("k", policy, down)).toEqual({
      state: "error",
      fetchedAt: start,
      expiresAt: start + 7_000,
      error: "api.test/x: answered 503; expected 200",
    });
    expect(await reader.read("k", policy, async () => 1)).toMatchObject({ state: "fresh", data: 1 });
  });

  it("after a failed load, a read returns the last observation as stale for as long as the policy allows", async () => {
    const { clock, reader } = readerAt();
    await reader.read("k", policy, async () => "known");
    clock.advance(5_999);
    const stale = { state: "stale", fetchedAt: start, expiresAt: start + 1_000, data: "known" };
    expect(await reader.read("k", policy, down)).toEqual(stale);
    clock.advance(1);
    expect(await reader.read("k", policy, down)).toMatchObject({ state: "error" });
  });

  it("after a failed load, a read fails if the cache has a miss, or data that must not be served stale", async () => {
    const { clock, reader } = readerAt();
    await reader.read("miss", policy, async () => undefined);
    const { staleWhileErrorMs: _without, ...strict } = policy;
    await reader.read("data", strict, async () => 1);
    clock.advance(1_000);
    expect(await reader.read("miss", policy, down)).toMatchObject({ state: "error" });
    expect(await reader.read("data", strict, down)).toMatchObject({ state: "error" });
  });

  it("a load beyond the time limit fails and is aborted", async () => {
    const { clock, reader } = readerAt();
    const { held, load } = heldLoad<string>();
    const reading = reader.read("k", policy, load);
    clock.advance(50);
    expect(await reading).toMatchObject({ state: "error", error: "no complete answer within 50 ms" });
    expect(held.signal?.aborted).toBe(true);
    held.finish("too late");
    expect(await reader.read("k", policy, async () => "new")).toMatchObject({ state: "fresh", data: "new" });
  });

  it("a failure is cached for the time that the policy states, and older data is served in the meantime", async () => {
    const { clock, reader } = readerAt();
    const remembering = { ...policy, errorTtlMs: 200 };
    const broken = async (): Promise<never> => {
      throw new SourceFailure("changed", "expected data[]");
    };
    const failure = {
      state: "error",
      fetchedAt: start,
      expiresAt: start + 200,
      error: "expected data[]",
      isChanged: true,
    };
    expect(await reader.read("k", remembering, broken)).toEqual(failure);
    clock.advance(199);
    expect(await reader.read("k", remembering, async () => 1)).toEqual(failure);
    clock.advance(1);
    expect(await reader.read("k", remembering, async () => 1)).toMatchObject({ state: "fresh", data: 1 });
    clock.advance(1_000);
    expect(await reader.read("k", remembering, broken)).toMatchObject({ state: "stale", data: 1 });
    expect(await reader.read("k", remembering, async () => 2)).toMatchObject({ state: "stale", data: 1 });
  });

  it.each([
    ["unconfigured", new SourceFailure("unconfigured", "probe needs PROBE_KEY")],
    ["budget", new BudgetSpent({ name: "probe", renewedOn: "2026-12-01" })],
  ])("a failure without a call to the upstream (%s) states the reason and is not cached", async (reason, cause) => {
    const { reader } = readerAt();
    const refused = async (): Promise<never> => {
      throw cause;
    };
    const remembering = { ...policy, errorTtlMs: 200 };
    expect(await reader.read("k", remembering, refused)).toMatchObject({ state: "error", reason });
    expect(await reader.read("k", remembering, async () => 1)).toMatchObject({ state: "fresh" });
  });

  it("an unexpected error is logged in full, but callers get a generic sentence", async () => {
    const reported: unknown[] = [];
    const { reader } = readerAt({ onFailure: (key, cause) => reported.push([key, cause]) });
    const bug = new TypeError("cannot read x of undefined");
    const broken = (): never => {
      throw bug;
    };
    expect(await reader.read("k", policy, broken)).toMatchObject({
      state: "error",
      error: "the read failed for an unexpected reason",
    });
    expect(reported).toEqual([["k", bug]]);
  });
});

describe("a clock that was ahead and is set back", () => {
  const down = async (): Promise<never> => {
    throw new SourceFailure("changed", "expected data[]");
  };

  it("after the clock is set back, an observation is read again once, and the new one is cached", async () => {
    const { clock, reader } = readerAt();
    await reader.read("k", policy, async () => "ahead");
    clock.set(start - HOUR_MS);
    expect(await reader.read("k", policy, async () => "now")).toMatchObject({ state: "fresh", data: "now" });
    expect(await reader.read("k", policy, async () => "later")).toMatchObject({ state: "cached", data: "now" });
  });

  it("after the clock is set back, a failed read does not return an earlier observation", async () => {
    const { clock, reader } = readerAt();
    await reader.read("k", policy, async () => "ahead");
    clock.set(start - HOUR_MS);
    expect(await reader.read("k", policy, down)).toMatchObject({ state: "error" });
  });

  it("if another node's observation has a time in the future, this node keeps its own last observation", async () => {
    const clock = manualClock(start);
    let observation: KnownObservation<unknown> | undefined;
    const shared = { turn: async () => ({ observation, end: async () => undefined }) };
    const reader = createOnDemandReader({ clock, shared });
    await reader.read("k", policy, async () => "own");
    clock.advance(1_000);
    const fetchedAt = start + HOUR_MS;
    observation = { state: "fresh", fetchedAt, expiresAt: fetchedAt + 1_000, data: "ahead" };
    expect(await reader.read("k", policy, down)).toMatchObject({ state: "stale", fetchedAt: start, data: "own" });
  });

  it("after the clock is set back, a cached failure is dropped", async () => {
    const { clock, reader } = readerAt();
    const remembering = { ...policy, errorTtlMs: 200 };
    await reader.read("k", remembering, down);
    clock.set(start - HOUR_MS);
    expect(await reader.read("k", remembering, async () => 1)).toMatchObject({ state: "fresh", data: 1 });
  });

  it("setting the clock back by seconds has no effect, because another node's clock may be ahead by as much", async () => {
    const { clock, reader } = readerAt();
    await reader.read("k", policy, async () => "ahead");
    clock.set(start - 30_000);
    expect(await reader.read("k", policy, async () => "now")).toMatchObject({ state: "cached", data: "ahead" });
  });
});

describe("bounds", () => {
  it("the cache drops the least recently read entry", async () => {
    const { reader } = readerAt({ entriesMax: 2 });
    const load = async (): Promise<number> => 1;
    for (const key of ["a", "b", "a", "c"]) await reader.read(key, policy, load);
    expect(await reader.read("a", policy, load)).toMatchObject({ state: "cached" });
    expect(await reader.read("b", policy, load)).toMatchObject({ state: "fresh" });
  });

  it("loads beyond the limit are refused, while cached and shared reads are unaffected", async () => {
    const { reader } = readerAt({ loadsMax: 1 });
    await reader.read("cached", policy, async () => 1);
    const { held, load } = heldLoad<number>();
    const first = reader.read("a", policy, load);
    expect(await reader.read("b", policy, load)).toMatchObject({
      state: "error",
      error: "1 on-demand reads of this kind are already running; expected fewer",
    });
    expect(await reader.read("cached", policy, load)).toMatchObject({ state: "cached" });
    const shared = reader.read("a", policy, load);
    expect(await reader.read("other", { ...policy }, async () => 1)).toMatchObject({ state: "fresh" });
    held.finish(7);
    expect([await first, await shared]).toMatchObject([{ data: 7 }, { data: 7 }]);
    expect(await reader.read("b", policy, async () => 2)).toMatchObject({ data: 2 });
  });

  it("a policy is kept only while one of its loads is running", async () => {
    // The reader's count of running loads is private, so the test looks for the map that has the policy as a key.
    const counts = new Set<ReadonlyMap<unknown, unknown>>();
    const own = { ...policy };
    const original = Map.prototype.set;
    const set = vi.spyOn(Map.prototype, "set").mockImplementation(function (this: Map<unknown, unknown>, key, value) {
      if (key === own) counts.add(this);
      return original.call(this, key, value);
    });
    try {
      const { reader } = readerAt();
      const [first, second] = [heldLoad<number>(), heldLoad<number>()];
      const reads = [reader.read("a", own, first.load), reader.read("b", own, second.load)];
      first.held.finish(1);
      await reads[0];
      expect([...counts].map((map) => map.get(own))).toEqual([1]);
      second.held.finish(2);
      await reads[1];
      await reader.read("c", own, down);
      expect([...counts].map(({ size }) => size)).toEqual([0]);
    } finally {
      set.mockRestore();
    }
  });
});
