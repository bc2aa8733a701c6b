import { expect, test } from "vitest";
import { failure, sharedFailure } from "../contract/failures.js";
import { type Exchange, exchangeOf, targetOf } from "./exchange.js";
import { failureAnswer } from "./failure-answer.js";

function asking(accept: string | undefined): Exchange {
  const header = (name: string) => (name === "accept" ? accept : undefined);
  const call = { method: "GET", target: "/api/x", remoteAddress: "127.0.0.1", header, hasHeader: () => false };
  return exchangeOf(
    { ...call, body: async () => Buffer.alloc(0) },
    "r1",
    targetOf(call.target, () => undefined),
  );
}

const violations = [{ field: "year", description: "must be a whole number" }];

test.each([
  undefined,
  "*/*",
  "application/json",
  "text/html, application/json;q=0.9",
  "application/problem+json;q=0",
  "application/problem+json; q=0.0, application/json",
  "application/json, application/problem+json;q=0.5",
  "application/problem+json;q=0.4, application/*;q=0.5",
  "application/problem+json;q=0.9, */*",
  "application/problem+jsonp",
])("a call with Accept: %s gets the contract's own body", (accept) => {
  const { status, headers, body } = failureAnswer(failure("validation", { violations }), asking(accept));
  expect([status, headers["Content-Type"]]).toEqual([400, "application/json; charset=utf-8"]);
  expect(JSON.parse(String(body))).toEqual({ violations });
});

test.each([
  "application/problem+json",
  "Application/Problem+JSON",
  "application/json, application/problem+json",
  "application/json;q=0.5, application/problem+json;q=0.6",
  "application/problem+json;q=0.5, application/json;q=0, */*",
  "text/html, application/problem+json;charset=utf-8;q=0.1",
])("a call with Accept: %s gets problem details with the contract's members", (accept) => {
  const { status, headers, body } = failureAnswer(failure("validation", { violations }), asking(accept));
  expect([status, headers["Content-Type"], headers["Cache-Control"]]).toEqual([
    400,
    "application/problem+json",
    "no-store",
  ]);
  expect(JSON.parse(String(body))).toEqual({
    type: "urn:vigil:problem:validation",
    title: "A parameter or a member of the body is missing or invalid.",
    status: 400,
    instance: "urn:vigil:request:r1",
    violations,
  });
});

test("the Vary header of an error lists Accept, which selects the format of the error", () => {
  const { headers } = failureAnswer(failure("keyRequired", null), asking(undefined));
  expect(headers["Vary"]).toBe("Accept, Origin");
});

test("problem details have the failure's message as `detail` and keep the failure's headers", () => {
  const refused = failure("methodNotAllowed", { allow: "GET, HEAD, OPTIONS" });
  const { headers, body } = failureAnswer(refused, asking("application/problem+json"));
  expect(headers["Allow"]).toBe("GET, HEAD, OPTIONS");
  expect(JSON.parse(String(body))).toMatchObject({ detail: "Method not allowed", error: "Method not allowed" });
});

test("no member of the contract's body replaces a member of the problem details", () => {
  const refused = failure("notReady", { reason: "the service is starting or stopping" });
  const { status, body } = failureAnswer(refused, asking("application/problem+json"));
  expect(JSON.parse(String(body))).toMatchObject({ status, reason: "the service is starting or stopping" });
  expect(JSON.parse(String(failureAnswer(refused, asking(undefined)).body))).toMatchObject({ status: "not ready" });
});

test("for a shared failure, the contract's body is prepared once per set of CORS headers, and problem details are made for each request", () => {
  const failed = sharedFailure("overloaded", null);
  const [first, second] = [asking(undefined), asking(undefined)];
  const cors = { "Access-Control-Allow-Origin": "https://a.example" };
  const others = { ...cors };
  first.cors = cors;
  second.cors = cors;
  const answer = failureAnswer(failed, first);
  expect(failureAnswer(failed, second)).toBe(answer);
  expect(answer.prepared?.head).toContain("Access-Control-Allow-Origin: https://a.example\r\n");
  expect(JSON.parse(String(answer.body))).toMatchObject({ code: "overloaded" });
  expect(answer.headers["Content-Length"]).toBe(String(Buffer.byteLength(answer.body ?? "")));
  second.cors = others;
  expect(failureAnswer(failed, second)).not.toBe(answer);
  const problem = failureAnswer(failed, asking("application/problem+json"));
  expect(JSON.parse(String(problem.body))).toMatchObject({ status: 503, instance: "urn:vigil:request:r1" });
});
