import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { json, type Stack, type StackOptions, startStack } from "./stack.js";

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

/** Starts one service for all checks of a suite and builds these datasets; returns a function that gives the service. */
export function sharedStack(datasets: readonly string[], options: StackOptions = {}): () => Stack {
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await startStack(options);
    for (const name of datasets) await stack.run(name);
  }, 60_000);
  afterAll(() => stack?.close());
  return () => {
    if (!stack) throw new Error("the service starts before the first check");
    return stack;
  };
}

/** The body of a 200 to the owner, or to these headers. The checks name the shape that they expect. */
export async function bodyOf<T>(stack: Stack, target: string, headers?: Readonly<Record<string, string>>): Promise<T> {
  const answer = await stack.get(target, headers);
  expect(answer.status, `${target}: ${String(answer.body)}`).toBe(200);
  return json(answer) as T;
}

/** Fields of the violations with which the owner's call is refused. */
export async function fieldsRefusedAt(stack: Stack, target: string): Promise<readonly string[]> {
  return refusedFields(await stack.get(target));
}

/** Overwrites the stored body of a dataset and starts the service anew, so that its snapshot cannot be read. */
export async function breakBody(stack: Stack, dataset: string): Promise<void> {
  const generation = stack.service.registry.generation(stack.dataset(dataset));
  if (!generation) throw new Error(`${dataset} has no generation`);
  await writeFile(join(stack.dataDir, "bodies", generation.contentHash), "not what was stored");
  await stack.restart();
}
