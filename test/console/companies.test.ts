import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { SECOND_MS } from "../../src/kit/clock.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { reportOn } from "../support/company-reports.js";
import { type ConsoleStack, scrollsSideways, startConsole } from "../support/console.js";
import { call } from "../support/stack.js";

/* The companies of an account: adding them to the portfolio, and showing an impact on one of them as it arrives. */

const NAME = "Harvestline Foods";

describe.skipIf(noBrowser !== undefined)(`companies in the console${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ datasets: [] });
  }, 120_000);
  afterAll(() => served.close());

  /**
   * Waits for a text in a region of the page. Meanwhile advances the service's clock, which wakes the service's
   * streams.
   */
  const arrives = (page: Page, region: string, text: string) =>
    expect
      .poll(async () => {
        served.stack.clock.advance(SECOND_MS);
        return page.getByRole("region", { name: region, exact: true }).last().textContent();
      })
      .toContain(text);

  test("a company is added, and an impact on it arrives automatically with its evidence and revisions", async () => {
    const { page, faults, close } = await served.open("/companies");
    await page.getByText("No company is monitored.").waitFor();
    await page.getByRole("button", { name: "Add a company" }).click();
    await page.getByLabel("Name", { exact: true }).fill(NAME);
    await page.getByLabel("Country of domicile").selectOption("US");
    await page.getByLabel("Domains").fill("harvestline.example");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText(`${NAME} is monitored now.`).waitFor();
    await page.getByRole("button", { name: NAME }).click();
    await page.getByText("not trusted yet").waitFor();

    const title = `${NAME} recalls frozen meals after contamination`;
    await reportOn(served.stack, NAME, { "Simulated Wire": title, "Simulated Daily": `${title}, regulator says` });
    await arrives(page, "Impact changes", "admitted, revision 1");
    await reportOn(served.stack, NAME, {
      "Simulated Radio": `Correction: ${NAME} recalls fewer frozen meals after contamination`,
    });
    await arrives(page, "Impact changes", "corrected, revision 2");
    await page
      .getByRole("region", { name: "Impacts", exact: true })
      .getByRole("button", { name: "2026-11-18" })
      .click();
    await page.getByText("What Simulated Wire writes of <b>").first().waitFor();
    const revisions = page.getByRole("region", { name: "Revisions" }).getByRole("row");
    await expect.poll(() => revisions.count()).toBe(3);
    expect(await page.getByRole("link", { name: "Simulated Daily" }).getAttribute("href")).toMatch(/^https:\/\/news/);
    expect(faults).toEqual([]);
    await close();
  });

  test("a rejected value of a new company is reported beside its field, and the form keeps all values", async () => {
    const { page, close } = await served.open("/companies");
    await page.getByRole("button", { name: "Add a company" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Elsewhere");
    await page.getByLabel("Country of domicile").selectOption("DE");
    await page.getByLabel("Domains").fill("not a domain");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const domains = page.getByLabel("Domains");
    await expect.poll(() => domains.getAttribute("aria-invalid")).toBe("true");
    const describedBy = await domains.getAttribute("aria-describedby");
    const failure = describedBy?.split(" ").at(-1) ?? "";
    expect(await page.locator(`[id="${failure}"]`).textContent()).toMatch(/^Must/);
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Elsewhere");
    await close();
  });

  test("a file is previewed before its companies are imported, and each rejected row shows the reason", async () => {
    const { page, close } = await served.open("/companies");
    await page.getByRole("button", { name: "Import a CSV file" }).click();
    const lines = [
      "name,domicile_country,domains",
      "Alder Works,GB,alder.example",
      "Birch Ltd,Britain,",
      "Cedar,GB,no domain",
    ];
    await page.getByLabel("CSV file", { exact: true }).setInputFiles({
      name: "companies.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(lines.join("\r\n")),
    });
    await page.getByText("2 ready, 0 created, 0 already present, 1 refused.").waitFor();
    await page.getByRole("button", { name: "Import 2 companies" }).click();
    const preview = page.getByRole("region", { name: "Rows of the file" });
    await page.getByText("1 created, 0 already present, 2 refused.").waitFor();
    expect(await preview.getByRole("row", { name: "Birch" }).textContent()).toContain("an ISO 3166-1 code");
    expect(await preview.getByRole("row", { name: "Cedar" }).textContent()).toContain("domains");
    await page.getByRole("region", { name: "Portfolio" }).getByRole("button", { name: "Alder Works" }).waitFor();
    await close();
  });

  test("a company is edited, and a rejected value is reported beside its field", async () => {
    const { stack } = served;
    const company = { name: "Elm Trading", domicileCountry: "DOMICILE_COUNTRY_GB", domains: ["elm.example"] };
    const headers = { "x-service-key": stack.service.access.ownerKey.key ?? "", "content-type": "application/json" };
    const body = JSON.stringify({ clientRequestId: "elm", company });
    const path = "/api/company-monitoring/v1/create-monitored-company";
    expect((await call(stack.answer, "POST", path, headers, { body })).status).toBe(200);
    const { page, faults, close } = await served.open("/companies");
    const portfolio = page.getByRole("region", { name: "Portfolio" });
    await portfolio.getByRole("button", { name: "Elm Trading" }).click();
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("form", { name: "Edit Elm Trading" });
    expect(await form.getByLabel("Domains").inputValue()).toBe("elm.example");
    await form.getByLabel("Domains").fill("elm.example\nno domain");
    await form.getByRole("button", { name: "Save" }).click();
    await expect.poll(() => form.getByLabel("Domains").getAttribute("aria-invalid")).toBe("true");
    // Chromium reports the refused call; the page itself must report nothing.
    expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
    await form.getByLabel("Domains").fill("elm.test");
    await form.getByLabel("Name", { exact: true }).fill("Elm Trading plc");
    await form.getByRole("button", { name: "Save" }).click();
    await portfolio.getByRole("button", { name: "Elm Trading plc" }).waitFor();
    await expect.poll(() => form.count()).toBe(0);
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Edit");
    const claims = page.getByRole("region", { name: "Names and numbers" });
    await expect.poll(() => claims.textContent()).toContain("elm.test");
    expect(await claims.textContent()).not.toContain("elm.example");
    await close();
  });

  test("a company is paused, resumed and, after confirmation, removed by keyboard", async () => {
    const { page, faults, close } = await served.open("/companies");
    await page.getByRole("button", { name: NAME }).press("Enter");
    await page.getByRole("button", { name: "Pause" }).press("Enter");
    await page.getByRole("button", { name: "Resume" }).press("Enter");
    await page.getByRole("button", { name: "Pause" }).waitFor();
    await page.getByRole("button", { name: "Remove…" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).waitFor();
    await page.keyboard.press("Escape");
    // The browser moves the focus back before the page removes the dialog. A key pressed in between opens nothing.
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    expect(await page.evaluate("document.activeElement?.textContent")).toBe("Remove…");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).press("Enter");
    const portfolio = page.getByRole("region", { name: "Portfolio" });
    await expect.poll(() => portfolio.getByRole("button", { name: NAME }).count()).toBe(0);
    await page.getByLabel("Show", { exact: true }).selectOption("removed");
    await portfolio.getByRole("button", { name: NAME }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("the feed of impacts gets a link that works without a key", async () => {
    const { page, close } = await served.open("/companies");
    await page.getByRole("button", { name: "Impact feed…" }).click();
    await page.getByRole("button", { name: "Create the link" }).click();
    const address = await page
      .getByText(`${served.url}/api/company-monitoring/v1/get-company-event-feed`)
      .textContent();
    const feed = await fetch(address ?? "");
    expect([feed.status, await feed.text()]).toEqual([200, expect.stringContaining("<feed")]);
    await close();
  });

  test("the page has no violation of WCAG 2.2 AA, and fits a narrow screen", async () => {
    const { page, close } = await served.open("/companies");
    await page.getByRole("button", { name: "Alder Works" }).click();
    await page.getByText("not trusted yet").waitFor();
    await page.getByRole("button", { name: "Add a company" }).click();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 800 });
    expect(await scrollsSideways(page)).toBe(false);
    await close();
  });
});
