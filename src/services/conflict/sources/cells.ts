import { BadRow } from "../../../contract/source.js";

/** `2018-12-30`, alone or followed by the time of midnight: `2018-12-30T00:00:00`, `2018-12-30 00:00:00.000`. */
const DAY = /^(\d{4}-\d{2}-\d{2})(?:[T ]00:00:00(?:\.0+)?Z?)?$/;

/**
 * Returns UTC midnight of a calendar day, epoch ms; throws `BadRow` for a day that does not exist and for any other
 * text.
 */
export function dayOf(text: string): number {
  const day = DAY.exec(text.trim())?.[1] ?? "";
  const at = Date.parse(`${day}T00:00:00Z`);
  // Date.parse rolls 2026-02-31 over into March; the round trip catches it.
  if (Number.isNaN(at) || isoDay(at) !== day) throw new BadRow(`"${text.slice(0, 40)}" is not a day`);
  return at;
}

/** Formats the day of an instant as `YYYY-MM-DD`. */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Parses a count from a number or a string; undefined for null or a blank string. Throws `BadRow` for anything else
 * that is not a whole number from 0 to 2³¹-1.
 */
export function countOf(written: number | string | null): number | undefined {
  if (written === null || String(written).trim() === "") return undefined;
  const count = Number(written);
  if (Number.isSafeInteger(count) && count >= 0 && count <= INT32_MAX) return count;
  throw new BadRow(`"${String(written).slice(0, 20)}" is not a count`);
}

const INT32_MAX = 2_147_483_647;

type Cell = number | string | null | undefined;

/** Returns a position; undefined if a cell has no number or the position is not on the globe. */
export function positionOf(latitude: Cell, longitude: Cell): { latitude: number; longitude: number } | undefined {
  const [north, east] = [degrees(latitude), degrees(longitude)];
  return Math.abs(north) <= 90 && Math.abs(east) <= 180 ? { latitude: north, longitude: east } : undefined;
}

/** Converts a cell to a number; a blank cell becomes NaN, because `Number` would convert it to 0. */
function degrees(cell: Cell): number {
  return typeof cell === "number" || (typeof cell === "string" && cell.trim() !== "") ? Number(cell) : Number.NaN;
}
