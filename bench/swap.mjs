// A new generation of 50,000 rows taken over under load: how long the event loop is held, and whether a request fails.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.mjs";

const ROWS = 50_000;
const PORT = 18_790;
const LIST = "/api/bench/v1/list-rows";

/** `{ rows, swaps, heldMs, quietHeldMs, … }`; every number of ms is the worst of all swaps unless it says p50. */
export async function swapUnderLoad(key, swaps) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-swap-"));
  const upstream = await startUpstream();
  const start = (role) => {
    const address = [role, dataDir, upstream.baseUrl, String(PORT)];
    const child = fork(new URL("./swap-process.mjs", import.meta.url), address, {
      env: { ...process.env, VIGIL_ENTERPRISE_KEYS: key, VIGIL_LIMITS: "enterprise-minute=999999999" },
    });
    const answer = (name) =>
      new Promise((resolve) => {
        const heard = (message) => {
          if (message.name !== name) return;
          child.off("message", heard);
          resolve(message.value);
        };
        child.on("message", heard);
      });
    return {
      ready: answer("ready"),
      ask: (name) => {
        child.send(name);
        return answer(name);
      },
      close: () => child.send("close"),
    };
  };
  const builder = start("build");
  await builder.ready;
  await builder.ask("build");
  const server = start("serve");
  await server.ready;
  const headers = { "X-Service-Key": key };
  const get = async (query) => {
    const startedAt = performance.now();
    const answer = await fetch(`http://127.0.0.1:${PORT}${LIST}${query}`, { headers });
    const body = await answer.text();
    if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${body.slice(0, 200)}`);
    return { body, ms: performance.now() - startedAt };
  };
  const found = { rows: ROWS, swaps, heldMs: 0, swapMs: 0, wholeListMs: 0, filterMs: 0, failed: 0, quietHeldMs: 0 };
  try {
    for (let swap = 0; swap < swaps; swap += 1) {
      const quiet = await server.ask("swap");
      found.quietHeldMs = Math.max(found.quietHeldMs, quiet.heldMs);
      await builder.ask("build");
      const loaded = load(`http://127.0.0.1:${PORT}${LIST}`, headers, 3);
      const [held, whole, filtered] = await Promise.all([server.ask("swap"), get("?all=true"), get(filterOf(swap))]);
      const { wrong } = await loaded;
      if (JSON.parse(whole.body).rows.length !== ROWS) throw new Error("the whole list is not whole");
      if (JSON.parse(filtered.body).length !== 200) throw new Error("the filter does not give its 200 rows");
      found.heldMs = Math.max(found.heldMs, held.heldMs);
      found.swapMs = Math.max(found.swapMs, held.swapMs);
      found.wholeListMs = Math.max(found.wholeListMs, whole.ms);
      found.filterMs = Math.max(found.filterMs, filtered.ms);
      found.failed += wrong;
    }
  } finally {
    builder.close();
    server.close();
    await upstream.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Number(value.toFixed(1))]));
}

const filterOf = (swap) =>
  `?all=true&jmespath=${encodeURIComponent(`rows[?value > \`${swap / 100}\` && lat > \`-80\`] | [-200:].{id: id, value: value}`)}`;

/** Other values at every question, so that every run publishes. */
async function startUpstream() {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      id: `row-${index}`,
      at: 1_700_000_000_000 + index * 60_000,
      value: ((index * 7_919 + asked * 31) % 10_000) / 100,
      lat: ((index * 13) % 1_800) / 10 - 90,
      lng: ((index * 17) % 3_600) / 10 - 180,
      name: `a place with the number ${index}`,
    }));
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(rows));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { baseUrl: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
