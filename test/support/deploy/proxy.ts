import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { vi } from "vitest";
import { freePort } from "../process.js";
import { deployed } from "./files.js";

/** A proxy for which deploy/ has a configuration. */
export interface Proxy {
  readonly name: string;
  /** Path of the proxy's program; undefined if it is not installed. */
  readonly binary: string | undefined;
  /** Writes the configuration for these nodes to the folder, and returns the arguments of the program. */
  configure(folder: string, port: number, nodes: readonly [string, string]): readonly string[];
}

const installed = (name: string): string | undefined =>
  ["/usr/sbin/", "/usr/bin/", "/usr/local/bin/"].map((folder) => folder + name).find(existsSync);

export const proxies: readonly Proxy[] = [
  {
    name: "nginx",
    binary: installed("nginx"),
    configure(folder, port, nodes) {
      const file = join(folder, "nginx.conf");
      const text = withNodes(deployed("nginx/nginx.conf"), nodes)
        .replace("listen 8080", `listen 127.0.0.1:${port}`)
        .replaceAll("/tmp/nginx", `${folder}/nginx`);
      // As root, nginx would switch to a user who cannot read the folder.
      const user = process.getuid?.() === 0 ? "user root;\n" : "";
      writeFileSync(file, `daemon off;\n${user}${text}`);
      return ["-e", join(folder, "error.log"), "-p", folder, "-c", file];
    },
  },
  {
    name: "Caddy",
    binary: installed("caddy"),
    configure(folder, port, nodes) {
      const file = join(folder, "Caddyfile");
      const text = withNodes(deployed("caddy/Caddyfile"), nodes)
        .replace(":8080 {", `http://127.0.0.1:${port} {`)
        .replace("admin off", `admin off\n\tstorage file_system ${folder}/caddy`);
      writeFileSync(file, text);
      return ["run", "--config", file, "--adapter", "caddyfile"];
    },
  },
];

function withNodes(text: string, [first, second]: readonly [string, string]): string {
  return text.replace("api-1:8787", first).replace("api-2:8787", second);
}

/** Maximum time from the start of a proxy to its first answer. */
const START_MS_MAX = 30_000;

/** A running proxy. */
export interface RunningProxy {
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startProxy(
  { name, binary = "", configure }: Proxy,
  folder: string,
  nodes: readonly [string, string],
): Promise<RunningProxy> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const child = spawn(binary, configure(folder, port, nodes), {
    env: { HOME: folder },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors: string[] = [];
  child.stderr.on("data", (chunk: Buffer) => errors.push(String(chunk)));
  const ended = once(child, "exit");
  const origin = `http://127.0.0.1:${port}`;
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isOver = async (): Promise<boolean> => hasEnded() || (await answers(`${origin}/livez`));
  await vi.waitUntil(isOver, { timeout: START_MS_MAX, interval: 20 });
  if (hasEnded()) throw new Error(`${name} did not start: ${errors.join("")}`);
  return {
    origin,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function answers(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}
