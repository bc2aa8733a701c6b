import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mistypedVariables } from "../src/app/config.js";
import { program } from "../src/commands/program.js";
import { loadServices, loadStreams } from "../src/services/registry.js";
import { blocksIn, blocksOf, type CodeBlock, documentPages } from "./support/documents/blocks.js";
import { expectExample } from "./support/documents/http-examples.js";
import { parsers } from "./support/documents/parsers.js";
import { type BlockRun, ranPython, ranTypeScript } from "./support/documents/programs.js";
import { type Clone, cloneFor, type DocumentService, documentService } from "./support/documents/service.js";
import { commonWorld, ownWorlds, terminalVariables } from "./support/documents/worlds.js";
import { commandHostForAll } from "./support/process.js";
import { whyNoPython } from "./support/python-program.js";

/* Every code block of every document is run or parsed, or has a mark that says why it is neither run nor parsed. */

const repository = resolve(import.meta.dirname, "..");
const services = await loadServices();
const pages = documentPages();
const blocks = pages.flatMap(blocksOf);
const command = commandHostForAll();

/** Time limit for a block of commands. It is long, because each command of the block loads the service. */
const COMMANDS_MS = 240_000;

/** Languages whose blocks run here. */
const RUN = ["sh", "http", "ts", "python"];

/** Other tests that run the blocks of a page, by language and label; `*` means every language of `RUN`. */
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "docs/clients.md": { "*": "test/openapi-client.test.ts" },
  "docs/quick-start.md": { "*": "test/quick-start.test.ts" },
  "docs/write-a-source.md": { ts: "test/examples.test.ts" },
  "docs/write-an-operation.md": { ts: "test/examples.test.ts" },
  "docs/webhooks.md": {
    "js verify": "test/webhook-docs.test.ts",
    "python verify": "test/webhook-docs.test.ts",
    "sh verify": "test/webhook-docs.test.ts",
  },
  "docs/spreadsheets.md": { js: "test/spreadsheet-docs.test.ts" },
};

function elsewhere({ page, language, label }: CodeBlock): string | undefined {
  if (page.startsWith("docs/operations/") && RUN.includes(language)) return "test/operation-pages.test.ts";
  const own = ELSEWHERE[page];
  return own?.[`${language} ${label}`.trim()] ?? (RUN.includes(language) ? own?.["*"] : undefined);
}

const isRunHere = (block: CodeBlock): boolean =>
  RUN.includes(block.language) && block.notRun === undefined && elsewhere(block) === undefined;
const nameOf = ({ page, line, language }: CodeBlock): string => `${page}:${line} (${language})`;
const named = (all: readonly CodeBlock[]) => all.map((block) => ({ name: nameOf(block), block }));

describe("the blocks of a page", () => {
  const text = [
    "<!-- not run: needs",
    "  root -->",
    "```sh",
    "rm -r /",
    "```",
    "   ```ts label",
    "   one();",
    "     two();",
    "   ```",
    "",
    "```text",
    "1",
    "```",
    "words",
    "```text",
    "2",
    "```",
  ].join("\n");

  test("are found with their language, indent, mark and output", () => {
    expect(blocksIn("a.md", text)).toEqual([
      { page: "a.md", line: 3, language: "sh", label: "", code: "rm -r /\n", notRun: "needs root" },
      { page: "a.md", line: 6, language: "ts", label: "label", code: "one();\n  two();\n", printed: "1\n" },
      { page: "a.md", line: 15, language: "text", label: "", code: "2\n" },
    ]);
  });

  test("must have a closing fence", () => {
    expect(() => blocksIn("a.md", "```sh\nls")).toThrow("a.md:1: the block has no end");
  });
});

describe("every block", () => {
  test("is run, is parsed, or is marked with a reason", () => {
    const unknown = blocks.filter(
      (block) =>
        !RUN.includes(block.language) &&
        !(block.language in parsers) &&
        block.notRun === undefined &&
        elsewhere(block) === undefined,
    );
    expect(unknown.map(nameOf)).toEqual([]);
    expect(blocks.filter(isRunHere).length).toBeGreaterThan(80);
  });

  test("has a reason if it is not run, and every file named in a reason exists", () => {
    const unmarked = blocks.filter(({ notRun }) => notRun !== undefined && notRun.length < 10);
    expect(unmarked.map(nameOf)).toEqual([]);
    const files = blocks.flatMap(({ notRun = "" }) => notRun.match(/\b(?:test|src)\/[\w./-]+\w/g) ?? []);
    const others = blocks.flatMap((block) => elsewhere(block) ?? []);
    const absent = [...new Set([...files, ...others])].filter((file) => !existsSync(join(repository, file)));
    expect(absent).toEqual([]);
  });

  test("uses only settings that exist", () => {
    const credentials = services.sources.flatMap((source) => source.credentials.map(({ variable }) => variable));
    const compose = readFileSync(join(repository, "deploy/compose.distributed.yaml"), "utf8");
    const variables = blocks
      .flatMap(({ code, notRun = "" }) => (code + notRun).match(/\bVIGIL_[A-Z_]+/g) ?? [])
      .filter((name) => !compose.includes(`{${name}:`));
    const environment = Object.fromEntries(variables.map((name) => [name, ""]));
    expect(mistypedVariables(environment, credentials, services.settings)).toEqual([]);
  });
});

const read = blocks.filter((block) => block.language in parsers && block.notRun === undefined);

test.each(named(read))("$name can be parsed", async ({ block }) => {
  await parsers[block.language]?.(block);
});

let common: DocumentService | undefined;
afterAll(() => common?.close());

/** The reason why a block cannot run on this machine; empty if it can. */
function whyNot({ language, code }: CodeBlock): string {
  if (language === "sh" && /^pip /m.test(code)) return whyNoPython("pip");
  if (language === "sh" && code.includes("verify_vigil.py")) return whyNoPython("cryptography");
  return language === "python" ? whyNoPython("ssl") : "";
}

const withoutPandas = whyNoPython("pandas") !== "";

/** The service that the blocks of a page call, and the clone of the repository in which they run. */
interface Room {
  readonly service: DocumentService;
  readonly clone: Clone;
}

describe.each([...new Set(blocks.filter(isRunHere).map(({ page }) => page))])("%s", (page) => {
  const own = blocks.filter((block) => block.page === page && isRunHere(block));
  const world = ownWorlds[page];
  let room: Room;
  beforeAll(async () => {
    if (world === undefined) common ??= await documentService(commonWorld);
    const service = world === undefined ? (common as DocumentService) : await documentService(world);
    room = { service, clone: await cloneFor(service, terminalVariables, command) };
    await writeFile(join(room.clone.folder, "inversion.json"), watchNamed("inversion"));
  }, 300_000);
  afterAll(async () => {
    await room.clone.remove();
    if (world !== undefined) await room.service.close();
  });
  const inLanguage = (language: string): readonly CodeBlock[] => own.filter((block) => block.language === language);

  testCommands(inLanguage("sh"), () => room);
  test.each(named(inLanguage("http")))("$name shows the answer that the service gives", ({ block }) =>
    expectExample(room.service.stack, block.code, world?.areExcerpts ?? false),
  );
  testTypeScript(inLanguage("ts"), () => room);
  testPython(inLanguage("python"), () => room);
});

function testCommands(commands: readonly CodeBlock[], roomOf: () => Room): void {
  for (const block of commands) {
    const missing = whyNot(block);
    const name = `${nameOf(block)} succeeds${missing && `, skipped: ${missing}`}`;
    test.skipIf(missing !== "")(name, { timeout: COMMANDS_MS }, async () => {
      const { clone } = roomOf();
      const { code, output } = await clone.shell.run(clone.local(block.code), block.until);
      if (block.until === undefined) expect(code, output).toBe(0);
      else expect(output).toContain(block.until);
      if (block.printed !== undefined) expect(output).toBe(block.printed);
    });
  }
}

function testTypeScript(program: readonly CodeBlock[], roomOf: () => Room): void {
  if (program.length === 0) return;
  describe("TypeScript", () => {
    let typeErrors: string;
    let runs: readonly BlockRun[];
    beforeAll(async () => {
      const { clone } = roomOf();
      const local = program.map((block) => ({ block, code: clone.local(block.code) }));
      ({ typeErrors, blocks: runs } = await ranTypeScript(local, clone));
    }, 120_000);

    test("type-checks", () => {
      expect(typeErrors).toBe("");
    });

    test.each(named(program))("$name prints the output that the page shows", ({ block }) => {
      expect(runs[program.indexOf(block)]).toEqual({ printed: block.printed ?? "", error: "" });
    });
  });
}

function testPython(program: readonly CodeBlock[], roomOf: () => Room): void {
  const [first] = program;
  if (first === undefined) return;
  const runnable = program.filter(({ code }) => !withoutPandas || !/\.df\(|import pandas/.test(code));
  const missing = whyNot(first);
  describe.skipIf(missing !== "")(`Python${missing && `, skipped: ${missing}`}`, () => {
    let runs: readonly BlockRun[] = [];
    beforeAll(async () => {
      const { clone } = roomOf();
      if (runnable.length === 0) return;
      const local = runnable.map((block) => ({ block, code: clone.local(block.code) }));
      runs = await ranPython(local, clone);
    }, 120_000);

    test.each(named(runnable))("$name succeeds", ({ block }) => {
      const { printed, error } = runs[runnable.indexOf(block)] ?? {};
      expect(error).toBe("");
      if (block.printed !== undefined) expect(printed).toBe(block.printed);
    });

    const left = program.length - runnable.length;
    test.skipIf(left > 0)(`all blocks run${left > 0 ? `, skipped: ${left} need pandas` : ""}`, () => {
      expect(runnable).toEqual(program);
    });
  });
}

/** The first watch definition in docs/watches.md that contains this word. */
function watchNamed(word: string): string {
  const definition = blocks.find(
    ({ page, language, code }) => page === "docs/watches.md" && language === "json" && code.includes(word),
  );
  if (definition === undefined) throw new Error(`docs/watches.md has no watch on ${word}`);
  return definition.code;
}

describe("the lists of the documents", () => {
  const listIn = (page: string): readonly string[] =>
    blocks
      .filter((block) => block.page === page && block.language === "text")
      .flatMap(({ code }) => code.split("\n"))
      .filter(Boolean);

  test("every folder listed in CONTRIBUTING.md exists", () => {
    const folders = listIn("CONTRIBUTING.md").flatMap((line) => line.match(/^\S+\//) ?? []);
    expect(folders.length).toBeGreaterThan(20);
    expect(folders.filter((folder) => !existsSync(join(repository, folder)))).toEqual([]);
  });

  test("README.md lists every command of the command line and no other", async () => {
    const streams = await loadStreams(services.groups);
    const own = program({ groups: services.groups, streams }, "1.0.0").commands.map((command) => command.name());
    const named = listIn("README.md").flatMap((line) => /^vigil (\S+)/.exec(line)?.[1] ?? []);
    expect([...new Set(named)].toSorted()).toEqual(own.toSorted());
  });
});
