import { afterAll, beforeAll, expect, test } from "vitest";
import { loadServices } from "../src/services/registry.js";
import { json, type Stack, startStack } from "./support/stack.js";

const { operations } = await loadServices();

let stack: Stack;
let text: string;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
  text = String((await stack.get("/llms.txt", {})).body);
}, 60_000);
afterAll(() => stack.close());

/**
 * Upper estimate of the tokens of a byte-pair encoding: one token for every five letters of a run, one for every three
 * digits of a run, and one for every other character except single blanks.
 */
function tokensIn(document: string): number {
  return document.match(/[A-Za-z]{1,5}|\d{1,3}|\n+ *| {2,}|[^\sA-Za-z\d]/g)?.length ?? 0;
}

test("the page for agents tells how to be told of changes", () => {
  expect(text).toMatch(/\n\nTo be told when something happens, POST `[^\n]+\n\n## Operations\n/);
});

test("the page for agents has at most 4,000 tokens by either count", () => {
  expect(text.length / 4).toBeLessThan(4_000);
  expect(tokensIn(text)).toBeLessThanOrEqual(4_000);
});

test.each(operations.map(({ path, operation }) => [path, operation] as const))(
  "the page for agents has the size, the main fields and a working projection of %s",
  async (path, { rpc, examples }) => {
    const example = examples.find((candidate) => "jmespath" in candidate);
    expect(example).toBeDefined();
    const [, entry = ""] = text.split(`- [${rpc}](${path})`);
    const [own = ""] = entry.split("\n- ");
    expect(own).toMatch(/ \d+ B: /);
    expect(own).toContain("→ ");
    expect(own).toContain(`\`${example?.["jmespath"]}\``);
    const answer = await stack.get(`${path}?${new URLSearchParams(example)}`);
    expect(answer.status).toBe(200);
    const result = json(answer);
    expect(result).not.toBeNull();
    if (Array.isArray(result)) expect(result.length).toBeGreaterThan(0);
  },
);
