import { expect, test } from "vitest";
import { parsed } from "./testing/parsed.js";
import { addVerifyAnswer } from "./verify-answer.js";

const run = (...words: readonly string[]) =>
  parsed((root, called) => addVerifyAnswer(root, called("verify")), ["verify-answer", ...words]);

test("vigil verify-answer accepts a file, the keys and an address", async () => {
  expect(await run("a.http", "--keys", "k.json")).toEqual([["verify", "a.http", { keys: "k.json" }]]);
  expect(await run("-", "--keys", "k.json", "--url", "/a", "--json")).toEqual([
    ["verify", "-", { keys: "k.json", url: "/a", json: true }],
  ]);
});

test("vigil verify-answer requires a file and the keys", async () => {
  expect(await run("--keys", "k.json")).toContain("missing required argument 'file'");
  expect(await run("a.http")).toContain("required option '--keys <file>' not specified");
});
