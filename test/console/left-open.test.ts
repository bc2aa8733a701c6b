import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { isLive, isLost, type LeftOpen, leaveOpen } from "../support/left-open.js";

const CHANGING = "earthquakes";

/*
 * One page that stays open for over 10 minutes of the simulated clock. `test/acceptance/console-left-open.test.ts`
 * leaves every page of the console open for 8 hours.
 */

describe.skipIf(noBrowser !== undefined)(`pages left open${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let left: LeftOpen;
  beforeAll(async () => {
    left = await leaveOpen({ paths: [`/?find=${CHANGING}`], filled: [CHANGING], changing: [CHANGING] });
  }, 120_000);
  afterAll(() => left.close());

  test("the page updates without a reload, shows a lost connection, recovers, and catches up", async () => {
    const { pages, until, pass, newest } = left;
    const shown = async (generation: number) => {
      const text = String(generation);
      await until(`generation ${text} is shown`, async (page) => {
        return (await page.locator("main table tbody td.number").textContent()) === text;
      });
    };
    await pass(5 * MINUTE_MS);
    const before = await newest(CHANGING);
    expect(before).toBeGreaterThan(1);
    await shown(before);

    left.lose();
    await until("the loss is shown", isLost);
    // A minute longer than the time until the next change, so that a connected page would show the change.
    await pass(6 * MINUTE_MS);
    expect(await newest(CHANGING)).toBeGreaterThan(before);
    expect(await pages[0]?.page.locator("main table tbody td.number").textContent()).toBe(String(before));
    left.restore();
    await until("the connection is live", isLive);
    await shown(await newest(CHANGING));
    expect(await pages[0]?.page.evaluate("wasNeverReloaded")).toBe(true);
    // Chromium reports each broken request; the page itself must report nothing.
    expect(pages[0]?.faults.filter((fault) => !fault.includes("Failed to load resource"))).toEqual([]);
  });
});
