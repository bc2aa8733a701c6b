import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import { freePort } from "../support/process.js";
import { type Stack, startStack } from "../support/stack.js";

/* Runs the conformance suite of the MCP project against /mcp. */

const run = promisify(execFile);
const suite = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);
const globs = join(import.meta.dirname, "../support/node-20-globs.mjs");

/** Scenarios of features that Vigil offers. */
const scenarios = ["server-initialize", "ping", "tools-list", "resources-list", "dns-rebinding-protection"];

/** The other scenarios, with the reason why they cannot pass. */
const left: readonly (readonly [scenarios: RegExp, reason: string])[] = [
  [/^(?:tools-call|elicitation|json-schema)-/, "call tools of an example server by name"],
  [
    /^resources-(?:read|templates|subscribe|unsubscribe)/,
    "read resources of an example server or subscribe to them; the resources of Vigil do not change",
  ],
  [/^prompts-/, "Vigil has no prompts"],
  [/^completion-/, "Vigil completes no arguments"],
  [/^logging-/, "Vigil sends no log messages"],
  [/^server-sse-/, "Vigil answers with JSON and opens no streams"],
];

let stack: Stack;
let server: HttpServer;
let url: string;
beforeAll(async () => {
  // The service accepts browser requests only from its own origin. The origin includes the port, so the port must be
  // known before the service starts.
  const port = await freePort();
  stack = await startStack({ datasets: ["us-cpi"], filled: ["us-cpi"], env: { VIGIL_PORT: String(port) } });
  const key = stack.service.access.ownerKey.key ?? "";
  // The suite sends no credentials, so the test adds a key to each call.
  server = httpServer((call) =>
    stack.answer({
      method: call.method,
      target: call.target,
      remoteAddress: call.remoteAddress,
      signal: call.signal,
      header: (name) => (name === "x-service-key" ? key : call.header(name)),
      hasHeader: (name) => name === "x-service-key" || call.hasHeader(name),
      body: (bytesMax) => call.body(bytesMax),
    }),
  );
  url = `${await server.listen("127.0.0.1", port)}/mcp`;
}, 60_000);
afterAll(async () => {
  await server.close();
  await stack.close();
});

/** Runs the suite and returns its output, and whether it found no failure. */
async function conformance(
  ...args: readonly string[]
): Promise<{ readonly passed: boolean; readonly printed: string }> {
  return run(process.execPath, ["--import", globs, suite, ...args]).then(
    ({ stdout }) => ({ passed: true, printed: stdout }),
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => ({
      passed: false,
      printed: stdout + stderr,
    }),
  );
}

test("every server scenario of the suite is either run or listed with the reason why it is not", async () => {
  const { printed } = await conformance("list", "--server");
  const names = [...printed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => String(name));
  expect(names).toEqual(expect.arrayContaining(scenarios));
  const unknown = names.filter((name) => !scenarios.includes(name) && !left.some(([others]) => others.test(name)));
  expect(unknown).toEqual([]);
});

describe("the conformance suite of MCP", () => {
  test.each(scenarios)("finds no failure in the scenario %s", async (scenario) => {
    const { passed, printed } = await conformance("server", "--url", url, "--scenario", scenario);
    expect(passed, printed).toBe(true);
    expect(printed).toMatch(/[1-9]\d* passed|Passed: [1-9]/i);
  });

  test("reports a failure in a scenario whose feature Vigil lacks", async () => {
    const { passed } = await conformance("server", "--url", url, "--scenario", "prompts-list");
    expect(passed).toBe(false);
  });
});
