import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../kit/clock.js";
import type { Charge, Limit, Limiter, Standing } from "./limiter.js";
import { memoryLimiter } from "./memory-limiter.js";
import { redisLimiter } from "./redis-limiter.js";
import { localProcesses } from "./testing/local-processes.js";
import { type RedisSpace, redisSpace, whyNoRedis } from "./testing/redis.js";

const T = Date.UTC(2026, 10, 20, 12);
const MIDNIGHT = Date.UTC(2026, 10, 21);

const noRedis = await whyNoRedis();

describe("memory", () => suite(memoryLimiter));

describe("grants of shared counters", () => suite(() => localProcesses(1).limiters[0] as Limiter));

describe.skipIf(noRedis !== undefined)(noRedis === undefined ? "redis" : `redis, skipped: ${noRedis}`, () => {
  let space: RedisSpace;
  let limiter: Limiter;
  beforeAll(() => {
    space = redisSpace();
    limiter = redisLimiter(space.connect(), space.prefix);
  });
  afterAll(() => space.dispose());

  suite(() => limiter);

  test("the Redis limiter returns the same answers as the memory limiter", async () => {
    const sameAnswers = fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const run = randomUUID();
      expect(await answersOf(limiter, steps, run)).toEqual(await answersOf(memoryLimiter(), steps, run));
    });
    await fc.assert(sameAnswers, { numRuns: 100 });
  });
});

/** The tests for every limiter. `open` may return the same limiter again, because every test uses new subjects. */
function suite(open: () => Limiter): void {
  let limiter: Limiter;
  beforeEach(() => {
    limiter = open();
  });

  test("no window holds more than its maximum, and a charge is refused only if its window is full", async () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
    const property = fc.asyncProperty(arrivals, anyMax, anyWindowMs, async (gaps, max, ms) => {
      const take = taker(open(), sliding(max, ms));
      const takenAt: number[] = [];
      let now = T;
      for (const gap of gaps) {
        now += gap;
        const isFull = takenAt.filter((at) => at > now - ms).length >= max;
        const { refused } = await take(now);
        expect(refused !== undefined).toBe(isFull);
        if (refused === undefined) takenAt.push(now);
      }
      expectNoWindowOver(max, ms, takenAt);
    });
    await fc.assert(property);
  });

  test("a clock that jumps back admits no extra charges", async () => {
    const arrivals = fc.array(fc.integer({ min: -60, max: 60 }), { maxLength: 60 });
    const property = fc.asyncProperty(arrivals, anyMax, anyWindowMs, async (gaps, max, ms) => {
      const take = taker(open(), sliding(max, ms));
      const takenAt: number[] = [];
      let now = T;
      for (const gap of gaps) {
        now += gap;
        const { refused } = await take(now);
        if (refused === undefined) takenAt.push(Math.max(now, takenAt.at(-1) ?? 0));
      }
      expectNoWindowOver(max, ms, takenAt);
    });
    await fc.assert(property);
  });

  test("`remaining` counts down to a refusal, and `resetAt` is the time at which the oldest unit leaves the window", async () => {
    const limit = sliding(3, 1_000);
    const take = taker(limiter, limit);
    expect((await take(T)).standings).toEqual([{ limit, remaining: 2, resetAt: T + 1_000 }]);
    expect((await take(T + 10)).standings).toEqual([{ limit, remaining: 1, resetAt: T + 1_000 }]);
    expect((await take(T + 10)).standings).toEqual([{ limit, remaining: 0, resetAt: T + 1_000 }]);
    expect((await take(T + 999)).refused).toEqual({ limit, remaining: 0, resetAt: T + 1_000 });
    expect(await take(T + 1_000)).toMatchObject({
      refused: undefined,
      standings: [{ limit, remaining: 0, resetAt: T + 1_010 }],
    });
    expect((await take(T + 1_009)).refused).toEqual({ limit, remaining: 0, resetAt: T + 1_010 });
    expect((await take(T + 1_010)).standings).toEqual([{ limit, remaining: 1, resetAt: T + 1_010 + 990 }]);
  });

  test("a refusal counts no unit", async () => {
    const take = taker(limiter, sliding(1, 1_000));
    await take(T);
    for (let at = T + 1; at < T + 1_000; at += 111) expect((await take(at)).refused).toBeDefined();
    expect((await take(T + 1_000)).refused).toBeUndefined();
  });

  test("reading the standings neither takes nor drops a unit", async () => {
    const limit = sliding(2, 1_000);
    const charges = [charge(limit)];
    const look = async (now: number): Promise<readonly Standing[]> => limiter.look(charges, now);
    expect(await look(T)).toEqual([{ limit, remaining: 2, resetAt: T }]);
    await limiter.take(charges, T);
    expect(await look(T + 500)).toEqual([{ limit, remaining: 1, resetAt: T + 1_000 }]);
    expect(await look(T + 1_000)).toEqual([{ limit, remaining: 2, resetAt: T + 1_000 }]);
    expect(await look(T + 500)).toEqual([{ limit, remaining: 1, resetAt: T + 1_000 }]);
  });

  test("a UTC day begins at midnight", async () => {
    const limit = daily(2);
    const take = taker(limiter, limit);
    expect((await take(MIDNIGHT - 2)).standings).toEqual([{ limit, remaining: 1, resetAt: MIDNIGHT }]);
    expect((await take(MIDNIGHT - 1)).standings).toEqual([{ limit, remaining: 0, resetAt: MIDNIGHT }]);
    expect((await take(MIDNIGHT - 1)).refused).toEqual({ limit, remaining: 0, resetAt: MIDNIGHT });
    expect((await take(MIDNIGHT)).standings).toEqual([{ limit, remaining: 1, resetAt: MIDNIGHT + DAY_MS }]);
  });

  test("once a unit has been counted after midnight, a clock that is still before midnight counts in the new day", async () => {
    const limit = daily(1);
    const take = taker(limiter, limit);
    await take(MIDNIGHT);
    expect((await take(MIDNIGHT - 1)).refused).toEqual({ limit, remaining: 0, resetAt: MIDNIGHT + DAY_MS });
  });

  test("a call takes all charges or none, and names the first refused charge", async () => {
    const [full, alsoFull] = [sliding(1, HOUR_MS), daily(1)];
    const [first, second, third] = [charge(sliding(5, HOUR_MS)), charge(full), charge(alsoFull)];
    const charges = [first, second, third];
    expect((await limiter.take(charges, T)).standings.map(({ remaining }) => remaining)).toEqual([4, 0, 0]);

    const inOrder = await limiter.take(charges, T + 1);
    expect(inOrder.refused).toBe(inOrder.standings[1]);
    expect(inOrder.refused?.limit).toBe(full);
    expect(inOrder.standings.map(({ remaining }) => remaining)).toEqual([4, 0, 0]);
    expect((await limiter.take([third, second, first], T + 1)).refused?.limit).toBe(alsoFull);
    expect(await limiter.look(charges, T + 1)).toEqual(inOrder.standings);
  });

  test("the same charge twice in one call takes two units", async () => {
    for (const limit of [sliding(3, HOUR_MS), daily(3)]) {
      const repeated = charge(limit);
      const remaining = async (charges: Charge[]) =>
        (await limiter.take(charges, T)).standings.map((of) => of.remaining);
      expect(await remaining([repeated, repeated])).toEqual([1, 1]);
      const { refused, standings } = await limiter.take([repeated, repeated], T);
      expect(refused).toBe(standings[1]);
      expect(await remaining([repeated])).toEqual([0]);
    }
  });

  test("subjects, limits and kinds of window do not share units, even if their concatenated names are equal", async () => {
    const [ab, a, day] = [sliding(1, HOUR_MS, "a:b"), sliding(1, HOUR_MS, "a"), { ...daily(1), name: "a" }];
    const id = randomUUID();
    const charges = [
      { subject: id, limit: ab },
      { subject: `b:${id}`, limit: a },
      { subject: id, limit: a },
      { subject: id, limit: day },
    ];
    for (const charge of charges) expect((await limiter.take([charge], T)).refused).toBeUndefined();
  });

  test("a refund frees exactly one unit, and a second refund frees none", async () => {
    for (const limit of [sliding(3, HOUR_MS), daily(3)]) {
      const take = taker(limiter, limit);
      await take(T);
      const second = await take(T);
      await take(T);
      await second.giveBack();
      await second.giveBack();
      expect((await take(T)).refused).toBeUndefined();
      expect((await take(T)).refused).toBeDefined();
    }
  });

  test("giving a unit back removes exactly that unit, so the other units leave the window at their own times", async () => {
    const limit = sliding(3, 1_000);
    const charges = [charge(limit)];
    const verdicts = [];
    for (const at of [T, T + 10, T + 20]) verdicts.push(await limiter.take(charges, at));
    await verdicts[0]?.giveBack();
    expect(await limiter.look(charges, T + 30)).toEqual([{ limit, remaining: 1, resetAt: T + 1_010 }]);
    await verdicts[2]?.giveBack();
    expect(await limiter.look(charges, T + 30)).toEqual([{ limit, remaining: 2, resetAt: T + 1_010 }]);
    expect(await limiter.look(charges, T + 1_010)).toEqual([{ limit, remaining: 3, resetAt: T + 1_010 }]);
  });

  test("only the selected charges are refunded; the others can be refunded later", async () => {
    const [hourly, day] = [sliding(5, HOUR_MS), daily(5)];
    const charges = [charge(hourly), charge(day)];
    const left = async () => (await limiter.look(charges, T)).map(({ remaining }) => remaining);
    const verdict = await limiter.take(charges, T);
    await verdict.giveBack((picked) => picked.limit === day);
    expect(await left()).toEqual([4, 5]);
    await verdict.giveBack(() => false);
    expect(await left()).toEqual([4, 5]);
    await verdict.giveBack();
    expect(await left()).toEqual([5, 5]);
  });

  test("a refund returns the new standings at the time of the call, and after a refusal the unchanged ones", async () => {
    const [hourly, day] = [sliding(2, HOUR_MS), daily(5)];
    const charges = [charge(hourly), charge(day)];
    await limiter.take(charges, T);
    const verdict = await limiter.take(charges, T + 1_000);
    const full = { limit: hourly, remaining: 0, resetAt: T + HOUR_MS };
    const midnight = (Math.floor(T / DAY_MS) + 1) * DAY_MS;
    const afterRefund = [full, { limit: day, remaining: 4, resetAt: midnight }];
    expect(await verdict.giveBack(({ limit }) => limit === day)).toEqual(afterRefund);
    const refusal = await limiter.take(charges, T + 2_000);
    expect(refusal.refused).toEqual(full);
    expect(await refusal.giveBack()).toEqual(afterRefund);
  });

  test("refunding a refusal or a unit of a past window frees nothing", async () => {
    for (const [limit, laterMs] of [
      [sliding(1, 1_000), 1_000],
      [daily(1), DAY_MS],
    ] as [Limit, number][]) {
      const take = taker(limiter, limit);
      const past = await take(T);
      await (await take(T)).giveBack();
      expect((await take(T)).refused).toBeDefined();
      expect((await take(T + laterMs)).refused).toBeUndefined();
      await past.giveBack();
      expect((await take(T + laterMs)).refused).toBeDefined();
    }
  });

  test("after the newest unit is refunded, a charge with an earlier time still counts at the time of that unit", async () => {
    const limit = sliding(1, 1_000);
    const take = taker(limiter, limit);
    await take(T);
    await (await take(T + 1_000)).giveBack();
    // At T + 500 the unit of T would be in the window, but it is no longer stored.
    expect((await take(T + 500)).standings).toEqual([{ limit, remaining: 0, resetAt: T + 2_000 }]);
  });

  test("a maximum of 0 refuses every charge", async () => {
    for (const limit of [sliding(0, 1_000), daily(0)]) {
      const take = taker(limiter, limit);
      expect((await take(T)).refused).toEqual({ limit, remaining: 0, resetAt: T });
      expect((await take(T + DAY_MS)).refused).toEqual({ limit, remaining: 0, resetAt: T + DAY_MS });
    }
  });

  test("a new maximum under the same name applies to the units already counted", async () => {
    const [three, first, four] = [sliding(3, 1_000, "max"), sliding(1, 1_000, "max"), sliding(4, 1_000, "max")];
    const subject = randomUUID();
    const take = async (limit: Limit, now: number) => limiter.take([{ subject, limit }], now);
    for (const at of [T, T + 10, T + 20]) await take(three, at);
    // All three units have to leave the window before the maximum of 1 allows another.
    expect((await take(first, T + 30)).refused).toEqual({ limit: first, remaining: 0, resetAt: T + 1_020 });
    expect((await take(four, T + 30)).standings).toEqual([{ limit: four, remaining: 0, resetAt: T + 1_000 }]);
    expect((await take(first, T + 1_020)).refused).toEqual({ limit: first, remaining: 0, resetAt: T + 1_030 });
    expect((await take(first, T + 1_030)).standings).toEqual([{ limit: first, remaining: 0, resetAt: T + 2_030 }]);
  });

  test("an empty list of charges is accepted", async () => {
    expect(await limiter.take([], T)).toMatchObject({ refused: undefined, standings: [] });
  });
}

/** A step of a random run: time passes, then charges are taken or read, then perhaps some are refunded. */
const anyStep = fc.record({
  passedMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.constantFrom(0, 100, HOUR_MS, DAY_MS)),
  charges: fc.array(fc.record({ subject: fc.constantFrom("a", "b"), limit: fc.nat(3), max: fc.nat(4) }), {
    maxLength: 4,
  }),
  looks: fc.boolean(),
  givesBack: fc.option(fc.record({ step: fc.nat(39), limit: fc.nat(3) }), { freq: 3 }),
});

const windows: Limit["window"][] = [
  { kind: "sliding", ms: 100 },
  { kind: "sliding", ms: 37 },
  { kind: "sliding", ms: HOUR_MS },
  { kind: "utc-day" },
];

type Step = typeof anyStep extends fc.Arbitrary<infer S> ? S : never;

async function answersOf(limiter: Limiter, steps: readonly Step[], run: string): Promise<unknown[]> {
  const answers: unknown[] = [];
  const verdicts = [];
  let now = T;
  for (const { passedMs, charges: stepCharges, looks, givesBack } of steps) {
    now += passedMs;
    const charges = stepCharges.map(({ subject, limit, max }) => ({
      subject: `${subject}-${run}`,
      limit: { name: `limit-${limit}`, max, window: windows[limit] ?? { kind: "utc-day" } },
    }));
    answers.push(await limiter.look(charges, now));
    if (looks) continue;
    const verdict = await limiter.take(charges, now);
    verdicts.push(verdict);
    answers.push([verdict.refused, verdict.standings]);
    if (givesBack === null) continue;
    await verdicts[givesBack.step % verdicts.length]?.giveBack(
      ({ limit }) => limit.name !== `limit-${givesBack.limit}`,
    );
  }
  return answers;
}

const anyMax = fc.integer({ min: 1, max: 12 });
const anyWindowMs = fc.integer({ min: 1, max: 200 });

function sliding(max: number, ms: number, name = `sliding-${max}-${ms}`): Limit {
  return { name, max, window: { kind: "sliding", ms } };
}

function daily(max: number): Limit {
  return { name: `daily-${max}`, max, window: { kind: "utc-day" } };
}

/** A charge for a subject that no other test uses. */
function charge(limit: Limit): Charge {
  return { subject: randomUUID(), limit };
}

function taker(limiter: Limiter, limit: Limit) {
  const charges = [charge(limit)];
  return async (now: number) => limiter.take(charges, now);
}

/** Expects every `max` + 1 consecutive units to span at least a window, so that no window holds more than `max`. */
function expectNoWindowOver(max: number, ms: number, takenAt: readonly number[]): void {
  for (const [index, at] of takenAt.entries()) {
    const later = takenAt[index + max];
    if (later !== undefined) expect(later - at).toBeGreaterThanOrEqual(ms);
  }
}
