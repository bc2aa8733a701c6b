import { afterAll, beforeAll, expect, test } from "vitest";
import { type Agent, agentQuestions, agentStack } from "./support/agent-questions.js";
import type { Stack } from "./support/stack.js";

/** Number of questions that this test asks. `test/acceptance/mcp-questions.test.ts` asks all questions. */
const QUESTIONS = 30;

let stack: Stack;
let agent: Agent;
beforeAll(async () => {
  ({ stack, agent } = await agentStack());
}, 120_000);
afterAll(() => stack.close());

test("the MCP tools answer each chosen question as REST does, within the byte limit of the question", async () => {
  const questions = agentQuestions(stack);
  const step = Math.floor(questions.length / QUESTIONS);
  const chosen = questions.filter((_question, at) => at % step === 0).slice(0, QUESTIONS);
  expect(chosen).toHaveLength(QUESTIONS);
  for (const { name, check } of chosen) await expect(check(agent), name).resolves.toBeUndefined();
}, 60_000);
