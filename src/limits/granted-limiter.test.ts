import fc from "fast-check";
import { expect, test } from "vitest";
import { MINUTE_MS } from "../kit/clock.js";
import type { Charge, Limit, Standing } from "./limiter.js";
import { type LocalProcesses, localProcesses } from "./testing/local-processes.js";

const T = Date.UTC(2026, 10, 20, 12);

function charged(max: number, subject = "acc_1", ms = MINUTE_MS): Charge {
  const limit: Limit = { name: "account", max, window: { kind: "sliding", ms } };
  return { subject, limit };
}

const daily: Limit = { name: "daily", max: 1_000, window: { kind: "utc-day" } };

/* A grant is the right of one process to answer a number of calls without asking the shared counters. */

test("two processes together admit exactly a busy caller's maximum, mostly without asking the counters", async () => {
  const { limiters, book } = localProcesses(2);
  const charges = [charged(1_000)];
  let [accepted, refused, immediate] = [0, 0, 0];
  for (let call = 0; call < 1_400; call += 1) {
    const verdict = limiters[call % 2]?.take(charges, T + Math.floor(call / 100));
    if (!(verdict instanceof Promise)) immediate += 1;
    if ((await verdict)?.refused) refused += 1;
    else accepted += 1;
  }
  expect([accepted, refused]).toEqual([1_000, 400]);
  expect(immediate).toBeGreaterThan(700);
  expect(book.openCount).toBe(0);
});

test("processes that share a window never admit more calls than its maximum, and never refuse a call while units are left", async () => {
  const steps = fc.array(
    fc.record({ process: fc.nat(2), gap: fc.integer({ min: 0, max: 40 }), calls: fc.integer({ min: 1, max: 60 }) }),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 400 }), async (rounds, max) => {
      const { limiters } = localProcesses(3);
      const charges = [charged(max, "acc_1", 500)];
      const takenAt: number[] = [];
      let now = T;
      for (const { process, gap, calls } of rounds) {
        now += gap;
        for (let call = 0; call < calls; call += 1) {
          const verdict = await limiters[process]?.take(charges, now);
          const units = takenAt.filter((at) => at > now - 500).length;
          if (verdict?.refused === undefined) takenAt.push(now);
          if (verdict?.refused === undefined) expect(units).toBeLessThan(max);
          // A call under a grant may count up to 250 ms later: at the time of a later call in another process, if that
          // call was counted first.
          else expect(takenAt.filter((at) => at > now - 500 - 250).length).toBeGreaterThanOrEqual(max);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("in one busy process, the standings count down by one for each call, with and without a grant", async () => {
  const { limiters } = localProcesses(1);
  const charges = [charged(500), { subject: "acc_1", limit: daily }];
  const remaining: (readonly number[])[] = [];
  for (let call = 0; call < 500; call += 1) {
    const verdict = await limiters[0]?.take(charges, T);
    remaining.push((verdict?.standings ?? []).map((standing: Standing) => standing.remaining));
  }
  expect(remaining).toEqual(Array.from({ length: 500 }, (_, call) => [499 - call, 999 - call]));
});

test("units refunded during or after a grant are available again", async () => {
  const { limiters, clock } = localProcesses(2);
  const charges = [charged(400), { subject: "acc_1", limit: daily }];
  const verdicts = [];
  for (let call = 0; call < 100; call += 1) verdicts.push(await limiters[0]?.take(charges, T));
  const isDaily = ({ limit }: Charge): boolean => limit.window.kind === "utc-day";
  for (const verdict of verdicts.slice(50)) await verdict?.giveBack(isDaily);
  await limiters[0]?.close();
  for (const verdict of verdicts.slice(0, 50)) await verdict?.giveBack(isDaily);
  // A second refund has no further effect.
  for (const verdict of verdicts) await verdict?.giveBack(isDaily);
  clock.advance(0);
  const standings = await limiters[1]?.look(charges, T);
  expect(standings?.map(({ remaining }) => remaining)).toEqual([300, 1_000]);
});

test.each<[event: string, lose: (processes: LocalProcesses) => void]>([
  ["ends", ({ book }) => book.ended(0)],
  ["stops responding", ({ runTimers }) => runTimers()],
])("the grant of a process that %s counts as fully used", async (_, lose) => {
  const processes = localProcesses(2);
  const { limiters, book, fallSilent } = processes;
  const charges = [charged(400)];
  for (let call = 0; call < 20; call += 1) await limiters[0]?.take(charges, T);
  expect(book.openCount).toBe(1);
  // While the grant is open, all of its calls are reserved, including the unused ones.
  const [reserved] = (await limiters[1]?.look(charges, T)) ?? [];
  expect(reserved?.remaining).toBeLessThan(380);
  fallSilent(0);
  lose(processes);
  expect(book.openCount).toBe(0);
  const [standing] = (await limiters[1]?.look(charges, T)) ?? [];
  expect(standing?.remaining).toBe(reserved?.remaining);
});

test("if a process stops responding, refusals by other processes are delayed only briefly", async () => {
  const { limiters, book, fallSilent, runTimers } = localProcesses(2);
  const charges = [charged(60)];
  for (let call = 0; call < 20; call += 1) await limiters[0]?.take(charges, T);
  expect(book.openCount).toBe(1);
  fallSilent(0);
  let refused = false;
  for (let call = 0; call < 60 && !refused; call += 1) {
    const pending = limiters[1]?.take(charges, T);
    const settled = Promise.resolve(pending).then((verdict) => verdict?.refused !== undefined);
    await Promise.resolve();
    if (call > 30) runTimers();
    refused = await settled;
  }
  expect([refused, book.openCount]).toEqual([true, 0]);
});

test("a clock that is set back ends a grant", async () => {
  const { limiters, book } = localProcesses(1);
  const charges = [charged(400)];
  for (let call = 0; call < 20; call += 1) await limiters[0]?.take(charges, T);
  expect(book.openCount).toBe(1);
  await limiters[0]?.take(charges, T - 60_000);
  expect(book.openCount).toBe(0);
});

test("calls that arrive together get a single grant, even if they use up the previous one", async () => {
  const processes = localProcesses(2);
  const [limiter] = processes.limiters;
  const charges = [charged(100_000)];
  let accepted = 0;
  for (let round = 0; round < 200; round += 1) {
    const together = Array.from({ length: 64 }, async () => limiter?.take(charges, T + round));
    for (const verdict of await Promise.all(together)) if (verdict?.refused === undefined) accepted += 1;
    expect(processes.book.openCount).toBeLessThanOrEqual(1);
  }
  // In the first round, each call asks the counters. After that, one call asks for each grant. There are three or four
  // grants of 4,096 calls.
  expect(processes.askedCount).toBeLessThan(64 + 6);
  await limiter?.close();
  const [standing] = (await processes.limiters[1]?.look(charges, T + 200)) ?? [];
  expect([accepted, standing?.remaining]).toEqual([200 * 64, 100_000 - 200 * 64]);
});

test("if calls wait for a grant that is not given, each call asks the counters itself", async () => {
  const processes = localProcesses(1);
  const [limiter] = processes.limiters;
  const charges = [charged(24)];
  // The last of these calls gets a grant of two calls, a quarter of the units left.
  for (let call = 0; call < 16; call += 1) await limiter?.take(charges, T);
  expect([processes.askedCount, processes.book.openCount]).toEqual([16, 1]);
  const verdicts = await Promise.all(Array.from({ length: 64 }, async () => limiter?.take(charges, T)));
  // Two calls use the grant. The third asks for the next one, for which too few units are left, while the others wait.
  expect([processes.askedCount, processes.book.openCount]).toEqual([16 + 62, 0]);
  expect(verdicts.filter((verdict) => verdict?.refused === undefined)).toHaveLength(8);
});

test("if calls wait for a grant that is not given, exactly the maximum number of calls is accepted", async () => {
  const { limiters, book } = localProcesses(1);
  const charges = [charged(300)];
  const outcomes: boolean[] = [];
  for (let round = 0; round < 6; round += 1) {
    const together = Array.from({ length: 64 }, async () => limiters[0]?.take(charges, T + round));
    for (const verdict of await Promise.all(together)) outcomes.push(verdict?.refused === undefined);
  }
  expect(outcomes.filter((isAccepted) => isAccepted)).toHaveLength(300);
  expect(book.openCount).toBe(0);
});
