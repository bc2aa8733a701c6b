import { describe, expect, test } from "vitest";
import { addAccounts } from "./accounts.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed(
    (root, called) => addAccounts(root, { list: called("list"), create: called("create"), plan: called("plan") }),
    ["accounts", ...words],
  );

describe("vigil accounts", () => {
  test.each([
    { words: ["--demo"], call: ["list", { demo: true }] },
    { words: ["create", "Acme"], call: ["create", "Acme", { plan: "starter" }] },
    { words: ["create", "Acme", "--create"], call: ["create", "Acme", { plan: "starter", create: true }] },
    {
      words: ["create", "Acme", "--plan", "pro", "--id", "acme", "--demo"],
      call: ["create", "Acme", { plan: "pro", id: "acme", demo: true }],
    },
    { words: ["--demo", "create", "Acme"], call: ["create", "Acme", { plan: "starter", demo: true }] },
    { words: ["plan", "acme", "pro"], call: ["plan", "acme", "pro", { state: "active" }] },
  ])("vigil accounts calls the command that the arguments $words select", async ({ words, call }) => {
    expect(await parse(words)).toEqual([call]);
  });
});
