import type { Generation } from "./answer.js";

/** An instant: a date, epoch milliseconds or, where the service accepts it, ISO 8601 with an offset. */
export type Instant = Date | number | string;

/**
 * Generations to compare with: the `generation` of an earlier answer, the text of that answer's `X-Vigil-Generation`
 * header or, for a single dataset, the number alone.
 */
export type SinceGeneration = Generation | string | number;

/** The parameters of a call that takes none. */
export type NoParams = Readonly<Record<never, never>>;

/** A projection. With it, the answer may be any JSON value. */
export interface Projection {
  /** JMESPath expression (https://jmespath.org) applied to the answer; at most 1,024 bytes, result at most 256 KB. */
  readonly jmespath: string;
}

/** Parameters of a call whose types are not known. */
export type AnyParams = Readonly<Record<string, unknown>>;

/**
 * Returns the query string of parameters. `pageSize` becomes `page_size`, a list becomes one parameter for each
 * element, a date becomes epoch ms, and undefined and null values are left out.
 */
export function queryOf(params: AnyParams): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const text of textsOf(name, value)) query.append(wireName(name), text);
  }
  return query;
}

function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function textsOf(name: string, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((element) => textsOf(name, element));
  if (value instanceof Date) return [String(value.getTime())];
  if (name === "sinceGeneration" && typeof value === "object") return [generationText(value)];
  if (typeof value === "object") throw new TypeError(`${name} must be a string, a number, a boolean or a list`);
  return [String(value)];
}

function generationText(generation: object): string {
  return Object.entries(generation)
    .map(([dataset, number]) => `${dataset}=${number}`)
    .join(",");
}
