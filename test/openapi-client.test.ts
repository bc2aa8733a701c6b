import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { transformSync } from "rolldown/utils";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type HttpServer, httpServer } from "../src/http/server.js";
import { type Stack, startStack } from "./support/stack.js";

/* The TypeScript of docs/clients.md, run against a service: types from openapi-typescript, calls with openapi-fetch. */

const run = promisify(execFile);
const repository = resolve(import.meta.dirname, "..");
const modules = join(repository, "node_modules");
const text = readFileSync(join(repository, "docs/clients.md"), "utf8");
const blocks = Array.from(
  text.matchAll(/```ts\n([^`]*)```(?:\n\n```text\n([^`]*)```)?/g),
  ([, code = "", printed = ""]) => ({ code, printed }),
);
/** The first block, which creates the client that the other blocks use. */
const client = blocks[0]?.code ?? "";
const examples = blocks.slice(1);

let folder: string;
let stack: Stack;
let server: HttpServer;
let url: string;
let typeErrors: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vigil-openapi-client-"));
  await mkdir(join(folder, "node_modules"));
  await symlink(join(modules, "openapi-fetch"), join(folder, "node_modules/openapi-fetch"));
  await writeFile(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const compiler = join(import.meta.dirname, "support/older-compiler.mjs");
  const generator = join(modules, "openapi-typescript/bin/cli.js");
  const document = join(repository, "docs/openapi.json");
  // The options of openapi-typescript that docs/clients.md states.
  const options = /openapi\.json (--\S+)/.exec(text)?.slice(1) ?? [];
  await run(process.execPath, [
    "--import",
    compiler,
    generator,
    document,
    ...options,
    "-o",
    join(folder, "vigil.d.ts"),
  ]);
  typeErrors = await typeErrorsOfAll();
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"], filled: ["us-cpi", "earthquakes"] });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
}, 120_000);
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

const exampleCode = examples.map(({ code }) => code).join("\n");
const quakes = 'client.GET("/api/seismology/v1/list-earthquakes"';
const watch = 'client.POST("/api/watches/v1/create-watch"';
/** Calls that must not type-check, one per line. */
const wrongCalls = [
  'await client.GET("/api/seismology/v1/list-earthquake");',
  'await client.POST("/api/seismology/v1/list-earthquakes");',
  `await ${quakes}, { params: { query: { min_magnitude: "five" } } });`,
  `await ${quakes}, { params: { query: { magnitude: 5 } } });`,
  'await client.GET("/api/conflict/v1/get-humanitarian-summary");',
  `await ${watch}, { body: { name: "Any", on: "WATCH_ON_NEW_ROWS" } });`,
  `await ${watch}, { body: { name: "Any", call: "/", on: "WATCH_ON_ANYTHING" } });`,
  `plain((await ${quakes})).data ?? null).quakes;`,
];
const wrongMember = `const { data } = await client.GET("/api/seismology/v1/list-earthquakes");
const ids: readonly string[] = data === undefined ? [] : plain(data).earthquakes.map(({ id }) => id);
const depths: readonly string[] = data === undefined ? [] : plain(data).earthquakes.map(({ depthKm }) => depthKm);
console.log(ids, depths);`;
/** Programs by the names of their files. Each has its own scope. */
const programs = { "examples.ts": exampleCode, "wrong.ts": wrongCalls.join("\n"), "answer.ts": wrongMember };

/** Type-checks all programs in one run of the compiler, because every run reads the large types. Returns its output. */
async function typeErrorsOfAll(): Promise<string> {
  for (const [name, code] of Object.entries(programs))
    await writeFile(join(folder, name), `${client}\n${code}\nexport {};\n`);
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const kind = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom", "--types", ""];
  const tsc = [join(modules, "typescript/bin/tsc"), ...options, ...kind, ...Object.keys(programs)];
  return run(process.execPath, tsc, { cwd: folder }).then(
    () => "",
    (failed: { readonly stdout: string }) => failed.stdout,
  );
}

/** The errors of one program: the lines that begin with its name. */
const errorsIn = (name: keyof typeof programs): string =>
  typeErrors
    .split(/\n(?=\S)/)
    .filter((error) => error.startsWith(`${name}(`))
    .join("\n");

test("the compiler finds errors in exactly the two programs that are written to be wrong", () => {
  const names = typeErrors.split("\n").filter((line) => /^\S/.test(line));
  expect(new Set(names.map((line) => line.split("(")[0]))).toEqual(new Set(["wrong.ts", "answer.ts"]));
});

test("docs/clients.md has examples of reads, a write and an error", () => {
  expect(examples.length).toBeGreaterThanOrEqual(4);
});

test("the examples of docs/clients.md type-check together and print what the page promises", async () => {
  expect(errorsIn("examples.ts")).toBe("");
  const own = client
    .replace("http://127.0.0.1:8787", url)
    .replace("vgl_your_key", stack.service.access.ownerKey.key ?? "");
  await writeFile(join(folder, "examples.mjs"), transformSync("examples.ts", `${own}\n${exampleCode}`).code);
  const { stdout } = await run(process.execPath, ["examples.mjs"], { cwd: folder });
  expect(stdout).toBe(examples.map(({ printed }) => printed).join(""));
});

describe("the types of openapi-typescript", () => {
  test("reject each wrong call", () => {
    const errors = errorsIn("wrong.ts");
    const start = client.split("\n").length + 1;
    const lines = [...errors.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line) - start);
    expect(new Set(lines), errors).toEqual(new Set(wrongCalls.keys()));
  });

  test("reject a number where a program needs a string", () => {
    const errors = errorsIn("answer.ts");
    expect(errors.match(/error TS\d+/g), errors).toEqual(["error TS2322"]);
  });
});
