import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { describeEachStore } from "../../test/support/stores.js";
import { MINUTE_MS } from "../kit/clock.js";
import { manualClock } from "../kit/manual-clock.js";
import { leases, newHolder } from "./leases.js";

const START = Date.UTC(2026, 10, 18, 12);

/** A holder whose process has already ended. */
async function deadHolder(): Promise<string> {
  const child = spawn(process.execPath, ["-e", "0"]);
  await once(child, "exit");
  return newHolder().replace(` ${process.pid} `, ` ${child.pid} `);
}

/** A holder with the host and process id of this process that started some clock ticks later, or earlier if negative. */
function holderStarted(ticksLater: number): string {
  return newHolder().replace(/\/(\d+) /, (_text, ticks: string) => `/${Number(ticks) + ticksLater} `);
}

/** A holder with the host and process id of this process that started before the machine was booted. */
function holderBeforeBoot(): string {
  return newHolder().replace(/ \S+\//, ` ${randomUUID()}/`);
}

await describeEachStore((open) => {
  test("the lease of an ended process of this machine is taken over immediately", async () => {
    const { database } = await open();
    const held = leases(database, manualClock(0));
    expect(await held.acquire("build", await deadHolder(), MINUTE_MS)).toBe(true);
    expect(await held.acquire("build", newHolder(), MINUTE_MS)).toBe(true);
  });

  test.skipIf(!existsSync("/proc/self/stat")).each([
    ["started earlier", () => holderStarted(-1)],
    ["started before the last boot", holderBeforeBoot],
  ])(
    "the lease of a process with the same host and process id that %s is taken over immediately",
    async (_name, of) => {
      const { database } = await open();
      const held = leases(database, manualClock(0));
      for (const holder of [of(), `${of()} retention`]) {
        expect(await held.acquire("build", holder, MINUTE_MS)).toBe(true);
        const own = newHolder();
        expect(await held.acquire("build", own, MINUTE_MS)).toBe(true);
        await held.release("build", own);
      }
    },
  );

  test.each([
    ["has the same start", () => newHolder()],
    ["started later", () => holderStarted(1)],
    ["has no start, as in an older version", () => `${hostname()} ${process.pid} ${randomUUID()}`],
    ["has no start and thins the history", () => `${hostname()} ${process.pid} ${randomUUID()} retention`],
  ])("the lease of a holder with the same host and process id that %s is respected", async (_name, of) => {
    const { database } = await open();
    const held = leases(database, manualClock(0));
    expect(await held.acquire("build", of(), MINUTE_MS)).toBe(true);
    expect(await held.acquire("build", newHolder(), MINUTE_MS)).toBe(false);
  });

  test("releaseAll releases every lease of a holder, and no lease of another holder", async () => {
    const { database } = await open();
    const held = leases(database, manualClock(0));
    const [ended, other] = [newHolder(), newHolder()];
    for (const name of ["one", "two"]) await held.acquire(name, ended, MINUTE_MS);
    await held.acquire("three", other, MINUTE_MS);
    await held.releaseAll(ended);
    const acquisitions = ["one", "two", "three"].map((name) => held.acquire(name, newHolder(), MINUTE_MS));
    expect(await Promise.all(acquisitions)).toEqual([true, true, false]);
  });

  test("a lease of a running process, or of another machine, is respected", async () => {
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

  test("a lease has one holder at a time, even across processes", async () => {
    const { leases: mine, clock, openAgain } = await held();
    const theirs = leases(await openAgain(), clock);
    expect(await mine.acquire("cpi", "a", MINUTE_MS)).toBe(true);
    expect(await theirs.acquire("cpi", "b", MINUTE_MS)).toBe(false);
    expect(await theirs.acquire("yields", "b", MINUTE_MS)).toBe(true);
  });

  test("exactly one of many concurrent callers gets the lease", async () => {
    const { leases: mine } = await held();
    const holders = Array.from({ length: 20 }, (_, index) => `holder-${index}`);
    const got = await Promise.all(holders.map((holder) => mine.acquire("cpi", holder, MINUTE_MS)));
    expect(got.filter(Boolean)).toHaveLength(1);
  });

  test("the holder of a lease can renew it; the new duration begins at the renewal", async () => {
    const { leases: mine, clock } = await held();
    await mine.acquire("cpi", "a", MINUTE_MS);
    clock.advance(MINUTE_MS - 1);
    expect(await mine.acquire("cpi", "a", MINUTE_MS)).toBe(true);
    clock.advance(MINUTE_MS - 1);
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(false);
  });

  test("a lease can be taken over exactly at its expiry, and its former holder has lost it", async () => {
    const { leases: mine, clock } = await held();
    await mine.acquire("cpi", "a", MINUTE_MS);
    clock.advance(MINUTE_MS - 1);
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(false);
    clock.advance(1);
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(true);
    expect(await mine.acquire("cpi", "a", MINUTE_MS)).toBe(false);
  });

  test("only the holder of a lease can release it", async () => {
    const { leases: mine } = await held();
    await mine.acquire("cpi", "a", MINUTE_MS);
    await mine.release("cpi", "b");
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(false);
    await mine.release("cpi", "a");
    expect(await mine.acquire("cpi", "b", MINUTE_MS)).toBe(true);
  });

  test("releasing a free lease succeeds", async () => {
    const { leases: mine } = await held();
    await expect(mine.release("cpi", "a")).resolves.toBeUndefined();
  });
});
