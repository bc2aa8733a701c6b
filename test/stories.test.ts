import { describe, expect, test } from "vitest";
import { labelledStories, pairScores } from "../scripts/labelled-stories.mjs";
import { clusterTitles } from "../src/services/news/rules/stories/story-clusters.js";

/** The minimum F1 score over pairs of headlines, for the tuning rows and for the held-out rows. */
const F1_MIN = 0.85;

describe("clustering", () => {
  test.each(["tuning", "held-out"] as const)("has an F1 score of at least 0.85 on the %s rows", (side) => {
    const rows = labelledStories(side);
    expect(rows.length).toBeGreaterThan(200);
    expect(pairScores(rows, clusterTitles(rows)).f1).toBeGreaterThanOrEqual(F1_MIN);
  });

  test("never puts two languages into one story", () => {
    const rows = [...labelledStories("tuning"), ...labelledStories("held-out")];
    const languages = new Map<number, string>();
    for (const [place, cluster] of clusterTitles(rows).entries()) {
      const language = rows[place]?.language ?? "";
      expect(languages.get(cluster) ?? language).toBe(language);
      languages.set(cluster, language);
    }
  });
});
