import { createRequire } from "node:module";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** The violations of WCAG 2.2 A and AA on a page in its current state, each with its element. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  // The content policy of the page refuses third-party scripts; evaluation through the debugger is exempt.
  const { readFile } = await import("node:fs/promises");
  await page.evaluate(await readFile(axeFile, "utf8"));
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> };
    };
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
    return (await axe.run({ runOnly: { type: "tag", values: tags } })).violations;
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = "" }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}
