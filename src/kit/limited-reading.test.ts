import { expect, test } from "vitest";
import { limitedReading } from "./limited-reading.js";
import { manualClock } from "./manual-clock.js";

const LIMIT_MS = 2_000;

/** A `read` whose readings hang until the test ends them. `ends` has one entry for each started reading. */
function heldReading() {
  const clock = manualClock(0);
  const ends: { resolve(value: string): void; reject(error: Error): void }[] = [];
  const read = limitedReading(
    () => new Promise<string>((resolve, reject) => ends.push({ resolve, reject })),
    clock,
    LIMIT_MS,
  );
  return { clock, ends, read };
}

test("a reading that ends within its limit yields its value, and the next caller reads again", async () => {
  const { clock, ends, read } = heldReading();
  const reading = read();
  clock.advance(LIMIT_MS - 1);
  ends[0]?.resolve("a");
  expect(await reading).toEqual({ kind: "read", value: "a" });
  expect(clock.sleeping).toBe(0);
  const next = read();
  ends[1]?.resolve("b");
  expect(await next).toEqual({ kind: "read", value: "b" });
});

test("a failed reading yields its error", async () => {
  const { ends, read } = heldReading();
  const reading = read();
  const error = new Error("refused");
  ends[0]?.reject(error);
  expect(await reading).toEqual({ kind: "failed", error });
});

test("a hanging reading is reported as late at its limit, and later callers neither wait nor start another reading", async () => {
  const { clock, ends, read } = heldReading();
  const reading = read();
  clock.advance(LIMIT_MS);
  expect(await reading).toEqual({ kind: "late" });
  expect(await Promise.all([read(), read()])).toEqual([{ kind: "late" }, { kind: "late" }]);
  expect([ends.length, clock.sleeping]).toEqual([1, 0]);
});

test("once a late reading has ended, the next caller starts a new one", async () => {
  const { clock, ends, read } = heldReading();
  const reading = read();
  clock.advance(LIMIT_MS);
  await reading;
  ends[0]?.reject(new Error("closed"));
  await new Promise((resolve) => setImmediate(resolve));
  const next = read();
  ends[1]?.resolve("back");
  expect(await next).toEqual({ kind: "read", value: "back" });
});
