import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { newestRecords, publish, withoutFirstRows } from "../support/published.js";
import { runJob } from "../support/run-job.js";

/* The connections of open pages: a browser opens at most six connections per host, and all tabs share them. */

/** One more than the number of connections that a browser opens. */
const TABS = 7;

describe.skipIf(noBrowser !== undefined)(`connections of the console${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ datasets: ["earthquakes"], filled: ["earthquakes"] });
    await runJob(served.stack, logJob);
  }, 120_000);
  afterAll(() => served.close());

  const openStreams = async (): Promise<number> => {
    const text = String((await served.stack.get("/metrics")).body);
    return Number(/^vigil_streams_open(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1]);
  };

  /** Shows or hides a page, as a browser does when another tab is chosen. */
  const setVisibility = (page: Page, state: "visible" | "hidden") =>
    page.evaluate(`
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => ${JSON.stringify(state)} });
      document.dispatchEvent(new Event("visibilitychange"));
    `);

  async function publishChange(): Promise<number> {
    const { stack } = served;
    stack.clock.advance(MINUTE_MS);
    await publish(stack, "earthquakes", withoutFirstRows(await newestRecords(stack, "earthquakes")));
    await runJob(stack, logJob);
    return (await stack.service.store.newest("earthquakes"))?.generation ?? 0;
  }

  test.each(["/", "/companies", "/watches"])("page %s holds one stream, and none while it is hidden", async (path) => {
    const { page, faults, close } = await served.open(path);
    await page.getByText("Live", { exact: true }).waitFor();
    await expect.poll(openStreams).toBe(1);
    await setVisibility(page, "hidden");
    await expect.poll(openStreams).toBe(0);
    await setVisibility(page, "visible");
    await expect.poll(openStreams).toBe(1);
    await page.getByText("Live", { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await close();
    await expect.poll(openStreams).toBe(0);
  });

  test("once a hidden page is visible again, it shows the changes that it missed", async () => {
    const { page, faults, close } = await served.open("/?find=earthquakes");
    const generation = page.locator("main table tbody td.number");
    await page.getByText("Live", { exact: true }).waitFor();
    await setVisibility(page, "hidden");
    await expect.poll(openStreams).toBe(0);
    const newest = await publishChange();
    await setVisibility(page, "visible");
    await expect
      .poll(() => {
        // The stream checks its log at intervals on the service's clock, so the test advances the clock.
        served.stack.clock.advance(SECOND_MS);
        return generation.textContent();
      })
      .toBe(String(newest));
    expect(faults).toEqual([]);
    await close();
  });

  test("many open tabs leave enough connections free for calls", async () => {
    const { page, close } = await served.open("/companies", { hasOwnSession: true });
    await page.getByText("Live", { exact: true }).waitFor();
    let last = page;
    for (let tab = 1; tab < TABS; tab += 1) {
      await setVisibility(last, "hidden");
      last = await page.context().newPage();
      await last.goto(`${served.url}/watches`);
      await last.getByText("Live", { exact: true }).waitFor();
    }
    await last.getByText("There are no watches.").waitFor();
    await expect.poll(openStreams).toBe(1);
    await close();
  });
});
