import { BadRow } from "../../../contract/source.js";
import { isoInstant } from "../../../kit/iso-instant.js";

/** Parses an ISO 8601 instant that has seconds and a UTC offset into epoch ms; throws `BadRow` for any other text. */
export function instantOf(text: string): number {
  const at = isoInstant(text);
  if (at === undefined)
    throw new BadRow(`"${text.slice(0, 40)}" is not an ISO 8601 instant with seconds and a UTC offset`);
  return at;
}
