import { expect, test } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { json } from "./stack.js";

/** A sentence of the contract with the check that it is kept. */
export interface Sentence {
  /** The section of the contract, and the decision that says how it is read where there is one. */
  readonly place: string;
  readonly sentence: string;
  readonly check: () => void | Promise<void>;
}

/** Declares a test for each sentence. A table of `test.each` would cut the sentences in the names of its tests. */
export function testSentences(sentences: readonly Sentence[]): void {
  for (const { place, sentence, check } of sentences) test(`${place}: ${sentence}`, () => check());
}

/** Fields of the violations of a 400, which must have nothing else in its body. */
export function refusedFields(answer: IdentifiedAnswer): readonly string[] {
  expect(answer.status, String(answer.body)).toBe(400);
  const { violations, ...rest } = json(answer) as { readonly violations: readonly { readonly field: string }[] };
  expect(rest).toEqual({});
  return violations.map(({ field }) => field);
}

/** Each header as a client sees it, whichever step has written it. */
export function sentHeaders({ headers, limitHeaders }: IdentifiedAnswer): Readonly<Record<string, string>> {
  return { ...headers, ...limitHeaders };
}
