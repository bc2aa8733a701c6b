// A publishing process and a serving process over one store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProcess } from "./measured-process.mjs";

/** Starts both processes. `what` names a dataset of `generations.mjs`; its first generation is published and served. */
export async function openPair({ key, what, count, port }) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-store-"));
  const env = { VIGIL_ENTERPRISE_KEYS: key, VIGIL_LIMITS: "enterprise-minute=999999999" };
  const file = new URL("./store-process.mjs", import.meta.url);
  const start = (role) => startProcess(file, [role, dataDir, String(port), what], env);
  const builder = start("build");
  await builder.ready;
  let round = 0;
  const build = () => {
    round += 1;
    return builder.ask("build", { count, round });
  };
  const server = start("serve");
  await server.ready;
  const emptyHeapBytes = await server.ask("heapBytes");
  await build();
  await server.ask("swap");
  const headers = { "X-Service-Key": key };
  return {
    base: `http://127.0.0.1:${port}`,
    headers,
    server,
    build,
    emptyHeapBytes,
    /** Returns the answer's body as text, its duration and its generation. Throws unless the status is 200. */
    async get(path) {
      const startedAt = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      const body = await answer.text();
      const ms = performance.now() - startedAt;
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${body.slice(0, 200)}`);
      return { body, ms, generation: answer.headers.get("x-vigil-generation") };
    },
    async close() {
      await Promise.all([builder.close(), server.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
