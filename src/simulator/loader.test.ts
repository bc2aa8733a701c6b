import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type ModuleFolder, moduleFolder } from "../kit/module-folder.js";
import { loadUpstreams } from "./loader.js";

/** Creates a folder of services with these files. */
async function servicesWith(files: Readonly<Record<string, string>>): Promise<ModuleFolder> {
  const folder = await mkdtemp(join(tmpdir(), "vigil-upstreams-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const all = { "package.json": '{"type":"module"}', ...files };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return moduleFolder(pathToFileURL(`${folder}/`), /\//);
}

const exporting = (name: string, path: string): string =>
  `export const upstream = { name: "${name}", routes: [{ host: "a.org", path: "${path}" }] };`;

test("the loader finds the simulated upstreams of the services", async () => {
  const names = (await loadUpstreams()).map((upstream) => upstream.name);
  expect(names).toEqual(expect.arrayContaining(["fred", "treasury"]));
});

test("the loader reads only code files directly in `simulated/`: no tests, type files, source maps or subfolders", async () => {
  const files = {
    "one/simulated/b.js": exporting("b", "/b"),
    "two/simulated/a.js": exporting("a", "/a"),
    "two/simulated/a.js.map": "",
    "two/simulated/a.d.ts": "",
    "two/simulated/a.test.js": "",
    "two/simulated/models/c.js": "",
    "three/service.js": "",
  };
  const names = (await loadUpstreams(await servicesWith(files))).map((upstream) => upstream.name);
  expect(names).toEqual(["a", "b"]);
});

test("the loader refuses a file that does not export `upstream`, and names the file", async () => {
  const modules = await servicesWith({ "one/simulated/wrong.js": "export const other = 1;" });
  await expect(loadUpstreams(modules)).rejects.toThrow(/wrong\.js must export `upstream`/);
});

test("the loader refuses two files for the same address", async () => {
  const modules = await servicesWith({
    "one/simulated/a.js": exporting("a", "/x"),
    "one/simulated/b.js": exporting("b", "/x"),
  });
  await expect(loadUpstreams(modules)).rejects.toThrow("a.org/x is simulated twice");
});
