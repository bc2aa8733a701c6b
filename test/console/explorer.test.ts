import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { accessibilityViolations, violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, scrollsSideways, startConsole } from "../support/console.js";

/* Every operation as a form, and a projection that is applied as it is typed. */

describe.skipIf(noBrowser !== undefined)(`the explorer${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    const datasets = ["us-cpi", "earthquakes"];
    served = await startConsole({ datasets, filled: datasets });
  }, 120_000);
  afterAll(() => served.close());

  test("calls an operation, projects its answer, and shows it as a tree, as raw JSON and with its headers", async () => {
    const { page, faults, close } = await served.open("/explorer");
    await page.locator("#operation").selectOption("list-earthquakes");
    await page.getByLabel("page_size").fill("3");
    await page.getByRole("button", { name: "Call" }).click();
    await page.getByText("3 rows").waitFor();
    await page.getByLabel("Projection (JMESPath)").fill("earthquakes[].magnitude");
    await expect.poll(() => page.locator(".tree .leaf").count()).toBe(3);
    expect(new URL(page.url()).searchParams.get("jmespath")).toBe("earthquakes[].magnitude");
    await page.getByRole("button", { name: "Raw" }).click();
    const raw = JSON.parse((await page.locator("pre.raw").textContent()) ?? "") as readonly number[];
    expect(raw).toHaveLength(3);
    await page.getByRole("button", { name: "Headers" }).click();
    await page.getByText("x-vigil-generation", { exact: true }).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("reports an error in a projection, and continues once it is fixed", async () => {
    const { page, close } = await served.open("/explorer?operation=list-earthquakes&jmespath=earthquakes[");
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(/character \d/);
    await page.getByLabel("Projection (JMESPath)").fill("length(earthquakes)");
    await page.locator(".tree .leaf").waitFor();
    await close();
  });

  test("asks for the parameters that a call needs", async () => {
    const { page, faults, close } = await served.open("/explorer?operation=get-insider-transactions");
    await page.getByText(/^Fill in symbol/).waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("a write is shown as a form built from its schema, with errors beside their fields and a command that makes the call", async () => {
    const { page, faults, close } = await served.open("/explorer?operation=create-key");
    await page.getByLabel("name (required)").fill("from the explorer");
    await page.getByLabel("scopes").fill("read\nwrite");
    await page.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => page.getByLabel("scopes").getAttribute("aria-invalid")).toBe("true");
    // Chromium reports the refused call; the page itself must report nothing.
    expect(faults.filter((fault) => !fault.includes("400"))).toEqual([]);
    await page.getByLabel("scopes").fill("read");
    await page.getByLabel("expiresAt").fill("soon");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Must be a number.", { exact: true }).waitFor();
    await page.getByLabel("expiresAt").fill("");
    await page.getByText("Call", { exact: true }).click();
    const body = '{"name":"from the explorer","scopes":["read"]}';
    await page.getByText(`echo '${body}' | vigil call create-key --body -`).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText(/^201/).waitFor();
    await page.goto(`${served.url}/explorer?operation=create-watch`);
    await page.getByRole("group", { name: "threshold" }).getByLabel("above").waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await close();
  });

  test("an address with a call shows the answer, the command for the call, and a link with the same parameters", async () => {
    const { page, close } = await served.open(
      "/explorer?operation=list-earthquakes&params=%7B%22page_size%22%3A%222%22%7D",
    );
    await page.getByText("2 rows").waitFor();
    await page.getByText("Call", { exact: true }).last().click();
    await page.getByText("vigil call list-earthquakes --param page_size=2").waitFor();
    expect(await page.getByRole("link", { name: "Open it in the explorer" }).getAttribute("href")).toContain(
      "page_size",
    );
    await close();
  });

  test("has no violation of WCAG 2.2 AA, and does not scroll sideways on a small screen", async () => {
    const { page, close } = await served.open("/explorer");
    await page.locator(".tree").waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await scrollsSideways(page)).toBe(false);
    await close();
  });
});
