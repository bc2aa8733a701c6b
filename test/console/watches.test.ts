import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS, SECOND_MS } from "../../src/kit/clock.js";
import { logJob } from "../../src/services/datasets/store/log-job.js";
import type { Earthquake } from "../../src/services/seismology/records.js";
import { evaluationJob } from "../../src/services/watches/store/evaluator/job.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, scrollsSideways, startConsole } from "../support/console.js";
import { type IndexMonth, publishChanged, withIndex } from "../support/published.js";
import { runJob } from "../support/run-job.js";

/* Watches: created from a view, tested against the past, and seen to fire. */

const MONTH = Date.UTC(2026, 9);

describe.skipIf(noBrowser !== undefined)(`watches in the console${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    const datasets = ["us-cpi", "earthquakes"];
    served = await startConsole({ datasets, filled: datasets });
    await runJob(served.stack, logJob);
    for (const index of [351, 352]) await publishIndex(index);
    await publishMagnitude(7.5);
  }, 120_000);
  afterAll(() => served.close());

  /** Publishes new content, then runs the log job and the evaluation job, as the service does every second. */
  async function evaluated(publish: () => Promise<void>): Promise<void> {
    const { stack } = served;
    stack.clock.advance(HOUR_MS);
    await publish();
    await runJob(stack, logJob);
    await runJob(stack, evaluationJob);
  }

  const publishIndex = (index: number) =>
    evaluated(() =>
      publishChanged<IndexMonth>(served.stack, "us-cpi", (records) =>
        withIndex(records, "headline", { month: MONTH, index }),
      ),
    );

  const publishMagnitude = (magnitude: number) =>
    evaluated(() =>
      publishChanged<Earthquake>(served.stack, "earthquakes", (records) => {
        const [part = ""] = Object.keys(records);
        const [row, ...rows] = records[part] ?? [];
        if (!row) throw new Error("no earthquake is stored");
        return { ...records, [part]: [{ ...row, magnitude }, ...rows] };
      }),
    );

  const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

  test("a watch is created from a view, tested against the past, and fires; a firing shows both values side by side", async () => {
    const { page, faults, close } = await served.open("/series");
    await page.getByRole("link", { name: "Watch", exact: true }).first().click();
    await expect.poll(() => page.getByLabel("Operation").inputValue()).toBe("get-us-cpi-monthly");
    await page.getByLabel("Name", { exact: true }).fill("CPI is revised");
    await page.getByLabel("Parameters").fill('{"history":true}');
    await page.getByLabel("Notify on").selectOption("threshold crossed");
    await page.getByLabel("Condition").fill("months[-1].headline.index");
    await page.getByText("Now: 352").waitFor();
    await page.getByLabel("Threshold", { exact: true }).fill("351.5");

    const dryRun = region(page, "Test against the past");
    await dryRun.getByRole("button", { name: "Test" }).click();
    await expect.poll(() => dryRun.getByRole("status").textContent()).toMatch(/^2 firings in /);
    expect(await dryRun.locator("circle").count()).toBe(2);
    await dryRun.getByRole("button", { name: "2026-11-18 14:00" }).click();
    await expect.poll(() => region(page, "The value").textContent()).toContain("351352");

    await page.getByLabel("Threshold", { exact: true }).fill("360");
    await page.getByRole("button", { name: "Create watch" }).click();
    await region(page, "Your watches").getByRole("button", { name: "CPI is revised" }).waitFor();
    await page.getByText("Nothing has fired").waitFor();
    await publishIndex(361);
    await expect
      .poll(async () => {
        served.stack.clock.advance(SECOND_MS);
        return (await region(page, "Firings").count()) === 0 ? "" : region(page, "Firings").textContent();
      })
      .toContain("352 → 361");
    await region(page, "Firings").getByRole("button").first().click();
    await expect.poll(() => region(page, "The value").textContent()).toContain("352361");
    expect(faults).toEqual([]);
    await close();
  });

  test("an error in an expression, the parameters or the email address is reported beside the field", async () => {
    const { page, close } = await served.open("/watches?operation=list-earthquakes&params=%7B%7D");
    const failureOf = async (label: string): Promise<string> => {
      const describedBy = await page.getByLabel(label, { exact: true }).getAttribute("aria-describedby");
      const id = describedBy?.split(" ").find((each) => each.endsWith("-failure"));
      return id === undefined ? "" : ((await page.locator(`[id="${id}"]`).textContent()) ?? "");
    };
    await page.getByText("Now:").waitFor();
    await page.getByLabel("Condition", { exact: true }).fill("earthquakes[?");
    await expect.poll(() => failureOf("Condition")).not.toBe("");
    await page.getByLabel("Condition", { exact: true }).fill("length(earthquakes)");
    await expect
      .poll(() => failureOf("Condition"))
      .toBe("The trigger “new rows” needs a condition that yields an array.");
    await page.getByLabel("Condition", { exact: true }).fill("earthquakes[?magnitude > `1`]");
    await expect.poll(() => failureOf("Condition")).toBe("");
    await page.getByLabel("Identity", { exact: true }).fill("type(@)");
    await expect.poll(() => failureOf("Identity")).toMatch(/^Rows that repeat the identity of an earlier row: /);
    await page.getByLabel("Parameters", { exact: true }).fill('{"minMagnitude":');
    await expect.poll(() => failureOf("Parameters")).toBe("The parameters must be a JSON object.");
    await page.getByLabel("Parameters", { exact: true }).fill('{"minMagnitude":"big"}');
    await expect.poll(() => failureOf("Parameters")).toContain("must be a number");
    await page.getByLabel("Parameters", { exact: true }).fill("");
    await page.getByLabel("Identity", { exact: true }).fill("");
    await page.getByLabel("Email to", { exact: true }).fill("nobody");
    await page.getByRole("button", { name: "Create watch" }).click();
    await expect.poll(() => failureOf("Email to")).toMatch(/^Must be an address/);
    await close();
  });

  test("the definition of a watch is edited", async () => {
    const { page, faults, close } = await served.open("/watches");
    await page.getByRole("button", { name: "CPI is revised" }).click();
    const watch = region(page, "CPI is revised");
    await watch.getByRole("button", { name: "Edit" }).click();
    const form = region(page, "Edit CPI is revised");
    expect(await form.getByLabel("Threshold", { exact: true }).inputValue()).toBe("360");
    await form.getByLabel("Threshold", { exact: true }).fill("370");
    await form.getByLabel("Quiet after a firing (minutes)").fill("5");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => watch.textContent()).toContain("300 s");
    await expect.poll(() => form.count()).toBe(0);
    expect(await watch.textContent()).toContain("370");
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Edit");
    expect(faults).toEqual([]);
    await close();
  });

  test("a watch whose quiet time is not a whole number of minutes can be edited", async () => {
    const { page, faults, close } = await served.open("/watches");
    await page.getByRole("button", { name: "CPI is revised" }).click();
    const watch = region(page, "CPI is revised");
    const form = region(page, "Edit CPI is revised");
    const quiet = form.getByLabel("Quiet after a firing (minutes)");
    await watch.getByRole("button", { name: "Edit" }).click();
    await quiet.fill("1.5");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => watch.textContent()).toContain("90 s");
    await expect.poll(() => form.count()).toBe(0);
    await watch.getByRole("button", { name: "Edit" }).click();
    expect(await quiet.inputValue()).toBe("1.5");
    await form.getByLabel("Threshold", { exact: true }).fill("380");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => form.count()).toBe(0);
    await expect.poll(() => watch.textContent()).toContain("380");
    expect(await watch.textContent()).toContain("90 s");
    expect(faults).toEqual([]);
    await close();
  });

  test("the keyboard alone can pause and resume a watch and, after a confirmation, delete it", async () => {
    const { page, faults, close } = await served.open("/watches?operation=list-earthquakes&params=%7B%7D");
    await page.getByLabel("Name", { exact: true }).fill("Earthquakes");
    await page.getByLabel("Notify on").selectOption("changed");
    await page.getByRole("button", { name: "Test" }).press("Enter");
    await region(page, "Firings of the test").getByRole("button").press("Enter");
    const row = page
      .getByRole("region", { name: "Firing", exact: true })
      .getByRole("row", { name: "magnitude" })
      .first();
    await expect.poll(() => row.textContent()).toContain("7.5");
    await page.getByRole("button", { name: "Create watch" }).press("Enter");
    await page.getByRole("button", { name: "Pause" }).press("Enter");
    await page.getByRole("button", { name: "Resume" }).press("Enter");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Delete…" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).press("Enter");
    // The focus returns before the page removes the closed dialog. A closed dialog is hidden, so it has no role, and
    // the test finds it by its tag.
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Delete…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
    await expect.poll(() => page.getByRole("button", { name: "Earthquakes" }).count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  test("the page has no violation of WCAG 2.2 AA, and fits a narrow screen", async () => {
    const { page, close } = await served.open("/watches?operation=list-earthquakes&params=%7B%7D");
    await page.getByLabel("Notify on").selectOption("changed");
    await page.getByRole("button", { name: "Test" }).click();
    await region(page, "Firings of the test").getByRole("button").click();
    await page.getByRole("button", { name: "CPI is revised" }).click();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await scrollsSideways(page)).toBe(false);
    await close();
  });
});
