import { ApiError } from "../../src/sdk/index.js";
import { failureText } from "../reads/failure-text.js";

/** A rejected member of a request. */
interface Violation {
  readonly field: string;
  readonly description: string;
}

/** Returns the messages about members of the request, by the path of the member, such as `company.name`. */
export function fieldFailures(failure: unknown): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { field, description } of violationsOf(failure)) {
    const last = texts.get(field);
    texts.set(field, last === undefined ? sentence(description) : `${last} ${sentence(description)}`);
  }
  return texts;
}

/** The message of a failure without the parts that fields already show; undefined if nothing is left. */
export function otherFailureText(failure: unknown, isShown: (field: string) => boolean): string | undefined {
  if (failure === undefined) return undefined;
  const violations = violationsOf(failure);
  if (violations.length === 0) return failureText(failure);
  const others = violations.filter(({ field }) => !isShown(field));
  if (others.length === 0) return undefined;
  return others.map(({ field, description }) => `${field} ${description}.`).join(" ");
}

function violationsOf(failure: unknown): readonly Violation[] {
  if (!(failure instanceof ApiError)) return [];
  const { body } = failure;
  if (typeof body !== "object" || body === null || !("violations" in body) || !Array.isArray(body.violations))
    return [];
  return body.violations.filter(isViolation);
}

function isViolation(value: unknown): value is Violation {
  if (typeof value !== "object" || value === null || !("field" in value) || !("description" in value)) return false;
  return typeof value.field === "string" && typeof value.description === "string";
}

function sentence(text: string): string {
  const start = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}
