import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const page = readFileSync(resolve(root, "docs/promises.md"), "utf8");
const rows = [...page.matchAll(/^\| (.+) \| `(\S+\.test\.ts)`: (.+) \|$/gm)].map(
  ([, promise = "", file = "", title = ""]) => ({
    promise,
    file,
    title,
  }),
);

test.each(rows)('the promise "$promise" names a test that exists', ({ file, title }) => {
  expect(existsSync(resolve(root, file)), file).toBe(true);
  // The title may be part of a template or a table, so it is searched for as plain text.
  expect(readFileSync(resolve(root, file), "utf8")).toContain(title);
});

test("every promise names its test", () => {
  const [promises = ""] = page.split("## Capacity");
  const lines = promises.split("\n").filter((line) => line.startsWith("| ") && !/^\| (---|promise)/.test(line));
  expect(rows.length).toBeGreaterThan(20);
  expect(lines).toHaveLength(rows.length);
});

test("every decision that docs/promises.md names exists", () => {
  const decisions = readdirSync(resolve(root, "docs/decisions")).map((name) => name.slice(0, 4));
  const named = [...page.matchAll(/(?:\bdecision |\()(\d{4})\b/g)].map(([, number = ""]) => number);
  expect(named.length).toBeGreaterThan(5);
  expect(decisions).toEqual(expect.arrayContaining(named));
});
