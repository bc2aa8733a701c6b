import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { leases } from "./leases.js";

const START = Date.UTC(2026, 10, 18, 12);

await describeEachStore((open) => {
  async function held() {
    const { database, openAgain } = await open();
    const clock = manualClock(START);
    return { clock, leases: leases(database, clock), database, openAgain };
  }

  test("has one holder at a time, also across processes", async () => {
    const { leases: mine, clock, openAgain } = await held();
    const theirs = leases(await openAgain(), clock);
    expect(await mine.acquire("cpi", "a", MINUTE_MS)).toBe(true);
    expect(await theirs.acquire("cpi", "b", MINUTE_MS)).toBe(false);
    expect(await theirs.acquire("yields", "b", MINUTE_MS)).toBe(true);
  });

  test("of many that ask at once exactly one gets it", async () => {
    const { leases: mine } = await held();
    const holders = Array.from({ length: 20 }, (_, index) => `holder-${index}`);
    const got = await Promise.all(holders.map((holder) => mine.acquire("cpi", holder, MINUTE_MS)));
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  test("is renewed for its holder, from the time of asking", async () => {
    const { leases: mine, clock } = await held();
    await mine.acquire("cpi", "a", MINUTE_MS);
    clock.advance(MINUTE_MS - 1);
    expect(await mine.acquire("cpi", "a", MINUTE_MS)).toBe(true);
    clock.advance(MINUTE_MS - 1);
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(false);
  });

  test("is overtaken exactly when it has run out, and lost to the one who slept", async () => {
    const { leases: mine, clock } = await held();
    await mine.acquire("cpi", "a", MINUTE_MS);
    clock.advance(MINUTE_MS - 1);
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(false);
    clock.advance(1);
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(true);
    expect(await mine.acquire("cpi", "a", MINUTE_MS)).toBe(false);
  });

  test("is given back only by its holder", async () => {
    const { leases: mine } = await held();
    await mine.acquire("cpi", "a", MINUTE_MS);
    await mine.release("cpi", "b");
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(false);
    await mine.release("cpi", "a");
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(true);
  });

  test("giving back what nobody holds is no fault", async () => {
    const { leases: mine } = await held();
    await expect(mine.release("cpi", "a")).resolves.toBeUndefined();
  });
});
