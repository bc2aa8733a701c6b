import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call, json, NOON, type Stack, startStack } from "./support/stack.js";

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const OPERATOR = "operator-key-0123456789abcdef";
const COMPANY_ONLY = "company-key-0123456789abcdef";

let stack: Stack;
let key: Record<string, string>;
beforeAll(async () => {
  const env = { VIGIL_ENTERPRISE_KEYS: `${OPERATOR},${COMPANY_ONLY}=company_monitoring:read` };
  stack = await startStack({ env });
  await stack.run("us-cpi");
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
}, 60_000);
afterAll(() => stack.close());

describe("authentication over HTTP", () => {
  const sentences = [
    { name: "no credential", headers: {}, status: 401, error: "API key required" },
    { name: "an empty key", headers: { "x-service-key": "" }, status: 401, error: "API key required" },
    { name: "a malformed key", headers: { "x-service-key": "nonsense" }, status: 401, error: "Invalid API key" },
    {
      name: "a well-formed unknown key",
      headers: { "x-service-key": `vgl_${"0".repeat(40)}b27ba7d0` },
      status: 401,
      error: "Invalid API key",
    },
    {
      name: "a key that has only company scopes",
      headers: { "x-service-key": COMPANY_ONLY },
      status: 403,
      error: "This key lacks the scope read",
    },
  ];

  test.each(sentences)(
    "a call with $name gets the expected refusal, which must not be cached",
    async ({ headers, status, error }) => {
      const answer = await stack.get(CPI, headers);
      expect(answer.status).toBe(status);
      expect(json(answer)).toEqual({ error });
      expect(answer.headers["Cache-Control"]).toBe("no-store");
    },
  );

  test("an operator's key is accepted in either header", async () => {
    expect((await stack.get(CPI, { "x-service-key": OPERATOR })).status).toBe(200);
    expect((await stack.get(CPI, { "x-api-key": OPERATOR })).status).toBe(200);
  });

  test("X-Service-Key takes precedence over X-Api-Key", async () => {
    const answer = await stack.get(CPI, { "x-service-key": "wrong", "x-api-key": OPERATOR });
    expect(answer.status).toBe(401);
  });
});

describe("the routing of paths and methods", () => {
  test("an unknown path answers 401 to an anonymous caller and 404 to an authenticated one", async () => {
    expect((await stack.get("/api/economic/v1/no-such", {})).status).toBe(401);
    const answer = await stack.get("/api/economic/v1/no-such", key);
    expect(answer.status).toBe(404);
    expect(json(answer)).toEqual({ error: "Not found" });
  });

  test("a known path called with another method answers 405 and lists the allowed methods", async () => {
    const answer = await call(stack.answer, "POST", CPI, key);
    expect(answer.status).toBe(405);
    expect(json(answer)).toEqual({ error: "Method not allowed" });
    expect(answer.headers["Allow"]).toBe("GET, HEAD, OPTIONS");
  });

  test("one trailing slash is ignored, but two are not", async () => {
    expect((await stack.get(`${CPI}/`, key)).status).toBe(200);
    expect((await stack.get(`${CPI}//`, key)).status).toBe(404);
  });

  test("HEAD has the headers of GET", async () => {
    const [get, head] = await Promise.all([stack.get(CPI, key), call(stack.answer, "HEAD", CPI, key)]);
    expect(head.headers).toEqual(get.headers);
    expect(head.status).toBe(200);
  });

  test.each([
    ["/livez", 200],
    ["/readyz", 200],
    ["/openapi.json", 200],
    ["/llms.txt", 200],
    ["/api/health?compact=1", 200],
    ["/api/health", 401],
    ["/api/version", 401],
    ["/api/datasets", 401],
    ["/api/catalog", 401],
    ["/nowhere", 404],
  ])("an anonymous call to %s gets %i", async (path, status) => {
    expect((await stack.get(path, {})).status).toBe(status);
  });
});

describe("a query string", () => {
  test.each([
    ["history=banana", "history", 'must be true or false, got "banana"'],
    ["history=yes", "history", 'must be true or false, got "yes"'],
    ["history=true&history=false", "history", "must be given once, got 2 values"],
    ["jmespath=a&jmespath=b", "jmespath", "must be given once, got 2 values"],
    ["history=%00%1b%5b31m", "history", 'must be true or false, got "??[31m"'],
  ])("the query ?%s is refused with the field's name and the violated rule", async (query, field, description) => {
    const answer = await stack.get(`${CPI}?${query}`, key);
    expect(answer.status).toBe(400);
    expect(json(answer)).toEqual({ violations: [{ field, description }] });
    expect(answer.headers["Cache-Control"]).toBe("no-store");
  });

  test.each(["history=TRUE", "history=1", "history=True"])("the query ?%s means true", async (query) => {
    const [spelled, plain] = await Promise.all([
      stack.get(`${CPI}?${query}`, key),
      stack.get(`${CPI}?history=true`, key),
    ]);
    expect([spelled.status, spelled.headers["ETag"]]).toEqual([200, plain.headers["ETag"]]);
  });

  test("every unknown parameter is reported in a notice on every answer, including a 304", async () => {
    const target = `${CPI}?historie=true&x%0D%0Ay=1`;
    const notice = 'unknown-parameter;name="historie", unknown-parameter;name="x%0D%0Ay"';
    for (const more of [{}, {}, { origin: "http://localhost:8787" }]) {
      const answer = await stack.get(target, { ...key, ...more });
      expect([answer.status, answer.headers["X-Vigil-Notice"]]).toEqual([200, notice]);
      const revalidated = await stack.get(target, { ...key, ...more, "if-none-match": answer.headers["ETag"] ?? "" });
      expect([revalidated.status, revalidated.headers["X-Vigil-Notice"]]).toEqual([304, notice]);
    }
    expect((await stack.get(CPI, key)).headers).not.toHaveProperty("X-Vigil-Notice");
  });

  test("an invalid projection is refused with the reason and the names of the plain body's members", async () => {
    const answer = await stack.get(`${CPI}?jmespath=${encodeURIComponent("months[")}`, key);
    expect(answer.status).toBe(400);
    expect(json(answer)).toEqual({
      _jmespath_error: expect.stringMatching(/^invalid_expression: /),
      original_keys: ["months", "unavailable"],
    });
    expect(answer.headers).toMatchObject({ "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" });
  });

  test("an expression over 1,024 bytes is refused with its length and the limit", async () => {
    const answer = await stack.get(`${CPI}?jmespath=${"a".repeat(1_025)}`, key);
    expect(json(answer)).toMatchObject({ _jmespath_error: "expression_too_long: 1025 > 1024" });
  });
});

describe("a projection", () => {
  test("the projection @ returns the plain body byte for byte", async () => {
    const [plain, projected] = await Promise.all([stack.get(CPI, key), stack.get(`${CPI}?jmespath=@`, key)]);
    expect(String(projected.body)).toBe(String(plain.body));
    expect(projected.headers["ETag"]).not.toBe(plain.headers["ETag"]);
  });

  test("a missing path is projected to null with 200", async () => {
    const answer = await stack.get(`${CPI}?jmespath=nothing.here`, key);
    expect([answer.status, String(answer.body)]).toEqual([200, "null"]);
  });

  test("a projection whose result exceeds 256 KB is refused with its size", async () => {
    const answer = await stack.get(`${CPI}?history=true&jmespath=${encodeURIComponent("[months, months]")}`, key);
    expect(json(answer)).toMatchObject({
      _jmespath_error: expect.stringMatching(/^projection_too_large: \d+ > 262144$/),
    });
  });

  test("a projection does not hide the body's unavailable marker from the caching rules", async () => {
    const empty = await startStack();
    try {
      const answer = await empty.get(`${CPI}?jmespath=months`);
      expect([String(answer.body), answer.headers["Cache-Control"]]).toEqual(["[]", "no-store"]);
    } finally {
      await empty.close();
    }
  });
});

describe("a request from a browser", () => {
  const own = "http://127.0.0.1:8787";

  test.each([
    { request: "a valid request", path: CPI, credential: key },
    { request: "a request without a credential for an unknown path", path: "/api/anything", credential: {} },
  ])("an origin that is not allowed is refused without CORS headers: $request", async ({ path, credential }) => {
    const answer = await stack.get(path, { ...credential, origin: "https://evil.example" });
    expect(answer.status).toBe(403);
    expect(json(answer)).toEqual({ error: "Origin not allowed" });
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("Access-Control"))).toEqual([]);
  });

  test("an allowed origin is echoed, and a request without an origin gets the service's own origin", async () => {
    const local = await stack.get(CPI, { ...key, origin: "http://localhost:8787" });
    expect(local.headers["Access-Control-Allow-Origin"]).toBe("http://localhost:8787");
    expect((await stack.get(CPI, key)).headers["Access-Control-Allow-Origin"]).toBe(own);
  });

  test("a preflight needs no credential, even for unknown paths", async () => {
    const answer = await call(stack.answer, "OPTIONS", "/api/anything", { origin: own });
    expect(answer).toMatchObject({
      status: 204,
      body: undefined,
      headers: {
        "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
        "Access-Control-Max-Age": "3600",
        "Access-Control-Allow-Credentials": "true",
      },
    });
  });

  test.each([
    "ETag",
    "RateLimit",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Mode",
    "X-Vigil-State",
    "X-Vigil-Generation",
    "X-Vigil-Data",
    "X-Vigil-Notice",
    "X-Request-Id",
    "Deprecation",
    "Sunset",
    "Link",
  ])("a page of an allowed origin can read the header %s", async (name) => {
    const page = { ...key, origin: "http://localhost:8787" };
    expect((await stack.get(CPI, page)).headers["Access-Control-Expose-Headers"]?.split(", ")).toContain(name);
    // A caller that sends no Origin is not a web page, so it gets no list of exposed headers.
    expect((await stack.get(CPI, key)).headers).not.toHaveProperty("Access-Control-Expose-Headers");
  });
});

describe("an HTTP answer", () => {
  const large = `${CPI}?history=true`;

  test.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const)("an answer that was compressed with %s in the background has its own ETag", async (encoding, unpack) => {
    const headers = { ...key, "accept-encoding": encoding };
    const uncompressed = await stack.get(large, headers);
    expect(uncompressed.headers).not.toHaveProperty("Content-Encoding");
    const packed = await vi.waitUntil(async () => {
      const answer = await stack.get(large, headers);
      return answer.headers["Content-Encoding"] === encoding && answer;
    });
    expect(unpack(packed.body as Buffer).toString()).toBe(String(uncompressed.body));
    expect(packed.headers["ETag"]).toBe(uncompressed.headers["ETag"]?.replace(/"$/, `-${encoding}"`));
    const revalidated = await stack.get(large, { ...headers, "if-none-match": uncompressed.headers["ETag"] ?? "" });
    expect(revalidated.status).toBe(304);
  });

  test("If-Modified-Since is honoured unless If-None-Match is present", async () => {
    const { headers } = await stack.get(CPI, key);
    const since = headers["Last-Modified"] ?? "";
    const ask = async (more: Record<string, string>) => stack.get(CPI, { ...key, ...more });
    const revalidated = await ask({ "if-modified-since": since });
    expect([revalidated.status, revalidated.body, revalidated.headers["ETag"]]).toEqual([
      304,
      undefined,
      headers["ETag"],
    ]);
    const later = new Date(Date.parse(since) + 1_000).toUTCString();
    const earlier = new Date(Date.parse(since) - 1_000).toUTCString();
    expect((await ask({ "if-modified-since": later })).status).toBe(304);
    expect((await ask({ "if-modified-since": earlier })).status).toBe(200);
    expect((await ask({ "if-modified-since": "yesterday" })).status).toBe(200);
    expect((await ask({ "if-modified-since": since, "if-none-match": '"other"' })).status).toBe(200);
  });

  test("If-Modified-Since is ignored for an answer that also changes with the clock", async () => {
    const fresh = await startStack();
    try {
      await fresh.run("aviation-news");
      const NEWS = "/api/aviation/v1/list-aviation-news";
      const { headers } = await fresh.get(NEWS);
      const own = { "x-service-key": fresh.service.access.ownerKey.key ?? "" };
      const repeat = await fresh.get(NEWS, { ...own, "if-modified-since": headers["Last-Modified"] ?? "" });
      expect([headers["Last-Modified"], repeat.status]).toEqual([expect.any(String), 200]);
    } finally {
      await fresh.close();
    }
  });

  test("equal data built at another time has a different ETag, because the body contains the build time", async () => {
    const DISPLACEMENT = "/api/displacement/v1/get-displacement-summary";
    const builds: { readonly etag: string | undefined; readonly fetchedAt: number }[] = [];
    for (const at of [NOON, NOON + 1_000]) {
      const fresh = await startStack({ at });
      try {
        await fresh.run("displacement");
        const answer = await fresh.get(DISPLACEMENT);
        builds.push({ etag: answer.headers["ETag"], fetchedAt: (json(answer) as { fetchedAt: number }).fetchedAt });
      } finally {
        await fresh.close();
      }
    }
    expect((builds[1]?.fetchedAt ?? 0) - (builds[0]?.fetchedAt ?? 0)).toBe(1_000);
    expect(builds[0]?.etag).toEqual(expect.any(String));
    expect(builds[1]?.etag).not.toBe(builds[0]?.etag);
  });

  test("Vary lists the request headers that determine the answer", async () => {
    expect((await stack.get(CPI, key)).headers["Vary"]).toBe("Accept, Accept-Encoding, Origin");
  });

  test("simulated data is labelled, including on a 304", async () => {
    const answer = await stack.get(CPI, key);
    const revalidated = await stack.get(CPI, { ...key, "if-none-match": answer.headers["ETag"] ?? "" });
    expect([answer.headers["X-Vigil-Data"], revalidated.headers["X-Vigil-Data"]]).toEqual(["simulated", "simulated"]);
  });

  test.each([
    ["a refusal", "/api/economic/v1/no-such", {}],
    ["a wrong query", `${CPI}?history=banana`, undefined],
    ["a foreign origin", CPI, { origin: "https://evil.example" }],
    ["a page of the service", "/docs", {}],
    ["health", "/api/health", undefined],
    ["the sign-in page", "/sign-in", {}],
    ["an unknown page", "/nowhere", {}],
  ])("a demo labels this answer as simulated: %s", async (_, target, headers) => {
    expect((await stack.get(target, headers ?? key)).headers["X-Vigil-Data"]).toBe("simulated");
  });

  test("a demo labels preflights and writes as simulated", async () => {
    const preflight = await call(stack.answer, "OPTIONS", CPI, { origin: "http://127.0.0.1:8787" });
    const write = await call(stack.answer, "POST", "/api/batch/v1/execute", key);
    expect([preflight.status, preflight.headers["X-Vigil-Data"]]).toEqual([204, "simulated"]);
    expect([write.status, write.headers["X-Vigil-Data"]]).toEqual([400, "simulated"]);
  });

  test("a new generation has a new ETag, and the old ETag no longer matches", async () => {
    const fresh = await startStack();
    try {
      await fresh.run("us-cpi");
      const before = await fresh.get(CPI);
      fresh.clock.set(Date.UTC(2026, 11, 14, 12));
      await fresh.run("us-cpi");
      const after = await fresh.get(CPI, {
        "x-service-key": fresh.service.access.ownerKey.key ?? "",
        "if-none-match": before.headers["ETag"] ?? "",
      });
      expect(after.status).toBe(200);
      expect(after.headers["X-Vigil-Generation"]).toBe("us-cpi=2");
    } finally {
      await fresh.close();
    }
  });
});

describe("public reads", () => {
  let open: Stack;
  beforeAll(async () => {
    open = await startStack({ env: { VIGIL_PUBLIC_READS: "on" } });
    await open.run("us-cpi");
  });
  afterAll(() => open.close());

  test("let shared caches keep answers to callers without a credential, but not beyond the next build", async () => {
    const answer = await open.get(CPI, {});
    expect(answer.headers["Cache-Control"]).toBe("public, max-age=3600, s-maxage=14400, stale-while-revalidate=7200");
    const status = open.service.registry.status(open.dataset("us-cpi"));
    open.clock.set((status?.nextAt ?? 0) - 100_000);
    expect((await open.get(CPI, {})).headers["Cache-Control"]).toBe(
      "public, max-age=100, s-maxage=100, stale-while-revalidate=0",
    );
  });

  test("show the limits in answers for shared caches, but leave out the caller's remaining units", async () => {
    const answer = await open.get(CPI, {});
    const revalidated = await open.get(CPI, { "if-none-match": answer.headers["ETag"] ?? "" });
    expect([answer.status, revalidated.status]).toEqual([200, 304]);
    for (const { limitHeaders } of [answer, revalidated]) {
      expect(limitHeaders).toEqual({
        "RateLimit-Policy": '"default";q=600;w=60',
        "RateLimit-Limit": "600",
        "X-RateLimit-Limit": "600",
      });
    }
    expect((await open.get(`${CPI}?history=x`, {})).limitHeaders).toHaveProperty("RateLimit-Remaining");
    expect((await open.get(CPI)).limitHeaders).toHaveProperty("RateLimit-Remaining");
  });

  test("give a caller with a key a private answer, and refuse a wrong key", async () => {
    const withKey = await open.get(CPI);
    expect(withKey.headers["Cache-Control"]).toBe("private, no-cache");
    expect((await open.get(CPI, { "x-service-key": "wrong" })).status).toBe(401);
  });

  test("do not open the full health report or an unknown path to callers without a key", async () => {
    expect((await open.get("/api/health", {})).status).toBe(401);
    expect((await open.get("/api/economic/v1/no-such", {})).status).toBe(401);
  });
});

test("a valid request id of the caller is returned, and an invalid one is replaced", async () => {
  expect((await stack.get(CPI, { ...key, "x-request-id": "job-7.a" })).requestId).toBe("job-7.a");
  const answer = await stack.get(CPI, { ...key, "x-request-id": "a\nb" });
  expect(answer.requestId).toMatch(/^[0-9a-f]{24}$/);
});
