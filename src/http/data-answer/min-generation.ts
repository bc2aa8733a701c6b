import { failure } from "../../contract/failures.js";
import type { AnyDataset } from "../../contract/product.js";
import { quoted } from "../../contract/query-field.js";
import { namedGenerations } from "../../contract/since-generation.js";
import { SECOND_MS } from "../../kit/clock.js";
import type { Exchange } from "../exchange.js";
import type { IngredientParts } from "./ingredients.js";
import type { Question } from "./question.js";

/** Maximum time that a call waits for a generation that this node has not loaded. */
export const LOADING_MS_MAX = 2 * SECOND_MS;
/** Maximum length of the header, enough to name a generation of every dataset. */
const CHARACTERS_MAX = 8_192;

interface Behind {
  readonly dataset: AnyDataset;
  readonly generation: number;
}

/**
 * Waits until this node has loaded the generations that the caller has seen, so that the caller never reads older data
 * than before, whichever node answers. Datasets that the question does not read are ignored. Returns undefined if there
 * is nothing to wait for. Throws the 400 for a malformed header, and the 503 if the generations are not loaded in time.
 */
export function untilLoaded(
  parts: Pick<IngredientParts, "registry" | "awaken" | "clock">,
  { call }: Exchange,
  question: Question,
): Promise<void> | undefined {
  const text = call.header("x-vigil-min-generation");
  if (text === undefined) return undefined;
  const seenGenerations = namedGenerations(text, CHARACTERS_MAX);
  if (seenGenerations === undefined) throw malformed(text);
  const behind = (): readonly Behind[] =>
    question.reads.flatMap(([, dataset]) => {
      const generation = seenGenerations.get(dataset.name) ?? 0;
      return generation > newestKnown(parts, dataset) ? [{ dataset, generation }] : [];
    });
  return behind().length === 0 ? undefined : untilNoneBehind(parts, behind, call.signal);
}

async function untilNoneBehind(
  { registry, awaken, clock }: Pick<IngredientParts, "registry" | "awaken" | "clock">,
  behind: () => readonly Behind[],
  signal: AbortSignal | undefined,
): Promise<void> {
  // A dataset that is built only on request is loaded only after a request. `ingredientsOf` later waits for its build.
  for (const { dataset } of behind()) if (dataset.awakeForMs !== undefined) void awaken(dataset);
  const over = new AbortController();
  let isOver = false;
  const late = clock.sleep(LOADING_MS_MAX, signal ? AbortSignal.any([signal, over.signal]) : over.signal).then(
    () => {
      isOver = true;
    },
    () => {
      isOver = true;
    },
  );
  try {
    await Promise.race([registry.refresh(), late]);
    while (!isOver && behind().length > 0) await Promise.race([registry.refreshed(), late]);
  } finally {
    over.abort();
  }
  const [first] = behind();
  if (first) throw failure("generationNotLoaded", { dataset: first.dataset.name, generation: first.generation });
}

/**
 * The newest generation that this node has seen; 0 while it serves none. If an older generation is served because the
 * newest one is unreadable, the unreadable one counts, because waiting would not make it readable.
 */
function newestKnown({ registry }: Pick<IngredientParts, "registry">, dataset: AnyDataset): number {
  const snapshot = registry.get(dataset);
  return snapshot.available ? (snapshot.newerUnreadable?.generation ?? snapshot.generation) : 0;
}

function malformed(text: string): Error {
  const description = `must be generations as in X-Vigil-Generation, such as co2=12, ice=4, got ${quoted(text)}`;
  return failure("validation", { violations: [{ field: "X-Vigil-Min-Generation", description }] });
}
