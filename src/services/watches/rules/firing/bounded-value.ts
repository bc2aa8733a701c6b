import { VALUE_BYTES_MAX } from "../limits.js";
import type { FiredValues } from "./new-firing.js";

/** The previous and present values, without those that are too large. An undefined value is absent. */
export function boundedValues(before: unknown, after: unknown): FiredValues {
  const [isBeforeKept, isAfterKept] = [fits(before), fits(after)];
  return {
    ...(before !== undefined && isBeforeKept && { before }),
    ...(after !== undefined && isAfterKept && { after }),
    ...(!(isBeforeKept && isAfterKept) && { isTruncated: true }),
  };
}

function fits(value: unknown): boolean {
  // The size of a large value is not computed.
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
    // Array items have no names, only a comma or a bracket after each.
    if (member !== undefined) left = charactersLeft(member, left - (Array.isArray(value) ? 1 : name.length));
  }
  return left;
}
