import { describe, expect, test } from "vitest";
import { hashOfKey, isWellFormedKey, newKey } from "./key-format.js";

describe.each(["vgl_", "vgl_demo_"] as const)("a key with prefix %s", (prefix) => {
  test("a key consists of its prefix, 40 hex digits of secret and 8 of checksum", () => {
    expect(newKey(prefix)).toMatch(new RegExp(`^${prefix}[0-9a-f]{40}[0-9a-f]{8}$`));
  });

  test("generated keys are well formed, and no two are equal", () => {
    const keys = Array.from({ length: 200 }, () => newKey(prefix));
    expect(keys.every(isWellFormedKey)).toBe(true);
    expect(new Set(keys).size).toBe(200);
  });

  test("a key with one character replaced is malformed", () => {
    const key = newKey(prefix);
    const survivors = [...key].flatMap((original, at) =>
      [..."0123456789abcdefghijklmnopqrstuvwxyz_ABCF-"]
        .filter((letter) => letter !== original)
        .map((letter) => `${key.slice(0, at)}${letter}${key.slice(at + 1)}`)
        .filter(isWellFormedKey),
    );
    expect(survivors).toEqual([]);
  });

  test("a key with two neighbouring characters exchanged is malformed", () => {
    const key = newKey(prefix);
    const exchanged = Array.from({ length: key.length - 1 }, (_, at) => {
      const [left, right] = [key.charAt(at), key.charAt(at + 1)];
      return `${key.slice(0, at)}${right}${left}${key.slice(at + 2)}`;
    });
    expect(exchanged.filter((text) => text !== key && isWellFormedKey(text))).toEqual([]);
  });
});

test("the checksum covers the prefix, so a demo key with the prefix of a real key is malformed", () => {
  const demo = newKey("vgl_demo_");
  expect(isWellFormedKey(demo.replace("vgl_demo_", "vgl_"))).toBe(false);
});

test.each([
  { what: "an empty string", text: () => "" },
  { what: "the prefix alone", text: () => "vgl_" },
  { what: "a key after a space", text: (key: string) => ` ${key}` },
  { what: "a key before a line end", text: (key: string) => `${key}\n` },
  { what: "a key with one more letter", text: (key: string) => `${key}0` },
  { what: "a key without its last letter", text: (key: string) => key.slice(0, -1) },
  { what: "a key in upper case", text: (key: string) => key.toUpperCase() },
  { what: "a megabyte of keys", text: (key: string) => key.repeat(20_000) },
])("$what is not a well-formed key", ({ text }) => {
  expect(isWellFormedKey(text(newKey("vgl_")))).toBe(false);
});

test("keys made by earlier versions stay well formed", () => {
  const secret = "0123456789abcdef0123456789abcdef01234567";
  expect(isWellFormedKey(`vgl_${secret}40c17c04`)).toBe(true);
  expect(isWellFormedKey(`vgl_demo_${secret}4b902125`)).toBe(true);
});

test("the stored form of a key is the SHA-256 of the whole key", () => {
  expect(hashOfKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});
