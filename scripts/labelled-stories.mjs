// The labelled stories and the scoring of a clustering; see test/labelled/README.md.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A group is held out if the first byte of its name's hash is below this number; about 30 % of the groups are. */
const HELD_OUT_BELOW = 77;

/** Returns the headlines of the side `tuning` or `held-out`, as input for the clustering, each with its story. */
export function labelledStories(side) {
  const file = new URL("../test/labelled/stories.json", import.meta.url);
  return JSON.parse(readFileSync(file, "utf8"))
    .filter(({ group }) => isHeldOut(group) === (side === "held-out"))
    .map(({ source, publishedAt, ...row }) => ({ ...row, publisher: source, publishedAt: Date.parse(publishedAt) }));
}

function isHeldOut(group) {
  return createHash("sha256").update(group).digest()[0] < HELD_OUT_BELOW;
}

/**
 * Compares a clustering with the labels over all pairs of headlines. Returns its precision, recall and F1, each NaN if
 * its divisor is zero. Also counts the pairs that share a story: in the clustering and in the labels (`both`), only in
 * the clustering, and only in the labels.
 */
export function pairScores(rows, clusters) {
  const counts = { both: 0, clusteredOnly: 0, labelledOnly: 0 };
  for (const [index, row] of rows.entries()) {
    for (let other = index + 1; other < rows.length; other += 1) {
      const isLabelled = row.story === rows[other].story;
      const isClustered = clusters[index] === clusters[other];
      if (isLabelled && isClustered) counts.both += 1;
      else if (isClustered) counts.clusteredOnly += 1;
      else if (isLabelled) counts.labelledOnly += 1;
    }
  }
  const precision = counts.both / (counts.both + counts.clusteredOnly);
  const recall = counts.both / (counts.both + counts.labelledOnly);
  return { ...counts, precision, recall, f1: (2 * precision * recall) / (precision + recall) };
}
