import { BadRow } from "../../../contract/source.js";
import { isoInstant } from "../../../kit/iso-instant.js";

/** Converts an ISO instant to epoch ms. Instants without a zone, such as those of GDACS, are in UTC. */
export function instantOf(text: string): number {
  const at = isoInstant(/(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  if (at === undefined) throw new BadRow(`"${text.slice(0, 40)}" is not an instant`);
  return at;
}

/** Returns the text if it is a web address, else an empty string. */
export function webAddress(text: string | null | undefined): string {
  return text && /^https?:\/\//.test(text) ? text : "";
}
