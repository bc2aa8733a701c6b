// Opens streams and counts their events. argv: log, port, streams for each key, keys.
import { connect } from "node:net";

const [log, port, streamsEach, ...keys] = process.argv.slice(2);
const paths = {
  company: "/api/company-monitoring/v1/stream-company-event-changes",
  dataset: "/api/datasets/v1/stream-dataset-changes",
};
const EVENT = log === "company" ? "event: company_event.changed" : "event: dataset.changed";
const CHANGED_AT = /"changedAt":"([^"]+)"/;
/** The latency is measured for one event in this many. */
const SAMPLED = 97;

let [events, begun] = [0, 0];
const delays = [];

function open(key) {
  const socket = connect(Number(port), "127.0.0.1", () => {
    socket.write(`GET ${paths[log]} HTTP/1.1\r\nHost: bench\r\nX-Service-Key: ${key}\r\n\r\n`);
  });
  socket.setEncoding("latin1");
  socket.on("data", (text) => {
    if (text.includes("event: ready")) begun += 1;
    for (let at = text.indexOf(EVENT); at >= 0; at = text.indexOf(EVENT, at + 1)) {
      events += 1;
      if (events % SAMPLED !== 0) continue;
      const changedAt = CHANGED_AT.exec(text.slice(at, at + 4_000))?.[1];
      if (changedAt !== undefined) delays.push(Date.now() - Date.parse(changedAt));
    }
  });
  return socket;
}

const sockets = [];
for (const key of keys) for (let stream = 0; stream < Number(streamsEach); stream += 1) sockets.push(open(key));
while (begun < sockets.length) await new Promise((resolve) => setTimeout(resolve, 20));
process.on("message", (message) => {
  if (message === "close") process.exit();
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  process.send({ events, delayMs: { p50: at(0.5), p99: at(0.99) } });
});
process.send("ready");
