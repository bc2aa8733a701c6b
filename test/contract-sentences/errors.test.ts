import { describe, expect } from "vitest";
import { MINUTE_MS } from "../../src/kit/clock.js";
import { loadServices } from "../../src/services/registry.js";
import { type Headers, keyOn, probe } from "../support/callers.js";
import { type Sentence, sharedStack, testSentences } from "../support/sentences.js";
import { call, json, startStack } from "../support/stack.js";

/* Sentences of SPEC about error bodies and about the limits of projections. */

const { operations } = await loadServices();

const CPI = "/api/economic/v1/get-us-cpi-monthly";
const BATCH = "/api/batch/v1/execute";
const EXPRESSION_BYTES_MAX = 1_024;
const OUTPUT_BYTES_MAX = 262_144;

const fault = probe("get-fault", {}, () => {
  throw new Error("a fault of the probe");
});
const stackOf = sharedStack([], { keyless: true, operations: [fault], env: { VIGIL_LIMITS: "starter-minute=2" } });

const withQuery = (target: string, query: string): string => `${target}${target.includes("?") ? "&" : "?"}${query}`;

/** For each operation that can refuse a parameter, a call with a refused value, and the name of the refused field. */
const refusals: readonly (readonly [target: string, field: string])[] = [
  ["/api/aviation/v1/list-airport-delays?page_size=-1", "pageSize"],
  ["/api/aviation/v1/get-airport-ops-summary?airports=A,B,C,D,E,F,G,H,I,J,K,L,M,N,O,P,Q,R,S,T,U", "airports"],
  ["/api/aviation/v1/list-airport-flights", "airport"],
  ["/api/aviation/v1/get-carrier-ops?min_flights=few", "minFlights"],
  ["/api/aviation/v1/get-flight-status?flight_number=VG1001", "date"],
  ["/api/aviation/v1/track-aircraft?sw_lat=91", "swLat"],
  ["/api/aviation/v1/get-video-live-stream-info?video_id=short", "videoId"],
  ["/api/aviation/v1/search-flight-prices?origin=IST&destination=LHR", "departureDate"],
  ["/api/aviation/v1/list-aviation-news?window_hours=169", "windowHours"],
  ["/api/aviation/v1/search-provider-flights?passengers=two", "passengers"],
  ["/api/aviation/v1/search-provider-dates?trip_duration=-7", "tripDuration"],
  ["/api/climate/v1/list-climate-anomalies?cursor=x", "cursor"],
  ["/api/climate/v1/list-climate-disasters?page_size=1.5", "pageSize"],
  ["/api/conflict/v1/list-alpha-events?start=today", "start"],
  ["/api/conflict/v1/list-beta-events?end=x", "end"],
  ["/api/conflict/v1/get-humanitarian-summary?country_code=xx", "countryCode"],
  ["/api/economic/v1/get-us-cpi-monthly?history=yes", "history"],
  ["/api/economic/v1/get-us-treasury-par-yield-curve?history=yes", "history"],
  ["/api/news/v1/list-feed-digest?lang=tlh", "lang"],
  ["/api/intelligence/v1/get-country-intel-brief?country_code=ua", "countryCode"],
  ["/api/infrastructure/v1/list-internet-traffic-anomalies?country=UA&country=US", "country"],
  ["/api/displacement/v1/get-displacement-summary?year=1950", "year"],
];

const validation: readonly Sentence[] = refusals.map(([target, field]) => ({
  place: "SPEC errors 400 (validation)",
  sentence: `the body of a 400 has only violations with field and description: ${target}`,
  check: async () => {
    const answer = await stackOf().get(target);
    expect([answer.status, json(answer)]).toEqual([
      400,
      { violations: [{ field, description: expect.stringMatching(/./) }] },
    ]);
    expect(answer.headers["Cache-Control"]).toBe("no-store");
  },
}));

/** An expression whose result has exactly this many bytes. */
function expressionOf(bytes: number): string {
  if (bytes < 500) return `'${"a".repeat(bytes - 2)}'`;
  // The result of `[x,x,'…']` has twice the bytes of x, plus the bytes of `text`, plus six for quotes and punctuation.
  const text = bytes % 2 === 0 ? "" : "b";
  return `${expressionOf((bytes - 6 - text.length) / 2)}|[@,@,'${text}']`;
}

const targets = operations.map(({ path, operation }) => {
  const example = operation.examples.find((candidate) => !("jmespath" in candidate)) ?? {};
  const query = new URLSearchParams(example).toString();
  return query === "" ? path : `${path}?${query}`;
});

const projections: readonly Sentence[] = targets.flatMap((target) => [
  {
    place: "SPEC limits: jmespath output cap",
    sentence: `a result of 256 KB is returned: ${target}`,
    check: async () => {
      const expression = expressionOf(OUTPUT_BYTES_MAX);
      const { status, body } = await stackOf().get(withQuery(target, `jmespath=${encodeURIComponent(expression)}`));
      expect([status, Buffer.byteLength(body ?? "")]).toEqual([200, OUTPUT_BYTES_MAX]);
    },
  },
  {
    place: "SPEC errors rule 1",
    sentence: `a result of 256 KB and one byte is a 400 with the jmespath error body: ${target}`,
    check: async () => {
      const expression = expressionOf(OUTPUT_BYTES_MAX + 1);
      const answer = await stackOf().get(withQuery(target, `jmespath=${encodeURIComponent(expression)}`));
      expect([answer.status, json(answer)]).toEqual([
        400,
        {
          _jmespath_error: expect.stringMatching(/^projection_too_large: \d+ > 262144$/),
          original_keys: Object.keys(json(await stackOf().get(target)) as object),
        },
      ]);
    },
  },
]);

const projectionShapes: readonly Sentence[] = [
  {
    place: "SPEC limits: jmespath expression size",
    sentence: "the limit counts bytes, not characters: 341 characters of three bytes each, in quotes, are too long",
    check: async () => {
      const sent = (signs: number) => `'${"€".repeat(signs)}'`;
      expect(Buffer.byteLength(sent(341))).toBe(EXPRESSION_BYTES_MAX + 1);
      const answer = await stackOf().get(`${CPI}?jmespath=${encodeURIComponent(sent(341))}`);
      expect(json(answer)).toMatchObject({ _jmespath_error: "expression_too_long: 1025 > 1024" });
      expect((await stackOf().get(`${CPI}?jmespath=${encodeURIComponent(sent(340))}`)).status).toBe(200);
    },
  },
  ...["months[", "a..b", "foo(@)", "abs('a')", "months[?", "{a:}", "`[`"].map(
    (expression): Sentence => ({
      place: "SPEC errors 400 (jmespath failure)",
      sentence: `an invalid expression gets a body with _jmespath_error and original_keys: ${expression}`,
      check: async () => {
        const answer = await stackOf().get(`${CPI}?jmespath=${encodeURIComponent(expression)}`);
        expect([answer.status, json(answer)]).toEqual([
          400,
          {
            _jmespath_error: expect.stringMatching(/^invalid_expression: ./),
            original_keys: ["months", "unavailable"],
          },
        ]);
      },
    }),
  ),
];

const starter = async (): Promise<Headers> => ({ "x-service-key": await keyOn(stackOf(), "starter") });

const shapes: readonly Sentence[] = [
  {
    place: "SPEC errors 401",
    sentence: "the body has only the member `error`",
    check: async () => {
      for (const headers of [{}, { "x-service-key": "wrong" }, { cookie: "vigil_session=vgs_none" }]) {
        const answer = await stackOf().get(CPI, headers);
        expect([answer.status, json(answer)]).toEqual([401, { error: expect.stringMatching(/./) }]);
      }
    },
  },
  {
    place: "SPEC errors 429, RULINGS 6",
    sentence: "the body has `message` and `error`",
    check: async () => {
      const headers = await starter();
      await stackOf().get(CPI, headers);
      await stackOf().get(CPI, headers);
      const answer = await stackOf().get(CPI, headers);
      expect([answer.status, json(answer)]).toEqual([
        429,
        expect.objectContaining({ message: expect.stringMatching(/./), error: expect.stringMatching(/./) }),
      ]);
    },
  },
  {
    place: "SPEC limits, each batch operation counts",
    sentence: "the 429 of an operation in a batch also has `message` and `error`",
    check: async () => {
      const headers = { ...(await starter()), "content-type": "application/json" };
      const body = JSON.stringify({ operations: [{ path: CPI }, { path: CPI }, { path: CPI }] });
      const { results } = json(await call(stackOf().answer, "POST", BATCH, headers, { body })) as {
        readonly results: readonly { readonly status: number; readonly body: unknown }[];
      };
      expect(results.map(({ status }) => status)).toEqual([200, 200, 429]);
      expect(results[2]?.body).toMatchObject({ message: expect.any(String), error: expect.any(String) });
    },
  },
  {
    place: "SPEC errors 503, RULINGS 5 and 6",
    sentence: "if the plan cannot be looked up, the answer is a 503 with `message` and `error`",
    check: async () => {
      const own = await startStack({ keyless: true });
      try {
        const headers = { "x-service-key": await keyOn(own, "starter") };
        await own.service.database.close();
        const answer = await own.get(CPI, headers);
        expect([answer.status, json(answer)]).toEqual([
          503,
          expect.objectContaining({ message: expect.stringMatching(/./), error: expect.stringMatching(/./) }),
        ]);
      } finally {
        await own.close();
      }
    },
  },
  {
    place: "SPEC errors, other",
    sentence: "an unknown operation has a generic error body",
    check: async () => {
      const answer = await stackOf().get("/api/economic/v1/get-nothing");
      expect([answer.status, json(answer)]).toEqual([404, { error: "Not found" }]);
    },
  },
  {
    place: "SPEC errors, other",
    sentence: "a wrong method has a generic error body",
    check: async () => {
      const headers = { "x-service-key": stackOf().service.access.ownerKey.key ?? "" };
      const answer = await call(stackOf().answer, "DELETE", CPI, headers);
      expect([answer.status, json(answer)]).toEqual([405, { error: "Method not allowed" }]);
    },
  },
  {
    place: "SPEC errors, other",
    sentence: "an internal error has a generic body without details",
    check: async () => {
      const answer = await stackOf().get(fault.path);
      expect([answer.status, json(answer)]).toEqual([500, { message: "Internal server error" }]);
    },
  },
  {
    place: "RULINGS 22",
    sentence: "every answer of a demo is labelled as simulated, including errors and platform pages",
    check: async () => {
      const targets = [
        CPI,
        `${CPI}?history=x`,
        "/api/economic/v1/get-nothing",
        fault.path,
        "/livez",
        "/docs",
        "/api/health",
      ];
      const answers = await Promise.all(targets.map((target) => stackOf().get(target)));
      answers.push(await stackOf().get(CPI, {}), await stackOf().get(CPI, { origin: "https://elsewhere.example" }));
      expect(answers.map(({ headers }) => headers["X-Vigil-Data"])).toEqual(answers.map(() => "simulated"));
    },
  },
];

/** Runs the check in a new minute, in which no per-minute limit is used up. */
const inOwnMinute = (row: Sentence): Sentence => ({
  ...row,
  async check() {
    stackOf().clock.advance(MINUTE_MS);
    await row.check();
  },
});

describe("errors", () => testSentences([...validation, ...shapes].map(inOwnMinute)));
describe("projections", () => testSentences([...projectionShapes, ...projections].map(inOwnMinute)));
