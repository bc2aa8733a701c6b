import { afterAll, beforeAll, expect, test } from "vitest";
import { loadServices } from "../src/services/registry.js";
import { json, type Stack, startStack } from "./support/stack.js";
import { tokensIn } from "./support/tokens.js";

const { operations } = await loadServices();

let stack: Stack;
let text: string;
beforeAll(async () => {
  stack = await startStack({ filled: "all" });
  text = String((await stack.get("/llms.txt", {})).body);
}, 60_000);
afterAll(() => stack.close());

test("the page for agents explains how to follow changes", () => {
  expect(text).toMatch(/\n\nTo be notified when something happens, POST `[^\n]+\n\n## Operations\n/);
});

test("the page for agents has at most 4,000 tokens", () => {
  expect(tokensIn(text)).toBeLessThanOrEqual(4_000);
});

test("an agent that knows only the address and a key reads a correct CPI figure within 5,000 tokens", async () => {
  const read: string[] = [];
  /** Requests a target, records the answer as `curl -i` shows it, and returns the body. */
  async function readAnswer(target: string): Promise<string> {
    const { status, headers, body } = await stack.get(target);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    read.push(`GET ${target}\n\nHTTP/1.1 ${status} OK\n${lines.join("\n")}\n\n${body}\n\n`);
    return String(body);
  }
  const { forAgents } = JSON.parse(await readAnswer("/"));
  const page = await readAnswer(forAgents);
  const [, path, projection] =
    /^- \[[^\]]+\]\(([^)]+)\)[^\n]*consumer price[^\n]*\n(?: [^\n]*\n)*? {2}`([^\n]+)`/m.exec(page) ?? [];
  const figure = JSON.parse(await readAnswer(`${path}?jmespath=${encodeURIComponent(projection ?? "")}`));
  const { months } = json(await stack.get(`${path}`)) as { months: { headline: { index: number } }[] };
  expect(figure).toBe(months.at(-1)?.headline.index);
  expect(tokensIn(read.join(""))).toBeLessThanOrEqual(5_000);
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
