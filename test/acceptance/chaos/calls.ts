import { systemClock } from "../../../src/kit/clock.js";
import type { ChaosNode } from "./nodes.js";

export interface Reply {
  readonly node: ChaosNode;
  /** True if the node's process neither ended nor was replaced between the request and the answer. */
  readonly isOfLiving: boolean;
  /** Undefined when there was no answer; `failure` states the reason. */
  readonly status: number | undefined;
  readonly failure: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

const CALL_MS_MAX = 30_000;
const LOG_MS = 200;

/** Sends a call to a node. Never rejects. */
export async function send(
  node: ChaosNode,
  target: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Reply> {
  const life = node.life;
  const isOfLiving = (): boolean => life !== undefined && node.life === life;
  try {
    const answer = await fetch(node.base + target, {
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(CALL_MS_MAX),
    });
    const text = await answer.text();
    return {
      node,
      isOfLiving: isOfLiving(),
      status: answer.status,
      failure: "",
      headers: Object.fromEntries(answer.headers),
      body: answer.status === 500 ? `${text} ${await lastFaultOf(node)}` : text,
    };
  } catch (error) {
    const cause = error instanceof Error ? (error.cause instanceof Error ? error.cause : error) : error;
    const failure = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    return { node, isOfLiving: isOfLiving(), status: undefined, failure, headers: {}, body: "" };
  }
}

/** Returns the newest fault in a node's log. Waits first, because the fault may be logged a moment after the answer. */
async function lastFaultOf(node: ChaosNode): Promise<string> {
  await systemClock.sleep(LOG_MS);
  const lines = node.output().split("\n");
  return lines.findLast((line) => line.includes('"a request failed"'))?.slice(0, 2_000) ?? "without a fault in the log";
}

/** Hands out the living nodes in turn, as a load balancer with health checks does. */
export function roundRobin(nodes: readonly ChaosNode[]): () => ChaosNode | undefined {
  let turn = 0;
  return () => {
    for (let tried = 0; tried < nodes.length; tried += 1) {
      const node = nodes[turn % nodes.length];
      turn += 1;
      if (node?.life !== undefined) return node;
    }
    return undefined;
  };
}
