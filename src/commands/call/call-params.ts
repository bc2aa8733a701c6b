import { readFileSync } from "node:fs";
import { OperatorError } from "../../kit/operator-error.js";

type Params = Readonly<Record<string, unknown>>;

/** Parses the parameters of a GET. The values of a repeated name become a list. */
export function queryParams(pairs: readonly string[]): Params {
  const values = new Map<string, string[]>();
  for (const pair of pairs) {
    const { name, value } = parsedPair(pair);
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return Object.fromEntries([...values].map(([name, list]) => [name, list.length === 1 ? list[0] : list]));
}

/**
 * Parses the members of a body. Values are parsed as JSON where possible; other values are strings. The values of a
 * repeated name become a list.
 */
export function bodyParams(pairs: readonly string[]): Params {
  const texts = Object.entries(queryParams(pairs));
  return Object.fromEntries(
    texts.map(([name, value]) => [name, Array.isArray(value) ? value.map(jsonOrText) : jsonOrText(value as string)]),
  );
}

/** Parses the body that `--body` gives as JSON, as `@file`, or as `-` for standard input. */
export function bodyIn(text: string): Params {
  const source = text === "-" ? "the standard input" : text.startsWith("@") ? text.slice(1) : "--body";
  try {
    const parsed: unknown = JSON.parse(bodyText(text));
    if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)) return parsed as Params;
  } catch (error) {
    throw new OperatorError(`${source} cannot be read as JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new OperatorError(`${source} must hold a JSON object`);
}

function bodyText(text: string): string {
  if (text === "-") return readFileSync(0, "utf8");
  return text.startsWith("@") ? readFileSync(text.slice(1), "utf8") : text;
}

function parsedPair(pair: string): { readonly name: string; readonly value: string } {
  const at = pair.indexOf("=");
  if (at > 0) return { name: pair.slice(0, at), value: pair.slice(at + 1) };
  throw new OperatorError(`--param must be name=value, got "${pair}"`);
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not an error: most values are plain text.
    return text;
  }
}
