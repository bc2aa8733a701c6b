import { execFile } from "node:child_process";
import { mkdir, mkdtemp, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "rolldown/utils";
import { blocksOf, type CodeBlock } from "./blocks.js";

const repository = resolve(import.meta.dirname, "../../..");
const run = promisify(execFile);
const OUTPUT_BYTES_MAX = 10_000_000;

/** A program block with the code to run, in which sample values may have been replaced. */
export interface ProgramBlock {
  readonly block: CodeBlock;
  readonly code: string;
}

/** The output of a program block, and the error that ended it. */
export interface BlockRun {
  readonly printed: string;
  readonly error: string;
}

/** Marks the beginning of the output of a block. */
const MARK = "\u0001";

export interface ProgramOptions {
  /** A folder in which the program may write. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** True to run each block on its own, even after another block has failed. */
  readonly isolated?: boolean;
}

/**
 * A Python program that runs blocks. By default, the blocks form one program, which ends at the first failure. If
 * `isolated` is true, each block runs on its own with the names that the first block defined.
 */
const PYTHON_HOST = `
import json, sys, traceback
blocks, isolated = json.load(sys.stdin)
shared = {"__name__": "document"}
for index, (name, code) in enumerate(blocks):
    print(chr(1) + str(index), flush=True)
    try:
        exec(compile(code, name, "exec"), dict(shared) if isolated and index > 0 else shared)
    except BaseException:
        print(chr(2) + traceback.format_exc(), flush=True)
        if not isolated:
            break
`;

/** Runs the Python blocks of a page in order, with the `vigil` client importable. */
export async function ranPython(
  blocks: readonly ProgramBlock[],
  { env, folder, isolated = false }: ProgramOptions,
  python = "python3",
): Promise<readonly BlockRun[]> {
  const isCreated = blocks.some(({ code }) => /\bclient = |^import (?!vigil)/m.test(code));
  const first = isCreated ? [] : [["the client", "import vigil\nclient = vigil.Client()\n"]];
  const named = blocks.map(({ block, code }) => [`${block.page}:${block.line}`, code]);
  const child = run(python, ["-W", "error", "-c", PYTHON_HOST], {
    cwd: folder,
    env: {
      PATH: process.env["PATH"] ?? "",
      PYTHONPATH: join(repository, "clients/python/src"),
      PYTHONDONTWRITEBYTECODE: "1",
      ...env,
    },
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  child.child.stdin?.end(JSON.stringify([[...first, ...named], isolated]));
  return outputsIn((await child).stdout, first.length, blocks.length);
}

/** The output of each block of a program. The first `firstCount` blocks are not from the page. */
function outputsIn(output: string, firstCount: number, count: number): readonly BlockRun[] {
  const outputs = new Map(
    output.split(MARK).map((part) => {
      const [index = "", ...lines] = part.split("\n");
      const [printed = "", error = ""] = lines.join("\n").split("\u0002");
      return [index, { printed, error }] as const;
    }),
  );
  return Array.from(
    { length: count },
    (_, index) => outputs.get(String(index + firstCount)) ?? { printed: "", error: "an earlier block failed" },
  );
}

/** The first block of docs/sdk.md, which creates the client, with the address and key from the environment. */
function clientBlock(env: Readonly<Record<string, string>>): string {
  const [first] = blocksOf("docs/sdk.md");
  return (first?.code ?? "").replace(/url: "[^"]*", key: "[^"]*"/, () => {
    return `url: ${JSON.stringify(env["VIGIL_URL"])}, key: ${JSON.stringify(env["VIGIL_KEY"])}`;
  });
}

/** A TypeScript program of blocks: its type errors, and the output of each block. */
export interface TypeScriptRun {
  readonly typeErrors: string;
  readonly blocks: readonly BlockRun[];
}

/** Checks the types of the TypeScript blocks of a page, and runs them in order with `vigil/sdk`. */
export async function ranTypeScript(
  blocks: readonly ProgramBlock[],
  { env, folder, isolated = false }: ProgramOptions,
): Promise<TypeScriptRun> {
  const project = await consumerIn(folder);
  const usesClient = blocks.some(({ code }) => /\bvigil\./.test(code));
  const own = blocks.filter(({ code }) => !/createVigil\(/.test(code));
  const parts = own.map(({ code }, index) => `${announcement(index)}\n${isolated ? isolatedText(code) : code}`);
  const text = `${usesClient ? clientBlock(env) : ""}\n${parts.join("\n")}\nexport {};\n`;
  await writeFile(join(project, "program.ts"), text);
  await writeFile(join(project, "program.mjs"), transformSync("program.ts", text).code);
  const [typeErrors, output] = await Promise.all([
    typeErrorsOf(project, "program.ts"),
    outputOf(
      run(process.execPath, ["program.mjs"], { cwd: project, env: { PATH: process.env["PATH"] ?? "", ...env } }),
    ),
  ]);
  const outputs = outputsIn(output, 0, own.length);
  // Blocks that create the client are not part of the program, so they print nothing.
  return { typeErrors, blocks: blocks.map((block) => outputs[own.indexOf(block)] ?? { printed: "", error: "" }) };
}

const announcement = (index: number): string => `console.log("\\u0001${index}");`;

function isolatedText(code: string): string {
  return `await (async () => {\n${code}\n})().catch((error: unknown) => console.log("\\u0002", error));`;
}

/** The output of a program, followed by its error if it failed. */
async function outputOf(program: Promise<{ readonly stdout: string }>): Promise<string> {
  return program.then(
    ({ stdout }) => stdout,
    (failed: { readonly stdout: string; readonly stderr: string }) => `${failed.stdout}\u0002${failed.stderr}`,
  );
}

/** Creates a project that depends on the service, and returns its folder. */
async function consumerIn(folder: string): Promise<string> {
  const project = await mkdtemp(join(folder, "consumer-"));
  await mkdir(join(project, "node_modules/@types"), { recursive: true });
  await symlink(repository, join(project, "node_modules/vigil"));
  await symlink(join(repository, "node_modules/@types/node"), join(project, "node_modules/@types/node"));
  await symlink(join(repository, "node_modules/undici-types"), join(project, "node_modules/undici-types"));
  await writeFile(join(project, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  return project;
}

/** The type errors of a standalone program; empty if there are none. */
export async function typeErrorsIn(folder: string, code: string): Promise<string> {
  const project = await consumerIn(folder);
  await writeFile(join(project, "program.ts"), code);
  return typeErrorsOf(project, "program.ts");
}

async function typeErrorsOf(project: string, name: string): Promise<string> {
  const options = [
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--target",
    "es2023",
    "--lib",
    "es2023,dom",
    "--moduleDetection",
    "force",
  ];
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", "node"];
  const tsc = [
    join(repository, "node_modules/typescript/bin/tsc"),
    "--noEmit",
    "--ignoreConfig",
    "--skipLibCheck",
    ...options,
    ...strict,
    name,
  ];
  return outputOf(run(process.execPath, tsc, { cwd: project }));
}
