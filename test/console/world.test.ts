import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS } from "../../src/kit/clock.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, startConsole } from "../support/console.js";

/* World: layers on a map and in a list, the selected item beside them, and changes since an earlier instant. */

describe.skipIf(noBrowser !== undefined)(`the world page${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ filled: ["alpha-events", "climate-disasters", "earthquakes"] });
    served.stack.clock.advance(3 * HOUR_MS);
    await served.stack.run("earthquakes");
    served.stack.clock.advance(HOUR_MS);
  }, 120_000);
  afterAll(() => served.close());

  test("opens a conflict event from the list, with its record, source and licence, and keeps it in the address", async () => {
    const { page, faults, close } = await served.open("/world?layers=conflict");
    await page.locator("tbody button").first().click();
    await page.getByRole("heading", { name: "Source" }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("thing")).toMatch(/^conflict:/);
    await page.getByText("Reported deaths").waitFor();
    await page.locator(".thing .sources a").first().waitFor();
    const title = await page.locator(".thing h2").textContent();
    await page.reload();
    await expect.poll(() => page.locator(".thing h2").textContent()).toBe(title);
    expect(faults).toEqual([]);
    await close();
  });

  test("moves, zooms and selects by keyboard", async () => {
    const { page, faults, close } = await served.open("/world?layers=earthquakes");
    await page.locator("tbody tr").first().waitFor();
    await page.getByRole("application", { name: "Map of the world" }).focus();
    await page.keyboard.press("+");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => new URL(page.url()).searchParams.get("view")).toMatch(/,1\.50$/);
    await page.keyboard.press("n");
    await expect.poll(() => new URL(page.url()).searchParams.get("thing")).toMatch(/^earthquakes:/);
    await page.keyboard.press("0");
    await expect.poll(() => new URL(page.url()).searchParams.has("view")).toBe(false);
    expect(faults).toEqual([]);
    await close();
  });

  test("a layer without data states that it has none", async () => {
    const { page, faults, close } = await served.open("/world?layers=air");
    await page.getByText("that does not mean that nothing happened").first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("marks the changes since an earlier instant", async () => {
    const { page, faults, close } = await served.open("/world?layers=earthquakes&at=2026-11-18T13:00:00.000Z");
    await page.locator("tr.marked").first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("has no violation of WCAG 2.2 AA and fits a narrow screen", async () => {
    const { page, faults, close } = await served.open("/world", { viewport: { width: 360, height: 800 } });
    await page.locator("tbody button").first().waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await close();
  });
});
