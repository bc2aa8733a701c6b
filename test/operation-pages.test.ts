import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { blocksOf, type CodeBlock, documentPages } from "./support/documents/blocks.js";
import { type BlockRun, type ProgramBlock, ranPython, ranTypeScript } from "./support/documents/programs.js";
import { samplesOf } from "./support/documents/samples.js";
import { type Shell, shellIn } from "./support/documents/shell.js";
import { commandHostForAll } from "./support/process.js";
import { whyNoPython } from "./support/python-program.js";
import { type Stack, startStack } from "./support/stack.js";

/* Every example on the operation pages is run with curl, the command line, TypeScript and Python. */

const LIMITS = [
  "enterprise-minute",
  "operator-minute",
  "watch-create",
  "watch-change",
  "watch-test",
  "own-account",
  "webhook-change",
  "batch-execute",
]
  .map((name) => `${name}=999999`)
  .join();

const all = documentPages()
  .filter((page) => page.startsWith("docs/operations/"))
  .flatMap(blocksOf);
const inLanguage = (language: string): readonly CodeBlock[] =>
  all.filter((block) => block.language === language && block.notRun === undefined);
const commands = inLanguage("sh").filter(({ code }) => code.startsWith("vigil call "));
const requests = inLanguage("sh").filter((block) => !commands.includes(block));
const nameOf = ({ page, line }: CodeBlock): string => `${page}:${line}`;
const named = (blocks: readonly CodeBlock[]) => blocks.map((block) => ({ name: nameOf(block), block }));

const command = commandHostForAll();
let stack: Stack;
let server: HttpServer;
let folder: string;
let env: Readonly<Record<string, string>>;
let shell: Shell;
let sampled: (code: string) => Promise<string>;
beforeAll(async () => {
  stack = await startStack({ filled: "all", env: { VIGIL_LIMITS: LIMITS } });
  server = httpServer(stack.answer);
  const url = await server.listen("127.0.0.1", 0);
  const key = stack.service.access.ownerKey.key ?? "";
  folder = await mkdtemp(join(tmpdir(), "vigil-operation-pages-"));
  env = { URL: url, KEY: key, VIGIL_URL: url, VIGIL_KEY: key, VIGIL_DATA_DIR: join(folder, "none") };
  shell = shellIn(folder, { PATH: process.env["PATH"] ?? "", ...env });
  sampled = samplesOf(stack);
}, 300_000);
afterAll(async () => {
  await shell.close();
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** Converts blocks to programs, each with sample objects that no other block uses. */
async function sampledBlocks(blocks: readonly CodeBlock[]): Promise<readonly ProgramBlock[]> {
  const prepared: ProgramBlock[] = [];
  for (const block of blocks) prepared.push({ block, code: await sampled(block.code) });
  return prepared;
}

test("the operation pages have the same number of examples in each language", () => {
  const [curl, typeScript, python] = [requests, inLanguage("ts"), inLanguage("python")].map((blocks) => blocks.length);
  expect([commands.length, typeScript, python]).toEqual([curl, curl, curl]);
  expect(curl).toBeGreaterThan(70);
});

test.each(named(requests))("the curl command of $name succeeds", async ({ block }) => {
  const { code, output } = await shell.run(await sampled(block.code));
  expect(code, output).toBe(0);
});

test.each(named(commands))("the commands of $name succeed", async ({ block }) => {
  for (const line of await commandLines(await sampled(block.code))) {
    const { code, output } = await command(line, env);
    expect(code, output).toBe(0);
  }
});

/** Returns the arguments of each command of a block, split as a shell splits them. */
async function commandLines(code: string): Promise<readonly (readonly string[])[]> {
  const { output } = await shell.run(`vigil() { printf '%s\\0' "$@"; printf '\\n\\0'; }\n${code}`);
  return output
    .split("\n\0")
    .filter(Boolean)
    .map((line) => line.split("\0").slice(0, -1));
}

describe("TypeScript", () => {
  let runs: ReadonlyMap<CodeBlock, BlockRun>;
  let typeErrors: string;
  beforeAll(async () => {
    const blocks = await sampledBlocks(inLanguage("ts"));
    const run = await ranTypeScript(blocks, { folder, env, isolated: true });
    typeErrors = run.typeErrors;
    runs = new Map(blocks.map(({ block }, index) => [block, run.blocks[index] as BlockRun]));
  }, 120_000);

  test("of all pages type-checks", () => {
    expect(typeErrors).toBe("");
  });

  test.each(named(inLanguage("ts")))("of $name succeeds", ({ block }) => {
    expect(runs.get(block)).toEqual({ printed: "", error: "" });
  });
});

const missing = whyNoPython("ssl");
describe.skipIf(missing !== "")(`Python${missing && `, skipped: ${missing}`}`, () => {
  let runs: ReadonlyMap<CodeBlock, BlockRun>;
  beforeAll(async () => {
    const blocks = await sampledBlocks(inLanguage("python"));
    const outputs = await ranPython(blocks, { folder, env, isolated: true });
    runs = new Map(blocks.map(({ block }, index) => [block, outputs[index] as BlockRun]));
  }, 120_000);

  test.each(named(inLanguage("python")))("of $name succeeds", ({ block }) => {
    expect(runs.get(block)).toEqual({ printed: "", error: "" });
  });
});
