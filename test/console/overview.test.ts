import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../src/kit/clock.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, scrollsSideways, startConsole } from "../support/console.js";
import { publishChanged, withoutFirstRows } from "../support/published.js";
import { runJob } from "../support/run-job.js";

/* The overview: whether all data is complete and fresh, and if not, why not. */

describe.skipIf(noBrowser !== undefined)(`the overview${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole();
    await runJob(served.stack, logJob);
  }, 120_000);
  afterAll(() => served.close());

  const row = "main table tbody tr";

  test("states that all datasets are complete and fresh, and finds a dataset by its name", async () => {
    const { page, faults, close } = await served.open("/");
    await page.getByText("datasets are complete and fresh.").waitFor();
    expect(await page.locator(row).count()).toBe(served.stack.services.datasets.length);
    await page.getByLabel("Find").fill("earthq");
    await expect.poll(() => page.locator(row).count()).toBe(1);
    expect(new URL(page.url()).search).toBe("?find=earthq");
    expect(faults).toEqual([]);
    await close();
  });

  test("updates without a reload when a dataset changes", async () => {
    const { page, faults, close } = await served.open("/?find=earthquakes");
    await page.getByText("Live").waitFor();
    const generation = page.locator(`${row} td.number`);
    const before = Number(await generation.textContent());
    served.stack.clock.advance(MINUTE_MS);
    await publishChanged(served.stack, "earthquakes", withoutFirstRows);
    await runJob(served.stack, logJob);
    await expect
      .poll(() => {
        // The stream checks its log at intervals on the service's clock, so the test advances the clock.
        served.stack.clock.advance(SECOND_MS);
        return generation.textContent();
      })
      .toBe(String(before + 1));
    expect(faults).toEqual([]);
    await close();
  });

  test("leads from a stale dataset to its history, its proof and the reason why it is stale", async () => {
    await publishChanged(served.stack, "earthquakes", withoutFirstRows);
    const { generation } = (await served.stack.service.store.newest("earthquakes")) ?? {};
    served.stack.clock.advance(4 * HOUR_MS);
    await runJob(served.stack, logJob);
    const { page, faults, close } = await served.open("/");
    await page.getByRole("button", { name: /stale/ }).click();
    await page.getByRole("link", { name: "earthquakes", exact: true }).click();
    await page.getByRole("heading", { name: "earthquakes", level: 1 }).waitFor();
    await page.getByText("Confirmed at its sources").waitFor();
    await page.getByText("not confirmed").first().waitFor();
    await page.getByText(`generation ${generation}`, { exact: true }).waitFor();
    expect(await page.getByRole("link", { name: `Proof of generation ${generation}` }).getAttribute("href")).toContain(
      "/explorer?operation=get-inclusion-proof",
    );
    await page.getByRole("link", { name: "US Geological Survey", exact: false }).first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("says only that no dataset has an unknown name", async () => {
    const { page, close } = await served.open("/?dataset=earthquake");
    await page.getByText("No dataset of this service has this name.").waitFor();
    expect(await page.locator("main").textContent()).toBe(
      "earthquakeAll datasetsNo dataset of this service has this name.",
    );
    await close();
  });

  test.each(["/", "/?dataset=earthquakes"])(
    "page %s has no violation of WCAG 2.2 AA, and does not scroll sideways on a small screen",
    async (path) => {
      const { page, close } = await served.open(path);
      await page.locator(row).first().waitFor();
      expect(await violationsInBothSchemes(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 700 });
      expect(await scrollsSideways(page)).toBe(false);
      await close();
    },
  );
});
