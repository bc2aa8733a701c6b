import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recordedClockStart, sameRequest } from "./recorded-index.js";

async function folderWith(index?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vigil-index-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  if (index !== undefined) await writeFile(join(folder, "index.json"), index);
  return folder;
}

test("the clock starts at the capture time of the index", async () => {
  const folder = await folderWith('{"capturedAt":"2026-08-28T15:52:19Z","files":[]}');
  expect(await recordedClockStart(folder)).toBe(Date.parse("2026-08-28T15:52:19Z"));
});

test.each([undefined, "[]", '{"files":[]}'])("the index %s sets no start time", async (index) => {
  expect(await recordedClockStart(await folderWith(index))).toBeUndefined();
});

test.each(["{", '{"capturedAt":"yesterday"}', '{"files":{}}', '[{"url":"https://a.org/x"}]', "7"])(
  "the index %s is refused",
  async (index) => {
    await expect(recordedClockStart(await folderWith(index))).rejects.toThrow("cannot be used");
  },
);

test.each([
  ["https://a.org/x?a=1&b=2", "https://a.org/x?b=2&a=1", true],
  ["https://a.org/x?a=1", "https://a.org/x?a=1&api_key=secret", true],
  ["https://a.org/x", "https://a.org/x?a=1", true],
  ["https://a.org/x?a=1", "https://a.org/x?a=2", false],
  ["https://a.org/x?a=1", "https://a.org/x", false],
  ["https://a.org/x", "https://b.org/x", false],
  ["https://a.org/x", "https://a.org/y", false],
])("whether a recording of %s answers a request for %s: %s", (recorded, requested, same) => {
  expect(sameRequest(new URL(recorded), new URL(requested))).toBe(same);
});
