import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { HOUR_MS, MINUTE_MS } from "../../src/kit/clock.js";
import { type Held, isLive, isLost, type LeftOpen, leaveOpen } from "../support/left-open.js";

/* Every page of the console, left open for 8 hours of a simulated clock while the data changes every five minutes. */

const PATHS = [
  "/",
  "/world",
  "/series",
  "/digest",
  "/brief?country=UA",
  "/companies",
  "/watches",
  "/explorer?operation=list-earthquakes",
  "/account",
];
/** Maximum growth after the first hour. The first hour is not compared, because it fills the bounded caches. */
const GROWTH_RATIO_MAX = 1.1;
const GROWTH_BYTES_MAX = 1_000_000;

describe.skipIf(noBrowser !== undefined)(`8 hours left open${noBrowser ? ` (${noBrowser})` : ""}`, () => {
  let left: LeftOpen;
  beforeAll(async () => {
    left = await leaveOpen({
      paths: PATHS,
      filled: "all",
      changing: ["earthquakes", "us-cpi"],
      rebuilt: ["digest-full-en"],
    });
  }, 600_000);
  afterAll(() => left.close());

  /** The pages that show the generation of a dataset, and where they show it. */
  const places: readonly (readonly [
    path: string,
    dataset: string,
    find: (page: Page, text: string) => Promise<boolean>,
  ])[] = [
    ["/", "earthquakes", (page, text) => shows(page, `main tr:has(a:text-is("earthquakes")) td.number`, text)],
    ["/series", "us-cpi", (page, text) => shows(page, ".answer-facts summary", `us-cpi ${text}`)],
    ["/digest", "digest-full-en", (page, text) => shows(page, ".answer-facts summary", `digest-full-en ${text}`)],
  ];

  async function shows(page: Page, selector: string, text: string): Promise<boolean> {
    const texts = await page.locator(selector).allTextContents();
    return texts.some((each) => each.trim() === text);
  }

  /** Waits until the pages show the newest generations. */
  async function expectNewest(): Promise<void> {
    for (const [path, dataset, find] of places) {
      const generation = String(await left.newest(dataset));
      await left.until(`${dataset} ${generation} is shown`, async (page) => {
        return new URL(page.url()).pathname !== path || find(page, generation);
      });
    }
  }

  const heldByAll = async (): Promise<readonly Held[]> => {
    const all: Held[] = [];
    for (const { held } of left.pages) all.push(await held());
    return all;
  };

  test("memory stays flat, data updates without a reload, and a lost connection is shown and recovers", async () => {
    const { pass, pages, until } = left;
    await pass(HOUR_MS);
    await expectNewest();
    const start = await heldByAll();

    await pass(3 * HOUR_MS);
    left.lose();
    await until("the loss is shown", isLost);
    await pass(30 * MINUTE_MS);
    left.restore();
    await until("the connection is live", isLive);
    await expectNewest();
    const middle = await heldByAll();

    await pass(3.5 * HOUR_MS);
    await expectNewest();
    const end = await heldByAll();

    const rows = pages.map(({ path }, at) => ({ path, start: start[at], middle: middle[at], end: end[at] }));
    console.log(rows.map(rowText).join("\n"));
    for (const { path, start: first, middle: second, end: last } of rows) {
      if (!first || !second || !last) throw new Error(`${path} was not measured`);
      for (const later of [second, last]) {
        expect(later.heapBytes, `${path}: heap`).toBeLessThan(first.heapBytes * GROWTH_RATIO_MAX + GROWTH_BYTES_MAX);
        expect(later.nodes, `${path}: nodes`).toBeLessThan(first.nodes * GROWTH_RATIO_MAX + 200);
        expect(later.listeners, `${path}: listeners`).toBeLessThan(first.listeners * GROWTH_RATIO_MAX + 50);
      }
    }
    for (const { page, path, faults } of pages) {
      expect(await page.evaluate("wasNeverReloaded"), path).toBe(true);
      // Chromium reports each broken request; the page itself must report nothing.
      expect(
        faults.filter((fault) => !fault.includes("Failed to load resource")),
        path,
      ).toEqual([]);
    }
  }, 7_200_000);
});

interface MeasuredPage {
  readonly path: string;
  readonly start: Held | undefined;
  readonly middle: Held | undefined;
  readonly end: Held | undefined;
}

function rowText({ path, start, middle, end }: MeasuredPage): string {
  const texts = [start, middle, end].map(
    (held) => held && `${(held.heapBytes / 1e6).toFixed(2)} MB, ${held.nodes} nodes, ${held.listeners} listeners`,
  );
  return `${path}: ${texts.join(" | ")}`;
}
