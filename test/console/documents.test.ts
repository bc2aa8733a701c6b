import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noBrowser } from "../../scripts/browser.mjs";
import { accessibilityViolations } from "../support/accessibility.js";
import { type ConsoleStack, scrollsSideways, startConsole } from "../support/console.js";

/* The documentation pages in a browser. */

const PAGES = [
  "/docs/guide",
  "/docs/quick-start",
  "/docs/formats",
  "/docs/operations/seismology",
  "/docs/search?q=provenance",
];
/**
 * Two screens, which cover both widths and both colour schemes. The other two combinations are not tested, because no
 * scheme depends on the width.
 */
const SCREENS = [
  { name: "on a desktop, light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "on a small screen, dark", colorScheme: "dark", viewport: { width: 360, height: 740 } },
] as const;

describe.skipIf(noBrowser !== undefined)(
  `the documents${noBrowser === undefined ? "" : `, skipped: ${noBrowser}`}`,
  () => {
    let served: ConsoleStack;
    beforeAll(async () => {
      served = await startConsole({ datasets: ["us-cpi"] });
    }, 120_000);
    afterAll(() => served.close());

    test.each(PAGES.flatMap((path) => SCREENS.map((screen) => ({ path, ...screen }))))(
      "$path $name: the page is accessible, has no faults, and is not wider than the screen",
      async ({ path, name: _, ...screen }) => {
        const { page, faults, close } = await served.open(path, { signedIn: false, ...screen });
        try {
          // Opens the collapsed sections, so that they are checked too.
          await page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true");
          expect(await accessibilityViolations(page)).toEqual([]);
          expect(await scrollsSideways(page)).toBe(false);
          expect(faults).toEqual([]);
        } finally {
          await close();
        }
      },
    );
  },
);
