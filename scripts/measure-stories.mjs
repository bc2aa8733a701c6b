// The labelled stories are split into a tuning side and a held-out side. Prints the scores of the clustering on the
// tuning side. With --held-out, prints the scores on the held-out side instead. Needs a build.
import { clusterTitles } from "../dist/services/news/rules/stories/story-clusters.js";
import { labelledStories, pairScores } from "./labelled-stories.mjs";

const side = process.argv.includes("--held-out") ? "held-out" : "tuning";
const rows = labelledStories(side);
const clusters = clusterTitles(rows);
print(side, rows, clusters);
for (const language of [...new Set(rows.map((row) => row.language))]) {
  const places = [...rows.keys()].filter((index) => rows[index].language === language);
  print(
    `  ${language}`,
    places.map((index) => rows[index]),
    places.map((index) => clusters[index]),
  );
}

function print(name, some, numbers) {
  const { precision, recall, f1 } = pairScores(some, numbers);
  const stories = new Set(some.map(({ story }) => story)).size;
  const figures = [precision, recall, f1].map((figure) => (Number.isNaN(figure) ? "-" : figure.toFixed(3)));
  console.log(`${name}: ${some.length} headlines, ${stories} stories: precision, recall, F1 ${figures.join(", ")}`);
}
