// Repeats one request on 16 connections in a separate process. Messages: { port, request, status, seconds }.
import { connect } from "node:net";
import { answerReader } from "./answer-reader.mjs";

const CONNECTIONS = 16;

process.on("message", async (task) => {
  process.send?.(await ask(task));
});
process.send?.("ready");

/** Counts the answers within `seconds`, and how many of them have a status other than `status`. */
async function ask({ port, request, status, seconds }) {
  const total = { answers: 0, wrong: 0 };
  const endMs = performance.now() + seconds * 1_000;
  const bytes = Buffer.from(request);
  const connections = Array.from({ length: CONNECTIONS }, () => connection(port, bytes, status, endMs, total));
  await Promise.all(connections);
  return total;
}

/** Opens a connection that sends the next request when the previous answer is complete. */
function connection(port, request, status, endMs, total) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    const read = answerReader(status);
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("close", resolve);
    socket.on("data", (chunk) => {
      const isWrong = read(chunk);
      if (isWrong === undefined) return;
      total.answers += 1;
      if (isWrong) total.wrong += 1;
      if (performance.now() < endMs) socket.write(request);
      else socket.end();
    });
  });
}
