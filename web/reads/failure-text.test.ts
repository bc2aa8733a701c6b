import { expect, test } from "vitest";
import { ApiError, ConnectionError, ForbiddenError, RateLimitError } from "../../src/sdk/index.js";
import { failureText, readFailureText } from "./failure-text.js";

const answered = (status: number, reasons: readonly string[], retryAfterMs?: number) => ({
  method: "GET",
  url: "http://vigil.test/api/x/v1/y",
  status,
  code: undefined,
  reasons,
  retryAfterMs,
  requestId: undefined,
  body: undefined,
  headers: new Headers(),
});

test.each([
  [new ConnectionError("refused"), "The service cannot be reached."],
  [new RateLimitError(answered(429, [], 2_100)), "Too many calls. Try again in 3 s."],
  [
    new RateLimitError({
      ...answered(429, ["Daily quota reached"], 43_200_000),
      body: { error: "Daily quota reached", limit: 500, resetsAt: "2026-11-19T00:00:00.000Z" },
    }),
    "Daily quota reached. It resets at 2026-11-19 00:00 UTC.",
  ],
  [
    new ForbiddenError(answered(403, ["A Pro plan is needed"])),
    "Your plan or key does not include this. A Pro plan is needed.",
  ],
  [
    new ApiError(answered(400, ["page_size must be at most 100", "country is unknown."])),
    "page_size must be at most 100. country is unknown.",
  ],
  [new ApiError(answered(500, [])), "The service answered 500."],
  [new TypeError("no call is named x"), "no call is named x"],
])("%s is explained in words", (failure, text) => expect(failureText(failure)).toBe(text));

test("only the failure of a read that the page repeats says that the page tries again", () => {
  const lost = new ConnectionError("refused");
  expect(readFailureText(lost, { isRepeated: true })).toBe(
    "The service cannot be reached. The page tries again automatically.",
  );
  expect(readFailureText(lost, { isRepeated: false })).toBe("The service cannot be reached.");
  expect(readFailureText(new ApiError(answered(500, [])), { isRepeated: true })).toBe("The service answered 500.");
});
