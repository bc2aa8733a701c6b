import { BadRow } from "../../../contract/source.js";

/** Parses a number in a cell of a text file; throws `BadRow` for any other text. */
export function numberIn(cell: string | undefined): number {
  const value = Number(cell);
  if (cell === undefined || cell === "" || !Number.isFinite(value)) {
    throw new BadRow(`"${(cell ?? "").slice(0, 20)}" is not a number`);
  }
  return value;
}
