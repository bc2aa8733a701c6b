import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { type ConsoleStack, startConsole } from "../support/console.js";

const FILE_BYTES_MAX = 150_000;
/** The outlines of countries, which are data and not part of the program. */
const MAP_DATA = /\/countries-110m/;

/* The shell of the console: signing in, choosing the instant whose data is shown, and what the page may load. */

describe.skipIf(noBrowser !== undefined)(`the console${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    served = await startConsole({ datasets: ["us-cpi"], filled: ["us-cpi"] });
  }, 120_000);
  afterAll(() => served.close());

  test("asks for a key, signs in and says that the data is simulated", async () => {
    const { page, faults, close } = await served.open("/", { signedIn: false });
    await page.getByLabel("API key").fill("vgl_wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.getByRole("alert").textContent()).toContain("Invalid API key");
    await page.getByLabel("API key").fill(served.stack.service.access.ownerKey.key ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    expect(await page.getByText("Simulated data.").isVisible()).toBe(true);
    // Chromium reports each rejected credential; the page itself must report nothing.
    expect(faults.filter((fault) => !fault.includes("401"))).toEqual([]);
    await close();
  });

  test("keeps the chosen instant in the address", async () => {
    const { page, faults, close } = await served.open("/");
    await page.getByLabel("Exact instant, UTC").fill("2026-11-18T06:30");
    await page.getByLabel("Exact instant, UTC").blur();
    await expect.poll(() => new URL(page.url()).searchParams.get("at")).toBe("2026-11-18T06:30:00.000Z");
    await page.getByText("As of 2026-11-18 06:30 UTC").waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has("at")).toBe(false);
    expect(faults).toEqual([]);
    await close();
  });

  test("moves the chosen instant by keyboard", async () => {
    const { page, close } = await served.open("/");
    await page.getByLabel("Instant shown").focus();
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => new URL(page.url()).searchParams.get("at")).toBe("2026-11-18T11:50:00.000Z");
    await close();
  });

  test("loads at most 150 KB of files, compressed with gzip, regardless of which page is opened first", async () => {
    const pages = JSON.parse(await readFile("web/pages.json", "utf8")) as readonly { readonly path: string }[];
    const { page, close } = await served.open("/", { hasOwnSession: true });
    let addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    const sizes = new Map<string, number>();
    const sizeOf = async (address: string): Promise<number> => {
      const size = sizes.get(address) ?? (await compressedSize(page, address));
      sizes.set(address, size);
      return size;
    };
    for (const { path } of pages) {
      addresses = [];
      await page.goto(served.url + path);
      // The library for charts is loaded after the page itself.
      await page
        .locator(path === "/series" ? ".plot canvas" : "main h1")
        .first()
        .waitFor();
      const files = addresses.filter((address) => address.includes("/assets/") && !MAP_DATA.test(address));
      expect(files.length, path).toBeGreaterThan(2);
      let bytes = 0;
      for (const address of [served.url + path, ...files]) bytes += await sizeOf(address);
      expect(bytes, path).toBeLessThanOrEqual(FILE_BYTES_MAX);
    }
    await close();
  });

  test("is served with a Content-Security-Policy that allows nothing inline and no other host", async () => {
    const answer = await served.stack.get("/", { accept: "text/html" });
    const policy = answer.headers["Content-Security-Policy"] ?? "";
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/);
  });
});

async function compressedSize(page: Page, address: string): Promise<number> {
  const answer = await page.request.get(address, { headers: { accept: "text/html,*/*" } });
  return gzipSync(await answer.body()).length;
}
