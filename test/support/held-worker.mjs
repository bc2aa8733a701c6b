// A stand-in for the builder thread. The first thread hangs or fails at a hostile page. Each thread that replaces it
// builds a dataset.
import { parentPort, workerData } from "node:worker_threads";

const send = (message) => parentPort.postMessage(message);
const work = { dataset: "hostile", source: "hostile-page", request: "page" };
const { mode } = workerData.config;

send({ kind: "beat" });
if (!workerData.isReplacement) {
  send({ kind: "reading", work });
  if (mode === "memory") fill();
  if (mode === "throws") throw new TypeError("no such thing");
  if (mode === "after") send({ kind: "reading", work: undefined });
  for (;;);
}
setInterval(() => send({ kind: "beat" }), workerData.beatMs).unref();
send({ kind: "run", dataset: "harmless", result: { outcome: "published", holder: workerData.holder } });
parentPort.on("message", ({ kind }) => {
  if (kind === "stop") parentPort.close();
});

function fill() {
  const kept = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
}
