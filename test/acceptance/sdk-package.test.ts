import { execFile, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData, type Problem } from "@arethetypeswrong/core";
import { publint } from "publint";
import { transformSync } from "rolldown/utils";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath, noBrowser } from "../../scripts/browser.mjs";
import { type HttpServer, httpServer } from "../../src/http/server.js";
import { CONSUMER_PROGRAM, CONSUMER_RUN, type PackedConsumer, packedConsumer } from "../support/packed-consumer.js";
import { type Stack, startStack } from "../support/stack.js";

/* The packed client, checked as a package, bundled for browsers, and run in Node.js and in a browser. */

const BUNDLE_GZIP_BYTES_MAX = 10_000;

let consumer: PackedConsumer;
let stack: Stack;
let server: HttpServer;
let page: ReturnType<typeof createServer>;
let pageOrigin: string;
let url: string;
let key: string;
/** Called with the text that the page sends. */
let onResult: (text: string) => void = () => undefined;

const expected = { state: "ok", months: 1, projected: 1, rows: true, isRefused: true };

beforeAll(async () => {
  consumer = await packedConsumer();
  await consumer.write("program.ts", CONSUMER_PROGRAM);
  page = createServer(async (request, answer) => {
    if (request.method === "POST") {
      onResult(await text(request));
      answer.end();
      return;
    }
    const isScript = request.url === "/bundle.js";
    answer.setHeader("Content-Type", isScript ? "text/javascript" : "text/html");
    answer.end(isScript ? await bundle() : '<!doctype html><script type="module" src="/bundle.js"></script>');
  });
  await new Promise<void>((listening) => page.listen(0, "127.0.0.1", listening));
  pageOrigin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  const env = { VIGIL_ALLOWED_ORIGINS: pageOrigin };
  stack = await startStack({ datasets: ["us-cpi", "earthquakes"], filled: ["us-cpi", "earthquakes"], env });
  server = httpServer(stack.answer);
  url = await server.listen("127.0.0.1", 0);
  key = stack.service.access.ownerKey.key ?? "";
}, 180_000);
afterAll(async () => {
  page.close().closeAllConnections();
  await server.close();
  await stack.close();
  await rm(consumer.folder, { recursive: true, force: true });
});

/** Bundles the program that a browser loads. The bundle contains the client. */
async function bundle(): Promise<string> {
  const program = `import { summary } from "./program.ts";
const body = await summary(${JSON.stringify(url)}, ${JSON.stringify(key)}).catch((error) => String(error));
await fetch("/result", { method: "POST", body });
`;
  return bundled("page.ts", program);
}

/** Writes a file into the consumer's project and bundles it for browsers. */
async function bundled(name: string, source: string): Promise<string> {
  await consumer.write(name, source);
  await build({
    root: consumer.folder,
    configFile: false,
    logLevel: "error",
    build: { outDir: "out", lib: { entry: name, formats: ["es"], fileName: "bundle" }, minify: true, target: "es2022" },
  });
  return readFile(join(consumer.folder, "out/bundle.js"), "utf8");
}

test("publint has no complaint", async () => {
  const { messages } = await publint({ pkgDir: consumer.installed, pack: false, strict: true });
  expect(messages).toEqual([]);
});

test("arethetypeswrong has no complaint", async () => {
  const packed = createPackageFromTarballData(await readFile(consumer.tarball));
  const checked = await checkPackage(packed, { entrypoints: ["./sdk"] });
  if (!checked.types) throw new Error("the package has no types");
  // Problems with Node.js 10 and with `require` are ignored, because neither can resolve a package with only ES
  // modules.
  const isRelevant = (problem: Problem): boolean =>
    !("resolutionKind" in problem && ["node10", "node16-cjs"].includes(problem.resolutionKind));
  expect(checked.problems.filter(isRelevant)).toEqual([]);
});

test("the packed client works in Node.js", async () => {
  await consumer.write("program.mjs", transformSync("program.ts", CONSUMER_PROGRAM).code);
  await consumer.write("run.mjs", CONSUMER_RUN);
  expect(JSON.parse(await consumer.node("run.mjs", [url, key]))).toEqual(expected);
});

describe.each(["20", "24"])("installed by npm, in Node.js %s", (major) => {
  let folder: string;
  const run = async (file: string, args: readonly string[]): Promise<string> =>
    (await promisify(execFile)(file, args, { cwd: folder })).stdout;
  const node = (...args: readonly string[]): Promise<string> => run(join(folder, "node_modules/node/bin/node"), args);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "vigil-installed-"));
    await writeFile(join(folder, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
    await run("npm", ["install", "--no-audit", "--no-fund", consumer.tarball, `node@${major}`]);
    expect(await node("--version")).toMatch(new RegExp(`^v${major}\\.`));
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("the client works", async () => {
    await writeFile(join(folder, "program.mjs"), transformSync("program.ts", CONSUMER_PROGRAM).code);
    await writeFile(join(folder, "run.mjs"), CONSUMER_RUN);
    expect(JSON.parse(await node("run.mjs", url, key))).toEqual(expected);
  });

  test("the command line works", async () => {
    const { version } = JSON.parse(await readFile(join(folder, "node_modules/vigil/package.json"), "utf8"));
    expect(await node("node_modules/.bin/vigil", "--version")).toBe(`${version}\n`);
  });
});

test("Vite's bundle of the client for browsers is small and contains no Node.js module", async () => {
  const code = await bundled("entry.ts", 'export { createVigil } from "vigil/sdk";\n');
  expect(code).not.toMatch(/["']node:|\bprocess\.|\bBuffer\b|\brequire\(/);
  const bytes = gzipSync(code).length;
  expect(bytes).toBeLessThan(BUNDLE_GZIP_BYTES_MAX);
  process.stdout.write(`vigil/sdk: ${code.length} characters minified, ${bytes} bytes gzipped\n`);
  const kilobytes = (count: number): number => Math.round(count / 1_000);
  const guide = await readFile(join(import.meta.dirname, "../../docs/sdk.md"), "utf8");
  expect(guide).toContain(`${kilobytes(code.length)} KB minified, ${kilobytes(bytes)} KB compressed`);
});

test("a bundle that imports only VigilError contains nothing else of the client", async () => {
  const code = await bundled("error.ts", 'export { VigilError } from "vigil/sdk";\n');
  expect(code.length).toBeLessThan(300);
});

test.skipIf(noBrowser !== undefined)("the bundle works in Chromium, from another origin", async () => {
  const profile = await mkdtemp(join(tmpdir(), "vigil-chromium-"));
  const result = new Promise<string>((received) => {
    onResult = received;
  });
  const options = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    `--user-data-dir=${profile}`,
  ];
  const browser = spawn(browserPath, [...options, "--remote-debugging-port=0", pageOrigin], { stdio: "ignore" });
  try {
    expect(JSON.parse(await result)).toEqual(expected);
  } finally {
    const exited = new Promise((ended) => browser.once("exit", ended));
    browser.kill();
    await exited;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});

test("the packaged client has its code and types, and no source maps", async () => {
  const names = await readdir(join(consumer.installed, "dist/sdk"), { recursive: true });
  expect(names).toEqual(expect.arrayContaining(["index.js", "index.d.ts"]));
  expect(names.filter((name) => name.endsWith(".map"))).toEqual([]);
});
