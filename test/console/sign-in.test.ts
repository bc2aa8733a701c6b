import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { accessibilityViolations } from "../support/accessibility.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { call } from "../support/stack.js";

/* Signing in with a key and with a one-time link. */

describe.skipIf(noBrowser !== undefined)(`signing in${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ datasets: ["us-cpi"] });
  }, 120_000);
  afterAll(() => served.close());

  const ownerKey = (): string => served.stack.service.access.ownerKey.key ?? "";

  test("the sign-in page is the same for every caller, and accepts only GET and HEAD", async () => {
    const { stack } = served;
    const page = String((await stack.get("/", { accept: "text/html" })).body);
    for (const headers of [{}, { "x-service-key": ownerKey() }, { cookie: "vigil_session=vgs_any" }]) {
      const answer = await stack.get("/sign-in?link=<script>", headers);
      expect([answer.status, String(answer.body)]).toEqual([200, page]);
    }
    expect((await call(stack.answer, "HEAD", "/sign-in")).status).toBe(200);
    const posted = await call(stack.answer, "POST", "/sign-in");
    expect([posted.status, posted.headers["Allow"]]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  test("a wrong key is refused with a message, spaces around a key do not matter, and the form is accessible", async () => {
    const { page, faults, close } = await served.open("/series", { signedIn: false });
    const field = page.getByLabel("API key");
    await field.fill("vgl_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("Invalid API key");
    expect(await page.title()).toBe("Sign in · Vigil");
    expect(await accessibilityViolations(page)).toEqual([]);
    await field.fill(` ${ownerKey()} `);
    await field.press("Enter");
    await page.getByRole("heading", { name: "Series", level: 1 }).waitFor();
    // Chromium reports each rejected credential; the page itself must report nothing.
    expect(faults.filter((fault) => !fault.includes("401"))).toEqual([]);
    await close();
  });

  test("a one-time link signs in once, and its secret is removed from the address before the page calls the API", async () => {
    const link = await served.stack.service.access.signInLink();
    const { page, faults, close } = await served.open("/about", { signedIn: false });
    const addresses: string[] = [];
    page.on("request", (request) => request.url().includes("/api/") && addresses.push(page.url()));
    await page.goto(`${served.url}/sign-in#${link}`);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(addresses.length).toBeGreaterThan(0);
    expect(new Set(addresses)).toEqual(new Set([`${served.url}/`]));
    await page.goBack();
    expect(page.url()).not.toContain(link);
    expect(faults.filter((fault) => !/40[14]/.test(fault))).toEqual([]);
    await close();

    const again = await served.open(`/sign-in#${link}`, { signedIn: false });
    await expect.poll(() => again.page.getByRole("alert").textContent()).toContain("was already used or has expired");
    expect(await again.page.getByLabel("API key").isVisible()).toBe(true);
    await again.close();

    // A caller who is already signed in stays signed in.
    const signedIn = await served.open(`/sign-in#${link}`);
    await signedIn.page.getByRole("heading", { name: "Overview" }).waitFor();
    await signedIn.close();
  });
});
