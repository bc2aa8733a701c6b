import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { moduleFolder } from "../src/kit/module-folder.js";
import { FOUND_BY_NAME } from "../src/kit/service-modules.js";
import { loadServices } from "../src/services/registry.js";
import { upstream } from "./examples/services/space-weather/simulated/planetary-k-index.js";
import { json, type Stack, startStack } from "./support/stack.js";

/* The code in docs/write-a-source.md and docs/write-an-operation.md is a copy of test/examples/, which is run here. */

const repository = resolve(import.meta.dirname, "..");
const folder = resolve(import.meta.dirname, "examples/services");
const pages = ["write-a-source", "write-an-operation"].map((name) =>
  readFileSync(resolve(repository, `docs/${name}.md`), "utf8"),
);

/** The code on the pages. The key of each piece of code is the path that the page states above it. */
const shown = new Map(
  pages.flatMap((page) =>
    Array.from(
      page.matchAll(/^`src\/services\/(\S+)`:\n\n```ts\n([\s\S]*?)```$/gm),
      ([, path = "", code = ""]) => [path, code] as const,
    ),
  ),
);

/** The code of an example file, with its imports changed as if it were in src/. */
function movedToSource(path: string): string {
  const depth = path.split("/").length;
  const up = (levels: number): string => "../".repeat(levels);
  return readFileSync(join(folder, path), "utf8")
    .replaceAll(`"${up(depth + 2)}src/`, `"${up(depth)}`)
    .replaceAll(`"${up(depth + 1)}support/`, `"${up(depth + 1)}test/support/`);
}

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

test("the pages show every file of the example", () => {
  expect([...shown.keys()].toSorted()).toEqual(files.toSorted());
});

test.each(files)("the pages show %s unchanged", (path) => {
  expect(shown.get(path)).toBe(movedToSource(path));
});

describe("the example operation", () => {
  let stack: Stack;
  beforeAll(async () => {
    const example = await loadServices(moduleFolder(pathToFileURL(`${folder}/`), FOUND_BY_NAME));
    stack = await startStack({ datasets: ["planetary-k-index"], upstreams: [upstream], added: example });
    await stack.run("planetary-k-index");
  });
  afterAll(() => stack.close());

  test("answers from the simulated feed", async () => {
    const answer = await stack.get("/api/space-weather/v1/get-planetary-k-index?jmespath=minutes[-1]");
    expect(answer.headers["X-Vigil-State"]).toBe("ok");
    expect(json(answer)).toEqual({ at: Date.UTC(2026, 10, 18, 11, 59), kIndex: 3 });
  });
});
