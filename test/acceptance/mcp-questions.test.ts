import { expect, test } from "vitest";
import { agentQuestions, agentStack } from "../support/agent-questions.js";

test("the MCP tools answer at least 300 questions of an agent as REST does, within the byte limit of each answer", async () => {
  const { stack, agent } = await agentStack();
  try {
    const questions = agentQuestions(stack);
    expect(questions.length).toBeGreaterThanOrEqual(300);
    const wrong: string[] = [];
    for (const { name, check } of questions) {
      await check(agent).catch((error: unknown) => wrong.push(`${name}: ${error}`));
    }
    expect(wrong).toEqual([]);
  } finally {
    await stack.close();
  }
}, 600_000);
