// Stands in for the thread that builds datasets: the first one reads a hostile page, each later one builds as it should.
import { parentPort, workerData } from "node:worker_threads";

const tell = (message) => parentPort.postMessage(message);
const work = { dataset: "hostile", source: "hostile-page", request: "page" };
const { mode } = workerData.config;

tell({ kind: "beat" });
if (!workerData.isReplacement) {
  tell({ kind: "reading", work });
  if (mode === "memory") fill();
  if (mode === "throws") throw new TypeError("no such thing");
  if (mode === "after") tell({ kind: "reading", work: undefined });
  for (;;);
}
setInterval(() => tell({ kind: "beat" }), workerData.beatMs).unref();
tell({ kind: "run", dataset: "harmless", result: { outcome: "published", holder: workerData.holder } });
parentPort.on("message", ({ kind }) => {
  if (kind === "stop") parentPort.close();
});

function fill() {
  const kept = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
}
