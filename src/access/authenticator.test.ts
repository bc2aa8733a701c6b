import { describe, expect, test } from "vitest";
import { failure } from "../contract/failures.js";
import { authenticator } from "./authenticator.js";
import { parseEnterpriseKeys, scopes } from "./enterprise-keys.js";
import { hashOfKey, newKey } from "./key-format.js";

const OPERATOR = "an-operator-issued-key-of-any-shape";
const READER = "another-operator-key-that-only-reads";
const ownerKey = newKey("vgl_");
const revokedKey = newKey("vgl_");

function authenticated(headers: Readonly<Record<string, string>>, hashes = new Set([hashOfKey(ownerKey)])) {
  const subject = authenticator({
    enterpriseKeys: parseEnterpriseKeys([OPERATOR, `${READER}=read`]),
    ownerKeyHashes: () => hashes,
  });
  return subject.authenticate((name) => headers[name]);
}

const owner = { kind: "owner", caller: "owner", scopes: new Set(scopes) };
const operator = { kind: "enterprise", caller: hashOfKey(OPERATOR), scopes: new Set(scopes) };
const keyRequired = failure("keyRequired", null);
const keyInvalid = failure("keyInvalid", null);

describe("who is calling", () => {
  test.each([
    { given: "the owner's key", headers: { "x-service-key": ownerKey }, is: owner },
    { given: "the owner's key in the other header", headers: { "x-api-key": ownerKey }, is: owner },
    { given: "an operator's key", headers: { "x-service-key": OPERATOR }, is: operator },
    { given: "an operator's key in the other header", headers: { "x-api-key": OPERATOR }, is: operator },
    {
      given: "an operator's key with one scope",
      headers: { "x-service-key": READER },
      is: { kind: "enterprise", caller: hashOfKey(READER), scopes: new Set(["read"]) },
    },
    {
      given: "two keys: X-Service-Key counts",
      headers: { "x-service-key": OPERATOR, "x-api-key": ownerKey },
      is: operator,
    },
    { given: "an empty X-Service-Key", headers: { "x-service-key": "", "x-api-key": ownerKey }, is: owner },
  ])("$given", ({ headers, is }) => {
    expect(authenticated(headers)).toEqual(is);
  });

  test("a caller is never named by the key itself", () => {
    expect(JSON.stringify(authenticated({ "x-service-key": OPERATOR }))).not.toContain(OPERATOR);
  });
});

describe("refused", () => {
  test.each([
    { given: "no header", headers: {}, is: keyRequired },
    { given: "empty headers", headers: { "x-service-key": "", "x-api-key": "" }, is: keyRequired },
    { given: "a foreign header", headers: { authorization: `Bearer ${ownerKey}` }, is: keyRequired },
    { given: "an unknown key", headers: { "x-service-key": newKey("vgl_") }, is: keyInvalid },
    { given: "a revoked key", headers: { "x-service-key": revokedKey }, is: keyInvalid },
    { given: "a malformed key", headers: { "x-service-key": "hello" }, is: keyInvalid },
    {
      given: "a wrong X-Service-Key beside a right X-Api-Key",
      headers: { "x-service-key": "hello", "x-api-key": ownerKey },
      is: keyInvalid,
    },
  ])("$given", ({ headers, is }) => {
    expect(authenticated(headers)).toEqual(is);
  });

  test.each([
    { is: keyRequired, status: 401, body: { error: "API key required" } },
    { is: keyInvalid, status: 401, body: { error: "Invalid API key" } },
  ])("with $status $body.error", ({ is, status, body }) => {
    expect(is).toMatchObject({ status, body });
  });
});

test("a key stops working when the keys in force change, however often it was found good", () => {
  let hashes: ReadonlySet<string> = new Set();
  const subject = authenticator({
    enterpriseKeys: parseEnterpriseKeys([OPERATOR]),
    ownerKeyHashes: () => hashes,
  });
  const call = (key: string) => subject.authenticate((name) => (name === "x-service-key" ? key : undefined));
  expect(call(ownerKey)).toEqual(keyInvalid);
  hashes = new Set([hashOfKey(ownerKey)]);
  for (let calls = 0; calls < 3; calls++) expect(call(ownerKey)).toEqual(owner);
  hashes = new Set([hashOfKey(newKey("vgl_"))]);
  expect(call(ownerKey)).toEqual(keyInvalid);
  expect(call(OPERATOR)).toEqual(operator);
});

test("more callers than are remembered are all let in", () => {
  const keys = Array.from({ length: 1_005 }, (_, index) => `an-operator-issued-key-${index}`.padEnd(24, "x"));
  const subject = authenticator({ enterpriseKeys: parseEnterpriseKeys(keys), ownerKeyHashes: () => new Set() });
  for (const key of [...keys, ...keys.slice(0, 10)]) {
    expect(subject.authenticate(() => key)).toMatchObject({ kind: "enterprise", caller: hashOfKey(key) });
  }
});
