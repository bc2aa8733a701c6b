// Latency while requests arrive at half the highest rate that the service can handle.
import { fork } from "node:child_process";
import { once } from "node:events";
import { requestOf } from "./cpu.mjs";
import { pin } from "./load.mjs";

/** Measures one row. `perSecondMax` is the highest measured rate. */
export async function halfLoadRow({ name, port, path, headers, perSecondMax, seconds }) {
  const child = fork(new URL("./ask-at-rate.mjs", import.meta.url));
  try {
    await once(child, "message");
    await pin(1, child);
    const perSecond = Math.round(perSecondMax / 2);
    const task = { port, request: requestOf(path, headers), status: "200", perSecond };
    // Warms up the load generator.
    await ask(child, { ...task, seconds: 1 });
    const { latencies, wrong } = await ask(child, { ...task, seconds });
    const at = (share) => Number(latencies[Math.floor((latencies.length - 1) * share)].toFixed(2));
    return { name, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1), wrong };
  } finally {
    child.kill();
  }
}

async function ask(child, task) {
  child.send(task);
  const [result] = await once(child, "message");
  return result;
}
