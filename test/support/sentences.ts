import { afterAll, beforeAll, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { damageBody } from "./damaged-body.js";
import { json, type Stack, type StackOptions, startStack } from "./stack.js";

/** A sentence of the contract and its check. */
export interface Sentence {
  /** The section of the contract, and the decision on its interpretation, if there is one. */
  readonly place: string;
  readonly sentence: string;
  readonly check: () => void | Promise<void>;
}

/** Declares a test for each sentence. `test.each` would truncate the sentences in the test names. */
export function testSentences(sentences: readonly Sentence[]): void {
  for (const { place, sentence, check } of sentences) test(`${place}: ${sentence}`, () => check());
}

/** The fields named in the violations of a 400. The body of the 400 must contain only violations. */
export function refusedFields(answer: IdentifiedAnswer): readonly string[] {
  expect(answer.status, String(answer.body)).toBe(400);
  const { violations, ...rest } = json(answer) as { readonly violations: readonly { readonly field: string }[] };
  expect(rest).toEqual({});
  return violations.map(({ field }) => field);
}

/** All headers that the client receives, including the rate-limit headers, which are kept apart. */
export function sentHeaders({ headers, limitHeaders }: IdentifiedAnswer): Readonly<Record<string, string>> {
  return { ...headers, ...limitHeaders };
}

/**
 * Starts one service for all checks of a suite, and builds these datasets. With `all`, the service has the demo's data,
 * which is built once per test run. Returns a getter of the service.
 */
export function sharedStack(datasets: readonly string[] | "all", options: StackOptions = {}): () => Stack {
  let stack: Stack | undefined;
  beforeAll(async () => {
    stack = await startStack({ ...options, ...(datasets === "all" && { filled: "all" }) });
    if (datasets !== "all") for (const name of datasets) await stack.run(name);
  }, 180_000);
  afterAll(() => stack?.close());
  return () => {
    if (!stack) throw new Error("the service is available only while the checks run");
    return stack;
  };
}

/** Reads a target as the owner or with these headers. Returns the body of the 200; the caller names the body's type. */
export async function bodyOf<T>(stack: Stack, target: string, headers?: Readonly<Record<string, string>>): Promise<T> {
  const answer = await stack.get(target, headers);
  expect(answer.status, `${target}: ${String(answer.body)}`).toBe(200);
  return json(answer) as T;
}

/** The fields named in the violations when the owner's call is refused. */
export async function fieldsRefusedAt(stack: Stack, target: string): Promise<readonly string[]> {
  return refusedFields(await stack.get(target));
}

/** Makes the snapshot of a dataset unreadable: overwrites its stored body and restarts the service. */
export async function breakBody(stack: Stack, dataset: string): Promise<void> {
  const generation = stack.service.registry.generation(stack.dataset(dataset));
  if (!generation) throw new Error(`${dataset} has no generation`);
  await damageBody(stack, generation.contentHash);
  await stack.restart();
}
