import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { leases, newHolder } from "./leases.js";

const START = Date.UTC(2026, 10, 18, 12);

/** A holder whose process has ended by the time this returns. */
async function deadHolder(): Promise<string> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return newHolder().replace(` ${process.pid} `, ` ${child.pid} `);
}

await describeEachStore((open) => {
  test("a holder that was killed on this machine is overtaken at once", async () => {
    const { database } = await open();
    const held = leases(database, manualClock(0));
    expect(await held.acquire("build", await deadHolder(), MINUTE_MS)).toBe(true);
    expect(await held.acquire("build", newHolder(), MINUTE_MS)).toBe(true);
  });

  test("a living holder, and one of another machine, are waited for", async () => {
    const { database } = await open();
    const held = leases(database, manualClock(0));
    expect(await held.acquire("here", newHolder(), MINUTE_MS)).toBe(true);
    expect(await held.acquire("here", newHolder(), MINUTE_MS)).toBe(false);
    expect(await held.acquire("there", "another-machine 1 x", MINUTE_MS)).toBe(true);
    expect(await held.acquire("there", newHolder(), MINUTE_MS)).toBe(false);
  });

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
