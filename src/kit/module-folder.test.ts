import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { moduleFolder } from "./module-folder.js";

test("a module folder finds and loads the modules whose paths match, except tests and type files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vigil-modules-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const path of ["b/x.js", "a/x.js", "a/x.test.js", "a/x.d.ts", "a/x.js.map", "a/deep/x.js", "a/y.js"]) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), `export const path = "${path}";`);
  }
  const modules = moduleFolder(pathToFileURL(`${folder}/`), /^[^/]+\/x\./);
  expect(await modules.paths()).toEqual(["a/x.js", "b/x.js"]);
  expect(await modules.load("b/x.js")).toMatchObject({ path: "b/x.js" });
});
