import { expect, test } from "vitest";
import { encodedPath, encodedQuery, sha256Hex, signedHeaders } from "./sign-request.js";

/** The credentials and the instant that the specification of AWS Signature Version 4 uses in its examples. */
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  sessionToken: undefined,
  region: "us-east-1",
};
const AT = Date.UTC(2013, 4, 24);
const ORIGIN = "https://examplebucket.s3.amazonaws.com";
const NOTHING = sha256Hex("");

test.each([
  {
    what: "a GET of a range",
    method: "GET",
    target: "/test.txt",
    headers: { range: "bytes=0-9" },
    bodyHash: NOTHING,
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    what: "a PUT of an object with a special character in its name",
    method: "PUT",
    target: encodedPath("/test$file.text"),
    headers: { date: "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY" },
    bodyHash: sha256Hex("Welcome to Amazon S3."),
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    what: "a query without a value",
    method: "GET",
    target: `/?${encodedQuery({ lifecycle: "" })}`,
    headers: {},
    bodyHash: NOTHING,
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    what: "a list of objects",
    method: "GET",
    target: `/?${encodedQuery({ prefix: "J", "max-keys": "2" })}`,
    headers: {},
    bodyHash: NOTHING,
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
])("the signature of $what matches the specification", ({ method, target, headers, bodyHash, signature }) => {
  const url = new URL(target, ORIGIN);
  const { authorization } = signedHeaders({ method, url, headers, bodyHash }, credentials, AT);
  expect(authorization).toContain("Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,");
  expect(authorization?.split("Signature=")[1]).toBe(signature);
});
