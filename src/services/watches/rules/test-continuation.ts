import type { DatasetTimeline } from "../../../contract/dataset-log.js";
import { type Failure, failure } from "../../../contract/failures.js";
import type { StoredQuestion } from "../../../contract/stored-answers.js";
import type { TokenSigner } from "../../../kit/signed-token.js";
import type { WatchDefinition } from "../records.js";
import { evaluationOf } from "./definition.js";
import type { DryPlace } from "./dry-run.js";
import { readsTheSame } from "./watch-step.js";

const PREFIX = "wtc1";

/** Maximum length of a continuation. Even a call that reads every dataset needs far less. */
export const CONTINUATION_CHARACTERS_MAX = 65_536;

/** The continuations of truncated tests. */
export interface TestContinuations {
  sign(definition: WatchDefinition, place: DryPlace): string;
  /** Throws the 400 for a string that was not signed for this definition. */
  open(definition: WatchDefinition, continuation: string): DryPlace;
}

/**
 * A continuation is `wtc1.<place>.<signature>`; `place` is the state of the watch at which the truncated test stopped.
 * The signature covers the account and the definition.
 */
export function testContinuations(signer: TokenSigner, accountId: string): TestContinuations {
  const contextOf = (definition: WatchDefinition): string => `${accountId} ${evaluationOf(definition)}`;
  return {
    sign: (definition, place) => signer.sign(PREFIX, JSON.stringify(place), contextOf(definition)),
    open(definition, continuation) {
      const payload = signer.open(PREFIX, continuation, contextOf(definition));
      if (payload === undefined) throw refused("must be the continuation of a truncated test of the same definition");
      // The cast is safe, because only `sign` above signs payloads with this prefix.
      return JSON.parse(payload) as DryPlace;
    },
  };
}

/** Throws the 400 if a test cannot continue at a position. */
export async function checkPlace(
  { at, memory }: DryPlace,
  { datasets }: Pick<StoredQuestion, "datasets">,
  { timeline, to }: { readonly timeline: Pick<DatasetTimeline, "extent">; readonly to: number },
): Promise<void> {
  if (at > to) throw refused("must not be later than `to`");
  const { oldest } = await timeline.extent();
  const isKept = memory.evaluatedPosition + 1 >= oldest;
  if (!isKept || !readsTheSame(memory, datasets)) throw refused("has expired; test again with `from`");
}

function refused(description: string): Failure {
  return failure("validation", { violations: [{ field: "continuation", description }] });
}
