// Puts load on one address and measures requests per second and latency. Uses wrk, or autocannon if wrk is missing.
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const has = async (command) =>
  run("sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  );

export const tool = (await has("wrk")) ? "wrk" : "autocannon";
const pins = await has("taskset");

/** Pins `[command, …]` to one processor if possible. */
export const pinned = (cpu, command) => (pins ? ["taskset", "-c", String(cpu), ...command] : command);

/** Pins a running process with all its threads to one processor, if possible. */
export async function pin(cpu, { pid }) {
  if (pins) await run("taskset", ["-acp", String(cpu), String(pid)]);
}

/** Measures the requests per second, their latency, and the number of errors. */
export async function load(url, headers, seconds, { method = "GET", body, connections = 16 } = {}) {
  const request = { method, body, connections };
  return tool === "wrk" ? wrk(url, headers, seconds, request) : autocannon(url, headers, seconds, request);
}

async function wrk(url, headers, seconds, { method, body, connections }) {
  const flags = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  if (body !== undefined) flags.push("-s", scriptFor(method, body));
  const [command, ...rest] = pinned(1, ["wrk", "-t1", `-c${connections}`, `-d${seconds}s`, "--latency", ...flags, url]);
  const { stdout } = await run(command, rest);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
    p50: /50%\s+(\S+)/.exec(stdout)?.[1],
    p99: /99%\s+(\S+)/.exec(stdout)?.[1],
    wrong: Number(/Non-2xx or 3xx responses: (\d+)/.exec(stdout)?.[1] ?? 0) + socketErrors(stdout),
  };
}

/** Writes a wrk script that sends a body, and returns its path. */
function scriptFor(method, body) {
  const file = join(mkdtempSync(join(tmpdir(), "vigil-wrk-")), "post.lua");
  writeFileSync(file, `wrk.method = ${JSON.stringify(method)}\nwrk.body = [[${body}]]\n`);
  return file;
}

function socketErrors(stdout) {
  const [, ...counts] = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(stdout) ?? [];
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

async function autocannon(url, headers, seconds, { method, body, connections }) {
  const { default: cannon } = await import("autocannon");
  const result = await cannon({ url, headers, method, body, duration: seconds, connections });
  const { p50, p99 } = result.latency;
  return {
    perSecond: result.requests.average,
    p50: `${p50}ms`,
    p99: `${p99}ms`,
    wrong: result["4xx"] + result["5xx"] + result.errors,
  };
}
