import { expect, test } from "vitest";
import { onFirstUse } from "./on-first-use.js";

test("a value is made when it is first used, and only once, even if it is undefined", () => {
  let makings = 0;
  const value = onFirstUse(() => {
    makings += 1;
    return undefined;
  });
  expect(makings).toBe(0);
  expect([value(), value(), makings]).toEqual([undefined, undefined, 1]);
});

test("if making a value fails, the next use tries again", () => {
  let makings = 0;
  const value = onFirstUse(() => {
    makings += 1;
    if (makings === 1) throw new Error("not yet");
    return makings;
  });
  expect(value).toThrow("not yet");
  expect(value()).toBe(2);
});
