import { expect, test } from "vitest";
import { manualClock } from "./manual-clock.js";
import { repeatedly } from "./repeatedly.js";

const SECOND = 1_000;

function following(refresh: () => Promise<void>) {
  const clock = manualClock(0);
  const stopping = new AbortController();
  const faults: unknown[] = [];
  const done = repeatedly(refresh, 2 * SECOND, clock, stopping.signal, (error) => faults.push(error));
  return { clock, stopping, faults, done, asleep: () => expect.poll(() => clock.sleeping, { interval: 1 }).toBe(1) };
}

test("a repeated task runs every two seconds, and no earlier", async () => {
  let looks = 0;
  const { clock, stopping, done, asleep } = following(async () => {
    looks++;
  });
  clock.advance(2 * SECOND - 1);
  expect(looks).toBe(0);
  clock.advance(1);
  await asleep();
  expect(looks).toBe(1);
  clock.advance(2 * SECOND);
  await asleep();
  expect(looks).toBe(2);
  stopping.abort();
  await done;
  expect(looks).toBe(2);
});

test("a failed run is reported, and the next one still happens", async () => {
  let looks = 0;
  const { clock, stopping, faults, done, asleep } = following(async () => {
    looks++;
    if (looks === 1) throw new Error("connection lost");
  });
  clock.advance(2 * SECOND);
  await asleep();
  clock.advance(2 * SECOND);
  await asleep();
  expect({ looks, faults }).toEqual({ looks: 2, faults: [new Error("connection lost")] });
  stopping.abort();
  await done;
});

test("a stopped task never runs", async () => {
  const stopped = AbortSignal.abort();
  await repeatedly(
    () => Promise.reject(new Error("looked")),
    2 * SECOND,
    manualClock(0),
    stopped,
    () => expect.unreachable(),
  );
});
