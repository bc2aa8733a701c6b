import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { InvalidExpression } from "./errors.js";
import { search } from "./testing/search.js";

/**
 * The test cases of the JMESPath specification, stored next to the repository, with a README that states their origin.
 */
const CASES = new URL("../../../shared/jmespath/", import.meta.url);
const CASE_COUNT = 892;

interface Suite {
  readonly given: unknown;
  readonly cases: readonly { readonly expression: string; readonly result?: unknown; readonly error?: string }[];
}

function suitesIn(file: string): readonly Suite[] {
  // The cast is safe, because the folder contains only case files of this shape.
  return JSON.parse(readFileSync(new URL(file, CASES), "utf8")) as readonly Suite[];
}

const files = existsSync(CASES) ? readdirSync(CASES).filter((file) => file.endsWith(".json")) : [];
const cases = files.flatMap((file) =>
  suitesIn(file).flatMap(({ given, cases: suite }) => suite.map((each) => ({ file, given, ...each }))),
);
const reason = files.length === 0 ? " (skipped: ../shared/jmespath is not there)" : "";

describe.skipIf(files.length === 0)(`JMESPath compliance${reason}`, () => {
  test(`the JMESPath compliance set has ${CASE_COUNT} cases`, () => {
    expect(cases).toHaveLength(CASE_COUNT);
  });

  test.each(cases)("$file: $expression has the specified outcome", ({ given, expression, result, error }) => {
    if (error === undefined) expect(search(expression, given)).toEqual(result);
    else expect(faultOf(() => search(expression, given))).toBe(error);
  });
});

function faultOf(run: () => unknown): string {
  try {
    return `no error; the result is ${JSON.stringify(run())}`;
  } catch (error) {
    if (error instanceof InvalidExpression) return error.fault;
    throw error;
  }
}
