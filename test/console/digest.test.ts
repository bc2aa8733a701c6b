import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS } from "../../src/kit/clock.js";
import { violationsInBothSchemes } from "../support/accessibility.js";
import { type ConsoleStack, startConsole } from "../support/console.js";
import { json, NOON } from "../support/stack.js";

/* The digest: stories by category, the explanation of their scores, the health of the feeds, and changes over time. */

interface Digest {
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly items: readonly {
          readonly title: string;
          readonly storyId: string;
          readonly importanceScore: number;
          readonly explain: { readonly importance: readonly { readonly name: string; readonly points: number }[] };
        }[];
      }
    >
  >;
  readonly coverage: { readonly feedTotal: number };
  readonly feedStatuses: Readonly<Record<string, string>>;
}

describe.skipIf(noBrowser !== undefined)(`the digest page${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let served: ConsoleStack;
  beforeAll(async () => {
    const datasets = ["digest-full-en", "digest-tech-en", "digest-full-ar"];
    served = await startConsole({ datasets, filled: datasets });
    const { stack } = served;
    stack.clock.advance(3 * HOUR_MS);
    await stack.run("digest-full-en");
    stack.clock.advance(60_000);
  }, 120_000);
  afterAll(() => served.close());

  const digest = async (query = ""): Promise<Digest> =>
    json(await served.stack.get(`/api/news/v1/list-feed-digest?explain=true${query}`)) as Digest;

  test("follows a story from its category to the terms of its score, and keeps the opened story in the address", async () => {
    const { page, faults, close } = await served.open("/digest");
    await page.getByRole("link", { name: "World affairs" }).click();
    const [first] = (await digest()).categories["politics"]?.items ?? [];
    if (!first) throw new Error("the digest has no story");
    const row = page.locator(".story").first();
    await expect.poll(() => row.locator("h3").first().textContent()).toBe(first.title);
    expect(await row.locator(".scores").textContent()).toContain(`${first.importanceScore} importance`);
    await row.getByRole("button", { name: "Why this score" }).click();
    const terms = row.locator(".score-terms").first();
    await terms.waitFor();
    expect(new URL(page.url()).searchParams.get("story")).toBe(`politics:${first.storyId}`);
    const points = await terms.locator("tbody td:last-child").allTextContents();
    expect(points).toEqual(first.explain.importance.map((term) => term.points.toFixed(2).replace("-", "−")));
    expect(await terms.locator("tfoot").textContent()).toBe(`Sum${first.importanceScore.toFixed(2)}`);
    expect(await row.locator(".mentions a").first().getAttribute("href")).toMatch(/^https:/);
    expect(await row.locator(".mentions a").first().getAttribute("rel")).toBe("noopener noreferrer");
    await page.reload();
    await terms.waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("shows the feeds with problems", async () => {
    const { page, faults, close } = await served.open("/digest");
    const { coverage, feedStatuses } = await digest();
    const count = Object.keys(feedStatuses).length;
    expect(count).toBeGreaterThan(0);
    await page.getByText(`Feed health: ${count} of ${coverage.feedTotal} have problems`).click();
    const table = page.getByRole("region", { name: "Feeds with problems" });
    await expect.poll(() => table.locator("tbody tr").count()).toBe(count);
    expect(faults).toEqual([]);
    await close();
  });

  test("selects the kind and the language, and marks Arabic titles with their language and an automatic direction", async () => {
    const { page, faults, close } = await served.open("/digest?category=politics");
    await page.getByLabel("Kind").selectOption("tech");
    await page.locator(".categories a", { hasText: /^Startups/ }).waitFor();
    expect(new URL(page.url()).search).toBe("?variant=tech");
    await page.getByLabel("Kind").selectOption("full");
    await page.getByLabel("Language").selectOption({ label: "Arabic" });
    await page.locator('.story h3 [lang="ar"][dir="auto"]').first().waitFor();
    expect(faults).toEqual([]);
    await close();
  });

  test("marks the stories that have changed since an earlier instant, and counts the added ones", async () => {
    const at = new Date(NOON + HOUR_MS).toISOString();
    const { page, faults, close } = await served.open(`/digest?category=politics&at=${at}`);
    const then = await digest(`&as_of=${at}`);
    await expect
      .poll(() => page.locator(".story h3").first().textContent())
      .toBe(then.categories["politics"]?.items[0]?.title);
    await page.getByText(/Since the instant shown: \d+ of these stories changed or are gone, \d+ were added/).waitFor();
    expect(await page.locator(".story .change-mark").allTextContents()).toContainEqual(
      expect.stringMatching(/^(changed since: importance now \d+|gone since)/),
    );
    expect(faults).toEqual([]);
    await close();
  });

  test("has no violation of WCAG 2.2 AA and fits a narrow screen", async () => {
    const { page, faults, close } = await served.open("/digest", { viewport: { width: 360, height: 800 } });
    await page.getByRole("button", { name: "Why this score" }).first().click();
    await page.locator(".score-terms").first().waitFor();
    expect(await violationsInBothSchemes(page)).toEqual([]);
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await close();
  });
});
