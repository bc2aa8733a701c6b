import { isDeepStrictEqual } from "node:util";
import type { Json } from "./json-document.js";

/** The released document and its successor; references are resolved in the document that contains them. */
export interface Documents {
  readonly released: Json;
  readonly current: Json;
}

/**
 * The direction of a schema's values: from callers to the service (`request`), or from the service to callers
 * (`response`).
 */
export type Direction = "request" | "response";

/** A place at which the documents are compared, with its name for messages. */
export interface Place {
  readonly documents: Documents;
  readonly direction: Direction;
  readonly name: string;
  /** Path of the member inside the body or value; empty for the whole. */
  readonly member: string;
  /**
   * The pairs of schemas that enclose this place. A pair that occurs among them is not compared again, so that schemas
   * that contain themselves do not cause endless recursion.
   */
  readonly around: readonly (readonly [released: unknown, current: unknown])[];
}

export function placeOf(documents: Documents, direction: Direction, name: string): Place {
  return { documents, direction, name, member: "", around: [] };
}

export function memberOf(place: Place, name: string): Place {
  return { ...place, member: place.member === "" ? name : `${place.member}.${name}` };
}

export function sentence({ name, member }: Place, what: string): string {
  return member === "" ? `${name}: ${what}` : `${name}: \`${member}\` ${what}`;
}

export function changed(place: Place, keyword: string, before: Json, after: Json): string {
  return sentence(place, `\`${keyword}\` changed from ${asText(before[keyword])} to ${asText(after[keyword])}`);
}

export function asText(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

/** Returns a sentence for each keyword that changed. */
export function sameKeywords(place: Place, keywords: readonly string[], before: Json, after: Json): string[] {
  return keywords
    .filter((keyword) => !isDeepStrictEqual(before[keyword], after[keyword]))
    .map((keyword) => changed(place, keyword, before, after));
}
