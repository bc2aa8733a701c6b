// Runs in a separate process. Repeats one request over 16 connections. Each repetition is due at a fixed time, whether
// or not the earlier ones have been answered, and waits for a free connection. Latency is measured from the time at
// which a request was due, so that it includes this wait and the time in the server's queue.
// Each message from the parent process is { port, request, status, perSecond, seconds }. The reply is the result of
// `ask`.
import { once } from "node:events";
import { connect } from "node:net";
import { answerReader } from "./answer-reader.mjs";

const CONNECTIONS = 16;

process.on("message", async (task) => {
  process.send?.(await ask(task));
});
process.send?.("ready");

/** Returns the latencies in ms, in ascending order, and the number of answers with a status other than `status`. */
async function ask({ port, request, status, perSecond, seconds }) {
  const bytes = Buffer.from(request);
  const count = Math.floor(perSecond * seconds);
  const free = await Promise.all(Array.from({ length: CONNECTIONS }, () => opened(port)));
  const sockets = [...free];
  const latencies = [];
  let [sent, wrong] = [0, 0];
  const startedMs = performance.now();
  const dueMs = (index) => startedMs + (index * 1_000) / perSecond;

  function send(socket) {
    const requestDueMs = dueMs(sent);
    sent += 1;
    const read = answerReader(status);
    socket.on("data", function onData(chunk) {
      const isWrong = read(chunk);
      if (isWrong === undefined) return;
      socket.off("data", onData);
      latencies.push(performance.now() - requestDueMs);
      if (isWrong) wrong += 1;
      free.push(socket);
    });
    socket.write(bytes);
  }

  // Checks the time in every turn of the event loop, because a timer would be up to a millisecond late.
  while (latencies.length < count) {
    while (free.length > 0 && sent < count && dueMs(sent) <= performance.now()) send(free.pop());
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const socket of sockets) socket.destroy();
  return { latencies: latencies.sort((a, b) => a - b), wrong };
}

async function opened(port) {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  await once(socket, "connect");
  return socket;
}
