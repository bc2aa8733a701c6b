import type { Generation } from "./answer.js";

/**
 * For each dataset, the newest generation that a client has seen. Each call sends these generations as minimums, so
 * that no later answer has older data.
 */
export interface SeenGenerations {
  /** Returns the generations in the form of `X-Vigil-Min-Generation`; undefined while there are none. */
  text(): string | undefined;
  add(generation: Generation): void;
}

/** The service refuses a header of more than 8,192 characters. */
const CHARACTERS_MAX = 8_000;

/** Remembers generations. When the header would become too long, drops the datasets that were read longest ago. */
export function seenGenerations(): SeenGenerations {
  const newest = new Map<string, number>();
  let text = "";

  function remember(dataset: string, generation: number): void {
    const last = newest.get(dataset) ?? 0;
    // A map keeps insertion order, so the entry is deleted before it is added again.
    newest.delete(dataset);
    newest.set(dataset, Math.max(last, generation));
  }

  return {
    text: () => text || undefined,
    add(generation) {
      for (const [dataset, number] of Object.entries(generation)) {
        // Generation 0 means that the dataset has no data.
        if (number > 0) remember(dataset, number);
      }
      text = textOf(newest);
      for (const oldest of [...newest.keys()]) {
        if (text.length <= CHARACTERS_MAX) return;
        newest.delete(oldest);
        text = textOf(newest);
      }
    },
  };
}

function textOf(generations: ReadonlyMap<string, number>): string {
  return Array.from(generations, ([dataset, generation]) => `${dataset}=${generation}`).join(", ");
}

/** Remembers nothing. */
export const noGenerations: SeenGenerations = { text: () => undefined, add: () => undefined };
