import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { transformSync } from "rolldown/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { logJob } from "../src/services/datasets/store/log-job.js";
import { type PackedConsumer, packedConsumer } from "./support/packed-consumer.js";
import { runJob } from "./support/run-job.js";
import { type Stack, startStack } from "./support/stack.js";

/* The examples of docs/sdk.md, type-checked and run with the packed client. */

const text = readFileSync(resolve(import.meta.dirname, "../docs/sdk.md"), "utf8");
const blocks = Array.from(
  text.matchAll(/```ts\n([^`]*)```(?:\n\n```text\n([^`]*)```)?/g),
  ([, code = "", printed = ""]) => ({ code, printed }),
);
const cases = blocks.slice(1).map((block, index) => ({ ...block, name: `example-${index + 1}` }));
/** The first block creates the client of the others. */
const client = blocks[0]?.code ?? "";

let consumer: PackedConsumer;
let stack: Stack;
let server: HttpServer;
beforeAll(async () => {
  consumer = await packedConsumer();
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"], filled: ["us-cpi", "earthquakes"] });
  await runJob(stack, logJob);
  server = httpServer(stack.answer);
  const url = await server.listen("127.0.0.1", 0);
  const own = client
    .replace("http://127.0.0.1:8787", url)
    .replace("vgl_your_key", stack.service.access.ownerKey.key ?? "");
  for (const { name, code } of cases) {
    await consumer.write(`${name}.ts`, `${own}\n${code}\nexport {};\n`);
    await consumer.write(`${name}.mjs`, transformSync(`${name}.ts`, `${own}\n${code}`).code);
  }
}, 120_000);
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(consumer.folder, { recursive: true, force: true });
});

test("docs/sdk.md has examples", () => {
  expect(cases.length).toBeGreaterThanOrEqual(9);
});

test.each(cases)("docs/sdk.md, $name prints what it promises", async ({ name, printed }) => {
  expect(await consumer.typeErrors(`${name}.ts`, "bundler")).toBe("");
  expect(await consumer.node(`${name}.mjs`, [])).toBe(printed);
});
