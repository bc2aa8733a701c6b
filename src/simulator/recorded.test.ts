import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rawGet, started } from "./testing/harness.js";

const NOW = "2024-05-01T00:00:00Z";

/** Creates a folder `recorded` with these files, next to a file `secret.txt` that must never be served. */
async function recordedFolder(files: Readonly<Record<string, string>>): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "vigil-recorded-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  await writeFile(join(parent, "secret.txt"), "secret");
  const folder = join(parent, "recorded");
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

test("a recording is found through the index, whatever the order of the parameters; an API key is ignored", async () => {
  const index = [
    { url: "https://a.org/data", file: "any.txt" },
    { url: "https://a.org/data?x=1&y=2", file: "one.bin", status: 203, contentType: "text/csv" },
  ];
  const recordedDir = await recordedFolder({ "index.json": JSON.stringify(index), "any.txt": "any", "one.bin": "one" });
  const simulator = await started(NOW, { recordedDir });
  const exact = await simulator.get("https://a.org/data?y=2&x=1&api_key=abc");
  expect([exact.status, exact.headers.get("content-type"), await exact.text()]).toEqual([203, "text/csv", "one"]);
  expect(exact.headers.get("x-vigil-simulated")).toBe("1");
  expect(await simulator.text("https://a.org/data?x=9")).toBe("any");
});

test("a recording is found by its path in the folder; a file named with the query takes precedence over one named without it", async () => {
  const recordedDir = await recordedFolder({ "a.org/deep/feed@y=2019": "of 2019", "a.org/deep/feed": "any year" });
  const simulator = await started(NOW, { recordedDir });
  expect(await simulator.text("https://a.org/deep/feed?y=2019")).toBe("of 2019");
  expect(await simulator.text("https://a.org/deep/feed?y=2020")).toBe("any year");
});

test("an unrecorded request is answered with 404 and never simulated", async () => {
  const simulator = await started(NOW, { recordedDir: await recordedFolder({ "a.org/x": "" }) });
  expect((await simulator.get("https://fred.stlouisfed.org/graph/fredgraph.csv?id=CPIAUCSL")).status).toBe(404);
  expect((await simulator.get("https://a.org/")).status).toBe(404);
  expect((await simulator.get(`https://a.org/${"x".repeat(300)}`)).status).toBe(404);
});

test.each([
  ["a.org/t.csv", "", "text/csv"],
  ["a.org/t", "<?xml version='1.0'?><a/>", "application/xml"],
  ["a.org/t", "<!DOCTYPE html><p>", "text/html"],
  ["a.org/t", " [1]", "application/json"],
  ["a.org/t", "abc", "application/octet-stream"],
])("the content type of %s with the content %j is %s", async (file, text, type) => {
  const simulator = await started(NOW, { recordedDir: await recordedFolder({ [file]: text }) });
  expect((await simulator.get(`https://${file}`)).headers.get("content-type")).toBe(type);
});

test.each([
  "/a.org/../../secret.txt",
  "/a.org/%2e%2e/%2e%2e/secret.txt",
  "/a.org/..%2f..%2fsecret.txt",
  "/a.org/..%5c..%5csecret.txt",
  "/a.org/x%00",
  "/a.org/%ff",
  "/a.org/x?/../../../secret.txt",
  "/a.org/link",
])("the address %s cannot be used to read a file outside the folder", async (target) => {
  const recordedDir = await recordedFolder({ "a.org/other": "" });
  await symlink("../../secret.txt", join(recordedDir, "a.org/link"));
  const simulator = await started(NOW, { recordedDir });
  const wire = await rawGet(simulator, target);
  expect(wire).toMatch(/^HTTP\/1.1 404 /);
  expect(wire).not.toContain("secret");
});

test("an index cannot point outside the folder", async () => {
  const index = JSON.stringify([{ url: "https://a.org/x", file: "../secret.txt" }]);
  const simulator = await started(NOW, { recordedDir: await recordedFolder({ "index.json": index }) });
  expect((await simulator.get("https://a.org/x")).status).toBe(404);
});

test("a fault applies to recordings; at an address without a simulated upstream, a fault that rewrites bodies gives a 501", async () => {
  const recordedDir = await recordedFolder({
    "fred.stlouisfed.org/graph/fredgraph.csv": "observation_date,X\n2020-01-01,1.000\n",
    "a.org/x": "text",
  });
  const simulator = await started(NOW, { recordedDir });
  simulator.faults.set({ upstream: "*" }, { kind: "empty" });
  expect(await simulator.text("https://fred.stlouisfed.org/graph/fredgraph.csv?id=X")).toBe("observation_date,X\n");
  expect((await simulator.get("https://a.org/x")).status).toBe(501);
  simulator.faults.set({ upstream: "a.org" }, { kind: "status", code: 500 });
  expect((await simulator.get("https://a.org/x")).status).toBe(500);
});

test("an invalid index or a missing folder is refused at the start", async () => {
  const recordedDir = await recordedFolder({ "index.json": '[{"url":"nonsense"}]' });
  await expect(started(NOW, { recordedDir })).rejects.toThrow("index.json cannot be used");
  await expect(started(NOW, { recordedDir: join(recordedDir, "absent") })).rejects.toThrow("ENOENT");
});
