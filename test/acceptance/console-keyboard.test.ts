import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS, SECOND_MS } from "../../src/kit/clock.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import { reportOn } from "../support/company-reports.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { type Keyboard, keyboardOf } from "../support/keyboard.js";
import { runJob } from "../support/run-job.js";

/* A new user visits every page by keyboard alone. The test clicks nothing, and never sets the focus itself. */

const COMPANY = "Harvestline Foods";
const DATASETS = ["us-cpi", "us-treasury-yields", "alpha-events", "earthquakes", "digest-full-en", "country-evidence"];

describe.skipIf(noBrowser !== undefined)(`a new user with only a keyboard${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  let page: Page;
  let faults: readonly string[];
  let keys: Keyboard;

  beforeAll(async () => {
    served = await startConsole({ datasets: DATASETS, filled: DATASETS });
    await runJob(served.stack, logJob);
    // The dataset of earthquakes becomes stale, because this test builds it only at the start.
    served.stack.clock.advance(4 * HOUR_MS);
    await runJob(served.stack, logJob);
    const opened = await served.open("/", { signedIn: false });
    page = opened.page;
    faults = opened.faults;
    keys = keyboardOf(page);
  }, 120_000);
  afterAll(() => served.close());

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  const link = (name: string | RegExp) => page.getByRole("link", { name, exact: true });
  const param = (name: string): string => new URL(page.url()).searchParams.get(name) ?? "";

  /** Opens a page by its link in the navigation; the following Tab stops are in the page's content. */
  async function openPage(name: string): Promise<void> {
    const target = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });
    await keys.to(target, "back");
    await keys.press("Enter");
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("main");
  }

  test("signs in, finds stale data and reads why it is stale", async () => {
    await keys.to(page.getByLabel("API key"));
    await keys.type(served.stack.service.access.ownerKey.key ?? "");
    await keys.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await keys.to(button(/stale/));
    await keys.press("Enter");
    await expect.poll(() => param("state")).toBe("stale");
    await keys.to(page.getByRole("main").getByRole("link", { name: "earthquakes", exact: true }));
    await keys.press("Enter");
    await page.getByRole("heading", { name: "earthquakes", level: 1 }).waitFor();
    await page.getByText("not confirmed").first().waitFor();
    // The list with the link is no longer shown, so the focus moves to the main content, not to the top of the page.
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
  });

  test("goes back in time to an exact instant, and back to now", async () => {
    // Shift+Tab would move the focus to the last part of the date field, so the test goes back past the field and then
    // forwards to its first part.
    await keys.to(page.getByLabel("Instant shown"), "back");
    await keys.to(page.getByLabel("Exact instant, UTC"));
    await keys.type("111820260630AM");
    await expect.poll(() => param("at")).toBe("2026-11-18T06:30:00.000Z");
    await keys.to(button("Back to now"));
    await keys.press("Enter");
    await expect.poll(() => param("at")).toBe("");
  });

  test("opens a conflict event on the map and reads its record", async () => {
    await openPage("World");
    await keys.to(page.getByRole("application", { name: "Map of the world" }));
    await keys.press("n");
    await expect.poll(() => param("thing")).toMatch(/^\w+:/);
    await keys.to(
      page.getByRole("region", { name: "Items on the map" }).getByRole("row", { name: "Conflict" }).getByRole("button"),
    );
    await keys.press("Enter");
    await expect.poll(() => param("thing")).toMatch(/^conflict:/);
    await keys.to(page.locator("summary", { hasText: "Record" }), "back");
    await keys.press("Enter");
    await page.locator(".thing details:not(.disclosure) pre").waitFor();
    expect(await page.locator(".thing").textContent()).toContain("Reported deaths");
  });

  test("plots the components of consumer prices", async () => {
    await openPage("Series");
    await keys.to(page.getByLabel("Measure"));
    await keys.type("Index");
    await expect.poll(() => param("measure")).toBe("index");
    await keys.to(page.getByLabel("Energy"));
    await keys.press("Space");
    await expect.poll(() => param("lines")).toBe("headline,core,energy");
    const chart = page.getByRole("slider", { name: "US consumer prices" });
    await keys.to(chart);
    await keys.press("Home");
    await expect.poll(() => chart.getAttribute("aria-valuetext")).toMatch(/^2016-10: All items .*Energy /);
  });

  test("reads the yield curve of a past day", async () => {
    await keys.to(link("Yield curve"), "back");
    await keys.press("Enter");
    const day = page.getByLabel("Curve of");
    await keys.to(day);
    // Month, day and year are parts of the field; an incomplete year must not reach the page.
    await keys.type("11122026");
    await expect.poll(() => param("day")).toBe("2026-11-12");
    const curve = page.locator(".chart").first();
    await keys.to(curve);
    await keys.press("End");
    await expect.poll(() => curve.getAttribute("aria-valuetext")).toMatch(/^30 years: 2026-11-12 \d\.\d\d % per year$/);
  });

  test("projects an answer in the explorer", async () => {
    await openPage("Explorer");
    await keys.to(page.locator("#operation"));
    await keys.type("list-earthquakes");
    await expect.poll(() => param("operation")).toBe("list-earthquakes");
    await keys.to(page.getByLabel("page_size"));
    await keys.type("3");
    await keys.press("Enter");
    await page.getByText("3 rows").waitFor();
    await keys.to(page.getByLabel("Projection (JMESPath)"));
    await keys.type("earthquakes[].magnitude");
    await expect.poll(() => page.locator(".tree .leaf").count()).toBe(3);
  });

  test("opens a story of the digest and shows how its score is calculated", async () => {
    await openPage("Digest");
    await keys.to(link(/^World affairs/));
    await keys.press("Enter");
    await expect.poll(() => param("category")).toBe("politics");
    await keys.to(page.getByRole("button", { name: /^Why this score/ }).first());
    await keys.press("Enter");
    await page.locator(".score-terms").first().waitFor();
    expect(param("story")).toMatch(/^politics:/);
  });

  test("reads a brief with its evidence", async () => {
    await openPage("Brief");
    await keys.to(page.getByLabel("Country"));
    await keys.type("Ukraine");
    await keys.to(button("Read the brief"));
    await keys.press("Enter");
    await page.getByRole("list", { name: "Evidence" }).first().waitFor();
    expect(param("country")).toBe("UA");
  });

  test("adds a company and sees an impact on it arrive", async () => {
    await openPage("Companies");
    await keys.to(button("Add a company"));
    await keys.press("Enter");
    await keys.to(page.getByLabel("Name", { exact: true }));
    await keys.type(COMPANY);
    await keys.to(page.getByLabel("Country of domicile"));
    await keys.type("United States");
    await keys.to(button("Add"));
    await keys.press("Enter");
    await page.getByText(`${COMPANY} is monitored now.`).waitFor();
    const title = `${COMPANY} recalls frozen meals after contamination`;
    await reportOn(served.stack, COMPANY, { "Simulated Wire": title, "Simulated Daily": `${title}, regulator says` });
    const impact = page
      .getByRole("region", { name: "Impacts", exact: true })
      .getByRole("button", { name: "2026-11-18" });
    await expect
      .poll(() => {
        // The stream checks its log at intervals on the service's clock, so the test advances the clock.
        served.stack.clock.advance(SECOND_MS);
        return impact.count();
      })
      .toBe(1);
    await keys.to(impact);
    await keys.press("Enter");
    await page.getByText("What Simulated Wire writes of").first().waitFor();
  });

  test("creates a watch from a view and deletes it after confirmation", async () => {
    await openPage("Series");
    await keys.to(link("Watch"));
    await keys.press("Enter");
    await keys.to(page.getByLabel("Name", { exact: true }));
    await keys.type("CPI changes");
    await keys.to(page.getByLabel("Notify on"));
    await keys.type("changed");
    await keys.to(button("Test"));
    await keys.press("Enter");
    await page.getByText(/^\d+ firings? in/).waitFor();
    await keys.to(button("Create watch"), "back");
    await keys.press("Enter");
    await keys.to(button("Delete…"));
    await keys.press("Enter");
    await keys.to(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await keys.press("Enter");
    await page.getByText("No watch", { exact: false }).first().waitFor();
  });

  test("creates a key and revokes it after confirmation", async () => {
    await openPage("Account");
    await keys.to(page.getByLabel("Name"));
    await keys.type("nightly job");
    await keys.to(button("Create key"));
    await keys.press("Enter");
    await page.getByText("copy the key now").waitFor();
    await keys.to(button("Revoke nightly job"), "back");
    await keys.press("Enter");
    await keys.to(page.getByRole("dialog").getByRole("button", { name: "Revoke" }));
    await keys.press("Enter");
    await page.getByText(/^revoked/).waitFor();
  });

  test("every Tab stop was visible and showed its focus", () => {
    expect(keys.faults()).toEqual([]);
    // Chromium reports the refused call that asks who is signed in; the page itself must report nothing.
    expect(faults.filter((fault) => !fault.includes("401"))).toEqual([]);
  });
});
