import { Type } from "typebox";
import { afterAll, beforeAll, expect } from "vitest";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { loadServices } from "../../src/services/registry.js";
import { type Sentence, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Section 8 of the contract's NOTES.md, as amended by rulings 7 and 8: CORS, cache tiers, markers, ETags. */

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const OWN_ORIGIN = "http://127.0.0.1:8787";
const FRIEND = "https://console.example";

/** Declares a probe operation that answers every call with this body. */
function answering(rpc: string, body: unknown): RegisteredOperation {
  const probe = operation({
    rpc,
    summary: "A probe",
    description: "Answers with the body that the test set.",
    cache: "fast",
    reads: {},
    query: {},
    response: Type.Unknown(),
    examples: [{}],
    run: () => body,
  });
  return { service: "probe", path: `/api/probe/v1/${rpc}`, operation: probe };
}

const marked: readonly (readonly [rpc: string, body: Readonly<Record<string, unknown>>])[] = [
  ["unavailable", { unavailable: true, rows: [] }],
  ["upstream-unavailable", { upstreamUnavailable: true, rows: [] }],
  ["no-data", { dataAvailable: false, rows: [] }],
  ["degraded", { degraded: true, rows: [] }],
  ["not-available", { available: false, rows: [] }],
  ["error", { error: "lookup_failed", rows: [] }],
];
const unmarked: readonly (readonly [rpc: string, body: unknown])[] = [
  ["whole", { unavailable: false, upstreamUnavailable: false, dataAvailable: true, degraded: false, available: true }],
  ["empty-error", { error: "", rows: [] }],
  ["nested-marker", { data: { unavailable: true, degraded: true, error: "x" } }],
  ["marker-as-text", { unavailable: "true", degraded: "true" }],
  ["list", [{ unavailable: true }]],
];
const probes = [...marked, ...unmarked].map(([rpc, body]) => answering(rpc, body));
const PROBE = "/api/probe/v1";

const { operations } = await loadServices();

let stack: Stack;
beforeAll(async () => {
  const env = { VIGIL_PUBLIC_READS: "on", VIGIL_ALLOWED_ORIGINS: FRIEND };
  stack = await startStack({ env, operations: probes, filled: "all" });
}, 180_000);
afterAll(() => stack.close());

const ownerKey = () => ({ "x-service-key": stack.service.access.ownerKey.key ?? "" });
const ask = (method: string, target: string, headers: Readonly<Record<string, string>>) =>
  call(stack.answer, method, target, headers);
const publicly = (target: string, headers: Readonly<Record<string, string>> = {}) => stack.get(target, headers);
const listed = (text: string | undefined): readonly string[] => text?.split(", ") ?? [];

function postBatch(headers: Readonly<Record<string, string>> = {}): Promise<IdentifiedAnswer> {
  const body = JSON.stringify({ operations: [{ path: CPI }] });
  return call(stack.answer, "POST", BATCH, { ...ownerKey(), "content-type": "application/json", ...headers }, { body });
}

const cors: readonly Sentence[] = [
  {
    place: "NOTES §8",
    sentence: "an allowed origin is echoed exactly",
    async check() {
      for (const origin of [OWN_ORIGIN, FRIEND]) {
        expect((await publicly(CPI, { origin })).headers["Access-Control-Allow-Origin"]).toBe(origin);
      }
    },
  },
  {
    place: "NOTES §8",
    sentence: "an origin that differs from an allowed one in scheme, port, case or a trailing slash is refused",
    async check() {
      for (const origin of [
        "http://console.example",
        `${FRIEND}:8443`,
        `${FRIEND}/`,
        "https://Console.example",
        "null",
      ]) {
        expect((await publicly(CPI, { origin })).status).toBe(403);
      }
    },
  },
  {
    place: "NOTES §8",
    sentence: "a call without an Origin header is answered, and the allowed origin is the service's own",
    check: async () => expect((await publicly(CPI)).headers["Access-Control-Allow-Origin"]).toBe(OWN_ORIGIN),
  },
  {
    place: "NOTES §8",
    sentence: "credentials are allowed, and answers vary by origin",
    async check() {
      const { headers } = await publicly(CPI, { origin: FRIEND });
      expect(headers["Access-Control-Allow-Credentials"]).toBe("true");
      expect(listed(headers["Vary"])).toContain("Origin");
    },
  },
  {
    place: "NOTES §8",
    sentence: "the answer to a preflight has the allowed methods and a max age of 3,600 s",
    async check() {
      expect((await ask("OPTIONS", BATCH, { origin: FRIEND })).headers).toMatchObject({
        "Access-Control-Allow-Origin": FRIEND,
        "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
        "Access-Control-Max-Age": "3600",
      });
    },
  },
  ...["Content-Type", "Authorization", "X-Service-Key", "X-Api-Key", "Idempotency-Key"].map(
    (name): Sentence => ({
      place: "NOTES §8",
      sentence: `${name} is among the allowed request headers`,
      async check() {
        const { headers } = await ask("OPTIONS", CPI, { origin: FRIEND });
        expect(listed(headers["Access-Control-Allow-Headers"])).toContain(name);
      },
    }),
  ),
  ...[
    "Retry-After",
    "Idempotency-Key",
    "Idempotent-Replayed",
    "Location",
    "WWW-Authenticate",
    "X-Billing-Verification",
    "X-RateLimit-Limit",
    "X-RateLimit-Remaining",
    "X-RateLimit-Reset",
    "X-RateLimit-Mode",
  ].map(
    (name): Sentence => ({
      place: "NOTES §8",
      sentence: `${name} is exposed to browsers`,
      async check() {
        const { headers } = await publicly(CPI, { origin: FRIEND });
        expect(listed(headers["Access-Control-Expose-Headers"])).toContain(name);
      },
    }),
  ),
];

/** `max-age`, `s-maxage` and `stale-while-revalidate` of each tier, in seconds. */
const tiers = {
  fast: [60, 300, 60],
  medium: [120, 600, 120],
  slow: [300, 1_800, 300],
  static: [600, 3_600, 600],
  daily: [3_600, 14_400, 7_200],
} as const;

const PUBLIC = /^public, max-age=(\d+), s-maxage=(\d+), stale-while-revalidate=(\d+)$/;

/** A call of each operation that is open to everyone if public reads are on. */
const open = operations.flatMap(({ path, operation: { tier, keyAlways, examples, cache, fetches } }) => {
  const query = new URLSearchParams(examples.find((example) => !("jmespath" in example))).toString();
  const isOpen = tier === undefined && keyAlways === undefined;
  return isOpen ? [{ target: query === "" ? path : `${path}?${query}`, path, cache, isStored: !fetches }] : [];
});

const tierSentences = open.map(({ target, path, cache, isStored }): Sentence => {
  if (cache === "no-store") {
    return {
      place: "NOTES §8",
      sentence: `the cache tier of ${path} is no-store`,
      check: async () => expect((await publicly(target)).headers["Cache-Control"]).toBe("no-store"),
    };
  }
  return {
    place: isStored ? "NOTES §8, ruling 7" : "NOTES §8",
    sentence: `the cache tier of ${path} is ${cache}${isStored ? ", but s-maxage ends by the next build" : ""}`,
    async check() {
      const { headers } = await publicly(target);
      expect(headers).toMatchObject({ "X-Vigil-State": "ok", "Cache-Control": expect.stringMatching(PUBLIC) });
      const [, ...sent] = PUBLIC.exec(headers["Cache-Control"] ?? "") ?? [];
      const [maxAge = 0, shared = 0, revalidate = 0] = sent.map(Number);
      const [tierMaxAge, tierShared, tierRevalidate] = tiers[cache];
      // Neither max-age nor s-maxage is longer than the time until the next build.
      expect(maxAge).toBe(Math.min(tierMaxAge, shared));
      expect(shared).toBeLessThanOrEqual(tierShared);
      expect(revalidate).toBeLessThanOrEqual(tierRevalidate);
      if (!isStored) expect([shared, revalidate]).toEqual([tierShared, tierRevalidate]);
    },
  };
});

const markers: readonly Sentence[] = [
  ...marked.map(
    ([rpc, body]): Sentence => ({
      place: "NOTES §8",
      sentence: `the marker ${JSON.stringify(body).replace(',"rows":[]', "")} forces no-store`,
      async check() {
        const answer = await publicly(`${PROBE}/${rpc}`);
        expect([answer.status, json(answer)]).toEqual([200, body]);
        expect(answer.headers["Cache-Control"]).toBe("no-store");
      },
    }),
  ),
  ...marked.map(
    ([rpc, body]): Sentence => ({
      place: "NOTES §8",
      sentence: `the marker ${JSON.stringify(body).replace(',"rows":[]', "")} is detected even if a projection removes it`,
      async check() {
        const answer = await publicly(`${PROBE}/${rpc}?jmespath=rows`);
        expect([String(answer.body), answer.headers["Cache-Control"]]).toEqual(["[]", "no-store"]);
      },
    }),
  ),
  ...unmarked.map(
    ([rpc, body]): Sentence => ({
      place: "NOTES §8",
      sentence: `${JSON.stringify(body)} has no marker`,
      check: async () => expect((await publicly(`${PROBE}/${rpc}`)).headers["Cache-Control"]).toMatch(/^public/),
    }),
  ),
  {
    place: "NOTES §8",
    sentence: "a projection cannot create a marker",
    async check() {
      const target = `${PROBE}/whole?jmespath=${encodeURIComponent("{unavailable: `true`}")}`;
      const answer = await publicly(target);
      expect([json(answer), answer.headers["Cache-Control"]]).toEqual([
        { unavailable: true },
        expect.stringMatching(/^public/),
      ]);
    },
  },
  {
    place: "NOTES §8",
    sentence: "`no-store` takes precedence over `private, no-cache`",
    async check() {
      for (const target of [`${PROBE}/degraded`, "/api/aviation/v1/track-aircraft?icao24=3c6444"]) {
        expect((await stack.get(target)).headers["Cache-Control"]).toBe("no-store");
      }
    },
  },
  {
    place: "NOTES §8",
    sentence: "with public reads, the answer of a Pro operation is private or no-store",
    async check() {
      const answer = await stack.get("/api/aviation/v1/list-airport-flights?airport=IST");
      expect([answer.status, answer.headers["Cache-Control"]]).toEqual([200, "private, no-cache"]);
    },
  },
  {
    place: "NOTES §8",
    sentence: "with public reads, an error is no-store",
    async check() {
      for (const target of [`${CPI}?history=x`, `${CPI}?jmespath=a%5B`]) {
        const answer = await publicly(target);
        expect([answer.status, answer.headers["Cache-Control"]]).toEqual([400, "no-store"]);
      }
    },
  },
];

const etags: readonly Sentence[] = [
  {
    place: "NOTES §8",
    sentence: "the ETag is a strong, quoted validator",
    check: async () => expect((await stack.get(CPI)).headers["ETag"]).toMatch(/^"[^"\s]{16,}"$/),
  },
  {
    place: "NOTES §8",
    sentence: "the ETag identifies the projected body: each projection has its own ETag",
    async check() {
      const targets = [CPI, `${CPI}?jmespath=months`, `${CPI}?jmespath=unavailable`];
      const tags = await Promise.all(targets.map(async (target) => (await stack.get(target)).headers["ETag"]));
      expect(new Set(tags).size).toBe(3);
    },
  },
  {
    place: "NOTES §8",
    sentence: "a matching If-None-Match gets a 304 without a body, but with the headers of the whole answer",
    async check() {
      const first = await stack.get(CPI);
      const again = await stack.get(CPI, { ...ownerKey(), "if-none-match": first.headers["ETag"] ?? "" });
      expect([again.status, again.body]).toEqual([304, undefined]);
      for (const name of ["ETag", "Cache-Control", "Vary", "X-Vigil-State", "X-Vigil-Generation", "Last-Modified"]) {
        expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
      }
    },
  },
  {
    place: "NOTES §8",
    sentence: "a different If-None-Match gets the whole answer",
    async check() {
      const { body } = await stack.get(CPI);
      for (const tag of ['"other"', '""', "unquoted"]) {
        const answer = await stack.get(CPI, { ...ownerKey(), "if-none-match": tag });
        expect([answer.status, answer.body]).toEqual([200, body]);
      }
    },
  },
  {
    place: "NOTES §8",
    sentence: "an error has no ETag",
    async check() {
      for (const target of [`${CPI}?history=x`, "/api/no/v1/such", `${CPI}?jmespath=a%5B`]) {
        expect((await stack.get(target)).headers).not.toHaveProperty("ETag");
      }
      expect((await publicly("/api/aviation/v1/list-airport-flights")).headers).not.toHaveProperty("ETag");
    },
  },
  {
    place: "NOTES §8",
    sentence: "the result of a POST has no ETag and ignores If-None-Match",
    async check() {
      const tag = (await stack.get(CPI)).headers["ETag"] ?? "";
      const answer = await postBatch({ "if-none-match": tag });
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty("ETag");
      expect(answer.headers["Cache-Control"]).toBe("no-store");
    },
  },
];

testSentences([...cors, ...tierSentences, ...markers, ...etags]);
