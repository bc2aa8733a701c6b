import { createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import {
  component,
  contentDigest,
  requestComponent,
  responseValues,
  signatureBase,
  targetComponents,
  unusableComponent,
} from "./message-signature.js";
import { dictionaryIn, type InnerList } from "./structured-fields.js";

/** The example of RFC 9421, B.2.6. */
const message = new Map([
  ["date", "Tue, 20 Apr 2021 02:07:55 GMT"],
  ["@method", "POST"],
  ["@path", "/foo"],
  ["@authority", "example.com"],
  ["content-type", "application/json"],
  ["content-length", "18"],
]);
const INPUT =
  'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"';
const SIGNATURE = "wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==";
const X = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs";

test("the signature in the RFC's example is valid for the signature base of that example", () => {
  const covered = dictionaryIn(INPUT)?.get("sig-b26") as InnerList;
  const base = signatureBase(covered, responseValues({ response: message, request: new Map() }));
  expect(base.split("\n").slice(0, 2)).toEqual(['"date": Tue, 20 Apr 2021 02:07:55 GMT', '"@method": POST']);
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: X }, format: "jwk" });
  expect(verify(null, Buffer.from(base), key, Buffer.from(SIGNATURE, "base64"))).toBe(true);
  expect(verify(null, Buffer.from(base.replace("foo", "fop")), key, Buffer.from(SIGNATURE, "base64"))).toBe(false);
});

test("the digest equals the example in RFC 9530", () => {
  expect(contentDigest(Buffer.from('{"hello": "world"}\n'))).toBe(
    "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:",
  );
});

test("request and response components are distinct, and components with parameters other than req have no value", () => {
  const valueIn = responseValues({ response: new Map([["etag", "a"]]), request: new Map([["@path", "/"]]) });
  const list = (...items: InnerList["items"]): InnerList => ({ items, parameters: new Map() });
  expect(unusableComponent(list(component("etag"), requestComponent("@path")), valueIn)).toBeUndefined();
  expect(unusableComponent(list(component("@path")), valueIn)).toBe('"@path"');
  expect(unusableComponent(list(requestComponent("etag")), valueIn)).toBe('"etag";req');
  expect(unusableComponent(list(component("etag"), component("etag")), valueIn)).toBe('"etag"');
  expect(unusableComponent(list({ value: "etag", parameters: new Map([["sf", true]]) }), valueIn)).toBe('"etag";sf');
  expect(unusableComponent(list({ value: 1, parameters: new Map() }), valueIn)).toBe("1");
});

test.each([
  ["/a/b", "/a/b", "?"],
  ["/a?", "/a", "?"],
  ["/a?x=1&y=?", "/a", "?x=1&y=?"],
])("the target %s has the path %s and the query %s", (target, path, query) => {
  expect(targetComponents(target)).toEqual([
    ["@path", path],
    ["@query", query],
  ]);
});
