import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadUpstreams } from "./loader.js";

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vigil-upstreams-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const all = { "package.json": '{"type":"module"}', ...files };
  await Promise.all(Object.entries(all).map(([name, text]) => writeFile(join(folder, name), text)));
  return folder;
}

const exporting = (name: string, path: string): string =>
  `export const upstream = { name: "${name}", routes: [{ host: "a.org", path: "${path}" }] };`;

test("finds the upstreams of this folder by file", async () => {
  const names = (await loadUpstreams()).map((upstream) => upstream.name);
  expect(names).toEqual(expect.arrayContaining(["fred", "treasury"]));
});

test("reads code only: no tests, type files or source maps", async () => {
  const files = {
    "b.js": exporting("b", "/b"),
    "a.js": exporting("a", "/a"),
    "a.js.map": "",
    "a.d.ts": "",
    "a.test.js": "",
  };
  const names = (await loadUpstreams(await folderWith(files))).map((upstream) => upstream.name);
  expect(names).toEqual(["a", "b"]);
});

test("refuses a file without the export, naming it", async () => {
  const folder = await folderWith({ "wrong.js": "export const other = 1;" });
  await expect(loadUpstreams(folder)).rejects.toThrow(/wrong\.js must export `upstream`/);
});

test("refuses two files that answer for the same address", async () => {
  const folder = await folderWith({ "a.js": exporting("a", "/x"), "b.js": exporting("b", "/x") });
  await expect(loadUpstreams(folder)).rejects.toThrow("a.org/x is simulated twice");
});
