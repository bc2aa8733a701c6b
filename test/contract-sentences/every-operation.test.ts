import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IdentifiedAnswer } from "../../src/http/exchange.js";
import { HOUR_MS } from "../../src/kit/clock.js";
import { loadServices } from "../../src/services/registry.js";
import { type OpenIdProvider, startProvider } from "../support/callers.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Sentences of the contract about every GET operation. Each is checked for every operation, on an empty store. */

const { operations } = await loadServices();

let provider: OpenIdProvider;
let stack: Stack;
let key: Readonly<Record<string, string>>;
beforeAll(async () => {
  provider = await startProvider();
  stack = await startStack({ keyless: true, env: provider.env });
  key = { "x-service-key": stack.service.access.ownerKey.key ?? "" };
}, 60_000);
afterAll(async () => {
  await stack.close();
  await provider.close();
});

/** An operation under test, with the facts that the checks need. */
interface Subject {
  readonly path: string;
  /** The target of the operation's first example, which has all required parameters. */
  readonly target: string;
  readonly isPro: boolean;
}

interface Row {
  readonly place: string;
  readonly sentence: string;
  readonly check: (subject: Subject) => Promise<void>;
}

const withQuery = (target: string, query: string): string => `${target}${target.includes("?") ? "&" : "?"}${query}`;
const projected = (target: string, expression: string): string =>
  withQuery(target, `jmespath=${encodeURIComponent(expression)}`);
const get = (target: string, headers = key): Promise<IdentifiedAnswer> => stack.get(target, headers);

const rows: readonly Row[] = [
  {
    place: "SPEC convention 1",
    sentence: "the path is /api/<service>/v1/<rpc-name> in kebab-case",
    check: async ({ path }) => expect(path).toMatch(/^\/api\/[a-z]+(?:-[a-z]+)*\/v1\/[a-z0-9]+(?:-[a-z0-9]+)*$/),
  },
  {
    place: "SPEC convention 2",
    sentence: "a GET with query parameters is answered with 200 and JSON",
    check: async ({ target }) => {
      const answer = await get(target);
      expect([answer.status, answer.headers["Content-Type"]]).toEqual([200, "application/json; charset=utf-8"]);
    },
  },
  {
    place: "SPEC convention 3",
    sentence: "the members of the answer are in camelCase",
    check: async ({ target }) => {
      for (const name of Object.keys(json(await get(target)) as object)) expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
    },
  },
  {
    place: "SPEC convention 5",
    sentence: "the jmespath @ returns the whole answer",
    check: async ({ target }) => expect(json(await get(projected(target, "@")))).toEqual(json(await get(target))),
  },
  {
    place: "NOTES §9",
    sentence: "an empty jmespath is the same as none",
    check: async ({ target }) =>
      expect(json(await get(withQuery(target, "jmespath=")))).toEqual(json(await get(target))),
  },
  {
    place: "NOTES §9",
    sentence: "a jmespath that matches nothing gives null with 200",
    check: async ({ target }) => {
      const answer = await get(projected(target, "nothing.here"));
      expect([answer.status, String(answer.body)]).toEqual([200, "null"]);
    },
  },
  {
    place: "NOTES §9",
    sentence: "a scalar is returned as bare JSON",
    check: async ({ target }) => expect(String((await get(projected(target, "`7`"))).body)).toBe("7"),
  },
  {
    place: "SPEC errors rule 1",
    sentence: "an invalid expression is a 400 with _jmespath_error and original_keys",
    check: async ({ target }) => {
      const answer = await get(projected(target, "a["));
      expect(answer.status).toBe(400);
      const keys = Object.keys(json(await get(target)) as object);
      expect(json(answer)).toEqual({
        _jmespath_error: expect.stringMatching(/^invalid_expression: ./),
        original_keys: keys.slice(0, 50),
      });
    },
  },
  {
    place: "NOTES §9",
    sentence: "a function called with the wrong type is an invalid expression",
    check: async ({ target }) =>
      expect(json(await get(projected(target, "abs('a')")))).toMatchObject({
        _jmespath_error: expect.stringMatching(/^invalid_expression: ./),
      }),
  },
  {
    place: "SPEC limits: jmespath expression size",
    sentence: "an expression of 1,024 bytes is accepted, and one of 1,025 is refused",
    check: async ({ target }) => {
      const expression = (bytes: number): string => `'${"a".repeat(bytes - 2)}'`;
      expect((await get(projected(target, expression(1_024)))).status).toBe(200);
      expect(json(await get(projected(target, expression(1_025))))).toMatchObject({
        _jmespath_error: "expression_too_long: 1025 > 1024",
      });
    },
  },
  {
    place: "NOTES §9",
    sentence: "a projection failure is no-store and nosniff",
    check: async ({ target }) =>
      expect((await get(projected(target, "a["))).headers).toMatchObject({
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
      }),
  },
  {
    place: "SPEC authentication 1, NOTES §5",
    sentence: "a call without a credential is a 401 with {error}",
    check: async ({ target }) => {
      const answer = await get(target, {});
      expect([answer.status, json(answer)]).toEqual([401, { error: "API key required" }]);
      expect(answer.headers["Cache-Control"]).toBe("no-store");
    },
  },
  {
    place: "SPEC authentication 2",
    sentence: "X-Service-Key and X-Api-Key are alternatives",
    check: async ({ target }) =>
      expect((await get(target, { "x-api-key": key["x-service-key"] ?? "" })).status).toBe(200),
  },
  {
    place: "NOTES §5",
    sentence: "X-Service-Key takes precedence over X-Api-Key, even if the key in X-Service-Key is wrong",
    check: async ({ target }) =>
      expect((await get(target, { "x-service-key": "wrong", "x-api-key": key["x-service-key"] ?? "" })).status).toBe(
        401,
      ),
  },
  {
    place: "NOTES §5",
    sentence: "a wrong key is a 401 with the error Invalid API key",
    check: async ({ target }) => {
      const answer = await get(target, { "x-service-key": "wrong" });
      expect([answer.status, json(answer)]).toEqual([401, { error: "Invalid API key" }]);
    },
  },
  {
    place: "NOTES §6 401",
    sentence: "a 401 states the authentication scheme in WWW-Authenticate",
    check: async ({ target }) => expect((await get(target, {})).headers["WWW-Authenticate"]).toMatch(/^Bearer /),
  },
  {
    place: "NOTES §16.8",
    sentence: "authentication precedes 404",
    check: async ({ path }) => {
      expect((await get(`${path}-not-there`, {})).status).toBe(401);
      expect(json(await get(`${path}-not-there`))).toEqual({ error: "Not found" });
    },
  },
  {
    place: "NOTES §6 405",
    sentence: "a wrong method is a 405 with Allow, which lists HEAD and GET",
    check: async ({ target }) => {
      for (const method of ["PUT", "DELETE", "PATCH"]) {
        const answer = await call(stack.answer, method, target, key);
        expect([answer.status, json(answer)]).toEqual([405, { error: "Method not allowed" }]);
        expect(answer.headers["Allow"]).toMatch(/GET, HEAD/);
      }
    },
  },
  {
    place: "RULINGS 15",
    sentence: "HEAD works like GET: it has the same status and headers",
    check: async ({ target }) => {
      // The first request fills the cache, because some answers state whether they come from the cache.
      await get(target);
      const plain = await get(target);
      const head = await call(stack.answer, "HEAD", target, key);
      expect([head.status, head.headers]).toEqual([200, plain.headers]);
    },
  },
  {
    place: "RULINGS 15",
    sentence: "problem details are sent only to callers that request them",
    check: async ({ target }) => {
      const answer = await get(target, { accept: "application/problem+json" });
      expect(answer.headers["Content-Type"]).toMatch(/^application\/problem\+json/);
      expect(json(answer)).toMatchObject({ status: 401, error: "API key required", type: expect.any(String) });
      const plain = await get(target, {});
      expect(plain.headers["Content-Type"]).toMatch(/^application\/json/);
      expect(json(plain)).toEqual({ error: "API key required" });
    },
  },
  {
    place: "NOTES §2",
    sentence: "one trailing slash in the path is ignored, and two are a 404",
    check: async ({ path, target }) => {
      const [, query = ""] = target.split("?");
      expect((await get(`${path}/?${query}`)).status).toBe(200);
      expect((await get(`${path}//?${query}`)).status).toBe(404);
    },
  },
  {
    place: "NOTES §1.1, §6 403",
    sentence: "an origin that is not allowed is a 403 without CORS headers",
    check: async ({ target }) => {
      const answer = await get(target, { ...key, origin: "https://elsewhere.example" });
      expect([answer.status, json(answer)]).toEqual([403, { error: "Origin not allowed" }]);
      expect(answer.headers).not.toHaveProperty("Access-Control-Allow-Origin");
    },
  },
  {
    place: "NOTES §1.3",
    sentence: "a preflight without a credential gets an empty 204 with the allowed methods",
    check: async ({ target }) => {
      const answer = await call(stack.answer, "OPTIONS", target, {});
      expect([answer.status, answer.body]).toEqual([204, undefined]);
      expect(answer.headers).toMatchObject({
        "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
        "Access-Control-Max-Age": "3600",
      });
    },
  },
  {
    place: "NOTES §8",
    sentence: "calls without an Origin header are accepted",
    check: async ({ target }) => {
      const { status, headers } = await get(target);
      expect([status, headers["Access-Control-Allow-Credentials"]]).toEqual([200, "true"]);
    },
  },
  {
    place: "NOTES §7",
    sentence: "every answer of the API has rate limit headers",
    check: async ({ target }) => {
      const { limitHeaders, headers } = await get(target);
      expect({ ...headers, ...limitHeaders }["RateLimit-Policy"]).toMatch(/^"[a-z-]+";q=\d+;w=\d+/);
    },
  },
  {
    place: "RULINGS 7",
    sentence: "an answer to a call with a credential is private or no-store, never public",
    check: async ({ target }) =>
      expect((await get(target)).headers["Cache-Control"]).toMatch(/^(?:private, no-cache|no-store)$/),
  },
  {
    place: "RULINGS 8",
    sentence: "the Vary header lists the request headers that select the answer",
    check: async ({ target }) => expect((await get(target)).headers["Vary"]).toBe("Accept, Accept-Encoding, Origin"),
  },
  {
    place: "DESIGN §7, RULINGS 22",
    sentence: "every data answer states its state, and in a demo it is labelled as simulated",
    check: async ({ target }) => {
      const { headers } = await get(target);
      expect(headers["X-Vigil-State"]).toMatch(/^(?:ok|partial|stale|absent|unreadable)$/);
      expect(headers["X-Vigil-Data"]).toBe("simulated");
      expect((await get(target, {})).headers["X-Vigil-Data"]).toBe("simulated");
    },
  },
  {
    place: "NOTES §6: data outages are not errors",
    sentence: "while the store is empty, the answer is a 200 with no-store",
    check: async ({ target }) => {
      const { status, headers } = await get(target);
      expect(status).toBe(200);
      if (headers["X-Vigil-State"] !== "ok") expect(headers["Cache-Control"]).toBe("no-store");
    },
  },
  {
    place: "SPEC errors 400",
    sentence: "a repeated parameter is refused with a violation that has field and description",
    check: async ({ path }) => {
      const answer = await get(`${path}?jmespath=a&jmespath=b`);
      expect(answer.status).toBe(400);
      const { violations } = json(answer) as { violations: { field: string; description: string }[] };
      expect(violations).toContainEqual({ field: "jmespath", description: expect.stringMatching(/./) });
      expect(Object.keys(json(answer) as object)).toEqual(["violations"]);
    },
  },
  {
    place: "NOTES §12",
    sentence: "the operation is not deprecated",
    check: async ({ target }) => {
      const { headers, limitHeaders } = await get(target);
      expect({ ...headers, ...limitHeaders }).not.toHaveProperty("Deprecation");
    },
  },
  {
    place: "SPEC authentication 3",
    sentence: "only Pro operations accept a bearer token of an identity provider",
    check: async ({ target, isPro }) => {
      const at = stack.clock.now();
      const times = { at, endsAt: at + HOUR_MS };
      const [valid, forged] = await Promise.all(
        [false, true].map((isForged) => provider.token("somebody", times, isForged)),
      );
      const answered = async (token = "") => {
        const answer = await get(target, { authorization: `Bearer ${token}` });
        return answer.status === 200 ? [200] : [answer.status, json(answer)];
      };
      const notRead = [401, { error: "API key required" }];
      expect(await answered(valid)).toEqual(isPro ? [200] : notRead);
      expect(await answered(forged)).toEqual(isPro ? [401, { error: "Invalid or expired session" }] : notRead);
    },
  },
  {
    place: "SPEC batch rules",
    sentence: "a batch projects the answer as a direct call does",
    check: async ({ target }) => {
      const body = JSON.stringify({ operations: [{ id: "one", path: projected(target, "`1`") }] });
      const headers = { ...key, "content-type": "application/json" };
      const answer = await call(stack.answer, "POST", "/api/batch/v1/execute", headers, { body });
      expect(json(answer)).toMatchObject({
        results: [{ id: "one", status: 200, body: 1, error: "" }],
        succeeded: 1,
        failed: 0,
      });
      stack.clock.advance(3_000);
    },
  },
];

describe.each(
  operations.map(({ path, operation }): Subject => {
    const example = operation.examples.find((candidate) => !("jmespath" in candidate)) ?? {};
    const query = new URLSearchParams(example).toString();
    return { path, target: query === "" ? path : `${path}?${query}`, isPro: operation.tier !== undefined };
  }),
)("$path", (subject) => {
  test.each(rows)("$place: $sentence", ({ check }) => check(subject));
});
