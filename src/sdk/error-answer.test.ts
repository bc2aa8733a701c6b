import { expect, test } from "vitest";
import {
  ConflictError,
  ForbiddenError,
  GoneError,
  NotFoundError,
  ProjectionError,
  RateLimitError,
  ServerError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from "./errors.js";
import { fakeService, json } from "./testing/fake-service.js";

const problem = (name: string, body: object) => ({ type: `urn:vigil:problem:${name}`, ...body });

test.each([
  {
    status: 400,
    body: problem("validation", { violations: [{ field: "pageSize", description: "must be 1–100, got 9000" }] }),
    family: ValidationError,
    code: "validation",
    reasons: ["pageSize must be 1–100, got 9000"],
  },
  {
    status: 400,
    body: problem("projection", { _jmespath_error: "invalid_expression: at 3", original_keys: [] }),
    family: ProjectionError,
    code: "projection",
    reasons: ["invalid_expression: at 3"],
  },
  {
    status: 401,
    body: { error: "Invalid API key" },
    family: UnauthorizedError,
    code: undefined,
    reasons: ["Invalid API key"],
  },
  {
    status: 403,
    body: { error: "The subscription has lapsed", code: "subscription_lapsed" },
    family: ForbiddenError,
    code: "subscription_lapsed",
    reasons: ["The subscription has lapsed"],
  },
  { status: 404, body: { error: "No such watch" }, family: NotFoundError, code: undefined, reasons: ["No such watch"] },
  { status: 405, body: { error: "Method not allowed" }, family: NotFoundError },
  { status: 409, body: { message: "Exists", error: "Exists", code: "EXISTS" }, family: ConflictError, code: "EXISTS" },
  { status: 410, body: { error: "Gone", code: "SNAPSHOT_REQUIRED" }, family: GoneError, code: "SNAPSHOT_REQUIRED" },
  { status: 422, body: { message: "Other body", error: "idempotency_key_reused" }, family: ConflictError },
  { status: 429, body: { message: "Rate limit reached" }, family: RateLimitError, reasons: ["Rate limit reached"] },
  { status: 500, body: { message: "Internal server error" }, family: ServerError },
  { status: 502, body: "<html>Bad gateway</html>", family: ServerError, code: undefined, reasons: [] },
  { status: 503, body: { message: "Not now" }, family: UnavailableError },
])("an answer with status $status becomes the error $family.name", async ({ status, body, family, ...facts }) => {
  const answer =
    typeof body === "string"
      ? new Response(body, { status, headers: { "X-Request-Id": "r9" } })
      : json(body, { status, headers: { "X-Request-Id": "r9", "Retry-After": "1" } });
  const { vigil } = fakeService([answer], { retriesMax: 0 });
  const failed = vigil.watches.getWatch({ watchId: "w" });
  await expect(failed).rejects.toMatchObject({ status, requestId: "r9", body, name: family.name, ...facts });
  await expect(failed).rejects.toBeInstanceOf(family);
});

test("the message of an error names the call and the reason, but not the query", async () => {
  const refused = json({ violations: [{ field: "watchId", description: "is required" }] }, { status: 400 });
  const { vigil } = fakeService([refused]);
  await expect(vigil.watches.getWatch({ watchId: "secret" })).rejects.toMatchObject({
    message: "GET http://vigil.example/api/watches/v1/get-watch answered 400: watchId is required",
  });
});
