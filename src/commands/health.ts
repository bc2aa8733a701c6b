import type { Command } from "commander";
import { type Config, loadListening } from "../app/config.js";
import { SECOND_MS } from "../kit/clock.js";
import { oneLine } from "../kit/one-line.js";
import { OperatorError } from "../kit/operator-error.js";
import { say } from "./shared/output.js";

const EXAMPLES = `
Examples:
  vigil health             health check of a container: does the service accept calls?
  vigil health --live      does its process answer at all?

Exit codes: 0 ready (or alive, with --live); 1 not ready, no answer in time, or no service.`;

/** Adds `vigil health`. */
export function addHealth(root: Command, run: typeof health = health): void {
  root
    .command("health")
    .description("check that the service on this machine is ready; needs no key")
    .option("--live", "only check that the process answers")
    .option("--timeout <seconds>", "longest wait for the answer", seconds, 3)
    .addHelpText("after", EXAMPLES)
    .action((options: HealthOptions) => run(options));
}

export interface HealthOptions {
  readonly live?: boolean;
  /** In seconds. */
  readonly timeout: number;
}

async function health({ live = false, timeout }: HealthOptions): Promise<void> {
  const origin = localOrigin(loadListening(process.env));
  say(await checkedHealth(`${origin}${live ? "/livez" : "/readyz"}`, timeout * SECOND_MS));
}

/** The address at which a process on the same machine reaches the service. */
export function localOrigin({ host, port }: Pick<Config, "host" | "port">): string {
  const loopback = new Map([
    ["0.0.0.0", "127.0.0.1"],
    ["::", "::1"],
  ]);
  const name = loopback.get(host) ?? host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/**
 * Returns the `status` of a healthy service. Throws an `OperatorError` for any other answer, or if there is no answer.
 */
export async function checkedHealth(url: string, timeoutMs: number): Promise<string> {
  const { ok, body } = await answerOf(url, timeoutMs);
  if (ok) return textIn(body, "status") ?? "ready";
  throw new OperatorError(oneLine(`not ready: ${textIn(body, "reason") ?? `${url} refused the check`}`));
}

async function answerOf(url: string, timeoutMs: number): Promise<{ readonly ok: boolean; readonly body: unknown }> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(timeoutMs), redirect: "error" });
    return { ok: answer.ok, body: await answer.json() };
  } catch (error) {
    throw new OperatorError(`no healthy answer from ${url} within ${timeoutMs / SECOND_MS} s`, { cause: error });
  }
}

function textIn(body: unknown, member: string): string | undefined {
  const value = typeof body === "object" && body !== null ? Reflect.get(body, member) : undefined;
  return typeof value === "string" ? value : undefined;
}

const SECONDS_MAX = 600;

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= SECONDS_MAX) return value;
  throw new OperatorError(`--timeout must be more than 0 and at most ${SECONDS_MAX} seconds, got "${text}"`);
}
