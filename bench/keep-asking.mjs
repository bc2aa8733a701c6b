// Repeats one request on 16 connections in a separate process. It reads only status and length of an answer, so that it
// is faster than any server under test. Messages: { port, request, status, seconds }.
import { connect } from "node:net";

const CONNECTIONS = 16;

process.on("message", async (task) => {
  process.send?.(await ask(task));
});
process.send?.("ready");

/** Counts the answers within `seconds`, and those with another status. */
async function ask({ port, request, status, seconds }) {
  const total = { answers: 0, wrong: 0 };
  const endMs = performance.now() + seconds * 1_000;
  const bytes = Buffer.from(request);
  const connections = Array.from({ length: CONNECTIONS }, () => connection(port, bytes, status, endMs, total));
  await Promise.all(connections);
  return total;
}

/** One connection: sends the next request when the last answer is complete. */
function connection(port, request, status, endMs, total) {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    let left = 0;
    socket.setNoDelay(true);
    socket.on("error", reject);
    socket.on("close", resolve);
    socket.on("data", (chunk) => {
      left = left > 0 ? left - chunk.length : lengthOf(chunk) - chunk.length;
      if (left < 0) reject(new Error("an answer is longer than its Content-Length"));
      if (left > 0) return;
      total.answers += 1;
      if (performance.now() < endMs) socket.write(request);
      else socket.end();
    });

    /** Length of the answer that begins with this chunk; servers write their head in one piece. */
    function lengthOf(chunk) {
      const headEnd = chunk.indexOf("\r\n\r\n");
      if (headEnd < 0) throw new Error("the head of an answer arrived in pieces");
      if (chunk.latin1Slice(9, 12) !== status) total.wrong += 1;
      const at = chunk.indexOf("\r\nContent-Length: ");
      const length = at < 0 || at > headEnd ? 0 : Number.parseInt(chunk.latin1Slice(at + 18, at + 30), 10);
      return headEnd + 4 + length;
    }
  });
}
