import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOUR_MS } from "../src/kit/clock.js";
import { toolList } from "../src/mcp/server.js";
import { blocksOf } from "./support/documents/blocks.js";
import { call, json, NOON, type Stack, startStack } from "./support/stack.js";
import { type AskTool, toolCaller } from "./support/tool-caller.js";

const text = readFileSync(new URL("../docs/agents.md", import.meta.url), "utf8");
const blocks = blocksOf("docs/agents.md")
  .filter(({ language }) => language === "json")
  .map(({ label, code }) => [label, JSON.parse(code)] as const);

let stack: Stack;
let key: Readonly<Record<string, string>>;
let ask: AskTool;
beforeAll(async () => {
  stack = await startStack({ filled: ["us-cpi", "earthquakes"], datasets: ["us-cpi", "earthquakes"] });
  stack.clock.set(NOON + 6 * HOUR_MS);
  await stack.run("earthquakes");
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
  ask = toolCaller(stack.answer, key);
}, 60_000);
afterAll(() => stack.close());

test.each(blocks.filter(([name]) => name !== "settings"))("the documented call of %s succeeds", async (name, args) => {
  const { isError, json: answer } = await ask(name, args);
  expect(isError).toBe(false);
  expect(answer).toHaveProperty("answer");
});

test("the documented settings name the path /mcp and the command vigil mcp", () => {
  const [http, stdio] = blocks.filter(([name]) => name === "settings").map(([, { mcpServers }]) => mcpServers.vigil);
  expect(new URL(http.url).pathname).toBe("/mcp");
  expect(Object.keys(http.headers)).toEqual(["X-Service-Key"]);
  expect(stdio).toMatchObject({ args: ["vigil", "mcp"], env: { VIGIL_URL: expect.any(String) } });
});

test("the documented curl command lists the tools", async () => {
  const [, body = ""] = /-d '([^']+)'/.exec(text) ?? [];
  expect(json(await call(stack.answer, "POST", "/mcp", key, { body }))).toMatchObject({ result: toolList });
});

test("every tool is documented, in the order of the served list of tools", () => {
  const documented = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(documented.slice(0, toolList.tools.length)).toEqual(toolList.tools.map(({ name }) => name));
});
