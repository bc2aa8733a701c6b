import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { DAY_MS, HOUR_MS } from "../../src/kit/clock.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { json } from "../support/stack.js";

/* Series: values over time, their gaps, past days, files, and what has changed since an earlier instant. */

const CHANGED_AT = "2026-11-18T13:00:00.000Z";

describe.skipIf(noBrowser !== undefined)(`the series page${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    const datasets = ["us-cpi", "us-treasury-yields", "co2-monitoring", "ocean-ice"];
    served = await startConsole({ datasets, filled: datasets });
    const { stack } = served;
    stack.clock.advance(2 * DAY_MS);
    for (const name of ["us-treasury-yields", "co2-monitoring"]) await stack.run(name);
    stack.clock.advance(HOUR_MS);
  }, 120_000);
  afterAll(() => served.close());

  const readout = (page: Page): Promise<string | null> => page.locator(".readout").first().textContent();

  test("plots CPI with its gap, moves the crosshair by keyboard and keeps the choice in the address", async () => {
    const { page, faults, close } = await served.open("/series");
    await page.getByLabel("Measure").selectOption("index");
    await page.getByLabel("Energy").check();
    await expect.poll(() => new URL(page.url()).search).toBe("?measure=index&lines=headline%2Ccore%2Cenergy");
    const { months } = json(await served.stack.get("/api/economic/v1/get-us-cpi-monthly?history=true")) as {
      readonly months: readonly { readonly month: number; readonly headline: { readonly index: number } }[];
    };
    const newest = months.at(-1)?.headline.index.toFixed(3) ?? "";
    expect(await readout(page)).toContain(newest);
    expect(await page.locator(".gaps").textContent()).toContain("2025-10: All items, Core, Energy");
    expect(await page.locator(".gaps").textContent()).toContain("October 2025 was never collected");

    const chart = page.getByRole("slider", { name: "US consumer prices" });
    await chart.locator("canvas").waitFor();
    await chart.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => chart.getAttribute("aria-valuetext")).toContain("2016-10: All items ");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => readout(page)).toContain("2016-11");
    expect(faults).toEqual([]);
    await close();
  });

  test("selects a range by dragging, or by entering its ends", async () => {
    const { page, close } = await served.open("/series?measure=index");
    const over = page.locator(".plot .u-over");
    await over.waitFor();
    const box = await over.boundingBox();
    if (!box) throw new Error("the chart is not drawn");
    await page.mouse.move(box.x + box.width * 0.5, box.y + 50);
    await page.mouse.down();
    // On a busy machine, the browser may deliver the last move late, so the range ends once the crosshair has arrived.
    let y = box.y + 50;
    await expect
      .poll(() => {
        y += 1;
        return page.mouse.move(box.x + box.width * 0.8, y).then(() => readout(page));
      })
      .toContain("2024-");
    await page.mouse.up();
    await expect.poll(() => new URL(page.url()).searchParams.get("from")).toMatch(/^2021-/);
    expect(new URL(page.url()).searchParams.get("to")).toMatch(/^2024-/);
    await page.getByLabel("From", { exact: true }).fill("2025-09");
    await page.getByLabel("to", { exact: true }).fill("2025-12");
    await page.getByText("Values (4)").waitFor();
    await close();
  });

  test("saves a PNG image, and a CSV file with the numbers of the API, their unit and source, and no value for the gap", async () => {
    const { page, faults, close } = await served.open("/series?measure=index&lines=headline&from=2025-09&to=2025-11");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).split("\r\n");
    expect(file.suggestedFilename()).toBe("us-cpi-index.csv");
    expect(lines).toContain("# Unit: index, 1982-84 = 100");
    expect(lines.some((line) => line.startsWith("# Source: US Bureau of Labor Statistics"))).toBe(true);
    expect(lines).toContain("2025-10,");
    const { months } = json(await served.stack.get("/api/economic/v1/get-us-cpi-monthly?history=true")) as {
      readonly months: readonly { readonly month: number; readonly headline: { readonly index: number } }[];
    };
    const september = months.find(({ month }) => month === Date.UTC(2025, 8))?.headline.index;
    expect(lines).toContain(`2025-09,${september}`);

    await page.locator(".plot canvas").waitFor();
    const [image] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download PNG" }).click(),
    ]);
    expect((await readFile(await image.path())).subarray(1, 4).toString()).toBe("PNG");
    expect(faults).toEqual([]);
    await close();
  });

  test("shows the yield curve of the day in the address, and of a day selected in the history chart", async () => {
    const { page, faults, close } = await served.open("/series?series=yields&day=2026-11-15");
    await page.getByText("2026-11-15 has no curve").waitFor();
    expect(await page.getByLabel("Curve of").inputValue()).toBe("2026-11-13");
    await page.getByRole("button", { name: "Day before" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("day")).toBe("2026-11-12");
    const { curves } = json(
      await served.stack.get("/api/economic/v1/get-us-treasury-par-yield-curve?history=true"),
    ) as { readonly curves: readonly { readonly date: number; readonly thirtyYear: number }[] };
    const thirty = curves.find(({ date }) => date === Date.UTC(2026, 10, 12))?.thirtyYear.toFixed(2) ?? "";
    expect(await readout(page)).toBe(`Tenor30 years2026-11-12${thirty} % per year`);

    const history = page.getByRole("slider", { name: "US Treasury par yields by business day" });
    await history.locator("canvas").waitFor();
    await history.focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    await expect.poll(() => new URL(page.url()).searchParams.get("day")).toMatch(/^2021-11-/);
    expect(faults).toEqual([]);
    await close();
  });

  test("marks the changes since an earlier instant", async () => {
    const { page, faults, close } = await served.open(`/series?series=yields&at=${CHANGED_AT}`);
    await page.getByText(/Since the instant shown: 0 changed, [12] new, 0 gone/).waitFor();
    expect(await page.locator("tr.marked").first().textContent()).toContain("new since");
    expect(faults).toEqual([]);
    await close();
  });

  test.each(["cpi", "yields", "co2", "ice"])(
    "the series %s has no violation of WCAG 2.2 AA and fits a narrow screen",
    async (series) => {
      const { page, faults, close } = await served.open(`/series?series=${series}`, {
        viewport: { width: 360, height: 800 },
      });
      await page.locator(".plot canvas").first().waitFor();
      expect(await violationsInBothSchemes(page)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
      expect(faults).toEqual([]);
      await close();
    },
  );
});
