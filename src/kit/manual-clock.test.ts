import { expect, test } from "vitest";
import { manualClock } from "./manual-clock.js";

const START = Date.UTC(2026, 10, 18);

/** A clock, a function that sleeps on it under a name, and `woken`: the names of sleepers in the order of waking. */
function sleepers(clock = manualClock(START)) {
  const woken: string[] = [];
  const sleep = (name: string, ms: number, signal?: AbortSignal) =>
    clock.sleep(ms, signal).then(
      () => woken.push(name),
      (reason: unknown) => woken.push(`${name} ${reason}`),
    );
  return { clock, woken, sleep };
}

test("the manual clock stands still until it is advanced", () => {
  const clock = manualClock(START);
  expect(clock.now()).toBe(START);
  clock.advance(5);
  expect(clock.now()).toBe(START + 5);
  clock.set(START - 5);
  expect(clock.now()).toBe(START - 5);
});

test("a sleeper wakes exactly when its time has come", async () => {
  const { clock, woken, sleep } = sleepers();
  const done = sleep("a", 10);
  clock.advance(9);
  await Promise.resolve();
  expect({ woken, sleeping: clock.sleeping }).toEqual({ woken: [], sleeping: 1 });
  clock.advance(1);
  await done;
  expect({ woken, sleeping: clock.sleeping }).toEqual({ woken: ["a"], sleeping: 0 });
});

test("due sleepers wake in the order of their wake times, not in the order in which they fell asleep", async () => {
  const { clock, woken, sleep } = sleepers();
  const done = [sleep("last", 30), sleep("first", 10), sleep("second", 20)];
  const later = sleep("later", 31);
  clock.set(START + 30);
  await Promise.all(done);
  expect({ woken, sleeping: clock.sleeping }).toEqual({ woken: ["first", "second", "last"], sleeping: 1 });
  clock.advance(1);
  await later;
});

test("an aborted sleeper rejects with the signal's reason and stops sleeping", async () => {
  const { clock, woken, sleep } = sleepers();
  const stopping = new AbortController();
  const done = sleep("a", 10, stopping.signal);
  stopping.abort("stopped");
  await done;
  expect({ woken, sleeping: clock.sleeping }).toEqual({ woken: ["a stopped"], sleeping: 0 });
});

test("a sleep with an already aborted signal never starts", async () => {
  const { clock, woken, sleep } = sleepers();
  await sleep("a", 10, AbortSignal.abort("too late"));
  expect({ woken, sleeping: clock.sleeping }).toEqual({ woken: ["a too late"], sleeping: 0 });
});

test("an abort after waking has no effect", async () => {
  const { clock, woken, sleep } = sleepers();
  const stopping = new AbortController();
  const done = sleep("a", 10, stopping.signal);
  clock.advance(10);
  stopping.abort();
  await done;
  expect(woken).toEqual(["a"]);
});
