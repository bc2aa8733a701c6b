import { numberText } from "../../format.js";

/** How many things are shown, of how many that were read, of how many that there are. */
export function countText(shown: number, read: number, total: number | undefined): string {
  if (total !== undefined)
    return `showing ${numberText(shown)} of ${numberText(total)}, of which ${numberText(read)} were read`;
  return shown === read ? numberText(read) : `${numberText(shown)} of ${numberText(read)}`;
}
