import { Type } from "typebox";
import { afterAll, beforeAll, expect } from "vitest";
import { deprecationFaults } from "../../src/contract/deprecation.js";
import { operation, type RegisteredOperation } from "../../src/contract/operation.js";
import { flag } from "../../src/contract/query-field.js";
import { type Headers, keyOn } from "../support/callers.js";
import { type Sentence, sentHeaders, testSentences } from "../support/sentences.js";
import { call, json, type Stack, startStack } from "../support/stack.js";

/* Section 12 of NOTES.md: the announcement of a deprecation. */

const OLD = "/api/probe/v1/get-old";
const since = Date.UTC(2026, 10, 18, 12);
const sunset = Date.UTC(2027, 4, 18, 12);
const old = operation({
  rpc: "get-old",
  summary: "A probe",
  description: "A deprecated probe.",
  cache: "fast",
  reads: {},
  query: { loud: flag("Louder") },
  response: Type.Object({ isOld: Type.Boolean() }),
  examples: [{}],
  deprecation: { since, sunset },
  run: () => ({ isOld: true }),
});
const probe: RegisteredOperation = { service: "probe", path: OLD, operation: old };

let stack: Stack;
let free: Headers;
beforeAll(async () => {
  stack = await startStack({ operations: [probe], env: { VIGIL_LIMITS: "starter-minute=1" } });
  free = { "x-service-key": await keyOn(stack, "free") };
}, 60_000);
afterAll(() => stack.close());

const announced = {
  Deprecation: `@${since / 1_000}`,
  Sunset: "Tue, 18 May 2027 12:00:00 GMT",
  Link: expect.stringMatching(/^<[^>]+>; rel="deprecation"; type="text\/html"$/),
};

const answers: readonly (readonly [what: string, status: number, ask: () => ReturnType<Stack["get"]>])[] = [
  ["an answer", 200, () => stack.get(OLD)],
  ["a projection", 200, () => stack.get(`${OLD}?jmespath=isOld`)],
  ["a refused parameter", 400, () => stack.get(`${OLD}?loud=perhaps`)],
  ["a refused projection", 400, () => stack.get(`${OLD}?jmespath=a%5B`)],
  ["a call without a key", 401, () => stack.get(OLD, {})],
  ["a call with a key of the free plan", 403, () => stack.get(OLD, free)],
  [
    "a wrong method",
    405,
    () => call(stack.answer, "PUT", OLD, { "x-service-key": stack.service.access.ownerKey.key ?? "" }),
  ],
  [
    "a used-up limit",
    429,
    async () => {
      const headers = { "x-service-key": await keyOn(stack, "starter") };
      await stack.get(OLD, headers);
      return stack.get(OLD, headers);
    },
  ],
];

const sentences: readonly Sentence[] = [
  ...answers.map(
    ([what, status, ask]): Sentence => ({
      place: "NOTES §12",
      sentence: `a deprecated operation sends Deprecation, Sunset and Link: ${what}`,
      async check() {
        const answer = await ask();
        expect(answer.status).toBe(status);
        expect(sentHeaders(answer)).toMatchObject(announced);
      },
    }),
  ),
  {
    place: "NOTES §12",
    sentence: "the page that the Link header points to exists and is text/html",
    async check() {
      const [, page = ""] = /^<([^>]+)>/.exec(sentHeaders(await stack.get(OLD))["Link"] ?? "") ?? [];
      const answer = await stack.get(new URL(page).pathname, {});
      expect([answer.status, answer.headers["Content-Type"]]).toEqual([200, expect.stringMatching(/^text\/html/)]);
    },
  },
  {
    place: "NOTES §12",
    sentence: "a deprecated operation remains available for at least 6 months",
    check() {
      expect(deprecationFaults({ since, sunset })).toEqual([]);
      expect(deprecationFaults({ since, sunset: sunset - 1 })).toEqual([expect.stringMatching(/6 months/)]);
    },
  },
  {
    place: "NOTES §12",
    sentence: "no path of the service sends Deprecation, Sunset or a Link to the policy, except the probe",
    async check() {
      // A deprecated operation also sends the headers with a refusal, so no call needs valid parameters or a key.
      const announcing: string[] = [];
      for (const path of stack.paths) {
        const { Deprecation, Sunset, Link = "" } = sentHeaders(await stack.get(path, {}));
        if (Deprecation !== undefined || Sunset !== undefined || Link.includes("deprecation")) announcing.push(path);
      }
      expect(announcing).toEqual([OLD]);
    },
  },
  {
    place: "NOTES §12",
    sentence: "a request may have parameters that the service does not know yet",
    async check() {
      const answer = await stack.get(`${OLD}?not_known_yet=1`);
      expect([answer.status, json(answer)]).toEqual([200, { isOld: true }]);
    },
  },
];

testSentences(sentences);
