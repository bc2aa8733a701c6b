import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONSUMER_PROGRAM, type PackedConsumer, packedConsumer } from "./support/packed-consumer.js";

/* The packed client in an empty project. test/acceptance/sdk-package.test.ts also bundles and runs it. */

let consumer: PackedConsumer;
beforeAll(async () => {
  consumer = await packedConsumer();
  await consumer.write("program.ts", CONSUMER_PROGRAM);
}, 60_000);
afterAll(() => rm(consumer.folder, { recursive: true, force: true }));

test.each(["bundler", "node16"] as const)("the types resolve under moduleResolution %s", async (resolution) => {
  expect(await consumer.typeErrors("program.ts", resolution)).toBe("");
});

test("the modules of the client import nothing but each other", async () => {
  const folder = join(consumer.installed, "dist/sdk");
  const names = await readdir(folder, { recursive: true });
  const modules = names.filter((name) => name.endsWith(".js"));
  expect(modules.length).toBeGreaterThan(15);
  for (const name of modules) {
    const text = await readFile(join(folder, name), "utf8");
    const specifiers = [...text.matchAll(/(?:from|import\()\s*"([^"]+)"/g)].map(([, specifier]) => specifier);
    expect(specifiers.filter((specifier) => !specifier?.startsWith("."))).toEqual([]);
  }
});

test("the client loads in Node.js without anything else installed", async () => {
  await consumer.write("load.mjs", 'import { createVigil } from "vigil/sdk";\nconsole.log(typeof createVigil);\n');
  expect(await consumer.node("load.mjs", [])).toBe("function\n");
});
