import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { keptResult } from "../../src/kit/kept-result.js";

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const axeText = keptResult(() => readFile(axeFile, "utf8"));
const WCAG = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  resultTypes: ["violations"],
};
/** The rules of WCAG 2.2 A and AA whose result depends on the style: on colours, sizes or scrolling. */
const STYLE = {
  runOnly: {
    type: "rule",
    values: ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
  },
  resultTypes: ["violations"],
  // By default, axe loads style sheets and media before it checks a page. These rules do not need that.
  preload: false,
};
/** The rows of a long list after the first twenty. They are not checked, because one component renders all rows. */
const FURTHER_ROWS = ["tbody > tr:nth-child(n + 21)", "ol > li:nth-child(n + 21)"];

/** The violations of WCAG 2.2 A and AA on a page in its current state, each with its element. */
export const accessibilityViolations = (page: Page): Promise<readonly string[]> => violations(page, WCAG, []);

/**
 * The violations of WCAG 2.2 A and AA on a page of the console in its current state, in the light and in the dark
 * scheme. The schemes have the same markup, so the dark scheme is checked only by the rules that depend on the style.
 * Of each long list, the first twenty rows are checked.
 */
export async function violationsInBothSchemes(page: Page): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: "light" });
  const inLight = await violations(page, WCAG, FURTHER_ROWS);
  await page.emulateMedia({ colorScheme: "dark" });
  const inDark = await violations(page, STYLE, FURTHER_ROWS);
  return [...inLight, ...inDark.map((violation) => `in the dark scheme: ${violation}`)];
}

async function violations(page: Page, options: object, exclude: readonly string[]): Promise<readonly string[]> {
  // The content policy of the page refuses third-party scripts; evaluation through the debugger is exempt.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(await axeText());
  const found = await page.evaluate(
    async ([context, chosen]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(context: object, options: object): Promise<{ violations: readonly Violation[] }> };
      };
      return (await axe.run(context, chosen)).violations;
    },
    [{ exclude }, options] as const,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
