import { expect, test } from "vitest";
import { isLive, type RotatingKey, rotated, signingKeyAt } from "./key-rotation.js";

const policy = { rotatedEveryMs: 1_000, leadMs: 10, tokenMsMax: 100 };
const key = (id: string, activeAt: number): RotatingKey => ({ id, secret: id, activeAt });
const fresh = () => ({ id: "fresh", secret: "fresh" });
const ids = (keys: readonly RotatingKey[]): string[] => keys.map(({ id }) => id);

test("the first key of a set signs immediately", () => {
  const keys = rotated([], 5_000, policy, fresh);
  expect(keys).toEqual([key("fresh", 5_000)]);
  expect(signingKeyAt(keys, 5_000)?.id).toBe("fresh");
});

test("a key that is due is replaced by a key that does not sign until its lead time is over", () => {
  const keys = rotated([key("old", 0)], 1_000, policy, fresh);
  expect(keys).toEqual([key("old", 0), key("fresh", 1_010)]);
  expect(signingKeyAt(keys, 1_009)?.id).toBe("old");
  expect(signingKeyAt(keys, 1_010)?.id).toBe("fresh");
  expect(isLive(keys, "fresh", 1_000, policy)).toBe(true);
});

test("a replaced key stays live until its last token has expired", () => {
  const keys = [key("old", 0), key("new", 1_000)];
  expect(isLive(keys, "old", 1_099, policy)).toBe(true);
  expect(isLive(keys, "old", 1_100, policy)).toBe(false);
  expect(isLive(keys, "new", 1_000_000, policy)).toBe(true);
  expect(isLive(keys, "other", 0, policy)).toBe(false);
});

test("nothing changes before the newest key is due for replacement", () => {
  const keys = [key("old", 0), key("new", 1_000)];
  expect(rotated(keys, 1_999, policy, fresh)).toBe(keys);
});

test("a rotation drops the keys whose tokens have all expired, so at most two keys are live", () => {
  expect(ids(rotated([key("old", 0), key("new", 1_000)], 2_000, policy, fresh))).toEqual(["new", "fresh"]);
});

test("if the clock is set back to a time before the first key, that key is kept and signs", () => {
  const keys = [key("only", 1_000)];
  expect(rotated(keys, 0, policy, fresh)).toBe(keys);
  expect(signingKeyAt(keys, 0)?.id).toBe("only");
});

test("if a wrong clock created a key with a time far in the future, the key is dropped and rotation continues", () => {
  const keys = [key("old", 0), key("astray", 9_000_000)];
  expect(ids(rotated(keys, 500, policy, fresh))).toEqual(["old"]);
  expect(ids(rotated(keys, 1_500, policy, fresh))).toEqual(["old", "fresh"]);
});
