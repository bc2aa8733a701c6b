import { Type } from "typebox";
import { lacksPast } from "./as-of.js";
import type { AnyOperation } from "./operation.js";
import { type Decoded, type QueryField, quoted, single } from "./query-field.js";

/** The generation of each dataset by name, or the generation of the only dataset. */
export type SinceGenerations = number | ReadonlyMap<string, number>;

const CHARACTERS_MAX = 1_024;
const NUMBER = /^\d{1,15}$/;
const ENTRY = /^([\w-]+)=(\d{1,15})$/;

/** `since_generation`: an additional parameter of every list that is answered only from snapshots. */
export const sinceGenerationField: QueryField<SinceGenerations | undefined> = {
  schema: Type.String({ maxLength: CHARACTERS_MAX, examples: ["earthquakes=5"] }),
  description:
    "The `X-Vigil-Generation` of an earlier answer. If it names only one dataset, the number alone is enough. The answer then has `delta`, and only the rows that have changed since that answer. 410 `SNAPSHOT_REQUIRED`: read the whole list again",
  required: false,
  decode: single<SinceGenerations | undefined>(undefined, generations),
  // The canonical query needs the same form for all spellings of the generations. That form names the datasets, which
  // depend on the other parameters. Therefore `questionOf` (`http/data-answer/question.ts`) adds the generations later.
  canonical: () => undefined,
};

function generations(text: string): Decoded<SinceGenerations> {
  if (NUMBER.test(text)) return { value: Number(text) };
  const violation = `must be the X-Vigil-Generation of an earlier answer, such as earthquakes=5, or a number, got ${quoted(text)}`;
  const named = namedGenerations(text, CHARACTERS_MAX);
  return named === undefined ? { violation } : { value: named };
}

/**
 * Parses generations by dataset, in the form of `X-Vigil-Generation`. Undefined for any other string, and for a string
 * that is too long.
 */
export function namedGenerations(text: string, charactersMax: number): ReadonlyMap<string, number> | undefined {
  if (text.length > charactersMax) return undefined;
  const entries = text.split(",").map((entry) => ENTRY.exec(entry.trim()));
  const named = new Map(entries.flatMap((match) => (match ? [[String(match[1]), Number(match[2])] as const] : [])));
  return named.size === entries.length ? named : undefined;
}

/** The reason why an operation cannot report changed rows; undefined if it takes `since_generation`. */
export function lacksChanges(operation: AnyOperation): string | undefined {
  const hasList = operation.list !== undefined;
  return lacksPast(operation) ?? (hasList ? undefined : "is not available here: the answer is not a list of rows");
}
