/**
 * Matches the strings that a spreadsheet takes for formulas: those that begin with `=`, `+`, `-`, `@`, a full-width
 * form of these, TAB, CR or LF. `textCell` puts a `'` in front of such a string. If a formula already has a `'` in
 * front of it, `textCell` adds another `'`, so that removing one `'` restores the string.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** Matches numbers, which are never formulas, whatever their sign. */
const PLAIN_NUMBER = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]/;
const EMPTY_TEXT = '""';

/**
 * A value as a cell (RFC 4180). An absent value is an empty cell. An empty string is a quoted empty cell. PostgreSQL's
 * COPY makes the same distinction. Arrays and objects are JSON.
 */
export function csvCell(value: unknown): string {
  if (typeof value === "string") return value === "" ? EMPTY_TEXT : textCell(value);
  if (value === undefined || value === null) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return textCell(JSON.stringify(value));
}

/** A string as a cell that no spreadsheet takes for a formula. */
function textCell(text: string): string {
  const guarded = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
