import type { Command } from "commander";
import { MCP_PATH } from "../app/mcp.js";
import type { PostedAnswer } from "../mcp/bridge.js";
import { connectionFailure } from "../sdk/connection-failure.js";
import { note } from "./shared/output.js";
import { runningService } from "./shared/running-service.js";
import { type ApiAddress, originOf, unreachable } from "./shared/service-client.js";
import { startUp } from "./shared/start-up.js";
import type { StoreChoice } from "./shared/store-choice.js";
import { untilInterrupted } from "./shared/until-interrupted.js";

/** Adds `vigil mcp`. */
export function addMcp(root: Command, run: typeof mcp = mcp): void {
  root
    .command("mcp")
    .description("the Model Context Protocol over standard input and output, against a running service")
    .option("--demo", "use the key of the demo's store")
    .addHelpText("after", HELP)
    .action((options: StoreChoice) => run(options));
}

const HELP = `
Sends each message to /mcp of the service at VIGIL_URL with the key VIGIL_KEY (default: the service of this machine and
its owner's key). Ends when its input ends.

Example, in the settings of an agent:
  { "command": "npx", "args": ["vigil", "mcp"], "env": { "VIGIL_URL": "https://…", "VIGIL_KEY": "vgl_…" } }

Exit codes: 0 the input ended, or Ctrl-C; 1 a setting cannot be used. If the service does not answer, the agent
receives a protocol error.`;

async function mcp(options: StoreChoice): Promise<void> {
  const { config } = await startUp();
  const { bridge } = await import("../mcp/bridge.js");
  const service = runningService(config, options);
  const target = new URL(MCP_PATH, originOf(service));
  note(`Messages go to ${target.href}`);
  await untilInterrupted((signal) => {
    // Closes the input, because a command that still waits for input would not end.
    signal.addEventListener("abort", () => process.stdin.destroy(), { once: true });
    return bridge({
      input: process.stdin,
      print: (line) => process.stdout.write(`${line}\n`),
      post: (body, headers, aborted) => post(target, service, { body, headers, signal: aborted }),
      signal,
    }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  });
}

interface Posted {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

async function post(target: URL, { key }: ApiAddress, { body, headers, signal }: Posted): Promise<PostedAnswer> {
  const answer = await fetch(target, {
    method: "POST",
    // Sent as a string, because the type of a request body does not accept bytes that might be in shared memory.
    body: Buffer.from(body).toString("utf8"),
    headers: {
      ...headers,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(key !== "" && { "X-Service-Key": key }),
    },
    signal,
  }).catch((error: unknown) => {
    throw unreachable(connectionFailure(target.origin, error));
  });
  return { status: answer.status, text: await answer.text(), retryAfter: answer.headers.get("retry-after") };
}
