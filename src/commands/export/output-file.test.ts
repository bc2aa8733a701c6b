import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OperatorError } from "../../kit/operator-error.js";
import { ReaderGone, streamOutput, writeWithProvenance } from "./output-file.js";

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vigil-output-"));
  path = join(folder, "rows.csv");
});
afterEach(() => rm(folder, { recursive: true }));

test("a new export replaces an earlier file and its provenance", async () => {
  await writeFile(path, "earlier");
  await writeWithProvenance(path, { dataset: "a" }, async (output) => {
    await output.write("id\r\n");
    expect(await readFile(path, "utf8")).toBe("earlier");
    await output.write(Buffer.from("1\r\n"));
  });
  expect(await readFile(path, "utf8")).toBe("id\r\n1\r\n");
  expect(JSON.parse(await readFile(`${path}.json`, "utf8"))).toEqual({
    file: { bytes: 7, sha256: createHash("sha256").update("id\r\n1\r\n").digest("hex") },
    dataset: "a",
  });
});

test("a folder, or a path that ends with a slash, is refused before anything is written", async () => {
  const write = vi.fn(async () => undefined);
  for (const output of [folder, `${folder}/`, join(folder, "new/")]) {
    const refusal = writeWithProvenance(output, {}, write);
    await expect(refusal).rejects.toThrow(OperatorError);
    await expect(refusal).rejects.toThrow(`${output} is a folder; name a file in it with --output`);
  }
  await mkdir(`${path}.json`);
  await expect(writeWithProvenance(path, {}, async () => undefined)).rejects.toThrow(`${path}.json is a folder`);
  expect(write).not.toHaveBeenCalled();
  expect(await readdir(folder)).toEqual(["rows.csv.json"]);
});

test("an interrupted write leaves the earlier file and nothing else", async () => {
  await writeFile(path, "earlier");
  const writing = writeWithProvenance(path, {}, async (output) => {
    await output.write("half of the rows");
    throw new Error("interrupted");
  });
  await expect(writing).rejects.toThrow("interrupted");
  expect([await readdir(folder), await readFile(path, "utf8")]).toEqual([["rows.csv"], "earlier"]);
});

test("a folder that does not exist is refused with the path", async () => {
  const writing = writeWithProvenance(join(folder, "none", "a.csv"), {}, async () => undefined);
  await expect(writing).rejects.toThrow(/none\/a\.csv cannot be written \(ENOENT\)/);
});

test("writing to a paused reader ends when the signal aborts", async () => {
  const stop = new AbortController();
  const paused = new Writable({ write: () => undefined });
  const writing = streamOutput(paused, stop.signal).write("a");
  stop.abort(new Error("interrupted"));
  await expect(writing).rejects.toThrow("interrupted");
});

test("a write to a stream that its reader has closed throws `ReaderGone`", async () => {
  const stream = new PassThrough();
  const output = streamOutput(stream, new AbortController().signal);
  stream.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await expect(output.write("a")).rejects.toThrow(ReaderGone);
});
