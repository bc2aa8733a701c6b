import { expect, test } from "vitest";
import { ClockPace, isSteps, LoopTurns, type Steps } from "./loop-turns.js";

/** A loop with manual turns and a manual clock. Only work and `pass` advance the clock. */
function manualLoop(sliceMs: number) {
  const state = { nowMs: 0, deferred: [] as (() => void)[] };
  const now = (): number => state.nowMs;
  const turns = new LoopTurns({ sliceMs, now, defer: (callback) => state.deferred.push(callback) });
  return {
    /** Work of this many milliseconds that checks the clock after each millisecond. */
    work(ms: number, result: string, signal?: AbortSignal): string | Promise<string> {
      const pace = new ClockPace(now);
      return turns.run(worked(pace, ms, result), pace, signal);
    },
    /** Work that throws after this many milliseconds. */
    fail(ms: number, error: Error): unknown {
      const pace = new ClockPace(now);
      return turns.run(failed(pace, ms, error), pace);
    },
    cede: () => turns.cede(),
    /** Lets this time pass without work. */
    pass(ms: number) {
      state.nowMs += ms;
    },
    get hasWork(): boolean {
      return turns.hasWork;
    },
    get delayMs(): number {
      return turns.delayMs;
    },
    /** Runs one turn and returns its duration. */
    turn(): number {
      const startedMs = state.nowMs;
      for (const callback of state.deferred.splice(0)) callback();
      return state.nowMs - startedMs;
    },
  };

  function* worked(pace: ClockPace, ms: number, result: string): Steps<string> {
    for (let passed = 0; passed < ms; passed += 1) {
      state.nowMs += 1;
      if (pace.isOver) yield;
    }
    return result;
  }

  function* failed(pace: ClockPace, ms: number, error: Error): Steps<never> {
    yield* worked(pace, ms, "");
    throw error;
  }
}

test("work that ends within a slice returns its result synchronously", () => {
  expect(manualLoop(5).work(3, "short")).toBe("short");
});

test("longer work returns a promise and takes one slice in each turn", async () => {
  const loop = manualLoop(5);
  const result = loop.work(12, "long");
  expect(result).toBeInstanceOf(Promise);
  expect([loop.turn(), loop.turn()]).toEqual([5, 2]);
  expect(await result).toBe("long");
});

test("the loop has work until the turn after the last slice", () => {
  const loop = manualLoop(5);
  expect(loop.hasWork).toBe(false);
  void loop.work(7, "long");
  expect(loop.hasWork).toBe(true);
  expect([loop.turn(), loop.hasWork]).toEqual([2, true]);
  expect([loop.turn(), loop.hasWork]).toEqual([0, false]);
});

test("work that arrives in one turn shares one slice, and waiting work shares another", async () => {
  const loop = manualLoop(5);
  const results = Array.from({ length: 20 }, (_, job) => loop.work(4, `job ${job}`));
  expect(results.slice(0, 1)).toEqual(["job 0"]);
  const turnsMs = Array.from({ length: 60 }, () => loop.turn());
  expect(Math.max(...turnsMs)).toBeLessThanOrEqual(5);
  expect(await Promise.all(results)).toEqual(results.map((_, job) => `job ${job}`));
});

test("short work finishes before long work that started earlier", async () => {
  const loop = manualLoop(5);
  const order: string[] = [];
  const long = Promise.resolve(loop.work(50, "long")).then((result) => order.push(result));
  const short = Promise.resolve(loop.work(2, "short")).then((result) => order.push(result));
  for (let turn = 0; turn < 20; turn += 1) loop.turn();
  await Promise.all([long, short]);
  expect(order).toEqual(["short", "long"]);
});

test("cancelled work takes no further slice and rejects with the reason", async () => {
  const loop = manualLoop(5);
  const cancelled = new AbortController();
  const result = Promise.resolve(loop.work(50, "never", cancelled.signal));
  expect([loop.turn(), loop.turn()]).toEqual([5, 5]);
  cancelled.abort(new Error("nobody waits"));
  expect([loop.turn(), loop.turn()]).toEqual([0, 0]);
  await expect(result).rejects.toThrow("nobody waits");
});

test("cancelled work makes way for waiting work in the same turn", async () => {
  const loop = manualLoop(5);
  const cancelled = new AbortController();
  const left = Promise.resolve(loop.work(50, "never", cancelled.signal));
  const stayed = [loop.work(2, "first"), loop.work(3, "second")];
  cancelled.abort(new Error("nobody waits"));
  expect([loop.turn(), loop.turn()]).toEqual([5, 0]);
  await expect(left).rejects.toThrow("nobody waits");
  expect(await Promise.all(stayed)).toEqual(["first", "second"]);
});

test("a late cancellation does not affect finished work", async () => {
  const loop = manualLoop(5);
  const cancelled = new AbortController();
  const result = loop.work(8, "done", cancelled.signal);
  expect(loop.turn()).toBe(3);
  cancelled.abort(new Error("too late"));
  expect(loop.turn()).toBe(0);
  expect(await result).toBe("done");
});

test("work that ends within one slice returns its result even if its signal has aborted", () => {
  expect(manualLoop(5).work(3, "short", AbortSignal.abort())).toBe("short");
});

test("an error in a later slice rejects only its own promise and blocks no other work", async () => {
  const loop = manualLoop(5);
  const failing = loop.fail(7, new Error("a bug"));
  const other = loop.work(7, "fine");
  const failed = expect(failing).rejects.toThrow("a bug");
  for (let turn = 0; turn < 4; turn += 1) loop.turn();
  await failed;
  expect(await other).toBe("fine");
});

test("only the result of a generator function counts as steps", () => {
  function* steps(): Steps<void> {
    yield;
  }
  expect(isSteps(steps())).toBe(true);
  for (const other of [undefined, null, [], new Map(), new Map().entries(), { next: () => undefined }, steps])
    expect(isSteps(other)).toBe(false);
});

test("while many pieces of work wait, the delay is about the time that new work will wait; once all work has ended, the delay is zero", () => {
  const loop = manualLoop(5);
  expect(loop.delayMs).toBe(0);
  for (let job = 0; job < 40; job += 1) void loop.work(5, `job ${job}`);
  const first = loop.turn() + loop.turn();
  const { delayMs } = loop;
  let passedMs = 0;
  while (loop.hasWork) passedMs += loop.turn();
  // All work takes 200 ms, of which 5 ran before the first turn.
  expect(first + passedMs).toBe(195);
  expect(delayMs / passedMs).toBeGreaterThan(0.5);
  expect(delayMs / passedMs).toBeLessThan(2);
  expect(loop.delayMs).toBe(0);
});

test("while many short pieces of work wait, the delay does not depend on earlier turns with little work", () => {
  const loop = manualLoop(5);
  const startFull = (): void => {
    void loop.work(5, "a full slice");
  };
  for (let turn = 0; turn < 20; turn += 1) {
    startFull();
    void loop.work(1, "short");
    loop.turn();
  }
  startFull();
  for (let job = 0; job < 45; job += 1) void loop.work(1, "short");
  loop.turn();
  startFull();
  void loop.turn();
  for (let job = 0; job < 5; job += 1) void loop.work(1, "short");
  const { delayMs } = loop;
  let passedMs = 0;
  while (loop.hasWork) passedMs += loop.turn();
  expect(delayMs / passedMs).toBeGreaterThan(0.5);
  expect(delayMs / passedMs).toBeLessThan(3);
});

test("a few pieces of waiting work do not count as delay", () => {
  const loop = manualLoop(5);
  for (let job = 0; job < 10; job += 1) void loop.work(50, `job ${job}`);
  loop.turn();
  loop.turn();
  expect(loop.delayMs).toBe(0);
});

test("a ceded turn leaves all work, waiting or new, to the next turn", async () => {
  const loop = manualLoop(5);
  const first = loop.work(7, "first");
  loop.cede();
  expect(loop.turn()).toBe(0);
  const second = loop.work(1, "second");
  expect(second).toBeInstanceOf(Promise);
  expect(loop.turn()).toBe(3);
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});

test("work runs again once ceded turns have lasted for two slices", () => {
  const loop = manualLoop(5);
  void loop.work(12, "long");
  for (let turn = 0; turn < 2; turn += 1) {
    loop.cede();
    expect(loop.turn()).toBe(0);
    loop.pass(5);
  }
  loop.cede();
  expect(loop.turn()).toBe(5);
  loop.cede();
  expect(loop.turn()).toBe(0);
});

test("a turn without work cannot be ceded", () => {
  const loop = manualLoop(5);
  loop.cede();
  expect(loop.work(1, "short")).toBe("short");
});
