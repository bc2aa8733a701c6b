const NULL_CHARACTER = "\u0000";

/** The violation of a text with the character U+0000. */
export const NO_NULL_CHARACTER = "must not contain the character U+0000";

/** True for a string with the character U+0000, which PostgreSQL cannot store or compare, and for a list of them. */
export function hasNullCharacter(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNullCharacter);
  return typeof value === "string" && value.includes(NULL_CHARACTER);
}
