// A publishing process and a serving process over one store.
import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** `what` names one of the `generations`. The first one is published and served. */
export async function openPair({ key, what, count, port }) {
  const dataDir = mkdtempSync(join(tmpdir(), "vigil-store-"));
  const start = (role) => startProcess([role, dataDir, String(port), what], key);
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
    /** The answer as text, and its duration. Throws unless it is a 200. */
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

function startProcess(address, key) {
  const child = fork(new URL("./store-process.mjs", import.meta.url), address, {
    env: { ...process.env, VIGIL_ENTERPRISE_KEYS: key, VIGIL_LIMITS: "enterprise-minute=999999999" },
    execArgv: ["--expose-gc"],
  });
  const answer = (name) =>
    new Promise((resolve, reject) => {
      const heard = (message) => {
        if (message.name !== name) return;
        child.off("message", heard);
        child.off("exit", ended);
        resolve(message.value);
      };
      const ended = (code) => reject(new Error(`${address[0]} ended with ${code} before ${name}`));
      child.on("message", heard);
      child.on("exit", ended);
    });
  return {
    ready: answer("ready"),
    ask(name, argument) {
      child.send({ name, argument });
      return answer(name);
    },
    close() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.send({ name: "close" });
      return ended;
    },
  };
}
