import { BadRow } from "../../../contract/source.js";

/** The number that a cell of a text file holds; throws `BadRow` for anything else. */
export function numberIn(cell: string | undefined): number {
  const value = Number(cell);
  if (cell === undefined || cell === "" || !Number.isFinite(value)) {
    throw new BadRow(`"${(cell ?? "").slice(0, 20)}" is not a number`);
  }
  return value;
}
