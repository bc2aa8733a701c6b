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
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"], filled: ["us-cpi", "earthquakes"] });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
}, 120_000);
afterAll(async () => {
  await server.close();
  await stack.close();
  await rm(folder, { recursive: true, force: true });
});

/** Type-checks a program, and returns the errors. */
async function typeErrors(name: string, code: string): Promise<string> {
  await writeFile(join(folder, name), `${client}\n${code}\nexport {};\n`);
  const options = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"];
  const kind = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom", "--types", ""];
  return run(process.execPath, [join(modules, "typescript/bin/tsc"), ...options, ...kind, name], { cwd: folder }).then(
    () => "",
    (failed: { readonly stdout: string }) => failed.stdout,
  );
}

test("docs/clients.md has examples of reads, a write and an error", () => {
  expect(examples.length).toBeGreaterThanOrEqual(4);
});

test("the examples of docs/clients.md type-check together and print what the page promises", async () => {
  const code = examples.map((example) => example.code).join("\n");
  expect(await typeErrors("examples.ts", code)).toBe("");
  const own = client
    .replace("http://127.0.0.1:8787", url)
    .replace("vgl_your_key", stack.service.access.ownerKey.key ?? "");
  await writeFile(join(folder, "examples.mjs"), transformSync("examples.ts", `${own}\n${code}`).code);
  const { stdout } = await run(process.execPath, ["examples.mjs"], { cwd: folder });
  expect(stdout).toBe(examples.map(({ printed }) => printed).join(""));
});

describe("the types of openapi-typescript", () => {
  test("reject each wrong call", async () => {
    const quakes = 'client.GET("/api/seismology/v1/list-earthquakes"';
    const watch = 'client.POST("/api/watches/v1/create-watch"';
    const wrong = [
      'await client.GET("/api/seismology/v1/list-earthquake");',
      'await client.POST("/api/seismology/v1/list-earthquakes");',
      `await ${quakes}, { params: { query: { min_magnitude: "five" } } });`,
      `await ${quakes}, { params: { query: { magnitude: 5 } } });`,
      'await client.GET("/api/conflict/v1/get-humanitarian-summary");',
      `await ${watch}, { body: { name: "Any", on: "WATCH_ON_NEW_ROWS" } });`,
      `await ${watch}, { body: { name: "Any", call: "/", on: "WATCH_ON_ANYTHING" } });`,
      `plain((await ${quakes})).data ?? null).quakes;`,
    ];
    const errors = await typeErrors("wrong.ts", wrong.join("\n"));
    const start = client.split("\n").length + 1;
    const lines = [...errors.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => Number(line) - start);
    expect(new Set(lines), errors).toEqual(new Set(wrong.keys()));
  });

  test("reject the use of a member as a type other than the documented one", async () => {
    const code = `const { data } = await client.GET("/api/seismology/v1/list-earthquakes");
const ids: readonly string[] = data === undefined ? [] : plain(data).earthquakes.map(({ id }) => id);
const depths: readonly string[] = data === undefined ? [] : plain(data).earthquakes.map(({ depthKm }) => depthKm);
console.log(ids, depths);`;
    const errors = await typeErrors("answer.ts", code);
    expect(errors.match(/error TS\d+/g), errors).toEqual(["error TS2322"]);
  });
});
