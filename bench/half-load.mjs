// Measures the latency while requests arrive at half the highest rate that the service can handle. A bare server on the
// same processor gets the same requests in alternate rounds: its latency shows how often the machine itself stalls.
import { fork } from "node:child_process";
import { once } from "node:events";
import { requestOf } from "./cpu.mjs";
import { pin } from "./load.mjs";

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Measures one row. `perSecondMax` is the highest measured rate. Figures are medians of the rounds. */
export async function halfLoadRow({ name, ports, path, headers, perSecondMax, seconds, rounds }) {
  const child = fork(new URL("./ask-at-rate.mjs", import.meta.url));
  try {
    await once(child, "message");
    await pin(1, child);
    const perSecond = Math.round(perSecondMax / 2);
    const task = (port) => ({ port, request: requestOf(path, headers), status: "200", perSecond });
    // Warms up the load generator and both servers.
    for (const port of [ports.service, ports.bare]) await ask(child, { ...task(port), seconds: 1 });
    const runs = { service: [], bare: [] };
    for (let round = 0; round < rounds; round += 1) {
      for (const server of ["bare", "service"])
        runs[server].push(await ask(child, { ...task(ports[server]), seconds }));
    }
    const wrong = runs.service.reduce((sum, run) => sum + run.wrong, 0);
    return { name, perSecond, ...figuresOf(runs.service), bare: figuresOf(runs.bare), wrong };
  } finally {
    child.kill();
  }
}

function figuresOf(runs) {
  const at = (share) => {
    const values = runs.map(({ latencies }) => latencies[Math.floor((latencies.length - 1) * share)]);
    return Number(median(values).toFixed(2));
  };
  return { p50Ms: at(0.5), p99Ms: at(0.99), worstMs: at(1) };
}

async function ask(child, task) {
  child.send(task);
  const [result] = await once(child, "message");
  return result;
}
