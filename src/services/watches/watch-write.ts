import { type Static, type TSchema, Type } from "typebox";
import { type Immutable, type PathLimit, write } from "../../contract/write.js";
import { exampleWatchId } from "./example-watch.js";
import { type Watches, watchesPort } from "./ports.js";
import { WatchId } from "./records.js";
import { watchNotFound } from "./rules/failures.js";

interface WatchWrite<Res extends TSchema> {
  readonly rpc: string;
  /** Title of the request in the documents. */
  readonly requestTitle: string;
  readonly summary: string;
  readonly description: string;
  /** The rate limit. Default: the allowance of the caller's plan. */
  readonly limit?: PathLimit;
  /** Default: `replayed`. */
  readonly repeats?: "ignored";
  readonly response: Res;
  /** Returns the answer; undefined if the account has no such watch. */
  run(watches: Watches, watchId: string): Promise<Immutable<Static<Res>> | undefined>;
}

/** Declares a write whose request is only the id of a watch. */
export function watchWrite<Res extends TSchema>({ requestTitle, run, ...declaration }: WatchWrite<Res>) {
  return write({
    repeats: "replayed",
    ...declaration,
    access: { scope: "watches:write" },
    isTransaction: true,
    failures: ["itemNotFound"],
    uses: { watches: watchesPort },
    request: Type.Object({ watchId: WatchId }, { title: requestTitle }),
    example: { watchId: exampleWatchId },
    async run({ watchId }, { ports }) {
      const body = await run(ports.watches, watchId);
      if (body === undefined) throw watchNotFound();
      return { body };
    },
  });
}
