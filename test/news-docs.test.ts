import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { credibilityWeights, riskPoints } from "../src/services/news/rules/scoring/credibility.js";
import { importanceWeights, severityPoints } from "../src/services/news/rules/scoring/importance.js";
import { tierPoints } from "../src/services/news/rules/scoring/tier-points.js";
import { pairWeights } from "../src/services/news/rules/stories/story-similarity.js";

const page = readFileSync(new URL("../docs/news.md", import.meta.url), "utf8");
const points = (table: Readonly<Record<string, number>>): string =>
  Object.entries(table)
    .map((pair) => pair.join(" "))
    .join(", ");

test("docs/news.md has the same weights as the code", () => {
  for (const [name, percent] of [...Object.entries(importanceWeights), ...Object.entries(credibilityWeights)]) {
    expect(page).toContain(`| ${name} | ${(percent / 100).toFixed(2)} |`);
  }
  for (const table of [severityPoints, riskPoints]) expect(page).toContain(points(table));
  const tiers = Object.entries(tierPoints).map(([tier, value]) => `${value} for tier ${tier}`);
  expect(page).toContain(tiers.join(", "));
  for (const [name, weight] of Object.entries(pairWeights)) {
    expect(page).toMatch(new RegExp(`\\| ${name}(:[^|]*)? \\| ${weight} \\|`));
  }
});
