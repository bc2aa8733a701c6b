import { expect, test } from "vitest";
import { mergedMetrics } from "./merge-metrics.js";

test("each sample is labelled with its process, and each metric has a single header", () => {
  const text = (value: number): string =>
    `# HELP up Whether it runs\n# TYPE up gauge\nup ${value}\n\n# HELP calls Calls\n# TYPE calls counter\ncalls{path="/a b"} ${value}\ncalls{path="/c"} 0\n`;
  const merged = mergedMetrics([
    { worker: "1", text: text(1) },
    { worker: "ingest", text: `${text(2)}\n# HELP own Only here\n# TYPE own gauge\nown 3\n` },
  ]);
  expect(merged.split("\n")).toEqual([
    "# HELP up Whether it runs",
    "# TYPE up gauge",
    'up{worker="1"} 1',
    'up{worker="ingest"} 2',
    "",
    "# HELP calls Calls",
    "# TYPE calls counter",
    'calls{worker="1",path="/a b"} 1',
    'calls{worker="1",path="/c"} 0',
    'calls{worker="ingest",path="/a b"} 2',
    'calls{worker="ingest",path="/c"} 0',
    "",
    "# HELP own Only here",
    "# TYPE own gauge",
    'own{worker="ingest"} 3',
    "",
  ]);
});
