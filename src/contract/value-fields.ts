import { Type } from "typebox";
import { isCalendarDate } from "../kit/calendar-date.js";
import { type Decoded, type QueryField, quoted, single, wholeNumber } from "./query-field.js";

/** Declares a decimal number from `min` to `max`. If it is absent, the value is 0. */
export function decimal(
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
): QueryField<number> {
  return {
    schema: Type.Number({ format: "double", minimum: min, maximum: max, default: 0 }),
    description,
    required: false,
    decode: single(0, (raw) => {
      if (!/^-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(raw)) {
        return { violation: `must be a number, got ${quoted(raw)}` };
      }
      const value = Number(raw);
      if (value < min || value > max) return { violation: `must be ${min} to ${max}, got ${quoted(raw)}` };
      // "-0" must become the same value as 0.
      return { value: value === 0 ? 0 : value };
    }),
    canonical: (value) => (value === 0 ? undefined : String(value)),
  };
}

/** Declares a name from a list. If it is absent or is the list's `…_UNSPECIFIED` name, the value is `fallback`. */
export function choice<const Name extends string>(
  names: readonly Name[],
  fallback: Name,
  description: string,
): QueryField<Name> {
  const unspecified = unspecifiedOf(names);
  return {
    schema: Type.Enum([...names], { default: fallback }),
    description,
    required: false,
    decode: single(fallback, (raw): Decoded<Name> => {
      const chosen = raw === unspecified ? fallback : names.find((name) => name === raw);
      if (chosen !== undefined) return { value: chosen };
      return { violation: `must be one of ${names.join(", ")}, got ${quoted(raw)}` };
    }),
    canonical: (value) => (value === fallback ? undefined : value),
  };
}

/**
 * Returns the `…_UNSPECIFIED` name for names with a common prefix. For `CABIN_CLASS_BUSINESS` and `CABIN_CLASS_FIRST`,
 * it is `CABIN_CLASS_UNSPECIFIED`.
 */
function unspecifiedOf(names: readonly string[]): string {
  const [first = ""] = names;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length -= 1;
  return `${first.slice(0, first.lastIndexOf("_", length - 1) + 1)}UNSPECIFIED`;
}

/**
 * Declares a required string of `minLength` to `maxLength` characters. `normal` converts a value to its canonical
 * spelling; by default it leaves the string unchanged.
 */
export function textOfLength(
  description: string,
  {
    minLength,
    maxLength,
    normal = (raw) => raw,
  }: { readonly minLength: number; readonly maxLength: number; readonly normal?: (raw: string) => string },
): QueryField<string> {
  return {
    schema: Type.String({ minLength, maxLength }),
    description,
    required: true,
    decode: single("", (raw) => {
      const { length } = [...raw];
      if (length >= minLength && length <= maxLength) return { value: normal(raw) };
      return { violation: `must have ${minLength} to ${maxLength} characters, got ${length}` };
    }),
    canonical: (value) => value || undefined,
  };
}

/**
 * Declares a string that matches a pattern in the syntax of JSON Schema. If it is absent, the value is `fallback`,
 * which is empty by default.
 */
export function textLike(description: string, pattern: string, fallback = ""): QueryField<string> {
  const shape = new RegExp(pattern, "u");
  return {
    schema: Type.String({ pattern, ...(fallback !== "" && { default: fallback }) }),
    description,
    required: false,
    decode: single(fallback, (raw) =>
      shape.test(raw) ? { value: raw } : { violation: `must match ${pattern}, got ${quoted(raw)}` },
    ),
    canonical: (value) => (value === fallback ? undefined : value),
  };
}

/**
 * Declares a date as YYYY-MM-DD. If it is absent, the value is an empty string, or a violation if the date is required.
 */
export function calendarDate(description: string, { required }: { readonly required: boolean }): QueryField<string> {
  return {
    schema: Type.String({ format: "date" }),
    description,
    required,
    decode: single("", (raw) =>
      isCalendarDate(raw) ? { value: raw } : { violation: `must be a date in the form YYYY-MM-DD, got ${quoted(raw)}` },
    ),
    canonical: (value) => value || undefined,
  };
}

/** Declares a whole number from 1 to `max`. If it is absent or 0, the value is `fallback`. */
export function countUpTo(
  description: string,
  { max, fallback }: { readonly max: number; readonly fallback: number },
): QueryField<number> {
  return {
    schema: Type.Integer({ format: "int32", minimum: 0, maximum: max, default: fallback }),
    description,
    required: false,
    decode: single(fallback, (raw) => {
      const whole = wholeNumber(raw);
      if ("violation" in whole) return whole;
      if (whole.value > max) return { violation: `must be 1–${max}, got ${quoted(raw)}` };
      return { value: whole.value || fallback };
    }),
    canonical: (value) => (value === fallback ? undefined : String(value)),
  };
}

/** Declares a whole number that is clamped to the range from `min` to `max`. If it is absent, the value is `min`. */
export function clampedCount(
  description: string,
  { min, max }: { readonly min: number; readonly max: number },
): QueryField<number> {
  return {
    schema: Type.Integer({ format: "int32", default: min }),
    description: `${description}; below ${min} counts as ${min}, above ${max} counts as ${max}`,
    required: false,
    decode: single(min, (raw) => {
      if (!/^-?\d+$/.test(raw)) return { violation: `must be a whole number, got ${quoted(raw)}` };
      return { value: Math.min(Math.max(Number(raw), min), max) };
    }),
    canonical: (value) => (value === min ? undefined : String(value)),
  };
}
