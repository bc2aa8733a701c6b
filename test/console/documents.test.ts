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
describe.skipIf(noBrowser !== undefined)(
  `the documents${noBrowser === undefined ? "" : `, skipped: ${noBrowser}`}`,
  () => {
    let served: ConsoleStack;
    beforeAll(async () => {
      served = await startConsole({ datasets: ["us-cpi"] });
    }, 120_000);
    afterAll(() => served.close());

    test.each(PAGES)(
      "on a desktop and on a small screen, page %s is accessible, has no faults, and is not wider than the screen",
      async (path) => {
        const { page, faults, close } = await served.open(path, { signedIn: false });
        // Opens the collapsed sections, so that they are checked too.
        await page.evaluate("for (const part of document.querySelectorAll('main details')) part.open = true");
        // Both screens get the whole check, because each shows parts that the other hides. The desktop is checked in
        // the light scheme and the small screen in the dark one, because no scheme depends on the width.
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(await scrollsSideways(page)).toBe(false);
        await page.setViewportSize({ width: 360, height: 740 });
        await page.emulateMedia({ colorScheme: "dark" });
        expect(await accessibilityViolations(page)).toEqual([]);
        expect(await scrollsSideways(page)).toBe(false);
        expect(faults).toEqual([]);
        await close();
      },
    );
  },
);
