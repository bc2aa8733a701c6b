import type { Exchange } from "../exchange.js";

/** Members whose text may come from upstreams, proxies or settings. */
const OPERATORS_TEXTS: ReadonlySet<string> = new Set(["error", "reason", "passedOver"]);
const WITHHELD = "the reason is shown only to the operator";

/**
 * Hides details from callers other than the operator: replaces the texts of upstream failures and removes the names of
 * settings.
 */
export function forCaller(body: object, { principal }: Exchange): object {
  if (principal?.isOperator) return body;
  const shown = withoutTexts(body, false) as Readonly<Record<string, unknown>>;
  return "settings" in shown ? { ...shown, settings: [] } : shown;
}

function withoutTexts(value: unknown, isOperators: boolean): unknown {
  if (typeof value === "string") return isOperators ? WITHHELD : value;
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, isOperators));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      withoutTexts(member, isOperators || OPERATORS_TEXTS.has(name)),
    ]),
  );
}
