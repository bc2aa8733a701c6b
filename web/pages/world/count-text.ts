import { numberText } from "../../format.js";

/** States how many things are shown, how many were read and, if known, how many there are in total. */
export function countText(shown: number, read: number, total: number | undefined): string {
  if (total !== undefined)
    return `showing ${numberText(shown)} of ${numberText(total)}, of which ${numberText(read)} were read`;
  return shown === read ? numberText(read) : `${numberText(shown)} of ${numberText(read)}`;
}
