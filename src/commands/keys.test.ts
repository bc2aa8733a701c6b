import { describe, expect, test } from "vitest";
import { addKeys, daysIn, scopesIn } from "./keys.js";
import { parsed } from "./testing/parsed.js";

const parse = (words: readonly string[]): Promise<unknown> =>
  parsed(
    (root, called) => addKeys(root, { list: called("list"), create: called("create"), revoke: called("revoke") }),
    ["keys", ...words],
  );

describe("vigil keys", () => {
  test.each([
    { words: [], call: ["list", undefined, {}] },
    { words: ["acme", "--demo"], call: ["list", "acme", { demo: true }] },
    {
      words: ["create", "acme", "--name", "ci", "--days", "30"],
      call: ["create", "acme", { name: "ci", scopes: "read,account:write", days: "30" }],
    },
    { words: ["revoke", "acme", "key_1", "--demo"], call: ["revoke", "acme", "key_1", { demo: true }] },
    { words: ["--demo", "revoke", "acme", "key_1"], call: ["revoke", "acme", "key_1", { demo: true }] },
  ])("vigil keys calls the command that the arguments $words select", async ({ words, call }) => {
    expect(await parse(words)).toEqual([call]);
  });

  test.each(["0", "36501", "1.5", "-1", "", "many"])("--days %j is refused", (days) => {
    expect(() => daysIn(days)).toThrow("--days must be a whole number from 1 to 36500");
  });

  test("--days 1 and --days 36500 are accepted", () => {
    expect([daysIn("1"), daysIn("36500")]).toEqual([1, 36_500]);
  });

  test("spaces around scopes are ignored", () => {
    expect(scopesIn("read, account:write")).toEqual(new Set(["read", "account:write"]));
  });

  test("an unknown scope is refused with a list of the known ones", () => {
    expect(() => scopesIn("read,fly")).toThrow(/^no scope is called fly; the scopes are .*read/);
  });
});
