import { Between, Containing, Copied, type Expected, OneOf, Rounded } from "./check.js";

/** A compared value. */
export interface Compared {
  readonly path: string;
  readonly isDerived: boolean;
  /** Present if the values differ. */
  readonly problem?: string;
}

/** Compares every recomputed value with the served one. */
export function* compared(expected: Expected, served: unknown, path = ""): Generator<Compared> {
  if (isList(expected)) yield* comparedLists(expected, served, path);
  else if (isGroup(expected)) yield* comparedGroups(expected, served, path);
  else if (expected instanceof Copied) yield* comparedCopies(expected, served, path);
  else if (isEqual(expected, served)) yield { path, isDerived: true };
  else yield different(path, `is ${textOf(served)}, recomputed ${textOf(expected)}`);
}

function different(path: string, difference: string): Compared {
  return { path, isDerived: true, problem: `${path} ${difference}` };
}

function* comparedCopies({ stored }: Copied, served: unknown, path: string): Generator<Compared> {
  if (JSON.stringify(stored) === JSON.stringify(served)) yield { path, isDerived: false };
  else yield { path, isDerived: false, problem: `${path} is ${textOf(served)}, stored ${textOf(stored)}` };
}

function* comparedLists(expected: readonly Expected[], served: unknown, path: string): Generator<Compared> {
  if (!Array.isArray(served) || served.length !== expected.length) {
    const difference = Array.isArray(served)
      ? `has ${served.length} rows, recomputed ${expected.length}`
      : `is ${textOf(served)}, recomputed a list of ${expected.length}`;
    yield different(path, difference);
    return;
  }
  for (const [index, value] of expected.entries()) yield* compared(value, served[index], `${path}[${index}]`);
}

function* comparedGroups(expected: Group, served: unknown, path: string): Generator<Compared> {
  if (typeof served !== "object" || served === null) {
    yield different(path, `is ${textOf(served)}, recomputed an object`);
    return;
  }
  const members = served as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(expected)) {
    yield* compared(value, members[name], path === "" ? name : `${path}.${name}`);
  }
}

type Group = { readonly [member: string]: Expected };

/** Used instead of `Array.isArray`, which does not narrow to readonly lists. */
function isList(expected: Expected): expected is readonly Expected[] {
  return Array.isArray(expected);
}

const rules = [Rounded, OneOf, Between, Containing, Copied];

function isGroup(expected: Expected): expected is Group {
  return typeof expected === "object" && expected !== null && !rules.some((rule) => expected instanceof rule);
}

/** Tolerated difference: far below the last decimal of any served number, but above the rounding error of a sum. */
const ERROR_MAX = 1e-7;

function isEqual(expected: Exclude<Expected, readonly Expected[] | Group | Copied>, served: unknown): boolean {
  if (expected instanceof OneOf) return expected.values.includes(served);
  if (expected instanceof Between)
    return typeof served === "number" && served >= expected.low && served <= expected.high;
  if (expected instanceof Containing)
    return typeof served === "string" && expected.phrases.every((phrase) => served.includes(phrase));
  return expected instanceof Rounded ? isRounded(expected, served) : expected === served;
}

function isRounded({ value, decimals }: Rounded, served: unknown): boolean {
  if (typeof served !== "number" || Number(served.toFixed(decimals)) !== served) return false;
  return Math.abs(served - value) <= 0.5 / 10 ** decimals + ERROR_MAX;
}

const TEXT_CHARACTERS_MAX = 120;

function textOf(value: unknown): string {
  if (value === undefined) return "absent";
  if (value instanceof OneOf) return `one of ${value.values.map(textOf).join(", ")}`;
  if (value instanceof Between) return `a number from ${value.low} to ${value.high}`;
  if (value instanceof Containing) return `a sentence with ${value.phrases.map(textOf).join(" and ")}`;
  if (value instanceof Rounded) return String(Number(value.value.toFixed(value.decimals + 2)));
  const text = JSON.stringify(value);
  return text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text;
}
