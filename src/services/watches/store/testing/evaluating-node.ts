import type { OpenDatabase } from "../../../../database/open-database.js";
import { LoopTurns } from "../../../../kit/loop-turns.js";
import type { WatchFiring } from "../../records.js";
import { type Evaluator, watchEvaluator } from "../evaluator/evaluator.js";
import type { ScriptedWorld } from "./scripted-world.js";
import { ACCOUNT, type WatchNode, watchNode } from "./watch-node.js";

export interface EvaluatingNode extends WatchNode {
  /** Runs one round of evaluation. */
  evaluate(signal?: AbortSignal): Promise<void>;
  /** All firings of an account. */
  fired(accountId?: string): Promise<readonly WatchFiring[]>;
}

const FIRINGS_MAX = 10_000;
const never = new AbortController().signal;

/** Creates a node that evaluates the watches of a store in a scripted world. */
export async function evaluatingNode(
  database: OpenDatabase,
  world: ScriptedWorld,
  options: Parameters<typeof watchNode>[1] & { readonly monotonic?: () => number } = {},
): Promise<EvaluatingNode> {
  const node = await watchNode(database, options);
  const evaluate: Evaluator = watchEvaluator(node.parts, options.monotonic);
  const { answers, timeline } = world;
  const turns = new LoopTurns();
  return {
    ...node,
    evaluate: (signal = never) => evaluate({ answers, timeline, turns, signal }),
    fired: (accountId = ACCOUNT) =>
      node.inCall(async ({ firings }) => {
        const read = await firings.after("oldest", { watchId: [], kind: [] }, FIRINGS_MAX);
        return read.firings;
      }, accountId),
  };
}

/** Returns a firing as one string: its kind, its watch, the ids of its rows (`-` for a removed one) and its message. */
export function lineOf({ kind, watchName, rows = [], message }: WatchFiring): string {
  const ids = rows.map(({ id, change }) => `${change === "removed" ? "-" : ""}${id}`);
  const parts = [
    kind.slice("WATCH_FIRING_KIND_".length),
    watchName,
    ...ids,
    ...(message === undefined ? [] : [message]),
  ];
  return parts.join(" ");
}
