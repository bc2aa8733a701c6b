import { Type } from "typebox";
import { isoInstant } from "../kit/iso-instant.js";
import type { AnyOperation } from "./operation.js";
import { type Decoded, type QueryField, single } from "./query-field.js";

const EPOCH_MS = /^\d{1,15}$/;

/** `as_of`: an additional parameter of every operation that answers from snapshots alone. */
export const asOfField: QueryField<number | undefined> = {
  schema: Type.String({ examples: ["2026-11-01T12:00:00Z"] }),
  description: "The answer as it was served at this instant: ISO 8601 with an offset, or epoch milliseconds",
  required: false,
  decode: (texts, now) => single<number | undefined>(undefined, (text) => pastInstant(text, now))(texts),
  canonical: () => undefined,
};

/** Reads an instant: ISO 8601 with an offset, or epoch milliseconds. */
export function decodedInstant(text: string): Decoded<number> {
  const at = EPOCH_MS.test(text) ? Number(text) : isoInstant(text);
  if (at === undefined || at < 0) {
    return { violation: "must be an instant such as 2026-11-01T12:00:00Z, or epoch milliseconds" };
  }
  return { value: at };
}

function pastInstant(text: string, now: number): Decoded<number> {
  const decoded = decodedInstant(text);
  return "value" in decoded && decoded.value > now ? { violation: "must not be in the future" } : decoded;
}

/** The reason why an operation cannot answer as of a past instant; undefined if it takes `as_of`. */
export function lacksPast({ fetches }: AnyOperation): string | undefined {
  if (!fetches || Object.keys(fetches).length === 0) return undefined;
  return "is not available here: upstreams are read at the time of the request, and their answers are not kept";
}
