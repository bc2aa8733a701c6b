import { expect, test } from "vitest";
import { internalFailure } from "./part-failure.js";

test.each([
  ["a program error is described by its message", new TypeError("x is undefined"), "internal error: x is undefined"],
  [
    "the message of a system error is omitted, because it can contain a path",
    Object.assign(new Error("ENOENT: no such file, open '/secret'"), { code: "ENOENT" }),
    "internal error; see the log",
  ],
  ["a thrown value that is no error is omitted", "secret", "internal error; see the log"],
])("%s", (_name, error, message) => {
  expect(internalFailure(error)).toEqual({ kind: "internal", message });
});

test("a long message is cut", () => {
  expect(internalFailure(new Error("x".repeat(1_000))).message).toHaveLength(300);
});
