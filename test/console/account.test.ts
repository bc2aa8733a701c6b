import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { SECOND_MS } from "../../src/kit/clock.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, scrollsSideways, startConsole } from "../support/console.js";
import { json } from "../support/stack.js";

/* The account page: keys, sessions, remaining limits and signing out. */

describe.skipIf(noBrowser !== undefined)(`the account page${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ datasets: ["us-cpi"] });
  }, 120_000);
  afterAll(() => served.close());

  /** Number of the owner's calls in this minute. */
  const usedByOwner = async (): Promise<number> => {
    const { limits } = json(await served.stack.get("/api/account/v1/get-usage")) as {
      readonly limits: readonly { readonly used: number }[];
    };
    return limits[0]?.used ?? 0;
  };

  const statusWith = async (key: string): Promise<number> =>
    (await served.stack.get("/api/account/v1/get-account", { "x-service-key": key })).status;

  test("creates a key that works, shows it once, and revokes it", async () => {
    const { page, faults, close } = await served.open("/account");
    await page.getByLabel("Name").fill("nightly job");
    await page.getByRole("button", { name: "Create key" }).click();
    const shown = page.locator(".notice code");
    await shown.waitFor();
    const key = (await shown.textContent()) ?? "";
    expect(await statusWith(key)).toBe(200);
    await page.getByRole("button", { name: "Revoke nightly job" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText(/^revoked/).waitFor();
    expect(await statusWith(key)).toBe(401);
    await page.reload();
    await page.getByText(/^revoked/).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(faults).toEqual([]);
    await close();
  });

  test("keeps the confirmation open while a key is being revoked, however often Escape is pressed", async () => {
    const { page, faults, close } = await served.open("/account");
    await page.getByLabel("Name").fill("weekly job");
    await page.getByRole("button", { name: "Create key" }).click();
    const row = page.getByRole("row").filter({ hasText: "weekly job" });
    const { held, release } = await heldCall(page, "**/api/account/v1/revoke-key*");
    await row.getByRole("button", { name: "Revoke weekly job" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await held;
    // Chromium lets a page refuse the first Escape only; later ones close the dialog.
    for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("Escape");
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 100))");
    expect(await dialog.getByRole("button", { name: "Revoke" }).isDisabled()).toBe(true);
    release();
    await row.getByText(/^revoked/).waitFor();
    expect(await page.locator("dialog").count()).toBe(0);
    expect(faults).toEqual([]);
    await close();
  });

  test("lists the sessions and, after confirmation, ends the session of another browser, which then asks for a key again", async () => {
    served.stack.clock.advance(SECOND_MS);
    const other = await served.open("/account", { hasOwnSession: true });
    await other.page.getByText("this browser").waitFor();
    served.stack.clock.advance(SECOND_MS);
    const { page, faults, close } = await served.open("/account", { hasOwnSession: true });
    const sessions = page.getByRole("region", { name: "Sessions of the account" }).getByRole("row");
    const ends = page.getByRole("button", { name: /^End the session of owner.key from 127/ });
    await page.getByText("this browser").waitFor();
    const before = await sessions.count();
    expect(await ends.count()).toBe(before - 2);
    await ends.first().click();
    await page.getByRole("dialog").getByRole("button", { name: "End session" }).click();
    await expect.poll(() => sessions.count()).toBe(before - 1);
    expect(await page.getByText("this browser").count()).toBe(1);
    // The page whose session was ended notices this at its next call, and stays at its address.
    await other.page.getByRole("link", { name: "Series" }).click();
    await other.page.getByText("The session has ended.").waitFor();
    expect(new URL(other.page.url()).pathname).toBe("/series");
    await other.page.getByLabel("API key").fill(served.stack.service.access.ownerKey.key ?? "");
    await other.page.getByLabel("API key").press("Enter");
    await other.page.getByRole("heading", { name: "US consumer price index" }).waitFor();
    expect(faults).toEqual([]);
    await other.close();
    await close();
  });

  test("shows the remaining limits", async () => {
    const before = await usedByOwner();
    const { page, faults, close } = await served.open("/account");
    const row = page.getByRole("row").filter({ hasText: "a minute" });
    await row.waitFor();
    const [name, , used = "", limit, remaining] = await row.locator("th, td").allTextContents();
    expect([name, limit]).toEqual(["key", "6,000"]);
    expect(remaining).toBe((6_000 - Number(used)).toLocaleString("en"));
    // The calls of the page and the calls of this test both count.
    expect(Number(used)).toBeGreaterThan(before);
    expect(Number(used)).toBeLessThanOrEqual(await usedByOwner());
    expect(faults).toEqual([]);
    await close();
  });

  test("signs out", async () => {
    const { page, close } = await served.open("/account", { hasOwnSession: true });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByLabel("API key").waitFor();
    await page.reload();
    await page.getByLabel("API key").waitFor();
    await close();
  });

  test("says why signing out failed, and signs out at the next attempt", async () => {
    const { page, faults, close } = await served.open("/account", { hasOwnSession: true });
    const { held, release } = await heldCall(page, "**/api/account/v1/sign-out*", 503);
    const button = page.getByRole("button", { name: "Sign out" });
    await button.click();
    await held;
    expect(await button.isDisabled()).toBe(true);
    release();
    await expect.poll(() => page.getByRole("alert").textContent()).toBe("The store is not available.");
    await button.click();
    await page.getByLabel("API key").waitFor();
    // Chromium reports the failed request and, after signing out, the rejected credential. The page reports nothing.
    expect(faults.filter((fault) => !/ 503 | 401 /.test(fault))).toEqual([]);
    await close();
  });

  test("has no violation of WCAG 2.2 AA, and does not scroll sideways on a small screen", async () => {
    const { page, close } = await served.open("/account");
    await page.getByText("a minute").first().waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    await page.setViewportSize({ width: 360, height: 700 });
    expect(await scrollsSideways(page)).toBe(false);
    await close();
  });
});

/**
 * Holds the page's next call to an address that matches the pattern. `held` resolves once the page has sent the call.
 * `release` forwards it to the service or, with a status, answers it with an error. Later calls are not held.
 */
async function heldCall(page: Page, pattern: string, status?: number) {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const answer = async (route: Route): Promise<void> => {
    await released;
    if (status === undefined) await route.continue();
    else await route.fulfill({ status, json: { message: "The store is not available" } });
  };
  await page.route(pattern, answer, { times: 1 });
  return { held: page.waitForRequest(pattern), release };
}
