import type { StoredQuestion } from "../../../../contract/stored-answers.js";
import type { FiredRow, WatchDefinition, WatchFiring } from "../../records.js";
import { FIRING_BYTES_MAX, SOURCES_MAX } from "../limits.js";
import type { NewFiring } from "./new-firing.js";

/** A served firing before it is assigned an id and a position. */
export type FiringMembers = Omit<WatchFiring, "position" | "firingId">;

interface FiringWatch {
  readonly watchId: string;
  readonly definition: Pick<WatchDefinition, "name" | "call" | "on">;
  readonly question: Pick<StoredQuestion, "datasets" | "isList" | "sources">;
}

/** Bytes reserved for the id and the position. */
const ID_BYTES = 256;

/** Makes the served members of a firing, at most 64 KB of JSON together with its id and position. */
export function firingMembers({ watchId, definition, question }: FiringWatch, firing: NewFiring): FiringMembers {
  const { firedAt, rows, ...members } = firing;
  const { name, call, on } = definition;
  return bounded({
    watchId,
    watchName: name,
    ...members,
    on,
    firedAt: new Date(firedAt).toISOString(),
    call,
    generations: { ...firing.generations },
    ...(firing.previousGenerations && { previousGenerations: { ...firing.previousGenerations } }),
    ...(rows && { rows: [...rows] }),
    links: linksOf(call, question, firing),
    sources: question.sources.slice(0, SOURCES_MAX).map((source) => ({ ...source })),
  });
}

function linksOf(
  call: string,
  { datasets, isList }: FiringWatch["question"],
  { firedAt, previousGenerations }: NewFiring,
): WatchFiring["links"] {
  const withParameter = (name: string, value: string): string =>
    `${call}${call.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;
  // An absent dataset has generation 0, as in `X-Vigil-Generation`.
  const since = datasets.map((dataset) => `${dataset}=${previousGenerations?.[dataset] ?? 0}`).join(",");
  return {
    answer: withParameter("as_of", new Date(firedAt).toISOString()),
    ...(isList && previousGenerations && { changes: withParameter("since_generation", since) }),
    history: datasets.map((dataset) => `/api/datasets/history?name=${encodeURIComponent(dataset)}`),
  };
}

/**
 * If the firing is too large, keeps `before` and `after` if they fit, and then the content of each row that still fits,
 * in order.
 */
function bounded(members: FiringMembers): FiringMembers {
  const { rows, before, after, ...others } = members;
  if (bytesOf(members) <= FIRING_BYTES_MAX - ID_BYTES) return members;
  const bare: FiringMembers = { ...others, ...(rows && { rows: rows.map(withoutValues) }) };
  let left = FIRING_BYTES_MAX - ID_BYTES - bytesOf(bare);
  const takes = (bytes: number): boolean => {
    if (bytes > left) return false;
    left -= bytes;
    return true;
  };
  const isValueKept = takes(bytesOf({ before, after }));
  return {
    ...bare,
    ...(isValueKept ? valuesOf(before, after) : { isTruncated: true }),
    // The `change` and `id` of each row are subtracted twice, in `bare` and here, so the firing stays somewhat below
    // the limit.
    ...(rows && { rows: rows.map((row) => (takes(bytesOf(row)) ? row : withoutValues(row))) }),
  };
}

function valuesOf(before: unknown, after: unknown): Pick<WatchFiring, "before" | "after"> {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

function withoutValues({ change, id }: FiredRow): FiredRow {
  return { change, id, isTruncated: true };
}

function bytesOf(value: object): number {
  return Buffer.byteLength(JSON.stringify(value));
}
