import { Type } from "typebox";
import { type QueryField, quoted } from "../../../contract/query-field.js";

/**
 * Declares a string parameter. If the parameter is repeated, its first value is used. If it is absent, its value is
 * undefined.
 */
export function firstText(description: string): QueryField<string | undefined> {
  return {
    schema: Type.String(),
    description,
    required: false,
    decode: ([value]) => ({ value }),
    canonical: (value) => value,
  };
}

/**
 * Declares a whole-number parameter. If the parameter is repeated, its first value is used. If it is 0 or absent, its
 * value is undefined.
 */
export function firstWhole(description: string): QueryField<number | undefined> {
  return {
    schema: Type.Integer({ minimum: 0 }),
    description,
    required: false,
    decode([value]) {
      if (value === undefined) return { value };
      if (/^\d{1,15}$/.test(value)) return { value: Number(value) || undefined };
      return { violation: `must be a whole number of at most 15 digits, got ${quoted(value)}` };
    },
    canonical: (value) => (value === undefined ? undefined : String(value)),
  };
}

/** Maximum number of items in a list. */
const ITEMS_MAX = 200;

/** Declares the parameter for the size of a list. Larger numbers are reduced to the maximum. */
export function listLimit(): QueryField<number> {
  const { decode, canonical, ...field } = firstWhole(`Maximum number of items; default and upper limit ${ITEMS_MAX}`);
  return {
    ...field,
    decode(values, now) {
      const decoded = decode(values, now);
      return "value" in decoded ? { value: Math.min(decoded.value ?? ITEMS_MAX, ITEMS_MAX) } : decoded;
    },
    canonical,
  };
}
