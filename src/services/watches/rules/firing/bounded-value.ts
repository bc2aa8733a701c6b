import { VALUE_BYTES_MAX } from "../limits.js";
import type { FiredValues } from "./new-firing.js";

/**
 * Returns the previous and present values. A value that is too large is omitted, and `isTruncated` is then true. An
 * undefined value is absent.
 */
export function boundedValues(before: unknown, after: unknown): FiredValues {
  const [isBeforeKept, isAfterKept] = [fits(before), fits(after)];
  return {
    ...(before !== undefined && isBeforeKept && { before }),
    ...(after !== undefined && isAfterKept && { after }),
    ...(!(isBeforeKept && isAfterKept) && { isTruncated: true }),
  };
}

function fits(value: unknown): boolean {
  // This cheap lower bound avoids the conversion of a very large value to JSON.
  if (charactersLeft(value, VALUE_BYTES_MAX) < 0) return false;
  return value === undefined || Buffer.byteLength(JSON.stringify(value)) <= VALUE_BYTES_MAX;
}

/**
 * Subtracts the minimum JSON length of a value from a limit in characters. A negative result means that the value is
 * too large; counting stops there.
 */
function charactersLeft(value: unknown, charactersMax: number): number {
  if (typeof value === "string") return charactersMax - value.length;
  if (typeof value !== "object" || value === null) return charactersMax - 1;
  let left = charactersMax - 1;
  for (const name in value) {
    if (left < 0) return left;
    const member = (value as Readonly<Record<string, unknown>>)[name];
    // An array item has no name; 1 is the length of the comma or bracket after it.
    if (member !== undefined) left = charactersLeft(member, left - (Array.isArray(value) ? 1 : name.length));
  }
  return left;
}
