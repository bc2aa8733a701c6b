import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import {
  bytesOf,
  type Encoding,
  encodingFor,
  etagOf,
  matchingEtag,
  representation,
  tagOf,
  weightOf,
} from "./representation.js";

const LONG = JSON.stringify({ months: Array.from({ length: 200 }, (_, index) => ({ index, value: 310.4 })) });
const encodings = ["identity", "gzip", "br"] as const;

const noFault = (error: unknown): never => {
  throw error;
};

/** The encoding that is sent once all compressions in progress have ended. */
async function settled(acceptEncoding: string, text = LONG): Promise<Encoding> {
  const body = representation(text, "t");
  await encodingFor(body, acceptEncoding, noFault);
  await expect.poll(() => Object.keys(body.packed).length).toBe(body.packing.size);
  return encodingFor(body, acceptEncoding, noFault);
}

describe("tagOf", () => {
  test("equal ingredients yield equal tags, and a tag needs no escaping in a header", () => {
    expect(tagOf(["1.0", "a?b", "3:ab"])).toBe(tagOf(["1.0", "a?b", "3:ab"]));
    expect(tagOf([])).toMatch(/^[\w-]{27}$/);
  });

  test.each([
    { other: ["a", "c"] },
    { other: ["b", "a"] },
    { other: ["a"] },
    { other: ["ab"] },
    { other: ["a", "b", ""] },
  ])("the tag of a and b differs from the tag of $other", ({ other }) => {
    expect(tagOf(other)).not.toBe(tagOf(["a", "b"]));
  });
});

describe("etagOf", () => {
  test("each encoding has its own strong ETag", () => {
    expect(encodings.map((encoding) => etagOf("t", encoding))).toEqual(['"t"', '"t-gzip"', '"t-br"']);
  });
});

describe("matchingEtag", () => {
  test.each([
    { ifNoneMatch: '"t"', is: '"t"' },
    { ifNoneMatch: '"t-gzip"', is: '"t-gzip"' },
    { ifNoneMatch: '"t-br"', is: '"t-br"' },
    { ifNoneMatch: 'W/"t"', is: '"t"' },
    { ifNoneMatch: 'W/"t-br"', is: '"t-br"' },
    { ifNoneMatch: '"a", "t-gzip" ,"b"', is: '"t-gzip"' },
    { ifNoneMatch: '"a",W/"t"', is: '"t"' },
    { ifNoneMatch: "*", is: '"t"' },
    { ifNoneMatch: " * ", is: '"t"' },
    { ifNoneMatch: "", is: undefined },
    { ifNoneMatch: "t", is: undefined },
    { ifNoneMatch: '"T"', is: undefined },
    { ifNoneMatch: '"t-deflate"', is: undefined },
    { ifNoneMatch: '"t-identity"', is: undefined },
    { ifNoneMatch: 'w/"t"', is: undefined },
    { ifNoneMatch: '"a", "b"', is: undefined },
  ])("the ETag that matches If-None-Match: $ifNoneMatch is $is", ({ ifNoneMatch, is }) => {
    expect(matchingEtag(ifNoneMatch, representation("{}", "t"))).toBe(is);
  });
});

describe("encodingFor", () => {
  test.each([
    { accept: "br", is: "br" },
    { accept: "gzip", is: "gzip" },
    { accept: "gzip, deflate, br, zstd", is: "br" },
    { accept: "gzip,br;q=0", is: "gzip" },
    { accept: "gzip;q=0, br;q=0", is: "identity" },
    { accept: "br;q=0.0, *", is: "gzip" },
    { accept: "*", is: "br" },
    { accept: "*;q=0", is: "identity" },
    { accept: "gzip, *;q=0", is: "gzip" },
    { accept: "identity", is: "identity" },
    { accept: "deflate", is: "identity" },
    { accept: "", is: "identity" },
    { accept: "GZIP", is: "gzip" },
    { accept: "BR;Q=0, gzip", is: "gzip" },
    { accept: "br ; q=0 , gzip ; q=1", is: "gzip" },
    { accept: "br;q=nonsense, gzip", is: "gzip" },
    { accept: "br;level=5;q=0, gzip", is: "gzip" },
    { accept: "br;q=0.5, gzip;q=0.8", is: "gzip" },
    { accept: "br;q=0.5, *;q=0.8", is: "gzip" },
    { accept: "gzip;q=0.5, br;q=0.5", is: "br" },
    { accept: "identity, br;q=0.5, gzip;q=0.1", is: "identity" },
    { accept: "identity;q=0.5, br;q=0.1, gzip;q=0.7", is: "gzip" },
    { accept: "gzip;q=0.1", is: "gzip" },
  ])("a call with Accept-Encoding '$accept' gets the encoding $is", async ({ accept, is }) => {
    expect(await settled(accept)).toBe(is);
  });

  test("a call without Accept-Encoding gets an uncompressed answer", () => {
    const body = representation(LONG, "t");
    expect(encodingFor(body, undefined, noFault)).toBe("identity");
    expect(body.packing.size).toBe(0);
  });

  test.each([
    { bytes: 1_023, is: "identity" },
    { bytes: 1_024, is: "br" },
  ])("a body of $bytes bytes is sent as $is", async ({ bytes, is }) => {
    expect(await settled("br", "x".repeat(bytes))).toBe(is);
  });

  test("identity is sent immediately, while the compressed form is made once in the background", async () => {
    const body = representation(LONG, "t");
    const meanwhile = Array.from({ length: 100 }, () => encodingFor(body, "br", noFault));
    expect(new Set(meanwhile)).toEqual(new Set(["identity"]));
    expect([...body.packing.keys()]).toEqual(["br"]);
    await expect.poll(() => encodingFor(body, "br", noFault)).toBe("br");
    const first = bytesOf(body, "br");
    expect(encodingFor(body, "br", noFault)).toBe("br");
    expect(bytesOf(body, "br")).toBe(first);
  });

  test("each encoding decodes to the same bytes", async () => {
    const body = representation(LONG, "t");
    for (const encoding of ["gzip", "br"] as const) {
      await expect.poll(() => encodingFor(body, encoding, noFault)).toBe(encoding);
    }
    expect(bytesOf(body, "identity").toString()).toBe(LONG);
    expect(gunzipSync(bytesOf(body, "gzip")).toString()).toBe(LONG);
    expect(brotliDecompressSync(bytesOf(body, "br")).toString()).toBe(LONG);
    expect(Buffer.byteLength(bytesOf(body, "br"))).toBeLessThan(Buffer.byteLength(LONG));
  });

  test("a client that refuses identity waits for the compressed form, even if the body is small", async () => {
    const [long, small] = [representation(LONG, "t"), representation("{}", "t")];
    expect(await encodingFor(long, "gzip, identity;q=0", noFault)).toBe("gzip");
    expect(await encodingFor(small, "br, *;q=0", noFault)).toBe("br");
    expect(brotliDecompressSync(bytesOf(small, "br")).toString()).toBe("{}");
  });

  test("a client that accepts no encoding gets identity", () => {
    expect(encodingFor(representation(LONG, "t"), "identity;q=0", noFault)).toBe("identity");
    expect(encodingFor(representation(LONG, "t"), "*;q=0", noFault)).toBe("identity");
  });

  test("identity is sent if the compressor fails", async () => {
    const faults: unknown[] = [];
    const body = { ...representation(LONG, "t"), identity: { byteLength: 2_000 } as Buffer };
    expect(await encodingFor(body, "gzip, identity;q=0", (error) => faults.push(error))).toBe("identity");
    expect(faults).toHaveLength(1);
  });

  test("the best of the forms that are ready is sent while a better one is made", async () => {
    const body = representation(LONG, "t");
    await expect.poll(() => encodingFor(body, "gzip", noFault)).toBe("gzip");
    expect(encodingFor(body, "gzip, br", noFault)).toBe("gzip");
  });
});

test("identity is sent instead of a form that is not ready", () => {
  const body = representation(Buffer.from("[]"), undefined);
  expect(bytesOf(body, "br")).toBe(body.identity);
});

test("the estimated memory of a body includes all its encodings", async () => {
  const body = representation(LONG, "t");
  const weight = weightOf(body);
  for (const encoding of ["gzip", "br"] as const) {
    await expect.poll(() => encodingFor(body, encoding, noFault)).toBe(encoding);
  }
  const held = encodings.reduce((sum, encoding) => sum + bytesOf(body, encoding).byteLength, 0);
  expect(weight).toBeGreaterThanOrEqual(held);
  expect(weightOf(representation("", "t"))).toBeGreaterThan(0);
});
