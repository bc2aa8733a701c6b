import { BadRow } from "../../../contract/source.js";
import { isoInstant } from "../../../kit/iso-instant.js";

/** Parses an ISO instant with its offset to epoch ms; throws `BadRow` for anything else. */
export function instantOf(text: string): number {
  const at = isoInstant(text);
  if (at === undefined) throw new BadRow(`"${text.slice(0, 40)}" is not an instant with its offset`);
  return at;
}
