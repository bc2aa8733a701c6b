import { describe, expect, test } from "vitest";
import { scopes } from "../contract/access/scopes.js";
import { findEnterpriseKey, parseEnterpriseKeys } from "./enterprise-keys.js";

const KEY = "an-opaque-key-of-24-char";
const OTHER = "another-opaque-key-of-an-operator";

/** Returns the scopes of the presented key if one of the entries has this key, else undefined. */
function scopesOf(entries: readonly string[], presented: string): readonly string[] | undefined {
  const key = findEnterpriseKey(parseEnterpriseKeys(entries), presented);
  return key && [...key.scopes];
}

describe("a key", () => {
  test.each([
    { entry: KEY, key: KEY, carries: scopes },
    { entry: `${KEY}=read`, key: KEY, carries: ["read"] },
    { entry: `${KEY}=read+company_monitoring:read`, key: KEY, carries: ["read", "company_monitoring:read"] },
    { entry: `${KEY}=company_monitoring:write`, key: KEY, carries: ["company_monitoring:write"] },
    { entry: `${KEY}=`, key: `${KEY}=`, carries: scopes },
    { entry: `${KEY}==`, key: `${KEY}==`, carries: scopes },
    { entry: `${KEY}===read`, key: `${KEY}==`, carries: ["read"] },
    { entry: `${KEY}=x`, key: `${KEY}=x`, carries: scopes },
  ])("the entry $entry contains the key $key with the scopes $carries", ({ entry, key, carries }) => {
    expect(scopesOf([entry], key)).toEqual(carries);
  });

  test.each([
    { presented: "", why: "empty" },
    { presented: KEY.slice(0, -1), why: "a known key without its last character" },
    { presented: `${KEY} `, why: "a known key followed by a space" },
    { presented: KEY.toUpperCase(), why: "a known key in upper case" },
    { presented: `${KEY}=read`, why: "a known key followed by its scopes" },
    { presented: OTHER, why: "an unknown key" },
  ])("a presented key that is $why is not found", ({ presented }) => {
    expect(scopesOf([`${KEY}=read`], presented)).toBeUndefined();
  });

  test("a key is found among several, with its own scopes", () => {
    const entries = [`${KEY}=read`, OTHER];
    expect(scopesOf(entries, KEY)).toEqual(["read"]);
    expect(scopesOf(entries, OTHER)).toEqual(scopes);
  });

  test("only the digest of a key is kept in memory", () => {
    const [parsed] = parseEnterpriseKeys([KEY]);
    expect(JSON.stringify(parsed?.digest.toString("latin1"))).not.toContain(KEY);
    expect(Object.keys(parsed ?? {})).toEqual(["digest", "scopes"]);
  });
});

test("an empty list has no keys", () => {
  expect(parseEnterpriseKeys([])).toEqual([]);
  expect(scopesOf([], KEY)).toBeUndefined();
});

describe("the error for a bad entry states the position of the entry and never shows the key", () => {
  const short = "sesame-".padEnd(23, "x");
  const tooShort = "VIGIL_ENTERPRISE_KEYS: key 2 must have at least 24 characters";
  const unknown =
    "VIGIL_ENTERPRISE_KEYS: key 2 names an unknown scope; the known scopes are read, account:write, company_monitoring:read, company_monitoring:write, webhooks:read, webhooks:write, watches:read, watches:write";

  test.each([
    { bad: short, sentence: tooShort },
    { bad: `${short}=read`, sentence: tooShort },
    { bad: "=read", sentence: tooShort },
    { bad: `${KEY}=company_monitoring:delete`, sentence: unknown },
    { bad: `${KEY}=read+company_monitoring:delete`, sentence: unknown },
  ])("the entry $bad is refused", ({ bad, sentence }) => {
    expect(() => parseEnterpriseKeys([OTHER, bad])).toThrow(new Error(sentence));
  });

  // If the entry were not refused, its whole text would become a key with every scope.
  test("an unknown scope without a colon is refused if the entry also names a known scope", () => {
    expect(() => parseEnterpriseKeys([OTHER, `${KEY}=read+wirte`])).toThrow(new Error(unknown));
  });
});
