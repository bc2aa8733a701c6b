import { LRUCache } from "lru-cache";
import { type AnswerFormat, furtherFormats } from "../contract/answer-format.js";
import { entriesUpTo } from "../kit/entries-up-to.js";
import { weightsOf } from "./weights.js";

/**
 * Cached weights by the value of the `Accept` header. Clients send few different values. A value that is longer than
 * usual is not cached.
 */
const remembered = new LRUCache<string, ReadonlyMap<string, number>>(entriesUpTo(500));
const REMEMBERED_CHARACTERS_MAX = 256;

/**
 * The format among `formats` that an `Accept` header weighs highest. At equal weight, a named format wins over one that
 * a wildcard matches; otherwise the earlier format wins. If the header accepts none of them, returns the first format,
 * so that the caller still gets an answer.
 */
export function acceptedFormat<F extends AnswerFormat>(accept: string | undefined, formats: readonly [F, ...F[]]): F {
  const [first] = formats;
  if (accept === undefined || formats.length === 1 || accept === "*/*") return first;
  const weights = weightsIn(accept);
  let best: Accepted = { weight: 0, precision: 0 };
  let bestFormat = first;
  for (const format of formats) {
    const accepted = acceptedAs(mediaTypeOf(format), weights);
    const isBetter =
      accepted.weight > best.weight || (accepted.weight === best.weight && accepted.precision > best.precision);
    if (!isBetter || accepted.weight === 0) continue;
    best = accepted;
    bestFormat = format;
  }
  return bestFormat;
}

function mediaTypeOf(format: AnswerFormat): string {
  return format === "json" ? "application/json" : furtherFormats[format].mediaType;
}

interface Accepted {
  readonly weight: number;
  /** 2 if the type is named, 1 if a wildcard of its subtypes matches it, 0 if only the wildcard for all types does. */
  readonly precision: number;
}

/** The weight of a type by the most precise range that matches it (RFC 9110, 12.5.1). */
function acceptedAs(mediaType: string, weights: ReadonlyMap<string, number>): Accepted {
  const ranges = ["*/*", mediaType.replace(/\/.*/, "/*"), mediaType];
  for (let precision = ranges.length - 1; precision >= 0; precision -= 1) {
    const weight = weights.get(ranges[precision] as string);
    if (weight !== undefined) return { weight, precision };
  }
  return { weight: 0, precision: 0 };
}

function weightsIn(accept: string): ReadonlyMap<string, number> {
  const parsed = remembered.get(accept);
  if (parsed) return parsed;
  const weights = weightsOf(accept);
  if (accept.length <= REMEMBERED_CHARACTERS_MAX) remembered.set(accept, weights);
  return weights;
}
