import { sortableId, sortablePattern } from "../../../kit/sortable-id.js";

/** Kinds of objects with their own ids. */
export type IdKind = "company" | "claim" | "impact" | "event" | "evidence";

/** Returns the pattern of ids of a kind, in the syntax of JSON Schema. */
export function idPattern(kind: IdKind): string {
  return sortablePattern(`cm_${kind}`);
}

/** Returns a new id of a kind. Ids of the same kind sort by creation time. */
export function newId(kind: IdKind, at: number, randomBytes: (count: number) => Buffer): string {
  return sortableId(`cm_${kind}`, at, randomBytes);
}
